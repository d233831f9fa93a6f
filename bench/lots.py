# ruff: noqa: INP001 - a script, not a package
"""Tax lots of a long history, and the figures of one client's tax year.

Run with `python bench/lots.py`; it prints a table in Markdown. Times are processor time on one core,
the middle of several runs. Goals: 100,000 trades in 200 stocks within 2 s, and one client with 5,000
trades and 20 corporate actions, from the database to the sums of a year, within 100 ms.
"""

import datetime as dt
import os
import random
import statistics
import tempfile
import time
import uuid
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

from firms import Size, make_firm
from sqlalchemy import insert, select

from tarazu.app import open_database
from tarazu.domain import codes
from tarazu.domain.corporate_actions.values import ActionKind, CorporateAction
from tarazu.domain.tax.lots import Entries, ledger_of
from tarazu.domain.tax.values import Trade
from tarazu.instruments import tables as instruments
from tarazu.instruments.tables import Instrument
from tarazu.kit.db import Database, new_id
from tarazu.kit.gc_tuning import tune_gc
from tarazu.kit.settings import Settings
from tarazu.orders.service import NewTrade, record_trades
from tarazu.orders.tables import OrderSide, TradeSource
from tarazu.people import service as people
from tarazu.tax import service

SEED = 20261120
RUNS = 5
TRADES, STOCKS = 100_000, 200
OWN_TRADES, OWN_STOCKS, ACTIONS = 5_000, 60, 20
FIRST, DAYS = dt.date(2018, 4, 2), 3_150
NOW = dt.datetime(2026, 11, 20, 9, 0, tzinfo=dt.UTC)
GOAL, OWN_GOAL = 2.0, 0.1


def trades_of(count: int, isins: list[str]) -> list[Trade]:
    """Purchases, and sales of what was bought, of one demat account over eight years."""
    chance = random.Random(SEED)
    held = dict.fromkeys(isins, 0)
    trades = []
    for number in range(count):
        isin = chance.choice(isins)
        sells = held[isin] > 0 and chance.random() < 0.45  # noqa: PLR2004
        quantity = chance.randint(1, held[isin]) if sells else chance.randint(1, 200)
        held[isin] += -quantity if sells else quantity
        day = FIRST + dt.timedelta(days=number * DAYS // count)
        price = Decimal(chance.randint(5_000, 500_000)).scaleb(-2)
        order = (f"{day}T10:{number % 60:02}:00", "NSE", str(10**7 + number))
        trades.append(Trade(isin, day, not sells, quantity, price, order))
    return trades


def actions_of(count: int, isins: list[str]) -> list[CorporateAction]:
    """Splits and bonus issues, each of another share."""
    return [
        CorporateAction(
            ActionKind.BONUS if number % 2 else ActionKind.SPLIT,
            isin,
            "",
            FIRST + dt.timedelta(days=150 * (number + 1)),
            Fraction(2 if number % 2 else 5),
        )
        for number, isin in enumerate(isins[:count])
    ]


def processor_seconds(of: Callable[[], object]) -> float:
    """The middle of some runs; the first, which fills caches, is not counted."""
    of()
    times = []
    for _ in range(RUNS):
        began = time.process_time()
        of()
        times.append(time.process_time() - began)
    return statistics.median(times)


def table() -> str:
    """Measure, and the rows in Markdown."""
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    tune_gc()
    isins = [f"INE{number:03}A01010" for number in range(STOCKS)]
    trades, actions = trades_of(TRADES, isins), actions_of(ACTIONS, isins)
    lots = processor_seconds(lambda: ledger_of(Entries(trades), actions, NOW.date()))
    own_lots, own_year = _one_client()
    lines = ["| what | s (processor) | goal, s | met |", "|---|---:|---:|---|"]
    for what, seconds, goal in (
        (f"lots and sales of {TRADES:,} trades, {STOCKS} stocks", lots, GOAL),
        (
            f"one client, {OWN_TRADES:,} trades, {ACTIONS} actions: open lots",
            own_lots,
            OWN_GOAL,
        ),
        ("the same client: a tax year", own_year, OWN_GOAL),
    ):
        met = "yes" if seconds <= goal else "no"
        lines.append(f"| {what} | {seconds:.3f} | ≤ {goal} | {met} |")
    return "\n".join(lines)


def _one_client() -> tuple[float, float]:
    with tempfile.TemporaryDirectory() as folder:
        database = open_database(Settings(data_dir=Path(folder)))
        try:
            make_firm(database, Size(clients=1, holdings=30, flows=0, orders=0, fees=0))
            client_id = _trade(database)

            def of(read: Callable[..., object], *more: object) -> float:
                def act() -> None:
                    with database.reading() as session:
                        read(session, client_id, *more, NOW)

                return processor_seconds(act)

            return of(service.lots_of), of(service.year_of, "2025-26")
        finally:
            database.dispose()


def _trade(database: Database) -> uuid.UUID:
    """Give the first client trades and their shares actions; the client."""
    with database.transaction() as session:
        client = people.client_by_code(session, codes.client_code(1))
        assert client is not None
        rows = session.execute(
            select(Instrument.symbol, Instrument.isin).limit(OWN_STOCKS)
        ).all()
        symbols = {row.isin: row.symbol for row in rows}
        new = [
            NewTrade(
                trade.order[1],
                trade.order[2],
                trade.order[2],
                dt.datetime.fromisoformat(f"{trade.order[0]}+05:30").astimezone(dt.UTC),
                symbols[trade.isin],
                trade.isin,
                OrderSide.BUY if trade.is_purchase else OrderSide.SELL,
                trade.quantity,
                trade.price,
            )
            for trade in trades_of(OWN_TRADES, list(symbols))
        ]
        record_trades(session, client.id, new, TradeSource.FILE, NOW)
        session.execute(
            insert(instruments.CorporateAction),
            [
                {
                    "id": new_id(),
                    "isin": action.isin,
                    "new_isin": "",
                    "kind": action.kind,
                    "ex_on": action.ex_on,
                    "new": action.factor.numerator,
                    "old": action.factor.denominator,
                    "purpose": "",
                    "source": "BENCH",
                    "created_at": NOW,
                }
                for action in actions_of(ACTIONS, list(symbols))
            ],
        )
        return client.id


if __name__ == "__main__":
    print(table())
