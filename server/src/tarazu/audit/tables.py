"""How far the audit trail was sent out of the database."""

import datetime as dt

from sqlalchemy import BigInteger
from sqlalchemy.orm import Mapped, mapped_column

from tarazu.kit.db import InstantColumn, Table


class AuditStream(Table):
    """The position of one target: the last row that it has."""

    __tablename__ = "audit_streams"

    target: Mapped[str] = mapped_column(primary_key=True)
    seq: Mapped[int] = mapped_column(BigInteger)
    # When the last row went out, or when the stream began.
    moved_at: Mapped[dt.datetime] = mapped_column(InstantColumn)
    # Of the last attempt that failed; None after one that did not.
    failed_at: Mapped[dt.datetime | None] = mapped_column(InstantColumn)
    error: Mapped[str]
