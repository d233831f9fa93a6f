"""A whole firm's holdings from files, beside the same rows put in by the bare driver.

9,999 clients with 30 holdings each, in files of 1,500 clients (a file has at most 50,000 rows): each is read, every row checked against clients and
instruments, compared with what is there, and applied in a transaction with the kept totals and
the audit trail. The driver only puts the rows into a table of the same shape, as durably.
"""

import csv
import random
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pysqlite3.dbapi2 as sqlite
from firms import MOST_CLIENTS, Size, make_firm
from sqlalchemy import func, select

from tarazu.app import open_database
from tarazu.domain import codes
from tarazu.imports.commands import import_holdings
from tarazu.instruments.tables import Instrument
from tarazu.kit.settings import Settings
from tarazu.portfolio.tables import Holding

HOLDINGS, AT_ONCE, ROUNDS, GOAL = 30, 1_500, 1, 3
HEADER = "client_code,exchange,symbol,isin,quantity,average_price,cash".split(",")
TABLE = """
    CREATE TABLE holdings (
        client_id CHAR(32) NOT NULL, instrument_id CHAR(32) NOT NULL, quantity BIGINT NOT NULL,
        pledged BIGINT NOT NULL, t1 BIGINT NOT NULL, bought_today BIGINT NOT NULL,
        average_price BIGINT NOT NULL, PRIMARY KEY (client_id, instrument_id))
"""


def table(clients: int = MOST_CLIENTS) -> str:
    ours, bare = [], []
    for turn in range(ROUNDS):
        with tempfile.TemporaryDirectory() as folder:
            bare.append(_bare(Path(folder), clients, turn))
            ours.append(_ours(Path(folder), clients, turn))
    own, least = statistics.median(ours), statistics.median(bare)
    return "\n".join([
        "| rows | import, s | bare executemany, s | ratio |",
        "|---|---|---|---|",
        f"| {clients * HOLDINGS:,} | {own:.1f} | {least:.2f} | {own / least:.1f} |",
        "",
        f"Goal: at most {GOAL} times the bare rows.",
    ])  # fmt: skip


def _ours(folder: Path, clients: int, seed: int) -> float:
    database = open_database(Settings(data_dir=folder))
    chance = random.Random(seed)
    try:
        make_firm(database, Size(clients=clients, holdings=0, flows=0, orders=0, fees=0, firm_closes=0))
        with database.reading() as session:
            wanted = select(Instrument.symbol, Instrument.isin).order_by(Instrument.symbol)
            stocks = session.execute(wanted.limit(500)).all()
        files = [
            _file(folder, range(first, min(first + AT_ONCE, clients + 1)), stocks, chance)
            for first in range(1, clients + 1, AT_ONCE)
        ]
        began = time.perf_counter()
        refused = [import_holdings(database, path, None, False, lambda _: None) for path in files]
        taken = time.perf_counter() - began
        with database.reading() as session:
            count = session.execute(select(func.count()).select_from(Holding)).scalar_one()
        assert not any(refused) and count == clients * HOLDINGS, (refused, count)
        return taken
    finally:
        database.dispose()


def _file(folder: Path, numbers: range, stocks: Sequence[Any], chance: random.Random) -> Path:
    path = folder / f"holdings-{numbers[0]}.csv"
    with path.open("w", newline="") as file:
        out = csv.writer(file)
        out.writerow(HEADER)
        for number in numbers:
            for symbol, isin in chance.sample(stocks, HOLDINGS):
                row = (codes.client_code(number), "NSE", symbol, isin)
                out.writerow((*row, chance.randrange(1, 500), chance.randrange(100, 5_000), ""))
    return path


def _bare(folder: Path, clients: int, seed: int) -> float:
    chance = random.Random(seed)
    stocks = [f"{number:032x}" for number in range(500)]
    rows = [
        (f"{client:032x}", stock, chance.randrange(1, 500), 0, 0, 0, chance.randrange(10**6, 10**7))
        for client in range(clients)
        for stock in chance.sample(stocks, HOLDINGS)
    ]
    link = sqlite.connect(folder / "bare.db")
    link.execute("PRAGMA journal_mode=WAL")
    link.execute("PRAGMA synchronous=FULL")
    link.execute(TABLE)
    began = time.perf_counter()
    link.executemany("INSERT INTO holdings VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
    link.commit()
    taken = time.perf_counter() - began
    link.close()
    return taken


if __name__ == "__main__":
    print(table())
