"""Work that processes share: one effect each, whoever dies, and nothing written in vain."""

import datetime as dt
import subprocess
import sys
import threading

import pytest
from sqlalchemy import event
from sqlalchemy.pool import QueuePool

from tarazu.kit import clock, jobs, schedule
from tarazu.kit.db import Database
from tarazu.kit.jobs import Claim, ClaimLost, JobPayload
from tarazu.kit.processes import HERE, own_id
from tarazu.kit.schedule import Job

pytestmark = pytest.mark.on_both

NOW = dt.datetime(2026, 11, 20, 10, 0, tzinfo=dt.UTC)
SECOND = dt.timedelta(seconds=1)
ELSEWHERE = "another machine/0000:1:aa"
"""The mark of a process of which nobody here can tell whether it lives."""


def put(database: Database, *keys: str) -> None:
    with database.transaction() as session:
        for key in keys:
            jobs.put(session, "letters", key, NOW)


def test_a_piece_is_taken_once_and_added_once(database: Database) -> None:
    put(database, "a", "b")
    put(database, "a")

    taken = [jobs.claim(database, "letters", NOW) for _ in range(3)]

    assert [one.key if one else None for one in taken] == ["a", "b", None]


def test_a_piece_that_is_done_for_good_is_not_added_again(database: Database) -> None:
    put(database, "a")
    mine = jobs.claim(database, "letters", NOW)
    assert mine is not None
    with database.transaction() as session:
        jobs.finish(session, mine, NOW)

    with database.transaction() as session:
        is_new = jobs.put(session, "letters", "a", NOW)

    assert not is_new
    assert jobs.claim(database, "letters", NOW + jobs.KEPT) is None
    assert jobs.drop_done(database, NOW + jobs.KEPT) == 0
    assert jobs.drop_done(database, NOW + jobs.KEPT + SECOND) == 1


def test_a_process_of_another_machine_loses_its_piece_with_its_lease(database: Database) -> None:
    put(database, "a")
    theirs = jobs.claim(database, "letters", NOW, owner=ELSEWHERE)
    assert theirs is not None

    before = jobs.claim(database, "letters", NOW + jobs.LEASE - SECOND)
    after = jobs.claim(database, "letters", NOW + jobs.LEASE)

    assert before is None
    assert after is not None
    assert after.number == 2
    assert jobs.LEASE.total_seconds() + schedule.LOOK_EVERY <= 30


def test_a_lease_that_is_renewed_goes_on(database: Database) -> None:
    put(database, "a")
    theirs = jobs.claim(database, "letters", NOW, owner=ELSEWHERE)
    assert theirs is not None
    with database.transaction() as session:
        assert jobs.renew(session, theirs, NOW + jobs.LEASE - SECOND)

    assert jobs.claim(database, "letters", NOW + jobs.LEASE + SECOND) is None
    assert jobs.claim(database, "letters", NOW + 2 * jobs.LEASE) is not None


def test_what_a_dead_process_of_this_machine_had_is_free_at_once(database: Database) -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as short:
        short.wait()
    put(database, "a")
    assert jobs.claim(database, "letters", NOW, owner=f"{HERE}:{short.pid}:aa") is not None

    assert jobs.claim(database, "letters", NOW) is not None


def test_an_effect_under_a_claim_that_was_lost_is_undone(database: Database) -> None:
    put(database, "a")
    theirs = jobs.claim(database, "letters", NOW, owner=ELSEWHERE)
    ours = jobs.claim(database, "letters", NOW + jobs.LEASE)

    def act(mine: Claim) -> None:
        with database.transaction() as session:
            jobs.put(session, "effects", mine.owner, NOW)
            jobs.finish(session, mine, NOW)

    assert theirs is not None
    assert ours is not None

    with pytest.raises(ClaimLost):
        act(theirs)
    act(ours)

    with database.reading() as session:
        due = [(job.kind, job.key) for job in jobs.pending_timed(session)]
    assert due == [("effects", own_id())]


def test_a_long_piece_keeps_its_lease(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "RENEW_EVERY", 0.02)
    put(database, "a")
    ticks, has_taken_long = iter(range(10_000)), threading.Event()
    mine = jobs.claim(database, "letters", NOW)
    assert mine is not None

    def later_each_time() -> dt.datetime:
        tick = next(ticks)
        if tick > 4:
            has_taken_long.set()
        return NOW + tick * jobs.LEASE

    with jobs.heartbeat(database, mine, later_each_time):
        assert has_taken_long.wait(600)
        renewed_to = NOW + next(ticks) * jobs.LEASE
        taken = jobs.claim(database, "letters", renewed_to - 3 * jobs.LEASE, owner=ELSEWHERE)

    assert taken is None


def test_no_renewal_outlives_its_piece(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "RENEW_EVERY", 0.02)
    put(database, "a")
    mine = jobs.claim(database, "letters", NOW)
    assert mine is not None
    is_renewing, ended = threading.Event(), threading.Event()

    @event.listens_for(database.engine, "before_cursor_execute")
    def slowly(_c: object, _u: object, statement: str, *_: object) -> None:
        if statement.startswith("UPDATE jobs"):
            is_renewing.set()
            ended.wait(0.5)

    with jobs.heartbeat(database, mine, lambda: NOW):
        assert is_renewing.wait(600)

    pool = database.engine.pool
    assert isinstance(pool, QueuePool)
    still_out = pool.checkedout()
    ended.set()
    # Whoever disposes of the database next would leave such a connection open.
    assert still_out == 0


def test_a_piece_that_was_finished_is_not_called_lost(
    database: Database, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(jobs, "RENEW_EVERY", 0.02)
    put(database, "a")
    mine = jobs.claim(database, "letters", NOW)
    assert mine is not None
    is_finished, has_asked = threading.Event(), threading.Event()

    def now() -> dt.datetime:
        if is_finished.is_set():
            has_asked.set()
        return NOW

    with jobs.heartbeat(database, mine, now) as lost:
        with database.transaction() as session:
            jobs.finish(session, mine, NOW)
        is_finished.set()
        assert has_asked.wait(600)

    assert not lost.is_set()
    assert "job_claim_lost" not in "".join(capsys.readouterr())


def test_what_a_piece_was_given_goes_with_its_end(database: Database) -> None:
    with database.transaction() as session:
        mine = jobs.put_claimed(session, "letters", "a", NOW, JobPayload({"to": "C0001"}, b"file"))
    assert mine is not None
    with database.transaction() as session:
        given = jobs.payload_of(session, mine)
        jobs.finish(session, mine, NOW)

    with database.reading() as session:
        left = jobs.payload_of(session, mine)
    assert given == JobPayload({"to": "C0001"}, b"file")
    assert left == JobPayload({}, None)


def test_nothing_is_written_while_there_is_nothing_to_do(database: Database) -> None:
    turns = Job("books", 300, lambda: None, "")
    schedule._run_if_due(database, turns, "")
    written: list[str] = []

    @event.listens_for(database.engine, "before_cursor_execute")
    def note(_c: object, _u: object, statement: str, *_: object) -> None:
        if statement.split(maxsplit=1)[0] not in {"SELECT", "BEGIN"}:
            written.append(statement)

    waits = [schedule._run_if_due(database, turns, "") for _ in range(5)]
    jobs.claim(database, "letters", clock.now())

    assert written == []
    assert all(290 < wait <= 300 for wait in waits)


def test_a_job_that_is_asked_first_writes_only_when_it_is_wanted(database: Database) -> None:
    waiting: list[str] = []
    letters = Job("letters", 5, waiting.clear, "", has_work=lambda: bool(waiting))
    rows: list[dt.datetime | None] = []

    for _ in range(2):
        schedule._run_if_due(database, letters, "")
        with database.reading() as session:
            rows.append(jobs.due_at_of(session, "letters", ""))
        waiting.append("one")
        schedule._run_if_due(database, letters, "")
        assert waiting == []

    assert rows == [None, None]
    with database.reading() as session:
        assert jobs.pending_timed(session) == []


def test_a_missed_run_is_not_made_up_for(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs: list[int] = []
    hourly = Job("books", 3600, lambda: runs.append(1), "")
    monkeypatch.setattr(clock, "now", lambda: NOW)
    schedule._run_if_due(database, hourly, "")
    monkeypatch.setattr(clock, "now", lambda: NOW + dt.timedelta(hours=5, minutes=1))

    waits = [schedule._run_if_due(database, hourly, "") for _ in range(3)]

    assert len(runs) == 2
    assert waits[0] == 3600


def test_a_failed_run_is_retried_soon_and_its_error_is_stored(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clock, "now", lambda: NOW)
    runs: list[int] = []

    def fail() -> None:
        runs.append(1)
        raise ZeroDivisionError

    daily = Job("books", 86_400, fail, "")
    with pytest.raises(ZeroDivisionError):
        schedule._run_if_due(database, daily, "")

    assert schedule._run_if_due(database, daily, "") == schedule.AGAIN_AFTER
    with database.reading() as session:
        [due] = [one for one in jobs.pending_timed(session) if one.kind == "books"]
    assert (due.error, due.done_at) == ("ZeroDivisionError", None)
    assert due.due_at == NOW + dt.timedelta(seconds=schedule.AGAIN_AFTER)


def test_a_released_job_can_be_claimed_at_once(database: Database) -> None:
    put(database, "a")
    mine = jobs.claim(database, "letters", NOW)
    assert mine is not None
    with database.transaction() as session:
        jobs.release(session, mine, NOW)

    theirs = jobs.claim(database, "letters", NOW, owner=ELSEWHERE)

    assert theirs is not None
    with pytest.raises(ClaimLost), database.transaction() as session:
        jobs.confirm(session, mine)
    with database.transaction() as session:
        jobs.confirm(session, theirs)
