"""R11: a damaged file, a database that is older than it was, and a full disk are reported everywhere.

The tests of the server, counted: each damages, ages or fills an installation of its own and asks the
command line, `/health/ready`, `/metrics` and Readiness.
"""

import re
import subprocess
import sys
from pathlib import Path

SERVER = Path(__file__).resolve().parents[2] / "server"
TESTS = {
    "damaged and older databases": "tests/upkeep/test_damage.py",
    "full disk": "tests/upkeep/test_full_disk.py",
}


def main(long=False):
    """The figures of R11; the long form is the same."""
    rows = []
    for what, tests in TESTS.items():
        words = [sys.executable, "-m", "pytest", "-n", "0", "-rN", "-o", "addopts=", tests]
        done = subprocess.run(words, cwd=SERVER, capture_output=True, text=True, check=False)
        counts = dict((word, int(number)) for number, word in re.findall(r"(\d+) (passed|failed|error|skipped)", done.stdout))
        told = ", ".join(f"{number} {word}" for word, number in counts.items()) or done.stderr[-300:]
        is_run = counts.get("passed", 0) > 0
        ok = done.returncode == 0 if is_run or done.returncode else None
        rows.append((f"R11 {what}", told, "0 failed", ok))
    return rows
