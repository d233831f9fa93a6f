"""The processor time of all obligations of a firm with 9,999 clients (the most there are codes for); the goal is one second.

Every client paid a fee; two of three have KYC and agreed to the terms and the MITC.
"""

import datetime as dt
import sys
import tempfile
import time
from decimal import Decimal
from pathlib import Path

from sqlalchemy import insert

from tarazu.app import open_database
from tarazu.fees.tables import Fee, FeeStatus
from tarazu.kit import clock
from tarazu.kit.audit_log import SYSTEM
from tarazu.kit.db import new_id
from tarazu.kit.settings import Settings
from tarazu.kit.translation import Language
from tarazu.obligations import service
from tarazu.papers import service as papers
from tarazu.papers.tables import ClientKyc, Consent, ConsentMethod, KycStatus
from tarazu.people import service as people
from tarazu.people.service import NewPerson

CLIENTS = 9_999 if len(sys.argv) < 2 else int(sys.argv[1])
AT_ONCE = 500


def with_papers(session, added, texts, at):
    """A paid fee of every client, and the papers of two of three."""
    day = at.date()
    fee = {"starting_on": day, "starting_value": Decimal(0), "status": FeeStatus.PAID, "paid_on": day}
    fees = [fee | {"id": new_id(), "client_id": one.id, "created_at": at, "version": 1} for one in added]
    session.execute(insert(Fee), fees)
    good = [one for place, one in enumerate(added) if place % 3]
    kyc = {"status": KycStatus.VALIDATED, "status_on": day, "note": "", "updated_at": at, "version": 1}
    session.execute(insert(ClientKyc), [kyc | {"client_id": one.id, "pan": "ABCPK1234F"} for one in good])
    given = {"given_on": day, "recorded_at": at, "method": ConsentMethod.PAGE, "language": Language.EN}
    given |= {"text_hash": "0" * 64, "ip": "", "agent": ""}
    rows = [given | {"id": new_id(), "client_id": one.id, "text_id": text.id} for one in good for text in texts]
    session.execute(insert(Consent), rows)


with tempfile.TemporaryDirectory() as folder:
    database = open_database(Settings(data_dir=Path(folder)))
    now = clock.now()
    with database.transaction() as session:
        since = (now - dt.timedelta(days=900)).date()
        texts = [
            papers.add_text(session, SYSTEM, now, kind, since, "A text", "")
            for kind in papers.BEFORE_SERVICE
        ]
    for start in range(0, CLIENTS, AT_ONCE):
        added_at = now - dt.timedelta(days=(CLIENTS - start) // 15)
        new = [
            NewPerson(f"Client {place}", f"client{place}@bench.example")
            for place in range(start, min(start + AT_ONCE, CLIENTS))
        ]
        with database.transaction() as session:
            with_papers(session, people.add_clients(session, SYSTEM, added_at, new), texts, added_at)
    took = []
    for _ in range(5):
        with database.reading() as session:
            begun = time.process_time()
            states = service.list_obligations(session, now)
            took.append(time.process_time() - begun)
    print(f"{len(states)} obligations of {CLIENTS:,} clients: {sorted(took)[2]:.3f} s of the processor")
    database.dispose()
