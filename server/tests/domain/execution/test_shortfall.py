"""The implementation shortfall: the worked example to the paisa, and what holds of any."""

import datetime as dt
import uuid
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tarazu.domain.charges import NoRates, Side, rates_for
from tarazu.domain.execution.matching import match_lines
from tarazu.domain.execution.shortfall import (
    DayCharges,
    Shortfall,
    advice_shortfall,
    charges_of_lines,
    line_shortfall,
    slippage_bps,
)
from tarazu.domain.execution.values import Action, Trading
from tests.domain.execution.cases import (
    HOLD,
    ISINS,
    SELL,
    at,
    fill,
    fills_of_client,
    line,
    lines_of_advice,
    matched,
    split,
)

ZERODHA = DayCharges(lambda day: rates_for("ZERODHA", day))
ANGEL = DayCharges(lambda day: rates_for("ANGEL_ONE", day))
NONE = Decimal(0)
EXAMPLE = [fill(60, at(3), price="251.50"), fill(20, at(3, "14:00"), price="252")]

prices = st.integers(1, 10**6).map(lambda paise: Decimal(paise) / 100)


def test_the_worked_example_to_the_paisa() -> None:
    results = matched([line(100)], EXAMPLE)
    (charges,) = charges_of_lines(results, ZERODHA)

    shortfall = line_shortfall(results[0], Decimal(255), charges)

    assert charges == Decimal(20130) * Decimal("0.001187406")
    assert shortfall.price == Decimal("130.00")
    assert shortfall.not_traded == Decimal("100.00")
    assert shortfall.charges == Decimal("23.90")
    assert shortfall.amount == Decimal("253.90")
    assert shortfall.bps == Decimal("101.56")


def test_of_a_sale_the_signs_are_the_other_way() -> None:
    fills = [fill(60, at(3), side=SELL, price="249"), fill(20, at(4), side=SELL, price="252")]
    (result,) = matched([line(100, side=SELL)], fills)

    shortfall = line_shortfall(result, Decimal(245), NONE)

    assert (shortfall.price, shortfall.not_traded) == (Decimal(20), Decimal(100))


def test_better_prices_are_a_negative_cost() -> None:
    (result,) = matched([line(100)], [fill(100, at(3), price="249.99")])

    shortfall = line_shortfall(result, None, NONE)

    assert (shortfall.amount, shortfall.bps) == (Decimal("-1.00"), Decimal("-0.40"))


def test_inferred_sales_are_in_no_part_and_not_in_the_base() -> None:
    inferred = fill(40, at(4), side=SELL, price=None, after=at(3, "16:00"))
    priced = fill(30, at(3), side=SELL, price="249")
    results = matched([line(100, side=SELL)], [inferred, priced])
    (charges,) = charges_of_lines(results, ZERODHA)

    shortfall = line_shortfall(results[0], Decimal(245), charges)

    assert results[0].filled == 70
    assert shortfall.base == 60 * 250
    assert (shortfall.price, shortfall.not_traded) == (Decimal(30), Decimal(150))
    assert shortfall.charges == Decimal("23.09")  # 7,470 at 0.1037406 % and 15.34
    assert slippage_bps(results[0]) == Decimal("40.00")


def test_a_line_of_inferred_sales_alone_says_nothing() -> None:
    sale = fill(100, at(4), side=SELL, price=None, after=at(3))
    results = matched([line(100, side=SELL)], [sale])

    shortfall = line_shortfall(results[0], Decimal(245), *charges_of_lines(results, ZERODHA))

    assert shortfall == Shortfall(NONE, NONE, NONE, NONE)
    assert shortfall.bps is None
    assert slippage_bps(results[0]) is None


def test_an_unknown_last_price_is_unknown_only_where_something_is_left() -> None:
    done, part = (
        line_shortfall(matched([line(100)], [fill(quantity, at(3))])[0], None, NONE)
        for quantity in (100, 40)
    )

    assert done.amount == 0
    assert (part.price, part.not_traded, part.amount, part.bps) == (NONE, None, None, None)


def test_unknown_charges_leave_the_sum_unknown() -> None:
    shortfall = line_shortfall(matched([line(100)], EXAMPLE)[0], Decimal(255), None)

    assert (shortfall.price, shortfall.charges, shortfall.amount) == (Decimal(130), None, None)


def test_of_an_unread_line_nothing_is_known() -> None:
    (result,) = match_lines([line(100)], Trading(()), at(4))

    shortfall = line_shortfall(result, Decimal(255), NONE)

    assert shortfall == Shortfall(Decimal(25_000), None, None, None)


def test_a_row_to_hold_costs_nothing() -> None:
    (result,) = matched([line(0, side=HOLD)])

    assert line_shortfall(result, None, None) == Shortfall(NONE, NONE, NONE, NONE)


def test_an_advice_is_the_sum_of_its_lines() -> None:
    lines = [
        Shortfall(Decimal(25_000), Decimal("130.00"), Decimal("100.00"), Decimal("23.90")),
        Shortfall(Decimal(5_000), Decimal("-30.00"), NONE, Decimal("6.10")),
    ]

    total = advice_shortfall(lines)

    assert total.amount == Decimal("230.00")
    assert total.bps == Decimal("76.67")


def test_a_part_that_is_unknown_of_one_line_is_unknown_of_the_advice() -> None:
    known = Shortfall(Decimal(25_000), Decimal(130), Decimal(100), Decimal("23.90"))

    total = advice_shortfall([known, Shortfall(Decimal(1), Decimal(1), None, Decimal(1))])

    assert (total.price, total.not_traded, total.amount) == (Decimal(131), None, None)


def test_slippage_is_by_the_advised_price() -> None:
    (bought,) = matched([line(100)], EXAMPLE)
    (sold,) = matched([line(10, side=SELL)], [fill(10, at(3), side=SELL, price="249")])
    (nothing,) = matched([line(100)])

    assert slippage_bps(bought) == Decimal("65.00")
    assert slippage_bps(sold) == Decimal("40.00")
    assert slippage_bps(nothing) is None


def test_a_split_changes_no_rupee_of_the_shortfall() -> None:
    before = fill(60, at(3), price="251.50")
    plain = matched([line(100)], [before, fill(20, at(5), price="252")])
    after = matched([line(100)], [before, fill(100, at(5), price="50.40")], actions=[split(5, 4)])

    shortfalls = [
        line_shortfall(results[0], last, *charges_of_lines(results, ZERODHA))
        for results, last in ((plain, Decimal(255)), (after, Decimal(51)))
    ]

    assert shortfalls[0].amount is not None
    assert shortfalls[0] == shortfalls[1]


def test_a_sold_share_has_the_depository_once_a_day() -> None:
    def sales(*days: int):
        parts = [fill(10, at(day), side=SELL, price="100") for day in days]
        return charges_of_lines(matched([line(100, side=SELL)], parts), ZERODHA)

    rate = Decimal("0.001037406")
    assert sales(3, 3) == [2000 * rate + Decimal("15.34")]
    assert sales(3, 4) == [2000 * rate + 2 * Decimal("15.34")]


def test_lines_that_share_an_order_share_its_charges_by_value() -> None:
    lines = [
        line(30, side=SELL, advice=uuid.UUID(int=1)),
        line(10, side=SELL, advice=uuid.UUID(int=2)),
    ]
    results = matched(lines, [fill(40, at(3), side=SELL, price="100")])

    three, one = charges_of_lines(results, ZERODHA)

    assert three + one == 4000 * Decimal("0.001037406") + Decimal("15.34")
    assert three == 3 * one


def test_the_least_brokerage_is_once_an_order() -> None:
    fills = [fill(1, at(3), price="100"), fill(1, at(3, "13:00"), price="100")]

    (charges,) = charges_of_lines(matched([line(2)], fills), ANGEL)

    today = dt.date(2026, 11, 3)
    assert charges == rates_for("ANGEL_ONE", today).charges_of_order(fills[0].side, Decimal(200))


def test_a_day_without_rates_is_refused() -> None:
    results = matched([line(100)], EXAMPLE)

    with pytest.raises(NoRates):
        charges_of_lines(results, DayCharges(lambda day: rates_for("NOBODY", day)))


@given(st.sampled_from(("ZERODHA", "ANGEL_ONE")), st.sampled_from(("NSE", "BSE")), prices)
def test_a_kept_rate_is_the_tables(broker: str, exchange: str, value: Decimal) -> None:
    day = dt.date(2026, 11, 3)
    charges = DayCharges(lambda on: rates_for(broker, on))

    for side in (fill(1, at(3)).side, SELL):
        of_table = rates_for(broker, day).charges_of_order(side, value, exchange)
        assert charges.of_order(day, side, exchange, value) == of_table
        assert charges.of_order(day, side, exchange, value) == of_table


@given(lines_of_advice(), fills_of_client(), prices, prices)
def test_the_parts_are_perolds_difference_between_paper_and_real(
    lines, fills, last: Decimal, charges: Decimal
) -> None:
    """Perold's own way: the paper portfolio's gain less the real one's."""
    for result in match_lines(lines, Trading(fills, read_at=at(20)), at(20)):
        sign = -1 if result.line.side is SELL else 1
        paper = sign * result.quantity * (last - result.price)
        real = sum(
            (sign * part.quantity * (last - (part.fill.price or NONE)) for part in result.matches),
            Decimal(0),
        )

        shortfall = line_shortfall(result, last, charges)

        assert shortfall.amount == paper - real + charges
        assert shortfall.base == result.quantity * result.price


@given(lines_of_advice(), fills_of_client())
def test_charges_of_the_lines_are_those_of_the_days_orders(lines, fills) -> None:
    action = Action(ISINS[0], "", dt.date(2026, 11, 6), Fraction(2))
    results = match_lines(lines, Trading(fills, actions=[action], read_at=at(20)), at(20))

    of_lines = charges_of_lines(results, ANGEL)

    orders: dict[tuple[dt.date, Side, str], Decimal] = {}
    for result in results:
        for part in result.matches:
            day = (part.fill.at + dt.timedelta(hours=5, minutes=30)).date()
            order = day, part.fill.side, part.fill.isin
            orders[order] = orders.get(order, NONE) + (part.value or NONE)
    expected = sum(
        (
            rates_for("ANGEL_ONE", day).charges_of_order(side, value)
            for (day, side, _), value in orders.items()
        ),
        NONE,
    )
    assert abs(sum(of_lines, NONE) - expected) < Decimal("1e-15")
    assert all(charge >= 0 for charge in of_lines)
