"""The firm's own sessions with brokers."""

import datetime as dt
import uuid

from sqlalchemy.orm import Mapped, mapped_column

from tarazu.kit.db import InstantColumn, Table


class FirmSession(Table):
    __tablename__ = "firm_broker_sessions"

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    broker: Mapped[str]
    broker_user_id: Mapped[str]
    connected_at: Mapped[dt.datetime] = mapped_column(InstantColumn)
    expires_at: Mapped[dt.datetime] = mapped_column(InstantColumn, index=True)
