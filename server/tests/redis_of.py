"""A Redis of the tests' own, which they may freeze and kill; skipped where there is no binary."""

import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pytest

from tarazu.kit import pubsub
from tests.started import free_port


@dataclass
class OwnRedis:
    """A Redis server on a port of its own, empty at every start."""

    port: int
    running: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        words = ["redis-server", "--port", str(self.port), "--save", "", "--appendonly", "no"]
        self.running = subprocess.Popen(
            [*words, "--bind", "127.0.0.1"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        end = time.monotonic() + 60
        while not self._answers():
            assert time.monotonic() < end, "redis-server does not answer"
            time.sleep(0.02)

    def kill(self) -> None:
        if self.running is not None:
            self.running.kill()
            self.running.wait()
            self.running = None

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """Takes every call and answers none."""
        assert self.running is not None
        self.running.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self.running.send_signal(signal.SIGCONT)

    def _answers(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), 1) as line:
                line.sendall(b"PING\r\n")
                return line.recv(16).startswith(b"+PONG")
        except OSError:
            return False


@contextmanager
def own_redis() -> Iterator[OwnRedis]:
    if shutil.which("redis-server") is None:
        if os.environ.get("CI") == "true":
            pytest.fail("redis-server is not installed")
        pytest.skip("tests of several processes are left out: redis-server is not installed")
    port = free_port()
    server = OwnRedis(port)
    server.start()
    try:
        yield server
    finally:
        server.kill()


@pytest.fixture
def answered_within() -> float:
    """Seconds after which Redis counts as down: many, as a busy machine answers late.

    A test of a Redis that hangs sets its own.
    """
    return 30.0


@pytest.fixture
def redis(answered_within: float, monkeypatch: pytest.MonkeyPatch) -> Iterator[OwnRedis]:
    """A Redis server for one test."""
    monkeypatch.setattr(pubsub, "ANSWERED_WITHIN", answered_within)
    with own_redis() as server:
        yield server
