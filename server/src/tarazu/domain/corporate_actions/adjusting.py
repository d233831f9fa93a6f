"""Shares, averages and closes across corporate actions.

A bonus, a split or a consolidation makes one share `factor` shares on its ex-date; every other
action leaves the number of shares as it is. What was recorded stays in the units of its day and is
brought into the units of another day when it is read.
"""

import datetime as dt
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import accumulate
from math import prod
from operator import mul
from typing import NamedTuple

from tarazu.domain.corporate_actions.values import CorporateAction
from tarazu.domain.money import Rupees

Close = tuple[dt.date, Rupees]
"""A day, and what a share cost at its close, in rupees."""


class ExpectedShares(NamedTuple):
    """Whole shares after an action, and the part of a share that the company pays in cash."""

    quantity: int
    fraction: Fraction


def units_between(actions: Iterable[CorporateAction], first: dt.date, last: dt.date) -> Fraction:
    """Shares on `last` for each share on `first`; `last` may be the earlier day.

    Args:
        actions: of one share, under all its ISINs; an action counts from its ex-date on.
    """
    if last < first:
        return 1 / units_between(actions, last, first)
    return prod(
        (
            action.factor
            for action in actions
            if action.changes_units and first < action.ex_on <= last
        ),
        start=Fraction(1),
    )


def adjusted_closes(
    closes: Sequence[Close], actions: Iterable[CorporateAction], as_of: dt.date
) -> list[Close]:
    """Closes of a share in the units of the day `as_of`, in their order and unrounded.

    Args:
        closes: each as it was on its day.
        actions: of the share, under all its ISINs.
    """
    steps = sorted((action.ex_on, action.factor) for action in actions if action.changes_units)
    days = [ex_on for ex_on, _ in steps]
    # Shares for each one before all actions, before the first action, between two, after the last.
    units = list(accumulate((factor for _, factor in steps), mul, initial=Fraction(1)))
    now = units[bisect_right(days, as_of)]
    scales = [scale / now for scale in units]
    return [
        (day, price if (scale := scales[bisect_right(days, day)]) == 1 else _times(price, scale))
        for day, price in closes
    ]


def expected_shares(quantity: int, factors: Iterable[Fraction]) -> ExpectedShares:
    """What whole shares become by the actions of one day, in whatever order they take place."""
    exact = quantity * prod(factors, start=Fraction(1))
    whole = int(exact)
    return ExpectedShares(whole, exact - whole)


def average_after(quantity: int, average: Rupees, quantity_after: int) -> Fraction:
    """What a share cost on average after an action, exact; 0 where no share is left.

    The cost of all shares stays, also where the fraction of a share was paid in cash.
    """
    return Fraction(average) * quantity / quantity_after if quantity_after else Fraction(0)


def _times(price: Rupees, scale: Fraction) -> Rupees:
    return price * scale.numerator / scale.denominator
