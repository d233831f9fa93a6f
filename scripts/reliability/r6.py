"""R6: whatever is done to a firm over HTTP, every figure is that of a plain model, to the paisa.

The model and the steps are those of `server/tests/reliability/test_firm_model.py`; here they are
more, in parts of 25 runs, each with a seed of its own.
"""

import os
import subprocess
import sys
import time
from pathlib import Path

from . import places

SERVER = Path(__file__).resolve().parents[2] / "server"
TEST = "tests/reliability/test_firm_model.py"
PARTS = {False: {"sqlite": (1, 8), "postgres": (1, 3)}, True: {"sqlite": (8, 25), "postgres": (2, 25)}}
STEPS = {False: 20, True: 30}


def main(long=False, kinds=None, say=lambda _: None):
    """The figures of R6: parts and runs for each database."""
    rows = []
    for kind in kinds or places.kinds():
        parts, runs = PARTS[long][kind]
        began, wrong = time.monotonic(), []
        for seed in range(1, parts + 1):
            fault = _part(kind, seed, runs, STEPS[long])
            say(f"R6 {kind}, seed {seed}: {fault or 'no difference'}")
            if fault:
                wrong.append(f"seed {seed}: {fault}")
        told = f"{parts * runs} runs of up to {STEPS[long]} steps, {time.monotonic() - began:.0f} s"
        rows.append((f"R6 {kind}: firm against model", "; ".join([told, *wrong]), "0 differences",
                     not wrong))  # fmt: skip
    return rows


def _part(kind, seed, runs, steps):
    """What differed in a part, in one line, or None."""
    environment = os.environ | {"MODEL_RUNS": str(runs), "MODEL_STEPS": str(steps)}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", "--tb=short",
         "--show-capture=no", f"--hypothesis-seed={seed}", TEST, "-k", kind],
        cwd=SERVER, env=environment, capture_output=True, text=True,
    )  # fmt: skip
    # Quiet as it is, pytest tells a success by a dot alone.
    if done.returncode == 0 and done.stdout.lstrip().startswith("."):
        return None
    lines = [line for line in done.stdout.splitlines() if line.startswith("E  ")]
    return (lines or [f"the test ended with {done.returncode}"])[0][:300]


if __name__ == "__main__":
    given = set(sys.argv[1:])
    figures = main("long" in given, tuple(given & {"sqlite", "postgres"}) or None, print)
    print(*figures, sep="\n")
    sys.exit(0 if all(ok for *_, ok in figures) else 1)
