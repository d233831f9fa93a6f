"""A client with an advice, its link, and the browser in which the client opens it."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import pytest
from fastapi.testclient import TestClient
from httpx2 import Response
from sqlalchemy import select

from tarazu.instruments import service as instruments
from tarazu.kit import clock
from tarazu.kit.db import Database
from tarazu.kit.mail import Mail, text_of
from tarazu.prices import service as prices
from tests.advice.conftest import AdviceDesk, advice
from tests.people_of import data_of, new_key

__all__ = ["advice"]

CODE = re.compile(r"^(\d{6})$", re.MULTILINE)
PAGE_TOKEN = re.compile(r'name="pageToken" value="([\w-]{43})"')
CLIENT = "kavya@home.example"


@dataclass
class ClientsPage:
    """One advice with a link that works."""

    advice: AdviceDesk
    advice_id: str
    token: str = ""
    page_token: str = ""
    answer: Any = field(default=None)

    @property
    def web(self) -> TestClient:
        return self.advice.desk.web

    @property
    def database(self) -> Database:
        return self.advice.database

    def make_link(self, advice_id: str = "") -> str:
        """A new link; its token."""
        path = f"/admin/advice/{advice_id or self.advice_id}/link"
        self.answer = data_of(self.advice.desk.post(path, **new_key()))
        self.token = str(self.answer["url"]).rpartition("/a/")[2]
        return self.token

    def call(self, method: str, path: str = "", body: Any = None, **params: Any) -> Response:
        """A call of a program, with the page's token."""
        return self.web.request(
            method,
            f"/api/v1/public/advice/{self.token}{path}",
            json=body,
            params=params,
            headers={"X-Page-Token": self.page_token} if self.page_token else {},
        )

    def get(self, path: str = "", **params: Any) -> Response:
        return self.call("GET", path, None, **params)

    def post(self, path: str, body: Any = None) -> Response:
        return self.call("POST", path, body)

    def codes(self, to: str = CLIENT) -> list[str]:
        """The codes that were mailed to somebody, the first one first."""
        with self.database.reading() as session:
            statement = select(Mail).where(Mail.recipient == to).order_by(Mail.queued_at, Mail.id)
            texts = [text_of(session, mail) for mail in session.execute(statement).scalars()]
        return [match[1] for text in texts if (match := CODE.search(text))]

    def code(self, to: str = CLIENT) -> str:
        """Ask for a code; the one that was mailed."""
        assert self.post("/code").status_code == 202
        return self.codes(to)[-1]

    def open(self) -> Any:
        """Enter the right code; what the page then shows."""
        opened = data_of(self.post("/open", {"code": self.code()}))
        self.page_token = opened["pageToken"]
        return opened["advice"]

    def page(self, path: str = "", **params: Any) -> Response:
        """A page as a browser gets it."""
        return self.web.get(f"/a/{self.token}{path}", params=params)

    def submit(self, path: str, **fields: Any) -> Response:
        """A form of the page, sent as a browser sends it."""
        sent = {"pageToken": self.page_token, **fields}
        parts = [
            (name, (None, str(each)))
            for name, value in sent.items()
            for each in (value if isinstance(value, list) else [value])
        ]
        return self.web.post(f"/a/{self.token}{path}", files=parts)

    def open_page(self, **fields: Any) -> Response:
        """Open the page with a code; the page with the content."""
        answer = self.submit("/open", code=self.code(), **fields)
        assert answer.status_code == 200, answer.text
        match = PAGE_TOKEN.search(answer.text)
        assert match, "the page has no token"
        self.page_token = match[1]
        return answer


@pytest.fixture
def priced(database: Database) -> Callable[[dict[str, str]], None]:
    """Sets last prices by symbol, as a broker's feed would."""

    def record(by_symbol: dict[str, str]) -> None:
        with database.reading() as opened:
            tokens = {
                symbol: instruments.by_symbol(opened, "NSE", symbol).instrument_token
                for symbol in by_symbol
            }
            new = {tokens[symbol]: Decimal(price) for symbol, price in by_symbol.items()}
            prices.record_prices(opened, new, clock.now(), "ZERODHA")

    return record


@pytest.fixture
def page(advice: AdviceDesk) -> ClientsPage:
    opened = ClientsPage(advice, advice.sent())
    opened.make_link()
    return opened
