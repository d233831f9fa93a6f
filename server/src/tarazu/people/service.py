"""The door to the records of people: staff and clients."""

import datetime as dt
import uuid
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from sqlalchemy.orm import Session

from tarazu.kit.clock import day_in_india
from tarazu.people import queries
from tarazu.people.clients import (
    Client,
    ClientSummary,
    add_clients,
    add_sample_client,
    client,
    client_by_code,
    client_index,
    client_numbers,
    client_summaries,
    client_with_deleted,
    clients_by_code,
    clients_by_name,
    clients_matching,
    clients_of,
    delete_client,
    edit_client,
    family_of,
    has_clients,
    list_clients,
    neighbours_of,
    page_of_summaries,
    refuse_foreign_family,
    refuse_sample,
    refuse_unseen,
    restore_client,
    sample_client,
    standings_of,
    summaries_of,
    why_not_active,
)
from tarazu.people.records import STAFF_ROLES, NewPerson, emails_taken
from tarazu.people.staff import (
    Login,
    Staff,
    add_staff,
    administrators_emails,
    any_staff_id,
    delete_staff,
    edit_staff,
    has_colleagues,
    has_staff,
    invitation,
    invite_staff,
    list_staff,
    note_test_mail,
    restore_staff,
    send_test_mail,
    set_password,
    set_password_hash,
    staff_by_email,
    staff_by_id,
)
from tarazu.people.tables import Role


def names_of(session: Session, ids: Collection[uuid.UUID]) -> Mapping[uuid.UUID, str]:
    """Names by id; what somebody did stays theirs when their record is deleted."""
    return queries.names_of(session, ids) if ids else {}


@dataclass(frozen=True, slots=True)
class RecordSpan:
    """The days on which a record was made and deleted; None for a live one."""

    id: uuid.UUID
    added_on: dt.date
    removed_on: dt.date | None


def client_spans(session: Session) -> list[RecordSpan]:
    """Every client there ever was, the sample left out, in no order."""
    return _spans(session, {Role.CLIENT})


def staff_spans(session: Session) -> list[RecordSpan]:
    """Everybody who might ever sign in, in no order."""
    return _spans(session, STAFF_ROLES)


def _spans(session: Session, roles: Collection[Role]) -> list[RecordSpan]:
    return [
        RecordSpan(
            record_id, day_in_india(added_at), day_in_india(removed_at) if removed_at else None
        )
        for record_id, added_at, removed_at in queries.spans_of(session, roles)
    ]


def found_installation(session: Session) -> None:
    """Make the counter of client codes; once, on an empty database."""
    queries.make_counter(session)
