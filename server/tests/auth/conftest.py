"""What the tests of accounts have at hand: a clock that can be moved, the mails, other settings."""

import datetime as dt
import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import select, update

from tarazu.app import create_app
from tarazu.kit import audit_log, clock, security
from tarazu.kit.audit_log import AuditRow
from tarazu.kit.db import Database
from tarazu.kit.mail import Mail, text_of
from tarazu.kit.settings import Settings
from tarazu.people import service as people
from tarazu.people.service import Login, NewPerson
from tarazu.people.tables import Person, Role, Status
from tests.people_of import Desk
from tests.rows_of import audit_rows, run

BROWSER = {
    "Origin": "http://testserver",
    "User-Agent": "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/147.0 Safari/537.36",
}


@dataclass
class Time:
    """The clock of the installation: it stands until it is moved."""

    ahead: dt.timedelta = dt.timedelta()

    def go(self, **time: float) -> None:
        self.ahead += dt.timedelta(**time)


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    start, moved = clock.now(), Time()
    monkeypatch.setattr(clock, "now", lambda: start + moved.ahead)
    return moved


@dataclass
class Post:
    """The mails that are on their way."""

    database: Database

    def to(self, recipient: str) -> list[Mail]:
        with self.database.reading() as session:
            statement = select(Mail).where(Mail.recipient == recipient).order_by(Mail.id)
            return list(session.execute(statement).scalars())

    def texts_to(self, recipient: str) -> list[str]:
        """What each of them says as it is handed over."""
        with self.database.reading() as session:
            return [text_of(session, mail) for mail in self.to(recipient)]

    def link(self, recipient: str) -> str:
        """The token of the last reset link."""
        links = [
            found[1]
            for text in self.texts_to(recipient)
            if (found := re.search(r"/auth/forgot-password/([\w-]{43})", text))
        ]
        return links[-1]

    def code(self, recipient: str) -> str:
        """The last one-time code."""
        codes = [re.search(r"code: (\d{4})", text) for text in self.texts_to(recipient)]
        return [found[1] for found in codes if found][-1]


@pytest.fixture
def post(database: Database) -> Post:
    return Post(database)


@pytest.fixture
def installed(settings: Settings, database: Database) -> Callable[..., TestClient]:
    """A visitor to the same installation under other settings: `installed(bind_sessions=True)`."""

    def install(**changed: Any) -> TestClient:
        app = create_app(settings.model_copy(update=changed), database)
        return TestClient(app, raise_server_exceptions=False)

    return install


@pytest.fixture
def strict(installed: Callable[..., TestClient]) -> TestClient:
    """A visitor who meets the limits as they are."""
    return installed(rate_limit_scale=Decimal(1))


@dataclass
class Staffed:
    """Makes accounts, and changes them as other screens do."""

    database: Database

    def add(
        self,
        email: str = "ravi@desk.example",
        password: str = "eight elms 8",
        role: Role = Role.USER,
        **login: Any,
    ) -> dict[str, str]:
        person = NewPerson("Ravi Rao", email)
        with self.database.transaction() as session:
            entry = Login(role, security.hash_password(password), **login)
            people.add_staff(session, audit_log.SYSTEM, clock.now(), person, entry)
        return {"email": email, "password": password}

    def change(self, email: str, **columns: Any) -> None:
        run(self.database, update(Person).where(Person.email == email).values(**columns))

    def deactivate(self, email: str) -> None:
        self.change(email, status=Status.INACTIVE, sessions_void_at=clock.now())

    def trail_of(self, action: str) -> list[AuditRow]:
        return audit_rows(self.database, action)


@pytest.fixture
def staffed(database: Database) -> Staffed:
    return Staffed(database)


def log_in(web: TestClient, who: dict[str, str], **more: str) -> Desk:
    """Log in; the desk of the account."""
    body = {"email": who["email"], "password": who["password"], **more}
    answer = web.post("/api/v1/auth/login", json=body)
    assert answer.status_code == 200, answer.text
    return Desk(web, answer.json()["accessToken"])
