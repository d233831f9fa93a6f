"""Shapes of the audit trail on the wire."""

import datetime as dt
import uuid
from enum import StrEnum
from typing import Annotated

from pydantic import AfterValidator, Field

from tarazu.kit.audit_log import Fault
from tarazu.kit.fields import Day, is_plain
from tarazu.kit.schemas import MAX_LIMIT, Schema, Whole


class AskedTrail(Schema):
    """Days in India, both included. `who` is an account's id, or `system`."""

    who: str = Field(default="", max_length=40)
    action: str = Field(default="", max_length=60)
    kind: str = Field(default="", max_length=60)
    query: str = Field(default="", max_length=100)
    since: Day | None = Field(default=None, alias="from")
    until: Day | None = Field(default=None, alias="to")
    page: Whole = Field(default=1, ge=1, le=1_000_000)
    limit: Whole = Field(default=20, ge=1, le=MAX_LIMIT)

    @property
    def skipped(self) -> int:
        """Rows before this page."""
        return (self.page - 1) * self.limit


class Way(StrEnum):
    """How a browser takes something away without a file of ours."""

    COPIED = "copied"
    PRINTED = "printed"


def _name(text: str) -> str:
    if not is_plain(text):
        raise ValueError("A name has no line breaks and no characters for control.")
    return text.strip()


class TakenInBrowser(Schema):
    """What was copied or printed: the name of the list, its rows, and the client it is of."""

    what: Annotated[str, Field(min_length=1, max_length=80), AfterValidator(_name)]
    way: Way
    row_count: Annotated[Whole, Field(ge=0, le=1_000_000, alias="rows")]
    client_id: uuid.UUID | None = None


class TrailChange(Schema):
    """A field before and after the act; `before` is null where only one value is told."""

    field: str
    before: str | None
    after: str


class TrailEntry(Schema):
    seq: int
    at: dt.datetime
    who: str
    account_id: uuid.UUID | None
    role: str
    ip: str
    action: str
    kind: str
    record_id: str
    record_name: str
    request_id: str
    hash: str
    changes: list[TrailChange]


class TrailPerson(Schema):
    id: uuid.UUID = Field(alias="_id")
    name: str


class TrailChoices(Schema):
    """What occurs in the trail, to choose from."""

    people: list[TrailPerson]
    actions: list[str]
    kinds: list[str]


class TrailVerified(Schema):
    """Whether the trail is as it was written; `fault` and `seq` name the first that is not."""

    holds: bool
    checked: int
    head_seq: int | None
    head_hash: str | None
    fault: Fault | None
    seq: int | None
    message: str
    checked_at: dt.datetime
