# ruff: noqa: INP001 - a script, not a package
"""Less tax for 50 stocks with 500 lots: processor time beside the plain plan, and what is proved.

Run with `python bench/tax.py`; it prints a table in Markdown. The plain and the tax-aware plan of
each portfolio are solved in turns, at four weights of the tax, before and after the exemption.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import datetime as dt
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from random import Random

import numpy as np
from problems import UNITS, portfolio
from rebalance import Measure, markdown, timed

from tarazu.domain.charges import rates_for
from tarazu.domain.rebalancing.less_tax import less_tax
from tarazu.domain.rebalancing.plan import Options, PlanRow
from tarazu.domain.rebalancing.planner import plan_rebalance
from tarazu.domain.tax.added import LotStep, added_tax_lines
from tarazu.domain.tax.rates import rates_on
from tarazu.domain.tax.set_off import YearGains

TODAY = dt.date(2026, 11, 20)
RATES, TAX = rates_for("ZERODHA", TODAY), rates_on(TODAY)
STOCKS, LOTS, COUNT = 50, 10, 60
WEIGHTS = tuple(map(Decimal, ("0.02", "0.1", "0.5", "1000000")))
USUAL = Options(minimum_trade=Decimal(1000))
GOAL, PROVED = 150, 5e-5


def lots_of(random: Random, row: PlanRow) -> tuple[LotStep, ...]:
    """Ten lots of all shares held, gains and losses, the older ones long-term."""
    count, price = min(LOTS, row.held), row.last_price or Decimal(1)
    if not count:
        return ()
    cuts = [0, *sorted(random.sample(range(1, row.held), count - 1)), row.held]
    terms = sorted((random.random() < 0.6 for _ in range(count)), reverse=True)  # noqa: PLR2004
    return tuple(
        LotStep(
            last - first, (price * random.randint(-20, 50) / 100).quantize(Decimal("0.0001")), term
        )
        for first, last, term in zip(cuts, cuts[1:], terms, strict=False)
    )


def measure() -> list[Measure]:
    """Every line of the results."""
    plain: list[float] = []
    taxed: list[float] = []
    stops: list[float] = []
    gaps: list[float] = []
    for seed in range(COUNT):
        random, problem = Random(seed), portfolio(seed, STOCKS)
        rows = [replace(row, lots=lots_of(random, row)) for row in problem.rows()]
        money = Decimal(problem.investment) / UNITS, Decimal(0), Decimal(0)
        before = YearGains(long_gain=Fraction(125_000) if seed % 2 else Fraction(0))
        lines = added_tax_lines(before, TAX) or ()
        for weight in WEIGHTS:
            spent, _ = timed(lambda r=rows, m=money: plan_rebalance(r, *m, RATES, USUAL))
            plain.append(spent * 1e3)
            options = replace(USUAL, tax_weight=weight)
            spent, plan = timed(
                lambda r=rows, m=money, o=options, t=lines: plan_rebalance(r, *m, RATES, o, t)
            )
            taxed.append(spent * 1e3)
            error = float(plan.summary.tracking_error_bps)
            gaps.append(float(plan.summary.proved_gap_bps) / error if error else 0.0)
        spent, _ = timed(lambda r=rows, m=money, t=lines: less_tax(r, m, RATES, USUAL, t))
        stops.append(spent * 1e3)
    last, proved = float(np.percentile(taxed, 99)), sum(gap <= PROVED for gap in gaps)
    name = f"{STOCKS} stocks, {STOCKS * LOTS} lots"
    ratio = np.median(taxed) / np.median(plain)
    return [
        Measure(
            f"{name}, tax-aware: median (p99)",
            f"{np.median(taxed):.0f} ms ({last:.0f} ms)",
            f"p99 ≤ {GOAL} ms",
            last <= GOAL,
        ),
        Measure(f"{name}, tax-aware against plain: medians", f"{ratio:.1f}x", "", is_met=None),
        Measure(
            f"{name}: proved to 0.005 %",
            f"{proved} of {len(gaps)}; gap median {np.median(gaps):.4%}, "
            f"p90 {np.percentile(gaps, 90):.4%}, largest {max(gaps):.4%}",
            "all",
            proved == len(gaps),
        ),
        Measure(
            f"{name}, five stops in one call: median (p99)",
            f"{np.median(stops):.0f} ms ({np.percentile(stops, 99):.0f} ms)",
            "",
            is_met=None,
        ),
    ]


def table() -> str:
    """All measurements as a table in Markdown."""
    return markdown(measure())


if __name__ == "__main__":
    print(table())
