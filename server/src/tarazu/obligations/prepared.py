"""Files that the product makes for obligations, where it has the data; a person decides what they prove.

A file is stored with its hash in the audit trail. It does nothing for the state of the obligation
until somebody records it as evidence: what is asked for may be more than the product can make.
"""

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from sqlalchemy.orm import Session

from tarazu.domain.obligations.deposit import daily_counts, peak_of
from tarazu.domain.obligations.values import Form
from tarazu.fees import service as fees
from tarazu.fees.sheets import RECORDED_FEES
from tarazu.firm import service as firm
from tarazu.invoices import service as invoices
from tarazu.kit.audit_log import Actor
from tarazu.kit.clock import day_in_india, start_of
from tarazu.kit.export import Column, Kind, Sheet, workbook_of_sheets
from tarazu.kit.formatting import day_of
from tarazu.kit.schemas import every_row
from tarazu.obligations import accessibility
from tarazu.obligations.deposits import client_counts, deposit_state
from tarazu.obligations.errors import NothingToPrepare
from tarazu.obligations.evidence import EvidenceGiven, instance_to_prepare, record_evidence
from tarazu.obligations.tables import Evidence
from tarazu.people import service as people
from tarazu.registers import service as registers
from tarazu.registers.sheets import (
    ADVERTISEMENTS,
    CERTIFICATES,
    COMPLAINT_TABLE,
    COMPLAINTS,
    HANDLES,
)

Fact = tuple[str, Any]
Maker = Callable[[Session, dt.date, dt.datetime], Sequence[Sheet[Any]]]

_FACTS: Final[Sequence[Column[Fact]]] = (
    Column("Fact", Kind.TEXT, lambda row: row[0]),
    Column("Value", Kind.TEXT, lambda row: row[1]),
)
_COUNTS: Final[Sequence[Column[tuple[dt.date, int]]]] = (
    Column("Day", Kind.DAY, lambda row: row[0]),
    Column("Clients", Kind.WHOLE, lambda row: row[1]),
)
_ONE_DAY: Final = dt.timedelta(days=1)


def prepare_file(
    session: Session, actor: Actor, now: dt.datetime, obligation_id: str, key: str
) -> Evidence:
    """Make the file of an instance and store it, with its hash in the audit trail.

    Raises:
        NothingToPrepare: the product makes none for this obligation.
        ObligationNotFound, InstanceNotFound, EvidenceTooEarly: there is nothing of which it could be.
        NoReportOfVersion: the accessibility report is not part of this version.
    """
    if obligation_id not in MAKERS:
        raise NothingToPrepare
    instance = instance_to_prepare(session, now, obligation_id, key).instance
    title, form, make = MAKERS[obligation_id]
    if form not in {None, instance.obligation.form}:
        # The firm made it due in another way: its period is not known.
        raise NothingToPrepare
    last = dt.date.fromisoformat(key)
    sheets = [_about(session, title, instance.text, now), *make(session, last, now)]
    given = EvidenceGiven(
        key,
        note=f"{title}, made by Tarazu",
        file_name=f"{obligation_id.replace('_', '-')}-{key}.xlsx",
        content=workbook_of_sheets(title, sheets, now),
        is_prepared=True,
    )
    return record_evidence(session, actor, now, obligation_id, given)


def prepared_title(obligation_id: str) -> str:
    """What the product makes for an obligation; "" for nothing, or nothing in this version."""
    if obligation_id == "accessibility" and accessibility.shipped_report() is None:
        return ""
    return MAKERS[obligation_id][0] if obligation_id in MAKERS else ""


def _about(session: Session, title: str, period: str, now: dt.datetime) -> Sheet[Fact]:
    record = firm.registration(session)
    rows = [
        ("Firm", record.name),
        ("Registration number", record.registration_number or None),
        ("What", title),
        ("Of", period or None),
        ("Made on", day_of(now)),
    ]
    return Sheet("About", _FACTS, rows)


def _complaint_table(session: Session, last: dt.date, _: dt.datetime) -> Sequence[Sheet[Any]]:
    rows = registers.complaint_table(session, last.replace(day=1), last)
    return [Sheet("Complaints", COMPLAINT_TABLE, rows)]


def _deposit(session: Session, last: dt.date, now: dt.datetime) -> Sequence[Sheet[Any]]:
    state = deposit_state(session, day_in_india(now), last)
    rows: list[Fact] = [
        ("Fiscal year", f"{day_of(state.first)} to {day_of(last)}"),
        ("Most clients on a day", state.peak),
        ("First on", day_of(state.peak_on) if state.peak_on else None),
        ("Deposit needed, rupees", state.needed),
        ("Deposit entered, rupees", state.entered),
        ("Shortfall, rupees", state.shortfall),
    ]
    counts = client_counts(session, state.first, last)
    return [Sheet("Deposit", _FACTS, rows), Sheet("Clients by day", _COUNTS, counts)]


def _half_year(session: Session, last: dt.date, now: dt.datetime) -> Sequence[Sheet[Any]]:
    """The parts of the form in their order."""
    first = dt.date(last.year, 4, 1) if last.month > 3 else dt.date(last.year - 1, 10, 1)  # noqa: PLR2004
    today = day_in_india(now)

    def overlaps(since: dt.date, until: dt.date | None) -> bool:
        return since <= last and (until is None or until >= first)

    paid = [
        row
        for row in fees.fees_between(session, None, first, last)
        if row.fee.paid_on is not None and first <= row.fee.paid_on <= last
    ]
    certificates = [
        row
        for row in every_row(lambda params: registers.list_certificates(session, params, today))
        if overlaps(row.entry.valid_from, row.entry.valid_until)
    ]
    handles = [
        row
        for row in every_row(lambda params: registers.list_handles(session, params, is_open=None))
        if overlaps(row.since, row.until)
    ]
    advertisements = [
        row
        for row in every_row(
            lambda params: registers.list_advertisements(session, params, today, is_open=None)
        )
        if row.entry.created_at < start_of(last + _ONE_DAY)
        and (row.entry.released_on is None or row.entry.released_on >= first)
    ]
    complaints = [
        row
        for row in every_row(
            lambda params: registers.list_complaints(session, params, today, is_open=None)
        )
        if overlaps(row.entry.received_on, row.entry.resolved_on)
    ]
    return [
        Sheet("Clients", _FACTS, _clients(session, first, last)),
        Sheet("Fees received", RECORDED_FEES, paid),
        Sheet("Staff certificates", CERTIFICATES, certificates),
        Sheet("Bank accounts", _FACTS, _accounts(session)),
        Sheet("Handles and sites", HANDLES, handles),
        Sheet("Advertisements", ADVERTISEMENTS, advertisements),
        Sheet("Complaint counts", COMPLAINT_TABLE, registers.complaint_table(session, first, last)),
        Sheet("Complaints", COMPLAINTS, complaints),
    ]


def _clients(session: Session, first: dt.date, last: dt.date) -> list[Fact]:
    spans = [(one.added_on, one.removed_on) for one in people.client_spans(session)]
    counts = daily_counts(spans, first, last) | dict(client_counts(session, first, last))
    peak = peak_of(counts)
    before = sum(added < first and (gone is None or gone >= first) for added, gone in spans)
    return [
        ("Clients before the half-year", before),
        ("Added", sum(first <= added <= last for added, _ in spans)),
        ("Ended", sum(gone is not None and first <= gone <= last for _, gone in spans)),
        ("Clients on the last day", counts.get(last)),
        ("Most clients on a day", peak.clients),
        ("First on", day_of(peak.day) if peak.day else None),
    ]


def _accounts(session: Session) -> list[Fact]:
    settings = invoices.invoice_settings(session)
    return [("Bank account", settings.bank_line or None), ("UPI ID", settings.upi_id or None)]


def _accessibility(_: Session, __: dt.date, ___: dt.datetime) -> Sequence[Sheet[Any]]:
    return accessibility.sheets()


MAKERS: Final[Mapping[str, tuple[str, Form | None, Maker]]] = {
    "complaint_table": ("Complaint table of the month", Form.MONTH_END, _complaint_table),
    "half_yearly_report": ("Workbook for the half-yearly report", Form.HALF_YEAR_END, _half_year),
    "deposit": ("Clients by day and the deposit they need", Form.FISCAL_YEAR_END, _deposit),
    "accessibility": ("Accessibility report of this version", None, _accessibility),
}
"""By obligation: what the product makes, of which form's periods (None for any), and how."""
