"""R8: a backup made under load comes back sound, with every write that was acknowledged before it.

The backup and its restoring are the product's own commands, as an administrator runs them; every
second backup is sealed with a passphrase.
"""

import contextlib
import os
import subprocess
import sys
import time

from . import places
from .places import Place
from .comparison import compare
from .writers import Writers

BACKUPS = {False: 2, True: 10}
PASSPHRASE = "a long passphrase of the check"
LONGEST = 300


def main(long=False, kinds=None, backups=None):
    """The figures of R8; `backups` on each database."""
    return [
        row
        for kind in kinds or places.kinds()
        for row in one(kind, backups or BACKUPS[long], 3.0 if long else 1.0)
    ]


def one(kind, many, apart):
    """The same on one database; `apart` seconds of writing stand before each backup."""
    faults, seconds, before, during = [], [], [], []
    with Place(kind) as place:
        clients = place.found()
        place.start()
        writers = Writers(place, place.sign_in(), clients)
        with writers:
            for number in range(many):
                time.sleep(apart)
                told = {name: dict(marks) for name, marks in writers.acknowledged.items()}
                before.append(sum(map(len, told.values())))
                began = time.monotonic()
                fault = _back_up(place, number)
                seconds.append(time.monotonic() - began)
                during.append(writers.kept - before[-1])
                fault = fault or _restored(place, number, told, writers)
                if fault:
                    faults.append(f"backup {number + 1}: {fault}")
            left = writers.finish()
        place.stop()
    others = {status: n for status, n in writers.answers.items() if status not in {200, 201}}
    told = (f"{many} backups of {before[0]} to {before[-1]} writes, {sum(during)} more were "
            f"written meanwhile; {len(faults)} unfit, median {sorted(seconds)[many // 2]:.1f} s")  # fmt: skip
    went_on = all(during) and not left and not writers.faults
    return [
        (f"R8 {kind}: restored", "; ".join([told, *faults[:3]]), "0 unfit", not faults),
        (f"R8 {kind}: writers meanwhile",
         "went on" if went_on else f"{during} {writers.faults[:1] or ''}",
         "written during each", went_on),
        (f"R8 {kind}: refused meanwhile", str(others or "nothing"), "nothing", not others),
    ]  # fmt: skip


def _back_up(place, number):
    return _run(place, "backup", place.root / f"{number}.tarazu", _passphrase(number))


def _restored(place, number, told, writers):
    """Put the backup into an empty place and compare it with what was acknowledged; a sentence, or None."""
    file = place.root / f"{number}.tarazu"
    with contextlib.closing(writers_marks(writers)) as sent, Place(place.kind) as empty:
        fault = _run(empty, "restore", file, _passphrase(number))
        if fault:
            return fault
        fault = _run(empty, "audit", "verify")
        if fault:
            return fault
        # Writes after the start of the backup may be in it or not.
        found = compare(empty, told, frozenset(sent))
        file.unlink()
        return None if found.holds else str(found)


def writers_marks(writers):
    """Every mark that was sent so far, acknowledged or not."""
    for marks in list(writers._sent.values()):
        yield from list(marks)


def _passphrase(number):
    return PASSPHRASE if number % 2 else ""


def _run(place, command, argument, passphrase=""):
    """Run a command of the product on a place; what is wrong in one line, or None."""
    told = {f"TARAZU_{name.upper()}": str(value) for name, value in place.settings.items()}
    around = {k: v for k, v in os.environ.items() if not k.startswith("TARAZU_")}
    done = subprocess.run(
        [sys.executable, "-m", "tarazu", command, str(argument)],
        env=around | told | {"TARAZU_BACKUP_PASSPHRASE": passphrase},
        cwd=place.root, capture_output=True, text=True, timeout=LONGEST,
    )  # fmt: skip
    if done.returncode == 0:
        return None
    return (done.stderr.strip().splitlines() or [f"{command} ended with {done.returncode}"])[-1]


if __name__ == "__main__":
    given = set(sys.argv[1:])
    figures = main("long" in given, tuple(given & {"sqlite", "postgres"}) or None)
    print(*figures, sep="\n")
    sys.exit(0 if all(ok for *_, ok in figures) else 1)
