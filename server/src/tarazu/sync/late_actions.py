"""Shares of corporate actions that brokers should have credited by now."""

import datetime as dt
import uuid
from collections.abc import Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from sqlalchemy.orm import Session

from tarazu.domain.money import grouped
from tarazu.instruments import service as instruments
from tarazu.kit.formatting import day_of
from tarazu.portfolio import service as portfolio


class AwaitedShares(NamedTuple):
    """Shares of one holding that are awaited since an ex-date; below zero those that go."""

    symbol: str
    shares: int
    since: dt.date

    @property
    def sentence(self) -> str:
        """What the broker does not show, for a person."""
        day = day_of(self.since)
        if self.shares < 0:
            return f"{self.symbol}: the consolidation of {day} is not shown by the broker."
        verb = "share is" if self.shares == 1 else "shares are"
        return f"{self.symbol}: {grouped(self.shares)} {verb} not credited since {day}."


Awaited = Mapping[uuid.UUID, Sequence[AwaitedShares]]
"""By client, by ex-date."""


def awaited_shares(session: Session) -> Awaited:
    """What brokers have not credited yet, of all clients."""
    waiting = portfolio.waiting_shares(session)
    listed = instruments.by_ids(session, {row.instrument_id for row in waiting})
    by_client: dict[uuid.UUID, list[AwaitedShares]] = {}
    for row in waiting:
        shares = AwaitedShares(listed[row.instrument_id].symbol, row.gained, row.since)
        by_client.setdefault(row.client_id, []).append(shares)
    return by_client


def late_days(session: Session, awaited: Awaited, today: dt.date) -> frozenset[dt.date]:
    """The ex-dates among these of which all shares should have been credited by now."""
    days = {shares.since for rows in awaited.values() for shares in rows}
    return frozenset(day for day in days if portfolio.is_late(session, day, today))


def waits_too_long(rows: Collection[AwaitedShares], late: AbstractSet[dt.date]) -> bool:
    """Whether some of these shares are of a late day."""
    return any(shares.since in late for shares in rows)
