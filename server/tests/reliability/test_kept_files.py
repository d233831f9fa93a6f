"""A file that is relied on is on the disk, and so is its name, before anything is acknowledged."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tarazu.kit import clock, encryption, mail
from tarazu.kit.db import Database
from tarazu.kit.mail import Draft, MailSender
from tarazu.kit.settings import Settings
from tarazu.upkeep import backups

Kept = Callable[[Path], bytes | None]


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> Kept:
    """What a power cut would leave of a file; None where its name would be lost."""
    synced: dict[int, bytes] = {}
    names: dict[Path, dict[str, int]] = {}
    sync = os.fsync

    def noted(opened: int) -> None:
        sync(opened)
        path = Path(f"/proc/self/fd/{opened}").readlink()
        if path.is_dir():
            names[path] = {one.name: one.stat().st_ino for one in path.iterdir()}
        else:
            synced[os.fstat(opened).st_ino] = path.read_bytes()

    def left_of(path: Path) -> bytes | None:
        number = names.get(path.parent, {}).get(path.name)
        return None if number is None else synced.get(number)

    monkeypatch.setattr(os, "fsync", noted)
    return left_of


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="reads the names of open files")
class TestAfterAPowerCut:
    def test_a_mail_that_was_written_is_there(
        self, database: Database, tmp_path: Path, kept: Kept
    ) -> None:
        now, folder = clock.now(), tmp_path / "outbox"
        with database.transaction() as session:
            mail.queue(session, Draft("kavya@home.example", "Advice", "Buy", "<p>Buy</p>"), now)

        assert MailSender("", "desk@firm.example", folder).send_due(database, now) == 1

        (path,) = folder.glob("*.eml")
        assert kept(path) == path.read_bytes()

    def test_the_first_key_is_there(self, tmp_path: Path, kept: Kept) -> None:
        encryption.keys_of("", tmp_path)

        path = encryption.key_file(tmp_path)
        assert kept(path) == path.read_bytes()

    def test_a_key_that_was_added_is_there(self, tmp_path: Path, kept: Kept) -> None:
        before = encryption.keys_of("", tmp_path)

        after = encryption.add_key(tmp_path)

        path = encryption.key_file(tmp_path)
        assert kept(path) == path.read_bytes()
        assert set(before.by_id) < set(after.by_id)

    def test_a_backup_that_was_made_is_there(
        self, database: Database, settings: Settings, tmp_path: Path, kept: Kept
    ) -> None:
        path = tmp_path / "backups" / "one.tarazu"

        backups.make(database, settings, path, "", clock.now())

        assert kept(path) == path.read_bytes()
