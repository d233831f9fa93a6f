"""Routes of obligations, for ADMIN."""

import datetime as dt
import uuid
from http import HTTPStatus
from typing import Annotated, Any, Final

from fastapi import File, Form, Response, UploadFile
from sqlalchemy.orm import Session

from tarazu.domain.obligations.due_days import fiscal_year_end
from tarazu.kit import clock
from tarazu.kit.auth_route import Admin, authorized_router
from tarazu.kit.db import OpenSession, WriteSession
from tarazu.kit.downloads import attachment, note_taken
from tarazu.kit.fields import LONGEST_NAME, LONGEST_REMARK
from tarazu.kit.idempotency import OnceOnly
from tarazu.kit.schemas import Done, Reply, done, reply
from tarazu.obligations import service
from tarazu.obligations.schemas import (
    ComplianceSettingsEntered,
    ComplianceSettingsShown,
    DepositShown,
    InstanceMeant,
    ObligationEnd,
    ObligationEntered,
    ObligationRow,
    ObligationShown,
)
from tarazu.obligations.service import EvidenceGiven, NewVersion
from tarazu.people import service as people

router = authorized_router("/admin/obligations")

_CALENDAR: Final[dict[int | str, dict[str, Any]]] = {
    HTTPStatus.OK.value: {
        "description": "A calendar of what is due.",
        "content": {"text/calendar": {"schema": {"type": "string", "format": "binary"}}},
    }
}
_FILE: Final[dict[int | str, dict[str, Any]]] = {
    HTTPStatus.OK.value: {
        "description": "The file as it was uploaded.",
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}


@router.get("")
def list_obligations(session: OpenSession, _: Admin) -> Reply[list[ObligationRow]]:
    states = service.list_obligations(session, clock.now())
    return reply([ObligationRow.made_of(state) for state in states])


@router.get("/next")
def list_next_obligations(session: OpenSession, _: Admin) -> Reply[list[ObligationRow]]:
    states = service.next_obligations(session, clock.now())
    return reply([ObligationRow.made_of(state) for state in states])


@router.post("", status_code=HTTPStatus.CREATED, response_model=Reply[ObligationShown])
def add_obligation(
    body: ObligationEntered, session: OpenSession, caller: Admin, once: OnceOnly
) -> Response:
    def add() -> Reply[ObligationShown]:
        new = NewVersion(**body.model_dump())
        added = service.add_obligation(session, caller, clock.now(), new)
        return reply(_shown(session, added), "Obligation added")

    return once.run(session, add, Reply[ObligationShown], HTTPStatus.CREATED)


@router.get("/calendar.ics", response_class=Response, responses=_CALENDAR)
def show_obligation_calendar(session: OpenSession, _: Admin) -> Response:
    content = service.calendar(session, clock.now())
    return attachment(content, "obligations.ics", "text/calendar; charset=utf-8; method=PUBLISH")


@router.get("/settings")
def show_compliance_settings(session: OpenSession, _: Admin) -> Reply[ComplianceSettingsShown]:
    return reply(_settings(session, clock.today()))


@router.put("/settings")
def edit_compliance_settings(
    body: ComplianceSettingsEntered, session: OpenSession, caller: Admin
) -> Reply[ComplianceSettingsShown]:
    entered = body.model_dump(exclude_unset=True, exclude={"version"})
    service.edit_settings(session, caller, clock.now(), entered, body.version)
    return reply(_settings(session, clock.today()), "Saved.")


@router.get("/evidence/{evidence_id}/file", response_class=Response, responses=_FILE)
def download_evidence(
    evidence_id: uuid.UUID, session: OpenSession, trail_session: WriteSession, caller: Admin
) -> Response:
    row, content = service.evidence_file(session, evidence_id)
    changes = {"what": "evidence", "evidenceId": row.id, "file": row.file_sha256}
    note_taken(trail_session, caller, clock.now(), None, changes)
    # By its hash: a name that somebody typed has no place in a header.
    return attachment(content, f"evidence-{row.proof[:12]}", "application/octet-stream")


@router.post("/evidence/{evidence_id}/record", status_code=HTTPStatus.CREATED)
def record_prepared_file(
    evidence_id: uuid.UUID, session: OpenSession, caller: Admin
) -> Reply[ObligationShown]:
    row = service.record_prepared(session, caller, clock.now(), evidence_id)
    return reply(_shown(session, row.obligation_id), "Evidence recorded")


@router.get("/{obligation_id}")
def show_obligation(obligation_id: str, session: OpenSession, _: Admin) -> Reply[ObligationShown]:
    return reply(_shown(session, obligation_id))


@router.put("/{obligation_id}")
def change_obligation(
    obligation_id: str, body: ObligationEntered, session: OpenSession, caller: Admin
) -> Reply[ObligationShown]:
    new = NewVersion(**body.model_dump())
    service.change_obligation(session, caller, clock.now(), obligation_id, new)
    return reply(_shown(session, obligation_id), "New version saved")


@router.post("/{obligation_id}/end")
def end_obligation(
    obligation_id: str, body: ObligationEnd, session: OpenSession, caller: Admin
) -> Done:
    service.end_obligation(session, caller, clock.now(), obligation_id, body.ends_on)
    return done("Obligation ended")


@router.post("/{obligation_id}/evidence", status_code=HTTPStatus.CREATED)
def add_evidence(
    obligation_id: str,
    session: OpenSession,
    caller: Admin,
    instance: Annotated[str, Form(max_length=LONGEST_NAME)],
    name: Annotated[str, Form(max_length=LONGEST_NAME)] = "",
    note: Annotated[str, Form(max_length=LONGEST_REMARK)] = "",
    file: Annotated[UploadFile | None, File()] = None,
) -> Reply[ObligationShown]:
    file_name, content = (file.filename or "", file.file.read()) if file else ("", b"")
    given = EvidenceGiven(instance, name, note, file_name, content)
    service.record_evidence(session, caller, clock.now(), obligation_id, given)
    return reply(_shown(session, obligation_id), "Evidence recorded")


@router.post(
    "/{obligation_id}/files",
    status_code=HTTPStatus.CREATED,
    response_model=Reply[ObligationShown],
)
def make_obligation_file(
    obligation_id: str, body: InstanceMeant, session: OpenSession, caller: Admin, once: OnceOnly
) -> Response:
    def make() -> Reply[ObligationShown]:
        service.prepare_file(session, caller, clock.now(), obligation_id, body.instance)
        return reply(_shown(session, obligation_id), "File made")

    return once.run(session, make, Reply[ObligationShown], HTTPStatus.CREATED)


def _shown(session: Session, obligation_id: str) -> ObligationShown:
    detail = service.obligation_detail(session, clock.now(), obligation_id)
    ids = {row.recorded_by for row in detail.evidence if row.recorded_by is not None}
    return ObligationShown.of_detail(detail, dict(people.names_of(session, ids)))


def _settings(session: Session, today: dt.date) -> ComplianceSettingsShown:
    settings, this_end = service.settings_of(session), fiscal_year_end(today)
    last_end = dt.date(this_end.year - 1, 3, 31)
    return ComplianceSettingsShown.of(
        settings,
        last_year=DepositShown.model_validate(service.deposit_state(session, today, last_end)),
        this_year=DepositShown.model_validate(service.deposit_state(session, today, this_end)),
    )
