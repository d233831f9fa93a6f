"""Trades of the firm's own staff, and their relatives, against the firm's advice.

Regulation 16 of the SEBI (Research Analysts) Regulations, 2014: no dealing in a security from some
days before advice on it to some days after, and none contrary to the advice.
"""

import datetime as dt
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar

from tarazu.domain.charges import Side

Key = TypeVar("Key")


class BreachKind(StrEnum):
    """Why a trade should not have been made."""

    BEFORE = "BEFORE"
    AFTER = "AFTER"
    AGAINST = "AGAINST"


@dataclass(frozen=True, slots=True)
class OwnTrade(Generic[Key]):
    """A declared trade; `key` is the caller's own name of it."""

    key: Key
    isin: str
    side: Side
    traded_on: dt.date


@dataclass(frozen=True, slots=True)
class Advised:
    """A stock was advised on that day, to be bought or sold."""

    isin: str
    side: Side
    advised_on: dt.date


@dataclass(frozen=True, slots=True)
class Window:
    """Days before and after an advice in which nobody of the firm trades; of advice from a day on."""

    effective_on: dt.date
    days_before: int
    days_after: int


@dataclass(frozen=True, slots=True)
class Breach(Generic[Key]):
    """A trade in the window of an advice, or against it.

    `days` is how far the two are apart; `advised_on` the nearest advice that the trade breaks.
    """

    trade: OwnTrade[Key]
    kind: BreachKind
    advised_on: dt.date
    days: int


def window_on(windows: Sequence[Window], day: dt.date) -> Window:
    """The window in force on a day; before the first one, the first.

    Args:
        windows: at least one, in the order of their days.
    """
    place = bisect_right([window.effective_on for window in windows], day)
    return windows[max(place - 1, 0)]


def breaches_of(
    trades: Iterable[OwnTrade[Key]], advised: Iterable[Advised], windows: Sequence[Window]
) -> list[Breach[Key]]:
    """Every breach, by trade; a trade has at most one of each kind.

    A trade is against the firm's advice if the last advice on the stock, on the day of the trade or
    before, was for the other side alone. A trade on the day of an advice is after it.
    """
    by_isin: dict[str, dict[dt.date, set[Side]]] = {}
    for advice in advised:
        by_isin.setdefault(advice.isin, {}).setdefault(advice.advised_on, set()).add(advice.side)
    return [
        breach
        for trade in trades
        for breach in _breaches_of_one(trade, by_isin.get(trade.isin, {}), windows)
    ]


def _breaches_of_one(
    trade: OwnTrade[Key], sides: dict[dt.date, set[Side]], windows: Sequence[Window]
) -> list[Breach[Key]]:
    days = sorted(sides)
    place = bisect_right(days, trade.traded_on)
    found = []
    # Windows of later advice may be shorter, so each advice is compared with its own.
    for day in days[place:]:
        if (day - trade.traded_on).days <= window_on(windows, day).days_before:
            found.append((BreachKind.BEFORE, day))
            break
    for day in reversed(days[:place]):
        if (trade.traded_on - day).days <= window_on(windows, day).days_after:
            found.append((BreachKind.AFTER, day))
            break
    if place and trade.side not in sides[days[place - 1]]:
        found.append((BreachKind.AGAINST, days[place - 1]))
    return [Breach(trade, kind, day, abs((day - trade.traded_on).days)) for kind, day in found]
