#!/usr/bin/env python3
"""Checks an export of sealed advice or an inspection pack, with nothing but Python 3.8 or newer.

    python3 verify.py [FOLDER] [--key FINGERPRINT]

FOLDER is where the export was unpacked, by default the folder of this file. With --key the export
must be signed by the key of that fingerprint, which the firm gives you by another way than this
export. The exit status is 0 when there is no fault, and 1 otherwise.
"""

import csv
import datetime as dt
import hashlib
import json
import pathlib
import re
import sys
from decimal import Decimal

# ---- Ed25519, as RFC 8032 has it -----------------------------------------------------------------

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT = pow(2, (P - 1) // 4, P)
KEY_BYTES = 32
SIGNATURE_BYTES = 64
FINGERPRINT_LETTERS = 16
CLOCKS_APART = dt.timedelta(minutes=5)  # as far as the clocks of several servers may differ
UNREADABLE = (
    OSError,
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    ArithmeticError,
    RecursionError,
)


def add(p, q):
    """The sum of two points of the curve, in extended coordinates."""
    a, b = (p[1] - p[0]) * (q[1] - q[0]) % P, (p[1] + p[0]) * (q[1] + q[0]) % P
    c, d = 2 * p[3] * q[3] * D % P, 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(scalar, point):
    """A point multiplied by a whole number."""
    total = (0, 1, 1, 0)
    while scalar > 0:
        if scalar & 1:
            total = add(total, point)
        point = add(point, point)
        scalar >>= 1
    return total


def same(p, q):
    """Whether two points are equal."""
    return (p[0] * q[2] - q[0] * p[2]) % P == 0 and (p[1] * q[2] - q[1] * p[2]) % P == 0


def point_of(written):
    """The point that 32 bytes encode, or None."""
    number = int.from_bytes(written, "little")
    sign, y = number >> 255, number & ((1 << 255) - 1)
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P != 0:
        x = x * ROOT % P
    if (x * x - square) % P != 0 or (x == 0 and sign):
        return None
    if x & 1 != sign:
        x = P - x
    return x, y, 1, x * y % P


BASE = point_of((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))


def is_signed(content, signature, public):
    """Whether the holder of the public key signed exactly this content."""
    if len(public) != KEY_BYTES or len(signature) != SIGNATURE_BYTES:
        return False
    key, commitment = point_of(public), point_of(signature[:32])
    scalar = int.from_bytes(signature[32:], "little")
    if key is None or commitment is None or scalar >= ORDER:
        return False
    digest = hashlib.sha512(signature[:32] + public + content).digest()
    challenge = int.from_bytes(digest, "little") % ORDER
    return same(times(scalar, BASE), add(commitment, times(challenge, key)))


# ---- the export ----------------------------------------------------------------------------------


def fingerprint_of(public):
    """What a person compares: the first 16 hexadecimal digits of the key's SHA-256."""
    return hashlib.sha256(public).hexdigest()[:FINGERPRINT_LETTERS]


def public_of(keys, key_id):
    """The public key of that fingerprint, or no bytes."""
    return bytes.fromhex(keys.get(key_id, ""))


def faults_of_signature(content, signature, keys, key_id):
    """The faults of a signature, given as 128 small hexadecimal digits."""
    public = public_of(keys, key_id)
    faults = []
    if not re.fullmatch("[0-9a-f]{128}", signature):
        faults.append("its signature cannot be read")
    elif not is_signed(content, bytes.fromhex(signature), public):
        faults.append("its signature is not valid")
    if fingerprint_of(public) != key_id:
        faults.append("its key has another fingerprint")
    return faults


def faults_of_link(link, previous, keys):
    """The faults of one link of the chain, without its package."""
    faults = []
    if previous is not None:
        if link["previousHash"] != previous["hash"]:
            faults.append("does not follow the link before it")
        if link["seq"] <= previous["seq"]:
            faults.append("its number does not follow the one before it")
        if time_of(link["sealedAt"]) < time_of(previous["sealedAt"]) - CLOCKS_APART:
            faults.append("it was sealed before the link before it")
    text = link["previousHash"] + link["packageHash"]
    if hashlib.sha256(text.encode()).hexdigest() != link["hash"]:
        faults.append("its hash is not that of its parts")
    return faults + faults_of_signature(
        link["hash"].encode(), link["signature"], keys, link["keyId"]
    )


def time_of(text):
    """An instant; Python older than 3.11 does not read the Z."""
    return dt.datetime.fromisoformat(text.replace("Z", "+00:00"))  # noqa: FURB162 - as it says


def faults_of_letter(folder, link, package, keys):
    """The faults of the letter, which was set and signed after the sealing."""
    if "letterMissing" in link:
        return []
    digest = hashlib.sha256((folder / link["letter"]).read_bytes()).hexdigest()
    if package["letter"]["sha256"]:
        same = digest == package["letter"]["sha256"]
        return [] if same else ["the letter is not the one that was sealed"]
    signed = link["letterSigned"]
    if digest != signed["sha256"]:
        return ["the letter is not the one that was signed"]
    content = (link["hash"] + signed["sha256"]).encode()
    wrong = faults_of_signature(content, signed["signature"], keys, signed["keyId"])
    return ["the letter: " + fault for fault in wrong]


def faults_of_package(folder, link, keys):
    """The faults of the package of a link and of its letter."""
    content = (folder / link["package"]).read_bytes()
    if hashlib.sha256(content).hexdigest() != link["packageHash"]:
        return ["the package was changed"]
    faults = []
    package = json.loads(content.decode("utf-8"))
    if package["advice_id"] != link["adviceId"]:
        faults.append("the package is of another advice")
    if package.get("number") not in (None, link["seq"]):
        faults.append("the package names the number {}".format(package["number"]))
    if package.get("fingerprint") not in (None, "", link["keyId"]):
        faults.append("the package names the key " + package["fingerprint"])
    if time_of(package["sent_at"]) > time_of(link["sealedAt"]):
        faults.append("it was sent after it was sealed")
    faults += faults_of_letter(folder, link, package, keys)
    faults += faults_of_rows(package)
    return faults


def faults_of_rows(package):
    """The faults of the rows that were sent."""
    faults = []
    for row in package["rows"]:
        symbol, price = row["stock"]["symbol"], Decimal(row["last_price"])
        change = row["quantity"] if row["side"] == "BUY" else -row["quantity"]
        if row["held"] + change != row["new_quantity"]:
            faults.append(symbol + ": the quantities do not add up")
        if Decimal(row["projected_value"]) != price * row["new_quantity"]:
            faults.append(symbol + ": the value is not price times shares")
    rebalance = package["rebalance"]
    if rebalance is not None:
        planned = {
            r["stock"]["isin"]: r["new_quantity"] for r in rebalance["rows"] if r["quantity"]
        }
        sent = {r["stock"]["isin"]: r["new_quantity"] for r in package["rows"]}
        if planned != sent:
            faults.append("the rows are not those of the rebalance")
    return faults


def line_of(package):
    """One line on what was advised."""
    rows = ", ".join(
        "{} {} {}".format(row["side"], row["quantity"], row["stock"]["symbol"])
        for row in package["rows"]
    )
    later = "" if package["sealed_as"] == "SENT" else " [sealed later, as far as known]"
    return "{} to {} by {}: {}{}".format(
        package["sent_at"], package["client"]["code"], package["sender"]["name"], rows, later
    )


def faults_here(folder, link, keys):
    """The faults of an exported package, and a line that describes it."""
    try:
        package = json.loads((folder / link["package"]).read_text(encoding="utf-8"))
        return faults_of_package(folder, link, keys), line_of(package)
    except UNREADABLE as error:
        return ["cannot be read ({!r})".format(error)], "cannot be read"


def names_of(folder):
    """Every file of the export, by its name from the folder on."""
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir()}


def faults_of_manifest(folder, keys, fingerprint):
    """The faults of the signed list of files."""
    content = (folder / "manifest.json").read_bytes()
    manifest = json.loads(content.decode("utf-8"))
    signature = (folder / "manifest.sig").read_bytes().decode("ascii")
    faults = faults_of_signature(content, signature, keys, manifest["keyId"])
    if fingerprint is not None and manifest["keyId"] != fingerprint:
        faults.append("it is signed by the key " + manifest["keyId"])
    named, here = manifest["files"], names_of(folder) - {"manifest.json", "manifest.sig"}
    faults += [name + " is missing" for name in sorted(named.keys() - here)]
    faults += [
        name + " was added: the manifest does not name it" for name in sorted(here - named.keys())
    ]
    for name in sorted(named.keys() & here):
        if hashlib.sha256((folder / name).read_bytes()).hexdigest() != named[name]:
            faults.append(name + " was changed")
    return faults


def faults_of_whole(chain, manifest):
    """The faults of the chain as a whole: its length, its beginning and its end."""
    links = chain["links"]
    numbers = [link["seq"] for link in links]
    chosen = sum(1 for link in links if link.get("package"))
    faults = []
    if (len(links), chosen) != (manifest["links"], manifest["advices"]):
        faults.append(
            "the export names {} advices and {} links, {} and {} are here".format(
                manifest["advices"], manifest["links"], chosen, len(links)
            )
        )
    ends = (numbers[0], numbers[-1]) if numbers else (None, None)
    if ends != (manifest["first"], manifest["last"]):
        faults.append("the chain does not begin and end where the manifest says")
    head = manifest["head"]
    last = numbers[-1] if numbers else 0
    if last > head["seq"] or (last and last == head["seq"] and links[-1]["hash"] != head["hash"]):
        faults.append("the end of the chain is not the one that the manifest names")
    if any(time_of(link["sealedAt"]) > time_of(manifest["madeAt"]) for link in links):
        faults.append("an advice was sealed after the export was made")
    return faults


def faults_of_trail(folder, name):
    """The faults of an audit trail of which every row follows the one before it."""
    faults, previous = [], None
    with (folder / name).open(encoding="utf-8-sig", newline="") as file:
        for row in csv.DictReader(file):
            if previous is not None and row["Previous Hash"] != previous:
                faults.append("row {} does not follow the row before it".format(row["No."]))
            previous = row["Hash"]
    return faults


def report(name, line, faults):
    """Print the result for one item; whether it has faults."""
    print("{}  {}  {}".format("FAULT" if faults else "ok   ", name, line).rstrip())
    for fault in faults:
        print("         " + fault)
    return bool(faults)


def check_of_link(folder, link, previous, keys, fingerprint):
    """Check one link with its package, if it was exported; whether it has faults."""
    faults, line = faults_of_link(link, previous, keys), "not part of this export"
    if fingerprint is not None and link["keyId"] != fingerprint:
        faults.append("it is signed by the key " + link["keyId"])
    if link.get("package"):
        wrong, line = faults_here(folder, link, keys)
        faults += wrong
    failed = report(link["seq"], line, faults) if faults or link.get("package") else False
    if link.get("letterMissing"):
        print("         note: the letter is not part of this export: " + link["letterMissing"])
    return failed


def check(folder, fingerprint):
    """Check the manifest, every link and every package, printing each; the number with faults."""
    keys = json.loads((folder / "public-keys.json").read_text(encoding="utf-8"))
    failed = report("manifest", "", faults_of_manifest(folder, keys, fingerprint))
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    chain = json.loads((folder / "chain.json").read_text(encoding="utf-8"))
    failed += report("chain", "", faults_of_whole(chain, manifest))
    if manifest.get("wholeTrail"):
        failed += report("audit trail", "", faults_of_trail(folder, manifest["wholeTrail"]))
    previous = None
    for link in chain["links"]:
        failed += check_of_link(folder, link, previous, keys, fingerprint)
        previous = link
    checked = sum(1 for link in chain["links"] if link.get("package"))
    missing = sum(1 for link in chain["links"] if link.get("letterMissing"))
    chosen = ", ".join(
        "{} {}".format(name, value) for name, value in sorted(manifest["filter"].items()) if value
    )
    print("Chosen by: {}, {}".format(chosen or "everything", manifest["madeAt"]))
    print("Keys: " + ", ".join(sorted({link["keyId"] for link in chain["links"]})))
    summary = "{} advices checked, {} links, {} faults".format(checked, len(chain["links"]), failed)
    if missing:
        summary += ", {} letter{} missing".format(missing, "" if missing == 1 else "s")
    print(summary)
    return failed


def main(arguments):
    """Check the export of a folder; the exit status."""
    fingerprint = None
    if "--key" in arguments:
        place = arguments.index("--key")
        if place + 1 == len(arguments):
            print("Give the fingerprint after --key.")
            return 1
        fingerprint = arguments[place + 1].lower()
        arguments = arguments[:place] + arguments[place + 2 :]
    folder = pathlib.Path(arguments[0] if arguments else pathlib.Path(__file__).parent)
    try:
        return 1 if check(folder, fingerprint) else 0
    except UNREADABLE as error:
        # Whatever happened to the files, they cannot be trusted.
        print("FAULT  the export cannot be read: {!r}".format(error))
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
