"""Smaller registers: AI tools with the sentence of letters, handles and sites, incidents."""

import datetime as dt
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from sqlalchemy.orm import Session

from tarazu.firm import service as firm
from tarazu.kit.audit_log import Actor
from tarazu.kit.clock import day_in_india
from tarazu.kit.formatting import time_of
from tarazu.kit.schemas import ListParams
from tarazu.kit.translation import N_, Language, translation_of
from tarazu.registers import queries
from tarazu.registers.errors import AlreadyClosed, UnfitEntry
from tarazu.registers.records import add_entry, change_entry, entry_of
from tarazu.registers.rules import Rules, known_rules
from tarazu.registers.tables import AiTool, Handle, Incident, RuleName

_TOOLS: Final = N_("AI tools that we use: {tools}")
_NO_TOOLS: Final = N_("We no longer use AI tools.")
_LAST_HOURS: Final = dt.timedelta(hours=24)


class IncidentState(StrEnum):
    """REPORTED_LATE: after the hours that the rule gives."""

    OPEN = "OPEN"
    DUE_SOON = "DUE_SOON"
    OVERDUE = "OVERDUE"
    REPORTED = "REPORTED"
    REPORTED_LATE = "REPORTED_LATE"


@dataclass(frozen=True, slots=True)
class IncidentOnClock:
    entry: Incident
    due_at: dt.datetime
    state: IncidentState


@dataclass(frozen=True, slots=True)
class AiSentence:
    """What letters say of AI tools, and what the register would make of it, in both languages."""

    letters: str
    letters_hi: str
    from_register: str
    from_register_hi: str

    @property
    def is_own_text(self) -> bool:
        """Whether the firm's own words are in letters, not the register's."""
        return (self.letters, self.letters_hi) != (self.from_register, self.from_register_hi)


def list_tools(
    session: Session, params: ListParams, *, is_open: bool | None
) -> tuple[Sequence[AiTool], int]:
    """One page of AI tools, the newest first, and how many match."""
    return queries.page_of(session, AiTool, params, is_open=is_open)


def ai_sentence(session: Session) -> AiSentence:
    """The sentence that letters have now, and that of the register."""
    record = firm.firm_record(session)
    return AiSentence(record.ai_use, record.ai_use_hi, *_sentences(queries.tools(session)))


def use_register_sentence(session: Session, actor: Actor, now: dt.datetime) -> AiSentence:
    """Let letters say what the register says, from the next advice on."""
    english, hindi = _sentences(queries.tools(session))
    firm.edit_firm(session, actor, now, {"ai_use": english, "ai_use_hi": hindi}, None)
    return ai_sentence(session)


def add_tool(session: Session, actor: Actor, now: dt.datetime, fields: Mapping[str, Any]) -> AiTool:
    """Enter an AI tool; letters say it, unless the firm wrote its own words.

    Raises:
        UnfitEntry: a day does not fit.
    """
    _refuse_unfit_span(fields, day_in_india(now))
    tools = queries.tools(session)
    effects = _follow(session, now, tools, [*tools, AiTool(**fields)])
    return add_entry(session, actor, now, AiTool, fields, "ai_tool_added", effects)


def edit_tool(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    entry_id: uuid.UUID,
    fields: Mapping[str, Any],
    version: int | None,
) -> AiTool:
    """Change an AI tool, or enter its last day; letters follow as for `add_tool`.

    Raises:
        EntryNotFound, StaleVersion: as for `entry_of`.
        UnfitEntry: a day does not fit.
    """
    entry = entry_of(session, AiTool, entry_id, version)
    _refuse_unfit_span(fields, day_in_india(now))
    tools = queries.tools(session)
    after = [AiTool(**fields) if tool.id == entry_id else tool for tool in tools]
    effects = _follow(session, now, tools, after)
    change_entry(session, actor, now, entry, fields, "ai_tool_edited", effects)
    return entry


def list_handles(
    session: Session, params: ListParams, *, is_open: bool | None
) -> tuple[Sequence[Handle], int]:
    """One page of handles and sites, the newest first, and how many match."""
    return queries.page_of(session, Handle, params, is_open=is_open)


def add_handle(
    session: Session, actor: Actor, now: dt.datetime, fields: Mapping[str, Any]
) -> Handle:
    """Enter a handle or a site.

    Raises:
        UnfitEntry: a day does not fit.
    """
    _refuse_unfit_span(fields, day_in_india(now))
    return add_entry(session, actor, now, Handle, fields, "handle_added")


def edit_handle(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    entry_id: uuid.UUID,
    fields: Mapping[str, Any],
    version: int | None,
) -> Handle:
    """Change a handle or a site, or enter its last day.

    Raises:
        EntryNotFound, StaleVersion: as for `entry_of`.
        UnfitEntry: a day does not fit.
    """
    entry = entry_of(session, Handle, entry_id, version)
    _refuse_unfit_span(fields, day_in_india(now))
    change_entry(session, actor, now, entry, fields, "handle_edited")
    return entry


def list_incidents(
    session: Session, params: ListParams, now: dt.datetime, *, is_open: bool | None
) -> tuple[list[IncidentOnClock], int]:
    """One page of incidents, the newest first, and how many match."""
    entries, total = queries.page_of(session, Incident, params, is_open=is_open)
    rules = known_rules(session)
    return [_on_clock(entry, rules, now) for entry in entries], total


def add_incident(
    session: Session, actor: Actor, now: dt.datetime, fields: Mapping[str, Any]
) -> IncidentOnClock:
    """Enter an incident; its clock runs from the minute in which it was noticed.

    Raises:
        UnfitEntry: it is in the future.
    """
    _refuse_future(fields["noticed_at"], now, "noticedAt")
    columns = {**fields, "reported_at": None, "report": ""}
    entry = add_entry(session, actor, now, Incident, columns, "incident_added")
    return _on_clock(entry, known_rules(session), now)


def edit_incident(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    entry_id: uuid.UUID,
    fields: Mapping[str, Any],
    version: int | None,
) -> IncidentOnClock:
    """Correct an incident.

    Raises:
        EntryNotFound, StaleVersion: as for `entry_of`.
        UnfitEntry: it is in the future, or after its report.
    """
    entry = entry_of(session, Incident, entry_id, version)
    _refuse_future(fields["noticed_at"], now, "noticedAt")
    if entry.reported_at is not None and fields["noticed_at"] > entry.reported_at:
        raise UnfitEntry("noticedAt", f"It was reported at {time_of(entry.reported_at)}.")
    change_entry(session, actor, now, entry, fields, "incident_edited")
    return _on_clock(entry, known_rules(session), now)


def report_incident(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    entry_id: uuid.UUID,
    reported_at: dt.datetime,
    report: str,
    version: int | None,
) -> IncidentOnClock:
    """Say when an incident was reported, and to whom.

    Raises:
        EntryNotFound, StaleVersion: as for `entry_of`.
        AlreadyClosed: it is reported.
        UnfitEntry: the time is before it was noticed, or in the future.
    """
    entry = entry_of(session, Incident, entry_id, version)
    if entry.reported_at is not None:
        raise AlreadyClosed("This incident is reported already.")
    if reported_at < entry.noticed_at:
        raise UnfitEntry(
            "reportedAt",
            f"It was noticed at {time_of(entry.noticed_at)}: it cannot be reported before that.",
        )
    _refuse_future(reported_at, now, "reportedAt")
    fields = {"reported_at": reported_at, "report": report}
    change_entry(session, actor, now, entry, fields, "incident_reported")
    return _on_clock(entry, known_rules(session), now)


def _sentences(tools: Sequence[AiTool]) -> tuple[str, str]:
    """The register's sentence in English and in Hindi; "" where no tool was ever entered."""
    if not tools:
        return "", ""
    used = [tool for tool in tools if tool.until is None]
    english, hindi = (translation_of(language) for language in (Language.EN, Language.HI))
    if not used:
        return english.gettext(_NO_TOOLS), hindi.gettext(_NO_TOOLS)
    in_english = " ".join(f"{tool.name}: {tool.extent}" for tool in used)
    in_hindi = " ".join(f"{tool.name}: {tool.extent_hi or tool.extent}" for tool in used)
    return english.gettext(_TOOLS, tools=in_english), hindi.gettext(_TOOLS, tools=in_hindi)


def _follow(
    session: Session, now: dt.datetime, before: Sequence[AiTool], after: Sequence[AiTool]
) -> dict[str, Any]:
    """Write the register's sentence into letters where they had it before, or had none.

    Returns:
        What changed in letters, for the audit trail.
    """
    record = firm.firm_record(session)
    letters = (record.ai_use, record.ai_use_hi)
    by_day = sorted(after, key=lambda tool: tool.since)
    sentences = _sentences(by_day)
    if letters not in {("", ""), _sentences(before)} or letters == sentences:
        return {}
    firm.set_ai_use(session, now, *sentences)
    return {"aiUse": [letters[0], sentences[0]]}


def _on_clock(entry: Incident, rules: Rules, now: dt.datetime) -> IncidentOnClock:
    hours = rules.number(RuleName.INCIDENT_HOURS, day_in_india(entry.noticed_at))
    due_at = entry.noticed_at + dt.timedelta(hours=hours)
    return IncidentOnClock(entry, due_at, _state_of(entry.reported_at, due_at, now))


def _state_of(
    reported_at: dt.datetime | None, due_at: dt.datetime, now: dt.datetime
) -> IncidentState:
    if reported_at is not None:
        return IncidentState.REPORTED if reported_at <= due_at else IncidentState.REPORTED_LATE
    if now > due_at:
        return IncidentState.OVERDUE
    return IncidentState.DUE_SOON if due_at - now <= _LAST_HOURS else IncidentState.OPEN


def _refuse_unfit_span(fields: Mapping[str, Any], today: dt.date) -> None:
    since, until = fields["since"], fields["until"]
    if since > today:
        raise UnfitEntry("since", "This day is in the future.")
    if until is not None and until < since:
        raise UnfitEntry("until", "The last day is before the first one.")
    if until is not None and until > today:
        raise UnfitEntry("until", "This day is in the future.")


def _refuse_future(at: dt.datetime, now: dt.datetime, field: str) -> None:
    if at > now:
        raise UnfitEntry(field, "This time is in the future.")
