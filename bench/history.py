"""The figures of one client with a long history: 2,000 transactions, five years of daily closes."""

import statistics
import tempfile
from pathlib import Path

from firms import Size, make_folder
from flat import Caller
from start import start_server, stop

FLOWS, CLOSES, ROUNDS, GOAL_MS = 2_000, 1_826, 30, 100
PEER = "Ghostfolio's published figure for the portfolio of 1,900 activities is 16 s."
TABS = ("portfolio", "accounting", "xirr", "performance", "holdings", "profile")


def table() -> str:
    size = Size(clients=3, holdings=30, flows=FLOWS, closes=CLOSES, firm_closes=CLOSES)
    with tempfile.TemporaryDirectory() as folder:
        make_folder(Path(folder), size)
        process, _, port = start_server("serve", Path(folder))
        try:
            caller = Caller(port)
            path = "/admin/clients/client/{client}/"
            found = {tab: [caller.timed(path + tab) for _ in range(ROUNDS + 2)][2:] for tab in TABS}
        finally:
            stop(process)
    lines = ["| figures of one client | median, ms | longest, ms |", "|---|---|---|"]
    for tab, times in found.items():
        lines.append(f"| {tab} | {statistics.median(times):.1f} | {max(times):.1f} |")
    return "\n".join([*lines, "", f"Goal: at most {GOAL_MS} ms. {PEER}"])


if __name__ == "__main__":
    print(table())
