"""What the product stands: kills, power cuts, full disks, lost neighbours, killed migrations, load.

`make check-reliability` runs every `reliability/rN.py` and prints its figures beside their goals;
LONG=1 (or KILLS=50) runs the full form, ONLY=R1,R5 some of them. A check is a module with
`main(long)`, which gives a list of (name, figure, goal, ok); ok is None where it was left out.
"""

import importlib
import os
import re
import signal
import sys
import time
import traceback
from pathlib import Path

HERE = Path(__file__).parent / "reliability"
IS_LONG = os.environ.get("LONG") == "1" or int(os.environ.get("KILLS", "0")) >= 50
ONLY = set(filter(None, os.environ.get("ONLY", "").upper().replace(",", " ").split()))
STATES = {True: "ok", False: "WRONG", None: "left out"}


def checks():
    """The names of the checks, in the order of their numbers."""
    found = [path.stem for path in HERE.glob("r*.py") if re.fullmatch(r"r\d+", path.stem)]
    return sorted(found, key=lambda name: int(name[1:]))


def run(name):
    """The rows of one check; one that breaks off is a row that is wrong."""
    try:
        return importlib.import_module(f"reliability.{name}").main(IS_LONG)
    except Exception as error:  # a check that cannot be run has not passed
        traceback.print_exc()
        return [(name.upper(), f"broke off: {type(error).__name__}: {error}"[:300], "-", False)]


def main():
    # Ended from outside, a check still takes its servers and databases away.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    wrong = 0
    for name in checks():
        if ONLY and name.upper() not in ONLY:
            continue
        began = time.monotonic()
        rows = run(name)
        for label, figure, goal, ok in rows:
            wrong += ok is False
            print(f"{STATES[ok]:8} {label}\n         {figure}\n         goal: {goal}", flush=True)
        load = os.getloadavg()[0]
        print(f"         ({time.monotonic() - began:.0f} s, load {load:.1f})", flush=True)
    print(f"{wrong} wrong" if wrong else "nothing wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
