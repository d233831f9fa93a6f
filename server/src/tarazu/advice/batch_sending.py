"""Sends one advice each to many clients, with everything read at once."""

import datetime as dt
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy.orm import Session

from tarazu.advice import package, queries
from tarazu.advice.errors import ClientInactive, NothingToSend, UnfitStock
from tarazu.advice.package import PRODUCT, Package, Position, PriceUsed, Restricted
from tarazu.advice.rebalancing import price_of_stocks, restricted_stocks, stock_of
from tarazu.advice.sealing import AtSending
from tarazu.advice.sending import AdviceTerms, CheckedAdvice, price_note, seal_and_queue
from tarazu.advice.validation import refuse_moved_price
from tarazu.domain.money import Percent
from tarazu.firm import service as firm
from tarazu.instruments import service as instruments
from tarazu.instruments.service import Listed
from tarazu.kit.audit_log import Actor
from tarazu.people import service as people
from tarazu.people.errors import ClientNotFound
from tarazu.people.service import Client
from tarazu.people.tables import Status
from tarazu.portfolio import service as portfolio
from tarazu.portfolio.service import WholeAccount
from tarazu.restrictions import service as restrictions


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
    positions: Mapping[uuid.UUID, tuple[Position, ...]]
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
    for client_rebalance in batch:
        try:
            refusal = _refusal_of(client_rebalance, facts)
        except UnfitStock as error:
            refusal = NotSent(error.message)
        if refusal is None:
            checked.append(_checked(client_rebalance, facts))
        else:
            results[client_rebalance.client_id] = refusal
    sent = seal_and_queue(session, actor, checked, terms, now)
    return results | {sealed.client.client_id: sealed.advice_id for sealed in sent}


def _facts_of(session: Session, batch: Sequence[ClientRebalance]) -> _BatchFacts:
    ids = [client_rebalance.client_id for client_rebalance in batch]
    accounts = {account.client_id: account for account in portfolio.holders_at_work(session, ids)}
    held = {row[0] for account in accounts.values() for row in account.held}
    listed = instruments.by_ids(session, held)
    stocks = {row.stock for client_rebalance in batch for row in client_rebalance.rebalance.rows}
    return _BatchFacts(
        people.clients_of(session, ids),
        accounts,
        {key: _positions(account, listed) for key, account in accounts.items()},
        {
            client_id: restricted_stocks(rows)
            for client_id, rows in restrictions.restrictions_of_all(session, ids).items()
        },
        queries.newest_advice(session, ids),
        {price.stock.instrument_token: price for price in price_of_stocks(session, stocks)},
        firm.advice_settings(session).price_tolerance,
    )


def _refusal_of(client_rebalance: ClientRebalance, facts: _BatchFacts) -> NotSent | None:
    """Why advice cannot be sent to a client now; None where it can.

    Raises:
        UnfitStock: a price is missing, or moved too far.
    """
    client = facts.clients.get(client_rebalance.client_id)
    account = facts.accounts.get(client_rebalance.client_id)
    if client is None or account is None:
        return NotSent(ClientNotFound.message)
    if client.status != Status.ACTIVE:
        return NotSent(ClientInactive.message)
    rebalance = client_rebalance.rebalance
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
    changed = package.changed_holdings(rebalance.positions, facts.positions[account.client_id])
    if changed:
        return f"The client's holdings changed since: {', '.join(changed)}."
    if account.net < rebalance.cash:
        return "The client has less cash since."
    if facts.restricted.get(account.client_id, ()) != rebalance.restrictions:
        return "The client's restrictions changed since."
    return ""


def _positions(account: WholeAccount, listed: Mapping[uuid.UUID, Listed]) -> tuple[Position, ...]:
    positions = (
        Position(
            stock_of(listed[key], exchange),
            quantity,
            pledged,
            uncredited=account.uncredited.get(key, 0),
        )
        for key, quantity, pledged, exchange in account.held
    )
    return tuple(sorted(positions, key=lambda position: position.stock.symbol))


def _checked(client_rebalance: ClientRebalance, facts: _BatchFacts) -> CheckedAdvice:
    rebalance, account = client_rebalance.rebalance, facts.accounts[client_rebalance.client_id]
    rows = tuple(row for row in rebalance.rows if row.quantity)
    tokens = sorted({row.stock.instrument_token for row in rows})
    return CheckedAdvice(
        client=facts.clients[client_rebalance.client_id],
        rebalance=rebalance,
        rows=rows,
        products=(PRODUCT,) * len(rows),
        prices=price_note(rebalance.prices, rows, rebalance.priced_at),
        rates=rebalance.rates,
        at_sending=AtSending(
            account.holdings_source,
            account.synced_at,
            account.net,
            facts.positions[client_rebalance.client_id],
            tuple(facts.prices[token] for token in tokens),
        ),
        total_stocks=len(rows),
    )
