"""Calls of the client's page for programs; `pages.py` has the same for people."""

from http import HTTPStatus
from typing import Annotated, Final, Literal

from fastapi import Depends, Header, Query, Response

from tarazu.auth.guards import Visit, Visiting
from tarazu.client_page import service
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
from tarazu.follow_up.service import NewResponse
from tarazu.kit import security
from tarazu.kit.auth_route import Public, authorized_router
from tarazu.kit.clock import day_in_india
from tarazu.kit.db import OpenSession, WriteSession
from tarazu.kit.downloads import PDF, attachment
from tarazu.kit.rate_limit import Limit
from tarazu.kit.schemas import Done, Reply, Whole, done, reply
from tarazu.kit.translation import Language

router = authorized_router("/public/advice/{token}")

WRONG_LINKS: Final = Limit(20, 15 * 60)
"""From one address; a link that works still does, because many phones may share the address."""
CALLS: Final = Limit(120, 60)
"""By one link."""

PageToken = Annotated[str, Header(alias="X-Page-Token", max_length=200)]
Shown = Annotated[Language | None, Query(alias="language")]


def limited(visit: Visit, token: str) -> str:
    """The token, where neither its link nor its caller asks too often.

    Raises:
        TooManyAttempts: they do.
    """
    visit.limits.take(f"advice-page:{security.token_digest(token)}", CALLS)
    return token


def count_wrong_link(visit: Visit) -> None:
    """Count a link that does not work against the address that tried it.

    Raises:
        TooManyAttempts: there were too many.
    """
    visit.limits.take(f"advice-link:{visit.place}", WRONG_LINKS)


async def _token(token: str, visit: Visiting) -> str:
    return limited(visit, token)


Token = Annotated[str, Depends(_token)]


@router.get("")
def show_public_advice(
    token: Token, session: OpenSession, visit: Visiting, _: Public
) -> Reply[PublicAdvice]:
    try:
        link = service.link_of(session, token, visit.now)
    except PageNotFound:
        count_wrong_link(visit)
        raise
    front = service.front_of(session, link, link.client.language)
    firm = PublicFirm.model_validate(front.firm)
    return reply(PublicAdvice(firm=firm, date=day_in_india(front.sent_at)))


@router.post("/code", status_code=HTTPStatus.ACCEPTED)
def send_page_code(token: Token, session: OpenSession, visit: Visiting, _: Public) -> Done:
    # The same answer whatever happens: also for a link that does not work.
    try:
        link = service.link_of(session, token, visit.now)
    except PageNotFound:
        count_wrong_link(visit)
    else:
        service.send_code(session, visit.nobody, link, visit.now)
    return done("If the link works, a code was sent to the client's mail address.")


@router.post("/open")
def open_page(
    token: Token, body: EnteredCode, session: OpenSession, visit: Visiting, _: Public
) -> Reply[OpenedPage]:
    try:
        link = service.link_of(session, token, visit.now)
    except PageNotFound:
        count_wrong_link(visit)
        raise
    opened = service.enter_code(session, visit.nobody, link, body.code, visit.now)
    if opened is None:
        raise WrongCode
    content = service.content_of(session, link, link.client.language, visit.now)
    return reply(
        OpenedPage(
            page_token=opened.token, expires_at=opened.expires_at, advice=shown_advice(content)
        )
    )


@router.get("/content")
def show_page_content(
    token: Token,
    session: OpenSession,
    visit: Visiting,
    _: Public,
    page_token: PageToken = "",
    language: Shown = None,
) -> Reply[ShownAdvice]:
    link = service.link_of(session, token, visit.now)
    service.session_of(session, link, page_token, visit.now)
    content = service.content_of(session, link, language or link.client.language, visit.now)
    return reply(shown_advice(content))


@router.post("/respond")
def respond_to_advice(
    token: Token,
    body: GivenResponse,
    session: OpenSession,
    visit: Visiting,
    _: Public,
    page_token: PageToken = "",
) -> Reply[list[ShownAnswer]]:
    link = service.link_of(session, token, visit.now)
    service.session_of(session, link, page_token, visit.now)
    language = body.language or link.client.language
    service.respond(session, link, new_response(visit, body, language), visit.now)
    content = service.content_of(session, link, language, visit.now)
    return reply(_answers(content), "Recorded")


@router.get("/letter.pdf", response_class=Response, responses=PDF)
def download_own_letter(
    token: Token, session: OpenSession, visit: Visiting, _: Public, page_token: PageToken = ""
) -> Response:
    link = service.link_of(session, token, visit.now)
    service.session_of(session, link, page_token, visit.now)
    name, pdf = service.letter_of(session, link)
    return attachment(pdf, name, "application/pdf")


@router.get("/list.csv", response_class=Response)
def download_order_list(
    token: Token, session: OpenSession, visit: Visiting, _: Public, page_token: PageToken = ""
) -> Response:
    link = service.link_of(session, token, visit.now)
    service.session_of(session, link, page_token, visit.now)
    content = service.content_of(session, link, link.client.language, visit.now)
    orders = service.hand_over_of(session, content, visit.now).orders
    return attachment(service.orders_csv(orders), "orders.csv", "text/csv; charset=utf-8")


@router.get("/kite-basket.json", response_class=Response)
def download_basket_file(
    token: Token,
    session: OpenSession,
    visit: Visiting,
    _: Public,
    page_token: PageToken = "",
    step: Annotated[Whole, Query(ge=1, le=1_000)] = 1,
) -> Response:
    link = service.link_of(session, token, visit.now)
    service.session_of(session, link, page_token, visit.now)
    content = service.content_of(session, link, link.client.language, visit.now)
    file = service.basket_file(service.hand_over_of(session, content, visit.now), step)
    return attachment(file, f"kite-basket-{step}.json", "application/json")


@router.get("/reminder.ics", response_class=Response)
def download_reminder(
    token: Token, session: OpenSession, visit: Visiting, _: Public, page_token: PageToken = ""
) -> Response:
    link = service.link_of(session, token, visit.now)
    service.session_of(session, link, page_token, visit.now)
    entry = service.reminder_of(session, link, link.client.language, visit.now)
    return attachment(entry, "reminder.ics", "text/calendar; charset=utf-8; method=PUBLISH")


# Each basket has its own stored mark, so this GET writes.
@router.get("/basket")
def show_basket(
    token: Token,
    session: WriteSession,
    visit: Visiting,
    _: Public,
    broker: Literal["ZERODHA"] = "ZERODHA",
    page_token: PageToken = "",
    step: Annotated[Whole, Query(ge=1, le=1_000)] = 1,
) -> Reply[KiteBasket]:
    link = service.link_of(session, token, visit.now)
    service.session_of(session, link, page_token, visit.now)
    content = service.content_of(session, link, link.client.language, visit.now)
    form = service.kite_form(session, visit.settings, content, step, visit.now)
    return reply(KiteBasket.of(form, broker=broker))


def new_response(visit: Visit, given: GivenResponse, language: Language) -> NewResponse:
    """An answer with where it came from."""
    return NewResponse(
        given.answer,
        given.text.strip(),
        tuple(given.lines),
        visit.ip,
        visit.user_agent[:300],
        language,
        visit.request_id,
    )


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
