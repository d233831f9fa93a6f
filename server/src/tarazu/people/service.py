"""Records of people: staff and clients, their codes, their search, who may be which."""

import datetime as dt
import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from sqlalchemy import Engine
from sqlalchemy.orm import Session

from tarazu.domain import codes
from tarazu.firm import service as firm
from tarazu.kit import audit_log, mail, security, table_versions
from tarazu.kit.audit_log import Actor
from tarazu.kit.auth_route import NotSignedIn, SessionExpired
from tarazu.kit.db import new_id, take_turns
from tarazu.kit.errors import StaleVersion
from tarazu.kit.locks import AdvisoryLock
from tarazu.kit.schemas import ListParams, RecordListParams
from tarazu.kit.settings import Settings
from tarazu.people import letters, queries
from tarazu.people.errors import (
    ClientNotFound,
    EmailTaken,
    EmailTakenMeanwhile,
    LastAdministrator,
    MailNotDelivered,
    NoCodesLeft,
    NoMailServer,
    OwnAccount,
    UserNotFound,
)
from tarazu.people.tables import Person, Role, Status

STAFF_ROLES = frozenset({Role.ADMIN, Role.USER})
CLIENT_ROLES = frozenset({Role.CLIENT})
TEMPORARY_FOR = dt.timedelta(hours=72)


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


@dataclass(frozen=True, slots=True)
class Login:
    """What a new account signs in as, and with."""

    role: Role
    password_hash: str
    awaits: bool = False
    must_change: bool = False
    temporary_until: dt.datetime | None = None


@dataclass(frozen=True, slots=True)
class Invitation:
    """Somebody who shall join the staff, with the temporary password, in clear and hashed."""

    new: NewPerson
    role: Role
    password: str
    password_hash: str


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
    temporary_until: dt.datetime | None
    sessions_void_at: dt.datetime | None


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
    family: str
    created_at: dt.datetime
    version: int
    deleted_at: dt.datetime | None

    @property
    def role(self) -> str:
        """The role as client records show it."""
        return "client"


@dataclass(frozen=True, slots=True)
class ClientIndex:
    """The number of live clients, and those who were deleted, after `at` changes."""

    at: int
    live: int
    gone: frozenset[uuid.UUID]


_rolls: WeakKeyDictionary[Engine, ClientIndex] = WeakKeyDictionary()


@dataclass(frozen=True, slots=True)
class ClientSummary:
    """As much of a client as a list shows."""

    id: uuid.UUID
    code: str
    name: str
    status: Status


def add_staff(
    session: Session, actor: Actor, now: dt.datetime, new: NewPerson, login: Login
) -> Staff:
    """Make an account that may sign in; one that awaits approval is inactive until then.

    Administrators get a mail when one awaits their approval.

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
    person.temporary_until = login.temporary_until
    session.add(person)
    session.flush()
    if login.awaits:
        for administrator in queries.active_administrators(session):
            mail.queue(session, letters.approval_awaited(administrator.email, new), now)
    changes = {"role": login.role, "status": person.status}
    audit_log.record(session, actor, now, "staff_added", ("user", person.id), changes)
    return _staff(person)


def invitation(new: NewPerson, role: Role) -> Invitation:
    """A temporary password for somebody. Hashing takes its time: before the transaction."""
    password = security.temporary_password()
    return Invitation(new, role, password, security.hash_password(password))


def invite_staff(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    invitations: Sequence[Invitation],
    public_url: str,
) -> list[Staff]:
    """Make all of these accounts or none, and mail each its temporary password, good for 72 h.

    Raises:
        SessionExpired: the caller's own account changed meanwhile.
        EmailTaken: a live record, or another row, has an e-mail address of these.
    """
    _take_staff_turn(session, actor)
    _refuse_taken(session, [one.new.email for one in invitations])
    firm_name = firm.registration(session).name
    added = []
    for one in invitations:
        login = Login(
            one.role, one.password_hash, must_change=True, temporary_until=now + TEMPORARY_FOR
        )
        added.append(add_staff(session, actor, now, one.new, login))
        access = letters.Access(firm_name, public_url, one.password, now + TEMPORARY_FOR)
        mail.queue(session, letters.invitation(one.new, access), now)
    return added


def send_test_mail(session: Session, actor: Actor, settings: Settings, now: dt.datetime) -> str:
    """Hand a test mail to the caller over to the mail server, at once; the address.

    Raises:
        NoMailServer: none is set up.
        MailNotDelivered: it did not take the mail; the sentence has its own words.
    """
    if not settings.smtp_url:
        raise NoMailServer
    own = staff_by_id(session, actor.account_id) if actor.account_id else None
    if own is None:
        raise NotSignedIn
    text = (
        f"Dear {own.name},\n\nthis is a test mail of {firm.registration(session).name}: mails of "
        "Tarazu are delivered.\n"
    )
    try:
        mail.send_test(settings.smtp_url, settings.mail_from, own.email, text, now)
    except mail.Undeliverable as error:
        raise MailNotDelivered(str(error)) from error
    return own.email


def note_test_mail(
    session: Session, actor: Actor, now: dt.datetime, server: str, recipient: str
) -> None:
    """Remember that a test mail was delivered by this server."""
    firm.note_test_mail(session, actor, now, server, recipient)


def edit_staff(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    staff_id: uuid.UUID,
    wanted: Mapping[str, object],
    version: int | None,
) -> Person:
    """Set the columns that `wanted` names; ACTIVE approves an account that awaits it.

    A new role or a deactivation ends the account's sessions.

    Raises:
        SessionExpired: the caller's own account changed meanwhile.
        UserNotFound: there is no such member of staff.
        StaleVersion: somebody else changed the record since `version`.
        OwnAccount, LastAdministrator: it would leave the caller, or everyone, outside.
    """
    _take_staff_turn(session, actor)
    person = _staff_to_change(session, staff_id, version)
    leaves = wanted.get("status") == Status.INACTIVE or wanted.get("role") == Role.USER
    if leaves:
        _keep_an_administrator(session, actor, person)
    changes = _set(person, wanted)
    if person.status == Status.ACTIVE and person.awaits_approval:
        person.awaits_approval = False
        changes["awaitsApproval"] = [True, False]
    if "role" in changes or (person.status == Status.INACTIVE and "status" in changes):
        person.sessions_void_at = now
    _keep_edit(session, actor, now, person, changes)
    return person


def delete_staff(
    session: Session, actor: Actor, now: dt.datetime, staff_id: uuid.UUID, version: int | None
) -> None:
    """Take an account away; its sessions end.

    Raises:
        SessionExpired: the caller's own account changed meanwhile.
        UserNotFound: there is no such member of staff.
        StaleVersion: somebody else changed the record since `version`.
        OwnAccount, LastAdministrator: it would leave the caller, or everyone, outside.
    """
    _take_staff_turn(session, actor)
    person = _staff_to_change(session, staff_id, version)
    _keep_an_administrator(session, actor, person)
    person.sessions_void_at = now
    _delete(session, actor, now, person)


def restore_staff(session: Session, actor: Actor, now: dt.datetime, staff_id: uuid.UUID) -> None:
    """Take the deletion of an account back; one that was never deleted stays as it is.

    Raises:
        SessionExpired: the caller's own account changed meanwhile.
        UserNotFound: there was never such a member of staff.
        EmailTakenMeanwhile: a live record has the e-mail address.
    """
    _take_staff_turn(session, actor)
    person = queries.record_to_change(session, staff_id, STAFF_ROLES)
    if person is None:
        raise UserNotFound
    _restore(session, actor, now, person)


def edit_client(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    client_id: uuid.UUID,
    wanted: Mapping[str, object],
    version: int | None,
) -> Client:
    """Set the columns that `wanted` names.

    Raises:
        ClientNotFound: there is no such client.
        StaleVersion: somebody else changed the record since `version`.
    """
    person = _client_to_change(session, client_id, version)
    _keep_edit(session, actor, now, person, _set(person, wanted))
    return _client(person)


def delete_client(
    session: Session, actor: Actor, now: dt.datetime, client_id: uuid.UUID, version: int | None
) -> None:
    """Take a client out of every list and look-up; what belongs to the client stays.

    Raises:
        ClientNotFound: there is no such client.
        StaleVersion: somebody else changed the record since `version`.
    """
    _delete(session, actor, now, _client_to_change(session, client_id, version))


def restore_client(
    session: Session, actor: Actor, now: dt.datetime, client_id: uuid.UUID
) -> Client:
    """Take the deletion of a client back; one that was never deleted stays as it is.

    Raises:
        ClientNotFound: there was never such a client.
        EmailTakenMeanwhile: a live record has the e-mail address.
    """
    person = queries.record_to_change(session, client_id, CLIENT_ROLES)
    if person is None:
        raise ClientNotFound
    _restore(session, actor, now, person)
    return _client(person)


def emails_taken(session: Session, emails: Sequence[str]) -> set[str]:
    """Those of `emails` that a live record has."""
    return {
        email
        for start in range(0, len(emails), EMAILS_AT_ONCE)
        for email in queries.emails_taken(session, emails[start : start + EMAILS_AT_ONCE])
    }


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
        person.search_text = _search_text(person)
        added.append(person)
    session.add_all(added)
    session.flush()
    for person in added:
        changes = {"clientId": person.client_code}
        audit_log.record(session, actor, now, "client_added", ("client", person.id), changes)
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


def set_password(
    session: Session, person_id: uuid.UUID, password_hash: str, now: dt.datetime
) -> None:
    """Keep the hash of a password that the person chose; sessions of before are void."""
    person = queries.person_by_id(session, person_id)
    if person is not None:
        person.password_hash = password_hash
        person.password_changed_at = now
        person.must_change_password = False
        person.temporary_until = None
        person.sessions_void_at = now
        session.flush()


def any_staff_id(session: Session) -> uuid.UUID | None:
    """The id of some account, to do the same work for an address that has none."""
    return queries.any_staff_id(session)


def client(session: Session, client_id: uuid.UUID) -> Client:
    """The live client with this id.

    Raises:
        ClientNotFound: there is none, or it is deleted, or it is staff.
    """
    found = queries.client_by_id(session, client_id)
    if found is None:
        raise ClientNotFound
    return Client(*found)


def client_by_code(session: Session, code: str) -> Client | None:
    """The live client with this code, or None."""
    person = queries.client_by_code(session, code)
    return _client(person) if person else None


def clients_by_code(session: Session, wanted: Collection[str]) -> Mapping[str, uuid.UUID]:
    """Ids of live clients by code; codes that do not exist are left out."""
    return queries.clients_by_code(session, wanted)


def client_cards(session: Session, query: str) -> list[ClientSummary]:
    """All clients that match `query`, by code."""
    return [ClientSummary(*row) for row in queries.client_cards(session, query)]


def client_page(session: Session, asked: ListParams) -> tuple[list[ClientSummary], int]:
    """One page of clients, by code unless sorted by `name`; and how many match."""
    # Before the rows are read: they may be newer than it, never older.
    roll = None if asked.query.strip() else roll_of(session)
    cards = [ClientSummary(*row) for row in queries.client_page(session, asked)]
    is_last = len(cards) < asked.limit and (cards or not asked.skipped)
    if is_last:
        return cards, asked.skipped + len(cards)
    return cards, queries.count_clients(session, asked.query) if roll is None else roll.live


def roll_of(session: Session) -> ClientIndex:
    """How many clients there are, and who was deleted: read anew only after a change.

    To count them all takes longer than to read a page of them.
    """
    at, engine = table_versions.number_of(session, Person), session.get_bind().engine
    kept = _rolls.get(engine)
    if kept is None or kept.at != at:
        gone = frozenset(queries.deleted_clients(session))
        kept = _rolls[engine] = ClientIndex(at, queries.count_clients(session, ""), gone)
    return kept


def clients_of(session: Session, ids: Collection[uuid.UUID]) -> dict[uuid.UUID, Client]:
    """Those of these clients whose record is live, by id."""
    return {row.id: _client(row) for row in queries.clients_of(session, ids)}


def cards_of(session: Session, ids: Sequence[uuid.UUID]) -> list[ClientSummary]:
    """These clients in this order; the ids of others are left out."""
    found = {row.id: ClientSummary(*row) for row in queries.cards_of(session, ids)}
    return [found[client_id] for client_id in ids if client_id in found]


def clients_matching(session: Session, query: str) -> set[uuid.UUID]:
    """The ids of the live clients that match `query`."""
    return queries.clients_matching(session, query)


def client_numbers(
    session: Session, ids: Collection[uuid.UUID] | None = None
) -> dict[uuid.UUID, int]:
    """The numbers in the codes of these clients, or of all, deleted ones included."""
    return {row[0]: codes.client_number(row[1]) for row in queries.codes_of(session, ids)}


def neighbours_of(session: Session, code: str) -> tuple[uuid.UUID | None, uuid.UUID | None]:
    """The clients before and after this code; None at either end."""
    return queries.neighbours_of(session, code)


def list_clients(session: Session, filters: RecordListParams) -> tuple[list[Client], int]:
    """One page of client records, live or deleted, newest first; and how many match."""
    persons, total = queries.people_matching(session, CLIENT_ROLES, filters)
    return [_client(person) for person in persons], total


def list_staff(session: Session, filters: RecordListParams) -> tuple[Sequence[Person], int]:
    """One page of staff, live or deleted, newest first; and how many match."""
    return queries.people_matching(session, STAFF_ROLES, filters)


def names_of(session: Session, ids: Collection[uuid.UUID]) -> Mapping[uuid.UUID, str]:
    """Names by id; what somebody did stays theirs when their record is deleted."""
    return queries.names_of(session, ids) if ids else {}


def family_of(session: Session, client_id: uuid.UUID) -> set[uuid.UUID]:
    """The clients whose fees count together with this one's, itself included.

    Those who share a family's word; deleted ones too, because what they were charged stays.
    """
    return queries.family_of(session, client_id)


def found_installation(session: Session) -> None:
    """Make the counter of client codes; once, on an empty database."""
    queries.make_counter(session)


def _take_staff_turn(session: Session, actor: Actor) -> None:
    """Wait until nobody else changes staff, and make sure that the caller is still who was let in.

    The guard asked before this transaction began: of two who demote each other at once, the second
    has no right to it any more.
    """
    take_turns(session, AdvisoryLock.STAFF)
    if actor.account_id is None:
        return
    own = queries.record_to_change(session, actor.account_id, STAFF_ROLES)
    if own is None or own.deleted_at is not None:
        raise SessionExpired
    if own.status != Status.ACTIVE or own.role != actor.role:
        raise SessionExpired


def _staff_to_change(session: Session, staff_id: uuid.UUID, version: int | None) -> Person:
    person = queries.record_to_change(session, staff_id, STAFF_ROLES)
    if person is None or person.deleted_at is not None:
        raise UserNotFound
    _refuse_stale(person, version)
    return person


def _client_to_change(session: Session, client_id: uuid.UUID, version: int | None) -> Person:
    person = queries.record_to_change(session, client_id, CLIENT_ROLES)
    if person is None or person.deleted_at is not None:
        raise ClientNotFound
    _refuse_stale(person, version)
    return person


def _refuse_stale(person: Person, version: int | None) -> None:
    if version is not None and version != person.version:
        raise StaleVersion


def _keep_an_administrator(session: Session, actor: Actor, person: Person) -> None:
    others = [one for one in queries.active_administrators(session) if one.id != person.id]
    if person.role == Role.ADMIN and person.status == Status.ACTIVE and not others:
        raise LastAdministrator
    if person.id == actor.account_id:
        raise OwnAccount


def _set(person: Person, wanted: Mapping[str, object]) -> dict[str, list[object]]:
    """Set columns; what changed as `[before, after]` by the name on the wire."""
    changes: dict[str, list[object]] = {}
    for column, value in wanted.items():
        before = getattr(person, column)
        if before != value:
            setattr(person, column, value)
            changes[_WIRE_NAMES.get(column, column)] = [before, value]
    return changes


_WIRE_NAMES = {
    "contact_number": "contactNumber",
    "country_code": "countryCode",
    "born_on": "dob",
}


def _keep_edit(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    person: Person,
    changes: Mapping[str, object],
) -> None:
    # An edit that changes nothing makes nobody else's copy old.
    if not changes:
        return
    person.search_text = _search_text(person)
    person.version += 1
    session.flush()
    _tell(session, actor, now, person, "edited", changes)


def _delete(session: Session, actor: Actor, now: dt.datetime, person: Person) -> None:
    person.deleted_at = now
    person.deleted_by = actor.account_id
    person.version += 1
    session.flush()
    _tell(session, actor, now, person, "deleted", {"deletedAt": [None, now]})


def _restore(session: Session, actor: Actor, now: dt.datetime, person: Person) -> None:
    if person.deleted_at is None:
        return
    take_turns(session, AdvisoryLock.EMAILS)
    if queries.emails_taken(session, [person.email]):
        raise EmailTakenMeanwhile
    changes = {"deletedAt": [person.deleted_at, None]}
    person.deleted_at = None
    person.deleted_by = None
    person.version += 1
    session.flush()
    _tell(session, actor, now, person, "restored", changes)


def _tell(
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


def _search_text(person: Person) -> str:
    parts = (person.name, person.email, person.contact_number, person.client_code)
    return " ".join(part for part in parts if part).casefold()


def _record(new: NewPerson, role: Role, now: dt.datetime) -> Person:
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
    )
    person.search_text = _search_text(person)
    return person


def _refuse_taken(session: Session, emails: Sequence[str]) -> None:
    # Two records added at once must not both find the address free.
    take_turns(session, AdvisoryLock.EMAILS)
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
        person.temporary_until,
        person.sessions_void_at,
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
        person.family,
        person.created_at,
        person.version,
        person.deleted_at,
    )
