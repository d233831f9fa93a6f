"""The client's page as HTML, at `/a/{token}`: forms that work without a script.

After the right code the content is in the answer to the form. The page's token is in hidden fields of
its forms and nowhere else: no cookie, no storage, no address.
"""

from collections.abc import Callable
from http import HTTPStatus
from typing import Annotated, Final

from fastapi import APIRouter, Form, Request, Response

from tarazu.brokers.errors import BrokerNotReady
from tarazu.client_page import service
from tarazu.client_page.baskets import NO_ZERODHA
from tarazu.client_page.calls import Call, PageCall
from tarazu.client_page.errors import NothingToHandOver, PageSessionOver, WrongCode
from tarazu.client_page.html import asset_routes, page_of
from tarazu.client_page.schemas import (
    Agreed,
    AnswerGiven,
    CodeEntered,
    PageAsked,
    StepAsked,
    Withdrawn,
)
from tarazu.client_page.service import OpenPage
from tarazu.client_page.views import PageRoute, content_page, front_page
from tarazu.follow_up.errors import NothingDeclined, TooManyQuestions, UnknownLines
from tarazu.follow_up.tables import Answer
from tarazu.kit.auth_route import Public
from tarazu.kit.downloads import attachment
from tarazu.kit.middleware import FORM_TARGET
from tarazu.kit.translation import N_, Language
from tarazu.papers.errors import ConsentChanged

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
AGREED: Final = N_("Recorded: you agreed.")
WITHDRAWN: Final = N_("Recorded: you withdrew your consent.")
EMPTY_QUESTION: Final = N_("Write your question first.")
router = APIRouter(
    prefix="/a/{token}",
    route_class=PageRoute,
    include_in_schema=False,
    default_response_class=Response,
)


@router.get("")
def show_front_page(call: Call, _: Public, lang: Language | None = None) -> Response:
    return front_page(call, lang)


@router.post("/code")
def send_code_from_page(call: Call, form: Annotated[PageAsked, Form()], _: Public) -> Response:
    is_sent = service.send_code(call.session, call.visit.nobody, call.link, call.visit.now)
    return front_page(call, form.lang, asks=True, notice=SENT if is_sent else TOO_MANY)


@router.post("/open")
def open_page_by_form(call: Call, form: Annotated[CodeEntered, Form()], _: Public) -> Response:
    opened = service.enter_code(
        call.session, call.visit.nobody, call.link, form.code, call.visit.now
    )
    if opened is None:
        status = HTTPStatus.UNPROCESSABLE_ENTITY
        return front_page(call, form.lang, asks=True, error=WrongCode.message, status=status)
    return content_page(call, call.page(opened.token, form.lang))


@router.post("/view")
def show_page_again(call: Call, form: Annotated[PageAsked, Form()], _: Public) -> Response:
    return _on_page(call, form, lambda page: content_page(call, page))


@router.post("/respond")
def respond_from_page(call: Call, form: Annotated[AnswerGiven, Form()], _: Public) -> Response:
    def act(page: OpenPage) -> Response:
        if form.answer is Answer.QUESTION and not form.text.strip():
            return content_page(call, page, error=EMPTY_QUESTION)
        response = call.response(form.answer, form.text, form.lines, page.language)
        try:
            service.respond(page, response)
        except (UnknownLines, NothingDeclined):
            return content_page(call, page, error=NOT_RECORDED)
        except TooManyQuestions:
            return content_page(call, page, error=MANY_QUESTIONS)
        return content_page(call, page, notice=RECORDED[form.answer])

    return _on_page(call, form, act)


@router.post("/agree")
def agree_from_page(call: Call, form: Annotated[Agreed, Form()], _: Public) -> Response:
    def act(page: OpenPage) -> Response:
        try:
            service.agree(page, form.text_id, call.from_page(page.language))
        except ConsentChanged as refusal:
            return content_page(call, page, error=refusal.message)
        return content_page(call, page, notice=AGREED)

    return _on_page(call, form, act)


@router.post("/withdraw")
def withdraw_from_page(call: Call, form: Annotated[Withdrawn, Form()], _: Public) -> Response:
    def act(page: OpenPage) -> Response:
        service.withdraw(page, form.kind, call.from_page(page.language))
        return content_page(call, page, notice=WITHDRAWN)

    return _on_page(call, form, act)


@router.post("/letter.pdf")
def save_letter(call: Call, form: Annotated[PageAsked, Form()], _: Public) -> Response:
    return _on_page(call, form, lambda page: attachment(*service.letter_file(page)))


@router.post("/list.csv")
def save_order_list(call: Call, form: Annotated[PageAsked, Form()], _: Public) -> Response:
    return _on_page(call, form, lambda page: attachment(*service.orders_file(page)))


@router.post("/kite-basket.json")
def save_basket_file(call: Call, form: Annotated[StepAsked, Form()], _: Public) -> Response:
    return _on_page(call, form, lambda page: attachment(*service.basket_file(page, form.step)))


@router.post("/reminder.ics")
def save_reminder(call: Call, form: Annotated[PageAsked, Form()], _: Public) -> Response:
    return _on_page(call, form, lambda page: attachment(*service.reminder_file(page)))


@router.post("/basket")
def show_basket_page(
    call: Call, form: Annotated[StepAsked, Form()], request: Request, _: Public
) -> Response:
    def act(page: OpenPage) -> Response:
        try:
            kite = service.kite_form(page, call.visit.settings, form.step, form.steps)
        except BrokerNotReady:
            return content_page(call, page, error=NO_ZERODHA)
        setattr(request.state, FORM_TARGET, kite.origin)
        firm = service.front_of(page.session, page.link, page.language).firm
        return page_of("basket.html", page.language, firm=firm, kite=kite)

    return _on_page(call, form, act)


def _on_page(call: PageCall, form: PageAsked, act: Callable[[OpenPage], Response]) -> Response:
    """What a form asks for; the front page again where its session is over."""
    try:
        page = call.page(form.page_token, form.lang)
    except PageSessionOver as refusal:
        return front_page(call, form.lang, error=refusal.message, status=HTTPStatus.UNAUTHORIZED)
    try:
        return act(page)
    except NothingToHandOver as refusal:
        return content_page(call, page, error=refusal.message)


assets = asset_routes()
