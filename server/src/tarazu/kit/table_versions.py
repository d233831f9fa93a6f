"""A version number for each table, by which a process knows whether its cached rows are current.

The numbers are in the database and rise in the transaction that changes the table, so that one
small query shows any process what another one committed.
"""

from collections.abc import Mapping
from functools import cache

from sqlalchemy import BigInteger, FromClause, Select, UpdateBase, bindparam, event, select
from sqlalchemy.orm import Mapped, ORMExecuteState, Session, mapped_column

from tarazu.kit.db import Database, Table, insert_into, read

_NOTED = "tarazu_changes"


class TableVersion(Table):
    """The number of transactions that wrote to a table with `tracks_version`, by its name."""

    __tablename__ = "change_counts"

    name: Mapped[str] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(BigInteger)


def numbers(session: Session) -> Mapping[str, int]:
    """The versions by table name: the same number means the same rows.

    Read them before the rows, which may then be newer than the number, never older. A table that
    was never written to is missing.
    """
    return {row.name: row.number for row in session.execute(select(*_COLUMNS))}


def number_of(session: Session, table: type[Table]) -> int:
    """The version of one table; 0 if it was never written to."""
    number = read(session, _number_of(), {"name": table.__tablename__}).scalar()
    return 0 if number is None else int(number)


@cache
def _number_of() -> Select[int]:
    return select(TableVersion.number).where(TableVersion.name == bindparam("name"))


def track_versions(database: Database) -> None:
    """Count every transaction on a database from now on."""
    for name, act in (
        ("after_flush", _note_flush),
        ("do_orm_execute", _note_statement),
        ("before_commit", _count),
    ):
        event.listen(database.sessions, name, act)


_COLUMNS = (TableVersion.__table__.c.name, TableVersion.__table__.c.number)


def _note_flush(session: Session, _: object) -> None:
    for entity in (*session.new, *session.dirty, *session.deleted):
        if entity.tracks_version:
            _note(session, entity.__tablename__)


def _note_statement(state: ORMExecuteState) -> None:
    if isinstance(state.statement, UpdateBase):
        name = _counted().get(state.statement.table)
        if name is not None:
            _note(state.session, name)


def _note(session: Session, name: str) -> None:
    session.info.setdefault(_NOTED, set()).add(name)


@cache
def _counted() -> Mapping[FromClause, str]:
    return {
        mapper.local_table: mapper.class_.__tablename__
        for mapper in Table.registry.mappers
        if mapper.class_.tracks_version
    }


def _count(session: Session) -> None:
    # The end of a savepoint is no commit.
    if session.in_nested_transaction():
        return
    session.flush()
    # Last in the transaction, so that these rows are locked only briefly; and in one order, so that
    # no two transactions deadlock.
    for name in sorted(session.info.pop(_NOTED, ())):
        added = insert_into(session, TableVersion).values(name=name, number=1)
        session.execute(
            added.on_conflict_do_update(
                index_elements=[TableVersion.name], set_={"number": TableVersion.number + 1}
            )
        )
