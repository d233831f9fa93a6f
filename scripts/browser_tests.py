"""Runs the browser tests: `python scripts/browser_tests.py [short|long|all] [Playwright's words …]`.

The short suite is what no test marks as @long; without a word all are run. A test that fails fails
the run. The browser is Debian's, else Playwright's own; without one, and without a way to fetch it,
the tests are left out with a line that says so, and in CI that is a failure.
"""

import os
import subprocess
import sys
from pathlib import Path

WEB = Path(__file__).resolve().parent.parent / "web"
DEBIAN = [Path("/usr/bin/chromium-headless-shell"), Path("/usr/bin/chromium")]
SUITES = {"short": ["--grep-invert", "@long"], "long": ["--grep", "@long"], "all": []}
WHERE = "import('@playwright/test').then((p) => console.log(p.chromium.executablePath()))"


def main() -> int:
    if not has_browser():
        print("Browser tests are left out: Chromium is not installed, and Playwright's own "
              "browser cannot be fetched here.")  # fmt: skip
        return 1 if os.environ.get("CI") == "true" else 0
    words = sys.argv[1:]
    suite = SUITES[words.pop(0)] if words and words[0] in SUITES else []
    return subprocess.run(["npx", "playwright", "test", *suite, *words], cwd=WEB).returncode


def has_browser() -> bool:
    if any(path.exists() for path in DEBIAN) or own_browser().exists():
        return True
    print("Fetching Playwright's browser …", flush=True)
    fetched = subprocess.run(
        ["npx", "playwright", "install", "chromium"], cwd=WEB, capture_output=True
    )
    return fetched.returncode == 0 and own_browser().exists()


def own_browser() -> Path:
    asked = subprocess.run(
        ["node", "--input-type=module", "-e", WHERE], cwd=WEB, capture_output=True, text=True
    )
    return Path(asked.stdout.strip() or "/nowhere")


if __name__ == "__main__":
    sys.exit(main())
