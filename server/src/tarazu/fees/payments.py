"""What is paid and what goes back: the invoice of a paid fee, and the refund at an early end."""

import datetime as dt
import uuid
from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy.orm import Session

from tarazu.domain.fee_limits import UnservedShare, unserved_share_of
from tarazu.domain.money import ZERO, Rupees
from tarazu.fees.errors import (
    EndedOutsidePeriod,
    FeeIsInvoiced,
    FeeNotPaid,
    NotInvoiced,
    PeriodOpen,
    RefundAhead,
    RefundBeforePayment,
    RefundTooSmall,
)
from tarazu.fees.figures import last_day_of
from tarazu.fees.limits import family_year_of
from tarazu.fees.tables import Fee, FeeStatus
from tarazu.invoices import service as invoices
from tarazu.invoices.errors import ModeMissing
from tarazu.invoices.service import Credit, FeeDocuments, PaidFee, Payment
from tarazu.invoices.tables import Invoice
from tarazu.kit.audit_log import Actor
from tarazu.kit.clock import day_in_india
from tarazu.kit.formatting import day_of, rupees


@dataclass(frozen=True, slots=True)
class NewRefund:
    """A refund of a fee whose service ended; without an amount the unserved share goes back."""

    ended_on: dt.date
    payment: Payment
    amount: Rupees | None = None


@dataclass(frozen=True, slots=True)
class RefundFigure:
    """What goes back of a fee if its service ends on a day, and what has gone back already."""

    ended_on: dt.date
    share: UnservedShare
    refunded: Rupees

    @property
    def amount(self) -> Rupees:
        """What is still to go back; 0 for nothing."""
        return max(ZERO, self.share.amount - self.refunded)


def documents_of(session: Session, fee: Fee) -> FeeDocuments | None:
    """The invoice of a fee with its credit notes; None without one."""
    return invoices.documents_of_fees(session, [fee.id]).get(fee.id)


def refuse_invoiced(session: Session, fee: Fee) -> None:
    """Refuse to undo what an invoice says.

    Raises:
        FeeIsInvoiced: the fee has an invoice; the text names it.
    """
    documents = documents_of(session, fee)
    if documents is not None:
        raise FeeIsInvoiced(
            f"Invoice {documents.invoice.number} was issued for this fee, so its payment stays as "
            "it is. Record a refund instead."
        )


def issue_invoice(
    session: Session, actor: Actor, now: dt.datetime, fee: Fee, *, is_mailed: bool = True
) -> Invoice:
    """Issue the invoice of a paid fee, with the firm's usual mode of payment if it has none.

    Raises:
        FeeNotPaid, ModeMissing: it cannot be invoiced yet.
        InvoicingIsOff, NothingToInvoice, InvoicedAlready, StateUnknown: see `invoices`.
    """
    if fee.status != FeeStatus.PAID or fee.paid_on is None:
        raise FeeNotPaid("Only a paid fee has an invoice. Mark it paid first.")
    mode = fee.payment_mode or invoices.invoice_settings(session).default_mode
    if mode is None:
        raise ModeMissing(errors=[{"field": "modeOfPayment", "message": ModeMissing.message}])
    fee.payment_mode = mode
    last_day = last_day_of(fee)
    paid = PaidFee(
        fee.id,
        fee.client_id,
        fee.starting_on,
        None if last_day == dt.date.max else last_day,
        fee.amount or ZERO,
        family_year_of(session, fee),
        is_mailed,
    )
    payment = Payment(fee.paid_on, mode, fee.payment_reference)
    return invoices.issue_invoice(session, actor, now, paid, payment)


def invoice_if_paid(
    session: Session, actor: Actor, now: dt.datetime, fee: Fee, *, was_paid: bool
) -> Invoice | None:
    """The invoice of a fee that was paid just now, where the firm issues invoices; else None."""
    is_new = fee.status == FeeStatus.PAID and not was_paid
    if is_new and fee.amount and invoices.invoice_settings(session).is_on:
        return issue_invoice(session, actor, now, fee)
    return None


def refund_figure(fee: Fee, ended_on: dt.date) -> RefundFigure:
    """What goes back of a paid fee if its service ends on a day.

    Raises:
        FeeNotPaid, PeriodOpen, EndedOutsidePeriod: nothing can go back.
    """
    if fee.status != FeeStatus.PAID or fee.amount is None:
        raise FeeNotPaid
    last_day = fee.final_on or fee.counted_until
    if last_day is None:
        raise PeriodOpen
    if not fee.starting_on <= ended_on < last_day:
        raise EndedOutsidePeriod(
            f"The fee is for {day_of(fee.starting_on)} to {day_of(last_day)}. A service that ends "
            "after that, or on its last day, leaves nothing to refund; choose an earlier day of "
            "the period."
        )
    share = unserved_share_of(fee.amount, fee.starting_on, last_day, ended_on)
    return RefundFigure(ended_on, share, fee.refunded)


def refund(
    session: Session, actor: Actor, now: dt.datetime, fee: Fee, new: NewRefund
) -> tuple[RefundFigure, Invoice]:
    """Record a refund: the credit note of the fee's invoice.

    Raises:
        FeeNotPaid, PeriodOpen, EndedOutsidePeriod, RefundAhead, RefundBeforePayment,
            RefundTooSmall: it cannot be.
        NotInvoiced: there is no invoice to credit.
        CreditTooLarge: it is nothing, or more than the invoice has left.
    """
    figure, payment = refund_figure(fee, new.ended_on), new.payment
    if payment.paid_on > day_in_india(now):
        raise RefundAhead
    if fee.paid_on is not None and payment.paid_on < fee.paid_on:
        raise RefundBeforePayment
    documents = documents_of(session, fee)
    if documents is None:
        raise NotInvoiced
    amount = figure.amount if new.amount is None else new.amount
    if amount < figure.amount:
        raise RefundTooSmall(
            f"{rupees(figure.amount)} of this fee is for days without service. A refund cannot be "
            "less: no breakage fee may be kept."
        )
    share = figure.share
    reason = (
        f"Service ended on {day_of(new.ended_on)}: {share.served} of {share.days} days served, "
        f"{share.unserved} days unserved. No breakage fee."
    )
    note = invoices.issue_credit_note(
        session, actor, now, Credit(documents.invoice.id, amount, reason), payment
    )
    fee.refunded += amount
    fee.ended_on = new.ended_on
    return figure, note


def refunds_by_client(
    session: Session, client_ids: Collection[uuid.UUID]
) -> dict[uuid.UUID, list[tuple[dt.date, Rupees]]]:
    """What went back to these clients without tax, with the days; those with nothing are left out."""
    refunds: dict[uuid.UUID, list[tuple[dt.date, Rupees]]] = {}
    for note in invoices.refunds_of(session, client_ids):
        refunds.setdefault(note.client_id, []).append((note.paid_on, note.value))
    return refunds
