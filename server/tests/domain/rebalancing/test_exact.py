"""Small rebalances against every portfolio there is, one by one."""

import datetime as dt
from decimal import Decimal
from random import Random

import pytest

from tarazu.domain.charges import rates_for
from tarazu.domain.rebalancing.plan import Options, PlanRow
from tarazu.domain.rebalancing.planner import plan_rebalance
from tests.domain.rebalancing.oracle import best_by_trying_all

TODAY = dt.date(2026, 11, 20)
CENT = Decimal("0.01")
PER_SEED = 12


def price_of(random: Random, investment: Decimal) -> Decimal:
    """A price of which at most some thirty shares are to be had, round ones among them."""
    if random.random() < 0.25:
        return Decimal(random.choice((100, 250, 500, 1000)) * (int(investment) // 6000 + 1))
    return (investment / Decimal(random.randint(90, 2800)) * 100).quantize(CENT)


def row_of(random: Random, number: int, investment: Decimal, target: int) -> PlanRow:
    price = price_of(random, investment)
    return PlanRow(
        symbol=f"S{number}",
        last_price=price,
        held=random.randint(0, int(investment / price) + 1) if random.random() < 0.8 else 0,
        target=Decimal(target) / 100 if random.random() < 0.93 else None,
        locked=random.random() < 0.08,
        exchange=random.choice(("NSE", "BSE")),
    )


def options_of(random: Random) -> Options:
    return Options(
        band=Decimal(random.choice((0, 0, 1, 3))),
        minimum_trade=Decimal(random.choice((0, 0, 300, 1000))),
        trade_penalty=Decimal(random.choice(("0", "0.01", "0.1"))),
        include_charges=random.random() < 0.7,
        allow_fresh_funds=random.random() < 0.7,
        price_buffer=Decimal(random.choice(("0", "0", "0.5"))),
    )


@pytest.mark.parametrize("seed", range(30))
def test_no_other_portfolio_is_better_or_ranks_before_it(seed: int) -> None:
    random = Random(seed)
    for _ in range(PER_SEED):
        investment = Decimal(random.choice((2000, 5000, 10_000, 30_000, 90_000)))
        cash_target = random.choice((0, 0, 500, 2000))
        cuts = sorted(random.randint(0, 10_000 - cash_target) for _ in range(2))
        parts = (cuts[0], cuts[1] - cuts[0], 10_000 - cash_target - cuts[1])
        rows = [row_of(random, number, investment, part) for number, part in enumerate(parts)]
        cash = Decimal(random.randint(0, 3000))
        broker = random.choice(("ZERODHA", "ANGEL_ONE"))
        asked = (rows, investment, cash, Decimal(cash_target) / 100)
        options = options_of(random)

        plan = plan_rebalance(*asked, rates_for(broker, TODAY), options)

        best = best_by_trying_all(*asked, broker, options)
        if best is None:
            assert plan.notices
        else:
            assert tuple(-leg.new_quantity for leg in plan.legs) == best.shares
            assert plan.summary.proved_gap_bps == 0
            assert all(said.startswith("Funds reach") for said in plan.notices)
