"""Rebalances that were computed, and advice that was sent: stored as shown, never edited."""

import datetime as dt
import uuid
from decimal import Decimal

from sqlalchemy import BigInteger, ForeignKey, Index, Integer, LargeBinary, Text
from sqlalchemy.orm import Mapped, mapped_column

from tarazu.kit.db import InstantColumn, PercentColumn, RupeesColumn, Table


class Rebalance(Table):
    """One computed rebalance with everything it was computed from; a send is checked against it."""

    __tablename__ = "rebalances"

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    client_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("people.id"), index=True)
    account_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("people.id"))
    priced_at: Mapped[dt.datetime] = mapped_column(InstantColumn, index=True)
    package: Mapped[str] = mapped_column(Text)


class AdviceDraft(Table):
    """An advice that a person has not sent yet. `content` is JSON that only the advice form reads.

    `is_follow_up`: the product wrote it, and the person has not changed it yet.
    """

    __tablename__ = "advice_drafts"

    client_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("people.id"), primary_key=True)
    account_id: Mapped[uuid.UUID] = mapped_column(
        ForeignKey("people.id"), primary_key=True, index=True
    )
    content: Mapped[str] = mapped_column(Text)
    schema_version: Mapped[int]
    is_follow_up: Mapped[bool]
    version: Mapped[int]
    changed_at: Mapped[dt.datetime] = mapped_column(InstantColumn, index=True)


class Advice(Table):
    __tablename__ = "advices"

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    client_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("people.id"))
    account_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("people.id"))
    # Not a foreign key: rebalances are dropped after a while; the sealed text has a copy.
    rebalance_id: Mapped[uuid.UUID | None] = mapped_column(unique=True)
    created_at: Mapped[dt.datetime] = mapped_column(InstantColumn)
    total_stocks: Mapped[int]
    total_invested_value: Mapped[Decimal] = mapped_column(RupeesColumn)
    total_buy_value: Mapped[Decimal] = mapped_column(RupeesColumn)
    total_sell_value: Mapped[Decimal] = mapped_column(RupeesColumn)
    rationale: Mapped[str] = mapped_column(Text)
    mail_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("outbox.id"), index=True)
    # The model's version that it follows and the run that computed it, as sealed; None without one.
    model_id: Mapped[uuid.UUID | None]
    model_name: Mapped[str] = mapped_column(server_default="")
    model_number: Mapped[int | None]
    run_id: Mapped[uuid.UUID | None]
    # The last day on which the client should act on it, as sealed.
    valid_until: Mapped[dt.date | None]

    __table_args__ = (
        Index("ix_advices_created_at", "created_at"),
        Index("ix_advices_client_id_created_at", "client_id", "created_at"),
    )


class AdviceStock(Table):
    __tablename__ = "advice_stocks"

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    advice_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("advices.id"), index=True)
    place: Mapped[int]
    type: Mapped[str]
    symbol: Mapped[str]
    exchange: Mapped[str]
    product: Mapped[str]
    isin: Mapped[str]
    instrument_token: Mapped[int] = mapped_column(BigInteger)
    quantity: Mapped[int] = mapped_column(BigInteger)
    allocation: Mapped[Decimal] = mapped_column(PercentColumn)
    possible_allocation: Mapped[Decimal] = mapped_column(PercentColumn)
    drift: Mapped[Decimal] = mapped_column(PercentColumn)
    message: Mapped[str]
    note: Mapped[str]
    last_price: Mapped[Decimal] = mapped_column(RupeesColumn)
    current_value: Mapped[Decimal] = mapped_column(RupeesColumn)
    additional_value: Mapped[Decimal] = mapped_column(RupeesColumn)
    freed_value: Mapped[Decimal] = mapped_column(RupeesColumn)
    projected_value: Mapped[Decimal] = mapped_column(RupeesColumn)


class AdviceSeal(Table):
    """A sealed advice: its whole text, chained to the seal before it, and signed.

    `hash` is SHA-256 over `previous_hash` and `package_hash`, both as hexadecimal digits;
    `signature` is Ed25519 over the ASCII digits of `hash`. Triggers refuse to change a row.
    """

    __tablename__ = "advice_seals"

    seq: Mapped[int] = mapped_column(
        BigInteger().with_variant(Integer(), "sqlite"), primary_key=True, autoincrement=True
    )
    advice_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("advices.id"), unique=True)
    sealed_at: Mapped[dt.datetime] = mapped_column(InstantColumn)
    package: Mapped[str] = mapped_column(Text)
    package_hash: Mapped[str]
    previous_hash: Mapped[str]
    hash: Mapped[str] = mapped_column(unique=True)
    key_id: Mapped[str]
    signature: Mapped[str]


class AdviceLetter(Table):
    """The letter of an advice, set from the sealed text after the sending.

    `signature` (Ed25519, by `key_id`) is over the digits of the advice's own `hash` and of the
    letter's `sha256`. Triggers refuse to change a row.
    """

    __tablename__ = "advice_letters"

    advice_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("advices.id"), primary_key=True)
    set_at: Mapped[dt.datetime] = mapped_column(InstantColumn)
    letter: Mapped[bytes] = mapped_column(LargeBinary)
    sha256: Mapped[str]
    key_id: Mapped[str]
    signature: Mapped[str]


class LetterDue(Table):
    """An advice whose letter is still to be set."""

    __tablename__ = "letters_due"

    advice_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("advices.id"), primary_key=True)


class AdviceLink(Table):
    """A link with which a client opens an advice without an account; stored as a digest.

    A link that a person makes ends those before it; one that a mail carries ends none.
    """

    __tablename__ = "advice_links"

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    digest: Mapped[str] = mapped_column(unique=True)
    advice_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("advices.id"), index=True)
    # The address to which codes are mailed: the client's own when the link was made.
    email: Mapped[str]
    # None of the one that the product makes for the mail.
    made_by: Mapped[uuid.UUID | None]
    made_at: Mapped[dt.datetime] = mapped_column(InstantColumn)
    expires_at: Mapped[dt.datetime] = mapped_column(InstantColumn)
    revoked_at: Mapped[dt.datetime | None] = mapped_column(InstantColumn)
    # When the content was first shown, after a right code.
    opened_at: Mapped[dt.datetime | None] = mapped_column(InstantColumn)
