"""What an action does from its ex-date on, to instruments, prices, holdings and past advice."""

import datetime as dt
import uuid
from collections.abc import Collection
from typing import Final

from sqlalchemy.orm import Session

from tarazu.advice import service as advice
from tarazu.corporate_actions import queries
from tarazu.domain.corporate_actions.values import UNIT_KINDS
from tarazu.instruments import service as instruments
from tarazu.instruments.tables import CorporateAction
from tarazu.kit import clock, jobs
from tarazu.kit.db import Database
from tarazu.orders import service as orders
from tarazu.portfolio import service as portfolio

KIND: Final = f"{jobs.ITEM}corporate-action"
"""The jobs that apply announced actions on their ex-dates; their keys are the actions' ids."""


def apply_action(session: Session, action_id: uuid.UUID, now: dt.datetime) -> None:
    """Carry an action whose ex-date has come over to instruments and their holders.

    Nothing where it was removed before. Doing it twice has the effect of once.
    """
    row = queries.action_by_id(session, action_id)
    if row is None or row.removed_at is not None or row.kind not in UNIT_KINDS:
        return
    if row.new_isin:
        instruments.follow_split(session, row.isin, row.new_isin, row.ex_on, now)
    portfolio.record_action(session, action_id, now)


def undo_action(session: Session, action_id: uuid.UUID, now: dt.datetime) -> None:
    """Take back what `apply_action` did."""
    row = queries.action_by_id(session, action_id)
    if row is None or row.kind not in UNIT_KINDS:
        return
    portfolio.remove_action(session, action_id, now)
    if row.new_isin:
        instruments.undo_split(session, row.isin, row.new_isin, row.ex_on, now)


def apply_or_wait(session: Session, rows: Collection[CorporateAction], now: dt.datetime) -> None:
    """Apply actions whose ex-date has come; the others have a job that does so on the day."""
    today = clock.day_in_india(now)
    for row in sorted(rows, key=lambda row: row.ex_on):
        if row.kind not in UNIT_KINDS:
            continue
        if row.ex_on <= today:
            apply_action(session, row.id, now)
        else:
            jobs.put(session, KIND, str(row.id), clock.start_of(row.ex_on))
    match_again(session, rows, now)


def match_again(session: Session, rows: Collection[CorporateAction], now: dt.datetime) -> None:
    """Have the advice on these shares matched with the clients' trades again."""
    isins = {name for row in rows if row.kind in UNIT_KINDS for name in (row.isin, row.new_isin)}
    related = instruments.isin_history(session).family(isins - {""})
    if related:
        orders.mark_matching_due(session, advice.clients_advised_on(session, related), now)


def apply_due(database: Database, now: dt.datetime) -> int:
    """Apply the announced actions whose ex-date has come; return how many."""
    applied = 0
    while (claim := jobs.claim(database, KIND, now)) is not None:
        with database.transaction() as session:
            queries.lock_actions(session)
            action_id = uuid.UUID(claim.key)
            apply_action(session, action_id, now)
            row = queries.action_by_id(session, action_id)
            if row is not None and row.removed_at is None:
                match_again(session, [row], now)
            jobs.finish(session, claim, now)
        applied += 1
    return applied
