"""Every SQL statement of fees."""

import datetime as dt
import uuid
from collections.abc import Collection, Mapping, Sequence
from decimal import Decimal
from enum import StrEnum
from typing import Any, NamedTuple

from pydantic import Field
from sqlalchemy import (
    ColumnElement,
    Row,
    Select,
    Subquery,
    case,
    func,
    insert,
    or_,
    select,
    type_coerce,
    update,
)
from sqlalchemy.orm import Session

from tarazu.fees.tables import ClientFeeSum, Fee, FeeStatus, FeeTotal
from tarazu.kit.db import RepeatedId, acquire_lock
from tarazu.kit.fields import Day, DayRange
from tarazu.kit.locks import AdvisoryLock
from tarazu.kit.schemas import ListParams
from tarazu.people.tables import Person
from tarazu.teams.service import ALL_CLIENTS, VisibleClients


class FeeFilter(DayRange):
    """One client's fees: periods that started in these days, both included, with this status."""

    status: FeeStatus | None = None


class Due(StrEnum):
    """OVERDUE: a fee's due date is over. DUE: fees are due, none of them overdue."""

    DUE = "DUE"
    OVERDUE = "OVERDUE"


class ClientFeeFilter(ListParams):
    """Clients with fees: those who paid a fee in these days, both included, or have fees due."""

    since: Day | None = Field(default=None, alias="from")
    until: Day | None = Field(default=None, alias="to")
    due: Due | None = None


def lock_fees(session: Session) -> None:
    """Wait until no other transaction changes fees."""
    acquire_lock(session, AdvisoryLock.FEES)


def fees_of(
    session: Session, client_id: uuid.UUID, filters: FeeFilter | None = None
) -> Sequence[Fee]:
    """Newest period first."""
    statement = (
        select(Fee)
        .where(Fee.client_id == client_id, Fee.deleted_at.is_(None))
        .order_by(Fee.starting_on.desc(), Fee.id.desc())
    )
    if filters and filters.since:
        statement = statement.where(Fee.starting_on >= filters.since)
    if filters and filters.until:
        statement = statement.where(Fee.starting_on <= filters.until)
    if filters and filters.status:
        statement = statement.where(Fee.status == filters.status)
    return session.execute(statement).scalars().all()


def fee_by_id(session: Session, fee_id: uuid.UUID) -> Fee | None:
    """The fee, deleted or not, as it is in the database now."""
    return session.get(Fee, fee_id, populate_existing=True)


def charged_to(session: Session, client_ids: Collection[uuid.UUID]) -> Sequence[Fee]:
    """The fees of closed periods of these clients, in the order they were recorded."""
    statement = (
        select(Fee)
        .where(Fee.client_id.in_(client_ids), Fee.deleted_at.is_(None), Fee.amount.is_not(None))
        .order_by(Fee.id)
    )
    return session.execute(statement).scalars().all()


def sums_of(session: Session, client_id: uuid.UUID) -> Row:  # type: ignore[type-arg]
    """How many fees a client has, the sums paid, refunded and due, the first due date, the last payment.

    A sum is None if there is no such fee.
    """
    is_due = (Fee.status == FeeStatus.DUE) & (Fee.amount > Decimal(0))
    statement = select(
        func.count().label("fees"),
        func.sum(case((Fee.status == FeeStatus.PAID, Fee.amount))).label("paid"),
        func.sum(Fee.refunded).label("refunded"),
        func.sum(case((Fee.status == FeeStatus.DUE, Fee.amount))).label("due"),
        func.min(case((is_due, Fee.due_on))).label("due_on"),
        func.max(Fee.paid_on).label("paid_on"),
    ).where(Fee.client_id == client_id, Fee.deleted_at.is_(None))
    return session.execute(statement).one()


def client_sums(session: Session, client_id: uuid.UUID) -> ClientFeeSum | None:
    return session.get(ClientFeeSum, client_id)


class ListedCounts(NamedTuple):
    """How many clients the Fees screen lists, and of them those with fees due, and overdue fees."""

    clients: int
    by_due: Mapping[Due, int]


def listed_counts(
    session: Session, today: dt.date, visible: VisibleClients = ALL_CLIENTS
) -> ListedCounts:
    """The clients of the Fees screen by what is due."""
    by_due = [func.count().filter(_is_due(due, today)) for due in Due]
    statement = select(func.count(), *by_due).where(
        ClientFeeSum.is_listed.is_(True), *visible.condition(ClientFeeSum.client_id)
    )
    clients, *counts = session.execute(statement).one()
    return ListedCounts(clients, dict(zip(Due, counts, strict=True)))


def _is_due(due: Due, today: dt.date) -> ColumnElement[bool]:
    if due is Due.OVERDUE:
        return ClientFeeSum.next_due_on < today
    return (ClientFeeSum.due > Decimal(0)) & (ClientFeeSum.next_due_on >= today)


def listed_sums(
    session: Session,
    filters: ClientFeeFilter,
    client_ids: Collection[uuid.UUID] | None,
    today: dt.date,
    visible: VisibleClients = ALL_CLIENTS,
) -> Sequence[Row]:  # type: ignore[type-arg]
    """One page of clients with code, name and sums of fees.

    `client_ids` are the clients to choose from, None for all. With a range of days, `paid_on` is
    the last payment in it.
    """
    matching, paid_on = _listed(filters, client_ids, today, visible)
    statement = (
        matching.with_only_columns(
            ClientFeeSum.client_id,
            ClientFeeSum.client_code,
            Person.name,
            ClientFeeSum.paid,
            ClientFeeSum.due,
            ClientFeeSum.due_on,
            paid_on.label("paid_on"),
        )
        .join(Person, Person.id == ClientFeeSum.client_id)
        .order_by(*_order(filters.sort, paid_on))
        .offset(filters.skipped)
        .limit(filters.limit)
    )
    return session.execute(statement).all()


def count_listed(
    session: Session,
    filters: ClientFeeFilter,
    client_ids: Collection[uuid.UUID] | None,
    today: dt.date,
    visible: VisibleClients = ALL_CLIENTS,
) -> int:
    """How many clients match, as in `listed_sums`."""
    matching, _ = _listed(filters, client_ids, today, visible)
    total = select(func.count()).select_from(matching.subquery())
    return session.execute(total).scalar_one()


def _listed(
    filters: ClientFeeFilter,
    client_ids: Collection[uuid.UUID] | None,
    today: dt.date,
    visible: VisibleClients,
) -> tuple[Select[uuid.UUID], Any]:
    """The ids of the clients that match, and the column of the last payment."""
    paid_on: Any = ClientFeeSum.paid_on
    matching: Select[uuid.UUID] = select(ClientFeeSum.client_id).where(
        ClientFeeSum.is_listed.is_(True), *visible.condition(ClientFeeSum.client_id)
    )
    if client_ids is not None:
        matching = matching.where(ClientFeeSum.client_id.in_(client_ids))
    if filters.due is not None:
        matching = matching.where(_is_due(filters.due, today))
    if filters.since is not None or filters.until is not None:
        inside = _paid_between(filters.since, filters.until)
        matching = matching.join(inside, inside.c.client_id == ClientFeeSum.client_id)
        paid_on = inside.c.paid_on
    return matching, paid_on


def _order(sort: str, paid_on: Any) -> list[Any]:
    """By due date unless sorted; rows without the sorted figure last."""
    keys: dict[str, Any] = {
        "userName": func.lower(Person.name),
        "totalFees": ClientFeeSum.paid + ClientFeeSum.due,
        "totalDue": ClientFeeSum.due,
        "dueDate": ClientFeeSum.due_on,
        "totalPaid": ClientFeeSum.paid,
        "paidDate": paid_on,
        # Alphabetical, as shown: DUE before PAID.
        "status": case((ClientFeeSum.due > Decimal(0), FeeStatus.DUE), else_=FeeStatus.PAID),
    }
    first = [ClientFeeSum.next_due_on, ClientFeeSum.client_code]
    key = keys.get(sort.removeprefix("-"))
    if key is None:
        return first
    return [(key.desc() if sort.startswith("-") else key.asc()).nulls_last(), *first]


def _paid_between(since: dt.date | None, until: dt.date | None) -> Subquery:
    """Client and the last day in this range on which a fee was paid."""
    statement = (
        select(Fee.client_id, func.max(Fee.paid_on).label("paid_on"))
        .where(Fee.deleted_at.is_(None), Fee.paid_on.is_not(None))
        .group_by(Fee.client_id)
    )
    if since is not None:
        statement = statement.where(Fee.paid_on >= since)
    if until is not None:
        statement = statement.where(Fee.paid_on <= until)
    return statement.subquery()


def past_limit(session: Session, client_ids: Collection[uuid.UUID]) -> Sequence[Fee]:
    """The fees of these clients that took a family over the yearly limit, oldest first."""
    statement = (
        select(Fee)
        .where(Fee.client_id.in_(client_ids), Fee.deleted_at.is_(None), Fee.over_limit > Decimal(0))
        .order_by(Fee.id)
    )
    return session.execute(statement).scalars().all()


def fees_between(
    session: Session, client_id: uuid.UUID | None, first: dt.date, last: dt.date
) -> Sequence[Any]:
    """Fees whose period or payment is in these days, with code and name of the client.

    Of one client or of all, whose records may be deleted; in the order they were recorded.
    """
    ends_on = func.coalesce(Fee.final_on, Fee.due_on, Fee.starting_on)
    conditions = [
        Fee.deleted_at.is_(None),
        or_(
            (Fee.starting_on <= last) & (ends_on >= first),
            Fee.paid_on.between(first, last),
        ),
    ]
    if client_id is not None:
        conditions.append(Fee.client_id == client_id)
    statement = select(Fee, Person.client_code, Person.name).join(
        Person, Person.id == Fee.client_id
    )
    return session.execute(statement.where(*conditions).order_by(Fee.id)).all()


def paid_periods(session: Session) -> Sequence[Any]:
    """Client, day of payment and last day of every paid fee whose period has one."""
    ends_on = func.coalesce(Fee.final_on, Fee.due_on)
    is_paid = Fee.deleted_at.is_(None) & Fee.paid_on.is_not(None) & ends_on.is_not(None)
    return session.execute(select(Fee.client_id, Fee.paid_on, ends_on).where(is_paid)).all()


def first_payments(session: Session) -> Sequence[Any]:
    """Client and day of the first payment of a fee, of every client who ever paid one."""
    is_paid = Fee.deleted_at.is_(None) & Fee.paid_on.is_not(None)
    client_id = type_coerce(Fee.client_id, RepeatedId())
    statement = select(client_id, func.min(Fee.paid_on)).where(is_paid)
    return session.execute(statement.group_by(Fee.client_id)).all()


def days_over_limit(session: Session) -> Sequence[Any]:
    """The days of fees that passed a family's yearly limit, and how many, oldest first."""
    day = func.coalesce(Fee.paid_on, Fee.due_on, Fee.starting_on)
    is_over = Fee.deleted_at.is_(None) & (Fee.over_limit > Decimal(0))
    statement = select(day, func.count()).where(is_over).group_by(day).order_by(day)
    return session.execute(statement).all()


def used_schedules(session: Session) -> set[uuid.UUID]:
    """Versions of the fee schedule that a fee was computed with, deleted ones included."""
    statement = select(Fee.schedule_id).where(Fee.schedule_id.is_not(None)).distinct()
    return {version for version in session.execute(statement).scalars() if version is not None}


def paid_total(session: Session) -> Decimal:
    return session.execute(select(FeeTotal.paid)).scalar_one()


def add_to_paid_total(session: Session, amount: Decimal) -> None:
    session.execute(update(FeeTotal).values(paid=FeeTotal.paid + amount))


def listed_totals(session: Session) -> tuple[Decimal, Decimal]:
    """The paid and due sums of all listed clients."""
    row = session.execute(select(FeeTotal.listed_paid, FeeTotal.listed_due)).one()
    return row.listed_paid, row.listed_due


def listed_totals_of(session: Session, visible: VisibleClients) -> tuple[Decimal, Decimal]:
    """The paid and due sums of the listed clients among these."""
    statement = select(func.sum(ClientFeeSum.paid), func.sum(ClientFeeSum.due)).where(
        ClientFeeSum.is_listed.is_(True), *visible.condition(ClientFeeSum.client_id)
    )
    paid, due = session.execute(statement).one()
    return paid or Decimal(0), due or Decimal(0)


def paid_total_of(session: Session, visible: VisibleClients) -> Decimal:
    """What these clients have ever paid, deleted ones too."""
    statement = select(func.sum(ClientFeeSum.paid)).where(
        *visible.condition(ClientFeeSum.client_id)
    )
    return session.execute(statement).scalar_one() or Decimal(0)


def add_to_listed_totals(session: Session, paid: Decimal, due: Decimal) -> None:
    if paid or due:
        session.execute(
            update(FeeTotal).values(
                listed_paid=FeeTotal.listed_paid + paid, listed_due=FeeTotal.listed_due + due
            )
        )


def make_total(session: Session) -> None:
    session.execute(insert(FeeTotal).values(id=1, paid=Decimal(0)))
