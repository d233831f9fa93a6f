"""Two years of closes that end in the real ones that come with the product."""

import datetime as dt
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

import numpy as np
import numpy.typing as npt

from tarazu.domain.calendar import business_days_between, previous_business_day
from tarazu.domain.money import Rupees, from_units, to_units
from tarazu.instruments.service import Listed

YEARS = 2
MARKET_DRIFT, MARKET_SWING = 0.00015, 0.0088
OWN_DRIFT, OWN_SWING = 0.0001, 0.0155

Whole = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Market:
    """`closes[day, stock]` in whole ten-thousandths of a rupee, on multiples of the tick."""

    days: Sequence[dt.date]
    stocks: Sequence[Listed]
    closes: Whole

    def close(self, day: int, stock: int) -> Rupees:
        """The close of one stock on one day, both by their place."""
        return from_units(int(self.closes[day, stock]))

    def day_on_or_before(self, date: dt.date) -> int:
        """The place of the last business day up to `date`; 0 when it lies before them all."""
        return max(0, bisect_right(self.days, date) - 1)


def simulate(
    stocks: Sequence[Listed],
    today: dt.date,
    holidays: set[dt.date],
    reference_on: dt.date,
    chance: np.random.Generator,
) -> Market:
    """Random walks with a common market, through each stock's reference close on its day.

    The last day is the business day before `today`.
    """
    last = previous_business_day(today, holidays)
    first = last.replace(year=last.year - YEARS) if (last.month, last.day) != (2, 29) else last
    days = business_days_between(first, last, holidays)
    market = chance.normal(MARKET_DRIFT, MARKET_SWING, len(days))
    betas = chance.uniform(0.6, 1.4, len(stocks))
    drifts = chance.normal(OWN_DRIFT, OWN_DRIFT * 3, len(stocks))
    own = chance.normal(0, OWN_SWING, (len(days), len(stocks))) + drifts
    walk = np.cumsum(market[:, None] * betas + own, axis=0)
    anchor = max(0, bisect_right(days, reference_on) - 1)
    reference = np.array([to_units(stock.reference_close) for stock in stocks])
    ticks = np.array([to_units(stock.tick_size or Decimal("0.05")) for stock in stocks])
    units = reference * np.exp(walk - walk[anchor])
    closes = np.maximum(np.rint(units / ticks), 1).astype(np.int64) * ticks
    return Market(days, stocks, closes)
