"""Files that people take away: their headers, and their row in the trail."""

import datetime as dt
import uuid
from collections.abc import Mapping
from http import HTTPStatus
from typing import Annotated, Any, Final, Protocol, TypeVar

from fastapi import Depends, Response
from pydantic import BaseModel
from sqlalchemy.orm import Session

from tarazu.kit import audit_log, clock
from tarazu.kit.audit_log import Actor
from tarazu.kit.db import WriteSession
from tarazu.kit.errors import Invalid
from tarazu.kit.export import MEDIA_TYPES, MOST_ROWS, Sheet, SheetFormat, written

SHEETS: Final[dict[int | str, dict[str, Any]]] = {
    HTTPStatus.OK.value: {
        "description": "The table with its filters and order, all rows.",
        "content": {
            media_type: {"schema": {"type": "string", "format": "binary"}}
            for media_type in MEDIA_TYPES.values()
        },
    }
}
"""`responses=SHEETS`, for a route that answers a table as a file."""

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
"""The limit to ask a list for: all that fits into a file, and one more to see that it does not."""


A = TypeVar("A", bound=BaseModel)


def whole(asked: A) -> A:
    """The same filters and order, for all rows instead of one page."""
    return asked.model_copy(update={"page": 1, "limit": EVERY_ROW})


class Client(Protocol):
    """As much of a client as a file's name and the trail need."""

    @property
    def id(self) -> uuid.UUID: ...
    @property
    def code(self) -> str: ...


class TooManyRows(Invalid):
    message = f"More than {MOST_ROWS:,} rows match. Narrow the filters."


def attachment(content: bytes, name: str, media_type: str) -> Response:
    """A file to be saved under `name`, which is made of our own words, codes and days."""
    headers = {
        "Content-Disposition": f'attachment; filename="{name}"',
        "Cache-Control": "private, no-store",
    }
    return Response(content, media_type=media_type, headers=headers)


class Taking:
    """What a person takes away in one call; it is written to the trail."""

    def __init__(self, trail_session: WriteSession, format: SheetFormat = SheetFormat.CSV) -> None:  # noqa: A002 - the query's name
        # Opened by its first statement, so that no writer waits while the file is made.
        self._session = trail_session
        self._format = format

    def sheet(
        self,
        caller: Actor,
        sheet: Sheet[Any],
        asked: BaseModel | Mapping[str, Any] | None = None,
        client: Client | None = None,
    ) -> Response:
        """The table as a file.

        Args:
            asked: the filters and the order, for the trail.
            client: whose table it is, unless the firm's.

        Raises:
            TooManyRows: it would be longer than `MOST_ROWS`.
        """
        if len(sheet.rows) > MOST_ROWS:
            raise TooManyRows
        now = clock.now()
        content = written(sheet, self._format, now)
        name = sheet.title.lower().replace(" ", "-")
        changes = {
            "what": name,
            "format": self._format,
            "rows": len(sheet.rows),
            "filters": _filters_of(asked),
        }
        note_taken(self._session, caller, now, client, changes)
        parts = (name, client.code if client else "", clock.day_in_india(now).isoformat())
        file_name = f"{'-'.join(part for part in parts if part)}.{self._format}"
        return attachment(content, file_name, MEDIA_TYPES[self._format])


def note_taken(
    session: Session,
    caller: Actor,
    now: dt.datetime,
    client: Client | None,
    changes: Mapping[str, Any],
) -> None:
    """Write to the trail `what` was taken away, and of which client unless of the firm."""
    subject = ("client", client.id) if client else ("list", changes["what"])
    audit_log.record(session, caller, now, "taken_away", subject, changes)


def _filters_of(asked: BaseModel | Mapping[str, Any] | None) -> dict[str, Any]:
    if not isinstance(asked, BaseModel):
        return {name: value for name, value in (asked or {}).items() if value is not None}
    return asked.model_dump(
        mode="json", by_alias=True, exclude_defaults=True, exclude={"page", "limit"}
    )


TakenAway = Annotated[Taking, Depends(Taking)]
