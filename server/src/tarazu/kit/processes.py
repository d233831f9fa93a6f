"""The mark of this process, and whether the process of another mark is gone."""

import hashlib
import os
import secrets
import socket
from pathlib import Path
from typing import Final


def _place() -> str:
    """This machine since it was started, and the space of process numbers on it.

    The name alone would not do: two machines may have one, and two containers the same numbers.
    """
    told = []
    for path in ("/proc/sys/kernel/random/boot_id", "/proc/self/ns/pid"):
        try:
            told.append(str(Path(path).readlink()) if "/ns/" in path else Path(path).read_text())
        except OSError:
            continue  # no Linux: the name has to do
    digest = hashlib.sha256("|".join(told).encode()).hexdigest()[:10]
    return f"{socket.gethostname()}/{digest}"


HERE: Final = _place()
"""Where the process numbers that this process sees are valid."""
OWNER: Final = f"{HERE}:{os.getpid()}:{secrets.token_hex(8)}"
"""The mark of this process, never borne by another: a number may be given again."""


def is_gone(owner: str) -> bool:
    """Whether the process of this mark ended, as far as it can be known on this machine.

    One on another machine, or whose number some process bears again, may still be at work.
    """
    place, _, rest = owner.rpartition(":")[0].rpartition(":")
    if owner == OWNER or place != HERE or not rest.isdigit():
        return False
    if int(rest) == os.getpid():
        return True  # our number, but not our mark: its bearer was here before us
    if os.name != "posix":
        return False
    try:
        os.kill(int(rest), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False  # somebody else's process bears the number now
    return False
