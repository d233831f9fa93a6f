"""Cold start to ready, and resident memory: of a fresh installation and of the demo firm.

Each start is a new process on a data directory that exists; the clock stops at the first
answer of `/health/ready`. Memory is the process's resident set: idle, and after a walk of
the calls that a member of staff makes.
"""

import http.client
import json
import os
import platform
import resource
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil

TARAZU = Path(sys.executable).with_name("tarazu")
STARTS = 5
STACK = "import fastapi, pydantic_settings, socketio, sqlalchemy.orm, uvicorn"
AROUND = {name: text for name, text in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
"""An installation keeps what was compiled; compiling all of it takes as long as a start."""
GOAL_SECONDS, GOAL_MB = 1.5, 150


def rows() -> list[dict[str, object]]:
    """One row for each kind of installation: median start, slowest start, memory."""
    with tempfile.TemporaryDirectory() as folder:
        return [_measured("empty installation", "serve", Path(folder) / "empty"),
                _measured("demo firm, prices moving", "demo", Path(folder) / "demo")]  # fmt: skip


def _measured(name: str, command: str, data_dir: Path) -> dict[str, object]:
    first = start_server(command, data_dir)
    stop(first[0])
    times, idle, busy, bare, used = [], [], [], [], []
    for _ in range(STARTS):
        bare.append(_stack_seconds())
        process, seconds, port = start_server(command, data_dir)
        times.append(seconds)
        used.append(sum(psutil.Process(process.pid).cpu_times()[:2]))
        time.sleep(1.5)
        idle.append(psutil.Process(process.pid).memory_info().rss / 1e6)
        if command == "demo":
            _walk(port)
        busy.append(psutil.Process(process.pid).memory_info().rss / 1e6)
        stop(process)
    return {
        "installation": name,
        "first start, s": round(first[1], 2),
        "start, s (median)": round(statistics.median(times), 2),
        "start, s (slowest)": round(max(times), 2),
        "of the processor, s": round(statistics.median(used), 2),
        "loading the stack alone, s of the processor": round(statistics.median(bare), 2),
        "ratio": round(statistics.median(used) / statistics.median(bare), 2),
        "idle, MB": round(statistics.median(idle)),
        "after a walk, MB": round(statistics.median(busy)),
    }


def _stack_seconds() -> float:
    """Processor time of a Python that loads the serving stack and does nothing: the least."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", STACK], check=True, env=AROUND)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def start_server(
    command: str, data_dir: Path, **settings: str
) -> tuple[subprocess.Popen[bytes], float, int]:
    """A server that is ready, the seconds that it took, and its port."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    began = time.perf_counter()
    process = subprocess.Popen(
        [TARAZU, command, "--data-dir", data_dir, "--port", str(port)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        # One session does in seconds what a person does in a day.
        env=AROUND
        | {"TARAZU_LOG_LEVEL": "error", "TARAZU_RATE_LIMIT_SCALE": "1000",
           "TARAZU_CONNECTIONS_PER_ADDRESS": "10000"}
        | settings,
    )
    while not _is_ready(port):
        if process.poll() is not None or time.perf_counter() - began > 180:
            sys.exit("the server did not start")
        time.sleep(0.01)
    return process, time.perf_counter() - began, port


def _is_ready(port: int) -> bool:
    try:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=2)
        connection.request("GET", "/health/ready")
        return connection.getresponse().status == 200
    except OSError:
        return False


def stop(process: subprocess.Popen[bytes]) -> None:
    process.send_signal(signal.SIGTERM)
    process.wait(20)


def _walk(port: int) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)

    def call(method: str, path: str, body: object = None, token: str = "") -> dict[str, object]:
        headers = {"Content-Type": "application/json"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        connection.request(method, f"/api/v1{path}", json.dumps(body) if body else None, headers)
        return json.loads(connection.getresponse().read())

    entry = {"email": "admin@tarazu.example", "password": "demo-admin-2026"}
    token = str(call("POST", "/auth/login", entry)["accessToken"])
    for _ in range(10):
        for path in ("stats", "stocks-distribution", "daily-aum"):
            call("GET", f"/admin/dashboard/{path}", token=token)
        listed = call("GET", "/admin/clients?limit=50&sort=-totalPortfolio", token=token)["data"]
        for client in listed[:5]:  # type: ignore[index]
            for part in ("profile", "portfolio", "holdings"):
                call("GET", f"/admin/clients/client/{client['_id']}/{part}", token=token)


def table() -> str:
    """The rows as a Markdown table, with the goals."""
    found = rows()
    heads = list(found[0])
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    lines += ["| " + " | ".join(str(row[head]) for head in heads) + " |" for row in found]
    goal = f"Goals: start at most {GOAL_SECONDS} s, at most {GOAL_MB} MB resident."
    return "\n".join([*lines, "", goal])


if __name__ == "__main__":
    print(platform.platform())
    print(table())
