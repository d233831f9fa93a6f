"""The mails of the follow-up: reminders, a client's question to the firm, and the firm's answer."""

import datetime as dt
from html import escape
from typing import Final

from tarazu.firm.service import FirmRegistration
from tarazu.kit.mail import Draft
from tarazu.kit.translation import N_, Translation, translation_of
from tarazu.people.service import Client

_SOME_OPEN: Final = N_(
    "This is a reminder of the investment advice of {day}. As far as we can see, some of its "
    "orders are still open. Please decide until {until} whether to act on it."
)
_NOT_KNOWN: Final = N_(
    "This is a reminder of the investment advice of {day}. We cannot see your trades, so we do not "
    "know whether you have acted on it. If you have not, please decide until {until}."
)


def reminder(
    client: Client,
    firm: FirmRegistration,
    sent_at: dt.datetime,
    until: dt.date,
    *,
    link: str,
    is_known: bool,
) -> Draft:
    """The mail that reminds a client of an advice of which something is still open.

    Args:
        until: the last day on which an order counts for the advice.
        link: the address of the client's page, never stored readable; "" for none.
        is_known: whether the client's trades were read since the advice.
    """
    t = translation_of(client.language)
    day, text = t.day(sent_at), _SOME_OPEN if is_known else _NOT_KNOWN
    paragraphs = [
        t.gettext("Dear {name},", name=client.name),
        t.gettext(text, day=day, until=t.day(until)),
        *(_invitation(link, t) if link else []),
        *_sender(firm, t),
    ]
    subject = t.gettext("Reminder: investment advice of {day}", day=day)
    return _draft(client.email, subject, paragraphs, secret=link)


def _invitation(link: str, t: Translation) -> list[str]:
    return [
        t.gettext(
            "Read this advice on your own page, answer it, or take the orders to your broker. You "
            "need a code that we send to this address:"
        ),
        link,
        t.gettext("If you do not want to act on it, you can tell us so on your page."),
    ]


def question(recipient: str, client: Client, sent_at: dt.datetime, text: str) -> Draft:
    """The mail to the firm with a client's question."""
    t = translation_of(client.language.EN)
    paragraphs = [
        f"{client.name} ({client.code}) asks about the advice of {t.day(sent_at)}:",
        text,
        "Answer it in Follow-up, Questions: the answer is mailed to the client and kept.",
    ]
    return _draft(recipient, "A client has a question about an advice", paragraphs)


def answer(
    client: Client, firm: FirmRegistration, sent_at: dt.datetime, said: tuple[str, str]
) -> Draft:
    """The mail to a client with the firm's answer; `said` is the question and the answer."""
    t = translation_of(client.language)
    day = t.day(sent_at)
    paragraphs = [
        t.gettext("Dear {name},", name=client.name),
        t.gettext("You asked about the investment advice of {day}:", day=day),
        said[0],
        t.gettext("Our answer:"),
        said[1],
        *_sender(firm, t),
    ]
    subject = t.gettext("Your question about the investment advice of {day}", day=day)
    return _draft(client.email, subject, paragraphs)


def _sender(firm: FirmRegistration, t: Translation) -> list[str]:
    """Who writes, and that the mail is about market risk: a mail of a Research Analyst says so."""
    number = firm.registration_number
    registration = [
        t.gettext("SEBI-registered Research Analyst"),
        t.gettext("Registration number {number}", number=number),
    ]
    lines = [firm.name, *(registration if number else []), firm.contact]
    return ["\n".join(filter(None, lines)), firm.standard_warning]


def _draft(recipient: str, subject: str, paragraphs: list[str], secret: str = "") -> Draft:
    html = "".join(f"<p>{escape(text).replace(chr(10), '<br>')}</p>" for text in paragraphs)
    return Draft(recipient, subject, "\n\n".join(paragraphs) + "\n", html, secret=secret)
