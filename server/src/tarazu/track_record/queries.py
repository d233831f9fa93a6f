"""Every SQL statement of track records and the prices of calls."""

import datetime as dt
import uuid
from collections.abc import Mapping, Sequence
from decimal import Decimal

from sqlalchemy import select
from sqlalchemy.orm import Session

from tarazu.kit.db import insert_into
from tarazu.track_record.tables import CallPrice, ModelTrackRecord


def track_record(session: Session, model_id: uuid.UUID) -> ModelTrackRecord | None:
    return session.get(ModelTrackRecord, model_id)


def made_from(session: Session) -> dict[uuid.UUID, tuple[str, dt.datetime]]:
    """By model, the state that its record was made from, and when it was made."""
    columns = (ModelTrackRecord.model_id, ModelTrackRecord.made_from, ModelTrackRecord.made_at)
    return {row[0]: (row[1], row[2]) for row in session.execute(select(*columns))}


def save_track_record(session: Session, row: Mapping[str, object]) -> None:
    """Write a record over the one before."""
    insert = insert_into(session, ModelTrackRecord).values(**row)
    updates = {name: insert.excluded[name] for name in ("made_from", "made_at", "content")}
    session.execute(
        insert.on_conflict_do_update(index_elements=[ModelTrackRecord.model_id], set_=updates)
    )


def call_prices(session: Session) -> dict[tuple[uuid.UUID, int], tuple[Decimal, dt.datetime]]:
    """Price and time by dispatch and token."""
    columns = (CallPrice.batch_id, CallPrice.instrument_token, CallPrice.price, CallPrice.at)
    return {(row[0], row[1]): (row[2], row[3]) for row in session.execute(select(*columns))}


def priced_tokens(session: Session, batch_ids: Sequence[uuid.UUID]) -> set[tuple[uuid.UUID, int]]:
    """Those shares of these dispatches that have a price."""
    statement = select(CallPrice.batch_id, CallPrice.instrument_token).where(
        CallPrice.batch_id.in_(batch_ids)
    )
    return {(row[0], row[1]) for row in session.execute(statement)}


def add_call_prices(session: Session, rows: Sequence[Mapping[str, object]]) -> None:
    """Write prices; one that is there already stays."""
    if rows:
        statement = insert_into(session, CallPrice).on_conflict_do_nothing()
        session.execute(statement, [dict(row) for row in rows])
