"""Sealed advice as a zip that a third party can check without the product and without a secret."""

import datetime as dt
import hashlib
import io
import json
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tarazu.advice.documents.letter_store import LetterSignature
from tarazu.advice.queries import Link
from tarazu.advice.tables import AdviceSeal
from tarazu.kit.mail import DeliveryState
from tarazu.kit.signing import Signer

SCRIPT = Path(__file__).parent / "verify_export.py"
README = """Sealed advice
=============

Each file in packages/ contains everything behind one advice: who sent it, with which role and from
where; the targets, the holdings and the prices with their source and time; the charges in force;
the version of the software; the result, the rationale and the disclosures; the mail that carried
it. The files in letters/ are the letters as the clients received them.

chain.json links each package to the one sealed before it, with a signature (Ed25519) for each link.
A link without a package belongs to an advice that is not part of this export; it proves that
nothing in between was left out.

A letter is set after its package was sealed, from the package alone. "letterSigned" has its SHA-256
and a signature over the link of the package followed by that SHA-256.

A letter that was still being set, or is lost, is left out; "letterMissing" says which.

manifest.json has the filter of this export, the number of advices, the first and the last number,
the end of the firm's chain when the export was made, and the SHA-256 of every other file. It is
signed in manifest.sig, so nothing can be removed, added or renamed unnoticed.

deliveries.json has the state of the mails when this export was made. The manifest covers it, the
seals do not.

Every letter, and the mail that carried it, names the number of its seal and the fingerprint of the
key: a client's own copy shows which number the advice had.

To check everything, with Python 3.8 or newer and nothing else:

    python3 verify.py --key {key}

Compare the fingerprint after --key with the one in a client's letter, or ask the firm for it in
another way: a forged export would have another key.
"""


@dataclass(frozen=True, slots=True)
class Exported:
    """One sealed advice with its letter and the state of its mail.

    `signed` is the letter's signature; `missing` says why there is no letter.
    """

    seal: AdviceSeal
    letter: bytes
    delivery: DeliveryState | None
    signed: LetterSignature | None = None
    missing: str = ""


@dataclass(frozen=True, slots=True)
class About:
    """When an export was made, its filter, the end of the chain, and all public keys."""

    made_at: dt.datetime
    chosen_by: Mapping[str, str | None]
    head: Link
    keys: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Archive:
    """A zip with its number of advices and of missing letters."""

    content: bytes
    advices: int
    missing: int


def archive_of(
    exported: Sequence[Exported], links: Sequence[AdviceSeal], about: About, signer: Signer
) -> Archive:
    """The zip; `links` are all seals from the first exported to the last, in their order."""
    chosen = {advice.seal.seq: advice for advice in exported}
    chain = {
        "form": "tarazu-advice-export/2",
        "exported": len(exported),
        "links": [_link(seal, chosen.get(seal.seq)) for seal in links],
    }
    used = {signer.key_id} | {seal.key_id for seal in links}
    used |= {advice.signed.key_id for advice in exported if advice.signed is not None}
    public = {key_id: key for key_id, key in about.keys.items() if key_id in used}
    stamp = about.made_at.astimezone(dt.UTC).timetuple()[:6]
    sums: dict[str, str] = {}
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:

        def put(name: str, content: bytes) -> None:
            sums[name] = hashlib.sha256(content).hexdigest()
            archive.writestr(zipfile.ZipInfo(name, stamp), content, zipfile.ZIP_DEFLATED)

        put("README.txt", README.format(key=signer.key_id).encode())
        put("verify.py", SCRIPT.read_bytes())
        put("public-keys.json", _json(public))
        put("chain.json", _json(chain))
        put("deliveries.json", _json([_delivery(advice) for advice in exported]))
        for advice in exported:
            put(_package_name(advice.seal), advice.seal.package.encode())
            if advice.letter:
                put(_letter_name(advice.seal), advice.letter)
        manifest = _json(_manifest(exported, links, about, signer.key_id) | {"files": dict(sums)})
        put("manifest.json", manifest)
        put("manifest.sig", signer.sign(manifest).encode())
    return Archive(
        written.getvalue(), len(exported), sum(bool(advice.missing) for advice in exported)
    )


def _manifest(
    exported: Sequence[Exported], links: Sequence[AdviceSeal], about: About, key_id: str
) -> dict[str, Any]:
    """The manifest without the list of files."""
    return {
        "form": "tarazu-advice-manifest/1",
        "madeAt": about.made_at.astimezone(dt.UTC).isoformat(),
        "filter": dict(about.chosen_by),
        "advices": len(exported),
        "links": len(links),
        "first": links[0].seq,
        "last": links[-1].seq,
        "head": {"seq": about.head.seq, "hash": about.head.hash},
        "keyId": key_id,
    }


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
        link["package"] = _package_name(seal)
        if exported.missing:
            link["letterMissing"] = exported.missing
        else:
            link["letter"] = _letter_name(seal)
        if exported.signed is not None:
            signed = exported.signed
            link["letterSigned"] = {
                "sha256": signed.sha256,
                "keyId": signed.key_id,
                "signature": signed.signature,
            }
    return link


def _package_name(seal: AdviceSeal) -> str:
    return f"packages/{seal.seq:06}-{seal.advice_id}.json"


def _letter_name(seal: AdviceSeal) -> str:
    return f"letters/{seal.seq:06}-{seal.advice_id}.pdf"


def _delivery(advice: Exported) -> dict[str, Any]:
    state = advice.delivery
    return {
        "adviceId": str(advice.seal.advice_id),
        "status": state.status if state else None,
        "at": state.at.isoformat() if state else None,
        "error": state.error if state else None,
    }


def _json(value: Any) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=1, sort_keys=True) + "\n").encode()
