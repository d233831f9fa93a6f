"""Marks fees paid in a process of its own: `python -m tests.invoices.payer JSON`.

With `stopsBefore` it waits inside the transaction of that fee, after its invoice has a number.
"""

import json
import sys
import time
import uuid
from pathlib import Path

from tarazu.app import open_database
from tarazu.fees import service as fees
from tarazu.fees.service import FeeChanges, FeeEdit
from tarazu.fees.tables import FeeStatus
from tarazu.kit import clock
from tarazu.kit.audit_log import SYSTEM
from tarazu.kit.settings import Settings


def main() -> None:
    work = json.loads(sys.argv[1])
    settings = Settings(
        data_dir=Path(work["dataDir"]), database_url=work["url"], secrets_keys=work["keys"]
    )
    database = open_database(settings)
    paid: FeeChanges = {"status": FeeStatus.PAID}
    for client_id, fee_id in work["fees"]:
        with database.transaction() as session:
            edit = FeeEdit(uuid.UUID(fee_id), paid)
            fees.change_fee(session, SYSTEM, clock.now(), uuid.UUID(client_id), edit)
            if work["stops"]:
                sys.stdout.write("numbered\n")
                sys.stdout.flush()
                time.sleep(60)
    database.dispose()


main()
