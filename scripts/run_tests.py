"""Runs the tests of the server, the web and the browser, and counts them in one line.

Each runner prints its own lines; the last line counts the tests of all of them. A test that fails
fails the run, and the other parts are run all the same.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SERVER, WEB = ROOT / "server", ROOT / "web"
SUITES = ("short", "long", "all")
MARKERS = {"short": ["-m", "not long"], "long": ["-m", "long"], "all": []}


@dataclass
class Count:
    """What the reports of the runners say."""

    passed: int = 0
    failed: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    """How many tests were left out, by reason."""
    broken: list[str] = field(default_factory=list)
    """Runners that failed without a failed test."""

    def add(self, report: Path) -> None:
        """Count the tests of a report in JUnit's XML format."""
        for case in ElementTree.parse(report).iter("testcase"):
            left_out = case.find("skipped")
            if case.find("failure") is not None or case.find("error") is not None:
                self.failed += 1
            elif left_out is not None:
                self.skipped[left_out.get("message") or "no reason given"] += 1
            else:
                self.passed += 1

    def line(self, seconds: float) -> str:
        """The closing line."""
        reasons = "; ".join(f"{count} × {reason}" for reason, count in self.skipped.most_common())
        return (
            f"{self.passed} passed, {self.failed} failed, {self.skipped.total()} skipped"
            + (f" ({reasons})" if reasons else "")
            + "".join(f", {part} ended with an error" for part in self.broken)
            + f", {seconds / 60:.1f} minutes"
        )


def main(suite: str, only: str | None) -> int:
    began, count = time.monotonic(), Count()
    with tempfile.TemporaryDirectory() as folder:
        for part, run in PARTS.items():
            if only in (None, part):
                report = Path(folder) / f"{part}.xml"
                status, failed = run(suite, report), count.failed
                if report.is_file():
                    count.add(report)
                if status and count.failed == failed:
                    count.broken.append(part)
    print(count.line(time.monotonic() - began))
    return 1 if count.failed or count.broken else 0


def server_tests(suite: str, report: Path) -> int:
    # Tests of several processes, of kills and of brokers that hang wait half of their time.
    workers = os.environ.get("PYTEST_WORKERS") or str(min(2 * (os.cpu_count() or 2), 8))
    return call(["pytest", "-n", workers, *MARKERS[suite], f"--junitxml={report}"], SERVER)


def web_tests(suite: str, report: Path) -> int:
    """All of them are in the short suite."""
    if suite == "long":
        return 0
    reporters = ["--reporter=default", "--reporter=junit", f"--outputFile.junit={report}"]
    return call(["npx", "vitest", "run", *reporters], WEB)


def browser_tests(suite: str, report: Path) -> int:
    words = [sys.executable, str(ROOT / "scripts" / "browser_tests.py"), suite]
    return call([*words, "--reporter=list,junit"], ROOT, PLAYWRIGHT_JUNIT_OUTPUT_FILE=str(report))


PARTS = {"server": server_tests, "web": web_tests, "browser": browser_tests}


def call(words: list[str], folder: Path, **settings: str) -> int:
    return subprocess.run(words, cwd=folder, env=os.environ | settings).returncode


if __name__ == "__main__":
    words = argparse.ArgumentParser(description="Runs the tests.")
    words.add_argument("suite", choices=SUITES)
    words.add_argument("only", choices=PARTS, nargs="?", help="this part alone")
    given = words.parse_args()
    sys.exit(main(given.suite, given.only))
