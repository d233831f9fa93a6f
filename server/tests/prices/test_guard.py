"""The sockets' sessions: all looked at together, by the rule that calls go by."""

import datetime as dt
import uuid
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from sqlalchemy import Executable, event, update

from tarazu.auth import service as auth
from tarazu.auth.tables import SignIn
from tarazu.kit import clock, security
from tarazu.kit.auth_route import SessionExpired
from tarazu.kit.db import Database
from tarazu.kit.settings import Settings
from tarazu.people.tables import Person, Role, Status
from tarazu.prices.sockets import SessionGuard
from tests.people_of import ADMIN, Desk
from tests.rows_of import run

HOUR = dt.timedelta(hours=1)


@contextmanager
def statements_of(database: Database) -> Iterator[list[str]]:
    """The SQL of the `with`, but for what begins and ends a transaction."""
    found: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        if not statement.startswith("BEGIN"):
            found.append(statement)

    event.listen(database.engine, "before_cursor_execute", note)
    yield found
    event.remove(database.engine, "before_cursor_execute", note)


def tokens_of(desk: Desk, many: int) -> list[str]:
    """The tokens of so many sessions of the ADMIN."""
    answers = [desk.web.post("/api/v1/auth/login", json=ADMIN) for _ in range(many)]
    return [answer.json()["accessToken"] for answer in answers]


def test_any_number_of_sockets_takes_two_statements(
    admin: Desk, database: Database, settings: Settings
) -> None:
    tokens = tokens_of(admin, 9)
    guard = SessionGuard(database, settings)
    unknown = {f"{number:043}" for number in range(991)}

    with statements_of(database) as statements:
        ended = guard.ended({*tokens, *unknown})

    assert ended == unknown
    # One looks at them, one ends what ran out.
    assert len(statements) == 2


@pytest.mark.on_both(suite="long")
@pytest.mark.parametrize(
    "change",
    [
        None,
        update(SignIn).values(ended_at=clock.now()),
        update(SignIn).values(expires_at=clock.now() - HOUR),
        update(SignIn).values(seen_at=clock.now() - HOUR),
        update(Person).values(status=Status.INACTIVE),
        update(Person).values(deleted_at=clock.now()),
        update(Person).values(role=Role.CLIENT, client_code="C0001"),
        update(Person).values(role=Role.USER),
        update(Person).values(sessions_void_at=clock.now() + HOUR),
        update(Person).values(sessions_void_at=clock.now() - HOUR),
        update(SignIn).values(token_digest=uuid.uuid4().hex),
    ],
)
def test_a_socket_may_stay_as_long_as_its_session_may_call(
    admin: Desk, database: Database, settings: Settings, change: Executable | None
) -> None:
    if change is not None:
        run(database, change)

    with database.reading() as session:
        try:
            auth.bearer_of(session, settings, admin.token, clock.now())
            may_call = True
        except SessionExpired:
            may_call = False

    ended = SessionGuard(database, settings).ended({admin.token})

    assert (not ended) is may_call
    assert security.token_digest(admin.token) not in ended
