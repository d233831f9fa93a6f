"""Looks at every screen with axe, and writes the accessibility report of this version.

The browser tests of accessibility note each screen, width and colours with the rules that ran and
what was found. The report is a file of the package: the product offers it as a file for the
accessibility audit. It has the version that it was made of, and a version without one says so.
Run by `make accessibility-report`; words after the command are Playwright's, such as `--grep fees`.
"""

import datetime as dt
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
REPORT = ROOT / "server" / "src" / "tarazu" / "obligations" / "accessibility.json"
TESTS = [sys.executable, ROOT / "scripts" / "browser_tests.py", "all", "accessibility.spec.ts"]


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        run = subprocess.run(
            [*TESTS, *sys.argv[1:]], env=os.environ | {"AXE_REPORT_DIR": folder}, cwd=ROOT
        )
        lines = [
            json.loads(line)
            for file in sorted(Path(folder).iterdir())
            for line in file.read_text(encoding="utf-8").splitlines()
        ]
    if not lines:
        print("No screen was looked at: no report was written.")
        return 1
    report = report_of(lines, version("tarazu"), dt.date.today())
    REPORT.write_text(json.dumps(report, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    found = sum(len(row["violations"]) for row in report["screens"])
    print(f"{REPORT}: {len(report['screens'])} looks, {found} violations")
    # A test that failed for another reason than axe may have left screens out.
    return run.returncode


def report_of(lines: Iterable[dict[str, Any]], of: str, day: dt.date) -> dict[str, Any]:
    """The report of what was noted; of a look that was repeated, the last one."""
    looks = {(row["screen"], row["width"], row["scheme"]): row for row in lines}
    ordered = [looks[key] for key in sorted(looks)]
    return {
        "version": of,
        "date": day.isoformat(),
        "axe": ", ".join(sorted({row["axe"] for row in ordered})),
        "rules": sorted({rule for row in ordered for rule in row["rules"]}),
        "screens": [
            {
                "screen": row["screen"],
                "width": row["width"],
                "scheme": row["scheme"],
                "rules": len(row["rules"]),
                "violations": row["violations"],
            }
            for row in ordered
        ],
    }


if __name__ == "__main__":
    sys.exit(main())
