"""The firm: its registration, its advice settings, its calendar."""

import datetime as dt
import uuid
from decimal import Decimal
from enum import StrEnum

from sqlalchemy import ForeignKey, LargeBinary, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from tarazu.kit.db import InstantColumn, PercentColumn, RupeesColumn, Table


class ImageKind(StrEnum):
    LOGO = "logo"
    SIGNATURE = "signature"


class MailState(StrEnum):
    """Whether mails reach anybody: a test mail was handed over to the server that is set up."""

    NOT_SET_UP = "NOT_SET_UP"
    NOT_TESTED = "NOT_TESTED"
    TESTED = "TESTED"


class FirmImage(Table):
    """A logo or signature as letters carry it. Never removed: letters of old advice need theirs."""

    __tablename__ = "firm_images"

    sha256: Mapped[str] = mapped_column(String(64), primary_key=True)
    # A PNG, made by us from what was uploaded.
    content: Mapped[bytes] = mapped_column(LargeBinary)
    created_at: Mapped[dt.datetime] = mapped_column(InstantColumn)


class Firm(Table):
    __tablename__ = "firm"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    name: Mapped[str]
    registration_number: Mapped[str]
    analyst_name: Mapped[str]
    # Of the analyst who signs: "Proprietor"; "" for "Research Analyst".
    designation: Mapped[str] = mapped_column(server_default="")
    registered_from: Mapped[dt.date]
    validity: Mapped[str]
    address: Mapped[str]
    contact: Mapped[str]
    # What letters disclose: made of the answers, or the firm's own words.
    disclosures: Mapped[str] = mapped_column(Text)
    # JSON: {question: {"isYes": …, "details": …}}; "" where the firm wrote its own words.
    disclosure_answers: Mapped[str] = mapped_column(Text, server_default="")
    # None until somebody of this installation has confirmed the disclosures.
    disclosures_confirmed_on: Mapped[dt.date | None]
    standard_warning: Mapped[str] = mapped_column(Text)
    no_assurance: Mapped[str] = mapped_column(Text)
    # The same in Hindi.
    standard_warning_hi: Mapped[str] = mapped_column(Text, server_default="")
    no_assurance_hi: Mapped[str] = mapped_column(Text, server_default="")
    # How far AI tools are used, in English and in Hindi; "" while nobody has said it.
    ai_use: Mapped[str] = mapped_column(Text, server_default="")
    ai_use_hi: Mapped[str] = mapped_column(Text, server_default="")
    # None without one.
    logo: Mapped[str | None] = mapped_column(String(64), ForeignKey("firm_images.sha256"))
    signature: Mapped[str | None] = mapped_column(String(64), ForeignKey("firm_images.sha256"))
    # Business days for which advice is valid after the day of the sending.
    advice_days: Mapped[int] = mapped_column(server_default="3")
    rationale_required: Mapped[bool]
    # Said where a sender gives no rationale; "" for a sentence made of the orders.
    standard_rationale: Mapped[str] = mapped_column(Text, server_default="")
    # JSON: [{"name": …, "text": …}, …], to be chosen from when advice is sent.
    rationales: Mapped[str] = mapped_column(Text, server_default="[]")
    price_tolerance: Mapped[Decimal] = mapped_column(PercentColumn)
    # How old a price may be while the market is open, and holdings in business days.
    price_minutes: Mapped[int] = mapped_column(server_default="15")
    holdings_days: Mapped[int] = mapped_column(server_default="1")
    band: Mapped[Decimal] = mapped_column(PercentColumn)
    minimum_trade: Mapped[Decimal] = mapped_column(RupeesColumn)
    trade_penalty: Mapped[Decimal] = mapped_column(PercentColumn)
    include_charges: Mapped[bool]
    allow_fresh_funds: Mapped[bool]
    price_buffer: Mapped[Decimal] = mapped_column(PercentColumn)
    # Of one client's advice: the least order, and what may be sold and spent on one day.
    advice_minimum_trade: Mapped[Decimal] = mapped_column(RupeesColumn)
    sells_pledged: Mapped[bool]
    limits_purchases: Mapped[bool]
    usable_proceeds: Mapped[Decimal] = mapped_column(PercentColumn)
    # The day by which the registration must be renewed; None until it is entered.
    renewal_on: Mapped[dt.date | None]
    is_demo: Mapped[bool]
    # When a test mail was last handed over, and to which server (host and port).
    mail_tested_at: Mapped[dt.datetime | None] = mapped_column(InstantColumn)
    mail_tested_with: Mapped[str] = mapped_column(server_default="")
    # JSON: the lines of the set-up list that were put off.
    setup_later: Mapped[str] = mapped_column(Text, server_default="[]")
    version: Mapped[int]
    updated_at: Mapped[dt.datetime] = mapped_column(InstantColumn)


class Holiday(Table):
    __tablename__ = "holidays"

    date: Mapped[dt.date] = mapped_column(primary_key=True)
    name: Mapped[str]


class ScheduleKind(StrEnum):
    SLABS = "SLABS"
    FIXED = "FIXED"


class FeeSchedule(Table):
    """One version of the firm's fee schedule: it holds from its day until the next one's."""

    __tablename__ = "fee_schedules"

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    effective_on: Mapped[dt.date] = mapped_column(unique=True)
    kind: Mapped[ScheduleKind]
    # JSON: [{"from": "0", "percentage": "20"}, …], gains in percent, lowest first.
    slabs: Mapped[str] = mapped_column(Text)
    fixed_amount: Mapped[Decimal | None] = mapped_column(RupeesColumn)
    is_above_high_water_mark: Mapped[bool]
    # Rupees a year and family; None for no limit.
    yearly_limit: Mapped[Decimal | None] = mapped_column(RupeesColumn)
    source: Mapped[str]
    created_at: Mapped[dt.datetime] = mapped_column(InstantColumn)
    created_by: Mapped[uuid.UUID | None]


class ChargeTable(Table):
    """One version of the charges on trades, by the day from which it holds."""

    __tablename__ = "charge_tables"

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    effective_on: Mapped[dt.date] = mapped_column(unique=True)
    # The lines in the format of `domain/charges.csv`, with the heading.
    lines: Mapped[str] = mapped_column(Text)
    source: Mapped[str]
    created_at: Mapped[dt.datetime] = mapped_column(InstantColumn)
    created_by: Mapped[uuid.UUID | None]


class FollowUpSettings(Table):
    """How long advice is followed, when clients are reminded, and what their page offers."""

    __tablename__ = "follow_up_settings"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    # Business days after the day of the sending in which an order counts for the advice.
    window_days: Mapped[int]
    # Shares by which a line may differ and still be done.
    tolerance: Mapped[int]
    sends_reminders: Mapped[bool]
    # Whether mails of advice carry a link to the client's page.
    mails_links: Mapped[bool]
    # Rows of one basket at the broker, and how far a limit is from the last price.
    basket_rows: Mapped[int]
    limit_percentage: Mapped[Decimal] = mapped_column(PercentColumn)
    # A follow-up is drafted above these; None is off.
    tracking_limit: Mapped[Decimal | None] = mapped_column(PercentColumn)
    idle_cash_limit: Mapped[Decimal | None] = mapped_column(PercentColumn)
    version: Mapped[int]
    updated_at: Mapped[dt.datetime] = mapped_column(InstantColumn)


class SendGuard(Table):
    """A check before a send whose level the firm has chosen; see `firm.send_guards`."""

    __tablename__ = "send_guards"

    id: Mapped[str] = mapped_column(primary_key=True)
    level: Mapped[str] = mapped_column(String(40))
    updated_at: Mapped[dt.datetime] = mapped_column(InstantColumn)


class PastPerformanceSettings(Table):
    """The rules of `domain.past_performance` and what the firm has of enrolment and certificates.

    Days are None, and texts "", where there is none.
    """

    __tablename__ = "past_performance_settings"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    verified_from: Mapped[dt.date]
    enrol_until: Mapped[dt.date]
    certified_until: Mapped[dt.date]
    words_own: Mapped[str] = mapped_column(Text)
    words_certified: Mapped[str] = mapped_column(Text)
    words_verified: Mapped[str] = mapped_column(Text)
    # Where the rules are from, and of which day.
    source: Mapped[str] = mapped_column(Text)
    effective_on: Mapped[dt.date]
    # With a Past Risk and Return Verification Agency.
    enrolled_on: Mapped[dt.date | None]
    enrolment: Mapped[str]
    # By a chartered or cost accountant, of figures of these days.
    certificate: Mapped[str]
    certified_first: Mapped[dt.date | None]
    certified_last: Mapped[dt.date | None]
    # By the agency, of figures of these days.
    verification: Mapped[str]
    verified_first: Mapped[dt.date | None]
    verified_last: Mapped[dt.date | None]
    version: Mapped[int]
    updated_at: Mapped[dt.datetime] = mapped_column(InstantColumn)


class SecondApproval(Table):
    """An action that a second administrator must approve; see `firm.second_approval`."""

    __tablename__ = "second_approval"

    action: Mapped[str] = mapped_column(String(40), primary_key=True)
    updated_at: Mapped[dt.datetime] = mapped_column(InstantColumn)
