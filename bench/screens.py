"""Lighthouse over the demo firm's screens, as a desktop and as a phone.

Lighthouse and what drives the browser live in `bench/lighthouse`, with a lock of their own; they
are no dependency of the product. Points are for the machine as it is: one that does other work
gives fewer. `RUNS=3` takes the median of three; `ONLY=Fees` runs one screen; `NAMES=1` names
what each audit found wanting.
"""

import hashlib
import http.client
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from start import start_server, stop

ROOT = Path(__file__).resolve().parent.parent
TOOL = ROOT / "bench" / "lighthouse"
BIN = ROOT / ".venv" / "bin"
BROWSERS = ("/usr/bin/chromium", "chromium", "chromium-browser", "google-chrome")
CODE = "C0005"
SCREENS = (
    ("Sign-in", "/auth/login", False),
    ("Dashboard", "/home/dashboard", True),
    ("Client list", "/home/client/details", True),
    ("Client portfolio", "/home/client/portfolio", True),
    ("Advice form", "/home/advice", True),
    ("Readiness", "/home/readiness", True),
    ("Fees", "/home/fees", True),
)
GOAL_POINTS = {"desktop": 95, "mobile": 85}
GOAL_ACCESSIBILITY = 100
GOAL_KB = {"Sign-in": 200, "Dashboard": 300}


def browser() -> str | None:
    """Where a Chromium is, if there is one."""
    return next((found for name in BROWSERS if (found := shutil.which(name))), None)


def install() -> None:
    """What the lock names, where it is not there yet."""
    lock = (TOOL / "package-lock.json").read_bytes()
    stamp = TOOL / "node_modules" / ".lock-stamp"
    wanted = hashlib.sha256(lock).hexdigest()
    if stamp.exists() and stamp.read_text() == wanted:
        return
    words = [BIN / "npm", "ci", "--no-audit", "--no-fund", "--no-progress", "--loglevel=error"]
    subprocess.run(words, cwd=TOOL, env=environment(), check=True, stdout=sys.stderr)
    stamp.write_text(wanted)


def environment() -> dict[str, str]:
    path = f"{BIN}{os.pathsep}{os.environ.get('PATH', '')}"
    return os.environ | {"PATH": path}


def signed_in(port: int) -> dict[str, str]:
    """What the session storage of a signed-in tab holds, with a client chosen."""
    link = http.client.HTTPConnection("127.0.0.1", port, timeout=30)

    def call(method: str, path: str, body: object, headers: dict[str, str]) -> dict[str, Any]:
        told = headers | {"Content-Type": "application/json"}
        link.request(method, f"/api/v1{path}", json.dumps(body) if body else None, told)
        answer = link.getresponse()
        read = answer.read()
        if answer.status != 200:
            raise RuntimeError(f"{path}: {answer.status}")
        return dict(json.loads(read))

    entry = {"email": "admin@tarazu.example", "password": "demo-admin-2026"}
    token = str(call("POST", "/auth/login", entry, {})["accessToken"])
    headers = {"Authorization": f"Bearer {token}"}
    found = call("GET", f"/admin/clients?limit=1&query={CODE}", None, headers)["data"][0]
    return {"token": token, "role": "ADMIN", "clientId": str(found["_id"]), "username": CODE}


def measured(chromium: str) -> list[dict[str, Any]]:
    """One finding for each screen and form."""
    install()
    only = os.environ.get("ONLY", "").lower()
    screens = [
        {"name": name, "path": path, "isSignedIn": is_signed_in}
        for name, path, is_signed_in in SCREENS
        if only in name.lower()
    ]
    with tempfile.TemporaryDirectory() as folder:
        server, _, port = start_server("demo", Path(folder) / "demo")
        try:
            asked = {
                "browser": chromium,
                "base": f"http://127.0.0.1:{port}",
                "runs": int(os.environ.get("RUNS", "1")),
                "session": signed_in(port),
                "screens": screens,
            }
            ran = subprocess.run(
                [BIN / "node", TOOL / "measure.mjs"],
                input=json.dumps(asked), cwd=TOOL, env=environment(),
                stdout=subprocess.PIPE, text=True, check=True, timeout=1800,
            )  # fmt: skip
        finally:
            stop(server)
    return [json.loads(line) for line in ran.stdout.splitlines()]


def is_met(found: dict[str, Any]) -> bool:
    most = GOAL_KB.get(found["screen"])
    return (
        found["performance"] >= GOAL_POINTS[found["form"]]
        and found["accessibility"] >= GOAL_ACCESSIBILITY
        and (most is None or found["scriptBytes"] / 1000 <= most)
    )


def table() -> str:
    """A row for each screen and form; one line where there is no browser."""
    chromium = browser()
    if chromium is None:
        return "Left out: there is no Chromium."
    lines = [
        "| screen | as | performance | goal | accessibility | goal | LCP, s | TBT, ms | CLS | "
        "scripts, kB compressed | goal, kB | met |",
        "|" + "---|" * 12,
    ]
    notes = []
    for found in measured(chromium):
        metrics = found["metrics"]
        lines.append(
            f"| {found['screen']} | {found['form']} | {found['performance']} | "
            f"≥ {GOAL_POINTS[found['form']]} | {found['accessibility']} | {GOAL_ACCESSIBILITY} | "
            f"{metrics['largest-contentful-paint'] / 1000:.2f} | "
            f"{metrics['total-blocking-time']:.0f} | {metrics['cumulative-layout-shift']:.3f} | "
            f"{found['scriptBytes'] / 1000:.0f} in {found['scripts']} | "
            f"{GOAL_KB.get(found['screen'], '')} | {'yes' if is_met(found) else 'no'} |"
        )
        if os.environ.get("NAMES"):
            name = f"{found['screen']}, {found['form']}"
            notes.append(f"* {name}: largest {found.get('largest')}, machine {found['benchmark']}")
            notes += [f"  * {one}" for one in (*found["unfit"], *found["slow"])]
    return "\n".join([*lines, *([""] if notes else []), *notes])


if __name__ == "__main__":
    print(table())
