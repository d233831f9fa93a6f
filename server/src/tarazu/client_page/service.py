"""The client's page: an advice read, answered and taken to a broker, without an account."""

import datetime as dt
from typing import NamedTuple

from sqlalchemy.orm import Session

from tarazu.advice import service as advising
from tarazu.advice.service import OpenAdviceLink
from tarazu.client_page.access import (
    NewPageSession,
    check_session,
    enter_code,
    link_of,
    send_code,
)
from tarazu.client_page.baskets import (
    HandOver,
    KiteForm,
    file_parts,
    hand_over_of,
    is_at_zerodha,
    kite_file,
    kite_form,
    orders_csv,
)
from tarazu.client_page.consents import agree, consents_on, withdraw
from tarazu.client_page.content import Front, OpenPage, PageContent, front_of
from tarazu.client_page.reminder import calendar_entry
from tarazu.client_page.returns import BasketReturn, Outcome, take_return
from tarazu.domain.calendar import next_business_day
from tarazu.firm import service as firm
from tarazu.follow_up import service as follow_up
from tarazu.follow_up.service import NewResponse
from tarazu.kit.clock import INDIA, day_in_india
from tarazu.kit.translation import Language, translation_of

REMIND_AT = dt.time(9, 30, tzinfo=INDIA)


class PageFile(NamedTuple):
    """A file that the client saves: as `kit.downloads.attachment` takes it."""

    content: bytes
    name: str
    media_type: str


def open_page(
    session: Session,
    link: OpenAdviceLink,
    page_token: str,
    language: Language | None,
    now: dt.datetime,
) -> OpenPage:
    """The page of a link, in `language` or the client's own.

    Raises:
        PageSessionOver: the session of `page_token` is over, or never was one of this link.
    """
    check_session(session, link, page_token, now)
    return OpenPage(session, link, page_token, language or link.client.language, now)


def respond(page: OpenPage, response: NewResponse) -> None:
    """Record an answer; the same answer again changes nothing.

    Raises:
        Refusal: as `follow_up.record_response` says.
    """
    follow_up.record_response(page.session, page.link.advice_id, response, page.now)


def letter_file(page: OpenPage) -> PageFile:
    """The letter.

    Raises:
        LetterLost: it was removed from the database and cannot be set again as it was.
    """
    name, pdf, _ = advising.letter(page.session, page.link.advice_id)
    return PageFile(pdf, name, "application/pdf")


def orders_file(page: OpenPage) -> PageFile:
    """The orders that are left, as a table."""
    hand_over = hand_over_of(page, page.content())
    return PageFile(orders_csv(hand_over.orders), "orders.csv", "text/csv; charset=utf-8")


def basket_file(page: OpenPage, part: int) -> PageFile:
    """One part of Kite's own basket file.

    Raises:
        NothingToHandOver: there is no such part now.
    """
    file = kite_file(hand_over_of(page, page.content()), part)
    return PageFile(file, f"kite-basket-{part}.json", "application/json")


def reminder_file(page: OpenPage) -> PageFile:
    """A calendar entry for the next business day, or the last one on which to act."""
    session, advice_id = page.session, page.link.advice_id
    sealed, _ = advising.sealed_advice(session, advice_id)
    t = translation_of(page.language)
    ends_on = follow_up.execution(session, advice_id).window_ends_on
    on = min(next_business_day(day_in_india(page.now), firm.holidays(session)), ends_on)
    summary = t.gettext("Investment advice of {day}", day=t.day(sealed.sent_at))
    lines = [
        f"{sealed.firm.name}, "
        + t.gettext("SEBI registration number {number}", number=sealed.firm.registration_number),
        t.gettext("Look at the advice until {day}. The link is in our mail.", day=t.day(ends_on)),
    ]
    at = dt.datetime.combine(on, REMIND_AT)
    entry = calendar_entry(advice_id, at, page.now, summary, "\n".join(lines))
    return PageFile(entry, "reminder.ics", "text/calendar; charset=utf-8; method=PUBLISH")
