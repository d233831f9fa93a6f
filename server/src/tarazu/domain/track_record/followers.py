"""How the accounts that follow a model did: their daily average, and the composite by months.

Each account counts with its own time-weighted growth, as executed, external flows taken out. Two
averages are given: each account alike (equal-weighted), and each rupee alike (asset-weighted).
"""

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise
from typing import Final, NamedTuple

from tarazu.domain.money import HUNDRED, ZERO, Percent, Rupees
from tarazu.domain.returns import CashFlow, Close, Growth, growths

FEWEST_FOR_DISPERSION: Final = 6
"""Accounts that were in a composite for the whole period: of five or fewer none is given. Source:
CFA Institute, GIPS Standards for Firms (2020), 4.A.1.i."""
_ONE: Final = Decimal(1)


class Following(NamedTuple):
    """From the close of `since` to that of `until` an account followed; None: it still does."""

    since: dt.date
    until: dt.date | None

    def covers(self, first: dt.date, last: dt.date) -> bool:
        """Whether it followed from the close of one day to that of another."""
        return self.since <= first and (self.until is None or last <= self.until)


@dataclass(frozen=True, slots=True)
class Account:
    """An account that follows or followed a model.

    Attributes:
        closes: its value at each close, oldest first.
        flows: funds added (below nought) and withdrawn.
        fees: fees paid, as `CashFlow.added`.
        after_gaps: days of closes before which daily values are missing.
    """

    followings: Sequence[Following]
    closes: Sequence[Close]
    flows: Sequence[CashFlow]
    fees: Sequence[CashFlow]
    after_gaps: frozenset[dt.date] = frozenset()


class AverageDay(NamedTuple):
    """The followers at a close, from 100 on the first day; `accounts` took part in its growth."""

    date: dt.date
    equal: Decimal
    asset: Decimal
    accounts: int


class CompositeMonth(NamedTuple):
    """All accounts that followed during a whole calendar month; returns in percent, unrounded.

    Attributes:
        accounts: how many they were, and `value` what they were worth at the end of the month.
        asset_gross, equal_gross: before fees, and `asset_net`, `equal_net` after the fees paid.
        dispersion: the equal-weighted standard deviation of the accounts' returns before fees, in
            percentage points; None of fewer than `FEWEST_FOR_DISPERSION`.
    """

    month: dt.date
    accounts: int
    value: Rupees
    asset_gross: Percent
    equal_gross: Percent
    asset_net: Percent
    equal_net: Percent
    dispersion: Percent | None


class _MonthOfAccount(NamedTuple):
    gross: Decimal
    net: Decimal
    opening: Rupees
    closing: Rupees


class FollowersRecord(NamedTuple):
    """The daily average and the composite of all full months, oldest first."""

    days: list[AverageDay]
    months: list[CompositeMonth]


def followers_record(
    accounts: Iterable[Account],
    days: Sequence[dt.date],
    month_ends: Sequence[dt.date],
    since: dt.date,
) -> FollowersRecord:
    """How the followers of a model did.

    Args:
        accounts: read one after another, so that not all need be in memory at once.
        days: the days of which closes were written, rising.
        month_ends: the last business day of each calendar month that is over, rising.
        since: the day at whose close the model begins; nothing before counts.

    An account counts in a month if it followed from the last close of the month before to the last
    close of the month, and has a value at both: one that comes is in from the next month on, one
    that leaves stays in for the months it was there. Source: CFA Institute, GIPS Standards for
    Firms (2020), 3.A and 2.A.
    """
    before = dict(zip(days[1:], days, strict=False))
    sums: dict[dt.date, list[Decimal]] = defaultdict(lambda: [ZERO, ZERO, ZERO, ZERO])
    months: dict[dt.date, list[_MonthOfAccount]] = defaultdict(list)
    pairs = [
        (first, last)
        for first, last in pairwise(month_ends)
        # Where a month's last close is missing, neither that month nor the next is whole.
        if first >= since and _months_between(first, last) == 1
    ]
    for account in accounts:
        gross = list(growths(account.closes, account.flows, (), account.after_gaps))
        net = list(growths(account.closes, account.flows, account.fees, account.after_gaps))
        for grown in gross:
            if grown.since < since or before.get(grown.date) != grown.since:
                continue
            if any(one.covers(grown.since, grown.date) for one in account.followings):
                _add(sums[grown.date], grown)
        for last, found in _months_of(account, gross, net, pairs):
            months[last].append(found)
    return FollowersRecord(
        _averages(sums, before), [_composite(*row) for row in sorted(months.items())]
    )


def _months_between(first: dt.date, last: dt.date) -> int:
    return (last.year - first.year) * 12 + last.month - first.month


def _add(total: list[Decimal], grown: Growth) -> None:
    total[0] += 1
    total[1] += grown.growth
    total[2] += grown.opening
    total[3] += grown.opening * grown.growth


def _averages(
    sums: Mapping[dt.date, Sequence[Decimal]], before: Mapping[dt.date, dt.date]
) -> list[AverageDay]:
    """The averages chained from 100; they end where a day has no account."""
    if not sums:
        return []
    first = min(sums)
    rows = [AverageDay(before[first], HUNDRED, HUNDRED, int(sums[first][0]))]
    for day in sorted(sums):
        count, growth, opening, closing = sums[day]
        if before[day] != rows[-1].date:
            break
        asset = closing / opening if opening else growth / count
        last = rows[-1]
        rows.append(AverageDay(day, last.equal * growth / count, last.asset * asset, int(count)))
    return rows


def _months_of(
    account: Account,
    gross: Sequence[Growth],
    net: Sequence[Growth],
    pairs: Sequence[tuple[dt.date, dt.date]],
) -> Iterable[tuple[dt.date, _MonthOfAccount]]:
    """The months that the account followed as a whole, and of which both ends have a value."""
    values = dict(account.closes)
    before, after = _index(gross), _index(net)
    for first, last in pairs:
        if not any(one.covers(first, last) for one in account.followings):
            continue
        if not all(day in levels for levels in (before, after) for day in (first, last)):
            continue
        # A month that began with nothing has no return.
        if not values[first] or not before[first] or not after[first]:
            continue
        yield (
            last,
            _MonthOfAccount(
                before[last] / before[first],
                after[last] / after[first],
                values[first],
                values[last],
            ),
        )


def _index(grown: Sequence[Growth]) -> dict[dt.date, Decimal]:
    """What one rupee of the first close grew to by each close."""
    index = {grown[0].since: _ONE} if grown else {}
    for one in grown:
        index[one.date] = index[one.since] * one.growth
    return index


def _composite(last: dt.date, rows: Sequence[_MonthOfAccount]) -> CompositeMonth:
    count = len(rows)
    opening = sum((row.opening for row in rows), ZERO)
    mean = sum((row.gross for row in rows), ZERO) / count
    spread = sum(((row.gross - mean) ** 2 for row in rows), ZERO) / count
    return CompositeMonth(
        last.replace(day=1),
        count,
        sum((row.closing for row in rows), ZERO),
        (sum((row.opening * row.gross for row in rows), ZERO) / opening - 1) * HUNDRED,
        (mean - 1) * HUNDRED,
        (sum((row.opening * row.net for row in rows), ZERO) / opening - 1) * HUNDRED,
        (sum((row.net for row in rows), ZERO) / count - 1) * HUNDRED,
        spread.sqrt() * HUNDRED if count >= FEWEST_FOR_DISPERSION else None,
    )
