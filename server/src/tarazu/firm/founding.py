"""The first record of the firm, and that of the demo firm."""

import datetime as dt
import json
from decimal import Decimal

from sqlalchemy.orm import Session

from tarazu.firm import disclosures, queries
from tarazu.firm.disclosures import QUESTIONS, Answer
from tarazu.firm.tables import Firm, Holiday
from tarazu.kit.translation import N_, Language, translation_of

REGISTERED_FROM = dt.date(2024, 2, 14)
# A registration is renewed every five years.
RENEWAL_ON = dt.date(2029, 2, 13)
STANDARD_WARNING = N_(
    "Investment in securities market are subject to market risks. "
    "Read all the related documents carefully before investing."
)
NO_ASSURANCE = N_(
    "Registration granted by SEBI, enlistment with the exchange and certification from NISM in no "
    "way guarantee performance of the Research Analyst or provide any assurance of returns to "
    "investors."
)
UNNAMED = N_("Research Analyst")
"""The name of a firm that nobody has entered yet."""
DEMO_AI_USE = (
    "AI tools help us to summarise company filings. They do not choose stocks or set weights, and "
    "they are never given client data."
)
DEMO_AI_USE_HI = (
    "कंपनियों के दस्तावेज़ों का सार बनाने में हम AI टूल की मदद लेते हैं। वे शेयर नहीं चुनते, भार तय नहीं करते, और उन्हें "
    "ग्राहकों का डेटा कभी नहीं दिया जाता।"
)
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


def found_installation(session: Session, now: dt.datetime) -> None:
    """Make the firm's record and calendar; once, on an empty database."""
    hindi = translation_of(Language.HI)
    session.add(
        Firm(
            id=1,
            name=UNNAMED,
            registration_number="",
            analyst_name="",
            designation="",
            registered_from=REGISTERED_FROM,
            validity=N_("perpetual"),
            address="",
            contact="",
            disclosures="",
            disclosure_answers="",
            disclosures_confirmed_on=None,
            standard_warning=STANDARD_WARNING,
            no_assurance=NO_ASSURANCE,
            standard_warning_hi=hindi.gettext(STANDARD_WARNING),
            no_assurance_hi=hindi.gettext(NO_ASSURANCE),
            ai_use="",
            ai_use_hi="",
            logo=None,
            signature=None,
            advice_days=3,
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
            # Below about ₹1,000 the depository's charge alone is more than 1 % of a sale.
            advice_minimum_trade=Decimal(1000),
            sells_pledged=True,
            limits_purchases=False,
            # All of a sale is usable the same day since 7 October 2024 (early pay-in).
            usable_proceeds=Decimal(100),
            renewal_on=RENEWAL_ON,
            is_demo=False,
            mail_tested_at=None,
            mail_tested_with="",
            setup_later="[]",
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
    answers = {question.id: Answer(is_yes=False) for question in QUESTIONS}
    for name, value in disclosures.fields_of(answers, now).items():
        setattr(firm, name, value)
    firm.ai_use = DEMO_AI_USE
    firm.ai_use_hi = DEMO_AI_USE_HI
    firm.rationales = json.dumps(DEMO_RATIONALES)
    firm.updated_at = now
    session.flush()
