"""Evidence that an obligation was done: a file or a note, recorded when it is given and never before."""

import datetime as dt
import hashlib
import io
import json
import uuid
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy.orm import Session

from tarazu.domain.obligations.values import DatedInstance
from tarazu.kit import audit_log
from tarazu.kit.audit_log import Actor
from tarazu.kit.clock import day_in_india
from tarazu.kit.db import acquire_lock, new_id
from tarazu.kit.fields import is_plain
from tarazu.kit.locks import AdvisoryLock
from tarazu.obligations import queries
from tarazu.obligations.errors import (
    EvidenceNotFound,
    EvidenceTooEarly,
    FileTooLarge,
    InstanceNotFound,
    NoEvidence,
    NoteWithoutName,
    ObligationNotFound,
    WrongKindOfFile,
)
from tarazu.obligations.reading import all_versions, states_at
from tarazu.obligations.tables import Evidence, EvidenceKind, ObligationFile

LARGEST_BYTES: Final = 10 << 20
LONGEST_FILE_NAME: Final = 120
_BEGINNINGS: Final = (
    (b"%PDF-", "application/pdf"),
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
)
_WORKBOOK: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


@dataclass(frozen=True, slots=True)
class EvidenceGiven:
    """A file, a note with the name of who vouches for it, or both; empty where not given.

    `is_prepared`: the product made the file, and nothing is done by it yet.
    """

    instance: str
    name: str = ""
    note: str = ""
    file_name: str = ""
    content: bytes = b""
    is_prepared: bool = False

    @property
    def kind(self) -> EvidenceKind:
        """What is recorded of it."""
        if self.is_prepared:
            return EvidenceKind.PREPARED
        return EvidenceKind.FILE if self.content else EvidenceKind.NOTE


def record_evidence(
    session: Session, actor: Actor, now: dt.datetime, obligation_id: str, given: EvidenceGiven
) -> Evidence:
    """Record evidence of an instance, with its hash in the audit trail. It carries the time it is given.

    Raises:
        ObligationNotFound, InstanceNotFound: there is nothing of which it could be the evidence.
        EvidenceTooEarly: what it is of has not ended.
        NoEvidence, NoteWithoutName, FileTooLarge, WrongKindOfFile: it is no evidence.
    """
    acquire_lock(session, AdvisoryLock.OBLIGATIONS)
    dated = _instance(session, day_in_india(now), obligation_id, given.instance)
    if day_in_india(now) < dated.instance.opens_on:
        raise EvidenceTooEarly
    media_type = _checked(given)
    file_sha256 = hashlib.sha256(given.content).hexdigest() if given.content else None
    name, note = given.name.strip(), given.note.strip()
    said = (given.kind, name, note, file_sha256)
    same = queries.same_evidence(session, obligation_id, given.instance, said)
    if same is not None:
        # A double click, or a retry of a proxy: what was said once is not said twice.
        return same
    if file_sha256 is not None and queries.file(session, file_sha256) is None:
        session.add(ObligationFile(sha256=file_sha256, content=given.content))
        session.flush()
    row = Evidence(
        id=new_id(),
        obligation_id=obligation_id,
        instance=given.instance,
        kind=given.kind,
        name=name,
        note=note,
        file_name=_plain_name(given.file_name) if given.content else "",
        media_type=media_type,
        file_sha256=file_sha256,
        recorded_at=now,
        recorded_by=actor.account_id,
    )
    row.proof = proof_of(row)
    session.add(row)
    session.flush()
    changes = {
        "evidenceId": row.id,
        "instance": row.instance,
        "dueOn": dated.instance.due_on,
        "kind": row.kind,
        "name": row.name,
        "file": row.file_sha256,
        "proof": row.proof,
    }
    about = ("obligation", obligation_id)
    action = "obligation_file_made" if given.is_prepared else "obligation_evidenced"
    audit_log.record(session, actor, now, action, about, changes)
    return row


def record_prepared(
    session: Session, actor: Actor, now: dt.datetime, evidence_id: uuid.UUID
) -> Evidence:
    """Record a file that the product made as the evidence of its instance.

    Raises:
        EvidenceNotFound: there is no such file.
        InstanceNotFound: what it is of is no longer listed.
        LookupError: the file is missing, or was changed in the database.
    """
    row, content = evidence_file(session, evidence_id)
    if row.kind is not EvidenceKind.PREPARED:
        raise EvidenceNotFound
    given = EvidenceGiven(row.instance, note=row.note, file_name=row.file_name, content=content)
    return record_evidence(session, actor, now, row.obligation_id, given)


def instance_to_prepare(
    session: Session, now: dt.datetime, obligation_id: str, key: str
) -> DatedInstance:
    """The instance of which a file is to be made.

    Raises:
        ObligationNotFound, InstanceNotFound: there is none.
        EvidenceTooEarly: what it is of has not ended.
    """
    dated = _instance(session, day_in_india(now), obligation_id, key)
    if day_in_india(now) < dated.instance.opens_on:
        raise EvidenceTooEarly
    return dated


def proof_of(row: Evidence) -> str:
    """The SHA-256 of everything that a row of evidence says, the hash of its file included."""
    said = {
        "id": str(row.id),
        "obligation": row.obligation_id,
        "instance": row.instance,
        "name": row.name,
        "note": row.note,
        "fileName": row.file_name,
        "file": row.file_sha256,
        "recordedAt": row.recorded_at.astimezone(dt.UTC).isoformat(),
        "recordedBy": str(row.recorded_by),
    }
    canonical = json.dumps(said, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()


def evidence_file(session: Session, evidence_id: uuid.UUID) -> tuple[Evidence, bytes]:
    """The row of a piece of evidence, and its file.

    Raises:
        EvidenceNotFound: there is none, or it has no file.
        LookupError: the file is missing, or was changed in the database.
    """
    row = queries.evidence_by_id(session, evidence_id)
    if row is None or row.file_sha256 is None:
        raise EvidenceNotFound
    stored = queries.file(session, row.file_sha256)
    if stored is None or hashlib.sha256(stored.content).hexdigest() != row.file_sha256:
        raise LookupError(f"The file of evidence {evidence_id} is missing or was changed")
    return row, stored.content


def evidence_between(
    session: Session, since: dt.datetime, until: dt.datetime
) -> Sequence[Evidence]:
    """Evidence recorded in this time, `until` not included, oldest first."""
    return queries.evidence_between(session, since, until)


def _instance(session: Session, today: dt.date, obligation_id: str, key: str) -> DatedInstance:
    rows = all_versions(session).get(obligation_id)
    if rows is None:
        raise ObligationNotFound
    (state,) = states_at(session, today, {obligation_id: rows})
    found = next((one for one in state.instances if one.instance.key == key), None)
    if found is None:
        raise InstanceNotFound
    return found


def _checked(given: EvidenceGiven) -> str:
    """The media type of the file, by its content; "" without one."""
    if not given.content:
        if given.file_name or not given.note.strip():
            raise NoEvidence
        if not given.name.strip():
            raise NoteWithoutName
        return ""
    if len(given.content) > LARGEST_BYTES:
        raise FileTooLarge
    known = next((kind for start, kind in _BEGINNINGS if given.content.startswith(start)), "")
    if known:
        return known
    if given.content.startswith(b"PK"):
        return _workbook(given.content)
    try:
        text = given.content.decode()
    except UnicodeDecodeError as error:
        raise WrongKindOfFile from error
    if not is_plain(text.replace("\r", "").lstrip("\ufeff"), lines=True):
        raise WrongKindOfFile
    return "text/plain"


def _workbook(content: bytes) -> str:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            names = archive.namelist()
    except zipfile.BadZipFile as error:
        raise WrongKindOfFile from error
    if "xl/workbook.xml" not in names:
        raise WrongKindOfFile
    return _WORKBOOK


def _plain_name(name: str) -> str:
    """What the file was called, without a path."""
    last = name.replace("\\", "/").rsplit("/", 1)[-1]
    return "".join(letter for letter in last if is_plain(letter))[:LONGEST_FILE_NAME] or "file"
