"""Doing a thing once: a call that creates, sent again, answers what it answered.

With an `Idempotency-Key` that holds for seven days. Without one the key is made of the caller, the
path and the body, and holds while the call is under way and for ten seconds after: a double click, a
retry of a proxy. Both are kept in the database, so that it holds in every process.
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
"""How long after its end a call without a key is taken for the same one."""
_WITHOUT_KEY = " (without a key)"
"""Ends the route of a key that was made here, which no caller can name."""


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
    """The idempotency of one call; `Once.run` is what a route uses."""

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
        kept: Callable[[Any], Any] = lambda answer: answer,
        again: Callable[[Any], Any] | None = None,
    ) -> Response:
        """Act and answer; or, for a call done before, answer the same again without acting.

        The answer is stored in the transaction of the act, so both are kept or neither: a call
        that fails is not remembered, and one under way is waited for. `kept`
        takes out of it what may be told only once, or not be stored in clear; `again` puts back,
        into a repeated answer as JSON has it, what may be told once more.

        Raises:
            KeyUsedForAnother: the key came with another body before.
        """
        if not self._is_first(session):
            return self._repeated(session, again)
        acted = act()
        stored = shape.model_validate(kept(acted)).model_dump_json(by_alias=True)
        session.execute(
            update(StoredResponse)
            .where(*self._mine)
            .values(answer=stored, status=status, at=clock.now())
        )
        return _json(shape.model_validate(acted).model_dump_json(by_alias=True), status)

    def sealed(self, session: Session, text: str | None) -> str | None:
        """A text of an answer as it may be stored, where it must not be in clear."""
        return text and encryption.cipher_of(session).seal(text, StoredResponse.answer, self._place)

    def unsealed(self, session: Session, stored: str | None) -> str | None:
        """The text that `sealed` made this of; None when its key was taken away meanwhile."""
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
        # A second call with the key waits here until the first has committed, or is undone.
        now = clock.now()
        begun = {"body_hash": self.body_hash, "answer": "", "status": 0, "at": now}
        statement = insert_into(session, StoredResponse).values(
            account_id=self.account_id, route=self.route, key=self.key, **begun
        )
        if self.is_given:
            statement = statement.on_conflict_do_nothing()
        else:
            # Later than now: the clock was set back meanwhile.
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
        told = json.dumps(again(json.loads(stored.answer))) if again else stored.answer
        answer = _json(told, stored.status)
        answer.headers["Idempotent-Replayed"] = "true"
        return answer


def _json(answer: str, status: int) -> Response:
    return Response(answer, status, media_type="application/json")


async def _once(request: Request) -> IdempotentRequest:
    key = request.headers.get("Idempotency-Key")
    if key is not None and not 1 <= len(key) <= LONGEST_KEY:
        raise UnfitKey
    caller = request.state.caller
    # A route may name a record: the same body for another record is another request.
    asked = request.url.path.encode() + b"\n" + await request.body()
    return IdempotentRequest(caller.account_id, request.scope["route"].path, key, asked)


OnceOnly = Annotated[IdempotentRequest, Depends(_once)]


def forget_old(session: Session, now: dt.datetime) -> int:
    """Drop answers whose keys are past their seven days, or their ten seconds; how many."""
    is_made = StoredResponse.route.endswith(_WITHOUT_KEY)
    is_past = or_(
        StoredResponse.at < now - dt.timedelta(days=KEPT_DAYS),
        and_(is_made, StoredResponse.at < now - DOUBLE_WITHIN),
    )
    statement = delete(StoredResponse).where(is_past)
    return len(session.execute(statement.returning(StoredResponse.key)).all())


def drop_old(database: Database, now: dt.datetime) -> int:
    """The same as timed work, in a transaction of its own."""
    with database.transaction() as session:
        return forget_old(session, now)
