"""Shapes of packs on the wire."""

import datetime as dt
import uuid
from typing import Annotated

from pydantic import Field

from tarazu.inspection.service import NewPack
from tarazu.inspection.tables import PackKind, PackState
from tarazu.kit.fields import Day
from tarazu.kit.schemas import Schema, Whole, attribute


class PackAsked(Schema):
    """Both days are in the pack; without a client it is of the whole firm.

    `clientId` or `clientCode` names the client, whose record may be deleted. `sampleEvery` takes every so many sealed advices, 1 for all of them.
    """

    kind: PackKind = PackKind.INSPECTION
    client_id: uuid.UUID | None = None
    client_code: Annotated[str, Field(max_length=20)] = ""
    first_on: Day = Field(alias="from")
    last_on: Day = Field(alias="to")
    sample_every: Annotated[Whole, Field(ge=1, le=1_000)] = 1

    def pack(self) -> NewPack:
        """What is asked for."""
        client = self.client_id or self.client_code.strip().upper() or None
        return NewPack(self.kind, self.first_on, self.last_on, client, self.sample_every)


class PackRow(Schema):
    """`done` of `total` advices are written; `sha256` and `size` are of the file, once it is ready."""

    id: uuid.UUID = attribute("row.id", "_id")
    kind: PackKind = attribute("row.kind")
    client_code: str
    client_name: str
    first_on: dt.date = attribute("row.first_on", "from")
    last_on: dt.date = attribute("row.last_on", "to")
    sample_every: int = attribute("row.sample_every")
    state: PackState = attribute("row.state")
    done: int = attribute("row.done")
    total: int = attribute("row.total")
    error: str = attribute("row.error")
    sha256: str = attribute("row.sha256")
    size: int = attribute("row.size")
    made_at: dt.datetime = attribute("row.made_at")
    made_by: str
    finished_at: dt.datetime | None = attribute("row.finished_at")


class PackParams(Schema):
    page: Whole = Field(default=1, ge=1, le=1_000_000)
    limit: Whole = Field(default=20, ge=1, le=200)

    @property
    def skipped(self) -> int:
        """Rows before this page."""
        return (self.page - 1) * self.limit
