"""How often tables were changed, by which a reader knows whether what it keeps in memory still holds.

The numbers are in the database and rise in the transaction that makes the change, whichever process
makes it: one small query tells any process of what another one committed.
"""

from collections.abc import Mapping
from functools import cache

from sqlalchemy import BigInteger, FromClause, Select, UpdateBase, bindparam, event, select
from sqlalchemy.orm import Mapped, ORMExecuteState, Session, mapped_column

from tarazu.kit.db import Database, Table, insert_into, read

_NOTED = "tarazu_changes"


class TableVersion(Table):
    """How many transactions wrote to a table that `counts_changes`, by its name."""

    __tablename__ = "change_counts"

    name: Mapped[str] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(BigInteger)


def numbers(session: Session) -> Mapping[str, int]:
    """By the name of each table that `counts_changes`: the same number means the same rows.

    To be read before the rows are: they may then be newer than the numbers, never older. A table
    that was never written to is left out.
    """
    return {row.name: row.number for row in session.execute(select(*_COLUMNS))}


def number_of(session: Session, table: type[Table]) -> int:
    """As `numbers`, of one table; nought where it was never written to."""
    found = read(session, _number_of(), {"name": table.__tablename__}).scalar()
    return 0 if found is None else int(found)


@cache
def _number_of() -> Select[int]:
    return select(TableVersion.number).where(TableVersion.name == bindparam("name"))


def track_versions(database: Database) -> None:
    """Have every transaction on a database counted from now on, wherever it is written."""
    for name, act in (
        ("after_flush", _note_flush),
        ("do_orm_execute", _note_statement),
        ("before_commit", _count),
    ):
        event.listen(database.sessions, name, act)


_COLUMNS = (TableVersion.__table__.c.name, TableVersion.__table__.c.number)


def _note_flush(session: Session, _: object) -> None:
    for one in (*session.new, *session.dirty, *session.deleted):
        if one.counts_changes:
            _note(session, one.__tablename__)


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
        one.local_table: one.class_.__tablename__
        for one in Table.registry.mappers
        if one.class_.counts_changes
    }


def _count(session: Session) -> None:
    # A savepoint's end is no commit.
    if session.in_nested_transaction():
        return
    session.flush()
    # The last that the transaction does: nobody who waits for these rows holds them up for long,
    # and in one order, so that no two wait for each other.
    for name in sorted(session.info.pop(_NOTED, ())):
        added = insert_into(session, TableVersion).values(name=name, number=1)
        session.execute(
            added.on_conflict_do_update(
                index_elements=[TableVersion.name], set_={"number": TableVersion.number + 1}
            )
        )
