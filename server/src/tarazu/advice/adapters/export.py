"""Sealed advice as a zip that a third party checks without the product and without a secret."""

import datetime as dt
import io
import json
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tarazu.advice.tables import AdviceSeal
from tarazu.kit.mail import DeliveryState

SCRIPT = Path(__file__).parent / "verify_export.py"
README = """Sealed advice
=============

Each file in packages/ holds all that stands behind one advice: who sent it, as which role and from
where; the targets, the holdings and the prices with their source and time; the charges in force;
the version of the software; the result, the rationale and the disclosures; the SHA-256 of the
letter; the mail that carried it. The files in letters/ are the letters as the clients got them.

chain.json links each package to the one sealed before it, and carries a signature (Ed25519) for
each link. A link without a package belongs to an advice that is not part of this export; it shows
that nothing between was left out unseen. "sealed_as": "KNOWN" marks advice that was sent before
advice was sealed, and sealed later as far as it was known.

The letter of an advice that was sent together with many others was set after its package was
sealed, from the package alone. "letterSigned" then has its SHA-256 and a signature over the link of
the package followed by that SHA-256.

deliveries.json tells how the mails stood when this export was made. It is not sealed.

To check everything, with Python 3.8 or newer and nothing else:

    python3 verify.py --key {key}

Compare the fingerprint after --key with the one that the firm gave you by another way: an export
that somebody else made up would name another.
"""


@dataclass(frozen=True, slots=True)
class Exported:
    """One sealed advice with its letter, and how its mail stands."""

    seal: AdviceSeal
    letter: bytes
    delivery: DeliveryState | None
    signed: tuple[str, str, str] | None = None
    """Of a letter that was set after the sealing: its SHA-256, the key and the signature."""


def archive_of(
    exported: Sequence[Exported],
    links: Sequence[AdviceSeal],
    keys: Mapping[str, str],
    now: dt.datetime,
) -> bytes:
    """The zip; `links` are all seals from the first exported to the last, in their order."""
    chosen = {one.seal.seq: one for one in exported}
    chain = {
        "form": "tarazu-advice-export/1",
        "madeAt": now.astimezone(dt.UTC).isoformat(),
        "exported": len(exported),
        "links": [_link(seal, chosen.get(seal.seq)) for seal in links],
    }
    used = {seal.key_id for seal in links}
    public = {key_id: key for key_id, key in keys.items() if key_id in used}
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:

        def put(name: str, content: str | bytes) -> None:
            stamp = now.astimezone(dt.UTC).timetuple()[:6]
            archive.writestr(zipfile.ZipInfo(name, stamp), content, zipfile.ZIP_DEFLATED)

        put("README.txt", README.format(key=exported[-1].seal.key_id))
        put("verify.py", SCRIPT.read_bytes())
        put("public-keys.json", _json(public))
        put("chain.json", _json(chain))
        put("deliveries.json", _json([_delivery(one) for one in exported]))
        for one in exported:
            put(_package_name(one.seal), one.seal.package.encode())
            put(_letter_name(one.seal), one.letter)
    return written.getvalue()


def _link(seal: AdviceSeal, exported: Exported | None) -> dict[str, Any]:
    link: dict[str, Any] = {
        "seq": seal.seq,
        "adviceId": str(seal.advice_id),
        "sealedAt": seal.sealed_at.isoformat(),
        "packageHash": seal.package_hash,
        "previousHash": seal.previous_hash,
        "hash": seal.hash,
        "keyId": seal.key_id,
        "signature": seal.signature,
    }
    if exported is not None:
        link |= {"package": _package_name(seal), "letter": _letter_name(seal)}
        if exported.signed is not None:
            sha256, key_id, signature = exported.signed
            link["letterSigned"] = {"sha256": sha256, "keyId": key_id, "signature": signature}
    return link


def _package_name(seal: AdviceSeal) -> str:
    return f"packages/{seal.seq:06}-{seal.advice_id}.json"


def _letter_name(seal: AdviceSeal) -> str:
    return f"letters/{seal.seq:06}-{seal.advice_id}.pdf"


def _delivery(one: Exported) -> dict[str, Any]:
    state = one.delivery
    return {
        "adviceId": str(one.seal.advice_id),
        "status": state.status if state else None,
        "at": state.at.isoformat() if state else None,
        "error": state.error if state else None,
    }


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1, sort_keys=True) + "\n"
