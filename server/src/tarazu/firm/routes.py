"""Calls on the firm's own record, its calendar and its charges."""

import json
from typing import Annotated

from fastapi import Query, Request, Response

from tarazu.firm import service
from tarazu.firm.schemas import (
    ChangedHolidays,
    ChargeVersion,
    DisclosureQuestion,
    EditedFirm,
    EnteredCharges,
    FirmDetails,
    HolidayRow,
    MailState,
    RationaleText,
    RegistrationNotice,
)
from tarazu.firm.sheets import charge_sheet, holiday_sheet
from tarazu.firm.tables import Firm
from tarazu.kit import clock
from tarazu.kit.auth_route import Admin, Public, guarded_router
from tarazu.kit.db import OpenSession
from tarazu.kit.downloads import SHEETS, TakenAway
from tarazu.kit.schemas import Done, Reply, Whole, done, reply
from tarazu.kit.settings import Settings

router = guarded_router("")

Year = Annotated[Whole | None, Query(ge=1900, le=2199)]


@router.get("/firm")
def show_registration(
    session: OpenSession, request: Request, _: Public
) -> Reply[RegistrationNotice]:
    firm, settings = service.firm_record(session), request.app.state.settings
    notice = RegistrationNotice(
        name=firm.name,
        registration_number=firm.registration_number,
        analyst_name=firm.analyst_name,
        registered_from=firm.registered_from,
        validity=firm.validity,
        renewal_on=firm.renewal_on,
        disclosures=firm.disclosures,
        standard_warning=firm.standard_warning,
        no_assurance=firm.no_assurance,
        is_demo=firm.is_demo,
        is_practice=firm.is_demo or settings.is_simulated,
        mail=_mail_state(firm, settings),
        app_link=settings.app_link,
    )
    return reply(notice)


@router.get("/settings/firm")
def show_firm(session: OpenSession, _: Admin) -> Reply[FirmDetails]:
    return reply(_details(service.firm_record(session)))


@router.put("/settings/firm")
def edit_firm(body: EditedFirm, session: OpenSession, caller: Admin) -> Reply[FirmDetails]:
    edited = service.edit_firm(
        session, caller, clock.now(), body.entered(), body.version, body.answers()
    )
    return reply(_details(edited), "Firm details saved")


@router.get("/settings/holidays")
def list_holidays(session: OpenSession, _: Admin, year: Year = None) -> Reply[list[HolidayRow]]:
    found = service.holidays_of(session, year or clock.today().year)
    return reply(HolidayRow.rows(found))


@router.get("/settings/holidays/export", response_class=Response, responses=SHEETS)
def export_holidays(
    session: OpenSession, caller: Admin, taking: TakenAway, year: Year = None
) -> Response:
    chosen = year or clock.today().year
    return taking.sheet(
        caller, holiday_sheet(service.holidays_of(session, chosen)), {"year": chosen}
    )


@router.put("/settings/holidays")
def change_holidays(body: ChangedHolidays, session: OpenSession, caller: Admin) -> Done:
    kept = {row.date: row.name for row in body.holidays}
    service.change_holidays(session, caller, clock.now(), kept, body.removed)
    return done("Holidays saved")


@router.get("/settings/charges")
def list_charges(session: OpenSession, _: Admin) -> Reply[list[ChargeVersion]]:
    return reply(ChargeVersion.rows(service.charge_versions(session, clock.today())))


@router.get("/settings/charges/export", response_class=Response, responses=SHEETS)
def export_charges(session: OpenSession, caller: Admin, taking: TakenAway) -> Response:
    return taking.sheet(caller, charge_sheet(service.charge_versions(session, clock.today())))


@router.put("/settings/charges")
def keep_charges(body: EnteredCharges, session: OpenSession, caller: Admin) -> Reply[ChargeVersion]:
    rates = {(row.broker, row.exchange, row.side, row.charge): row.rate for row in body.lines}
    new = service.NewCharges(body.effective_on, body.source, rates)
    seen = service.SeenCharges(body.seen_at) if "seen_at" in body.model_fields_set else None
    kept = service.keep_charges(session, caller, clock.now(), new, seen)
    return reply(ChargeVersion.model_validate(kept), "Charges saved")


def _mail_state(firm: Firm, settings: Settings) -> MailState:
    if not settings.smtp_url:
        return MailState.NOT_SET_UP
    is_tested = firm.mail_tested_with == settings.smtp_server
    return MailState.TESTED if is_tested else MailState.NOT_TESTED


def _details(firm: Firm) -> FirmDetails:
    names = ("disclosure_questions", "rationales")
    kept = {name: getattr(firm, name) for name in FirmDetails.model_fields if name not in names}
    return FirmDetails(
        **kept,
        disclosure_questions=[
            DisclosureQuestion(
                id=one.question.id,
                question=one.question.text,
                is_yes=one.answer.is_yes if one.answer else None,
                details=one.answer.details if one.answer else "",
            )
            for one in service.answers_of(firm)
        ],
        rationales=[RationaleText(**row) for row in json.loads(firm.rationales)],
    )
