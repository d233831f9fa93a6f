"""Idempotency of calls that create: the same call again gets the first call's answer.

With an `Idempotency-Key` for seven days. Without one the key is made of the caller, the path and
the body, and is valid during the call and for ten seconds after it: a double click, a retry of a
proxy. Both are in the database, for all processes.
"""

import datetime as dt
import hashlib
import json
import uuid
from collections.abc import Callable
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import Depends, Request, Response
from pydantic import BaseModel
from sqlalchemy import Text, and_, delete, or_, select, update
from sqlalchemy.orm import Mapped, Session, mapped_column

from tarazu.kit import clock, encryption
from tarazu.kit.db import Database, InstantColumn, Table, insert_into
from tarazu.kit.encryption import CannotDecrypt
from tarazu.kit.errors import Invalid

KEPT_DAYS = 7
LONGEST_KEY = 255
DOUBLE_WITHIN = dt.timedelta(seconds=10)
"""How long after its end a call without a key counts as the same one."""
_WITHOUT_KEY = " (without a key)"
"""Ends the route of a key made here, so that no caller can name it."""


class KeyUsedForAnother(Invalid):
    message = "This Idempotency-Key was used with another request."


class UnfitKey(Invalid):
    message = "An Idempotency-Key has 1 to 255 characters."


class StoredResponse(Table):
    __tablename__ = "idempotency"

    account_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    route: Mapped[str] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(primary_key=True)
    body_hash: Mapped[str]
    answer: Mapped[str] = mapped_column(Text)
    status: Mapped[int]
    at: Mapped[dt.datetime] = mapped_column(InstantColumn, index=True)


class IdempotentRequest:
    """One call; a route wraps its work in `run`."""

    def __init__(self, account_id: uuid.UUID, route: str, key: str | None, body: bytes) -> None:
        self.account_id = account_id
        self.body_hash = hashlib.sha256(body).hexdigest()
        self.is_given = key is not None
        self.route = route if self.is_given else f"{route}{_WITHOUT_KEY}"
        self.key = key if key is not None else self.body_hash

    def run(
        self,
        session: Session,
        act: Callable[[], Any],
        shape: type[BaseModel],
        status: int = HTTPStatus.OK,
        redact: Callable[[Any], Any] = lambda answer: answer,
        again: Callable[[Any], Any] | None = None,
    ) -> Response:
        """Call `act` and answer; a repeated call gets the stored answer, without `act`.

        The answer is stored in the transaction of the act: a call that fails is not stored, and a
        parallel one waits. `redact` removes what is shown only once, or must not be stored in
        clear; `again` puts back, into the JSON of a repeated answer, what may be shown again.

        Raises:
            KeyUsedForAnother: the key was used with another body.
        """
        if not self._is_first(session):
            return self._repeated(session, again)
        acted = act()
        stored = shape.model_validate(redact(acted)).model_dump_json(by_alias=True)
        session.execute(
            update(StoredResponse)
            .where(*self._mine)
            .values(answer=stored, status=status, at=clock.now())
        )
        return _json(shape.model_validate(acted).model_dump_json(by_alias=True), status)

    def sealed(self, session: Session, text: str | None) -> str | None:
        """A text of an answer, encrypted for storage."""
        return text and encryption.cipher_of(session).seal(text, StoredResponse.answer, self._place)

    def unsealed(self, session: Session, stored: str | None) -> str | None:
        """The text that `sealed` encrypted; None if its key was removed since."""
        try:
            return stored and encryption.cipher_of(session).unseal(
                stored, StoredResponse.answer, self._place
            )
        except CannotDecrypt:
            return None

    @property
    def _place(self) -> str:
        return f"{self.account_id}|{self.route}|{self.key}"

    @property
    def _mine(self) -> tuple[Any, ...]:
        return (
            StoredResponse.account_id == self.account_id,
            StoredResponse.route == self.route,
            StoredResponse.key == self.key,
        )

    def _is_first(self, session: Session) -> bool:
        # A second call with the key waits here until the first is committed or rolled back.
        now = clock.now()
        begun = {"body_hash": self.body_hash, "answer": "", "status": 0, "at": now}
        statement = insert_into(session, StoredResponse).values(
            account_id=self.account_id, route=self.route, key=self.key, **begun
        )
        if self.is_given:
            statement = statement.on_conflict_do_nothing()
        else:
            # A time after now: the clock was set back.
            is_past = or_(
                StoredResponse.at <= now - DOUBLE_WITHIN, StoredResponse.at > now + DOUBLE_WITHIN
            )
            statement = statement.on_conflict_do_update(
                index_elements=["account_id", "route", "key"], set_=begun, where=is_past
            )
        return session.execute(statement.returning(StoredResponse.key)).first() is not None

    def _repeated(self, session: Session, again: Callable[[Any], Any] | None) -> Response:
        stored = session.execute(select(StoredResponse).where(*self._mine)).scalar_one()
        if stored.body_hash != self.body_hash:
            raise KeyUsedForAnother
        body = json.dumps(again(json.loads(stored.answer))) if again else stored.answer
        answer = _json(body, stored.status)
        answer.headers["Idempotent-Replayed"] = "true"
        return answer


def _json(answer: str, status: int) -> Response:
    return Response(answer, status, media_type="application/json")


async def _once(request: Request) -> IdempotentRequest:
    key = request.headers.get("Idempotency-Key")
    if key is not None and not 1 <= len(key) <= LONGEST_KEY:
        raise UnfitKey
    caller = request.state.caller
    # A path may name a record: the same body for another record is another request.
    call = request.url.path.encode() + b"\n" + await request.body()
    return IdempotentRequest(caller.account_id, request.scope["route"].path, key, call)


OnceOnly = Annotated[IdempotentRequest, Depends(_once)]


def forget_old(session: Session, now: dt.datetime) -> int:
    """Delete answers after their seven days, or their ten seconds; the number of rows."""
    is_made = StoredResponse.route.endswith(_WITHOUT_KEY)
    is_past = or_(
        StoredResponse.at < now - dt.timedelta(days=KEPT_DAYS),
        and_(is_made, StoredResponse.at < now - DOUBLE_WITHIN),
    )
    statement = delete(StoredResponse).where(is_past)
    return len(session.execute(statement.returning(StoredResponse.key)).all())


def drop_old(database: Database, now: dt.datetime) -> int:
    """The scheduled job: `forget_old` in its own transaction."""
    with database.transaction() as session:
        return forget_old(session, now)
