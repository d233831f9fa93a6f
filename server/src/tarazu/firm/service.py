"""The firm: who it is before the regulator, and how it wants its advice made."""

import datetime as dt
from dataclasses import dataclass
from decimal import Decimal

from sqlalchemy.orm import Session

from tarazu.domain.money import Percent, Rupees
from tarazu.firm import queries
from tarazu.firm.tables import Firm, Holiday

REGISTERED_FROM = dt.date(2024, 2, 14)

STANDARD_WARNING = (
    "Investment in securities market are subject to market risks. "
    "Read all the related documents carefully before investing."
)
NO_ASSURANCE = (
    "Registration granted by SEBI, enlistment with the exchange and certification from NISM in no "
    "way guarantee performance of the Research Analyst or provide any assurance of returns to "
    "investors."
)
DISCLOSURES = (
    "The Research Analyst, its associates and their relatives hold no financial interest and no "
    "holding of one percent or more in the securities named here, have no material conflict of "
    "interest, and received no compensation from their issuers in the past twelve months, unless "
    "stated above."
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


def holidays(session: Session) -> set[dt.date]:
    """Days, besides weekends, on which NSE does not trade."""
    return queries.holidays(session)


def found_installation(session: Session, now: dt.datetime) -> None:
    """Make the firm's record and calendar; once, on an empty database."""
    session.add(
        Firm(
            id=1,
            name="Research Analyst",
            registration_number="Not set",
            analyst_name="Not set",
            registered_from=REGISTERED_FROM,
            validity="perpetual",
            address="",
            contact="",
            disclosures=DISCLOSURES,
            standard_warning=STANDARD_WARNING,
            no_assurance=NO_ASSURANCE,
            rationale_required=False,
            price_tolerance=Decimal(2),
            band=Decimal(0),
            minimum_trade=Decimal(0),
            trade_penalty=Decimal("0.01"),
            include_charges=True,
            allow_fresh_funds=True,
            price_buffer=Decimal(0),
            is_demo=False,
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
    firm.updated_at = now
    session.flush()
