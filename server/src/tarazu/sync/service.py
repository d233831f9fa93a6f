"""Clients' holdings, money and orders as their brokers tell them, taken into our books.

Where holdings come from two sides, a statement tells all that a client holds, and the newer one
takes the place of the older: a sync replaces what a file brought in, and a file what a sync
brought in, whole. Nothing is added up out of two sources. What the broker said stays beside the
books line by line, with its parts, until its next good answer.

An answer is taken only when every call was answered, by the client's own session. It is written
in one transaction, with what it changed in the trail. A row that cannot be read is left out and
named, and a holding whose row it was stays as it was. An empty list of holdings, where something
was held, is not believed: it is taken when it came three times over an hour, or when staff confirm
it. Until then nothing of the answer is written.

Money is what the client owns: the broker's `net` less what pledged shares are good for.
"""

import datetime as dt
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import structlog
from sqlalchemy.orm import Session

from tarazu.brokers import service as brokers
from tarazu.brokers.service import BrokerFault, LiveSession, SessionDead
from tarazu.domain.money import ZERO, Rupees, rounded
from tarazu.domain.reconcile import PRICE_PLACES
from tarazu.instruments import service as instruments
from tarazu.instruments.service import Sighting
from tarazu.kit import audit_log
from tarazu.kit.audit_log import Actor
from tarazu.kit.clock import day_in_india
from tarazu.kit.db import Database, new_id
from tarazu.kit.errors import ApiError
from tarazu.orders import service as orders
from tarazu.orders.service import Fill, NewOrder
from tarazu.orders.tables import OrderSide, OrderStatus
from tarazu.people import service as people
from tarazu.portfolio import service as portfolio
from tarazu.portfolio.service import Funds
from tarazu.sync import queries
from tarazu.sync import reconciliation as broker_lines
from tarazu.sync.broker_reads import AT_ONCE, BrokerAnswer, ReadTimeouts, read_client
from tarazu.sync.errors import (
    AnotherPerson,
    ChangeNotFound,
    Doubted,
    NeverSynced,
    NotConnected,
)
from tarazu.sync.reconciliation import SHARES, Line, Moved
from tarazu.sync.tables import BrokerLine, ClientSync, Outcome, QuantityChange

log = structlog.get_logger()

TIMES_EMPTY = 3
EMPTY_FOR = dt.timedelta(hours=1)
"""An empty list of holdings is believed when it came so often, over so long."""
MOST_TOLD = 60
"""Changed holdings that are named in the trail; more are counted."""


@dataclass(frozen=True, slots=True)
class Way:
    """What a sync needs: the database, the way to the brokers, and who wants it."""

    database: Database
    gateway: brokers.Gateway
    actor: Actor


@dataclass(frozen=True, slots=True)
class Result:
    """How the reading of one client went; the reason is a sentence for a person."""

    outcome: Outcome
    reason: str = ""
    changed: int = 0
    unmapped: int = 0
    unexplained: int = 0


@dataclass(frozen=True, slots=True)
class BrokerStatement:
    """What the broker said of a client last, and what is to be looked at.

    Attributes:
        last: None where the client was never tried.
        unseen: changes that no order explains, newest first.
    """

    last: ClientSync | None
    lines: Sequence[BrokerLine]
    unseen: Sequence[QuantityChange]


def sync_client(
    way: Way,
    client_id: uuid.UUID,
    now: dt.datetime,
    patience: ReadTimeouts = AT_ONCE,
    *,
    accept_empty: bool = False,
) -> Result:
    """Read a client from the broker and take it into the books; how it went is kept.

    For threads that may wait and hold no transaction open.

    Args:
        accept_empty: take an answer that nothing is held even where something was.

    Raises:
        ClientNotFound: there is no such client.
        NotConnected: the client has no session at a broker.
        AnotherPerson, Doubted: the answer is not taken.
        BrokerFault: the broker gives no whole answer.
        UnfitHolding: it holds what cannot be.
    """
    with way.database.reading() as session:
        people.client(session, client_id)
        live = brokers.live_client_session(session, client_id, now)
        last = queries.client_sync(session, client_id)
    try:
        if live is None:
            raise NotConnected
        is_checked = last is not None and last.checked_session_id == live.id
        answer = brokers.ask_broker(
            way.database,
            way.gateway,
            live,
            lambda broker, login: read_client(
                broker, login, patience, now, asks_who=not is_checked
            ),
            now,
        )
        _refuse_another(way, live, answer, now)
        with way.database.transaction() as session:
            return _take(session, way.actor, now, live, answer, accept_empty=accept_empty)
    except ApiError as refusal:
        _note(way.database, client_id, refusal, now)
        raise


def outcome_of(refusal: ApiError) -> Outcome:
    """What a reading that brought nothing counts as."""
    if isinstance(refusal, NotConnected):
        return Outcome.NO_SESSION
    if isinstance(refusal, SessionDead):
        return Outcome.DEAD
    return Outcome.DOUBTED if isinstance(refusal, Doubted) else Outcome.FAILED


def statement_of(session: Session, client_id: uuid.UUID) -> BrokerStatement:
    """What the broker said of a client last.

    Raises:
        ClientNotFound: there is no such client.
    """
    people.client(session, client_id)
    return BrokerStatement(
        queries.client_sync(session, client_id),
        queries.lines_of(session, client_id),
        queries.changes_of(session, client_id),
    )


def mark_change_seen(
    session: Session, actor: Actor, now: dt.datetime, change_id: uuid.UUID
) -> None:
    """Say that staff know of a change that no order explains; twice does no harm.

    Raises:
        ChangeNotFound: there is no such change.
        ClientNotFound: its client is deleted.
    """
    row = queries.change(session, change_id)
    if row is None:
        raise ChangeNotFound
    people.client(session, row.client_id)
    if row.seen_at is None:
        row.seen_at, row.seen_by = now, actor.account_id
        session.flush()
        told = {
            "clientId": row.client_id,
            "symbol": row.symbol,
            "quantity": [row.before, row.after],
        }
        audit_log.record(session, actor, now, "quantity_change_seen", ("change", row.id), told)


def accept_money(session: Session, actor: Actor, now: dt.datetime, client_id: uuid.UUID) -> None:
    """Begin the comparison of money anew, with what the broker holds now.

    Raises:
        ClientNotFound: there is no such client.
        NeverSynced: there is nothing to begin with.
    """
    people.client(session, client_id)
    row = queries.client_sync(session, client_id)
    if row is None or row.synced_at is None:
        raise NeverSynced
    _begin_ledger(row, now)
    session.flush()
    told = {"net": row.net}
    audit_log.record(session, actor, now, "broker_money_accepted", ("client", client_id), told)


# ----------------------------------------------------------------------------- the taking over


def _take(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    live: LiveSession,
    answer: BrokerAnswer,
    *,
    accept_empty: bool,
) -> Result:
    """Take a whole answer into the books: all of it, or nothing and a refusal."""
    client_id = _client_of(live)
    people.client(session, client_id)
    # The books' turn first, as every writer of the books takes it.
    portfolio.await_turn(session)
    last = queries.client_sync(session, client_id)
    if last is not None and last.synced_at is not None and last.synced_at > answer.read_at:
        return Result(Outcome.DONE)
    before = list(queries.lines_of(session, client_id))
    since = last.synced_at if last is not None else None
    kept = broker_lines.kept_lines(
        before, answer.holdings.left_out, is_same_day=_is_today(since, now)
    )
    if not accept_empty and not answer.holdings and not kept:
        _refuse_emptied(session, client_id, last, now)
    lines = _located(session, broker_lines.lines_of(answer, kept), now)
    fills = orders.take_order_book(
        session, client_id, now, [_order(one) for one in answer.orders], since
    )
    orders.close_lapsed_orders(session, now, client_id)
    # Of another broker all is new: there is nothing to compare with.
    is_same = since is not None and last is not None and last.broker == live.broker
    moved = broker_lines.moved_of(before, lines, fills) if is_same else []
    changed = _write_books(session, actor, now, live, answer, lines)
    queries.replace_lines(session, client_id, [line.row(client_id) for line in lines])
    _flag(session, client_id, moved, broker_lines.instrument_ids(before, lines), now)
    _keep_state(session, now, live, answer, fills, last)
    unmapped = [line.symbol for line in lines if line.instrument is None]
    if changed or moved:
        told = _told(live, changed, moved, unmapped)
        audit_log.record(session, actor, now, "client_synced", ("client", client_id), told)
    return Result(Outcome.DONE, "", len(changed), len(unmapped), len(moved))


def _located(session: Session, lines: list[Line], now: dt.datetime) -> list[Line]:
    """The lines of an answer, each with its instrument where it can be told."""
    sightings = [
        Sighting(line.exchange, line.symbol, line.isin, line.token, line.last_price)
        for line in lines
    ]
    located, moved = instruments.locate(session, sightings, now)
    portfolio.follow_new_tokens(session, moved)
    for line, found in zip(lines, located, strict=True):
        line.instrument = found
    return lines


def _write_books(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    live: LiveSession,
    answer: BrokerAnswer,
    lines: Sequence[Line],
) -> dict[uuid.UUID, str]:
    """Holdings and money of the books; what changed of each instrument, in words."""
    client_id, source = _client_of(live), live.broker.value
    holdings = broker_lines.holdings_of(lines)
    change = portfolio.replace_holdings(session, actor, now, client_id, holdings, source)
    told = answer.funds
    money = Funds(
        rounded(told.net - told.collateral, PRICE_PLACES),
        rounded(told.cash, PRICE_PLACES),
        rounded(told.intraday_payin, PRICE_PLACES),
    )
    portfolio.set_funds(session, actor, now, client_id, money)
    standing = portfolio.standing_of(session, client_id)
    if (standing.broker, standing.broker_user_id) != (source, live.login.broker_user_id):
        portfolio.set_broker(session, client_id, source, live.login.broker_user_id)
    words = {key: f"0 to {one.quantity}" for key, one in change.added.items()}
    words |= {key: f"{one.quantity} to 0" for key, one in change.removed.items()}
    return words | {
        key: f"{old.quantity} to {new.quantity}" for key, (old, new) in change.changed.items()
    }


def _refuse_another(way: Way, live: LiveSession, answer: BrokerAnswer, now: dt.datetime) -> None:
    """Refuse the answer of a session that is somebody else's, and let nobody use it again."""
    if answer.profile is None:
        return
    found = answer.profile.broker_user_id.upper()
    with way.database.reading() as session:
        ours = portfolio.standing_of(session, _client_of(live)).broker_user_id.upper()
    if found == live.login.broker_user_id.upper() and ours in {"", found}:
        return
    log.error("broker_session_of_another", session_id=str(live.id))
    with way.database.transaction() as session:
        brokers.note_session_dead(session, live.id, now)
    raise AnotherPerson(
        f"The broker session belongs to {found}, and the client's Broker ID is "
        f"{ours or live.login.broker_user_id}. Nothing was changed; the session was ended."
    )


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
    if not any(one.quantity > (one.bought_today if is_of_today else 0) for one in held):
        return
    times, since = (last.emptied_times, last.emptied_at) if last is not None else (0, None)
    if since is None or times + 1 < TIMES_EMPTY or now - since < EMPTY_FOR:
        raise Doubted


def _is_today(at: dt.datetime | None, now: dt.datetime) -> bool:
    return at is not None and day_in_india(at) == day_in_india(now)


def _flag(
    session: Session,
    client_id: uuid.UUID,
    moved: Sequence[Moved],
    known: Mapping[tuple[str, str], uuid.UUID],
    now: dt.datetime,
) -> None:
    queries.add_changes(
        session,
        [
            {
                "id": new_id(),
                "client_id": client_id,
                "instrument_id": known.get(one.line.name),
                "exchange": one.line.exchange,
                "symbol": one.line.symbol,
                "isin": one.line.isin,
                "before": one.before,
                "after": one.after,
                "ordered": one.ordered,
                "average_before": one.average_before,
                "average_after": one.average_after,
                "hint": one.hint,
                "found_at": now,
                "seen_at": None,
                "seen_by": None,
            }
            for one in moved
        ],
    )


def _keep_state(
    session: Session,
    now: dt.datetime,
    live: LiveSession,
    answer: BrokerAnswer,
    fills: Sequence[Fill],
    last: ClientSync | None,
) -> None:
    row = last or ClientSync(
        client_id=_client_of(live),
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
    row.left_out = "\n".join(one.sentence for one in answer.left_out)
    row.net = rounded(answer.funds.net - answer.funds.collateral, PRICE_PLACES)
    row.collateral = rounded(answer.funds.collateral, PRICE_PLACES)
    is_foreign = any(one.exchange not in SHARES for one in answer.positions)
    if is_foreign or answer.positions.left_out:
        # Margins of derivatives come and go with the market: there is nothing to compare.
        row.ledger_at = None
    elif is_first:
        _begin_ledger(row, now)
    else:
        row.ledger_traded += traded
        row.ledger_turnover += turnover
    session.add(row)
    session.flush()


def _begin_ledger(row: ClientSync, now: dt.datetime) -> None:
    row.ledger_at, row.ledger_net = now, row.net
    row.ledger_traded = row.ledger_turnover = ZERO


def _note(database: Database, client_id: uuid.UUID, refusal: ApiError, now: dt.datetime) -> None:
    """Keep how a reading went that brought nothing."""
    outcome = outcome_of(refusal)
    if isinstance(refusal, BrokerFault):
        log.warning("sync_failed", client_id=str(client_id), reason=refusal.reason)
    with database.transaction() as session:
        told: dict[str, object] = {"outcome": outcome, "reason": refusal.message}
        last = queries.client_sync(session, client_id)
        if outcome == Outcome.DOUBTED:
            told["emptied_at"] = (last.emptied_at if last is not None else None) or now
            told["emptied_times"] = (last.emptied_times if last is not None else 0) + 1
        queries.note_outcome(session, client_id, told, now)


def _told(
    live: LiveSession,
    changed: Mapping[uuid.UUID, str],
    moved: Sequence[Moved],
    unmapped: Sequence[str],
) -> dict[str, Any]:
    """What a sync did, for the trail: which holdings, and what nothing explains."""
    named = dict(list(changed.items())[:MOST_TOLD])
    return {
        "broker": live.broker,
        "changed": len(changed),
        "quantities": {str(key): words for key, words in named.items()},
        "unexplained": [f"{one.line.symbol} {one.before} to {one.after}" for one in moved],
        "unmapped": list(unmapped)[:MOST_TOLD],
    }


def _order(told: brokers.BrokerOrder) -> NewOrder:
    return NewOrder(
        broker_order_id=told.order_id,
        ordered_at=told.placed_at,
        symbol=told.symbol,
        exchange=told.exchange,
        side=OrderSide(told.side),
        quantity=told.quantity,
        average_price=rounded(told.average_price, PRICE_PLACES) if told.filled else Rupees(0),
        status=OrderStatus(told.status),
        product=told.product,
        filled_quantity=told.filled,
        raw_status=told.raw_status,
    )


def _client_of(live: LiveSession) -> uuid.UUID:
    if live.client_id is None:
        raise NotConnected
    return live.client_id
