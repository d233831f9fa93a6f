"""Files that are still there after a power cut, and disks without room for them."""

import errno
import os
import tempfile
from pathlib import Path
from typing import Final

OUT_OF_SPACE: Final = {errno.ENOSPC, errno.EDQUOT}
_PROBE: Final = 32_768
"""Bytes: what SQLite needs beside its file before it can read it."""


def keep_file(path: Path) -> None:
    """Wait until what the file holds is on the disk."""
    with path.open("rb") as opened:
        os.fsync(opened.fileno())


def keep_names(folder: Path) -> None:
    """Wait until the names in a folder are on the disk: a file without its name is lost."""
    if os.name != "posix":
        return  # other systems keep names in order, and cannot open a folder
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def make_folder(folder: Path) -> None:
    """Make a folder and those above it that are missing; their names are kept."""
    if folder.is_dir():
        return
    make_folder(folder.parent)
    folder.mkdir(exist_ok=True)
    keep_names(folder.parent)


def is_full(folder: Path) -> bool:
    """Whether not even a small file can be written there for want of room."""
    try:
        with tempfile.TemporaryFile(dir=folder) as probe:
            probe.write(bytes(_PROBE))
            probe.flush()
    except OSError as error:
        return error.errno in OUT_OF_SPACE
    return False
