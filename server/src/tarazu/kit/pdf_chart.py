"""Charts of PDFs and pages: two lines in parts of the picture's width and height."""

import datetime as dt
from collections.abc import Callable, Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import Any, Final

from tarazu.kit import formatting

_MOST_POINTS: Final = 400
_LINES: Final = 4
_MARKS: Final = 5

Point = tuple[dt.date, Decimal | None, Decimal | None]
"""A day with the value of the drawn and of the dashed line; None where not known."""


def chart_of(points: Sequence[Point], label_of: Callable[[Decimal], str]) -> dict[str, Any] | None:
    """Both lines, the grid and the days along it; None without two days.

    Args:
        points: oldest first.
        label_of: how a line of the grid is named.
    """
    # At most so many as a printer can show, the last always among them.
    step = -(-len(points) // _MOST_POINTS) or 1
    some = list(points[::step])
    shown = some if not points or some[-1] == points[-1] else [*some, points[-1]]
    drawn = [value for _, *values in shown for value in values if value is not None]
    if len(shown) < 2 or not drawn:  # noqa: PLR2004 - a line joins two points
        return None
    lines = _grid(drawn)
    low, high = lines[0], lines[-1]
    first, length = shown[0][0], (shown[-1][0] - shown[0][0]).days

    def at(day: dt.date, value: Decimal) -> tuple[float, float]:
        along = round((day - first).days / length, 5)
        return along, round(float((high - value) / (high - low)), 5)

    return {
        "main": [at(day, value) for day, value, _ in shown if value is not None],
        "dashed": [at(day, value) for day, _, value in shown if value is not None],
        "lines": [[at(first, line)[1], label_of(line)] for line in lines],
        "marks": [
            [
                part / (_MARKS - 1),
                formatting.day_of(first + dt.timedelta(length * part // (_MARKS - 1))),
            ]
            for part in range(_MARKS)
        ],
    }


def _grid(amounts: Sequence[Decimal]) -> list[Decimal]:
    """Round amounts around all of these, evenly apart: where the chart draws its lines."""
    low, high = min(amounts), max(amounts)
    span = (high - low) or abs(high) or Decimal(1)
    unit = Decimal(10) ** (span / _LINES).adjusted()
    step = next(times * unit for times in (1, 2, 5, 10) if times * unit * _LINES >= span)
    bottom = (low / step).to_integral_value(ROUND_FLOOR)
    top = max((high / step).to_integral_value(ROUND_CEILING), bottom + 1)
    return [step * (bottom + place) for place in range(int(top - bottom) + 1)]
