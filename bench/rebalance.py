# ruff: noqa: INP001 - a script, not a package
"""Whole-share rebalances side by side with PyPortfolioOpt: time, tracking error, proof.

Both are timed in one run on one core, in processor time, on the same problems. `solve` is what the
greedy allocation is compared with: numbers in, whole shares and a proof out; `plan` is the whole
answer of the product, with every leg in exact decimals. The tracking error has cash among it.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import datetime as dt
import time
import warnings
from collections.abc import Callable
from decimal import Decimal
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from problems import UNITS, Portfolio, batch, of_penny_shares, portfolio
from pypfopt.discrete_allocation import DiscreteAllocation

from tarazu.domain.charges import Tariff, rates_for
from tarazu.domain.rebalancing.batch import PortfolioBatch, solve_batch
from tarazu.domain.rebalancing.plan import Options, Plan
from tarazu.domain.rebalancing.planner import MOST_NODES, plan_rebalance
from tarazu.domain.rebalancing.problem import ProblemStock, TradeCosts, WholeShareProblem
from tarazu.domain.rebalancing.search import SearchResult, search

RATES = rates_for("ZERODHA", dt.date(2026, 11, 20))
FREE = Options(include_charges=False, trade_penalty=Decimal(0))
FULL = Options(band=Decimal("0.25"), minimum_trade=Decimal(1000))
SHORT = Options(allow_fresh_funds=False)
CHARGED = TradeCosts(Tariff(RATES), penalty=0.01)
SIZES = {5: (200, 12), 15: (200, 12), 30: (200, 12), 50: (200, 12), 100: (100, 5), 200: (60, 3)}
CLIENTS, STOCKS, LOOPED = 10_000, 50, 300
PROVED = 0.02
"""Basis points of the investment: what the rounding of charges may take on penny shares."""


class Measure(NamedTuple):
    """One line of the results."""

    what: str
    value: str
    goal: str
    is_met: bool | None


def timed(act: Callable[[], Any]) -> tuple[float, Any]:
    start = time.process_time()
    result = act()
    return time.process_time() - start, result


def allocation(problem: Portfolio) -> DiscreteAllocation:
    names = [f"S{number}" for number in range(problem.prices.size)]
    weights = dict(zip(names, (problem.targets / UNITS).tolist(), strict=True))
    prices = pd.Series(problem.prices / UNITS, index=names)
    return DiscreteAllocation(weights, prices, total_portfolio_value=problem.investment / UNITS)


def shares_of(problem: Portfolio, bought: dict[str, Any]) -> np.ndarray:
    shares = np.zeros(problem.prices.size, dtype=np.int64)
    for name, count in bought.items():
        shares[int(name[1:])] = int(count)
    return shares


def by_greedy(problem: Portfolio) -> Any:
    return allocation(problem).greedy_portfolio()[0]


def by_lp(problem: Portfolio) -> Any:
    return allocation(problem).lp_portfolio()[0]


def by_solve(problem: Portfolio) -> SearchResult:
    stocks = [
        ProblemStock(price, held, target * problem.investment)
        for price, held, target in zip(
            problem.prices.tolist(), problem.held.tolist(), problem.targets.tolist(), strict=True
        )
    ]
    asked = WholeShareProblem(stocks, problem.investment, problem.investment, TradeCosts())
    return search(asked.question(), MOST_NODES)


def by_plan(problem: Portfolio, options: Options, cash_target: Decimal) -> Plan:
    investment = Decimal(problem.investment) / UNITS
    return plan_rebalance(problem.rows(), investment, Decimal(0), cash_target, RATES, options)


def ratios(times: list[float], base: float) -> tuple[float, float]:
    """Median and 95th percentile, in multiples of a time."""
    return float(np.median(times)) / base, float(np.percentile(times, 95)) / base


def measure_size(stocks: int, count: int, solved_by_lp: int) -> list[Measure]:
    """Without charges: one portfolio at a time against greedy and lp."""
    times: dict[str, list[float]] = {name: [] for name in ("greedy", "lp", "solve", "plan")}
    errors: dict[str, list[float]] = {name: [] for name in ("greedy", "lp")}
    gaps: list[float] = []
    for seed in range(count):
        problem = portfolio(seed, stocks)
        spent, bought = timed(lambda problem=problem: by_greedy(problem))
        times["greedy"].append(spent)
        spent, found = timed(lambda problem=problem: by_solve(problem))
        times["solve"].append(spent)
        spent, plan = timed(lambda problem=problem: by_plan(problem, FREE, Decimal(0)))
        times["plan"].append(spent)
        ours = problem.error(found.shares.astype(np.int64))
        errors["greedy"].append(problem.error(shares_of(problem, bought)) / ours if ours else 1.0)
        gaps.append(float(plan.summary.proved_gap_bps))
        if seed < solved_by_lp:
            spent, bought = timed(lambda problem=problem: by_lp(problem))
            times["lp"].append(spent)
            errors["lp"].append(problem.error(shares_of(problem, bought)) / ours if ours else 1.0)
    return lines_of(stocks, times, errors, gaps)


def lines_of(
    stocks: int,
    times: dict[str, list[float]],
    errors: dict[str, list[float]],
    gaps: list[float],
) -> list[Measure]:
    base = float(np.median(times["greedy"]))
    median, slow = ratios(times["solve"], base)
    whole, whole_slow = ratios(times["plan"], base)
    against_lp = float(np.median(times["lp"])) / float(np.median(times["solve"]))
    is_goal = stocks == 50
    least = min(errors["greedy"] + errors["lp"])
    name = f"{stocks} stocks, no charges"
    return [
        Measure(f"{name}: greedy, median", f"{base * 1e3:.2f} ms", "", None),
        Measure(
            f"{name}: solve / greedy, median (p95)",
            f"{median:.2f} ({slow:.2f})",
            "≤ 1.5 (≤ 15)" if is_goal else "",
            (median <= 1.5 and slow <= 15) if is_goal else None,
        ),
        Measure(
            f"{name}: plan / greedy, median (p95)", f"{whole:.2f} ({whole_slow:.2f})", "", None
        ),
        Measure(
            f"{name}: lp / solve, median of {len(times['lp'])}",
            f"{against_lp:.0f}",
            "≥ 100" if is_goal else "",
            against_lp >= 100 if is_goal else None,
        ),
        Measure(
            f"{name}: tracking error of greedy, lp / ours, median; least of any",
            f"{np.median(errors['greedy']):.2f}, {np.median(errors['lp']):.2f}; {least:.4f}",
            "≥ 0.99995",
            least >= 0.99995,
        ),
        Measure(f"{name}: largest proved gap", f"{max(gaps):.6f} bp", "", None),
    ]


def measure_full(stocks: int, count: int) -> list[Measure]:
    """With charges, a cash target of 5 %, a band of 0.25 points and a minimum trade of ₹1,000."""
    greedy: list[float] = []
    ours: list[float] = []
    gaps: list[float] = []
    for seed in range(count):
        problem = portfolio(seed, stocks, cash_target=500)
        greedy.append(timed(lambda problem=problem: by_greedy(portfolio(seed, stocks)))[0])
        spent, plan = timed(lambda problem=problem: by_plan(problem, FULL, Decimal(5)))
        ours.append(spent)
        gaps.append(float(plan.summary.proved_gap_bps / plan.summary.tracking_error_bps))
    median, slow = ratios(ours, float(np.median(greedy)))
    last = float(np.percentile(ours, 99)) * 1e3
    name = f"{stocks} stocks, charges, cash target, band, minimum trade"
    return [
        Measure(
            f"{name}: plan / greedy, median (p95)",
            f"{median:.2f} ({slow:.2f})",
            "≤ 12",
            median <= 12,
        ),
        Measure(f"{name}: plan, p99", f"{last:.1f} ms", "≤ 50 ms", last <= 50),
        Measure(
            f"{name}: largest proved gap",
            f"{max(gaps):.5%} of the error",
            "≤ 0.005 %",
            max(gaps) <= 5e-5,
        ),
    ]


def measure_short(what: str, problems: list[Portfolio], longest: int) -> list[Measure]:
    """With charges and without fresh funds: what is held comes to less than what is to be invested."""
    times, gaps = [], []
    for problem in problems:
        spent, plan = timed(lambda problem=problem: by_plan(problem, SHORT, Decimal(0)))
        times.append(spent)
        gaps.append(float(plan.summary.proved_gap_bps))
    last = float(np.percentile(times, 99)) * 1e3
    proved = sum(gap <= PROVED for gap in gaps)
    return [
        Measure(f"{what}: plan, median", f"{np.median(times) * 1e3:.1f} ms", "", None),
        Measure(f"{what}: plan, p99", f"{last:.1f} ms", f"≤ {longest} ms", last <= longest),
        Measure(
            f"{what}: proved to {PROVED} bp; largest proved gap",
            f"{proved} of {len(gaps)}; {max(gaps):.6f} bp",
            "all",
            proved == len(gaps),
        ),
    ]


def greedy_looped(clients: PortfolioBatch) -> float:
    """Seconds that greedy takes for all clients, from a sample of them."""
    spent = 0.0
    for row in range(LOOPED):
        problem = Portfolio(
            clients.prices, clients.held[row], clients.targets[row], int(clients.investment[row])
        )
        spent += timed(lambda problem=problem: by_greedy(problem))[0]
    return spent / LOOPED * CLIENTS


def measure_batch() -> list[Measure]:
    """All clients at once against a loop over greedy."""
    clients = batch(1, CLIENTS, STOCKS)
    looped = greedy_looped(clients)
    name = f"{CLIENTS:,} x {STOCKS} at once"
    lines = [Measure(f"{name}: loop over greedy, from {LOOPED}", f"{looped:.2f} s", "", None)]
    for what, trade, goal, least in (
        ("no charges, to 0.05 %", TradeCosts(), 5e-4, 20),
        ("no charges, to 0.005 %", TradeCosts(), 5e-5, 12),
        ("charges, to 0.05 %", CHARGED, 5e-4, 6),
    ):
        runs = [
            timed(lambda trade=trade, goal=goal: solve_batch(clients, trade, goal))
            for _ in range(3)
        ]
        spent, found = min(runs, key=lambda run: run[0])
        ratio = looped / spent
        lines.append(
            Measure(
                f"{name}: {what}",
                f"{spent:.2f} s, {ratio:.1f} x, largest proved gap {found.gaps.max():.4%}",
                f"≥ {least} x",
                ratio >= least,
            )
        )
    return lines


def measure() -> list[Measure]:
    """Every line of the results."""
    warnings.simplefilter("ignore")
    by_lp(portfolio(0, 5))
    lines: list[Measure] = []
    for stocks, (count, solved_by_lp) in SIZES.items():
        lines += measure_size(stocks, count, solved_by_lp)
    lines += measure_full(50, 200)
    short = [portfolio(seed, 50) for seed in range(200)]
    lines += measure_short("50 stocks, short of money", short, 50)
    penny = [of_penny_shares(problem) for problem in short]
    lines += measure_short("50 penny shares, short of money", penny, 100)
    return lines + measure_batch()


def markdown(lines: list[Measure]) -> str:
    """The lines as a table."""
    marks = {True: "yes", False: "no", None: ""}
    head = ["| Whole-share rebalance | Measured | Goal | Met |", "|---|---|---|---|"]
    body = [
        f"| {line.what} | {line.value} | {line.goal} | {marks[line.is_met]} |" for line in lines
    ]
    return "\n".join(head + body)


def table() -> str:
    """All measurements as a table in Markdown."""
    return markdown(measure())


if __name__ == "__main__":
    print(table())
