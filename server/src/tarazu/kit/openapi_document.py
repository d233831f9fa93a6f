"""What the OpenAPI document says of every call: who may make it, and how it is refused.

Also a page of it for people, without scripts: FastAPI's own loads them from another host.
"""

from collections.abc import Mapping
from html import escape
from http import HTTPStatus
from typing import Any, Final, Literal

from fastapi import FastAPI
from pydantic import Field
from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.routing import Route

from tarazu.kit.schemas import Schema

SCHEME = "session"

_EVERY_CALL = (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE)
_AUTHORIZATION = (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN)
_WITH_A_BODY = (
    HTTPStatus.BAD_REQUEST,
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
)
_CHANGING = (
    HTTPStatus.NOT_FOUND,
    HTTPStatus.CONFLICT,
    HTTPStatus.UNPROCESSABLE_ENTITY,
    HTTPStatus.BAD_GATEWAY,
    HTTPStatus.INSUFFICIENT_STORAGE,
)
_WAITING = {HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE}

_MEANINGS = {
    HTTPStatus.BAD_REQUEST: "The body is broken, or a link or code in it is not good any more.",
    HTTPStatus.UNAUTHORIZED: "No session, or one that has ended; or the password is wrong.",
    HTTPStatus.FORBIDDEN: "The role is too low, or something must be set up first.",
    HTTPStatus.NOT_FOUND: "Not there, deleted, or of another kind or client.",
    HTTPStatus.CONFLICT: "The state of the record does not allow it, or it was changed meanwhile.",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "The body is too large.",
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE: "The body is of another kind than the call takes.",
    HTTPStatus.UNPROCESSABLE_ENTITY: "A field does not fit; `errors` names each.",
    HTTPStatus.TOO_MANY_REQUESTS: "Too many calls or tries; `Retry-After` says how long to wait.",
    HTTPStatus.BAD_GATEWAY: "The broker refused, or did not answer.",
    HTTPStatus.SERVICE_UNAVAILABLE: "Busy; the same call may succeed after `Retry-After`.",
    HTTPStatus.INSUFFICIENT_STORAGE: "Storage is full.",
}


class FaultOfField(Schema):
    field: str
    message: str


class Refused(Schema):
    """A call that was not done, and why, in words fit for a screen."""

    success: Literal[False]
    message: str
    code: str = Field(description="The kind of refusal, stable over versions.")
    errors: list[FaultOfField] = Field(
        default=[], description="The fields at fault, where some are; else it is left out."
    )
    error_count: int | None = Field(
        default=None, description="How many there are, where `errors` names the first alone."
    )
    request_id: str


def refusals_of(
    *, is_public: bool, is_changing: bool, has_body: bool, has_path: bool
) -> dict[int | str, dict[str, Any]]:
    """The refusals of one call by status, as a route's `responses`."""
    statuses = {*_EVERY_CALL}
    if is_changing or not is_public:
        statuses.update(_AUTHORIZATION)
    if is_changing:
        statuses.update(_CHANGING)
    if has_body:
        statuses.update(_WITH_A_BODY)
    if has_path:
        statuses.add(HTTPStatus.NOT_FOUND)
    return {status.value: refused_with(status) for status in sorted(statuses)}


def refused_with(status: HTTPStatus) -> dict[str, Any]:
    """A refusal that only some routes know, for their `responses`."""
    return {"$ref": f"#/components/responses/{_name(status)}", "description": _MEANINGS[status]}


def complete_document(app: FastAPI) -> None:
    """Add to the document of `app` what the refusals of its routes refer to."""
    generate = app.openapi

    def complete() -> dict[str, Any]:
        document = generate()
        components = document.setdefault("components", {})
        components["responses"] = {_name(status): _response(status) for status in _MEANINGS}
        components["securitySchemes"] = {SCHEME: {"type": "http", "scheme": "bearer"}}
        schemas = components.setdefault("schemas", {})
        schemas.update(_schemas())
        _name_bounds(schemas)
        _name_bounds(document["paths"])
        # FastAPI describes its own answer to a bad field; ours is `Refused`.
        for calls in document["paths"].values():
            for call in calls.values():
                if "HTTPValidationError" in str(call["responses"].get("422")):
                    call["responses"]["422"] = refused_with(HTTPStatus.UNPROCESSABLE_ENTITY)
        for unused in ("HTTPValidationError", "ValidationError"):
            schemas.pop(unused, None)
        return document

    app.openapi = complete  # type: ignore[method-assign]  # the documented way to add to it


def api_page(app: FastAPI) -> Route:
    """The route of a page that lists every call, with a link to the document."""

    def answer(_: Request) -> HTMLResponse:
        calls = "".join(
            f"<tr><td>{method.upper()}<td><code>{escape(path)}</code><td>{escape(call['summary'])}"
            for path, methods in sorted(app.openapi()["paths"].items())
            for method, call in methods.items()
        )
        link = f'<a href="{app.openapi_url}">openapi.json</a>'
        return HTMLResponse(
            '<!doctype html><html lang="en"><meta charset="utf-8"><title>Tarazu API</title>'
            f"<h1>Tarazu API</h1><p>Fields and answers: {link}</p><table>{calls}</table>"
        )

    return Route("/api/docs", answer)


_BOUNDS: Final = {
    "ge": "minimum",
    "gt": "exclusiveMinimum",
    "le": "maximum",
    "lt": "exclusiveMaximum",
}


def _name_bounds(part: Any) -> None:
    """Give bounds their JSON Schema names, which they lose where a number's text is checked first."""
    if isinstance(part, list):
        for element in part:
            _name_bounds(element)
    if isinstance(part, dict):
        for name in _BOUNDS.keys() & part.keys():
            if isinstance(part[name], int | float):
                part[_BOUNDS[name]] = part.pop(name)
        if isinstance(part.get("decimal_places"), int):
            del part["decimal_places"]
        for value in part.values():
            _name_bounds(value)


def _schemas() -> dict[str, Any]:
    refused = Refused.model_json_schema(ref_template="#/components/schemas/{model}")
    return {**refused.pop("$defs"), "Refused": refused}


def _name(status: HTTPStatus) -> str:
    return status.phrase.title().replace(" ", "").replace("-", "")


def _response(status: HTTPStatus) -> dict[str, Any]:
    return {
        "description": _MEANINGS[status],
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Refused"}}},
        **_headers(status),
    }


def _headers(status: HTTPStatus) -> Mapping[str, Any]:
    if status is HTTPStatus.UNAUTHORIZED:
        return {"headers": {"WWW-Authenticate": {"schema": {"type": "string"}}}}
    if status in _WAITING:
        seconds = {"type": "integer", "minimum": 1}
        return {"headers": {"Retry-After": {"description": "Seconds.", "schema": seconds}}}
    return {}
