"""Codes and sessions of the page on which a client reads an advice; all secrets as digests."""

import datetime as dt
import uuid

from sqlalchemy import ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from tarazu.kit.db import InstantColumn, Table


class PageCode(Table):
    """A six-digit code that was mailed for a link. It opens the page once."""

    __tablename__ = "page_codes"

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    link_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("advice_links.id"), index=True)
    # Keyed: a digest of six digits alone is found in a second.
    digest: Mapped[str]
    made_at: Mapped[dt.datetime] = mapped_column(InstantColumn)
    expires_at: Mapped[dt.datetime] = mapped_column(InstantColumn)
    # Wrong tries; the code ends with the fifth.
    tries: Mapped[int]
    used_at: Mapped[dt.datetime | None] = mapped_column(InstantColumn)


class PageSession(Table):
    """A client who reads an advice; the token is in the memory of the browser's page alone."""

    __tablename__ = "page_sessions"

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    link_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("advice_links.id"), index=True)
    digest: Mapped[str] = mapped_column(unique=True)
    made_at: Mapped[dt.datetime] = mapped_column(InstantColumn)
    expires_at: Mapped[dt.datetime] = mapped_column(InstantColumn)


class BasketState(Table):
    """A basket that was handed to a broker's page: who may come back from there, once."""

    __tablename__ = "basket_states"

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    digest: Mapped[str] = mapped_column(unique=True)
    link_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("advice_links.id"), index=True)
    # 1 for the sales, and so on.
    step: Mapped[int]
    made_at: Mapped[dt.datetime] = mapped_column(InstantColumn)
    expires_at: Mapped[dt.datetime] = mapped_column(InstantColumn)
    used_at: Mapped[dt.datetime | None] = mapped_column(InstantColumn)
