"""S6: calls made up from the OpenAPI document, against a demo firm of its own.

`python scripts/check_api.py` is the short form, one seed; `--long`, or LONG=1, makes 200 examples a call with
three seeds. Each seed has a fresh server. Looked for: answers 5xx, statuses and shapes that the
document does not know, calls that answer without a session, and bad values that are taken.
"""

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import contextmanager
from pathlib import Path

from own_venv import tools_of

CHECKS = (
    "not_a_server_error,ignored_auth,negative_data_rejection,"
    "response_schema_conformance,status_code_conformance"
)
ADMIN = ("admin@tarazu.example", "demo-admin-2026")
USER = ("user@tarazu.example", "demo-user-2026")
ENDING = {
    "/api/v1/admin/sessions/{session_id}": ADMIN,
    "/api/v1/auth/sessions/{session_id}": ADMIN,
    "/api/v1/auth/logout": ADMIN,
    "/api/v1/auth/reset-password": USER,
}
"""Calls that end the session they come with: each is asked with a session of its own."""
CONFIGURATION = """
# The tool reads "Name is required", said of an empty name, as a field that may not be left out,
# and would then count every edit without it as bad data that was taken.
[phases.fuzzing.error-feedback]
enabled = false
"""
OFTEN = 0.7
"""How often a call gets the id of a record that is there; else it would see little but 404."""
LONG = {"examples": 200, "seeds": (1, 2, 3)}
SHORT = {"examples": 2, "seeds": (1,)}
KEPT = Path(__file__).resolve().parent.parent / "build" / "s6"


def call(port, method, path, body=None, token=None):
    """Status and content of one call."""
    link = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    headers = {"Content-Type": "application/json"} if body is not None else {}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    try:
        link.request(method, path, json.dumps(body) if body is not None else None, headers)
        answer = link.getresponse()
        return answer.status, answer.read()
    finally:
        link.close()


@contextmanager
def demo_firm():
    """The port of a server that is thrown away afterwards, without limits on how often it is called."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory(prefix="tarazu-api-") as folder:
        environment = os.environ | {"TARAZU_RATE_LIMIT_SCALE": "1000000"}
        words = [sys.executable, "-m", "tarazu", "demo", "--port", str(port),
                 "--data-dir", folder]  # fmt: skip
        with Path(folder, "server.log").open("wb") as said:
            server = subprocess.Popen(words, env=environment, stdout=said, stderr=said, cwd=folder)
        try:
            _await(server, port)
            yield port, Path(folder)
        finally:
            server.send_signal(signal.SIGTERM)
            try:
                server.wait(20)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()


def _await(server, port):
    ends = time.monotonic() + 120
    while time.monotonic() < ends and server.poll() is None:
        try:
            if call(port, "GET", "/health/ready")[0] == 200:
                return
        except OSError:
            pass
        time.sleep(0.2)
    sys.exit("tarazu: the demo firm did not become ready")


def token_of(port, account):
    body = {"email": account[0], "password": account[1]}
    return json.loads(call(port, "POST", "/api/v1/auth/login", body)[1])["accessToken"]


def known_ids(port):
    """Where an id goes in a call, with the ids of such records that the demo firm has."""
    token = token_of(port, ADMIN)

    def rows(path):
        return json.loads(call(port, "GET", f"/api/v1{path}", token=token)[1])["data"]

    clients = rows("/admin/clients?limit=5")
    ids = [one["_id"] for one in clients]
    one = f"/admin/clients/client/{ids[0]}"
    users, flows, fees = rows("/users?limit=5"), rows(f"{one}/accounting"), rows(f"{one}/fees")
    advice = [each for key in ids for each in rows(f"/admin/advice/clients/{key}")]
    remarks = rows(f"/admin/remarks/client/{ids[0]}")
    brokers = rows("/brokers")
    found = {
        "path.client_id": ids, "body.clientId": ids, "body.user": ids,
        "path.code": [client["clientId"] for client in clients],
        "body.id": ids + [each["_id"] for each in users + brokers],
        "body.userId": ids + [each["_id"] for each in users],
        "path.transaction_id": [each["_id"] for each in flows],
        "body.transactionId": [each["_id"] for each in flows],
        "path.fee_id": [each["_id"] for each in fees],
        "body.feeId": [each["_id"] for each in fees],
        "body.remarkId": [each["_id"] for each in remarks],
        "path.advice_id": [each["_id"] for each in advice],
        "path.broker_id": [each["_id"] for each in brokers],
    }  # fmt: skip
    return {place: there for place, there in found.items() if there}


def configuration(port):
    """The tool's settings: what it may not learn, and the ids that it may use."""
    lists, uses = [], ["[parameters]"]
    for number, (place, ids) in enumerate(known_ids(port).items()):
        lists.append(f"[dictionaries.ids{number}]\nvalues = {json.dumps(ids)}")
        uses.append(f'"{place}" = {{ dictionary = "ids{number}", probability = {OFTEN} }}')
    return "\n".join([CONFIGURATION, *lists, *uses, ""])


def ask(port, folder, seed, examples, log):
    """Run the tool on all calls; what it did and found, and whether the session survived."""
    settings = folder / "schemathesis.toml"
    settings.write_text(configuration(port))
    everyone = [word for path in ENDING for word in ("--exclude-path", path)]
    runs = [(account, ["--include-path", path]) for path, account in ENDING.items()]
    runs.append((ADMIN, everyone))
    total, was_alive = Counter(), True
    log.write_text("")
    for account, chosen in runs:
        token = token_of(port, account)
        words = [tools_of("schemathesis") / "st", "--config-file", settings, "--no-color", "run",
                 f"http://127.0.0.1:{port}/api/v1/openapi.json", "-H", f"Authorization: Bearer {token}",
                 "-n", examples, "--seed", seed, "-c", CHECKS, "--continue-on-failure", "--no-shrink",
                 "--warnings", "off", "--generation-database", "none", "--request-timeout", 60,
                 *chosen]  # fmt: skip
        done = subprocess.run([str(one) for one in words], cwd=folder, capture_output=True, text=True)
        with log.open("a") as kept:
            kept.write(done.stdout + done.stderr)
        total.update(_told(done))
        if chosen is everyone:
            was_alive = call(port, "GET", "/api/v1/profile", token=token)[0] == 200
    return total, was_alive


def _told(done):
    """What the tool says that it did, by kind; one error where it says nothing."""
    cases = re.search(r"(\d+) generated", done.stdout)
    tested = re.search(r"Tested: (\d+)", done.stdout)
    failures = sum(map(int, re.findall(r"❌ \w+ .*: (\d+)", done.stdout)))
    errors = sum(map(int, re.findall(r"🚫 .* Error: (\d+)", done.stdout)))
    is_well = done.returncode == 0 and cases and tested
    return {
        "cases": int(cases[1]) if cases else 0,
        "calls": int(tested[1]) if tested else 0,
        "failures": failures,
        "errors": errors if errors or failures or is_well else 1,
    }


def depth_of(port):
    """How many answers were good, and at how many routes there was one."""
    lines = call(port, "GET", "/metrics")[1].decode().splitlines()
    found = Counter()
    for line in lines:
        one = re.match(r'tarazu_http_requests_total\{method="(\w+)",route="(/api/[^"]+)",status="2\d\d"\} (\d+)', line)
        if one:
            found[one[1], one[2]] += int(one[3])
    return sum(found.values()), len(found)


def main(words):
    form = LONG if "--long" in words or os.environ.get("LONG") == "1" else SHORT
    KEPT.mkdir(parents=True, exist_ok=True)
    is_wrong = False
    for seed in form["seeds"]:
        began = time.monotonic()
        log = KEPT / f"seed-{seed}.log"
        with demo_firm() as (port, folder):
            found, was_alive = ask(port, folder, seed, form["examples"], log)
            good, routes = depth_of(port)
        bad = found["failures"] + found["errors"]
        wrong = bad or not was_alive or not found["cases"]
        is_wrong = is_wrong or wrong
        print(
            f"{'WRONG' if wrong else 'ok   '}  S6   seed {seed}, n = {form['examples']}: "
            f"{found['cases']} cases over {found['calls']} calls, {found['failures']} failures, "
            f"{found['errors']} errors (goal 0); {good} answers 2xx at {routes} calls, "
            f"{time.monotonic() - began:.0f} s",
            flush=True,
        )
        if not was_alive:
            print("       the session ended during the run: the calls after that prove nothing")
        if wrong:
            print(f"       the findings are in {log.relative_to(KEPT.parent.parent)}")
    return 1 if is_wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
