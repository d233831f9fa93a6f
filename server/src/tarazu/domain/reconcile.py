"""What a broker says against what was expected: shares by their parts, changes, and money.

Shares are whole numbers, amounts rupees.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from tarazu.domain.money import ZERO, Rupees, rounded

PRICE_PLACES = 4
"""Of an average price; brokers may send more."""
LARGEST_PART = 20
"""The ratios of splits and bonuses are small numbers: 1 for 10, 3 for 2."""
LEAST_DIFFERENCE = Decimal(500)
"""Differences in rupees that need no explanation, such as charges of the depository."""
SHARE_OF_TURNOVER = Decimal("0.005")
"""Charges and taxes take this much of what is traded at most."""


@dataclass(frozen=True, slots=True)
class OwnedShares:
    """Shares owned, by what can be done with them; `quantity` is all of them."""

    free: int
    t1: int
    pledged: int
    bought_today: int

    @property
    def quantity(self) -> int:
        """All shares that are the client's."""
        return self.free + self.t1 + self.pledged + self.bought_today


def parts_after_today(free: int, t1: int, pledged: int, today: int) -> OwnedShares:
    """The parts of a holding once the trades of today are counted.

    A broker's holdings are those of the morning: what is bought today is in none of them yet, and
    what is sold today still is. What is sold leaves the free shares first, then those of the last
    trading day, then the pledged ones; it is never more than there is.

    Args:
        free: delivered and not pledged.
        t1: bought on the last trading day.
        pledged: with the broker as security.
        today: bought less sold today.
    """
    sold = max(-today, 0)
    from_free = min(sold, free)
    from_t1 = min(sold - from_free, t1)
    from_pledged = min(sold - from_free - from_t1, pledged)
    return OwnedShares(free - from_free, t1 - from_t1, pledged - from_pledged, max(today, 0))


def sum_of_parts(several: Iterable[OwnedShares]) -> OwnedShares:
    """The parts of the same share held in several lines."""
    rows = list(several)
    return OwnedShares(
        sum(parts.free for parts in rows),
        sum(parts.t1 for parts in rows),
        sum(parts.pledged for parts in rows),
        sum(parts.bought_today for parts in rows),
    )


def average_of(lots: Iterable[tuple[int, Rupees]]) -> Rupees:
    """What a share cost on average over these lots, with four decimals, half up.

    Lots without a price, as after a demerger, say nothing about it; 0 where no lot has one.
    """
    known = [(quantity, price) for quantity, price in lots if quantity > 0 and price > 0]
    shares = sum(quantity for quantity, _ in known)
    spent = sum((quantity * price for quantity, price in known), ZERO)
    return rounded(spent / shares, PRICE_PLACES) if shares else ZERO


def hint_of(before: int, after: int, *, isin_changed: bool = False) -> str:
    """What a change of a holding looks like that no order explains, in one sentence."""
    if before == 0:
        return "Came without an order: a bonus, a demerger, a transfer, or a day without a sync."
    if after == 0:
        return "Left without an order: a merger, a transfer, or a day without a sync."
    ratio = Fraction(after, before)
    is_plain = max(ratio.numerator, ratio.denominator) <= LARGEST_PART
    if is_plain and ratio > 1:
        also = " The ISIN changed too." if isin_changed else ""
        return f"Looks like a split or a bonus: {ratio.numerator} for {ratio.denominator}.{also}"
    if is_plain and ratio < 1:
        return f"Looks like a consolidation: {ratio.numerator} for {ratio.denominator}."
    return "No order is known that explains it: a transfer, or a day without a sync."


def price_of_purchase(before: tuple[int, Rupees], after: tuple[int, Rupees]) -> Rupees | None:
    """What a share cost that was bought between two readings, with four decimals, half up.

    (q1 a1 - q0 a0) / (q1 - q0); None where an average is not known, where nothing was bought, or
    where the result is not above 0.

    Args:
        before: whole shares, and rupees that one cost on average; 0 for not known.
        after: the same at the later reading.
    """
    more = after[0] - before[0]
    if more <= 0 or not after[1] or (before[0] and not before[1]):
        return None
    price = rounded((after[0] * after[1] - before[0] * before[1]) / more, PRICE_PLACES)
    return price if price > 0 else None


@dataclass(frozen=True, slots=True)
class Ledger:
    """Where a comparison of money began, and what should have changed it since.

    Attributes:
        began_with: the client's own money at the broker then.
        traded: what sales brought less what purchases took since.
        flows: funds added less funds withdrawn since, as Accounting has them.
        turnover: bought and sold since, both counted.
    """

    began_with: Rupees
    traded: Rupees
    flows: Rupees
    turnover: Rupees

    @property
    def expected(self) -> Rupees:
        """The money that should be there by our books."""
        return self.began_with + self.traded + self.flows

    @property
    def tolerance(self) -> Rupees:
        """How far the broker's figure may be off: charges are in no order."""
        return max(LEAST_DIFFERENCE, self.turnover * SHARE_OF_TURNOVER)

    def difference(self, actual: Rupees) -> Rupees:
        """The actual money less the expected; 0 within the tolerance."""
        off = actual - self.expected
        return off if abs(off) > self.tolerance else ZERO
