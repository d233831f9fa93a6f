"""Routes of single sign-on: to the provider, back from it, and the exchange for a session."""

from http import HTTPStatus
from typing import Annotated

from fastapi import Query, Request, Response
from fastapi.responses import RedirectResponse

from tarazu.auth import single_sign_on
from tarazu.auth.guards import Visiting
from tarazu.auth.routes import logged_in
from tarazu.auth.schemas import LoggedIn, SsoBegun, SsoReturned
from tarazu.auth.visits import leave_sso, sso_cookie_name
from tarazu.kit.auth_route import Public, authorized_router
from tarazu.kit.db import OpenSession
from tarazu.kit.schemas import Reply, reply

router = authorized_router("/auth/sso")

Given = Annotated[str, Query(max_length=4_096)]


@router.post("/begin")
def begin_sso(visit: Visiting, response: Response, _: Public) -> Reply[SsoBegun]:
    begun = single_sign_on.begin(visit)
    leave_sso(response, visit.settings, begun.cookie)
    return reply(SsoBegun(address=begun.address))


@router.get("/callback", response_class=RedirectResponse, include_in_schema=False)
def return_from_sso(
    request: Request, visit: Visiting, _: Public, state: Given = "", code: Given = ""
) -> Response:
    cookie = request.cookies.get(sso_cookie_name(visit.settings), "")
    fresh = single_sign_on.come_back(visit, cookie, state, code)
    response = RedirectResponse(single_sign_on.PAGE, HTTPStatus.SEE_OTHER)
    if fresh is not None:
        leave_sso(response, visit.settings, fresh)
    return response


@router.post("/session")
def sign_in_by_sso(
    body: SsoReturned,
    request: Request,
    session: OpenSession,
    visit: Visiting,
    response: Response,
    _: Public,
) -> LoggedIn:
    cookie = request.cookies.get(sso_cookie_name(visit.settings), "")
    entry = single_sign_on.finish(session, visit, cookie, body.totp_code)
    response.delete_cookie(
        sso_cookie_name(visit.settings), secure=visit.settings.is_https, httponly=True
    )
    return logged_in(response, visit.settings, entry)
