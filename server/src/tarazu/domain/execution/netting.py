"""What a client bought and sold again on one day counts as not traded."""

import datetime as dt
from bisect import bisect_right
from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from tarazu.domain.charges import Side
from tarazu.domain.execution.chains import day_of
from tarazu.domain.execution.values import Fill

COUNTED_PRODUCTS = frozenset({"DELIVERY", "MARGIN"})


def order_of(fill: Fill) -> tuple[dt.datetime, int, str, str]:
    """Fills are taken by time, then by number; shorter numbers are lower."""
    return fill.at, len(fill.number), fill.number, fill.key


def net_quantities(
    fills: Sequence[Fill], sent_at: Sequence[dt.datetime], tags: AbstractSet[str]
) -> list[int]:
    """How many shares of each fill are left after netting, in the order of `fills`.

    Args:
        fills: of one chain, in order; products that do not count are left out before.
        sent_at: when advice of this chain was sent, rising.
        tags: of this advice.

    Purchases and sales of one day in India are netted. What was traded before and after an advice
    is not netted with each other: a sale in the morning takes nothing from a purchase that
    followed the advice of noon. Shares are taken from fills without one of the tags first, and
    from the latest first. Inferred fills are a difference already and keep their quantity.
    """
    left = [fill.quantity for fill in fills]
    if len({fill.side for fill in fills}) < 2:  # noqa: PLR2004 - purchases and sales
        return left
    groups: dict[tuple[dt.date, int], list[int]] = {}
    for place, fill in enumerate(fills):
        if not fill.is_inferred:
            group = day_of(fill.at), bisect_right(sent_at, fill.at)
            groups.setdefault(group, []).append(place)
    for places in groups.values():
        _net_group(fills, places, tags, left)
    return left


def _net_group(
    fills: Sequence[Fill], places: list[int], tags: AbstractSet[str], left: list[int]
) -> None:
    """Take what was bought and sold again from both sides of one group."""
    sides = [
        [place for place in places if fills[place].side is side] for side in (Side.BUY, Side.SELL)
    ]
    both = min(sum(left[place] for place in side) for side in sides)
    for side in sides:
        rest = both
        for place in sorted(side, key=lambda at: (fills[at].tag in tags, -at)):
            taken = min(rest, left[place])
            left[place] -= taken
            rest -= taken
