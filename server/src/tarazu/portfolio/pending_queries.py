"""SQL statements of corporate actions on holdings: what readings showed, what waits for credit."""

import datetime as dt
import uuid
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from typing import NamedTuple

from sqlalchemy import Row, Select, bindparam, case, delete, func, insert, or_, select, update
from sqlalchemy.orm import Session

from tarazu.domain.money import ZERO, Rupees
from tarazu.kit.db import insert_into, read
from tarazu.portfolio.queries import in_parts
from tarazu.portfolio.tables import Account, CreditState, Holding, HoldingChange, PendingAction

Key = tuple[uuid.UUID, uuid.UUID]
"""A client and an instrument: one holding."""


class Extra(NamedTuple):
    """What a holding is beside what was shown of it.

    `quantity` are shares that wait to be credited, below zero those that go; `false_cost` is by how
    much quantity times average shown is above what the shares cost.
    """

    quantity: int = 0
    false_cost: Rupees = ZERO


NO_EXTRA = Extra()


@dataclass(frozen=True, slots=True)
class WaitingShares:
    """A holding that waits for the shares of an action: `gained` of them, since the ex-date."""

    client_id: uuid.UUID
    action_id: uuid.UUID
    instrument_id: uuid.UUID
    gained: int
    since: dt.date


_EXTRA = (
    PendingAction.client_id,
    PendingAction.instrument_id,
    func.sum(
        case(
            (
                PendingAction.state == CreditState.WAITING,
                PendingAction.expected_quantity - PendingAction.quantity_before,
            ),
            else_=0,
        )
    ).label("quantity"),
    func.sum(PendingAction.false_cost).label("false_cost"),
)
_IS_OPEN = PendingAction.state.in_((CreditState.WAITING, CreditState.AVERAGE, CreditState.UNKNOWN))
_IS_EXTRA = PendingAction.state.in_((CreditState.WAITING, CreditState.AVERAGE))


def extras_of(
    session: Session, client_ids: Collection[uuid.UUID] | None = None
) -> dict[Key, Extra]:
    """By holding of these clients, or of all, what it is beside what was shown."""
    statement = select(*_EXTRA).where(_IS_EXTRA)
    grouped = statement.group_by(PendingAction.client_id, PendingAction.instrument_id)
    if client_ids is None:
        rows = list(session.execute(grouped))
    else:
        rows = []
        for some in in_parts(client_ids):
            rows += session.execute(grouped.where(PendingAction.client_id.in_(some)))
    return _extras(rows)


def extras_of_client(session: Session, client_id: uuid.UUID) -> dict[uuid.UUID, Extra]:
    """As `extras_of`, of one client by instrument."""
    extras = _extras(read(session, _extras_of_client(), {"client_id": client_id}))
    return {key: extra for (_, key), extra in extras.items()}


@cache
def _extras_of_client() -> Select[uuid.UUID, uuid.UUID, int, Decimal]:
    return (
        select(*_EXTRA)
        .where(_IS_EXTRA, PendingAction.client_id == bindparam("client_id"))
        .group_by(PendingAction.client_id, PendingAction.instrument_id)
    )


def _extras(rows: Collection[Row] | Iterator[Row]) -> dict[Key, Extra]:  # type: ignore[type-arg]
    extras = {
        (row[0], row[1]): Extra(int(row.quantity), Decimal(row.false_cost or 0)) for row in rows
    }
    return {key: extra for key, extra in extras.items() if extra != NO_EXTRA}


class PendingRow(NamedTuple):
    """The columns of a `PendingAction`, but for `is_adjusted`."""

    client_id: uuid.UUID
    action_id: uuid.UUID
    instrument_id: uuid.UUID
    quantity_before: int
    expected_quantity: int
    since: dt.date
    credited_at: dt.datetime | None
    state: CreditState
    false_cost: Rupees

    @property
    def key(self) -> Key:
        """The holding."""
        return self.client_id, self.instrument_id

    @property
    def gained(self) -> int:
        """Shares that the action brings; below zero for a consolidation."""
        return self.expected_quantity - self.quantity_before

    @property
    def extra(self) -> Extra:
        """What the holding is by it beside what was shown."""
        waiting = self.gained if self.state is CreditState.WAITING else 0
        return Extra(waiting, self.false_cost)


_COLUMNS = tuple(getattr(PendingAction, name) for name in PendingRow._fields)


def rows_of(
    session: Session, client_ids: Collection[uuid.UUID], instrument_ids: Collection[uuid.UUID]
) -> list[PendingRow]:
    """What actions do to these clients' holdings of these, and all of theirs that is not over."""
    rows: list[PendingRow] = []
    for some in in_parts(client_ids):
        statement = select(*_COLUMNS).where(
            PendingAction.client_id.in_(some),
            or_(_IS_OPEN, PendingAction.instrument_id.in_(instrument_ids)),
        )
        rows += [PendingRow(*row) for row in session.execute(statement)]
    return rows


def rows_of_action(session: Session, action_id: uuid.UUID) -> list[PendingRow]:
    statement = select(*_COLUMNS).where(PendingAction.action_id == action_id)
    return [PendingRow(*row) for row in session.execute(statement)]


def add_rows(session: Session, rows: Sequence[PendingRow]) -> None:
    for some in in_parts(rows):
        session.execute(
            insert(PendingAction), [row._asdict() | {"is_adjusted": True} for row in some]
        )


def mark_unadjusted(session: Session, rows: Collection[PendingRow]) -> None:
    """Note that closes of some days could not be adjusted for these."""
    for row in rows:
        session.execute(
            update(PendingAction)
            .where(
                PendingAction.client_id == row.client_id,
                PendingAction.action_id == row.action_id,
                PendingAction.instrument_id == row.instrument_id,
            )
            .values(is_adjusted=False)
        )


def unadjusted_of(session: Session, client_id: uuid.UUID) -> set[uuid.UUID]:
    """The instruments for which not all of a client's closes could be adjusted."""
    statement = select(PendingAction.instrument_id).where(
        PendingAction.client_id == client_id, ~PendingAction.is_adjusted
    )
    return set(session.execute(statement).scalars())


def delete_rows(session: Session, rows: Collection[PendingRow]) -> None:
    clients: dict[Key, list[uuid.UUID]] = {}
    for row in rows:
        clients.setdefault((row.action_id, row.instrument_id), []).append(row.client_id)
    for (action_id, instrument_id), ids in clients.items():
        for some in in_parts(ids):
            session.execute(
                delete(PendingAction).where(
                    PendingAction.client_id.in_(some),
                    PendingAction.action_id == action_id,
                    PendingAction.instrument_id == instrument_id,
                )
            )


def holders_since(
    session: Session, instrument_ids: Collection[uuid.UUID], since: dt.datetime
) -> set[Key]:
    """The holdings of these instruments that are there now, or changed since an instant."""
    statement = select(Holding.client_id, Holding.instrument_id).where(
        Holding.instrument_id.in_(instrument_ids)
    )
    changed = select(HoldingChange.client_id, HoldingChange.instrument_id).where(
        HoldingChange.instrument_id.in_(instrument_ids), HoldingChange.at >= since
    )
    return {(row[0], row[1]) for row in session.execute(statement.union(changed))}


def shown_now(
    session: Session, client_ids: Collection[uuid.UUID], instrument_ids: Collection[uuid.UUID]
) -> dict[Key, tuple[int, Rupees]]:
    """Quantity and average of these clients' holdings of these, as they were shown last."""
    shown: dict[Key, tuple[int, Rupees]] = {}
    for some in in_parts(client_ids):
        statement = select(
            Holding.client_id, Holding.instrument_id, Holding.quantity, Holding.average_price
        ).where(Holding.client_id.in_(some), Holding.instrument_id.in_(instrument_ids))
        shown |= {(row[0], row[1]): (row[2], row[3]) for row in session.execute(statement)}
    return shown


def changes_since(
    session: Session,
    client_ids: Collection[uuid.UUID],
    instrument_ids: Collection[uuid.UUID],
    since: dt.datetime,
) -> dict[Key, list[HoldingChange]]:
    """What readings since an instant showed otherwise of these holdings, in order of time."""
    changes: dict[Key, list[HoldingChange]] = {}
    for some in in_parts(client_ids):
        statement = (
            select(HoldingChange)
            .where(
                HoldingChange.client_id.in_(some),
                HoldingChange.instrument_id.in_(instrument_ids),
                HoldingChange.at >= since,
            )
            .order_by(HoldingChange.at)
        )
        for row in session.execute(statement).scalars():
            changes.setdefault((row.client_id, row.instrument_id), []).append(row)
    return changes


def changes_of_client(
    session: Session, client_id: uuid.UUID, since: dt.datetime
) -> dict[uuid.UUID, list[HoldingChange]]:
    """What readings since an instant showed otherwise of a client, by stock, in order of time."""
    statement = (
        select(HoldingChange)
        .where(HoldingChange.client_id == client_id, HoldingChange.at >= since)
        .order_by(HoldingChange.at)
    )
    changes: dict[uuid.UUID, list[HoldingChange]] = {}
    for row in session.execute(statement).scalars():
        changes.setdefault(row.instrument_id, []).append(row)
    return changes


def note_changes(session: Session, rows: Sequence[Mapping[str, object]]) -> None:
    """Keep what readings showed otherwise; two readings at one instant count as one."""
    if not rows:
        return
    inserted = insert_into(session, HoldingChange)
    statement = inserted.on_conflict_do_update(
        index_elements=["client_id", "instrument_id", "at"],
        set_={
            "after": inserted.excluded.after,
            "average_after": inserted.excluded.average_after,
            "traded": HoldingChange.traded + inserted.excluded.traded,
        },
    )
    for some in in_parts(rows):
        session.execute(statement, some)


def drop_changes_before(session: Session, before: dt.datetime) -> int:
    """Delete what readings showed before then, of holdings that wait for nothing; how many rows."""
    is_waiting = (
        select(PendingAction.client_id)
        .where(
            PendingAction.client_id == HoldingChange.client_id,
            PendingAction.instrument_id == HoldingChange.instrument_id,
            _IS_OPEN,
        )
        .exists()
    )
    statement = delete(HoldingChange).where(HoldingChange.at < before, ~is_waiting)
    return len(session.execute(statement.returning(HoldingChange.at)).all())


def readings_of(session: Session, client_ids: Collection[uuid.UUID]) -> dict[uuid.UUID, Row]:  # type: ignore[type-arg]
    """By client, whether counted, and when holdings came in first and last."""
    rows: dict[uuid.UUID, Row] = {}  # type: ignore[type-arg]
    for some in in_parts(client_ids):
        statement = select(
            Account.client_id, Account.is_counted, Account.first_synced_at, Account.synced_at
        ).where(Account.client_id.in_(some))
        rows |= {row.client_id: row for row in session.execute(statement)}
    return rows


def renew_accounts(session: Session, client_ids: Collection[uuid.UUID], revision: int) -> None:
    """Give these accounts the newest revision."""
    for some in in_parts(client_ids):
        session.execute(
            update(Account).where(Account.client_id.in_(some)).values(revision=revision)
        )


def waiting_shares(session: Session) -> list[WaitingShares]:
    """Every holding that waits for shares, by ex-date."""
    statement = (
        select(
            PendingAction.client_id,
            PendingAction.action_id,
            PendingAction.instrument_id,
            PendingAction.expected_quantity - PendingAction.quantity_before,
            PendingAction.since,
        )
        .where(PendingAction.state == CreditState.WAITING)
        .order_by(PendingAction.since, PendingAction.action_id)
    )
    return [WaitingShares(*row) for row in session.execute(statement)]


def waiting_by_day(session: Session) -> dict[dt.date, int]:
    """How many holdings wait for shares, by ex-date."""
    statement = (
        select(PendingAction.since, func.count())
        .where(PendingAction.state == CreditState.WAITING)
        .group_by(PendingAction.since)
    )
    return {row[0]: row[1] for row in session.execute(statement)}


def pending_clients(session: Session) -> set[uuid.UUID]:
    """Clients one of whose holdings waits for shares, or may wait for them."""
    return {row[0] for row in read(session, _pending_clients(), {})}


@cache
def _pending_clients() -> Select[uuid.UUID]:
    is_pending = PendingAction.state.in_((CreditState.WAITING, CreditState.UNKNOWN))
    return select(PendingAction.client_id).where(is_pending).distinct()


def unknown_holdings(session: Session, client_id: uuid.UUID | None = None) -> set[Key]:
    """The holdings, of one client or of all, of which it is not known whether shares are credited."""
    if client_id is None:
        rows = read(session, _unknown_holdings())
    else:
        rows = read(session, _unknown_holdings_of_client(), {"client_id": client_id})
    return {(row[0], row[1]) for row in rows}


@cache
def _unknown_holdings() -> Select[uuid.UUID, uuid.UUID]:
    return select(PendingAction.client_id, PendingAction.instrument_id).where(
        PendingAction.state == CreditState.UNKNOWN
    )


@cache
def _unknown_holdings_of_client() -> Select[uuid.UUID, uuid.UUID]:
    return _unknown_holdings().where(PendingAction.client_id == bindparam("client_id"))


def clients_with_open(session: Session, client_ids: Collection[uuid.UUID]) -> set[uuid.UUID]:
    """Those of these clients one of whose holdings is between an action and its end."""
    ids: set[uuid.UUID] = set()
    for some in in_parts(client_ids):
        statement = select(PendingAction.client_id).where(
            PendingAction.client_id.in_(some), _IS_OPEN
        )
        ids.update(session.execute(statement).scalars())
    return ids


def credits_since(session: Session, since: dt.datetime) -> Sequence[Row]:  # type: ignore[type-arg]
    """Client, instrument, time and shares of every credit since an instant."""
    gained = PendingAction.expected_quantity - PendingAction.quantity_before
    statement = (
        select(
            PendingAction.client_id,
            PendingAction.instrument_id,
            PendingAction.credited_at,
            func.sum(gained),
        )
        .where(PendingAction.credited_at >= since)
        .group_by(PendingAction.client_id, PendingAction.instrument_id, PendingAction.credited_at)
    )
    return session.execute(statement).all()


def holders_by_action(session: Session, action_ids: Collection[uuid.UUID]) -> Iterator[Row]:  # type: ignore[type-arg]
    """Action, clients concerned, and those of them that still wait."""
    waits = case((PendingAction.state == CreditState.WAITING, PendingAction.client_id))
    for some in in_parts(action_ids):
        statement = (
            select(
                PendingAction.action_id,
                func.count(PendingAction.client_id.distinct()),
                func.count(waits.distinct()),
            )
            .where(PendingAction.action_id.in_(some))
            .group_by(PendingAction.action_id)
        )
        yield from session.execute(statement)
