"""Changes of fee periods: recorded, changed, paid, deleted, restored."""

import datetime as dt
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypedDict

from sqlalchemy.orm import Session

from tarazu.domain.money import ZERO, Rupees
from tarazu.domain.returns import CashFlow
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
    compute,
    last_day_of,
    paid_amount,
    settle,
)
from tarazu.fees.limits import refuse_over_limit, refuse_too_far_ahead, renew_limits
from tarazu.fees.overview import renew_sums, terms_by_id
from tarazu.fees.payments import invoice_if_paid, refuse_invoiced
from tarazu.fees.tables import Fee, FeeStatus
from tarazu.firm import service as firm
from tarazu.firm.service import FeeTerms
from tarazu.invoices import service as invoices
from tarazu.invoices.tables import Invoice, PaymentMode
from tarazu.kit import audit_log, clock
from tarazu.kit.audit_log import Actor
from tarazu.kit.db import new_id
from tarazu.kit.errors import NotThere, StaleVersion
from tarazu.people import service as people
from tarazu.portfolio import service as portfolio


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
    payment_mode: PaymentMode | None
    payment_reference: str


@dataclass(frozen=True, slots=True)
class FeeEdit:
    """Changes of one fee, and the version that the caller has seen; None is not checked."""

    fee_id: uuid.UUID
    changes: FeeChanges
    version: int | None = None


def add_fee(
    session: Session, actor: Actor, now: dt.datetime, client_id: uuid.UUID, new: NewPeriod
) -> ClientFee:
    """Add a fee period that is DUE, with the schedule in force on its first day.

    Raises:
        ClientNotFound: there is no such client.
        NothingToStartFrom: the starting value is zero or less.
        FinalBeforeStart: the period ends before it begins.
        PeriodOverlaps: another fee covers some of these days.
        TooFarAhead, FeeOverLimit: it covers or charges more than the rules and the firm allow.
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
        payment_reference="",
        refunded=ZERO,
        schedule_id=schedule.id,
        over_limit=ZERO,
        created_at=now,
        version=1,
    )
    flows = portfolio.signed_flows_of(session, client_id)
    compute(fee, schedule.terms, flows, clock.day_in_india(now))
    _check_period(session, fee)
    refuse_too_far_ahead(session, fee, clock.day_in_india(now))
    session.add(fee)
    renew_limits(session, [client_id])
    refuse_over_limit(session, fee)
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
        TooFarAhead, FeeOverLimit: it covers or charges more than the rules and the firm allow.
        FeeIsInvoiced: its payment or period is on an invoice.
        ModeMissing, StateUnknown: its invoice cannot be issued.
    """
    fee = fee_to_change(session, client_id, edit.fee_id, edit.version)
    before, paid_before, over_before = audit_fields(fee), paid_amount(fee), fee.over_limit
    terms = terms_by_id(session).get(fee.schedule_id)
    flows = portfolio.signed_flows_of(session, client_id)
    today = clock.day_in_india(now)
    _change_period(session, fee, edit.changes, terms, flows, today)
    invoice = _settle(session, actor, now, fee, edit.changes)
    fee.version += 1
    queries.add_to_paid_total(session, paid_amount(fee) - paid_before)
    renew_limits(session, [client_id])
    if fee.over_limit > over_before:
        refuse_over_limit(session, fee)
    renew_sums(session, people.client(session, client_id))
    after = audit_fields(fee)
    changed: dict[str, object] = {
        name: [before[name], after[name]] for name in after if before[name] != after[name]
    }
    if invoice is not None:
        changed |= {"invoice": invoices.audit_fields(invoice)}
    audit_log.record(session, actor, now, "fee_changed", ("fee", fee.id), changed)
    return client_fee_of(session, fee)


def _change_period(
    session: Session,
    fee: Fee,
    changes: FeeChanges,
    terms: FeeTerms | None,
    flows: Sequence[CashFlow],
    today: dt.date,
) -> None:
    status = changes.get("status", fee.status)
    final_on = changes.get("final_on", fee.final_on)
    final_value = changes.get("final_value", fee.final_value)
    if fee.final_value not in (None, final_value):
        raise FinalValueKept
    if (final_on, final_value) != (fee.final_on, fee.final_value):
        if fee.status == status == FeeStatus.PAID:
            raise FeeIsPaid
        refuse_invoiced(session, fee)
        fee.final_on, fee.final_value = final_on, final_value
        compute(fee, terms, flows, today)
        refuse_too_far_ahead(session, fee, today)
    fee.due_on = changes.get("due_on", fee.due_on)
    _check_period(session, fee)


def _settle(
    session: Session, actor: Actor, now: dt.datetime, fee: Fee, changes: FeeChanges
) -> Invoice | None:
    """Set whether a fee is paid, when and how; the invoice of one paid just now."""
    before = fee.status, fee.paid_on, fee.payment_mode, fee.payment_reference
    fee.payment_mode = changes.get("payment_mode", fee.payment_mode)
    fee.payment_reference = changes.get("payment_reference", fee.payment_reference)
    status = changes.get("status", fee.status)
    today = clock.day_in_india(now)
    settle(fee, status, changes.get("paid_on", fee.paid_on), today)
    if before != (fee.status, fee.paid_on, fee.payment_mode, fee.payment_reference):
        refuse_invoiced(session, fee)
    if fee.paid_on is not None:
        refuse_too_far_ahead(session, fee, today, fee.paid_on)
    return invoice_if_paid(session, actor, now, fee, was_paid=before[0] == FeeStatus.PAID)


def delete_fee(
    session: Session, actor: Actor, now: dt.datetime, client_id: uuid.UUID, edit: FeeEdit
) -> None:
    """Delete a fee; a paid amount is taken out of the earnings.

    Raises:
        ClientNotFound, NotThere: there is no such client, or no such fee of this client.
        StaleVersion: the fee has changed since this version.
    """
    fee = fee_to_change(session, client_id, edit.fee_id, edit.version)
    refuse_invoiced(session, fee)
    fee.deleted_at, fee.deleted_by = now, actor.account_id
    fee.over_limit, fee.limit_until = ZERO, None
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


def client_fee_of(session: Session, fee: Fee) -> ClientFee:
    """A fee with its terms, its invoice, and what changed since."""
    terms = terms_by_id(session).get(fee.schedule_id)
    flows = portfolio.signed_flows_of(session, fee.client_id)
    documents = invoices.documents_of_fees(session, [fee.id]).get(fee.id)
    return ClientFee(fee, terms, changes_by_flows(fee, terms, flows), documents)


def fee_to_change(
    session: Session, client_id: uuid.UUID, fee_id: uuid.UUID, version: int | None
) -> Fee:
    """A client's fee, with the lock of fees.

    Raises:
        ClientNotFound, NotThere: there is no such client, or no such fee of this client.
        StaleVersion: the fee has changed since this version.
    """
    people.client(session, client_id)
    lock_fees(session)
    fee = live_fee(session, client_id, fee_id)
    if version not in (None, fee.version):
        raise StaleVersion
    return fee


def live_fee(session: Session, client_id: uuid.UUID, fee_id: uuid.UUID) -> Fee:
    """A client's fee that is not deleted.

    Raises:
        NotThere: there is none.
    """
    fee = queries.fee_by_id(session, fee_id)
    if fee is None or fee.client_id != client_id or fee.deleted_at is not None:
        raise NotThere
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
