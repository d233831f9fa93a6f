"""Which prices are current, and which are stale."""

import datetime as dt
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from enum import StrEnum
from typing import Protocol

from tarazu.domain.calendar import is_business_day, previous_business_day
from tarazu.kit.clock import INDIA, day_in_india

OPEN_AT = dt.time(9, 0, tzinfo=INDIA)
CLOSE_AT = dt.time(15, 30, tzinfo=INDIA)
GOOD_FOR = dt.timedelta(minutes=15)
"""How old a price may be while the market is open, unless the firm sets another limit."""


class PriceSource(StrEnum):
    """Where a price came from."""

    ZERODHA = "ZERODHA"
    ANGEL_ONE = "ANGEL_ONE"
    SIMULATED = "SIMULATED"
    NSE_FILE = "NSE_FILE"
    BSE_FILE = "BSE_FILE"
    HOLDINGS_FILE = "HOLDINGS_FILE"
    SHIPPED = "CLOSE"
    """A close of the list of instruments that comes with the product."""


EXCHANGE_FILES = frozenset({PriceSource.NSE_FILE, PriceSource.BSE_FILE})
FILES = EXCHANGE_FILES | {PriceSource.HOLDINGS_FILE}


def is_market_open(now: dt.datetime, holidays: AbstractSet[dt.date]) -> bool:
    """Whether NSE trades shares now, the time before the opening included."""
    day = day_in_india(now)
    opens, closes = dt.datetime.combine(day, OPEN_AT), dt.datetime.combine(day, CLOSE_AT)
    return opens <= now < closes and is_business_day(day, holidays)


def day_of_last_close(now: dt.datetime, holidays: AbstractSet[dt.date]) -> dt.date:
    """The newest business day on which the market has closed already."""
    day = day_in_india(now)
    has_closed = now >= dt.datetime.combine(day, CLOSE_AT)
    if has_closed and is_business_day(day, holidays):
        return day
    return previous_business_day(day, holidays)


class Timed(Protocol):
    """A price with its time and source."""

    @property
    def at(self) -> dt.datetime: ...

    @property
    def source(self) -> str: ...


def opening_of(day: dt.date, now: dt.datetime, holidays: AbstractSet[dt.date]) -> dt.datetime:
    """When a price counts as made of which only the day is known: at the opening of that day.

    So every price of the day whose time is known goes before it. On a day without trading, and
    before the opening, it is of the business day before.
    """
    opened = dt.datetime.combine(day, OPEN_AT)
    if is_business_day(day, holidays) and opened <= now:
        return opened
    return dt.datetime.combine(previous_business_day(day, holidays), OPEN_AT)


def is_stale(
    quote: Timed,
    now: dt.datetime,
    holidays: AbstractSet[dt.date],
    good_for: dt.timedelta = GOOD_FOR,
) -> bool:
    """Whether a price is too old to advise at.

    While the market is open a price is good for `good_for`. While it is closed one of the day of
    the last close is good. At any time the close of that day from a file of the exchange is. A
    close that came with the product is always stale.
    """
    return staleness(now, holidays, good_for)(quote)


def staleness(
    now: dt.datetime, holidays: AbstractSet[dt.date], good_for: dt.timedelta = GOOD_FOR
) -> Callable[[Timed], bool]:
    """As `is_stale`, of many prices at one instant."""
    is_open, closed_on = is_market_open(now, holidays), day_of_last_close(now, holidays)

    def is_stale_now(quote: Timed) -> bool:
        if quote.source == PriceSource.SHIPPED:
            return True
        if now - quote.at <= good_for:
            return False
        is_of_last_close = day_in_india(quote.at) == closed_on
        if is_open:
            return not (is_of_last_close and quote.source in EXCHANGE_FILES)
        return not is_of_last_close

    return is_stale_now
