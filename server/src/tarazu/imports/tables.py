"""Imported files: kind, progress and result of each."""

import datetime as dt
import uuid
from enum import StrEnum

from sqlalchemy import ForeignKey, Text
from sqlalchemy.orm import Mapped, mapped_column

from tarazu.kit.db import InstantColumn, Table


class ImportState(StrEnum):
    RUNNING = "RUNNING"
    CHECKED = "CHECKED"
    APPLIED = "APPLIED"
    FAILED = "FAILED"


class Import(Table):
    __tablename__ = "imports"

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    account_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("people.id"))
    client_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("people.id"))
    file_name: Mapped[str]
    file_hash: Mapped[str]
    kind: Mapped[str]
    is_dry_run: Mapped[bool]
    state: Mapped[ImportState]
    step: Mapped[str]
    done: Mapped[int]
    total: Mapped[int]
    outcome: Mapped[str] = mapped_column(Text)
    started_at: Mapped[dt.datetime] = mapped_column(InstantColumn)
    finished_at: Mapped[dt.datetime | None] = mapped_column(InstantColumn)
