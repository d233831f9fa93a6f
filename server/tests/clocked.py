"""Runs a module while the market is open: `python -m tests.clocked FROM MODULE WORDS…`.

The module `tarazu` is the product's command line. FROM is an instant in seconds since 1970. From then on it is 11:00 in India, on the same day or the next
business day, for every process that is started with the same FROM.
"""

import datetime as dt
import runpy
import sys

from tarazu import cli
from tarazu.domain.calendar import is_business_day, next_business_day
from tarazu.firm.founding import NSE_HOLIDAYS
from tarazu.kit import clock

OPEN = dt.time(11)


def open_from(start: dt.datetime) -> dt.datetime:
    """11:00 in India on the day of `start`, or on the first business day after it."""
    day = clock.day_in_india(start)
    holidays = {dt.date.fromisoformat(text) for text, _ in NSE_HOLIDAYS}
    if not is_business_day(day, holidays):
        day = next_business_day(day, holidays)
    return dt.datetime.combine(day, OPEN, clock.INDIA)


def main() -> None:
    start = dt.datetime.fromtimestamp(float(sys.argv[1]), dt.UTC)
    ahead, real_now = open_from(start) - start, clock.now
    clock.now = lambda: real_now() + ahead
    module = sys.argv[2]
    if module == "tarazu":
        sys.exit(cli.main(sys.argv[3:]))
    sys.argv = [module, *sys.argv[3:]]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
