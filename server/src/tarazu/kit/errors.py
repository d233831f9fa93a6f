"""Errors of the API: their texts for people, and the handlers that answer them."""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any, ClassVar

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from starlette.exceptions import HTTPException

from tarazu.kit.sentences import field_of, sentence_of

log = structlog.get_logger()

MOST_ERRORS = 200
"""Errors listed in an answer; of more, only the number is given."""


class ApiError(Exception):
    """Something that a caller may not or cannot do.

    Args:
        message: one sentence for a person; the class's own when left out.
        errors: the fields at fault, each with its own sentence.
        details: what a program needs to go on, named as on the wire.
        retry_after: seconds after which the call may succeed; None when waiting does not help.
    """

    status: ClassVar[HTTPStatus] = HTTPStatus.BAD_REQUEST
    message: str = "The request could not be understood."
    code: ClassVar[str] = ""
    headers: ClassVar[Mapping[str, str]] = {}
    commit_on_error: ClassVar[bool] = False
    """Whether what the call wrote before is committed: a counted attempt, an audit row."""

    def __init__(
        self,
        message: str | None = None,
        *,
        errors: Sequence[Mapping[str, str]] = (),
        details: Mapping[str, Any] | None = None,
        retry_after: int | None = None,
    ) -> None:
        super().__init__(message or self.message)
        self.message = message or self.message
        self.errors = list(errors)
        self.details = dict(details or {})
        self.retry_after = retry_after

    @property
    def stable_code(self) -> str:
        """The name of the error in snake case, for programs."""
        name = type(self).__name__
        return self.code or "".join(
            f"_{letter.lower()}" if letter.isupper() and place else letter.lower()
            for place, letter in enumerate(name)
        )


class NotThere(ApiError):
    status = HTTPStatus.NOT_FOUND
    message = "Record not found"


class Invalid(ApiError):
    status = HTTPStatus.UNPROCESSABLE_ENTITY
    message = "Some fields are not valid."


class StaleVersion(ApiError):
    status = HTTPStatus.CONFLICT
    message = "This record was changed by someone else. Reload and try again."


class TooLarge(ApiError):
    status = HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    message = "The request is too large."


class WrongMediaType(ApiError):
    status = HTTPStatus.UNSUPPORTED_MEDIA_TYPE
    message = "Send the request as application/json."


class Busy(ApiError):
    status = HTTPStatus.SERVICE_UNAVAILABLE
    message = "Busy, try again"
    headers: ClassVar[Mapping[str, str]] = {"Retry-After": "2"}


class Damaged(ApiError):
    status = HTTPStatus.SERVICE_UNAVAILABLE
    message = "The database is damaged. An administrator must restore a backup."


class StorageFull(ApiError):
    status = HTTPStatus.INSUFFICIENT_STORAGE
    message = "Storage is full"


def answer_to(refusal: ApiError, request: Request) -> JSONResponse:
    """The JSON answer of an error."""
    content: dict[str, Any] = {
        "success": False,
        "message": refusal.message,
        "code": refusal.stable_code,
        "requestId": getattr(request.state, "request_id", ""),
    }
    if refusal.errors:
        content["errors"] = refusal.errors[:MOST_ERRORS]
    if refusal.details:
        content["details"] = refusal.details
    if len(refusal.errors) > MOST_ERRORS:
        content["errorCount"] = len(refusal.errors)
    headers = dict(refusal.headers)
    if refusal.retry_after is not None:
        headers["Retry-After"] = str(refusal.retry_after)
    return JSONResponse(content, refusal.status, headers)


def is_damage(error: SQLAlchemyError) -> bool:
    """Whether a database error says that the file is damaged."""
    text = str(error).lower()
    return "malformed" in text or "file is not a database" in text


def refusal_of_database(error: DBAPIError | PoolTimeoutError) -> ApiError | None:
    """The API error for a database error; None for an error of our own."""
    text = str(error).lower()
    if "disk is full" in text or "no space left" in text or "disk full" in text:
        return StorageFull()
    if is_damage(error):
        return Damaged()
    if isinstance(error, PoolTimeoutError | OperationalError | InterfaceError):
        return Busy()
    return None


def install_handlers(app: FastAPI) -> None:
    """Answer refusals, invalid bodies, unknown paths and database failures in one shape."""
    app.add_exception_handler(ApiError, _on_refusal)
    app.add_exception_handler(RequestValidationError, _on_invalid)
    app.add_exception_handler(HTTPException, _on_http)
    app.add_exception_handler(DBAPIError, _on_database)
    app.add_exception_handler(PoolTimeoutError, _on_database)


async def _on_refusal(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, ApiError)  # noqa: S101 - registered for this type alone
    return answer_to(error, request)


async def _on_invalid(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)  # noqa: S101 - registered for this type alone
    faults = [
        {"field": field_of(fault["loc"]), "message": sentence_of(fault)} for fault in error.errors()
    ]
    if any(fault["type"] == "json_invalid" for fault in error.errors()):
        return answer_to(ApiError("The request body is not valid JSON."), request)
    return answer_to(Invalid(faults[0]["message"], errors=faults), request)


async def _on_http(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)  # noqa: S101 - registered for this type alone
    status = HTTPStatus(error.status_code)
    sentences = {404: "There is nothing at this address.", 405: "This call does not exist here."}
    refusal = ApiError(sentences.get(error.status_code, status.phrase))
    answer = answer_to(refusal, request)
    answer.status_code = status
    for name, value in (error.headers or {}).items():
        answer.headers[name] = value
    return answer


def _constraint_of(error: Exception) -> str | None:
    """The name of the violated constraint, where the database says it; never a value."""
    diagnosis = getattr(getattr(error, "orig", None), "diag", None)
    return getattr(diagnosis, "constraint_name", None)


async def _on_database(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, DBAPIError | PoolTimeoutError)  # noqa: S101 - registered for these
    refusal = refusal_of_database(error)
    log.error(
        "database_failed",
        error=type(error).__name__,
        constraint=_constraint_of(error),
        answered=refusal is not None,
    )
    return answer_to(refusal, request) if refusal else fault_answer(request)


def fault_answer(request: Request) -> JSONResponse:
    """The answer to an unexpected exception: only that there was one, and the request id."""
    content = {
        "success": False,
        "message": "Something went wrong",
        "code": "internal",
        "requestId": getattr(request.state, "request_id", ""),
    }
    return JSONResponse(content, HTTPStatus.INTERNAL_SERVER_ERROR)
