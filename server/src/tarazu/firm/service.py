"""The firm: its registration, its settings, its disclosures and its calendar."""

import datetime as dt
import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from sqlalchemy.orm import Session

from tarazu.domain.calendar import next_business_day
from tarazu.domain.money import Percent, Rupees
from tarazu.firm import disclosures, queries
from tarazu.firm.charge_tables import (
    DatedCharges,
    NewCharges,
    SeenCharges,
    charge_lines_on,
    charge_versions,
    keep_charges,
)
from tarazu.firm.disclosures import GOOD_FOR as DISCLOSURES_GOOD_FOR
from tarazu.firm.disclosures import HOLDINGS, Answer, Answered
from tarazu.firm.errors import PastHolidayKept
from tarazu.firm.fee_schedules import (
    DatedFeeSchedule,
    FeeTerms,
    fee_schedule_on,
    fee_schedules,
    keep_fee_schedule,
)
from tarazu.firm.follow_up_settings import edit_follow_up_settings, follow_up_settings
from tarazu.firm.founding import (
    NO_ASSURANCE,
    REGISTERED_FROM,
    STANDARD_WARNING,
    UNNAMED,
    become_demo,
    found_installation,
)
from tarazu.firm.images import image_of, remove_image, set_image
from tarazu.firm.past_performance import (
    decide_on_performance,
    edit_past_performance,
    pass_performance_gate,
    past_performance_settings,
)
from tarazu.firm.second_approval import (
    CHOICES,
    ApprovalChoice,
    ApprovedAction,
    approved_actions,
    choose_approved_actions,
    refuse_alone,
)
from tarazu.firm.send_guards import (
    GUARDS,
    GuardLevel,
    edit_guards,
    guard_levels,
    guard_settings,
)
from tarazu.firm.tables import Firm, FollowUpSettings, Holiday, MailState
from tarazu.kit import audit_log
from tarazu.kit.audit_log import Actor
from tarazu.kit.clock import day_in_india
from tarazu.kit.db import acquire_lock
from tarazu.kit.errors import StaleVersion
from tarazu.kit.locks import AdvisoryLock
from tarazu.kit.pdf import picture_of
from tarazu.kit.settings import Settings
from tarazu.kit.translation import Language, translation_of


@dataclass(frozen=True, slots=True)
class FirmRegistration:
    """Who the firm is before the regulator, with texts in the language of the client.

    `logo` and `signature` are the SHA-256 of pictures (`image_of`); "" without one. `ai_use` says
    how far AI tools are used; "" where the firm has not said it.
    """

    name: str
    registration_number: str
    analyst_name: str
    registered_from: dt.date
    validity: str
    address: str
    contact: str
    disclosures: str
    standard_warning: str
    no_assurance: str
    is_demo: bool
    designation: str = ""
    logo: str = ""
    signature: str = ""
    ai_use: str = ""

    def validity_line(self, language: Language = Language.EN) -> str:
        """How long the registration holds, as letters say it; "" while no number is entered."""
        if not self.registration_number:
            return ""
        translation = translation_of(language)
        line = translation.gettext(
            "Analyst's registration: valid from {day}", day=translation.day(self.registered_from)
        )
        return f"{line}, {translation.gettext(self.validity)}" if self.validity else line


@dataclass(frozen=True, slots=True)
class AdviceSettings:
    """How a rebalance is made unless a request says otherwise.

    `advice_minimum_trade`, `sells_pledged`, `limits_purchases` and `usable_proceeds` are of one
    client's advice, not of a run of the whole book.
    """

    band: Percent
    minimum_trade: Rupees
    trade_penalty: Decimal
    include_charges: bool
    allow_fresh_funds: bool
    price_buffer: Percent
    price_tolerance: Percent
    rationale_required: bool
    advice_minimum_trade: Rupees
    sells_pledged: bool
    limits_purchases: bool
    usable_proceeds: Percent


@dataclass(frozen=True, slots=True)
class SendTerms:
    """What the firm asks for before anything is sent.

    `confirmed_on` is when the disclosures were last confirmed, None for never. `do_staff_hold`:
    somebody of the firm holds stocks that it advises on. `holdings_days` are business days. `guards`: the levels of
    the checks that the firm has chosen, by their ids.
    """

    name: str
    registration_number: str
    renewal_on: dt.date | None
    confirmed_on: dt.date | None
    do_staff_hold: bool
    rationale_required: bool
    price_age: dt.timedelta
    holdings_days: int
    guards: Mapping[str, GuardLevel]


def registration(session: Session, language: Language = Language.EN) -> FirmRegistration:
    """The registration details that screens, mails and letters show, in a language.

    Texts that the firm wrote in no language but its own stay as they are.
    """
    firm = queries.firm(session)
    is_hindi = language is Language.HI
    return FirmRegistration(
        firm.name,
        firm.registration_number,
        firm.analyst_name,
        firm.registered_from,
        firm.validity,
        firm.address,
        firm.contact,
        _disclosures_in(language, firm),
        (firm.standard_warning_hi if is_hindi else "") or firm.standard_warning,
        (firm.no_assurance_hi if is_hindi else "") or firm.no_assurance,
        firm.is_demo,
        firm.designation,
        firm.logo or "",
        firm.signature or "",
        (firm.ai_use_hi if is_hindi else "") or firm.ai_use,
    )


def _disclosures_in(language: Language, firm: Firm) -> str:
    answers = disclosures.read(firm.disclosure_answers)
    if language is Language.EN or not answers:
        return firm.disclosures
    return disclosures.text_of(answers, language)


def letterhead_of(
    firm: FirmRegistration, language: Language = Language.EN, logo: bytes = b""
) -> dict[str, Any]:
    """The firm as `kit/letterhead.typ` sets it; `logo` is a PNG, empty for none."""
    translation = translation_of(language)
    number = firm.registration_number
    registered = translation.gettext("SEBI-registered Research Analyst")
    return {
        "name": firm.name,
        "number": number,
        "registered": registered,
        "registration": translation.gettext("Registration number {number}", number=number),
        "footer": translation.gettext("SEBI registration {number}", number=number),
        "page": translation.gettext("Page {page} of {pages}"),
        "analyst": firm.analyst_name,
        "designation": translation.gettext(firm.designation or UNNAMED),
        "validity": firm.validity_line(language),
        "address": firm.address,
        "contact": firm.contact,
        "isDemo": firm.is_demo,
        "language": language.lower(),
        "logo": picture_of(logo),
    }


def advice_settings(session: Session) -> AdviceSettings:
    """The firm's defaults for rebalances and sends."""
    firm = queries.firm(session)
    return AdviceSettings(
        firm.band,
        firm.minimum_trade,
        firm.trade_penalty,
        firm.include_charges,
        firm.allow_fresh_funds,
        firm.price_buffer,
        firm.price_tolerance,
        firm.rationale_required,
        firm.advice_minimum_trade,
        firm.sells_pledged,
        firm.limits_purchases,
        firm.usable_proceeds,
    )


def send_terms(session: Session) -> SendTerms:
    """The conditions for sending advice; a firm that is not entered has no name."""
    firm = queries.firm(session)
    holdings = disclosures.read(firm.disclosure_answers).get(HOLDINGS)
    return SendTerms(
        "" if firm.name == UNNAMED else firm.name,
        firm.registration_number,
        firm.renewal_on,
        firm.disclosures_confirmed_on if firm.disclosures else None,
        holdings is not None and holdings.is_yes,
        firm.rationale_required,
        dt.timedelta(minutes=firm.price_minutes),
        firm.holdings_days,
        guard_levels(session),
    )


def price_age(session: Session) -> dt.timedelta:
    """How old a price may be when advice is sent."""
    return dt.timedelta(minutes=queries.price_minutes(session))


def valid_until(session: Session, now: dt.datetime) -> dt.date:
    """The last day of advice sent now: so many business days later as the firm has set."""
    day, holidays = day_in_india(now), queries.holidays(session)
    for _ in range(queries.firm(session).advice_days):
        day = next_business_day(day, holidays)
    return day


def standard_rationale(session: Session) -> str:
    """The firm's standard rationale, used if a sender gives none; "" without one."""
    return queries.firm(session).standard_rationale


def answers_of(firm: Firm) -> list[Answered]:
    """The disclosure questions with the firm's answers."""
    return disclosures.answered(firm.disclosure_answers)


def mail_state(firm: Firm, settings: Settings) -> MailState:
    """Whether a mail server is set up, and whether it has delivered a test mail."""
    if not settings.smtp_url:
        return MailState.NOT_SET_UP
    is_tested = firm.mail_tested_with == settings.smtp_server
    return MailState.TESTED if is_tested else MailState.NOT_TESTED


def note_test_mail(
    session: Session, actor: Actor, now: dt.datetime, server: str, recipient: str
) -> None:
    """Remember that a test mail was handed over to this server."""
    firm = queries.firm(session, for_update=True)
    firm.mail_tested_at, firm.mail_tested_with = now, server
    session.flush()
    changes = {"server": server, "recipient": recipient}
    audit_log.record(session, actor, now, "test_mail_sent", ("firm", firm.id), changes)


def setup_later(session: Session) -> frozenset[str]:
    """The lines of the set-up list that were put off."""
    return frozenset(json.loads(queries.firm(session).setup_later))


def put_off_setup(
    session: Session, actor: Actor, now: dt.datetime, line: str, *, is_later: bool
) -> None:
    """Put a line of the set-up list off, or take it up again."""
    firm = queries.firm(session, for_update=True)
    before = frozenset(json.loads(firm.setup_later))
    after = before | {line} if is_later else before - {line}
    if after == before:
        return
    firm.setup_later = json.dumps(sorted(after))
    session.flush()
    changes = {"setup_later": [sorted(before), sorted(after)]}
    audit_log.record(session, actor, now, "setup_put_off", ("firm", firm.id), changes)


def holidays(session: Session) -> set[dt.date]:
    """Days, besides weekends, on which NSE does not trade."""
    return queries.holidays(session)


def firm_record(session: Session) -> Firm:
    """The record of the firm."""
    return queries.firm(session)


def edit_firm(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    entered: Mapping[str, Any],
    version: int | None,
    answers: Mapping[str, Answer] | None = None,
) -> Firm:
    """Change fields of the firm's record by name; what is not given stays.

    Disclosures that are given, as answers or in the firm's own words, are confirmed as of today.

    Args:
        answers: to every disclosure question; their text takes the place of what was disclosed.

    Raises:
        StaleVersion: somebody changed it since `version`.
    """
    firm = queries.firm(session, for_update=True)
    if version not in {None, firm.version}:
        raise StaleVersion
    fields = dict(entered)
    if answers is not None:
        fields |= disclosures.fields_of(answers, now)
    elif "disclosures" in fields:
        fields |= {"disclosure_answers": "", "disclosures_confirmed_on": day_in_india(now)}
    changes = {}
    for name, value in fields.items():
        before = getattr(firm, name)
        if before != value:
            setattr(firm, name, value)
            changes[name] = [before, value]
    firm.version += 1
    firm.updated_at = now
    session.flush()
    audit_log.record(session, actor, now, "firm_edited", ("firm", firm.id), changes)
    return firm


def set_ages(session: Session, now: dt.datetime, ages: Mapping[str, int]) -> None:
    """Set the maximum ages of prices and holdings; the caller writes the audit trail."""
    firm = queries.firm(session, for_update=True)
    for name, value in ages.items():
        setattr(firm, name, value)
    firm.version += 1
    firm.updated_at = now
    session.flush()


def set_ai_use(session: Session, now: dt.datetime, english: str, hindi: str) -> None:
    """Set what letters say of AI tools; the caller writes the audit trail."""
    firm = queries.firm(session, for_update=True)
    firm.ai_use, firm.ai_use_hi = english, hindi
    firm.version += 1
    firm.updated_at = now
    session.flush()


def holidays_of(session: Session, year: int) -> list[Holiday]:
    """The holidays of a calendar year, in order."""
    return queries.holidays_of(session, year)


def change_holidays(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    holidays: Mapping[dt.date, str],
    removed: Collection[dt.date],
) -> None:
    """Add, rename and remove holidays; other days stay as they are.

    Raises:
        PastHolidayKept: a day to remove is in the past.
    """
    acquire_lock(session, AdvisoryLock.SETTINGS)
    today = day_in_india(now)
    known = queries.holidays_on(session, {*holidays, *removed})
    changes: dict[str, Any] = {}
    for day in sorted(set(removed) & set(known)):
        if day < today:
            raise PastHolidayKept
        changes[day.isoformat()] = [known[day].name, None]
        session.delete(known[day])
    for day, name in sorted(holidays.items()):
        holiday = known.get(day)
        before = holiday.name if holiday else None
        if before == name:
            continue
        if holiday is None:
            session.add(Holiday(date=day, name=name))
        else:
            holiday.name = name
        changes[day.isoformat()] = [before, name]
    session.flush()
    if changes:
        audit_log.record(session, actor, now, "holidays_changed", ("calendar", "NSE"), changes)
