# ruff: noqa: INP001 - a script, not a package
"""Fewer orders, the modes and the day's limit for 50 stocks: processor time, and what is proved."""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

import numpy as np
from problems import UNITS, portfolio
from rebalance import Measure, markdown, timed

from tarazu.domain.charges import rates_for
from tarazu.domain.rebalancing.causes import Mode
from tarazu.domain.rebalancing.fewer_orders import Stop, fewer_orders
from tarazu.domain.rebalancing.plan import Options, Plan, PlanRow
from tarazu.domain.rebalancing.planner import plan_rebalance

RATES = rates_for("ZERODHA", dt.date(2026, 11, 20))
STOCKS, COUNT = 50, 100
LONGEST = 150
PROVED = 5e-5
ROUNDING = 0.05
"""Basis points that the rounding of charges may take of a small portfolio: no bound sees it."""

USUAL = Options(minimum_trade=Decimal(1000))
LIMITED = replace(USUAL, usable_proceeds=Decimal(80), sells_pledged=False)


def rows_of(seed: int) -> tuple[list[PlanRow], Decimal]:
    """One portfolio: every fifth stock has pledged shares, every fourth undelivered ones."""
    problem = portfolio(seed, STOCKS)
    rows = [
        replace(
            row,
            pledged=row.held // 3 if number % 5 == 0 else 0,
            undelivered=row.held // 2 if number % 4 == 0 else 0,
        )
        for number, row in enumerate(problem.rows())
    ]
    return rows, Decimal(problem.investment) / UNITS


def money_of(investment: Decimal) -> tuple[Decimal, Decimal, Decimal]:
    return investment, Decimal(0), Decimal(0)


def stops_of(seed: int) -> tuple[Stop, ...]:
    rows, investment = rows_of(seed)
    return fewer_orders(rows, money_of(investment), RATES, USUAL)


def plan_of(seed: int, options: Options) -> Sequence[Stop]:
    rows, investment = rows_of(seed)
    if options.mode is Mode.RAISE_CASH:
        options = replace(options, raised=(investment / 10).quantize(Decimal(1)))
    plan = plan_rebalance(rows, *money_of(investment), RATES, options)
    return [Stop(options, plan)]


def is_proved(plan: Plan, within: float) -> bool:
    """Whether the gap is at most 0.005 % of the tracking error and so many basis points."""
    summary = plan.summary
    allowed = PROVED * float(summary.tracking_error_bps) + within
    return float(summary.proved_gap_bps) <= allowed


def measured(
    what: str, act: Callable[[int], Sequence[Stop]], goal: int, within: float = 0.001
) -> list[Measure]:
    """Median and 99th percentile of the time, and the largest gap of all plans."""
    times: list[float] = []
    found: list[Any] = []
    for seed in range(COUNT):
        spent, stops = timed(lambda seed=seed: act(seed))
        times.append(spent * 1e3)
        found += stops
    last = float(np.percentile(times, 99))
    gap = max(float(stop.plan.summary.proved_gap_bps) for stop in found)
    proved = sum(is_proved(stop.plan, within) for stop in found)
    return [
        Measure(
            f"{what}: median (p99)",
            f"{np.median(times):.0f} ms ({last:.0f} ms)",
            f"≤ {goal} ms",
            last <= goal,
        ),
        Measure(
            f"{what}: proved to 0.005 % + {within} bp; largest gap",
            f"{proved} of {len(found)}; {gap:.6f} bp",
            "all",
            proved == len(found),
        ),
    ]


def measure() -> list[Measure]:
    """Every line of the results."""
    lines = measured(f"{STOCKS} stocks, five stops in one call", stops_of, LONGEST)
    for name, mode in (("new money", Mode.NEW_MONEY), ("raise cash", Mode.RAISE_CASH)):
        options = replace(USUAL, mode=mode)
        lines += measured(
            f"{STOCKS} stocks, {name}", lambda seed, options=options: plan_of(seed, options), 50
        )
    limited = f"{STOCKS} stocks, pledged, undelivered, 80 % of sales usable"
    return lines + measured(limited, lambda seed: plan_of(seed, LIMITED), LONGEST, ROUNDING)


def table() -> str:
    """All measurements as a table in Markdown."""
    return markdown(measure())


if __name__ == "__main__":
    print(table())
