"""The door to fees: what clients are charged, what they paid, and what went back."""

import datetime as dt
import uuid
from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy.orm import Session

from tarazu.domain.fees import starting_value_of_next
from tarazu.domain.money import Rupees
from tarazu.fees import queries
from tarazu.fees.changing import (
    FeeChanges,
    FeeEdit,
    NewPeriod,
    add_fee,
    change_fee,
    client_fee_of,
    delete_fee,
    fee_to_change,
    live_fee,
    lock_fees,
    restore_fee,
)
from tarazu.fees.figures import ClientFee, changes_by_flows, last_day_of, paid_amount
from tarazu.fees.limits import renew_limits
from tarazu.fees.overview import (
    ClientFees,
    due_counts,
    list_client,
    list_client_fees,
    renew_sums,
    sums,
    terms_by_id,
)
from tarazu.fees.payments import (
    NewRefund,
    RefundFigure,
    refund,
    refund_figure,
    refunds_by_client,
)
from tarazu.fees.payments import issue_invoice as issue_invoice_of
from tarazu.fees.queries import ClientFeeFilter, Due, FeeFilter
from tarazu.fees.schedules import KeptSchedule, SeenSchedule, schedules, set_schedule
from tarazu.fees.tables import Fee
from tarazu.firm import service as firm
from tarazu.invoices import service as invoices
from tarazu.invoices.tables import Invoice
from tarazu.kit import audit_log
from tarazu.kit.audit_log import Actor
from tarazu.people import service as people
from tarazu.portfolio import service as portfolio
from tarazu.teams.service import ALL_CLIENTS, VisibleClients

_ONE_DAY = dt.timedelta(days=1)


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
    rows = queries.fees_of(session, client_id, filters)
    documents = invoices.documents_of_fees(session, [fee.id for fee in rows])
    for fee in rows:
        fee_terms = terms.get(fee.schedule_id)
        changed = changes_by_flows(fee, fee_terms, flows)
        fees.append(ClientFee(fee, fee_terms, changed, documents.get(fee.id)))
    return fees


@dataclass(frozen=True, slots=True)
class RecordedFee:
    """A fee as it is recorded, with its client, whose record may be deleted."""

    fee: Fee
    client_code: str
    client_name: str


def fees_between(
    session: Session, client_id: uuid.UUID | None, first: dt.date, last: dt.date
) -> list[RecordedFee]:
    """The fees of a client, or of all, whose period or payment is in these days, oldest first."""
    rows = queries.fees_between(session, client_id, first, last)
    return [RecordedFee(*row) for row in rows]


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


def issue_invoice(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    client_id: uuid.UUID,
    edit: FeeEdit,
    *,
    is_mailed: bool = True,
) -> ClientFee:
    """Issue the invoice of a fee that was paid before the firm issued invoices.

    Raises:
        ClientNotFound, NotThere, StaleVersion: as for any change of a fee.
        FeeNotPaid, ModeMissing, InvoicingIsOff, NothingToInvoice, InvoicedAlready, StateUnknown:
            it cannot be issued.
    """
    fee = fee_to_change(session, client_id, edit.fee_id, edit.version)
    fee.payment_mode = edit.changes.get("payment_mode") or fee.payment_mode
    fee.payment_reference = edit.changes.get("payment_reference") or fee.payment_reference
    invoice = issue_invoice_of(session, actor, now, fee, is_mailed=is_mailed)
    fee.version += 1
    session.flush()
    about, changes = ("fee", fee.id), invoices.audit_fields(invoice)
    audit_log.record(session, actor, now, "fee_invoiced", about, changes)
    return client_fee_of(session, fee)


def show_refund(
    session: Session, client_id: uuid.UUID, fee_id: uuid.UUID, ended_on: dt.date
) -> RefundFigure:
    """What goes back of a fee if its service ends on a day; nothing is written.

    Raises:
        ClientNotFound, NotThere: there is no such client, or no such fee of this client.
        FeeNotPaid, PeriodOpen, EndedOutsidePeriod: nothing can go back.
    """
    people.client(session, client_id)
    return refund_figure(live_fee(session, client_id, fee_id), ended_on)


def refund_fee(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    client_id: uuid.UUID,
    edit: FeeEdit,
    new: NewRefund,
) -> tuple[ClientFee, Invoice]:
    """Record the refund of a fee whose service ended, and issue its credit note.

    Raises:
        ClientNotFound, NotThere, StaleVersion: as for any change of a fee.
        ApiError: the refund cannot be, see `payments.refund`.
    """
    fee = fee_to_change(session, client_id, edit.fee_id, edit.version)
    paid_before = paid_amount(fee)
    _, note = refund(session, actor, now, fee, new)
    fee.version += 1
    queries.add_to_paid_total(session, paid_amount(fee) - paid_before)
    renew_limits(session, [client_id])
    renew_sums(session, people.client(session, client_id))
    changes = invoices.audit_fields(note) | {"endedOn": fee.ended_on}
    audit_log.record(session, actor, now, "fee_refunded", ("fee", fee.id), changes)
    return client_fee_of(session, fee), note


def earnings(session: Session, visible: VisibleClients = ALL_CLIENTS) -> Rupees:
    """All fees that clients have ever paid."""
    if visible.is_all:
        return queries.paid_total(session)
    return queries.paid_total_of(session, visible)


def charged_to(session: Session, client_id: uuid.UUID) -> Rupees:
    """All fees charged to a client, paid and due, less refunds."""
    amounts = [
        fee.amount - fee.refunded
        for fee in queries.fees_of(session, client_id)
        if fee.amount is not None
    ]
    return sum(amounts, Rupees(0))


def paid_by(session: Session, client_id: uuid.UUID) -> list[tuple[dt.date, Rupees]]:
    """The fees a client paid, with their paid dates; a refund is a negative payment."""
    paid = [
        (fee.paid_on, fee.amount)
        for fee in queries.fees_of(session, client_id)
        if fee.paid_on is not None and fee.amount is not None
    ]
    refunds = refunds_by_client(session, [client_id]).get(client_id, ())
    return [*paid, *((day, -amount) for day, amount in refunds)]


def paid_by_all(
    session: Session, client_ids: Collection[uuid.UUID]
) -> dict[uuid.UUID, list[tuple[dt.date, Rupees]]]:
    """As `paid_by`, by client; those who paid nothing are left out."""
    paid: dict[uuid.UUID, list[tuple[dt.date, Rupees]]] = {}
    for fee in queries.charged_to(session, client_ids):
        if fee.paid_on is not None and fee.amount:
            paid.setdefault(fee.client_id, []).append((fee.paid_on, fee.amount))
    for client_id, refunds in refunds_by_client(session, client_ids).items():
        paid.setdefault(client_id, []).extend((day, -amount) for day, amount in refunds)
    return paid


def days_over_limit(session: Session) -> list[tuple[dt.date, int]]:
    """The days of fees that passed a family's yearly limit, and how many there are of each."""
    return [(day, count) for day, count in queries.days_over_limit(session)]


def paid_periods(session: Session) -> list[tuple[uuid.UUID, dt.date, dt.date]]:
    """Client, day of payment and last day of every paid fee whose period has a last day."""
    return [
        (client_id, paid_on, last) for client_id, paid_on, last in queries.paid_periods(session)
    ]


def first_payments(session: Session) -> dict[uuid.UUID, dt.date]:
    """By client, the day on which a fee was paid for the first time; only those who ever paid one."""
    return dict(map(tuple, queries.first_payments(session)))


def found_installation(session: Session) -> None:
    """Create the row of totals in an empty database."""
    queries.make_total(session)
