"""Runs: everybody who is stale, with an outcome each, once, and through a kill."""

import datetime as dt
import os
import signal
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any
from uuid import UUID

import httpx
import pytest
from sqlalchemy import select, update

from tarazu.brokers.tables import ClientSession
from tarazu.kit import clock, jobs
from tarazu.kit.audit_log import SYSTEM
from tarazu.kit.jobs import JobRow
from tarazu.kit.settings import Settings
from tarazu.kit.sockets import Progress
from tarazu.orders import service as orders
from tarazu.sync import running
from tarazu.sync.running import Syncs
from tarazu.sync.tables import ClientSync, RunState, SyncRun
from tests.brokers.simulator import Simulator
from tests.brokers.simulator.world import ANGEL, KITE, Placed
from tests.kit.test_pubsub import until
from tests.people_of import ADMIN, data_of
from tests.rows_of import scalars
from tests.started import Started, free_port
from tests.sync.conftest import CALLS, SyncDesk

pytestmark = pytest.mark.on_both

AFTER_CLOSE = dt.datetime(2026, 11, 20, 15, 50, tzinfo=clock.INDIA)  # a Friday


def begin(desk: SyncDesk) -> dict[str, Any]:
    return dict(data_of(desk.firm.desk.post("/admin/sync"), 202))


def last(desk: SyncDesk) -> dict[str, Any]:
    return dict(desk.firm.desk.get("/admin/sync", limit=50).json()["data"])


def outcomes(desk: SyncDesk) -> dict[str, str]:
    return {row["name"]: row["outcome"] for row in last(desk)["clients"]}


def other_process(desk: SyncDesk, now: dt.datetime, mark: str = "elsewhere:1:aa") -> Syncs:
    """The runs of another process of the installation, whose clock says `now`."""
    return Syncs(desk.database, desk.gateway, lambda: now, lambda _: None, mark)


def test_every_client_has_an_outcome(desk: SyncDesk) -> None:
    desk.firm.desk.add_client("Omkar Rao", "omkar@home.example")
    desk.change("AB1234", orders=())
    good = desk.client("AB1234", KITE, "Kavya Menon")
    desk.client("AB1235", KITE, "Ravi Iyer")
    desk.client("AB1236", KITE, "Asha Bhat")
    desk.client("A123456", ANGEL, "Dev Sen")
    desk.fault(KITE, "funds", "half", user="AB1235")
    desk.world.revoke("AB1236")
    told: list[Progress] = []
    desk.syncs.tell = told.append

    run = begin(desk)
    assert desk.syncs.wait(600)

    assert (run["kind"], run["total"]) == ("ASKED", 5)
    assert outcomes(desk) == {
        "Omkar Rao": "NO_SESSION",
        "Kavya Menon": "DONE",
        "Ravi Iyer": "FAILED",
        "Asha Bhat": "DEAD",
        "Dev Sen": "DONE",
    }
    failed = next(row for row in last(desk)["clients"] if row["name"] == "Ravi Iyer")
    assert failed["reason"].startswith("The broker sent an answer that cannot be read.")
    assert last(desk)["state"] == "DONE"
    assert len(desk.holdings(good)) == len(desk.person().lots)
    assert [one.done for one in told] == sorted(one.done for one in told)
    assert (told[-1].done, told[-1].total, told[-1].state) == (5, 5, "DONE")


def test_who_presses_twice_begins_one_run_and_the_fresh_are_left_out(desk: SyncDesk) -> None:
    desk.client()
    desk.fault(KITE, "orders", "slow", seconds=0.5)

    first, second = begin(desk), begin(desk)
    assert first["_id"] == second["_id"]
    assert desk.syncs.wait(600)

    third = begin(desk)
    assert third["_id"] != first["_id"]
    assert third["total"] == 0
    assert desk.syncs.wait(600)


def test_nobody_connected_is_said_at_once(desk: SyncDesk) -> None:
    desk.firm.desk.add_client()

    answer = desk.firm.desk.post("/admin/sync")

    assert answer.status_code == 409
    assert "No client is logged in" in answer.json()["message"]


def test_calls_are_made_at_the_brokers_pace_and_limits_are_waited_for(desk: SyncDesk) -> None:
    desk.world.scale = 1.0
    for number in range(3):
        desk.client(f"AB{1234 + number}", KITE, f"Client {number}")
    desk.fault(KITE, "holdings", "limit", times=3)
    desk.world.calls.clear()
    begin(desk)
    began = time.monotonic()

    assert desk.syncs.wait(600)

    assert set(outcomes(desk).values()) == {"DONE"}
    # Five calls a client at least, 9.5 a second, besides those that were too many.
    assert len(desk.world.calls) >= 15
    assert time.monotonic() - began > (len(desk.world.calls) - 5) / 10


def test_a_run_that_stops_in_between_goes_on_in_another_process(
    desk: SyncDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "AT_A_TIME", 2)
    for number in range(3):
        desk.client(f"AB{1234 + number}", KITE, f"Client {number}")
        desk.client(f"A{123456 + number}", ANGEL, f"Customer {number}")
    desk.fault(KITE, "profile", "slow", seconds=0.7)
    desk.fault(ANGEL, "profile", "slow", seconds=0.7)
    begin(desk)
    until(lambda: last(desk)["done"])
    desk.syncs.stop()

    stopped = last(desk)
    assert stopped["state"] == "RUNNING"
    assert 0 < stopped["done"] < 6
    other = other_process(desk, clock.now())
    other.resume()
    assert other.wait(600)

    assert last(desk)["state"] == "DONE"
    assert set(outcomes(desk).values()) == {"DONE"}
    asked = Counter(call for _, call in desk.world.calls)
    assert asked[CALLS[KITE]["profile"]] == 3  # nobody twice


def test_a_process_that_works_is_not_taken_for_dead(desk: SyncDesk) -> None:
    desk.client()
    desk.fault(KITE, "orders", "slow", seconds=1.0)
    begin(desk)

    other = other_process(desk, clock.now())
    other.resume()

    assert not other.is_working
    assert desk.syncs.wait(600)


def test_a_silent_owner_loses_its_run(desk: SyncDesk) -> None:
    desk.client()
    desk.syncs._stopping.set()  # the run is begun, and nobody works at it
    begin(desk)
    with desk.database.transaction() as session:
        session.execute(update(JobRow).values(owner="elsewhere:7:bb"))

    early = other_process(desk, clock.now() + jobs.LEASE - dt.timedelta(seconds=8))
    early.resume()
    assert not early.is_working
    later = other_process(desk, clock.now() + jobs.LEASE + dt.timedelta(seconds=2))
    later.resume()

    assert later.wait(600)
    assert last(desk)["state"] == "DONE"


def test_the_nightly_run_comes_once_however_many_processes_there_are(desk: SyncDesk) -> None:
    client_id = desk.client()
    with desk.database.transaction() as session:
        orders.record_orders(session, UUID(client_id), [])
    several = [other_process(desk, AFTER_CLOSE, f"elsewhere:{number}:cc") for number in range(4)]

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(Syncs.resume, several))
    for one in several:
        assert one.wait(600)
    several[0].resume()

    runs = scalars(desk.database, select(SyncRun))
    assert [(run.kind, run.day, run.state) for run in runs] == [
        ("NIGHTLY", dt.date(2026, 11, 20), RunState.DONE)
    ]


def test_orders_and_trades_are_read_once_more_after_the_evening_session(desk: SyncDesk) -> None:
    desk.change("AB1234", orders=())
    client_id = desk.client()
    with desk.database.transaction() as session:
        session.execute(update(ClientSession).values(expires_at=AFTER_CLOSE + dt.timedelta(days=9)))

    def run_at(hour: int, minute: int) -> str:
        process = other_process(desk, AFTER_CLOSE.replace(hour=hour, minute=minute))
        process.resume()
        assert process.wait(600)
        return str(last(desk)["kind"])

    kinds = [run_at(15, 45)]
    lot = desk.person().lots[0]
    late = Placed("7001", lot.stock, "BUY", "CNC", 5, 5, 100, "COMPLETE", 400)
    desk.change("AB1234", orders=(late,))
    kinds += [run_at(16, 4), run_at(16, 5), run_at(16, 20)]

    assert kinds == ["NIGHTLY", "NIGHTLY", "EVENING", "EVENING"]
    assert [row["quantity"] for row in desk.get(client_id, "order-book")["orders"]] == [5]
    with desk.database.reading() as session:
        runs = session.execute(select(SyncRun.kind, SyncRun.day)).all()
    assert sorted(runs) == [("EVENING", AFTER_CLOSE.date()), ("NIGHTLY", AFTER_CLOSE.date())]


def test_a_list_that_was_not_believed_is_asked_for_again_until_it_is(desk: SyncDesk) -> None:
    desk.change("AB1234", orders=())
    client_id = desk.client()
    morning = AFTER_CLOSE.replace(hour=11, minute=0)
    with desk.database.transaction() as session:
        session.execute(update(ClientSession).values(expires_at=AFTER_CLOSE + dt.timedelta(days=9)))

    def run_after(minutes: int) -> str:
        process = other_process(desk, morning + dt.timedelta(minutes=minutes))
        process.resume()
        assert process.wait(600)
        return f"{last(desk)['kind']} {desk.statement(client_id)['outcome']}"

    told = [run_after(0)]
    desk.change("AB1234", lots=())
    process = other_process(desk, morning + dt.timedelta(minutes=11))
    process.begin(SYSTEM)
    assert process.wait(600)
    told += [run_after(minutes) for minutes in (15, 41, 72)]

    assert told == ["LOGIN DONE", "ASKED DOUBTED", "AGAIN DOUBTED", "AGAIN DONE"]
    assert desk.holdings(client_id) == {}


@pytest.mark.parametrize(
    "now",
    [
        AFTER_CLOSE.replace(hour=15, minute=44),  # before the close
        AFTER_CLOSE + dt.timedelta(days=1),  # a Saturday
    ],
)
def test_there_is_no_nightly_run_before_the_close_nor_on_a_holiday(
    desk: SyncDesk, now: dt.datetime
) -> None:
    other_process(desk, now).resume()

    with desk.database.reading() as session:
        assert running.last_run(session) is None


def test_a_client_who_logs_in_is_read_soon_after_and_once(desk: SyncDesk) -> None:
    desk.change("AB1234", orders=())
    client_id = desk.client()
    now = clock.now()
    noon = replace(desk.syncs, now=lambda: now)
    noon.resume()
    assert noon.wait(600)
    if last(desk)["kind"] in {"NIGHTLY", "EVENING"}:
        pytest.skip("the close of a business day came first")

    assert last(desk)["kind"] == "LOGIN"
    assert len(desk.holdings(client_id)) == len(desk.person().lots)
    calls = len(desk.world.calls)
    noon.resume()
    assert noon.wait(600)
    assert len(desk.world.calls) == calls


@pytest.mark.long
@pytest.mark.usefixtures("real_clock")
@pytest.mark.parametrize("after", [0.6, 1.4])
def test_a_kill_loses_nothing_and_the_run_goes_on(
    desk: SyncDesk, settings: Settings, simulator: Simulator, after: float
) -> None:
    clients = [desk.client(f"AB{1234 + n}", KITE, f"Client {n}") for n in range(3)]
    clients += [desk.client(f"A{123456 + n}", ANGEL, f"Customer {n}") for n in range(3)]
    desk.world.calls.clear()
    process, port = serve(settings)
    try:
        token = sign_in(port)
        asked = {"Authorization": f"Bearer {token}"}
        address = f"http://127.0.0.1:{port}/api/v1/admin/sync"
        # A run after their log-ins may have started already: it is the same work.
        httpx.post(address, headers=asked, timeout=60)
        time.sleep(after)
    finally:
        os.kill(process.pid, signal.SIGKILL)
        process.wait(600)
    before = {client_id: len(desk.holdings(client_id)) for client_id in clients}
    process, port = serve(settings)
    try:
        deadline = time.monotonic() + 120
        while last(desk)["state"] != "DONE" and time.monotonic() < deadline:
            time.sleep(0.2)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(600)

    assert last(desk)["state"] == "DONE"
    users = [*(f"AB{1234 + n}" for n in range(3)), *(f"A{123456 + n}" for n in range(3))]
    for client_id, user_id in zip(clients, users, strict=True):
        held = desk.holdings(client_id)
        bought = {order.stock.symbol for order in desk.person(user_id).orders}
        lots = {lot.stock.symbol for lot in desk.person(user_id).lots}
        assert lots - bought <= held.keys() <= lots | bought
        assert before[client_id] in {0, len(held)}  # all of it or nothing
    rows = scalars(desk.database, select(ClientSync))
    assert {row.outcome for row in rows} == {"DONE"}


def serve(settings: Settings) -> tuple[Started, int]:
    """The product on the same database, in a process of its own."""
    port = free_port()
    environment = os.environ | {
        "TARAZU_ALLOW_LOOPBACK_BROKERS": "1",
        "TARAZU_SECRETS_KEYS": settings.secrets_keys,
        "TARAZU_DATABASE_URL": settings.database_url,
        "TARAZU_RATE_LIMIT_SCALE": "1000",
    }
    words = ["serve", "--port", str(port), "--data-dir", str(settings.data_dir)]
    process = Started(["-m", "tarazu", *words], environment)
    for _ in range(1_200):
        try:
            if httpx.get(f"http://127.0.0.1:{port}/health/ready", timeout=2).status_code == 200:
                return process, port
        except httpx.HTTPError:
            time.sleep(0.1)
    raise AssertionError("the server did not start")


def sign_in(port: int) -> str:
    body = {"email": ADMIN["email"], "password": ADMIN["password"]}
    answer = httpx.post(f"http://127.0.0.1:{port}/api/v1/auth/login", json=body, timeout=60)
    return str(answer.json()["accessToken"])


def test_a_stop_waits_for_no_broker_that_hangs(desk: SyncDesk) -> None:
    desk.client()
    desk.fault(KITE, "holdings", "hang")
    begin(desk)
    time.sleep(1.0)

    desk.syncs.stop(1.0)
    desk.firm.gateway.close()

    # A broker is given up after a minute here.
    assert desk.syncs.wait(45)
    assert last(desk)["state"] == "RUNNING"
    assert outcomes(desk) == {"Kavya Menon": "WAITING"}
