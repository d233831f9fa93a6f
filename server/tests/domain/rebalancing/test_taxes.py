"""The tax of sales in a rebalance: against every portfolio, and against branches share by share."""

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from random import Random
from unittest import mock

import numpy as np
import pytest
from _pytest.mark.structures import ParameterSet

from tarazu.domain.charges import Side
from tarazu.domain.rebalancing import planner, search
from tarazu.domain.rebalancing.draft import PlanDraft
from tarazu.domain.rebalancing.plan import Options, PlanRow
from tarazu.domain.rebalancing.planner import plan_rebalance
from tarazu.domain.tax.added import LotStep, added_tax, added_tax_lines
from tarazu.domain.tax.set_off import YearGains
from tests.domain.rebalancing.tax_oracle import (
    RATES,
    TaxCase,
    before_of,
    lots_of,
    small_case,
)

WEIGHTS = (Decimal("0.05"), Decimal("0.5"), Decimal(1_000_000))
NO_TAX = Decimal(1_000_000)
PROVED = Decimal("0.00005")
CHUNK = 10


def seeds(count: int) -> list[ParameterSet]:
    """So many seeds in chunks, all but the first two chunks for the long run."""
    return [
        pytest.param(first, marks=[pytest.mark.long] if first >= 2 * CHUNK else [])
        for first in range(0, count, CHUNK)
    ]


@pytest.mark.parametrize("first", seeds(500))
def test_no_portfolio_at_all_is_better(first: int) -> None:
    for seed in range(first, first + CHUNK):
        case = small_case(seed)
        weight = WEIGHTS[seed % len(WEIGHTS)]
        everything = case.everything()
        if not everything:
            continue
        plan = case.plan(weight)
        shares = tuple(leg.new_quantity for leg in plan.legs)

        least = min(case.cost(each, weight) for each in everything)
        own = case.cost(shares, weight)

        assert case.fits(shares)
        assert float(own) <= float(least) * (1 + 1e-9) + 1e-15, (seed, shares)
        gap, tracked = plan.summary.proved_gap_bps, plan.summary.tracking_error_bps
        if weight < NO_TAX:
            assert gap == 0
        elif case.tax(shares) == 0:
            # Where some tax cannot be avoided no price of it is high enough to prove anything.
            assert gap <= tracked * PROVED + Decimal("0.001")


@pytest.mark.parametrize("first", seeds(500))
def test_the_lines_are_the_tax_of_a_year(first: int) -> None:
    for seed in range(first, first + CHUNK):
        case, random = small_case(seed), Random(seed)
        shares = [random.randint(0, row.held) for row in case.rows]
        gains = [Fraction(0), Fraction(0)]
        for row, count in zip(case.rows, shares, strict=True):
            left = row.held - count
            for lot in row.lots or ():
                gains[lot.is_long_term] += min(max(left, 0), lot.shares) * Fraction(lot.gain)
                left -= lot.shares

        assert abs(added_tax(case.lines, *gains) - case.tax(shares)) < Fraction(1, 10**5)


def middle_case(seed: int, stocks: int = 6) -> TaxCase:
    """A case too large to try all of, with up to five lots a stock; nothing has to be sold."""
    random = Random(seed)
    investment = Decimal(random.choice((200_000, 1_000_000)))
    parts, owned = ([random.random() for _ in range(stocks)] for _ in range(2))
    rows = []
    for number, (part, own) in enumerate(zip(parts, owned, strict=True)):
        price = (investment / Decimal(random.randint(20, 400))).quantize(Decimal("0.01"))
        held = int(investment * Decimal(own / sum(owned)) / price)
        target = (Decimal(part / sum(parts)) * 95).quantize(Decimal("0.01"))
        row = PlanRow(f"S{number}", price, held, target)
        rows.append(replace(row, lots=lots_of(random, held, price, 5)))
    before = before_of(random, investment)
    return TaxCase(rows, investment, Decimal(0), before, None, "ZERODHA", Options())


def by_the_share(lots: tuple[LotStep, ...]) -> tuple[LotStep, ...]:
    """The same staircase with a step for every share: no line is longer than a share."""
    return tuple(lot._replace(shares=1) for lot in lots for _ in range(lot.shares))


@pytest.mark.parametrize("first", seeds(500))
def test_the_staircase_is_the_same_share_by_share(first: int) -> None:
    for seed in range(first, first + CHUNK):
        case, weight = small_case(seed), WEIGHTS[seed % len(WEIGHTS)]
        plain = case._replace(
            rows=[replace(row, lots=by_the_share(row.lots or ())) for row in case.rows]
        )
        own, other = (
            case.cost([leg.new_quantity for leg in each.plan(weight).legs], weight)
            for each in (case, plain)
        )

        assert float(own) == pytest.approx(float(other), rel=1e-9, abs=1e-15)


@pytest.mark.parametrize("seed", range(12))
def test_what_is_proved_holds_against_a_search_that_goes_on(seed: int) -> None:
    case, weight = middle_case(seed), WEIGHTS[seed % len(WEIGHTS)]
    short = case.plan(weight)
    with mock.patch.object(planner, "TAXED_NODES", (600, 600)):
        best = case.plan(weight)
    costs = [
        float(case.cost([leg.new_quantity for leg in each.legs], weight)) for each in (short, best)
    ]
    draft = PlanDraft(
        case.rows,
        (case.investment, Decimal(0), Decimal(0)),
        case.rates,
        replace(case.options, tax_weight=weight),
        case.lines,
    )
    found = search.search(draft.problem().question(), *planner.TAXED_NODES)

    assert found.bound <= costs[1] * (1 + 1e-9) + 1e-15
    assert costs[1] <= costs[0] * (1 + 1e-9)


@pytest.mark.parametrize("first", seeds(500))
def test_a_tax_budget_of_nothing_gives_no_tax(first: int) -> None:
    for seed in range(first, first + CHUNK):
        case = middle_case(seed)
        shares = [leg.new_quantity for leg in case.plan(NO_TAX).legs]

        assert case.tax(shares) == 0


@pytest.mark.parametrize("first", seeds(500))
def test_without_a_weight_the_plan_is_the_plain_one(first: int) -> None:
    for seed in range(first, first + CHUNK):
        case = middle_case(seed)
        money = case.investment, Decimal(0), case.cash_target
        without = [replace(row, lots=None) for row in case.rows]

        plain = plan_rebalance(without, *money, case.rates, case.options)

        assert case.plan(Decimal(0)) == plain


@pytest.mark.parametrize("seed", range(20))
def test_a_stock_is_bought_or_sold_never_both_on_one_day(seed: int) -> None:
    case = middle_case(seed)
    for weight in (Decimal(0), *WEIGHTS):
        plan = case.plan(weight)

        assert len({leg.symbol for leg in plan.legs}) == len(plan.legs) == len(case.rows)
        for leg in plan.legs:
            assert leg.quantity == abs(leg.new_quantity - leg.held)
            assert not (leg.additional_value and leg.freed_value)


def test_less_tax_is_never_nearer_the_targets() -> None:
    for seed in range(8):
        case = middle_case(seed)
        plans = [case.plan(weight) for weight in (Decimal(0), Decimal("0.02"), *WEIGHTS)]
        taxes = [case.tax([leg.new_quantity for leg in plan.legs]) for plan in plans]

        assert taxes == sorted(taxes, reverse=True)


def test_the_exemption_is_used_by_the_stocks_where_it_helps_most() -> None:
    # Two stocks with the same long-term gain a share; the exemption is enough for one of them.
    lots = (LotStep(100, Decimal(1000), is_long_term=True),)
    rows = [
        PlanRow("FAR", Decimal(2000), 100, Decimal(0), lots=lots),
        PlanRow("NEAR", Decimal(2000), 100, Decimal(15), lots=lots),
        PlanRow("NEW", Decimal(100), 0, Decimal(50)),
    ]
    before = YearGains(long_gain=Fraction(25_000))
    case = TaxCase(
        rows,
        Decimal(1_000_000),
        Decimal(0),
        before,
        None,
        "ZERODHA",
        Options(include_charges=False),
    )

    sold = [leg.held - leg.new_quantity for leg in case.plan(NO_TAX).legs]

    assert sum(sold[:2]) == 100
    assert sold[0] > sold[1]


def test_a_stock_without_known_lots_is_sold_as_without_the_tax_and_named() -> None:
    case = middle_case(3)
    rows = [replace(row, lots=None) if number == 1 else row for number, row in enumerate(case.rows)]
    over = replace(rows[1], held=rows[1].held + 60)
    case = case._replace(rows=[rows[0], over, *rows[2:]])
    plain, taxed = case.plan(Decimal(0)), case.plan(NO_TAX)
    assert plain.legs[1].side is Side.SELL

    assert taxed.legs[1].new_quantity == plain.legs[1].new_quantity
    assert any("Lots not known" in notice and "S1" in notice for notice in taxed.notices)


def test_a_loss_is_not_sold_only_to_save_tax() -> None:
    # The year has a gain that a loss could be set off against; the stock is on target.
    lots = (LotStep(100, Decimal(-500), is_long_term=False),)
    rows = [PlanRow("LOSS", Decimal(1000), 100, Decimal(10), lots=lots)]
    before = YearGains(short_gain=Fraction(500_000))
    case = TaxCase(rows, Decimal(1_000_000), Decimal(90), before, None, "ZERODHA", Options())

    (leg,) = case.plan(NO_TAX).legs

    assert leg.side is Side.HOLD


def test_a_short_rate_below_the_long_one_has_no_lines() -> None:
    odd = replace(RATES, short_term=Decimal(5))

    assert added_tax_lines(YearGains(), odd) is None


def test_the_weight_is_checked() -> None:
    case = small_case(1)

    for weight in ("-1", "1000001", "NaN"):
        with pytest.raises(ValueError, match="Tax weight"):
            case.plan(Decimal(weight))


def test_the_price_of_the_tax_is_a_mix_of_its_lines() -> None:
    case = middle_case(2)
    options = replace(case.options, tax_weight=Decimal("0.5"))
    money = case.investment, Decimal(0), Decimal(0)
    draft = PlanDraft(case.rows, money, case.rates, options, case.lines)
    tax = draft.problem().question().tax
    assert tax is not None
    random = np.random.default_rng(1)

    for short, long in random.normal(0, 0.2, (50, 2)).tolist():
        assert tax.unpriced(short, long) == pytest.approx(tax.cost(short, long))
        assert tax.cost(short, long) >= 0
