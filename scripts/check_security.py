"""The security checks that run here, each with its goal and the figure of this run.

`make check-security` runs them in their short form, `LONG=1 make check-security` (or `--long`) at
their full size and on both databases; names of checks choose some, as in `check_security.py S4 S5`.
The tests print the figures themselves, on lines that begin with FIGURE. S10's browser part is run
with a browser where there is one. A check without a line here has no automatic run yet.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
SERVER = ROOT / "server"
HELD = "tests/security/test_held_connections.py"
CHECKS = {
    "S1": ("permission matrix, 7 kinds of caller x every call", ["tests/security/test_matrix.py"]),
    "S2": (
        "tokens after logout, deactivation, deletion, role change, reset",
        ["tests/security/test_dead_tokens.py::test_what_ends_a_session_ends_its_token_and_its_socket"],
    ),
    "S3": ("canary values in every secret field", ["tests/security/test_canaries.py"]),
    "S4": ("known against unknown e-mail addresses", ["tests/security/test_timing.py"]),
    "S5": ("guessing passwords and codes", ["tests/security/test_guessing.py"]),
    "S9": ("headers on every kind of answer", ["tests/kit/test_middleware.py"]),
    "S10": ("scripts, formulas and mail headers in texts", ["tests/security/test_injection.py"]),
    "S11": ("addresses that lead inside", ["tests/security/test_hostile_addresses.py"]),
    "S12": (
        "sockets: no token, dead token, foreign origin, client event, too long",
        [
            "tests/security/test_dead_tokens.py::test_five_kinds_of_socket_are_refused",
            "tests/kit/test_sockets.py",
        ],
    ),
    "S13": ("one row a changing call; five kinds of tampering", ["tests/audit", "tests/kit/test_audit_log.py"]),
    "S14": ("key rotation killed", ["tests/security/test_killed_rotations.py", "tests/kit/test_encryption.py"]),
    "S15": (
        "half-open connections, bodies that stop arriving",
        [f"{HELD}::test_who_holds_half_open_connections_stops_nobody_else",
         f"{HELD}::test_a_stalled_body_is_ended_and_a_slow_one_is_not",
         "tests/kit/test_connections.py"],
    ),
    "S16": (
        "request heads without end",
        [f"{HELD}::test_a_head_without_end_is_refused_and_costs_next_to_nothing",
         f"{HELD}::test_a_head_of_almost_the_largest_size_is_read"],
    ),
    "S17": ("a lost database or key is not replaced", ["tests/test_founding.py"]),
    "S18": ("a backup that was changed and hashed again", ["tests/upkeep/test_backups.py", "-k", "edited or vouched"]),
}
FIGURE = re.compile(r"FIGURE (S\d+)\|([^|\n]*)\|([^|\n]*)\|([^|\n]*)")
CELLS = re.compile(r"S1 (\w+): (\d+) calls, .* (\d+) wrong")
HOSTILE = "hostile.spec.ts"


def main(arguments):
    is_long = "--long" in arguments or os.environ.get("LONG") == "1"
    wanted = {one for one in arguments if not one.startswith("-")}
    env = os.environ | {"LONG": "1" if is_long else "0"}
    failed = 0
    for name, (what, tests) in CHECKS.items():
        if wanted and name not in wanted:
            continue
        words = [sys.executable, "-m", "pytest", "-q", "-rN", "-o", "addopts=",
                 "--show-capture=no", "-s", *tests]  # fmt: skip
        done = subprocess.run(words, cwd=SERVER, env=env, capture_output=True, text=True)
        said, ok = done.stdout, done.returncode == 0
        if name == "S10" and ok and is_long:
            browser = in_a_browser(env)
            said, ok = said + browser.stdout, browser.returncode == 0
        failed += not ok
        print(f"{'ok   ' if ok else 'WRONG'}  {name:<4} {what}", flush=True)
        for figure in figures_of(name, said):
            print(f"            {figure}", flush=True)
        if not ok:
            wrong = re.findall(r"^(?:FAILED|ERROR) (\S+)", said, re.M)
            print("\n".join(f"         {one}" for one in wrong) or said[-2000:])
    return 1 if failed else 0


def in_a_browser(env):
    """The screens over hostile texts, in Chromium."""
    words = [sys.executable, str(ROOT / "scripts/browser_tests.py"), HOSTILE, "--project", "demo"]
    return subprocess.run(words, cwd=ROOT, env=env, capture_output=True, text=True)


def figures_of(name, said):
    """What was measured beside its goal; of checks that measure nothing, how many tests passed."""
    found = [f"{what}: {figure} (goal {goal})" for _, what, figure, goal in FIGURE.findall(said)]
    cells = CELLS.findall(said)
    if cells:
        count, bad = sum(int(cell[1]) for cell in cells), sum(int(cell[2]) for cell in cells)
        found.append(f"{count} cells over both databases: {bad} wrong (goal 0)")
    if not found:
        passed = re.search(r"^(\d+) passed", said, re.M)
        dots = sum(len(line) for line in re.findall(r"^[.sFE]+(?= +\[|$)", said, re.M))
        found.append(f"{passed[1] if passed else dots} tests")
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
