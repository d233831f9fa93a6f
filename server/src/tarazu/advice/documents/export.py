"""Sealed advice as a zip that a third party can check without the product and without a secret."""

import datetime as dt
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from tarazu.advice.documents.letter_store import LetterSignature
from tarazu.advice.queries import Link
from tarazu.advice.tables import AdviceSeal
from tarazu.kit.mail import DeliveryState
from tarazu.kit.signed_archive import SignedArchive, json_of

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


class AdviceFiles(NamedTuple):
    """Where the sealed text and the letter of an advice are in the zip; "" for no letter."""

    package: str
    letter: str


class _Added(NamedTuple):
    """What the chain and the list of deliveries say of an advice that is in the zip."""

    advice_id: str
    missing: str
    signed: LetterSignature | None
    delivery: DeliveryState | None


class AdviceExport:
    """Writes sealed advice into an archive one by one, in the order of the sealing, then its chain."""

    def __init__(self, archive: SignedArchive) -> None:
        self._archive = archive
        self._added: dict[int, _Added] = {}

    @property
    def missing(self) -> int:
        """How many letters are left out."""
        return sum(bool(added.missing) for added in self._added.values())

    def add(self, advice: Exported) -> AdviceFiles:
        """Write the sealed text of an advice and its letter."""
        seal = advice.seal
        files = AdviceFiles(_package_name(seal), _letter_name(seal) if advice.letter else "")
        self._archive.put(files.package, seal.package.encode())
        if advice.letter:
            self._archive.put(files.letter, advice.letter)
        self._added[seal.seq] = _Added(
            str(seal.advice_id), advice.missing, advice.signed, advice.delivery
        )
        return files

    def end(self, links: Iterable[AdviceSeal], about: About, key_id: str) -> dict[str, Any]:
        """Write the chain, the keys and the script that checks them; the manifest so far.

        Args:
            links: all seals from the first in the zip to the last, in their order.
            about: of the export.
            key_id: of the key that signs the manifest.
        """
        numbers: list[int] = []
        archive, used = self._archive, {key_id}
        with archive.opened("chain.json") as write:
            start = {"form": "tarazu-advice-export/2", "exported": len(self._added)}
            write(json.dumps(start)[:-1] + ', "links": [')
            for seal in links:
                added = self._added.get(seal.seq)
                used |= {seal.key_id} | ({added.signed.key_id} if added and added.signed else set())
                write(",\n" if numbers else "\n")
                write(json.dumps(_link(seal, added), ensure_ascii=False, sort_keys=True))
                numbers.append(seal.seq)
            write("]}\n")
        archive.put("README.txt", README.format(key=key_id).encode())
        archive.put("verify.py", SCRIPT.read_bytes())
        public = {each: key for each, key in about.keys.items() if each in used}
        archive.put("public-keys.json", json_of(public))
        archive.put("deliveries.json", json_of([_delivery(one) for one in self._added.values()]))
        return {
            "form": "tarazu-advice-manifest/1",
            "madeAt": about.made_at.astimezone(dt.UTC).isoformat(),
            "filter": dict(about.chosen_by),
            "advices": len(self._added),
            "links": len(numbers),
            "first": numbers[0] if numbers else None,
            "last": numbers[-1] if numbers else None,
            "head": {"seq": about.head.seq, "hash": about.head.hash},
            "keyId": key_id,
        }


def _link(seal: AdviceSeal, added: _Added | None) -> dict[str, Any]:
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
    if added is not None:
        link["package"] = _package_name(seal)
        if added.missing:
            link["letterMissing"] = added.missing
        else:
            link["letter"] = _letter_name(seal)
        if added.signed is not None:
            signed = added.signed
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


def _delivery(added: _Added) -> dict[str, Any]:
    state = added.delivery
    return {
        "adviceId": added.advice_id,
        "status": state.status if state else None,
        "at": state.at.isoformat() if state else None,
        "error": state.error if state else None,
    }
