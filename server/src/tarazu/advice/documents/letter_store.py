"""The stored letters of sealed advice, and what can be done when one was removed.

A letter comes from the sealed text alone, and the same text gives the same bytes, so a letter that
was removed from the database can be set again. Its SHA-256, signed with the advice's link and noted
in the audit trail, guards against another letter in its place.
"""

import datetime as dt
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

import structlog
from sqlalchemy.orm import Session

from tarazu.advice import queries, sealing
from tarazu.advice.documents.letter import Pictures, letter_of
from tarazu.advice.documents.message import draft_of
from tarazu.advice.errors import AdviceNotSealed, LetterLost
from tarazu.advice.links import mail_links
from tarazu.advice.sealing import SealedAdvice
from tarazu.advice.tables import AdviceLetter, AdviceSeal
from tarazu.firm import service as firm
from tarazu.kit import audit_log, mail, signing
from tarazu.kit.audit_log import SYSTEM
from tarazu.kit.db import Database
from tarazu.kit.pdf import SetPdf, pdf_of
from tarazu.kit.signing import Signer

log = structlog.get_logger()

LETTERS_AT_ONCE = 20
LETTER_FAULTS = (AdviceNotSealed, RuntimeError, OSError, ValueError, LookupError, TypeError)
"""What a letter can fail with; the typesetter raises `RuntimeError`."""
LETTER_SET = "advice_letter_set"
SET_AGAIN = "advice_letter_set_again"


class LetterState(StrEnum):
    """`STORED`: in the database. `DUE`: not set yet. `REMOVED`: can be set again as it was.

    `LOST`: removed, and the letter set from the sealed text now is not the same file.
    """

    STORED = "STORED"
    DUE = "DUE"
    REMOVED = "REMOVED"
    LOST = "LOST"


@dataclass(frozen=True, slots=True)
class LetterSignature:
    """A letter's hash, signed together with the link of its advice; as in `AdviceLetter`."""

    sha256: str
    key_id: str
    signature: str


@dataclass(frozen=True, slots=True)
class StoredLetter:
    """A letter and its state; `content` is empty where it is due or lost."""

    state: LetterState
    content: bytes = b""
    signed: LetterSignature | None = None


@dataclass(frozen=True, slots=True)
class _NewLetter:
    advice_hash: str
    sealed: SealedAdvice
    content: bytes


def stored_letter(session: Session, seal: AdviceSeal) -> StoredLetter:
    """The letter of an advice; one that was removed is set again for comparison."""
    row = queries.letter_of(session, seal.advice_id)
    if row is not None:
        signed = LetterSignature(row.sha256, row.key_id, row.signature)
        return StoredLetter(LetterState.STORED, row.letter, signed)
    if queries.is_letter_due(session, seal.advice_id):
        return StoredLetter(LetterState.DUE)
    sealed = sealing.from_text(seal.package)
    try:
        content = letter_of(sealed, _pictures_of(session, sealed))
    except LookupError:  # its logo or signature is missing
        return StoredLetter(LetterState.LOST)
    digest = sealing.digest_of(content)
    if digest != noted_digest(session, seal.advice_id):
        return StoredLetter(LetterState.LOST)
    signed = _signed(signing.signer_of(session), seal.hash, digest)
    return StoredLetter(LetterState.REMOVED, content, signed)


def noted_digest(session: Session, advice_id: uuid.UUID) -> str | None:
    """The SHA-256 of a letter as the audit trail noted it when the letter was set."""
    noted = audit_log.changes_of(session, {LETTER_SET}, str(advice_id))
    return noted.get("letter") if noted else None


def letter_file(session: Session, advice_id: uuid.UUID) -> tuple[str, bytes]:
    """File name and PDF of an advice's letter; set now where it is due or was removed.

    Raises:
        AdviceNotSealed: the advice has no seal.
        LetterLost: the letter was removed, and set again it is not the same file.
    """
    seal = queries.seal_of(session, advice_id)
    if seal is None:
        raise AdviceNotSealed
    letter = stored_letter(session, seal)
    if letter.state is LetterState.LOST:
        raise LetterLost
    sealed = sealing.from_text(seal.package)
    content = letter.content or letter_of(sealed, _pictures_of(session, sealed))
    return sealed.letter.file_name, content


def set_letters_due(
    database: Database,
    now: dt.datetime,
    limit: int = LETTERS_AT_ONCE,
    set_pdf: SetPdf = pdf_of,
    failed: set[uuid.UUID] | None = None,
    address: str = "",
) -> int:
    """Set letters that are due and release their mails; how many were set.

    It may be killed at any point and run in several processes: each letter is stored once. A letter
    that cannot be set stays due and does not hold up the others: its advice is added to `failed`,
    and advices in `failed` are not tried. With an `address` at which clients find the product, each
    mail has a link to the client's page, unless the firm mails none.
    """
    failed = set() if failed is None else failed
    letters: dict[uuid.UUID, _NewLetter] = {}
    while not letters:
        with database.reading() as session:
            due = queries.letters_due(session, limit, failed)
            seals = {advice_id: queries.seal_of(session, advice_id) for advice_id in due}
        if not due:
            return 0
        for advice_id, seal in seals.items():
            try:
                letters[advice_id] = _new_letter(database, seal, set_pdf)
            except LETTER_FAULTS as error:
                failed.add(advice_id)
                log.exception("letter_failed", advice_id=str(advice_id), error=type(error).__name__)
    with database.transaction() as session:
        mine = queries.take_letters_due(session, letters.keys())
        _store(session, {key: letters[key] for key in letters if key in mine}, address, now)
    return len(mine)


def _new_letter(database: Database, seal: AdviceSeal | None, set_pdf: SetPdf) -> _NewLetter:
    if seal is None:
        raise AdviceNotSealed
    sealed = sealing.from_text(seal.package)
    with database.reading() as session:
        pictures = _pictures_of(session, sealed)
    return _NewLetter(seal.hash, sealed, letter_of(sealed, pictures, set_pdf))


def _pictures_of(session: Session, sealed: SealedAdvice) -> Pictures:
    """The logo and the signature of the time of the sealing."""
    return Pictures(
        firm.image_of(session, sealed.firm.logo), firm.image_of(session, sealed.firm.signature)
    )


def _store(
    session: Session, letters: Mapping[uuid.UUID, _NewLetter], address: str, now: dt.datetime
) -> None:
    signer = signing.signer_of(session)
    urls = {key: link.url for key, link in mail_links(session, address, letters, now).items()}
    changes = []
    drafts = {}
    for advice_id, letter in letters.items():
        signed = _signed(signer, letter.advice_hash, sealing.digest_of(letter.content))
        session.add(_row(advice_id, now, letter.content, signed))
        changes.append((("advice", advice_id), {"letter": signed.sha256}))
        drafts[letter.sealed.delivery.mail_id] = draft_of(
            letter.sealed, letter.content, urls.get(advice_id, "")
        )
    session.flush()
    mail.complete(session, drafts)
    audit_log.record_many(session, SYSTEM, now, LETTER_SET, changes)


def restore_letters(session: Session, now: dt.datetime) -> tuple[list[uuid.UUID], list[uuid.UUID]]:
    """Store removed letters again; the advices whose letters were restored, and whose are lost."""
    restored, lost = [], []
    for seal in queries.seals_without_letter(session):
        letter = stored_letter(session, seal)
        if letter.state is not LetterState.REMOVED or letter.signed is None:
            lost.append(seal.advice_id)
            continue
        session.add(_row(seal.advice_id, now, letter.content, letter.signed))
        restored.append(seal.advice_id)
        changes = {"letter": letter.signed.sha256}
        audit_log.record(session, SYSTEM, now, SET_AGAIN, ("advice", seal.advice_id), changes)
    return restored, lost


def _signed(signer: Signer, advice_hash: str, digest: str) -> LetterSignature:
    signature = signer.sign(sealing.letter_link_of(advice_hash, digest))
    return LetterSignature(digest, signer.key_id, signature)


def _row(
    advice_id: uuid.UUID, now: dt.datetime, content: bytes, signed: LetterSignature
) -> AdviceLetter:
    return AdviceLetter(
        advice_id=advice_id,
        set_at=now,
        letter=content,
        sha256=signed.sha256,
        key_id=signed.key_id,
        signature=signed.signature,
    )
