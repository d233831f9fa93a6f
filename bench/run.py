"""Runs every benchmark and writes bench/results.md. Called by `make bench`.

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
    """Run all, print as it goes, and write the results."""
    sys.path.insert(0, str(ROOT / "bench"))
    import book
    import day
    import first_load
    import flat
    import history
    import imports
    import limits
    import prices
    import rebalance
    import screens
    import several
    import sockets
    import start
    import steady
    import sync
    import xirr

    parts = [
        ("Start and memory", start.table),
        ("Memory under load", steady.table),
        ("First load of the web", first_load.table),
        ("Screens by Lighthouse", screens.table),
        ("A day at the desk", day.table),
        ("A firm that grows", flat.table),
        ("Beside the limit and a textbook", limits.table),
        ("One client with a long history", history.table),
        ("A whole firm's holdings from files", imports.table),
        ("Live prices", prices.table),
        ("Browsers at the live line", sockets.table),
        ("Several processes", several.table),
        ("Rebalance", rebalance.table),
        ("The whole book", book.table),
        ("Sync of all clients", sync.table),
        ("XIRR", xirr.table),
    ]
    wanted = sys.argv[2:]
    written = [f"# Results\n\n{machine()}\n"]
    for title, table in parts:
        if wanted and not any(word in title.lower() for word in wanted):
            continue
        print(f"## {title}", flush=True)
        found = table()
        print(found + "\n", flush=True)
        written.append(f"## {title}\n\n{found}\n")
    if not wanted:
        RESULTS.write_text("\n".join(written))


def machine() -> str:
    """Which machine, which Python, which day: one line."""
    day = dt.datetime.now(dt.UTC).date().isoformat()
    return (
        f"{day}, {os.cpu_count()} cores, {platform.system()} {platform.machine()}, "
        f"Python {platform.python_version()}. All ratios are of one run on one machine."
    )


if __name__ == "__main__":
    if "--inside" in sys.argv:
        measure()
    else:
        prepare()
