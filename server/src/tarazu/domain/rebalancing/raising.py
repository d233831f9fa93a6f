"""Raising cash: what each stock would come to if any part of a share could be sold.

The stocks furthest above their targets give first, down to one level of rupees above target, so
that no stock is sold below its target while another is above. Whole shares are then chosen nearest
these values.
"""

from collections.abc import Sequence
from fractions import Fraction


def scaled_to(targets: Sequence[int], left: int) -> Fraction:
    """The part of every target that what stays invested reaches: 1 where it reaches all of it."""
    total = sum(targets)
    return min(Fraction(1), Fraction(max(0, left), total)) if total else Fraction(1)


def values_after(
    values: Sequence[int], targets: Sequence[int], floors: Sequence[int], left: int
) -> list[int]:
    """The value of each stock after the sales, together at most `left` where the floors allow it.

    Args:
        values, targets: of each stock now and at its target, in the same whole units.
        floors: what each stock cannot be sold below; at most its value.
        left: what all of them together are to come to.
    """

    def at(level: int) -> list[int]:
        return [
            min(value, max(target + level, floor))
            for value, target, floor in zip(values, targets, floors, strict=True)
        ]

    reach = sum(values) + sum(targets) + 1
    low, high = -reach, reach
    while high - low > 1:
        level = (low + high) // 2
        low, high = (level, high) if sum(at(level)) <= left else (low, level)
    return at(low)
