"""Restrictions of clients on stocks."""

import uuid
from decimal import Decimal

from sqlalchemy import ForeignKey, Text
from sqlalchemy.orm import Mapped, mapped_column

from tarazu.domain.restrictions import Kind
from tarazu.kit.db import PercentColumn, Table


class RestrictionList(Table):
    """The version of a client's restrictions; no row before the first were set."""

    __tablename__ = "restriction_lists"
    tracks_version = True

    client_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("people.id"), primary_key=True)
    version: Mapped[int]


class StockRestriction(Table):
    """One stock that a client does not want traded freely; see `domain/restrictions.py`."""

    __tablename__ = "stock_restrictions"

    client_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("people.id"), primary_key=True)
    instrument_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("instruments.id"), primary_key=True)
    kind: Mapped[Kind]
    minimum: Mapped[Decimal | None] = mapped_column(PercentColumn)
    maximum: Mapped[Decimal | None] = mapped_column(PercentColumn)
    reason: Mapped[str] = mapped_column(Text)
