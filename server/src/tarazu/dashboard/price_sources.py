"""Where the prices in use came from, and how old they are."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy.orm import Session

from tarazu.advice import service as advice
from tarazu.instruments import service as instruments
from tarazu.instruments.service import Listed
from tarazu.model_portfolios import service as models
from tarazu.portfolio import service as portfolio
from tarazu.prices import service as prices
from tarazu.prices.book import Quote

MOST_NAMED: Final = 500


@dataclass(frozen=True, slots=True)
class SourceCount:
    """One source of prices; `source` is None for the stocks that were never priced."""

    source: str | None
    stocks: int
    newest_at: dt.datetime | None
    oldest_at: dt.datetime | None
    stale: int


@dataclass(frozen=True, slots=True)
class StalePrice:
    """A stock in use whose price is stale, or that has none."""

    listed: Listed
    quote: Quote | None
    is_held: bool


@dataclass(frozen=True, slots=True)
class PriceSources:
    """By source, the most stocks first; the stale ones, those without a price and the oldest first.

    `stale_count` counts all of which `stale` has the first `MOST_NAMED`.
    """

    stocks: int
    stale_count: int
    sources: Sequence[SourceCount]
    stale: Sequence[StalePrice]


def price_sources(session: Session, now: dt.datetime) -> PriceSources:
    """The prices of all stocks that a client holds, that was advised lately, or is in a model."""
    held = portfolio.held_instruments(session)
    used = held | advice.advised_instruments(session, now) | models.followed_instruments(session)
    listed = instruments.by_ids(session, used)
    quotes = prices.last_prices(session, [one.instrument_token for one in listed.values()])
    is_stale = prices.staleness_at(session, now)
    by_source: dict[str | None, list[Quote | None]] = {}
    stale = []
    for key, one in listed.items():
        quote = quotes.get(one.instrument_token)
        by_source.setdefault(quote.source if quote else None, []).append(quote)
        if quote is None or is_stale(quote):
            stale.append(StalePrice(one, quote, key in held))
    stale.sort(key=_oldest_first)
    counted = [
        _counted(source, found, sum(_source_of(one) == source for one in stale))
        for source, found in by_source.items()
    ]
    counted.sort(key=lambda one: (-one.stocks, one.source or ""))
    return PriceSources(len(listed), len(stale), counted, stale[:MOST_NAMED])


def _counted(source: str | None, found: Sequence[Quote | None], stale: int) -> SourceCount:
    times = [quote.at for quote in found if quote is not None]
    return SourceCount(
        source, len(found), max(times, default=None), min(times, default=None), stale
    )


def _source_of(one: StalePrice) -> str | None:
    return one.quote.source if one.quote else None


def _oldest_first(one: StalePrice) -> tuple[float, str]:
    return (one.quote.at.timestamp() if one.quote else float("-inf"), one.listed.symbol)
