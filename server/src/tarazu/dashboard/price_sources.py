"""Where the prices in use came from, and how old they are."""

import datetime as dt
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy.orm import Session

from tarazu.advice import service as advice
from tarazu.domain.money import Rupees
from tarazu.instruments import service as instruments
from tarazu.instruments.service import Listed
from tarazu.model_portfolios import service as models
from tarazu.portfolio import service as portfolio
from tarazu.prices import service as prices
from tarazu.prices.book import Quote
from tarazu.teams.service import ALL_CLIENTS, VisibleClients

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

    @property
    def price(self) -> Rupees | None:
        """The last price; None without one."""
        return self.quote.price if self.quote else None

    @property
    def priced_at(self) -> dt.datetime | None:
        """The time of the price; None without one."""
        return self.quote.at if self.quote else None

    @property
    def source(self) -> str | None:
        """The source of the price; None without one."""
        return self.quote.source if self.quote else None


@dataclass(frozen=True, slots=True)
class PriceSourceStatus:
    """The sources, most stocks first; the stale prices, missing and oldest first.

    `stale` has the first `MOST_NAMED` of the `stale_count`.
    """

    stocks: int
    stale_count: int
    sources: Sequence[SourceCount]
    stale: Sequence[StalePrice]


def price_sources(
    session: Session, now: dt.datetime, visible: VisibleClients = ALL_CLIENTS
) -> PriceSourceStatus:
    """The prices of all stocks that these clients hold or were advised recently, or in a model."""
    held = portfolio.held_instruments(session, visible)
    advised = advice.advised_instruments(session, now, visible)
    used = held | advised | models.followed_instruments(session)
    listed = instruments.by_ids(session, used)
    quotes = prices.last_prices(session, [stock.instrument_token for stock in listed.values()])
    is_stale = prices.staleness_at(session, now)
    by_source: dict[str | None, list[Quote | None]] = {}
    stale = []
    for key, stock in listed.items():
        quote = quotes.get(stock.instrument_token)
        by_source.setdefault(quote.source if quote else None, []).append(quote)
        if quote is None or is_stale(quote):
            stale.append(StalePrice(stock, quote, key in held))
    stale.sort(key=_oldest_first)
    stale_by_source = Counter(price.source for price in stale)
    sources = [
        _counted(source, priced, stale_by_source[source]) for source, priced in by_source.items()
    ]
    sources.sort(key=lambda count: (-count.stocks, count.source or ""))
    return PriceSourceStatus(len(listed), len(stale), sources, stale[:MOST_NAMED])


def _counted(source: str | None, quotes: Sequence[Quote | None], stale: int) -> SourceCount:
    times = [quote.at for quote in quotes if quote is not None]
    return SourceCount(
        source, len(quotes), max(times, default=None), min(times, default=None), stale
    )


def _oldest_first(price: StalePrice) -> tuple[float, str]:
    at = price.priced_at
    return at.timestamp() if at else float("-inf"), price.listed.symbol
