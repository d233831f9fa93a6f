"""The daily close: what every client and the firm are worth when a business day is over.

A day is closed in one transaction, with what is held now. A day that was missed can be closed only
if nothing was bought, sold or paid and no client was added since, and only with prices of that day.
Nothing is invented: a day for which this does not hold is left out.
"""

import datetime as dt
import uuid
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy.orm import Session

from tarazu.domain.calendar import business_days_between, is_business_day, previous_business_day
from tarazu.domain.money import ZERO, Rupees
from tarazu.firm import service as firm
from tarazu.instruments import service as instruments
from tarazu.kit import audit_log
from tarazu.kit.audit_log import SYSTEM
from tarazu.kit.clock import day_in_india
from tarazu.people import service as people
from tarazu.portfolio import (
    close_adjustments,
    close_queries,
    pending_queries,
    queries,
    service,
)
from tarazu.portfolio.close_queries import AFTER
from tarazu.portfolio.errors import CannotClose
from tarazu.prices import service as prices

MOST_DAYS = 30
"""Business days that are looked back on; what is missing from before stays missing."""

_ONE_DAY = dt.timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Closed:
    """A day that is closed: what the firm's active clients were worth, and how many they were."""

    day: dt.date
    value: Rupees
    clients: int


@dataclass(frozen=True, slots=True)
class _Shares:
    """Everybody's shares as shown: (token, quantity, average price) by client.

    `tokens` are of these and of the shares that wait to be credited.
    """

    by_client: Mapping[uuid.UUID, list[tuple[int, int, Rupees]]]
    tokens: frozenset[int]


def due_days(session: Session, now: dt.datetime) -> list[dt.date]:
    """Business days that are over and not closed, since the last one that was; oldest first.

    Where no day was ever closed, only the last one that is over.
    """
    holidays = firm.holidays(session)
    today = day_in_india(now)
    is_over = is_business_day(today, holidays) and now >= dt.datetime.combine(today, AFTER)
    last = today if is_over else previous_business_day(today, holidays)
    closed = close_queries.last_firm_close(session)
    first = last if closed is None else closed + _ONE_DAY
    return business_days_between(first, last, holidays)[-MOST_DAYS:]


def close_day(session: Session, day: dt.date, now: dt.datetime) -> Closed | None:
    """Write what every client and the firm were worth at the close of `day`.

    None, and nothing is written, where the day is closed already.

    Raises:
        CannotClose: it is no business day, it is not over, or what was held or what it cost
            on that day is not known.
    """
    # Every writer of shares or cash takes this lock too, so nothing changes while we read.
    service.lock_accounts(session)
    if close_queries.is_closed(session, day):
        return None
    _refuse_unfit_day(session, day, now)
    is_missed = day < day_in_india(now)
    if is_missed:
        changed_at = queries.firm_total(session).changed_at
        if changed_at is None or changed_at > dt.datetime.combine(day, AFTER):
            raise CannotClose(
                f"holdings, cash or clients changed since {day:%d-%m-%Y}, "
                "so what was held on that day is not known"
            )
    shares = _shares_of(session)
    used = _prices_for(session, day, shares, is_missed=is_missed)
    closed = _write(session, day, shares, used, now)
    changes = {"date": day, "value": closed.value, "clients": closed.clients}
    audit_log.record(session, SYSTEM, now, "day_closed", ("day", day.isoformat()), changes)
    return closed


def _refuse_unfit_day(session: Session, day: dt.date, now: dt.datetime) -> None:
    written = f"{day:%d-%m-%Y}"
    if not is_business_day(day, firm.holidays(session)):
        raise CannotClose(f"{written} is not a business day")
    if now < dt.datetime.combine(day, AFTER):
        raise CannotClose(f"{written} can be closed after 15:45 India time on that day")
    if queries.firm_total(session).clients == 0:
        raise CannotClose("there is no active client, so there is nothing to close")


def _shares_of(session: Session) -> _Shares:
    tokens = instruments.tokens(session)
    by_client: dict[uuid.UUID, list[tuple[int, int, Rupees]]] = defaultdict(list)
    for client_id, instrument_id, quantity, average in queries.holdings_of_all(session, None):
        by_client[client_id].append((tokens[instrument_id], quantity, average))
    held = {token for rows in by_client.values() for token, _, _ in rows}
    held |= {tokens[row.instrument_id] for row in pending_queries.waiting_shares(session)}
    return _Shares(by_client, frozenset(held))


def _prices_for(
    session: Session, day: dt.date, shares: _Shares, *, is_missed: bool
) -> dict[int, Rupees]:
    """The prices to close a day with, by token; those that are of that day are kept.

    On the day itself a share that did not trade is worth its last known price. Where none of them
    has a price of the day there was no feed: the day waits for the exchange's file of its closes.
    """
    if is_missed:
        known = prices.closes_of_day(session, day, shares.tokens)
        unknown = len(shares.tokens - known.keys())
        if unknown:
            raise CannotClose(
                f"the closing price on {day:%d-%m-%Y} is not known of {unknown} "
                f"{'stock' if unknown == 1 else 'stocks'} held"
            )
        prices.record_day_closes(session, day, known)
        return known
    of_the_day = prices.prices_of_day(session, day, shares.tokens)
    quotes = prices.last_prices(session, shares.tokens)
    if quotes and not of_the_day:
        raise CannotClose(f"no price of {day:%d-%m-%Y} is known yet of any stock held")
    prices.record_day_closes(session, day, of_the_day)
    return {token: quote.price for token, quote in quotes.items()}


def _write(
    session: Session, day: dt.date, shares: _Shares, used: Mapping[int, Rupees], now: dt.datetime
) -> Closed:
    """Write the closes with the shares as they were shown, and what they lack beside them."""
    live = {card.id for card in people.client_summaries(session, "")}
    rows: list[tuple[uuid.UUID, dt.date, Rupees, Rupees]] = []
    value, clients = ZERO, 0
    for account in close_queries.accounts_to_close(session):
        held = shares.by_client.get(account.client_id, [])
        # Never priced: worth what it cost, as in the client's portfolio.
        worth = sum((quantity * used.get(token, cost) for token, quantity, cost in held), ZERO)
        if account.is_counted:
            value += worth + account.net
            clients += 1
        # Of a client whose books nobody has entered yet, nothing is known.
        is_read = account.synced_at is not None or account.hand_cash is not None
        is_blank = not (held or account.net or is_read)
        if account.client_id in live and not is_blank:
            rows.append((account.client_id, day, worth, account.net))
    service.record_closes(session, rows, [(day, value, clients)], now)
    close_adjustments.adjust_day(session, day, used)
    ((_, adjusted),) = close_queries.firm_closes(session, day, day)
    return Closed(day, adjusted, clients)
