"""The unique id of a process, whether another has ended, and processes that end with their parent."""

import hashlib
import os
import secrets
import socket
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from multiprocessing import get_context, parent_process
from pathlib import Path
from threading import Thread
from typing import Final


def _place() -> str:
    """An id of this machine since its start, and of the process namespace.

    The host name is not enough: two machines may share it, and two containers the process numbers.
    """
    parts = []
    for path in ("/proc/sys/kernel/random/boot_id", "/proc/self/ns/pid"):
        try:
            parts.append(str(Path(path).readlink()) if "/ns/" in path else Path(path).read_text())
        except OSError:
            continue  # not Linux: only the host name
    digest = hashlib.sha256("|".join(parts).encode()).hexdigest()[:10]
    return f"{socket.gethostname()}/{digest}"


HERE: Final = _place()
"""Where this process's process numbers are valid."""


def own_id() -> str:
    """The unique id of this process."""
    return _id_of(os.getpid())


@cache
def _id_of(number: int) -> str:
    # A process number may be reused.
    return f"{HERE}:{number}:{secrets.token_hex(8)}"


def is_gone(owner: str) -> bool:
    """Whether the process with this id has ended, as far as this machine can know.

    False for a process of another machine, or if its number is in use again.
    """
    place, _, rest = owner.rpartition(":")[0].rpartition(":")
    if owner == own_id() or place != HERE or not rest.isdigit():
        return False
    if int(rest) == os.getpid():
        return True  # our number, but another id: an earlier process had the number
    if os.name != "posix":
        return False
    try:
        os.kill(int(rest), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False  # another account's process has the number
    return False


def process_apart() -> ProcessPoolExecutor:
    """One process beside this one, for what would stay in this one's memory.

    It ends with this one even when this one is killed.
    """
    return ProcessPoolExecutor(1, get_context("spawn"), _end_with_parent)


def _end_with_parent() -> None:
    Thread(target=_wait_and_end, daemon=True).start()


def _wait_and_end() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
    os._exit(1)
