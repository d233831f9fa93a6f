"""Calls to sign up, log in and log out."""

from http import HTTPStatus

from fastapi import Request, Response

from tarazu.auth import service
from tarazu.auth.guards import visitor_of
from tarazu.auth.schemas import (
    Credentials,
    LoggedIn,
    LoggedInAs,
    Registered,
    Registration,
    RoleGiven,
    Verified,
)
from tarazu.kit import clock
from tarazu.kit.access import NotSignedIn, Public, SignedIn, guarded_router
from tarazu.kit.db import OpenSession
from tarazu.kit.wire import Done, Reply, done, reply
from tarazu.people import service as people
from tarazu.people.service import NewPerson

router = guarded_router("/auth")


@router.post("/register", status_code=HTTPStatus.CREATED)
def register(
    body: Registration, session: OpenSession, request: Request, response: Response, _: Public
) -> Registered:
    entry = service.register(
        session,
        request.app.state.settings,
        NewPerson(body.name, body.email),
        body.password,
        body.setup_code,
        visitor_of(request),
        clock.now(),
    )
    if entry.token is None:
        response.status_code = HTTPStatus.OK
        return Registered(
            success=False, message=service.APPROVAL_NOTE, access_token=None, data=None
        )
    return Registered(
        success=True,
        message="Signup successful!",
        access_token=entry.token,
        data=RoleGiven(role=entry.role),
    )


@router.post("/login")
def log_in(body: Credentials, session: OpenSession, request: Request, _: Public) -> LoggedIn:
    entry = service.log_in(
        session,
        request.app.state.settings,
        body.email,
        body.password,
        visitor_of(request),
        clock.now(),
    )
    who = LoggedInAs(role=entry.role, is_first_time_login=entry.is_first_time, name=entry.name)
    return LoggedIn(success=True, access_token=entry.token or "", data=who)


@router.post("/logout")
def log_out(session: OpenSession, response: Response, caller: SignedIn) -> Done:
    service.log_out(session, caller, clock.now())
    response.headers["Clear-Site-Data"] = '"cache"'
    return done("Logged out")


@router.get("/verify-token")
def verify_token(session: OpenSession, caller: SignedIn) -> Reply[Verified]:
    own = people.staff_by_id(session, caller.account_id) if caller.account_id else None
    if own is None:
        raise NotSignedIn
    return reply(Verified.model_validate(own))
