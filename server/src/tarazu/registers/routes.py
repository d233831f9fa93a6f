"""Routes of complaints, certificates and the rules of the registers."""

import uuid
from typing import Annotated

from fastapi import File, Query, Response, UploadFile

from tarazu.kit import clock
from tarazu.kit.auth_route import Admin, Public, authorized_router
from tarazu.kit.db import OpenSession
from tarazu.kit.downloads import Exported, attachment, list_export, whole
from tarazu.kit.schemas import Page, Reply, page_of, reply
from tarazu.registers import service
from tarazu.registers.schemas import (
    CertificateRow,
    ComplaintRow,
    EnteredCertificate,
    EnteredComplaint,
    EnteredRule,
    PublishedComplaints,
    RegisterChoices,
    RegisterParams,
    ResolvedComplaint,
    RuleRow,
    UploadedFile,
)
from tarazu.registers.service import CertificateOfStaff, ComplaintOnClock, KnownRule, Rule
from tarazu.registers.sheets import CERTIFICATES, COMPLAINTS, RULES
from tarazu.registers.tables import RuleName

router = authorized_router("")

Filters = Annotated[RegisterParams, Query()]


@router.get("/public/complaints")
def show_public_complaints(session: OpenSession, _: Public) -> Reply[PublishedComplaints]:
    published = service.public_complaints(session, clock.today())
    return reply(
        PublishedComplaints.of(
            published,
            firm_name=published.firm.name,
            registration_number=published.firm.registration_number,
        )
    )


@router.get("/admin/registers/choices")
def show_register_choices(session: OpenSession, _: Admin) -> Reply[RegisterChoices]:
    today, rules = clock.today(), service.known_rules(session)
    return reply(
        RegisterChoices(
            channels=list(rules.texts(RuleName.COMPLAINT_CHANNELS, today)),
            series=list(rules.texts(RuleName.CERTIFICATE_SERIES, today)),
            complaint_days=rules.number(RuleName.COMPLAINT_DAYS, today),
            trading_days_before=rules.number(RuleName.TRADING_DAYS_BEFORE, today),
            trading_days_after=rules.number(RuleName.TRADING_DAYS_AFTER, today),
            incident_hours=rules.number(RuleName.INCIDENT_HOURS, today),
        )
    )


@router.get("/admin/complaints")
def list_complaints(session: OpenSession, _: Admin, params: Filters) -> Page[ComplaintRow]:
    rows, total = service.list_complaints(session, params, clock.today(), is_open=params.is_open)
    return page_of(ComplaintRow.rows(rows), params.page, params.limit, total)


@list_export(router, "/admin/complaints/export", "Complaints", COMPLAINTS)
def export_complaints(
    session: OpenSession, _: Admin, params: Filters
) -> Exported[ComplaintOnClock]:
    rows, _total = service.list_complaints(
        session, whole(params), clock.today(), is_open=params.is_open
    )
    return Exported(rows, params)


@router.post("/admin/complaints")
def add_complaint(
    body: EnteredComplaint, session: OpenSession, caller: Admin
) -> Reply[ComplaintRow]:
    complaint = service.add_complaint(session, caller, clock.now(), body.fields())
    return reply(ComplaintRow.model_validate(complaint), "Complaint added")


@router.put("/admin/complaints/{entry_id}")
def edit_complaint(
    entry_id: uuid.UUID, body: EnteredComplaint, session: OpenSession, caller: Admin
) -> Reply[ComplaintRow]:
    complaint = service.edit_complaint(
        session, caller, clock.now(), entry_id, body.fields(), body.version
    )
    return reply(ComplaintRow.model_validate(complaint), "Complaint saved")


@router.post("/admin/complaints/{entry_id}/resolve")
def resolve_complaint(
    entry_id: uuid.UUID, body: ResolvedComplaint, session: OpenSession, caller: Admin
) -> Reply[ComplaintRow]:
    complaint = service.resolve_complaint(
        session, caller, clock.now(), entry_id, body.resolved_on, body.resolution, body.version
    )
    return reply(ComplaintRow.model_validate(complaint), "Complaint resolved")


@router.get("/admin/registers/certificates")
def list_certificates(session: OpenSession, _: Admin, params: Filters) -> Page[CertificateRow]:
    rows, total = service.list_certificates(session, params, clock.today())
    return page_of(CertificateRow.rows(rows), params.page, params.limit, total)


@list_export(
    router,
    "/admin/registers/certificates/export",
    "Certificates",
    CERTIFICATES,
    names_clients=False,
)
def export_certificates(
    session: OpenSession, _: Admin, params: Filters
) -> Exported[CertificateOfStaff]:
    rows, _total = service.list_certificates(session, whole(params), clock.today())
    return Exported(rows, params)


@router.post("/admin/registers/certificates")
def add_certificate(
    body: EnteredCertificate, session: OpenSession, caller: Admin
) -> Reply[CertificateRow]:
    certificate = service.add_certificate(session, caller, clock.now(), body.fields())
    return reply(CertificateRow.model_validate(certificate), "Certificate added")


@router.put("/admin/registers/certificates/{entry_id}")
def edit_certificate(
    entry_id: uuid.UUID, body: EnteredCertificate, session: OpenSession, caller: Admin
) -> Reply[CertificateRow]:
    certificate = service.edit_certificate(
        session, caller, clock.now(), entry_id, body.fields(), body.version
    )
    return reply(CertificateRow.model_validate(certificate), "Certificate saved")


@router.get("/admin/registers/certificates/{entry_id}/file", response_class=Response)
def show_certificate_file(entry_id: uuid.UUID, session: OpenSession, _: Admin) -> Response:
    file = service.certificate_file(session, entry_id)
    return attachment(file.content, f"certificate-{entry_id}.{file.extension}", file.media_type)


@router.post("/admin/registers/files")
def upload_register_file(
    file: Annotated[UploadFile, File()], session: OpenSession, caller: Admin
) -> Reply[UploadedFile]:
    stored = service.store_file(session, caller, clock.now(), file.filename or "", file.file.read())
    return reply(UploadedFile.model_validate(stored), "File uploaded")


@router.get("/admin/registers/rules")
def list_register_rules(session: OpenSession, _: Admin) -> Reply[list[RuleRow]]:
    return reply(RuleRow.rows(service.known_rules(session).listed(clock.today())))


@list_export(router, "/admin/registers/rules/export", "Register Rules", RULES, names_clients=False)
def export_register_rules(session: OpenSession, _: Admin) -> Exported[KnownRule]:
    return Exported(service.known_rules(session).listed(clock.today()))


@router.post("/admin/registers/rules")
def enter_register_rule(
    body: EnteredRule, session: OpenSession, caller: Admin
) -> Reply[list[RuleRow]]:
    now = clock.now()
    rule = Rule(body.name, body.effective_on, tuple(body.content), body.source)
    service.enter_rule(session, caller, now, rule)
    rules = service.known_rules(session).listed(clock.day_in_india(now))
    return reply(RuleRow.rows(rules), "Rule saved")
