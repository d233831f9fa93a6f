"""Checks of the database and of what it holds."""

import datetime as dt
from collections.abc import Callable, Iterator
from pathlib import Path

from sqlalchemy import func, select, text
from sqlalchemy.exc import SQLAlchemyError

from tarazu import migrations
from tarazu.audit import service as audit
from tarazu.brokers import service as brokers
from tarazu.brokers.tables import BrokerName
from tarazu.kit import audit_log, encryption, jobs
from tarazu.kit.db import Database
from tarazu.kit.encryption import UnfitKeys
from tarazu.kit.errors import is_damage
from tarazu.kit.mail import Delivery, Mail
from tarazu.kit.settings import Settings
from tarazu.migrations import triggers
from tarazu.people import service as people
from tarazu.portfolio import closing
from tarazu.prices import service as prices
from tarazu.upkeep import soundness
from tarazu.upkeep.findings import FREE_SPACE, Finding, State

STUCK = dt.timedelta(minutes=15)
LATE = dt.timedelta(minutes=15)
"""A timed job that is due for longer than this is late."""
MOST_NAMED = 5
CLOCK_AHEAD = dt.timedelta(minutes=2)


def check_database(database: Database, settings: Settings, now: dt.datetime) -> Iterator[Finding]:
    finding = _reachable(database)
    yield finding
    if finding.state is State.WRONG:
        return
    finding = _read("Migrations", lambda: _migrations(database))
    yield finding
    if finding.state is not State.FINE:
        return
    yield _integrity(database)
    yield _read("Triggers", lambda: _triggers(database))
    yield _read("Outbox", lambda: _outbox(database, now))
    yield _read("Clock", lambda: _clock(database, now))
    yield _read("Timed work", lambda: _timed_work(database, now))
    yield _read("Daily close", lambda: _daily_close(database, now))
    yield _read("Price files", lambda: _price_files(database))
    yield from _angel(database, settings)
    finding = _read("Keys", lambda: _keys(database, settings))
    yield finding
    if finding.state is State.FINE:
        yield _read("Audit trail", lambda: _audit(database, settings))


def _read(part: str, look_at: Callable[[], Finding]) -> Finding:
    """The finding of a part of the database; if it cannot be read, why."""
    try:
        return look_at()
    except SQLAlchemyError as error:
        cure = "See Database and Integrity above, and fix those first."
        return Finding(part, State.WRONG, f"It cannot be read: {_reason_of(error)}.", cure)


def _reason_of(error: SQLAlchemyError) -> str:
    return " ".join(str(getattr(error, "orig", error)).split())


def _keys(database: Database, settings: Settings) -> Finding:
    part = "Keys"
    try:
        keys = encryption.keys_in(settings.secrets_keys, settings.data_dir)
        audit_log.use_key(database, encryption.open_cipher(database, keys))
    except (UnfitKeys, encryption.CannotDecrypt) as error:
        cure = "Give the keys that this database was used with; without them its secrets cannot be decrypted."
        return Finding(part, State.WRONG, f"{error}.", cure)
    return Finding(part, State.FINE, "The keys decrypt the secrets of this database.")


def _reachable(database: Database) -> Finding:
    part = "Database"
    path = Path(database.engine.url.database or "")
    if database.is_sqlite and not path.is_file():
        return Finding(
            part,
            State.WRONG,
            f"There is no database at {path}.",
            "Start the product once, or give --data-dir.",
        )
    try:
        with database.reading() as session:
            session.execute(text("SELECT 1"))
    except SQLAlchemyError as error:
        reason = _reason_of(error)
        if "disk is full" in reason:
            return Finding(part, State.WRONG, "It cannot be read: the disk is full.", FREE_SPACE)
        if is_damage(error):
            message = f"The database is damaged: {reason}."
            return Finding(part, State.WRONG, message, soundness.RESTORE)
        cure = "Is it running, and is TARAZU_DATABASE_URL correct?"
        return Finding(part, State.WRONG, f"It cannot be reached: {reason}", cure)
    kind = (
        f"SQLite at {path}" if database.is_sqlite else f"PostgreSQL at {database.engine.url.host}"
    )
    return Finding(part, State.FINE, f"{kind} answers.")


def _migrations(database: Database) -> Finding:
    present, newest = migrations.states_of(database)
    if present == newest:
        return Finding("Migrations", State.FINE, f"The tables are those of {newest}.")
    if present is None:
        return Finding("Migrations", State.WRONG, "It is empty.", "Start the product once.")
    if migrations.is_too_new(database):
        said, cure = migrations.TOO_NEW.split(". ", 1)
        return Finding("Migrations", State.WRONG, f"{said}.", cure)
    return Finding(
        "Migrations",
        State.LOOK,
        f"The tables are those of {present}, this version has {newest}.",
        "The next start upgrades them; first make a backup with the version that made them.",
    )


def _integrity(database: Database) -> Finding:
    part = "Integrity"
    if not database.is_sqlite:
        return Finding(part, State.FINE, "PostgreSQL checks its own files; it reports nothing.")
    faults = soundness.faults_of(database)
    if not faults:
        return Finding(part, State.FINE, "SQLite finds no damage.")
    return Finding(
        part, State.WRONG, f"The database is damaged: {'; '.join(faults)}.", soundness.RESTORE
    )


def _triggers(database: Database) -> Finding:
    with database.reading() as session:
        missing = triggers.missing_triggers(session.connection())
    if missing:
        return Finding(
            "Triggers",
            State.WRONG,
            f"Triggers that protect rows are missing: {', '.join(missing)}.",
            "Somebody removed them. Verify the audit trail, then restart the product.",
        )
    return Finding(
        "Triggers",
        State.FINE,
        "The database refuses changes to the audit trail and to sent advice.",
    )


def _outbox(database: Database, now: dt.datetime) -> Finding:
    part = "Outbox"
    waiting = select(func.count()).select_from(Mail).where(Mail.status == Delivery.QUEUED)
    late = waiting.where(Mail.queued_at < now - STUCK)
    failed = select(func.count()).select_from(Mail).where(Mail.status == Delivery.FAILED)
    with database.reading() as session:
        counts = [session.execute(statement).scalar_one() for statement in (waiting, late, failed)]
        reason = session.execute(
            select(Mail.error)
            .where(Mail.error.is_not(None))
            .order_by(Mail.queued_at.desc())
            .limit(1)
        ).scalar_one_or_none()
    if counts[1]:
        return Finding(
            part,
            State.WRONG,
            f"{counts[1]} mails have waited for more than 15 minutes. {reason or ''}".strip(),
            "Is the product running, and does TARAZU_SMTP_URL reach the mail server?",
        )
    if counts[2]:
        cure = "See Delivery in the clients' advice history; they can be sent again there."
        return Finding(part, State.LOOK, f"{counts[2]} mails failed. {reason or ''}", cure)
    return Finding(part, State.FINE, f"{counts[0]} mails wait, none for more than 15 minutes.")


def _clock(database: Database, now: dt.datetime) -> Finding:
    with database.reading() as session:
        last = session.execute(select(func.max(audit_log.AuditRow.at))).scalar_one_or_none()
    if last is not None and last - now > CLOCK_AHEAD:
        return Finding(
            "Clock",
            State.WRONG,
            f"The last row of the audit trail is {last - now} ahead of this computer's clock.",
            "Set the clock by a time server (NTP).",
        )
    return Finding(
        "Clock", State.FINE, f"It is {now:%Y-%m-%d %H:%M} UTC; no row is from the future."
    )


def _timed_work(database: Database, now: dt.datetime) -> Finding:
    part = "Timed work"
    with database.reading() as session:
        pending = jobs.pending_timed(session)
    # Some jobs have a row for each machine: the newest counts, as machines come and go.
    newest = {job.kind: job for job in sorted(pending, key=lambda job: job.due_at)}
    late = [job for job in newest.values() if job.due_at < now - LATE]
    if late:
        names = ", ".join(f"{job.kind} since {job.due_at:%Y-%m-%d %H:%M} UTC" for job in late)
        cure = "Start `tarazu serve` or `tarazu worker`; look for job_failed in its log."
        return Finding(part, State.WRONG, f"Late: {names}.", cure)
    failed = [job for job in newest.values() if job.error]
    if failed:
        names = ", ".join(f"{job.kind} ({job.error})" for job in failed)
        cure = "It runs again within five minutes; look for job_failed in the log."
        return Finding(part, State.LOOK, f"Failed the last time: {names}.", cure)
    return Finding(part, State.FINE, f"{len(newest)} timed jobs, none is late.")


def _angel(database: Database, settings: Settings) -> Iterator[Finding]:
    """Only with Angel One, which accepts calls from registered addresses only."""
    part = "Angel One"
    try:
        with database.reading() as session:
            is_used = any(
                broker.name == BrokerName.ANGEL_ONE for broker in brokers.list_brokers(session)
            )
    except SQLAlchemyError as error:
        yield Finding(part, State.WRONG, f"It cannot be read: {_reason_of(error)}.")
        return
    if is_used and not settings.angel_public_ip:
        cure = "Set TARAZU_ANGEL_PUBLIC_IP to the fixed address that is registered with Angel One."
        message = "This server's public address is not set: calls carry its local one."
        yield Finding(part, State.LOOK, message, cure)
    elif is_used:
        message = f"Calls carry the public address {settings.angel_public_ip}."
        yield Finding(part, State.FINE, message)


def _daily_close(database: Database, now: dt.datetime) -> Finding:
    part = "Daily close"
    with database.reading() as session:
        due = closing.due_days(session, now) if people.has_clients(session) else []
    late = [day for day in due if now - dt.datetime.combine(day, closing.AFTER) > LATE]
    if not late:
        return Finding(part, State.FINE, "Every past trading day is closed.")
    days = ", ".join(f"{day:%d-%m-%Y}" for day in late[-MOST_NAMED:])
    return Finding(
        part,
        State.LOOK,
        f"The daily close of {days} has not run.",
        f"Run `tarazu close-day --date {late[-1]}`: it closes the day, or says why it cannot.",
    )


def _price_files(database: Database) -> Finding:
    part = "Price files"
    with database.reading() as session:
        refused = prices.last_refused_file(session)
    if refused is None:
        return Finding(part, State.FINE, "The last file of closing prices was accepted.")
    text_of = f"{refused.name} was refused: {refused.problem}"
    return Finding(part, State.LOOK, text_of, "Put the correct file into the folder.")


def _audit(database: Database, settings: Settings) -> Finding:
    with database.reading() as session:
        result = audit.verify(session, settings.audit_heads_file)
    if result.fault is not None:
        cure = "Change nothing, and compare with the last backup."
        return Finding("Audit trail", State.WRONG, result.message, cure)
    return Finding("Audit trail", State.FINE, f"{result.rows} rows verified.")
