"""The register of complaints, each with its clock, and the public table of their numbers."""

import datetime as dt
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy.orm import Session

from tarazu.domain import codes
from tarazu.domain.complaints import (
    Complaint,
    ComplaintState,
    Counts,
    counts_of,
    earliest_resolution,
    months_until,
    state_of,
)
from tarazu.firm import service as firm
from tarazu.kit.audit_log import Actor
from tarazu.kit.clock import day_in_india
from tarazu.kit.formatting import day_of
from tarazu.kit.schemas import ListParams
from tarazu.people import service as people
from tarazu.registers import queries
from tarazu.registers.errors import AlreadyClosed, UnfitEntry
from tarazu.registers.records import add_entry, change_entry, entry_of
from tarazu.registers.rules import Rules, known_rules
from tarazu.registers.tables import ComplaintEntry, RuleName

_MONTHS_SHOWN = 12
_YEARS_SHOWN = 5
_APRIL = 4


@dataclass(frozen=True, slots=True)
class ComplaintOnClock:
    """A complaint with the last day on which it should be resolved, and where it is."""

    entry: ComplaintEntry
    due_on: dt.date
    state: ComplaintState


@dataclass(frozen=True, slots=True)
class PeriodCounts:
    """The counts from `first` to `last`, both included."""

    first: dt.date
    last: dt.date
    counts: Counts


@dataclass(frozen=True, slots=True)
class ChannelCounts:
    """The counts of the complaints that came by one way."""

    channel: str
    counts: Counts


@dataclass(frozen=True, slots=True)
class PublicComplaints:
    """What the firm publishes of complaints: numbers alone, up to the last complete month.

    `channels` are of the last month, by the way complaints came; `months` and `years` (April to
    March) oldest first.
    """

    firm: firm.FirmRegistration
    month: PeriodCounts
    channels: Sequence[ChannelCounts]
    months: Sequence[PeriodCounts]
    years: Sequence[PeriodCounts]


def list_complaints(
    session: Session, params: ListParams, today: dt.date, *, is_open: bool | None
) -> tuple[list[ComplaintOnClock], int]:
    """One page of complaints, the newest first, and how many match."""
    entries, total = queries.page_of(session, ComplaintEntry, params, is_open=is_open)
    rules = known_rules(session)
    return [_on_clock(entry, rules, today) for entry in entries], total


def add_complaint(
    session: Session, actor: Actor, now: dt.datetime, fields: Mapping[str, Any]
) -> ComplaintOnClock:
    """Enter a complaint; one that was resolved before it is entered comes with its `resolved_on`.

    Raises:
        ClientNotFound: there is no such client.
        UnfitEntry: a day or the channel does not fit.
    """
    today, rules = day_in_india(now), known_rules(session)
    columns = _columns(session, fields, rules, today)
    _refuse_unfit_resolution(columns["resolved_on"], columns["received_on"], today)
    entry = add_entry(session, actor, now, ComplaintEntry, columns, "complaint_added")
    return _on_clock(entry, rules, today)


def edit_complaint(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    entry_id: uuid.UUID,
    fields: Mapping[str, Any],
    version: int | None,
) -> ComplaintOnClock:
    """Correct a complaint; how it was resolved is not changed by it.

    Raises:
        EntryNotFound, StaleVersion: as for `entry_of`.
        ClientNotFound, UnfitEntry: as for `add_complaint`.
    """
    entry = entry_of(session, ComplaintEntry, entry_id, version)
    today, rules = day_in_india(now), known_rules(session)
    columns = _columns(session, fields, rules, today, channel=entry.channel)
    for name in ("resolved_on", "resolution"):
        del columns[name]
    if entry.resolved_on is not None and columns["received_on"] > entry.resolved_on:
        raise UnfitEntry(
            "receivedOn",
            f"The complaint was resolved on {day_of(entry.resolved_on)}: it cannot have come later.",
        )
    change_entry(session, actor, now, entry, columns, "complaint_edited")
    return _on_clock(entry, rules, today)


def resolve_complaint(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    entry_id: uuid.UUID,
    resolved_on: dt.date,
    resolution: str,
    version: int | None,
) -> ComplaintOnClock:
    """Close a complaint.

    Raises:
        EntryNotFound, StaleVersion: as for `entry_of`.
        AlreadyClosed: it is resolved.
        UnfitEntry: the day is before it came, before it was recorded as open, in a month whose
            table is published, or in the future.
    """
    entry = entry_of(session, ComplaintEntry, entry_id, version)
    if entry.resolved_on is not None:
        raise AlreadyClosed("This complaint is resolved already.")
    today, rules = day_in_india(now), known_rules(session)
    _refuse_unfit_resolution(resolved_on, entry.received_on, today)
    table_day = rules.number(RuleName.COMPLAINT_TABLE_DAY, today)
    recorded_on = day_in_india(entry.created_at)
    earliest = earliest_resolution(entry.received_on, recorded_on, today, table_day)
    if resolved_on < earliest:
        raise UnfitEntry(
            "resolvedOn",
            f"A closing cannot be backdated: this complaint was open until {day_of(earliest)} "
            f"in the register or in the published table. Enter {day_of(earliest)} or a later day.",
        )
    fields = {"resolved_on": resolved_on, "resolution": resolution}
    change_entry(session, actor, now, entry, fields, "complaint_resolved")
    return _on_clock(entry, rules, today)


def complaint_channels(session: Session, today: dt.date) -> tuple[str, ...]:
    """The ways by which complaints come, as the table lists them today."""
    return known_rules(session).texts(RuleName.COMPLAINT_CHANNELS, today)


def public_complaints(session: Session, today: dt.date) -> PublicComplaints:
    """The tables that the firm publishes, also where there was no complaint."""
    complaints = [Complaint(*row) for row in queries.complaint_days(session)]
    months = [
        PeriodCounts(first, last, counts_of(complaints, first, last))
        for first, last in months_until(today, _MONTHS_SHOWN)
    ]
    month = months[-1]
    by_channel = _by_channel(session, complaints, month.first, month.last)
    oldest = min((complaint.received_on for complaint in complaints), default=month.first)
    years = [
        PeriodCounts(first, last, counts_of(complaints, first, last))
        for first, last in _years(oldest, month.last)
    ]
    return PublicComplaints(firm.registration(session), month, by_channel, months, years)


def complaint_table(session: Session, first: dt.date, last: dt.date) -> list[ChannelCounts]:
    """The table of a period: a row for each way by which complaints come, then one of all."""
    complaints = [Complaint(*row) for row in queries.complaint_days(session)]
    total = ChannelCounts("Total", counts_of(complaints, first, last))
    return [*_by_channel(session, complaints, first, last), total]


def _by_channel(
    session: Session, complaints: Sequence[Complaint], first: dt.date, last: dt.date
) -> list[ChannelCounts]:
    """The counts of the ways listed on the last day, then of those that complaints came by besides."""
    listed = known_rules(session).texts(RuleName.COMPLAINT_CHANNELS, last)
    earlier = sorted({complaint.channel for complaint in complaints} - set(listed))
    return [
        ChannelCounts(
            channel,
            counts_of([one for one in complaints if one.channel == channel], first, last),
        )
        for channel in (*listed, *earlier)
    ]


def _columns(
    session: Session,
    fields: Mapping[str, Any],
    rules: Rules,
    today: dt.date,
    channel: str | None = None,
) -> dict[str, Any]:
    """The columns of what was entered; `channel` is the one it has, which stays allowed."""
    columns = dict(fields)
    received_on = columns["received_on"]
    if received_on > today:
        raise UnfitEntry("receivedOn", "A complaint cannot be received in the future.")
    allowed = rules.texts(RuleName.COMPLAINT_CHANNELS, received_on)
    if columns["channel"] not in {*allowed, channel}:
        raise UnfitEntry("channel", f"Choose one of: {', '.join(allowed)}.")
    client = _client_coded(session, columns["complainant"])
    if client is not None:
        columns |= {"client_id": client.id, "complainant": client.name}
    elif columns["client_id"] is not None:
        columns["complainant"] = people.client(session, columns["client_id"]).name
    elif not columns["complainant"]:
        raise UnfitEntry("complainant", "Choose the client, or enter who complained.")
    return columns


def _client_coded(session: Session, text: str) -> people.Client | None:
    """The client of whom the code was entered in place of a name; None of another text."""
    try:
        code = codes.client_code(codes.client_number(text))
    except codes.NotAClientCode:
        return None
    return people.client_by_code(session, code)


def _refuse_unfit_resolution(
    resolved_on: dt.date | None, received_on: dt.date, today: dt.date
) -> None:
    if resolved_on is None:
        return
    if resolved_on < received_on:
        raise UnfitEntry(
            "resolvedOn",
            f"The complaint came on {day_of(received_on)}: it cannot be resolved before that.",
        )
    if resolved_on > today:
        raise UnfitEntry("resolvedOn", "A complaint cannot be resolved in the future.")


def _on_clock(entry: ComplaintEntry, rules: Rules, today: dt.date) -> ComplaintOnClock:
    days = rules.number(RuleName.COMPLAINT_DAYS, entry.received_on)
    warning_days = rules.number(RuleName.COMPLAINT_WARNING_DAYS, today)
    due_on = entry.received_on + dt.timedelta(days=days)
    return ComplaintOnClock(entry, due_on, state_of(entry.resolved_on, due_on, warning_days, today))


def _years(oldest: dt.date, last: dt.date) -> list[tuple[dt.date, dt.date]]:
    """The financial years from that of `oldest` to that of `last`, at most five, the last cut there."""
    newest = last.year if last.month >= _APRIL else last.year - 1
    first = max(
        oldest.year if oldest.month >= _APRIL else oldest.year - 1, newest - _YEARS_SHOWN + 1
    )
    return [
        (dt.date(year, _APRIL, 1), min(dt.date(year + 1, _APRIL - 1, 31), last))
        for year in range(min(first, newest), newest + 1)
    ]
