"""The set-up list: what a new firm needs before its first advice, ticked by what is stored."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from sqlalchemy.orm import Session

from tarazu.advice import service as advice
from tarazu.brokers import service as brokers
from tarazu.firm import service as firm
from tarazu.firm.tables import Firm, MailState
from tarazu.kit.settings import Settings
from tarazu.people import service as people
from tarazu.portfolio import service as portfolio
from tarazu.prices import service as prices


class SetupStep(StrEnum):
    """The lines of the list, in its order."""

    FIRM = "FIRM"
    DISCLOSURES = "DISCLOSURES"
    AI_USE = "AI_USE"
    MAIL = "MAIL"
    PRICES = "PRICES"
    STAFF = "STAFF"
    CLIENT = "CLIENT"
    HOLDINGS = "HOLDINGS"
    ADVICE = "ADVICE"


@dataclass(frozen=True, slots=True)
class SetupLine:
    """`to` is the address of the screen behind the button; None where it sends the test mail."""

    step: SetupStep
    title: str
    text: str
    label: str
    to: str | None
    is_done: bool
    is_later: bool


@dataclass(frozen=True, slots=True)
class _LineText:
    """A line that is not done: its sentence, its button and the screen behind it."""

    title: str
    text: str
    label: str
    to: str | None


_LINE_TEXTS: Final = {
    SetupStep.DISCLOSURES: _LineText(
        "Disclosures",
        "Answer the disclosure questions; no advice can be sent before that.",
        "Answer the questions",
        "/home/settings?section=disclosures",
    ),
    SetupStep.AI_USE: _LineText(
        "Use of AI",
        "Not answered: disclose to clients how far AI tools are used. Letters say nothing until then.",
        "Enter the text",
        "/home/settings?section=firm",
    ),
    SetupStep.PRICES: _LineText(
        "Broker or price file",
        "Connect a broker for live prices, or import closing prices from the client list's menu.",
        "Connect a broker",
        "/home/broker-details",
    ),
    SetupStep.STAFF: _LineText(
        "Staff", "Invite the people who work with you.", "Invite staff", "/home/roles-permission"
    ),
    SetupStep.CLIENT: _LineText(
        "First client",
        "Add a client by hand, or import a list of clients.",
        "Add a client",
        "/home/client/details",
    ),
    SetupStep.HOLDINGS: _LineText(
        "Holdings or cash",
        "Import a holdings file, enter cash on a client's portfolio, or sync a broker account.",
        "Open the clients",
        "/home/client/details",
    ),
    SetupStep.ADVICE: _LineText(
        "First advice",
        "Choose a client, set the targets, review the orders and send them.",
        "Open Advice",
        "/home/advice",
    ),
}


def setup_list(session: Session, settings: Settings) -> list[SetupLine]:
    """All lines, done or not; none for the demo firm or once everything is done."""
    record = firm.firm_record(session)
    if record.is_demo:
        return []
    done, later = dict(_done(session, record, settings)), firm.setup_later(session)
    if all(done.values()):
        return []
    lines = []
    for step in SetupStep:
        line = _text_of(step, record, settings)
        lines.append(
            SetupLine(step, line.title, line.text, line.label, line.to, done[step], step in later)
        )
    return lines


def _done(session: Session, record: Firm, settings: Settings) -> Iterator[tuple[SetupStep, bool]]:
    clients, _ = portfolio.firm_counts(session)
    yield SetupStep.FIRM, not _missing(record)
    yield SetupStep.DISCLOSURES, firm.send_terms(session).confirmed_on is not None
    yield SetupStep.AI_USE, bool(record.ai_use)
    yield SetupStep.MAIL, firm.mail_state(record, settings) is MailState.TESTED
    yield SetupStep.PRICES, brokers.was_connected(session) or prices.has_price_file(session)
    yield SetupStep.STAFF, people.has_colleagues(session)
    yield SetupStep.CLIENT, clients > 0
    yield SetupStep.HOLDINGS, portfolio.has_valued_account(session)
    yield SetupStep.ADVICE, advice.has_advice(session)


def _missing(record: Firm) -> list[str]:
    """What letters to clients carry and the firm has not entered, in the order of the form."""
    entered = {
        "name": record.name != firm.UNNAMED,
        "registration number": record.registration_number,
        "address": record.address,
        "logo": record.logo,
        "signature": record.signature,
    }
    return [name for name, value in entered.items() if not value]


def _text_of(step: SetupStep, record: Firm, settings: Settings) -> _LineText:
    if step is SetupStep.FIRM:
        missing = _missing(record)
        text = "Letters to clients carry the firm's registration, address, logo and signature."
        if missing:
            text = f"Letters to clients need these: {', '.join(missing)}."
        return _LineText("Firm details", text, "Enter firm details", "/home/settings?section=firm")
    if step is SetupStep.MAIL:
        return _MAIL[firm.mail_state(record, settings)]
    return _LINE_TEXTS[step]


_MAIL_SETTINGS: Final = "/home/settings?section=mail"
_MAIL: Final = {
    MailState.NOT_SET_UP: _LineText(
        "Mail",
        "No mail server is set up: letters do not reach clients.",
        "Set up mail",
        _MAIL_SETTINGS,
    ),
    MailState.NOT_TESTED: _LineText(
        "Mail",
        "A mail server is set up: send a test mail to your own address.",
        "Send a test mail",
        None,
    ),
    MailState.TESTED: _LineText(
        "Mail", "The mail server delivered a test mail.", "Mail settings", _MAIL_SETTINGS
    ),
}
