"""Shapes of fees and of the fee schedule on the wire."""

import datetime as dt
import uuid
from typing import Annotated, Any, Self

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from tarazu.domain.fees import FeeSchedule, FixedSchedule, Slab, SlabSchedule
from tarazu.fees.tables import FeeStatus
from tarazu.firm.tables import ScheduleKind
from tarazu.invoices.tables import PaymentMode
from tarazu.kit.fields import Day, is_plain, none_if_blank
from tarazu.kit.schemas import Flag, Number, Schema, Version, attribute

LONGEST_SOURCE = 500
LONGEST_REFERENCE = 60
MOST_SLABS = 20
MOST_RUPEES = 10**13


def _given(value: Any) -> Any:
    if none_if_blank(value) is None:
        raise ValueError("Please fill all required fields.")
    return value


def _not_cash(value: Any) -> Any:
    mode = none_if_blank(value)
    if isinstance(mode, str) and mode.strip().upper() == "CASH":
        raise ValueError("Fees are not accepted in cash. Choose another mode of payment.")
    if mode is not None and mode not in list(PaymentMode):
        raise ValueError("Choose a mode of payment from the list.")
    return mode


def _reference(text: str) -> str:
    reference = text.strip()
    if len(reference) > LONGEST_REFERENCE or not is_plain(reference):
        raise ValueError("A reference has at most 60 characters, without control characters.")
    return reference


def _source(text: str) -> str:
    source = text.strip()
    if len(source) > LONGEST_SOURCE or not is_plain(source):
        raise ValueError("A source has at most 500 characters, without control characters.")
    return source


Sum = Annotated[Number, Field(ge=0, le=MOST_RUPEES, decimal_places=2)]
Share = Annotated[Number, Field(ge=0, le=10_000, decimal_places=2)]
Mode = Annotated[PaymentMode, BeforeValidator(_not_cash)]
OptionalMode = Annotated[PaymentMode | None, BeforeValidator(_not_cash)]
PaymentReference = Annotated[str, AfterValidator(_reference)]
OptionalDay = Annotated[Day | None, BeforeValidator(none_if_blank)]
OptionalSum = Annotated[Sum | None, BeforeValidator(none_if_blank)]


class NewFee(Schema):
    starting_date: Annotated[Day, BeforeValidator(_given)]
    due_date: OptionalDay = None
    final_date: OptionalDay = None
    starting_value: Annotated[Sum, BeforeValidator(_given)]
    final_value: Annotated[Sum, BeforeValidator(_given)]

    @model_validator(mode="before")
    @classmethod
    def _require_fields(cls, body: Any) -> Any:
        # A missing field gets the same message of the screen as an empty one.
        needed = dict.fromkeys(("startingDate", "startingValue", "finalValue"))
        return needed | body if isinstance(body, dict) else body


class ChangedFee(Schema):
    """A field that is left out stays as it is; `version` is the one that was seen."""

    fee_id: uuid.UUID
    due_date: OptionalDay = None
    final_date: OptionalDay = None
    final_value: OptionalSum = None
    status: FeeStatus | None = None
    paid_date: OptionalDay = None
    mode_of_payment: OptionalMode = None
    reference: PaymentReference | None = None
    version: Version | None = None


class FeeToInvoice(Schema):
    """A paid fee without an invoice; `version` is the one that was seen."""

    fee_id: uuid.UUID
    mode_of_payment: OptionalMode = None
    reference: PaymentReference = ""
    version: Version | None = None


class NewFeeRefund(Schema):
    """The end of a service; without an amount the unserved share goes back."""

    fee_id: uuid.UUID
    ended_on: Day
    paid_on: Day
    mode_of_payment: Mode
    reference: PaymentReference = ""
    amount: OptionalSum = None
    version: Version | None = None


class FeeToDelete(Schema):
    fee_id: uuid.UUID
    version: Version | None = None


class LimitPassed(Schema):
    """A family's fees from `year_from` to `until`, twelve months, against the limit.

    `fee` is the fee of the row, and part of `family_fees`.
    """

    year_from: dt.date
    until: dt.date
    fee: Number
    family_fees: Number
    yearly_limit: Number
    excess: Number


class CreditNoteRow(Schema):
    id: uuid.UUID = Field(alias="_id")
    number: str
    issued_on: dt.date
    value: Number
    total: Number


class InvoiceOfFee(Schema):
    """The invoice of a fee; sums without tax but for `total`, `left` can still be credited."""

    id: uuid.UUID = attribute("invoice.id", "_id")
    number: str = attribute("invoice.number")
    issued_on: dt.date = attribute("invoice.issued_on")
    value: Number = attribute("invoice.value")
    total: Number = attribute("invoice.total")
    credited: Number
    left: Number
    credit_notes: list[CreditNoteRow]


class RefundShown(Schema):
    """What goes back of a fee if its service ends on a day: fee x unserved / days."""

    ended_on: dt.date
    fee: Number = attribute("share.fee")
    days: int = attribute("share.days")
    served: int = attribute("share.served")
    unserved: int = attribute("share.unserved")
    share: Number = attribute("share.amount")
    refunded: Number
    amount: Number


class FlowsChanged(Schema):
    """The fee of the period from `starting_on`, and what it would be with the cash flows of now."""

    starting_on: dt.date = Field(alias="startingDate")
    fees: Number
    net_funds_added_now: Number
    net_gain_now: Number
    fees_now: Number


class FeeRow(Schema):
    id: uuid.UUID = attribute("fee.id", "_id")
    starting_date: dt.date = attribute("fee.starting_on")
    due_date: dt.date | None = attribute("fee.due_on")
    final_date: dt.date | None = attribute("fee.final_on")
    starting_value: Number = attribute("fee.starting_value")
    final_value: Number | None = attribute("fee.final_value")
    net_funds_added: Number | None
    net_gain: Number | None = attribute("fee.net_gain")
    net_gain_percentage: Number | None
    applicable_percentage: Number | None = attribute("fee.applicable_percentage")
    fees: Number | None = attribute("fee.amount")
    net_gain_after_fees: Number | None
    status: FeeStatus = attribute("fee.status")
    paid_date: dt.date | None = attribute("fee.paid_on")
    over_limit: bool = attribute("is_over_limit")
    limit: LimitPassed | None = attribute("passed_limit")
    schedule_from: dt.date | None
    flows_changed: FlowsChanged | None
    mode_of_payment: PaymentMode | None = attribute("fee.payment_mode")
    reference: str = attribute("fee.payment_reference")
    refunded: Number = attribute("fee.refunded")
    ended_on: dt.date | None = attribute("fee.ended_on")
    invoice: InvoiceOfFee | None = attribute("documents")
    version: int = attribute("fee.version")


class ClientFeesRow(Schema):
    id: uuid.UUID = Field(alias="_id")
    client_id: str
    user_name: str
    total_fees: Number
    total_due: Number
    due_date: dt.date | None
    total_paid: Number
    paid_date: dt.date | None
    status: FeeStatus
    over_limit: bool = attribute("is_over_limit")
    limit: LimitPassed | None = attribute("passed_limit")
    flows_changed: list[FlowsChanged]


class RefundedFee(Schema):
    """The fee after its refund, and the credit note that was issued."""

    fee: FeeRow
    credit_note: CreditNoteRow


class FeeStats(Schema):
    total_fees: Number
    total_paid: Number
    total_due: Number


class FeeSlab(Schema):
    gain_from: Share = Field(alias="from")
    percentage: Share


class FeeScheduleVersion(Schema):
    id: uuid.UUID = attribute("version.id", "_id")
    effective_on: dt.date = attribute("version.terms.effective_on")
    kind: ScheduleKind = attribute("version.terms.kind")
    slabs: list[FeeSlab] = attribute("version.terms.slabs")
    fixed_amount: Number | None = attribute("version.terms.fixed_amount")
    is_above_high_water_mark: bool = attribute("version.terms.is_above_high_water_mark")
    yearly_limit: Number | None = attribute("version.terms.yearly_limit")
    source: str = attribute("version.terms.source")
    is_in_force: bool
    is_in_use: bool
    created_at: dt.datetime = attribute("version.created_at")


class FeeSchedules(Schema):
    in_force: FeeScheduleVersion
    versions: list[FeeScheduleVersion]


class NewFeeSchedule(Schema):
    """A version from a day on: slabs of gain, or a fixed amount a period."""

    effective_on: Day
    kind: ScheduleKind
    slabs: list[FeeSlab] = Field(default=[], max_length=MOST_SLABS)
    fixed_amount: OptionalSum = None
    is_above_high_water_mark: Flag = True
    yearly_limit: OptionalSum = None
    source: Annotated[str, AfterValidator(_source)] = ""
    seen_at: dt.datetime | None = None
    """`createdAt` of the version of that day as it was seen; null when none was. Left out: not asked about."""

    @property
    def schedule(self) -> FeeSchedule:
        """The schedule that the fields describe.

        Raises:
            BadFeeSchedule: it cannot be used; the text says why.
            ValueError: the amount of a fixed fee is missing.
        """
        if self.kind == ScheduleKind.SLABS:
            return SlabSchedule(tuple(Slab(slab.gain_from, slab.percentage) for slab in self.slabs))
        if self.fixed_amount is None:
            raise ValueError("Please fill all required fields.")
        return FixedSchedule(self.fixed_amount)

    @model_validator(mode="after")
    def _can_be_charged_by(self) -> Self:
        _ = self.schedule
        return self
