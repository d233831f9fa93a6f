import datetime as dt
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tarazu.domain.fees import (
    BadFeeSchedule,
    Fee,
    FeePeriod,
    FixedSchedule,
    Slab,
    SlabSchedule,
    fee_of,
    financial_year_of,
    starting_value_of_next,
)
from tarazu.domain.money import to_units
from tarazu.domain.returns import CashFlow

FIFTH = SlabSchedule((Slab(Decimal(0), Decimal(20)),))
STEPS = SlabSchedule(
    (
        Slab(Decimal(5), Decimal(10)),
        Slab(Decimal(15), Decimal("17.5")),
        Slab(Decimal(30), Decimal(20)),
    )
)

rupees = st.decimals(0, 10**9, places=4)
changes = st.decimals(-(10**8), 10**8, places=4)


def period(start: str, final: str | None, added: str = "0") -> FeePeriod:
    return FeePeriod(
        starting_date=dt.date(2026, 4, 1),
        final_date=dt.date(2026, 6, 30),
        starting_value=Decimal(start),
        final_value=None if final is None else Decimal(final),
        net_funds_added=Decimal(added),
    )


def test_a_fifth_of_the_net_gain_is_charged() -> None:
    fee = fee_of(period("1000000", "1150000"), FIFTH)

    assert fee == Fee(
        net_gain=Decimal(150000),
        net_gain_percentage=Decimal(15),
        applicable_percentage=Decimal(20),
        amount=Decimal(30000),
        net_gain_after_fee=Decimal(120000),
    )


def test_funds_added_inside_the_period_are_no_gain() -> None:
    fee = fee_of(period("1000000", "1150000", added="100000"), FIFTH)

    assert (fee.net_gain, fee.amount) == (Decimal(50000), Decimal(10000))


def test_funds_withdrawn_inside_the_period_are_no_loss() -> None:
    fee = fee_of(period("1000000", "900000", added="-150000"), FIFTH)

    assert (fee.net_gain, fee.amount) == (Decimal(50000), Decimal(10000))


def test_no_fee_is_charged_on_a_loss() -> None:
    fee = fee_of(period("1000000", "900000"), FIFTH)

    assert fee.amount == 0
    assert fee.net_gain_after_fee == Decimal(-100000)


def test_an_open_period_has_no_figures() -> None:
    fee = fee_of(period("1000000", None), FIFTH)

    assert fee == Fee(None, None, None, None, None)


@pytest.mark.parametrize(
    ("gain", "percentage"),
    [("-3", "0"), ("4.99", "0"), ("5", "10"), ("14.9999", "10"), ("15", "17.5"), ("80", "20")],
)
def test_the_slab_reached_counts_for_the_whole_gain(gain: str, percentage: str) -> None:
    final = Decimal(100) + Decimal(gain)

    fee = fee_of(period("100", str(final)), STEPS)

    assert fee.applicable_percentage == Decimal(percentage)


def test_a_fee_is_in_whole_paise_and_half_a_paisa_goes_up() -> None:
    schedule = SlabSchedule((Slab(Decimal(0), Decimal("12.5")),))

    fee = fee_of(period("1000", "1000.2"), schedule)

    assert fee.amount == Decimal("0.03")
    assert fee.net_gain_after_fee == Decimal("0.17")


def test_a_fixed_fee_is_charged_whatever_the_gain() -> None:
    fee = fee_of(period("1000000", "900000"), FixedSchedule(Decimal("12500.50")))

    assert fee.amount == Decimal("12500.50")
    assert fee.applicable_percentage is None
    assert fee.net_gain_after_fee == Decimal("-112500.50")


def test_a_gain_on_nothing_is_zero_percent() -> None:
    fee = fee_of(period("0", "500"), FIFTH)

    assert fee.net_gain_percentage == 0
    assert fee.amount == Decimal(100)


@given(start=rupees, final=rupees, added=changes)
def test_the_fee_and_what_is_left_are_the_gain_to_the_unit(
    start: Decimal, final: Decimal, added: Decimal
) -> None:
    fee = fee_of(FeePeriod(dt.date.min, dt.date.max, start, final, added), STEPS)

    assert fee.net_gain is not None
    assert fee.amount is not None
    assert fee.net_gain_after_fee is not None
    assert fee.amount + fee.net_gain_after_fee == fee.net_gain == final - start - added
    assert 0 <= fee.amount <= max(Decimal(0), fee.net_gain)
    assert to_units(fee.amount) % 100 == 0


@pytest.mark.parametrize(
    "slabs",
    [
        (),
        (Slab(Decimal(-1), Decimal(10)),),
        (Slab(Decimal(0), Decimal(101)),),
        (Slab(Decimal(0), Decimal(-1)),),
        (Slab(Decimal(10), Decimal(10)), Slab(Decimal(5), Decimal(20))),
        (Slab(Decimal(10), Decimal(10)), Slab(Decimal(10), Decimal(20))),
    ],
)
def test_slabs_that_nobody_can_charge_by_are_refused(slabs: tuple[Slab, ...]) -> None:
    with pytest.raises(BadFeeSchedule):
        SlabSchedule(slabs)


@pytest.mark.parametrize("amount", ["-1", "10.005"])
def test_fixed_fees_below_zero_or_below_a_paisa_are_refused(amount: str) -> None:
    with pytest.raises(BadFeeSchedule):
        FixedSchedule(Decimal(amount))


BEGAN = (dt.date(2024, 3, 31), Decimal(1000000))
ENDS = [
    (dt.date(2026, 3, 31), Decimal(1100000)),
    (dt.date(2025, 3, 31), Decimal(1250000)),
    (dt.date(2027, 3, 31), Decimal(9000000)),
]
NEXT = dt.date(2026, 4, 1)


def test_a_new_period_starts_from_the_highest_final_value_of_the_periods_before() -> None:
    assert starting_value_of_next(NEXT, BEGAN, ENDS, []) == Decimal(1250000)


def test_a_loss_before_the_first_fee_is_not_billed_again_on_the_way_up() -> None:
    lost = [(dt.date(2025, 3, 31), Decimal(800000))]

    assert starting_value_of_next(NEXT, BEGAN, lost, []) == Decimal(1000000)
    assert starting_value_of_next(NEXT, BEGAN, [], []) == Decimal(1000000)


def test_each_mark_is_carried_forward_by_the_net_funds_added_since() -> None:
    flows = [
        CashFlow.added(dt.date(2024, 4, 1), Decimal(100000)),
        CashFlow.added(dt.date(2025, 3, 31), Decimal(300000)),
        CashFlow.withdrawn(dt.date(2026, 1, 1), Decimal(50000)),
        CashFlow.added(NEXT, Decimal(20000)),
        CashFlow.added(dt.date(2026, 4, 2), Decimal(7)),
    ]
    end = (dt.date(2025, 3, 31), Decimal(1250000))
    lower = (dt.date(2025, 3, 31), Decimal(1350000))

    # 10,00,000 + 1,00,000 + 3,00,000 - 50,000 + 20,000, and 12,50,000 - 50,000 + 20,000.
    assert starting_value_of_next(NEXT, BEGAN, [end], flows) == Decimal(1370000)
    assert starting_value_of_next(NEXT, BEGAN, [end, lower], flows) == Decimal(1370000)
    assert starting_value_of_next(NEXT, BEGAN, [(end[0], Decimal(1500000))], flows) == Decimal(
        1470000
    )


def test_without_a_mark_a_new_period_starts_from_the_last_final_value() -> None:
    flows = [CashFlow.added(NEXT, Decimal(500))]

    start = starting_value_of_next(NEXT, BEGAN, ENDS, flows, is_above_mark=False)

    assert start == Decimal(1100500)


@pytest.mark.parametrize(
    ("day", "first"),
    [("2026-04-01", "2026-04-01"), ("2026-03-31", "2025-04-01"), ("2027-02-28", "2026-04-01")],
)
def test_a_financial_year_begins_on_the_first_of_april(day: str, first: str) -> None:
    assert financial_year_of(dt.date.fromisoformat(day)) == dt.date.fromisoformat(first)
