"""The packs that were made for an inspection or an audit; their files are beside the database."""

import datetime as dt
import uuid
from enum import StrEnum

from sqlalchemy import BigInteger, ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from tarazu.kit.db import InstantColumn, Table


class PackKind(StrEnum):
    """INSPECTION: everything of some days. AUDIT: a fiscal year by duty, with a sample of advice."""

    INSPECTION = "INSPECTION"
    AUDIT = "AUDIT"


class PackState(StrEnum):
    """REMOVED: its file was removed after its days; what it was stays recorded."""

    MAKING = "MAKING"
    READY = "READY"
    FAILED = "FAILED"
    REMOVED = "REMOVED"


class InspectionPack(Table):
    __tablename__ = "inspection_packs"

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    kind: Mapped[PackKind]
    # None: the whole firm.
    client_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("people.id"))
    first_on: Mapped[dt.date]
    last_on: Mapped[dt.date]
    # Every so many sealed advices; 1 for all of them.
    sample_every: Mapped[int]
    state: Mapped[PackState]
    # Advices written, and how many there are.
    done: Mapped[int]
    total: Mapped[int]
    # "" unless it failed.
    error: Mapped[str]
    # Of the zip; "" and 0 until it is ready.
    sha256: Mapped[str] = mapped_column(String(64))
    size: Mapped[int] = mapped_column(BigInteger)
    made_at: Mapped[dt.datetime] = mapped_column(InstantColumn, index=True)
    made_by: Mapped[uuid.UUID] = mapped_column(ForeignKey("people.id"))
    finished_at: Mapped[dt.datetime | None] = mapped_column(InstantColumn)
