"""The follow-up of a whole book: 10,000 advices of 24 lines with three trades each.

Measured are the job that matches all of them (nothing known, nothing changed, one trade of every
line changed, the day's closes came in), one client alone, and the board's first page over HTTP.
"""

import argparse
import datetime as dt
import statistics
import sys
import time
import uuid
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

from databases import both, take_statistics
from firms import Size, make_firm
from flat import Caller
from sqlalchemy import select, update
from start import start_server, stop

from tarazu.advice.tables import Advice, AdviceStock
from tarazu.app import open_database
from tarazu.follow_up.matching import match_due
from tarazu.instruments.tables import Instrument
from tarazu.kit import clock
from tarazu.kit.clock import INDIA, day_in_india
from tarazu.kit.db import Database, add_rows
from tarazu.kit.gc_tuning import tune_gc
from tarazu.kit.settings import Settings
from tarazu.orders import service as orders
from tarazu.orders.tables import OrderSide, Trade, TradesRead, TradeSource
from tarazu.people.tables import Person, Role

CLIENTS, LINES, FILLS, ROUNDS = 9_999, 24, 3, 30
GOALS = {"all": 10.0, "one": 0.020, "board": 10.0}
AT_ONCE = 20_000
BEFORE_CLOSE, AFTER_CLOSE = dt.time(12), dt.time(16)
Seconds = tuple[float, float]
"""On the clock, and on the processor of this process."""


def table(clients: int = CLIENTS) -> str:
    """Seconds of the job and milliseconds of the board, on each database."""
    tune_gc()  # as the product does
    parts: list[str] = []
    for name, settings in both():
        parts += ["", name, *_measured(settings, clients)]
    return "\n".join(
        [*parts, "", f"Goal: the first page in at most {GOALS['board']:.0f} ms."]
    )


def _measured(settings: Settings, clients: int) -> list[str]:
    database = open_database(settings)
    try:
        make_firm(
            database, Size(clients=clients, holdings=1, flows=0, orders=0, fees=0)
        )
        ids = _advise(database)
        lines = [
            "", "| the book | seconds | of the processor | goal |", "|---|---|---|---|",
            _row("first matching", _matched(database, ids), "-"),
        ]  # fmt: skip
        take_statistics(database)
        lines.append(_row("nothing changed", _matched(database, ids), GOALS["all"]))
        with database.transaction() as session:
            session.execute(
                update(Trade).where(Trade.trade_id.endswith("-0")).values(price=Decimal(99))
            )
        lines.append(
            _row("one trade a line changed", _matched(database, ids), GOALS["all"])
        )
        alone = sorted(_matched(database, ids[:1]) for _ in range(ROUNDS))
        lines.append(_row("one client", alone[ROUNDS // 2], GOALS["one"]))
        closes = _matched(database, ids, AFTER_CLOSE)
        lines.append(_row("the day's closes came in", closes, GOALS["all"]))
    finally:
        database.dispose()
    return [*lines, "", *_board(settings)]


def _row(name: str, seconds: Seconds, goal: object) -> str:
    wall, processor = seconds
    row = f"| {name} | {wall:.3f} | {processor:.3f} | {goal} |"
    print(row, file=sys.stderr, flush=True)
    return row


def _board(settings: Settings) -> list[str]:
    process, _, port = start_server(
        "serve", settings.data_dir, TARAZU_DATABASE_URL=settings.database_url
    )
    try:
        caller = Caller(port)
        found = {}
        for name, path in {
            "first page": "/admin/follow-up?limit=50",
            "one state": "/admin/follow-up?limit=50&state=ACTED",
            "by shortfall": "/admin/follow-up?limit=50&sort=-shortfall",
            "stocks": "/admin/follow-up/stocks?limit=50",
        }.items():
            found[name] = [caller.timed(path) for _ in range(ROUNDS + 2)]
    finally:
        stop(process)
    lines = [
        "| the board over HTTP | first, ms | median, ms | longest, ms |",
        "|---|---|---|---|",
    ]
    for name, times in found.items():
        rest = times[2:]
        lines.append(
            f"| {name} | {times[0]:.1f} | {statistics.median(rest):.1f} | {max(rest):.1f} |"
        )
    return lines


def _matched(
    database: Database, ids: list[uuid.UUID], at: dt.time = BEFORE_CLOSE
) -> Seconds:
    """Match these clients as at a time of today; from the close on, the day's closes count too."""
    with database.transaction() as session:
        orders.mark_matching_due(session, ids, clock.now())
    now = dt.datetime.combine(day_in_india(clock.now()), at, INDIA)
    began, processor = time.perf_counter(), time.process_time()
    match_due(database, now)
    return time.perf_counter() - began, time.process_time() - processor


def _advise(database: Database) -> list[uuid.UUID]:
    """One advice to each client yesterday, with the trades that carried it out."""
    sent_at = clock.now() - dt.timedelta(days=1)
    with database.transaction() as session:
        sender = session.execute(
            select(Person.id).where(Person.role == Role.ADMIN)
        ).scalar_one()
        ids = list(
            session.execute(
                select(Person.id).where(Person.role == Role.CLIENT)
            ).scalars()
        )
        stocks = session.execute(
            select(Instrument.isin, Instrument.symbol, Instrument.zerodha_token)
            .where(Instrument.isin != "").order_by(Instrument.symbol).limit(100)
        ).all()  # fmt: skip
        advices = [_id(client_id, 0) for client_id in ids]
        add_rows(session, Advice, [
            {
                "id": advice_id, "client_id": client_id, "account_id": sender,
                "rebalance_id": None, "created_at": sent_at, "total_stocks": LINES,
                "total_invested_value": Decimal(300_000), "total_buy_value": Decimal(90_000),
                "total_sell_value": Decimal(0), "rationale": "", "mail_id": None,
            }
            for advice_id, client_id in zip(advices, ids, strict=True)
        ])  # fmt: skip
        _put(session, AdviceStock, _lines(advices, ids, stocks))
        _put(session, Trade, _trades(ids, stocks, sent_at))
        add_rows(
            session,
            TradesRead,
            [{"client_id": one, "read_at": clock.now()} for one in ids],
        )
    return ids


def _id(client_id: uuid.UUID, number: int) -> uuid.UUID:
    return uuid.uuid5(client_id, str(number))


def _stocks_of(place: int, stocks: Any) -> list[Any]:
    return [stocks[(place * 7 + line) % len(stocks)] for line in range(LINES)]


def _lines(advices: Any, ids: Any, stocks: Any) -> Iterator[Mapping[str, Any]]:
    for place, advice_id in enumerate(advices):
        for line, (isin, symbol, token) in enumerate(_stocks_of(place, stocks)):
            yield {
                "id": _id(advice_id, line), "advice_id": advice_id, "place": line, "type": "BUY",
                "symbol": symbol, "exchange": "NSE", "product": "DELIVERY", "isin": isin,
                "instrument_token": token, "quantity": 30, "allocation": Decimal(4),
                "possible_allocation": Decimal(4), "drift": Decimal(0), "message": "", "note": "",
                "last_price": Decimal(100), "current_value": Decimal(0),
                "additional_value": Decimal(3_000), "freed_value": Decimal(0),
                "projected_value": Decimal(3_000),
            }  # fmt: skip


def _trades(ids: Any, stocks: Any, sent_at: dt.datetime) -> Iterator[Mapping[str, Any]]:
    for place, client_id in enumerate(ids):
        for line, (isin, symbol, _) in enumerate(_stocks_of(place, stocks)):
            for fill in range(FILLS):
                at = sent_at + dt.timedelta(minutes=5 + fill)
                yield {
                    "id": _id(client_id, 1 + line * FILLS + fill), "client_id": client_id,
                    "source": TradeSource.BROKER, "exchange": "NSE",
                    "trade_id": f"{line}-{fill}", "order_id": str(line), "day": at.date(),
                    "traded_at": at, "after": None, "symbol": symbol, "isin": isin,
                    "side": OrderSide.BUY, "quantity": 10, "price": Decimal("100.25"),
                    "product": "DELIVERY", "tag": "", "recorded_at": at,
                }  # fmt: skip


def _put(session: Any, kind: Any, rows: Iterator[Mapping[str, Any]]) -> None:
    some: list[Mapping[str, Any]] = []
    for row in rows:
        some.append(row)
        if len(some) == AT_ONCE:
            add_rows(session, kind, some)
            some = []
    add_rows(session, kind, some)


if __name__ == "__main__":
    given = argparse.ArgumentParser()
    given.add_argument("--clients", type=int, default=CLIENTS)
    print(table(given.parse_args().clients))
