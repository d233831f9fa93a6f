"""One advice each to many clients: what a single send does, with everything read at once.

Each advice is checked, stored, sealed, chained, signed and queued for mailing like one that is
sent alone. Only its letter is set afterwards, and its mail written, from the sealed text alone; the
letter is signed together with the advice's link. A typesetter takes longer than all the rest, and
no writer is to wait for it.
"""

import datetime as dt
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from sqlalchemy.orm import Session

from tarazu.advice import kept_letters, package, queries, sealing, vouching
from tarazu.advice.adapters.contents import (
    Disclosures,
    PriceNote,
    file_name_of,
    price_note,
    standard_rationale,
)
from tarazu.advice.adapters.letter import letter_of
from tarazu.advice.adapters.message import draft_of, subject_of
from tarazu.advice.before_send import SealedCheck
from tarazu.advice.checks import refuse_moved_price, total_of
from tarazu.advice.errors import (
    AdviceNotFound,
    AdviceNotSealed,
    ClientInactive,
    NothingToSend,
    UnfitStock,
)
from tarazu.advice.package import (
    PRODUCT,
    Package,
    Position,
    PriceUsed,
    Restricted,
    Row,
    Stock,
)
from tarazu.advice.sealing import (
    AtSending,
    Recipient,
    SealedAdvice,
    SealedAs,
    SealedDelivery,
    SealedLetter,
    SealedModel,
    Sender,
    contents_of,
)
from tarazu.domain.charges import Order, Side, Tariff
from tarazu.domain.money import Percent, to_units
from tarazu.firm import service as firm
from tarazu.firm.service import Registration
from tarazu.instruments import service as instruments
from tarazu.instruments.service import Listed
from tarazu.kit import audit_log, mail, signing
from tarazu.kit.audit_log import SYSTEM, Actor
from tarazu.kit.db import Database, new_id
from tarazu.kit.pdf import SetPdf, pdf_of
from tarazu.people import service as people
from tarazu.people.errors import ClientNotFound
from tarazu.people.service import Client
from tarazu.people.tables import Status
from tarazu.portfolio import service as portfolio
from tarazu.portfolio.service import WholeAccount
from tarazu.prices import service as prices
from tarazu.restrictions import service as restrictions

LETTERS_AT_ONCE = 20

Named = SealedModel
"""The model version that all of them follow, and the run."""


@dataclass(frozen=True, slots=True)
class ToSend:
    """One client's rebalance as it was reviewed."""

    client_id: uuid.UUID
    rebalance: Package


@dataclass(frozen=True, slots=True)
class Said:
    """What is said to all: which model they follow, why, and what is disclosed.

    `rationale` may be "": then each advice carries the firm's standard rationale.
    """

    model: SealedModel
    rationale: str
    holdings: str = ""
    conflicts: str = ""
    compensation: str = ""
    checks: tuple[SealedCheck, ...] = ()


@dataclass(frozen=True, slots=True)
class Refused:
    """Why a client got nothing; `has_changed`: what was reviewed is no longer so."""

    message: str
    has_changed: bool = False


@dataclass(frozen=True, slots=True)
class _Seen:
    """All that is known now of the clients of one batch, each kind read at once."""

    clients: Mapping[uuid.UUID, Client]
    accounts: Mapping[uuid.UUID, WholeAccount]
    listed: Mapping[uuid.UUID, Listed]
    restricted: Mapping[uuid.UUID, tuple[Restricted, ...]]
    advised_at: Mapping[uuid.UUID, dt.datetime]
    quotes: Mapping[int, PriceUsed]
    tolerance: Percent
    firm: Registration
    standard: str


def worked_out(asked: Package, shares: Sequence[int], phi: float, bound: float) -> Package:
    """A package whose first rows come to these shares, with its rows, summary and notices.

    Raises:
        CannotPlan: the shares cost more than there is, or trade what may not be traded.
    """
    targets = package.rows_to_plan(asked.targets, asked.positions)
    if asked.given is not None:
        plan = package.plan_given(asked)
    elif asked.columns is None:
        plan = package.plan_alone(asked)
    else:
        plan = package.plan_with(asked, shares, phi, bound)
    return replace(
        asked,
        rows=package.rows_of_plan(targets, asked.positions, plan),
        summary=plan.summary,
        notices=(*plan.notices, *package.pledges_to_release(asked.positions, plan)),
    )


def send_together(
    session: Session, actor: Actor, batch: Sequence[ToSend], said: Said, now: dt.datetime
) -> dict[uuid.UUID, uuid.UUID | Refused]:
    """Send each of these clients one advice; by client its id, or why there is none.

    Everything is done in the caller's transaction, or nothing. The checks before the send were
    made when it was asked for: they come with what is said.
    """
    seen = _seen(session, batch)
    told: dict[uuid.UUID, uuid.UUID | Refused] = {}
    fit: list[tuple[Client, ToSend]] = []
    for one in batch:
        try:
            why = _refusal_of(one, seen)
        except UnfitStock as refusal:
            why = Refused(refusal.message)
        if why is not None:
            told[one.client_id] = why
        else:
            fit.append((seen.clients[one.client_id], one))
    sealed = [_sealed(actor, client, one.rebalance, said, seen, now) for client, one in fit]
    _store(session, actor, [client for client, _ in fit], sealed, now)
    return told | {one.client.client_id: one.advice_id for one in sealed}


def set_letters_due(
    database: Database,
    now: dt.datetime,
    limit: int = LETTERS_AT_ONCE,
    set_pdf: SetPdf = pdf_of,
) -> int:
    """Set letters that wait, and let their mails go; how many were set.

    May be killed at any point, and run in several processes: a letter is kept once.
    """
    with database.reading() as session:
        found = {one: _sealed_advice(session, one) for one in queries.letters_due(session, limit)}
    letters = {key: letter_of(contents_of(one), set_pdf) for key, one in found.items()}
    if not letters:
        return 0
    with database.transaction() as session:
        mine = queries.take_letters_due(session, letters.keys())
        _keep_letters(session, {key: letters[key] for key in letters if key in mine}, found, now)
    return len(mine)


def _sealed_advice(session: Session, advice_id: uuid.UUID) -> SealedAdvice:
    row = queries.seal_of(session, advice_id)
    if row is None:
        raise AdviceNotSealed
    return sealing.from_text(row.package)


def _keep_letters(
    session: Session,
    letters: Mapping[uuid.UUID, bytes],
    sealed: Mapping[uuid.UUID, SealedAdvice],
    now: dt.datetime,
) -> None:
    signer = signing.signer_of(session)
    told = []
    for advice_id, letter in letters.items():
        seal = queries.seal_of(session, advice_id)
        if seal is None:
            raise AdviceNotFound
        digest = sealing.digest_of(letter)
        signed = kept_letters.signed_by(signer, seal.hash, digest)
        session.add(kept_letters.letter_row(advice_id, now, letter, signed))
        told.append((("advice", advice_id), {"letter": digest}))
    session.flush()
    drafts = {
        one.delivery.mail_id: draft_of(contents_of(one), one.delivery.recipient, letters[key])
        for key, one in sealed.items()
        if key in letters and one.delivery is not None
    }
    mail.complete(session, drafts)
    audit_log.record_many(session, SYSTEM, now, kept_letters.LETTER_SET, told)


def _seen(session: Session, batch: Sequence[ToSend]) -> _Seen:
    ids = [one.client_id for one in batch]
    accounts = {one.client_id: one for one in portfolio.holders_at_work(session, ids)}
    listed = instruments.by_ids(
        session, {held[0] for account in accounts.values() for held in account.held}
    )
    stocks = {row.stock for one in batch for row in one.rebalance.rows}
    quotes = prices.last_prices(session, [stock.instrument_token for stock in stocks])
    restricted = restrictions.restrictions_of_all(session, ids)
    return _Seen(
        people.clients_of(session, ids),
        accounts,
        listed,
        {
            key: tuple(
                Restricted(_stock(one.instrument), one.restriction, one.reason) for one in rows
            )
            for key, rows in restricted.items()
        },
        queries.newest_advice(session, ids),
        {
            stock.instrument_token: PriceUsed(stock, quote.price, quote.at, quote.source)
            for stock in stocks
            if (quote := quotes.get(stock.instrument_token)) is not None and quote.price > 0
        },
        firm.advice_settings(session).price_tolerance,
        firm.registration(session),
        firm.standard_rationale(session),
    )


def _refusal_of(one: ToSend, seen: _Seen) -> Refused | None:
    """Why a client cannot be sent this now; None where it can.

    Raises:
        UnfitStock: a price is missing, or moved too far.
    """
    client, account = seen.clients.get(one.client_id), seen.accounts.get(one.client_id)
    if client is None or account is None:
        return Refused(ClientNotFound.message)
    if client.status != Status.ACTIVE:
        return Refused(ClientInactive.message)
    computed = one.rebalance
    traded = [row for row in computed.rows if row.quantity]
    if not traded:
        return Refused(NothingToSend.message)
    changed = _changes_since(computed, account, seen)
    if changed:
        return Refused(f"{changed} Compute again.", has_changed=True)
    for place, row in enumerate(traded):
        quote = seen.quotes.get(row.stock.instrument_token)
        refuse_moved_price(place, row, quote.price if quote else None, seen.tolerance)
    return None


def _changes_since(computed: Package, account: WholeAccount, seen: _Seen) -> str:
    advised_at = seen.advised_at.get(account.client_id)
    if advised_at is not None and advised_at > computed.priced_at:
        return "Another advice was sent to the client since."
    then = package.held_by_isin(computed.positions)
    now: dict[str, int] = {}
    names = {one.stock.isin: one.stock.symbol for one in computed.positions}
    for instrument_id, quantity, *_ in account.held:
        listed = seen.listed[instrument_id]
        names.setdefault(listed.isin, listed.symbol)
        now[listed.isin] = now.get(listed.isin, 0) + quantity
    if then != now:
        changed = sorted(
            names[isin] for isin in then.keys() | now.keys() if then.get(isin) != now.get(isin)
        )
        return f"The client's holdings changed since: {', '.join(changed)}."
    if account.net < computed.cash:
        return "The client has less cash since."
    if seen.restricted.get(account.client_id, ()) != computed.restrictions:
        return "The client's restrictions changed since."
    return ""


def _sealed(
    actor: Actor, client: Client, computed: Package, said: Said, seen: _Seen, now: dt.datetime
) -> SealedAdvice:
    """The advice as it is sealed, but for its mail, whose number is not known yet."""
    rows = tuple(row for row in computed.rows if row.quantity)
    account = seen.accounts[client.id]
    note: PriceNote = price_note(computed.prices, rows, computed.priced_at)
    positions = tuple(
        Position(_stock(seen.listed[key], exchange), quantity, pledged)
        for key, quantity, pledged, exchange in account.held
    )
    tokens = {row.stock.instrument_token for row in rows}
    return SealedAdvice(
        form=sealing.FORM,
        sealed_as=SealedAs.SENT,
        advice_id=new_id(),
        sent_at=now,
        sender=Sender(
            actor.account_id, actor.name, actor.role, actor.ip, actor.session_id, actor.request_id
        ),
        client=Recipient(client.id, client.code, client.name),
        firm=seen.firm,
        rebalance_id=None,
        rebalance=computed,
        at_sending=AtSending(
            account.holdings_source,
            account.synced_at,
            account.net,
            tuple(sorted(positions, key=lambda one: one.stock.symbol)),
            tuple(seen.quotes[token] for token in sorted(tokens)),
        ),
        investment=computed.investment,
        total_stocks=len(rows),
        total_buy_value=total_of(rows, Side.BUY),
        total_sell_value=total_of(rows, Side.SELL),
        rows=rows,
        products=tuple(PRODUCT for _ in rows),
        charges=Tariff(computed.rates).estimate(
            Order(row.side, to_units(row.additional_value + row.freed_value), row.stock.exchange)
            for row in rows
        ),
        charges_broker=computed.rates.broker,
        prices=note,
        rationale=said.rationale
        or standard_rationale(seen.standard, computed.investment, rows, has_model=True),
        disclosures=Disclosures(said.holdings, said.conflicts, said.compensation),
        letter=SealedLetter(file_name_of(client.code, now), "", 0),
        delivery=None,
        model=said.model,
        checks=said.checks,
    )


def _store(
    session: Session,
    actor: Actor,
    clients: Sequence[Client],
    unsent: Sequence[SealedAdvice],
    now: dt.datetime,
) -> None:
    """Mails, advices, seals and rows of the trail, in one go."""
    if not unsent:
        return
    wanted = [
        mail.Awaiting(client.email, subject_of(now), one.letter.file_name)
        for client, one in zip(clients, unsent, strict=True)
    ]
    posted = mail.queue_awaiting(session, wanted, now)
    vouching.take_turn(session)
    first, fingerprint = vouching.next_number(session), signing.signer_of(session).key_id
    sealed = [
        replace(
            one,
            number=number,
            fingerprint=fingerprint,
            delivery=SealedDelivery(
                letter.id, letter.message_id, letter.recipient, letter.subject, letter.queued_at
            ),
        )
        for number, (one, letter) in enumerate(zip(unsent, posted, strict=True), first)
    ]
    queries.add_advices(
        session,
        [_advice_of(actor, one) for one in sealed],
        [
            _stock_of(one.advice_id, place, row)
            for one in sealed
            for place, row in enumerate(one.rows)
        ],
    )
    hashes = vouching.seal_many(session, sealed, now)
    told = [
        (
            ("advice", one.advice_id),
            {
                "clientId": one.client.client_id,
                "stocks": len(one.rows),
                "mailId": one.delivery.mail_id if one.delivery else None,
                "model": one.model.name if one.model else None,
                "seal": sealed_hash,
            },
        )
        for one, sealed_hash in zip(sealed, hashes, strict=True)
    ]
    audit_log.record_many(session, actor, now, vouching.SENT, told)


def _advice_of(actor: Actor, sealed: SealedAdvice) -> dict[str, object]:
    """Its package is the sealed one, which is not kept twice; its letter comes later."""
    return {
        "id": sealed.advice_id,
        "client_id": sealed.client.client_id,
        "account_id": actor.account_id,
        "rebalance_id": None,
        "created_at": sealed.sent_at,
        "total_stocks": sealed.total_stocks,
        "total_invested_value": sealed.investment,
        "total_buy_value": sealed.total_buy_value,
        "total_sell_value": sealed.total_sell_value,
        "rationale": sealed.rationale,
        "package": "",
        "letter": b"",
        "mail_id": sealed.delivery.mail_id if sealed.delivery else None,
    }


def _stock_of(advice_id: uuid.UUID, place: int, row: Row) -> dict[str, object]:
    return {
        "id": new_id(),
        "advice_id": advice_id,
        "place": place,
        "type": row.side,
        "symbol": row.stock.symbol,
        "exchange": row.stock.exchange,
        "product": PRODUCT,
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


def _stock(listed: Listed, exchange: str = "") -> Stock:
    """A stock; on the exchange where it is held, where the broker told."""
    return Stock(
        listed.symbol,
        listed.name,
        exchange or listed.exchange,
        listed.isin,
        listed.instrument_token,
    )
