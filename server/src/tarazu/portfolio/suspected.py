"""Splits and bonuses that arrive without being recorded: in the shares first, or in the price.

Until both sides are there, a holding's shares and its price are of two different times, so its
profit is not known.
"""

import datetime as dt
import uuid
from collections.abc import Collection, Iterable, Mapping
from typing import Final, Protocol

from sqlalchemy.orm import Session

from tarazu.domain.money import Rupees
from tarazu.domain.splits import ratio_of_shares
from tarazu.portfolio import pending_queries, queries, suspected_queries
from tarazu.portfolio.tables import SeenIn
from tarazu.prices import service as prices
from tarazu.prices.book import Quote
from tarazu.prices.tables import PriceStep

TOGETHER: Final = dt.timedelta(days=30)
"""Shares and price that move so within this time move for the same reason."""
CREDITED_WITHIN: Final = dt.timedelta(days=7)
"""Holdings read so long after a price moved have the new shares, if there are any."""


class Shares(Protocol):
    quantity: int
    average_price: Rupees


Changed = Mapping[uuid.UUID, tuple[Shares, Shares]]
"""A client's changed holdings by instrument: before, and after."""


def note_shares(session: Session, now: dt.datetime, changed: Mapping[uuid.UUID, Changed]) -> None:
    """Suspect an action where shares grew by a plain ratio and their cost stayed; by client.

    Where the price moved so before, both sides are there, and nothing is suspected any more.
    """
    suspects = {
        (client_id, key)
        for client_id, holdings in changed.items()
        for key, (before, after) in holdings.items()
        if before.quantity != after.quantity
        and ratio_of_shares(
            (before.quantity, before.average_price), (after.quantity, after.average_price)
        )
    }
    if suspects:
        _note(session, suspects, SeenIn.SHARES, now)


def note_prices(session: Session, at: dt.datetime, instrument_ids: Collection[uuid.UUID]) -> None:
    """Suspect an action in holdings of these, whose new price of `at` moved by a plain ratio.

    Where the shares grew so before, both sides are there. Holdings that were read after `at` are
    skipped.
    """
    held = {tuple(row) for row in suspected_queries.holders_of(session, instrument_ids, at)}
    both = {
        suspected_holding
        for suspected_holding in suspected_queries.suspected_holdings(
            session, SeenIn.SHARES, at - TOGETHER
        )
        if suspected_holding[1] in instrument_ids
    }
    if held or both:
        _note(session, held | both, SeenIn.PRICE, at)


def _note(
    session: Session,
    suspects: Collection[tuple[uuid.UUID, uuid.UUID]],
    seen_in: SeenIn,
    at: dt.datetime,
) -> None:
    other = SeenIn.PRICE if seen_in is SeenIn.SHARES else SeenIn.SHARES
    ended = suspected_queries.suspected_holdings(session, other, at - TOGETHER) & set(suspects)
    suspected_queries.clear_suspected(session, ended)
    rows = [
        {"client_id": client_id, "instrument_id": key, "seen_in": seen_in, "at": at}
        for client_id, key in sorted(set(suspects) - ended)
    ]
    if rows:
        suspected_queries.suspect(session, rows)


def marked_holdings(session: Session, now: dt.datetime) -> set[tuple[uuid.UUID, uuid.UUID]]:
    """Client and instrument of the holdings in which an action was suspected lately.

    Not those where the action is recorded since.
    """
    steps = prices.steps_of(session)
    return {
        (row.client_id, row.instrument_id)
        for row in suspected_queries.suspected_marks(session)
        if row.at >= now - TOGETHER and not _is_explained(row.at, steps.get(row.instrument_id, ()))
    }


def suspected_of(
    session: Session, client_id: uuid.UUID, quotes: Mapping[uuid.UUID, Quote | None]
) -> set[uuid.UUID]:
    """Instruments of a client's holdings whose shares and price do not belong together.

    Shares that moved are doubted until a price comes that is newer; a price that moved is, until
    the shares do, or until holdings are read that are `CREDITED_WITHIN` younger.

    Args:
        quotes: the newest price of each instrument held.
    """
    unknown = {key for _, key in pending_queries.unknown_holdings(session, client_id)}
    marks = suspected_queries.suspected_of(session, client_id)
    if not marks:
        return unknown
    account = queries.account_of(session, client_id)
    read_at = account.synced_at if account else None
    steps = prices.steps_of(session, marks)
    return unknown | {
        key
        for key, mark in marks.items()
        if key in quotes
        and not _is_over(mark.seen_in, mark.at, quotes[key], read_at)
        and not _is_explained(mark.at, steps.get(key, ()))
    }


def suspected_holdings(
    session: Session, quotes: Mapping[uuid.UUID, Quote | None]
) -> dict[uuid.UUID, set[uuid.UUID]]:
    """By client, those of these instruments of which the client's holding is doubted."""
    by_client: dict[uuid.UUID, set[uuid.UUID]] = {}
    for client_id, key in pending_queries.unknown_holdings(session):
        by_client.setdefault(client_id, set()).add(key)
    steps = prices.steps_of(session)
    for row in suspected_queries.suspected_marks(session):
        key = row.instrument_id
        if (
            key in quotes
            and not _is_over(row.seen_in, row.at, quotes[key], row.synced_at)
            and not _is_explained(row.at, steps.get(key, ()))
        ):
            by_client.setdefault(row.client_id, set()).add(key)
    return by_client


def _is_explained(at: dt.datetime, steps: Iterable[PriceStep]) -> bool:
    """Whether a recorded action is what showed then: nothing is suspected any more.

    The mark stays, so that it counts again if the action is taken back.
    """
    return any(abs(step.ex_at - at) <= TOGETHER for step in steps)


def _is_over(
    seen_in: SeenIn, at: dt.datetime, quote: Quote | None, read_at: dt.datetime | None
) -> bool:
    if seen_in is SeenIn.SHARES:
        return quote is not None and quote.at > at
    return read_at is not None and read_at >= at + CREDITED_WITHIN
