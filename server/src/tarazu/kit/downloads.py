"""File downloads: list exports, their HTTP headers and their entry in the audit trail."""

import datetime as dt
import inspect
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from http import HTTPStatus
from typing import Annotated, Any, Final, Generic, Protocol, TypeVar

from fastapi import APIRouter, Depends, Request, Response
from pydantic import BaseModel
from sqlalchemy.orm import Session

from tarazu.kit import audit_log, clock
from tarazu.kit.audit_log import Actor
from tarazu.kit.auth_route import StepUp
from tarazu.kit.db import WriteSession
from tarazu.kit.errors import Invalid
from tarazu.kit.export import MEDIA_TYPES, MOST_ROWS, Column, Kind, Row, Sheet, SheetFormat, written

_SHEETS: Final[dict[int | str, dict[str, Any]]] = {
    HTTPStatus.OK.value: {
        "description": "The table with its filters and order, all rows.",
        "content": {
            media_type: {"schema": {"type": "string", "format": "binary"}}
            for media_type in MEDIA_TYPES.values()
        },
    }
}

PDF: Final[dict[int | str, dict[str, Any]]] = {
    HTTPStatus.OK.value: {
        "description": "A PDF.",
        "content": {"application/pdf": {"schema": {"type": "string", "format": "binary"}}},
    }
}

ZIP: Final[dict[int | str, dict[str, Any]]] = {
    HTTPStatus.OK.value: {
        "description": "A zip.",
        "content": {"application/zip": {"schema": {"type": "string", "format": "binary"}}},
    }
}

EVERY_ROW: Final = MOST_ROWS + 1
"""The limit that reads all rows an export may have, and one more to notice that there are more."""

P = TypeVar("P", bound=BaseModel)


def whole(params: P) -> P:
    """The same filters and order for all rows instead of one page."""
    return params.model_copy(update={"page": 1, "limit": EVERY_ROW})


class FileSubject(Protocol):
    """The parts of a client that a file name and the audit trail need."""

    @property
    def id(self) -> uuid.UUID: ...
    @property
    def code(self) -> str: ...


class TooManyRows(Invalid):
    message = f"More than {MOST_ROWS:,} rows match. Narrow the filters."


@dataclass(frozen=True, slots=True)
class Exported(Generic[Row]):
    """What an export route returns.

    Attributes:
        rows: all rows that match.
        filters: the filters and the order, for the audit trail.
        client: the client whose list it is; None for a list of the firm.
        totals: by heading, totals that are not the sum of their column.
        words: what must be said with past performance, in the last cell of every row; "" for none.
    """

    rows: Sequence[Row]
    filters: BaseModel | Mapping[str, Any] | None = None
    client: FileSubject | None = None
    totals: Mapping[str, Any] | None = None
    words: str = ""


Endpoint = Callable[..., Exported[Row]]
FindApproval = Callable[[Session, Actor, dt.datetime, str, Mapping[str, Any]], uuid.UUID | None]
"""Finds the approval of a download by its caller, what it is and its filters; None needs none."""


def list_export(
    router: APIRouter,
    path: str,
    title: str,
    columns: Sequence[Column[Row]],
    *,
    names_clients: bool = True,
) -> Callable[[Endpoint[Row]], Endpoint[Row]]:
    """Registers a function that returns the rows of a list as the export of this list.

    The function declares its parameters and its access level as any route does. The route also
    takes `format`, answers the table as a file named after `title`, and notes the download in the
    audit trail. It needs a fresh proof of who is signed in where the firm requires that. A list of
    many clients may need a second administrator's approval; one that does not name clients, as
    `names_clients` says, never does.

        @list_export(router, "/fees/export", "Fees", FEE_COLUMNS)
        def export_fees(session: OpenSession, _: Staff, filters: Annotated[F, Query()]) -> Exported[Fee]:
            return Exported(service.list_fees(session, whole(filters)), filters)
    """

    def register(endpoint: Endpoint[Row]) -> Endpoint[Row]:
        @wraps(endpoint)
        def export(download: Download, **arguments: Any) -> Response:
            exported = endpoint(**arguments)
            return download.answer(title, columns, exported, names_clients=names_clients)

        # FastAPI reads the parameters of the route from here.
        signature = inspect.signature(endpoint)
        download = inspect.Parameter(
            "download", inspect.Parameter.KEYWORD_ONLY, annotation=Download
        )
        export.__signature__ = signature.replace(  # type: ignore[attr-defined]
            parameters=[*signature.parameters.values(), download], return_annotation=Response
        )
        export.__annotations__ = endpoint.__annotations__ | {"download": Download}
        router.add_api_route(path, export, response_class=Response, responses=_SHEETS)
        return endpoint

    return register


def attachment(content: bytes, name: str, media_type: str) -> Response:
    """A response that the browser saves as a file; `name` has no user's text in it."""
    headers = {
        "Content-Disposition": f'attachment; filename="{name}"',
        "Cache-Control": "private, no-store",
    }
    return Response(content, media_type=media_type, headers=headers)


class SheetDownload:
    """Writes a table as a file, and the download to the audit trail."""

    def __init__(
        self,
        request: Request,
        trail_session: WriteSession,
        format: SheetFormat = SheetFormat.CSV,  # noqa: A002 - the query's name
    ) -> None:
        self._request = request
        # Opened by its first statement, so that no writer waits while the file is written.
        self._session = trail_session
        self._format = format

    def answer(
        self,
        title: str,
        columns: Sequence[Column[Row]],
        exported: Exported[Row],
        *,
        names_clients: bool,
    ) -> Response:
        """The rows as a file.

        Raises:
            TooManyRows: there are more rows than `MOST_ROWS`.
            ApprovalRequired: a second administrator must approve the download, and did not.
        """
        if len(exported.rows) > MOST_ROWS:
            raise TooManyRows
        now, client = clock.now(), exported.client
        if exported.words:
            columns = [*columns, Column("Shown With", Kind.TEXT, lambda _: exported.words)]
        sheet = Sheet(title, columns, exported.rows, exported.totals or {})
        content = written(sheet, self._format, now)
        name = title.lower().replace(" ", "-")
        filters = _filters_of(exported.filters)
        changes = {
            "what": name,
            "format": self._format,
            "rows": len(exported.rows),
            "filters": filters,
        }
        if names_clients and client is None:
            changes |= approval_of(self._request, self._session, now, name, filters)
        note_taken(self._session, self._request.state.caller, now, client, changes)
        parts = (name, client.code if client else "", clock.day_in_india(now).isoformat())
        file_name = f"{'-'.join(part for part in parts if part)}.{self._format}"
        return attachment(content, file_name, MEDIA_TYPES[self._format])


def approval_of(
    request: Request, session: Session, now: dt.datetime, what: str, filters: Mapping[str, Any]
) -> dict[str, Any]:
    """What the audit trail says of the approval of a download of many clients' data.

    Args:
        what: the list or pack, as the audit trail names it.
        filters: those of the list.

    Raises:
        ApprovalRequired: a second administrator must approve it, and did not.
    """
    find: FindApproval = request.app.state.find_approval
    place = {name: str(value) for name, value in request.path_params.items()}
    approval_id = find(session, request.state.caller, now, what, {**filters, **place})
    return {"approvalId": approval_id} if approval_id else {}


def note_taken(
    session: Session,
    caller: Actor,
    now: dt.datetime,
    client: FileSubject | None,
    changes: Mapping[str, Any],
) -> None:
    """Write a download to the audit trail; its subject is the client, or the list of the firm."""
    subject = ("client", client.id) if client else ("list", changes["what"])
    audit_log.record(session, caller, now, "taken_away", subject, changes)


def _filters_of(filters: BaseModel | Mapping[str, Any] | None) -> dict[str, Any]:
    if not isinstance(filters, BaseModel):
        return {name: value for name, value in (filters or {}).items() if value is not None}
    return filters.model_dump(
        mode="json", by_alias=True, exclude_defaults=True, exclude={"page", "limit"}
    )


# Whatever leaves as a table needs a fresh proof, where the firm requires one.
Download = Annotated[SheetDownload, Depends(SheetDownload), StepUp.IF_REQUIRED]
