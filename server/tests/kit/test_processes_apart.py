"""A process beside the server: it starts with little, and ends with the server."""

import subprocess
import sys
import time
from pathlib import Path

import psutil  # type: ignore[import-untyped]

SERVER = """
import os, sys
from tarazu.kit.processes import process_apart

if __name__ == "__main__":
    with process_apart() as beside:
        print(beside.submit(os.getpid).result(), flush=True)
        sys.stdin.read()
"""


def runs(number: int) -> bool:
    try:
        return bool(psutil.Process(number).status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def test_it_ends_with_the_server_that_is_killed(tmp_path: Path) -> None:
    script = tmp_path / "server.py"
    script.write_text(SERVER)
    with subprocess.Popen(
        [sys.executable, script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout is not None
        beside = int(server.stdout.readline())
        assert runs(beside)

        server.kill()
        server.wait()

    ends = time.monotonic() + 30
    while runs(beside) and time.monotonic() < ends:
        time.sleep(0.05)
    assert not runs(beside)


def test_what_it_imports_first_is_not_the_product() -> None:
    # It imports the module that the server was started with.
    words = (
        "import sys, tarazu.__main__; print([m for m in sys.modules if m.startswith('tarazu.')])"
    )

    said = subprocess.run([sys.executable, "-c", words], capture_output=True, text=True, check=True)

    assert said.stdout.strip() == "['tarazu.__main__']"
