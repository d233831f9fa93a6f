"""SQL statements of the daily closes."""

import datetime as dt
import uuid
from collections.abc import Collection, Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import groupby

from sqlalchemy import (
    BigInteger,
    Date,
    Row,
    column,
    delete,
    func,
    insert,
    or_,
    select,
    type_coerce,
    values,
)
from sqlalchemy.orm import Session

from tarazu.domain.money import ZERO, Rupees, to_units
from tarazu.kit.clock import INDIA
from tarazu.kit.db import InstantColumn, RepeatedId, add_rows
from tarazu.portfolio.queries import in_parts
from tarazu.portfolio.tables import (
    Account,
    ClientClose,
    CloseAdjustment,
    FirmClose,
    FirmCloseAdjustment,
    PendingAction,
)

AFTER = dt.time(15, 45, tzinfo=INDIA)
"""The market closes at 15:30, and the exchange settles its closing prices after that."""
AdjustmentKey = tuple[uuid.UUID, uuid.UUID, uuid.UUID]
"""Client, action and instrument."""
MadeClose = tuple[dt.date, dt.datetime]
"""A closed day, and when its close was written."""


def client_closes_of(
    session: Session, client_id: uuid.UUID, since: dt.date | None = None
) -> list[tuple[dt.date, Rupees, Rupees]]:
    """Date, holdings value and net of each close, oldest first; adjusted for corporate actions."""
    statement = (
        select(ClientClose.date, ClientClose.holdings_value, ClientClose.net)
        .where(ClientClose.client_id == client_id)
        .order_by(ClientClose.date)
    )
    if since is not None:
        statement = statement.where(ClientClose.date >= since)
    lacking = _adjustments_of(session, client_id)
    return [
        (row.date, row.holdings_value + lacking.get(row.date, ZERO), row.net)
        for row in session.execute(statement)
    ]


def closes_of_clients(
    session: Session, client_ids: Collection[uuid.UUID], since: dt.date
) -> Iterator[tuple[uuid.UUID, dt.date, Rupees]]:
    """Client, day and portfolio value of each close of these clients from `since` on, in order.

    Adjusted for corporate actions.
    """
    columns = (
        type_coerce(ClientClose.client_id, RepeatedId()),
        ClientClose.date,
        ClientClose.holdings_value,
        ClientClose.net,
    )
    for some in in_parts(client_ids):
        lacking = {
            (row.client_id, row.date): row.value
            for row in session.execute(
                select(
                    CloseAdjustment.client_id,
                    CloseAdjustment.date,
                    func.sum(CloseAdjustment.value).label("value"),
                )
                .where(CloseAdjustment.client_id.in_(some), CloseAdjustment.date >= since)
                .group_by(CloseAdjustment.client_id, CloseAdjustment.date)
            )
        }
        statement = (
            select(*columns)
            .where(ClientClose.client_id.in_(some), ClientClose.date >= since)
            .order_by(ClientClose.client_id, ClientClose.date)
        )
        for client_id, day, held, net in session.execute(statement):
            yield client_id, day, held + net + lacking.get((client_id, day), ZERO)


def _adjustments_of(session: Session, client_id: uuid.UUID) -> dict[dt.date, Decimal]:
    """What a client's closes lack, by day."""
    statement = (
        select(CloseAdjustment.date, func.sum(CloseAdjustment.value).label("value"))
        .where(CloseAdjustment.client_id == client_id)
        .group_by(CloseAdjustment.date)
    )
    return {row.date: row.value for row in session.execute(statement)}


def is_closed(session: Session, day: dt.date) -> bool:
    statement = select(FirmClose.date).where(FirmClose.date == day)
    return session.execute(statement).first() is not None


def last_firm_close(session: Session) -> dt.date | None:
    return session.execute(select(func.max(FirmClose.date))).scalar_one()


def last_close_before(session: Session, day: dt.date) -> dt.date | None:
    """The last closed day before this one; None without any."""
    statement = select(func.max(FirmClose.date)).where(FirmClose.date < day)
    return session.execute(statement).scalar_one()


def client_closes_on(
    session: Session, day: dt.date, client_ids: Collection[uuid.UUID]
) -> Iterator[tuple[uuid.UUID, Rupees, Rupees]]:
    """Client, holdings value and net of each of these clients who has a close of this day.

    Adjusted for corporate actions.
    """
    lacking = (
        select(CloseAdjustment.client_id, func.sum(CloseAdjustment.value).label("value"))
        .where(CloseAdjustment.date == day)
        .group_by(CloseAdjustment.client_id)
    )
    by_client = {row.client_id: row.value for row in session.execute(lacking)}
    columns = (ClientClose.client_id, ClientClose.holdings_value, ClientClose.net)
    # By client, as the key is: all rows of a day are spread over the whole table.
    for some in in_parts(client_ids):
        statement = select(*columns).where(ClientClose.client_id.in_(some), ClientClose.date == day)
        for row in session.execute(statement):
            yield row[0], row[1] + by_client.get(row[0], ZERO), row[2]


def accounts_to_close(session: Session) -> Sequence[Row]:  # type: ignore[type-arg]
    """Client, net, whether counted, the last sync and cash by hand, of every account."""
    columns = (
        Account.client_id,
        Account.net,
        Account.is_counted,
        Account.synced_at,
        Account.hand_cash,
    )
    return session.execute(select(*columns)).all()


def firm_closes(
    session: Session, since: dt.date | None, until: dt.date | None
) -> list[tuple[dt.date, Rupees]]:
    """Date and value of each close, newest first; adjusted for corporate actions."""
    statement = select(FirmClose.date, FirmClose.value).order_by(FirmClose.date.desc())
    if since is not None:
        statement = statement.where(FirmClose.date >= since)
    if until is not None:
        statement = statement.where(FirmClose.date <= until)
    adjustments = select(
        FirmCloseAdjustment.date, func.sum(FirmCloseAdjustment.value).label("value")
    ).group_by(FirmCloseAdjustment.date)
    lacking = {row.date: row.value for row in session.execute(adjustments)}
    return [
        (row.date, row.value + lacking.get(row.date, ZERO)) for row in session.execute(statement)
    ]


def add_closes(
    session: Session,
    clients: Sequence[Mapping[str, object]],
    firm: Sequence[Mapping[str, object]],
) -> None:
    if clients:
        session.execute(insert(ClientClose), list(clients))
    if firm:
        session.execute(insert(FirmClose), list(firm))


def closes_made(session: Session, since: dt.date) -> list[MadeClose]:
    """Every closed day since then, and when its close was written, in order."""
    statement = (
        select(FirmClose.date, FirmClose.closed_at)
        .where(FirmClose.date >= since)
        .order_by(FirmClose.date)
    )
    return [
        (row.date, row.closed_at or dt.datetime.combine(row.date, AFTER))
        for row in session.execute(statement)
    ]


def add_adjustments(session: Session, rows: Sequence[Mapping[str, object]]) -> None:
    """Write what closes lack."""
    # A book of a month: PostgreSQL would not take it within the time of one statement.
    for some in in_parts(rows):
        add_rows(session, CloseAdjustment, some)


def adjust_closes(
    session: Session,
    of: tuple[uuid.UUID, uuid.UUID],
    client_ids: Collection[uuid.UUID],
    days: Sequence[tuple[dt.date, dt.datetime, Rupees]],
) -> None:
    """Write what these clients' closes lack by the rows of an action that are stored of them.

    Args:
        of: the action and the instrument.
        days: from the ex-date on, when each was closed, and the price of that close.
    """
    if not days:
        return
    # The database multiplies: to send a row for each client and day takes four times as long.
    closed = (
        values(column("date", Date), column("made_at", InstantColumn), column("price", BigInteger))
        .data([(day, made_at, to_units(price)) for day, made_at, price in days])
        .cte("closed")
    )
    gained = PendingAction.expected_quantity - PendingAction.quantity_before
    lacking = (
        select(
            PendingAction.client_id,
            closed.c.date,
            PendingAction.action_id,
            PendingAction.instrument_id,
            gained * closed.c.price,
        )
        .join(
            closed,
            or_(PendingAction.credited_at.is_(None), PendingAction.credited_at > closed.c.made_at),
        )
        .where(PendingAction.action_id == of[0], PendingAction.instrument_id == of[1], gained != 0)
    )
    columns = ["client_id", "date", "action_id", "instrument_id", "value"]
    for some in in_parts(client_ids):
        of_some = lacking.where(PendingAction.client_id.in_(some))
        session.execute(insert(CloseAdjustment).from_select(columns, of_some))


def delete_adjustments(session: Session, keys: Collection[AdjustmentKey]) -> None:
    """Delete what these actions were found to lack in clients' closes."""
    ordered = sorted(keys, key=lambda key: (key[1], key[2]))
    for (action_id, instrument_id), group in groupby(ordered, key=lambda key: (key[1], key[2])):
        for some in in_parts([key[0] for key in group]):
            session.execute(
                delete(CloseAdjustment).where(
                    CloseAdjustment.client_id.in_(some),
                    CloseAdjustment.action_id == action_id,
                    CloseAdjustment.instrument_id == instrument_id,
                )
            )


def sum_adjustments(
    session: Session, action_ids: Collection[uuid.UUID], days: Collection[dt.date]
) -> None:
    """Write what the firm's closes of these days lack by these actions: that of clients who count."""
    for action_id in action_ids:
        for some in in_parts(days):
            session.execute(
                delete(FirmCloseAdjustment).where(
                    FirmCloseAdjustment.action_id == action_id, FirmCloseAdjustment.date.in_(some)
                )
            )
            sums = (
                select(
                    CloseAdjustment.date,
                    CloseAdjustment.action_id,
                    func.sum(CloseAdjustment.value),
                )
                .join(Account, Account.client_id == CloseAdjustment.client_id)
                .join(
                    ClientClose,
                    (ClientClose.client_id == CloseAdjustment.client_id)
                    & (ClientClose.date == CloseAdjustment.date),
                )
                .where(
                    Account.is_counted,
                    CloseAdjustment.action_id == action_id,
                    CloseAdjustment.date.in_(some),
                )
                .group_by(CloseAdjustment.date, CloseAdjustment.action_id)
            )
            columns = ["date", "action_id", "value"]
            session.execute(insert(FirmCloseAdjustment).from_select(columns, sums))
