"""Runs the browser tests, where there is a browser: Debian's, else Playwright's own.

Without one, and without a way to fetch it, the tests are left out with a line that says so;
in CI that is a failure.

On a machine that does other work a browser may miss its moment. In CI the files with a test that
failed are run once more, whole and on installations of their own, because tests of one file build
on each other; the closing lines tell of both runs.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

WEB = Path(__file__).resolve().parent.parent / "web"
DEBIAN = Path("/usr/bin/chromium")
PORTS = 5
"""How many servers one run starts, on ports one after another."""
WHERE = "import('@playwright/test').then((p) => console.log(p.chromium.executablePath()))"


def main() -> int:
    if not has_browser():
        print("Browser tests are left out: there is no /usr/bin/chromium, and Playwright's own "
              "browser cannot be fetched here.")  # fmt: skip
        return 1 if os.environ.get("CI") == "true" else 0
    status, wrong = run(*sys.argv[1:])
    if status == 0 or not wrong or os.environ.get("CI") != "true":
        return status
    print(f"Once more, on new installations: {', '.join(wrong)}", flush=True)
    port = int(os.environ.get("E2E_PORT", "8765")) + PORTS
    return run(*wrong, E2E_PORT=str(port))[0]


def run(*words: str, **settings: str) -> tuple[int, list[str]]:
    """The exit status, and the files of which a test failed."""
    with tempfile.NamedTemporaryFile(suffix=".json") as report:
        env = os.environ | {"PLAYWRIGHT_JSON_OUTPUT_FILE": report.name} | settings
        words = ("npx", "playwright", "test", "--reporter=list,json", *words)
        status = subprocess.run(words, cwd=WEB, env=env).returncode
        written = Path(report.name).read_text()
    suites = json.loads(written)["suites"] if written else []
    return status, sorted({suite["file"] for suite in suites if not is_fine(suite)})


def is_fine(suite: dict) -> bool:
    """Whether every test of a file, and of the groups in it, passed or was meant to be left out."""
    return all(spec["ok"] for spec in suite.get("specs", [])) and all(
        is_fine(inner) for inner in suite.get("suites", [])
    )


def has_browser() -> bool:
    if DEBIAN.exists() or own_browser().exists():
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
