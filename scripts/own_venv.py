"""An environment of their own for tools that look at the product from outside.

What they need must not be in the product's environment: it would hide what the product lacks,
and hold its versions back.
"""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
UV = ROOT / ".venv" / "bin" / "uv"


def tools_of(name):
    """The folder of the tools in `.venv-NAME`, made from `server/requirements-NAME.lock`."""
    lock = ROOT / "server" / f"requirements-{name}.lock"
    venv = ROOT / f".venv-{name}"
    stamp = venv / ".stamp"
    wanted = hashlib.sha256(str(ROOT).encode() + lock.read_bytes()).hexdigest()
    if not stamp.exists() or stamp.read_text() != wanted:
        print(f"Installing {venv.name} …", flush=True)
        if not venv.exists():
            _run([sys.executable, "-m", "venv", "--without-pip", str(venv)])
        _run([UV, "pip", "sync", "-q", "--require-hashes", "--only-binary", ":all:",
              "--python", venv / "bin" / "python", lock])  # fmt: skip
        stamp.write_text(wanted)
    return venv / "bin"


def _run(words):
    surroundings = {name: told for name, told in os.environ.items() if name != "VIRTUAL_ENV"}
    done = subprocess.run([str(word) for word in words], env=surroundings, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"tarazu: the tools cannot be installed: {(done.stderr or done.stdout).strip()[-400:]}")
