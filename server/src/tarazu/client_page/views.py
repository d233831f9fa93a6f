"""The pages of the client, made of what the service says of an advice."""

from collections.abc import Callable, Coroutine
from http import HTTPStatus
from typing import Any, Final

from fastapi import Request, Response
from fastapi.exceptions import RequestValidationError

from tarazu.client_page import service
from tarazu.client_page.calls import PageCall
from tarazu.client_page.html import page_of
from tarazu.client_page.service import OpenPage
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
    call: PageCall,
    chosen: Language | None,
    *,
    asks: bool = False,
    notice: str = "",
    error: str = "",
    status: int = HTTPStatus.OK,
) -> Response:
    """The page before the code; with `asks` it asks for the one that was mailed."""
    link = call.link
    language = chosen or link.client.language
    front = service.front_of(call.session, link, language)
    return page_of(
        "front.html",
        language,
        status,
        path=f"/a/{call.token}",
        firm=front.firm,
        sent_at=front.sent_at,
        asks=asks,
        notice=notice,
        error=error,
    )


def content_page(call: PageCall, page: OpenPage, *, notice: str = "", error: str = "") -> Response:
    """The page with the advice."""
    content = page.content()
    hand_over = service.hand_over_of(page, content)
    return page_of(
        "content.html",
        page.language,
        path=f"/a/{call.token}",
        page_token=page.token,
        page=content,
        parts=content.parts,
        firm=content.shown.firm,
        hand_over=hand_over,
        open_orders={order.place: order for order in hand_over.orders},
        file_parts=service.file_parts(hand_over),
        is_at_zerodha=service.is_at_zerodha(page.session, page.link),
        sides=[
            (orders, list(zip(content.places(orders), orders.lines, strict=True)))
            for orders in content.parts.orders
        ],
        consents=service.consents_on(page),
        notice=notice,
        error=error,
    )


def error_page(request: Request, message: str, status: int) -> Response:
    """A page with one sentence, in the language of the address or of the browser."""
    asked = request.query_params.get("lang") or request.headers.get("Accept-Language", "")
    language = Language.HI if asked.lower().startswith("hi") else Language.EN
    return page_of("error.html", language, status, message=message)
