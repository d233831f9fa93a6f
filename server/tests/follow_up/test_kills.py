"""A process is killed while it records trades, matches or reminds: each effect is there exactly once."""

import datetime as dt
import signal
import uuid

import pytest
from sqlalchemy import func, select, update

from tarazu.advice.tables import AdviceDraft
from tarazu.domain.calendar import next_business_day
from tarazu.firm import service as firm
from tarazu.follow_up import jobs
from tarazu.follow_up.tables import (
    AdviceExecution,
    AdviceReminder,
    DraftOutcome,
    FollowUpDraft,
    LineExecution,
    LineFill,
)
from tarazu.follow_up.windows import end_of_day
from tarazu.instruments import service as instruments
from tarazu.kit import clock
from tarazu.kit.mail import Mail
from tarazu.kit.settings import Settings
from tarazu.orders import service as orders
from tarazu.orders.tables import MatchingDue, Trade
from tarazu.portfolio.tables import Account
from tests.conftest import KEYS
from tests.models_of import Bench
from tests.rows_of import audit_rows, scalar, scalars
from tests.started import Started

pytestmark = [pytest.mark.long, pytest.mark.on_both]

CLIENTS, TRADES, KILLS = 12, 40, 3
# Each script kills itself within a transaction, before its commit: at the `last`-th such place, 0 for never.
OPEN = """
import datetime as dt, os, signal, sys, uuid
from decimal import Decimal
from pathlib import Path
from tarazu.app import open_database
from tarazu.kit.settings import Settings

last, folder, url, keys, at, *clients = sys.argv[1:]
settings = Settings(data_dir=Path(folder), database_url=url, secrets_keys=keys)
database, now = open_database(settings), dt.datetime.fromisoformat(at)
calls = 0

def killed_after(real):
    def call(*given, **more):
        global calls
        answer = real(*given, **more)
        calls += 1
        if calls == int(last):
            os.kill(os.getpid(), signal.SIGKILL)
        return answer
    return call
"""
RECORD = (
    OPEN
    + f"""
from tarazu.orders import service as orders
from tarazu.orders.tables import OrderSide, TradeSource

for client in clients:
    trades = [
        orders.NewTrade("NSE", str(number), str(number // 3), now, "TCS", "INE467B01029",
                        OrderSide.BUY, 1, Decimal(3_000))
        for number in range({TRADES})
    ]
    with database.transaction() as session:
        killed_after(orders.record_trades)(
            session, uuid.UUID(client), trades, TradeSource.BROKER, now)
        orders.record_trades_read(session, {{uuid.UUID(client): now}}, now)
"""
)
MATCH = (
    OPEN
    + """
from tarazu.follow_up import matching
from tarazu.follow_up import jobs

matching.MOST_AT_A_TIME = 3
matching.recompute = killed_after(matching.recompute)
matching.orders.clear_due = killed_after(matching.orders.clear_due)
jobs.match_due(database, now, lambda _: None)
"""
)
REMIND = (
    OPEN
    + """
from tarazu.follow_up import jobs, reminders

reminders.AT_A_TIME = 3
reminders._send = killed_after(reminders._send)
jobs.send_reminders(database, settings, now)
"""
)
DRAFT = (
    OPEN
    + """
from tarazu.follow_up import drafting, jobs
from tarazu.prices import service as prices

with database.reading() as session:
    prices.record_prices(session, dict.fromkeys(%s, Decimal(3_000)), now, "SIMULATED")
drafting.AT_A_TIME = 3
drafting.advice.add_follow_up_draft = killed_after(drafting.advice.add_follow_up_draft)
jobs.draft_due(database, now, lambda _: None)
"""
)


class Killed:
    """Starts a script on the installation of a test, and has it killed."""

    def __init__(self, settings: Settings, script: str, at: dt.datetime, *clients: str) -> None:
        self.script = script
        self.more = [str(settings.data_dir), settings.database_url or "", KEYS, at.isoformat()]
        self.more += clients

    def kill_inside(self, times: int) -> None:
        """It is killed when it is inside a transaction for the `times`-th time."""
        assert self._run(times) == -signal.SIGKILL

    def finish(self) -> None:
        assert self._run(0) == 0

    def _run(self, times: int) -> int:
        with Started(["-c", self.script, str(times), *self.more]) as process:
            return process.wait(600)


@pytest.fixture
def clients(bench: Bench) -> list[str]:
    """Clients who were sent one advice each, in one run of the book."""
    new = [{"name": "Somebody", "email": f"c{one}@home.example"} for one in range(CLIENTS)]
    added = [row["_id"] for row in bench.desk.post("/clients/add", {"clients": new}).json()["data"]]
    for number, client_id in enumerate(added):
        bench.hold(client_id, {"INFY": 50 + number}, "300000")
    assert bench.follow(*added).status_code == 200
    bench.sent(bench.begun())
    return added


def test_each_follow_up_is_drafted_once_though_the_drafting_is_killed(
    bench: Bench, clients: list[str], settings: Settings
) -> None:
    at = clock.now() + dt.timedelta(minutes=5)
    Killed(settings, RECORD, at, *clients).finish()
    jobs.match_due(bench.database, at, lambda _: None)
    over = end_of_day(scalar(bench.database, select(func.max(AdviceExecution.window_ends_on))))
    evening = over + dt.timedelta(minutes=1)
    with bench.database.transaction() as session:
        ids = [uuid.UUID(client_id) for client_id in clients]
        orders.record_trades_read(session, dict.fromkeys(ids, evening), evening)
        tokens = sorted(instruments.by_symbol(session, "NSE", name).instrument_token
                        for name in ("INFY", "TCS", "RELIANCE", "ITC"))  # fmt: skip
        session.execute(update(Account).values(synced_at=evening))
    jobs.match_due(bench.database, evening, lambda _: None)
    limits = {"trackingLimitPercentage": 0, "idleCashLimitPercentage": 0}
    assert bench.desk.put("/admin/settings/follow-up", limits).status_code == 200
    drafting = Killed(settings, DRAFT % tokens, evening)
    for times in range(1, KILLS + 1):
        drafting.kill_inside(times)

    drafting.finish()

    outcomes = scalars(bench.database, select(FollowUpDraft.outcome))
    assert len(outcomes) == CLIENTS
    assert set(outcomes) == {DraftOutcome.DRAFTED}
    assert _count(bench, AdviceDraft) == CLIENTS


def _next_morning(bench: Bench) -> dt.datetime:
    with bench.database.reading() as session:
        day = next_business_day(clock.today(), firm.holidays(session))
    return dt.datetime.combine(day, dt.time(11), clock.INDIA)


def _count(bench: Bench, kind: type) -> int:
    return int(scalar(bench.database, select(func.count()).select_from(kind)))


def test_trades_are_recorded_once_though_the_recording_is_killed(
    bench: Bench, clients: list[str], settings: Settings
) -> None:
    recording = Killed(settings, RECORD, clock.now() + dt.timedelta(minutes=5), *clients)
    for times in range(1, KILLS + 1):
        recording.kill_inside(times * 3)

    recording.finish()

    by_client = select(Trade.client_id, func.count()).group_by(Trade.client_id)
    with bench.database.reading() as session:
        counts = {row[0]: row[1] for row in session.execute(by_client)}
    assert counts == {uuid.UUID(client_id): TRADES for client_id in clients}
    assert set(scalars(bench.database, select(MatchingDue.client_id))) == counts.keys()


def test_advice_is_matched_once_though_the_matching_is_killed(
    bench: Bench, clients: list[str], settings: Settings
) -> None:
    at = clock.now() + dt.timedelta(minutes=10)
    Killed(settings, RECORD, at - dt.timedelta(minutes=5), *clients).finish()
    matching = Killed(settings, MATCH, at)
    for times in range(1, KILLS + 1):
        matching.kill_inside(times)

    matching.finish()

    assert _count(bench, AdviceExecution) == CLIENTS
    events = audit_rows(bench.database, "advice_execution_changed")
    assert len({event.record_id for event in events}) == len(events) == CLIENTS
    lines = scalars(bench.database, select(LineExecution.filled_quantity))
    counted = scalar(bench.database, select(func.sum(LineFill.quantity)))
    assert sum(lines) == counted > 0
    assert _count(bench, MatchingDue) == 0
    assert jobs.match_due(bench.database, at, lambda _: None) == 0
    assert bench.desk.get("/admin/audit/verify").json()["data"]["fault"] is None


def test_each_client_is_reminded_once_though_the_reminding_is_killed(
    bench: Bench, clients: list[str], settings: Settings
) -> None:
    jobs.match_due(bench.database, clock.now(), lambda _: None)
    before = _count(bench, Mail)
    reminding = Killed(settings, REMIND, _next_morning(bench))
    for times in range(1, KILLS + 1):
        reminding.kill_inside(times * 2)

    reminding.finish()

    assert _count(bench, AdviceReminder) == len(clients)
    assert _count(bench, Mail) - before == len(clients)
    events = audit_rows(bench.database, "advice_reminded")
    assert len({event.record_id for event in events}) == len(events) == len(clients)
