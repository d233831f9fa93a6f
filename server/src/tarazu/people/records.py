"""What staff and clients have in common: e-mail addresses, edits, deletions, search texts."""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy.orm import Session

from tarazu.kit import audit_log
from tarazu.kit.audit_log import Actor
from tarazu.kit.db import acquire_lock, new_id
from tarazu.kit.errors import StaleVersion
from tarazu.kit.locks import AdvisoryLock
from tarazu.kit.translation import Language
from tarazu.people import queries
from tarazu.people.errors import (
    EmailTaken,
    EmailTakenMeanwhile,
    SampleStatus,
)
from tarazu.people.tables import ClientKind, Person, Role, Status

CLIENT_ROLES = frozenset({Role.CLIENT})
STAFF_ROLES = frozenset({Role.ADMIN, Role.USER})
EMAILS_AT_ONCE = 500
"""A statement can hold only so many values."""


@dataclass(frozen=True, slots=True)
class NewPerson:
    """What is known of a person when the record is made."""

    name: str
    email: str
    contact_number: str = ""
    country_code: str = "+91"
    address: str = ""
    born_on: dt.date | None = None
    language: Language = Language.EN


def emails_taken(session: Session, emails: Sequence[str]) -> set[str]:
    """Those of `emails` that a live record has."""
    return {
        email
        for start in range(0, len(emails), EMAILS_AT_ONCE)
        for email in queries.emails_taken(session, emails[start : start + EMAILS_AT_ONCE])
    }


def check_version(person: Person, version: int | None) -> None:
    if version is not None and version != person.version:
        raise StaleVersion


def set_columns(person: Person, values: Mapping[str, object]) -> dict[str, list[object]]:
    """Set columns; what changed as `[before, after]` by the name on the wire.

    Raises:
        SampleStatus: the status SAMPLE would be given to another, or changed.
    """
    status = values.get("status", person.status)
    if status != person.status and Status.SAMPLE in {status, person.status}:
        raise SampleStatus
    changes: dict[str, list[object]] = {}
    for column, value in values.items():
        before = getattr(person, column)
        if before != value:
            setattr(person, column, value)
            changes[_WIRE_NAMES.get(column, column)] = [before, value]
    return changes


_WIRE_NAMES = {
    "contact_number": "contactNumber",
    "country_code": "countryCode",
    "born_on": "dob",
    "accredited_from": "accreditedFrom",
    "accredited_until": "accreditedUntil",
}


def save_edit(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    person: Person,
    changes: Mapping[str, object],
) -> None:
    # An edit that changes nothing makes nobody else's copy old.
    if not changes:
        return
    person.search_text = search_text_of(person)
    person.version += 1
    session.flush()
    _record_change(session, actor, now, person, "edited", changes)


def delete_record(session: Session, actor: Actor, now: dt.datetime, person: Person) -> None:
    person.deleted_at = now
    person.deleted_by = actor.account_id
    person.version += 1
    session.flush()
    _record_change(session, actor, now, person, "deleted", {"deletedAt": [None, now]})


def restore_record(session: Session, actor: Actor, now: dt.datetime, person: Person) -> None:
    if person.deleted_at is None:
        return
    acquire_lock(session, AdvisoryLock.EMAILS)
    if queries.emails_taken(session, [person.email]):
        raise EmailTakenMeanwhile
    changes = {"deletedAt": [person.deleted_at, None]}
    person.deleted_at = None
    person.deleted_by = None
    person.version += 1
    session.flush()
    _record_change(session, actor, now, person, "restored", changes)


def _record_change(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    person: Person,
    what: str,
    changes: Mapping[str, object],
) -> None:
    is_client = person.role == Role.CLIENT
    action = f"{'client' if is_client else 'staff'}_{what}"
    kind = "client" if is_client else "user"
    audit_log.record(session, actor, now, action, (kind, person.id), changes)


def search_text_of(person: Person) -> str:
    parts = (person.name, person.email, person.contact_number, person.client_code)
    return " ".join(part for part in parts if part).casefold()


def new_record(new: NewPerson, role: Role, now: dt.datetime) -> Person:
    person = Person(
        id=new_id(),
        role=role,
        name=new.name,
        search_text="",
        email=new.email,
        country_code=new.country_code,
        contact_number=new.contact_number,
        status=Status.ACTIVE,
        awaits_approval=False,
        address=new.address,
        born_on=new.born_on,
        must_change_password=False,
        created_at=now,
        version=1,
        family="",
        kind=ClientKind.INDIVIDUAL,
        language=new.language,
    )
    person.search_text = search_text_of(person)
    return person


def check_emails_free(session: Session, emails: Sequence[str]) -> None:
    # Two records added at once must not both find the address free.
    acquire_lock(session, AdvisoryLock.EMAILS)
    taken = queries.emails_taken(session, emails)
    for place, email in enumerate(emails):
        if email in taken or email in emails[:place]:
            row = "" if len(emails) == 1 else f"Row {place + 1}: "
            fault = {"field": f"{place}.email", "message": EmailTaken.message}
            raise EmailTaken(f"{row}{EmailTaken.message}", errors=[fault])
