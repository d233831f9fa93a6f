"""Seals and stores advice and queues its mail: of one client, or of many at once.

One transaction stores each advice with its seal, its audit row and its mail. The letter is set
afterwards, from the sealed text alone, and only then does the mail go (`documents.letter_store`):
a typesetter takes longer than all the rest, and no writer waits for it.
"""

import datetime as dt
import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy.orm import Session

from tarazu.advice import queries, sealing
from tarazu.advice.check_results import SealedCheck
from tarazu.advice.documents.contents import file_name_of, standard_rationale, subject_of
from tarazu.advice.package import Package, PriceUsed, Row
from tarazu.advice.sealing import (
    AtSending,
    Disclosures,
    PriceNote,
    SealedAdvice,
    SealedApproval,
    SealedAs,
    SealedClient,
    SealedDelivery,
    SealedLetter,
    SealedModel,
    Sender,
)
from tarazu.advice.verification import SENT
from tarazu.domain.charges import ChargeRates, Charges, Order, Side, Tariff
from tarazu.domain.money import to_units
from tarazu.firm import service as firm
from tarazu.kit import audit_log, mail, signing
from tarazu.kit.audit_log import Actor
from tarazu.kit.db import new_id
from tarazu.kit.mail import Mail
from tarazu.orders import service as orders
from tarazu.people.service import Client


@dataclass(frozen=True, slots=True)
class AdviceTerms:
    """What applies to every advice of one send.

    `model` is the model portfolio version that they follow, if any. `rationale` may be "": then
    each advice carries the firm's standard rationale. `approval` is that of a second administrator,
    where the firm asks for one.
    """

    model: SealedModel | None
    rationale: str
    disclosures: Disclosures
    checks: tuple[SealedCheck, ...]
    approval: SealedApproval | None = None


@dataclass(frozen=True, slots=True)
class CheckedAdvice:
    """One client's advice, checked and ready to be sealed; `rows` are those sent, in their order."""

    client: Client
    rebalance: Package
    rows: tuple[Row, ...]
    products: tuple[str, ...]
    prices: PriceNote
    rates: ChargeRates
    at_sending: AtSending
    total_stocks: int
    rebalance_id: uuid.UUID | None = None


def seal_and_queue(
    session: Session,
    actor: Actor,
    batch: Sequence[CheckedAdvice],
    terms: AdviceTerms,
    now: dt.datetime,
) -> list[SealedAdvice]:
    """Seal and store each advice and queue its mail, in the caller's transaction."""
    if not batch:
        return []
    mails = mail.queue_awaiting(
        session,
        [
            mail.Awaiting(
                checked.client.email,
                subject_of(now, checked.client.language),
                file_name_of(checked.client.code, now),
            )
            for checked in batch
        ],
        now,
    )
    sealing.lock_chain(session)
    standard, valid_until = firm.standard_rationale(session), firm.valid_until(session, now)
    registrations = {
        language: firm.registration(session, language)
        for language in {checked.client.language for checked in batch}
    }
    fingerprint = signing.signer_of(session).key_id
    sender = Sender(
        actor.account_id, actor.name, actor.role, actor.ip, actor.session_id, actor.request_id
    )
    sealed = [
        SealedAdvice(
            form=sealing.FORM,
            sealed_as=SealedAs.SENT,
            advice_id=new_id(),
            sent_at=now,
            sender=sender,
            client=SealedClient(checked.client.id, checked.client.code, checked.client.name),
            firm=registrations[checked.client.language],
            rebalance_id=checked.rebalance_id,
            rebalance=checked.rebalance,
            at_sending=checked.at_sending,
            investment=checked.rebalance.investment,
            total_stocks=checked.total_stocks,
            total_buy_value=sealing.total_of(checked.rows, Side.BUY),
            total_sell_value=sealing.total_of(checked.rows, Side.SELL),
            rows=checked.rows,
            products=checked.products,
            charges=_charges(checked.rows, checked.rates),
            charges_broker=checked.rates.broker,
            prices=checked.prices,
            rationale=terms.rationale
            or standard_rationale(
                standard,
                checked.rebalance.investment,
                checked.rows,
                checked.client.language,
                has_model=terms.model is not None,
            ),
            disclosures=terms.disclosures,
            letter=SealedLetter(posted.attachment_name or ""),
            delivery=_delivery_of(posted),
            number=number,
            fingerprint=fingerprint,
            checks=terms.checks,
            model=terms.model,
            language=checked.client.language,
            valid_until=valid_until,
            approval=terms.approval,
        )
        for number, (checked, posted) in enumerate(
            zip(batch, mails, strict=True), sealing.next_number(session)
        )
    ]
    queries.add_advices(
        session,
        [sealing.advice_columns(advice) for advice in sealed],
        [
            {"id": new_id(), "advice_id": advice.advice_id, "place": place} | columns
            for advice in sealed
            for place, columns in enumerate(sealing.stock_columns(advice))
        ],
    )
    # The advice is followed from now on, and ends the windows of earlier advice.
    orders.mark_matching_due(session, [checked.client.id for checked in batch], now)
    hashes = sealing.seal_all(session, sealed, now)
    audit_log.record_many(session, actor, now, SENT, list(map(_audit_row, sealed, hashes)))
    return sealed


def price_note(used: Sequence[PriceUsed], rows: Sequence[Row], read_at: dt.datetime) -> PriceNote:
    """The prices that these rows are computed with."""
    tokens = {row.stock.instrument_token for row in rows}
    mine = tuple(price for price in used if price.stock.instrument_token in tokens)
    sources = tuple(sorted({price.source for price in mine}))
    return PriceNote(read_at, min(price.at for price in mine), sources, mine)


def _charges(rows: Sequence[Row], rates: ChargeRates) -> Charges:
    return Tariff(rates).estimate(
        Order(row.side, to_units(row.additional_value + row.freed_value), row.stock.exchange)
        for row in rows
    )


def _delivery_of(posted: Mail) -> SealedDelivery:
    return SealedDelivery(
        posted.id, posted.message_id, posted.recipient, posted.subject, posted.queued_at
    )


def _audit_row(
    sealed: SealedAdvice, sealed_hash: str
) -> tuple[tuple[str, uuid.UUID], dict[str, object]]:
    changes: dict[str, object] = {
        "clientId": sealed.client.client_id,
        "stocks": len(sealed.rows),
        "mailId": sealed.delivery.mail_id,
        "seal": sealed_hash,
    }
    if sealed.model:
        changes["model"] = sealed.model.name
    if sealed.approval:
        changes["approvalId"] = sealed.approval.approval_id
    return ("advice", sealed.advice_id), changes
