"""The client's page: an advice read, answered and taken to a broker, without an account."""

import datetime as dt

from sqlalchemy.orm import Session

from tarazu.advice import service as advising
from tarazu.advice.service import OpenAdviceLink
from tarazu.client_page.access import (
    NewPageSession,
    enter_code,
    link_of,
    send_code,
    session_of,
)
from tarazu.client_page.baskets import (
    HandOver,
    KiteForm,
    basket_file,
    file_parts,
    hand_over_of,
    is_at_zerodha,
    kite_form,
    orders_csv,
)
from tarazu.client_page.content import Front, PageContent, content_of, front_of
from tarazu.client_page.reminder import calendar_entry
from tarazu.client_page.returns import BasketReturn, Outcome, take_return
from tarazu.domain.calendar import next_business_day
from tarazu.firm import service as firm
from tarazu.follow_up import service as follow_up
from tarazu.follow_up.service import NewResponse
from tarazu.kit.clock import INDIA, day_in_india
from tarazu.kit.translation import Language, translation_of

REMIND_AT = dt.time(9, 30, tzinfo=INDIA)


def respond(
    session: Session,
    link: OpenAdviceLink,
    response: NewResponse,
    now: dt.datetime,
) -> None:
    """Record an answer; the same answer again changes nothing.

    Raises:
        Refusal: as `follow_up.record_response` says.
    """
    follow_up.record_response(session, link.advice_id, response, now)


def letter_of(session: Session, link: OpenAdviceLink) -> tuple[str, bytes]:
    """File name and PDF of the letter.

    Raises:
        LetterLost: it was removed from the database and cannot be set again as it was.
    """
    name, pdf, _ = advising.letter(session, link.advice_id)
    return name, pdf


def reminder_of(
    session: Session, link: OpenAdviceLink, language: Language, now: dt.datetime
) -> bytes:
    """A calendar entry for the next business day, or the last one on which to act."""
    sealed, _ = advising.sealed_advice(session, link.advice_id)
    t = translation_of(language)
    ends_on = follow_up.execution(session, link.advice_id).window_ends_on
    on = min(next_business_day(day_in_india(now), firm.holidays(session)), ends_on)
    summary = t.gettext("Investment advice of {day}", day=t.day(sealed.sent_at))
    lines = [
        f"{sealed.firm.name}, "
        + t.gettext("SEBI registration number {number}", number=sealed.firm.registration_number),
        t.gettext("Look at the advice until {day}. The link is in our mail.", day=t.day(ends_on)),
    ]
    at = dt.datetime.combine(on, REMIND_AT)
    return calendar_entry(link.advice_id, at, now, summary, "\n".join(lines))
