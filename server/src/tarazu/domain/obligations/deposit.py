"""The deposit of a research analyst, by the most clients on any day of a fiscal year."""

import datetime as dt
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from itertools import accumulate

from tarazu.domain.money import Rupees

MORE = "more"


class UnfitSlabs(ValueError):
    """Slabs that are not written as "150=100000 300=200000 more=1000000"."""


@dataclass(frozen=True, slots=True)
class DepositSlab:
    """`up_to` clients, that number included, need `amount` rupees; None for any number."""

    up_to: int | None
    amount: Rupees


@dataclass(frozen=True, slots=True)
class Peak:
    """The most clients of some days, and the first day that had as many; None without any day."""

    clients: int
    day: dt.date | None


def slabs_of(terms: str) -> tuple[DepositSlab, ...]:
    """The slabs of an obligation's terms, lowest first; the last is for any number of clients.

    Raises:
        UnfitSlabs: they are written otherwise, not rising, or do not end with "more".
    """
    try:
        pairs = [part.split("=") for part in terms.split()]
        slabs = tuple(
            DepositSlab(None if up_to == MORE else int(up_to), Decimal(amount))
            for up_to, amount in pairs
        )
    except (ValueError, InvalidOperation) as error:
        raise UnfitSlabs from error
    ends = [slab.up_to for slab in slabs]
    numbers = [end for end in ends if end is not None]
    if not slabs or ends[-1] is not None or len(numbers) != len(slabs) - 1:
        raise UnfitSlabs
    if numbers != sorted(set(numbers)) or any(not slab.amount.is_finite() for slab in slabs):
        raise UnfitSlabs
    return slabs


def deposit_for(slabs: Iterable[DepositSlab], clients: int) -> Rupees:
    """The deposit for this many clients, in rupees."""
    return next(slab.amount for slab in slabs if slab.up_to is None or clients <= slab.up_to)


def daily_counts(
    spans: Iterable[tuple[dt.date, dt.date | None]], first: dt.date, last: dt.date
) -> dict[dt.date, int]:
    """How many were there on each day from `first` to `last`, both included.

    Args:
        spans: the first and the last day of each; None where there is no last day yet.
    """
    days = (last - first).days + 1
    if days <= 0:
        return {}
    steps = [0] * (days + 1)
    for begins, ends in spans:
        from_place = max((begins - first).days, 0)
        to_place = days if ends is None else min((ends - first).days + 1, days)
        if from_place < to_place:
            steps[from_place] += 1
            steps[to_place] -= 1
    counts = list(accumulate(steps[:days]))
    return {first + dt.timedelta(days=place): count for place, count in enumerate(counts)}


def peak_of(counts: Mapping[dt.date, int]) -> Peak:
    """The highest count and its first day."""
    if not counts:
        return Peak(0, None)
    day = min(counts, key=lambda one: (-counts[one], one))
    return Peak(counts[day], day)
