"""Signs of a split, a bonus or a consolidation that nobody recorded as such."""

from fractions import Fraction
from typing import Final

from tarazu.domain.money import Rupees

RATIOS: Final = tuple(
    ratio
    for factor in (Fraction(3, 2), *map(Fraction, (2, 3, 4, 5, 6, 8, 10, 20, 100)))
    for ratio in (factor, 1 / factor)
)
"""Shares held after the action for each one before it."""
_SAME_COST: Final = Fraction(1, 50)
"""How far the cost of all shares may be off: averages are rounded, fractions are paid in cash."""
_SAME_WORTH: Final = Fraction(3, 100)
"""How far the market may have moved a price besides the action."""


def ratio_of_shares(before: tuple[int, Rupees], after: tuple[int, Rupees]) -> Fraction | None:
    """The plain ratio by which a holding's shares grew while its cost stayed; None for a trade.

    Args:
        before: whole shares, above nought, and rupees that one cost on average.
        after: the same at a later reading.

    The cost of all shares must be within 2 % of what it was. Shares that cost nothing tell
    nothing. A fraction of a share is dropped, as it is paid out in cash.
    """
    cost, cost_after = before[0] * Fraction(before[1]), after[0] * Fraction(after[1])
    if not cost or not cost_after or abs(cost_after / cost - 1) > _SAME_COST:
        return None
    return next((ratio for ratio in RATIOS if after[0] == int(before[0] * ratio)), None)


def may_be_action(before: tuple[int, Rupees], after: tuple[int, Rupees]) -> bool:
    """Whether a changed holding may be a split, a bonus or a consolidation instead of a trade.

    The cost stayed while the shares changed by a plain ratio; or the shares grew by one, and the
    average is not known or is the old one, as it is until a broker corrects it.

    Args:
        before: whole shares, and rupees that one cost on average; 0 for not known.
        after: the same at a later reading.
    """
    if ratio_of_shares(before, after) is not None:
        return True
    grew = [ratio for ratio in RATIOS if ratio > 1 and after[0] == int(before[0] * ratio)]
    is_unpriced = not before[1] or not after[1] or before[1] == after[1]
    return bool(before[0] and grew) and is_unpriced


def ratio_of_prices(before: Rupees, after: Rupees) -> Fraction | None:
    """The plain ratio of a split that would explain how a price moved; None where none would.

    What is left of the move must be within 3 %. Both prices are above nought.
    """
    moved = Fraction(before) / Fraction(after)
    fit = [ratio for ratio in RATIOS if abs(moved / ratio - 1) <= _SAME_WORTH]
    return min(fit, key=lambda ratio: abs(moved / ratio - 1), default=None)
