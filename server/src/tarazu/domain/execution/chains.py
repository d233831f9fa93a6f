"""Shares that are one share under several ISINs, and how many of them one share becomes.

A split gives a share a new ISIN; both belong to one chain. Which units a number of shares is in
depends on its day alone: a tradebook that is imported after a split may name the new ISIN for a
trade before it.
"""

import datetime as dt
from collections.abc import Iterable
from fractions import Fraction
from typing import Final

from tarazu.domain.execution.values import Action

INDIA: Final = dt.timezone(dt.timedelta(hours=5, minutes=30))
Amount = Fraction | int
"""Of shares: whole where no corporate action is known."""


def day_of(instant: dt.datetime) -> dt.date:
    """The day in India."""
    return instant.astimezone(INDIA).date()


class Units:
    """Of one chain: shares on a day for each share before all known actions."""

    __slots__ = ("_steps",)

    def __init__(self, actions: Iterable[Action]) -> None:
        self._steps = sorted((action.ex_on, action.factor) for action in actions)

    def at(self, instant: dt.datetime) -> Fraction:
        """The product of the factors up to the day of `instant`, that day included."""
        return self.on(day_of(instant))

    def on(self, day: dt.date) -> Fraction:
        """The product of the factors up to a day, that day included."""
        scale = Fraction(1)
        for ex_on, factor in self._steps:
            if ex_on > day:
                break
            scale *= factor
        return scale


class Chains:
    """The chains of a client's shares. The same action given twice counts once."""

    __slots__ = ("_first", "_units")

    def __init__(self, actions: Iterable[Action]) -> None:
        distinct = set(actions)
        self._first: dict[str, str] = {}
        for action in distinct:
            self._join(action.isin, action.new_isin or action.isin)
        by_chain: dict[str, list[Action]] = {}
        for action in distinct:
            by_chain.setdefault(self.of(action.isin), []).append(action)
        self._units = {chain: Units(members) for chain, members in by_chain.items()}

    def _join(self, isin: str, other: str) -> None:
        """Give all members of both chains the alphabetically first of their names."""
        names = (self.of(isin), self.of(other))
        first = min(names)
        self._first |= {isin: first, other: first}
        for member, name in self._first.items():
            if name in names:
                self._first[member] = first

    def of(self, isin: str) -> str:
        """The name of a share's chain: one of its ISINs."""
        return self._first.get(isin, isin)

    def units_of(self, chain: str) -> Units | None:
        """The units of a chain; None if nothing ever changed them."""
        return self._units.get(chain)
