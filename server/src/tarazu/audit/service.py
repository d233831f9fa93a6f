"""The audit trail as an inspector reads it: its rows, and whether it is as it was written."""

import datetime as dt
import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import structlog
from sqlalchemy.orm import Session

from tarazu.audit import queries
from tarazu.audit.queries import AuditFilter
from tarazu.kit import audit_log
from tarazu.kit.audit_log import AuditRow, Checked, Head
from tarazu.people import service as people

log = structlog.get_logger()

PAIR = 2
PEOPLE = {"client", "user"}
"""The kinds of records that are people, whose names are told with their ids."""


@dataclass(frozen=True, slots=True)
class Change:
    """One field, before and after; `before` is None where only one value is told."""

    field: str
    before: str | None
    after: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One row, readable: `who` and `record_name` are "" where nobody has that name."""

    row: AuditRow
    who: str
    record_name: str
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class Choices:
    """What the trail can be filtered by: everything that occurs in it."""

    people: Mapping[uuid.UUID, str]
    actions: Sequence[str]
    kinds: Sequence[str]


def entries(
    session: Session, wanted: AuditFilter, skipped: int, limit: int
) -> tuple[list[Entry], int]:
    """One page of the trail, newest first, and how many rows match."""
    rows = queries.rows_matching(session, wanted, skipped, limit)
    ids = {row.account_id for row in rows if row.account_id is not None}
    ids |= {found for row in rows if (found := _person_of(row)) is not None}
    names = people.names_of(session, ids)
    return [_entry(row, names) for row in rows], queries.count_matching(session, wanted)


def choices(session: Session) -> Choices:
    """Names, acts and kinds of records that occur in the trail."""
    names = people.names_of(session, queries.accounts(session))
    return Choices(
        dict(sorted(names.items(), key=lambda one: one[1])),
        queries.actions(session),
        queries.kinds(session),
    )


def verify(session: Session, heads_file: Path) -> Checked:
    """Walk the whole trail, against the ends that were noted as well."""
    return audit_log.verify(session, noted_heads(heads_file))


def note_head(session: Session, heads_file: Path, now: dt.datetime) -> None:
    """Write down where the trail ends, in the log and in a file outside the database."""
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
    """One sentence where the trail lacks a row that was noted as its end; None where it has all."""
    lost = audit_log.lost_head(session, noted_heads(heads_file))
    if lost is None:
        return None
    return (
        f"The database is older than it was: row {lost.seq} of the audit trail was noted when it was "
        "written and is not there now. Changes that were saved may be lost: an administrator should "
        "run tarazu doctor and compare with the last backup."
    )


def noted_heads(heads_file: Path) -> list[Head]:
    """The ends that were written down, oldest first; a line that cannot be read is left out."""
    if not heads_file.is_file():
        return []
    heads = []
    for line in heads_file.read_text(encoding="utf-8").splitlines():
        try:
            noted = json.loads(line)
            heads.append(Head(int(noted["seq"]), str(noted["hash"])))
        except (ValueError, KeyError, TypeError):
            # A start that was killed while it wrote leaves half a line: the next day has another.
            continue
    return heads


def _entry(row: AuditRow, names: Mapping[uuid.UUID, str]) -> Entry:
    person = _person_of(row)
    return Entry(
        row,
        names.get(row.account_id, "") if row.account_id else "",
        names.get(person, "") if person else "",
        tuple(_change(name, value) for name, value in json.loads(row.changes).items()),
    )


def _person_of(row: AuditRow) -> uuid.UUID | None:
    if row.kind not in PEOPLE:
        return None
    try:
        return uuid.UUID(row.record_id)
    except ValueError:
        # "unknown": somebody asked for a link for an address that nobody has.
        return None


def _change(name: str, value: Any) -> Change:
    if isinstance(value, list) and len(value) == PAIR:
        return Change(name, _told(value[0]), _told(value[1]))
    return Change(name, None, _told(value))


def _told(value: Any) -> str:
    """A value as a person reads it."""
    match value:
        case None | "" | [] | {}:
            return "–"
        case bool():
            return "yes" if value else "no"
        case list():
            return ", ".join(_told(one) for one in value)
        case dict():
            return ", ".join(f"{name}: {_told(one)}" for name, one in value.items())
        case _:
            return str(value)
