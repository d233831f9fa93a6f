"""The audit stream: every row, in order, at least once, to a file or to syslog."""

import datetime as dt
import json
import re
import socket
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from fastapi import FastAPI
from sqlalchemy import select

from tarazu.audit.adapters import sinks
from tarazu.audit.adapters.sinks import FileSink, Line, sink_of
from tarazu.audit.jobs import has_rows_due, send_due
from tarazu.kit import audit_log, clock
from tarazu.kit.alarms import Alarms
from tarazu.kit.audit_log import SYSTEM, AuditRow
from tarazu.kit.db import Database
from tarazu.kit.settings import MalformedSettings, Settings
from tarazu.upkeep.soundness import DatabaseWatch
from tests.people_of import Desk
from tests.rows_of import scalars

pytestmark = pytest.mark.on_both

TARGET = "file:/nowhere"
NOW = clock.now()
# RFC 5424, section 6: priority, version, time, host, application, process, kind, no data.
SYSLOG = re.compile(r"<(\d+)>1 (\S+) \S+ tarazu \d+ audit - (\{.*\})")


def write(database: Database, count: int, **changes: Any) -> None:
    with database.transaction() as session:
        for number in range(count):
            about = ("test", number)
            audit_log.record(session, SYSTEM, NOW, "tested", about, {"number": number, **changes})


def stored(database: Database) -> list[tuple[int, str]]:
    rows = scalars(database, select(AuditRow).order_by(AuditRow.seq))
    return [(row.seq, row.hash) for row in rows]


def told(text: str) -> list[tuple[int, str]]:
    rows = [json.loads(line) for line in text.splitlines()]
    return [(row["seq"], row["hash"]) for row in rows]


@pytest.fixture
def alarms() -> Alarms:
    return Alarms()


@pytest.fixture
def watch(database: Database, settings: Settings, alarms: Alarms) -> DatabaseWatch:
    """The watch of an installation with an audit stream."""
    return DatabaseWatch(settings.model_copy(update={"audit_stream": TARGET}), database, alarms)


@dataclass
class Failing:
    """Takes batches, and fails at those whose numbers are listed: before or after they arrived."""

    lost: Sequence[int] = ()
    unconfirmed: Sequence[int] = ()
    lines: list[str] = field(default_factory=list)
    batches: int = 0

    def send(self, lines: Sequence[Line]) -> None:
        self.batches += 1
        if self.batches in self.lost:
            raise ConnectionRefusedError(111, "Connection refused")
        self.lines += [line.text for line in lines]
        if self.batches in self.unconfirmed:
            raise ConnectionResetError(104, "Connection reset by peer")


def test_every_row_goes_to_the_file_in_order_with_what_it_holds(
    database: Database, admin: Desk, tmp_path: Path
) -> None:
    target = f"file:{tmp_path / 'audit.jsonl'}"
    admin.add_client("Kavya Menon")
    write(database, 3)

    sent = send_due(database, target, NOW)
    lines = (tmp_path / "audit.jsonl").read_text(encoding="utf-8")

    assert told(lines) == stored(database)
    assert sent == len(stored(database))
    added = next(
        row for row in map(json.loads, lines.splitlines()) if row["action"] == "client_added"
    )
    assert set(added) == {
        *("seq", "at", "accountId", "role", "ip", "sessionId", "requestId", "action", "kind"),
        *("recordId", "changes", "previousHash", "hash"),
    }
    assert (added["role"], added["ip"]) == ("ADMIN", "testclient")
    assert added["at"].endswith("+00:00")
    assert (tmp_path / "audit.jsonl").stat().st_mode & 0o007 == 0


def test_only_new_rows_are_sent_later_also_by_another_process(
    database: Database, settings: Settings, tmp_path: Path
) -> None:
    file = tmp_path / "audit.jsonl"
    write(database, 2)
    send_due(database, f"file:{file}", NOW)
    assert not has_rows_due(database, f"file:{file}", NOW)
    write(database, 1)
    other = Database(settings.resolved_database_url)
    assert has_rows_due(other, f"file:{file}", NOW)

    sent = send_due(other, f"file:{file}", NOW)
    other.dispose()

    assert sent == 1
    assert told(file.read_text(encoding="utf-8")) == stored(database)


@pytest.mark.parametrize("batch", [1, 2, 3])
def test_nothing_is_lost_wherever_it_fails(
    database: Database, monkeypatch: pytest.MonkeyPatch, batch: int
) -> None:
    monkeypatch.setattr("tarazu.audit.stream.BATCH", 4)
    write(database, 10)
    refused, cut = Failing(lost=[batch]), Failing(unconfirmed=[batch])

    for name, sink in (("file:/refused", refused), ("file:/cut", cut)):
        for _ in range(2):
            send_due(database, name, NOW, sink)

    everything = stored(database)
    assert told("\n".join(refused.lines)) == everything
    twice = told("\n".join(cut.lines))
    assert list(dict.fromkeys(twice)) == everything
    assert len(twice) > len(everything), "a batch that may have arrived is sent again"


def test_after_a_failure_it_waits_and_readiness_says_that_it_has_stopped(
    database: Database, watch: DatabaseWatch, alarms: Alarms
) -> None:
    write(database, 1)
    start, sink = NOW, Failing(lost=range(1, 10))
    send_due(database, TARGET, start, sink)

    assert not has_rows_due(database, TARGET, start + dt.timedelta(seconds=29))
    assert has_rows_due(database, TARGET, start + dt.timedelta(seconds=30))
    watch.look_at_stream(start + dt.timedelta(minutes=9))
    assert alarms.texts == []
    send_due(database, TARGET, start + dt.timedelta(minutes=10), sink)
    watch.look_at_stream(start + dt.timedelta(minutes=10))
    (text,) = alarms.texts
    assert text.startswith("The audit stream has stopped: rows since ")
    assert "(Connection refused)" in text

    send_due(database, TARGET, start + dt.timedelta(minutes=11), Failing())
    watch.look_at_stream(start + dt.timedelta(minutes=11))
    assert alarms.texts == []


def test_a_stream_that_no_process_begins_is_an_alarm_after_ten_minutes(
    database: Database, watch: DatabaseWatch, alarms: Alarms
) -> None:
    write(database, 1)

    watch.look_at_stream(NOW)
    watch.look_at_stream(NOW + dt.timedelta(minutes=9))
    assert alarms.texts == []
    watch.look_at_stream(NOW + dt.timedelta(minutes=10))
    (text,) = alarms.texts
    assert text.startswith("The audit stream has stopped: rows since ")

    send_due(database, TARGET, NOW + dt.timedelta(minutes=11), Failing())
    watch.look_at_stream(NOW + dt.timedelta(minutes=11))
    assert alarms.texts == []


def test_readiness_shows_the_alarm(app: FastAPI, admin: Desk) -> None:
    from tarazu.kit.alarms import Alarm  # noqa: PLC0415

    app.state.alarms.set(Alarm.STREAM, "The audit stream has stopped.")

    assert admin.get("/admin/readiness").json()["alarms"] == ["The audit stream has stopped."]


def test_the_file_may_be_moved_away_or_cut(tmp_path: Path) -> None:
    file = tmp_path / "audit.jsonl"
    sink = FileSink(file)
    line = Line("", '{"seq": 1}', "")
    sink.send([line])
    file.rename(tmp_path / "audit.jsonl.1")
    sink.send([line, line])
    assert file.read_text() == '{"seq": 1}\n' * 2
    file.write_text("")
    sink.send([line])
    assert file.read_text() == '{"seq": 1}\n'


def test_half_a_line_of_a_killed_process_spoils_no_other(tmp_path: Path) -> None:
    file = tmp_path / "audit.jsonl"
    file.write_text('{"seq": 1}\n{"se')

    FileSink(file).send([Line("", '{"seq": 2}', "")])

    assert file.read_text() == '{"seq": 1}\n{"se\n{"seq": 2}\n'


def test_a_folder_that_is_missing_is_a_failure(database: Database, tmp_path: Path) -> None:
    target = f"file:{tmp_path / 'missing' / 'audit.jsonl'}"
    write(database, 1)

    assert send_due(database, target, NOW) == 0
    (tmp_path / "missing").mkdir()
    assert send_due(database, target, NOW) == len(stored(database))


def test_syslog_over_tcp_is_rfc_5424_one_message_a_line(database: Database) -> None:
    write(database, 3, text="₹ and\na new line")
    received: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def take() -> None:
            connection, _ = server.accept()
            with connection:
                while data := connection.recv(65_536):
                    received.append(data)

        thread = Thread(target=take)
        thread.start()
        sent = send_due(database, f"syslog+tcp://127.0.0.1:{server.getsockname()[1]}", NOW)
        thread.join(5)

    lines = b"".join(received).decode("ascii").splitlines()
    matches = [SYSLOG.fullmatch(line) for line in lines]
    assert all(matches)
    assert len(matches) == sent
    assert told("\n".join(match[3] for match in matches if match)) == stored(database)
    assert {match[1] for match in matches if match} == {str(10 * 8 + 5)}, "authpriv, notice"
    assert json.loads(matches[-1][3])["changes"]["text"] == "₹ and\na new line"  # type: ignore[index]


def test_a_server_that_resets_has_not_taken_it() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:

        def reset() -> None:
            connection, _ = server.accept()
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            connection.close()

        thread = Thread(target=reset)
        thread.start()
        sink = sink_of(f"syslog+tcp://127.0.0.1:{server.getsockname()[1]}")
        with pytest.raises(OSError):  # noqa: PT011 - reset, or a broken pipe
            sink.send([Line("", "x" * 1_000_000, "")])
        thread.join(5)


def test_syslog_by_datagrams(tmp_path: Path) -> None:
    line, long = Line("t", '{"seq": 1}', ""), Line("t", "x" * 40_000, '{"seq": 2}')
    place = str(tmp_path / "log")
    with (
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as local,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as remote,
    ):
        local.bind(place)
        remote.bind(("127.0.0.1", 0))
        port = remote.getsockname()[1]
        for target, socket_of in (
            (f"syslog+unix:{place}", local),
            (f"syslog+udp://127.0.0.1:{port}", remote),
        ):
            socket_of.settimeout(5)
            sink_of(target).send([line, long])
            messages = [socket_of.recv(65_536).decode() for _ in range(2)]
            matches = [SYSLOG.fullmatch(message) for message in messages]
            assert [match[3] for match in matches if match] == ['{"seq": 1}', '{"seq": 2}']


def test_no_local_socket_is_a_failure(tmp_path: Path) -> None:
    with pytest.raises(OSError):  # noqa: PT011 - missing
        sink_of(f"syslog+unix:{tmp_path / 'log'}").send([Line("", "{}", "")])


@pytest.mark.parametrize(
    "target",
    ["/var/log/audit", "file:relative", "file://host/path", "syslog+tcp://host", "http://host:1"],
)
def test_a_target_that_cannot_be_read_stops_the_start(
    target: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(MalformedSettings, match="TARAZU_AUDIT_STREAM: use file:/path"):
        Settings.read(audit_stream=target)


def test_a_target_names_its_sink() -> None:
    assert sink_of("syslog+tcp://[::1]:601") == sinks.TcpSink("::1", 601)
    assert sink_of("file:/var/log/a.jsonl") == FileSink(Path("/var/log/a.jsonl"))
