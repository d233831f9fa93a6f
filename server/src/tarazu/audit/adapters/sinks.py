"""Where the audit stream goes: a file of JSON lines, or syslog (RFC 5424).

A batch has arrived when `send` returns; if it raises, the whole batch is sent again.
"""

import contextlib
import os
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from logging.handlers import SysLogHandler
from pathlib import Path
from typing import Final, Protocol
from urllib.parse import urlsplit

CONNECT_SECONDS: Final = 5.0
LARGEST_DATAGRAM: Final = 32_000
"""Bytes; one datagram has 65,507 at most, and a local socket often less."""
APP: Final = "tarazu"
MESSAGE_ID: Final = "audit"
_PRIORITY: Final = SysLogHandler.LOG_AUTHPRIV * 8 + SysLogHandler.LOG_NOTICE
_PRIVATE: Final = 0o640


@dataclass(frozen=True, slots=True)
class Line:
    """A row of the trail: its time in UTC (ISO 8601), its JSON, and a short form of that."""

    at: str
    text: str
    short: str


class Sink(Protocol):
    def send(self, lines: Sequence[Line]) -> None:
        """Hand these over, in their order.

        Raises:
            OSError: not all of them have arrived.
        """


def sink_of(target: str) -> Sink:
    """The sink of TARAZU_AUDIT_STREAM."""
    url = urlsplit(target)
    if url.scheme == "file":
        return FileSink(Path(url.path))
    if url.scheme == "syslog+tcp":
        return TcpSink(url.hostname or "", url.port or 0)
    if url.scheme == "syslog+udp":
        return DatagramSink((url.hostname or "", url.port or 0))
    return DatagramSink(url.path)


@dataclass(frozen=True, slots=True)
class FileSink:
    """Appends JSON lines.

    The file is opened for each batch, so that it may be moved away or cut at any time.
    """

    path: Path

    def send(self, lines: Sequence[Line]) -> None:
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT
        with os.fdopen(os.open(self.path, flags, _PRIVATE), "r+b") as file:
            end = file.seek(0, os.SEEK_END)
            if end:
                file.seek(end - 1)
                # A process that was killed while writing leaves half a line.
                if file.read(1) != b"\n":
                    file.write(b"\n")
            file.write("".join(f"{line.text}\n" for line in lines).encode())
            file.flush()
            os.fsync(file.fileno())


@dataclass(frozen=True, slots=True)
class TcpSink:
    """Syslog over TCP, one message a line (RFC 6587, 3.4.2)."""

    host: str
    port: int

    def send(self, lines: Sequence[Line]) -> None:
        data = b"".join(_message(line.at, line.text) + b"\n" for line in lines)
        with socket.create_connection((self.host, self.port), CONNECT_SECONDS) as connection:
            connection.sendall(data)
            connection.shutdown(socket.SHUT_WR)
            # A server that has read everything closes its side; one that died resets. What is
            # neither within the time has the data in its buffer.
            with contextlib.suppress(TimeoutError):
                while connection.recv(1024):
                    pass


@dataclass(frozen=True, slots=True)
class DatagramSink:
    """Syslog over UDP (an address and a port) or a local socket (a path), one message each."""

    address: tuple[str, int] | str

    def send(self, lines: Sequence[Line]) -> None:
        with self._connected() as connection:
            for line in lines:
                message = _message(line.at, line.text)
                if len(message) > LARGEST_DATAGRAM:
                    message = _message(line.at, line.short)
                connection.send(message)

    def _connected(self) -> socket.socket:
        if isinstance(self.address, str):
            connection = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        else:
            host, port = self.address
            family = socket.getaddrinfo(host, port, type=socket.SOCK_DGRAM)[0][0]
            connection = socket.socket(family, socket.SOCK_DGRAM)
        try:
            connection.settimeout(CONNECT_SECONDS)
            connection.connect(self.address)
        except OSError:
            connection.close()
            raise
        return connection


def _message(at: str, text: str) -> bytes:
    """A message of RFC 5424: priority, version, time, host, application, process, kind, data."""
    host = socket.gethostname()[:255] or "-"
    return f"<{_PRIORITY}>1 {at} {host} {APP} {os.getpid()} {MESSAGE_ID} - {text}".encode()
