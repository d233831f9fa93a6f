"""Fee periods of clients: recorded, changed, paid, deleted; and the yearly limit of families."""

import datetime as dt
import uuid
from collections.abc import Collection
from dataclasses import dataclass
from typing import TypedDict

from sqlalchemy.orm import Session

from tarazu.domain.fees import passed_limits, starting_value_of_next
from tarazu.domain.money import ZERO, Rupees
from tarazu.fees import queries
from tarazu.fees.errors import (
    FeeIsPaid,
    FinalBeforeStart,
    FinalValueKept,
    NothingToStartFrom,
    PeriodOverlaps,
)
from tarazu.fees.figures import (
    ClientFee,
    audit_fields,
    changes_by_flows,
    charge_of,
    compute,
    last_day_of,
    paid_amount,
    settle,
)
from tarazu.fees.overview import (
    ClientFees,
    due_counts,
    list_client,
    list_client_fees,
    renew_sums,
    sums,
    terms_by_id,
)
from tarazu.fees.queries import ClientFeeFilter, Due, FeeFilter
from tarazu.fees.schedules import KeptSchedule, SeenSchedule, schedules, set_schedule
from tarazu.fees.tables import Fee, FeeStatus
from tarazu.firm import service as firm
from tarazu.kit import audit_log, clock
from tarazu.kit.audit_log import Actor
from tarazu.kit.db import new_id
from tarazu.kit.errors import NotThere, StaleVersion
from tarazu.people import service as people
from tarazu.portfolio import service as portfolio

_ONE_DAY = dt.timedelta(days=1)


@dataclass(frozen=True, slots=True)
class NewPeriod:
    """A new fee period; open while `final_value` is None."""

    starting_on: dt.date
    due_on: dt.date | None
    final_on: dt.date | None
    starting_value: Rupees
    final_value: Rupees | None


class FeeChanges(TypedDict, total=False):
    """The fields of a fee to change; a field that is left out stays as it is."""

    due_on: dt.date | None
    final_on: dt.date | None
    final_value: Rupees | None
    status: FeeStatus
    paid_on: dt.date | None


@dataclass(frozen=True, slots=True)
class FeeEdit:
    """Changes of one fee, and the version that the caller has seen; None is not checked."""

    fee_id: uuid.UUID
    changes: FeeChanges
    version: int | None = None


def list_fees(
    session: Session, client_id: uuid.UUID, filters: FeeFilter | None = None
) -> list[ClientFee]:
    """A client's fees, newest period first.

    Raises:
        ClientNotFound: there is no such client.
    """
    people.client(session, client_id)
    terms, flows = terms_by_id(session), portfolio.signed_flows_of(session, client_id)
    fees = []
    for fee in queries.fees_of(session, client_id, filters):
        fee_terms = terms.get(fee.schedule_id)
        fees.append(ClientFee(fee, fee_terms, changes_by_flows(fee, fee_terms, flows)))
    return fees


def starting_value(session: Session, client_id: uuid.UUID, starts_on: dt.date) -> Rupees:
    """The starting value of a fee period that starts on this day.

    Raises:
        ClientNotFound: there is no such client.
    """
    people.client(session, client_id)
    account = portfolio.account_summary(session, client_id)
    started_on = account.started_on or portfolio.EARLIEST_DAY
    ends = [
        (last_day_of(fee), fee.final_value)
        for fee in queries.fees_of(session, client_id)
        if fee.final_value is not None
    ]
    return starting_value_of_next(
        starts_on,
        (started_on - _ONE_DAY, account.starting_capital),
        ends,
        portfolio.signed_flows_of(session, client_id),
        is_above_mark=firm.fee_schedule_on(session, starts_on).terms.is_above_high_water_mark,
    )


def add_fee(
    session: Session, actor: Actor, now: dt.datetime, client_id: uuid.UUID, new: NewPeriod
) -> ClientFee:
    """Add a fee period that is DUE, with the schedule in force on its first day.

    Raises:
        ClientNotFound: there is no such client.
        NothingToStartFrom: the starting value is zero or less.
        FinalBeforeStart: the period ends before it begins.
        PeriodOverlaps: another fee covers some of these days.
    """
    people.refuse_sample(people.client(session, client_id))
    lock_fees(session)
    if new.starting_value <= ZERO:
        raise NothingToStartFrom
    schedule = firm.fee_schedule_on(session, new.starting_on)
    fee = Fee(
        id=new_id(),
        client_id=client_id,
        starting_on=new.starting_on,
        due_on=new.due_on,
        final_on=new.final_on,
        starting_value=new.starting_value,
        final_value=new.final_value,
        status=FeeStatus.DUE,
        schedule_id=schedule.id,
        over_limit=ZERO,
        created_at=now,
        version=1,
    )
    flows = portfolio.signed_flows_of(session, client_id)
    compute(fee, schedule.terms, flows, clock.day_in_india(now))
    _check_period(session, fee)
    session.add(fee)
    renew_limits(session, [client_id])
    renew_sums(session, people.client(session, client_id))
    audit_log.record(session, actor, now, "fee_added", ("fee", fee.id), audit_fields(fee))
    return ClientFee(fee, schedule.terms)


def change_fee(
    session: Session, actor: Actor, now: dt.datetime, client_id: uuid.UUID, edit: FeeEdit
) -> ClientFee:
    """Change the days of a fee, close its period, or settle it.

    A new final date or value recomputes the fee with the schedule of the row.

    Raises:
        ClientNotFound, NotThere: there is no such client, or no such fee of this client.
        StaleVersion: the fee has changed since this version.
        FinalValueKept: the period is already closed with another value.
        FeeIsPaid: the period of a paid fee cannot change.
        FinalBeforeStart, NothingToPay, PaidBeforeStart, PaidAhead: the change is impossible.
        PeriodOverlaps: another fee covers some of these days.
    """
    fee = _fee_to_change(session, client_id, edit.fee_id, edit.version)
    flows = portfolio.signed_flows_of(session, client_id)
    before, paid_before, today = audit_fields(fee), paid_amount(fee), clock.day_in_india(now)
    changes, terms = edit.changes, terms_by_id(session).get(fee.schedule_id)
    status = changes.get("status", fee.status)
    final_on = changes.get("final_on", fee.final_on)
    final_value = changes.get("final_value", fee.final_value)
    if fee.final_value not in (None, final_value):
        raise FinalValueKept
    if (final_on, final_value) != (fee.final_on, fee.final_value):
        if fee.status == status == FeeStatus.PAID:
            raise FeeIsPaid
        fee.final_on, fee.final_value = final_on, final_value
        compute(fee, terms, flows, today)
    fee.due_on = changes.get("due_on", fee.due_on)
    _check_period(session, fee)
    settle(fee, status, changes.get("paid_on", fee.paid_on), today)
    fee.version += 1
    queries.add_to_paid_total(session, paid_amount(fee) - paid_before)
    renew_limits(session, [client_id])
    renew_sums(session, people.client(session, client_id))
    after = audit_fields(fee)
    changed = {name: [before[name], after[name]] for name in after if before[name] != after[name]}
    audit_log.record(session, actor, now, "fee_changed", ("fee", fee.id), changed)
    return ClientFee(fee, terms, changes_by_flows(fee, terms, flows))


def delete_fee(
    session: Session, actor: Actor, now: dt.datetime, client_id: uuid.UUID, edit: FeeEdit
) -> None:
    """Delete a fee; a paid amount is taken out of the earnings.

    Raises:
        ClientNotFound, NotThere: there is no such client, or no such fee of this client.
        StaleVersion: the fee has changed since this version.
    """
    fee = _fee_to_change(session, client_id, edit.fee_id, edit.version)
    fee.deleted_at, fee.deleted_by = now, actor.account_id
    fee.over_limit = ZERO
    fee.version += 1
    queries.add_to_paid_total(session, -paid_amount(fee))
    renew_limits(session, [client_id])
    renew_sums(session, people.client(session, client_id))
    audit_log.record(session, actor, now, "fee_deleted", ("fee", fee.id), audit_fields(fee))


def restore_fee(session: Session, actor: Actor, now: dt.datetime, fee_id: uuid.UUID) -> None:
    """Restore a deleted fee.

    Raises:
        NotThere: there is no such deleted fee.
        ClientNotFound: its client is deleted and must be restored first.
        PeriodOverlaps: a fee added since covers some of the same days.
    """
    lock_fees(session)
    fee = queries.fee_by_id(session, fee_id)
    if fee is None or fee.deleted_at is None:
        raise NotThere
    client = people.client(session, fee.client_id)
    _refuse_overlap(session, fee)
    fee.deleted_at, fee.deleted_by = None, None
    fee.version += 1
    queries.add_to_paid_total(session, paid_amount(fee))
    renew_limits(session, [fee.client_id])
    renew_sums(session, client)
    audit_log.record(session, actor, now, "fee_restored", ("fee", fee.id), audit_fields(fee))


def lock_fees(session: Session) -> None:
    """Wait until no other transaction changes fees; the lock ends with this transaction.

    Periods are compared with each other, and a family's limit depends on all its fees.
    Every writer of fees takes it before the audit trail's lock, so that there is no deadlock.
    """
    queries.lock_fees(session)


def renew_limits(session: Session, client_ids: Collection[uuid.UUID]) -> None:
    """Set which fees of the families of these clients are over the yearly limit."""
    session.flush()
    terms = terms_by_id(session)
    renewed: set[uuid.UUID] = set()
    for client_id in client_ids:
        if client_id in renewed:
            continue
        family = people.family_of(session, client_id)
        renewed |= family
        charged = queries.charged_to(session, family)
        charges = [charge_of(fee, terms.get(fee.schedule_id)) for fee in charged]
        for fee, passed in zip(charged, passed_limits(charges), strict=True):
            fee.over_limit = passed
    session.flush()


def earnings(session: Session) -> Rupees:
    """All fees that clients have ever paid."""
    return queries.paid_total(session)


def charged_to(session: Session, client_id: uuid.UUID) -> Rupees:
    """All fees charged to a client, paid and due."""
    amounts = [fee.amount for fee in queries.fees_of(session, client_id) if fee.amount is not None]
    return sum(amounts, Rupees(0))


def paid_by(session: Session, client_id: uuid.UUID) -> list[tuple[dt.date, Rupees]]:
    """The fees a client paid, with their paid dates."""
    return [
        (fee.paid_on, fee.amount)
        for fee in queries.fees_of(session, client_id)
        if fee.paid_on is not None and fee.amount is not None
    ]


def paid_by_all(
    session: Session, client_ids: Collection[uuid.UUID]
) -> dict[uuid.UUID, list[tuple[dt.date, Rupees]]]:
    """As `paid_by`, by client; those who paid nothing are left out."""
    paid: dict[uuid.UUID, list[tuple[dt.date, Rupees]]] = {}
    for fee in queries.charged_to(session, client_ids):
        if fee.paid_on is not None and fee.amount:
            paid.setdefault(fee.client_id, []).append((fee.paid_on, fee.amount))
    return paid


def found_installation(session: Session) -> None:
    """Create the row of totals in an empty database."""
    queries.make_total(session)


def _fee_to_change(
    session: Session, client_id: uuid.UUID, fee_id: uuid.UUID, version: int | None
) -> Fee:
    people.client(session, client_id)
    lock_fees(session)
    fee = queries.fee_by_id(session, fee_id)
    if fee is None or fee.client_id != client_id or fee.deleted_at is not None:
        raise NotThere
    if version not in (None, fee.version):
        raise StaleVersion
    return fee


def _check_period(session: Session, fee: Fee) -> None:
    """Check that a period ends after it starts and overlaps no other; set a missing due date."""
    if fee.final_on is not None and fee.final_on < fee.starting_on:
        raise FinalBeforeStart
    if fee.due_on is None:
        fee.due_on = fee.final_on
    _refuse_overlap(session, fee)


def _refuse_overlap(session: Session, fee: Fee) -> None:
    """Check that no other fee covers a day of this period; an open period has no last day."""
    with session.no_autoflush:
        fees = queries.fees_of(session, fee.client_id)
    last = last_day_of(fee)
    for other in fees:
        is_apart = fee.starting_on > last_day_of(other) or other.starting_on > last
        if other.id != fee.id and not is_apart:
            until = other.final_on or other.counted_until
            ending = f"to {until:%d-%m-%Y}" if until else "and still open"
            raise PeriodOverlaps(
                f"This period overlaps the fee from {other.starting_on:%d-%m-%Y} {ending}. "
                "Choose other dates, or delete that fee first."
            )
