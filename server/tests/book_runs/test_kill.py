"""The process that sends is killed again and again: each client still gets exactly one advice."""

import os
import signal
import subprocess
from collections.abc import Iterator

import pytest
from sqlalchemy import func, select

from tarazu.advice.tables import Advice, AdviceSeal
from tarazu.book_runs.tables import BookRunClient, ClientState
from tarazu.kit.settings import Settings
from tarazu.prices import service as prices
from tests.conftest import KEYS
from tests.models_of import Bench
from tests.started import Started

pytestmark = [pytest.mark.long, pytest.mark.usefixtures("real_clock")]

CLIENTS = 24
KILLS = 2
WORKER = """
import sys, time
from pathlib import Path
from tarazu.app import open_database
from tarazu.kit import clock
from tarazu.kit.settings import Settings
from tarazu.book_runs import worker
from tarazu.book_runs.worker import BookRunWorker

folder, url, keys = sys.argv[1:]
worker.AT_A_TIME = 4
database = open_database(Settings(data_dir=Path(folder), database_url=url, secrets_keys=keys))
tell = lambda progress: print(progress.done, progress.state, flush=True)
books = BookRunWorker(database, clock.now, tell)
books.resume()
books.wait(120)
"""


def _worker(settings: Settings) -> Started:
    url = settings.database_url or ""
    words = ["-c", WORKER, str(settings.data_dir), url, KEYS]
    return Started(words, output=subprocess.PIPE)


def _end(worker: Started) -> None:
    worker.wait(30)
    worker.close()


def _told(worker: Started) -> Iterator[tuple[int, str]]:
    assert worker.stdout is not None
    for line in worker.stdout:
        done, _, state = line.partition(" ")
        if done.isdigit():
            yield int(done), state.strip()


def _run_queued(bench: Bench) -> str:
    """A run whose advices wait, and no process works on it."""
    new = [{"name": "Somebody", "email": f"c{one}@home.example"} for one in range(CLIENTS)]
    added = bench.desk.post("/clients/add", {"clients": new}).json()["data"]
    for number, one in enumerate(added):
        bench.hold(one["_id"], {"INFY": 50 + number}, "300000")
    assert bench.follow(*(one["_id"] for one in added)).status_code == 200
    # Another process knows only the prices that were kept.
    prices.save_last_prices(bench.database)
    run = bench.begun()
    bench.books.stop()
    assert bench.send(run).status_code == 202
    return str(run["_id"])


def test_every_client_gets_one_advice_though_the_sender_is_killed(
    bench: Bench, settings: Settings
) -> None:
    run_id = _run_queued(bench)
    for _ in range(KILLS):
        worker = _worker(settings)
        progress = _told(worker)
        began, _ = next(progress)
        assert next(progress)[0] > began
        os.kill(worker.pid, signal.SIGKILL)
        _end(worker)

    last = _worker(settings)
    assert list(_told(last))[-1] == (CLIENTS, "DONE")
    _end(last)

    with bench.database.reading() as session:
        advices = session.execute(select(Advice.client_id)).scalars().all()
        seals = session.execute(select(func.count()).select_from(AdviceSeal)).scalar_one()
        sent = (
            session.execute(
                select(BookRunClient.advice_id).where(BookRunClient.state == ClientState.SENT)
            )
            .scalars()
            .all()
        )
    assert len(set(sent)) == CLIENTS
    assert len(advices) == len(set(advices)) == seals == CLIENTS
    assert bench.settled(run_id)["sending"]["sent"] == CLIENTS
    assert bench.desk.get("/admin/audit/verify").json()["data"]["fault"] is None
