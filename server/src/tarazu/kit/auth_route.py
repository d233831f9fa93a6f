"""`AuthorizedRoute`: checks who may call before it reads the request, and runs it in a transaction."""

import json
import math
from collections.abc import Awaitable, Callable, Coroutine
from contextvars import ContextVar
from enum import StrEnum
from functools import partial, wraps
from http import HTTPStatus
from inspect import iscoroutinefunction
from typing import Annotated, Any, ClassVar, get_type_hints

from fastapi import APIRouter, Depends, FastAPI, Request, Response
from fastapi.exceptions import ResponseValidationError
from fastapi.params import Form
from fastapi.routing import APIRoute
from sqlalchemy.orm import Session
from starlette.concurrency import run_in_threadpool
from starlette.routing import Match
from starlette.types import Scope

from tarazu.kit.audit_log import Actor
from tarazu.kit.db import RequestSessions
from tarazu.kit.errors import ApiError, WrongMediaType
from tarazu.kit.openapi_document import SCHEME, refusals_of
from tarazu.kit.schemas import JSON


class AccessLevel(StrEnum):
    """Who may call a route.

    `SIGNED_IN` admits accounts that must set a password first, `ENROLLING` those that must set up
    a second factor first; the others admit neither.
    """

    PUBLIC = "public"
    SIGNED_IN = "signed_in"
    ENROLLING = "enrolling"
    STAFF = "staff"
    ADMIN = "admin"


class StepUp(StrEnum):
    """When a call needs a fresh proof of who is signed in, beside its access level."""

    IF_REQUIRED = "if_required"
    """Where the firm requires it: exports, keys and roles."""
    ALWAYS = "always"
    """In every firm: how people sign in."""


class Reach(StrEnum):
    """Of which clients a call of staff answers, where a caller may see only some of them.

    `CLIENT` is the one of its path, checked before the endpoint runs; `VISIBLE` those that the
    caller may see, to which the endpoint narrows; `NONE` none at all. `FIRM` is all of them, so the
    call is refused to such a caller. Without a mark a call is `CLIENT` or `FIRM`, by its path.
    """

    CLIENT = "client"
    VISIBLE = "visible"
    NONE = "none"
    FIRM = "firm"


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


class StepUpRequired(ApiError):
    status = HTTPStatus.FORBIDDEN
    message = "Confirm that it is you: enter your password, or use a passkey."
    code = "STEP_UP_REQUIRED"


class RouteWithoutAccessLevel(Exception):
    """A route does not say who may call it; the application must not start."""


class AsyncEndpoint(Exception):
    """An endpoint is a coroutine function; its sessions would block the event loop."""


# Coroutines: FastAPI would run plain functions in another thread.
async def _caller(request: Request) -> Actor:
    caller: Actor = request.state.caller
    return caller


async def _anyone() -> None:
    """Nothing to look up."""


# Every endpoint has a parameter of one of these types.
Public = Annotated[None, Depends(_anyone), AccessLevel.PUBLIC]
SignedIn = Annotated[Actor, Depends(_caller), AccessLevel.SIGNED_IN]
Enrolling = Annotated[Actor, Depends(_caller), AccessLevel.ENROLLING]
Staff = Annotated[Actor, Depends(_caller), AccessLevel.STAFF]
StaffOfVisible = Annotated[Actor, Depends(_caller), AccessLevel.STAFF, Reach.VISIBLE]
StaffWithoutClients = Annotated[Actor, Depends(_caller), AccessLevel.STAFF, Reach.NONE]
Admin = Annotated[Actor, Depends(_caller), AccessLevel.ADMIN]

# The same, for calls that need a fresh proof (`StepUp`).
StaffStepUp = Annotated[Staff, StepUp.IF_REQUIRED]
AdminStepUp = Annotated[Admin, StepUp.IF_REQUIRED]
StaffAlwaysStepUp = Annotated[StaffWithoutClients, StepUp.ALWAYS]
AdminAlwaysStepUp = Annotated[Admin, StepUp.ALWAYS]

Authenticate = Callable[[Request, AccessLevel, StepUp | None], Awaitable[Actor]]
RefuseUnseen = Callable[[Request, Reach, Session | None], None]
"""Refuses a call whose clients the caller may not see; on the call's session, if it has one."""

_REQUEST: ContextVar[Request] = ContextVar("request")


class AuthorizedRoute(APIRoute):
    """A route with an access level. Its endpoint is a plain function, run in one thread.

    A parameter may also name a `StepUp`.

    Raises:
        RouteWithoutAccessLevel: no parameter of the endpoint names one.
        AsyncEndpoint: the endpoint is a coroutine function.
    """

    def __init__(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
        hints = get_type_hints(endpoint, include_extras=True).values()
        marks = [part for hint in hints for part in getattr(hint, "__metadata__", ())]
        levels = [mark for mark in marks if isinstance(mark, AccessLevel)]
        if not levels:
            raise RouteWithoutAccessLevel(path)
        if iscoroutinefunction(endpoint):
            raise AsyncEndpoint(endpoint.__qualname__)
        self.access_level = levels[0]
        self.step_up = next((mark for mark in marks if isinstance(mark, StepUp)), None)
        by_path = Reach.CLIENT if "{client_id}" in path else Reach.FIRM
        self.reach = next((mark for mark in marks if isinstance(mark, Reach)), by_path)
        self._sets_headers = Response in hints
        self._beginning = path.partition("{")[0]
        super().__init__(path, self._in_transaction(endpoint), **options)
        is_public = self.access_level is AccessLevel.PUBLIC
        refusals = refusals_of(
            is_public=is_public,
            is_changing=self.methods != {"GET"},
            has_body=self.body_field is not None,
            has_path=bool(self.param_convertors),
        )
        self.responses = refusals | self.responses
        if not is_public:
            self.openapi_extra = {"security": [{SCHEME: []}]} | (self.openapi_extra or {})

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """FastAPI's own, after a look at how the path begins, which rules out most routes sooner."""
        if not scope["path"].startswith(self._beginning):
            return Match.NONE, {}
        return super().matches(scope)

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """FastAPI's own handler, after the check of the caller and of the media type."""
        handle = super().get_route_handler()
        is_form = self.body_field is not None and isinstance(self.body_field.field_info, Form)
        media_type = "multipart/form-data" if is_form else JSON

        async def handle_authorized(request: Request) -> Response:
            if self.access_level is not AccessLevel.PUBLIC:
                authenticate: Authenticate = request.app.state.authenticate
                request.state.caller = await authenticate(request, self.access_level, self.step_up)
            _refuse_other_media(request, media_type)
            request.state.sessions = RequestSessions()
            request = JsonRequest(request.scope, request.receive)
            _REQUEST.set(request)
            return await handle(request)

        return handle_authorized

    def _in_transaction(self, endpoint: Callable[..., Any]) -> Callable[..., Any]:
        """`endpoint` and the writing of its answer, in one thread and one transaction.

        FastAPI would switch threads for each dependency, which takes longer than most endpoints.
        """
        is_narrowed = self.access_level is AccessLevel.STAFF

        def work(request: Request, values: dict[str, Any]) -> Any:
            sessions: RequestSessions = request.state.sessions
            with sessions.open():
                if is_narrowed and self.reach not in {Reach.VISIBLE, Reach.NONE}:
                    refuse: RefuseUnseen = request.app.state.refuse_unseen
                    refuse(request, self.reach, sessions.first)
                return self._written(endpoint(**values))

        @wraps(endpoint)
        async def run(**values: Any) -> Any:
            request = _REQUEST.get()
            job = partial(work, request, values)
            # A write may wait for other writers; it must not hold up reads meanwhile.
            if self.methods == {"GET"}:
                return await request.app.state.read_limiter.run(job)
            return await run_in_threadpool(job)

        return run

    def _written(self, answer: Any) -> Any:
        """The answer as JSON, while the transaction can still be rolled back."""
        field = self.response_field
        # FastAPI adds the headers that an endpoint sets on the response it takes as a parameter.
        if isinstance(answer, Response) or field is None or self._sets_headers:
            return answer
        value, errors = field.validate(answer, {}, loc=("response",))
        if errors:
            raise ResponseValidationError(errors=errors, body=answer)
        return Response(field.serialize_json(value), self.status_code or 200, media_type=JSON)


class JsonRequest(Request):
    """A request whose JSON body is read without rounding a number to zero or infinity."""

    async def json(self) -> Any:
        return json.loads(await self.body(), parse_float=_parsed_float)


def _parsed_float(text: str) -> float | str:
    """The number, or its text where a float cannot hold it: the schema refuses the text."""
    number = float(text)
    is_rounded_away = number == 0 and any(
        digit in "123456789" for digit in text.lower().split("e")[0]
    )
    return text if is_rounded_away or math.isinf(number) else number


def _refuse_other_media(request: Request, media_type: str) -> None:
    headers = request.headers
    has_body = headers.get("Content-Length", "0") not in {"", "0"} or "Transfer-Encoding" in headers
    given = headers.get("Content-Type", "").partition(";")[0].strip().lower()
    if has_body and request.method != "GET" and given != media_type:
        raise WrongMediaType(f"Send the request as {media_type}.")


def authorized_router(prefix: str) -> APIRouter:
    """A router under /api/v1 whose every route has an access level."""
    return APIRouter(
        prefix=f"/api/v1{prefix}",
        route_class=AuthorizedRoute,
        generate_unique_id_function=lambda route: route.name,
    )


def require_access_levels(app: FastAPI) -> None:
    """Stop the start when a route of the API has no access level.

    Raises:
        RouteWithoutAccessLevel: a path under /api/v1 has a plain route.
    """
    for route in app.routes:
        path = getattr(route, "path", "")
        is_api = path.startswith("/api/v1/") and isinstance(route, APIRoute)
        if is_api and not isinstance(route, AuthorizedRoute):
            raise RouteWithoutAccessLevel(path)
