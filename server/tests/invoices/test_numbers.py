"""Numbers of invoices have no gap and no double, with two processes at once and a kill."""

import json
import subprocess
from collections.abc import Sequence
from contextlib import ExitStack

import pytest
from sqlalchemy import select

from tarazu.invoices.tables import Invoice
from tarazu.kit.db import Database
from tarazu.kit.settings import Settings
from tests.conftest import KEYS
from tests.invoices.desks import charge, live_in, switch_on
from tests.people_of import Desk
from tests.started import Started

pytestmark = pytest.mark.on_both

PAYERS, FEES = 2, 8


def _payer(settings: Settings, fees: Sequence[tuple[str, str]], *, stops: bool = False) -> Started:
    work = {
        "dataDir": str(settings.data_dir),
        "url": settings.database_url,
        "keys": KEYS,
        "fees": fees,
        "stops": stops,
    }
    return Started(["-m", "tests.invoices.payer", json.dumps(work)], output=subprocess.PIPE)


def test_two_processes_and_a_kill_leave_no_gap_and_no_double(
    admin: Desk, settings: Settings, database: Database
) -> None:
    switch_on(admin)
    fees = []
    for number in range(FEES + 1):
        client_id = admin.add_client(f"Client {number}", f"client{number}@home.example")
        live_in(admin, client_id, "27")
        fees.append((client_id, str(charge(admin, client_id, 1_000)["_id"])))
    with ExitStack() as running:
        killed = running.enter_context(_payer(settings, fees[:1], stops=True))
        assert killed.stdout is not None
        assert killed.stdout.readline() == "numbered\n"
        payers = [
            running.enter_context(_payer(settings, fees[1 + number :: PAYERS]))
            for number in range(PAYERS)
        ]
        killed.kill()
        ended = [payer.wait(timeout=600) for payer in payers]

    assert ended == [0] * PAYERS
    with database.reading() as session:
        rows = session.execute(select(Invoice).order_by(Invoice.serial)).scalars().all()
    assert [row.serial for row in rows] == list(range(1, FEES + 1))
    assert len({row.number for row in rows}) == FEES
    assert fees[0][1] not in {str(row.fee_id) for row in rows}
