"""Accounts of staff: invited, edited, deleted, restored."""

import datetime as dt
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy.orm import Session

from tarazu.firm import service as firm
from tarazu.kit import audit_log, mail, security
from tarazu.kit.audit_log import Actor
from tarazu.kit.auth_route import NotSignedIn, SessionExpired
from tarazu.kit.db import acquire_lock
from tarazu.kit.locks import AdvisoryLock
from tarazu.kit.schemas import RecordListParams
from tarazu.kit.settings import Settings
from tarazu.people import letters, queries
from tarazu.people.errors import (
    LastAdministrator,
    MailNotDelivered,
    NoMailServer,
    OwnAccount,
    UserNotFound,
)
from tarazu.people.records import (
    STAFF_ROLES,
    NewPerson,
    check_emails_free,
    check_version,
    delete_record,
    new_record,
    restore_record,
    save_edit,
    set_columns,
)
from tarazu.people.tables import Person, Role, Status

TEMPORARY_FOR = dt.timedelta(hours=72)


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


def add_staff(
    session: Session, actor: Actor, now: dt.datetime, new: NewPerson, login: Login
) -> Staff:
    """Make an account that may sign in; one that awaits approval is inactive until then.

    Administrators get a mail when one awaits their approval.

    Raises:
        EmailTaken: a live record has this e-mail address.
    """
    check_emails_free(session, [new.email])
    person = new_record(new, login.role, now)
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
    _lock_staff(session, actor)
    check_emails_free(session, [invitation.new.email for invitation in invitations])
    firm_name = firm.registration(session).name
    added = []
    for invitation in invitations:
        login = Login(
            invitation.role,
            invitation.password_hash,
            must_change=True,
            temporary_until=now + TEMPORARY_FOR,
        )
        added.append(add_staff(session, actor, now, invitation.new, login))
        access = letters.Access(firm_name, public_url, invitation.password, now + TEMPORARY_FOR)
        mail.queue(session, letters.invitation(invitation.new, access), now)
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
        f"Dear {own.name},\n\nThis is a test mail of {firm.registration(session).name}: mails of "
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
    values: Mapping[str, object],
    version: int | None,
) -> Person:
    """Set the columns that `values` names; ACTIVE approves an account that awaits it.

    A new role or a deactivation ends the account's sessions.

    Raises:
        SessionExpired: the caller's own account changed meanwhile.
        UserNotFound: there is no such member of staff.
        StaleVersion: somebody else changed the record since `version`.
        OwnAccount, LastAdministrator: it would leave the caller, or everyone, outside.
    """
    _lock_staff(session, actor)
    person = _staff_to_change(session, staff_id, version)
    leaves = values.get("status") == Status.INACTIVE or values.get("role") == Role.USER
    if leaves:
        _check_administrator_stays(session, actor, person)
    changes = set_columns(person, values)
    if person.status == Status.ACTIVE and person.awaits_approval:
        person.awaits_approval = False
        changes["awaitsApproval"] = [True, False]
    if "role" in changes or (person.status == Status.INACTIVE and "status" in changes):
        person.sessions_void_at = now
    save_edit(session, actor, now, person, changes)
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
    _lock_staff(session, actor)
    person = _staff_to_change(session, staff_id, version)
    _check_administrator_stays(session, actor, person)
    person.sessions_void_at = now
    delete_record(session, actor, now, person)


def restore_staff(session: Session, actor: Actor, now: dt.datetime, staff_id: uuid.UUID) -> None:
    """Take the deletion of an account back; one that was never deleted stays as it is.

    Raises:
        SessionExpired: the caller's own account changed meanwhile.
        UserNotFound: there was never such a member of staff.
        EmailTakenMeanwhile: a live record has the e-mail address.
    """
    _lock_staff(session, actor)
    person = queries.record_to_change(session, staff_id, STAFF_ROLES)
    if person is None:
        raise UserNotFound
    restore_record(session, actor, now, person)


def has_staff(session: Session) -> bool:
    """Whether the installation has an account that may sign in."""
    return queries.has_staff(session)


def has_colleagues(session: Session) -> bool:
    """Whether more than one member of staff may sign in now."""
    return queries.has_colleagues(session)


def staff_by_email(session: Session, email: str) -> Staff | None:
    """The record that signs in with `email`, clients included, or None."""
    person = queries.person_by_email(session, email)
    return _staff(person) if person else None


def administrators_emails(session: Session) -> list[str]:
    """The addresses of all administrators who may sign in."""
    return [person.email for person in queries.active_administrators(session)]


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


def list_staff(session: Session, filters: RecordListParams) -> tuple[Sequence[Person], int]:
    """One page of staff, live or deleted, newest first; and how many match."""
    return queries.people_matching(session, STAFF_ROLES, filters)


def _lock_staff(session: Session, actor: Actor) -> None:
    """Wait until nobody else changes staff, and check that the caller is still authorized.

    The guard asked before this transaction began: of two who demote each other at once, the second
    has no right to it any more.
    """
    acquire_lock(session, AdvisoryLock.STAFF)
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
    check_version(person, version)
    return person


def _check_administrator_stays(session: Session, actor: Actor, person: Person) -> None:
    others = [
        administrator
        for administrator in queries.active_administrators(session)
        if administrator.id != person.id
    ]
    if person.role == Role.ADMIN and person.status == Status.ACTIVE and not others:
        raise LastAdministrator
    if person.id == actor.account_id:
        raise OwnAccount


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
