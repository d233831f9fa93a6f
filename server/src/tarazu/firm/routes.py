"""Routes of the firm's own record, its calendar and its charges."""

import base64
import json
from typing import Annotated

from fastapi import File, Query, Request, UploadFile
from sqlalchemy.orm import Session

from tarazu.firm import service
from tarazu.firm.schemas import (
    ChangedHolidays,
    ChargeVersion,
    DisclosureQuestion,
    EditedFirm,
    EditedFollowUp,
    EditedPastPerformance,
    EnteredCharges,
    FirmDetails,
    FollowUpDetails,
    HolidayRow,
    PastPerformanceDetails,
    RationaleText,
    RegistrationNotice,
)
from tarazu.firm.sheets import CHARGES, HOLIDAYS, ChargeRate
from tarazu.firm.tables import Firm, Holiday, ImageKind
from tarazu.kit import clock
from tarazu.kit.auth_route import Admin, Public, authorized_router
from tarazu.kit.db import OpenSession
from tarazu.kit.downloads import Exported, list_export
from tarazu.kit.schemas import Done, Reply, Whole, done, reply

router = authorized_router("")

Year = Annotated[Whole | None, Query(ge=1900, le=2199)]


@router.get("/firm")
def show_registration(
    session: OpenSession, request: Request, _: Public
) -> Reply[RegistrationNotice]:
    firm, settings = service.firm_record(session), request.app.state.settings
    names = RegistrationNotice.model_fields.keys() & Firm.__table__.columns.keys()
    notice = RegistrationNotice(
        **{name: getattr(firm, name) for name in names},
        is_practice=firm.is_demo or settings.is_simulated,
        mail=service.mail_state(firm, settings),
        app_link=settings.app_link,
    )
    return reply(notice)


@router.get("/settings/firm")
def show_firm(session: OpenSession, _: Admin) -> Reply[FirmDetails]:
    return reply(_details(session, service.firm_record(session)))


@router.put("/settings/firm")
def edit_firm(body: EditedFirm, session: OpenSession, caller: Admin) -> Reply[FirmDetails]:
    edited = service.edit_firm(
        session, caller, clock.now(), body.entered(), body.version, body.answers()
    )
    return reply(_details(session, edited), "Firm details saved")


@router.put("/settings/firm/{kind}")
def set_firm_image(
    kind: ImageKind, file: Annotated[UploadFile, File()], session: OpenSession, caller: Admin
) -> Reply[FirmDetails]:
    edited = service.set_image(session, caller, clock.now(), kind, file.file.read())
    return reply(_details(session, edited), f"{kind.capitalize()} saved")


@router.delete("/settings/firm/{kind}")
def remove_firm_image(kind: ImageKind, session: OpenSession, caller: Admin) -> Reply[FirmDetails]:
    edited = service.remove_image(session, caller, clock.now(), kind)
    return reply(_details(session, edited), f"{kind.capitalize()} removed")


@router.get("/settings/holidays")
def list_holidays(session: OpenSession, _: Admin, year: Year = None) -> Reply[list[HolidayRow]]:
    return reply(HolidayRow.rows(service.holidays_of(session, year or clock.today().year)))


@list_export(router, "/settings/holidays/export", "Holidays", HOLIDAYS, names_clients=False)
def export_holidays(session: OpenSession, _: Admin, year: Year = None) -> Exported[Holiday]:
    year = year or clock.today().year
    return Exported(service.holidays_of(session, year), {"year": year})


@router.put("/settings/holidays")
def change_holidays(body: ChangedHolidays, session: OpenSession, caller: Admin) -> Done:
    holidays = {row.date: row.name for row in body.holidays}
    service.change_holidays(session, caller, clock.now(), holidays, body.removed)
    return done("Holidays saved")


@router.get("/settings/charges")
def list_charges(session: OpenSession, _: Admin) -> Reply[list[ChargeVersion]]:
    return reply(ChargeVersion.rows(service.charge_versions(session, clock.today())))


@list_export(router, "/settings/charges/export", "Charges", CHARGES, names_clients=False)
def export_charges(session: OpenSession, _: Admin) -> Exported[ChargeRate]:
    versions = service.charge_versions(session, clock.today())
    return Exported([(version, line) for version in versions for line in version.lines])


@router.put("/settings/charges")
def keep_charges(body: EnteredCharges, session: OpenSession, caller: Admin) -> Reply[ChargeVersion]:
    rates = {(row.broker, row.exchange, row.side, row.charge): row.rate for row in body.lines}
    new = service.NewCharges(body.effective_on, body.source, rates)
    seen = service.SeenCharges(body.seen_at) if "seen_at" in body.model_fields_set else None
    version = service.keep_charges(session, caller, clock.now(), new, seen)
    return reply(ChargeVersion.model_validate(version), "Charges saved")


@router.get("/admin/settings/follow-up")
def show_follow_up_settings(session: OpenSession, _: Admin) -> Reply[FollowUpDetails]:
    return reply(FollowUpDetails.model_validate(service.follow_up_settings(session)))


@router.put("/admin/settings/follow-up")
def edit_follow_up_settings(
    body: EditedFollowUp, session: OpenSession, caller: Admin
) -> Reply[FollowUpDetails]:
    edited = service.edit_follow_up_settings(
        session, caller, clock.now(), body.entered(), body.version
    )
    return reply(FollowUpDetails.model_validate(edited), "Saved.")


@router.get("/settings/past-performance")
def show_past_performance(session: OpenSession, _: Admin) -> Reply[PastPerformanceDetails]:
    return reply(PastPerformanceDetails.model_validate(service.past_performance_settings(session)))


@router.put("/settings/past-performance")
def edit_past_performance(
    body: EditedPastPerformance, session: OpenSession, caller: Admin
) -> Reply[PastPerformanceDetails]:
    edited = service.edit_past_performance(
        session, caller, clock.now(), body.entered(), body.version
    )
    return reply(PastPerformanceDetails.model_validate(edited), "Saved.")


def _details(session: Session, firm: Firm) -> FirmDetails:
    made = {"disclosure_questions", "rationales", "logo", "signature"}
    names = FirmDetails.model_fields.keys() - made
    return FirmDetails(
        **{name: getattr(firm, name) for name in names},
        disclosure_questions=DisclosureQuestion.rows(service.answers_of(firm)),
        rationales=[RationaleText(**row) for row in json.loads(firm.rationales)],
        logo=_data_url(service.image_of(session, firm.logo or "")),
        signature=_data_url(service.image_of(session, firm.signature or "")),
    )


def _data_url(png: bytes) -> str | None:
    return f"data:image/png;base64,{base64.b64encode(png).decode()}" if png else None
