"""What staff note down about a client."""

import datetime as dt
import uuid

from sqlalchemy import ForeignKey, Text
from sqlalchemy.orm import Mapped, mapped_column

from tarazu.kit.db import InstantColumn, Table


class Remark(Table):
    __tablename__ = "remarks"

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    client_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("people.id"), index=True)
    text: Mapped[str] = mapped_column(Text)
    created_at: Mapped[dt.datetime] = mapped_column(InstantColumn)
    created_by: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("people.id"))
    updated_at: Mapped[dt.datetime | None] = mapped_column(InstantColumn)
    version: Mapped[int]
    deleted_at: Mapped[dt.datetime | None] = mapped_column(InstantColumn)
    deleted_by: Mapped[uuid.UUID | None]
