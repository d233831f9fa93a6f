"""What must not be in the repository: paths of a machine, registries in locks, marks of work."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOCKS = re.compile(r"(package-lock\.json|requirements.*\.(lock|txt))$")
IN_LOCKS = re.compile(r'"resolved": *"https?:|^--(index-url|extra-index-url|find-links)', re.MULTILINE)
UNFINISHED = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X)\b|raise Not" r"ImplementedError")
HERE = str(ROOT.parent) + "/"


def main() -> int:
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, text=True
    )
    faults = [fault for name in listed.stdout.split("\0") if name for fault in faults_of(name)]
    for fault in faults:
        print(fault)
    return 1 if faults else 0


def faults_of(name: str) -> list[str]:
    path = ROOT / name
    if not path.is_file() or path.stat().st_size > 2 << 20:
        return []
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return []
    found = []
    if len(HERE) > 2 and HERE in text:
        found.append(f"{name}: holds a path of this machine")
    if Path(name).name in {"uv.lock", "poetry.lock", "pylock.toml"}:
        found.append(f"{name}: this kind of lock names registries")
    if LOCKS.search(name) and IN_LOCKS.search(text):
        found.append(f"{name}: names a registry")
    if name.startswith(("server/src", "web/src")) and UNFINISHED.search(text):
        found.append(f"{name}: holds a mark of unfinished work")
    return found


if __name__ == "__main__":
    sys.exit(main())
