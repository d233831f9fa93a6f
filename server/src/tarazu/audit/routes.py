"""Calls on the audit trail: its rows, what to filter by, and whether it is as it was written."""

import datetime as dt
import uuid
from typing import Annotated

from fastapi import Query, Request, Response

from tarazu.audit import service
from tarazu.audit.queries import AuditFilter
from tarazu.audit.schemas import (
    AskedTrail,
    TakenInBrowser,
    TrailChange,
    TrailChoices,
    TrailEntry,
    TrailPerson,
    TrailVerified,
)
from tarazu.audit.service import Entry
from tarazu.audit.sheets import trail_sheet
from tarazu.kit import clock
from tarazu.kit.audit_log import Checked
from tarazu.kit.auth_route import Admin, Staff, guarded_router
from tarazu.kit.db import OpenSession
from tarazu.kit.downloads import EVERY_ROW, SHEETS, TakenAway, note_taken
from tarazu.kit.errors import Invalid
from tarazu.kit.schemas import Done, Page, Reply, done, page_of, reply
from tarazu.people import service as people

SYSTEM = "system"

router = guarded_router("")


@router.get("/admin/audit")
def list_audit_trail(
    session: OpenSession, _: Admin, asked: Annotated[AskedTrail, Query()]
) -> Page[TrailEntry]:
    found, total = service.entries(session, _wanted(asked), asked.skipped, asked.limit)
    return page_of([_entry(one) for one in found], asked.page, asked.limit, total)


@router.get("/admin/audit/choices")
def show_audit_choices(session: OpenSession, _: Admin) -> Reply[TrailChoices]:
    found = service.choices(session)
    people = [TrailPerson(id=key, name=name) for key, name in found.people.items()]
    shape = TrailChoices(people=people, actions=list(found.actions), kinds=list(found.kinds))
    return reply(shape)


@router.get("/admin/audit/verify")
def verify_audit_trail(request: Request, session: OpenSession, _: Admin) -> Reply[TrailVerified]:
    found = service.verify(session, request.app.state.settings.audit_heads_file)
    return reply(_verified(found, clock.now()))


@router.get("/admin/audit/export", response_class=Response, responses=SHEETS)
def export_audit_trail(
    session: OpenSession,
    caller: Admin,
    asked: Annotated[AskedTrail, Query()],
    taking: TakenAway,
) -> Response:
    found, _ = service.entries(session, _wanted(asked), 0, EVERY_ROW)
    return taking.sheet(caller, trail_sheet(found), asked)


@router.post("/admin/taken-away")
def note_taken_away(body: TakenInBrowser, session: OpenSession, caller: Staff) -> Done:
    client = people.client(session, body.client_id) if body.client_id else None
    about = {"what": body.what, "format": body.way, "rows": body.row_count}
    note_taken(session, caller, clock.now(), client, about)
    return done("Noted in the audit trail.")


def _wanted(asked: AskedTrail) -> AuditFilter:
    return AuditFilter(
        account_id=_account(asked.who),
        by_system=asked.who == SYSTEM,
        action=asked.action,
        kind=asked.kind,
        query=asked.query.strip(),
        since=clock.start_of(asked.since) if asked.since else None,
        until=clock.start_of(asked.until + dt.timedelta(days=1)) if asked.until else None,
    )


def _account(who: str) -> uuid.UUID | None:
    if who in {"", SYSTEM}:
        return None
    try:
        return uuid.UUID(who)
    except ValueError as error:
        raise Invalid("who: an account's id, or system") from error


def _entry(one: Entry) -> TrailEntry:
    row = one.row
    return TrailEntry(
        seq=row.seq,
        at=row.at,
        who=one.who,
        account_id=row.account_id,
        role=row.role,
        ip=row.ip,
        action=row.action,
        kind=row.kind,
        record_id=row.record_id,
        record_name=one.record_name,
        request_id=row.request_id,
        hash=row.hash,
        changes=TrailChange.rows(one.changes),
    )


def _verified(found: Checked, now: dt.datetime) -> TrailVerified:
    return TrailVerified(
        holds=found.fault is None,
        checked=found.rows,
        head_seq=found.head.seq if found.head else None,
        head_hash=found.head.hash if found.head else None,
        fault=found.fault,
        seq=found.seq,
        message=found.message,
        checked_at=now,
    )
