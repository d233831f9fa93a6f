"""Doing a thing once: a call repeated with its Idempotency-Key answers what it answered."""

import datetime as dt
import hashlib
import json
import uuid
from collections.abc import Callable
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import Depends, Request, Response
from pydantic import BaseModel
from sqlalchemy import Text, delete, select, update
from sqlalchemy.orm import Mapped, Session, mapped_column

from tarazu.kit import clock
from tarazu.kit.db import Database, InstantColumn, Table, insert_into
from tarazu.kit.errors import Invalid

KEPT_DAYS = 7
LONGEST_KEY = 255


class KeyUsedForAnother(Invalid):
    message = "This Idempotency-Key was used with another request."


class UnfitKey(Invalid):
    message = "An Idempotency-Key has 1 to 255 characters."


class StoredAnswer(Table):
    __tablename__ = "idempotency"

    account_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    route: Mapped[str] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(primary_key=True)
    body_hash: Mapped[str]
    answer: Mapped[str] = mapped_column(Text)
    status: Mapped[int]
    at: Mapped[dt.datetime] = mapped_column(InstantColumn, index=True)


class Once:
    """The idempotency of one call; `Once.run` is what a route uses."""

    def __init__(self, account_id: uuid.UUID, route: str, key: str | None, body: bytes) -> None:
        self.account_id, self.route, self.key = account_id, route, key
        self.body_hash = hashlib.sha256(body).hexdigest()

    def run(
        self,
        session: Session,
        act: Callable[[], Any],
        shape: type[BaseModel],
        status: int = HTTPStatus.OK,
        kept: Callable[[Any], Any] = lambda answer: answer,
        again: Callable[[Any], Any] | None = None,
    ) -> Response:
        """Act and answer; or, for a key used before, answer the same again without acting.

        The answer is stored in the transaction of the act, so both are kept or neither. `kept`
        takes out of it what may be told only once, or not be stored in clear; `again` puts back,
        into a repeated answer as JSON has it, what may be told once more.

        Raises:
            KeyUsedForAnother: the key came with another body before.
        """
        if self.key is None:
            return _json(shape.model_validate(act()).model_dump_json(by_alias=True), status)
        if not self._is_first(session):
            return self._repeated(session, again)
        acted = act()
        stored = shape.model_validate(kept(acted)).model_dump_json(by_alias=True)
        session.execute(
            update(StoredAnswer).where(*self._mine).values(answer=stored, status=status)
        )
        return _json(shape.model_validate(acted).model_dump_json(by_alias=True), status)

    @property
    def _mine(self) -> tuple[Any, ...]:
        return (
            StoredAnswer.account_id == self.account_id,
            StoredAnswer.route == self.route,
            StoredAnswer.key == self.key,
        )

    def _is_first(self, session: Session) -> bool:
        # A second call with the key waits here until the first has committed.
        statement = insert_into(session, StoredAnswer).values(
            account_id=self.account_id,
            route=self.route,
            key=self.key,
            body_hash=self.body_hash,
            answer="",
            status=0,
            at=clock.now(),
        )
        inserted = session.execute(statement.on_conflict_do_nothing().returning(StoredAnswer.key))
        return inserted.first() is not None

    def _repeated(self, session: Session, again: Callable[[Any], Any] | None) -> Response:
        stored = session.execute(select(StoredAnswer).where(*self._mine)).scalar_one()
        if stored.body_hash != self.body_hash:
            raise KeyUsedForAnother
        told = json.dumps(again(json.loads(stored.answer))) if again else stored.answer
        answer = _json(told, stored.status)
        answer.headers["Idempotent-Replayed"] = "true"
        return answer


def _json(answer: str, status: int) -> Response:
    return Response(answer, status, media_type="application/json")


async def _once(request: Request) -> Once:
    key = request.headers.get("Idempotency-Key")
    if key is not None and not 1 <= len(key) <= LONGEST_KEY:
        raise UnfitKey
    caller = request.state.caller
    # A route may name a record: the same body for another record is another request.
    asked = request.url.path.encode() + b"\n" + await request.body()
    return Once(caller.account_id, request.scope["route"].path, key, asked)


OnceOnly = Annotated[Once, Depends(_once)]


def forget_old(session: Session, now: dt.datetime) -> int:
    """Drop answers whose keys are past their seven days; how many."""
    oldest = now - dt.timedelta(days=KEPT_DAYS)
    statement = delete(StoredAnswer).where(StoredAnswer.at < oldest)
    return len(session.execute(statement.returning(StoredAnswer.key)).all())


def drop_old(database: Database, now: dt.datetime) -> int:
    """The same as timed work, in a transaction of its own."""
    with database.transaction() as session:
        return forget_old(session, now)
