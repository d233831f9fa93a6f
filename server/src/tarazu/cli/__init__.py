"""The command line: `tarazu serve`, `tarazu demo`, `tarazu doctor` and the rest."""

import os
import sys
from collections.abc import Sequence
from importlib.metadata import version
from typing import Annotated

import typer
from sqlalchemy.exc import DBAPIError

from tarazu.cli import maintenance, records, serving
from tarazu.cli.opening import CommandFailed
from tarazu.kit.db import UnfitDatabase
from tarazu.kit.disk import OUT_OF_SPACE
from tarazu.kit.encryption import UnfitKeys
from tarazu.kit.errors import Damaged, StorageFull, refusal_of_database
from tarazu.kit.gc_tuning import release_memory
from tarazu.kit.settings import MalformedSettings
from tarazu.upkeep.soundness import RESTORE

app = typer.Typer(
    help="The back office of a SEBI-registered Research Analyst.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
for part in (serving, records, maintenance):
    app.add_typer(part.app)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; a failure is one line on standard error."""
    release_memory()
    # All files are about people's money: only their owner may read them.
    os.umask(0o077)
    try:
        app(arguments, prog_name="tarazu")
    except SystemExit as exit_request:
        return exit_request.code if isinstance(exit_request.code, int) else 0
    except (CommandFailed, MalformedSettings, UnfitDatabase, UnfitKeys) as error:
        return _fail(str(error))
    except BrokenPipeError:
        # The reader has enough; what is buffered must not be written at exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        reason = "the disk is full" if error.errno in OUT_OF_SPACE else error.strerror or error
        return _fail(f"{reason} ({error.filename})" if error.filename else str(reason))
    except DBAPIError as error:
        return _fail(_reason_of(error))
    return 0


def _fail(line: str) -> int:
    print(f"tarazu: {line}", file=sys.stderr)
    return 1


def _reason_of(error: DBAPIError) -> str:
    refusal = refusal_of_database(error)
    if isinstance(refusal, StorageFull):
        reason = "the disk is full"
    elif isinstance(refusal, Damaged):
        reason = f"the database is damaged: {error.orig}. {RESTORE}"
    else:
        reason = f"the database cannot be used ({error.orig})"
    return " ".join(reason.split())


def _print_version(is_asked: bool) -> None:
    if is_asked:
        print(f"tarazu {version('tarazu')}")
        raise typer.Exit


@app.callback()
def _options(
    _: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    pass
