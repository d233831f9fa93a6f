"""A capital that was entered far too low gives a rate beyond all measure, not an error."""

import datetime as dt

import pytest

from tarazu.kit import clock
from tests.imports.files import kite
from tests.people_of import Desk

pytestmark = pytest.mark.on_both


def test_a_rate_of_forty_digits_is_answered(admin: Desk) -> None:
    client_id = admin.add_client()
    path = f"/admin/clients/client/{client_id}"
    admin.post(f"{path}/starting-capital", {"amount": 20.77})
    shares = kite(("INFY", 226, 3873.9728))
    admin.upload("/admin/clients/import", "h.csv", shares, dryRun="false", clientId=client_id)
    began = clock.today() - dt.timedelta(days=40)

    answer = admin.post(f"{path}/starting-date", {"startingDate": began.isoformat()})

    assert answer.status_code == 200, answer.text
    for part in ("portfolio", "xirr", "xirr/export", "performance", "report.pdf"):
        assert admin.get(f"{path}/{part}").status_code == 200, part
