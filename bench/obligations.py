"""The processor time of all obligations of a firm with 9,999 clients (the most there are codes for); the goal is one second."""

import datetime as dt
import sys
import tempfile
import time
from pathlib import Path

from tarazu.app import open_database
from tarazu.kit import clock
from tarazu.kit.audit_log import SYSTEM
from tarazu.kit.settings import Settings
from tarazu.obligations import service
from tarazu.people import service as people
from tarazu.people.service import NewPerson

CLIENTS = 9_999 if len(sys.argv) < 2 else int(sys.argv[1])
AT_ONCE = 500

with tempfile.TemporaryDirectory() as folder:
    database = open_database(Settings(data_dir=Path(folder)))
    now = clock.now()
    for start in range(0, CLIENTS, AT_ONCE):
        added_at = now - dt.timedelta(days=(CLIENTS - start) // 15)
        new = [
            NewPerson(f"Client {place}", f"client{place}@bench.example")
            for place in range(start, min(start + AT_ONCE, CLIENTS))
        ]
        with database.transaction() as session:
            people.add_clients(session, SYSTEM, added_at, new)
    took = []
    for _ in range(5):
        with database.reading() as session:
            begun = time.process_time()
            states = service.list_obligations(session, now)
            took.append(time.process_time() - begun)
    print(f"{len(states)} obligations of {CLIENTS:,} clients: {sorted(took)[2]:.3f} s of the processor")
    database.dispose()
