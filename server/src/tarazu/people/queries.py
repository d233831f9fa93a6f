"""Every SQL statement of the records of people."""

import uuid
from collections.abc import Collection, Sequence

from sqlalchemy import Row, Select, func, insert, select, update
from sqlalchemy.orm import Session

from tarazu.people.tables import ClientCodeCounter, Person, Role, Status

_SORTS = {
    "name": (Person.search_text, Person.id),
    "-name": (Person.search_text.desc(), Person.id),
    "createdAt": (Person.id,),
    "-createdAt": (Person.id.desc(),),
}
_CLIENT_SORTS = _SORTS | {
    "clientId": (Person.client_code,),
    "-clientId": (Person.client_code.desc(),),
}


def _live() -> Select[Person]:
    return select(Person).where(Person.deleted_at.is_(None))


def person_by_email(session: Session, email: str) -> Person | None:
    """The record that signs in with `email`, or None; deleted ones do not count."""
    return session.execute(_live().where(Person.email == email)).scalar_one_or_none()


def person_by_id(session: Session, person_id: uuid.UUID) -> Person | None:
    return session.execute(_live().where(Person.id == person_id)).scalar_one_or_none()


def client_by_id(session: Session, client_id: uuid.UUID) -> Person | None:
    statement = _live().where(Person.id == client_id, Person.role == Role.CLIENT)
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


def has_clients(session: Session) -> bool:
    """Whether any client, deleted ones included, was ever added."""
    statement = select(Person.id).where(Person.role == Role.CLIENT).limit(1)
    return session.execute(statement).first() is not None


def emails_taken(session: Session, emails: Collection[str]) -> set[str]:
    statement = select(Person.email).where(Person.email.in_(emails), Person.deleted_at.is_(None))
    return set(session.execute(statement).scalars())


def _matching(query: str, roles: Collection[Role]) -> list[object]:
    wanted = [Person.role.in_(roles), Person.deleted_at.is_(None)]
    if query.strip():
        literal = query.strip().casefold().replace("\\", "\\\\")
        literal = literal.replace("%", "\\%").replace("_", "\\_")
        wanted.append(Person.search_text.like(f"%{literal}%", escape="\\"))
    return list(wanted)


def people_matching(
    session: Session, query: str, roles: Collection[Role], sort: str, skipped: int, limit: int
) -> Sequence[Person]:
    """One page in a stable order: as asked, else newest first."""
    order = _CLIENT_SORTS.get(sort, (Person.id.desc(),))
    statement = (
        select(Person)
        .where(*_matching(query, roles))  # type: ignore[arg-type]
        .order_by(*order)
        .offset(skipped)
        .limit(limit)
    )
    return session.execute(statement).scalars().all()


def count_matching(session: Session, query: str, roles: Collection[Role]) -> int:
    statement = select(func.count(Person.id)).where(*_matching(query, roles))  # type: ignore[arg-type]
    return session.execute(statement).scalar_one()


def client_cards(session: Session, query: str) -> Sequence[Row[uuid.UUID, str, str, Status]]:
    """Id, code, name and status of all clients that match, by code."""
    statement = (
        select(Person.id, Person.client_code, Person.name, Person.status)
        .where(*_matching(query, {Role.CLIENT}))  # type: ignore[arg-type]
        .order_by(Person.client_code)
    )
    return session.execute(statement).all()  # type: ignore[return-value]


def take_code_numbers(session: Session, count: int) -> int:
    """Advance the counter by `count`; the last number taken. Never given back."""
    statement = (
        update(ClientCodeCounter)
        .values(last_number=ClientCodeCounter.last_number + count)
        .returning(ClientCodeCounter.last_number)
    )
    return session.execute(statement).scalar_one()


def make_counter(session: Session) -> None:
    session.execute(insert(ClientCodeCounter).values(id=1, last_number=0))
