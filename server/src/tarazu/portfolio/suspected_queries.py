"""SQL statements of suspected corporate actions."""

import datetime as dt
import uuid
from collections.abc import Collection, Mapping, Sequence
from functools import cache

from sqlalchemy import Row, Select, bindparam, delete, or_, select
from sqlalchemy.orm import Session

from tarazu.kit.db import insert_into, read
from tarazu.portfolio.queries import in_parts
from tarazu.portfolio.tables import Account, Holding, SeenIn, SuspectedAction


def suspected_of(session: Session, client_id: uuid.UUID) -> dict[uuid.UUID, Row]:  # type: ignore[type-arg]
    """By instrument, where an action showed in one of a client's holdings, and when."""
    rows = read(session, _suspected_of(), {"client_id": client_id})
    return {row.instrument_id: row for row in rows}


@cache
def _suspected_of() -> Select[uuid.UUID, SeenIn, dt.datetime]:
    return select(SuspectedAction.instrument_id, SuspectedAction.seen_in, SuspectedAction.at).where(
        SuspectedAction.client_id == bindparam("client_id")
    )


def suspected_marks(session: Session) -> Sequence[Row]:  # type: ignore[type-arg]
    """Of all suspected actions client, instrument, where it showed, when; when holdings were read."""
    columns = (
        SuspectedAction.client_id,
        SuspectedAction.instrument_id,
        SuspectedAction.seen_in,
        SuspectedAction.at,
    )
    statement = select(*columns, Account.synced_at).join(
        Account, Account.client_id == SuspectedAction.client_id
    )
    return session.execute(statement).all()


def suspected_holdings(
    session: Session, seen_in: SeenIn, since: dt.datetime
) -> set[tuple[uuid.UUID, uuid.UUID]]:
    """Client and instrument of the holdings in which an action showed there, since then."""
    statement = select(SuspectedAction.client_id, SuspectedAction.instrument_id).where(
        SuspectedAction.seen_in == seen_in, SuspectedAction.at >= since
    )
    return {(row.client_id, row.instrument_id) for row in session.execute(statement)}


def suspect(session: Session, rows: Sequence[Mapping[str, object]]) -> None:
    """Keep that an action is suspected, over what was kept of the same holding."""
    insert = insert_into(session, SuspectedAction)
    statement = insert.on_conflict_do_update(
        index_elements=[SuspectedAction.client_id, SuspectedAction.instrument_id],
        set_={name: insert.excluded[name] for name in ("seen_in", "at")},
    )
    session.execute(statement, list(rows))


def clear_suspected(session: Session, holdings: Collection[tuple[uuid.UUID, uuid.UUID]]) -> None:
    for client_id, instrument_id in holdings:
        session.execute(
            delete(SuspectedAction).where(
                SuspectedAction.client_id == client_id,
                SuspectedAction.instrument_id == instrument_id,
            )
        )


def holders_of(
    session: Session, instrument_ids: Collection[uuid.UUID], before: dt.datetime
) -> Sequence[Row]:  # type: ignore[type-arg]
    """Client and instrument of every holding of these that was read before an instant."""
    holders: list[Row] = []  # type: ignore[type-arg]
    for some in in_parts(instrument_ids):
        statement = (
            select(Holding.client_id, Holding.instrument_id)
            .join(Account, Account.client_id == Holding.client_id)
            .where(
                Holding.instrument_id.in_(some),
                or_(Account.synced_at.is_(None), Account.synced_at < before),
            )
        )
        holders += session.execute(statement).all()
    return holders
