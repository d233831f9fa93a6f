"""What a day's orders cost: the brokers' published totals, and the parts adding up."""

import datetime as dt
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tarazu.domain.charges import (
    EXCHANGES,
    SHIPPED,
    NoRates,
    Order,
    Side,
    Tariff,
    lines_in_force,
    rates_for,
    read_lines,
    text_of,
)
from tests.domain.rebalancing.oracle import charges_of_day, charges_of_order

TODAY = dt.date(2026, 11, 20)
BROKERS = ("ZERODHA", "ANGEL_ONE")
LAKH = 10**5 * 10**4

orders = st.lists(
    st.tuples(
        st.sampled_from((Side.BUY, Side.SELL)), st.integers(1, 10**13), st.sampled_from(EXCHANGES)
    ).map(lambda order: Order(*order)),
    max_size=12,
)


def test_a_purchase_through_zerodha_costs_its_published_total() -> None:
    (step,) = rates_for("ZERODHA", TODAY).steps(Side.BUY)

    assert step.fixed == 0
    assert step.slope == Decimal("0.001187406")


def test_a_sale_through_zerodha_costs_its_published_total_and_the_depository() -> None:
    (step,) = rates_for("ZERODHA", TODAY).steps(Side.SELL)

    assert step.fixed == Decimal("15.34")
    assert step.slope == Decimal("0.001037406")


def test_a_purchase_and_a_sale_of_a_lakh_are_itemised() -> None:
    tariff = Tariff(rates_for("ZERODHA", TODAY))

    charges = tariff.estimate([Order(Side.BUY, LAKH), Order(Side.SELL, LAKH)])

    assert charges.brokerage == 0
    assert charges.stt == 200
    assert charges.exchange == Decimal("6.14")
    assert charges.sebi == Decimal("0.20")
    assert charges.stamp == 15
    assert charges.depository == 13
    assert charges.gst == Decimal("3.49")
    assert charges.total == Decimal("237.83")


def test_transaction_tax_is_rounded_up_to_the_rupee_on_each_side() -> None:
    tariff = Tariff(rates_for("ZERODHA", TODAY))

    charges = tariff.estimate([Order(Side.BUY, 1000_0001), Order(Side.SELL, 1)])

    assert charges.stt == 3


@pytest.mark.parametrize(
    ("worth", "brokerage"),
    [(500, 2), (2_000, 2), (5_000, 5), (20_000, 20), (20_001, 20), (900_000, 20)],
)
def test_angel_one_takes_the_lower_of_20_rupees_and_a_tenth_of_a_percent(
    worth: int, brokerage: int
) -> None:
    tariff = Tariff(rates_for("ANGEL_ONE", TODAY))

    charges = tariff.estimate([Order(Side.BUY, worth * 10_000)])

    assert charges.brokerage == brokerage


def test_angel_one_was_free_of_brokerage_until_november_2024() -> None:
    tariff = Tariff(rates_for("ANGEL_ONE", dt.date(2024, 10, 31)))

    charges = tariff.estimate([Order(Side.BUY, LAKH)])

    assert charges.brokerage == 0


def test_an_unknown_broker_has_no_rates() -> None:
    with pytest.raises(NoRates):
        rates_for("NOBODY", TODAY)


def test_a_day_before_the_table_has_no_rates() -> None:
    with pytest.raises(NoRates):
        rates_for("ZERODHA", dt.date(2020, 1, 1))


def test_nothing_traded_costs_nothing() -> None:
    assert Tariff(rates_for("ANGEL_ONE", TODAY)).estimate([]).total == 0


@pytest.mark.parametrize("broker", BROKERS)
@given(day=orders)
def test_an_estimate_is_what_the_rules_say_to_the_paisa(broker: str, day: list[Order]) -> None:
    signed = [
        (order.exchange, Fraction(order.units if order.side is Side.BUY else -order.units, 10_000))
        for order in day
    ]

    total = Tariff(rates_for(broker, TODAY)).estimate(day).total

    assert Fraction(total) == charges_of_day(broker, signed)


@pytest.mark.parametrize("broker", BROKERS)
@given(side=st.sampled_from((Side.BUY, Side.SELL)), units=st.integers(1, 10**11))
def test_the_steps_give_the_unrounded_charges_of_an_order(
    broker: str, side: Side, units: int
) -> None:
    worth = Fraction(units, 10_000)
    steps = rates_for(broker, TODAY).steps(side, "BSE")

    step = [step for step in steps if step.above < worth][-1]

    change = worth if side is Side.BUY else -worth
    expected = charges_of_order(broker, "BSE", change)
    assert Fraction(step.fixed) + Fraction(step.slope) * worth == expected


def test_a_table_that_is_written_reads_back_as_it_was() -> None:
    assert read_lines(text_of(SHIPPED)) == SHIPPED


def test_the_lines_in_force_give_the_rates_that_the_whole_table_gives() -> None:
    for day in (dt.date(2024, 10, 31), TODAY):
        lines = lines_in_force(SHIPPED, day)

        assert len({line.about for line in lines}) == len(lines)
        assert rates_for("ANGEL_ONE", day, lines) == rates_for("ANGEL_ONE", day)


def test_no_line_is_in_force_before_the_first() -> None:
    assert lines_in_force(SHIPPED, dt.date(2020, 1, 1)) == ()
