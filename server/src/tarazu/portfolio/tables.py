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
    # When holdings came in for the first time: of before nothing is known.
    first_synced_at: Mapped[dt.datetime | None] = mapped_column(InstantColumn)
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


class HoldingChange(Table):
    """What a reading showed of a holding, where it differs from the reading before.

    From these, what a corporate action did to the holding is known also if it is entered later.
    The first reading of an account leaves no rows. `traded` are own trades since the reading
    before, bought less sold, where they were looked at.
    """

    __tablename__ = "holding_changes"

    client_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("people.id"), primary_key=True)
    instrument_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("instruments.id"), primary_key=True)
    at: Mapped[dt.datetime] = mapped_column(InstantColumn, primary_key=True)
    before: Mapped[int] = mapped_column(BigInteger)
    after: Mapped[int] = mapped_column(BigInteger)
    average_before: Mapped[Decimal] = mapped_column(RupeesColumn)
    average_after: Mapped[Decimal] = mapped_column(RupeesColumn)
    traded: Mapped[int] = mapped_column(BigInteger)

    __table_args__ = (Index("ix_holding_changes_instrument_id_at", "instrument_id", "at"),)


class CreditState(StrEnum):
    """Where a holding is between a corporate action and its end at the broker.

    WAITING: the shares are not credited. AVERAGE: the average is still that of before. UNKNOWN:
    first read after the ex-date, so that it is not known whether the shares are credited.
    """

    WAITING = "WAITING"
    AVERAGE = "AVERAGE"
    UNKNOWN = "UNKNOWN"
    DONE = "DONE"


class PendingAction(Table):
    """What a corporate action does to one holding; computed again at each reading.

    `since` is the ex-date. `false_cost` is by how much quantity times average of the holding is
    above what its shares cost. `is_adjusted` is untrue where a close before the credit is left as
    it was, because what it lacks is not known.
    """

    __tablename__ = "pending_actions"
    tracks_version = True

    client_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("people.id"), primary_key=True)
    action_id: Mapped[uuid.UUID] = mapped_column(
        ForeignKey("corporate_actions.id"), primary_key=True
    )
    instrument_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("instruments.id"), primary_key=True)
    quantity_before: Mapped[int] = mapped_column(BigInteger)
    expected_quantity: Mapped[int] = mapped_column(BigInteger)
    since: Mapped[dt.date]
    credited_at: Mapped[dt.datetime | None] = mapped_column(InstantColumn)
    state: Mapped[CreditState]
    false_cost: Mapped[Decimal] = mapped_column(RupeesColumn)
    is_adjusted: Mapped[bool]

    __table_args__ = (
        Index("ix_pending_actions_action_id", "action_id"),
        Index("ix_pending_actions_state", "state"),
        Index("ix_pending_actions_credited_at", "credited_at"),
    )


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
    # None for closes that were not made here, as those of the demo.
    closed_at: Mapped[dt.datetime | None] = mapped_column(InstantColumn)


class CloseAdjustment(Table):
    """What a client's close lacks of shares that a corporate action brought and nobody had credited.

    The close itself stays as it was written; without the action these rows are gone.
    """

    __tablename__ = "close_adjustments"
    tracks_version = True

    client_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("people.id"), primary_key=True)
    date: Mapped[dt.date] = mapped_column(primary_key=True)
    action_id: Mapped[uuid.UUID] = mapped_column(
        ForeignKey("corporate_actions.id"), primary_key=True
    )
    instrument_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("instruments.id"), primary_key=True)
    value: Mapped[Decimal] = mapped_column(RupeesColumn)

    __table_args__ = (
        Index("ix_close_adjustments_date", "date"),
        Index("ix_close_adjustments_action_id", "action_id"),
    )


class FirmCloseAdjustment(Table):
    """The sum of the adjustments of the clients that count in the firm's close."""

    __tablename__ = "firm_close_adjustments"

    date: Mapped[dt.date] = mapped_column(primary_key=True)
    action_id: Mapped[uuid.UUID] = mapped_column(
        ForeignKey("corporate_actions.id"), primary_key=True
    )
    value: Mapped[Decimal] = mapped_column(RupeesColumn)
