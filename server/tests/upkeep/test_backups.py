"""Backups: made while the product serves, checked, sealed, put back whole, and never over another."""

import datetime as dt
import hashlib
import io
import json
import os
import shutil
import threading
import uuid
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pysqlite3.dbapi2 as bundled_sqlite
import pytest
from sqlalchemy import text

from tarazu import cli
from tarazu.app import open_database
from tarazu.kit import audit_log, clock
from tarazu.kit.audit_log import SYSTEM
from tarazu.kit.db import Database
from tarazu.kit.settings import Settings
from tarazu.migrations.triggers import missing_triggers
from tarazu.upkeep import backups, sealing
from tarazu.upkeep.backups import CannotBackUp
from tests.brokers.test_broker_records import ZERODHA
from tests.people_of import Desk
from tests.rows_of import audit_rows, scalar

pytestmark = pytest.mark.on_both


@pytest.fixture
def empty(settings: Settings, tmp_path: Path) -> Iterator[Settings]:
    """Settings of a place with nothing in it, of the same kind of database."""
    place = tmp_path / "elsewhere"
    if not settings.database_url:
        yield settings.model_copy(update={"data_dir": place})
        return
    server = settings.database_url.rpartition("/")[0].replace("+psycopg", "") + "/postgres"
    name = f"tarazu_restored_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    url = f"{settings.database_url.rpartition('/')[0]}/{name}"
    yield settings.model_copy(update={"data_dir": place, "database_url": url})
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def file(admin: Desk, database: Database, settings: Settings, tmp_path: Path) -> Path:
    """A backup without a passphrase."""
    made = tmp_path / "one.tarazu"
    backups.make(database, settings, made, "", clock.now())
    return made


@pytest.mark.parametrize("passphrase", ["", "a long passphrase"])
def test_what_was_there_is_there_again(
    admin: Desk,
    database: Database,
    settings: Settings,
    empty: Settings,
    tmp_path: Path,
    passphrase: str,
) -> None:
    admin.add_client()
    file = tmp_path / "one.tarazu"

    made = backups.make(database, settings, file, passphrase, clock.now())
    found = backups.restore(empty, file, passphrase, clock.now())

    assert found == made
    assert file.stat().st_mode & 0o077 == 0
    assert sorted(path.name for path in tmp_path.glob(".*")) == []
    restored = open_database(empty)
    try:
        name = scalar(restored, text("SELECT name FROM people WHERE client_code = 'C0001'"))
        with restored.reading() as session:
            head = audit_log.head_of(session)
            checked = audit_log.verify(session)
        with restored.engine.connect() as connection:
            assert missing_triggers(connection) == []
    finally:
        restored.dispose()
    assert name == "Kavya Menon"
    assert head is not None
    assert (head.seq, head.hash) == (made.audit_seq, made.audit_hash)
    assert checked.fault is None


def test_a_backup_is_made_while_others_write_and_holds_what_was_acknowledged(
    database: Database, settings: Settings, empty: Settings, tmp_path: Path
) -> None:
    stop = threading.Event()
    written: list[int] = []

    def write() -> None:
        while not stop.is_set():
            with database.transaction() as session:
                audit_log.record(session, SYSTEM, clock.now(), "tried", ("thing", len(written)))
            written.append(len(written))

    thread = threading.Thread(target=write)
    thread.start()
    while len(written) < 10:
        stop.wait(0.01)
    acknowledged = len(written)
    backups.make(database, settings, tmp_path / "one.tarazu", "", clock.now())
    went_on = len(written) > acknowledged
    stop.set()
    thread.join()

    backups.restore(empty, tmp_path / "one.tarazu", "", clock.now())

    restored = open_database(empty)
    count = len(audit_rows(restored, "tried"))
    with restored.reading() as session:
        checked = audit_log.verify(session)
    restored.dispose()
    assert went_on
    assert count >= acknowledged
    assert checked.fault is None


def test_nothing_is_overwritten(
    admin: Desk, database: Database, settings: Settings, file: Path
) -> None:
    with pytest.raises(CannotBackUp, match="exists already"):
        backups.make(database, settings, file, "", clock.now())
    with pytest.raises(CannotBackUp, match="restore into an empty"):
        backups.restore(settings, file, "", clock.now())

    assert admin.get("/profile").status_code == 200


def test_a_wrong_passphrase_a_changed_and_a_cut_file_are_refused(
    database: Database, settings: Settings, empty: Settings, tmp_path: Path
) -> None:
    sealed, plain = tmp_path / "sealed.tarazu", tmp_path / "plain.tarazu"
    backups.make(database, settings, sealed, "right", clock.now())
    backups.make(database, settings, plain, "", clock.now())
    for source in (sealed, plain):
        changed, cut = source.with_suffix(".changed"), source.with_suffix(".cut")
        content = bytearray(source.read_bytes())
        cut.write_bytes(content[:-100])
        content[len(content) // 2] ^= 1
        changed.write_bytes(content)
        for bad in (changed, cut):
            with pytest.raises(CannotBackUp):
                backups.restore(empty, bad, "right", clock.now())

    with pytest.raises(CannotBackUp, match="passphrase is wrong"):
        backups.restore(empty, sealed, "wrong", clock.now())
    with pytest.raises(CannotBackUp, match="passphrase is needed"):
        backups.restore(empty, sealed, "", clock.now())
    assert b"SQLite format" not in sealed.read_bytes()
    (tmp_path / "text.tarazu").write_text("hello")
    with pytest.raises(CannotBackUp, match="not a backup"):
        backups.restore(empty, tmp_path / "text.tarazu", "", clock.now())


def test_no_key_is_in_a_backup(
    admin: Desk, database: Database, settings: Settings, tmp_path: Path
) -> None:
    assert (
        admin.post("/brokers/add", ZERODHA | {"apiSecret": "canary-in-the-vault"}).status_code
        == 201
    )
    file = tmp_path / "one.tarazu"
    backups.make(database, settings, file, "", clock.now())

    with backups._unpacked(file, "") as (_, payload):
        content = payload.read_bytes()
    key = settings.secrets_keys.partition(":")[2].encode()
    assert key not in content
    assert b"canary-in-the-vault" not in content


def test_scheduled_backups_are_made_when_due_and_the_oldest_go(
    database: Database, settings: Settings, tmp_path: Path
) -> None:
    folder = tmp_path / "backups"
    wanted = settings.model_copy(
        update={"backup_dir": str(folder), "backup_hours": 24, "backups_kept": 2}
    )
    now = clock.now()

    made = []
    for hours in (0, 1, 25, 50, 75):
        later = now + dt.timedelta(hours=hours)
        file = backups.make_due(database, wanted, later)
        if file is not None:
            os.utime(file, (later.timestamp(), later.timestamp()))
        made.append(file)

    assert [file is not None for file in made] == [True, False, True, True, True]
    assert backups.made_before(folder) == [made[3], made[4]]
    assert backups.make_due(database, settings, now) is None


@pytest.mark.parametrize("size", [0, 1, sealing.CHUNK, sealing.CHUNK + 1, 2 * sealing.CHUNK])
def test_a_sealed_stream_opens_whole_or_not_at_all(size: int) -> None:
    content = os.urandom(size)
    target = io.BytesIO()
    sealing.seal(io.BytesIO(content), target, "pass")

    assert b"".join(sealing.opened(io.BytesIO(target.getvalue()), "pass")) == content
    if size > sealing.CHUNK:
        # The last chunk left out: what is before it is whole, and yet it does not open.
        cut = target.getvalue()[: len(sealing.MAGIC) + 16 + sealing.CHUNK + 16]
        with pytest.raises(sealing.WrongPassphrase):
            list(sealing.opened(io.BytesIO(cut), "pass"))


def test_the_command_line_backs_up_and_restores(
    admin: Desk,
    settings: Settings,
    empty: Settings,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    use = _uses(monkeypatch)
    use(settings)
    monkeypatch.setenv("TARAZU_BACKUP_PASSPHRASE", "from the environment")
    file = tmp_path / "one.tarazu"

    assert cli.main(["backup", str(file), "--data-dir", str(settings.data_dir)]) == 0
    output = capsys.readouterr().out
    assert "encrypted with the passphrase, verified" in output
    assert "Its secrets need the keys test" in output
    assert cli.main(["restore", "--check", str(file)]) == 0
    assert cli.main(["restore", str(file), "--data-dir", str(settings.data_dir)]) == 1
    assert "restore into an empty" in capsys.readouterr().err
    use(empty)
    assert cli.main(["restore", str(file), "--data-dir", str(empty.data_dir)]) == 0
    assert cli.main(["audit-verify", "--data-dir", str(empty.data_dir)]) == 0


def test_commands_that_only_read_do_not_wait_for_a_writer(
    admin: Desk,
    database: Database,
    settings: Settings,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _uses(monkeypatch)(settings)
    admin.add_client()
    place = ["--data-dir", str(settings.data_dir)]

    with database.transaction() as session:
        audit_log.record(session, SYSTEM, clock.now(), "tried", ("thing", 1))
        session.flush()
        statuses = [
            cli.main([*words, *place])
            for words in (["backup", str(tmp_path / "one.tarazu")], ["audit", "verify"], ["doctor"])
        ]

    assert statuses == [0, 0, 0]


def _uses(monkeypatch: pytest.MonkeyPatch) -> Callable[[Settings], None]:
    def use(settings: Settings) -> None:
        monkeypatch.setenv("TARAZU_SECRETS_KEYS", settings.secrets_keys)
        monkeypatch.setenv("TARAZU_DATABASE_URL", settings.database_url)

    return use


def test_a_missing_tool_is_named(
    database: Database, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if database.is_sqlite:
        pytest.skip("SQLite needs no tool")
    monkeypatch.setattr(shutil, "which", lambda name: None)

    with pytest.raises(CannotBackUp, match="pg_dump is not installed"):
        backups.make(database, settings, tmp_path / "one.tarazu", "", clock.now())


# ---- who made it ---------------------------------------------------------------------------------

EDITED = "UPDATE people SET name = 'Planted Admin' WHERE role = 'ADMIN'"


def _planted(file: Path, folder: Path, change: Callable[[dict[str, object]], None]) -> Path:
    """The backup with a row changed by hand, and a manifest that fits it again."""
    edited = folder / "edited.tarazu"
    with zipfile.ZipFile(file) as archive:
        manifest = json.loads(archive.read("manifest.json"))
        payload = archive.read(manifest["payload"])
    if manifest["kind"] == "sqlite":
        path = folder / "edited.db"
        path.write_bytes(payload)
        plain = bundled_sqlite.connect(path)
        plain.execute(EDITED)
        plain.commit()
        plain.close()
        payload = path.read_bytes()
    manifest |= {"sha256": hashlib.sha256(payload).hexdigest(), "size": len(payload)}
    change(manifest)
    with zipfile.ZipFile(edited, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("manifest.json", json.dumps(manifest))
        archive.writestr(str(manifest["payload"]), payload)
    return edited


def _as_it_is(manifest: dict[str, object]) -> None:
    manifest["made_at"] = "2026-11-22T00:00:00+00:00"


def _without_seal(manifest: dict[str, object]) -> None:
    manifest.pop("mac", None)


def _with_an_empty_seal(manifest: dict[str, object]) -> None:
    manifest["mac"] = ""


@pytest.mark.parametrize("change", [_as_it_is, _without_seal, _with_an_empty_seal])
def test_a_backup_that_was_edited_and_hashed_again_is_refused(
    settings: Settings,
    empty: Settings,
    file: Path,
    tmp_path: Path,
    change: Callable[[dict[str, object]], None],
) -> None:
    edited = _planted(file, tmp_path, change)

    with pytest.raises(CannotBackUp):
        backups.check(settings, edited, "")
    with pytest.raises(CannotBackUp):
        backups.restore(empty, edited, "", clock.now())

    backups.restore(empty, file, "", clock.now())


def test_a_backup_restored_without_its_key_is_not_verified(
    empty: Settings,
    file: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("TARAZU_DATABASE_URL", empty.database_url)
    words = [str(file), "--data-dir", str(empty.data_dir)]

    assert cli.main(["restore", "--check", *words]) == 0
    checked = capsys.readouterr().out
    monkeypatch.setenv("TARAZU_SECRETS_KEYS", "other:" + "B" * 43 + "=")
    assert cli.main(["restore", *words]) == 0
    restored = capsys.readouterr().out

    for output in (checked, restored):
        assert "THIS BACKUP CANNOT BE AUTHENTICATED" in output
        assert "test" in output.split("AUTHENTICATED")[1]


def test_a_backup_restored_with_its_key_is_verified(
    admin: Desk,
    settings: Settings,
    empty: Settings,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    _uses(monkeypatch)(settings)
    file = tmp_path / "one.tarazu"
    assert cli.main(["backup", str(file), "--data-dir", str(settings.data_dir)]) == 0

    assert cli.main(["restore", "--check", str(file)]) == 0

    output = capsys.readouterr().out
    assert "made by this installation" in output
    assert "VOUCH" not in output


def test_a_restore_puts_the_notes_of_the_database_before_aside(empty: Settings, file: Path) -> None:
    empty.data_dir.mkdir()
    empty.audit_heads_file.write_text('{"at": "2026-11-22", "seq": 999, "hash": "abc"}\n')

    backups.restore(empty, file, "", clock.now())

    assert not empty.audit_heads_file.exists()
    assert [path.name for path in empty.data_dir.glob("audit-heads-until-*.log")]
