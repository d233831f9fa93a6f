"""What a client does not want traded, stock by stock; every rebalance keeps to it."""

import datetime as dt
import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sqlalchemy import delete, insert, select
from sqlalchemy.orm import Session

from tarazu.domain.money import HUNDRED, ZERO, rounded
from tarazu.domain.restrictions import Kind, Restriction
from tarazu.instruments import service as instruments
from tarazu.instruments.service import Listed
from tarazu.kit import audit_log
from tarazu.kit.audit_log import Actor
from tarazu.kit.db import take_turns
from tarazu.kit.errors import StaleVersion
from tarazu.kit.locks import AdvisoryLock
from tarazu.portfolio.errors import UnfitRestriction
from tarazu.portfolio.tables import RestrictionList, StockRestriction

_AT_ONCE = 5_000
MOST_RESTRICTIONS = 300


@dataclass(frozen=True, slots=True)
class Restricted:
    """One stock that is restricted, and why; the reason may be empty."""

    instrument: Listed
    restriction: Restriction
    reason: str


@dataclass(frozen=True, slots=True)
class Restrictions:
    """All of one client's, by symbol; `version` is 0 before the first were set."""

    version: int
    rows: tuple[Restricted, ...]


def restrictions_of(session: Session, client_id: uuid.UUID) -> Restrictions:
    """What one client does not want traded."""
    found = restrictions_of_all(session, [client_id])
    row = session.get(RestrictionList, client_id)
    return Restrictions(row.version if row else 0, found.get(client_id, ()))


def restrictions_of_all(
    session: Session, client_ids: Collection[uuid.UUID]
) -> dict[uuid.UUID, tuple[Restricted, ...]]:
    """By client, the restrictions of those of these clients who have any."""
    rows: list[StockRestriction] = []
    wanted = list(client_ids)
    for start in range(0, len(wanted), _AT_ONCE):
        some = wanted[start : start + _AT_ONCE]
        statement = select(StockRestriction).where(StockRestriction.client_id.in_(some))
        rows += session.execute(statement).scalars().all()
    listed = instruments.by_ids(session, {row.instrument_id for row in rows}) if rows else {}
    found: dict[uuid.UUID, list[Restricted]] = {}
    for row in rows:
        restriction = Restriction(row.kind, row.minimum, row.maximum)
        one = Restricted(listed[row.instrument_id], restriction, row.reason)
        found.setdefault(row.client_id, []).append(one)
    return {
        key: tuple(sorted(some, key=lambda one: one.instrument.symbol))
        for key, some in found.items()
    }


def set_restrictions(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    client_id: uuid.UUID,
    wanted: Sequence[Restricted],
    version: int | None,
) -> Restrictions:
    """Put these in the place of all that the client had.

    Raises:
        UnfitRestriction: a stock stands twice, or a range is none.
        StaleVersion: they were changed since `version`.
    """
    take_turns(session, AdvisoryLock.RESTRICTIONS)
    _refuse_unfit(wanted)
    before = restrictions_of(session, client_id)
    if version is not None and version != before.version:
        raise StaleVersion
    after = tuple(sorted(wanted, key=lambda one: one.instrument.symbol))
    if before.rows == after:
        return before
    row = session.get(RestrictionList, client_id)
    if row is None:
        row = RestrictionList(client_id=client_id, version=0)
        session.add(row)
    row.version += 1
    session.execute(delete(StockRestriction).where(StockRestriction.client_id == client_id))
    rows = [
        {
            "client_id": client_id,
            "instrument_id": one.instrument.id,
            "kind": one.restriction.kind,
            "minimum": one.restriction.minimum,
            "maximum": one.restriction.maximum,
            "reason": one.reason,
        }
        for one in after
    ]
    if rows:
        session.execute(insert(StockRestriction), rows)
    changes = {"restrictions": [_told(before.rows), _told(after)]}
    audit_log.record(session, actor, now, "restrictions_set", ("client", client_id), changes)
    session.flush()
    return Restrictions(row.version, after)


def _told(rows: Sequence[Restricted]) -> list[str]:
    return [
        " ".join(
            str(part)
            for part in (
                one.instrument.symbol,
                one.restriction.kind,
                one.restriction.minimum,
                one.restriction.maximum,
            )
            if part is not None
        )
        for one in rows
    ]


def _refuse_unfit(wanted: Sequence[Restricted]) -> None:
    seen: set[str] = set()
    for place, one in enumerate(wanted):
        symbol, kept = one.instrument.symbol, one.restriction
        if one.instrument.isin in seen:
            raise UnfitRestriction(place, f"{symbol} is in the list twice.")
        seen.add(one.instrument.isin)
        ends = [end for end in (kept.minimum, kept.maximum) if end is not None]
        if kept.kind is not Kind.RANGE and ends:
            raise UnfitRestriction(place, f"{symbol}: only a range has a minimum or a maximum.")
        if kept.kind is Kind.RANGE and not ends:
            raise UnfitRestriction(place, f"{symbol}: a range has a minimum, a maximum or both.")
        if any(not ZERO <= end <= HUNDRED or end != rounded(end) for end in ends):
            raise UnfitRestriction(place, f"{symbol}: a percent is 0 to 100 in steps of 0.01.")
        if kept.minimum is not None and kept.maximum is not None and kept.minimum > kept.maximum:
            raise UnfitRestriction(place, f"{symbol}: the minimum is above the maximum.")
