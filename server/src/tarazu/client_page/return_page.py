"""The page to which Zerodha sends a client back from a basket."""

from typing import Final

from fastapi import APIRouter, Request, Response
from starlette.routing import Match
from starlette.types import Scope

from tarazu.auth.guards import Visiting
from tarazu.client_page import service
from tarazu.client_page.baskets import MARK
from tarazu.client_page.calls import count_wrong_link
from tarazu.client_page.html import page_of
from tarazu.client_page.service import Outcome
from tarazu.client_page.views import PageRoute
from tarazu.kit.auth_route import Public
from tarazu.kit.translation import N_

RETURNS: Final = {
    Outcome.UNKNOWN: N_(
        "This return is not known, or it was used before. Nothing was changed. If you placed "
        "orders, we see them with your next connection."
    ),
    Outcome.CANCELLED: N_("You cancelled at Zerodha. Nothing was changed."),
    Outcome.NO_LOGIN: N_(
        "Zerodha sent no log-in back with you, so we cannot see your orders yet. Nothing was "
        "changed here."
    ),
    Outcome.REFUSED: N_(
        "Zerodha did not confirm your log-in, so we cannot see your orders yet. Nothing was "
        "changed here."
    ),
    Outcome.OTHER_PERSON: N_(
        "You logged in at Zerodha with another ID than the one we have for you. Nothing was changed."
    ),
    Outcome.CONNECTED: N_(
        "You are connected. Your orders could not be read just now; we read them later today."
    ),
    Outcome.READ: N_("Thank you. Your account was read, with the orders that you placed."),
}


class BasketReturnRoute(PageRoute):
    """The page to which Zerodha sends a client back from a basket; other returns are not its own."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """A return whose mark is that of a basket."""
        query = scope.get("query_string", b"").decode("latin-1")
        if not any(part.startswith(f"state={MARK}") for part in query.split("&")):
            return Match.NONE, {}
        return super().matches(scope)


router = APIRouter(route_class=BasketReturnRoute, include_in_schema=False)


# HEAD too, so that a thread of its own waits for the broker, and not one of those that read.
@router.api_route("/redirect", methods=["GET", "HEAD"])
def return_from_basket(
    request: Request,
    visit: Visiting,
    _: Public,
    state: str = "",
    status: str = "",
    request_token: str = "",
) -> Response:
    if request.method == "HEAD":
        return Response()
    back = service.take_return(
        visit.database,
        request.app.state.broker_gateway,
        visit.nobody,
        state,
        status,
        request_token,
        visit.now,
    )
    if back.outcome is Outcome.UNKNOWN:
        count_wrong_link(visit)
    is_done = back.outcome in {Outcome.READ, Outcome.CONNECTED}
    return page_of(
        "return.html",
        back.language,
        sentence=RETURNS[back.outcome],
        is_done=is_done,
        is_known=back.link is not None,
    )
