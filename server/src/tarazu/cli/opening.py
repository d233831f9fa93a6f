"""What the commands share: options, and opening the database."""

import datetime as dt
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from tarazu.app import open_database, open_known_database
from tarazu.kit.db import Database
from tarazu.kit.logging import set_up_logging
from tarazu.kit.settings import Settings

DataDir = Annotated[Path | None, typer.Option(help="Where the installation keeps its files.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Only show what would change.")]


class CommandFailed(Exception):
    """The command cannot be done; the text is the one line that is printed."""


def day(text: str) -> dt.date:
    """A day written as 2026-11-20, for an option."""
    return dt.date.fromisoformat(text)


def require_no_problem(problem: str | None) -> None:
    """Fail with the line, if there is one."""
    if problem:
        raise CommandFailed(problem)


def require_file(file: Path) -> None:
    """Fail if there is no such file."""
    if not file.is_file():
        raise CommandFailed(f"{file} is not a file")


def open_or_create(settings: Settings, *, is_new: bool = False) -> Database:
    """The database, created or upgraded if needed."""
    set_up_logging(settings.log_level)
    return open_database(settings, is_new=is_new)


@contextmanager
def opened(settings: Settings) -> Iterator[Database]:
    """The database, created or upgraded if needed, and closed at the end."""
    database = open_or_create(settings)
    try:
        yield database
    finally:
        database.dispose()


@contextmanager
def opened_existing(settings: Settings) -> Iterator[Database]:
    """The database, which must exist and have this version's tables; closed at the end."""
    set_up_logging(settings.log_level)
    database = open_known_database(settings)
    try:
        yield database
    finally:
        database.dispose()
