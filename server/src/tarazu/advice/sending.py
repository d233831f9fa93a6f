"""Seals, stores and queues advice: to one client, or to many at once.

One transaction stores each advice with its seal, its audit row and its mail. The letter is set
afterwards, from the sealed text alone, and only then does the mail go (`documents.letter_store`):
a typesetter takes longer than all the rest, and no writer waits for it.
"""

import datetime as dt
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy.orm import Session

from tarazu.advice import package, queries, sealing
from tarazu.advice.documents.contents import file_name_of, standard_rationale
from tarazu.advice.documents.message import subject_of
from tarazu.advice.errors import ClientInactive, NothingToSend, UnfitStock
from tarazu.advice.package import PRODUCT, Package, Position, PriceUsed, Restricted, Row
from tarazu.advice.rebalancing import price_of_stocks, restricted_stocks, stock_of
from tarazu.advice.sealing import (
    AtSending,
    Disclosures,
    PriceNote,
    SealedAdvice,
    SealedAs,
    SealedClient,
    SealedDelivery,
    SealedLetter,
    SealedModel,
    Sender,
)
from tarazu.advice.send_checks import SealedCheck
from tarazu.advice.validation import refuse_moved_price
from tarazu.advice.verification import SENT
from tarazu.domain.charges import ChargeRates, Charges, Order, Side, Tariff
from tarazu.domain.money import Percent, to_units
from tarazu.firm import service as firm
from tarazu.instruments import service as instruments
from tarazu.instruments.service import Listed
from tarazu.kit import audit_log, mail, signing
from tarazu.kit.audit_log import Actor
from tarazu.kit.db import new_id
from tarazu.kit.mail import Mail
from tarazu.people import service as people
from tarazu.people.errors import ClientNotFound
from tarazu.people.service import Client
from tarazu.people.tables import Status
from tarazu.portfolio import service as portfolio
from tarazu.portfolio.service import WholeAccount


@dataclass(frozen=True, slots=True)
class AdviceTerms:
    """What applies to every advice of one send.

    `model` is the model portfolio version that they follow, if any. `rationale` may be "": then
    each advice carries the firm's standard rationale.
    """

    model: SealedModel | None
    rationale: str
    disclosures: Disclosures
    checks: tuple[SealedCheck, ...]


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


@dataclass(frozen=True, slots=True)
class ClientRebalance:
    """One client's rebalance as it was reviewed."""

    client_id: uuid.UUID
    rebalance: Package


@dataclass(frozen=True, slots=True)
class NotSent:
    """Why a client got no advice; `has_changed`: what was reviewed is no longer current."""

    message: str
    has_changed: bool = False


@dataclass(frozen=True, slots=True)
class _BatchFacts:
    """What is known now about the clients of one batch, each kind read at once."""

    clients: Mapping[uuid.UUID, Client]
    accounts: Mapping[uuid.UUID, WholeAccount]
    listed: Mapping[uuid.UUID, Listed]
    restricted: Mapping[uuid.UUID, tuple[Restricted, ...]]
    advised_at: Mapping[uuid.UUID, dt.datetime]
    prices: Mapping[int, PriceUsed]
    tolerance: Percent


def send_batch(
    session: Session,
    actor: Actor,
    batch: Sequence[ClientRebalance],
    terms: AdviceTerms,
    now: dt.datetime,
) -> dict[uuid.UUID, uuid.UUID | NotSent]:
    """Send each of these clients one advice; by client its id, or why there is none.

    Everything happens in the caller's transaction. The checks before the send were made when it was
    asked for: they come with the terms.
    """
    facts = _facts_of(session, batch)
    results: dict[uuid.UUID, uuid.UUID | NotSent] = {}
    checked = []
    for one in batch:
        try:
            refusal = _refusal_of(one, facts)
        except UnfitStock as error:
            refusal = NotSent(error.message)
        if refusal is None:
            checked.append(_checked(one, facts))
        else:
            results[one.client_id] = refusal
    sent = seal_and_queue(session, actor, checked, terms, now)
    return results | {sealed.client.client_id: sealed.advice_id for sealed in sent}


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
            mail.Awaiting(one.client.email, subject_of(now), file_name_of(one.client.code, now))
            for one in batch
        ],
        now,
    )
    sealing.lock_chain(session)
    registration, standard = firm.registration(session), firm.standard_rationale(session)
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
            client=SealedClient(one.client.id, one.client.code, one.client.name),
            firm=registration,
            rebalance_id=one.rebalance_id,
            rebalance=one.rebalance,
            at_sending=one.at_sending,
            investment=one.rebalance.investment,
            total_stocks=one.total_stocks,
            total_buy_value=sealing.total_of(one.rows, Side.BUY),
            total_sell_value=sealing.total_of(one.rows, Side.SELL),
            rows=one.rows,
            products=one.products,
            charges=_charges(one.rows, one.rates),
            charges_broker=one.rates.broker,
            prices=one.prices,
            rationale=terms.rationale
            or standard_rationale(
                standard,
                one.rebalance.investment,
                one.rows,
                has_model=terms.model is not None,
            ),
            disclosures=terms.disclosures,
            letter=SealedLetter(posted.attachment_name or ""),
            delivery=_delivery_of(posted),
            number=number,
            fingerprint=fingerprint,
            checks=terms.checks,
            model=terms.model,
        )
        for number, (one, posted) in enumerate(
            zip(batch, mails, strict=True), sealing.next_number(session)
        )
    ]
    queries.add_advices(
        session,
        [_advice_row(actor, one) for one in sealed],
        [
            _stock_row(one.advice_id, place, row, product)
            for one in sealed
            for place, (row, product) in enumerate(zip(one.rows, one.products, strict=True))
        ],
    )
    hashes = sealing.seal_all(session, sealed, now)
    audit_log.record_many(session, actor, now, SENT, list(map(_audit_row, sealed, hashes)))
    return sealed


def price_note(used: Sequence[PriceUsed], rows: Sequence[Row], read_at: dt.datetime) -> PriceNote:
    """The prices that these rows are computed with."""
    tokens = {row.stock.instrument_token for row in rows}
    mine = tuple(price for price in used if price.stock.instrument_token in tokens)
    sources = tuple(sorted({price.source for price in mine}))
    return PriceNote(read_at, min(price.at for price in mine), sources, mine)


def _facts_of(session: Session, batch: Sequence[ClientRebalance]) -> _BatchFacts:
    ids = [one.client_id for one in batch]
    accounts = {one.client_id: one for one in portfolio.holders_at_work(session, ids)}
    stocks = {row.stock for one in batch for row in one.rebalance.rows}
    return _BatchFacts(
        people.clients_of(session, ids),
        accounts,
        instruments.by_ids(
            session, {held[0] for account in accounts.values() for held in account.held}
        ),
        {
            client_id: restricted_stocks(rows)
            for client_id, rows in portfolio.restrictions_of_all(session, ids).items()
        },
        queries.newest_advice(session, ids),
        {price.stock.instrument_token: price for price in price_of_stocks(session, stocks)},
        firm.advice_settings(session).price_tolerance,
    )


def _refusal_of(one: ClientRebalance, facts: _BatchFacts) -> NotSent | None:
    """Why advice cannot be sent to a client now; None where it can.

    Raises:
        UnfitStock: a price is missing, or moved too far.
    """
    client, account = facts.clients.get(one.client_id), facts.accounts.get(one.client_id)
    if client is None or account is None:
        return NotSent(ClientNotFound.message)
    if client.status != Status.ACTIVE:
        return NotSent(ClientInactive.message)
    rebalance = one.rebalance
    traded = [row for row in rebalance.rows if row.quantity]
    if not traded:
        return NotSent(NothingToSend.message)
    change = _change_since(rebalance, account, facts)
    if change:
        return NotSent(f"{change} Compute again.", has_changed=True)
    for place, row in enumerate(traded):
        price = facts.prices.get(row.stock.instrument_token)
        refuse_moved_price(place, row, price.price if price else None, facts.tolerance)
    return None


def _change_since(rebalance: Package, account: WholeAccount, facts: _BatchFacts) -> str:
    """What changed since the rebalance was computed; "" where nothing did."""
    advised_at = facts.advised_at.get(account.client_id)
    if advised_at is not None and advised_at > rebalance.priced_at:
        return "Another advice was sent to the client since."
    changed = package.changed_holdings(rebalance.positions, _positions(account, facts))
    if changed:
        return f"The client's holdings changed since: {', '.join(changed)}."
    if account.net < rebalance.cash:
        return "The client has less cash since."
    if facts.restricted.get(account.client_id, ()) != rebalance.restrictions:
        return "The client's restrictions changed since."
    return ""


def _positions(account: WholeAccount, facts: _BatchFacts) -> tuple[Position, ...]:
    positions = (
        Position(stock_of(facts.listed[key], exchange), quantity, pledged)
        for key, quantity, pledged, exchange in account.held
    )
    return tuple(sorted(positions, key=lambda one: one.stock.symbol))


def _checked(one: ClientRebalance, facts: _BatchFacts) -> CheckedAdvice:
    rebalance, account = one.rebalance, facts.accounts[one.client_id]
    rows = tuple(row for row in rebalance.rows if row.quantity)
    tokens = sorted({row.stock.instrument_token for row in rows})
    return CheckedAdvice(
        client=facts.clients[one.client_id],
        rebalance=rebalance,
        rows=rows,
        products=(PRODUCT,) * len(rows),
        prices=price_note(rebalance.prices, rows, rebalance.priced_at),
        rates=rebalance.rates,
        at_sending=AtSending(
            account.holdings_source,
            account.synced_at,
            account.net,
            _positions(account, facts),
            tuple(facts.prices[token] for token in tokens),
        ),
        total_stocks=len(rows),
    )


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
    return ("advice", sealed.advice_id), changes


def _advice_row(actor: Actor, sealed: SealedAdvice) -> dict[str, object]:
    return {
        "id": sealed.advice_id,
        "client_id": sealed.client.client_id,
        "account_id": actor.account_id,
        "rebalance_id": sealed.rebalance_id,
        "created_at": sealed.sent_at,
        "total_stocks": sealed.total_stocks,
        "total_invested_value": sealed.investment,
        "total_buy_value": sealed.total_buy_value,
        "total_sell_value": sealed.total_sell_value,
        "rationale": sealed.rationale,
        "package": "",
        "letter": b"",
        "mail_id": sealed.delivery.mail_id,
    }


def _stock_row(advice_id: uuid.UUID, place: int, row: Row, product: str) -> dict[str, object]:
    return {
        "id": new_id(),
        "advice_id": advice_id,
        "place": place,
        "type": row.side,
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
        "last_price": row.last_price,
        "current_value": row.current_value,
        "additional_value": row.additional_value,
        "freed_value": row.freed_value,
        "projected_value": row.projected_value,
    }
