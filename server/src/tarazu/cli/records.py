"""Commands that import, close, verify and export records."""

import datetime as dt
from pathlib import Path
from typing import Annotated

import typer

from tarazu.advice import commands as advice_commands
from tarazu.audit import commands as audit_commands
from tarazu.cli.opening import (
    DataDir,
    DryRun,
    day,
    opened_existing,
    require_file,
    require_no_problem,
)
from tarazu.imports import commands as import_commands
from tarazu.imports.benchmark_files import IndexOptions
from tarazu.kit import clock
from tarazu.kit.settings import Settings
from tarazu.portfolio import commands as portfolio_commands

app = typer.Typer()
imports = typer.Typer(help="Import a file.", no_args_is_help=True)
advice = typer.Typer(help="Verify and export sealed advice.", no_args_is_help=True)
audit = typer.Typer(help="Verify the audit trail.", no_args_is_help=True)
app.add_typer(imports, name="import")
app.add_typer(advice, name="advice")
app.add_typer(audit, name="audit")


@app.command()
def close_day(
    date: Annotated[
        dt.date | None,
        typer.Option(parser=day, metavar="YYYY-MM-DD", help="One day; otherwise all days due."),
    ] = None,
    data_dir: DataDir = None,
) -> None:
    """Store each day's closing values of clients and the firm."""
    with opened_existing(Settings.read(data_dir=data_dir)) as database:
        require_no_problem(portfolio_commands.close_days(database, date, clock.now(), print))


@imports.command("holdings")
def import_holdings(
    file: Path,
    client: Annotated[
        str | None, typer.Option(help="The client's code, for a broker's file.")
    ] = None,
    dry_run: DryRun = False,
    leave_out_refused: Annotated[
        bool, typer.Option("--leave-out-refused", help="Import the other rows if some are refused.")
    ] = False,
    data_dir: DataDir = None,
) -> None:
    """Import a broker's holdings file, or the firm's own."""
    require_file(file)
    with opened_existing(Settings.read(data_dir=data_dir)) as database:
        require_no_problem(
            import_commands.import_holdings(
                database, file, client, dry_run, print, leave_out_refused
            )
        )


@imports.command("prices")
def import_prices(file: Path, dry_run: DryRun = False, data_dir: DataDir = None) -> None:
    """Import an exchange's daily file of closing prices."""
    require_file(file)
    with opened_existing(Settings.read(data_dir=data_dir)) as database:
        require_no_problem(import_commands.import_prices(database, file, dry_run, print))


@imports.command("benchmark")
def import_benchmark(
    file: Path,
    name: Annotated[
        str, typer.Option(help="The index, if the file has several or names none.")
    ] = "",
    replace_changed: Annotated[
        bool, typer.Option("--replace-changed", help="Replace stored values that differ.")
    ] = False,
    dry_run: DryRun = False,
    data_dir: DataDir = None,
) -> None:
    """Import the daily values of an index."""
    require_file(file)
    options = IndexOptions(name, replace_changed, dry_run)
    with opened_existing(Settings.read(data_dir=data_dir)) as database:
        require_no_problem(import_commands.import_benchmark(database, file, options, print))


@imports.command("actions")
def import_actions(file: Path, dry_run: DryRun = False, data_dir: DataDir = None) -> None:
    """Import NSE's list of corporate actions, as CSV or JSON."""
    require_file(file)
    with opened_existing(Settings.read(data_dir=data_dir)) as database:
        require_no_problem(import_commands.import_actions(database, file, dry_run, print))


@imports.command("highs")
def import_highs(file: Path, dry_run: DryRun = False, data_dir: DataDir = None) -> None:
    """Import the highest prices of 31 January 2018, as CSV with the columns ISIN and High."""
    require_file(file)
    with opened_existing(Settings.read(data_dir=data_dir)) as database:
        require_no_problem(import_commands.import_highs(database, file, dry_run, print))


@advice.command("verify")
def verify_advice(
    advice_id: Annotated[str | None, typer.Argument(metavar="[ID]", help="One advice.")] = None,
    data_dir: DataDir = None,
) -> None:
    """Check that sent advice is unchanged: all of it, or one."""
    with opened_existing(Settings.read(data_dir=data_dir)) as database:
        require_no_problem(advice_commands.verify(database, advice_id, print))


@advice.command("export")
def export_advice(
    places: Annotated[list[str], typer.Argument(metavar="[ID] FILE")],
    client: Annotated[str | None, typer.Option(help="The client's code.")] = None,
    since: Annotated[
        dt.date | None,
        typer.Option("--from", parser=day, metavar="YYYY-MM-DD", help="The first day."),
    ] = None,
    until: Annotated[
        dt.date | None,
        typer.Option("--to", parser=day, metavar="YYYY-MM-DD", help="The last day."),
    ] = None,
    data_dir: DataDir = None,
) -> None:
    """Write a zip of advice that anyone can verify without Tarazu."""
    if len(places) > 2:  # noqa: PLR2004 - an id and a file
        raise typer.BadParameter("give at most one ID, and the FILE")
    advice_id = places[0] if len(places) > 1 else None
    choice = advice_commands.ExportChoice(advice_id, client, since, until)
    with opened_existing(Settings.read(data_dir=data_dir)) as database:
        require_no_problem(
            advice_commands.export(database, choice, Path(places[-1]), clock.now(), print)
        )


@advice.command("restore-letters")
def restore_letters(data_dir: DataDir = None) -> None:
    """Create letters again that are missing from the database."""
    with opened_existing(Settings.read(data_dir=data_dir)) as database:
        require_no_problem(advice_commands.restore_letters(database, clock.now(), print))


@audit.command("verify")
@app.command("audit-verify")
def verify_audit(data_dir: DataDir = None) -> None:
    """Check that the audit trail is complete and unchanged."""
    settings = Settings.read(data_dir=data_dir)
    with opened_existing(settings) as database:
        require_no_problem(audit_commands.verify(database, settings.audit_heads_file, print))
