"""How much of the market's volume the shares took that followed advice."""

import datetime as dt
from bisect import bisect_right
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from operator import itemgetter
from typing import Final

from tarazu.domain.execution.chains import Units

AVERAGED_DAYS: Final = 20
FEWEST_DAYS: Final = 5
REACHES_BACK: Final = dt.timedelta(days=60)
"""Older volumes say little of what can be traded now; twenty business days take about thirty."""
_HUNDREDTHS: Final = 100


def days_of_volume(
    shares: int,
    volumes: Sequence[tuple[dt.date, int]],
    last: dt.date,
    units: Units | None = None,
) -> Decimal | None:
    """Shares divided by the average daily volume, two decimals, half up.

    The average is of the last 20 days with a known volume, of those in the 60 days up to `last`,
    that day included. Days before a split count in the shares of `last`.

    Args:
        shares: traded, as on `last`.
        volumes: day and shares traded on the exchange, in order of time, in shares of that day.
        units: of the share's chain; None if nothing ever changed them.

    Returns:
        None if fewer than five days are known, or if nothing was traded on them.
    """
    end = bisect_right(volumes, last, key=itemgetter(0))
    newest = volumes[max(0, end - AVERAGED_DAYS) : end]
    known = [(day, volume) for day, volume in newest if day > last - REACHES_BACK]
    if len(known) < FEWEST_DAYS:
        return None
    total = sum(
        (
            Fraction(volume) if units is None else volume * units.on(last) / units.on(day)
            for day, volume in known
        ),
        Fraction(0),
    )
    if not total:
        return None
    hundredths = shares * len(known) * _HUNDREDTHS / total
    return Decimal(int(hundredths + Fraction(1, 2))) / _HUNDREDTHS
