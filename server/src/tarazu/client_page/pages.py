"""The client's page as HTML, at `/a/{token}`: forms that work without a script.

After the right code the content is in the answer to the form. The page's token is in hidden fields of
its forms and nowhere else: no cookie, no storage, no address.
"""

from collections.abc import Callable
from http import HTTPStatus
from typing import Annotated, Final

from fastapi import APIRouter, Form, Request, Response
from sqlalchemy.orm import Session

from tarazu.advice.service import OpenAdviceLink
from tarazu.auth.guards import Visit, Visiting
from tarazu.brokers.errors import BrokerNotReady
from tarazu.client_page import service
from tarazu.client_page.baskets import NO_ZERODHA
from tarazu.client_page.errors import (
    NothingToHandOver,
    PageNotFound,
    PageSessionOver,
    WrongCode,
)
from tarazu.client_page.html import asset_routes, page_of
from tarazu.client_page.routes import Token, count_wrong_link
from tarazu.client_page.schemas import AnswerGiven, CodeEntered, PageAsked, StepAsked
from tarazu.client_page.views import PageRoute, content_page, front_page
from tarazu.follow_up.errors import NothingDeclined, TooManyQuestions, UnknownLines
from tarazu.follow_up.service import NewResponse
from tarazu.follow_up.tables import Answer
from tarazu.kit.auth_route import Public
from tarazu.kit.db import OpenSession
from tarazu.kit.downloads import attachment
from tarazu.kit.middleware import FORM_TARGET
from tarazu.kit.translation import N_, Language

SENT: Final = N_("We sent a code to your mail address. It works for 10 minutes.")
TOO_MANY: Final = N_("Three codes were sent within an hour. Wait a while, then ask again.")
RECORDED: Final = {
    Answer.READ: N_("Recorded: you have read this advice."),
    Answer.DECLINED: N_("Recorded: you will not act. You can take this back."),
    Answer.WITHDRAWN: N_("Recorded: you took it back."),
    Answer.QUESTION: N_("Your question was sent. You will get an answer by mail."),
}
NOT_RECORDED: Final = N_("This answer does not fit any more. Nothing was recorded.")
MANY_QUESTIONS: Final = N_(
    "You have asked many questions about this advice. Please call us or write to us."
)
EMPTY_QUESTION: Final = N_("Write your question first.")
router = APIRouter(
    prefix="/a/{token}",
    route_class=PageRoute,
    include_in_schema=False,
    default_response_class=Response,
)


@router.get("")
def show_front_page(
    token: Token, session: OpenSession, visit: Visiting, _: Public, lang: Language | None = None
) -> Response:
    return front_page(session, _link(session, token, visit), token, lang)


@router.post("/code")
def send_code_from_page(
    token: Token,
    form: Annotated[PageAsked, Form()],
    session: OpenSession,
    visit: Visiting,
    _: Public,
) -> Response:
    link = _link(session, token, visit)
    is_sent = service.send_code(session, visit.nobody, link, visit.now)
    return front_page(
        session, link, token, form.lang, asks=True, notice=SENT if is_sent else TOO_MANY
    )


@router.post("/open")
def open_page_by_form(
    token: Token,
    form: Annotated[CodeEntered, Form()],
    session: OpenSession,
    visit: Visiting,
    _: Public,
) -> Response:
    link = _link(session, token, visit)
    opened = service.enter_code(session, visit.nobody, link, form.code, visit.now)
    if opened is None:
        return front_page(
            session,
            link,
            token,
            form.lang,
            asks=True,
            error=WrongCode.message,
            status=HTTPStatus.UNPROCESSABLE_ENTITY,
        )
    asked = PageAsked(page_token=opened.token, lang=form.lang)
    return content_page(session, link, token, asked, visit)


@router.post("/view")
def show_page_again(
    token: Token,
    form: Annotated[PageAsked, Form()],
    session: OpenSession,
    visit: Visiting,
    _: Public,
) -> Response:
    return _with_session(
        session, token, form, visit, lambda link: content_page(session, link, token, form, visit)
    )


@router.post("/respond")
def respond_from_page(
    token: Token,
    form: Annotated[AnswerGiven, Form()],
    session: OpenSession,
    visit: Visiting,
    _: Public,
) -> Response:
    def act(link: OpenAdviceLink) -> Response:
        notice, error = RECORDED[form.answer], ""
        if form.answer is Answer.QUESTION and not form.text.strip():
            notice, error = "", EMPTY_QUESTION
        else:
            response = NewResponse(
                form.answer,
                form.text.strip(),
                tuple(form.lines),
                visit.ip,
                visit.user_agent[:300],
                form.lang or link.client.language,
                visit.request_id,
            )
            try:
                service.respond(session, link, response, visit.now)
            except (UnknownLines, NothingDeclined):
                notice, error = "", NOT_RECORDED
            except TooManyQuestions:
                notice, error = "", MANY_QUESTIONS
        return content_page(session, link, token, form, visit, notice=notice, error=error)

    return _with_session(session, token, form, visit, act)


@router.post("/letter.pdf")
def save_letter(
    token: Token,
    form: Annotated[PageAsked, Form()],
    session: OpenSession,
    visit: Visiting,
    _: Public,
) -> Response:
    def act(link: OpenAdviceLink) -> Response:
        name, pdf = service.letter_of(session, link)
        return attachment(pdf, name, "application/pdf")

    return _with_session(session, token, form, visit, act)


@router.post("/list.csv")
def save_order_list(
    token: Token,
    form: Annotated[PageAsked, Form()],
    session: OpenSession,
    visit: Visiting,
    _: Public,
) -> Response:
    def act(link: OpenAdviceLink) -> Response:
        content = service.content_of(session, link, link.client.language, visit.now)
        orders = service.hand_over_of(session, content, visit.now).orders
        return attachment(service.orders_csv(orders), "orders.csv", "text/csv; charset=utf-8")

    return _with_session(session, token, form, visit, act)


@router.post("/kite-basket.json")
def save_basket_file(
    token: Token,
    form: Annotated[StepAsked, Form()],
    session: OpenSession,
    visit: Visiting,
    _: Public,
) -> Response:
    def act(link: OpenAdviceLink) -> Response:
        content = service.content_of(session, link, link.client.language, visit.now)
        try:
            hand_over = service.hand_over_of(session, content, visit.now)
            file = service.basket_file(hand_over, form.step)
        except NothingToHandOver as refusal:
            return content_page(session, link, token, form, visit, error=refusal.message)
        return attachment(file, f"kite-basket-{form.step}.json", "application/json")

    return _with_session(session, token, form, visit, act)


@router.post("/reminder.ics")
def save_reminder(
    token: Token,
    form: Annotated[PageAsked, Form()],
    session: OpenSession,
    visit: Visiting,
    _: Public,
) -> Response:
    def act(link: OpenAdviceLink) -> Response:
        language = form.lang or link.client.language
        entry = service.reminder_of(session, link, language, visit.now)
        return attachment(entry, "reminder.ics", "text/calendar; charset=utf-8; method=PUBLISH")

    return _with_session(session, token, form, visit, act)


@router.post("/basket")
def show_basket_page(
    token: Token,
    form: Annotated[StepAsked, Form()],
    session: OpenSession,
    visit: Visiting,
    request: Request,
    _: Public,
) -> Response:
    def act(link: OpenAdviceLink) -> Response:
        language = form.lang or link.client.language
        content = service.content_of(session, link, language, visit.now)
        try:
            kite = service.kite_form(
                session, visit.settings, content, form.step, visit.now, form.steps
            )
        except NothingToHandOver as refusal:
            return content_page(session, link, token, form, visit, error=refusal.message)
        except BrokerNotReady:
            return content_page(session, link, token, form, visit, error=NO_ZERODHA)
        setattr(request.state, FORM_TARGET, kite.origin)
        return page_of("basket.html", language, firm=content.shown.firm, kite=kite)

    return _with_session(session, token, form, visit, act)


def _link(session: Session, token: str, visit: Visit) -> OpenAdviceLink:
    try:
        return service.link_of(session, token, visit.now)
    except PageNotFound:
        count_wrong_link(visit)
        raise


def _with_session(
    session: Session,
    token: str,
    form: PageAsked,
    visit: Visit,
    act: Callable[[OpenAdviceLink], Response],
) -> Response:
    """What a form asks for; the front page again where its session is over."""
    link = _link(session, token, visit)
    try:
        service.session_of(session, link, form.page_token, visit.now)
    except PageSessionOver as refusal:
        return front_page(
            session, link, token, form.lang, error=refusal.message, status=HTTPStatus.UNAUTHORIZED
        )
    return act(link)


assets = asset_routes()
