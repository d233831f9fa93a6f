# ruff: noqa: INP001 - a script, not a package
"""XIRR of many clients at once, beside a loop over pyxirr.

Run with `python bench/xirr.py`; it prints a table in Markdown. Goals: at least 0.8 times
the speed of the loop, and rates within 1e-9 of it and of a reference of forty digits.
"""

import datetime as dt
import math
import os
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal, localcontext

import numpy as np
import pyxirr
from numpy.typing import NDArray

from tarazu.domain.returns import DAYS_IN_YEAR
from tarazu.domain.xirr import xirr_many

CLIENTS = 10_000
FLOWS = 24
RUNS = 11
SEED = 20261120
FIRST_DAY = dt.date(2020, 1, 1)
CHECKED_TO_FORTY_DIGITS = 100


@dataclass(frozen=True)
class Problem:
    """Cash flows of clients, as arrays and as the lists that pyxirr takes."""

    years: NDArray[np.float64]
    amounts: NDArray[np.float64]
    dates: list[list[dt.date]]
    amount_lists: list[list[float]]


@dataclass(frozen=True)
class Row:
    """One line of the table; times are medians in milliseconds."""

    flows: str
    ours: float
    pyxirr: float
    speed: float
    unanswered: int
    apart: float
    error: float


def problem(kind: str) -> Problem:
    """Clients from the seed: "one sign change", or "with withdrawals" (a fifth of the flows)."""
    rng = np.random.default_rng(SEED)
    days = np.sort(rng.integers(0, 1500, (CLIENTS, FLOWS)), axis=1)
    days[:, 0], days[:, -1] = 0, 1501
    amounts = -rng.integers(100_000, 10_000_000, (CLIENTS, FLOWS)) / 100
    amounts[:, 0] = -rng.integers(10_000_000, 50_000_000, CLIENTS) / 100
    if kind == "with withdrawals":
        amounts[:, 1:][rng.random((CLIENTS, FLOWS - 1)) < 1 / 5] *= -0.3
    paid_in = -amounts[:, :-1].sum(axis=1)
    amounts[:, -1] = np.round(paid_in * rng.uniform(0.6, 2.0, CLIENTS), 2)
    dates = [[FIRST_DAY + dt.timedelta(days=int(day)) for day in row] for row in days]
    return Problem(days / DAYS_IN_YEAR, amounts, dates, amounts.tolist())


def loop_over_pyxirr(of: Problem) -> list[float | None]:
    """What a program without a batch does: one call a client."""
    return [
        pyxirr.xirr(dates, amounts, silent=True)
        for dates, amounts in zip(of.dates, of.amount_lists, strict=True)
    ]


def seconds(of: Callable[[], object]) -> float:
    """Wall-clock seconds of one call."""
    start = time.perf_counter()
    of()
    return time.perf_counter() - start


def error_of(of: Problem, rates: NDArray[np.float64]) -> float:
    """The largest error of the first rates against a root in decimals of fifty digits."""
    worst = Decimal(0)
    with localcontext() as context:
        context.prec = 50
        for row in range(CHECKED_TO_FORTY_DIGITS):
            first = of.dates[row][0]
            years = [Decimal((day - first).days) / DAYS_IN_YEAR for day in of.dates[row]]
            amounts = [Decimal(amount) for amount in of.amount_lists[row]]
            s = Decimal(math.log1p(rates[row]))
            for _ in range(3):  # Newton doubles the sixteen digits each time
                terms = [amount * (-s * t).exp() for amount, t in zip(amounts, years, strict=True)]
                slope = sum((term * t for term, t in zip(terms, years, strict=True)), Decimal(0))
                s += sum(terms, Decimal(0)) / slope
            worst = max(worst, abs(s.exp() - 1 - Decimal(float(rates[row]))))
    return float(worst)


def rows() -> list[Row]:
    """Measure both kinds of flows on one core; the two contestants take turns in one run."""
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    return [_measured(kind) for kind in ("one sign change", "with withdrawals")]


def _measured(kind: str) -> Row:
    of = problem(kind)
    rates = xirr_many(of.years, of.amounts)
    theirs = np.array([math.nan if rate is None else rate for rate in loop_over_pyxirr(of)])
    pairs = [
        (
            seconds(lambda: xirr_many(of.years, of.amounts)),
            seconds(lambda: loop_over_pyxirr(of)),
        )
        for _ in range(RUNS)
    ]
    ours, library = (statistics.median(times) * 1000 for times in zip(*pairs, strict=True))
    return Row(
        flows=kind,
        ours=ours,
        pyxirr=library,
        speed=library / ours,
        unanswered=int(np.isnan(rates).sum()),
        apart=float(np.nanmax(np.abs(rates - theirs))),
        error=error_of(of, rates),
    )


def table() -> str:
    """Measure, and the rows in Markdown."""
    measured = rows()
    lines = [
        (
            f"| {CLIENTS:,} x {FLOWS} flows | ours, ms | pyxirr loop, ms | speed "
            "| left to `xirr` | apart from pyxirr | error against 40 digits |"
        ),
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    lines += [
        f"| {row.flows} | {row.ours:.1f} | {row.pyxirr:.1f} | {row.speed:.2f}x "
        f"| {row.unanswered} | {row.apart:.1e} | {row.error:.1e} |"
        for row in measured
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    print(table())
