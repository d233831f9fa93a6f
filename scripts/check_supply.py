"""S7 and S8: the source and what it is made of. `make check-security` runs it.

S7: bandit on the server, detect-secrets on the whole tree, and the web linter's rules against raw
HTML and code in text, each tried on a sample. S8: the floors of versions, hashes on every package,
the bill of materials, and the advisories where they can be asked.

The tools have an environment of their own: forty packages that the product does not need. What
detect-secrets finds and is no secret is listed in `not-secrets.json` by its hash, with the reason;
`--accept WHY` adds what is found now.
"""

import contextlib
import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import make_sbom
from own_venv import ROOT, tools_of

SERVER, WEB = ROOT / "server", ROOT / "web"
KNOWN = Path(__file__).with_name("not-secrets.json")
OWN_BIN = ROOT / ".venv" / "bin"
FLOORS = {
    "starlette": "1.3.1",
    "fastapi": "0.133",
    "python-multipart": "0.0.27",
    "python-socketio": "5.16.2",
}
"""Each for a published fault of the versions before it."""
NOT_USED = {"pyjwt", "axios", "react-router", "react-router-dom"}
"""Another part does what they would do; should one come in, its floor belongs above."""
# No least age: `npm ci` would refuse what is locked where a mirror dates packages by its own arrival.
NPM_SETTINGS = {"ignore-scripts=true", "save-exact=true"}
DANGERS = {
    "no-restricted-syntax": [
        'export const A = () => <p dangerouslySetInnerHTML={{ __html: "x" }} />',
        'document.body.innerHTML = "x"',
        'document.body.insertAdjacentHTML("beforeend", "x")',
        'document.write("x")',
    ],
    "no-eval": ['eval("1")'],
    "no-new-func": ['new Function("return 1")()'],
    "no-script-url": ['location.href = "javascript:void(0)"'],
    "@typescript-eslint/no-implied-eval": ['setTimeout("1", 1)'],
}
"""What each rule has to catch."""
SAMPLE = "src/app/feed-badge.tsx"
"""A file of the web in whose place the samples are read."""
UNREACHED = ("not found on pypi", "connection", "405", "endpoint returned an error", "enotfound",
             "econnrefused", "eai_again", "timed out", "max retries", "name resolution")  # fmt: skip


def run(words, folder, given=None):
    surroundings = os.environ | {"PATH": f"{OWN_BIN}{os.pathsep}{os.environ['PATH']}"}
    return subprocess.run(
        [str(word) for word in words], cwd=folder, input=given, env=surroundings,
        capture_output=True, text=True,
    )  # fmt: skip


# --------------------------------------------------------------------------------------- S7


def bandit():
    done = run([tools_of("checks") / "bandit", "-q", "-r", "src", "-ll", "-f", "json"], SERVER)
    told = json.loads(done.stdout)
    found = [f"{one['filename']}:{one['line_number']} {one['test_id']}" for one in told["results"]]
    lines = told["metrics"]["_totals"]["loc"]
    return f"bandit: {lines} lines, {len(found)} findings (goal 0)", found + told["errors"]


def secrets(accept=None):
    # Asked file by file of what git knows or would take: what is ignored is not handed out.
    listed = run(["git", "ls-files", "-co", "--exclude-standard"], ROOT).stdout.splitlines()
    files = [name for name in listed if (ROOT / name).is_file()]
    done = run([tools_of("checks") / "detect-secrets", "scan", *files], ROOT)
    known = json.loads(KNOWN.read_text())
    found = {
        one["hashed_secret"]: f"{name}:{one['line_number']} {one['type']}"
        for name, ones in json.loads(done.stdout)["results"].items()
        for one in ones
        if name != KNOWN.relative_to(ROOT).as_posix()
    }
    new = {key: where for key, where in found.items() if key not in known}
    if accept:
        known = {key: why for key, why in known.items() if key in found} | dict.fromkeys(new, accept)
        KNOWN.write_text(json.dumps(dict(sorted(known.items(), key=lambda one: one[::-1])), indent=1) + "\n")
        new = {}
    said = f"detect-secrets: {len(files)} files, {len(found) - len(new)} known for none"
    return f"{said}, {len(new)} others (goal 0)", list(new.values())


def no_danger():
    tried = [(rule, sample) for rule, samples in DANGERS.items() for sample in samples]
    text = "\n".join(sample for _, sample in tried) + "\n"
    caught = {(one.get("line"), one["ruleId"])
              for one in _linted(["--stdin", "--stdin-filename", SAMPLE], text)}  # fmt: skip
    faults = [
        f"{rule} lets pass: {sample}"
        for line, (rule, sample) in enumerate(tried, 1)
        if (line, rule) not in caught
    ]
    whole = [one for one in _linted(["src"]) if one["ruleId"] in DANGERS]
    faults += [f"{one['file']}:{one.get('line')} {one['ruleId']}" for one in whole]
    # The rules cannot be turned off in a file, but for a reason given here.
    off = re.compile(r"eslint-disable[^\n]*(?:%s)" % "|".join(map(re.escape, DANGERS)))
    for path in sorted((WEB / "src").rglob("*.ts*")):
        if off.search(path.read_text(encoding="utf-8")):
            faults.append(f"{path.relative_to(ROOT)} turns a rule off")
    return f"web linter: {len(tried)} dangers tried, {len(whole)} in the source (goal 0)", faults


def _linted(words, given=None):
    done = run([WEB / "node_modules" / ".bin" / "eslint", "-f", "json", *words], WEB, given)
    try:
        told = json.loads(done.stdout)
    except ValueError:
        sys.exit(f"tarazu: the web linter does not run: {done.stderr[-400:]}")
    return [one | {"file": each["filePath"]} for each in told for one in each["messages"]]


# --------------------------------------------------------------------------------------- S8


def floors():
    parts = make_sbom.python_parts((SERVER / "requirements.lock").read_text())
    there = {part["name"]: part["version"] for part in parts}
    lock = json.loads((WEB / "package-lock.json").read_text())
    shipped = {part["name"] for part in make_sbom.web_parts(lock)}
    faults = [
        f"{name} {there.get(name, 'is not there')}, floor {floor}"
        for name, floor in FLOORS.items()
        if name not in there or _order(there[name]) < _order(floor)
    ]
    faults += [f"{name} has come in" for name in NOT_USED & (there.keys() | shipped)]
    told = ", ".join(f"{name} {there.get(name)} (floor {floor})" for name, floor in FLOORS.items())
    return f"floors: {told}; not used: {', '.join(sorted(NOT_USED))}", faults


def _order(version):
    return [int(part) for part in re.findall(r"\d+", version)]


def hashes():
    faults, count = [], 0
    for lock in sorted(SERVER.glob("requirements*.lock")):
        text = lock.read_text()
        for part in make_sbom.python_parts(text):
            count += 1
            if not any(one["name"] == "tarazu:sha256" for one in part["properties"]):
                faults.append(f"{lock.name}: {part['name']} has no hash")
        if "://" in text:
            faults.append(f"{lock.name} names an address")
    for path, told in json.loads((WEB / "package-lock.json").read_text())["packages"].items():
        count += bool(path)
        if path and not told.get("integrity"):
            faults.append(f"package-lock.json: {path} has no hash")
    missing = NPM_SETTINGS - set((WEB / ".npmrc").read_text().split())
    faults += [f".npmrc lacks {one}" for one in missing]
    return f"locks: {count} packages, {len(faults)} without a hash or a setting (goal 0)", faults


def bills():
    with contextlib.redirect_stdout(io.StringIO()):
        make_sbom.main()
    faults, told = [], []
    for name in ("server", "web"):
        document = json.loads((make_sbom.BUILD / f"{name}.cdx.json").read_text())
        parts = document["components"]
        told.append(f"{name} {len(parts)}")
        if (document["bomFormat"], document["specVersion"]) != ("CycloneDX", "1.6") or not parts:
            faults.append(f"{name}: not a bill of materials")
        faults += [
            f"{name}: {part['name']} lacks a version, an address or a hash"
            for part in parts
            if not (part["version"] and part["purl"] and (part.get("hashes") or part.get("properties")))
        ]
        if len({part["purl"] for part in parts}) != len(parts):
            faults.append(f"{name}: a package is listed twice")
    return f"bill of materials: {' and '.join(told)} packages, in build/", faults


def python_advisories():
    words = ["--strict", "--disable-pip", "--no-deps", "--progress-spinner", "off", "-r"]
    done = run([tools_of("checks") / "pip-audit", *words, "requirements.lock"], SERVER)
    return _advisories("pip-audit --strict", done)


def web_advisories():
    return _advisories("npm audit", run([OWN_BIN / "npm", "audit", "--omit", "dev"], WEB))


def _advisories(name, done):
    said = (done.stdout + done.stderr).strip()
    if done.returncode == 0:
        return f"{name}: no known advisory", []
    if any(word in said.lower() for word in UNREACHED):
        return f"{name}: could not be asked from here; nothing is known from it", None
    return f"{name}: advisories", said.splitlines()[-20:]


CHECKS = {
    "S7": (bandit, secrets, no_danger),
    "S8": (floors, hashes, bills, python_advisories, web_advisories),
}


def main(words):
    if words[:1] == ["--accept"]:
        print(secrets(" ".join(words[1:]) or sys.exit("tarazu: say why they are none"))[0])
        return 0
    wrong = 0
    for name, checks in CHECKS.items():
        if words and name not in words:
            continue
        for check in checks:
            said, faults = check()
            state = "left out" if faults is None else "WRONG" if faults else "ok"
            wrong += bool(faults)
            print(f"{state:8} {name}   {said}", flush=True)
            for fault in (faults or [])[:20]:
                print(f"              {fault}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
