"""How quickly a machine that is four times as slow answers a person at the demo firm.

The longest time from a key or click to the next paint, as the browser's Event Timing has it, and
the script time of one beat of prices on a table of live rows. `RUNS=3` takes the medians of three.
"""

import json
import os
import statistics
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from screens import BIN, CODE, TOOL, browser, environment, install, signed_in
from start import start_server, stop

SLOWED = 4
SECONDS = 20
LIVE = "/home/dashboard"
MOST_MS = {"typing a target": 200, "opening a menu": 200, "paging a table": 200, "a beat of prices": 8}


def measured(chromium: str) -> dict[str, Any]:
    """One run: milliseconds of each action, and of a beat with its number of rows."""
    with tempfile.TemporaryDirectory() as folder:
        server, _, port = start_server("demo", Path(folder) / "demo")
        try:
            work = {
                "browser": chromium,
                "base": f"http://127.0.0.1:{port}",
                "session": signed_in(port),
                "code": CODE,
                "slowed": SLOWED,
                "seconds": SECONDS,
                "livePath": LIVE,
            }
            ran = subprocess.run(
                [BIN / "node", TOOL / "interaction.mjs"],
                input=json.dumps(work), cwd=TOOL, env=environment(),
                stdout=subprocess.PIPE, text=True, check=True, timeout=600,
            )  # fmt: skip
        finally:
            stop(server)
    return dict(json.loads(ran.stdout))


def table() -> str:
    """A row for each action; one line where there is no browser."""
    chromium = browser()
    if chromium is None:
        return "Left out: there is no Chromium."
    install()
    runs = [measured(chromium) for _ in range(int(os.environ.get("RUNS", "1")))]
    found = {
        "typing a target": [run["typing"] for run in runs],
        "opening a menu": [run["opening"] for run in runs],
        "paging a table": [run["paging"] for run in runs],
        "a beat of prices": [run["beat"]["ms"] for run in runs],
    }
    lines = ["| action, processor 4 × slowed | ms | goal | met |", "|---|---|---|---|"]
    for name, times in found.items():
        median = statistics.median(times)
        is_met = median <= MOST_MS[name]
        lines.append(f"| {name} | {median:.1f} | ≤ {MOST_MS[name]} | {'yes' if is_met else 'no'} |")
    rows, beats = runs[0]["beat"]["rows"], runs[0]["beat"]["frames"]
    return "\n".join([*lines, "", f"{beats} beats on a table of {rows} rows."])


if __name__ == "__main__":
    print(table())
