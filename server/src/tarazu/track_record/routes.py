"""Routes of track records of models, of calls, and of factsheets."""

import datetime as dt
import uuid
from dataclasses import replace
from typing import Annotated, Any, Final

from fastapi import Query, Response
from pydantic import Field
from sqlalchemy.orm import Session

from tarazu.advice.service import ChainedLine
from tarazu.kit import clock
from tarazu.kit.audit_log import Actor
from tarazu.kit.auth_route import Staff, authorized_router
from tarazu.kit.db import OpenSession, WriteSession
from tarazu.kit.downloads import PDF, Exported, attachment, list_export, note_taken
from tarazu.kit.fields import Day, DayRange
from tarazu.kit.schemas import Reply, pagination_of, reply
from tarazu.track_record import service
from tarazu.track_record.gate import ShownTo
from tarazu.track_record.schemas import (
    BenchmarkName,
    CallShown,
    CallsShown,
    HitRateRow,
    TrackRecordShown,
)
from tarazu.track_record.service import CallFilter, CallsRecord, Factsheet
from tarazu.track_record.sheets import RECORD

CALLS = ("list", "calls")
"""What the audit trail names where the record of calls is refused or taken."""

HTML: Final[dict[int | str, dict[str, Any]]] = {
    200: {
        "description": "A page without links to anything else.",
        "content": {"text/html": {"schema": {"type": "string"}}},
    }
}

router = authorized_router("/admin")


class FactsheetFor(ShownTo):
    """For whom a factsheet is, and up to which day; today without one."""

    until: Day | None = None


class RecordOf(ShownTo):
    """For whom the record of calls is, and of which days."""

    since: Day | None = Field(default=None, alias="from")
    until: Day | None = Field(default=None, alias="to")


class CallsFor(CallFilter, ShownTo):
    """Which calls, and for whom."""


@router.get("/models/{model_id}/track-record")
def show_track_record(
    model_id: uuid.UUID, session: OpenSession, trail_session: WriteSession, caller: Staff
) -> Reply[TrackRecordShown]:
    now = clock.now()
    record = service.track_record(session, model_id, now)
    today = clock.day_in_india(now)
    period = (record.launched_on or today, record.as_of or today)
    about = ("model", model_id)
    words = service.pass_gate(session, trail_session, caller, now, about, ShownTo(), period)
    return reply(TrackRecordShown.model_validate(replace(record, words=words)))


@router.get("/models/{model_id}/factsheet.pdf", response_class=Response, responses=PDF)
def download_factsheet(
    model_id: uuid.UUID,
    session: OpenSession,
    trail_session: WriteSession,
    caller: Staff,
    shown: Annotated[FactsheetFor, Query()],
) -> Response:
    now = clock.now()
    sheet = _factsheet(session, trail_session, caller, now, model_id, shown)
    pdf = service.pdf_of_factsheet(sheet)
    _note(trail_session, caller, now, sheet, shown, "pdf")
    return attachment(pdf, f"{sheet.file_name}.pdf", "application/pdf")


@router.get("/models/{model_id}/factsheet.html", response_class=Response, responses=HTML)
def download_factsheet_page(
    model_id: uuid.UUID,
    session: OpenSession,
    trail_session: WriteSession,
    caller: Staff,
    shown: Annotated[FactsheetFor, Query()],
) -> Response:
    now = clock.now()
    sheet = _factsheet(session, trail_session, caller, now, model_id, shown)
    page = service.html_of(sheet).encode()
    _note(trail_session, caller, now, sheet, shown, "html")
    return attachment(page, f"{sheet.file_name}.html", "text/html; charset=utf-8")


@router.get("/calls/record")
def show_calls(
    session: OpenSession,
    trail_session: WriteSession,
    caller: Staff,
    asked: Annotated[CallsFor, Query()],
) -> Reply[CallsShown]:
    now = clock.now()
    record = service.calls_record(session, now)
    words = _calls_words(session, trail_session, caller, now, record, asked)
    rows = service.chosen_calls(record, asked)
    page = rows[asked.skipped : asked.skipped + asked.limit]
    shown = CallsShown.of(
        record,
        benchmark=BenchmarkName.model_validate(record.benchmark) if record.benchmark else None,
        hits=HitRateRow.model_validate(record.hits),
        gains=HitRateRow.model_validate(record.gains),
        total=len(record.calls),
        models=sorted({row.model for row in record.calls} - {""}),
        words=words,
        calls=CallShown.rows(page),
        pagination=pagination_of(asked.page, asked.limit, len(rows)),
    )
    return reply(shown)


@list_export(router, "/calls/record/export", "Calls", RECORD, names_clients=False)
def export_calls(
    session: OpenSession,
    trail_session: WriteSession,
    caller: Staff,
    asked: Annotated[RecordOf, Query()],
) -> Exported[ChainedLine]:
    rows = service.raw_record(session, DayRange(since=asked.since, until=asked.until))
    period = (
        (clock.day_in_india(rows[0].line.sent_at), clock.today())
        if rows
        else (clock.today(), clock.today())
    )
    words = service.pass_gate(
        session, trail_session, caller, clock.now(), CALLS, asked, period, is_file=True
    )
    return Exported(rows, asked, words=words)


def _factsheet(
    session: Session,
    trail_session: Session,
    caller: Actor,
    now: dt.datetime,
    model_id: uuid.UUID,
    shown: FactsheetFor,
) -> Factsheet:
    sheet = service.factsheet(session, model_id, now, shown.until, shown.asked_by)
    words = service.pass_gate(
        session, trail_session, caller, now, ("model", model_id), shown, sheet.period, is_file=True
    )
    return sheet.with_words(words)


def _note(
    trail_session: Session,
    caller: Actor,
    now: dt.datetime,
    sheet: Factsheet,
    shown: FactsheetFor,
    form: str,
) -> None:
    changes = {
        "what": "factsheet",
        "format": form,
        "model": sheet.record.model.row.name,
        "audience": shown.audience,
        "askedBy": shown.asked_by,
        "until": sheet.period[1],
    }
    note_taken(trail_session, caller, now, None, changes)


def _calls_words(
    session: Session,
    trail_session: Session,
    caller: Actor,
    now: dt.datetime,
    record: CallsRecord,
    shown: ShownTo,
) -> str:
    today = clock.day_in_india(now)
    period = record.span or (today, today)
    return service.pass_gate(session, trail_session, caller, now, CALLS, shown, period)
