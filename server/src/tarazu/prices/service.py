"""Last prices: recorded from whichever feed there is, read by everyone, never invented."""

import datetime as dt
from collections.abc import Iterable, Mapping
from weakref import WeakKeyDictionary

from sqlalchemy import Engine
from sqlalchemy.orm import Session

from tarazu.domain.money import Rupees, to_units
from tarazu.instruments import service as instruments
from tarazu.kit.clock import INDIA
from tarazu.kit.db import Database
from tarazu.kit.settings import Settings
from tarazu.prices import queries
from tarazu.prices.adapters.simulated import SimulatedPrices
from tarazu.prices.adapters.source import NoFeed, Source
from tarazu.prices.book import PriceBook, Quote

LAST_CLOSE = "CLOSE"
SEED = 1
"""Of the simulated market, which is the same on every installation."""
CLOSE_AT = dt.time(15, 30, tzinfo=INDIA)

_books: WeakKeyDictionary[Engine, PriceBook] = WeakKeyDictionary()


def book_of(session: Session) -> PriceBook:
    """The price book of the session's database, filled with the last known prices."""
    book = _books.setdefault(session.get_bind().engine, PriceBook())
    if not book.is_loaded:
        fill(session, book)
    return book


def last_prices(session: Session, tokens: Iterable[int]) -> dict[int, Quote]:
    """The newest known quote of each token that has one, all read at one instant."""
    return book_of(session).quotes(tokens)


def record_prices(
    session: Session, prices: Mapping[int, Rupees], at: dt.datetime, source: str
) -> None:
    """Take prices into the book: rupees a share by instrument token."""
    units = {token: to_units(price) for token, price in prices.items()}
    book_of(session).record(units, at, source)


def save_last_prices(database: Database) -> int:
    """Write the prices that came since the last time; how many.

    Prices count as saved only once they are committed, so a failed run loses none.
    """
    book = _books.get(database.engine)
    unsaved = book.unsaved() if book else {}
    if book is None or not unsaved:
        return 0
    # By token, so that two processes that save at once do not wait for each other in a ring.
    rows: list[dict[str, object]] = [
        {"instrument_token": token, "price": quote.price, "at": quote.at, "source": quote.source}
        for token, quote in sorted(unsaved.items())
    ]
    with database.transaction() as session:
        queries.save_last_prices(session, rows)
    book.mark_saved(unsaved)
    return len(rows)


def source_of(settings: Settings) -> Source:
    """The source of prices that the settings ask for."""
    if settings.demo or settings.price_source == "simulated":
        return SimulatedPrices(SEED)
    return NoFeed()


def fill(session: Session, book: PriceBook) -> None:
    """Give every instrument without a price its last known one, at worst its reference close."""
    quotes: dict[int, Quote] = {}
    for token, close, day in instruments.reference_closes(session):
        quotes[token] = Quote(close, dt.datetime.combine(day, CLOSE_AT), LAST_CLOSE)
    for row in queries.last_prices(session):
        if row.instrument_token not in quotes or quotes[row.instrument_token].at < row.at:
            quotes[row.instrument_token] = Quote(row.price, row.at, row.source)
    book.load(quotes, {token: to_units(quote.price) for token, quote in quotes.items()})
