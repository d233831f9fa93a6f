"""Which prices are good to advise at, whatever the hour and wherever they came from."""

import datetime as dt
from decimal import Decimal

import pytest

from tarazu.kit.clock import INDIA
from tarazu.prices.book import Quote
from tarazu.prices.freshness import PriceSource, day_of_last_close, is_stale

REPUBLIC_DAY = dt.date(2026, 1, 26)
"""A Monday."""
HOLIDAYS = {REPUBLIC_DAY}


def at(day: int, clock: str) -> dt.datetime:
    return dt.datetime.combine(dt.date(2026, 1, day), dt.time.fromisoformat(clock), tzinfo=INDIA)


@pytest.mark.parametrize(
    ("now", "day"),
    [
        (at(22, "15:29"), 21),
        (at(22, "15:30"), 22),
        (at(23, "08:00"), 22),
        (at(24, "12:00"), 23),
        (at(26, "16:00"), 23),
        (at(27, "15:00"), 23),
        (at(27, "15:30"), 27),
    ],
)
def test_the_last_close_is_of_the_newest_day_that_has_closed(now: dt.datetime, day: int) -> None:
    assert day_of_last_close(now, HOLIDAYS) == dt.date(2026, 1, day)


@pytest.mark.parametrize(
    ("now", "priced_at", "source", "stale"),
    [
        (at(22, "11:00"), at(22, "10:45"), "ZERODHA", False),
        (at(22, "11:00"), at(22, "10:44"), "ZERODHA", True),
        (at(22, "11:00"), at(21, "15:30"), "ANGEL_ONE", True),
        (at(22, "11:00"), at(21, "15:30"), "NSE_FILE", False),
        (at(22, "11:00"), at(20, "15:30"), "NSE_FILE", True),
        (at(22, "11:00"), at(21, "15:30"), "HOLDINGS_FILE", True),
        (at(22, "18:00"), at(22, "13:10"), "ZERODHA", False),
        (at(22, "18:00"), at(21, "15:30"), "BSE_FILE", True),
        (at(25, "12:00"), at(23, "15:30"), "HOLDINGS_FILE", False),
        (at(26, "12:00"), at(23, "15:30"), "BSE_FILE", False),
        (at(22, "18:00"), at(22, "15:30"), "CLOSE", True),
        (at(25, "12:00"), at(25, "11:59"), "SIMULATED", False),
    ],
)
def test_a_price_is_stale_once_it_is_too_old_for_the_hour(
    now: dt.datetime, priced_at: dt.datetime, source: str, stale: bool
) -> None:
    quote = Quote(Decimal(100), priced_at, PriceSource(source))
    assert is_stale(quote, now, HOLIDAYS) is stale
