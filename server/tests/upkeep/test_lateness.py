"""Overdue timed work is reported, with how to fix it."""

import datetime as dt

from tarazu.clients import service as clients
from tarazu.kit import clock, jobs
from tarazu.kit.audit_log import SYSTEM
from tarazu.kit.db import Database
from tarazu.kit.metrics import text_of
from tarazu.kit.settings import Settings
from tarazu.people.service import NewPerson
from tarazu.portfolio import jobs as portfolio_jobs
from tarazu.upkeep import doctor, service
from tarazu.upkeep.findings import Finding, State

# A Friday, after the close.
FRIDAY = dt.datetime(2026, 11, 20, 17, 0, tzinfo=clock.INDIA)
MINUTE = dt.timedelta(minutes=1)


def found(settings: Settings, now: dt.datetime, part: str) -> Finding:
    (one,) = [one for one in doctor.look(settings, now) if one.part == part]
    return one


def test_work_that_no_process_takes_up_is_late(database: Database, settings: Settings) -> None:
    with database.transaction() as session:
        jobs.put(session, "audit", "an old machine", FRIDAY - dt.timedelta(days=9))
        jobs.put(session, "audit", "this one", FRIDAY)

    in_time = found(settings, FRIDAY + 15 * MINUTE, "Timed work")
    late = found(settings, FRIDAY + 16 * MINUTE, "Timed work")

    assert in_time.state is State.FINE
    assert late.state is State.WRONG
    assert late.text == "Late: audit since 2026-11-20 11:30 UTC."
    assert "tarazu worker" in late.cure


def test_work_that_failed_says_how(database: Database, settings: Settings) -> None:
    with database.transaction() as session:
        jobs.put(session, "backups", "", FRIDAY)
    mine = jobs.claim(database, "backups", FRIDAY)
    assert mine is not None
    with database.transaction() as session:
        jobs.finish(session, mine, FRIDAY, FRIDAY + 5 * MINUTE, "CannotBackUp")

    one = found(settings, FRIDAY, "Timed work")

    assert (one.state, one.text) == (
        State.LOOK,
        "Failed the last time: backups (CannotBackUp).",
    )


def test_a_day_that_was_not_closed_is_named(database: Database, settings: Settings) -> None:
    before = found(settings, FRIDAY, "Daily close")
    noon = FRIDAY.replace(hour=12)
    with database.transaction() as session:
        clients.add_clients(session, SYSTEM, noon, [NewPerson("Kavya Menon", "k@home.example")])

    in_time = found(settings, FRIDAY.replace(hour=16, minute=0), "Daily close")
    late = found(settings, FRIDAY, "Daily close")
    portfolio_jobs.close_due_days(database, FRIDAY)
    after = found(settings, FRIDAY, "Daily close")

    assert [one.state for one in (before, in_time, late, after)] == [
        State.FINE,
        State.FINE,
        State.LOOK,
        State.FINE,
    ]
    assert late.text == "The daily close of 20-11-2026 has not run."
    assert "tarazu close-day --date 2026-11-20" in late.cure


def test_metrics_show_when_shared_work_is_due(database: Database) -> None:
    with database.transaction() as session:
        jobs.put(session, "backups", "", FRIDAY)
        lines = text_of(service.database_metrics(session, clock.today())).splitlines()

    (line,) = (
        line
        for line in lines
        if line.startswith('tarazu_job_due_timestamp_seconds{job="backups"} ')
    )
    assert float(line.split()[-1]) == FRIDAY.timestamp()
