"""Who is signed in: the digest of each token, with its limits."""

import datetime as dt
import uuid

from sqlalchemy import ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from tarazu.kit.db import InstantColumn, Table


class SignIn(Table):
    __tablename__ = "sessions"

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    token_digest: Mapped[str] = mapped_column(unique=True)
    account_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("people.id"), index=True)
    is_first_time: Mapped[bool]
    created_at: Mapped[dt.datetime] = mapped_column(InstantColumn)
    seen_at: Mapped[dt.datetime] = mapped_column(InstantColumn)
    expires_at: Mapped[dt.datetime] = mapped_column(InstantColumn)
    ended_at: Mapped[dt.datetime | None] = mapped_column(InstantColumn)
    ip: Mapped[str]
    user_agent: Mapped[str]
