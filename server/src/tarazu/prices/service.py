"""Last prices: recorded from the feed, read by all features, never estimated."""

import datetime as dt
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Final

import numpy as np
from sqlalchemy import Row
from sqlalchemy.orm import Session

from tarazu.domain.money import Rupees, to_units
from tarazu.firm import service as firm
from tarazu.instruments import service as instruments
from tarazu.kit import clock, leases, table_versions
from tarazu.kit.clock import day_in_india
from tarazu.kit.db import Database, part_of
from tarazu.kit.processes import own_id
from tarazu.prices import queries
from tarazu.prices.book import EPOCH, MICROSECOND, PriceBook, PriceRows, Quote
from tarazu.prices.freshness import (
    CLOSE_AT,
    FILES,
    PriceSource,
    day_of_last_close,
    is_market_open,
    is_stale,
    opening_of,
    staleness,
)
from tarazu.prices.steps import follow_steps, step_prices, stepped_by, steps_of, undo_step
from tarazu.prices.tables import PriceFile

LAST_CLOSE = PriceSource.SHIPPED
OLD_AFTER = dt.timedelta(seconds=15)
"""Prices are old if no source has sent any for so long."""

FEED_LEASE = "prices"
"""Held by the one process that has the feed."""
READERS = "prices-by-database"
"""Held while some process has no other way to the prices than the database."""
READ_FOR = 10.0
SAVED_WITHIN = dt.timedelta(minutes=1)
"""How much older than the newest known price one may be that is only saved now."""
NO_VOLUMES: Final[Mapping[int, int]] = {}
NO_PRICES: Final[Mapping[int, Rupees]] = {}
WHOLE_EVERY = 5
"""Of the readings from the database, each so many takes in all prices, however old."""


def book_of(session: Session) -> PriceBook:
    """The price book of the session's database, filled with the last known prices."""
    book = part_of(session, PriceBook)
    if not book.is_loaded:
        fill(session, book)
    follow_steps(session, book)
    return book


def book_in(database: Database) -> PriceBook:
    """The price book of a database, without a transaction of the caller's."""
    book: PriceBook | None = database.parts.get(PriceBook)
    if book is not None and book.is_loaded:
        return book
    with database.reading() as session:
        return book_of(session)


def last_prices(session: Session, tokens: Iterable[int]) -> dict[int, Quote]:
    """The newest known quote of each token that has one, all read at one instant."""
    return book_of(session).quotes(tokens)


def as_traded(session: Session, tokens: Iterable[int]) -> dict[int, Quote]:
    """As `last_prices`, each price as it was when it was made, whatever split took place since."""
    return book_of(session).as_traded(tokens)


def staleness_at(session: Session, now: dt.datetime) -> Callable[[Quote], bool]:
    """Whether a price is too old to advise at now; see `is_stale`."""
    return staleness(now, firm.holidays(session), firm.price_age(session))


def stale_quotes(session: Session, now: dt.datetime, tokens: Iterable[int]) -> dict[int, Quote]:
    """The prices of these tokens that are too old to advise at now; see `is_stale`."""
    book, token_list = book_of(session), list(tokens)
    # While prices are live few are looked at one by one: a firm may hold thousands of stocks.
    good_from = (now - firm.price_age(session) - EPOCH) // MICROSECOND
    old = np.flatnonzero(book.times_of(token_list) < good_from).tolist()
    is_stale_now = staleness_at(session, now)
    quotes = book.quotes(token_list[place] for place in old)
    return {token: quote for token, quote in quotes.items() if is_stale_now(quote)}


def record_prices(
    session: Session, prices: Mapping[int, Rupees], at: dt.datetime, source: str
) -> None:
    """Take prices into the book: rupees a share by instrument token."""
    units = {token: to_units(price) for token, price in prices.items()}
    book_of(session).record(units, at, source)


def take_over(session: Session, tokens: Mapping[int, int]) -> None:
    """Let what is known of the prices of former tokens hold for the new ones.

    Args:
        session: whose book and tables these are.
        tokens: the new token, by the former one.
    """
    book = book_of(session)
    for old, quote in book.as_traded(tokens).items():
        if quote.source != LAST_CLOSE:
            book.record({tokens[old]: to_units(quote.price)}, quote.at, quote.source)
            row = {"instrument_token": tokens[old], "price": quote.price}
            queries.save_last_prices(session, [row | {"at": quote.at, "source": quote.source}])
    for old, new in tokens.items():
        queries.copy_day_closes(session, old, new)
    queries.renew_steps(session, tokens.values())


def are_flowing(session: Session, now: dt.datetime) -> bool:
    """Whether a source has sent a price within the last seconds."""
    last_tick_at = book_of(session).last_tick_at
    return last_tick_at is not None and now - last_tick_at <= OLD_AFTER


def prices_of_day(session: Session, day: dt.date, tokens: Iterable[int]) -> dict[int, Rupees]:
    """What shares last cost on a day that is not over, by token; those not traded are left out."""
    quotes = book_of(session).as_traded(tokens)
    return {token: quote.price for token, quote in quotes.items() if day_in_india(quote.at) == day}


def closes_of_day(session: Session, day: dt.date, tokens: Iterable[int]) -> dict[int, Rupees]:
    """What is known of the closing prices of a day that is over, by token.

    They were stored at the time, or the newest known price is of that day, after its close.
    """
    closed_at = dt.datetime.combine(day, CLOSE_AT)
    unique_tokens = set(tokens)
    quotes = book_of(session).as_traded(unique_tokens)
    last = {
        token: quote.price
        for token, quote in quotes.items()
        if quote.at >= closed_at and day_in_india(quote.at) == day
    }
    closes = queries.day_closes(session, day)
    return last | {token: price for token, price in closes.items() if token in unique_tokens}


def closes_between(
    session: Session, tokens: Collection[int], first: dt.date, last: dt.date
) -> dict[int, list[tuple[dt.date, Rupees]]]:
    """The stored closes of these shares on these days, both included: by token, in order of time."""
    closes: dict[int, list[tuple[dt.date, Rupees]]] = {token: [] for token in tokens}
    for token, day, price in queries.closes_between(session, tokens, first, last):
        closes[token].append((day, price))
    return closes


def opens_of_day(session: Session, day: dt.date, tokens: Collection[int]) -> dict[int, Rupees]:
    """The stored opening prices of these shares on a day, by token, where known."""
    return queries.opens_of_day(session, day, tokens)


def last_closes(session: Session, tokens: Collection[int]) -> dict[int, tuple[dt.date, Rupees]]:
    """Day and price of the last stored close of each of these shares that has one, by token."""
    return {token: (day, price) for token, day, price in queries.last_closes(session, tokens)}


def volumes_between(
    session: Session, tokens: Collection[int], first: dt.date, last: dt.date
) -> dict[int, list[tuple[dt.date, int]]]:
    """The shares traded on these days, both included, where known: by token, in order of time."""
    volumes: dict[int, list[tuple[dt.date, int]]] = {token: [] for token in tokens}
    for token, day, shares in queries.volumes_between(session, tokens, first, last):
        volumes[token].append((day, shares))
    return volumes


def record_day_closes(
    session: Session,
    day: dt.date,
    closes: Mapping[int, Rupees],
    volumes: Mapping[int, int] = NO_VOLUMES,
    opens: Mapping[int, Rupees] = NO_PRICES,
) -> set[int]:
    """Store closing prices of a day: rupees by token; a stored one stays.

    Args:
        volumes: shares traded that day by token, where known; a stored one is replaced.
        opens: the day's first prices by token, likewise.

    Returns:
        The tokens of which no close of that day was stored before.
    """
    rows: list[dict[str, object]] = [
        {
            "instrument_token": token,
            "date": day,
            "price": price,
            "open": opens.get(token),
            "volume": volumes.get(token),
        }
        for token, price in sorted(closes.items())
    ]
    if not rows:
        return set()
    added = closes.keys() - queries.day_closes(session, day).keys()
    queries.add_day_closes(session, rows)
    return added


def save_last_prices(database: Database) -> int:
    """Write the prices that came since the last time; how many.

    Prices count as saved only once they are committed, so a failed run loses none. Where another
    process has the feed nothing is written: that one does it.
    """
    book: PriceBook | None = database.parts.get(PriceBook)
    unsaved = book.unsaved() if book is not None and book.is_saved_here else {}
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


def save_if_wanted(database: Database) -> int:
    """Save at once where a process without the bus reads prices from the database; how many."""
    with database.reading() as session:
        lease = leases.lease_state(session, READERS)
    return save_last_prices(database) if lease and lease.seconds_left > 0 else 0


class SavedPrices:
    """Reads what the process with the feed saves, in a process that the bus does not reach."""

    def __init__(self, database: Database) -> None:
        self._database, self._reads = database, 0

    def read(self, book: PriceBook) -> None:
        """Load what was saved since the last call, and show the feed that it is read."""
        newest, self._reads = book.last_tick_at, self._reads + 1
        is_whole = newest is None or self._reads % WHOLE_EVERY == 1
        since = None if is_whole or newest is None else newest - SAVED_WITHIN
        with self._database.reading() as session:
            rows = queries.last_prices(session, since)
            known = leases.lease_state(session, READERS)
        if known is None or known.seconds_left < READ_FOR / 2:
            with self._database.transaction() as session:
                leases.hold(session, READERS, own_id(), READ_FOR)
        if rows:
            book.merge(_rows_of(rows), is_shown=False)
            book.note_tick(max(row.at for row in rows))


def _rows_of(rows: Sequence[Row]) -> PriceRows:  # type: ignore[type-arg]
    sources = sorted({row.source for row in rows})
    numbers = [
        (
            row.instrument_token,
            to_units(row.price),
            (row.at - EPOCH) // MICROSECOND,
            sources.index(row.source),
        )
        for row in rows
    ]
    tokens, units, at, source = np.array(numbers, dtype=np.int64).T.copy()
    return PriceRows(tokens, units, at, source, tuple(sources))


def catch_up(session: Session) -> None:
    """Load the prices that another process stored and that are newer than this one's."""
    book = book_of(session)
    quotes = queries.last_prices(session)
    known = book.quotes(row.instrument_token for row in quotes)
    for row in quotes:
        mine = known.get(row.instrument_token)
        if mine is None or mine.at < row.at:
            book.record({row.instrument_token: to_units(row.price)}, row.at, row.source)


def keep_prices(session: Session, quotes: Mapping[int, Quote]) -> None:
    """Store prices from a file, by instrument token; a newer stored one stays.

    They are in the book once `take_filed` looks for them, after the transaction.
    """
    rows: list[dict[str, object]] = [
        {"instrument_token": token, "price": quote.price, "at": quote.at, "source": quote.source}
        for token, quote in sorted(quotes.items())
    ]
    if rows:
        queries.save_last_prices(session, rows)


def note_file(session: Session, row: Mapping[str, object]) -> None:
    """Keep that prices were read from a file, or why not: the columns of `PriceFile`."""
    queries.save_price_file(session, row)


def file_read(session: Session, file_hash: str) -> PriceFile | None:
    """What became of the file with this SHA-256; None where it was never read."""
    return queries.price_file(session, file_hash)


def has_price_file(session: Session) -> bool:
    """Whether prices were ever read from a daily file of an exchange."""
    return queries.has_price_file(session)


def last_refused_file(session: Session) -> PriceFile | None:
    """The file that was refused last; None where another one was taken in since."""
    return queries.last_refused_file(session)


def keep_prices_of_day(
    session: Session, closes: Mapping[int, Rupees], day: dt.date, now: dt.datetime
) -> int:
    """Keep what a holdings file says that shares last cost, by token, as of the file's day.

    Prices of a future day are ignored. Returns how many were stored.
    """
    if not closes or day > day_in_india(now):
        return 0
    at = opening_of(day, now, firm.holidays(session))
    keep_prices(
        session,
        {token: Quote(price, at, PriceSource.HOLDINGS_FILE) for token, price in closes.items()},
    )
    return len(closes)


def take_filed(database: Database) -> bool:
    """Load the prices that any process stored from a file; returns whether there were any."""
    book = book_in(database)
    with database.reading() as session:
        number = table_versions.number_of(session, PriceFile)
        if number == book.files_read:
            return False
        rows = queries.last_prices(session)
    if rows:
        book.merge(_rows_of(rows), is_shown=False)
    book.files_read = number
    return True


def source_of_newest(book: PriceBook) -> tuple[str | None, dt.datetime | None]:
    """The source of the newest price of all, and when it was traded.

    A close that came with the list of instruments has no source.
    """
    newest = book.newest()
    if newest is None:
        return None, None
    return (None if newest.source == LAST_CLOSE else newest.source), newest.at


def fill(session: Session, book: PriceBook) -> None:
    """Give every instrument without a price its last known one, at worst its reference close.

    None is dated later than now, as after a clock was set back: it would keep out what trades.
    """
    now = clock.now()
    quotes: dict[int, Quote] = {}
    for token, close, day in instruments.reference_closes(session):
        if not close:
            # Never priced, which is not a price of nought.
            continue
        at = dt.datetime.combine(day, CLOSE_AT)
        if at > now:
            at = min(clock.start_of(day), now)
        quotes[token] = Quote(close, at, LAST_CLOSE)
    for row in queries.last_prices(session):
        at = min(row.at, now)
        if row.instrument_token not in quotes or quotes[row.instrument_token].at < at:
            quotes[row.instrument_token] = Quote(row.price, at, row.source)
    book.load(quotes, {token: to_units(quote.price) for token, quote in quotes.items()})
