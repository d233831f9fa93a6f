"""The registers' desk at a fixed time, and an advice desk for what is checked before a send."""

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest

from tarazu.kit import clock
from tarazu.kit.clock import INDIA
from tarazu.kit.db import Database
from tests.advice.conftest import PRICES, AdviceDesk
from tests.people_of import Desk, data_of, set_up_firm

NOW = dt.datetime(2026, 11, 25, 11, 0, tzinfo=INDIA)


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> dt.datetime:
    """The product's clock shows 11:00 on a business day."""
    monkeypatch.setattr(clock, "now", lambda: NOW.astimezone(dt.UTC))
    return NOW


@pytest.fixture
def desk(now: dt.datetime, admin: Desk) -> Desk:
    return admin


@pytest.fixture
def own_id(desk: Desk) -> str:
    """The `_id` of the signed-in ADMIN."""
    rows = data_of(desk.get("/users"))
    return str(next(row["_id"] for row in rows if row["name"] == "Ananya Kulkarni"))


@pytest.fixture
def advice(desk: Desk, database: Database, priced: Callable[[dict[str, str]], None]) -> AdviceDesk:
    set_up_firm(desk)
    advice_desk = AdviceDesk(desk, database, priced)
    advice_desk.client_id = desk.add_client()
    priced(PRICES)
    advice_desk.hold({"INFY": 100, "ITC": 10}, cash="200000")
    return advice_desk


def check_of(advice: AdviceDesk, name: str, **changes: Any) -> dict[str, Any]:
    """A check before the send of a rebalance."""
    body = advice.advice_of(advice.rebalanced(), rationale="Quality.", **changes)
    checks = data_of(advice.desk.post("/admin/advice/preflight", body))
    (check,) = [check for check in checks if check["id"] == name]
    return dict(check)
