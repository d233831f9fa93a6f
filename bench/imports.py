"""A whole firm's holdings from files, beside the same rows put in by the bare driver.

9,999 clients with 30 holdings each, in files of 1,500 clients (a file has at most 50,000 rows):
each is read, every row checked against clients and instruments, compared with what is there, and
applied in one transaction with the kept totals and the audit trail. After each file the bare
driver puts the very same rows, as plain tuples in one `executemany`, into a copy of the database
from before: the same table with its keys and checks, as durably. Processor time is what counts.
"""

import csv
import datetime as dt
import random
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pysqlite3.dbapi2 as sqlite
from databases import both
from firms import MOST_CLIENTS, Size, make_firm
from sqlalchemy import select, text

from tarazu.app import open_database
from tarazu.domain import codes
from tarazu.imports import price_files, running, service, uploads
from tarazu.imports.commands import import_holdings
from tarazu.imports.errors import PricesRefused
from tarazu.imports.price_files import MAX_REFUSED
from tarazu.imports.readers import grids
from tarazu.imports.running import ImportContext
from tarazu.instruments.tables import Instrument
from tarazu.kit import clock
from tarazu.kit.db import Database
from tarazu.kit.gc_tuning import tune_gc
from tarazu.kit.settings import Settings
from tarazu.kit.audit_log import SYSTEM

HOLDINGS, AT_ONCE, GOAL = 30, 1_500, 3
PRICES = 3_000
TRADES, FILLS_OF_ORDER, TRADES_GOAL = 100_000, 4, 10
TRADEBOOK = (
    "symbol,isin,trade_date,exchange,segment,series,trade_type,auction,quantity,price,trade_id,"
    "order_id,order_execution_time"
)
AFTER_THE_CLOSE = dt.datetime(2026, 11, 20, 13, 0, tzinfo=dt.UTC)
UDIFF = (
    "TradDt,BizDt,Sgmt,Src,FinInstrmTp,FinInstrmId,ISIN,TckrSymb,SctySrs,XpryDt,FininstrmActlXpryDt,"
    "StrkPric,OptnTp,FinInstrmNm,OpnPric,HghPric,LwPric,ClsPric,LastPric,PrvsClsgPric,UndrlygPric,"
    "SttlmPric,OpnIntrst,ChngInOpnIntrst,TtlTradgVol,TtlTrfVal,TtlNbOfTxsExctd,SsnId,NewBrdLotQty,"
    "Rmks,Rsvd1,Rsvd2,Rsvd3,Rsvd4"
)
HEADER = "client_code,exchange,symbol,isin,quantity,average_price,cash".split(",")
COLUMNS = "client_id, instrument_id, quantity, pledged, t1, bought_today, average_price"
Seconds = tuple[float, float]
"""On the clock, and on the processor."""


def table(clients: int = MOST_CLIENTS) -> str:
    tune_gc()  # as every command of the product does
    ours, bare = [], []
    with tempfile.TemporaryDirectory() as folder:
        database = open_database(Settings(data_dir=Path(folder)))
        try:
            empty = Size(clients=clients, holdings=0, flows=0, orders=0, fees=0, firm_closes=0)
            make_firm(database, empty)
            limit = _copy(database, Path(folder))
            for path, first, last in _files(database, Path(folder), clients):
                began = _now()
                refused = import_holdings(database, path, None, False, lambda _: None)
                ours.append(_since(began))
                assert refused is None, refused
                rows = _rows(database, first, last)
                assert len(rows) == (last - first + 1) * HOLDINGS, len(rows)
                bare.append(_put(limit, rows))
                print(f"{last:,} of {clients:,} clients: import {ours[-1][1]:.2f} s of the processor,"
                      f" bare {bare[-1][1]:.2f} s", file=sys.stderr, flush=True)  # fmt: skip
            limit.close()
        finally:
            database.dispose()
    walls, cpus = ((sum(one[of] for one in ours), sum(one[of] for one in bare)) for of in (0, 1))
    is_met = "yes" if cpus[0] <= GOAL * cpus[1] else "no"
    return "\n".join([
        "| rows | import, s (processor) | bare executemany, s (processor) | ratio | goal | met |",
        "|---|---|---|---|---|---|",
        f"| {clients * HOLDINGS:,} | {walls[0]:.1f} ({cpus[0]:.1f}) | {walls[1]:.2f} ({cpus[1]:.2f}) |"
        f" {cpus[0] / cpus[1]:.1f} | ≤ {GOAL} | {is_met} |",
        "",
        f"{cpus[0] / clients / HOLDINGS * 1e6:.0f} µs of the processor a row; bare"
        f" {cpus[1] / clients / HOLDINGS * 1e6:.0f} µs.",
    ])  # fmt: skip


def _now() -> Seconds:
    return time.perf_counter(), time.process_time()


def _since(began: Seconds) -> Seconds:
    ended = _now()
    return ended[0] - began[0], ended[1] - began[1]


def _files(database: Database, folder: Path, clients: int) -> list[tuple[Path, int, int]]:
    """Each file with the numbers of its first and last client."""
    chance = random.Random(1)
    with database.reading() as session:
        wanted = select(Instrument.symbol, Instrument.isin).order_by(Instrument.symbol)
        stocks = session.execute(wanted.limit(500)).all()
    found = []
    for first in range(1, clients + 1, AT_ONCE):
        last = min(first + AT_ONCE - 1, clients)
        found.append((_file(folder, range(first, last + 1), stocks, chance), first, last))
    return found


def _file(folder: Path, numbers: range, stocks: Sequence[Any], chance: random.Random) -> Path:
    path = folder / f"holdings-{numbers[0]}.csv"
    with path.open("w", newline="") as file:
        out = csv.writer(file)
        out.writerow(HEADER)
        for number in numbers:
            for symbol, isin in chance.sample(stocks, HOLDINGS):
                price = f"{chance.randrange(10_000, 500_000) / 100:.2f}"
                row = (codes.client_code(number), "NSE", symbol, isin)
                out.writerow((*row, chance.randrange(1, 500), price, ""))
    return path


def _copy(database: Database, folder: Path) -> Any:
    """The driver's own link to a copy of the database, set up as the product sets up its own."""
    path = folder / "bare.db"
    with database.engine.connect() as link:
        raw = link.connection.driver_connection
        assert raw is not None
        raw.execute("VACUUM INTO ?", (str(path),))
    limit = sqlite.connect(path, isolation_level=None)
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        limit.execute(f"PRAGMA {pragma}")
    return limit


def _rows(database: Database, first: int, last: int) -> list[tuple[Any, ...]]:
    """What the import wrote of these clients, as the driver has it, in the order of writing."""
    statement = text(
        f"SELECT {COLUMNS} FROM holdings WHERE client_id IN (SELECT id FROM people"
        " WHERE client_code BETWEEN :first AND :last) ORDER BY holdings.rowid"
    )
    between = {"first": codes.client_code(first), "last": codes.client_code(last)}
    with database.reading() as session:
        return [tuple(row) for row in session.execute(statement, between)]


def _put(limit: Any, rows: list[tuple[Any, ...]]) -> Seconds:
    began = _now()
    limit.execute("BEGIN IMMEDIATE")
    limit.executemany(f"INSERT INTO holdings ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
    limit.execute("COMMIT")
    return _since(began)


def price_table(rows: int = PRICES) -> str:
    """An exchange's daily file: read, matched, taken in; and one in which no row is right."""
    tune_gc()
    with tempfile.TemporaryDirectory() as folder:
        database = open_database(Settings(data_dir=Path(folder)))
        try:
            good = _bhavcopy(database, rows)
            began = _now()
            given = price_files.read_price_file(good, "bhav.csv")
            report = price_files.import_prices(
                database, SYSTEM, AFTER_THE_CLOSE, given, is_dry_run=False
            )
            taken = _since(began)
            assert report.counts["changed"] > 500, report.message
            heading, body = good.split(b"\n", 1)
            wrong = heading + b"\n" + body.replace(b".05,", b".0x,") * 4
            began = _now()
            try:
                given = price_files.read_price_file(wrong, "bhav.csv")
                price_files.import_prices(
                    database, SYSTEM, AFTER_THE_CLOSE, given, is_dry_run=False
                )
            except PricesRefused as refusal:
                assert len(refusal.errors) == MAX_REFUSED
            refused = _since(began)
        finally:
            database.dispose()
    return "\n".join([
        "| file | s (processor) | goal, s | met |",
        "|---|---|---|---|",
        *(f"| {what} | {wall:.2f} ({cpu:.2f}) | ≤ {goal} | {'yes' if wall <= goal else 'no'} |"
          for what, (wall, cpu), goal in (
              (f"{rows:,} closing prices taken in", taken, 2),
              (f"{4 * rows:,} wrong rows refused", refused, 5),
          )),
    ])  # fmt: skip


def tradebook_table(rows: int = TRADES) -> str:
    """One client's tradebook, read, matched and written; then the same file, which adds nothing."""
    tune_gc()
    lines = ["| database | file | s (processor) | goal, s | met |", "|---|---|---|---|---|"]
    for name, settings in both():
        database = open_database(settings)
        try:
            make_firm(database, Size(clients=1, holdings=0, flows=0, orders=0, fees=0))
            content = _tradebook(database, rows)
            for what, added in ((f"{rows:,} trades", rows), ("the same again", 0)):
                began = _now()
                report = _import_tradebook(database, content)
                wall, cpu = _since(began)
                assert report["counts"]["added"] * FILLS_OF_ORDER == added, report["message"]
                met = "yes" if wall <= TRADES_GOAL else "no"
                lines.append(f"| {name} | {what} | {wall:.1f} ({cpu:.1f}) | ≤ {TRADES_GOAL} | {met} |")
                print(lines[-1], file=sys.stderr, flush=True)
        finally:
            database.dispose()
    return "\n".join(lines)


def _import_tradebook(database: Database, content: bytes) -> dict[str, Any]:
    file = uploads.read_file(content, "tradebook.csv", grids.OF_TRADEBOOKS)
    with database.reading() as session:
        client_id = service.client_id_of(session, codes.client_code(1))
        options = uploads.ImportOptions(is_dry_run=False, leave_out_refused=False)
        request = service.prepare_import(session, file, client_id, options)
    context = ImportContext(database, SYSTEM, clock.now, lambda *_: None)
    return running.run(request, context)


def _tradebook(database: Database, rows: int) -> bytes:
    """Three years of trades of Zerodha Console, some of each stock of the list."""
    with database.reading() as session:
        stocks = session.execute(select(Instrument.symbol, Instrument.isin).limit(200)).all()
    lines = [TRADEBOOK]
    for number in range(rows):
        symbol, isin = stocks[number // FILLS_OF_ORDER % len(stocks)]
        day = dt.date(2023, 11, 1) + dt.timedelta(days=number * 1_095 // rows)
        lines.append(
            f"{symbol},{isin},{day},NSE,EQ,EQ,buy,false,{1 + number % 9},{100 + number % 50}.05,"
            f"{10**7 + number},{10**6 + number // FILLS_OF_ORDER},{day}T10:{number % 60:02}:00"
        )
    return "\n".join([*lines, ""]).encode()


def _bhavcopy(database: Database, rows: int) -> bytes:
    """A file in the common format: the stocks of the list, and others that nobody uses here."""
    with database.reading() as session:
        stocks = session.execute(select(Instrument.symbol, Instrument.isin)).all()
    others = [(f"OTHER{number}", "") for number in range(rows - len(stocks))]
    lines = [
        f"2026-11-20,2026-11-20,CM,NSE,STK,1,{isin},{symbol},EQ,,,,,A,1,1,1,{100 + number}.05,1,1,,1,"
        ",,1,1,1,F1,1,,,,,"
        for number, (symbol, isin) in enumerate([*stocks, *others])
    ]
    return "\n".join([UDIFF, *lines, ""]).encode()


if __name__ == "__main__":
    print(table())
    print(price_table())
    print(tradebook_table())
