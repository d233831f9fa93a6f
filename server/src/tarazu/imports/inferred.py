"""Trades that two holdings files show: a difference that no known trade explains.

A file has the holdings of the evening before it was made, or of the day that it names. Nothing is
inferred where all days between the two readings were read, where the sources are of two brokers,
or where the change may be a split, a bonus or a consolidation that nobody recorded. Shares that a
recorded one brought are no trade.
"""

import datetime as dt
import uuid
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Set
from typing import Final

from sqlalchemy.orm import Session

from tarazu.domain.money import ZERO
from tarazu.domain.reconcile import price_of_purchase
from tarazu.domain.splits import may_be_action
from tarazu.firm import service as firm
from tarazu.imports.checking import ClientChange
from tarazu.imports.readers.parsed import FileKind
from tarazu.kit.clock import day_in_india, start_of
from tarazu.orders import service as orders
from tarazu.orders.service import NewTrade
from tarazu.portfolio import service as portfolio
from tarazu.portfolio.service import NewHolding

BROKERS: Final = {
    FileKind.KITE_HOLDINGS_CSV: "ZERODHA",
    FileKind.CONSOLE_HOLDINGS_XLSX: "ZERODHA",
    FileKind.ANGEL_HOLDINGS: "ANGEL_ONE",
}
_Holding = tuple[uuid.UUID, uuid.UUID]
"""Client and instrument."""
_ONE_DAY: Final = dt.timedelta(days=1)
_NONE: Final = NewHolding(0, ZERO)


def readings_before(
    session: Session, kind: FileKind, client_ids: Collection[uuid.UUID]
) -> dict[uuid.UUID, dt.datetime]:
    """When the holdings of these clients last came in from the broker of such a file, by client."""
    broker = _broker_of(kind)
    return {
        key: account.synced_at
        for key, account in portfolio.synced_accounts(session, client_ids).items()
        if account.synced_at is not None and _broker_of(account.source) == broker
    }


def record_inferred(
    session: Session,
    now: dt.datetime,
    as_on: dt.date | None,
    changes: Collection[ClientChange],
    before: Mapping[uuid.UUID, dt.datetime],
) -> None:
    """Record the trades that new holdings show, and until when trades are known by them.

    Args:
        as_on: the day of the file, if it names one.
        changes: the clients of the file.
        before: when the holdings of a client came in before, as `readings_before` has it.
    """
    day, until = _read_until(as_on, now)
    holidays = firm.holidays(session)
    since = {
        change.client.id: before[change.client.id]
        for change in changes
        if change.client.id in before
        and before[change.client.id] < until
        and orders.was_day_missed(before[change.client.id], day, holidays)
    }
    changed = [
        change for change in changes if change.client.id in since and not change.change.is_empty
    ]
    if changed:
        known = orders.delivered_since(
            session, {change.client.id: since[change.client.id] for change in changed}, until
        )
        marked = portfolio.marked_holdings(session, now)
        credited = {credit[:2]: credit.shares for credit in portfolio.credits_since(session, now)}
        trades = {
            change.client.id: list(
                _trades(
                    change,
                    known[change.client.id],
                    (marked, credited),
                    (since[change.client.id], until),
                )
            )
            for change in changed
        }
        orders.record_inferred(session, trades, now)
    orders.record_trades_read(session, dict.fromkeys(since, until), now)


def traded_since(
    session: Session, now: dt.datetime, as_on: dt.date | None, client_ids: Collection[uuid.UUID]
) -> dict[uuid.UUID, dict[uuid.UUID, int]]:
    """Own trades since the reading before, of clients who wait for shares of a corporate action."""
    _, until = _read_until(as_on, now)
    waiting = portfolio.waiting_since(session, client_ids)
    return orders.delivered_stocks(session, waiting, until)


def _read_until(as_on: dt.date | None, now: dt.datetime) -> tuple[dt.date, dt.datetime]:
    """The first day whose trades are not in the file, and the instant of the reading."""
    today = day_in_india(now)
    if as_on is None or as_on >= today:
        return today, now
    return as_on + _ONE_DAY, start_of(as_on + _ONE_DAY)


def _broker_of(source: str) -> str:
    return BROKERS.get(FileKind(source), source) if source in set(FileKind) else source


def _trades(
    change: ClientChange,
    known: Counter[str],
    actions: tuple[Set[_Holding], Mapping[_Holding, int]],
    span: tuple[dt.datetime, dt.datetime],
) -> Iterator[NewTrade]:
    """What the changed holdings of a client show.

    Args:
        actions: holdings with a suspected action; and shares that recorded actions brought.
    """
    marked, credited = actions
    keys = {*change.change.added, *change.change.changed, *change.change.removed}
    for key in sorted(keys):
        stock = change.known[key]
        old, new = change.held.get(key, _NONE), change.new.get(key, _NONE)
        holding = (change.client.id, key)
        explained = known[stock.isin] + credited.get(holding, 0)
        shares = new.quantity - old.quantity - explained
        before = (max(old.quantity + explained, 0), old.average_price)
        after = (new.quantity, new.average_price)
        is_action = holding in marked or may_be_action(before, after)
        if not stock.isin or not shares or (is_action and holding not in credited):
            continue
        price = price_of_purchase(before, after) if not explained else None
        listing = (new.exchange or old.exchange or stock.exchange, stock.symbol)
        yield orders.inferred_trade(stock.isin, listing, shares, price, span)
