"""Makes `.venv` and the built web, doing only what is out of date; each failure is one line.

Runs on the system's Python, so nothing here may need more than the standard library, and the
first lines must be read by any Python that is still about.
"""

import sys

if sys.version_info < (3, 11):
    sys.exit("tarazu: Python 3.11 or newer is needed; this is %d.%d" % sys.version_info[:2])

import hashlib
import os
import re
import shutil
import subprocess
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
BIN = VENV / "bin"
SERVER = ROOT / "server"
LOCKS = {"product": SERVER / "requirements-build.lock", "tools": SERVER / "requirements-dev.lock"}
WEB = ROOT / "web"
BUILT = ROOT / "server" / "src" / "tarazu" / "web" / "index.html"
LOG = VENV / "setup.log"
ROOM_NEEDED = 1_500 << 20
WEB_SOURCES = ("src", "public", "scripts", "index.html", "package-lock.json", "package.json",
               "tsconfig.json", "vite.config.ts")  # fmt: skip


def main() -> None:
    began = time.monotonic()
    fresh = not VENV.exists()
    if fresh or not BUILT.exists():
        refuse_without_room()
    if fresh:
        make_venv()
    did = [install_python(), install_node_packages(), build_web()]
    if any(did):
        print(f"Set up in {time.monotonic() - began:.0f} s.", flush=True)


def refuse_without_room() -> None:
    free = shutil.disk_usage(ROOT).free
    if free < ROOM_NEEDED:
        stop(f"not enough disk space: {free >> 20} MB are free, {ROOM_NEEDED >> 20} MB are needed")


def make_venv() -> None:
    print("Making .venv …", flush=True)
    try:
        import ensurepip  # noqa: F401
    except ImportError:
        stop("Python's venv module is incomplete; install your system's python3-venv package")
    made = subprocess.run([sys.executable, "-m", "venv", str(VENV)], capture_output=True, text=True)
    if made.returncode:
        shutil.rmtree(VENV, ignore_errors=True)
        stop("cannot make .venv: " + last_line(made.stdout + made.stderr))


def install_python() -> bool:
    """What the product needs; with `--tools` also what tests and checks need, which holds it."""
    wanted = "tools" if "--tools" in sys.argv else "product"
    if any(is_done(kind, python_stamp(kind)) for kind in {wanted, "tools"}):
        return False
    print("Installing the Python packages …", flush=True)
    lock = LOCKS[wanted]
    uv = re.search(r"^uv==.*?(?=^\S)", lock.read_text(), re.MULTILINE | re.DOTALL)
    only_uv = VENV / "uv.txt"
    only_uv.write_text(uv[0] if uv else stop(f"{lock.name} does not name uv"))
    run([BIN / "pip", "install", "-q", "--require-hashes", "--only-binary", ":all:", "-r", only_uv],
        "pip cannot install uv")  # fmt: skip
    run([BIN / "uv", "pip", "sync", "-q", "--require-hashes", "--only-binary", ":all:",
         "--compile-bytecode", "--python", BIN / "python", lock],
        "a Python package cannot be installed")  # fmt: skip
    run([BIN / "uv", "pip", "install", "-q", "--no-deps", "--no-build-isolation",
         "--python", BIN / "python", "-e", SERVER],
        "the server cannot be installed")  # fmt: skip
    done(wanted, python_stamp(wanted))
    return True


def python_stamp(kind: str) -> str:
    return digest([LOCKS[kind], SERVER / "pyproject.toml"])


def install_node_packages() -> bool:
    stamp = digest([WEB / "package-lock.json"])
    if is_done("node", stamp) and (WEB / "node_modules").is_dir():
        return False
    print("Installing the web's packages …", flush=True)
    run([BIN / "npm", "ci", "--no-audit", "--no-fund"], "the web's packages cannot be installed", WEB)
    done("node", stamp)
    return True


def build_web() -> bool:
    files = [path for name in WEB_SOURCES for path in below(WEB / name)]
    stamp = digest([*files, ROOT / "server" / "openapi.json"])
    if is_done("web", stamp) and BUILT.exists():
        return False
    print("Building the web …", flush=True)
    run([BIN / "npm", "run", "-s", "build"], "the web cannot be built", WEB)
    run([sys.executable, ROOT / "scripts" / "make_sbom.py"], "the bill of materials cannot be written")
    done("web", stamp)
    return True


def below(path: Path) -> list[Path]:
    if path.is_dir():
        return sorted(p for p in path.rglob("*") if p.is_file() and p.name != "routeTree.gen.ts")
    return [path] if path.exists() else []


def digest(files: list[Path]) -> str:
    whole = hashlib.sha256(str(ROOT).encode())
    for path in files:
        whole.update(str(path.relative_to(ROOT)).encode() + path.read_bytes())
    return whole.hexdigest()


def is_done(part: str, stamp: str) -> bool:
    path = VENV / f".{part}.stamp"
    return path.exists() and path.read_text() == stamp


def done(part: str, stamp: str) -> None:
    (VENV / f".{part}.stamp").write_text(stamp)


def run(command: list[object], failure: str, folder: Path = ROOT) -> None:
    path = f"{BIN}{os.pathsep}{os.environ.get('PATH', '')}"
    words = [str(word) for word in command]
    ran = subprocess.run(
        words, cwd=folder, env=os.environ | {"PATH": path, "VIRTUAL_ENV": str(VENV)},
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    with LOG.open("a") as log:
        log.write(f"$ {' '.join(words)}\n{ran.stdout}\n")
    if ran.returncode:
        stop(f"{failure}: {reason(ran.stdout)} (more in .venv/setup.log)")


def reason(output: str) -> str:
    low = output.lower()
    if "no space left" in low or "enospc" in low:
        return "the disk is full"
    if "dns error" in low or "eai_again" in low or "could not connect" in low or "getaddrinfo" in low:
        return "the package registry cannot be reached"
    if "no wheels with a matching" in low or "no compatible wheel" in low or "no usable wheels" in low:
        return "no ready-made build for this machine, and none is compiled here"
    return last_line(output)


def last_line(output: str) -> str:
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    wrong = [line for line in lines if "error" in line.lower()]
    return (wrong or lines or ["no output"])[-1][:200]


def stop(why: str) -> str:
    sys.exit(f"tarazu: {why}")


if __name__ == "__main__":
    try:
        main()
    except OSError as error:
        stop(f"{error.strerror or error} ({error.filename})" if error.filename else str(error))
