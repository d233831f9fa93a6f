"""A broker's answer about a client, written to the books: all of it in one transaction, or nothing.

A row that cannot be read is left out and listed, and its holding stays as it was. An empty list of
holdings, where something was held, is applied when it came three times over an hour, or when staff
confirm it; until then nothing of the answer is written. Money is what the client owns: the broker's
`net` less the value of pledged shares.
"""

import datetime as dt
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy.orm import Session

from tarazu.brokers import service as brokers
from tarazu.brokers.service import LiveBrokerSession
from tarazu.domain.money import ZERO, Rupees, rounded
from tarazu.domain.reconcile import PRICE_PLACES
from tarazu.instruments import service as instruments
from tarazu.instruments.service import BrokerListing
from tarazu.kit import audit_log
from tarazu.kit.audit_log import Actor
from tarazu.kit.clock import day_in_india
from tarazu.kit.db import new_id
from tarazu.orders import service as orders
from tarazu.orders.service import Fill, NewOrder
from tarazu.orders.tables import OrderSide, OrderStatus
from tarazu.people import service as people
from tarazu.portfolio import service as portfolio
from tarazu.portfolio.service import Funds
from tarazu.sync import client_trades, queries
from tarazu.sync import reconciliation as broker_lines
from tarazu.sync.broker_reads import BrokerAnswer
from tarazu.sync.errors import (
    Doubted,
    NotConnected,
)
from tarazu.sync.reconciliation import SHARES, ShareLine, UnexplainedChange
from tarazu.sync.tables import BrokerLine, ClientSync, Outcome

TIMES_EMPTY = 3
EMPTY_FOR = dt.timedelta(hours=1)
"""An empty list of holdings is believed when it came so often, over so long."""
MOST_TOLD = 60
"""Changed holdings that are named in the trail; more are counted."""


@dataclass(frozen=True, slots=True)
class ClientSyncResult:
    """How the reading of one client went; the reason is a sentence for a person."""

    outcome: Outcome
    reason: str = ""
    changed: int = 0
    unmapped: int = 0
    unexplained: int = 0


def apply_answer(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    live: LiveBrokerSession,
    answer: BrokerAnswer,
    *,
    accept_empty: bool,
) -> ClientSyncResult:
    """Write a whole answer to the books, or nothing and raise a refusal."""
    client_id = client_of(live)
    people.client(session, client_id)
    # The books' turn first, as every writer of the books takes it.
    portfolio.lock_accounts(session)
    last = queries.client_sync(session, client_id)
    if last is not None and last.synced_at is not None and last.synced_at > answer.read_at:
        return ClientSyncResult(Outcome.DONE)
    before = list(queries.lines_of(session, client_id))
    since = last.synced_at if last is not None else None
    unreadable = broker_lines.unreadable_lines(
        before, answer.holdings.left_out, is_same_day=_is_today(since, now)
    )
    if not accept_empty and not answer.holdings and not unreadable:
        _refuse_emptied(session, client_id, last, now)
    lines = _located(session, broker_lines.lines_of(answer, unreadable), now)
    fills, unexplained = _take_trading(session, now, live, answer, last, (before, lines))
    changed = _write_books(session, actor, now, live, answer, lines)
    credited = {
        credit.instrument_id: credit.shares
        for credit in portfolio.credits_since(session, now)
        if credit.client_id == client_id
    }
    if since is not None:
        client_trades.infer_trades(session, client_id, (unexplained, credited), fills, since, now)
    queries.replace_lines(session, client_id, [line.row(client_id) for line in lines])
    _store_unexplained(
        session, client_id, unexplained, broker_lines.instrument_ids(before, lines), now
    )
    _store_sync(session, now, live, answer, fills, last)
    unexplained = [change for change in unexplained if not change.is_credit(credited)]
    unmapped = [line.symbol for line in lines if line.instrument is None]
    if changed or unexplained:
        details = _audit_details(live, changed, unexplained, unmapped)
        audit_log.record(session, actor, now, "client_synced", ("client", client_id), details)
    return ClientSyncResult(Outcome.DONE, "", len(changed), len(unmapped), len(unexplained))


def _take_trading(
    session: Session,
    now: dt.datetime,
    live: LiveBrokerSession,
    answer: BrokerAnswer,
    last: ClientSync | None,
    readings: tuple[Sequence[BrokerLine], Sequence[ShareLine]],
) -> tuple[list[Fill], list[UnexplainedChange]]:
    """Store orders and trades; the fills since the last answer, and changes that they do not explain.

    Args:
        readings: the lines of the last answer and of this one.
    """
    client_id, since = client_of(live), last.synced_at if last is not None else None
    fills = orders.take_order_book(
        session, client_id, now, [_order(order) for order in answer.orders], since
    )
    orders.close_lapsed_orders(session, now, client_id)
    client_trades.record_answer(
        session, client_id, answer, client_trades.isins_of(answer, *readings), now
    )
    # Of another broker all is new: there is nothing to compare with.
    if last is None or since is None or last.broker != live.broker:
        return fills, []
    return fills, broker_lines.unexplained_changes(*readings, fills)


def _located(session: Session, lines: list[ShareLine], now: dt.datetime) -> list[ShareLine]:
    """The lines of an answer, each with its instrument if it is recognised."""
    listings = [
        BrokerListing(line.exchange, line.symbol, line.isin, line.token, line.last_price)
        for line in lines
    ]
    located, new_tokens = instruments.locate(session, listings, now)
    portfolio.follow_new_tokens(session, new_tokens)
    for line, instrument in zip(lines, located, strict=True):
        line.instrument = instrument
    return lines


def _write_books(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    live: LiveBrokerSession,
    answer: BrokerAnswer,
    lines: Sequence[ShareLine],
) -> dict[uuid.UUID, str]:
    """Holdings and money of the books; what changed of each instrument, in words."""
    client_id, source = client_of(live), live.broker.value
    holdings = broker_lines.holdings_of(lines)
    waiting = portfolio.waiting_since(session, [client_id])
    traded = orders.delivered_stocks(session, waiting, now).get(client_id)
    change = portfolio.replace_holdings(session, actor, now, client_id, holdings, source, traded)
    funds = answer.funds
    money = Funds(
        rounded(funds.net - funds.collateral, PRICE_PLACES),
        rounded(funds.cash, PRICE_PLACES),
        rounded(funds.intraday_payin, PRICE_PLACES),
    )
    portfolio.set_funds(session, actor, now, client_id, money)
    standing = portfolio.account_summary(session, client_id)
    if (standing.broker, standing.broker_user_id) != (source, live.login.broker_user_id):
        portfolio.set_broker(session, client_id, source, live.login.broker_user_id)
    words = {key: f"0 to {holding.quantity}" for key, holding in change.added.items()}
    words |= {key: f"{holding.quantity} to 0" for key, holding in change.removed.items()}
    return words | {
        key: f"{old.quantity} to {new.quantity}" for key, (old, new) in change.changed.items()
    }


def _refuse_emptied(
    session: Session, client_id: uuid.UUID, last: ClientSync | None, now: dt.datetime
) -> None:
    """Refuse an empty list of holdings of a client who held something before today.

    What was bought today is in no list of holdings until tomorrow.

    Raises:
        Doubted: this is not yet the third time over an hour.
    """
    is_of_today = _is_today(last.synced_at if last is not None else None, now)
    held = portfolio.present_of(session, [client_id])[client_id].holdings.values()
    if not any(holding.quantity > (holding.bought_today if is_of_today else 0) for holding in held):
        return
    times, since = (last.emptied_times, last.emptied_at) if last is not None else (0, None)
    if since is None or times + 1 < TIMES_EMPTY or now - since < EMPTY_FOR:
        raise Doubted


def _is_today(at: dt.datetime | None, now: dt.datetime) -> bool:
    return at is not None and day_in_india(at) == day_in_india(now)


def _store_unexplained(
    session: Session,
    client_id: uuid.UUID,
    unexplained: Sequence[UnexplainedChange],
    known: Mapping[tuple[str, str], uuid.UUID],
    now: dt.datetime,
) -> None:
    queries.add_changes(
        session,
        [
            {
                "id": new_id(),
                "client_id": client_id,
                "instrument_id": known.get(change.line.name),
                "exchange": change.line.exchange,
                "symbol": change.line.symbol,
                "isin": change.line.isin,
                "before": change.before,
                "after": change.after,
                "ordered": change.ordered,
                "average_before": change.average_before,
                "average_after": change.average_after,
                "hint": change.hint,
                "found_at": now,
                "seen_at": None,
                "seen_by": None,
            }
            for change in unexplained
        ],
    )


def _store_sync(
    session: Session,
    now: dt.datetime,
    live: LiveBrokerSession,
    answer: BrokerAnswer,
    fills: Sequence[Fill],
    last: ClientSync | None,
) -> None:
    row = last or ClientSync(
        client_id=client_of(live),
        emptied_at=None,
        emptied_times=0,
        left_out="",
        synced_at=None,
        ledger_at=None,
        ledger_net=ZERO,
        ledger_traded=ZERO,
        ledger_turnover=ZERO,
    )
    traded, turnover = broker_lines.money_of(fills)
    is_first = row.ledger_at is None or row.broker != live.broker
    row.broker, row.outcome, row.reason = live.broker, Outcome.DONE, ""
    row.tried_at = row.synced_at = answer.read_at
    row.checked_session_id, row.emptied_at, row.emptied_times = live.id, None, 0
    row.left_out = "\n".join(unreadable_row.sentence for unreadable_row in answer.left_out)
    row.net = rounded(answer.funds.net - answer.funds.collateral, PRICE_PLACES)
    row.collateral = rounded(answer.funds.collateral, PRICE_PLACES)
    is_foreign = any(position.exchange not in SHARES for position in answer.positions)
    if is_foreign or answer.positions.left_out:
        # Margins of derivatives come and go with the market: there is nothing to compare.
        row.ledger_at = None
    elif is_first:
        start_ledger(row, now)
    else:
        row.ledger_traded += traded
        row.ledger_turnover += turnover
    session.add(row)
    session.flush()


def start_ledger(row: ClientSync, now: dt.datetime) -> None:
    row.ledger_at, row.ledger_net = now, row.net
    row.ledger_traded = row.ledger_turnover = ZERO


def _audit_details(
    live: LiveBrokerSession,
    changed: Mapping[uuid.UUID, str],
    unexplained: Sequence[UnexplainedChange],
    unmapped: Sequence[str],
) -> dict[str, Any]:
    """What a sync changed, for the audit log: holdings, and unexplained changes."""
    named = dict(list(changed.items())[:MOST_TOLD])
    return {
        "broker": live.broker,
        "changed": len(changed),
        "quantities": {str(key): words for key, words in named.items()},
        "unexplained": [
            f"{change.line.symbol} {change.before} to {change.after}" for change in unexplained
        ],
        "unmapped": list(unmapped)[:MOST_TOLD],
    }


def _order(order: brokers.BrokerOrder) -> NewOrder:
    return NewOrder(
        broker_order_id=order.order_id,
        ordered_at=order.placed_at,
        symbol=order.symbol,
        exchange=order.exchange,
        side=OrderSide(order.side),
        quantity=order.quantity,
        average_price=rounded(order.average_price, PRICE_PLACES) if order.filled else Rupees(0),
        status=OrderStatus(order.status),
        product=order.product,
        filled_quantity=order.filled,
        raw_status=order.raw_status,
        reason=order.reason,
        tag=order.tag,
    )


def client_of(live: LiveBrokerSession) -> uuid.UUID:
    if live.client_id is None:
        raise NotConnected
    return live.client_id
