"""Runs the tests of the server, the web and the browser, and counts them in one line.

The server's tests wait half of their time, so those of the web and the browser run beside them;
what these print comes at their end. The last lines name the failed tests with their reasons, and
count all. A test that fails fails the run, and the other parts are run all the same.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

ROOT = Path(__file__).resolve().parent.parent
SERVER, WEB = ROOT / "server", ROOT / "web"
SUITES = ("short", "long", "all")
MARKERS = {"short": ["-m", "not long"], "long": ["-m", "long"], "all": []}


@dataclass
class Count:
    """What the reports of the runners say."""

    passed: int = 0
    failed: list[str] = field(default_factory=list)
    """Of each failed test its name, with its file or class, and what the runner said first."""
    skipped: Counter[str] = field(default_factory=Counter)
    """How many tests were left out, by reason."""
    broken: list[str] = field(default_factory=list)
    """Runners that failed without a failed test."""

    def add(self, report: Path) -> None:
        """Count the tests of a report in JUnit's XML format."""
        for case in ElementTree.parse(report).iter("testcase"):
            left_out = case.find("skipped")
            wrong = [*case.iter("failure"), *case.iter("error")]
            if wrong:
                name = f"{case.get('classname')}: {case.get('name')}"
                said = f"{wrong[0].get('message') or ''}\n{wrong[0].text or ''}"
                self.failed.append("\n    ".join([name, *beginning(said)]))
            elif left_out is not None:
                self.skipped[left_out.get("message") or "no reason given"] += 1
            else:
                self.passed += 1

    def add_part(self, part: str, status: int, report: Path) -> None:
        """Count what a runner reported; one that fails without a failed test is broken."""
        failed = len(self.failed)
        if report.is_file():
            self.add(report)
        if status and len(self.failed) == failed:
            self.broken.append(part)

    def line(self, seconds: float) -> str:
        """The closing line."""
        reasons = "; ".join(f"{count} × {reason}" for reason, count in self.skipped.most_common())
        return (
            f"{self.passed} passed, {len(self.failed)} failed, {self.skipped.total()} skipped"
            + (f" ({reasons})" if reasons else "")
            + "".join(f", {part} ended with an error" for part in self.broken)
            + f", {seconds / 60:.1f} minutes"
        )


def main(suite: str, only: str | None) -> int:
    began, count = time.monotonic(), Count()
    with tempfile.TemporaryDirectory() as folder:

        def run(part: str, output: IO[str] | None = None) -> int:
            return PARTS[part](suite, Path(folder) / f"{part}.xml", output)

        with ThreadPoolExecutor(1) as beside:
            if only is None:
                others = beside.submit(run_beside, run)
            statuses = {part: run(part) for part in (only or "server",)}
        if only is None:
            statuses |= others.result()
        for part, status in statuses.items():
            count.add_part(part, status, Path(folder) / f"{part}.xml")
    for test in count.failed:
        print(f"FAILED {test}")
    print(count.line(time.monotonic() - began))
    return 1 if count.failed or count.broken else 0


def beginning(said: str) -> list[str]:
    """Return the first lines of a runner's words on a test, without those that are empty."""
    return [line.strip() for line in said.splitlines() if line.strip()][:12]


def run_beside(run: Callable[[str, IO[str]], int]) -> dict[str, int]:
    """Run the web's and then the browser's tests, and print each one's output when it ends.

    Returns:
        The exit status of each part.
    """
    statuses = {}
    for part in ("web", "browser"):
        with tempfile.TemporaryFile("w+", errors="replace") as output:
            statuses[part] = run(part, output)
            output.seek(0)
            print(output.read(), flush=True)
    return statuses


def server_tests(suite: str, report: Path, output: IO[str] | None) -> int:
    # Tests of several processes, of kills and of brokers that hang wait half of their time.
    workers = os.environ.get("PYTEST_WORKERS") or str(min(2 * (os.cpu_count() or 2), 8))
    words = ["pytest", "-n", workers, *MARKERS[suite], f"--junitxml={report}"]
    return call(words, SERVER, output)


def web_tests(suite: str, report: Path, output: IO[str] | None) -> int:
    """All of them are in the short suite."""
    if suite == "long":
        return 0
    reporters = ["--reporter=default", "--reporter=junit", f"--outputFile.junit={report}"]
    return call(["npx", "vitest", "run", *reporters], WEB, output)


def browser_tests(suite: str, report: Path, output: IO[str] | None) -> int:
    words = [sys.executable, str(ROOT / "scripts" / "browser_tests.py"), suite]
    reports = {"PLAYWRIGHT_JUNIT_OUTPUT_FILE": str(report)}
    return call([*words, "--reporter=list,junit"], ROOT, output, **reports)


PARTS = {"server": server_tests, "web": web_tests, "browser": browser_tests}


def call(words: list[str], folder: Path, output: IO[str] | None, **settings: str) -> int:
    environment = os.environ | settings
    return subprocess.run(
        words, cwd=folder, env=environment, stdout=output, stderr=output
    ).returncode


if __name__ == "__main__":
    words = argparse.ArgumentParser(description="Runs the tests.")
    words.add_argument("suite", choices=SUITES)
    words.add_argument("only", choices=PARTS, nargs="?", help="this part alone")
    given = words.parse_args()
    sys.exit(main(given.suite, given.only))
