"""Model portfolios with their versions and subscribers, and the firm's limits for runs."""

import datetime as dt
import uuid
from decimal import Decimal
from enum import StrEnum

from sqlalchemy import ForeignKey, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from tarazu.kit.db import InstantColumn, PercentColumn, RupeesColumn, Table


class ModelStatus(StrEnum):
    ACTIVE = "ACTIVE"
    RETIRED = "RETIRED"


class Outside(StrEnum):
    """What is done with holdings outside the model.

    KEEP: they are kept, and the model is applied to the rest of the investment. SELL: sold.
    """

    KEEP = "KEEP"
    SELL = "SELL"


class ModelPortfolio(Table):
    __tablename__ = "model_portfolios"
    tracks_version = True

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    name: Mapped[str]
    # Lower case, so that two names that read alike are one.
    name_key: Mapped[str] = mapped_column(unique=True)
    status: Mapped[ModelStatus]
    created_at: Mapped[dt.datetime] = mapped_column(InstantColumn)
    version: Mapped[int]


class ModelVersion(Table):
    """One version of a model, never changed: what was published, by whom and when."""

    __tablename__ = "model_versions"
    tracks_version = True

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    model_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("model_portfolios.id"))
    number: Mapped[int]
    created_at: Mapped[dt.datetime] = mapped_column(InstantColumn)
    account_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("people.id"))
    author: Mapped[str]
    rationale: Mapped[str] = mapped_column(Text)
    benchmark: Mapped[str]
    universe: Mapped[str] = mapped_column(Text)
    selection_method: Mapped[str] = mapped_column(Text)
    risks: Mapped[str] = mapped_column(Text)

    __table_args__ = (UniqueConstraint("model_id", "number"),)


class ModelConstituent(Table):
    __tablename__ = "model_constituents"

    version_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("model_versions.id"), primary_key=True)
    place: Mapped[int] = mapped_column(primary_key=True)
    instrument_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("instruments.id"))
    allocation: Mapped[Decimal] = mapped_column(PercentColumn)


class ModelSubscriber(Table):
    """A client who follows a model: one at most, which the key says.

    `investment` is how much of the client's money follows it; None: all holdings and cash.
    """

    __tablename__ = "model_subscribers"
    tracks_version = True

    client_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("people.id"), primary_key=True)
    model_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("model_portfolios.id"), index=True)
    investment: Mapped[Decimal | None] = mapped_column(RupeesColumn)
    subscribed_at: Mapped[dt.datetime] = mapped_column(InstantColumn)


class ModelFollowing(Table):
    """From when until when a client followed a model; `until` is None while the client does.

    `is_whole`: with all holdings and cash. Kept when the client leaves, for the track record.
    """

    __tablename__ = "model_followings"
    tracks_version = True

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    model_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("model_portfolios.id"), index=True)
    client_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("people.id"), index=True)
    is_whole: Mapped[bool]
    since: Mapped[dt.datetime] = mapped_column(InstantColumn)
    until: Mapped[dt.datetime | None] = mapped_column(InstantColumn)


class BookLimits(Table):
    """The firm's limits for runs alone; one row.

    `tolerance`: clients whose largest drift, in percent points, is below it are skipped. The
    maximum ages of prices and holdings apply to every advice, and are in the firm's record.
    """

    __tablename__ = "book_limits"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    tolerance: Mapped[Decimal] = mapped_column(PercentColumn)
    version: Mapped[int]
