"""Shared work under kills: each piece has one effect, and what a dead process had is taken over.

Pieces: processes that know the table of jobs alone take pieces whose effect is a row of the audit
trail, written with the piece's end. Firm: two `tarazu worker` and one `tarazu serve` close days and
send mails. Both are killed at random and started again.
"""

import contextlib
import datetime as dt
import os
import random
import subprocess
import sys
import time
from collections import Counter
from email import message_from_bytes
from pathlib import Path

from . import places
from .places import Place

PIECES = {False: 500, True: 4_000}
KILLS = {False: 8, True: 31}
WORKERS = 3
DAYS = 12
CLIENTS = 60
MAILS = {False: 60, True: 400}
FIRM_KILLS = {False: 4, True: 20}
TAKEN_OVER_WITHIN = 30.0
LONGEST = 300
"""Seconds after the kills, on a busy machine, until all must be done."""
HERE = Path(__file__).resolve().parents[1]


def main(long=False, kinds=None):
    """The figures of shared work on each database."""
    rows = []
    for kind in kinds or places.kinds():
        rows += pieces(kind, PIECES[long], KILLS[long])
        rows += firm(kind, MAILS[long], FIRM_KILLS[long])
        if long:
            rows += take_over(kind)
    return rows


def pieces(kind, many, kills):
    """Many pieces, three processes, kills at random: one effect each, and a whole trail."""
    from tarazu.kit import clock, jobs, audit_log

    chance = random.Random(20)
    with Place(kind) as place:
        database = place.opened()
        with database.transaction() as session:
            for number in range(many):
                jobs.put(session, "piece", f"{number:05}", clock.now())
        crew, began = [_child(place, "work") for _ in range(WORKERS)], time.monotonic()
        try:
            for _ in range(kills):
                time.sleep(chance.uniform(0.5, 1.2))
                _renew(crew, chance.randrange(WORKERS), lambda: _child(place, "work"))
            is_over = _until(LONGEST, lambda: not _left(database, "piece"))
            seconds = time.monotonic() - began
        finally:
            _end(crew)
        with database.reading() as session:
            effects = Counter(audit_log.records_of(session, "piece_done"))
            checked = audit_log.verify(session)
        database.dispose()
    lost, double = many - len(effects), sum(effects.values()) - len(effects)
    said = (
        f"{sum(effects.values())} effects, {lost} lost, {double} double, {kills} kills, "
        f"{seconds:.0f} s; trail: {checked.message}"
    )
    is_good = is_over and not lost and not double and checked.fault is None
    return [(f"Jobs {kind}: {many} pieces", said, f"{many} effects, 0 lost, 0 double", is_good)]


def firm(kind, mails, kills):
    """Two workers and a server of a firm, killed at random: each day closed once, no mail lost."""
    chance = random.Random(7)
    with Place(kind, log_level="error") as place:
        database = place.opened()
        days, marks = _leave_work(database, mails)
        place.start()
        crew = [_worker(place) for _ in range(2)]
        try:
            for number in range(kills):
                time.sleep(chance.uniform(0.9, 1.8))
                if number % 3 == 2:
                    place.kill()
                    place.start()
                else:
                    _renew(crew, chance.randrange(2), lambda: _worker(place))
            is_over = _until(LONGEST, lambda: _is_done(database, days))
        finally:
            _end(crew)
            place.stop()
        closed, rows, sent = _found(database)
        database.dispose()
        handed = Counter(
            message_from_bytes(file.read_bytes())["Message-ID"]
            for file in (place.folder / "outbox").glob("*.eml")
        )
    wrong = [day for day in days if closed[day] != 1] or set(closed) - set(days)
    lost, strange = len(marks - handed.keys()), len(handed.keys() - marks)
    repeats = max(sent.values(), default=0)
    return [
        (
            f"Jobs {kind}: days closed",
            f"{len(closed)} of {len(days)} days, {len(wrong)} not once, {rows} closes of clients, "
            f"{kills} kills",
            f"each day once, {len(days) * CLIENTS} closes",
            is_over and not wrong and rows == len(days) * CLIENTS,
        ),
        (
            f"Jobs {kind}: mails",
            f"{len(handed)} of {len(marks)} Message-IDs, {lost} lost, {strange} others, "
            f"marked as written at most {repeats} times",
            "0 lost, 0 others, marked once",
            is_over and not lost and not strange and repeats == 1,
        ),
    ]


def take_over(kind):
    """How long a piece waits whose process dies on another machine: only the lease shows it."""
    from tarazu.kit import clock, jobs

    with Place(kind) as place:
        database = place.opened()
        with database.transaction() as session:
            jobs.put(session, "piece", "one", clock.now())
        first = _child(place, "hold", "far-away")
        _until(20, lambda: _owner(database) is not None)
        time.sleep(12)  # long enough that it lives by its renewals
        first.kill()
        first.wait()
        died, second = time.monotonic(), _child(place, "work", "nearer")
        try:
            is_over = _until(60, lambda: not _left(database, "piece"))
            seconds = time.monotonic() - died
        finally:
            _end([second])
        database.dispose()
    said = f"{seconds:.1f} s after the kill"
    goal = f"at most {TAKEN_OVER_WITHIN:.0f} s"
    return [
        (f"Jobs {kind}: taken over elsewhere", said, goal, is_over and seconds <= TAKEN_OVER_WITHIN)
    ]


# ------------------------------------------------------------------------------- the processes


def _environment(place):
    told = {f"TARAZU_{name.upper()}": str(value) for name, value in place.settings.items()}
    around = {k: v for k, v in os.environ.items() if not k.startswith("TARAZU_")}
    around.pop("PYTHONDONTWRITEBYTECODE", None)
    return around | told | {"PYTHONPATH": str(HERE)}


def _child(place, act, machine=""):
    words = [sys.executable, "-m", "reliability.jobs", act, place.direct_url, str(place.folder)]
    with place.said.open("ab") as said:
        return subprocess.Popen([*words, machine], env=_environment(place), stdout=said, stderr=said)


def _worker(place):
    words = [sys.executable, "-m", "tarazu", "worker"]
    with place.said.open("ab") as said:
        return subprocess.Popen(
            words, env=_environment(place), stdout=said, stderr=said, cwd=place.root
        )


def _renew(crew, place, start):
    crew[place].kill()
    crew[place].wait()
    crew[place] = start()


def _end(crew):
    for one in crew:
        one.kill()
        one.wait()


def _until(seconds, is_so):
    """Whether it comes to be so within that time."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if is_so():
            return True
        time.sleep(0.2)
    return False


def _work(act, url, folder, machine):
    """A process that takes pieces, one after the other, each with its effect."""
    from tarazu.kit import processes

    if machine:
        # As if this were another machine.
        processes.HERE = machine
    from tarazu.app import open_database
    from tarazu.kit import clock, jobs, audit_log
    from tarazu.kit.settings import Settings

    settings = Settings(data_dir=Path(folder), secrets_keys=places.KEYS, database_url=url)
    database, chance = open_database(settings), random.Random()
    while True:
        mine = jobs.claim(database, "piece", clock.now())
        if mine is None:
            time.sleep(0.1)
            continue
        with jobs.heartbeat(database, mine, clock.now):
            time.sleep(3600 if act == "hold" else chance.uniform(0, 0.02))
            with database.transaction() as session:
                about = ("piece", mine.key)
                audit_log.record(session, audit_log.SYSTEM, clock.now(), "piece_done", about)
                if chance.random() < 0.05:
                    time.sleep(0.1)  # between the effect and its end, where a kill hurts most
                jobs.finish(session, mine, clock.now())


# ---------------------------------------------------------------------------------- the firm


def _leave_work(database, mails):
    """Days that are due, and mails that wait; the days, and the mails' Message-IDs."""
    from tarazu.domain.calendar import business_days_between
    from tarazu.firm import service as firm_of
    from tarazu.kit import clock, mail
    from tarazu.kit.mail import Draft, Mail
    from tarazu.kit.audit_log import SYSTEM
    from tarazu.people import service as people
    from tarazu.people.service import NewPerson
    from tarazu.portfolio import closing
    from tarazu.portfolio import service as portfolio

    now = clock.now()
    with database.transaction() as session:
        last = closing.due_days(session, now)[-1]
        holidays = firm_of.holidays(session)
        known = business_days_between(last - dt.timedelta(days=40), last, holidays)
        before, days = known[-DAYS - 1], known[-DAYS:]
        opened = dt.datetime.combine(before, dt.time(12), clock.INDIA)
        new = [NewPerson(f"Client {n}", f"client{n}@home.example") for n in range(CLIENTS)]
        added = people.add_clients(session, SYSTEM, opened, new)
        portfolio.open_accounts(session, opened, [one.id for one in added])
        for one in added:
            funds = portfolio.Funds(*(_rupees(n) for n in (2_000_000, 2_000_000, 0)))
            portfolio.set_funds(session, SYSTEM, opened, one.id, funds)
        portfolio.record_closes(session, [], [(before, _rupees(0), CLIENTS)])
        ids = [
            mail.queue(session, Draft("c@home.example", f"Letter {n}", "Text", "<p>Text</p>"), now)
            for n in range(mails)
        ]
        marks = {session.get_one(Mail, one).message_id for one in ids}
    return days, marks


def _rupees(rupees):
    from decimal import Decimal

    return Decimal(rupees)


def _left(database, kind):
    from sqlalchemy import select

    from tarazu.kit.jobs import JobRow

    waiting = select(JobRow.key).where(JobRow.kind == kind, JobRow.due_at.is_not(None))
    with database.reading() as session:
        return session.execute(waiting).scalars().all()


def _owner(database):
    from sqlalchemy import select

    from tarazu.kit.jobs import JobRow

    with database.reading() as session:
        return session.execute(select(JobRow.owner).where(JobRow.kind == "piece")).scalar_one()


def _is_done(database, days):
    from sqlalchemy import func, select

    from tarazu.kit.mail import Delivery, Mail
    from tarazu.kit.audit_log import AuditRow

    waiting = select(func.count()).select_from(Mail).where(Mail.status == Delivery.QUEUED)
    closed = select(func.count()).select_from(AuditRow).where(AuditRow.action == "day_closed")
    with database.reading() as session:
        is_sent = session.execute(waiting).scalar_one() == 0
        return is_sent and session.execute(closed).scalar_one() >= len(days)


def _found(database):
    """How often each day was closed, how many closes of clients there are, mails by times sent."""
    from sqlalchemy import text

    from tarazu.kit import audit_log

    with database.reading() as session:
        closed = Counter(dt.date.fromisoformat(one) for one in audit_log.records_of(session, "day_closed"))
        rows = session.execute(text("SELECT count(*) FROM client_closes")).scalar_one()
        sent = Counter(audit_log.records_of(session, "mail_written"))
    return closed, rows, sent


if __name__ == "__main__":
    given = sys.argv[1:]
    if given[:1] in (["work"], ["hold"]):
        with contextlib.suppress(KeyboardInterrupt):
            _work(*given[:4])
    else:
        figures = main("long" in given, tuple({"sqlite", "postgres"} & set(given)) or None)
        print(*figures, sep="\n")
        sys.exit(0 if all(ok for *_, ok in figures) else 1)
