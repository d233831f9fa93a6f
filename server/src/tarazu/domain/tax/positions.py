"""The lots of one share in one demat account, in the order in which they are sold.

What a share of a lot cost is kept, not what all cost: a part of a lot is then another number of
shares, and nothing is divided. Both are exact.
"""

import datetime as dt
from collections import deque
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple

from tarazu.domain.tax.values import Amount, LotSource


class OpenLot:
    """Shares that were bought together and are not sold; see `Lot`.

    Attributes:
        price: what one share cost, rupees; None where it is not known.
    """

    __slots__ = ("bought_on", "entered_on", "place", "price", "quantity", "source")

    def __init__(
        self,
        quantity: int,
        bought_on: dt.date,
        price: Fraction | None,
        source: LotSource,
        entered_on: dt.date,
        place: int = 0,
    ) -> None:
        self.quantity, self.bought_on, self.price = quantity, bought_on, price
        self.source, self.entered_on, self.place = source, entered_on, place

    @property
    def paid(self) -> Amount | None:
        """What all its shares cost; None if it is not known."""
        return None if self.price is None else Amount(self.price, self.quantity)

    @property
    def cost(self) -> Fraction | None:
        """Rupees of all its shares; None if it is not known."""
        return None if self.price is None else Amount(self.price, self.quantity).rupees

    def sized(self, quantity: int, price: Fraction | None) -> "OpenLot":
        """The same lot with other shares."""
        return OpenLot(
            quantity, self.bought_on, price, self.source, self.entered_on, self.place
        )  # fmt: skip


class Taken(NamedTuple):
    """What a sale took: parts of lots, the first lots first, and shares that no lot has."""

    lots: Sequence[OpenLot]
    missing: int


class Resized(NamedTuple):
    """Lots after a change of their shares, and the cost of what became no whole share."""

    lots: Sequence[OpenLot]
    cost_left: Fraction | None


class Position:
    """Lots in the order of their entry; a lot that is added later may have to go before others."""

    __slots__ = ("has_left", "left", "lots")

    def __init__(self) -> None:
        self.lots: deque[OpenLot] = deque()
        self.left: list[int] = []
        """Which disposals took shares out; all of them are uncertain once shares are missing."""
        self.has_left = False
        """Whether anything was taken out, by a disposal or a transfer."""

    @property
    def quantity(self) -> int:
        return sum(lot.quantity for lot in self.lots)

    def add(self, lot: OpenLot) -> None:
        """Put a lot in its place: after all lots that entered on its day or before."""
        later: list[OpenLot] = []
        while self.lots and self.lots[-1].entered_on > lot.entered_on:
            later.append(self.lots.pop())
        self.lots.append(lot)
        self.lots.extend(reversed(later))

    def take(self, quantity: int) -> Taken:
        """Take shares out, those first that came in first."""
        taken: list[OpenLot] = []
        while quantity and self.lots:
            lot = self.lots[0]
            if lot.quantity <= quantity:
                taken.append(self.lots.popleft())
                quantity -= lot.quantity
            else:
                taken.append(lot.sized(quantity, lot.price))
                lot.quantity -= quantity
                quantity = 0
        return Taken(taken, quantity)

    def replace(self, lots: Iterable[OpenLot]) -> None:
        """Have these lots, in this order, instead of all others."""
        self.lots = deque(lots)


def resized(lots: Iterable[OpenLot], factor: Fraction) -> Resized:
    """The lots with `factor` shares for each one, whole shares only.

    A share that parts of several lots make up belongs to the last of these lots, with the cost of
    its parts. The rest at the end is paid out in cash: its cost stays on the last whole share's lot,
    so that the total cost does not change; if there is no whole share, it is handed back.
    """
    sized: list[OpenLot] = []
    shares, cost = Fraction(0), _known(0)
    for lot in lots:
        exact = lot.quantity * factor
        whole = int(shares + exact)
        if not whole:
            shares, cost = shares + exact, _sum(cost, lot.cost)
            continue
        rest = shares + exact - whole
        # One new share cost this; `rest` is of this lot alone, since it is less than a share.
        rest_cost = None if lot.price is None else lot.price / factor * rest
        own = None if lot.cost is None or rest_cost is None else lot.cost - rest_cost
        sized.append(lot.sized(whole, _a_share(_sum(cost, own), whole)))
        shares, cost = rest, rest_cost if rest else _known(0)
    if sized and shares:
        last = sized[-1]
        sized[-1] = last.sized(last.quantity, _a_share(_sum(last.cost, cost), last.quantity))
        cost = _known(0)
    return Resized(sized, cost)


def with_share_of_cost(lot: OpenLot, share: Fraction | None) -> OpenLot:
    """The lot with this share of its cost; None if either is not known."""
    price = None if share is None or lot.price is None else lot.price * share
    return lot.sized(lot.quantity, price)


def carried(lot: OpenLot, entered_on: dt.date, source: LotSource) -> OpenLot:
    """A lot of another share that takes over the cost and the date of this one."""
    return OpenLot(lot.quantity, lot.bought_on, lot.price, source, entered_on)


def _known(amount: int) -> Fraction | None:
    return Fraction(amount)


def _a_share(cost: Fraction | None, shares: int) -> Fraction | None:
    return None if cost is None else cost / shares


def _sum(first: Fraction | None, second: Fraction | None) -> Fraction | None:
    return None if first is None or second is None else first + second
