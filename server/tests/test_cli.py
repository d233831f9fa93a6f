"""The command line: what cannot be done is one clear line and a failure."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from tarazu import cli
from tests.started import free_port

TARAZU = [sys.executable, "-m", "tarazu"]


def run(*words: object, given: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*TARAZU, *map(str, words)], input=given, capture_output=True, text=True, check=False
    )


def test_a_busy_port_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]

        code = cli.main(["serve", "--port", str(port), "--data-dir", str(tmp_path)])

    assert code == 1
    assert capsys.readouterr().err == (
        f"tarazu: port {port} on 127.0.0.1 is in use; choose another with --port\n"
    )


def test_a_setting_that_is_not_one_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TARAZU_DATADIR", "x")

    assert cli.main(["create-admin", "a@b.in"]) == 1
    assert "TARAZU_DATADIR is not a setting of Tarazu" in capsys.readouterr().err


def test_a_data_directory_that_cannot_be_made_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")

    code = cli.main(["import", "holdings", __file__, "--data-dir", str(tmp_path / "file" / "x")])

    assert code == 1
    assert str(tmp_path / "file") in capsys.readouterr().err


def test_the_commands_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    code = cli.main(["--help"])

    assert code == 0
    assert "Serve the product." in capsys.readouterr().out


@pytest.mark.long
def test_an_administrator_is_made_offline(tmp_path: Path) -> None:
    made = run("create-admin", "root@desk.example", "--data-dir", tmp_path, given="nine firs 9\n")
    again = run("create-admin", "root@desk.example", "--data-dir", tmp_path, given="nine firs 9\n")
    short = run("create-admin", "two@desk.example", "--data-dir", tmp_path, given="short\n")

    assert made.stdout == "root@desk.example may sign in as ADMIN.\n"
    assert (again.returncode, "Email already registered" in again.stderr) == (1, True)
    assert "Password must be at least 8 characters" in short.stderr


KNOWN_ONLY = {
    "backup": ["backup", "day.tarazu"],
    "audit-verify": ["audit-verify"],
    "advice verify": ["advice", "verify"],
    "advice restore-letters": ["advice", "restore-letters"],
    "purge": ["purge", "--dry-run"],
    "rotate-key": ["rotate-key"],
    "close-day": ["close-day"],
    "import": ["import", "holdings", __file__],
}


@pytest.mark.parametrize("words", KNOWN_ONLY.values(), ids=KNOWN_ONLY)
def test_a_command_on_an_installation_that_is_not_there_makes_none(
    tmp_path: Path, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / "mistyped"

    code = cli.main([*words, "--data-dir", str(place)])

    assert code == 1
    assert f"There is no database at {place / 'tarazu.db'}" in capsys.readouterr().err
    assert not place.exists()


@pytest.mark.long
def test_what_is_written_is_its_owners_alone(tmp_path: Path) -> None:
    place = tmp_path / "desk"
    before = os.umask(0o022)
    try:
        run("create-admin", "root@desk.example", "--data-dir", place, given="nine firs 9\n")
    finally:
        os.umask(before)

    written = [place, *place.iterdir()]
    assert place / "tarazu.db" in written
    assert [one for one in written if one.stat().st_mode & 0o077] == []


@pytest.mark.long
def test_who_has_read_enough_ends_a_command_in_silence(tmp_path: Path) -> None:
    pipe = subprocess.Popen(
        [*TARAZU, "doctor", "--data-dir", str(tmp_path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert pipe.stdout is not None
    pipe.stdout.close()
    _, told = pipe.communicate(timeout=600)

    assert (pipe.returncode, told) == (1, b"")


def test_a_server_starts_answers_and_stops_in_peace(tmp_path: Path) -> None:
    port = free_port()
    server = subprocess.Popen(
        [*TARAZU, "serve", "--data-dir", str(tmp_path), "--port", str(port)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=os.environ | {"TARAZU_LOG_LEVEL": "error"},
        text=True,
    )
    try:
        said = _until_ready(server, port)
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/v1/firm") as answer:
            firm = json.load(answer)
    finally:
        server.send_signal(signal.SIGTERM)
        server.communicate(timeout=600)

    assert f"Tarazu is ready: http://127.0.0.1:{port}" in said
    assert firm["data"]["validity"] == "perpetual"
    assert server.returncode in {0, -signal.SIGTERM}


def _until_ready(server: "subprocess.Popen[str]", port: int) -> str:
    for _ in range(1200):
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/health/ready").close()
        except OSError:
            time.sleep(0.1)
        else:
            assert server.stdout is not None
            return server.stdout.readline() + server.stdout.readline()
    pytest.fail("the server did not become ready")
