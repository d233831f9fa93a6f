"""The firm's texts to which clients consent, each with its versions."""

import datetime as dt
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy.orm import Session

from tarazu.kit import audit_log
from tarazu.kit.audit_log import Actor
from tarazu.kit.clock import day_in_india
from tarazu.kit.db import acquire_lock, new_id
from tarazu.kit.formatting import day_of
from tarazu.kit.locks import AdvisoryLock
from tarazu.kit.translation import Language
from tarazu.papers import queries
from tarazu.papers.errors import UnfitPaper
from tarazu.papers.tables import ConsentKind, ConsentText


@dataclass(frozen=True, slots=True)
class VersionedText:
    """A text with its versions, the newest first; `in_force` is None while none is."""

    kind: ConsentKind
    in_force: ConsentText | None
    versions: Sequence[ConsentText]


def texts_on(session: Session, today: dt.date) -> list[VersionedText]:
    """Every text, in the order of the kinds; one that was never entered has no version."""
    versions = queries.texts(session)
    return [
        _versioned(kind, [row for row in versions if row.kind is kind], today)
        for kind in ConsentKind
    ]


def add_text(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    kind: ConsentKind,
    effective_on: dt.date,
    text: str,
    text_hi: str,
) -> ConsentText:
    """Add a version of a text; from its day on, clients are asked to consent to it.

    Raises:
        UnfitPaper: its day is not after the last version's and not before today, or nothing changed.
    """
    acquire_lock(session, AdvisoryLock.PAPERS)
    versions, today = queries.texts(session, kind), day_in_india(now)
    if versions:
        last = versions[-1]
        if effective_on <= last.effective_on:
            raise UnfitPaper(
                "effectiveOn",
                f"Version {last.number} is in force from {day_of(last.effective_on)}. Choose a later "
                "day.",
            )
        if effective_on < today:
            raise UnfitPaper(
                "effectiveOn", "A new version is in force from today or from a later day."
            )
        if (text, text_hi) == (last.text, last.text_hi):
            raise UnfitPaper("text", f"This is the text of version {last.number}.")
    row = ConsentText(
        id=new_id(),
        kind=kind,
        number=len(versions) + 1,
        effective_on=effective_on,
        text=text,
        text_hi=text_hi,
        created_at=now,
        created_by=actor.account_id,
    )
    session.add(row)
    session.flush()
    changes = {
        "kind": kind,
        "number": row.number,
        "effectiveOn": effective_on,
        "sha256": hash_of(row, Language.EN),
        "sha256Hindi": hash_of(row, Language.HI) if text_hi else None,
    }
    audit_log.record(session, actor, now, "consent_text_added", ("consent_text", row.id), changes)
    return row


def shown_text(row: ConsentText, language: Language) -> tuple[str, Language]:
    """The text as it is shown in a language, and the language that it is in."""
    if language is Language.HI and row.text_hi:
        return row.text_hi, Language.HI
    return row.text, Language.EN


def hash_of(row: ConsentText, language: Language) -> str:
    """The SHA-256 of the text as it is shown in a language."""
    return hashlib.sha256(shown_text(row, language)[0].encode()).hexdigest()


def _versioned(kind: ConsentKind, versions: Sequence[ConsentText], today: dt.date) -> VersionedText:
    in_force = [row for row in versions if row.effective_on <= today]
    return VersionedText(kind, in_force[-1] if in_force else None, versions[::-1])
