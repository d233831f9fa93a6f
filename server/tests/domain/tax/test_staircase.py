"""The staircase of a stock's lots, and what waiting saves."""

from decimal import Decimal
from fractions import Fraction

from tarazu.domain.tax.gains import WhyUnknown
from tarazu.domain.tax.rates import SurchargeClass
from tarazu.domain.tax.staircase import SaleDay, Wait, sold, staircase, waits
from tests.domain.tax.cases import OLD, TODAY, bought, ledger, rates

ON = SaleDay(TODAY, rates())


def steps_of(*trades, price: str = "200", high: str | None = None, on: SaleDay = ON):
    known = None if high is None else Fraction(high)
    return staircase(ledger(*trades).lots[OLD], Decimal(price), on, known)


def test_each_lot_is_a_step_with_its_gain_and_its_tax() -> None:
    first, second, third = steps_of(
        bought("2024-01-02", 10, "150"),
        bought("2025-12-02", 20, "120"),
        bought("2026-10-05", 5, "210"),
    )

    assert (first.shares, first.gain, first.tax) == (10, 50, Fraction("6.5"))
    assert (first.is_long_term, first.days) == (True, 0)
    assert (second.shares, second.gain, second.tax) == (20, 80, Fraction("16.64"))
    assert (second.is_long_term, second.days) == (False, 13)
    # A loss saves tax where it is set off.
    assert (third.gain, third.tax, third.days) == (-10, Fraction("-2.08"), 320)


def test_the_surcharge_is_in_the_tax() -> None:
    (step,) = steps_of(
        bought("2025-12-02", 1, "100"),
        on=SaleDay(TODAY, rates(), SurchargeClass.ABOVE_1_CRORE),
    )

    assert step.tax == Fraction("23.92")


def test_a_staircase_with_an_unknown_cost_is_unknown() -> None:
    assert steps_of(bought("2025-12-02", 1, None)) is WhyUnknown.NO_COST
    assert steps_of(bought("2017-12-04", 1, "100")) is WhyUnknown.NO_HIGH
    (step,) = steps_of(bought("2017-12-04", 1, "100"), high="190")
    assert step.gain == 10


def test_waiting_twelve_days_saves_8400() -> None:
    """1,400 shares with a gain of ₹80 a share, 6 of the 80 at the difference of 20 % and 12.5 %."""
    plain = rates()
    steps = steps_of(bought("2025-12-01", 1_400, "120"))
    part = sold(steps, 1_346)

    (wait,) = waits(steps, plain, None)
    assert (steps[0].days, wait.saving) == (12, Fraction("8736"))
    assert waits(part, plain, None) == [Wait(12, Fraction("8399.04"))]


def test_a_longer_wait_is_named_only_where_it_saves_more() -> None:
    steps = steps_of(
        bought("2025-12-02", 10, "100"),
        bought("2026-01-02", 10, "190"),
        bought("2026-02-02", 10, "240"),
    )

    assert [(wait.days, wait.saving) for wait in waits(steps, rates(), None)] == [
        (13, 78),
        (44, Fraction("85.8")),
    ]
    assert waits(sold(steps, 10), rates(), None) == [Wait(13, Fraction(78))]


def test_only_what_is_sold_counts() -> None:
    steps = steps_of(bought("2024-01-02", 10, "150"), bought("2025-12-02", 20, "120"))

    assert [step.shares for step in sold(steps, 12)] == [10, 2]
    assert [step.shares for step in sold(steps, 40)] == [10, 20]
    assert sold(steps, 0) == ()
