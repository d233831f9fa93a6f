"""The audit trail for inspectors: its rows, and whether it is unchanged."""

import datetime as dt
import json
import uuid
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import structlog
from sqlalchemy.orm import Session

from tarazu.audit import queries
from tarazu.audit.queries import AuditFilter
from tarazu.audit.sentences import sentence_of
from tarazu.audit.stream import stall_of
from tarazu.kit import audit_log
from tarazu.kit.audit_log import AuditRow, Head, TrailCheck
from tarazu.people import service as people

log = structlog.get_logger()

PAIR = 2
PEOPLE = {"client", "user"}
"""The kinds of records that are people; their names are shown with their ids."""


@dataclass(frozen=True, slots=True)
class FieldChange:
    """A field before and after; `before` is None for a field with one value."""

    field: str
    before: str | None
    after: str


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """A row with names and texts.

    `who` and `record_name` are "" if they are not people; `record_name` is also the name of the
    client that a record belongs to.
    """

    row: AuditRow
    who: str
    record_name: str
    sentence: str
    changes: tuple[FieldChange, ...]


@dataclass(frozen=True, slots=True)
class AuditPerson:
    id: uuid.UUID
    name: str


@dataclass(frozen=True, slots=True)
class FilterChoices:
    """The people, actions and kinds of records in the trail, to filter by."""

    people: Sequence[AuditPerson]
    actions: Sequence[str]
    kinds: Sequence[str]


def entries(session: Session, filters: AuditFilter) -> tuple[list[AuditEntry], int]:
    """One page of the trail, newest first, and how many rows match."""
    rows = queries.rows_matching(session, filters)
    ids = {row.account_id for row in rows if row.account_id is not None}
    ids |= {person for row in rows if (person := _person_of(row)) is not None}
    names = people.names_of(session, ids)
    return [_entry(row, names) for row in rows], queries.count_matching(session, filters)


def entries_between(
    session: Session,
    since: dt.datetime,
    until: dt.datetime,
    client_id: uuid.UUID | None = None,
    records: Collection[str] = (),
) -> Iterator[AuditEntry]:
    """The rows of this time, oldest first: all, or those about a client and these records of it."""
    names: dict[uuid.UUID, str] = {}
    for row in queries.rows_between(session, since, until):
        is_about = _person_of(row) == client_id or row.record_id in records
        if client_id is not None and not is_about:
            continue
        ids = {row.account_id, _person_of(row)} - {None} - names.keys()
        names |= people.names_of(session, [one for one in ids if one is not None])
        yield _entry(row, names)


def choices(session: Session) -> FilterChoices:
    """The people, actions and kinds of records in the trail."""
    names = people.names_of(session, queries.accounts(session))
    persons = [AuditPerson(account_id, name) for account_id, name in names.items()]
    return FilterChoices(
        sorted(persons, key=lambda person: person.name),
        queries.actions(session),
        queries.kinds(session),
    )


def verify(session: Session, heads_file: Path) -> TrailCheck:
    """Check the whole trail, also against the noted last rows."""
    return audit_log.verify(session, noted_heads(heads_file))


def note_head(session: Session, heads_file: Path, now: dt.datetime) -> None:
    """Write the last row of the trail to the log and to a file outside the database."""
    head = audit_log.head_of(session)
    if head is None:
        return
    log.info("audit_head", seq=head.seq, hash=head.hash)
    noted = noted_heads(heads_file)
    if noted and noted[-1] == head:
        return
    heads_file.parent.mkdir(parents=True, exist_ok=True)
    line = {"at": now.isoformat(), "seq": head.seq, "hash": head.hash}
    with heads_file.open("a", encoding="utf-8") as opened:
        opened.write(json.dumps(line) + "\n")


def loss_noted(session: Session, heads_file: Path) -> str | None:
    """A sentence if a row that was noted as the last one is missing; None otherwise."""
    lost = audit_log.lost_head(session, noted_heads(heads_file))
    if lost is None:
        return None
    return (
        f"The database is older than it was: row {lost.seq} of the audit trail was noted when it was "
        "written and is missing now. Changes that were saved may be lost: an administrator should "
        "run tarazu doctor and compare with the last backup."
    )


def noted_heads(heads_file: Path) -> list[Head]:
    """The noted last rows, oldest first; unreadable lines are skipped."""
    if not heads_file.is_file():
        return []
    heads = []
    for line in heads_file.read_text(encoding="utf-8").splitlines():
        try:
            noted = json.loads(line)
            heads.append(Head(int(noted["seq"]), str(noted["hash"])))
        except (ValueError, KeyError, TypeError):
            # A process killed while writing leaves half a line; the next day adds another.
            continue
    return heads


def _entry(row: AuditRow, names: Mapping[uuid.UUID, str]) -> AuditEntry:
    person, changes = _person_of(row), json.loads(row.changes)
    name = names.get(person, "") if person else ""
    return AuditEntry(
        row,
        names.get(row.account_id, "") if row.account_id else "",
        name,
        sentence_of(row.action, name, changes),
        tuple(_change(field, value) for field, value in changes.items()),
    )


def _person_of(row: AuditRow) -> uuid.UUID | None:
    """The person whom a row is about, or to whose books its record belongs."""
    text = row.record_id
    if row.kind not in PEOPLE:
        text = json.loads(row.changes).get("clientId", "")
    try:
        return uuid.UUID(text)
    except (ValueError, TypeError, AttributeError):
        # "unknown": a link was requested for an address that nobody has.
        return None


def _change(name: str, value: Any) -> FieldChange:
    if isinstance(value, list) and len(value) == PAIR:
        return FieldChange(name, _text_of(value[0]), _text_of(value[1]))
    return FieldChange(name, None, _text_of(value))


def _text_of(value: Any) -> str:
    """The value as text for a person."""
    match value:
        case None | "" | [] | {}:
            return "–"
        case bool():
            return "yes" if value else "no"
        case list():
            return ", ".join(_text_of(item) for item in value)
        case dict():
            return ", ".join(f"{name}: {_text_of(item)}" for name, item in value.items())
        case _:
            return str(value)
