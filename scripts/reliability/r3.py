"""R3: a full disk, a locked database, a frozen process and a clock that jumps, under writers."""

import sys
import time
from contextlib import contextmanager

from sqlalchemy import text

from . import disk, places
from .places import Place
from .comparison import compare
from .watch import BACK_WITHIN, LONGEST_ANSWER, Watch, back_after, refused_wrongly
from .writers import Writers

TIMES = {False: 1, True: 2}
LOCKED, FROZEN, SPELL, BETWEEN = 8.0, 4.0, 2.0, 2.0
DAY, HOUR = 86_400, 3_600
ALLOWED = {401, 503, 507}


def main(long=False, kinds=None, times=None):
    """The figures of R3; each spell so many `times`."""
    rows = []
    for kind in kinds or places.kinds():
        rows += one(kind, times or TIMES[long])
    return rows


def one(kind, times):
    """The same on one database."""
    with Place(kind) as place:
        clients = place.found()
        drive = disk.Disk(place, journalled=False) if disk.library() else None
        spells = _spells(place, drive)
        place.start()
        token = place.sign_in()
        writers, rows = Writers(place, token, clients, pause=0.02), []
        with writers, Watch(place) as alive:
            for name, spell in spells.items():
                back, seen = [], []
                for _ in range(times):
                    began = time.monotonic()
                    with spell():
                        pass
                    back.append(back_after(writers))
                    seen += writers.since(began)
                    # Who still waits from this spell must not be caught by the next one as well.
                    time.sleep(BETWEEN)
                rows.append(_row(kind, name, back, seen))
            left = writers.finish()
        place.kill()
        found = compare(place, writers.acknowledged)
    _forgive_old_prices(writers)
    wrong, _ = refused_wrongly(writers, ALLOWED)
    rows.append((f"R3 {kind}: kept", str(found), "0 lost", found.holds and not left))
    rows.append((f"R3 {kind}: other answers", str(wrong or "none"), "none", not wrong))
    dead = {status: count for status, count in alive.answers.items() if status != 200}
    rows.append((f"R3 {kind}: alive", str(dead or "always"), "always", not dead))
    if drive is None:
        rows.append((f"R3 {kind}: disk full, clock", "left out: no C compiler", "-", None))
    return rows


def _forgive_old_prices(writers):
    """An advice that was made before the clock jumped is rightly told that its prices are old."""
    rightly = [fault for fault in writers.faults if _is_old_price(*fault)]
    writers.faults = [fault for fault in writers.faults if fault not in rightly]
    writers.answers[422] -= len(rightly)
    writers.answers = +writers.answers  # without statuses that are left with none


def _is_old_price(kind, status, answer):
    return kind == "advice" and status == 422 and "the price is too old" in answer["message"]


def _row(kind, name, back, seen):
    slowest = max((took for _, took, _ in seen), default=0.0)
    told = sorted({status for _, _, status in seen})
    # A frozen server answers nobody; what it owes comes when it thaws.
    is_fine = slowest <= LONGEST_ANSWER + 0.5 and max(back) <= BACK_WITHIN and 500 not in told
    figure = f"answers {told} within {slowest:.1f} s, writing again after {max(back):.1f} s"
    return (f"R3 {kind}: {name}", figure, f"{LONGEST_ANSWER:.0f} s, {BACK_WITHIN:.0f} s", is_fine)


def _spells(place, drive):
    spells = {"locked 8 s": lambda: _locked(place), "frozen 4 s": lambda: _frozen(place)}
    if drive is not None:
        if place.kind == "sqlite":
            spells["disk full"] = lambda: _set(drive, disk.FULL, 1)
        spells["clock +1 day"] = lambda: _set(drive, disk.SHIFT, DAY)
        spells["clock -1 hour"] = lambda: _set(drive, disk.SHIFT, -HOUR)
    return spells


@contextmanager
def _locked(place):
    """Somebody else holds what every write needs."""
    database = place.database()
    with database.engine.connect() as connection:
        if place.kind == "postgres":
            connection.execute(text("LOCK TABLE audit IN ACCESS EXCLUSIVE MODE"))
            time.sleep(LOCKED)
        else:
            # Begun as a writer begins: BEGIN IMMEDIATE.
            connection.execute(text("SELECT 1"))
            time.sleep(LOCKED)
        connection.rollback()
        yield
    database.dispose()


@contextmanager
def _frozen(place):
    place.freeze()
    try:
        time.sleep(FROZEN)
    finally:
        place.thaw()
    yield


@contextmanager
def _set(drive, control, value):
    drive.set(control, value)
    try:
        time.sleep(SPELL)
    finally:
        drive.set(control, 0)
    yield


if __name__ == "__main__":
    print(*main("long" in sys.argv), sep="\n")
    print(f"load {places.load():.1f}")
