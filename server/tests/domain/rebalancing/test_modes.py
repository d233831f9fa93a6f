"""Modes, limits and fewer orders against every portfolio there is, one by one."""

import datetime as dt
from dataclasses import replace
from decimal import Decimal
from random import Random

import pytest

from tarazu.domain.charges import Side, rates_for
from tarazu.domain.rebalancing.causes import Mode
from tarazu.domain.rebalancing.fewer_orders import STOPS, fewer_orders
from tarazu.domain.rebalancing.plan import BeyondLimits, CannotRaise, Options, Plan, PlanRow
from tarazu.domain.rebalancing.planner import plan_rebalance
from tests.domain.rebalancing.mode_oracle import (
    BROKER,
    Asked,
    Shares,
    every_portfolio,
    phi_of,
    problem_of,
    ranked,
    unsellable,
)

RATES = rates_for(BROKER, dt.date(2026, 11, 20))
PER_SEED = 6
FINE = Decimal("1e-9")
ROUNDED = 2
MINIMUMS = (Decimal(0), Decimal(0), Decimal(800))


def plan_of(asked: Asked) -> Plan:
    return plan_rebalance(asked.rows, *asked.money, RATES, asked.options)


def shares_of(plan: Plan) -> Shares:
    return tuple(leg.new_quantity for leg in plan.legs)


def options_of(random: Random, **more: object) -> Options:
    options = Options(
        minimum_trade=random.choice(MINIMUMS),
        trade_penalty=Decimal(random.choice(("0", "0.01", "0.1"))),
        include_charges=random.random() < 0.7,
        allow_fresh_funds=random.random() < 0.6,
        sells_pledged=random.random() < 0.5,
    )
    return replace(options, **more)  # type: ignore[arg-type]


def assert_best(asked: Asked, plan: Plan) -> None:
    best = min(every_portfolio(asked), key=ranked(asked), default=None)
    if best is None:
        assert plan.notices
        return
    assert shares_of(plan) == best
    assert plan.summary.proved_gap_bps == 0


def assert_money_adds_up(asked: Asked, plan: Plan) -> None:
    """What is bought and sold, the charges and the cash are one sum."""
    summary, (investment, cash, _) = plan.summary, asked.money
    charges = summary.estimated_charges if asked.options.include_charges else Decimal(0)
    spent = sum((leg.projected_value or Decimal(0) for leg in plan.legs), Decimal(0)) + charges
    held = sum((leg.current_value or Decimal(0) for leg in plan.legs), Decimal(0))
    means = investment if asked.options.allow_fresh_funds else min(investment, held + cash)
    assert summary.cash_after == max(means, spent) - spent
    assert spent == held + summary.buy_value - summary.sell_value + charges


@pytest.mark.parametrize("seed", range(10))
def test_new_money_only_buys_and_no_other_purchase_is_better(seed: int) -> None:
    random = Random(seed)
    for _ in range(PER_SEED):
        asked = problem_of(random, options_of(random, mode=Mode.NEW_MONEY))

        plan = plan_of(asked)

        assert all(leg.side is not Side.SELL for leg in plan.legs)
        assert plan.notices[0].startswith("New money: stocks are only bought")
        assert_best(asked, plan)
        assert_money_adds_up(asked, plan)


@pytest.mark.parametrize("seed", range(10))
def test_raising_cash_only_sells_and_no_other_sale_of_the_amount_is_better(seed: int) -> None:
    random = Random(seed)
    for _ in range(PER_SEED):
        raised = Decimal(random.randint(1, 6000))
        asked = problem_of(random, options_of(random, mode=Mode.RAISE_CASH, raised=raised))
        portfolios = every_portfolio(asked)
        if not portfolios:
            with pytest.raises(CannotRaise, match="at most after charges"):
                plan_of(asked)
            continue

        plan = plan_of(asked)

        charges = plan.summary.estimated_charges if asked.options.include_charges else Decimal(0)
        assert plan.summary.sell_value - charges >= raised
        assert plan.summary.buy_value == 0
        assert shares_of(plan) in portfolios
        best = min(phi_of(asked, shares) for shares in portfolios)
        # The solver's ideal sale is in whole ten-thousandths of a rupee.
        assert phi_of(asked, shares_of(plan)) <= best + ROUNDED
        assert plan.summary.proved_gap_bps == 0
        assert_money_adds_up(asked, plan)


@pytest.mark.parametrize("seed", range(4))
def test_exits_only_sells_what_has_a_target_of_nought_and_nothing_else(seed: int) -> None:
    random = Random(seed)
    for _ in range(PER_SEED):
        asked = problem_of(random, options_of(random, mode=Mode.EXITS_ONLY))

        plan = plan_of(asked)

        for row, leg in zip(asked.rows, plan.legs, strict=True):
            kept = unsellable(row, asked.options)
            is_exit = row.target == 0 and not row.locked
            assert leg.new_quantity == (kept if is_exit else row.held)
        assert plan.summary.funds_to_add == 0
        assert plan.summary.proved_gap_bps == 0
        assert_money_adds_up(asked, plan)


@pytest.mark.parametrize("seed", range(16))
def test_no_other_plan_within_the_days_money_and_the_free_shares_is_better(seed: int) -> None:
    random = Random(seed)
    for _ in range(PER_SEED):
        usable = Decimal(random.choice((0, 50, 80, 100)))
        options = options_of(
            random, usable_proceeds=usable, price_buffer=Decimal(random.choice(("0", "0.5")))
        )
        asked = problem_of(random, options)

        plan = plan_of(asked)

        assert_best(asked, plan)
        assert_money_adds_up(asked, plan)


def _row(held: int, target: str, uncredited: int, pledged: int = 0) -> PlanRow:
    price = Decimal(100)
    return PlanRow("INFY", price, held, Decimal(target), pledged=pledged, uncredited=uncredited)


@pytest.mark.parametrize(
    ("row", "sold", "message"),
    [
        (
            _row(200, "0", uncredited=100),
            100,
            (
                "100 shares are not credited yet and cannot be sold. "
                "Sell 100, leaves 20 % against a target of 0 %"
            ),
        ),
        (
            _row(200, "5", uncredited=200),
            0,
            "200 shares are not credited yet and cannot be sold: 40 % against a target of 5 %",
        ),
        (
            _row(3, "0", uncredited=1),
            2,
            (
                "1 share is not credited yet and cannot be sold. "
                "Sell 2, leaves 0.2 % against a target of 0 %"
            ),
        ),
        (
            _row(200, "0", uncredited=100, pledged=40),
            60,
            (
                "100 shares are not credited yet, 40 are pledged: they cannot be sold. "
                "Sell 60, leaves 28 % against a target of 0 %"
            ),
        ),
        (
            _row(200, "20", uncredited=100),
            100,
            "Overweight: 40 % against a target of 20 %. Sell 100, leaves 20 %",
        ),
    ],
)
def test_only_credited_shares_are_sold_and_the_row_says_so(
    row: PlanRow, sold: int, message: str
) -> None:
    options = Options(include_charges=False, sells_pledged=False)

    plan = plan_rebalance([row], Decimal(50_000), Decimal(0), Decimal(0), RATES, options)

    assert (plan.legs[0].quantity, plan.legs[0].message) == (sold, message)


def test_cash_is_raised_from_credited_shares_alone() -> None:
    rows = [_row(200, "50", uncredited=150), replace(_row(100, "50", 0), symbol="TCS")]
    options = Options(mode=Mode.RAISE_CASH, raised=Decimal(12_000), include_charges=False)

    plan = plan_rebalance(rows, Decimal(30_000), Decimal(0), Decimal(0), RATES, options)

    assert [leg.quantity for leg in plan.legs] == [50, 70]
    more = replace(options, raised=Decimal(15_100))
    with pytest.raises(CannotRaise, match="₹15,000 at most"):
        plan_rebalance(rows, Decimal(30_000), Decimal(0), Decimal(0), RATES, more)


@pytest.mark.parametrize("seed", range(8))
def test_each_stop_is_the_nearest_plan_with_so_few_orders(seed: int) -> None:
    random = Random(seed)
    for _ in range(2):
        asked = problem_of(random, options_of(random), count=4)

        stops = fewer_orders(asked.rows, asked.money, RATES, asked.options)

        portfolios = every_portfolio(asked)
        assert len(stops) == STOPS
        for stop in stops:
            counted = asked._replace(options=stop.options)
            if portfolios:
                assert_best(counted, stop.plan)
                few = [
                    phi_of(asked, shares)
                    for shares in portfolios
                    if sum(count != row.held for count, row in zip(shares, asked.rows, strict=True))
                    <= stop.plan.summary.trades
                ]
                assert phi_of(asked, shares_of(stop.plan)) == min(few)


def test_the_stops_have_ever_fewer_orders() -> None:
    random = Random(1)
    rows = []
    for number in range(20):
        asked = problem_of(random, Options())
        row = replace(asked.rows[0], symbol=f"S{number}", target=Decimal(5), locked=False)
        rows.append(replace(row, uncredited=0))

    stops = fewer_orders(rows, (Decimal(200_000), Decimal(0), Decimal(0)), RATES, Options())

    orders = [stop.plan.summary.trades for stop in stops]
    errors = [stop.plan.summary.tracking_error_bps for stop in stops]
    assert orders == sorted(orders, reverse=True)
    assert errors == sorted(errors)
    assert orders[-1] <= orders[0] / 2
    assert all(stop.plan.summary.proved_gap_bps <= FINE for stop in stops)


@pytest.mark.parametrize(
    "wrong",
    [
        {"mode": Mode.RAISE_CASH},
        {"raised": Decimal(100)},
        {"mode": Mode.RAISE_CASH, "raised": Decimal(-5)},
        {"usable_proceeds": Decimal(101)},
        {"order_drift": Decimal(-1)},
    ],
)
def test_options_that_make_no_sense_are_refused(wrong: dict[str, object]) -> None:
    asked = problem_of(Random(1), replace(Options(), **wrong))  # type: ignore[arg-type]

    with pytest.raises(BeyondLimits):
        plan_of(asked)
