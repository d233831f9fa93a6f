"""The lots of one share in one demat account, in the order in which they are sold."""

import datetime as dt
from collections import deque
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple

from tarazu.domain.tax.values import Lot, LotSource


class Taken(NamedTuple):
    """What a sale took: parts of lots, the first lots first, and shares that no lot has."""

    lots: Sequence[Lot]
    missing: int


class Resized(NamedTuple):
    """Lots after a change of their shares, and the cost of what became no whole share."""

    lots: Sequence[Lot]
    cost_left: Fraction | None


class Position:
    """Lots in the order of their entry; a lot that is added later may have to go before others."""

    __slots__ = ("has_left", "left", "lots")

    def __init__(self) -> None:
        self.lots: deque[Lot] = deque()
        self.left: list[int] = []
        """Which disposals took shares out; all of them are uncertain once shares are missing."""
        self.has_left = False
        """Whether anything was taken out, by a disposal or a transfer."""

    @property
    def quantity(self) -> int:
        return sum(lot.quantity for lot in self.lots)

    def add(self, lot: Lot) -> None:
        """Put a lot in its place."""
        later: list[Lot] = []
        while self.lots and _place(self.lots[-1]) > _place(lot):
            later.append(self.lots.pop())
        self.lots.append(lot)
        self.lots.extend(reversed(later))

    def take(self, quantity: int) -> Taken:
        """Take shares out, those first that came in first."""
        taken: list[Lot] = []
        while quantity and self.lots:
            lot = self.lots[0]
            if lot.quantity <= quantity:
                taken.append(self.lots.popleft())
            else:
                part, self.lots[0] = divided(lot, quantity)
                taken.append(part)
            quantity -= taken[-1].quantity
        return Taken(taken, quantity)

    def replace(self, lots: Iterable[Lot]) -> None:
        """Have these lots, in this order, instead of all others."""
        self.lots = deque(lots)


def _place(lot: Lot) -> tuple[dt.date, int]:
    return lot.entered_on, lot.place


def divided(lot: Lot, quantity: int) -> tuple[Lot, Lot]:
    """The first `quantity` shares of a lot, fewer than all, and the rest; the costs in proportion."""
    if lot.cost is None:
        return lot._replace(quantity=quantity), lot._replace(quantity=lot.quantity - quantity)
    cost = lot.cost * quantity / lot.quantity
    return (
        lot._replace(quantity=quantity, cost=cost),
        lot._replace(quantity=lot.quantity - quantity, cost=lot.cost - cost),
    )


def resized(lots: Iterable[Lot], factor: Fraction) -> Resized:
    """The lots with `factor` shares for each one, whole shares only.

    A share that parts of several lots make up belongs to the last of these lots, with the cost of
    its parts. The rest at the end is paid out in cash: its cost stays on the last whole share's lot,
    so that the total cost does not change; if there is no whole share, it is handed back.
    """
    sized: list[Lot] = []
    shares, cost = Fraction(0), _known(0)
    for lot in lots:
        exact = lot.quantity * factor
        whole = int(shares + exact)
        if not whole:
            shares, cost = shares + exact, _sum(cost, lot.cost)
            continue
        rest = shares + exact - whole
        rest_cost = None if lot.cost is None else lot.cost * rest / exact
        own = None if lot.cost is None or rest_cost is None else lot.cost - rest_cost
        sized.append(lot._replace(quantity=whole, cost=_sum(cost, own)))
        shares, cost = rest, rest_cost if rest else _known(0)
    if sized and shares:
        sized[-1] = sized[-1]._replace(cost=_sum(sized[-1].cost, cost))
        cost = _known(0)
    return Resized(sized, cost)


def with_share_of_cost(lot: Lot, share: Fraction | None) -> Lot:
    """The lot with this share of its cost; None if either is not known."""
    cost = None if share is None or lot.cost is None else lot.cost * share
    return lot._replace(cost=cost)


def carried(lot: Lot, isin: str, entered_on: dt.date, source: LotSource) -> Lot:
    """A lot of another share that takes over the cost and the date of this one."""
    return lot._replace(isin=isin, entered_on=entered_on, source=source)


def _known(amount: int) -> Fraction | None:
    return Fraction(amount)


def _sum(first: Fraction | None, second: Fraction | None) -> Fraction | None:
    return None if first is None or second is None else first + second
