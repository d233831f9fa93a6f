"""Rebalances worked by hand, and the cases at the edges."""

import datetime as dt
from dataclasses import replace
from decimal import Decimal

import pytest

from tarazu.domain.charges import Side, rates_for
from tarazu.domain.rebalancing.plan import (
    BeyondLimits,
    CannotPlan,
    Options,
    Plan,
    PlanRow,
    TargetsOver100,
)
from tarazu.domain.rebalancing.planner import cheapest_share, plan_rebalance

RATES = rates_for("ZERODHA", dt.date(2026, 11, 20))
FREE = Options(include_charges=False, trade_penalty=Decimal(0))
LAKH = Decimal(100_000)
MRF = PlanRow("MRF", Decimal(140_250), 0, Decimal("0.93"))


def plan_of(
    *rows: PlanRow,
    investment: Decimal = LAKH,
    cash: Decimal = Decimal(0),
    cash_target: str = "0",
    options: Options = FREE,
) -> Plan:
    return plan_rebalance(rows, investment, cash, Decimal(cash_target), RATES, options)


def row(symbol: str, price: str, held: int, target: str | None, *, locked: bool = False) -> PlanRow:
    share = None if target is None else Decimal(target)
    return PlanRow(symbol, Decimal(price), held, share, locked)


def test_targets_that_whole_shares_meet_are_met() -> None:
    plan = plan_of(row("A", "1000", 0, "50"), row("B", "2500", 30, "50"))

    assert [leg.new_quantity for leg in plan.legs] == [50, 20]
    assert [leg.side for leg in plan.legs] == [Side.BUY, Side.SELL]
    assert plan.summary.tracking_error_bps == 0
    assert plan.summary.proved_gap_bps == 0
    assert plan.summary.cash_after == 0
    assert plan.summary.turnover_percent == Decimal("37.5")


def test_the_odd_share_goes_where_the_squares_are_least_and_first_in_order() -> None:
    plan = plan_of(row("A", "3000", 0, "50"), row("B", "3000", 0, "50"), investment=Decimal(10_000))

    assert [leg.new_quantity for leg in plan.legs] == [2, 1]
    assert round(plan.summary.tracking_error_bps, 2) == Decimal("2449.49")
    assert plan.summary.active_share == 20
    assert plan.summary.cash_after == 1000


def test_of_equally_near_plans_the_one_with_fewest_trades_is_taken() -> None:
    plan = plan_of(row("A", "3000", 0, "50"), row("B", "3000", 2, "50"), investment=Decimal(10_000))

    assert [leg.new_quantity for leg in plan.legs] == [1, 2]
    assert plan.summary.trades == 1


def test_the_figures_of_a_leg_follow_from_its_shares() -> None:
    plan = plan_of(row("A", "1000", 20, "50"), row("B", "500", 150, "50"))

    bought, sold = plan.legs
    assert bought.quantity == 30
    assert bought.previous_percent == 20
    assert bought.drift == -30
    assert bought.possible_percent == 50
    assert bought.current_value == 20_000
    assert bought.projected_value == 50_000
    assert bought.additional_value == 30_000
    assert bought.freed_value == 0
    assert sold.additional_value == 0
    assert sold.freed_value == 25_000
    assert bought.message == "Underweight: 20 % against a target of 50 %. Buy 30, reaches 50 %"
    assert sold.message == "Overweight: 75 % against a target of 50 %. Sell 50, leaves 50 %"


def test_what_the_investment_needs_beyond_holdings_and_cash_is_to_be_added() -> None:
    plan = plan_of(row("A", "1000", 20, "90"), cash=Decimal(30_000), cash_target="10")

    assert plan.summary.funds_to_add == 50_000
    assert plan.summary.cash_after == 10_000
    assert plan.summary.cash_after_percent == 10


def test_without_fresh_funds_the_holdings_and_cash_are_the_limit() -> None:
    options = replace(FREE, allow_fresh_funds=False)

    plan = plan_of(row("A", "1000", 20, "100"), cash=Decimal(30_500), options=options)

    assert plan.legs[0].new_quantity == 50
    assert plan.legs[0].message == (
        "Underweight: 20 % against a target of 100 %. "
        "Buy 30, reaches 50 % (cash target or funds limit)"
    )
    assert plan.summary.funds_to_add == 0
    assert plan.summary.cash_after == 500


def test_a_target_of_zero_sells_all_whatever_the_band_and_the_minimum_trade() -> None:
    options = Options(band=Decimal(5), minimum_trade=Decimal(5000), trade_penalty=Decimal(1))

    plan = plan_of(row("A", "10", 40, "0"), row("B", "100", 0, "99"), options=options)

    assert plan.legs[0].side is Side.SELL
    assert plan.legs[0].new_quantity == 0
    assert plan.legs[0].message == "Sell all 40: exit"


def test_a_target_of_zero_that_is_not_held_is_left_out() -> None:
    plan = plan_of(row("A", "10", 0, "0"), MRF, investment=Decimal(1_000_000))

    assert [leg.new_quantity for leg in plan.legs] == [0, 0]


def test_one_share_that_is_more_than_the_target_is_not_bought() -> None:
    plan = plan_of(MRF, row("B", "100", 0, "99.07"), investment=Decimal(1_000_000))

    assert plan.legs[0].side is Side.HOLD
    assert plan.legs[0].message == "One share (₹1,40,250) is more than the target ₹9,300"


def test_one_share_held_that_is_more_than_the_target_is_sold() -> None:
    plan = plan_of(
        replace(MRF, held=1), row("B", "100", 8500, "99.07"), investment=Decimal(1_000_000)
    )

    assert plan.legs[0].message == (
        "One share (₹1,40,250) is more than the target ₹9,300. Sell all 1"
    )


def test_one_share_more_than_the_target_is_held_when_that_is_nearer() -> None:
    plan = plan_of(row("A", "6000", 1, "5"), row("B", "50", 1880, "95"))

    assert plan.legs[0].side is Side.HOLD
    assert plan.legs[0].message == "Hold: less than one share from target (1.00 pp)"


def test_drift_inside_the_band_is_not_traded() -> None:
    options = replace(FREE, band=Decimal("0.25"))

    plan = plan_of(row("A", "10", 5012, "50"), row("B", "10", 3000, "49.88"), options=options)

    assert plan.legs[0].side is Side.HOLD
    assert plan.legs[0].message == "Hold: inside the 0.25 pp band (drift 0.12 pp)"


def test_a_drift_as_wide_as_the_band_is_traded() -> None:
    options = replace(FREE, band=Decimal("0.12"))

    plan = plan_of(row("A", "10", 5012, "50"), row("B", "10", 3000, "49.88"), options=options)

    assert plan.legs[0].side is Side.SELL


def test_a_trade_below_the_minimum_is_not_made() -> None:
    options = replace(FREE, minimum_trade=Decimal(1000))

    plan = plan_of(row("A", "10", 4970, "50"), row("B", "10", 3000, "50"), options=options)

    assert plan.legs[0].message == "Hold: below the minimum trade of ₹1,000"
    assert plan.legs[1].side is Side.BUY


def test_a_trade_of_the_minimum_that_goes_too_far_is_made_when_it_is_nearer() -> None:
    options = replace(FREE, minimum_trade=Decimal(1000))

    plan = plan_of(row("A", "10", 4940, "50"), row("B", "10", 3000, "50"), options=options)

    assert plan.legs[0].message == (
        "Underweight: 49.4 % against a target of 50 %. "
        "Buy 100, reaches 50.4 % (minimum trade ₹1,000)"
    )


def test_a_trade_is_not_worth_its_charges_below_a_small_drift() -> None:
    rows = (row("A", "100", 5002, "50"), row("B", "100", 4998, "50"))
    kept = Options()
    pure = Options(trade_penalty=Decimal(0))

    plans = [plan_of(*rows, investment=10 * LAKH, options=options) for options in (kept, pure)]

    assert plans[0].summary.trades == 0
    assert plans[1].summary.trades > 0
    assert plans[0].legs[0].message.startswith("Hold: a trade would not be worth its charges")


def test_a_holding_that_is_not_in_the_target_is_left_and_taken_off_the_budget() -> None:
    plan = plan_of(row("A", "1000", 30, None), row("B", "1000", 0, "100"))

    kept, bought = plan.legs
    assert (kept.side, kept.new_quantity, kept.drift) == (Side.HOLD, 30, None)
    assert kept.message == "No target set: not traded"
    assert bought.new_quantity == 70


def test_a_locked_row_is_not_traded() -> None:
    plan = plan_of(row("A", "1000", 30, "0", locked=True), row("B", "1000", 0, "100"))

    assert plan.legs[0].new_quantity == 30
    assert plan.legs[0].message == "Locked: not traded"
    assert plan.legs[1].new_quantity == 70


def test_a_row_without_a_price_is_left_and_its_target_goes_to_no_other() -> None:
    plan = plan_of(PlanRow("A", None, 7, Decimal(40)), row("B", "1000", 0, "60"))

    kept, bought = plan.legs
    assert (kept.side, kept.new_quantity, kept.last_price) == (Side.HOLD, 7, None)
    assert (kept.current_value, kept.possible_percent, kept.drift) == (None, None, None)
    assert kept.message == "No price: not traded"
    assert bought.new_quantity == 60
    assert plan.summary.tracking_error_bps == 0


def test_no_row_has_a_price() -> None:
    plan = plan_of(PlanRow("A", None, 7, Decimal(40)))

    assert plan.legs[0].side is Side.HOLD
    assert plan.summary.trades == 0


def test_no_rows_leave_everything_in_cash() -> None:
    plan = plan_of()

    assert plan.legs == ()
    assert plan.summary.cash_after == LAKH


def test_all_is_sold_for_a_cash_target_of_100_percent_and_the_charges_are_said() -> None:
    rows = (row("A", "1000", 50, "0"), row("B", "500", 100, "0"))

    plan = plan_of(*rows, cash_target="100", options=Options())

    assert [leg.new_quantity for leg in plan.legs] == [0, 0]
    assert plan.summary.sell_value == LAKH
    assert plan.summary.estimated_charges == Decimal("134.43")
    assert plan.summary.cash_after == LAKH - Decimal("134.43")
    (notice,) = plan.notices
    assert notice == (
        "The cash target of 100 % cannot be reached: ₹99,865.57 is left "
        "after selling all that may be sold and paying charges"
    )


def test_the_most_overweight_row_leaves_the_band_when_the_budget_asks_for_it() -> None:
    options = replace(FREE, band=Decimal(5))
    rows = (row("A", "1000", 32, "30"), row("B", "1000", 28, "28"))

    plan = plan_of(*rows, cash_target="42", options=options)

    assert [leg.new_quantity for leg in plan.legs] == [30, 28]
    assert plan.notices == (
        "A is traded inside the 5 pp band: the budget cannot be kept otherwise",
    )


def test_holdings_not_to_be_traded_that_are_worth_more_than_the_investment_are_said() -> None:
    plan = plan_of(row("A", "1000", 130, None), row("B", "1000", 5, "50"))

    assert [leg.new_quantity for leg in plan.legs] == [130, 0]
    assert "by ₹30,000" in plan.notices[0]
    assert plan.summary.cash_after == 0


def test_a_price_buffer_is_kept_back_from_purchases() -> None:
    options = replace(FREE, price_buffer=Decimal(1))

    plan = plan_of(row("A", "1000", 0, "100"), options=options)

    assert plan.legs[0].new_quantity == 99


def test_charges_are_paid_within_the_budget() -> None:
    plan = plan_of(row("A", "10", 0, "100"), options=Options(trade_penalty=Decimal(0)))

    spent = plan.summary.buy_value + plan.summary.estimated_charges
    assert spent <= LAKH
    assert LAKH - spent < 10
    assert plan.summary.cash_after == LAKH - spent


def test_one_rupee_can_be_planned() -> None:
    plan = plan_of(row("A", "0.25", 0, "100"), investment=Decimal(1))

    assert plan.legs[0].new_quantity == 4
    assert plan.summary.cash_after == 0


def test_the_cheapest_share_counts_its_charges_where_they_count() -> None:
    rows = [row("A", "1000", 7, "90"), row("B", "2500", 0, "10"), row("C", "5", 10, "0")]

    assert cheapest_share(rows, RATES, FREE) == 1000
    assert cheapest_share(rows, RATES, Options()) == Decimal("1001.21")
    assert cheapest_share(rows[2:], RATES, FREE) is None


def test_short_funds_are_shared_in_proportion_and_a_small_target_does_not_vanish() -> None:
    options = replace(FREE, allow_fresh_funds=False)

    plan = plan_of(
        row("SMALL", "100", 50, "2.5"),
        row("LARGE", "100", 300, "87.5"),
        investment=LAKH,
        cash=Decimal(5_000),
        cash_target="10",
        options=options,
    )

    # Holdings and cash are 40 % of the Investment Value, and so is each target.
    assert [leg.new_quantity for leg in plan.legs] == [10, 350]
    assert plan.summary.cash_after == 4_000
    assert plan.summary.proved_gap_bps == 0
    assert plan.notices == (
        "Funds reach 40 % of the Investment Value: targets are met in that proportion",
    )


def test_holdings_that_are_not_traded_are_taken_off_before_short_funds_are_shared() -> None:
    options = replace(FREE, allow_fresh_funds=False)

    plan = plan_of(
        row("KEPT", "1000", 20, None),
        row("A", "100", 0, "50"),
        row("B", "100", 0, "50"),
        cash=Decimal(30_000),
        options=options,
    )

    assert [leg.new_quantity for leg in plan.legs] == [20, 150, 150]
    assert plan.summary.cash_after == 0


def test_ten_lakh_crore_is_planned_to_the_share() -> None:
    investment = Decimal(10) ** 13

    plan = plan_of(
        row("A", "999999.99", 10**6, "33.33"),
        row("B", "0.05", 10**9, "33.33"),
        row("C", "1234.5", 10**6, "33.34"),
        investment=investment,
        options=Options(),
    )

    spent = sum((leg.projected_value or 0 for leg in plan.legs), Decimal(0))
    assert spent + plan.summary.estimated_charges <= investment
    assert plan.summary.tracking_error_bps < 20
    assert plan.summary.proved_gap_bps < Decimal("0.01")


def test_fifty_equal_stocks_are_filled_in_input_order() -> None:
    rows = [row(f"S{number}", "103", 0, "2") for number in range(50)]

    plan = plan_of(*rows)

    quantities = [leg.new_quantity for leg in plan.legs]
    assert set(quantities) == {19, 20}
    assert sum(quantities) * 103 <= LAKH
    assert plan.summary.cash_after < 103


def test_targets_over_100_percent_are_refused() -> None:
    with pytest.raises(TargetsOver100, match="cannot exceed 100%"):
        plan_of(row("A", "10", 0, "60"), cash_target="40.01")


@pytest.mark.parametrize(
    "wrong",
    [
        row("A", "1000000.01", 0, "10"),
        row("A", "0", 0, "10"),
        row("A", "-5", 0, "10"),
        row("A", "1.00001", 0, "10"),
        row("A", "NaN", 0, "10"),
        row("A", "10", -1, "10"),
        row("A", "10", 0, "10.00000000001"),
        row("A", "10", 0, "-1"),
        row("A", "1000000", 10**8, "10"),
    ],
)
def test_a_row_outside_the_limits_is_refused(wrong: PlanRow) -> None:
    with pytest.raises(BeyondLimits):
        plan_of(wrong)


@pytest.mark.parametrize("investment", ["0", "-1", "10000000000000.01", "0.00001"])
def test_an_investment_outside_the_limits_is_refused(investment: str) -> None:
    with pytest.raises(BeyondLimits):
        plan_of(row("A", "10", 0, "10"), investment=Decimal(investment))


def test_a_price_too_small_for_the_investment_is_refused() -> None:
    with pytest.raises(BeyondLimits, match="too small"):
        plan_of(row("A", "0.0001", 0, "100"), investment=Decimal(10) ** 13)


def test_more_than_300_stocks_are_refused() -> None:
    rows = [row(f"S{number}", "10", 0, "0") for number in range(301)]

    with pytest.raises(CannotPlan):
        plan_of(*rows)
