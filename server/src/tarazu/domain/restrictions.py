"""Restrictions of clients on stocks, as the fewest and the most shares of a plan.

Percents are shares of the Investment Value. A restriction never forces a purchase, and where a
holding is outside its range already it is not taken further out.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from tarazu.domain.money import ZERO, Percent, plain

BASIS_POINTS = 10_000
PER_PERCENT = 100


class Kind(StrEnum):
    """LOCKED: neither bought nor sold. NEVER_BUY: what is held may be sold. RANGE: see there."""

    LOCKED = "LOCKED"
    NEVER_BUY = "NEVER_BUY"
    RANGE = "RANGE"


@dataclass(frozen=True, slots=True)
class Restriction:
    """One client's restriction of one stock.

    Of a RANGE: never bought above `maximum` and sold down to it, never sold below `minimum`;
    None leaves that end open. The other kinds have neither.
    """

    kind: Kind
    minimum: Percent | None = None
    maximum: Percent | None = None

    @property
    def keeps_shares(self) -> bool:
        """Whether it forbids selling all shares."""
        return self.kind is Kind.LOCKED or (self.kind is Kind.RANGE and bool(self.minimum))


class Bounds(NamedTuple):
    """The fewest and the most whole shares; None: as many as can be paid for."""

    least: int
    most: int | None

    def binds(self, new: int, price: int, worth: int) -> bool:
        """Whether the bounds keep `new` shares a share or more away from `worth` units."""
        under = worth - new * price
        at_most = self.most is not None and new >= self.most and under >= price
        return at_most or (0 < new <= self.least and -under >= price)


FREE = Bounds(0, None)


def bounds_of(
    restriction: Restriction | None, held: int, price: int, investment: int, target: int
) -> Bounds:
    """The bounds on one stock's shares.

    Args:
        restriction: None where there is none.
        held: whole shares now.
        price, investment: in the same units, above zero.
        target: in any unit; at 0 all is sold that may be.
    """
    least, most = FREE
    if restriction is not None:
        if restriction.kind is Kind.LOCKED:
            return Bounds(held, held)
        if restriction.kind is Kind.NEVER_BUY:
            most = held
        else:
            least, most = _range(restriction, held, price, investment)
    return Bounds(least, least) if target == 0 else Bounds(least, most)


def _range(
    restriction: Restriction, held: int, price: int, investment: int
) -> tuple[int, int | None]:
    most = None
    if restriction.maximum is not None:
        most = int(restriction.maximum * PER_PERCENT) * investment // (BASIS_POINTS * price)
    floor = int((restriction.minimum or ZERO) * PER_PERCENT) * investment
    least = min(held, -(-floor // (BASIS_POINTS * price)))
    # One share may be more than the whole range: the maximum then comes first.
    return (least if most is None else min(least, most)), most


def words_of(restriction: Restriction) -> str:
    """The restriction as a row names it: "Range 2 % to 5 %"."""
    if restriction.kind is Kind.LOCKED:
        return "Locked"
    if restriction.kind is Kind.NEVER_BUY:
        return "Never buy"
    ends = [
        f"{word} {plain(end)} %"
        for word, end in (("at least", restriction.minimum), ("at most", restriction.maximum))
        if end is not None
    ]
    return f"Range: {' and '.join(ends)}" if ends else "Range"
