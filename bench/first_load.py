"""JavaScript that a browser loads for a screen, as `web/scripts/first-load.mjs` counts it."""

import json
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NODE = ROOT / ".venv" / "bin" / "node"


def table() -> str:
    """Compressed kilobytes of each screen's first load, with the goals."""
    ran = subprocess.run(
        [NODE, "scripts/first-load.mjs", "--json"],
        cwd=ROOT / "web", check=False, capture_output=True, text=True,
    )  # fmt: skip
    found = json.loads(ran.stdout)
    lines = ["| screen | files | brotli, kB | gzip, kB | goal, kB |", "|---|---|---|---|---|"]
    lines += [
        f"| {row['route']} | {row['files']} | {row['brotli']} | {row['gzip']} | {row['limit']} |"
        for row in found
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    print(table())
