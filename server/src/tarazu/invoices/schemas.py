"""Shapes of invoices, their settings and rules on the wire."""

import datetime as dt
import re
import uuid
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field, Strict

from tarazu.domain.gst import STATES
from tarazu.invoices.tables import CapBehaviour, DocumentKind, PaymentMode
from tarazu.kit.fields import Day, is_plain, none_if_blank
from tarazu.kit.schemas import Flag, Number, Schema, Version, Whole, attribute

LONGEST_LINE = 300
_PREFIX = re.compile(r"[A-Z0-9-]{1,4}", re.ASCII)
_SAC = re.compile(r"\d{4,8}", re.ASCII)
_PATTERN = re.compile(r"[A-Za-z0-9@._*-]{3,60}", re.ASCII)


def _line(text: str) -> str:
    line = text.replace("\r\n", "\n").strip()
    if len(line) > LONGEST_LINE or not is_plain(line, lines=True):
        raise ValueError("At most 300 characters, without control characters.")
    return line


def _prefix(text: str) -> str:
    prefix = text.strip().upper()
    if not _PREFIX.fullmatch(prefix):
        raise ValueError("A prefix has 1 to 4 letters, digits or hyphens.")
    return prefix


def _sac(text: str) -> str:
    if not _SAC.fullmatch(text.strip()):
        raise ValueError("A SAC has 4 to 8 digits, such as 997156.")
    return text.strip()


def _pattern(text: str) -> str:
    pattern = text.strip()
    if not _PATTERN.fullmatch(pattern) or pattern.count("*") > MOST_STARS or "**" in pattern:
        raise ValueError("Enter the shape of a UPI ID with at most 3 stars, such as *.ra@valid*.")
    return pattern


MOST_STARS = 3


def _source(text: str) -> str:
    if not text.strip():
        raise ValueError("Source is required")
    return _line(text)


def _upper(text: str) -> str:
    return _line(text).replace(" ", "").upper()


def _state(text: str) -> str:
    if text and text not in STATES:
        raise ValueError("Choose a state from the list.")
    return text


Line = Annotated[str, AfterValidator(_line)]
Prefix = Annotated[str, AfterValidator(_prefix)]
Gstin = Annotated[str, AfterValidator(_upper)]


class InvoiceOptions(Schema):
    """What a screen needs to mark a fee paid."""

    is_on: bool
    has_gstin: bool
    default_mode: PaymentMode | None


class StateRow(Schema):
    code: str
    name: str


class InvoiceSettingsDetails(Schema):
    is_on: bool
    gstin: str
    invoice_prefix: str
    credit_prefix: str
    upi_id: str
    bank_line: str
    default_mode: PaymentMode | None
    cap_behaviour: CapBehaviour
    version: int


class EditedInvoiceSettings(Schema):
    """A field that is left out stays as it is; `version` is the one that was seen."""

    is_on: Flag | None = None
    gstin: Gstin | None = None
    invoice_prefix: Prefix | None = None
    credit_prefix: Prefix | None = None
    upi_id: Line | None = None
    bank_line: Line | None = None
    default_mode: Annotated[PaymentMode | None, BeforeValidator(none_if_blank)] = None
    cap_behaviour: CapBehaviour | None = None
    version: Version | None = None

    def entered(self) -> dict[str, Any]:
        """The settings that were given; only `default_mode` may be None."""
        given = self.model_dump(exclude_unset=True, exclude={"version"})
        return {
            name: value
            for name, value in given.items()
            if value is not None or name == "default_mode"
        }


class InvoiceRuleRow(Schema):
    id: uuid.UUID = attribute("rule.id", "_id")
    effective_on: dt.date = attribute("rule.effective_on")
    advance_months: int | None = attribute("rule.advance_months")
    gst_rate: Number = attribute("rule.gst_rate")
    sac: str = attribute("rule.sac")
    upi_pattern: str = attribute("rule.upi_pattern")
    source: str = attribute("rule.source")
    is_in_force: bool


class NewInvoiceRule(Schema):
    effective_on: Day
    advance_months: Annotated[Whole | None, Field(ge=1, le=60)] = None
    gst_rate: Annotated[Number, Field(ge=0, le=100, decimal_places=2)]
    sac: Annotated[str, AfterValidator(_sac)]
    upi_pattern: Annotated[str, AfterValidator(_pattern)]
    source: Annotated[str, AfterValidator(_source)]


class BillingDetails(Schema):
    """A client's state code and GSTIN, "" while not known; version 0 before the first entry."""

    state_code: str
    gstin: str
    version: int


class EditedBilling(Schema):
    """A field that is left out stays as it is."""

    state_code: Annotated[str, AfterValidator(_state)] | None = None
    gstin: Gstin | None = None
    version: Annotated[int, Strict(), Field(ge=0)] | None = None

    def entered(self) -> dict[str, str]:
        """The fields that were given."""
        return self.model_dump(exclude_unset=True, exclude_none=True, exclude={"version"})


class InvoiceRow(Schema):
    """An invoice or credit note; `corrects` is the number of the invoice of a credit note."""

    id: uuid.UUID = attribute("row.id", "_id")
    kind: DocumentKind = attribute("row.kind")
    number: str = attribute("row.number")
    issued_on: dt.date = attribute("row.issued_on")
    paid_on: dt.date = attribute("row.paid_on")
    client: uuid.UUID = attribute("row.client_id", "client")
    client_id: str
    user_name: str
    mode_of_payment: PaymentMode = attribute("row.mode")
    reference: str = attribute("row.reference")
    value: Number = attribute("row.value")
    tax: Number
    total: Number = attribute("row.total")
    corrects: str | None
