"""The rule of a route, and the route class that enforces it before anything is read."""

import json
import math
from collections.abc import Callable, Coroutine
from enum import StrEnum
from http import HTTPStatus
from typing import Annotated, Any, ClassVar

from fastapi import APIRouter, Depends, FastAPI, Request, Response
from fastapi.dependencies.models import Dependant
from fastapi.dependencies.utils import get_flat_params
from fastapi.params import Form
from fastapi.routing import APIRoute
from starlette.concurrency import run_in_threadpool

from tarazu.kit.arguments import arguments_of
from tarazu.kit.audit_log import Actor
from tarazu.kit.concurrency import OWN_LANE
from tarazu.kit.db import CALL_SESSIONS, RequestSessions
from tarazu.kit.errors import ApiError, WrongMediaType
from tarazu.kit.openapi_document import SCHEME, refusals_of
from tarazu.kit.transaction import JSON, in_one_thread


class AccessLevel(StrEnum):
    """Who may call a route.

    `SIGNED_IN` lets in accounts that must set a password first, `ENROLLING` those that must set up
    a second factor first; the others let in neither.
    """

    PUBLIC = "public"
    SIGNED_IN = "signed_in"
    ENROLLING = "enrolling"
    STAFF = "staff"
    ADMIN = "admin"


class NotSignedIn(ApiError):
    status = HTTPStatus.UNAUTHORIZED
    message = "You are not logged in. Please sign in again."
    headers: ClassVar = {"WWW-Authenticate": "Bearer"}


class SessionExpired(ApiError):
    status = HTTPStatus.UNAUTHORIZED
    message = "Session expired. Please log in again."
    headers: ClassVar = {"WWW-Authenticate": "Bearer"}


class PasswordChangeRequired(ApiError):
    status = HTTPStatus.FORBIDDEN
    message = "Set a new password to continue."
    code = "PASSWORD_CHANGE_REQUIRED"


class NotAllowed(ApiError):
    status = HTTPStatus.FORBIDDEN
    message = "You do not have permission to do this."


class RouteWithoutAccessLevel(Exception):
    """A route does not say who may call it; the application must not start."""


# Rules are awaited, not run: a plain function would be taken to another thread and back.
async def public(_: Request) -> None:
    """Anyone may call, signed in or not."""


async def signed_in(request: Request) -> Actor:
    """Any live session, also one that must set a password first."""
    return _caller(request)


async def enrolling(request: Request) -> Actor:
    """A live session of staff, also one that must set up a second factor first."""
    return _caller(request)


async def staff(request: Request) -> Actor:
    """A live session of a USER or an ADMIN."""
    return _caller(request)


async def admin(request: Request) -> Actor:
    """A live session of an ADMIN."""
    return _caller(request)


def _caller(request: Request) -> Actor:
    caller: Actor = request.state.caller
    return caller


_RULES: dict[Callable[..., Any], AccessLevel] = {
    public: AccessLevel.PUBLIC,
    signed_in: AccessLevel.SIGNED_IN,
    enrolling: AccessLevel.ENROLLING,
    staff: AccessLevel.STAFF,
    admin: AccessLevel.ADMIN,
}

Public = Annotated[None, Depends(public)]
SignedIn = Annotated[Actor, Depends(signed_in)]
Enrolling = Annotated[Actor, Depends(enrolling)]
Staff = Annotated[Actor, Depends(staff)]
Admin = Annotated[Actor, Depends(admin)]

Authenticate = Callable[[Request, AccessLevel], Actor]
AuthenticateAtOnce = Callable[[Request, AccessLevel], Actor | None]


class AuthorizedRoute(APIRoute):
    """Checks the caller before the body is parsed, so a refusal tells nothing.

    Endpoints are plain functions; `kit.calls` tells how one is run.
    """

    def __init__(self, path: str, endpoint: Callable[..., Any], **words: Any) -> None:
        super().__init__(path, in_one_thread(endpoint, self), **words)
        is_guarded = access_level_of(self.dependant) is not AccessLevel.PUBLIC
        has_body = self.body_field is not None
        refusals = refusals_of(
            is_guarded=is_guarded,
            is_changing=self.methods != {"GET"},
            has_body=has_body,
            has_path=bool(self.param_convertors),
            has_fields=bool(get_flat_params(self.dependant)),
        )
        self.responses = refusals | self.responses
        if is_guarded:
            self.openapi_extra = {"security": [{SCHEME: []}]} | (self.openapi_extra or {})

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The handler, behind its guard.

        Raises:
            RouteWithoutRule: the endpoint depends on none of the rules.
        """
        handle = super().get_route_handler()
        # What writes may wait for other writers, and holds nobody up meanwhile.
        is_read = self.methods == {"GET"}
        find = arguments_of(self.dependant) if is_read and self.response_field else None
        is_form = self.body_field is not None and isinstance(self.body_field.field_info, Form)
        media_type = "multipart/form-data" if is_form else JSON
        rule = access_level_of(self.dependant)
        if rule is None:
            raise RouteWithoutAccessLevel(self.path)

        async def guarded(request: Request) -> Response:
            if rule is not AccessLevel.PUBLIC:
                at_once: AuthenticateAtOnce = request.app.state.authenticate_at_once
                authenticate: Authenticate = request.app.state.authenticate
                # A way to another thread and back costs more than knowing a caller again.
                request.state.caller = at_once(request, rule) or await run_in_threadpool(
                    authenticate, request, rule
                )
            _refuse_other_media(request, media_type)
            CALL_SESSIONS.set(RequestSessions())
            OWN_LANE.set(request.app.state.reading_lane if is_read else None)
            found = await find(request) if find is not None else None
            if found is None:
                return await handle(JsonCall(request.scope, request.receive))
            answer: Response = await self.endpoint(**found)
            return answer

        return guarded


class JsonCall(Request):
    """A call whose body is read as JSON, without rounding a number to nothing or to infinity."""

    async def json(self) -> Any:
        return json.loads(await self.body(), parse_float=_number_of)


def _number_of(text: str) -> float | str:
    """The number that a JSON text is; one too small or too large for it stays a text, and is refused."""
    number = float(text)
    is_rounded_away = number == 0 and any(
        digit in "123456789" for digit in text.lower().split("e")[0]
    )
    return text if is_rounded_away or math.isinf(number) else number


def _refuse_other_media(request: Request, media_type: str) -> None:
    # After the guard: who may not call is told that alone.
    headers = request.headers
    has_body = headers.get("Content-Length", "0") not in {"", "0"} or "Transfer-Encoding" in headers
    given = headers.get("Content-Type", "").partition(";")[0].strip().lower()
    if has_body and request.method != "GET" and given != media_type:
        raise WrongMediaType(f"Send the request as {media_type}.")


def access_level_of(dependant: Dependant) -> AccessLevel | None:
    """The rule that an endpoint's dependencies name, or None."""
    for dependency in dependant.dependencies:
        if dependency.call in _RULES:
            return _RULES[dependency.call]
    return None


def guarded_router(prefix: str) -> APIRouter:
    """A router under /api/v1 whose every route has a rule."""
    return APIRouter(
        prefix=f"/api/v1{prefix}",
        route_class=AuthorizedRoute,
        generate_unique_id_function=lambda route: route.name,
    )


def require_access_levels(app: FastAPI) -> None:
    """Stop the start when a route of the API is not guarded.

    Raises:
        RouteWithoutRule: a path under /api/v1 has a plain route.
    """
    for route in app.routes:
        path = getattr(route, "path", "")
        is_ours = path.startswith("/api/v1/") and isinstance(route, APIRoute)
        if is_ours and not isinstance(route, AuthorizedRoute):
            raise RouteWithoutAccessLevel(path)
