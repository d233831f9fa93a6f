"""Records of clients: their codes, their search, the index of them all."""

import datetime as dt
import uuid
from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import dataclass, field

from sqlalchemy.orm import Session

from tarazu.domain import codes
from tarazu.kit import audit_log, table_versions
from tarazu.kit.audit_log import Actor
from tarazu.kit.db import parts_of
from tarazu.kit.schemas import ListParams, RecordListParams
from tarazu.kit.translation import Language
from tarazu.people import queries
from tarazu.people.errors import (
    ClientNotFound,
    ForeignFamily,
    NoCodesLeft,
    SampleClientRefused,
)
from tarazu.people.records import (
    CLIENT_ROLES,
    NewPerson,
    check_emails_free,
    check_version,
    delete_record,
    new_record,
    restore_record,
    save_edit,
    search_text_of,
    set_columns,
)
from tarazu.people.tables import ClientKind, Person, Role, Status
from tarazu.teams.service import ALL_CLIENTS, VisibleClients


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
    kind: ClientKind
    accredited_from: dt.date | None
    accredited_until: dt.date | None
    language: Language
    created_at: dt.datetime
    version: int
    deleted_at: dt.datetime | None

    @property
    def role(self) -> str:
        """The role as client records show it."""
        return "client"


@dataclass(frozen=True, slots=True)
class Standing:
    """What a client is in law; the days of an accreditation are None while one of them is not known."""

    kind: ClientKind
    accredited_from: dt.date | None
    accredited_until: dt.date | None

    def is_accredited_on(self, day: dt.date) -> bool:
        """Whether a certificate of which both days are recorded covers a day."""
        first, last = self.accredited_from, self.accredited_until
        return first is not None and last is not None and first <= day <= last


@dataclass(frozen=True, slots=True)
class ClientIndex:
    """The number of live clients, and those who were deleted, after `at` changes.

    `by_name` has the live ones by name, rising and falling, once they were asked for.
    """

    at: int
    live: int
    gone: frozenset[uuid.UUID]
    by_name: dict[bool, list[uuid.UUID]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ClientSummary:
    """As much of a client as a list shows."""

    id: uuid.UUID
    code: str
    name: str
    status: Status


def edit_client(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    client_id: uuid.UUID,
    values: Mapping[str, object],
    version: int | None,
) -> Client:
    """Set the columns that `values` names.

    Raises:
        ClientNotFound: there is no such client.
        StaleVersion: somebody else changed the record since `version`.
    """
    person = _client_to_change(session, client_id, version)
    save_edit(session, actor, now, person, set_columns(person, values))
    return _client(person)


def delete_client(
    session: Session, actor: Actor, now: dt.datetime, client_id: uuid.UUID, version: int | None
) -> None:
    """Take a client out of every list and look-up; what belongs to the client stays.

    Raises:
        ClientNotFound: there is no such client.
        StaleVersion: somebody else changed the record since `version`.
    """
    delete_record(session, actor, now, _client_to_change(session, client_id, version))


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
    restore_record(session, actor, now, person)
    return _client(person)


def add_clients(
    session: Session, actor: Actor, now: dt.datetime, new: Sequence[NewPerson]
) -> list[Client]:
    """Add all of these clients or none, with the next codes in order.

    Raises:
        EmailTaken: a live record, or another row, has an e-mail address of these.
        NoCodesLeft: C9999 is taken.
    """
    check_emails_free(session, [new_person.email for new_person in new])
    last = queries.take_code_numbers(session, len(new))
    added: list[Person] = []
    for number, new_person in enumerate(new, start=last - len(new) + 1):
        person = new_record(new_person, Role.CLIENT, now)
        try:
            person.client_code = codes.client_code(number)
        except codes.ClientCodesExhausted as error:
            raise NoCodesLeft from error
        added.append(person)
    return _save_new(session, actor, now, added)


def _save_new(
    session: Session, actor: Actor, now: dt.datetime, added: Sequence[Person]
) -> list[Client]:
    for person in added:
        person.search_text = search_text_of(person)
    session.add_all(added)
    session.flush()
    for person in added:
        changes = {"clientId": person.client_code}
        audit_log.record(session, actor, now, "client_added", ("client", person.id), changes)
    return [_client(person) for person in added]


def add_sample_client(session: Session, actor: Actor, now: dt.datetime, new: NewPerson) -> Client:
    """Add the client that the screens are tried with, with the code that no other client gets.

    Raises:
        EmailTaken: a live record has its e-mail address.
    """
    check_emails_free(session, [new.email])
    person = new_record(new, Role.CLIENT, now)
    person.status = Status.SAMPLE
    person.client_code = codes.client_code(codes.SAMPLE_NUMBER)
    return _save_new(session, actor, now, [person])[0]


def sample_client(session: Session) -> Client | None:
    """The sample client, deleted or not; None where it was never loaded."""
    person = queries.sample_client(session)
    return _client(person) if person else None


def refuse_sample(client: Client | ClientSummary) -> None:
    """Keep the sample client out of what counts in a figure, or leaves the firm.

    Raises:
        SampleClientRefused: it is the sample client.
    """
    if client.status is Status.SAMPLE:
        raise SampleClientRefused


def why_not_active(client: ClientSummary) -> str:
    """Why no file is taken for a client whose status is not ACTIVE."""
    if client.status is Status.SAMPLE:
        return f"{client.code} is the sample client; files are for clients of your own."
    return f"{client.code} is inactive; activate the client first."


def has_clients(session: Session) -> bool:
    """Whether the installation ever had a client, other than the sample client."""
    return queries.has_clients(session)


def refuse_unseen(visible: VisibleClients, client_id: uuid.UUID | None) -> None:
    """Keep a caller from a client of other teams, as if there were no such client.

    Raises:
        ClientNotFound: the caller may not see the client.
    """
    if not visible.includes(client_id):
        raise ClientNotFound


def client(session: Session, client_id: uuid.UUID) -> Client:
    """The live client with this id.

    Raises:
        ClientNotFound: there is none, or it is deleted, or it is staff.
    """
    row = queries.client_by_id(session, client_id)
    if row is None:
        raise ClientNotFound
    return Client(*row)


def client_with_deleted(session: Session, client: uuid.UUID | str) -> Person:
    """A client's record by its id or its code, deleted or not: what was done for a client is kept.

    Raises:
        ClientNotFound: there never was such a client.
    """
    person = queries.client_with_deleted(session, client)
    if person is None:
        raise ClientNotFound
    return person


def client_by_code(session: Session, code: str) -> Client | None:
    """The live client with this code, or None."""
    person = queries.client_by_code(session, code)
    return _client(person) if person else None


def clients_by_code(session: Session, codes: Collection[str]) -> Mapping[str, uuid.UUID]:
    """Ids of live clients by code; codes that do not exist are left out."""
    return queries.clients_by_code(session, codes)


def client_summaries(
    session: Session, query: str, visible: VisibleClients = ALL_CLIENTS
) -> list[ClientSummary]:
    """All clients that match `query`, by code."""
    rows = queries.client_summaries(session, query)
    return [ClientSummary(*row) for row in rows if visible.includes(row[0])]


def page_of_summaries(
    session: Session, params: ListParams, visible: VisibleClients = ALL_CLIENTS
) -> tuple[list[ClientSummary], int]:
    """One page of clients by code, and how many match."""
    if not visible.is_all:
        return _page_of_visible(session, params, visible)
    # Before the rows are read: they may be newer than it, never older.
    index = None if params.query.strip() else client_index(session)
    summaries = [ClientSummary(*row) for row in queries.page_of_summaries(session, params)]
    is_last = len(summaries) < params.limit and (summaries or not params.skipped)
    if is_last:
        return summaries, params.skipped + len(summaries)
    return summaries, queries.count_clients(session, params.query) if index is None else index.live


def _page_of_visible(
    session: Session, params: ListParams, visible: VisibleClients
) -> tuple[list[ClientSummary], int]:
    rows = queries.page_of_summaries(session, params, visible)
    matching = clients_matching(session, params.query, visible)
    return [ClientSummary(*row) for row in rows], len(matching)


def client_index(session: Session) -> ClientIndex:
    """How many clients there are, and who was deleted; read again only after a change.

    To count them all takes longer than to read a page of them.
    """
    at, parts = table_versions.number_of(session, Person), parts_of(session)
    index: ClientIndex | None = parts.get(ClientIndex)
    if index is None or index.at != at:
        gone = frozenset(queries.deleted_clients(session))
        index = parts[ClientIndex] = ClientIndex(at, queries.count_clients(session, ""), gone)
    return index


def clients_by_name(session: Session, *, falls: bool = False) -> Sequence[uuid.UUID]:
    """All clients by name, ties by code; read again only after a change, as `client_index`."""
    orders = client_index(session).by_name
    if falls not in orders:
        orders[falls] = queries.clients_by_name(session, falls=falls)
    return orders[falls]


def clients_of(session: Session, ids: Collection[uuid.UUID]) -> dict[uuid.UUID, Client]:
    """Those of these clients whose record is live, by id."""
    return {row.id: _client(row) for row in queries.clients_of(session, ids)}


def summaries_of(session: Session, ids: Sequence[uuid.UUID]) -> list[ClientSummary]:
    """These clients in this order; the ids of others are left out."""
    summaries = {row.id: ClientSummary(*row) for row in queries.summaries_of(session, ids)}
    return [summaries[client_id] for client_id in ids if client_id in summaries]


def clients_matching(
    session: Session, query: str, visible: VisibleClients = ALL_CLIENTS
) -> Set[uuid.UUID]:
    """The ids of the live clients that match `query`."""
    if visible.ids is not None and not query.strip():
        gone = visible.ids & client_index(session).gone
        return visible.ids - gone if gone else visible.ids  # to copy thousands of ids takes long
    return visible.among(queries.clients_matching(session, query))


def client_numbers(
    session: Session, ids: Collection[uuid.UUID] | None = None
) -> dict[uuid.UUID, int]:
    """The numbers in the codes of these clients, or of all, deleted ones included."""
    return {row[0]: codes.client_number(row[1]) for row in queries.codes_of(session, ids)}


def neighbours_of(
    session: Session, code: str, visible: VisibleClients = ALL_CLIENTS
) -> tuple[uuid.UUID | None, uuid.UUID | None]:
    """The clients before and after this code; None at either end."""
    return queries.neighbours_of(session, code, visible)


def list_clients(
    session: Session, filters: RecordListParams, visible: VisibleClients = ALL_CLIENTS
) -> tuple[list[Client], int]:
    """One page of client records, live or deleted, newest first; and how many match."""
    persons, total = queries.people_matching(session, CLIENT_ROLES, filters, visible)
    return [_client(person) for person in persons], total


def refuse_foreign_family(session: Session, visible: VisibleClients, client_id: uuid.UUID) -> None:
    """Keep a caller from putting a client into a family with clients of other teams.

    The refusal of a fee over the yearly limit has the sum that the family pays.

    Raises:
        ForeignFamily: the family, as it is now, has a client whom the caller does not see.
    """
    family = family_of(session, client_id)
    if visible.among(family) != family:
        raise ForeignFamily


def family_of(session: Session, client_id: uuid.UUID) -> set[uuid.UUID]:
    """The clients whose fees count together with this one's, itself included.

    Those who share a family's word; deleted ones too, because what they were charged stays.
    """
    return queries.family_of(session, client_id)


def standings_of(session: Session, client_ids: Collection[uuid.UUID]) -> dict[uuid.UUID, Standing]:
    """What each of these clients is in law, by id, deleted ones too."""
    return {row.id: Standing(*row[1:]) for row in queries.standings_of(session, client_ids)}


def _client_to_change(session: Session, client_id: uuid.UUID, version: int | None) -> Person:
    person = queries.record_to_change(session, client_id, CLIENT_ROLES)
    if person is None or person.deleted_at is not None:
        raise ClientNotFound
    check_version(person, version)
    return person


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
        person.kind,
        person.accredited_from,
        person.accredited_until,
        person.language,
        person.created_at,
        person.version,
        person.deleted_at,
    )
