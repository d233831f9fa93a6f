"""The pages of the client, made of what the service says of an advice."""

from collections.abc import Callable, Coroutine
from http import HTTPStatus
from typing import Any, Final

from fastapi import Request, Response
from fastapi.exceptions import RequestValidationError
from sqlalchemy.orm import Session

from tarazu.advice.service import OpenAdviceLink
from tarazu.auth.guards import Visit
from tarazu.client_page import service
from tarazu.client_page.html import page_of
from tarazu.client_page.schemas import PageAsked
from tarazu.client_page.service import PageContent
from tarazu.kit.auth_route import AuthorizedRoute
from tarazu.kit.errors import ApiError
from tarazu.kit.translation import N_, Language

NOT_UNDERSTOOD: Final = N_("The form could not be read. Go back and try again.")


class PageRoute(AuthorizedRoute):
    """A route of the page: errors are answered as pages too."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The route's own handler, with errors as a page."""
        handle = super().get_route_handler()

        async def handle_page(request: Request) -> Response:
            try:
                return await handle(request)
            except ApiError as refusal:
                return error_page(request, refusal.message, refusal.status)
            except RequestValidationError:
                return error_page(request, NOT_UNDERSTOOD, HTTPStatus.UNPROCESSABLE_ENTITY)

        return handle_page


def front_page(
    session: Session,
    link: OpenAdviceLink,
    token: str,
    chosen: Language | None,
    *,
    asks: bool = False,
    notice: str = "",
    error: str = "",
    status: int = HTTPStatus.OK,
) -> Response:
    """The page before the code; with `asks` it asks for the one that was mailed."""
    language = chosen or link.client.language
    front = service.front_of(session, link, language)
    return page_of(
        "front.html",
        language,
        status,
        path=f"/a/{token}",
        firm=front.firm,
        sent_at=front.sent_at,
        asks=asks,
        notice=notice,
        error=error,
    )


def content_page(
    session: Session,
    link: OpenAdviceLink,
    token: str,
    asked: PageAsked,
    visit: Visit,
    *,
    notice: str = "",
    error: str = "",
) -> Response:
    """The page with the advice, in the language that was asked for, else the client's."""
    language = asked.lang or link.client.language
    content: PageContent = service.content_of(session, link, language, visit.now)
    hand_over = service.hand_over_of(session, content, visit.now)
    open_orders = {order.place: order for order in hand_over.orders}
    return page_of(
        "content.html",
        language,
        path=f"/a/{token}",
        page_token=asked.page_token,
        page=content,
        parts=content.parts,
        firm=content.shown.firm,
        hand_over=hand_over,
        open_orders=open_orders,
        file_parts=service.file_parts(hand_over),
        is_at_zerodha=service.is_at_zerodha(session, link),
        sides=[
            (orders, list(zip(content.places(orders), orders.lines, strict=True)))
            for orders in content.parts.orders
        ],
        notice=notice,
        error=error,
    )


def error_page(request: Request, message: str, status: int) -> Response:
    """A page with one sentence, in the language of the address or of the browser."""
    asked = request.query_params.get("lang") or request.headers.get("Accept-Language", "")
    language = Language.HI if asked.lower().startswith("hi") else Language.EN
    return page_of("error.html", language, status, message=message)
