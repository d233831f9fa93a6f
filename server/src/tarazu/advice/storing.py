"""How an advice is stored, sealed and mailed, once it is checked."""

import uuid
from dataclasses import dataclass, replace
from functools import cache

from pydantic import TypeAdapter
from sqlalchemy.orm import Session

from tarazu.advice import sealing, verification
from tarazu.advice.documents.contents import Contents
from tarazu.advice.documents.message import draft_of
from tarazu.advice.package import Package, Row
from tarazu.advice.sealing import (
    AtSending,
    Recipient,
    SealedAdvice,
    SealedAs,
    SealedDelivery,
    SealedLetter,
    Sender,
)
from tarazu.advice.send_checks import SealedCheck
from tarazu.advice.tables import Advice, AdviceStock
from tarazu.advice.validation import Sending
from tarazu.domain.charges import Side
from tarazu.kit import audit_log, mail
from tarazu.kit.audit_log import Actor
from tarazu.kit.db import new_id
from tarazu.people.service import Client


@dataclass(frozen=True, slots=True)
class Record:
    """All that stands behind an advice: the letter's contents, what was sent, its rebalance."""

    contents: Contents
    sending: Sending
    rebalance: Package | None


@dataclass(frozen=True, slots=True)
class Ready:
    """An advice that was checked and can be stored."""

    client: Client
    contents: Contents
    sending: Sending
    rebalance: Package | None
    at_sending: AtSending
    checks: tuple[SealedCheck, ...]


@cache
def record_form() -> TypeAdapter[Record]:
    """What writes a record as JSON and reads it; made when it is first needed."""
    return TypeAdapter(Record)


def stored(session: Session, actor: Actor, ready: Ready, letter: bytes) -> Advice:
    """Store, seal and mail one advice with its letter, in the caller's transaction."""
    contents, sending, client = ready.contents, ready.sending, ready.client
    mail_id = mail.queue(session, draft_of(contents, client.email, letter), contents.sent_at)
    record = Record(contents, sending, ready.rebalance)
    advice = Advice(
        id=contents.advice_id,
        client_id=client.id,
        account_id=actor.account_id,
        rebalance_id=sending.rebalance_id,
        created_at=contents.sent_at,
        total_stocks=sending.total_stocks,
        total_invested_value=contents.investment,
        total_buy_value=contents.value_after(Side.BUY),
        total_sell_value=contents.value_after(Side.SELL),
        rationale=contents.rationale,
        package=record_form().dump_json(record).decode(),
        letter=letter,
        mail_id=mail_id,
    )
    session.add(advice)
    session.flush()
    session.add_all(
        _advice_stock(advice.id, place, row, sending.rows[place].product)
        for place, row in enumerate(contents.rows)
    )
    session.flush()
    sender = Sender(
        actor.account_id, actor.name, actor.role, actor.ip, actor.session_id, actor.request_id
    )
    sealed = replace(
        sealed_of(session, advice, record, sender, SealedAs.SENT, ready.at_sending),
        checks=ready.checks,
    )
    sealed_hash = verification.seal(session, sealed, contents.sent_at)
    changes = {
        "clientId": client.id,
        "stocks": len(contents.rows),
        "mailId": mail_id,
        "seal": sealed_hash,
    }
    audit_log.record(
        session, actor, contents.sent_at, verification.SENT, ("advice", advice.id), changes
    )
    return advice


def sealed_of(
    session: Session,
    advice: Advice,
    record: Record,
    sender: Sender,
    sealed_as: SealedAs,
    at_sending: AtSending | None,
) -> SealedAdvice:
    """The text of an advice as it is sealed."""
    contents, sending = record.contents, record.sending
    posted = mail.outline_of(session, advice.mail_id) if advice.mail_id else None
    return SealedAdvice(
        form=sealing.FORM,
        sealed_as=sealed_as,
        advice_id=advice.id,
        sent_at=contents.sent_at,
        sender=sender,
        client=Recipient(advice.client_id, contents.client_code, contents.client_name),
        firm=contents.firm,
        rebalance_id=advice.rebalance_id,
        rebalance=record.rebalance,
        at_sending=at_sending,
        investment=contents.investment,
        total_stocks=advice.total_stocks,
        total_buy_value=advice.total_buy_value,
        total_sell_value=advice.total_sell_value,
        rows=contents.rows,
        products=tuple(row.product for row in sending.rows),
        charges=contents.charges,
        charges_broker=contents.broker,
        prices=contents.prices,
        rationale=contents.rationale,
        disclosures=contents.disclosures,
        letter=SealedLetter(
            contents.file_name, sealing.digest_of(advice.letter), len(advice.letter)
        ),
        delivery=_delivery_of(posted) if posted else None,
        number=contents.number,
        fingerprint=contents.fingerprint,
    )


def _delivery_of(posted: mail.Mail) -> SealedDelivery:
    return SealedDelivery(
        posted.id, posted.message_id, posted.recipient, posted.subject, posted.queued_at
    )


def _advice_stock(advice_id: uuid.UUID, place: int, row: Row, product: str) -> AdviceStock:
    return AdviceStock(
        id=new_id(),
        advice_id=advice_id,
        place=place,
        type=row.side,
        symbol=row.stock.symbol,
        exchange=row.stock.exchange,
        product=product,
        isin=row.stock.isin,
        instrument_token=row.stock.instrument_token,
        quantity=row.quantity,
        allocation=row.allocation,
        possible_allocation=row.possible,
        drift=row.drift,
        message=row.message,
        last_price=row.last_price,
        current_value=row.current_value,
        additional_value=row.additional_value,
        freed_value=row.freed_value,
        projected_value=row.projected_value,
    )
