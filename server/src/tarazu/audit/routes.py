"""Routes of the audit trail: its rows, the choices to filter by, and its verification."""

import datetime as dt
from typing import Annotated

from fastapi import Query, Request

from tarazu.audit import service
from tarazu.audit.queries import AuditFilter
from tarazu.audit.schemas import (
    TakenInBrowser,
    TrailChoices,
    TrailEntry,
    TrailVerified,
)
from tarazu.audit.service import AuditEntry
from tarazu.audit.sheets import AUDIT_TRAIL
from tarazu.kit import clock
from tarazu.kit.audit_log import TrailCheck
from tarazu.kit.auth_route import Admin, StaffOfVisible, authorized_router
from tarazu.kit.db import OpenSession
from tarazu.kit.downloads import Exported, list_export, note_taken, whole
from tarazu.kit.schemas import Done, Page, Reply, done, page_of, reply
from tarazu.people import service as people
from tarazu.teams.service import visible_clients

router = authorized_router("")


@router.get("/admin/audit")
def list_audit_trail(
    session: OpenSession, _: Admin, filters: Annotated[AuditFilter, Query()]
) -> Page[TrailEntry]:
    entries, total = service.entries(session, filters)
    return page_of(TrailEntry.rows(entries), filters.page, filters.limit, total)


@router.get("/admin/audit/choices")
def show_audit_choices(session: OpenSession, _: Admin) -> Reply[TrailChoices]:
    return reply(TrailChoices.model_validate(service.choices(session)))


@router.get("/admin/audit/verify")
def verify_audit_trail(request: Request, session: OpenSession, _: Admin) -> Reply[TrailVerified]:
    checked = service.verify(session, request.app.state.settings.audit_heads_file)
    return reply(_verified(checked, clock.now()))


@list_export(router, "/admin/audit/export", "Audit trail", AUDIT_TRAIL)
def export_audit_trail(
    session: OpenSession, _: Admin, filters: Annotated[AuditFilter, Query()]
) -> Exported[AuditEntry]:
    entries, _total = service.entries(session, whole(filters))
    return Exported(entries, filters)


@router.post("/admin/taken-away")
def note_taken_away(body: TakenInBrowser, session: OpenSession, caller: StaffOfVisible) -> Done:
    if body.client_id:
        people.refuse_unseen(visible_clients(session, caller), body.client_id)
    client = people.client(session, body.client_id) if body.client_id else None
    about = {"what": body.what, "format": body.way, "rows": body.row_count}
    note_taken(session, caller, clock.now(), client, about)
    return done("Noted in the audit trail.")


def _verified(checked: TrailCheck, now: dt.datetime) -> TrailVerified:
    return TrailVerified.of(
        checked,
        holds=checked.fault is None,
        checked=checked.rows,
        head_seq=checked.head.seq if checked.head else None,
        head_hash=checked.head.hash if checked.head else None,
        checked_at=now,
    )
