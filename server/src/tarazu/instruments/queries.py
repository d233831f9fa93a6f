"""Every SQL statement of instruments."""

import uuid
from collections.abc import Collection, Sequence

from sqlalchemy import Row, case, delete, func, insert, or_, select
from sqlalchemy.orm import Session

from tarazu.instruments.tables import Instrument, Watch

FOUND_AT_MOST = 20
_AT_ONCE = 500


def instruments_by_ids(session: Session, ids: Collection[uuid.UUID]) -> list[Instrument]:
    wanted = list(ids)
    found: list[Instrument] = []
    for start in range(0, len(wanted), _AT_ONCE):
        statement = select(Instrument).where(Instrument.id.in_(wanted[start : start + _AT_ONCE]))
        found += session.execute(statement).scalars().all()
    return found


def instruments_by_tokens(session: Session, tokens: Collection[int]) -> Sequence[Instrument]:
    statement = select(Instrument).where(Instrument.zerodha_token.in_(tokens))
    return session.execute(statement).scalars().all()


def all_instruments(session: Session) -> Sequence[Instrument]:
    statement = select(Instrument).where(Instrument.is_active).order_by(Instrument.symbol)
    return session.execute(statement).scalars().all()


def instrument_by_symbol(session: Session, exchange: str, symbol: str) -> Instrument | None:
    statement = select(Instrument).where(
        Instrument.exchange == exchange, Instrument.symbol == symbol, Instrument.is_active
    )
    return session.execute(statement).scalar_one_or_none()


def matching(session: Session, query: str) -> Sequence[Instrument]:
    """The exact symbol first, then symbols that begin so, then names; at most twenty."""
    symbol, name = func.upper(Instrument.symbol), func.lower(Instrument.name)
    literal = query.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    begins = symbol.like(f"{literal.upper()}%", escape="\\")
    named_so = name.like(f"{literal.lower()}%", escape="\\")
    holds = or_(
        name.like(f"%{literal.lower()}%", escape="\\"),
        symbol.like(f"%{literal.upper()}%", escape="\\"),
        Instrument.isin == query.upper(),
    )
    rank = case((symbol == query.upper(), 0), (begins, 1), (named_so, 2), else_=3)
    statement = (
        select(Instrument)
        .where(or_(begins, holds), Instrument.is_active)
        .order_by(rank, Instrument.symbol)
        .limit(FOUND_AT_MOST)
    )
    return session.execute(statement).scalars().all()


def tokens(session: Session) -> Sequence[Row]:  # type: ignore[type-arg]
    return session.execute(select(Instrument.id, Instrument.zerodha_token)).all()


def reference_closes(session: Session) -> Sequence[Row]:  # type: ignore[type-arg]
    columns = (Instrument.zerodha_token, Instrument.reference_close, Instrument.reference_on)
    return session.execute(select(*columns)).all()


def add_instruments(session: Session, rows: Sequence[dict[str, object]]) -> None:
    session.execute(insert(Instrument), rows)


def watch_of(session: Session, instrument_id: uuid.UUID, account_id: uuid.UUID) -> Watch | None:
    return session.get(Watch, (instrument_id, account_id))


def unwatch(session: Session, instrument_id: uuid.UUID, account_id: uuid.UUID) -> None:
    session.execute(
        delete(Watch).where(Watch.instrument_id == instrument_id, Watch.account_id == account_id)
    )


def watched(session: Session) -> set[uuid.UUID]:
    return set(session.execute(select(Watch.instrument_id).distinct()).scalars())
