"""The value of every client and of the firm, at the newest prices and at each daily close."""

import datetime as dt
import uuid
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

import numpy as np
from sqlalchemy.orm import Session

from tarazu.domain.money import ZERO, Rupees, from_units, to_units
from tarazu.instruments import service as instruments
from tarazu.kit.db import part_of
from tarazu.people import service as people
from tarazu.portfolio import close_queries, pending_queries, queries
from tarazu.portfolio.accounts import lock_accounts
from tarazu.portfolio.book import ClientArrays, ValueBook, Valued
from tarazu.portfolio.owned_shares import owned
from tarazu.prices import service as prices
from tarazu.teams.service import ALL_CLIENTS, VisibleClients


@dataclass(frozen=True, slots=True)
class StockSum:
    """What all active clients hold of one instrument."""

    instrument_id: uuid.UUID
    quantity: int
    invested: Rupees


def client_values(session: Session) -> Valued:
    """What every client is worth at the newest prices."""
    book = part_of(session, ValueBook)
    with book.lock:
        _catch_up(session, book)
        return book.values(prices.book_of(session))


def client_arrays(session: Session) -> ClientArrays:
    """What every client holds; a new object after each change of any account."""
    book = part_of(session, ValueBook)
    with book.lock:
        _catch_up(session, book)
        return book.clients


def oldest_prices(
    session: Session, client_ids: Iterable[uuid.UUID]
) -> Mapping[uuid.UUID, dt.datetime]:
    """When the oldest of the prices was made of the shares that each of these clients holds.

    Shares that were never priced do not count; clients without any priced share are left out.
    """
    book = part_of(session, ValueBook)
    with book.lock:
        _catch_up(session, book)
        return book.oldest_prices(prices.book_of(session), client_ids)


def with_older_prices(session: Session, than: dt.datetime) -> Set[uuid.UUID]:
    """Clients who hold a share whose price was made before an instant.

    The same set, and not only an equal one, as long as it is the same clients.
    """
    book = part_of(session, ValueBook)
    with book.lock:
        _catch_up(session, book)
        return book.with_older_prices(prices.book_of(session), than)


@dataclass(frozen=True, slots=True)
class Together:
    """How many clients are active, and their shares and net cash together, in rupees."""

    clients: int
    worth: Rupees
    cash: Rupees


def together(session: Session, visible: VisibleClients) -> Together:
    """The active clients among these, at the newest prices."""
    values = client_values(session)
    clients = values.clients
    chosen = np.flatnonzero(clients.is_counted)
    if visible.ids is not None:
        places = clients.places_of(visible.ids)
        chosen = places[clients.is_counted[places]]
    cash = int(clients.net[chosen].sum())
    total = int(values.totals[chosen].sum())
    return Together(len(chosen), from_units(total - cash), from_units(cash))


def stock_sums(session: Session, visible: VisibleClients = ALL_CLIENTS) -> list[StockSum]:
    """What all active clients together hold, from the kept totals; of some, from their holdings."""
    if visible.ids is not None:
        sums = {row[0]: (int(row[1]), int(row[2])) for row in queries.sums_of(session, visible)}
        extras = pending_queries.extras_of(session, visible.ids)
        counted = queries.counted_among(session, {client_id for client_id, _ in extras})
        for (client_id, key), extra in extras.items():
            if client_id in counted:
                quantity, invested = sums.get(key, (0, 0))
                cost = invested - to_units(extra.false_cost)
                sums[key] = quantity + extra.quantity, cost
        return [
            StockSum(key, quantity, from_units(invested))
            for key, (quantity, invested) in sums.items()
            if quantity > 0
        ]
    return [StockSum(*row) for row in queries.stock_totals(session)]


def firm_worth(session: Session) -> Rupees:
    """What the shares of all active clients are worth at the newest prices."""
    rows = queries.stock_totals_by_token(session)
    units = prices.book_of(session).units(row.token for row in rows)
    return sum((worth_of(row.quantity, row.invested, units.get(row.token)) for row in rows), ZERO)


def worth_of(quantity: int, invested: Rupees, units: int | None) -> Rupees:
    """Shares at a price in units; at cost where no price is known, as for each client."""
    return from_units(quantity * units) if units else invested


def held_instruments(session: Session, visible: VisibleClients = ALL_CLIENTS) -> set[uuid.UUID]:
    """Instruments that any active client among these holds."""
    if visible.is_all:
        return queries.held_instruments(session)
    return {stock.instrument_id for stock in stock_sums(session, visible)}


def holder_counts(session: Session, instrument_ids: Collection[uuid.UUID]) -> dict[uuid.UUID, int]:
    """How many active clients hold each of these; those that nobody holds are left out."""
    return queries.holder_counts(session, instrument_ids)


def follow_new_tokens(session: Session, former: Mapping[uuid.UUID, int]) -> None:
    """Value what holders of these instruments have by their new tokens; known prices go along.

    Args:
        session: in which the instruments have their new tokens.
        former: the tokens before, by instrument.
    """
    if former:
        lock_accounts(session)
        tokens = instruments.tokens(session)
        prices.take_over(session, {old: tokens[key] for key, old in former.items()})
        queries.renew_holders(session, former.keys(), queries.next_revision(session))


def firm_closes(
    session: Session, since: dt.date | None = None, until: dt.date | None = None
) -> list[tuple[dt.date, Rupees]]:
    """The firm's value at each daily close, newest first."""
    return close_queries.firm_closes(session, since, until)


def client_closes(
    session: Session, client_id: uuid.UUID, since: dt.date | None = None
) -> list[tuple[dt.date, Rupees, Rupees]]:
    """Day, holdings value and net of each of a client's closes, oldest first."""
    return close_queries.client_closes_of(session, client_id, since)


def closes_of_clients(
    session: Session, client_ids: Collection[uuid.UUID], since: dt.date
) -> Iterator[tuple[uuid.UUID, dt.date, Rupees]]:
    """Client, day and portfolio value of each close of these clients from a day on, in order."""
    return close_queries.closes_of_clients(session, client_ids, since)


def record_closes(
    session: Session,
    clients: Sequence[tuple[uuid.UUID, dt.date, Rupees, Rupees]],
    firm: Sequence[tuple[dt.date, Rupees, int]],
    closed_at: dt.datetime | None = None,
) -> None:
    """Write daily closes: client, day, holdings value, net; and day, value, clients.

    Args:
        closed_at: when they were made; None: soon after each day's close.
    """
    names = ("client_id", "date", "holdings_value", "net")
    close_queries.add_closes(
        session,
        [dict(zip(names, row, strict=True)) for row in clients],
        [
            dict(zip(("date", "value", "clients"), row, strict=True)) | {"closed_at": closed_at}
            for row in firm
        ],
    )


def last_close_day(session: Session) -> dt.date | None:
    """The last day that was closed; None without any."""
    return close_queries.last_firm_close(session)


def has_closes(session: Session) -> bool:
    """Whether any day was closed."""
    return close_queries.last_firm_close(session) is not None


def _catch_up(session: Session, book: ValueBook) -> None:
    newest = queries.firm_total(session).revision
    # A reader on an older snapshot must not turn the book back.
    if newest <= book.revision:
        return
    changed = queries.accounts_after(session, book.revision)
    ids = None if book.revision < 0 else [account.client_id for account in changed]
    held = owned(queries.holdings_of_all(session, ids), pending_queries.extras_of(session, ids))
    book.take(changed, held, instruments.tokens(session), people.client_numbers(session, ids))
    book.revision = newest
