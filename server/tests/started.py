"""Processes of the product that start at once, for tests that kill, stop or run several of them.

To import the product takes seconds. These are forked from a process that has done so, one for each
process of tests. What a start costs, reads or prints before the first import is not seen by them:
such tests start Python itself.
"""

import os
import runpy
import secrets
import socket
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from multiprocessing import get_context, reduction
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

_forks = get_context("forkserver")
_forks.set_forkserver_preload(["tarazu.cli"])


def free_port() -> int:
    """A port of this computer on which nothing listens.

    It is below those that a system gives to connections: one of them could be a connection's before
    the test's server takes it.
    """
    while True:
        port = 20_000 + secrets.randbelow(10_000)
        with socket.socket() as door, suppress(OSError):
            door.bind(("127.0.0.1", port))
            return port


class Started:
    """A process with what tests use of `subprocess.Popen`.

    Args:
        words: as for Python: `-m` with a module, or `-c` with a script, and what follows it.
        env: its environment; None for ours.
        output: where it writes, None for nowhere; `subprocess.PIPE` gives lines in `stdout`.
        errors: where its errors go, None for where ours go; `subprocess.STDOUT` as there.
    """

    def __init__(
        self,
        words: Sequence[str],
        env: Mapping[str, str] | None = None,
        output: IO[Any] | int | None = None,
        errors: IO[Any] | int | None = None,
    ) -> None:
        self.stdout: IO[str] | None = None
        with Path(os.devnull).open("wb") as nowhere:
            write = None
            if output == subprocess.PIPE:
                read, write = os.pipe()
                self.stdout = os.fdopen(read, encoding="utf-8")
            said = write if write is not None else _number(output or nowhere)
            told = said if errors == subprocess.STDOUT else _number(errors or 2)
            ends = (_Descriptor(said), _Descriptor(told))
            self._process = _forks.Process(
                target=_run, args=([*map(str, words)], dict(env or os.environ), *ends)
            )
            self._process.start()
            if write is not None:
                os.close(write)

    @property
    def pid(self) -> int:
        assert self._process.pid is not None
        return self._process.pid

    @property
    def returncode(self) -> int | None:
        return self._process.exitcode

    def poll(self) -> int | None:
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        self._process.join(timeout)
        if self.returncode is None:
            raise subprocess.TimeoutExpired("the process", timeout or 0)
        return self.returncode

    def send_signal(self, number: int) -> None:
        if self.returncode is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self._process.kill()

    def close(self) -> None:
        if self.stdout is not None:
            self.stdout.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
        self.wait()


class _Descriptor:
    """A file's number that is another one in the process that is started."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __reduce__(self) -> tuple[Callable[[Any], int], tuple[Any]]:
        return _received, (reduction.DupFd(self.number),)


def _received(sent: Any) -> int:
    return int(sent.detach())


def _number(file: IO[Any] | int) -> int:
    return file if isinstance(file, int) else file.fileno()


def _run(words: Sequence[str], env: Mapping[str, str], output: int, errors: int) -> None:
    os.dup2(output, 1)
    os.dup2(errors, 2)
    sys.stdout.reconfigure(write_through=True)  # type: ignore[union-attr]
    os.environ.clear()
    os.environ.update(env)
    kind, what, *rest = words
    sys.argv = [what, *rest]
    if kind == "-m":
        runpy.run_module(what, run_name="__main__", alter_sys=True)
    else:
        exec(compile(what, "<words>", "exec"), {"__name__": "__main__"})
