"""The demo's benchmark: an index that is made up of the demo's own prices, and says so."""

import datetime as dt
from decimal import Decimal
from typing import Final

from sqlalchemy.orm import Session

from tarazu.benchmarks import service as benchmarks
from tarazu.benchmarks.tables import BenchmarkKind
from tarazu.demo.market import Market
from tarazu.domain.calendar import previous_business_day
from tarazu.domain.money import rounded
from tarazu.firm import service as firm
from tarazu.kit.audit_log import SYSTEM

NAME: Final = "Demo index TRI (made up)"
SOURCE: Final = "Made up from the demo's prices; no index of any provider"
FIRST_LEVEL: Final = 20_000
YIELD: Final = 0.013
"""Dividends of a year, reinvested."""
YEAR: Final = 365


def keep_index(session: Session, now: dt.datetime, market: Market) -> None:
    """Store the index over the demo's days, from the evening before the first, and choose it."""
    growth = (market.closes / market.closes[0]).mean(axis=1).tolist()
    first = market.days[0]
    values = {previous_business_day(first, firm.holidays(session)): Decimal(FIRST_LEVEL)}
    for day, grown in zip(market.days, growth, strict=True):
        dividends = (1 + YIELD) ** ((day - first).days / YEAR)
        values[day] = rounded(Decimal(repr(FIRST_LEVEL * grown * dividends)))
    benchmarks.store_values(session, now, (NAME, BenchmarkKind.TRI, SOURCE), values)
    benchmarks.choose_benchmark(session, SYSTEM, now, NAME, None)
