"""Documents of entries: their kind is that of their content, whatever they are called."""

import datetime as dt
import hashlib
from dataclasses import dataclass
from typing import Final

from sqlalchemy.orm import Session

from tarazu.kit import audit_log
from tarazu.kit.audit_log import Actor
from tarazu.kit.fields import is_plain
from tarazu.registers import queries
from tarazu.registers.errors import DocumentNotFound, DocumentTooLarge, WrongDocument
from tarazu.registers.tables import RegisterFile

LARGEST_BYTES: Final = 2 << 20
_LONGEST_NAME: Final = 100
_KINDS: Final = (
    (b"%PDF-", b"%%EOF", "application/pdf", "pdf"),
    (b"\x89PNG\r\n\x1a\n", b"IEND", "image/png", "png"),
    (b"\xff\xd8\xff", b"\xff\xd9", "image/jpeg", "jpg"),
)
_LAST_BYTES: Final = 1_024


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A document as it was uploaded; `extension` is that of its kind."""

    sha256: str
    name: str
    media_type: str
    extension: str
    content: bytes


def store_file(
    session: Session, actor: Actor, now: dt.datetime, name: str, content: bytes
) -> RegisterFile:
    """Store a document by its hash; the same content again is the same document.

    Raises:
        DocumentTooLarge, WrongDocument: as for `keep_file`.
    """
    kept, is_new = keep_file(session, actor, now, name, content)
    if is_new:
        changes = {"name": kept.name, "bytes": len(content), "sha256": kept.sha256}
        about = ("register_file", kept.sha256)
        audit_log.record(session, actor, now, "file_uploaded", about, changes)
    return kept


def keep_file(
    session: Session, actor: Actor, now: dt.datetime, name: str, content: bytes
) -> tuple[RegisterFile, bool]:
    """As `store_file`, for a call that writes its own row in the audit trail; whether it is new.

    Raises:
        DocumentTooLarge: it has more than 2 MB.
        WrongDocument: it is not a whole PDF, PNG or JPEG.
    """
    if len(content) > LARGEST_BYTES:
        raise DocumentTooLarge
    media_type, _ = _kind_of(content)
    sha256 = hashlib.sha256(content).hexdigest()
    stored = queries.file_by_hash(session, sha256)
    if stored is not None:
        return stored, False
    shown = name if is_plain(name) else ""
    stored = RegisterFile(
        sha256=sha256,
        name=shown[-_LONGEST_NAME:] or "document",
        media_type=media_type,
        content=content,
        created_at=now,
        created_by=actor.account_id,
    )
    session.add(stored)
    session.flush()
    return stored, True


def stored_file(session: Session, sha256: str | None) -> StoredFile:
    """A document with its content.

    Raises:
        DocumentNotFound: there is none.
        LookupError: it was changed in the database.
    """
    stored = queries.file_by_hash(session, sha256) if sha256 else None
    if stored is None:
        raise DocumentNotFound
    if hashlib.sha256(stored.content).hexdigest() != stored.sha256:
        raise LookupError(f"The file {stored.sha256} was changed")
    media_type, extension = _kind_of(stored.content)
    return StoredFile(stored.sha256, stored.name, media_type, extension, stored.content)


def _kind_of(content: bytes) -> tuple[str, str]:
    end = content[-_LAST_BYTES:]
    for start, mark, media_type, extension in _KINDS:
        if content.startswith(start) and mark in end:
            return media_type, extension
    raise WrongDocument
