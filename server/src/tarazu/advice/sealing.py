"""A sealed advice: one canonical text with everything behind the advice, its hash and its chain.

The text is canonical JSON: keys in order, no spaces, every amount and share as text. Its SHA-256 is
chained to that of the advice sealed before it, and the link of the chain is what is signed.
"""

import datetime as dt
import hashlib
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from pydantic import TypeAdapter
from sqlalchemy.orm import Session

from tarazu.advice import queries
from tarazu.advice.canonical import Writer
from tarazu.advice.check_results import SealedCheck
from tarazu.advice.package import ENGINE, Package, Position, PriceUsed, Row, Stock
from tarazu.advice.queries import Link
from tarazu.domain.charges import ChargeRates, Charges, Side
from tarazu.domain.money import ZERO, Rupees
from tarazu.domain.rebalancing.plan import Options
from tarazu.firm.service import FirmRegistration
from tarazu.kit import audit_log, signing
from tarazu.kit.db import acquire_lock
from tarazu.kit.locks import AdvisoryLock
from tarazu.kit.translation import Language

FORM = "tarazu-advice/2"
"""The form of the sealed text."""


class SealedAs(StrEnum):
    """When an advice was sealed. `SENT`: in the transaction of the sending, as every advice is."""

    SENT = "SENT"
    KNOWN = "KNOWN"


@dataclass(frozen=True, slots=True)
class Sender:
    """Who sent it, with which role, and from where; "" where it is not known."""

    account_id: uuid.UUID | None
    name: str
    role: str
    ip: str
    session_id: uuid.UUID | None
    request_id: str


@dataclass(frozen=True, slots=True)
class SealedApproval:
    """The second administrator who approved the send, where the firm asks for one."""

    approval_id: uuid.UUID
    asked_at: dt.datetime
    approved_at: dt.datetime
    approver: Sender


@dataclass(frozen=True, slots=True)
class SealedClient:
    """The client as recorded at the time of sending."""

    client_id: uuid.UUID
    code: str
    name: str


@dataclass(frozen=True, slots=True)
class AtSending:
    """Holdings, cash and prices read at the sending: they may have moved since the rebalance."""

    holdings_source: str
    synced_at: dt.datetime | None
    cash: Rupees
    positions: tuple[Position, ...]
    prices: tuple[PriceUsed, ...]


@dataclass(frozen=True, slots=True)
class Disclosures:
    """Disclosures for this advice alone; empty where the firm's own text applies."""

    holdings: str = ""
    conflicts: str = ""
    compensation: str = ""


@dataclass(frozen=True, slots=True)
class PriceNote:
    """When the prices were read, how old the oldest is, their sources, and each stock's price."""

    read_at: dt.datetime
    oldest_at: dt.datetime
    sources: tuple[str, ...]
    used: tuple[PriceUsed, ...]


@dataclass(frozen=True, slots=True)
class SealedLetter:
    """The letter's file name.

    The letter is set from the sealed text after the sealing, so `sha256` is "" and `size` is 0: the
    hash is signed with the advice's link and stored with the letter.
    """

    file_name: str
    sha256: str = ""
    size: int = 0


@dataclass(frozen=True, slots=True)
class SealedModel:
    """The model portfolio version that the advice follows, and the run that computed it.

    `risks` is what that version says of them.
    """

    model_id: uuid.UUID
    name: str
    version_id: uuid.UUID
    number: int
    published_at: dt.datetime
    run_id: uuid.UUID
    risks: str = ""


@dataclass(frozen=True, slots=True)
class SealedDelivery:
    """The mail that carries the letter, as it was queued; the audit trail says what became of it."""

    mail_id: uuid.UUID
    message_id: str
    recipient: str
    subject: str
    queued_at: dt.datetime


@dataclass(frozen=True, slots=True)
class SealedAdvice:
    """Everything behind one advice. `rows` are those sent, in their order.

    `number` is that of the seal and `fingerprint` that of the signing key. The letter names both, so
    a client's copy vouches for the seal. `language` is that of the letter and the mail, and of the
    firm's texts here. `valid_until` is the last day on which the client should act on it.
    """

    form: str
    sealed_as: SealedAs
    advice_id: uuid.UUID
    sent_at: dt.datetime
    sender: Sender
    client: SealedClient
    firm: FirmRegistration
    rebalance_id: uuid.UUID | None
    rebalance: Package
    at_sending: AtSending
    investment: Rupees
    total_stocks: int
    total_buy_value: Rupees
    total_sell_value: Rupees
    rows: tuple[Row, ...]
    products: tuple[str, ...]
    charges: Charges
    charges_broker: str
    prices: PriceNote
    rationale: str
    disclosures: Disclosures
    letter: SealedLetter
    delivery: SealedDelivery
    number: int
    fingerprint: str
    checks: tuple[SealedCheck, ...]
    model: SealedModel | None = None
    engine: str = ENGINE
    language: Language = Language.EN
    valid_until: dt.date | None = None
    approval: SealedApproval | None = None


@cache
def _form() -> TypeAdapter[SealedAdvice]:
    # Built on first use, which shortens the start.
    return TypeAdapter(SealedAdvice)


def texts_of(sealed: Sequence[SealedAdvice]) -> Iterator[str]:
    """The canonical JSON of each advice, which is hashed; shared values are written once."""
    writer = Writer(
        Stock,
        PriceUsed,
        Row,
        FirmRegistration,
        SealedModel,
        SealedCheck,
        Sender,
        SealedApproval,
        Options,
        ChargeRates,
        Disclosures,
    )
    return map(writer.text_of, sealed)


def from_text(text: str) -> SealedAdvice:
    """The advice that `texts_of` wrote.

    Raises:
        ValidationError: the text has another form.
    """
    return _form().validate_json(text)


def total_of(rows: Sequence[Row], side: Side) -> Rupees:
    """Value of the stocks of one side after the trades: the totals as the product defines them."""
    return sum((row.projected_value or ZERO for row in rows if row.side is side), ZERO)


def advice_columns(advice: SealedAdvice) -> dict[str, object]:
    """The columns of `Advice`, which the history shows."""
    return {
        "id": advice.advice_id,
        "client_id": advice.client.client_id,
        "account_id": advice.sender.account_id,
        "rebalance_id": advice.rebalance_id,
        "created_at": advice.sent_at,
        "total_stocks": advice.total_stocks,
        "total_invested_value": advice.investment,
        "total_buy_value": advice.total_buy_value,
        "total_sell_value": advice.total_sell_value,
        "rationale": advice.rationale,
        "mail_id": advice.delivery.mail_id,
        "model_id": advice.model.model_id if advice.model else None,
        "model_name": advice.model.name if advice.model else "",
        "model_number": advice.model.number if advice.model else None,
        "run_id": advice.model.run_id if advice.model else None,
        "valid_until": advice.valid_until,
    }


def stock_columns(advice: SealedAdvice) -> list[dict[str, object]]:
    """The columns of `AdviceStock` of each row, which the history shows."""
    return [
        {
            "type": row.side.value,
            "symbol": row.stock.symbol,
            "exchange": row.stock.exchange,
            "product": product,
            "isin": row.stock.isin,
            "instrument_token": row.stock.instrument_token,
            "quantity": row.quantity,
            "allocation": row.allocation,
            "possible_allocation": row.possible,
            "drift": row.drift,
            "message": row.message,
            "note": row.note,
            "last_price": row.last_price,
            "current_value": row.current_value,
            "additional_value": row.additional_value,
            "freed_value": row.freed_value,
            "projected_value": row.projected_value,
        }
        for row, product in zip(advice.rows, advice.products, strict=True)
    ]


def digest_of(content: bytes) -> str:
    """SHA-256 in hexadecimal digits."""
    return hashlib.sha256(content).hexdigest()


def link_of(previous_hash: str, package_hash: str) -> str:
    """One link of the chain: the hash of the link before and of the package sealed now."""
    return digest_of(f"{previous_hash}{package_hash}".encode())


def letter_link_of(advice_hash: str, letter_sha256: str) -> bytes:
    """The bytes signed for a letter: its advice's link and its own hash."""
    return f"{advice_hash}{letter_sha256}".encode()


def lock_chain(session: Session) -> None:
    """Let nobody else seal until the transaction ends."""
    acquire_lock(session, AdvisoryLock.SEALED_ADVICE)


def next_number(session: Session) -> int:
    """The number of the next seal; certain only after `lock_chain`."""
    return last_link(session).seq + 1


def last_link(session: Session) -> Link:
    """The end of the chain; where all of it was purged, its end as the audit trail noted it."""
    last = queries.last_link(session)
    if last is not None:
        return last
    purges = audit_log.all_changes_of(session, "records_purged")
    ends = [changes for changes in purges if "sealedThrough" in changes]
    return Link(ends[-1].get("sealedNumber", 0), ends[-1]["sealedThrough"]) if ends else Link(0, "")


def seal_all(session: Session, sealed: Sequence[SealedAdvice], now: dt.datetime) -> list[str]:
    """Seal advices in their order, in the caller's transaction; their hashes.

    Numbers follow the last seal, not a sequence, so a rolled-back transaction leaves no gap.
    """
    lock_chain(session)
    number, previous = last_link(session)
    signer = signing.signer_of(session)
    rows: list[dict[str, object]] = []
    for seq, (advice, text) in enumerate(zip(sealed, texts_of(sealed), strict=True), number + 1):
        package_hash = digest_of(text.encode())
        link = link_of(previous, package_hash)
        rows.append(
            {
                "seq": seq,
                "advice_id": advice.advice_id,
                "sealed_at": now,
                "package": text,
                "package_hash": package_hash,
                "previous_hash": previous,
                "hash": link,
                "key_id": signer.key_id,
                "signature": signer.sign(link.encode()),
            }
        )
        previous = link
    queries.add_seals(session, rows)
    return [str(row["hash"]) for row in rows]
