"""Every SQL statement of entries for tax lots."""

import datetime as dt
import uuid
from collections.abc import Collection, Mapping, Sequence

from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from tarazu.tax.tables import HighOf2018, LotEntry, TaxClass, TaxRateVersion

_AT_ONCE = 500


def entries_of(session: Session, client_id: uuid.UUID) -> Sequence[LotEntry]:
    """Those that were not removed, by day."""
    statement = (
        select(LotEntry)
        .where(LotEntry.client_id == client_id, LotEntry.removed_at.is_(None))
        .order_by(LotEntry.moved_on, LotEntry.id)
    )
    return session.execute(statement).scalars().all()


def clients_with_entries(session: Session) -> set[uuid.UUID]:
    """The clients of whom lots were entered by hand."""
    return set(session.execute(select(LotEntry.client_id).distinct()).scalars())


def entry_of(session: Session, client_id: uuid.UUID, entry_id: uuid.UUID) -> LotEntry | None:
    statement = select(LotEntry).where(
        LotEntry.id == entry_id, LotEntry.client_id == client_id, LotEntry.removed_at.is_(None)
    )
    return session.execute(statement).scalar_one_or_none()


def tax_class_of(session: Session, client_id: uuid.UUID) -> TaxClass | None:
    return session.get(TaxClass, client_id)


def rate_versions(session: Session) -> Sequence[TaxRateVersion]:
    """Those that were not removed, by day."""
    statement = (
        select(TaxRateVersion)
        .where(TaxRateVersion.removed_at.is_(None))
        .order_by(TaxRateVersion.effective_on, TaxRateVersion.id)
    )
    return session.execute(statement).scalars().all()


def highs_of_2018(session: Session, isins: Collection[str]) -> Sequence[HighOf2018]:
    names = sorted(isins)
    rows: list[HighOf2018] = []
    for start in range(0, len(names), _AT_ONCE):
        statement = select(HighOf2018).where(HighOf2018.isin.in_(names[start : start + _AT_ONCE]))
        rows += session.execute(statement).scalars().all()
    return rows


def set_high(
    session: Session, isin: str, high: object, now: dt.datetime, by: uuid.UUID | None
) -> None:
    session.merge(HighOf2018(isin=isin, high=high, entered_at=now, entered_by=by))


def add_highs(
    session: Session, highs: Mapping[str, object], now: dt.datetime, by: uuid.UUID | None
) -> None:
    """Add prices of shares that have none."""
    rows = [
        {"isin": isin, "high": high, "entered_at": now, "entered_by": by}
        for isin, high in highs.items()
    ]
    if rows:
        session.execute(insert(HighOf2018), rows)
