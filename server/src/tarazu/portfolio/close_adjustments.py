"""Daily closes across corporate actions.

A close stays as it was written, with the shares that were shown. Of a day after the ex-date on
which the shares of an action were not credited, it lacks them: what they were worth is stored
beside it and added where closes are read, so that an action which is taken back leaves no trace.
"""

import datetime as dt
import uuid
from bisect import bisect_right
from collections.abc import Collection, Mapping, Sequence
from typing import Final, NamedTuple

from sqlalchemy.orm import Session

from tarazu.domain.money import Rupees
from tarazu.instruments import service as instruments
from tarazu.portfolio import close_queries, pending_queries
from tarazu.portfolio.close_queries import AdjustmentKey, MadeClose
from tarazu.prices import service as prices

_LOOK_BACK: Final = dt.timedelta(days=14)
"""A share with a close within this time before the ex-date was followed: without one it did not trade."""


class Gain(NamedTuple):
    """Shares that an action brings a holding: owned since the ex-date, shown from `until` on."""

    client_id: uuid.UUID
    action_id: uuid.UUID
    instrument_id: uuid.UUID
    shares: int
    since: dt.date
    until: dt.datetime | None

    @property
    def key(self) -> AdjustmentKey:
        """Client, action and instrument."""
        return self.client_id, self.action_id, self.instrument_id


def replace(
    session: Session, before: Collection[Gain], after: Collection[Gain]
) -> set[AdjustmentKey]:
    """Adjust the closes for `after` in place of `before`.

    Returns:
        Those of `after` for which some close could not be adjusted.
    """
    if not before and not after:
        return set()
    closes = close_queries.closes_made(session, min(gain.since for gain in (*before, *after)))
    last = max((made_at for _, made_at in closes), default=None)
    old, new = {gain.key: gain for gain in before}, {gain.key: gain for gain in after}
    same = {key for key in old.keys() & new.keys() if _are_same(old[key], new[key], last)}
    close_queries.delete_adjustments(session, old.keys() - same)
    unknown = _adjust(session, [new[key] for key in new.keys() - same], closes)
    actions = {key[1] for key in (old.keys() | new.keys()) - same}
    close_queries.sum_adjustments(session, actions, [day for day, _ in closes])
    return unknown


def adjust_day(session: Session, day: dt.date, used: Mapping[int, Rupees]) -> None:
    """Adjust a day that is just being closed for all shares that wait to be credited.

    Args:
        used: the prices with which the day is closed, by instrument token.
    """
    waiting = [row for row in pending_queries.waiting_shares(session) if row.since <= day]
    if not waiting:
        return
    listed = instruments.by_ids(session, {row.instrument_id for row in waiting})
    rows = []
    for row in waiting:
        price = used.get(listed[row.instrument_id].instrument_token)
        # Never priced: worth what it cost, which the action does not change.
        if price is not None:
            key = (row.client_id, row.action_id, row.instrument_id)
            rows.append(_row(key, day, row.gained * price))
    close_queries.add_adjustments(session, rows)
    close_queries.sum_adjustments(session, {row.action_id for row in waiting}, [day])


def _are_same(old: Gain, new: Gain, last: dt.datetime | None) -> bool:
    """Whether two gains adjust the same closes by the same."""
    if old._replace(until=None) != new._replace(until=None):
        return False
    is_after_all = [gain.until is None or last is None or last < gain.until for gain in (old, new)]
    return old.until == new.until or all(is_after_all)


def _adjust(
    session: Session, gains: Collection[Gain], closes: Sequence[MadeClose]
) -> set[AdjustmentKey]:
    """Write what closes lack of these gains; return those of which the price of some day is unknown."""
    unknown: set[AdjustmentKey] = set()
    if not gains or not closes:
        return unknown
    listed = instruments.by_ids(session, {gain.instrument_id for gain in gains})
    tokens = {key: stock.instrument_token for key, stock in listed.items()}
    first, last = closes[0][0] - _LOOK_BACK, closes[-1][0]
    known = prices.closes_between(session, tokens.values(), first, last)
    groups: dict[tuple[uuid.UUID, uuid.UUID, dt.date], list[Gain]] = {}
    for gain in gains:
        groups.setdefault((gain.action_id, gain.instrument_id, gain.since), []).append(gain)
    for (action_id, instrument_id, since), group in groups.items():
        its_closes = known[tokens[instrument_id]]
        days = [(day, made_at) for day, made_at in closes if day >= since]
        unpriced = [made_at for day, made_at in days if not its_closes or its_closes[0][0] > day]
        if unpriced:
            first_made = min(unpriced)
            unknown |= {gain.key for gain in group if gain.until is None or first_made < gain.until}
        priced = [
            (day, made_at, price)
            for day, made_at in days
            if (price := _price_on(its_closes, since, day)) is not None
        ]
        clients = [gain.client_id for gain in group]
        close_queries.adjust_closes(session, (action_id, instrument_id), clients, priced)
    return unknown


def _price_on(
    closes: Sequence[tuple[dt.date, Rupees]], since: dt.date, day: dt.date
) -> Rupees | None:
    """What a share cost at the close of a day; None where it is not known.

    Where it had not traded since the ex-date, the close of the day was made with the price of before.
    """
    place = bisect_right(closes, day, key=lambda close: close[0])
    if not place:
        return None
    close_day, price = closes[place - 1]
    return price if close_day >= since else None


def _row(key: AdjustmentKey, day: dt.date, value: Rupees) -> dict[str, object]:
    names = ("client_id", "action_id", "instrument_id")
    return dict(zip(names, key, strict=True)) | {"date": day, "value": value}
