"""Reads the facts for the checks before a send, of one client or of many at once."""

import datetime as dt
import uuid
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy.orm import Session

from tarazu.advice import queries
from tarazu.advice.guard_checks import RecipientPapers, SenderFacts
from tarazu.advice.package import PriceUsed, Row
from tarazu.advice.send_checks import Facts, Rationale, RecipientFacts
from tarazu.domain.calendar import previous_business_day
from tarazu.domain.charges import Side
from tarazu.domain.money import ZERO, Rupees
from tarazu.firm import service as firm
from tarazu.instruments import service as instruments
from tarazu.kit.clock import day_in_india, start_of
from tarazu.orders import service as orders
from tarazu.papers import service as papers
from tarazu.papers.tables import ConsentKind
from tarazu.people import service as people
from tarazu.portfolio import service as portfolio
from tarazu.portfolio.service import TiedUpShares
from tarazu.registers import service as registers

Orders = frozenset[tuple[str, str, int]]
"""ISIN, side and whole shares of each row that is traded."""


@dataclass(frozen=True, slots=True)
class Subject:
    """One client who is to get advice; `rows` computes the rows to be traded on demand."""

    client_id: uuid.UUID
    code: str
    cash: Rupees
    has_holdings: bool
    holdings_source: str
    synced_at: dt.datetime | None
    rows: Callable[[], Sequence[Row]]


@dataclass(frozen=True, slots=True)
class SendOptions:
    """The request of a send; `place` is the screen on which the advice is computed.

    `sender_id` is None where nobody sends yet.
    """

    rationale: Rationale
    says_holdings: bool
    has_mail_server: bool
    place: str
    sender_id: uuid.UUID | None = None
    has_model: bool = False


def facts_of(
    session: Session,
    subjects: Sequence[Subject],
    prices: Sequence[PriceUsed],
    options: SendOptions,
    now: dt.datetime,
) -> Facts:
    """What is known now of all these clients, each kind read at once.

    Args:
        prices: of the stocks that are to be traded.
    """
    ids = [subject.client_id for subject in subjects]
    holidays, today = firm.holidays(session), day_in_india(now)
    since = start_of(previous_business_day(today, holidays))
    sent = _sent_since(session, ids, since)
    traded = orders.newest_trades(session, ids, start_of(today))
    tied_up = _tied_up(session, ids)
    suspected = _by_isin(session, portfolio.suspected_holdings(session))
    unknown = _by_isin(session, _unknown(session, ids))
    recipients = [
        RecipientFacts(
            subject.code,
            subject.has_holdings,
            subject.holdings_source,
            subject.synced_at,
            traded.get(subject.client_id),
            subject.client_id in sent and _orders_of(subject.rows()) in sent[subject.client_id],
            *_sold_too_early(subject, tied_up.get(subject.client_id, {})),
            _traded_of(subject, suspected.get(subject.client_id, set())),
            *_pending(subject, tied_up.get(subject.client_id, {})),
            _traded_of(subject, unknown.get(subject.client_id, set())),
        )
        for subject in subjects
    ]
    return Facts(
        firm.send_terms(session),
        options.has_mail_server,
        prices,
        recipients,
        options.rationale,
        options.says_holdings,
        holidays,
        now,
        options.place,
        _sender_of(session, options.sender_id, today),
        registers.interests_in(session, {price.stock.isin for price in prices}, today),
        *_papers_of(session, subjects, today),
        options.has_model,
    )


def _papers_of(
    session: Session, subjects: Sequence[Subject], today: dt.date
) -> tuple[list[RecipientPapers], Collection[ConsentKind]]:
    """The papers of each of these clients, and the kinds of consent of which there is a text."""
    held = papers.held_papers(session, today, [subject.client_id for subject in subjects])
    recipients = [
        RecipientPapers(
            subject.client_id,
            subject.code,
            held.has_kyc(subject.client_id),
            held.has_terms(subject.client_id),
            held.has_agreed(subject.client_id, ConsentKind.HOLDINGS),
        )
        for subject in subjects
    ]
    return recipients, held.in_force.keys()


def _sender_of(session: Session, sender_id: uuid.UUID | None, today: dt.date) -> SenderFacts | None:
    if sender_id is None:
        return None
    name = people.names_of(session, [sender_id]).get(sender_id, "")
    return SenderFacts(name, registers.sender_certificate(session, sender_id, today))


def _orders_of(rows: Sequence[Row]) -> Orders:
    return frozenset((row.stock.isin, row.side.value, row.quantity) for row in rows)


def _sent_since(
    session: Session, client_ids: Sequence[uuid.UUID], since: dt.datetime
) -> dict[uuid.UUID, set[Orders]]:
    """By client, the orders of each advice that was sent since then."""
    sent: dict[tuple[uuid.UUID, uuid.UUID], set[tuple[str, str, int]]] = {}
    for client_id, advice_id, isin, side, quantity in queries.sent_since(
        session, client_ids, since
    ):
        sent.setdefault((client_id, advice_id), set()).add((isin, side, quantity))
    by_client: dict[uuid.UUID, set[Orders]] = {}
    for (client_id, _), rows in sent.items():
        by_client.setdefault(client_id, set()).add(frozenset(rows))
    return by_client


def _tied_up(
    session: Session, client_ids: Sequence[uuid.UUID]
) -> dict[uuid.UUID, dict[str, list[TiedUpShares]]]:
    """By client and ISIN, the holdings of which some shares cannot be sold as they are."""
    tied_up = portfolio.tied_up(session, client_ids)
    listed = instruments.by_ids(session, {key for parts in tied_up.values() for key in parts})
    by_isin: dict[uuid.UUID, dict[str, list[TiedUpShares]]] = {}
    for client_id, parts in tied_up.items():
        for instrument_id, part in parts.items():
            isin = listed[instrument_id].isin
            by_isin.setdefault(client_id, {}).setdefault(isin, []).append(part)
    return by_isin


def _unknown(session: Session, client_ids: Sequence[uuid.UUID]) -> dict[uuid.UUID, set[uuid.UUID]]:
    """By client, the holdings of which it is not known whether an action's shares are credited."""
    return {
        client_id: {key for key, shares in holdings.items() if shares is None}
        for client_id, holdings in portfolio.pending_shares(session, client_ids).items()
    }


def _by_isin(
    session: Session, holdings: Mapping[uuid.UUID, set[uuid.UUID]]
) -> dict[uuid.UUID, set[str]]:
    """Holdings of clients by instrument, as ISINs."""
    listed = instruments.by_ids(session, {key for keys in holdings.values() for key in keys})
    return {client_id: {listed[key].isin for key in keys} for client_id, keys in holdings.items()}


def _traded_of(subject: Subject, isins: Collection[str]) -> tuple[str, ...]:
    """Those of these stocks that are to be traded."""
    if not isins:
        return ()
    return tuple(row.stock.symbol for row in subject.rows() if row.stock.isin in isins)


def _sold_too_early(
    subject: Subject, tied_up: Mapping[str, Sequence[TiedUpShares]]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The stocks sold before they are settled to pay for a purchase, and those sold while pledged."""
    if not tied_up:
        return (), ()
    rows = subject.rows()
    bought = sum((row.additional_value for row in rows if row.side is Side.BUY), ZERO)
    unsettled, pledged = [], []
    for row in rows:
        parts = tied_up.get(row.stock.isin)
        if row.side is not Side.SELL or parts is None:
            continue
        if row.quantity > row.held - sum(part.undelivered for part in parts) and (
            bought > subject.cash
        ):
            unsettled.append(row.stock.symbol)
        if row.quantity > row.held - sum(part.pledged for part in parts):
            pledged.append(row.stock.symbol)
    return tuple(unsettled), tuple(pledged)


def _pending(
    subject: Subject, tied_up: Mapping[str, Sequence[TiedUpShares]]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Stocks of which more is sold than is credited, and those traded while shares wait."""
    waiting = {
        isin: sum(part.shown for part in parts)
        for isin, parts in tied_up.items()
        if any(part.uncredited for part in parts)
    }
    traded = [row for row in subject.rows() if row.stock.isin in waiting] if waiting else []
    oversold = tuple(
        row.stock.symbol
        for row in traded
        if row.side is Side.SELL and row.quantity > waiting[row.stock.isin]
    )
    return oversold, tuple(row.stock.symbol for row in traded)
