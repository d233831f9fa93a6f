"""Lighthouse over the client's page as a phone, before and after the code, and the page without a script.

The demo firm writes its mails to a folder; the codes are read from there.
"""

import http.client
import json
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from screens import BIN, TOOL, browser, environment, install, signed_in
from start import start_server, stop

GOAL_POINTS, GOAL_KB = 98, 60


def links(port: int, many: int) -> list[str]:
    """The paths of the pages of so many advices."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    headers = {"Authorization": f"Bearer {signed_in(port)['token']}"}

    def call(method: str, path: str) -> Any:
        connection.request(method, f"/api/v1{path}", headers=headers)
        answer = connection.getresponse()
        found = json.loads(answer.read())
        if answer.status >= 300:
            raise RuntimeError(f"{path}: {answer.status} {found}")
        return found["data"]

    clients = [row["_id"] for row in call("GET", "/admin/clients?limit=50")]
    sent = [call("GET", f"/admin/advice/clients/{client_id}?limit=1") for client_id in clients]
    advices = [rows[0]["_id"] for rows in sent if rows][:many]
    urls = [call("POST", f"/admin/advice/{advice_id}/link")["url"] for advice_id in advices]
    return [f"/a/{url.rpartition('/a/')[2]}" for url in urls]


def measured(chromium: str) -> list[dict[str, Any]]:
    """What was found before the code, after it, and without a script."""
    install()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "demo"
        server, _, port = start_server("demo", home)
        try:
            asked = {
                "browser": chromium,
                "base": f"http://127.0.0.1:{port}",
                "outbox": str(home / "outbox"),
                "paths": links(port, 2),
            }
            ran = subprocess.run(
                [BIN / "node", TOOL / "page.mjs"],
                input=json.dumps(asked), cwd=TOOL, env=environment(),
                stdout=subprocess.PIPE, text=True, check=True, timeout=600,
            )  # fmt: skip
        finally:
            stop(server)
    return [json.loads(line) for line in ran.stdout.splitlines()]


def table() -> str:
    """A row for each state of the page; one line where there is no browser."""
    chromium = browser()
    if chromium is None:
        return "Left out: there is no Chromium."
    *audits, without = measured(chromium)
    lines = [
        "| the page | performance | goal | accessibility | LCP, s | scripts and styles, kB | goal |",
        "|---|---|---|---|---|---|---|",
    ]
    lines += [
        f"| {found['state']} | {found['performance']} | ≥ {GOAL_POINTS} | {found['accessibility']} |"
        f" {found['lcp'] / 1000:.2f} | {found['assets'] / 1000:.1f} | {GOAL_KB} |"
        for found in audits
    ]
    readable = "can be read" if without["isReadable"] else "CANNOT BE READ"
    return "\n".join([*lines, "", f"Without a script the page {readable} after the code."])


if __name__ == "__main__":
    print(table())
