#!/usr/bin/env python3
"""Checks an export of sealed advice, with nothing but Python 3.8 or newer.

    python3 verify.py [FOLDER] [--key FINGERPRINT]

FOLDER is where the export was unpacked, by default the folder of this file. With --key the export
must be signed by the key of that fingerprint, which the firm gives you by another way than this
export. The exit status is 0 when everything holds, and 1 when not.
"""

import hashlib
import json
import pathlib
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


def add(p, q):
    """The sum of two points of the curve, in extended coordinates."""
    a, b = (p[1] - p[0]) * (q[1] - q[0]) % P, (p[1] + p[0]) * (q[1] + q[0]) % P
    c, d = 2 * p[3] * q[3] * D % P, 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(scalar, point):
    """A point added to itself so many times."""
    total = (0, 1, 1, 0)
    while scalar > 0:
        if scalar & 1:
            total = add(total, point)
        point = add(point, point)
        scalar >>= 1
    return total


def same(p, q):
    """Whether two points are one."""
    return (p[0] * q[2] - q[0] * p[2]) % P == 0 and (p[1] * q[2] - q[1] * p[2]) % P == 0


def point_of(written):
    """The point that 32 bytes stand for, or None."""
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


def faults_of_link(link, previous, keys):
    """What is wrong with one link of the chain, without its package."""
    faults = []
    if previous is not None and link["previousHash"] != previous:
        faults.append("does not follow the link before it")
    text = link["previousHash"] + link["packageHash"]
    if hashlib.sha256(text.encode()).hexdigest() != link["hash"]:
        faults.append("its hash is not that of its parts")
    public = bytes.fromhex(keys.get(link["keyId"], ""))
    if not is_signed(link["hash"].encode(), bytes.fromhex(link["signature"]), public):
        faults.append("its signature does not hold")
    if fingerprint_of(public) != link["keyId"]:
        faults.append("its key has another fingerprint")
    return faults


def faults_of_letter(folder, link, package, keys):
    """What is wrong with the letter: of many sent together it was set and signed afterwards."""
    digest = hashlib.sha256((folder / link["letter"]).read_bytes()).hexdigest()
    if package["letter"]["sha256"]:
        same = digest == package["letter"]["sha256"]
        return [] if same else ["the letter is not the one that was sealed"]
    signed = link["letterSigned"]
    public = bytes.fromhex(keys.get(signed["keyId"], ""))
    content = (link["hash"] + signed["sha256"]).encode()
    if digest != signed["sha256"] or fingerprint_of(public) != signed["keyId"]:
        return ["the letter is not the one that was signed"]
    if not is_signed(content, bytes.fromhex(signed["signature"]), public):
        return ["the signature of the letter does not hold"]
    return []


def faults_of_package(folder, link, keys):
    """What is wrong with the package of a link and with its letter."""
    content = (folder / link["package"]).read_bytes()
    if hashlib.sha256(content).hexdigest() != link["packageHash"]:
        return ["the package was changed"]
    faults = []
    package = json.loads(content.decode("utf-8"))
    if package["advice_id"] != link["adviceId"]:
        faults.append("the package is of another advice")
    faults += faults_of_letter(folder, link, package, keys)
    faults += faults_of_rows(package)
    return faults


def faults_of_rows(package):
    """What does not add up in the rows that were sent."""
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
    """What is wrong with a package that is part of the export, and a line on what it says."""
    try:
        package = json.loads((folder / link["package"]).read_text(encoding="utf-8"))
        return faults_of_package(folder, link, keys), line_of(package)
    except (OSError, ValueError, KeyError) as error:
        return ["cannot be read ({!r})".format(error)], "cannot be read"


def check(folder, wanted):
    """Check every link and package, telling of each; how many faults there are."""
    chain = json.loads((folder / "chain.json").read_text(encoding="utf-8"))
    keys = json.loads((folder / "public-keys.json").read_text(encoding="utf-8"))
    failed, checked, previous = 0, 0, None
    for link in chain["links"]:
        faults, line = faults_of_link(link, previous, keys), "not part of this export"
        if wanted is not None and link["keyId"] != wanted:
            faults.append("it is signed by the key " + link["keyId"])
        previous = link["hash"]
        if link.get("package"):
            checked += 1
            wrong, line = faults_here(folder, link, keys)
            faults += wrong
        failed += bool(faults)
        if faults or link.get("package"):
            print("{}  {}  {}".format("FAULT" if faults else "ok   ", link["seq"], line))
        for fault in faults:
            print("         " + fault)
    if checked != chain["exported"]:
        failed += 1
        print("FAULT  the export names {} advices, {} are here".format(chain["exported"], checked))
    print("Keys: " + ", ".join(sorted({link["keyId"] for link in chain["links"]})))
    print("{} advices checked, {} links, {} faults".format(checked, len(chain["links"]), failed))
    return failed


def main(arguments):
    """Check the export of a folder; the exit status."""
    wanted = None
    if "--key" in arguments:
        place = arguments.index("--key")
        wanted = arguments[place + 1].lower()
        arguments = arguments[:place] + arguments[place + 2 :]
    folder = pathlib.Path(arguments[0] if arguments else pathlib.Path(__file__).parent)
    return 1 if check(folder, wanted) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
