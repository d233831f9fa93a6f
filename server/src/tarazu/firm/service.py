"""The firm: who it is before the regulator, and how it wants its advice made."""

import datetime as dt
import json
import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from sqlalchemy.orm import Session

from tarazu.domain import charges
from tarazu.domain.fees import FeeSchedule, FixedSchedule, Slab, SlabSchedule
from tarazu.domain.money import Percent, Rupees
from tarazu.firm import disclosures, queries
from tarazu.firm.disclosures import GOOD_FOR as DISCLOSURES_GOOD_FOR
from tarazu.firm.disclosures import HOLDINGS, QUESTIONS, Answer, Answered
from tarazu.firm.errors import ChargesInForce, PastHolidayKept, UnfitCharges
from tarazu.firm.tables import ChargeTable, Firm, Holiday, ScheduleKind
from tarazu.firm.tables import FeeSchedule as FeeScheduleRow
from tarazu.kit import audit_log
from tarazu.kit.audit_log import Actor
from tarazu.kit.clock import day_in_india
from tarazu.kit.db import new_id, take_turns
from tarazu.kit.errors import StaleVersion
from tarazu.kit.formatting import day_of
from tarazu.kit.locks import AdvisoryLock

__all__ = ["DISCLOSURES_GOOD_FOR"]

REGISTERED_FROM = dt.date(2024, 2, 14)
# A registration is renewed every five years.
RENEWAL_ON = dt.date(2029, 2, 13)
SHIPPED_SOURCE = "Comes with Tarazu; each rate names its own source"

STANDARD_WARNING = (
    "Investment in securities market are subject to market risks. "
    "Read all the related documents carefully before investing."
)
NO_ASSURANCE = (
    "Registration granted by SEBI, enlistment with the exchange and certification from NISM in no "
    "way guarantee performance of the Research Analyst or provide any assurance of returns to "
    "investors."
)
UNNAMED = "Research Analyst"
"""The name of a firm that nobody has entered yet."""

DEMO_RATIONALES = (
    {
        "name": "Monthly review",
        "text": "The model is reviewed every month. Drift from its weights is brought back.",
    },
    {
        "name": "Quarterly results",
        "text": "Quarterly results are in: the weights return to the model.",
    },
)

# Trading holidays of NSE's equity segment in 2024 to 2026, weekends left out.
NSE_HOLIDAYS = (
    ("2024-11-15", "Guru Nanak Jayanti"),
    ("2024-11-20", "Maharashtra assembly election"),
    ("2024-12-25", "Christmas"),
    ("2025-02-26", "Mahashivratri"),
    ("2025-03-14", "Holi"),
    ("2025-03-31", "Id-ul-Fitr"),
    ("2025-04-10", "Mahavir Jayanti"),
    ("2025-04-14", "Dr. Ambedkar Jayanti"),
    ("2025-04-18", "Good Friday"),
    ("2025-05-01", "Maharashtra Day"),
    ("2025-08-15", "Independence Day"),
    ("2025-08-27", "Ganesh Chaturthi"),
    ("2025-10-02", "Gandhi Jayanti"),
    ("2025-10-21", "Diwali Laxmi Pujan"),
    ("2025-10-22", "Diwali Balipratipada"),
    ("2025-11-05", "Guru Nanak Jayanti"),
    ("2025-12-25", "Christmas"),
    ("2026-01-26", "Republic Day"),
    ("2026-03-03", "Holi"),
    ("2026-03-26", "Ram Navami"),
    ("2026-03-31", "Mahavir Jayanti"),
    ("2026-04-03", "Good Friday"),
    ("2026-04-14", "Dr. Ambedkar Jayanti"),
    ("2026-05-01", "Maharashtra Day"),
    ("2026-05-28", "Bakri Id"),
    ("2026-06-26", "Muharram"),
    ("2026-09-14", "Ganesh Chaturthi"),
    ("2026-10-02", "Gandhi Jayanti"),
    ("2026-10-20", "Dussehra"),
    ("2026-11-10", "Diwali Balipratipada"),
    ("2026-11-24", "Guru Nanak Jayanti"),
    ("2026-12-25", "Christmas"),
)


@dataclass(frozen=True, slots=True)
class Registration:
    """Who the firm is before the regulator."""

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

    @property
    def validity_line(self) -> str:
        """How long the registration holds, as letters say it; "" while no number is entered."""
        if not self.registration_number:
            return ""
        line = f"Analyst's registration: valid from {day_of(self.registered_from)}"
        return f"{line}, {self.validity}" if self.validity else line


@dataclass(frozen=True, slots=True)
class AdviceSettings:
    """How a rebalance is made unless a request says otherwise."""

    band: Percent
    minimum_trade: Rupees
    trade_penalty: Decimal
    include_charges: bool
    allow_fresh_funds: bool
    price_buffer: Percent
    price_tolerance: Percent
    rationale_required: bool


@dataclass(frozen=True, slots=True)
class SendTerms:
    """What the firm asks for before anything is sent.

    `confirmed_on` is when the disclosures were last confirmed, None for never. `do_staff_hold`:
    somebody of the firm holds stocks that it advises on. `holdings_days` are business days.
    """

    name: str
    registration_number: str
    renewal_on: dt.date | None
    confirmed_on: dt.date | None
    do_staff_hold: bool
    rationale_required: bool
    price_age: dt.timedelta
    holdings_days: int


@dataclass(frozen=True, slots=True)
class NewCharges:
    """A table of charges as it is entered: a rate for each broker, exchange, side and charge."""

    effective_on: dt.date
    source: str
    rates: Mapping[tuple[str, str, str, str], Decimal]


@dataclass(frozen=True, slots=True)
class SeenCharges:
    """What somebody who enters the charges of a day saw of it."""

    kept_at: dt.datetime | None
    """When the table of that day was last set; None when there was none."""


@dataclass(frozen=True, slots=True)
class ChargeVersion:
    """A table of charges; without an id it is the one that comes with the product."""

    id: uuid.UUID | None
    effective_on: dt.date
    source: str
    lines: charges.Lines
    is_in_force: bool
    created_at: dt.datetime | None


@dataclass(frozen=True, slots=True)
class FeeTerms:
    """What a version of the fee schedule says, and the day from which it holds.

    `yearly_limit` is in rupees a financial year and family; None for no limit.
    """

    effective_on: dt.date
    schedule: FeeSchedule
    is_above_high_water_mark: bool
    yearly_limit: Rupees | None
    source: str

    @property
    def kind(self) -> ScheduleKind:
        """Whether the fee is a fixed amount or a share of the gain."""
        return ScheduleKind.SLABS if self.slabs else ScheduleKind.FIXED

    @property
    def slabs(self) -> Sequence[Slab]:
        """The slabs of the gain; none for a fixed amount."""
        return self.schedule.slabs if isinstance(self.schedule, SlabSchedule) else ()

    @property
    def fixed_amount(self) -> Rupees | None:
        """The fixed amount a period; None with slabs."""
        return self.schedule.amount if isinstance(self.schedule, FixedSchedule) else None


@dataclass(frozen=True, slots=True)
class FeeScheduleVersion:
    """A version of the fee schedule as it is kept."""

    id: uuid.UUID
    terms: FeeTerms
    created_at: dt.datetime


def registration(session: Session) -> Registration:
    """The registration details that screens, mails and letters show."""
    firm = queries.firm(session)
    return Registration(
        firm.name,
        firm.registration_number,
        firm.analyst_name,
        firm.registered_from,
        firm.validity,
        firm.address,
        firm.contact,
        firm.disclosures,
        firm.standard_warning,
        firm.no_assurance,
        firm.is_demo,
    )


def letterhead_of(firm: Registration) -> dict[str, Any]:
    """The firm as `kit/letterhead.typ` sets it."""
    return {
        "name": firm.name,
        "number": firm.registration_number,
        "analyst": firm.analyst_name,
        "validity": firm.validity_line,
        "address": firm.address,
        "contact": firm.contact,
        "isDemo": firm.is_demo,
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
    )


def send_terms(session: Session) -> SendTerms:
    """What must be in order before advice is sent; a firm that is not entered has no name."""
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
    )


def standard_rationale(session: Session) -> str:
    """The firm's own words where a sender gives no rationale; "" where it has none."""
    return queries.firm(session).standard_rationale


def answers_of(firm: Firm) -> list[Answered]:
    """The disclosure questions with the firm's answers."""
    return disclosures.answered(firm.disclosure_answers)


def note_test_mail(
    session: Session, actor: Actor, now: dt.datetime, server: str, recipient: str
) -> None:
    """Remember that a test mail was handed over to this server."""
    firm = queries.firm(session, for_update=True)
    firm.mail_tested_at, firm.mail_tested_with = now, server
    session.flush()
    told = {"server": server, "recipient": recipient}
    audit_log.record(session, actor, now, "test_mail_sent", ("firm", firm.id), told)


def holidays(session: Session) -> set[dt.date]:
    """Days, besides weekends, on which NSE does not trade."""
    return queries.holidays(session)


def firm_record(session: Session) -> Firm:
    """All that is kept about the firm."""
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
        fields |= _disclosed(answers, now)
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
    """Set how old prices and holdings may be; the one who asks notes it on the trail."""
    firm = queries.firm(session, for_update=True)
    for name, value in ages.items():
        setattr(firm, name, value)
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
    kept: Mapping[dt.date, str],
    removed: Collection[dt.date],
) -> None:
    """Add holidays or name them anew, and take others out; a day not spoken of stays as it is.

    Raises:
        PastHolidayKept: a day to take out is over.
    """
    today = day_in_india(now)
    known = queries.holidays_on(session, {*kept, *removed})
    changes: dict[str, Any] = {}
    for day in sorted(set(removed) & set(known)):
        if day < today:
            raise PastHolidayKept
        changes[day.isoformat()] = [known[day].name, None]
        session.delete(known[day])
    for day, name in sorted(kept.items()):
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


def charge_lines_on(session: Session, day: dt.date) -> charges.Lines:
    """The rates of charges to reckon with on a day: the firm's own table, else the shipped one."""
    own = queries.charge_table_on(session, day)
    return charges.SHIPPED if own is None else charges.read_lines(own.lines)


def charge_versions(session: Session, today: dt.date) -> list[ChargeVersion]:
    """Every table of charges, newest first; the last is the one that comes with the product."""
    own = queries.charge_tables(session)
    in_force = next((row.id for row in own if row.effective_on <= today), None)
    versions = [_charge_version(row, is_in_force=row.id == in_force) for row in own]
    shipped = ChargeVersion(
        id=None,
        effective_on=min(line.effective_on for line in charges.SHIPPED),
        source=SHIPPED_SOURCE,
        lines=charges.lines_in_force(charges.SHIPPED, today),
        is_in_force=in_force is None,
        created_at=None,
    )
    return [*versions, shipped]


def keep_charges(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    new: NewCharges,
    seen: SeenCharges | None = None,
) -> ChargeVersion:
    """Add a table of charges, or change the one that will hold from the same day.

    A rate that does not change keeps its source; the others get that of the table.

    Raises:
        ChargesInForce: the table of that day holds already.
        StaleVersion: that day has another table by now than was seen.
        UnfitCharges: a rate is missing.
    """
    take_turns(session, AdvisoryLock.CHARGES)
    today = day_in_india(now)
    row = queries.charge_table_from(session, new.effective_on)
    if row is not None and row.effective_on <= today:
        raise ChargesInForce
    if seen is not None and seen.kept_at != (row.created_at if row is not None else None):
        raise StaleVersion
    before = charges.lines_in_force(charge_lines_on(session, today), today)
    known = {line.about: line for line in before}
    if set(new.rates) != set(known):
        raise UnfitCharges
    lines = tuple(
        line._replace(
            effective_on=new.effective_on,
            rate=new.rates[line.about],
            source=line.source if line.rate == new.rates[line.about] else new.source,
        )
        for line in before
    )
    if row is None:
        row = ChargeTable(id=new_id(), effective_on=new.effective_on)
        session.add(row)
    row.lines = charges.text_of(lines)
    row.source = new.source
    row.created_at, row.created_by = now, actor.account_id
    session.flush()
    changes = {
        "/".join(line.about): [known[line.about].rate, line.rate]
        for line in lines
        if known[line.about].rate != line.rate
    } | {"effectiveOn": new.effective_on, "source": new.source}
    audit_log.record(session, actor, now, "charges_set", ("charges", row.id), changes)
    return _charge_version(row, is_in_force=row.effective_on == today)


def fee_schedules(session: Session) -> list[FeeScheduleVersion]:
    """All versions of the fee schedule, newest first."""
    return [_version(row) for row in queries.fee_schedules(session)]


def fee_schedule_on(session: Session, day: dt.date) -> FeeScheduleVersion:
    """The version in force on a day; before the first one's day it is the first."""
    versions = fee_schedules(session)
    return next((one for one in versions if one.terms.effective_on <= day), versions[-1])


def keep_fee_schedule(
    session: Session, actor: Actor, now: dt.datetime, terms: FeeTerms
) -> FeeScheduleVersion:
    """Add a version; or change the one that holds from the same day.

    Whoever calls knows that no fee was computed with the version that changes.
    """
    row = queries.fee_schedule_from(session, terms.effective_on)
    if row is None:
        row = FeeScheduleRow(id=new_id(), effective_on=terms.effective_on)
        session.add(row)
    row.kind = terms.kind
    row.slabs = _slabs_text(terms.slabs)
    row.fixed_amount = terms.fixed_amount
    row.is_above_high_water_mark = terms.is_above_high_water_mark
    row.yearly_limit = terms.yearly_limit
    row.source = terms.source
    row.created_at = now
    row.created_by = actor.account_id
    session.flush()
    changes = {
        "effectiveOn": row.effective_on,
        "kind": row.kind,
        "slabs": row.slabs,
        "fixedAmount": row.fixed_amount,
        "isAboveHighWaterMark": row.is_above_high_water_mark,
        "yearlyLimit": row.yearly_limit,
        "source": row.source,
    }
    audit_log.record(session, actor, now, "fee_schedule_set", ("fee_schedule", row.id), changes)
    return _version(row)


def found_installation(session: Session, now: dt.datetime) -> None:
    """Make the firm's record and calendar; once, on an empty database."""
    session.add(
        Firm(
            id=1,
            name=UNNAMED,
            registration_number="",
            analyst_name="",
            registered_from=REGISTERED_FROM,
            validity="perpetual",
            address="",
            contact="",
            disclosures="",
            disclosure_answers="",
            disclosures_confirmed_on=None,
            standard_warning=STANDARD_WARNING,
            no_assurance=NO_ASSURANCE,
            rationale_required=True,
            standard_rationale="",
            rationales="[]",
            price_tolerance=Decimal(2),
            price_minutes=15,
            holdings_days=1,
            band=Decimal(0),
            minimum_trade=Decimal(0),
            trade_penalty=Decimal("0.01"),
            include_charges=True,
            allow_fresh_funds=True,
            price_buffer=Decimal(0),
            renewal_on=RENEWAL_ON,
            is_demo=False,
            mail_tested_at=None,
            mail_tested_with="",
            version=1,
            updated_at=now,
        )
    )
    session.add_all(
        Holiday(date=dt.date.fromisoformat(day), name=name) for day, name in NSE_HOLIDAYS
    )
    session.flush()


def become_demo(session: Session, now: dt.datetime) -> None:
    """Give the firm the name and number of the demo."""
    firm = queries.firm(session)
    firm.name = "Sahyadri Research (demo)"
    firm.registration_number = "INH000012345"
    firm.analyst_name = "Ananya Kulkarni"
    firm.address = "4 Prabhat Road, Pune 411004"
    firm.contact = "desk@sahyadri.example"
    firm.is_demo = True
    answers = {one.id: Answer(is_yes=False) for one in QUESTIONS}
    for name, value in _disclosed(answers, now).items():
        setattr(firm, name, value)
    firm.rationales = json.dumps(DEMO_RATIONALES)
    firm.updated_at = now
    session.flush()


def _disclosed(answers: Mapping[str, Answer], now: dt.datetime) -> dict[str, Any]:
    return {
        "disclosures": disclosures.text_of(answers),
        "disclosure_answers": disclosures.written(answers),
        "disclosures_confirmed_on": day_in_india(now),
    }


def _charge_version(row: ChargeTable, *, is_in_force: bool) -> ChargeVersion:
    return ChargeVersion(
        row.id,
        row.effective_on,
        row.source,
        charges.read_lines(row.lines),
        is_in_force,
        row.created_at,
    )


def _slabs_text(slabs: Sequence[Slab]) -> str:
    return json.dumps(
        [{"from": str(slab.gain_from), "percentage": str(slab.percentage)} for slab in slabs]
    )


def _version(row: FeeScheduleRow) -> FeeScheduleVersion:
    schedule: FeeSchedule
    if row.kind == ScheduleKind.FIXED:
        schedule = FixedSchedule(row.fixed_amount or Decimal(0))
    else:
        slabs = json.loads(row.slabs)
        schedule = SlabSchedule(
            tuple(Slab(Decimal(slab["from"]), Decimal(slab["percentage"])) for slab in slabs)
        )
    terms = FeeTerms(
        row.effective_on,
        schedule,
        row.is_above_high_water_mark,
        row.yearly_limit,
        row.source,
    )
    return FeeScheduleVersion(row.id, terms, row.created_at)
