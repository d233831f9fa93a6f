"""Calls of the client's page for programs; `pages.py` has the same for people."""

from contextlib import suppress
from http import HTTPStatus
from typing import Annotated, Literal

from fastapi import Header, Query, Response

from tarazu.client_page import service
from tarazu.client_page.calls import Call, WritingCall
from tarazu.client_page.errors import PageNotFound, WrongCode
from tarazu.client_page.schemas import (
    EnteredCode,
    GivenResponse,
    KiteBasket,
    NamedText,
    OpenedPage,
    PublicAdvice,
    PublicFirm,
    ShownAdvice,
    ShownAnswer,
    ShownLine,
)
from tarazu.client_page.service import PageContent
from tarazu.kit.auth_route import Public, authorized_router
from tarazu.kit.clock import day_in_india
from tarazu.kit.downloads import PDF, attachment
from tarazu.kit.schemas import Done, Reply, Whole, done, reply
from tarazu.kit.translation import Language

router = authorized_router("/public/advice/{token}")

PageToken = Annotated[str, Header(alias="X-Page-Token", max_length=200)]
Step = Annotated[Whole, Query(ge=1, le=1_000)]


@router.get("")
def show_public_advice(call: Call, _: Public) -> Reply[PublicAdvice]:
    link = call.link
    front = service.front_of(call.session, link, link.client.language)
    firm = PublicFirm.model_validate(front.firm)
    return reply(PublicAdvice(firm=firm, date=day_in_india(front.sent_at)))


@router.post("/code", status_code=HTTPStatus.ACCEPTED)
def send_page_code(call: Call, _: Public) -> Done:
    # The same answer whatever happens: also for a link that does not work.
    with suppress(PageNotFound):
        service.send_code(call.session, call.visit.nobody, call.link, call.visit.now)
    return done("If the link works, a code was sent to the client's mail address.")


@router.post("/open")
def open_page(call: Call, body: EnteredCode, _: Public) -> Reply[OpenedPage]:
    opened = service.enter_code(
        call.session, call.visit.nobody, call.link, body.code, call.visit.now
    )
    if opened is None:
        raise WrongCode
    advice = shown_advice(call.page(opened.token).content())
    return reply(OpenedPage(page_token=opened.token, expires_at=opened.expires_at, advice=advice))


@router.get("/content")
def show_page_content(
    call: Call, _: Public, page_token: PageToken = "", language: Language | None = None
) -> Reply[ShownAdvice]:
    return reply(shown_advice(call.page(page_token, language).content()))


@router.post("/respond")
def respond_to_advice(
    call: Call, body: GivenResponse, _: Public, page_token: PageToken = ""
) -> Reply[list[ShownAnswer]]:
    page = call.page(page_token, body.language)
    response = call.response(body.answer, body.text, body.lines, page.language)
    service.respond(page, response)
    return reply(_answers(page.content()), "Recorded")


@router.get("/letter.pdf", response_class=Response, responses=PDF)
def download_own_letter(call: Call, _: Public, page_token: PageToken = "") -> Response:
    return attachment(*service.letter_file(call.page(page_token)))


@router.get("/list.csv", response_class=Response)
def download_order_list(call: Call, _: Public, page_token: PageToken = "") -> Response:
    return attachment(*service.orders_file(call.page(page_token)))


@router.get("/kite-basket.json", response_class=Response)
def download_basket_file(
    call: Call, _: Public, page_token: PageToken = "", step: Step = 1
) -> Response:
    return attachment(*service.basket_file(call.page(page_token), step))


@router.get("/reminder.ics", response_class=Response)
def download_reminder(call: Call, _: Public, page_token: PageToken = "") -> Response:
    return attachment(*service.reminder_file(call.page(page_token)))


# Each basket has its own stored mark, so this GET writes.
@router.get("/basket")
def show_basket(
    call: WritingCall,
    _: Public,
    broker: Literal["ZERODHA"] = "ZERODHA",
    page_token: PageToken = "",
    step: Step = 1,
) -> Reply[KiteBasket]:
    form = service.kite_form(call.page(page_token), call.visit.settings, step)
    return reply(KiteBasket.of(form, broker=broker))


def shown_advice(content: PageContent) -> ShownAdvice:
    """The advice as programs get it."""
    parts = content.parts
    return ShownAdvice(
        language=content.language,
        client=parts.client,
        client_code=content.sealed.client.code,
        sent_at=content.sealed.sent_at,
        window_ends_on=content.window_ends_on,
        is_over=content.is_over,
        is_superseded=content.is_superseded,
        practice=parts.practice,
        summary=parts.summary,
        steps=parts.steps.paragraphs,
        facts=[NamedText(name=name, text=text) for name, text in parts.facts],
        lines=_lines(content),
        charges=parts.charges.paragraphs,
        rationale=parts.rationale.paragraphs,
        risks=parts.risks.paragraphs,
        disclosures=[NamedText(name=name, text=text) for name, text in parts.disclosures],
        warning=parts.warning,
        assurances=parts.assurances,
        registration=[*parts.signature, *parts.registration],
        responses=_answers(content),
    )


def _lines(content: PageContent) -> list[ShownLine]:
    shown = []
    for orders in content.parts.orders:
        for place, line in zip(content.places(orders), orders.lines, strict=True):
            row = content.sealed.rows[place]
            shown.append(
                ShownLine(
                    place=place,
                    side=orders.side,
                    trading_symbol=line.symbol,
                    company=line.company,
                    exchange=line.exchange,
                    quantity=row.quantity,
                    trade=line.action,
                    held=line.held,
                    price=line.price,
                    value=line.value,
                    target=line.target,
                    reason=line.reason,
                    note=line.note,
                    filled_quantity=content.known.filled.get(place, 0),
                    status=content.known.statuses.get(place),
                    is_declined=place in content.known.declined,
                    is_superseded=row.stock.isin in content.later_isins,
                )
            )
    return shown


def _answers(content: PageContent) -> list[ShownAnswer]:
    return [
        ShownAnswer(answer=row.answer, at=row.answered_at, text=row.text, lines=list(row.lines))
        for row in content.known.answers
    ]
