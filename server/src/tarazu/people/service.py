"""Records of people: staff and clients, their codes, their search."""

import datetime as dt
import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy.orm import Session

from tarazu.domain import codes
from tarazu.kit import trail
from tarazu.kit.db import new_id
from tarazu.kit.trail import Actor
from tarazu.people import queries
from tarazu.people.errors import ClientNotFound, EmailTaken, NoCodesLeft
from tarazu.people.tables import Person, Role, Status

STAFF_ROLES = frozenset({Role.ADMIN, Role.USER})


@dataclass(frozen=True, slots=True)
class NewPerson:
    """What is known of a person when the record is made."""

    name: str
    email: str
    contact_number: str = ""
    country_code: str = "+91"
    address: str = ""
    born_on: dt.date | None = None


@dataclass(frozen=True, slots=True)
class Login:
    """What a new account signs in as, and with."""

    role: Role
    password_hash: str
    awaits: bool = False
    must_change: bool = False


@dataclass(frozen=True, slots=True)
class Staff:
    """An account that may sign in."""

    id: uuid.UUID
    role: Role
    name: str
    email: str
    is_active: bool
    awaits_approval: bool
    password_hash: str | None
    must_change_password: bool


@dataclass(frozen=True, slots=True)
class Client:
    id: uuid.UUID
    code: str
    name: str
    email: str
    country_code: str
    contact_number: str
    address: str
    born_on: dt.date | None
    status: Status


@dataclass(frozen=True, slots=True)
class ClientCard:
    """As much of a client as a list shows."""

    id: uuid.UUID
    code: str
    name: str
    status: Status


def add_staff(
    session: Session, actor: Actor, now: dt.datetime, new: NewPerson, login: Login
) -> Staff:
    """Make an account that may sign in; one that awaits approval is inactive until then.

    Raises:
        EmailTaken: a live record has this e-mail address.
    """
    _refuse_taken(session, [new.email])
    person = _record(new, login.role, now)
    person.status = Status.INACTIVE if login.awaits else Status.ACTIVE
    person.awaits_approval = login.awaits
    person.password_hash = login.password_hash
    person.password_changed_at = now
    person.must_change_password = login.must_change
    session.add(person)
    session.flush()
    changes = {"role": login.role, "status": person.status}
    trail.record(session, actor, now, "staff_added", ("user", person.id), changes)
    return _staff(person)


def add_clients(
    session: Session, actor: Actor, now: dt.datetime, new: Sequence[NewPerson]
) -> list[Client]:
    """Add all of these clients or none, with the next codes in order.

    Raises:
        EmailTaken: a live record, or another row, has an e-mail address of these.
        NoCodesLeft: C9999 is taken.
    """
    _refuse_taken(session, [one.email for one in new])
    last = queries.take_code_numbers(session, len(new))
    added: list[Person] = []
    for number, one in enumerate(new, start=last - len(new) + 1):
        person = _record(one, Role.CLIENT, now)
        try:
            person.client_code = codes.client_code(number)
        except codes.ClientCodesExhausted as error:
            raise NoCodesLeft from error
        person.search_text += f" {person.client_code.casefold()}"
        added.append(person)
    session.add_all(added)
    session.flush()
    for person in added:
        changes = {"clientId": person.client_code}
        trail.record(session, actor, now, "client_added", ("client", person.id), changes)
    return [_client(person) for person in added]


def has_staff(session: Session) -> bool:
    """Whether the installation has an account that may sign in."""
    return queries.has_staff(session)


def has_clients(session: Session) -> bool:
    """Whether the installation ever had a client."""
    return queries.has_clients(session)


def staff_by_email(session: Session, email: str) -> Staff | None:
    """The record that signs in with `email`, clients included, or None."""
    person = queries.person_by_email(session, email)
    return _staff(person) if person else None


def staff_by_id(session: Session, person_id: uuid.UUID) -> Staff | None:
    person = queries.person_by_id(session, person_id)
    return _staff(person) if person else None


def set_password_hash(
    session: Session, person_id: uuid.UUID, password_hash: str, *, must_change: bool
) -> None:
    """Keep a new hash for an account."""
    person = queries.person_by_id(session, person_id)
    if person is not None:
        person.password_hash = password_hash
        person.must_change_password = must_change
        session.flush()


def client(session: Session, client_id: uuid.UUID) -> Client:
    """The live client with this id.

    Raises:
        ClientNotFound: there is none, or it is deleted, or it is staff.
    """
    person = queries.client_by_id(session, client_id)
    if person is None:
        raise ClientNotFound
    return _client(person)


def client_by_code(session: Session, code: str) -> Client | None:
    """The live client with this code, or None."""
    person = queries.client_by_code(session, code)
    return _client(person) if person else None


def clients_by_code(session: Session, wanted: Collection[str]) -> Mapping[str, uuid.UUID]:
    """Ids of live clients by code; codes that do not exist are left out."""
    return queries.clients_by_code(session, wanted)


def client_cards(session: Session, query: str) -> list[ClientCard]:
    """All clients that match `query`, by code."""
    return [ClientCard(*row) for row in queries.client_cards(session, query)]


def list_clients(
    session: Session, query: str, sort: str, skipped: int, limit: int
) -> tuple[Sequence[Person], int]:
    """One page of client records, newest first unless sorted, and how many match."""
    roles = {Role.CLIENT}
    found = queries.people_matching(session, query, roles, sort, skipped, limit)
    return found, queries.count_matching(session, query, roles)


def found_installation(session: Session) -> None:
    """Make the counter of client codes; once, on an empty database."""
    queries.make_counter(session)


def _record(new: NewPerson, role: Role, now: dt.datetime) -> Person:
    return Person(
        id=new_id(),
        role=role,
        name=new.name,
        search_text=f"{new.name} {new.email} {new.contact_number}".casefold(),
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
    )


def _refuse_taken(session: Session, emails: Sequence[str]) -> None:
    taken = queries.emails_taken(session, emails)
    for place, email in enumerate(emails):
        if email in taken or email in emails[:place]:
            row = "" if len(emails) == 1 else f"Row {place + 1}: "
            fault = {"field": f"{place}.email", "message": EmailTaken.message}
            raise EmailTaken(f"{row}{EmailTaken.message}", errors=[fault])


def _staff(person: Person) -> Staff:
    return Staff(
        person.id,
        person.role,
        person.name,
        person.email,
        person.status == Status.ACTIVE,
        person.awaits_approval,
        person.password_hash,
        person.must_change_password,
    )


def _client(person: Person) -> Client:
    return Client(
        person.id,
        person.client_code or "",
        person.name,
        person.email,
        person.country_code,
        person.contact_number,
        person.address,
        person.born_on,
        person.status,
    )
