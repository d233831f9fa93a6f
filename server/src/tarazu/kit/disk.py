"""Files that are still there after a power cut."""

import os
from pathlib import Path


def keep_file(path: Path) -> None:
    """Wait until what the file holds is on the disk."""
    with path.open("rb") as opened:
        os.fsync(opened.fileno())


def keep_names(folder: Path) -> None:
    """Wait until the names in a folder are on the disk: a file without its name is lost."""
    if os.name != "posix":
        return  # other systems keep names in order by themselves, and open no folder
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
