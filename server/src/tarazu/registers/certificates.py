"""Certificates of staff, and whether the one of a sender is valid."""

import datetime as dt
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sqlalchemy.orm import Session

from tarazu.kit.audit_log import Actor
from tarazu.kit.clock import day_in_india
from tarazu.kit.db import acquire_lock
from tarazu.kit.formatting import day_of
from tarazu.kit.locks import AdvisoryLock
from tarazu.kit.schemas import ListParams
from tarazu.people import service as people
from tarazu.people.errors import UserNotFound
from tarazu.people.service import STAFF_ROLES
from tarazu.registers import queries
from tarazu.registers.errors import EntryNotFound, UnfitEntry
from tarazu.registers.files import StoredFile, stored_file
from tarazu.registers.records import add_entry, change_entry, entry_of
from tarazu.registers.rules import Rules, known_rules
from tarazu.registers.tables import RuleName, StaffCertificate


class CertificateState(StrEnum):
    """RENEWED: the person has one of the same series that is valid longer."""

    VALID = "VALID"
    EXPIRING = "EXPIRING"
    EXPIRED = "EXPIRED"
    RENEWED = "RENEWED"


@dataclass(frozen=True, slots=True)
class CertificateOfStaff:
    """A certificate, whose it is, and how many days it is still valid; below zero it expired.

    `warning_days` is the warning that applies, such as 30 within the last thirty days; None without
    one. `file_name` is "" while no file was uploaded.
    """

    entry: StaffCertificate
    staff_name: str
    days_left: int
    state: CertificateState
    warning_days: int | None
    file_name: str


@dataclass(frozen=True, slots=True)
class SenderCertificate:
    """The certificate by which a member of staff may send advice.

    `valid_until` is None where none was ever recorded; `warns_from` is the first day of warnings.
    """

    series: str
    valid_until: dt.date | None
    warns_from: dt.date | None


def list_certificates(
    session: Session, params: ListParams, today: dt.date
) -> tuple[list[CertificateOfStaff], int]:
    """One page of certificates, those valid longest first, and how many match."""
    by_name = StaffCertificate.staff_id.in_(_staff_named(session, params.query))
    entries, total = queries.page_of(
        session, StaffCertificate, params, is_open=None, or_in=by_name if params.query else None
    )
    return _shown(session, entries, today), total


def certificate_warnings(session: Session, today: dt.date) -> list[CertificateOfStaff]:
    """The certificates that expired or will soon and were not renewed, the first to expire first."""
    shown = _shown(session, queries.certificates_of(session), today)
    due = {CertificateState.EXPIRING, CertificateState.EXPIRED}
    return [certificate for certificate in reversed(shown) if certificate.state in due]


def add_certificate(
    session: Session, actor: Actor, now: dt.datetime, fields: Mapping[str, Any]
) -> CertificateOfStaff:
    """Enter a certificate of a member of staff.

    Raises:
        UserNotFound: there is no such member of staff.
        DocumentNotFound: the file was not uploaded.
        UnfitEntry: a field does not fit, or a renewal is expired itself.
    """
    acquire_lock(session, AdvisoryLock.REGISTERS)
    staff = people.staff_by_id(session, fields["staff_id"])
    if staff is None or staff.role not in STAFF_ROLES:
        raise UserNotFound
    _refuse_unfit(session, fields, None, day_in_india(now))
    entry = add_entry(session, actor, now, StaffCertificate, fields, "certificate_added")
    return _shown(session, [entry], day_in_india(now))[0]


def edit_certificate(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    entry_id: uuid.UUID,
    fields: Mapping[str, Any],
    version: int | None,
) -> CertificateOfStaff:
    """Correct a certificate; whose it is stays.

    Raises:
        EntryNotFound, StaleVersion: as for `entry_of`.
        DocumentNotFound, UnfitEntry: as for `add_certificate`.
    """
    entry = entry_of(session, StaffCertificate, entry_id, version)
    columns = {**fields, "staff_id": entry.staff_id}
    # A file that is not sent again stays.
    columns["file"] = fields["file"] or entry.file
    _refuse_unfit(session, columns, entry, day_in_india(now))
    change_entry(session, actor, now, entry, columns, "certificate_edited")
    return _shown(session, [entry], day_in_india(now))[0]


def certificate_file(session: Session, entry_id: uuid.UUID) -> StoredFile:
    """The file of a certificate.

    Raises:
        EntryNotFound, DocumentNotFound: there is no such certificate, or no file of it.
    """
    entry = queries.entry_by_id(session, StaffCertificate, entry_id)
    if entry is None:
        raise EntryNotFound
    return stored_file(session, entry.file)


def sender_certificate(session: Session, staff_id: uuid.UUID, today: dt.date) -> SenderCertificate:
    """The newest certificate of the first series in the firm's list that the person has.

    That series is the one for research staff; others count only for who has none of it.
    """
    rules = known_rules(session)
    own = queries.certificates_of(session, [staff_id])
    for series in (*rules.texts(RuleName.CERTIFICATE_SERIES, today), *{row.series for row in own}):
        newest = next((row for row in own if row.series == series), None)
        if newest is not None:
            days = rules.numbers(RuleName.CERTIFICATE_WARNING_DAYS, today)[0]
            until = newest.valid_until
            return SenderCertificate(series, until, until - dt.timedelta(days=days))
    return SenderCertificate("", None, None)


def certificate_series(session: Session, today: dt.date) -> tuple[str, ...]:
    """The series that staff may need, as the rule of today lists them."""
    return known_rules(session).texts(RuleName.CERTIFICATE_SERIES, today)


def _staff_named(session: Session, query: str) -> list[uuid.UUID]:
    ids = {row.staff_id for row in queries.certificates_of(session)}
    names = people.names_of(session, ids)
    return [key for key, name in names.items() if query.strip().lower() in name.lower()]


def _shown(
    session: Session, entries: Sequence[StaffCertificate], today: dt.date
) -> list[CertificateOfStaff]:
    rules = known_rules(session)
    ids = {entry.staff_id for entry in entries}
    names = people.names_of(session, ids)
    files = queries.file_names(session, {entry.file for entry in entries if entry.file})
    newest: dict[tuple[uuid.UUID, str], dt.date] = {}
    for row in queries.certificates_of(session, ids):
        newest.setdefault((row.staff_id, row.series), row.valid_until)
    return [
        _certificate(
            entry,
            names.get(entry.staff_id, ""),
            files.get(entry.file or "", ""),
            rules,
            today,
            is_renewed=newest[entry.staff_id, entry.series] > entry.valid_until,
        )
        for entry in entries
    ]


def _certificate(
    entry: StaffCertificate,
    name: str,
    file_name: str,
    rules: Rules,
    today: dt.date,
    *,
    is_renewed: bool,
) -> CertificateOfStaff:
    days_left = (entry.valid_until - today).days
    passed = [
        days
        for days in rules.numbers(RuleName.CERTIFICATE_WARNING_DAYS, today)
        if days_left <= days
    ]
    state = CertificateState.EXPIRING if passed else CertificateState.VALID
    if days_left < 0:
        state = CertificateState.EXPIRED
    if is_renewed:
        state = CertificateState.RENEWED
    warning = min(passed) if passed and not is_renewed else None
    return CertificateOfStaff(entry, name, days_left, state, warning, file_name)


def _refuse_unfit(
    session: Session, fields: Mapping[str, Any], entry: StaffCertificate | None, today: dt.date
) -> None:
    first, last, series = fields["valid_from"], fields["valid_until"], fields["series"]
    allowed = certificate_series(session, today)
    if series not in {*allowed, entry.series if entry else None}:
        raise UnfitEntry("series", f"Choose one of: {', '.join(allowed)}.")
    if last <= first:
        raise UnfitEntry("validUntil", "A certificate ends after the day on which it begins.")
    if first > today:
        raise UnfitEntry(
            "validFrom", "This day is in the future: enter the certificate once it is valid."
        )
    if fields["file"]:
        stored_file(session, fields["file"])
    others = [
        row
        for row in queries.certificates_of(session, [fields["staff_id"]])
        if row.series == series and row is not entry
    ]
    if any(row.valid_until == last for row in others):
        raise UnfitEntry("validUntil", "This certificate is in the register already.")
    earlier = [row.valid_until for row in others if row.valid_until < last]
    is_latest = len(earlier) == len(others)
    if others and is_latest and last < today:
        raise UnfitEntry(
            "validUntil",
            f"The certificate until {day_of(max(earlier))} cannot be renewed with one that has "
            f"expired itself, on {day_of(last)}. Enter one that is valid today.",
        )
