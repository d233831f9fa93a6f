"""Computes what became of clients' advice: from sealed rows, trades, answers, prices and charges.

All of a client's advice of the last year is computed together, because a trade goes to the oldest
line that takes it. Older advice takes part where its windows overlap later ones, and otherwise
stays as it was computed. The sealed advice is never touched.

Only what changed is written, and each change of a status is one event in the audit trail. The same
input again changes nothing.
"""

import datetime as dt
import uuid
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from sqlalchemy.orm import Session

from tarazu.advice import service as advice
from tarazu.advice.service import SentRows
from tarazu.domain.calendar import business_days_later
from tarazu.domain.charges import ChargeRates, Side
from tarazu.domain.execution import shortfall as shortfalls
from tarazu.domain.execution.values import Action, AdviceState, Fill, LineStatus, OpenOrder, Trading
from tarazu.firm import service as firm
from tarazu.follow_up import matching_queries as queries
from tarazu.follow_up.computing import (
    ClientInput,
    Closes,
    ComputedAdvice,
    Terms,
    computed_advice,
    fill_rows,
    line_row,
)
from tarazu.follow_up.matching_queries import KnownExecution
from tarazu.follow_up.windows import end_of_day
from tarazu.instruments import service as instruments
from tarazu.kit import audit_log
from tarazu.kit.audit_log import SYSTEM
from tarazu.kit.clock import day_in_india
from tarazu.orders import service as orders
from tarazu.orders.service import ClientTrading, KnownOrder, StoredTrade
from tarazu.portfolio import service as portfolio
from tarazu.prices import service as prices

FOLLOWED_FOR: Final = dt.timedelta(days=366)
"""How long after its sending an advice is computed again when trades or answers change."""
READ_BACK: Final = dt.timedelta(days=2 * 366)
"""How far back advice is read whose windows may overlap those of the last year."""
CHANGED: Final = "advice_execution_changed"

_SIDES: Final = {"BUY": Side.BUY, "SELL": Side.SELL}
_QUIET: Final = frozenset({LineStatus.UNKNOWN, LineStatus.PENDING})
"""The first status of a line needs no event where it is one of these."""


@dataclass(slots=True)
class Tables:
    """What many clients have in common; keep one for one run of the job.

    Attributes:
        window_days: of advice that is computed for the first time.
        charges: of each broker by the dated table.
    """

    session: Session
    terms: Terms
    window_days: int
    charges: dict[str, shortfalls.DayCharges] = field(default_factory=dict)
    rates: dict[tuple[str, dt.date], ChargeRates] = field(default_factory=dict)

    def charges_of(self, broker: str) -> shortfalls.DayCharges:
        """The charges of a broker; of the usual one where it is not known."""
        known = self.charges.get(broker)
        if known is None:
            known = self.charges[broker] = shortfalls.DayCharges(self._rates_of(broker))
        return known

    def _rates_of(self, broker: str) -> Callable[[dt.date], ChargeRates]:
        def rates_on(day: dt.date) -> ChargeRates:
            rates = self.rates.get((broker, day))
            if rates is None:
                rates, _ = advice.rates_of(self.session, broker, end_of_day(day))
                self.rates[broker, day] = rates
            return rates

        return rates_on


@dataclass(slots=True)
class _Change:
    """Rows to be written, and events to be recorded."""

    new: list[dict[str, Any]] = field(default_factory=list)
    changed: list[dict[str, Any]] = field(default_factory=list)
    lines: list[dict[str, Any]] = field(default_factory=list)
    fills: list[dict[str, Any]] = field(default_factory=list)


def tables_of(session: Session, now: dt.datetime) -> Tables:
    """What the clients of one run of the job have in common."""
    settings = firm.follow_up_settings(session)
    terms = Terms(now, firm.holidays(session), settings.tolerance)
    return Tables(session, terms, settings.window_days)


def recompute(
    session: Session, client_ids: Collection[uuid.UUID], now: dt.datetime, tables: Tables
) -> int:
    """Compute the advice of these clients again; how many advices changed."""
    tables.session = session
    known = queries.known_executions(session, client_ids)
    followed = followed_advice(session, client_ids, known, tables)
    unknown = [
        one.id for of_client in followed.values() for one in of_client if one.id not in known
    ]
    models = advice.model_names_of(session, unknown)
    trading = trading_of(session, followed)
    refusals = queries.refusals_of(session, followed)
    brokers = portfolio.synced_accounts(session, followed)
    closes = _closes_of(session, followed, now)
    computed: list[ComputedAdvice] = []
    for client_id, of_client in followed.items():
        account = brokers.get(client_id)
        client = ClientInput(
            of_client,
            windows_of(of_client, known, tables),
            trading[client_id],
            refusals,
            tables.charges_of(account.broker if account else ""),
            closes,
            {one.id: _model_of(one.id, known, models) for one in of_client},
        )
        computed += computed_advice(client, tables.terms)
    return _write(session, computed, known, now)


def followed_advice(
    session: Session,
    client_ids: Collection[uuid.UUID],
    known: Mapping[uuid.UUID, KnownExecution],
    tables: Tables,
) -> dict[uuid.UUID, list[SentRows]]:
    """The advice of these clients that is computed; without clients who have none."""
    sent = advice.sent_rows(session, client_ids, tables.terms.now - READ_BACK)
    return {
        client_id: chosen
        for client_id, of_client in sent.items()
        if (chosen := _followed(of_client, known, tables))
    }


def windows_of(
    sent: Sequence[SentRows], known: Mapping[uuid.UUID, KnownExecution], tables: Tables
) -> dict[uuid.UUID, dt.date]:
    """The last day of each advice."""
    return {one.id: _window_end(one, known, tables) for one in sent}


def _model_of(
    advice_id: uuid.UUID,
    known: Mapping[uuid.UUID, KnownExecution],
    models: Mapping[uuid.UUID, str],
) -> str:
    return known[advice_id].model_name if advice_id in known else models.get(advice_id, "")


def _window_end(
    sent: SentRows, known: Mapping[uuid.UUID, KnownExecution], tables: Tables
) -> dt.date:
    """The last day of an advice: as the settings were when it was first computed."""
    if sent.id in known:
        return known[sent.id].window_ends_on
    return business_days_later(
        day_in_india(sent.sent_at), tables.window_days, tables.terms.holidays
    )


def _followed(
    sent: Sequence[SentRows], known: Mapping[uuid.UUID, KnownExecution], tables: Tables
) -> list[SentRows]:
    """The advice that is computed: of the last year, and what overlaps with it without a gap."""
    first, ended_at = None, None
    for place, one in enumerate(sent):
        if ended_at is None or ended_at < one.sent_at:
            first = place
        ends_at = end_of_day(_window_end(one, known, tables))
        ended_at = ends_at if ended_at is None else max(ended_at, ends_at)
        if one.sent_at >= tables.terms.now - FOLLOWED_FOR:
            return list(sent[first:])
    return []


# ------------------------------------------------------------------------------------------- input


def trading_of(
    session: Session, followed: Mapping[uuid.UUID, Sequence[SentRows]]
) -> dict[uuid.UUID, Trading]:
    """The trades of these clients since the first of their advice that is followed."""
    if not followed:
        return {}
    since = min(of_client[0].sent_at for of_client in followed.values())
    known = orders.trading_of_clients(session, followed, since)
    isins = {row.isin for of_client in followed.values() for one in of_client for row in one.rows}
    isins |= {trade.isin for trading in known.values() for trade in trading.trades}
    actions = instruments.unit_changes_of(session, isins - {""})
    return {
        client_id: _trading(known[client_id], actions, of_client[0].sent_at)
        for client_id, of_client in followed.items()
    }


def _trading(known: ClientTrading, actions: Sequence[Action], since: dt.datetime) -> Trading:
    return Trading(
        [_fill(trade) for trade in known.trades if trade.traded_at >= since],
        [_order(order) for order in known.orders if order.ordered_at >= since],
        actions,
        known.read_at,
    )


def _fill(trade: StoredTrade) -> Fill:
    return Fill(
        trade.id,
        trade.trade_id,
        trade.isin,
        _SIDES[trade.side],
        trade.quantity,
        trade.price,
        trade.traded_at,
        trade.after,
        trade.product,
        trade.tag,
        trade.exchange,
    )


def _order(order: KnownOrder) -> OpenOrder:
    return OpenOrder(
        order.isin,
        _SIDES[order.side],
        order.ordered_at,
        order.is_rejected,
        order.reason,
        order.tag,
    )


def _closes_of(
    session: Session, followed: Mapping[uuid.UUID, Sequence[SentRows]], now: dt.datetime
) -> Closes:
    """The closes of the advised shares since the first sending, by token."""
    if not followed:
        return {}
    since = min(of_client[0].sent_at for of_client in followed.values())
    tokens = {
        row.instrument_token
        for of_client in followed.values()
        for one in of_client
        for row in one.rows
    }
    return prices.closes_between(session, tokens, day_in_india(since), day_in_india(now))


# ----------------------------------------------------------------------------------------- writing


def _write(
    session: Session,
    computed: Sequence[ComputedAdvice],
    known: Mapping[uuid.UUID, KnownExecution],
    now: dt.datetime,
) -> int:
    """Write what changed, with an event for each advice whose statuses changed."""
    change = _Change()
    written: list[ComputedAdvice] = []
    for one in computed:
        before = known.get(one.advice_id)
        fingerprint = one.fingerprint
        if before is not None and before.fingerprint == fingerprint:
            continue
        stored = one.row | {"computed_at": now, "fingerprint": fingerprint}
        (change.new if before is None else change.changed).append(stored)
        change.lines += [line_row(one.advice_id, line) for line in one.lines]
        change.fills += [fill for line in one.lines for fill in fill_rows(one.advice_id, line)]
        written.append(one)
    if not written:
        return 0
    statuses = queries.statuses_of(session, [row["advice_id"] for row in change.changed])
    queries.write_executions(session, change.new, change.changed, change.lines, change.fills)
    events = [event for one in written if (event := _event_of(one, known, statuses))]
    audit_log.record_many(session, SYSTEM, now, CHANGED, events)
    return len(written)


def _event_of(
    one: ComputedAdvice,
    known: Mapping[uuid.UUID, KnownExecution],
    statuses: Mapping[uuid.UUID, Mapping[int, LineStatus]],
) -> tuple[tuple[str, object], dict[str, Any]] | None:
    """The event of an advice whose state or lines have another status; None for none."""
    before = known.get(one.advice_id)
    earlier = statuses.get(one.advice_id, {})
    lines: dict[str, list[str | None]] = {
        str(line.row.place): [earlier.get(line.row.place), line.result.status]
        for line in one.lines
        if earlier.get(line.row.place) is not line.result.status
    }
    if before is None:
        lines = {place: pair for place, pair in lines.items() if pair[1] not in _QUIET}
    state: AdviceState = one.row["state"]
    is_state_changed = before is not None and before.state is not state
    if not lines and not is_state_changed:
        return None
    details: dict[str, Any] = {
        "clientId": one.row["client_id"],
        "state": [before.state if before else None, state],
        "lines": lines,
    }
    return ("advice", one.advice_id), details
