"""Writes what the product is made of, as CycloneDX JSON: `build/server.cdx.json` and `web.cdx.json`.

Read from the locks alone, so it needs no network, no tool, and names what is installed anywhere by
them. The server's is of `requirements.lock`, the web's of what is bundled: no tool of either.
"""

import base64
import datetime as dt
import json
import re
import sys
import uuid
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build"
NAMES = uuid.UUID("6f4f4c1e-6a0f-5a43-9d0a-7b7b1f5f3c11")
"""Of our serial numbers: the same locks give the same number."""
PIN = re.compile(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)(?:\s*;\s*([^\\\n]+?))?\s*\\?$", re.MULTILINE)
HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")


def python_parts(lock):
    """A component for each pinned package of a lock."""
    found = []
    pins = list(PIN.finditer(lock))
    for pin, after in zip(pins, [*pins[1:], None]):
        told = lock[pin.end() : after.start() if after else len(lock)]
        name = re.sub(r"[-_.]+", "-", pin[1]).lower()
        part = _part(name, pin[2], f"pkg:pypi/{name}@{pin[2]}")
        # One for each file that an installer may take; which one depends on the machine.
        part["properties"] = [{"name": "tarazu:sha256", "value": one} for one in HASH.findall(told)]
        if pin[3]:
            part["properties"].append({"name": "tarazu:only-where", "value": pin[3]})
        found.append(part)
    return found


def web_parts(lock):
    """A component for each package of a lock that is not a tool of development."""
    found = {}
    for path, told in lock["packages"].items():
        if not path or told.get("dev") or told.get("link"):
            continue
        name, version = path.rpartition("node_modules/")[2], told["version"]
        part = _part(name, version, f"pkg:npm/{name.replace('@', '%40', 1)}@{version}")
        kind, _, digest = told.get("integrity", "").partition("-")
        if digest:
            content = base64.b64decode(digest).hex()
            part["hashes"] = [{"alg": kind.upper().replace("SHA", "SHA-"), "content": content}]
        if isinstance(told.get("license"), str):
            part["licenses"] = [{"expression": told["license"]}]
        found[part["purl"]] = part
    return list(found.values())


def _part(name, version, purl):
    return {"type": "library", "bom-ref": purl, "name": name, "version": version, "purl": purl}


def bill(name, parts, made_at):
    """The whole document."""
    parts = sorted(parts, key=lambda part: part["purl"])
    serial = uuid.uuid5(NAMES, name + json.dumps(parts, sort_keys=True))
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{serial}",
        "version": 1,
        "metadata": {
            "timestamp": made_at.isoformat(timespec="seconds"),
            "component": {"type": "application", "bom-ref": name, "name": name, "version": _version()},
        },
        "components": parts,
    }


def _version():
    told = (ROOT / "server" / "pyproject.toml").read_text()
    return re.search(r'^version = "([^"]+)"', told, re.MULTILINE)[1]


def main():
    made_at = dt.datetime.now(dt.timezone.utc)
    BUILD.mkdir(exist_ok=True)
    server = python_parts((ROOT / "server" / "requirements.lock").read_text())
    web = web_parts(json.loads((ROOT / "web" / "package-lock.json").read_text()))
    for name, parts in (("server", server), ("web", web)):
        document = bill(f"tarazu-{name}", parts, made_at)
        (BUILD / f"{name}.cdx.json").write_text(json.dumps(document, indent=1) + "\n")
        print(f"build/{name}.cdx.json: {len(parts)} packages")
    return 0


if __name__ == "__main__":
    sys.exit(main())
