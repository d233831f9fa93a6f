"""Two calls that add the same row at once: one adds it, the other finds it; nobody gets an error of ours."""

import contextlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, BrokenBarrierError
from types import ModuleType
from typing import Any, NamedTuple

import pytest
from fastapi.testclient import TestClient
from httpx2 import Response

from tarazu.auth import queries as auth
from tarazu.brokers import queries as brokers
from tarazu.firm import queries as firm
from tarazu.instruments import queries as instruments
from tarazu.kit.db import Database
from tarazu.people.tables import Role
from tests.brokers.test_broker_records import ZERODHA
from tests.firm.test_images import picture, put
from tests.people_of import ADMIN, Desk, new_key, staff_desk

pytestmark = pytest.mark.on_both
HOLIDAY = {"holidays": [{"date": "2031-03-05", "name": "Holi"}]}
PASSWORD = {"password": ADMIN["password"]}


class Case(NamedTuple):
    """A call, the query between whose answer and the insert both callers are, and the answers."""

    call: Callable[[Desk], Response]
    query: tuple[ModuleType, str]
    answers: set[int]
    by_one: bool = False


CASES = {
    "watch": Case(
        lambda desk: desk.post("/instruments/add", {"symbolName": "TCS"}, **new_key()),
        (instruments, "instrument_by_symbol"),
        {200},
        by_one=True,
    ),
    "picture": Case(
        lambda desk: put(desk, "logo", "logo.png", picture()), (firm, "image"), {200, 409}
    ),
    "holiday": Case(
        lambda desk: desk.put("/settings/holidays", HOLIDAY), (firm, "holidays_on"), {200}
    ),
    "broker": Case(
        lambda desk: desk.post("/brokers/add", ZERODHA, **new_key()),
        (brokers, "broker_named"),
        {201, 409},
    ),
    "second factor": Case(
        lambda desk: desk.post("/auth/totp/enrol", PASSWORD),
        (auth, "drop_second_factor"),
        {200},
        by_one=True,
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_the_same_row_is_added_once(
    admin: Desk, web: TestClient, database: Database, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    case = CASES[name]
    other = admin if case.by_one else staff_desk(web, database, role=Role.ADMIN)
    # Where a lock keeps the second caller out, the first one waits in vain, and goes on.
    both = Barrier(2)
    module, query = case.query
    asked = getattr(module, query)

    def ask_together(*given: Any, **named: Any) -> Any:
        found = asked(*given, **named)
        with contextlib.suppress(BrokenBarrierError):
            both.wait(0.5)
        return found

    monkeypatch.setattr(module, query, ask_together)

    with ThreadPoolExecutor(2) as pool:
        answers = [answer.status_code for answer in pool.map(case.call, (admin, other))]

    assert set(answers) <= case.answers, answers
    assert min(case.answers) in answers
