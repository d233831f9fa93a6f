"""The fee on the net gain of a period, by the firm's schedule."""

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tarazu.domain.money import HUNDRED, ZERO, Percent, Rupees, rounded, share_of
from tarazu.domain.returns import CashFlow, Close


class BadFeeSchedule(ValueError):
    """A fee schedule that nobody can charge by; the message says why."""


@dataclass(frozen=True, slots=True)
class Slab:
    """One step of a schedule: `percentage` of the whole net gain is charged from `gain_from` on.

    `gain_from` is a net gain in percent of the starting value.
    """

    gain_from: Percent
    percentage: Percent


@dataclass(frozen=True, slots=True)
class SlabSchedule:
    """A fee in percent of the net gain; the percentage depends on how large the gain is.

    Raises:
        BadFeeSchedule: no slab, slabs not in rising order, a negative start, or a
            percentage outside 0 to 100.
    """

    slabs: tuple[Slab, ...]

    def __post_init__(self) -> None:
        starts = [slab.gain_from for slab in self.slabs]
        if not starts:
            raise BadFeeSchedule("A fee schedule needs at least one slab.")
        if starts != sorted(set(starts)) or starts[0] < 0:
            raise BadFeeSchedule("Fee slabs must start at 0% or more and rise.")
        if any(not 0 <= slab.percentage <= HUNDRED for slab in self.slabs):
            raise BadFeeSchedule("A fee percentage lies between 0 and 100.")

    def percentage_for(self, gain: Percent) -> Percent:
        """Percent of the net gain that is charged at a net gain of `gain` percent.

        That of the highest slab that starts at `gain` or below; 0 under the first slab.
        """
        reached = [slab.percentage for slab in self.slabs if slab.gain_from <= gain]
        return reached[-1] if reached else ZERO


@dataclass(frozen=True, slots=True)
class FixedSchedule:
    """A fixed charge of `amount` rupees a period, whatever the gain.

    Raises:
        BadFeeSchedule: a negative amount, or one in fractions of a paisa.
    """

    amount: Rupees

    def __post_init__(self) -> None:
        if self.amount < 0 or self.amount != rounded(self.amount):
            raise BadFeeSchedule("A fixed fee is a number of rupees and paise, not below 0.")


FeeSchedule = SlabSchedule | FixedSchedule

_APRIL = 4


@dataclass(frozen=True, slots=True)
class FeePeriod:
    """What a fee is computed from; `final_value` is None while the period is open.

    `net_funds_added` is what the client added less what was withdrawn inside the period.
    """

    starting_date: dt.date
    final_date: dt.date
    starting_value: Rupees
    final_value: Rupees | None
    net_funds_added: Rupees


@dataclass(frozen=True, slots=True)
class Fee:
    """The figures of a fee row; all None while the period is open.

    `applicable_percentage` is also None under a fixed schedule. Percentages are unrounded,
    `amount` is in whole paise.
    """

    net_gain: Rupees | None
    net_gain_percentage: Percent | None
    applicable_percentage: Percent | None
    amount: Rupees | None
    net_gain_after_fee: Rupees | None


def fee_of(period: FeePeriod, schedule: FeeSchedule) -> Fee:
    """The fee on the net gain of `period`.

    The gain is the final value less the starting value and the funds added in between.
    The fee is rounded half up to the paisa, because that is what can be charged; the gain
    after the fee is what is left of the exact gain. No fee is taken on a loss, unless the
    schedule is a fixed amount. The gain is 0 percent when the starting value is 0.
    """
    if period.final_value is None:
        return Fee(None, None, None, None, None)
    gain = period.final_value - period.starting_value - period.net_funds_added
    gain_percentage = share_of(gain, period.starting_value)
    if isinstance(schedule, FixedSchedule):
        return Fee(gain, gain_percentage, None, schedule.amount, gain - schedule.amount)
    applicable = schedule.percentage_for(gain_percentage)
    amount = rounded(max(ZERO, gain) * applicable / HUNDRED)
    return Fee(gain, gain_percentage, applicable, amount, gain - amount)


def net_added_between(
    cash_flows: Iterable[CashFlow], after: dt.date | None, until: dt.date
) -> Rupees:
    """Funds added less funds withdrawn after one day and up to another; from the first on None."""
    return -sum(
        (
            flow.amount
            for flow in cash_flows
            if flow.date <= until and (after is None or flow.date > after)
        ),
        ZERO,
    )


def starting_value_of_next(
    starts_on: dt.date,
    start: Close,
    ends: Sequence[Close],
    cash_flows: Sequence[CashFlow],
    *,
    is_above_mark: bool = True,
) -> Rupees:
    """What a fee period that starts on a day starts from.

    The high-water mark: the larger of the starting capital and the highest final value of the
    periods that ended by that day, each carried forward by the net funds added since, so
    that money paid in is no gain and a loss is not billed again on the way up. The last final
    value, carried forward, when the schedule has no mark and a period ended before.

    Args:
        starts_on: the first day of the new period; its flows are part of the starting value.
        start: the evening before the client began, and the starting capital.
        ends: the last day and the final value of each closed period, in any order.
        cash_flows: funds added and withdrawn, as the client sees them.
    """
    earlier = sorted((end for end in ends if end[0] <= starts_on), key=lambda end: end[0])
    marks = [
        value + net_added_between(cash_flows, day, starts_on) for day, value in (start, *earlier)
    ]
    return max(marks) if is_above_mark else marks[-1]


def financial_year_of(day: dt.date) -> dt.date:
    """The 1 April on which the financial year of `day` begins."""
    april = dt.date(day.year, _APRIL, 1)
    return april if day >= april else april.replace(year=day.year - 1)
