"""Calls for sign-up, log-in, log-out, password resets, sessions and the second factor."""

import uuid
from collections.abc import AsyncIterator
from http import HTTPStatus
from typing import Annotated

from fastapi import Depends, Request, Response
from starlette.concurrency import run_in_threadpool

from tarazu.auth import passwords, service, sessions, two_factor
from tarazu.auth.entry import Entry
from tarazu.auth.guards import Visiting
from tarazu.auth.schemas import (
    AnySessionRow,
    Challenge,
    Credentials,
    LoggedIn,
    LoggedInAs,
    OtpAsked,
    OtpGiven,
    OwnPassword,
    PasswordByLink,
    PasswordChange,
    RecoveryCodes,
    Registered,
    Registration,
    ResetAsked,
    ResetRight,
    RoleGiven,
    SecondFactorBegun,
    SecondFactorCode,
    SecondFactorStanding,
    SessionRow,
    SignUpState,
    Verified,
)
from tarazu.auth.visits import leave_device
from tarazu.kit import clock
from tarazu.kit.auth_route import (
    Admin,
    Enrolling,
    NotSignedIn,
    Public,
    SignedIn,
    StaffWithoutClients,
    authorized_router,
)
from tarazu.kit.db import OpenSession
from tarazu.kit.schemas import Done, Reply, done, reply
from tarazu.kit.settings import Settings
from tarazu.people import service as people
from tarazu.people.service import NewPerson
from tarazu.teams import service as teams

router = authorized_router("")


async def _in_turn(body: Credentials, visit: Visiting) -> AsyncIterator[str]:
    """The key of a log-in, after every earlier log-in with that key has been counted."""
    key = await run_in_threadpool(service.attempt_key, visit, body.email)
    async with visit.limits.one_by_one(key):
        yield key


# Before the session in the signature of its route: released after the commit.
InTurn = Annotated[str, Depends(_in_turn, scope="function")]


@router.get("/auth/sign-up")
def show_sign_up(session: OpenSession, request: Request, _: Public) -> Reply[SignUpState]:
    needs = service.needs_setup_code(session, request.app.state.settings)
    return reply(SignUpState(needs_setup_code=needs))


@router.post("/auth/register", status_code=HTTPStatus.CREATED)
def register(
    body: Registration, session: OpenSession, visit: Visiting, response: Response, _: Public
) -> Registered:
    new = NewPerson(body.name, body.email)
    entry = service.register(session, visit, new, body.password, body.setup_code)
    if entry.device is not None:
        leave_device(response, visit.settings, entry.device)
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


@router.post("/auth/login")
def log_in(
    body: Credentials,
    key: InTurn,
    session: OpenSession,
    visit: Visiting,
    response: Response,
    _: Public,
) -> LoggedIn:
    checked = service.check_password(visit, body.email, body.password, key)
    entry = service.log_in(session, visit, checked, body.totp_code)
    return logged_in(response, visit.settings, entry)


def logged_in(response: Response, settings: Settings, entry: Entry) -> LoggedIn:
    """The answer of every way to sign in; it leaves the device cookie in a browser."""
    if entry.device is not None:
        leave_device(response, settings, entry.device)
    who = LoggedInAs(
        role=entry.role,
        is_first_time_login=entry.is_first_time,
        is_second_factor_due=entry.is_second_factor_due,
        name=entry.name,
    )
    return LoggedIn(success=True, access_token=entry.token or "", data=who)


@router.post("/auth/logout")
def log_out(session: OpenSession, response: Response, caller: SignedIn) -> Done:
    service.log_out(session, caller, clock.now())
    response.headers["Clear-Site-Data"] = '"cache"'
    return done("Logged out")


@router.get("/auth/verify-token")
def verify_token(session: OpenSession, request: Request, caller: SignedIn) -> Reply[Verified]:
    own = people.staff_by_id(session, caller.account_id) if caller.account_id else None
    if own is None:
        raise NotSignedIn
    shape = Verified(
        role=own.role,
        name=own.name,
        email=own.email,
        is_first_time_login=own.must_change_password,
        is_second_factor_due=service.is_second_factor_due(
            session, request.app.state.settings, caller
        ),
        teams=teams.limiting_teams(session, caller),
    )
    return reply(shape)


@router.post("/auth/forget-password/request")
def ask_reset_link(body: ResetAsked, session: OpenSession, visit: Visiting, _: Public) -> Done:
    passwords.ask_reset_link(session, visit, body.email)
    return done("Reset link sent to your email")


@router.post("/auth/forget-password/confirm/{token}")
def confirm_reset(
    token: str, body: PasswordByLink, session: OpenSession, visit: Visiting, _: Public
) -> Done:
    passwords.confirm_reset(session, visit, token, body.password)
    return done("Password reset successfully")


@router.post("/auth/reset-password")
def change_password(
    body: PasswordChange, session: OpenSession, visit: Visiting, caller: SignedIn
) -> Done:
    passwords.change_password(session, visit, caller, body.password, body.current_password)
    return done("Password reset successfully")


@router.post("/auth/otp/request")
def ask_code(body: OtpAsked, session: OpenSession, visit: Visiting, _: Public) -> Reply[Challenge]:
    challenge = passwords.ask_code(session, visit, body.email)
    return reply(Challenge(challenge_id=challenge))


@router.post("/auth/otp/verify")
def verify_code(
    body: OtpGiven, session: OpenSession, visit: Visiting, _: Public
) -> Reply[ResetRight]:
    token = passwords.verify_code(session, visit, body.challenge_id, body.code)
    return reply(ResetRight(reset_token=token), "OTP verified successfully!")


@router.get("/auth/sessions")
def list_own_sessions(
    session: OpenSession, request: Request, caller: StaffWithoutClients
) -> Reply[list[SessionRow]]:
    settings = request.app.state.settings
    live_sessions = sessions.live_sessions(session, settings, caller, clock.now(), of_all=False)
    return reply(SessionRow.rows(live_sessions))


@router.delete("/auth/sessions/{session_id}")
def end_own_session(
    session_id: uuid.UUID, session: OpenSession, request: Request, caller: StaffWithoutClients
) -> Done:
    settings = request.app.state.settings
    sessions.end_session(session, settings, caller, clock.now(), session_id, of_all=False)
    return done("Session ended")


@router.get("/admin/sessions")
def list_sessions(
    session: OpenSession, request: Request, caller: Admin
) -> Reply[list[AnySessionRow]]:
    settings = request.app.state.settings
    live_sessions = sessions.live_sessions(session, settings, caller, clock.now(), of_all=True)
    return reply(AnySessionRow.rows(live_sessions))


@router.delete("/admin/sessions/{session_id}")
def end_session(
    session_id: uuid.UUID, session: OpenSession, request: Request, caller: Admin
) -> Done:
    settings = request.app.state.settings
    sessions.end_session(session, settings, caller, clock.now(), session_id, of_all=True)
    return done("Session ended")


@router.get("/auth/totp")
def show_second_factor(
    session: OpenSession, request: Request, caller: Enrolling
) -> Reply[SecondFactorStanding]:
    state = two_factor.state_of(session, request.app.state.settings, caller)
    return reply(SecondFactorStanding.model_validate(state))


@router.post("/auth/totp/enrol")
def enrol_second_factor(
    body: OwnPassword, session: OpenSession, visit: Visiting, caller: Enrolling
) -> Reply[SecondFactorBegun]:
    begun = two_factor.enrol(session, visit, caller, body.password)
    return reply(SecondFactorBegun.model_validate(begun))


@router.post("/auth/totp/confirm")
def confirm_second_factor(
    body: SecondFactorCode, session: OpenSession, visit: Visiting, caller: Enrolling
) -> Reply[RecoveryCodes]:
    codes = two_factor.confirm(session, visit, caller, body.code)
    return reply(RecoveryCodes(recovery_codes=codes))


@router.post("/auth/totp/disable")
def disable_second_factor(
    body: OwnPassword, session: OpenSession, visit: Visiting, caller: Enrolling
) -> Done:
    two_factor.disable(session, visit, caller, body.password)
    return done("Two-factor sign-in is off")
