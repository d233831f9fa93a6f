"""The track record of a model: 1,000 followers over three years, kept by the job and read over HTTP."""

import datetime as dt
import statistics
import tempfile
import time
from decimal import Decimal
from pathlib import Path

import psutil
from firms import Size, make_folder
from flat import Caller
from sqlalchemy import insert, select
from start import start_server, stop

from tarazu.app import open_database
from tarazu.benchmarks import service as benchmarks
from tarazu.benchmarks.tables import BenchmarkKind
from tarazu.domain.money import from_units
from tarazu.instruments import service as instruments
from tarazu.kit import clock
from tarazu.kit.audit_log import SYSTEM
from tarazu.kit.db import Database, new_id
from tarazu.kit.settings import Settings
from tarazu.model_portfolios import service as models
from tarazu.model_portfolios.service import Constituent, Words
from tarazu.model_portfolios.tables import ModelFollowing
from tarazu.portfolio.tables import FirmClose
from tarazu.people.tables import Person, Role
from tarazu.prices import service as prices
from tarazu.track_record import service as track_record

FOLLOWERS, CLOSES, STOCKS, VERSIONS, ROUNDS = 1_000, 750, 30, 12, 20
GOAL_MS = 200
INDEX = "Made-up index TRI"
WORDS = Words("Thirty large companies.", INDEX, "Large shares.", "By size.", "Shares fall.")


def fill(database: Database) -> str:
    """A model with its closes, an index, and every client of the firm as a follower; its id."""
    with database.reading() as session:
        days = sorted(session.execute(select(FirmClose.date)).scalars())
        stocks = instruments.all_listed(session)[:STOCKS]
    first = dt.datetime.combine(days[0], dt.time(10), clock.INDIA)
    with database.transaction() as session:
        weight = Decimal(3)
        parts = [Constituent(stock, weight) for stock in stocks]
        model = models.add_model(session, SYSTEM, first, "Large", WORDS, parts)
        for number in range(1, VERSIONS):
            at = first + (days[-1] - days[0]) * number / VERSIONS
            turned = parts[number:] + [
                Constituent(part.instrument, weight - Decimal("0.01") * number)
                for part in parts[:number]
            ]
            models.add_version(session, SYSTEM, at, model.row.id, WORDS, turned)
    with database.transaction() as session:
        clients = session.execute(select(Person.id).where(Person.role == Role.CLIENT)).scalars().all()
        session.execute(
            insert(ModelFollowing),
            [
                {"id": new_id(), "model_id": model.row.id, "client_id": one, "is_whole": True,
                 "since": first, "until": None}
                for one in clients
            ],
        )  # fmt: skip
    with database.transaction() as session:
        for place, day in enumerate(days):
            closes = {
                stock.instrument_token: from_units(1_000_000 + (place * 37 + at * 911) % 90_000)
                for at, stock in enumerate(stocks)
            }
            prices.record_day_closes(session, day, closes)
        values = {day: Decimal(20_000 + place * 7 % 900) for place, day in enumerate(days)}
        about = (INDEX, BenchmarkKind.TRI, "made up")
        benchmarks.store_values(session, clock.now(), about, values)
        benchmarks.choose_benchmark(session, SYSTEM, clock.now(), INDEX, None)
    return str(model.row.id)


def table() -> str:
    size = Size(clients=FOLLOWERS, holdings=5, closes=CLOSES, firm_closes=CLOSES)
    with tempfile.TemporaryDirectory() as folder:
        make_folder(Path(folder), size)
        database = open_database(Settings(data_dir=Path(folder)))
        try:
            model_id = fill(database)
            began = time.process_time()
            track_record.keep_records(database, clock.now(), at_once=True)
            kept = time.process_time() - began
        finally:
            database.dispose()
        process, _, port = start_server("serve", Path(folder))
        try:
            caller, server = Caller(port), psutil.Process(process.pid)
            path = f"/admin/models/{model_id}/track-record"
            times, used = [], []
            for _ in range(ROUNDS + 2):
                before = sum(server.cpu_times()[:2])
                times.append(caller.timed(path))
                used.append((sum(server.cpu_times()[:2]) - before) * 1000)
        finally:
            stop(process)
    answer, spent = statistics.median(times[2:]), statistics.mean(used[2:])
    lines = [
        f"| a model with {FOLLOWERS:,} followers, {CLOSES} days, {VERSIONS} versions | |",
        "|---|---|",
        f"| answered, median ms | {answer:.1f} |",
        f"| processor of the server for one answer, mean ms | {spent:.1f} |",
        f"| calculated by the job, processor s | {kept:.1f} |",
    ]
    return "\n".join([*lines, "", f"Goal: at most {GOAL_MS} ms of processor time for one answer."])


if __name__ == "__main__":
    print(table())
