"""Every SQL statement of prices."""

import datetime as dt
import uuid
from collections.abc import Collection, Mapping, Sequence
from decimal import Decimal
from typing import Any

from sqlalchemy import BigInteger, Row, and_, delete, func, literal, or_, select, update
from sqlalchemy.orm import InstrumentedAttribute, Session

from tarazu.instruments.tables import Instrument
from tarazu.kit.db import insert_into
from tarazu.prices.freshness import PriceSource
from tarazu.prices.tables import DayClose, LastPrice, PriceFile, PriceStep

_AT_ONCE = 500


def last_prices(session: Session, since: dt.datetime | None = None) -> Sequence[Row]:  # type: ignore[type-arg]
    """All last prices, or those traded since then."""
    statement = select(LastPrice.instrument_token, LastPrice.price, LastPrice.at, LastPrice.source)
    if since is not None:
        statement = statement.where(LastPrice.at >= since)
    return session.execute(statement).all()


def save_last_prices(session: Session, rows: Sequence[dict[str, object]]) -> None:
    """Write these prices over older ones of the same instruments."""
    insert = insert_into(session, LastPrice)
    updates = {name: insert.excluded[name] for name in ("price", "at", "source")}
    statement = insert.on_conflict_do_update(
        index_elements=[LastPrice.instrument_token],
        set_=updates,
        where=LastPrice.at <= insert.excluded.at,
    )
    session.execute(statement, rows)


def day_closes(session: Session, day: dt.date) -> dict[int, Decimal]:
    """What shares cost at the close of a day, by token."""
    statement = select(DayClose.instrument_token, DayClose.price).where(DayClose.date == day)
    return {row.instrument_token: row.price for row in session.execute(statement)}


def closes_between(
    session: Session, tokens: Collection[int], first: dt.date, last: dt.date
) -> list[tuple[int, dt.date, Decimal]]:
    """Token, day and close of these shares on these days, both included, in order of time."""
    return _between(session, DayClose.price, tokens, first, last)


def opens_of_day(session: Session, day: dt.date, tokens: Collection[int]) -> dict[int, Decimal]:
    """The opening prices of these shares on a day, by token, where known."""
    opens = _between(session, DayClose.open, tokens, day, day)
    return {token: price for token, _day, price in opens}


def last_closes(session: Session, tokens: Collection[int]) -> list[tuple[int, dt.date, Decimal]]:
    """Token, day and price of the last known close of each of these shares."""
    ids, closes = list(tokens), list[tuple[int, dt.date, Decimal]]()
    for start in range(0, len(ids), _AT_ONCE):
        newest = (
            select(DayClose.instrument_token, func.max(DayClose.date).label("date"))
            .where(DayClose.instrument_token.in_(ids[start : start + _AT_ONCE]))
            .group_by(DayClose.instrument_token)
            .subquery()
        )
        statement = select(DayClose.instrument_token, DayClose.date, DayClose.price).join(
            newest,
            and_(
                DayClose.instrument_token == newest.c.instrument_token,
                DayClose.date == newest.c.date,
            ),
        )
        closes += [(row[0], row[1], row[2]) for row in session.execute(statement)]
    return closes


def volumes_between(
    session: Session, tokens: Collection[int], first: dt.date, last: dt.date
) -> list[tuple[int, dt.date, int]]:
    """Token, day and traded shares on these days, both included, where known, in order of time."""
    return _between(session, DayClose.volume, tokens, first, last)


def _between(
    session: Session,
    column: InstrumentedAttribute[Any],
    tokens: Collection[int],
    first: dt.date,
    last: dt.date,
) -> list[tuple[int, dt.date, Any]]:
    """Token, day and the column of these shares on these days, where known, in order of time."""
    ids, found = list(tokens), list[tuple[int, dt.date, Any]]()
    for start in range(0, len(ids), _AT_ONCE):
        statement = (
            select(DayClose.instrument_token, DayClose.date, column)
            .where(
                DayClose.instrument_token.in_(ids[start : start + _AT_ONCE]),
                DayClose.date.between(first, last),
                column.is_not(None),
            )
            .order_by(DayClose.instrument_token, DayClose.date)
        )
        found += [(row[0], row[1], row[2]) for row in session.execute(statement)]
    return found


def copy_day_closes(session: Session, old: int, new: int) -> None:
    """Let the closes of one token be those of another too; those that are there already stay."""
    columns = [DayClose.date, DayClose.price, DayClose.open, DayClose.volume]
    closes = select(literal(new, BigInteger), *columns).where(DayClose.instrument_token == old)
    names = ["instrument_token", *(column.key for column in columns)]
    statement = insert_into(session, DayClose).from_select(names, closes)
    session.execute(statement.on_conflict_do_nothing())


def add_day_closes(session: Session, rows: Collection[dict[str, object]]) -> None:
    """Write these closes; one that is there already stays, and gets what else the rows know."""
    insert = insert_into(session, DayClose)
    new = {column: insert.excluded[column.key] for column in (DayClose.open, DayClose.volume)}
    statement = insert.on_conflict_do_update(
        index_elements=[DayClose.instrument_token, DayClose.date],
        set_={column: func.coalesce(value, column) for column, value in new.items()},
        where=or_(
            *(
                and_(value.is_not(None), column.is_distinct_from(value))
                for column, value in new.items()
            )
        ),
    )
    session.execute(statement, list(rows))


def price_steps(
    session: Session, instrument_ids: Collection[uuid.UUID] | None = None
) -> Sequence[PriceStep]:
    """The steps of these instruments, or all, by ex-date."""
    statement = select(PriceStep).order_by(PriceStep.ex_at, PriceStep.action_id)
    if instrument_ids is not None:
        statement = statement.where(PriceStep.instrument_id.in_(instrument_ids))
    return session.execute(statement).scalars().all()


def steps_of_action(session: Session, action_id: uuid.UUID) -> Sequence[PriceStep]:
    statement = select(PriceStep).where(PriceStep.action_id == action_id)
    return session.execute(statement).scalars().all()


def delete_steps_of(session: Session, action_id: uuid.UUID) -> None:
    session.execute(delete(PriceStep).where(PriceStep.action_id == action_id))


def renew_steps(session: Session, tokens: Collection[int]) -> None:
    """Let every process read the steps of these instruments again: their tokens are new."""
    ids = select(Instrument.id).where(Instrument.zerodha_token.in_(tokens))
    session.execute(
        update(PriceStep).where(PriceStep.instrument_id.in_(ids)).values(ex_at=PriceStep.ex_at)
    )


def price_file(session: Session, file_hash: str) -> PriceFile | None:
    return session.get(PriceFile, file_hash)


def save_price_file(session: Session, row: Mapping[str, object]) -> None:
    """Store that a file was read, replacing an earlier reading of the same file."""
    insert = insert_into(session, PriceFile).values(**row)
    updates = {name: insert.excluded[name] for name in row if name != "hash"}
    session.execute(insert.on_conflict_do_update(index_elements=[PriceFile.hash], set_=updates))


def has_price_file(session: Session) -> bool:
    """Whether prices were ever read from a daily file of an exchange."""
    sources = PriceSource.NSE_FILE, PriceSource.BSE_FILE
    statement = select(PriceFile.hash).where(PriceFile.source.in_(sources)).limit(1)
    return session.execute(statement).first() is not None


def last_refused_file(session: Session) -> PriceFile | None:
    """The file of an exchange that was refused last, unless one was taken in after it."""
    statement = (
        select(PriceFile)
        .where(PriceFile.source != PriceSource.HOLDINGS_FILE)
        .order_by(PriceFile.at.desc())
        .limit(1)
    )
    newest = session.execute(statement).scalar_one_or_none()
    return newest if newest is not None and newest.problem else None
