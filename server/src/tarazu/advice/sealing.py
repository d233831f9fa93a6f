"""An advice sealed: one text that holds all that stands behind it, and the sums that guard it.

The text is canonical JSON: keys in order, no spaces, every amount and share as text. Its SHA-256 is
chained to that of the advice sealed before it, and the link of the chain is what is signed.
"""

import datetime as dt
import hashlib
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from functools import cache

from pydantic import TypeAdapter

from tarazu.advice import package
from tarazu.advice.adapters.contents import Author, Contents, Disclosures, PriceNote
from tarazu.advice.before_send import SealedCheck
from tarazu.advice.canonical import Writer
from tarazu.advice.package import ENGINE, Package, Position, PriceUsed, Row, Stock
from tarazu.domain.charges import ChargeRates, Charges
from tarazu.domain.money import Rupees
from tarazu.domain.rebalancing.plan import CannotPlan, Options
from tarazu.firm.service import Registration
from tarazu.kit.formatting import day_of

FORM = "tarazu-advice/2"
"""The form of what is sealed now. What was sealed as /1 lacks `checks`, and is read as it is."""


class SealedAs(StrEnum):
    """When an advice was sealed.

    `SENT`: in the transaction of the sending. `KNOWN`: sent by an older version of the product, and
    sealed later as far as it was known.
    """

    SENT = "SENT"
    KNOWN = "KNOWN"


@dataclass(frozen=True, slots=True)
class Sender:
    """Who sent it, as which role, and from where; "" where it is not known."""

    account_id: uuid.UUID | None
    name: str
    role: str
    ip: str
    session_id: uuid.UUID | None
    request_id: str


@dataclass(frozen=True, slots=True)
class Recipient:
    """The client as the record read then."""

    client_id: uuid.UUID
    code: str
    name: str


@dataclass(frozen=True, slots=True)
class AtSending:
    """What was known when it was sent, read anew after the rebalance: it may have moved since."""

    holdings_source: str
    synced_at: dt.datetime | None
    cash: Rupees
    positions: tuple[Position, ...]
    prices: tuple[PriceUsed, ...]


@dataclass(frozen=True, slots=True)
class SealedLetter:
    """The letter as a file: its name, its SHA-256, and its size in bytes.

    Of an advice that was sent with many others the letter is set afterwards, from this text alone:
    the SHA-256 is "" then, and stands with a signature beside the letter.
    """

    file_name: str
    sha256: str
    size: int


@dataclass(frozen=True, slots=True)
class SealedModel:
    """The version of a model portfolio that the advice follows, and the run that worked it out."""

    model_id: uuid.UUID
    name: str
    version_id: uuid.UUID
    number: int
    published_at: dt.datetime
    run_id: uuid.UUID


@dataclass(frozen=True, slots=True)
class SealedDelivery:
    """The mail that carried it, as it was queued; what became of it stands in the audit trail."""

    mail_id: uuid.UUID
    message_id: str
    recipient: str
    subject: str
    queued_at: dt.datetime


@dataclass(frozen=True, slots=True)
class SealedAdvice:
    """All that stands behind one advice. `rows` are those sent, in their order.

    `number` and `fingerprint` are those of its seal, as its letter names them (see `Contents`).
    """

    form: str
    sealed_as: SealedAs
    advice_id: uuid.UUID
    sent_at: dt.datetime
    sender: Sender
    client: Recipient
    firm: Registration
    rebalance_id: uuid.UUID | None
    rebalance: Package | None
    at_sending: AtSending | None
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
    delivery: SealedDelivery | None
    engine: str = ENGINE
    model: SealedModel | None = None
    number: int | None = None
    fingerprint: str = ""
    checks: tuple[SealedCheck, ...] = ()


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at, whether it holds, and a sentence on it.

    `holds` is None where there was nothing to look at.
    """

    name: str
    holds: bool | None
    message: str


@cache
def _form() -> TypeAdapter[SealedAdvice]:
    # Made when it is first needed: the start is shorter without it.
    return TypeAdapter(SealedAdvice)


def texts_of(sealed: Sequence[SealedAdvice]) -> Iterator[str]:
    """The canonical JSON of each, which is hashed; what they share is written once."""
    writer = Writer(
        Stock,
        PriceUsed,
        Row,
        Registration,
        SealedModel,
        SealedCheck,
        Sender,
        Options,
        ChargeRates,
        Disclosures,
    )
    return map(writer.text_of, sealed)


def from_text(text: str) -> SealedAdvice:
    """The advice that `texts_of` wrote.

    Raises:
        ValidationError: it is of another form.
    """
    return _form().validate_json(text)


def contents_of(sealed: SealedAdvice) -> Contents:
    """What the letter of a sealed advice says, from the sealed text alone."""
    return Contents(
        advice_id=sealed.advice_id,
        sent_at=sealed.sent_at,
        firm=sealed.firm,
        author=Author(sealed.sender.name, sealed.sender.role),
        client_name=sealed.client.name,
        client_code=sealed.client.code,
        investment=sealed.investment,
        rows=sealed.rows,
        charges=sealed.charges,
        broker=sealed.charges_broker,
        rationale=sealed.rationale,
        disclosures=sealed.disclosures,
        prices=sealed.prices,
        model=words_of(sealed.model) if sealed.model else "",
        number=sealed.number,
        fingerprint=sealed.fingerprint,
    )


def words_of(model: SealedModel) -> str:
    """The model and its version as the letter names them."""
    return f"{model.name}, version {model.number} of {day_of(model.published_at)}"


def digest_of(content: bytes) -> str:
    """SHA-256 in hexadecimal digits."""
    return hashlib.sha256(content).hexdigest()


def link_of(previous_hash: str, package_hash: str) -> str:
    """One link of the chain: the hash of what was before and of what is sealed now."""
    return digest_of(f"{previous_hash}{package_hash}".encode())


def letter_link_of(advice_hash: str, letter_sha256: str) -> bytes:
    """What is signed for a letter that was set after the sealing: its advice and its own hash."""
    return f"{advice_hash}{letter_sha256}".encode()


def check_of_rebalance(computed: Package | None) -> Check:
    """The rebalance computed once more, from the package alone, to the share.

    What another engine computed is not at fault because the rules have changed since.
    """
    name = "Rebalance"
    if computed is None:
        text = "Sent by an older version without a rebalance: its rows alone are checked."
        return Check(name, None, text)
    if not package.is_by_these_rules(computed.engine):
        text = (
            f"Computed by {computed.engine}, whose rules are not those of this one ({ENGINE}): not "
            "computed again. The rows alone are checked."
        )
        return Check(name, None, text)
    try:
        unlike = _unlike(computed.rows, package.planned_anew(computed))
    except CannotPlan as error:
        return Check(name, False, f"It cannot be worked out again: {error}.")
    if unlike:
        return Check(name, False, f"Worked out again, it differs: {'; '.join(unlike)}.")
    count = len(computed.rows)
    if computed.given is not None:
        text = f"The sender chose the shares; computed again, they come to the same in all {count} rows."
        return Check(name, True, text)
    engines = "" if computed.engine == ENGINE else f", then by {computed.engine}, now by {ENGINE}"
    return Check(name, True, f"Worked out again: the same quantities in all {count} rows{engines}.")


def _unlike(then: Sequence[Row], now: Sequence[Row]) -> list[str]:
    if len(then) != len(now):
        return [f"{len(then)} rows then, {len(now)} now"]
    return [
        f"{old.stock.symbol} {old.new_quantity} shares then, {new.new_quantity} now"
        if old.new_quantity != new.new_quantity
        else f"{old.stock.symbol} has other figures"
        for old, new in zip(then, now, strict=True)
        if _figures_of(old) != _figures_of(new)
    ]


def _figures_of(row: Row) -> tuple[object, ...]:
    """All but the words, which each version chooses for itself."""
    names = (one.name for one in fields(row) if one.name not in {"stock", "message"})
    return row.stock.isin, *(getattr(row, name) for name in names)


def check_of_rows(sealed: SealedAdvice) -> Check:
    """Whether what was sent is what the rebalance came to, and each row adds up."""
    name = "Rows"
    for row in sealed.rows:
        sign = 1 if row.side == "BUY" else -1
        if row.held + sign * row.quantity != row.new_quantity:
            return Check(name, False, f"{row.stock.symbol}: the quantities do not add up.")
        if row.projected_value != (row.last_price or Rupees(0)) * row.new_quantity:
            return Check(name, False, f"{row.stock.symbol}: the value is not price times shares.")
    if sealed.rebalance is not None:
        traded = {row.stock.isin: row.new_quantity for row in sealed.rebalance.rows if row.quantity}
        if traded != {row.stock.isin: row.new_quantity for row in sealed.rows}:
            return Check(name, False, "The rows that were sent are not those of the rebalance.")
    return Check(name, True, f"{len(sealed.rows)} rows, each adding up.")
