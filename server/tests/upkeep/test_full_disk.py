"""A start on a full disk is reported as such, and not as a fault of the disk."""

import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tarazu import cli
from tests.conftest import KEYS

SIZE = 4 << 20


@pytest.fixture
def full(tmp_path: Path, sqlite_template: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The data directory of an installation, on a disk without a free byte."""
    disk = tmp_path / "disk"
    disk.mkdir()
    words = ["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", str(disk)]
    try:
        done = subprocess.run(words, capture_output=True, check=False)
    except FileNotFoundError:
        pytest.skip("mount is not there")
    if done.returncode:
        pytest.skip("a small disk can be mounted by root alone")
    try:
        (disk / "tarazu.db").write_bytes(sqlite_template.read_bytes())
        with suppress(OSError), (disk / "fill").open("wb", buffering=0) as filling:
            while filling.write(bytes(4096)):
                pass
        monkeypatch.setenv("TARAZU_SECRETS_KEYS", KEYS)
        yield disk
    finally:
        subprocess.run(["umount", str(disk)], check=True)


@pytest.mark.parametrize("command", ["serve --port 9335", "audit-verify", "purge --dry-run"])
def test_a_start_on_a_full_disk_says_that_it_is_full(
    full: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code = cli.main([*command.split(), "--data-dir", str(full)])

    assert code == 1
    assert capsys.readouterr().err == "tarazu: the disk is full\n"


def test_the_doctor_says_that_the_disk_is_full(
    full: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = cli.main(["doctor", "--data-dir", str(full)])

    output = capsys.readouterr().out
    assert code == 1
    assert "WRONG  Database: It cannot be read: the disk is full." in output
    assert "I/O error" not in output
