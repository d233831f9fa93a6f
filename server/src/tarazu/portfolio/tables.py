"""A client's money and shares, and the totals of the firm that are kept up beside them."""

import datetime as dt
import uuid
from decimal import Decimal
from enum import StrEnum

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from tarazu.kit.db import InstantColumn, RupeesColumn, Table


class FlowType(StrEnum):
    FUNDS_ADDED = "FUNDS_ADDED"
    FUNDS_WITHDRAWN = "FUNDS_WITHDRAWN"


class Account(Table):
    __tablename__ = "accounts"
    tracks_version = True

    client_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("people.id"), primary_key=True)
    is_counted: Mapped[bool]
    net: Mapped[Decimal] = mapped_column(RupeesColumn)
    available_cash: Mapped[Decimal] = mapped_column(RupeesColumn)
    intraday_payin: Mapped[Decimal] = mapped_column(RupeesColumn)
    starting_capital: Mapped[Decimal] = mapped_column(RupeesColumn)
    started_on: Mapped[dt.date | None]
    funds_added: Mapped[Decimal] = mapped_column(RupeesColumn)
    funds_withdrawn: Mapped[Decimal] = mapped_column(RupeesColumn)
    broker: Mapped[str]
    broker_user_id: Mapped[str]
    synced_at: Mapped[dt.datetime | None] = mapped_column(InstantColumn)
    holdings_source: Mapped[str]
    # Cash that staff entered: the amount at the end of a day, when and by whom it was entered.
    # All four are None when the cash comes from a broker, from a file or from nowhere yet.
    hand_cash: Mapped[Decimal | None] = mapped_column(RupeesColumn)
    hand_cash_on: Mapped[dt.date | None]
    hand_cash_at: Mapped[dt.datetime | None] = mapped_column(InstantColumn)
    hand_cash_by: Mapped[uuid.UUID | None]
    revision: Mapped[int] = mapped_column(BigInteger, index=True)
    version: Mapped[int]

    @property
    def net_investment(self) -> Decimal | None:
        """What was put in less what was taken out; None while nothing of it is entered."""
        if not (self.starting_capital or self.funds_added or self.funds_withdrawn):
            return None
        return self.starting_capital + self.funds_added - self.funds_withdrawn

    @property
    def is_valued(self) -> bool:
        """Whether holdings or funds were ever read or entered."""
        return self.synced_at is not None or self.hand_cash is not None or bool(self.net)


class Holding(Table):
    __tablename__ = "holdings"

    client_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("people.id"), primary_key=True)
    instrument_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("instruments.id"), primary_key=True)
    quantity: Mapped[int] = mapped_column(BigInteger)
    pledged: Mapped[int] = mapped_column(BigInteger)
    # Bought on the last trading day, and bought today: owned, but not delivered yet.
    t1: Mapped[int] = mapped_column(BigInteger, server_default="0")
    bought_today: Mapped[int] = mapped_column(BigInteger, server_default="0")
    average_price: Mapped[Decimal] = mapped_column(RupeesColumn)
    # The exchange at which the broker has the shares, named in a sale; empty for holdings of a file.
    exchange: Mapped[str] = mapped_column(server_default="")

    __table_args__ = (
        CheckConstraint("quantity > 0", name="whole_shares"),
        CheckConstraint("pledged >= 0 AND pledged <= quantity", name="pledged_is_part"),
    )


class SeenIn(StrEnum):
    """Where a split, a bonus or a consolidation showed that nobody recorded."""

    SHARES = "SHARES"
    PRICE = "PRICE"


class SuspectedAction(Table):
    """A holding whose shares, or whose price, moved as in a split, while the other has not yet."""

    __tablename__ = "suspected_actions"

    client_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("people.id"), primary_key=True)
    instrument_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("instruments.id"), primary_key=True)
    seen_in: Mapped[SeenIn]
    # When the shares were read so, or of when the price is.
    at: Mapped[dt.datetime] = mapped_column(InstantColumn)


class CashFlow(Table):
    __tablename__ = "cash_flows"
    tracks_version = True

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    client_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("people.id"))
    date: Mapped[dt.date]
    amount: Mapped[Decimal] = mapped_column(RupeesColumn)
    type: Mapped[FlowType]
    created_at: Mapped[dt.datetime] = mapped_column(InstantColumn)
    version: Mapped[int]
    deleted_at: Mapped[dt.datetime | None] = mapped_column(InstantColumn)
    deleted_by: Mapped[uuid.UUID | None]

    __table_args__ = (Index("ix_cash_flows_client_id_date", "client_id", "date"),)


class StockTotal(Table):
    __tablename__ = "stock_totals"

    instrument_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("instruments.id"), primary_key=True)
    quantity: Mapped[int] = mapped_column(BigInteger)
    invested: Mapped[Decimal] = mapped_column(RupeesColumn)


class FirmTotal(Table):
    __tablename__ = "firm_totals"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    clients: Mapped[int]
    net: Mapped[Decimal] = mapped_column(RupeesColumn)
    revision: Mapped[int] = mapped_column(BigInteger)
    # When shares, cash or the clients that count last changed; None where that is not known.
    changed_at: Mapped[dt.datetime | None] = mapped_column(InstantColumn)


class ClientClose(Table):
    __tablename__ = "client_closes"

    client_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("people.id"), primary_key=True)
    date: Mapped[dt.date] = mapped_column(primary_key=True)
    holdings_value: Mapped[Decimal] = mapped_column(RupeesColumn)
    net: Mapped[Decimal] = mapped_column(RupeesColumn)


class FirmClose(Table):
    __tablename__ = "firm_closes"

    date: Mapped[dt.date] = mapped_column(primary_key=True)
    value: Mapped[Decimal] = mapped_column(RupeesColumn)
    clients: Mapped[int]
