"""The demo's run over the book: the large model is revised, and its followers are advised."""

import datetime as dt
import random
import uuid
from collections.abc import Mapping
from dataclasses import dataclass

from tarazu.advice import service as advice
from tarazu.book_runs import service as book_runs
from tarazu.book_runs.preflight import SendRequest
from tarazu.book_runs.service import RunRequest
from tarazu.book_runs.worker import BookRunWorker
from tarazu.demo import advised, modelled
from tarazu.demo.advised import Acted
from tarazu.demo.histories import History
from tarazu.demo.market import Market
from tarazu.kit.audit_log import Actor
from tarazu.kit.db import Database
from tarazu.model_portfolios.tables import Outside

DAYS_AGO = 18
"""Business days before the end."""
LONGEST = 120.0
"""Seconds."""
LEFT_OUT = "Travelling until the 20th; will be advised on return."
NOT_DONE = 4
"""Clients who did nothing with their advice."""
AFTERWARDS = (
    *[Acted.NOT] * NOT_DONE, Acted.OPPOSITELY, *[Acted.LATE] * 2, *[Acted.PARTLY] * 4, *[Acted.FULLY] * 11,
)  # fmt: skip
"""Of as many clients as follow the model; where fewer are advised, the last ones are left out."""


@dataclass(frozen=True, slots=True)
class RunFailed(Exception):
    """The run over the book did not end; a fault of ours."""

    run_id: uuid.UUID


def rebalance(
    database: Database,
    analyst: Actor,
    market: Market,
    model_id: uuid.UUID,
    history_of: Mapping[uuid.UUID, History],
    chance: random.Random,
) -> None:
    """Revise the model, run it over its followers, and let most of them act on their advice.

    The run is computed and sent by the worker of real runs, in transactions of its own.
    """
    day = len(market.days) - DAYS_AGO
    now = dt.datetime.combine(market.days[day], advised.SENT_AT)
    with database.transaction() as session:
        modelled.revise(session, analyst, market, model_id, market.days[day - 1])
        advised.record_prices(session, market, day, now)
        for client_id, history in history_of.items():
            advised.keep_account(session, analyst, now, market, client_id, history)
        run = book_runs.begin(
            session, analyst, RunRequest(model_id, None, None, Outside.SELL, None, None), now
        )
        run_id = run.id
    worker = BookRunWorker(database, lambda: now, lambda _progress: None)
    _work(worker, run_id)
    _send(database, analyst, now, run_id, list(history_of)[1])
    _work(worker, run_id)
    with database.reading() as session:
        plans = {key: book_runs.client(session, run_id, key) for key in history_of}
    advised_ids = [key for key, (row, plan) in plans.items() if row.advice_id and plan]
    chance.shuffle(advised_ids)
    for client_id, acted in zip(advised_ids, AFTERWARDS, strict=False):
        _row, plan = plans[client_id]
        if plan is not None:
            advised.follow(market, history_of[client_id], day, plan.rows, acted)


def _work(worker: BookRunWorker, run_id: uuid.UUID) -> None:
    worker.work_on(run_id)
    if not worker.wait(LONGEST):
        raise RunFailed(run_id)


def _send(
    database: Database, analyst: Actor, now: dt.datetime, run_id: uuid.UUID, left_out: uuid.UUID
) -> None:
    """Send the run to all who can be sent it, but for one client."""
    with database.transaction() as session:
        row, plan = book_runs.client(session, run_id, left_out)
        if plan is not None and row.can_be_included:
            book_runs.choose(session, analyst, now, (run_id, left_out), (False, LEFT_OUT))
        included = book_runs.view(session, run_id).totals.included
        request = SendRequest(included, None)
        checks = book_runs.checks_before_send(
            session, analyst, run_id, request, now, has_mail_server=False
        )
        read = tuple(check.id for check in checks if check.level is not advice.Level.BLOCK)
        request = SendRequest(included, None, acknowledged=read)
        # A story of the past: whichever mail server is set up, it is practice.
        book_runs.send(session, analyst, now, run_id, request, has_mail_server=False)
