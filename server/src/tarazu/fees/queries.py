"""Every SQL statement of fees."""

import datetime as dt
import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from sqlalchemy import Row, Subquery, case, func, insert, select, update
from sqlalchemy.orm import Session

from tarazu.fees.tables import ClientFeeSum, Fee, FeeStatus, FeeTotal
from tarazu.people.tables import Person


@dataclass(frozen=True, slots=True)
class FeeFilter:
    """Which fee rows: started in these days, both included, and of this status; None for any."""

    since: dt.date | None = None
    until: dt.date | None = None
    status: FeeStatus | None = None


@dataclass(frozen=True, slots=True)
class Listing:
    """A page of the overview: these clients, or all; who paid in these days; in this order."""

    client_ids: Collection[uuid.UUID] | None
    since: dt.date | None
    until: dt.date | None
    sort: str
    skipped: int
    limit: int


def fees_of(
    session: Session, client_id: uuid.UUID, wanted: FeeFilter | None = None
) -> Sequence[Fee]:
    """Newest period first."""
    statement = (
        select(Fee)
        .where(Fee.client_id == client_id, Fee.deleted_at.is_(None))
        .order_by(Fee.starting_on.desc(), Fee.id.desc())
    )
    if wanted and wanted.since:
        statement = statement.where(Fee.starting_on >= wanted.since)
    if wanted and wanted.until:
        statement = statement.where(Fee.starting_on <= wanted.until)
    if wanted and wanted.status:
        statement = statement.where(Fee.status == wanted.status)
    return session.execute(statement).scalars().all()


def fee_by_id(session: Session, fee_id: uuid.UUID) -> Fee | None:
    """The fee, deleted or not; read anew, because another may have changed it meanwhile."""
    return session.get(Fee, fee_id, populate_existing=True)


def charged_to(session: Session, client_ids: Collection[uuid.UUID]) -> Sequence[Fee]:
    """The fees of closed periods of these clients, in the order in which they were recorded."""
    statement = (
        select(Fee)
        .where(Fee.client_id.in_(client_ids), Fee.deleted_at.is_(None), Fee.amount.is_not(None))
        .order_by(Fee.id)
    )
    return session.execute(statement).scalars().all()


def sums_of(session: Session, client_id: uuid.UUID) -> Row:  # type: ignore[type-arg]
    """How many fees a client has, what is paid, what is due, its earliest day, the last payment.

    A sum is None where there is nothing to add up.
    """
    is_due = (Fee.status == FeeStatus.DUE) & (Fee.amount > Decimal(0))
    statement = select(
        func.count().label("fees"),
        func.sum(case((Fee.status == FeeStatus.PAID, Fee.amount))).label("paid"),
        func.sum(case((Fee.status == FeeStatus.DUE, Fee.amount))).label("due"),
        func.min(case((is_due, Fee.due_on))).label("due_on"),
        func.max(Fee.paid_on).label("paid_on"),
    ).where(Fee.client_id == client_id, Fee.deleted_at.is_(None))
    return session.execute(statement).one()


def kept_sum(session: Session, client_id: uuid.UUID) -> ClientFeeSum | None:
    return session.get(ClientFeeSum, client_id)


def listed_sums(session: Session, asked: Listing) -> tuple[Sequence[Row], int]:  # type: ignore[type-arg]
    """Clients with fees, code, name and sums, and how many; `paid_on` within the days asked for."""
    paid_on: Any = ClientFeeSum.paid_on
    found = select(ClientFeeSum.client_id).where(ClientFeeSum.is_listed.is_(True))
    if asked.client_ids is not None:
        found = found.where(ClientFeeSum.client_id.in_(asked.client_ids))
    if asked.since is not None or asked.until is not None:
        inside = _paid_between(asked.since, asked.until)
        found = found.join(inside, inside.c.client_id == ClientFeeSum.client_id)
        paid_on = inside.c.paid_on
    statement = (
        found.with_only_columns(
            ClientFeeSum.client_id,
            ClientFeeSum.client_code,
            Person.name,
            ClientFeeSum.paid,
            ClientFeeSum.due,
            ClientFeeSum.due_on,
            paid_on.label("paid_on"),
        )
        .join(Person, Person.id == ClientFeeSum.client_id)
        .order_by(*_order(asked.sort, paid_on))
        .offset(asked.skipped)
        .limit(asked.limit)
    )
    total = select(func.count()).select_from(found.subquery())
    return session.execute(statement).all(), session.execute(total).scalar_one()


def _order(sort: str, paid_on: Any) -> list[Any]:
    """What is due first, unless sorted; rows that lack the sorted figure stand last."""
    keys: dict[str, Any] = {
        "userName": func.lower(Person.name),
        "totalFees": ClientFeeSum.paid + ClientFeeSum.due,
        "totalDue": ClientFeeSum.due,
        "dueDate": ClientFeeSum.due_on,
        "totalPaid": ClientFeeSum.paid,
        "paidDate": paid_on,
        # By the word, as it is shown: DUE before PAID.
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
    """The fees of these clients with which a family passed the yearly limit, oldest first."""
    statement = (
        select(Fee)
        .where(Fee.client_id.in_(client_ids), Fee.deleted_at.is_(None), Fee.over_limit > Decimal(0))
        .order_by(Fee.id)
    )
    return session.execute(statement).scalars().all()


def used_schedules(session: Session) -> set[uuid.UUID]:
    """Versions of the fee schedule that a fee was computed with, deleted ones included."""
    statement = select(Fee.schedule_id).where(Fee.schedule_id.is_not(None)).distinct()
    return {used for used in session.execute(statement).scalars() if used is not None}


def paid_total(session: Session) -> Decimal:
    return session.execute(select(FeeTotal.paid)).scalar_one()


def add_to_paid_total(session: Session, amount: Decimal) -> None:
    session.execute(update(FeeTotal).values(paid=FeeTotal.paid + amount))


def listed_totals(session: Session) -> tuple[Decimal, Decimal]:
    """What all listed clients paid, and what they owe."""
    row = session.execute(select(FeeTotal.listed_paid, FeeTotal.listed_due)).one()
    return row.listed_paid, row.listed_due


def add_to_listed_totals(session: Session, paid: Decimal, due: Decimal) -> None:
    if paid or due:
        session.execute(
            update(FeeTotal).values(
                listed_paid=FeeTotal.listed_paid + paid, listed_due=FeeTotal.listed_due + due
            )
        )


def make_total(session: Session) -> None:
    session.execute(insert(FeeTotal).values(id=1, paid=Decimal(0)))
