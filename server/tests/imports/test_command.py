"""`tarazu import holdings`, as it is typed, and killed at any moment."""

import os
import shutil
import signal
import subprocess
import time
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from uuid import UUID

import pytest
from sqlalchemy import text

from tarazu.app import open_database
from tarazu.cli import main
from tarazu.imports import running
from tarazu.imports.errors import ImportStopped
from tarazu.kit import clock
from tarazu.kit.db import Database
from tarazu.kit.logging import set_up_logging
from tarazu.kit.settings import Settings
from tarazu.people import service as people
from tarazu.portfolio import service as portfolio
from tests.conftest import KEYS
from tests.imports.bhavcopies import udiff
from tests.imports.files import (
    INFY,
    TCS,
    add_clients,
    console,
    firm,
    kite,
    large_file,
    refuse_wrong_totals,
)
from tests.rows_of import scalar
from tests.started import Started

pytestmark = pytest.mark.usefixtures("real_clock")

CLIENTS = 600


@pytest.fixture
def folder(tmp_path: Path, sqlite_template: Path) -> Path:
    """The data directory of an installation with the clients C0001 and C0002."""
    shutil.copy(sqlite_template, tmp_path / "tarazu.db")
    (tmp_path / "secrets.key").write_text(KEYS)
    database = opened(tmp_path)
    add_clients(database, 2)
    database.dispose()
    return tmp_path


def opened(folder: Path) -> Database:
    # The command before this one logged to a stream that pytest has closed.
    set_up_logging("info")
    return open_database(Settings(data_dir=folder))


def run(folder: Path, content: bytes, *options: str) -> int:
    file = folder / "holdings.csv"
    file.write_bytes(content)
    return main(["import", "holdings", str(file), "--data-dir", str(folder), *options])


def held(folder: Path) -> dict[str, int]:
    """Quantities of the first client, by symbol."""
    database = opened(folder)
    with database.reading() as session:
        stocks = portfolio.stocks_of(session, _client_ids(database)[0])
    database.dispose()
    return {stock.instrument.symbol: stock.quantity for stock in stocks}


def _client_ids(database: Database) -> list[UUID]:
    with database.reading() as session:
        return [card.id for card in people.client_summaries(session, "")]


def test_a_file_is_applied_and_its_changes_are_printed(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = run(folder, kite(("INFY", 10, 1500), ("TCS", 2, 3000)), "--client", "C0001")

    assert code == 0
    assert capsys.readouterr().out.splitlines() == [
        "holdings.csv: Kite holdings (CSV)",
        "2 added.",
        "Imported.",
    ]
    assert held(folder) == {"INFY": 10, "TCS": 2}


def test_a_dry_run_changes_nothing(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = run(folder, kite(("INFY", 10, 1500)), "--client", "c0001", "--dry-run")

    assert code == 0
    assert capsys.readouterr().out.splitlines()[-1] == ("Nothing was changed: this was a dry run.")
    assert held(folder) == {}


def test_refused_lines_are_printed_and_nothing_is_imported(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    content = firm("C0001,NSE,INFY,,10,1500,", "C0077,NSE,INFY,,1,1,", "C0002,NSE,TCS,,-1,1,")

    code = run(folder, content)

    told = capsys.readouterr()
    assert code == 1
    assert "  line 3: C0077, INFY, 1, 1: C0077 is not a client here." in told.out
    assert 'line 4: C0002, NSE, TCS, , -1, 1: Quantity "-1" is below 0.' in told.out
    assert told.err == (
        "tarazu: 2 rows are refused; nothing was imported. Leave them out or correct the file.\n"
    )
    assert held(folder) == {}


def test_refused_lines_can_be_left_out(folder: Path) -> None:
    content = firm("C0001,NSE,INFY,,10,1500,", "C0077,NSE,INFY,,1,1,")

    code = run(folder, content, "--leave-out-refused")

    assert code == 0
    assert held(folder) == {"INFY": 10}


@pytest.mark.parametrize(
    ("content", "options", "sentence"),
    [
        (kite(("INFY", 1, 1)), (), "Choose the client this file belongs to."),
        (kite(("INFY", 1, 1)), ("--client", "C0099"), "C0099 is not a client here."),
        (console(("INFY", "INE009A01021", 1, 1)), (), "Choose the client this file belongs to."),
        (b"", (), "The file is empty."),
        (b"x" * ((5 << 20) + 1), (), "The file is larger than 5 MB."),
    ],
)
def test_a_problem_is_one_clear_line(
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    content: bytes,
    options: tuple[str, ...],
    sentence: str,
) -> None:
    code = run(folder, content, *options)

    assert code == 1
    assert capsys.readouterr().err == f"tarazu: {sentence}\n"


# ------------------------------------------------------------------------------------- the kill


@pytest.fixture(scope="module")
def large_folder(tmp_path_factory: pytest.TempPathFactory, sqlite_template: Path) -> Path:
    """An installation whose clients hold what `large_file` says."""
    folder = tmp_path_factory.mktemp("large")
    shutil.copy(sqlite_template, folder / "tarazu.db")
    (folder / "secrets.key").write_text(KEYS)
    database = opened(folder)
    add_clients(database, CLIENTS)
    database.dispose()
    assert run(folder, large_file(CLIENTS)) == 0
    return folder


@pytest.mark.long
@pytest.mark.parametrize(
    ("line", "seconds_later"),
    [
        ("Checking: 0 of", 0),
        ("Applying: 0 of", 0),
        ("Applying: 0 of", 0.1),
        ("Applying: 500 of", 0),
        ("Applying: 600 of", 0),
        ("Applying: 600 of", 0.02),
        ("Imported.", 0),
    ],
)
def test_a_kill_leaves_the_old_holdings_or_the_new_and_nothing_between(
    large_folder: Path, tmp_path: Path, line: str, seconds_later: float
) -> None:
    folder = tmp_path / "killed"
    shutil.copytree(large_folder, folder)
    before = _all_held(folder)

    killed_at = _kill_import(folder, large_file(CLIENTS, bump=1), line, seconds_later)

    after = _all_held(folder)
    new = {key: replace(holding, quantity=holding.quantity + 1) for key, holding in before.items()}
    assert len(before) == CLIENTS * 30
    assert after in (before, new)
    if killed_at == signal.SIGKILL and line.startswith("Checking"):
        assert after == before
    if line == "Imported.":
        assert after == new
    database = opened(folder)
    refuse_wrong_totals(database)
    running.resume(database, clock.now())
    with database.reading() as session:
        *_, last = session.execute(text("SELECT state, outcome FROM imports ORDER BY id"))
    database.dispose()
    assert last.state == ("APPLIED" if after == new else "FAILED")
    assert (ImportStopped.message in last.outcome) == (after == before)


def _kill_import(folder: Path, content: bytes, line: str, seconds_later: float) -> int:
    """ImportContext the command, kill it so long after it printed `line`; the signal that ended it, or 0."""
    file = folder / "new.csv"
    file.write_bytes(content)
    words = ["import", "holdings", str(file), "--data-dir", str(folder)]
    with Started(["-m", "tarazu", *words], output=subprocess.PIPE) as started:
        assert started.stdout is not None
        for printed in started.stdout:
            if printed.startswith(line):
                break
        else:
            pytest.fail(f"the command never said {line}")
        time.sleep(seconds_later)
        os.kill(started.pid, signal.SIGKILL)
        return -started.wait()


def _all_held(folder: Path) -> dict[object, portfolio.NewHolding]:
    database = opened(folder)
    with database.reading() as session:
        present = portfolio.present_of(session, _client_ids(database))
    database.dispose()
    return {
        (client_id, instrument_id): holding
        for client_id, one in present.items()
        for instrument_id, holding in one.holdings.items()
    }


def test_prices_with_paise_are_kept_exactly(folder: Path) -> None:
    run(folder, kite(("INFY", 3, "1500.1234")), "--client", "C0001")

    database = opened(folder)
    with database.reading() as session:
        (stock,) = portfolio.stocks_of(session, _client_ids(database)[0])
    database.dispose()
    assert stock.average_price == Decimal("1500.1234")


# ------------------------------------------------------------------------------ closing prices


def run_prices(folder: Path, content: bytes, *options: str) -> int:
    file = folder / "bhav.csv"
    file.write_bytes(content)
    return main(["import", "prices", str(file), "--data-dir", str(folder), *options])


def kept_prices(folder: Path) -> int:
    database = opened(folder)
    kept = scalar(database, text("SELECT count(*) FROM last_prices"))
    database.dispose()
    return int(kept)


def test_closing_prices_are_imported_by_the_command(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = udiff(("INFY", "EQ", INFY, "1612.40"), ("TCS", "EQ", TCS, "abc"))

    assert run_prices(folder, file, "--dry-run") == 0
    output = capsys.readouterr().out
    assert "line 3: " in output
    assert "1 price of NSE, 1 row is refused and left out; close of 20-11-2026." in output
    assert "Nothing was changed" in output
    assert kept_prices(folder) == 0

    assert run_prices(folder, file) == 0
    assert capsys.readouterr().out.endswith("Imported.\n")
    assert kept_prices(folder) == 1


def test_a_refused_file_of_prices_ends_the_command_with_one_sentence(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_prices(folder, udiff(("INFY", "EQ", INFY, "1"), source="MCX")) == 1

    assert "The file is of MCX; import a file of NSE or BSE." in capsys.readouterr().err
    assert kept_prices(folder) == 0
