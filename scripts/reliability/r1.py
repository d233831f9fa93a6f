"""R1: `kill -9` under eight writers loses nothing, doubles nothing, and the server is soon back."""

import statistics
import sys
import time

from . import places
from .places import Place
from .comparison import compare
from .writers import Writers

GOAL_READY = 5.0
KILLS = {False: 4, True: 50}
APART = {False: 1.2, True: 4.0}
ENOUGH = 5_000


def main(long=False, kinds=None, kills=None):
    """The figures of R1; `kills` for each database."""
    rows = []
    for kind in kinds or places.kinds():
        rows += one(kind, kills or KILLS[long], APART[long], ENOUGH if long else 1)
    return rows


def one(kind, kills, apart, enough, restarts=3):
    """The same on one database; `restarts` without writers afterwards, for their time."""
    with Place(kind) as place:
        clients = place.found()
        place.start()
        writers, ready = Writers(place, place.sign_in(), clients), []
        with writers:
            for _ in range(kills):
                time.sleep(apart)
                place.kill()
                ready.append(place.start())
            # What was asked for is a number of writes as well as of kills.
            ends = time.monotonic() + 180
            while writers.kept < enough and time.monotonic() < ends:
                time.sleep(0.5)
            left = writers.finish()
        found = compare(place, writers.acknowledged)
        place.stop()
        idle = [_restart(place) for _ in range(restarts)]
    slow = places.share_of(ready, 95)
    others = {k: n for k, n in writers.answers.items() if k not in {0, 200, 201}}
    told = f"{kills} kills, {writers.resent} sent again, {found}; audit {found.audit_rows} rows"
    return [
        (f"R1 {kind}: killed", told, f"0, of {enough} or more",
         found.holds and not left and not writers.faults and found.acknowledged >= enough),
        (f"R1 {kind}: other answers", str(others or writers.faults or "none"), "none", not others),
        (f"R1 {kind}: ready again", f"p95 {slow:.1f} s, median {statistics.median(ready):.1f} s, "
         f"idle {statistics.median(idle or ready):.1f} s, load {places.load():.0f}", f"p95 {GOAL_READY:.0f} s", slow <= GOAL_READY),
    ]  # fmt: skip


def _restart(place):
    seconds = place.start()
    place.kill()
    return seconds


if __name__ == "__main__":
    print(*main("long" in sys.argv), sep="\n")
