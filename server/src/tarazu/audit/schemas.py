"""Schemas of the audit trail."""

import datetime as dt
import uuid
from enum import StrEnum
from typing import Annotated

from pydantic import AfterValidator, Field

from tarazu.kit.audit_log import Fault
from tarazu.kit.fields import is_plain
from tarazu.kit.schemas import Schema, Whole, attribute


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
    """A field before and after; `before` is null for a field with one value."""

    field: str
    before: str | None
    after: str


class TrailEntry(Schema):
    seq: int = attribute("row.seq")
    at: dt.datetime = attribute("row.at")
    who: str
    account_id: uuid.UUID | None = attribute("row.account_id")
    role: str = attribute("row.role")
    ip: str = attribute("row.ip")
    action: str = attribute("row.action")
    kind: str = attribute("row.kind")
    record_id: str = attribute("row.record_id")
    record_name: str
    sentence: str
    request_id: str = attribute("row.request_id")
    hash: str = attribute("row.hash")
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
