import datetime as dt
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tarazu.domain.fee_limits import (
    Charge,
    first_of_twelve_months,
    last_day_in_advance,
    unserved_share_of,
    years_over_limit,
)

LIMIT = Decimal(151_000)
DAYS = st.dates(dt.date(2024, 1, 1), dt.date(2027, 12, 31))
CHARGES = st.lists(
    st.builds(Charge, DAYS, st.decimals(0, 100_000, places=2), st.just(LIMIT)), max_size=10
)


def _charge(day: str, amount: str) -> Charge:
    return Charge(dt.date.fromisoformat(day), Decimal(amount), LIMIT)


def test_a_fee_one_paisa_over_the_limit_is_caught_with_the_arithmetic() -> None:
    charges = [_charge("2026-05-01", "100000"), _charge("2027-04-30", "51000.01")]

    (first, second) = years_over_limit(charges)

    assert first is None
    assert second is not None
    assert (second.last_day, second.others, second.fee) == (
        dt.date(2027, 4, 30), Decimal(100_000), Decimal("51000.01"),
    )  # fmt: skip
    assert (second.total, second.excess) == (Decimal("151000.01"), Decimal("0.01"))


@pytest.mark.parametrize(
    ("day", "amount"),
    [("2027-04-30", "51000"), ("2027-05-01", "151000"), ("2025-05-01", "151000")],
)
def test_a_fee_at_the_limit_or_a_year_apart_is_within_it(day: str, amount: str) -> None:
    assert years_over_limit([_charge("2026-05-01", "100000"), _charge(day, amount)])[1] is None


def test_a_fee_recorded_late_counts_in_the_months_after_its_day() -> None:
    charges = [_charge("2026-11-01", "100000"), _charge("2026-02-01", "60000")]

    year = years_over_limit(charges)[1]

    assert year is not None
    assert (year.last_day, year.excess) == (dt.date(2026, 11, 1), Decimal(9_000))


def test_nothing_is_over_without_a_limit_and_for_a_charge_of_nothing() -> None:
    over = _charge("2026-05-01", "200000")

    free = Charge(over.day, Decimal(10), None)

    assert years_over_limit([over, free])[1] is None
    assert years_over_limit([over, _charge("2026-05-02", "0")])[1] is None


@given(CHARGES)
def test_a_charge_is_over_exactly_when_some_twelve_months_with_its_day_are(
    charges: list[Charge],
) -> None:
    for place, year in enumerate(years_over_limit(charges)):
        charge, known = charges[place], charges[: place + 1]
        ends = [charge.day + dt.timedelta(days=ahead) for ahead in range(366)]
        sums = [
            sum(each.amount for each in known if first_of_twelve_months(end) <= each.day <= end)
            for end in ends
            if first_of_twelve_months(end) <= charge.day
        ]
        most = max(sums)
        is_over = charge.amount > 0 and most > LIMIT
        assert (year is not None) == is_over
        assert year is None or year.total == most


@pytest.mark.parametrize(
    ("last", "first"),
    [
        ("2027-03-31", "2026-04-01"), ("2027-02-28", "2026-03-01"),
        ("2028-02-29", "2027-03-01"), ("2028-02-28", "2027-03-01"),
    ],
)  # fmt: skip
def test_twelve_months_begin_the_day_after_the_same_day_a_year_before(
    last: str, first: str
) -> None:
    assert first_of_twelve_months(dt.date.fromisoformat(last)) == dt.date.fromisoformat(first)


@pytest.mark.parametrize(
    ("charged", "starts", "last"),
    [
        ("2026-11-25", "2026-12-01", "2027-11-30"),
        ("2026-11-25", "2026-06-01", "2027-11-24"),
        ("2027-03-01", "2027-03-01", "2028-02-29"),
    ],
)
def test_an_advance_counts_from_the_charge_or_a_later_start(
    charged: str, starts: str, last: str
) -> None:
    days = dt.date.fromisoformat(charged), dt.date.fromisoformat(starts)

    assert last_day_in_advance(*days, 12) == dt.date.fromisoformat(last)


def test_the_unserved_share_goes_back_to_the_paisa() -> None:
    share = unserved_share_of(
        Decimal(120_000), dt.date(2026, 12, 1), dt.date(2027, 11, 30), dt.date(2027, 3, 10)
    )

    assert (share.days, share.served, share.unserved) == (365, 100, 265)
    assert share.amount == Decimal("87123.29")


@given(st.decimals(0, 10_000_000, places=2), st.integers(1, 800), st.data())
def test_what_was_served_and_what_goes_back_are_the_fee(
    fee: Decimal, days: int, data: st.DataObject
) -> None:
    first = dt.date(2026, 1, 1)
    served = data.draw(st.integers(1, days))

    share = unserved_share_of(
        fee, first, first + dt.timedelta(days=days - 1), first + dt.timedelta(days=served - 1)
    )

    assert 0 <= share.amount <= fee
    assert abs(share.amount - fee * (days - served) / days) <= Decimal("0.005")
    assert share.served + share.unserved == share.days == days


def test_a_service_that_did_not_end_in_the_period_has_no_share() -> None:
    for ended in (dt.date(2025, 12, 31), dt.date(2026, 2, 1)):
        with pytest.raises(ValueError, match="outside"):
            unserved_share_of(Decimal(1), dt.date(2026, 1, 1), dt.date(2026, 1, 31), ended)
