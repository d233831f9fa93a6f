"""A firm is founded once in a data directory: a lost database or key is reported, and not replaced."""

import io
from pathlib import Path

import pytest

from tarazu import cli
from tarazu.app import open_database
from tarazu.kit import audit_log, clock
from tarazu.kit.audit_log import SYSTEM
from tarazu.kit.db import UnfitDatabase
from tarazu.kit.encryption import UnfitKeys
from tarazu.kit.settings import Settings


@pytest.fixture
def founded(tmp_path: Path) -> Settings:
    """An installation that was started once, with its own key file."""
    settings = Settings(data_dir=tmp_path / "desk")
    open_database(settings).dispose()
    return settings


def _files(settings: Settings) -> set[str]:
    return {path.name for path in settings.data_dir.iterdir()}


@pytest.mark.parametrize("kept", ["secrets.key", "audit-heads.log", "installation"])
def test_where_a_firm_was_no_new_one_is_founded(founded: Settings, kept: str) -> None:
    founded.audit_heads_file.write_text('{"at": "2026-11-22", "seq": 7, "hash": "abc"}\n')
    for path in founded.data_dir.iterdir():
        if path.name != kept:
            path.unlink()

    with pytest.raises(UnfitDatabase) as refused:
        open_database(founded)

    told = str(refused.value)
    assert kept in told
    assert "tarazu restore FILE --data-dir" in told
    assert "tarazu serve --new-installation" in told
    assert _files(founded) == {kept}


def test_an_emptied_database_is_not_founded_again_either(founded: Settings) -> None:
    (founded.data_dir / "tarazu.db").write_bytes(b"")

    with pytest.raises(UnfitDatabase, match="--new-installation"):
        open_database(founded)


@pytest.mark.parametrize("command", ["create-admin a@desk.example", "worker", "serve --port 9334"])
def test_every_command_that_could_found_one_says_so(
    founded: Settings,
    command: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("nine firs 9\n"))
    (founded.data_dir / "tarazu.db").unlink()

    code = cli.main([*command.split(), "--data-dir", str(founded.data_dir)])

    assert code == 1
    assert "tarazu serve --new-installation" in capsys.readouterr().err


def test_a_new_installation_is_founded_when_it_is_asked_for(founded: Settings) -> None:
    database = open_database(founded)
    with database.transaction() as session:
        audit_log.record(session, SYSTEM, clock.now(), "tried", ("thing", 1))
    database.dispose()
    founded.audit_heads_file.write_text('{"at": "2026-11-22", "seq": 7, "hash": "abc"}\n')
    key = (founded.data_dir / "secrets.key").read_text()
    for path in founded.data_dir.glob("tarazu.db*"):
        path.unlink()

    open_database(founded, is_new=True).dispose()

    open_database(founded).dispose()
    assert (founded.data_dir / "secrets.key").read_text() == key
    assert not founded.audit_heads_file.exists()
    (aside,) = founded.data_dir.glob("audit-heads-*.log")
    assert '"seq": 7' in aside.read_text()


def test_a_new_installation_is_not_put_over_one_that_is_there(founded: Settings) -> None:
    with pytest.raises(UnfitDatabase, match="start without --new-installation"):
        open_database(founded, is_new=True)


def test_a_missing_key_is_reported_and_none_is_made(founded: Settings) -> None:
    (founded.data_dir / "secrets.key").unlink()
    before = _files(founded)

    with pytest.raises(UnfitKeys) as refused:
        open_database(founded)

    told = str(refused.value)
    assert "The key file is missing" in told
    assert str(founded.data_dir / "secrets.key") in told
    assert "TARAZU_SECRETS_KEYS" in told
    assert _files(founded) - {"tarazu.db-wal", "tarazu.db-shm"} == before


def test_a_first_start_that_was_killed_before_its_key_was_made_is_taken_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings(data_dir=tmp_path)
    with monkeypatch.context() as killed:
        killed.setattr("tarazu.kit.encryption._new_key", _dies)
        with pytest.raises(KeyboardInterrupt):
            open_database(settings)

    open_database(settings).dispose()

    assert (tmp_path / "secrets.key").is_file()


def _dies(name: str) -> str:
    raise KeyboardInterrupt
