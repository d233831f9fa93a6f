"""Runs every benchmark and writes bench/results.md. Called by `make bench`.

Words after the command are looked for in the titles: those alone are measured, and their part of
the results is rewritten. Each part says when it was measured.

The benchmarks have their own environment, because what they compare with is no dependency
of the product.
"""

import datetime as dt
import os
import platform
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENT = ROOT / ".venv-bench"
PYTHON = ENVIRONMENT / "bin" / "python"
LOCK = ROOT / "server" / "requirements-bench.lock"
UV = ROOT / ".venv" / "bin" / "uv"
RESULTS = ROOT / "bench" / "results.md"
MISSED = "What misses its goal"


def prepare() -> None:
    """Make the benchmarks' environment, and go on inside it."""
    if not PYTHON.exists():
        subprocess.run([UV, "venv", "-q", "--python", sys.executable, ENVIRONMENT], check=True)
    subprocess.run([UV, "pip", "sync", "-q", "--require-hashes", "--compile-bytecode",
                    "--python", PYTHON, LOCK], check=True)
    subprocess.run(
        [UV, "pip", "install", "-q", "--no-deps", "--no-build-isolation", "--python", PYTHON,
         "-e", ROOT / "server"], check=True)  # fmt: skip
    os.execv(PYTHON, [str(PYTHON), __file__, "--inside", *sys.argv[1:]])


def measure() -> None:
    """Run all, or those asked for; print as it goes, and write the results after each."""
    sys.path.insert(0, str(ROOT / "bench"))
    import actions
    import benchmarks
    import book
    import access
    import clients_page
    import day
    import execution
    import fewer_orders
    import first_load
    import flat
    import follow_up
    import history
    import imports
    import interaction
    import limits
    import lots
    import morning
    import pack
    import prices
    import rebalance
    import screens
    import several
    import sockets
    import start
    import steady
    import sync
    import tax
    import track_record
    import xirr

    parts = [
        ("Start and memory", start.table),
        ("Memory under load", steady.table),
        ("First load of the web", first_load.table),
        ("Screens by Lighthouse", screens.table),
        ("A slow machine answers a person", interaction.table),
        ("The client's page", clients_page.table),
        ("A day at the desk", day.table),
        ("A firm that grows", flat.table),
        ("The morning's lists", morning.table),
        ("Access by team", access.table),
        ("Beside the limit and a textbook", limits.table),
        ("One client with a long history", history.table),
        ("A whole firm's holdings from files", imports.table),
        ("Closing prices from a file", imports.price_table),
        ("A client's tradebook", imports.tradebook_table),
        ("Index values from a file", benchmarks.table),
        ("The track record of a model", track_record.table),
        ("Live prices", prices.table),
        ("Browsers at the live line", sockets.table),
        ("Several processes", several.table),
        ("Rebalance", rebalance.table),
        ("Fewer orders and modes", fewer_orders.table),
        ("The whole book", book.table),
        ("Sync of all clients", sync.table),
        ("The follow-up of the whole book", follow_up.table),
        ("What became of the advice", execution.table),
        ("Corporate actions", actions.table),
        ("Tax lots and gains", lots.table),
        ("Less tax", tax.table),
        ("An inspection pack", pack.table),
        ("XIRR", xirr.table),
    ]
    wanted = sys.argv[2:]
    known = _parts_of(RESULTS.read_text()) if wanted and RESULTS.exists() else {}
    for title, table in parts:
        if wanted and not any(word in title.lower() for word in wanted):
            continue
        print(f"## {title}", flush=True)
        known[title] = f"{machine()}\n\n{table()}"
        print(known[title] + "\n", flush=True)
        ordered = {name: known[name] for name, _ in parts if name in known}
        RESULTS.write_text(_written(ordered))


def _parts_of(text: str) -> dict[str, str]:
    """What was measured before, by title."""
    parts = [part.partition("\n") for part in text.split("\n## ")[1:]]
    return {title: body.strip() for title, _, body in parts if title != MISSED}


def _written(parts: dict[str, str]) -> str:
    missed = (ROOT / "bench" / "missed.md").read_text().strip()
    shown = [f"## {title}\n\n{body}\n" for title, body in (parts | {MISSED: missed}).items()]
    return "\n".join(["# Results\n", "Ratios of a part are of one run on one machine.\n", *shown])


def machine() -> str:
    """Which machine, which Python, which day: one line."""
    day = dt.datetime.now(dt.UTC).date().isoformat()
    return (
        f"{day}, {os.cpu_count()} cores, {platform.system()} {platform.machine()}, "
        f"Python {platform.python_version()}."
    )


if __name__ == "__main__":
    if "--inside" in sys.argv:
        measure()
    else:
        prepare()
