"""The daily average of a model's followers, and the composite of full months."""

import datetime as dt
from collections.abc import Sequence
from decimal import Decimal

from tarazu.domain.returns import CashFlow
from tarazu.domain.track_record.followers import Account, Following, followers_record

MAY_END = dt.date(2026, 5, 29)
JUNE = [dt.date(2026, 6, day) for day in (1, 15, 30)]
JULY = [dt.date(2026, 7, day) for day in (1, 15, 31)]
DAYS = [MAY_END, *JUNE, *JULY]
ENDS = [MAY_END, JUNE[-1], JULY[-1]]


def account(
    *values: int,
    since: dt.date = MAY_END,
    until: dt.date | None = None,
    flows: Sequence[CashFlow] = (),
    fees: Sequence[CashFlow] = (),
    days: Sequence[dt.date] = DAYS,
) -> Account:
    closes = [(day, Decimal(value)) for day, value in zip(days, values, strict=False)]
    return Account([Following(since, until)], closes, flows, fees)


def test_the_average_is_of_each_account_and_of_each_rupee() -> None:
    small, large = account(100, 120), account(900, 900)

    record = followers_record([small, large], DAYS, ENDS, MAY_END)

    first, second = record.days
    assert (first.date, first.equal, first.asset, first.accounts) == (
        MAY_END,
        Decimal(100),
        Decimal(100),
        2,
    )
    assert (second.date, second.equal, second.asset) == (JUNE[0], Decimal(110), Decimal(102))


def test_funds_added_are_no_return() -> None:
    added = CashFlow.added(JUNE[0], Decimal(100))

    record = followers_record([account(100, 220, flows=[added])], DAYS, ENDS, MAY_END)

    assert record.days[-1].asset == Decimal(110)


def test_growth_over_a_day_that_the_account_lacks_is_not_counted() -> None:
    lacking = account(100, 200, days=[MAY_END, JUNE[1]])
    other = account(100, 100, 110)

    record = followers_record([lacking, other], DAYS, ENDS, MAY_END)

    assert [(day.date, day.equal, day.accounts) for day in record.days[1:]] == [
        (JUNE[0], Decimal(100), 1),
        (JUNE[1], Decimal(110), 1),
    ]


def test_who_comes_within_a_month_counts_from_the_next() -> None:
    whole = account(100, 100, 100, 110, 110, 110, 121)
    late = account(1000, 1000, 1000, 1000, 1000, 1000, 2000, since=JUNE[0])

    june, july = followers_record([whole, late], DAYS, ENDS, MAY_END).months

    assert (june.month, june.accounts, june.value) == (dt.date(2026, 6, 1), 1, Decimal(110))
    assert june.asset_gross == Decimal(10)
    assert (july.accounts, july.value) == (2, Decimal(2121))
    assert july.equal_gross == Decimal(55)


def test_who_leaves_stays_in_for_the_months_it_was_there() -> None:
    left = account(100, 100, 100, 120, 120, 120, 120, until=JULY[0])

    months = followers_record([left], DAYS, ENDS, MAY_END).months

    assert [(month.month.month, month.accounts) for month in months] == [(6, 1)]


def test_a_month_is_given_before_and_after_the_fees_paid() -> None:
    paid = CashFlow.added(JUNE[1], Decimal(5))

    (june,) = followers_record(
        [account(100, 100, 100, 110, fees=[paid])], DAYS, ENDS, MAY_END
    ).months

    assert june.asset_gross == Decimal(10)
    assert june.asset_net == june.equal_net < june.asset_gross
    # 95 instead of 100 on the 15th: 0.95 x 110 / 100.
    assert june.asset_net == Decimal("4.5")


def test_dispersion_is_given_from_six_accounts_on() -> None:
    accounts = [account(100, 100, 100, 100 + gain) for gain in (1, 2, 3, 4, 5, 6)]

    (five,) = followers_record(accounts[:5], DAYS, ENDS, MAY_END).months
    (six,) = followers_record(accounts, DAYS, ENDS, MAY_END).months

    assert five.dispersion is None
    # The standard deviation of 1 to 6.
    assert six.dispersion is not None
    assert round(six.dispersion, 4) == Decimal("1.7078")
    assert (six.accounts, six.equal_gross) == (6, Decimal("3.5"))


def test_a_month_without_its_last_close_is_left_out_and_so_is_the_next() -> None:
    months = followers_record(
        [account(100, 100, 100, 110, 110, 110, 121)], DAYS, [MAY_END, JULY[-1]], MAY_END
    ).months

    assert months == []


def test_nothing_before_the_launch_counts() -> None:
    record = followers_record([account(100, 200, 200, 220)], DAYS, ENDS, JUNE[0])

    assert record.days[0].date == JUNE[0]
    assert record.months == []


def test_without_followers_there_is_nothing() -> None:
    assert followers_record([], DAYS, ENDS, MAY_END) == ([], [])
