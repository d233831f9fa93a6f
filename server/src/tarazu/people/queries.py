"""Every SQL statement of the records of people."""

import uuid
from collections.abc import Callable, Collection, Sequence
from functools import cache, lru_cache
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Row,
    Select,
    bindparam,
    func,
    insert,
    literal_column,
    select,
    type_coerce,
    update,
)
from sqlalchemy.orm import InstrumentedAttribute, Session

from tarazu.domain.codes import SAMPLE_NUMBER, client_code
from tarazu.kit.db import RepeatedId, read
from tarazu.kit.schemas import ListParams, RecordListParams
from tarazu.people.tables import ClientCodeCounter, Person, Role, Status
from tarazu.teams.service import ALL_CLIENTS, VisibleClients

_SORTS: dict[str, InstrumentedAttribute[Any]] = {
    # The search text begins with the name, and its case is folded.
    "name": Person.search_text,
    "createdAt": Person.created_at,
    "clientId": Person.client_code,
    "contactNumber": Person.contact_number,
    "role": Person.role,
    "email": Person.email,
    "status": Person.status,
}


_AT_ONCE = 5_000
"""Ids in one statement; both databases allow more than thirty thousand."""

_CARD: Any = (
    type_coerce(Person.id, RepeatedId()),
    Person.client_code,
    Person.name,
    Person.status,
)
# Written out, because an index of clients alone serves no statement that only binds the word.
_IS_CLIENT = Person.role == literal_column("'CLIENT'")


def _live() -> Select[Person]:
    return select(Person).where(Person.deleted_at.is_(None))


def person_by_email(session: Session, email: str) -> Person | None:
    """The record that signs in with `email`, or None; deleted ones do not count."""
    return session.execute(_live().where(Person.email == email)).scalar_one_or_none()


def person_by_id(session: Session, person_id: uuid.UUID) -> Person | None:
    return session.execute(_live().where(Person.id == person_id)).scalar_one_or_none()


def record_to_change(
    session: Session, person_id: uuid.UUID, roles: Collection[Role]
) -> Person | None:
    """A record of one of these roles, deleted or not, that nobody else changes meanwhile."""
    statement = (
        select(Person)
        .where(Person.id == person_id, Person.role.in_(roles))
        # Rows that point at a person may still be added: their key never changes.
        .with_for_update(key_share=True)
        .execution_options(populate_existing=True)
    )
    return session.execute(statement).scalar_one_or_none()


def active_administrators(session: Session) -> Sequence[Person]:
    """Oldest first."""
    statement = _live().where(Person.role == Role.ADMIN, Person.status == Status.ACTIVE)
    return session.execute(statement.order_by(Person.id)).scalars().all()


_CLIENT: Any = (
    Person.id,
    Person.client_code,
    Person.name,
    Person.email,
    Person.country_code,
    Person.contact_number,
    Person.address,
    Person.born_on,
    Person.status,
    Person.family,
    Person.kind,
    Person.accredited_from,
    Person.accredited_until,
    Person.language,
    Person.created_at,
    Person.version,
    Person.deleted_at,
)


def client_by_id(session: Session, client_id: uuid.UUID) -> Row | None:  # type: ignore[type-arg]
    """The columns of a live client, in the order of `service.Client`."""
    return read(session, _client_by_id(), {"client_id": client_id}).one_or_none()


@cache
def _client_by_id() -> Select[Any]:
    # Made once: every page about a client asks, and making it takes as long as asking.
    is_client = Person.id == bindparam("client_id")
    return select(*_CLIENT).where(
        is_client, Person.role == Role.CLIENT, Person.deleted_at.is_(None)
    )


def client_with_deleted(session: Session, client: uuid.UUID | str) -> Person | None:
    """A client's record by its id or its code, deleted or not."""
    is_meant = Person.client_code == client if isinstance(client, str) else Person.id == client
    statement = select(Person).where(is_meant, Person.role == Role.CLIENT)
    return session.execute(statement).scalar_one_or_none()


def client_by_code(session: Session, code: str) -> Person | None:
    return session.execute(_live().where(Person.client_code == code)).scalar_one_or_none()


def clients_by_code(session: Session, codes: Collection[str]) -> dict[str, uuid.UUID]:
    """The ids of live clients, by code; unknown codes are left out."""
    statement = select(Person.client_code, Person.id).where(
        Person.client_code.in_(codes), Person.deleted_at.is_(None)
    )
    return {row.client_code: row.id for row in session.execute(statement) if row.client_code}


def has_staff(session: Session) -> bool:
    """Whether anyone who may sign in was ever made here."""
    statement = select(Person.id).where(Person.role != Role.CLIENT).limit(1)
    return session.execute(statement).first() is not None


def has_colleagues(session: Session) -> bool:
    """Whether more than one live, active account may sign in."""
    is_active = Person.status == Status.ACTIVE, Person.awaits_approval.is_(False)
    statement = (
        select(Person.id)
        .where(Person.role != Role.CLIENT, Person.deleted_at.is_(None), *is_active)
        .limit(2)
    )
    return len(session.execute(statement).all()) > 1


def any_staff_id(session: Session) -> uuid.UUID | None:
    """The oldest account that may sign in, or None."""
    statement = select(Person.id).where(Person.role != Role.CLIENT).order_by(Person.id).limit(1)
    return session.execute(statement).scalar_one_or_none()


def has_clients(session: Session) -> bool:
    """Whether any client, deleted ones included, was ever added; the sample client does not count."""
    statement = (
        select(Person.id).where(Person.role == Role.CLIENT, Person.status != Status.SAMPLE).limit(1)
    )
    return session.execute(statement).first() is not None


def sample_client(session: Session) -> Person | None:
    """The sample client's record, also where it is deleted; locked until the transaction ends."""
    statement = (
        select(Person).where(Person.client_code == client_code(SAMPLE_NUMBER)).with_for_update()
    )
    return session.execute(statement).scalar_one_or_none()


def emails_taken(session: Session, emails: Collection[str]) -> set[str]:
    statement = select(Person.email).where(Person.email.in_(emails), Person.deleted_at.is_(None))
    return set(session.execute(statement).scalars())


def _live_clients(*, contains: bool) -> list[Any]:
    conditions: list[Any] = [Person.deleted_at.is_(None), _IS_CLIENT]
    if contains:
        conditions.append(Person.search_text.like(bindparam("pattern"), escape="\\"))
    return conditions


def _pattern(query: str) -> dict[str, str]:
    """What `_live_clients` is given for a text that names must contain; nothing for none."""
    if not query.strip():
        return {}
    literal = query.strip().casefold().replace("\\", "\\\\")
    literal = literal.replace("%", "\\%").replace("_", "\\_")
    return {"pattern": f"%{literal}%"}


def _matching(
    query: str, roles: Collection[Role], *, deleted: bool = False
) -> list[ColumnElement[bool]]:
    is_deleted = Person.deleted_at.is_not(None) if deleted else Person.deleted_at.is_(None)
    conditions: list[ColumnElement[bool]] = [Person.role.in_(roles), is_deleted]
    likes = [Person.search_text.like(text, escape="\\") for text in _pattern(query).values()]
    return conditions + likes


def people_matching(
    session: Session,
    roles: Collection[Role],
    filters: RecordListParams,
    visible: VisibleClients = ALL_CLIENTS,
) -> tuple[Sequence[Person], int]:
    """One page, newest or last deleted first unless sorted; and how many match."""
    matching = _matching(filters.query, roles, deleted=filters.deleted)
    matching += visible.condition(Person.id)
    key = _SORTS.get(filters.sort.removeprefix("-"))
    first = Person.deleted_at.desc() if filters.deleted else Person.id.desc()
    if key is not None:
        first = key.desc() if filters.sort.startswith("-") else key.asc()
    statement = (
        select(Person)
        .where(*matching)
        .order_by(first, Person.id.desc())
        .offset(filters.skipped)
        .limit(filters.limit)
    )
    count = select(func.count(Person.id)).where(*matching)
    return session.execute(statement).scalars().all(), session.execute(count).scalar_one()


def client_summaries(session: Session, query: str) -> Sequence[Row[uuid.UUID, str, str, Status]]:
    """Id, code, name and status of all clients that match, by code."""
    statement = (
        select(Person.id, Person.client_code, Person.name, Person.status)
        .where(*_matching(query, {Role.CLIENT}))
        .order_by(Person.client_code)
    )
    return session.execute(statement).all()  # type: ignore[return-value]


def page_of_summaries(
    session: Session, params: ListParams, visible: VisibleClients = ALL_CLIENTS
) -> Sequence[Row[uuid.UUID, str, str, Status]]:
    """Id, code, name and status of one page of clients, by code."""
    falls, contains = params.sort == "-clientId", bool(params.query.strip())
    bounds: dict[str, object] = {"skipped": params.skipped, "limit": params.limit}
    statement = _page_of_summaries(visible.test, falls=falls, contains=contains)
    return read(session, statement, bounds | _pattern(params.query)).all()


@lru_cache(maxsize=100)
def _page_of_summaries(
    test: Callable[[Any], ColumnElement[bool]] | None, *, falls: bool, contains: bool
) -> Select[uuid.UUID, str, str, Status]:
    statement: Select[uuid.UUID, str, str, Status] = (
        select(*_CARD)
        .where(*_live_clients(contains=contains))
        .order_by(Person.client_code.desc() if falls else Person.client_code)
        .offset(bindparam("skipped"))
        .limit(bindparam("limit"))
    )
    return statement if test is None else statement.where(test(Person.id))


def clients_by_name(session: Session, *, falls: bool) -> list[uuid.UUID]:
    """The ids of all live clients by name; ties by code."""
    name = func.lower(Person.name)
    statement = select(Person.id).where(*_live_clients(contains=False))
    statement = statement.order_by(name.desc() if falls else name, Person.client_code)
    return list(session.execute(statement).scalars())


def count_clients(session: Session, query: str) -> int:
    statement = _count_clients(contains=bool(query.strip()))
    return read(session, statement, _pattern(query)).scalar_one()  # type: ignore[no-any-return]


@cache
def _count_clients(*, contains: bool) -> Select[int]:
    return select(func.count()).select_from(Person).where(*_live_clients(contains=contains))


def clients_matching(session: Session, query: str) -> set[uuid.UUID]:
    statement = select(Person.id).where(*_live_clients(contains=bool(query.strip())))
    return set(session.execute(statement, _pattern(query)).scalars())


def deleted_clients(session: Session) -> set[uuid.UUID]:
    statement = select(Person.id).where(Person.deleted_at.is_not(None), _IS_CLIENT)
    return set(session.execute(statement).scalars())


def clients_of(session: Session, ids: Collection[uuid.UUID]) -> Sequence[Person]:
    """Live clients among these, in no order."""
    client_ids = list(ids)
    people: list[Person] = []
    for start in range(0, len(client_ids), _AT_ONCE):
        some = client_ids[start : start + _AT_ONCE]
        statement = select(Person).where(
            Person.id.in_(some), _IS_CLIENT, Person.deleted_at.is_(None)
        )
        people += session.execute(statement).scalars().all()
    return people


def summaries_of(
    session: Session, ids: Collection[uuid.UUID]
) -> Sequence[Row[uuid.UUID, str, str, Status]]:
    """Id, code, name and status of these clients, deleted ones too, in no order."""
    client_ids = list(ids)
    rows: list[Row[uuid.UUID, str, str, Status]] = []
    for start in range(0, len(client_ids), _AT_ONCE):
        statement = select(*_CARD).where(Person.id.in_(client_ids[start : start + _AT_ONCE]))
        rows += session.execute(statement).all()
    return rows


def codes_of(session: Session, ids: Collection[uuid.UUID] | None) -> Sequence[Row[uuid.UUID, str]]:
    """Id and code of these clients, or of every client that ever was."""
    statement = select(Person.id, Person.client_code).where(_IS_CLIENT)
    if ids is None or len(ids) > _AT_ONCE:
        return session.execute(statement).all()  # type: ignore[return-value]
    return session.execute(statement.where(Person.id.in_(ids))).all()  # type: ignore[return-value]


def neighbours_of(
    session: Session, code: str, visible: VisibleClients = ALL_CLIENTS
) -> tuple[uuid.UUID | None, uuid.UUID | None]:
    """The live clients before and after this code; None at either end."""
    live = select(Person.id).where(*_live_clients(contains=False), *visible.condition(Person.id))
    live = live.limit(1)
    before = live.where(Person.client_code < code).order_by(Person.client_code.desc())
    after = live.where(Person.client_code > code).order_by(Person.client_code)
    return (
        session.execute(before).scalar_one_or_none(),
        session.execute(after).scalar_one_or_none(),
    )


def names_of(session: Session, ids: Collection[uuid.UUID]) -> dict[uuid.UUID, str]:
    """Names by id, of deleted records too."""
    statement = select(Person.id, Person.name).where(Person.id.in_(ids))
    return {row.id: row.name for row in session.execute(statement)}


def family_of(session: Session, client_id: uuid.UUID) -> set[uuid.UUID]:
    """The clients who share a family's word with this one, deleted ones too, and itself."""
    word = select(Person.family).where(Person.id == client_id).scalar_subquery()
    statement = select(Person.id).where(Person.family != "", Person.family == word)
    return {client_id, *session.execute(statement).scalars()}


def standings_of(session: Session, ids: Collection[uuid.UUID]) -> Sequence[Any]:
    """Id, kind and days of accreditation of clients, deleted ones too."""
    columns = (Person.id, Person.kind, Person.accredited_from, Person.accredited_until)
    return session.execute(select(*columns).where(Person.id.in_(ids))).all()


def take_code_numbers(session: Session, count: int) -> int:
    """Advance the counter by `count`; the last number taken. Never given back."""
    statement = (
        update(ClientCodeCounter)
        .values(last_number=ClientCodeCounter.last_number + count)
        .returning(ClientCodeCounter.last_number)
    )
    return session.execute(statement).scalar_one()


def spans_of(session: Session, roles: Collection[Role]) -> Sequence[Any]:
    """Id, making and deletion of every record of these roles, samples left out."""
    statement = select(Person.id, Person.created_at, Person.deleted_at)
    is_counted = Person.role.in_(roles) & (Person.status != Status.SAMPLE)
    return session.execute(statement.where(is_counted)).all()


def make_counter(session: Session) -> None:
    session.execute(insert(ClientCodeCounter).values(id=1, last_number=0))
