"""Kept track records of models, and the prices with which calls begin and end."""

import datetime as dt
import uuid
from decimal import Decimal

from sqlalchemy import BigInteger, ForeignKey, Text
from sqlalchemy.orm import Mapped, mapped_column

from tarazu.kit.db import InstantColumn, RupeesColumn, Table


class ModelTrackRecord(Table):
    """The day values of a model and its followers, calculated in advance.

    `made_from` names the state of everything that they were calculated from; `content` is JSON.
    """

    __tablename__ = "model_track_records"

    model_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("model_portfolios.id"), primary_key=True)
    made_from: Mapped[str]
    made_at: Mapped[dt.datetime] = mapped_column(InstantColumn)
    content: Mapped[str] = mapped_column(Text)


class CallPrice(Table):
    """The first price of a share that was read at least a minute after a dispatch; never changed.

    `batch_id` is the run, or the advice that was sent alone.
    """

    __tablename__ = "call_prices"

    batch_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    instrument_token: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    price: Mapped[Decimal] = mapped_column(RupeesColumn)
    # When it was traded.
    at: Mapped[dt.datetime] = mapped_column(InstantColumn)
