"""The trades of one share in one demat account on one day: what was delivered, what was speculation.

Shares are delivered net, so what was both bought and sold on a day never entered the account, under
whatever product it was ordered. The first purchases of the day are set against its first sales.
Source: section 43(5) of the Act of 1961.
"""

import datetime as dt
from collections.abc import Iterator, Sequence
from fractions import Fraction

from tarazu.domain.money import Rupees
from tarazu.domain.tax.values import Amount, Speculation, Trade

Fill = tuple[int, Fraction | None, bool]
"""Shares, rupees a share, and whether it is inferred."""


def exact(price: Rupees | None) -> Fraction | None:
    """The same price; None stays None."""
    return None if price is None else Fraction(*price.as_integer_ratio())


class FillsOfDay:
    """The trades of one day, in order."""

    __slots__ = ("bought", "chain", "day", "demat", "inferred", "sold")

    def __init__(self, day: dt.date, demat: str, chain: str) -> None:
        self.day, self.demat, self.chain = day, demat, chain
        self.bought: list[Fill] = []
        self.sold: list[Fill] = []
        self.inferred: list[Fill] = []

    def add(self, trade: Trade) -> None:
        """Add the next trade; an inferred purchase may be of an earlier day and is set apart."""
        fill = (trade.quantity, exact(trade.price), trade.is_inferred)
        if not trade.is_purchase:
            self.sold.append(fill)
        elif trade.is_inferred:
            self.inferred.append(fill)
        else:
            self.bought.append(fill)


def day_of_fills(
    fills: FillsOfDay, isin: str
) -> tuple[Sequence[Fill], Sequence[Fill], Speculation | None]:
    """What was bought and what was sold for delivery, and the speculation, if there was one."""
    if not fills.bought or not fills.sold:
        return [*fills.inferred, *fills.bought], fills.sold, None
    quantity = min(_shares(fills.bought), _shares(fills.sold))
    bought, bought_rest = _first(fills.bought, quantity)
    sold, sold_rest = _first(fills.sold, quantity)
    speculation = Speculation(isin, fills.demat, fills.day, quantity, _value(bought), _value(sold))
    return [*fills.inferred, *bought_rest], sold_rest, speculation


def proceeds_of(
    sold: Sequence[tuple[int, Fraction | None]], quantities: Sequence[int]
) -> Iterator[Amount | None]:
    """What each of these numbers of shares was sold for, the first sales for the first of them."""
    if len(sold) == 1:
        price = sold[0][1]
        for quantity in quantities:
            yield None if price is None else Amount(price, quantity)
        return
    fills = iter(sold)
    left, price = 0, None
    for quantity in quantities:
        unpaid, total = quantity, Fraction(0)
        is_known = True
        while unpaid:
            if not left:
                left, price = next(fills)
            count = min(left, unpaid)
            if price is None:
                is_known = False
            else:
                total += count * price
            left, unpaid = left - count, unpaid - count
        yield Amount(total, 1) if is_known else None


def _shares(fills: Sequence[Fill]) -> int:
    return sum(quantity for quantity, _price, _is_inferred in fills)


def _first(fills: Sequence[Fill], quantity: int) -> tuple[list[Fill], list[Fill]]:
    """The first shares, and the rest."""
    first: list[Fill] = []
    rest: list[Fill] = []
    for shares, price, is_inferred in fills:
        count = min(shares, quantity)
        quantity -= count
        if count:
            first.append((count, price, is_inferred))
        if shares - count:
            rest.append((shares - count, price, is_inferred))
    return first, rest


def _value(fills: Sequence[Fill]) -> Fraction | None:
    """Rupees; None if a price is not known."""
    total = Fraction(0)
    for quantity, price, _is_inferred in fills:
        if price is None:
            return None
        total += quantity * price
    return total
