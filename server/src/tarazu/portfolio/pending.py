"""Holdings between a corporate action and its end at the broker.

Holdings stay as they were shown. What an action makes of them is computed from the readings since
the ex-date (`domain.corporate_actions.pending`) and stored as one row for each action and holding,
so that an action which is taken back leaves no trace, and one that is entered late is known as if
it had been entered in time.
"""

import datetime as dt
import uuid
from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from sqlalchemy.orm import Session

from tarazu.domain.calendar import business_days_later
from tarazu.domain.corporate_actions.pending import (
    CREDITED_WITHIN,
    Course,
    Entitlement,
    Shown,
    UnitChange,
    course_of,
)
from tarazu.domain.money import ZERO, Rupees
from tarazu.firm import service as firm
from tarazu.instruments import service as instruments
from tarazu.kit import audit_log
from tarazu.kit.audit_log import SYSTEM
from tarazu.kit.clock import day_in_india, start_of
from tarazu.portfolio import close_adjustments, pending_queries, queries
from tarazu.portfolio.close_adjustments import Gain
from tarazu.portfolio.pending_queries import NO_EXTRA, Extra, Key, PendingRow, WaitingShares
from tarazu.portfolio.tables import CreditState
from tarazu.prices import service as prices

LATE_AFTER = 4
"""Business days after the ex-date on which all shares should be credited."""
CHANGES_KEPT = dt.timedelta(days=400)
"""How long what a reading changed can serve an action that is entered late."""

Traded = Mapping[uuid.UUID, Mapping[uuid.UUID, int]]
"""By client and instrument, own trades since the reading before: bought less sold."""


class ActionHolders(NamedTuple):
    """Clients whose holdings an action concerns, and those who wait for the shares."""

    clients: int
    waiting: int


class Credit(NamedTuple):
    """Shares that a reading showed as credited."""

    client_id: uuid.UUID
    instrument_id: uuid.UUID
    at: dt.datetime
    shares: int


class ShownHolding(NamedTuple):
    """Whole shares, and what one cost on average, in rupees."""

    quantity: int
    average: Rupees


Changes = Mapping[uuid.UUID, Mapping[uuid.UUID, tuple[ShownHolding, ShownHolding]]]
"""By client and instrument, what was shown of a holding before and after."""
NOTHING = ShownHolding(0, ZERO)


def record_action(session: Session, action_id: uuid.UUID, now: dt.datetime) -> None:
    """Let an action take place whose ex-date has come; without effect before, or the second time.

    Prices of before are shown in the new units, holders own the expected shares, and closes of
    days on which they were not credited yet are adjusted.
    """
    action = instruments.known_action(session, action_id)
    if action is None or not action.changes_units or action.ex_on > day_in_india(now):
        return
    stocks = instruments.bearers_of(session, {action.isin, action.new_isin} - {""})
    queries.lock_accounts(session)
    if not stocks or prices.stepped_by(session, action_id):
        return
    ex_at = start_of(action.ex_on)
    prices.step_prices(session, action_id, stocks, ex_at, action.factor)
    holders = pending_queries.holders_since(session, stocks, ex_at)
    _recompute(session, holders, ex_at)
    _note(session, now, "corporate_action_applied", action_id, len(holders))


def remove_action(session: Session, action_id: uuid.UUID, now: dt.datetime) -> None:
    """Take back an action: every figure is as if it had not been entered."""
    queries.lock_accounts(session)
    prices.undo_step(session, action_id)
    rows = pending_queries.rows_of_action(session, action_id)
    if rows:
        since = min(start_of(row.since) for row in rows)
        keys = {(row.client_id, row.instrument_id) for row in rows}
        _recompute(session, keys, since)
    _note(session, now, "corporate_action_undone", action_id, len(rows))


def _note(
    session: Session, now: dt.datetime, what: str, action_id: uuid.UUID, holdings: int
) -> None:
    about = ("corporate_action", action_id)
    audit_log.record(session, SYSTEM, now, what, about, {"holdings": holdings})


def take_readings(
    session: Session,
    now: dt.datetime,
    changes: Changes,
    traded: Traded,
    first: Collection[uuid.UUID] = (),
) -> None:
    """Keep what readings changed, and find what they credit.

    Args:
        changes: of every client that was read, also without any change.
        first: those who were read for the first time.
    """
    pending_queries.note_changes(
        session,
        [
            {
                "client_id": client_id,
                "instrument_id": key,
                "at": now,
                "before": before.quantity,
                "after": after.quantity,
                "average_before": before.average,
                "average_after": after.average,
                "traded": traded.get(client_id, {}).get(key, 0),
            }
            for client_id, holdings in changes.items()
            if client_id not in first
            for key, (before, after) in holdings.items()
        ],
    )
    since = now - CREDITED_WITHIN
    recent = {
        key
        for key, steps in prices.steps_of(session).items()
        if any(step.ex_at >= since for step in steps)
    }
    rows = pending_queries.rows_of(session, changes, recent)
    known = {(row.client_id, row.instrument_id) for row in rows}
    new = {
        (client_id, key)
        for client_id, holdings in changes.items()
        for key in holdings.keys() & recent
        if (client_id, key) not in known
    }
    is_open = {
        (row.client_id, row.instrument_id) for row in rows if row.state is not CreditState.DONE
    }
    if new | is_open:
        _recompute(session, new | is_open, since)


def action_states(
    session: Session, action_ids: Collection[uuid.UUID]
) -> dict[uuid.UUID, ActionHolders]:
    """By action that took place, how many clients it concerns, and how many wait for its shares."""
    return {
        row[0]: ActionHolders(row[1], row[2])
        for row in pending_queries.holders_by_action(session, action_ids)
    }


def is_late(session: Session, ex_on: dt.date, today: dt.date) -> bool:
    """Whether the shares of an action should have been credited by now."""
    return today >= business_days_later(ex_on, LATE_AFTER, firm.holidays(session))


def holdings_credited_late(session: Session, today: dt.date) -> int:
    """How many holdings wait for shares that should have been credited by now."""
    counts = pending_queries.waiting_by_day(session)
    return sum(count for ex_on, count in counts.items() if is_late(session, ex_on, today))


def waiting_shares(session: Session) -> list[WaitingShares]:
    """Every holding that waits for the shares of an action, by ex-date."""
    return pending_queries.waiting_shares(session)


def pending_clients(session: Session) -> set[uuid.UUID]:
    """Clients one of whose holdings waits for the shares of an action, or may wait for them."""
    return pending_queries.pending_clients(session)


def waiting_since(
    session: Session, client_ids: Collection[uuid.UUID]
) -> dict[uuid.UUID, dt.datetime]:
    """Of these clients those with an action that is not over: when their holdings were read last."""
    clients = pending_queries.clients_with_open(session, client_ids)
    readings = pending_queries.readings_of(session, clients)
    return {key: row.synced_at for key, row in readings.items() if row.synced_at is not None}


def credits_since(session: Session, since: dt.datetime) -> list[Credit]:
    """What readings since an instant showed as credited."""
    return [
        Credit(row[0], row[1], row[2], int(row[3]))
        for row in pending_queries.credits_since(session, since)
    ]


def unadjusted_stocks(session: Session, client_id: uuid.UUID) -> list[str]:
    """The symbols of stocks for which some close before a credit is left as it was."""
    listed = instruments.by_ids(session, pending_queries.unadjusted_of(session, client_id))
    return sorted(stock.symbol for stock in listed.values())


def drop_old_changes(session: Session, now: dt.datetime) -> int:
    """Drop what readings changed so long ago that no action needs it any more; how many rows."""
    return pending_queries.drop_changes_before(session, now - CHANGES_KEPT)


def _recompute(session: Session, keys: Collection[Key], since: dt.datetime) -> None:
    """Let the rows of these holdings say what their readings show of the actions since then.

    Rows of earlier actions stay, unless they are still open.
    """
    if not keys:
        return
    facts = _Facts(session, keys, since)
    old = {key: facts.old_rows(key) for key in keys}
    new = {key: facts.new_rows(key) for key in keys}
    changed = [key for key in keys if set(old[key]) != set(new[key])]
    if not changed:
        return
    before = [row for key in changed for row in old[key]]
    after = [row for key in changed for row in new[key]]
    pending_queries.delete_rows(session, before)
    pending_queries.add_rows(session, after)
    gaps = close_adjustments.replace(session, _gains(before), _gains(after))
    unadjusted = [row for row in after if row[:3] in gaps or row[:3] in facts.unknown]
    pending_queries.mark_unadjusted(session, unadjusted)
    sums: dict[uuid.UUID, Extra] = {}
    for sign, rows in ((-1, before), (1, after)):
        for row in rows:
            if facts.readings[row.client_id].is_counted:
                total = sums.get(row.instrument_id, NO_EXTRA)
                sums[row.instrument_id] = Extra(
                    total.quantity + sign * row.extra.quantity,
                    total.false_cost + sign * row.extra.false_cost,
                )
    queries.add_to_stock_totals(
        session, {key: (total.quantity, -total.false_cost) for key, total in sums.items()}
    )
    clients = {client_id for client_id, _ in changed}
    pending_queries.renew_accounts(session, clients, queries.next_revision(session))


def _gains(rows: Sequence[PendingRow]) -> list[Gain]:
    return [Gain(*row[:3], row.gained, row.since, row.credited_at) for row in rows if row.gained]


class _Facts:
    """What is known of some holdings since an ex-date.

    `unknown` are client, action and instrument where the first reading came too late.
    """

    def __init__(self, session: Session, keys: Collection[Key], since: dt.datetime) -> None:
        clients = {client_id for client_id, _ in keys}
        stocks = {key for _, key in keys}
        self._since = since
        self._rows: dict[Key, list[PendingRow]] = {}
        for row in pending_queries.rows_of(session, clients, stocks):
            self._rows.setdefault(row.key, []).append(row)
        self._steps = prices.steps_of(session, stocks)
        first = min(map(self._since_of, keys))
        self._shown = pending_queries.shown_now(session, clients, stocks)
        self._changes = pending_queries.changes_since(session, clients, stocks, first)
        self.readings = pending_queries.readings_of(session, clients)
        self._prices = self._prices_of(session, stocks)
        self.unknown: set[tuple[uuid.UUID, uuid.UUID, uuid.UUID]] = set()

    def old_rows(self, key: Key) -> list[PendingRow]:
        """What is stored of a holding and is computed again."""
        since = self._since_of(key)
        return [row for row in self._rows.get(key, ()) if start_of(row.since) >= since]

    def new_rows(self, key: Key) -> list[PendingRow]:
        """What is to be stored of a holding."""
        course = self._course_of(key)
        rows = [_row_of(key, entitlement) for entitlement in course.entitlements]
        self.unknown |= {
            row[:3]
            for row, entitlement in zip(rows, course.entitlements, strict=True)
            if not entitlement.is_known
        }
        if course.false_cost:
            last = rows[-1]
            is_done = last.state is CreditState.DONE
            state = CreditState.AVERAGE if is_done else last.state
            rows[-1] = last._replace(false_cost=course.false_cost, state=state)
        return rows

    def _course_of(self, key: Key) -> Course:
        client_id, stock = key
        since, changes = self._since_of(key), self._changes.get(key, [])
        account = self.readings[client_id]
        quantity, average = self._shown.get(key, (0, ZERO))
        if changes:
            quantity, average = changes[0].before, changes[0].average_before
        start: Shown | None = Shown(since, quantity, average)
        readings = [Shown(row.at, row.after, row.average_after, row.traded) for row in changes]
        first = account.first_synced_at
        if first is None or first >= since:
            readings = [Shown(first or since, quantity, average), *readings]
            start = None
        actions = [
            UnitChange(step.action_id, step.ex_at, Fraction(step.new, step.old))
            for step in self._steps.get(stock, ())
            if step.ex_at >= since
        ]
        last = account.synced_at or since
        return course_of(actions, start, readings, last, self._prices.get(stock))

    def _since_of(self, key: Key) -> dt.datetime:
        """Of a holding, the first ex-date that is looked at: that of an action still open."""
        is_open = [
            start_of(row.since)
            for row in self._rows.get(key, ())
            if row.state is not CreditState.DONE
        ]
        return min([self._since, *is_open])

    def _prices_of(
        self, session: Session, stocks: Collection[uuid.UUID]
    ) -> dict[uuid.UUID, Rupees]:
        """What a share of each costs now, in the units of after all its actions."""
        listed = instruments.by_ids(session, stocks)
        quotes = prices.as_traded(session, [stock.instrument_token for stock in listed.values()])
        known = {}
        for key, stock in listed.items():
            quote = quotes.get(stock.instrument_token)
            if quote is not None:
                price = quote.price
                for step in self._steps.get(key, ()):
                    price = price * step.old / step.new if quote.at < step.ex_at else price
                known[key] = price
        return known


def _row_of(key: Key, entitlement: Entitlement) -> PendingRow:
    state = CreditState.DONE
    if entitlement.credited_at is None:
        state = CreditState.WAITING if entitlement.is_known else CreditState.UNKNOWN
    change = entitlement.change
    return PendingRow(
        key[0],
        change.key,
        key[1],
        entitlement.before,
        entitlement.expected,
        day_in_india(change.ex_at),
        entitlement.credited_at,
        state,
        ZERO,
    )
