"""The process that sends is killed again and again: each client still gets exactly one advice."""

import signal

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

CLIENTS, AT_A_TIME = 24, 4
KILLS = 2
# It kills itself before the commit of its `last`-th batch, 0 for never.
WORKER = """
import os, signal, sys
from pathlib import Path
from tarazu.app import open_database
from tarazu.kit import clock
from tarazu.kit.settings import Settings
from tarazu.book_runs import worker
from tarazu.book_runs.worker import BookRunWorker

last, batch, folder, url, keys = sys.argv[1:]
worker.AT_A_TIME = int(batch)
calls, real_send_batch = 0, worker.advice.send_batch

def send_batch(*given):
    global calls
    sent = real_send_batch(*given)
    calls += 1
    if calls == int(last):
        os.kill(os.getpid(), signal.SIGKILL)
    return sent

worker.advice.send_batch = send_batch
database = open_database(Settings(data_dir=Path(folder), database_url=url, secrets_keys=keys))
books = BookRunWorker(database, clock.now, lambda progress: None)
books.resume()
books.wait(600)
"""


def _work(settings: Settings, last: int) -> int:
    """Work on the run until its end or until killed; the exit status."""
    place = str(settings.data_dir), settings.database_url or "", KEYS
    with Started(["-c", WORKER, str(last), str(AT_A_TIME), *place]) as worker:
        return worker.wait(600)


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


@pytest.mark.on_both(suite="long")
def test_every_client_gets_one_advice_though_the_sender_is_killed(
    bench: Bench, settings: Settings
) -> None:
    run_id = _run_queued(bench)
    for _ in range(KILLS):
        assert _work(settings, last=2) == -signal.SIGKILL
    assert bench.settled(run_id)["sending"]["sent"] == KILLS * AT_A_TIME

    assert _work(settings, last=0) == 0

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
