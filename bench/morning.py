"""The dashboard's work list and "What changed today" at a large firm, on both databases.

Both run as the server runs them, without HTTP: a new session for each call. Between two calls
either nothing happens, or every price moves, so that every value and every drift is new.
Processor time is this process's; wall time has the database's too.
"""

import datetime as dt
import statistics
import sys
import time
import uuid
from collections.abc import Callable
from decimal import Decimal

import numpy as np
from databases import both
from firms import MOST_CLIENTS, Size, make_firm
from sqlalchemy import insert, update
from sqlalchemy.orm import Session

from tarazu.app import open_database
from tarazu.dashboard.movers import movers
from tarazu.dashboard.work_list import work_list
from tarazu.fees.tables import ClientFeeSum
from tarazu.instruments import service as instruments
from tarazu.kit import clock
from tarazu.kit.audit_log import Actor
from tarazu.kit.db import Database
from tarazu.kit.settings import Settings
from tarazu.model_portfolios.tables import (
    ModelConstituent,
    ModelPortfolio,
    ModelStatus,
    ModelSubscriber,
    ModelVersion,
)
from tarazu.people.tables import Role
from tarazu.portfolio import service as portfolio
from tarazu.prices import service as prices

GOAL = 10.0
"""Milliseconds for the work list."""
CALLS = 100
ADMINISTRATOR = Actor(uuid.uuid4(), Role.ADMIN)
STOCKS = 20
"""Of the model that every client follows."""
FIRM = Size(clients=MOST_CLIENTS, holdings=30, orders=0, flows=1, fees=1, closes=1, firm_closes=2)


def table(size: Size = FIRM) -> str:
    """Median and p99 of each call in milliseconds, on each database."""
    lines = [
        "| call | database | prices | processor: median | p99 | wall: median | p99 |",
        "|---|---|---|---|---|---|---|",
    ]
    for name, settings in both():
        lines += _measured(name, settings, size)
    return "\n".join([*lines, "", f"Goal: the work list in {GOAL:.0f} ms."])


def _measured(name: str, settings: Settings, size: Size) -> list[str]:
    database = open_database(settings)
    try:
        ids = make_firm(database, size)
        with database.transaction() as session:
            _follow(session, ids)
            late = clock.today() - dt.timedelta(days=3)
            due = {"due": Decimal(1_000), "due_on": late, "next_due_on": late}
            session.execute(update(ClientFeeSum).values(**due))
        print(f"made {name}", file=sys.stderr, flush=True)
        lines = []
        for call, function in (("work list", _work_list), ("what changed today", movers)):
            for moving in (False, True):
                times = _times(database, function, is_moving=moving)
                shown = " | ".join(f"{one:.2f}" for one in times)
                lines.append(f"| {call} | {name} | {'move' if moving else 'rest'} | {shown} |")
                print(lines[-1], file=sys.stderr, flush=True)
        return lines
    finally:
        database.dispose()


def _work_list(session: Session, now: dt.datetime) -> object:
    return work_list(session, ADMINISTRATOR, now)


def _follow(session: Session, ids: list[uuid.UUID]) -> None:
    """Let every client follow one model, without all of what they hold."""
    held = sorted(portfolio.held_instruments(session))[:STOCKS]
    model, version, now = uuid.uuid4(), uuid.uuid4(), clock.now()
    row = {"id": model, "name": "Large", "name_key": "large", "status": ModelStatus.ACTIVE}
    session.execute(insert(ModelPortfolio), [row | {"created_at": now, "version": 1}])
    texts = ("author", "rationale", "benchmark", "universe", "selection_method", "risks")
    published = {"id": version, "model_id": model, "number": 1, "created_at": now}
    session.execute(insert(ModelVersion), [published | dict.fromkeys(texts, "Text.")])
    session.execute(
        insert(ModelConstituent),
        [
            {"version_id": version, "place": place, "instrument_id": key, "allocation": Decimal(4)}
            for place, key in enumerate(held)
        ],
    )
    session.execute(
        insert(ModelSubscriber),
        [{"client_id": key, "model_id": model, "investment": None, "subscribed_at": now} for key in ids],
    )


def _times(
    database: Database, function: Callable[[Session, dt.datetime], object], *, is_moving: bool
) -> tuple[float, float, float, float]:
    """Median and 99th percentile of processor time, then of wall time, in milliseconds."""
    with database.reading() as session:
        book = prices.book_of(session)
        tokens = [stock.instrument_token for stock in instruments.all_listed(session)]
    units = book.units(tokens)
    spent, passed = [], []
    for turn in range(CALLS + 3):
        if is_moving:
            shift = 100 * (turn % 7)
            book.record({token: price + shift for token, price in units.items()}, clock.now(), "ZERODHA")
        cpu, began = time.process_time(), time.perf_counter()
        with database.reading() as session:
            function(session, clock.now())
        if turn >= 3:  # the first calls fill what is kept in memory
            spent.append((time.process_time() - cpu) * 1000)
            passed.append((time.perf_counter() - began) * 1000)
    return tuple(
        figure
        for times in (spent, passed)
        for figure in (statistics.median(times), float(np.percentile(times, 99)))
    )


if __name__ == "__main__":
    print(table(Size(clients=int(sys.argv[1]), holdings=30, orders=0, flows=1, fees=1, closes=1,
                     firm_closes=2) if sys.argv[1:] else FIRM))  # fmt: skip
