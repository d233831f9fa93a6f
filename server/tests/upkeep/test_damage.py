"""A database file that is damaged, and one that is older than it was: told wherever somebody looks."""

import datetime as dt
from pathlib import Path

import pysqlite3.dbapi2 as bundled_sqlite
import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from sqlalchemy import text

from tarazu import cli
from tarazu.app import create_app, open_database
from tarazu.kit import audit_log, clock
from tarazu.kit.audit_log import SYSTEM
from tarazu.kit.db import Database
from tarazu.kit.settings import Settings
from tests.conftest import KEYS
from tests.people_of import ADMIN

RESTORE = "tarazu restore FILE --data-dir"


@pytest.fixture
def place(tmp_path: Path, sqlite_template: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """A founded installation in a file."""
    monkeypatch.setenv("TARAZU_SECRETS_KEYS", KEYS)
    (tmp_path / "tarazu.db").write_bytes(sqlite_template.read_bytes())
    return Settings(data_dir=tmp_path, secrets_keys=KEYS)


def damage(settings: Settings, *tables: str) -> None:
    """Overwrite the beginning of these tables, as a bad disk does."""
    path = settings.data_dir / "tarazu.db"
    plain = bundled_sqlite.connect(path)
    size = plain.execute("PRAGMA page_size").fetchone()[0]
    pages = [
        plain.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)).fetchone()[0]
        for table in tables
    ]
    plain.close()
    with path.open("r+b") as opened:
        for page in pages:
            opened.seek((page - 1) * size)
            opened.write(b"\xde\xad" * 40)


def test_the_doctor_names_every_fault_of_a_damaged_database(
    place: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    damage(place, "outbox", "instruments", "audit")

    code = cli.main(["doctor", "--data-dir", str(place.data_dir)])

    told = capsys.readouterr()
    (line,) = (
        splitline for splitline in told.out.splitlines() if splitline.startswith("WRONG  Integrity")
    )
    assert code == 1
    assert line.count("Tree") >= 3, line
    assert RESTORE in told.out
    assert "WRONG  Audit trail: It cannot be read" in told.out
    assert "Traceback" not in told.err


def test_a_database_without_its_first_page_is_reported_as_damaged(
    place: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    with (place.data_dir / "tarazu.db").open("r+b") as opened:
        opened.write(b"\0" * 4096)

    for words in (["doctor"], ["backup", str(place.data_dir / "one.tarazu")], ["serve"]):
        port = ["--port", "9333"] if words == ["serve"] else []
        code = cli.main([*words, *port, "--data-dir", str(place.data_dir)])
        told = capsys.readouterr()
        assert code == 1
        assert "damaged" in told.out + told.err
        assert RESTORE in told.out + told.err


def test_a_backup_of_a_damaged_database_is_refused_with_every_fault(
    place: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    damage(place, "outbox", "instruments")
    file = place.data_dir / "one.tarazu"

    code = cli.main(["backup", str(file), "--data-dir", str(place.data_dir)])

    output = capsys.readouterr().err
    assert code == 1
    assert output.startswith("tarazu: the database is damaged: ")
    assert output.count("Tree") >= 2
    assert RESTORE in output
    assert not file.exists()


def test_a_damaged_database_is_not_ready(place: Settings) -> None:
    damage(place, "outbox")
    database = open_database(place)

    with TestClient(create_app(place, database), client=("127.0.0.1", 1)) as web:
        live, ready = web.get("/health/live"), web.get("/health/ready")
        metrics = web.get("/metrics").text

    assert live.status_code == 200
    assert ready.status_code == 503
    assert ready.json()["ready"] is False
    assert RESTORE in ready.json()["message"]
    assert 'tarazu_alarm{alarm="database_damaged"} 1' in metrics


def test_damage_of_later_is_found_within_a_day(
    place: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = open_database(place)
    app = create_app(place, database)
    with TestClient(app) as web:
        before = web.get("/health/ready").status_code
        database.engine.dispose()
        damage(place, "orders")
        app.state.watch.look(clock.now())
        same_day = web.get("/health/ready").status_code
        app.state.watch.look(clock.now() + dt.timedelta(days=1))
        after = web.get("/health/ready").status_code

    assert (before, same_day, after) == (200, 200, 503)


# ---- the end of the audit trail ------------------------------------------------------------------


def _write(database: Database, count: int) -> None:
    with database.transaction() as session:
        for number in range(count):
            audit_log.record(session, SYSTEM, clock.now(), "tried", ("thing", number))


def _started(settings: Settings) -> tuple[FastAPI, TestClient]:
    app = create_app(settings, open_database(settings))
    return app, TestClient(app, client=("127.0.0.1", 1))


def _noted(settings: Settings) -> int:
    return len(settings.audit_heads_file.read_text().splitlines())


def test_a_database_that_is_older_than_it_was_is_an_alarm(place: Settings) -> None:
    app, web = _started(place)
    with web:
        token = web.post("/api/v1/auth/register", json=ADMIN).json()["accessToken"]
    copy = (place.data_dir / "tarazu.db").read_bytes()
    app, web = _started(place)
    with web:
        _write(app.state.database, 3)
    for rest in place.data_dir.glob("tarazu.db-*"):
        rest.unlink()
    # Another file, as a restore makes: a connection that is still being closed holds the old one.
    older = place.data_dir / "older.db"
    older.write_bytes(copy)
    older.replace(place.data_dir / "tarazu.db")

    app, web = _started(place)
    with web:
        page = web.get(
            "/api/v1/admin/readiness", headers={"Authorization": f"Bearer {token}"}
        ).json()
        metrics = web.get("/metrics").text
        # It stays so when the trail is as long again: these are other rows.
        _write(app.state.database, 9)
        app.state.watch.look(clock.now())
        later = web.get("/metrics").text
        ready = web.get("/health/ready").status_code

    (alarm,) = page["alarms"]
    assert "older" in alarm
    assert "tarazu doctor" in alarm
    assert 'tarazu_alarm{alarm="audit_trail_older"} 1' in metrics
    assert 'tarazu_alarm{alarm="audit_trail_older"} 1' in later
    assert ready == 200


def test_the_end_of_the_trail_is_noted_at_start_each_hour_and_at_stop(place: Settings) -> None:
    database = open_database(place)
    _write(database, 1)
    app = create_app(place, database)
    with TestClient(app):
        at_start = _noted(place)
        _write(database, 1)
        app.state.watch.look(clock.now())
        hourly = _noted(place)
        _write(database, 1)
    at_stop = _noted(place)
    with TestClient(create_app(place, open_database(place)), client=("127.0.0.1", 1)) as web:
        calm = web.get("/metrics").text

    assert (at_start, hourly, at_stop) == (1, 2, 3)
    assert 'tarazu_alarm{alarm="audit_trail_older"} 0' in calm


def test_a_trail_whose_first_rows_were_purged_is_not_older(place: Settings) -> None:
    database = open_database(place)
    _write(database, 2)
    with TestClient(create_app(place, database)):
        pass
    database = open_database(place)
    _write(database, 2)
    with database.transaction() as session:
        session.execute(text("DROP TRIGGER audit_no_delete"))
        session.execute(text("DELETE FROM audit WHERE seq <= 3"))
    app = create_app(place, database)
    with TestClient(app):
        assert app.state.alarms.texts == []
