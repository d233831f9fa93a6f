"""Keeps track records current, and notes the prices with which calls begin and end."""

import datetime as dt
import uuid

from sqlalchemy.orm import Session

from tarazu.advice import service as advice
from tarazu.domain.track_record.calls import AFTER_DISPATCH
from tarazu.firm import service as firm
from tarazu.instruments import service as instruments
from tarazu.kit.clock import day_in_india
from tarazu.kit.db import Database
from tarazu.model_portfolios import service as models
from tarazu.prices import service as prices
from tarazu.prices.service import FILES, is_market_open
from tarazu.track_record import queries
from tarazu.track_record.records import SETTLED_AT, last_day, record_of, state_of, to_text

NOT_SOONER_THAN = dt.timedelta(minutes=15)
"""After a record was made: cash flows and fees are often entered one after another."""
PRICED_WITHIN = dt.timedelta(days=5)
"""After a dispatch, over a weekend; a call without a price by then begins with a close."""


def has_records_due(session: Session, now: dt.datetime) -> bool:
    """Whether the record of any model is to be made again; writes nothing."""
    return bool(_records_due(session, now))


def keep_records(database: Database, now: dt.datetime, *, at_once: bool = False) -> int:
    """Make the records that are not current again; how many.

    Args:
        database: of the installation.
        now: when they are made.
        at_once: also those that were made a short while ago.
    """
    _keep_closes(database, now)
    with database.reading() as session:
        due = _records_due(session, now, at_once=at_once)
    for model_id in due:
        # Calculated without a transaction: nobody who writes waits for it.
        with database.reading() as session:
            state = state_of(session, now)
            content = to_text(record_of(session, models.model(session, model_id), now))
        row = {"model_id": model_id, "made_from": state, "made_at": now, "content": content}
        with database.transaction() as session:
            queries.save_track_record(session, row)
    return len(due)


def _records_due(session: Session, now: dt.datetime, *, at_once: bool = False) -> list[uuid.UUID]:
    made, state = queries.made_from(session), state_of(session, now)
    due = []
    for model_id in sorted(models.names_of_models(session)):
        made_from, made_at = made.get(model_id, ("", dt.datetime.min.replace(tzinfo=dt.UTC)))
        if made_from != state and (at_once or now - made_at >= NOT_SOONER_THAN):
            due.append(model_id)
    return due


def _keep_closes(database: Database, now: dt.datetime) -> None:
    """Store the day's closes of the stocks of all models: nobody may hold them yet."""
    today = day_in_india(now)
    with database.reading() as session:
        if last_day(session, now) != today or now < dt.datetime.combine(today, SETTLED_AT):
            return
        prices.catch_up(session)
        stocks = instruments.by_ids(session, models.followed_instruments(session))
        tokens = [stock.instrument_token for stock in stocks.values()]
        stored = prices.closes_between(session, tokens, today, today)
        closes = {
            token: price
            for token, price in prices.prices_of_day(session, today, tokens).items()
            if not stored[token]
        }
    if closes:
        with database.transaction() as session:
            prices.record_day_closes(session, today, closes)


def has_prices_due(session: Session, now: dt.datetime) -> bool:
    """Whether the price of any call is still to be noted; writes nothing."""
    return is_market_open(now, firm.holidays(session)) and bool(_unpriced(session, now))


def note_prices(database: Database, now: dt.datetime) -> int:
    """Note the first price of each stock after a dispatch that said to trade it; how many."""
    with database.reading() as session:
        unpriced = _unpriced(session, now)
        if not unpriced:
            return 0
        # The prices may have come to another process; it keeps them every minute.
        prices.catch_up(session)
        quotes = prices.as_traded(session, {token for _, token in unpriced})
    rows = [
        {"batch_id": batch_id, "instrument_token": token, "price": quote.price, "at": quote.at}
        for (batch_id, token), sent_at in sorted(unpriced.items(), key=lambda item: item[0])
        if (quote := quotes.get(token))
        and quote.at >= sent_at + AFTER_DISPATCH
        and quote.source not in FILES
    ]
    if rows:
        with database.transaction() as session:
            queries.add_call_prices(session, rows)
    return len(rows)


def _unpriced(session: Session, now: dt.datetime) -> dict[tuple[uuid.UUID, int], dt.datetime]:
    """By dispatch and token, when it was sent, of those that still need a price."""
    sent = advice.dispatches_between(session, now - PRICED_WITHIN, now - AFTER_DISPATCH)
    known = (
        queries.priced_tokens(session, [dispatch.batch_id for dispatch in sent]) if sent else set()
    )
    return {
        (dispatch.batch_id, token): dispatch.sent_at
        for dispatch in sent
        for token in dispatch.tokens
        if (dispatch.batch_id, token) not in known
    }
