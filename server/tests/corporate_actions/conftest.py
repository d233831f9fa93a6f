"""A desk that enters corporate actions."""

import datetime as dt
from typing import Any

import pytest
from httpx2 import Response

from tarazu.domain.isin import check_digit
from tarazu.instruments import service as instruments
from tarazu.kit import clock
from tarazu.kit.db import Database
from tests.people_of import Desk, data_of, new_key

PATH = "/admin/corporate-actions"


def isin_of(body: str) -> str:
    """An ISIN from its first eleven characters."""
    return f"{body}{check_digit(body)}"


INFY, TCS, ITC = "INE009A01021", "INE467B01029", "INE154A01025"
NEW_INFY = isin_of("INE009A0103")


class ActionDesk:
    """Enters and lists actions; days count from today, in India."""

    def __init__(self, desk: Desk, database: Database) -> None:
        self.desk, self.database = desk, database

    def day(self, after: int = 0) -> str:
        return (clock.today() + dt.timedelta(days=after)).isoformat()

    def post(self, kind: str = "BONUS", after: int = 0, **fields: Any) -> Response:
        body = {"tradingSymbol": "INFY", "kind": kind, "exOn": self.day(after)}
        return self.desk.post(PATH, body | fields, **new_key())

    def enter(self, kind: str = "BONUS", after: int = 0, **fields: Any) -> dict[str, Any]:
        if kind == "BONUS":
            fields = {"factor": {"new": 2, "old": 1}} | fields
        return dict(data_of(self.post(kind, after, **fields), 201))

    def split(self, after: int = 0, **fields: Any) -> dict[str, Any]:
        given = {"factor": {"new": 5, "old": 1}, "newIsin": NEW_INFY}
        return self.enter("SPLIT", after, **(given | fields))

    def remove(self, action: dict[str, Any]) -> Response:
        path = f"/api/v1{PATH}/{action['_id']}"
        return self.desk.web.delete(path, headers=self.desk.headers)

    def list(self, **filters: Any) -> list[dict[str, Any]]:
        return list(data_of(self.desk.get(PATH, **filters)))

    def isin(self, symbol: str = "INFY") -> str:
        """The ISIN that an instrument has now."""
        with self.database.reading() as session:
            return instruments.by_symbol(session, "NSE", symbol).isin


@pytest.fixture
def actions(admin: Desk, database: Database) -> ActionDesk:
    return ActionDesk(admin, database)
