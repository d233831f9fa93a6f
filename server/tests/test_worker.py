"""The worker: the same work without serving, waiting for its database, gone within ten seconds."""

import os
import signal
import socket
import subprocess
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from tarazu import worker
from tarazu.app import _schedule, create_app, open_database
from tarazu.kit import clock, jobs, mail
from tarazu.kit.alarms import Alarms
from tarazu.kit.db import Database
from tarazu.kit.mail import Delivery, Draft, Mail, MailSender
from tarazu.kit.settings import Settings
from tarazu.upkeep.soundness import DatabaseWatch
from tests.conftest import KEYS
from tests.started import Started

pytestmark = [pytest.mark.long, pytest.mark.usefixtures("real_clock")]

STOPPED_WITHIN = 10


@contextmanager
def running(folder: Path, **settings: str) -> Iterator[Started]:
    """A worker, and what it says."""
    around = {k: v for k, v in os.environ.items() if not k.startswith("TARAZU_")}
    told = {f"TARAZU_{name.upper()}": given for name, given in settings.items()}
    worker = Started(
        ["-m", "tarazu", "worker", "--data-dir", str(folder)],
        around | {"TARAZU_SECRETS_KEYS": KEYS, "TARAZU_LOG_LEVEL": "error"} | told,
        subprocess.PIPE,
        subprocess.STDOUT,
    )
    try:
        yield worker
    finally:
        worker.kill()
        worker.wait()
        worker.close()


def until(is_so: Callable[[], bool]) -> None:
    for _ in range(600):
        if is_so():
            return
        time.sleep(0.1)
    pytest.fail("it never came")


def line_of(process: Started) -> str:
    assert process.stdout is not None
    return process.stdout.readline()


def stopped_in(process: Started) -> float:
    began = time.monotonic()
    process.send_signal(signal.SIGTERM)
    process.wait(600)
    return time.monotonic() - began


def queue_one(settings: Settings) -> uuid.UUID:
    database = open_database(settings)
    with database.transaction() as session:
        draft = Draft("kavya@home.example", "A letter", "Text", "<p>Text</p>")
        mail_id = mail.queue(session, draft, clock.now())
    database.dispose()
    return mail_id


def test_a_worker_sends_mail_shows_that_it_lives_and_stops(tmp_path: Path) -> None:
    queue_one(Settings(data_dir=tmp_path, secrets_keys=KEYS))

    with running(tmp_path) as process:
        assert line_of(process) == "Tarazu's worker is ready.\n"
        until(lambda: bool(list((tmp_path / "outbox").glob("*.eml"))))
        age = time.time() - (tmp_path / "worker.alive").stat().st_mtime
        took = stopped_in(process)

    assert process.returncode == 0
    assert took < STOPPED_WITHIN
    assert age < 3 * worker.ALIVE_EVERY


def test_a_worker_stops_in_time_while_a_mail_server_hangs_and_gives_the_mail_back(
    tmp_path: Path,
) -> None:
    settings = Settings(data_dir=tmp_path, secrets_keys=KEYS)
    mail_id = queue_one(settings)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        silent.settimeout(60)
        address = f"smtp://127.0.0.1:{silent.getsockname()[1]}"
        with running(tmp_path, smtp_url=address) as process:
            held, _ = silent.accept()
            took = stopped_in(process)
            held.close()
    database = open_database(settings)
    with database.reading() as session:
        left = session.get_one(Mail, mail_id)
    is_free = jobs.claim(database, mail.KIND, clock.now()) is not None
    database.dispose()

    assert took < STOPPED_WITHIN
    assert left.status is Delivery.QUEUED
    assert is_free


def test_a_worker_waits_for_its_database(postgres_server: str, tmp_path: Path) -> None:
    name = f"tarazu_late_{uuid.uuid4().hex[:12]}"
    address = f"{postgres_server.rpartition('/')[0]}/{name}"
    try:
        with running(tmp_path, database_url=address) as process:
            assert "waiting for the database" in line_of(process)
            with psycopg.connect(postgres_server, autocommit=True) as server:
                server.execute(f"CREATE DATABASE {name}")
            assert line_of(process) == "Tarazu's worker is ready.\n"
    finally:
        with psycopg.connect(postgres_server, autocommit=True) as server:
            server.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")


def test_a_serving_process_leaves_the_work_to_the_worker_where_the_setting_says_so(
    settings: Settings, database: Database
) -> None:
    def names(of: Settings) -> set[str]:
        postman = MailSender(of.smtp_url, of.mail_from, of.outbox_dir)
        return {job.name for job in _schedule(create_app(of, database), postman).jobs}

    watch = DatabaseWatch(settings, database, Alarms())
    own = {job.name for job in worker.jobs_of_serving(settings, database, watch)}
    split = names(settings.model_copy(update={"jobs": "worker"}))
    whole = names(settings)

    assert split == own
    assert {
        "mail",
        "close",
        "audit",
        "connection",
        "syncs",
        "imports",
        "corporate-actions",
    } <= whole - own
