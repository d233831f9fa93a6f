"""The letter of a sealed advice: where it is kept, and what can be done if it was removed.

A letter comes out of the sealed text alone, and the same text gives the same bytes, so that one
that was removed from the database can be set again. What guards against another letter in its place
is its SHA-256: in the seal, or for a letter that was set after the sealing in the audit trail.
"""

import datetime as dt
import uuid
from dataclasses import dataclass
from enum import StrEnum

from sqlalchemy.orm import Session

from tarazu.advice import queries, sealing
from tarazu.advice.documents.letter import letter_of
from tarazu.advice.errors import AdviceNotSealed, LetterLost
from tarazu.advice.sealing import SealedAdvice, contents_of
from tarazu.advice.tables import Advice, AdviceLetter, AdviceSeal
from tarazu.kit import audit_log, signing
from tarazu.kit.audit_log import SYSTEM
from tarazu.kit.signing import Signer

LETTER_SET = "advice_letter_set"
SET_AGAIN = "advice_letter_set_again"


class LetterState(StrEnum):
    """`KEPT`: in the database. `DUE`: still to be set. `AGAIN`: removed, and set again as it was.

    `LOST`: removed, and what is set from the sealed text now is not the same file.
    """

    KEPT = "KEPT"
    DUE = "DUE"
    AGAIN = "AGAIN"
    LOST = "LOST"


@dataclass(frozen=True, slots=True)
class Signed:
    """What is signed of a letter that is kept beside its seal; as `AdviceLetter` says."""

    sha256: str
    key_id: str
    signature: str


@dataclass(frozen=True, slots=True)
class KeptLetter:
    """A letter as it stands; `content` is empty where it is due or lost."""

    standing: LetterState
    content: bytes = b""
    signed: Signed | None = None


def look_up(session: Session, advice: Advice, seal: AdviceSeal, sealed: SealedAdvice) -> KeptLetter:
    """Where the letter of an advice stands; one that was removed is set once more to see."""
    if advice.letter:
        return KeptLetter(LetterState.KEPT, advice.letter)
    kept = queries.letter_of(session, advice.id)
    if kept is not None:
        signed = Signed(kept.sha256, kept.key_id, kept.signature)
        return KeptLetter(LetterState.KEPT, kept.letter, signed)
    if queries.is_letter_due(session, advice.id):
        return KeptLetter(LetterState.DUE)
    content = letter_of(contents_of(sealed))
    digest = sealing.digest_of(content)
    if digest != (sealed.letter.sha256 or digest_noted(session, advice.id)):
        return KeptLetter(LetterState.LOST)
    signed = signed_by(signing.signer_of(session), seal.hash, digest)
    return KeptLetter(LetterState.AGAIN, content, signed)


def digest_noted(session: Session, advice_id: uuid.UUID) -> str | None:
    """The SHA-256 of a letter set after the sealing, as the audit trail noted it then."""
    noted = audit_log.changes_of(session, {LETTER_SET}, str(advice_id))
    return noted.get("letter") if noted else None


def signed_by(signer: Signer, advice_hash: str, digest: str) -> Signed:
    """A letter's hash, signed together with the link of its advice."""
    signature = signer.sign(sealing.letter_link_of(advice_hash, digest))
    return Signed(digest, signer.key_id, signature)


def letter_of_sealed(session: Session, advice: Advice) -> tuple[str, bytes]:
    """File name and PDF of a sealed advice; set now where it is due or was removed.

    Raises:
        AdviceNotSealed: it has no seal.
        LetterLost: it was removed, and does not come out as it was.
    """
    seal = queries.seal_of(session, advice.id)
    if seal is None:
        raise AdviceNotSealed
    sealed = sealing.from_text(seal.package)
    found = look_up(session, advice, seal, sealed)
    if found.standing is LetterState.LOST:
        raise LetterLost
    name = sealed.letter.file_name
    return name, found.content or letter_of(contents_of(sealed))


def restore(session: Session, now: dt.datetime) -> tuple[list[uuid.UUID], list[uuid.UUID]]:
    """Keep the letters again that were removed: which were set again, and which are lost."""
    again, lost = [], []
    for advice_id in queries.sealed_without_letter(session):
        advice, seal = queries.advice_by_id(session, advice_id), queries.seal_of(session, advice_id)
        if advice is None or seal is None:
            continue  # A verification names it; there is nothing to set a letter from.
        found = look_up(session, advice, seal, sealing.from_text(seal.package))
        if found.standing is not LetterState.AGAIN or found.signed is None:
            lost.append(advice_id)
            continue
        session.add(letter_row(advice_id, now, found.content, found.signed))
        again.append(advice_id)
        about = {"letter": found.signed.sha256}
        audit_log.record(session, SYSTEM, now, SET_AGAIN, ("advice", advice_id), about)
    return again, lost


def letter_row(
    advice_id: uuid.UUID, now: dt.datetime, content: bytes, signed: Signed
) -> AdviceLetter:
    """A letter as it is kept beside its seal."""
    return AdviceLetter(
        advice_id=advice_id,
        set_at=now,
        letter=content,
        sha256=signed.sha256,
        key_id=signed.key_id,
        signature=signed.signature,
    )
