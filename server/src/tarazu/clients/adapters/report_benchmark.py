"""The portfolio report's part about the benchmark: both lines from 100, and the figures."""

from collections.abc import Sequence
from typing import Any, Final

from tarazu.benchmarks.tables import BenchmarkKind
from tarazu.clients.benchmarking import Comparison, Measured, SeriesPoint
from tarazu.domain.money import ZERO, Percent, plain, rounded
from tarazu.domain.returns import Drawdown
from tarazu.kit import formatting
from tarazu.kit.pdf_chart import chart_of

PRICE_INDEX: Final = (
    "This is a price index, without dividends; the portfolio's returns have those received."
)
_HOW: Final = (
    "Same flows: what the starting capital, the funds added and withdrawn and the fees paid would "
    "be worth in the index, each at its level of that day (Long and Nickels 1996). Differences are "
    "in percentage points. Capture: the geometric mean of the monthly returns in months in which "
    "the index rose (fell), over that of the index (Morningstar)."
)


def benchmark_part(
    compared: Comparison | None, series: Sequence[SeriesPoint]
) -> dict[str, Any] | None:
    """What the report says of the benchmark; None for a firm without one."""
    if compared is None or compared.as_of is None:
        return None
    ours, theirs = compared.portfolio, compared.benchmark
    is_short = ours.absolute is not None or theirs.absolute is not None
    reasons = dict.fromkeys((compared.same_flows_reason, compared.reason))
    points = [(point.date, point.portfolio, point.benchmark) for point in series]
    return {
        "name": compared.name,
        "asOf": formatting.day_of(compared.as_of),
        "rows": [
            _amounts(ours, theirs),
            _row(
                "Absolute return" if is_short else "XIRR, after fees",
                (ours.absolute, theirs.absolute) if is_short else (ours.xirr, theirs.xirr),
                compared.difference,
            ),
            _row("Time-weighted return", (ours.twr, theirs.twr), compared.twr_difference),
            ["Maximum drawdown", _fall(ours.drawdown), _fall(theirs.drawdown), ""],
        ],
        "since": formatting.day_of(compared.since) if compared.since else "",
        "captures": _captures(compared),
        "isEstimated": compared.is_estimated,
        "notes": [
            *([PRICE_INDEX] if compared.kind is BenchmarkKind.PRICE else []),
            *(reason for reason in reasons if reason),
            _HOW,
        ],
        "chart": chart_of(points, plain),
    }


def _amounts(ours: Measured, theirs: Measured) -> list[str]:
    known = ours.value is not None and theirs.value is not None
    less = ours.value - theirs.value if known else None  # type: ignore[operator]
    shown = formatting.rupees(less)
    signed = f"+{shown}" if less is not None and less > ZERO else shown
    return [
        "Value, same flows",
        formatting.rupees(ours.value),
        formatting.rupees(theirs.value),
        signed,
    ]


def _row(
    name: str, sides: tuple[Percent | None, Percent | None], difference: Percent | None
) -> list[str]:
    return [name, *map(_signed, sides), _points(difference)]


def _points(difference: Percent | None) -> str:
    if difference is None:
        return formatting.NO_FIGURE
    points = rounded(difference)
    return f"{points:+} pp" if points else "0.00 pp"


def _signed(share: Percent | None) -> str:
    shown = formatting.percent(share)
    return f"+{shown}" if share is not None and share > ZERO else shown


def _fall(drawdown: Drawdown | None) -> str:
    return formatting.percent(drawdown.percentage if drawdown else None)


def _captures(compared: Comparison) -> str:
    """One sentence; "" while there are too few months."""
    found = compared.captures
    if found is None or (found.up is None and found.down is None):
        return ""
    return (
        f"Up capture {formatting.percent(found.up)} ({found.up_months} months), down capture "
        f"{formatting.percent(found.down)} ({found.down_months} months)."
    )
