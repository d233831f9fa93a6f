"""A lease: one holder at a time, the next term after each, and none longer than it is renewed."""

import os
import threading
import time
from threading import Semaphore
from typing import Any

import pytest
from sqlalchemy import update

from tarazu.kit import leases, processes
from tarazu.kit.db import Database
from tarazu.kit.leases import Lease, LeaseRow, lease_state
from tests.rows_of import run

pytestmark = pytest.mark.on_both

GONE = f"{processes.HERE}:{2**22 + 1}:feedface"
"""The mark of a process that is not there: no system gives such a number."""


def run_out(database: Database) -> None:
    run(database, update(LeaseRow).values(until=1))


def renewed_long_ago(database: Database) -> None:
    """As a lease is some seconds after its last renewal, and not out yet."""
    kept = int((leases.LASTS - leases.SURELY_SILENT - 0.5) * 1000)
    with database.transaction() as session:
        now = leases._now(session)
        session.execute(update(LeaseRow).values(until=now + kept))


def test_one_process_holds_the_lease_and_the_other_sees_its_owner_and_note(
    database: Database,
) -> None:
    first = Lease(database, "prices", lambda: {"source": "ZERODHA"}, "elsewhere:1:a")
    second = Lease(database, "prices", owner="elsewhere:2:b")

    assert first.attempt()
    assert not second.attempt()

    assert (first.is_held, second.is_held) == (True, False)
    assert first.term == 1
    assert second.seen is not None
    assert (second.seen.holder, second.seen.note) == ("elsewhere:1:a", {"source": "ZERODHA"})
    assert 0 < second.seen.seconds_left <= leases.LASTS


def test_a_renewal_keeps_the_term_and_a_new_holder_gets_the_next(database: Database) -> None:
    first = Lease(database, "prices", owner="elsewhere:1:a")
    second = Lease(database, "prices", owner="elsewhere:2:b")
    first.attempt()
    first.attempt()
    run_out(database)

    assert second.attempt()
    assert not first.attempt()

    assert (first.term, second.term) == (1, 2)
    assert (first.is_held, second.is_held) == (False, True)


def test_a_holder_that_cannot_renew_loses_the_lease(database: Database) -> None:
    lease = Lease(database, "prices", lasts=2)
    lease.attempt()
    was_held = lease.is_held
    time.sleep(2.1)

    assert was_held
    assert not lease.is_held


def test_a_process_that_ended_here_is_succeeded_before_its_lease_is_out(
    database: Database,
) -> None:
    dead = Lease(database, "prices", owner=GONE)
    dead.attempt()
    heir = Lease(database, "prices")

    assert processes.is_gone(GONE)
    assert not heir.attempt()  # it may be a process of another container that bears our name
    renewed_long_ago(database)
    assert heir.attempt()


def test_a_living_process_is_not_succeeded_before_its_lease_is_out(database: Database) -> None:
    living = Lease(database, "prices", owner=f"{processes.HERE}:{os.getppid()}:feedface")
    living.attempt()
    renewed_long_ago(database)

    assert not Lease(database, "prices").attempt()


def test_of_many_processes_one_gets_the_lease(database: Database) -> None:
    Lease(database, "prices", owner="elsewhere:1:a").attempt()
    run_out(database)
    wanting = [Lease(database, "prices", owner=f"elsewhere:{number}:b") for number in range(8)]
    ready = threading.Barrier(len(wanting))

    def want(lease: Lease) -> None:
        ready.wait()
        lease.attempt()

    threads = [threading.Thread(target=want, args=(one,)) for one in wanting]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert [one.term for one in wanting if one.is_held] == [2]


def test_the_lease_is_renewed_in_the_background_and_released_at_a_stop(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leases, "RENEW_EVERY", 0.01)
    renewals = Semaphore(0)

    def note() -> dict[str, Any]:
        renewals.release()
        return {}

    first = Lease(database, "prices", note, "elsewhere:1:a")
    first.start()
    for _ in range(4):
        assert renewals.acquire(timeout=60)
    was_held = first.is_held
    first.stop()

    assert was_held
    assert not first.is_held
    assert first.term == 1
    assert Lease(database, "prices", owner="elsewhere:2:b").attempt()


def test_a_request_of_any_process_counts_until_it_expires(database: Database) -> None:
    with database.transaction() as session:
        leases.hold(session, "wish", "elsewhere:1:a", 10)
        leases.hold(session, "wish", "elsewhere:2:b", 10)
    with database.reading() as session:
        standing = lease_state(session, "wish")
        none = lease_state(session, "another")

    assert standing is not None
    assert standing.holder == "elsewhere:2:b"
    assert 9 < standing.seconds_left <= 10
    assert none is None
