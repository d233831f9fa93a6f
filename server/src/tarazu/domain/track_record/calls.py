"""Calls: what was advised to be bought, until it was advised to be sold, and how often it was right.

An advice to many clients at once is one call of each stock, not as many as there are clients: what
one decision gave would otherwise look like the proof of many. It is a BUY if more shares of the
stock were to be bought than sold, and an exit if more were to be sold.
"""

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from typing import Final, NamedTuple

from tarazu.domain.benchmark import IndexLevels
from tarazu.domain.calendar import is_business_day, next_business_day
from tarazu.domain.charges import ChargeRates, Side
from tarazu.domain.corporate_actions.adjusting import units_between
from tarazu.domain.corporate_actions.values import ActionKind, CorporateAction
from tarazu.domain.execution.chains import INDIA
from tarazu.domain.execution.trading_time import sessions_of
from tarazu.domain.money import HUNDRED, Percent, Rupees

AFTER_DISPATCH: Final = dt.timedelta(seconds=60)
"""A client cannot trade sooner; the first price from then on is that of a call."""
ORDER: Final = Rupees(100_000)
"""The order, in rupees, of which the charges of every call are computed."""
_ONE_DAY: Final = dt.timedelta(days=1)
_Z: Final = Decimal("1.959963984540054")
"""Of the normal distribution: 95 % lie within so many standard deviations."""
_CANNOT_FOLLOW: Final = frozenset({ActionKind.DEMERGER, ActionKind.MERGER, ActionKind.RIGHTS})
"""Afterwards a holder has something else than the share, whose value is not that of the call."""


class PriceKind(StrEnum):
    """Which price a call begins or ends with."""

    PRICE = "PRICE"
    """The first price that was read at least a minute after the dispatch."""
    OPEN = "OPEN"
    """The price at the next opening; none was read in time."""
    CLOSE = "CLOSE"
    """The first close a minute after the dispatch; no opening price is known either."""
    LAST_CLOSE = "LAST_CLOSE"
    """The last known close: the call is open."""


class CallPrice(NamedTuple):
    """Rupees a share, the day, the time where it is known, and which price it is."""

    price: Rupees
    on: dt.date
    kind: PriceKind
    at: dt.datetime | None = None


class Recommendation(NamedTuple):
    """What one dispatch said of one stock.

    Attributes:
        lane: whom it was for: the followers of a model, or one client.
        batch: the run or the advice by which it was sent.
        side: BUY or SELL, of the shares of all its rows together.
    """

    lane: str
    batch: str
    isin: str
    side: Side
    sent_at: dt.datetime


class Call(NamedTuple):
    """A BUY, and the first SELL of the same stock after it to the same people; None: it is open."""

    entry: Recommendation
    exit: Recommendation | None


class Result(NamedTuple):
    """What a call gave, in percent from its entry to its exit or last close, unrounded.

    Attributes:
        gross: with dividends and in the units of one share, before charges; `net` after them.
        benchmark: the total return index over the same days; None where it is not known.
        why_unknown: why there is no figure; None where there is one.
    """

    gross: Percent | None
    net: Percent | None
    benchmark: Percent | None
    why_unknown: str | None = None

    @property
    def is_hit(self) -> bool | None:
        """Whether it was better than the index; None where that is not known."""
        if self.net is None or self.benchmark is None:
            return None
        return self.net > self.benchmark

    @property
    def is_gain(self) -> bool | None:
        """Whether it was above nought after charges; None where that is not known."""
        return None if self.net is None else self.net > 0


@dataclass(frozen=True, slots=True)
class HitRate:
    """How many of `count` were hits; percentages unrounded, None of none.

    `low` and `high` are the Wilson score interval of 95 %.
    """

    hits: int
    count: int
    percentage: Percent | None
    low: Percent | None
    high: Percent | None


def calls_of(recommendations: Iterable[Recommendation]) -> list[Call]:
    """Every call, oldest first. One SELL ends all calls of its stock that are open in its lane."""
    by_stock: dict[tuple[str, str], list[Recommendation]] = defaultdict(list)
    for one in sorted(recommendations, key=lambda one: (one.sent_at, one.batch)):
        by_stock[one.lane, one.isin].append(one)
    calls: list[Call] = []
    for rows in by_stock.values():
        opened: list[Recommendation] = []
        for row in rows:
            if row.side is Side.BUY:
                opened.append(row)
            elif row.side is Side.SELL:
                calls += [Call(entry, row) for entry in opened]
                opened = []
        calls += [Call(entry, None) for entry in opened]
    return sorted(calls, key=lambda call: (call.entry.sent_at, call.entry.isin, call.entry.batch))


def side_of(bought: int, sold: int) -> Side:
    """What a dispatch says of a stock, by the shares that it asks all clients to buy and to sell."""
    if bought == sold:
        return Side.HOLD
    return Side.BUY if bought > sold else Side.SELL


def next_opening(sent_at: dt.datetime, holidays: AbstractSet[dt.date]) -> dt.date:
    """The first business day whose trading begins at least a minute after the dispatch."""
    earliest = sent_at + AFTER_DISPATCH
    day = earliest.astimezone(INDIA).date()
    opens_at, _ = sessions_of(day)[0]
    if opens_at >= earliest and is_business_day(day, holidays):
        return day
    return next_business_day(day, holidays)


def first_close_after(
    sent_at: dt.datetime, closes: Sequence[tuple[dt.date, Rupees]], close_at: dt.time
) -> CallPrice | None:
    """The first known close that was at least a minute after the dispatch.

    Args:
        closes: days rising.
        close_at: the time of the close, with its zone.
    """
    earliest = sent_at + AFTER_DISPATCH
    for day, price in closes:
        if dt.datetime.combine(day, close_at) >= earliest:
            return CallPrice(price, day, PriceKind.CLOSE)
    return None


def result_of(
    entry: CallPrice | None,
    exit_: CallPrice | None,
    actions: Sequence[CorporateAction],
    rates: Mapping[Side, ChargeRates],
    levels: IndexLevels | None,
) -> Result:
    """What a call gave.

    Args:
        exit_: the price of the exit, or the last close of a call that is open.
        actions: of the share, under all its ISINs.
        rates: of the charges on the days of the purchase and the sale. An open call has been
            charged for its purchase alone, but both are taken, as it must be sold one day.
        levels: of a total return index; None where the firm has none.
    """
    if entry is None:
        return Result(None, None, None, "No price is known after the advice was sent.")
    if exit_ is None or (exit_.kind is PriceKind.LAST_CLOSE and exit_.on <= entry.on):
        return Result(None, None, None, "No close is known since the entry.")
    between = [action for action in actions if entry.on < action.ex_on <= exit_.on]
    if any(action.kind in _CANNOT_FOLLOW for action in between):
        return Result(
            None, None, None, "A demerger, merger or rights issue: its value is not in the price."
        )
    grown = Fraction(exit_.price) * units_between(actions, entry.on, exit_.on)
    paid = sum(
        (
            # A dividend is of the shares of before, also where a bonus has the same ex-date.
            Fraction(action.amount) * units_between(actions, entry.on, action.ex_on - _ONE_DAY)
            for action in between
            if action.kind is ActionKind.DIVIDEND and action.amount is not None
        ),
        Fraction(0),
    )
    growth = (grown + paid) / Fraction(entry.price)
    proceeds = ORDER * grown.numerator / grown.denominator / entry.price
    charges = rates[Side.BUY].charges_of_order(Side.BUY, ORDER) + rates[Side.SELL].charges_of_order(
        Side.SELL, proceeds
    )
    gross = (Rupees(growth.numerator) / growth.denominator - 1) * HUNDRED
    return Result(gross, gross - charges / ORDER * HUNDRED, _index_return(levels, entry, exit_))


def _index_return(levels: IndexLevels | None, entry: CallPrice, exit_: CallPrice) -> Percent | None:
    """The index from the close of the day of the entry to that of the exit.

    An opening price is of the night before: the close before it is the nearest level.
    """
    if levels is None:
        return None
    first, last = (
        levels.on(price.on - _ONE_DAY if price.kind is PriceKind.OPEN else price.on)
        for price in (entry, exit_)
    )
    return None if first is None or last is None else (last / first - 1) * HUNDRED


def hit_rate(hits: int, count: int) -> HitRate:
    """The share of hits with its interval of 95 %.

    Source: E. B. Wilson (1927), Probable Inference, the Law of Succession, and Statistical
    Inference, Journal of the American Statistical Association 22.
    """
    if not count:
        return HitRate(0, 0, None, None, None)
    share, n = Decimal(hits) / count, Decimal(count)
    squared = _Z * _Z
    centre = share + squared / (2 * n)
    half = _Z * (share * (1 - share) / n + squared / (4 * n * n)).sqrt()
    whole = 1 + squared / n
    return HitRate(
        hits,
        count,
        share * HUNDRED,
        max((centre - half) / whole, Decimal(0)) * HUNDRED,
        min((centre + half) / whole, Decimal(1)) * HUNDRED,
    )
