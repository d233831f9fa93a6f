"""Moves an installation from SQLite to PostgreSQL: every row, verified there, or nothing.

The tables are created, filled and verified in one transaction of the target, so a killed move
leaves it empty. Meanwhile no other process may have the SQLite file open: what a server wrote to it
after the copy would be lost.
"""

import hashlib
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pysqlite3.dbapi2 as bundled_sqlite
from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Integer,
    Table,
    create_engine,
    func,
    select,
    text,
    type_coerce,
)
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.orm import Session
from sqlalchemy.pool import StaticPool

from tarazu.audit import service as audit
from tarazu.kit import audit_log, encryption
from tarazu.kit.db import Database, PercentColumn, RupeesColumn
from tarazu.kit.db import Table as Base
from tarazu.kit.settings import Settings
from tarazu.migrations import all_tables, config_for, migrating, triggers

ROWS_AT_ONCE: Final = 2_000
_WHOLE: Final = 1 << 128


class CannotMove(Exception):
    """The move cannot be done; the text is the one line that is printed."""


@dataclass(frozen=True, slots=True)
class Moved:
    """What was copied and verified: rows by table, and how many column sums, audit rows, secrets."""

    rows: dict[str, int]
    sums: int
    trail_rows: int
    secrets: int
    seconds: float


@dataclass(frozen=True, slots=True)
class _Digest:
    """The number of a table's rows, and the sum of their hashes, whatever their order."""

    rows: int
    total: int


Say = Callable[[str], object]


def refuse_unfit(settings: Settings, target_url: str) -> None:
    """Check that there is an SQLite database to move, and a PostgreSQL target.

    Raises:
        CannotMove: one of them is missing.
    """
    if not settings.resolved_database_url.startswith("sqlite"):
        raise CannotMove("this installation is on PostgreSQL already")
    if not _path(settings).is_file():
        raise CannotMove(f"there is no database at {_path(settings)}")
    if not target_url.startswith("postgresql+psycopg:"):
        raise CannotMove("give the new database as postgresql+psycopg://user@host/name")


def move(settings: Settings, target_url: str, say: Say) -> Moved:
    """Copy an up-to-date installation into an empty PostgreSQL database, and verify the copy.

    Raises:
        CannotMove: the target is not empty, the source is in use, or the copy differs.
    """
    refuse_unfit(settings, target_url)
    assert all_tables is not None  # noqa: S101 - loaded, so that every table is known
    began = time.monotonic()
    audit_key, keys = _keys_of(settings)
    target = Database(target_url)
    try:
        with _exclusive(_path(settings)) as source:
            _refuse_used(target)
            say("Creating the tables …")
            with migrating(target) as connection:
                _make_tables(connection, source)
                foreign_keys = _drop_foreign_keys(connection)
                copied = {table.name: _copy(source, connection, table, say) for table in _tables()}
                say("Verifying …")
                _restore_foreign_keys(connection, foreign_keys)
                _set_sequences(connection)
                sums = _compare(source, connection, copied)
                secrets = _decrypt_all(connection, keys)
                rows = _verify_trail(connection, settings, audit_key)
                triggers.create_triggers(connection)
    finally:
        target.dispose()
    counts = {name: digest.rows for name, digest in copied.items()}
    return Moved(counts, sums, rows, secrets, time.monotonic() - began)


def report(moved: Moved, say: Say) -> None:
    """Print what was copied, a line for each table that has rows."""
    for name, count in moved.rows.items():
        if count:
            say(f"{count:>10,}  {name}")
    say(
        f"{sum(moved.rows.values()):,} rows copied and verified. {moved.sums} column sums match. "
        f"{moved.trail_rows:,} rows of the audit trail verified. "
        f"{moved.secrets} secrets decrypted. {moved.seconds:.1f} s."
    )


def _path(settings: Settings) -> Path:
    return Path(make_url(settings.resolved_database_url).database or "")


def _keys_of(settings: Settings) -> tuple[bytes, encryption.Keys]:
    keys = encryption.keys_in(settings.secrets_keys, settings.data_dir)
    source = Database(settings.resolved_database_url)
    try:
        return encryption.open_cipher(source, keys), keys
    finally:
        # Closed first: our own connection would prevent exclusive access to the file.
        source.dispose()


def _tables() -> list[Table]:
    return [table for table in Base.metadata.sorted_tables if isinstance(table, Table)]


@contextmanager
def _exclusive(path: Path) -> Iterator[Connection]:
    """An exclusive connection to the SQLite file.

    Raises:
        CannotMove: a process has it open.
    """
    plain = bundled_sqlite.connect(path, timeout=1, isolation_level=None, check_same_thread=False)
    engine = create_engine(
        "sqlite://", module=bundled_sqlite, creator=lambda: plain, poolclass=StaticPool
    )
    try:
        try:
            # In WAL mode this fails while a server has the file open.
            plain.execute("PRAGMA locking_mode=EXCLUSIVE")
            plain.execute("BEGIN IMMEDIATE")
        except bundled_sqlite.OperationalError as error:
            raise CannotMove(
                "the database is in use; stop every process of the installation first"
            ) from error
        with engine.connect() as source:
            yield source
    finally:
        engine.dispose()
        plain.close()


def _refuse_used(target: Database) -> None:
    try:
        with target.engine.connect() as connection:
            count = connection.execute(
                text("SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()")
            ).scalar_one()
    except OperationalError as error:
        reason = " ".join(str(error.orig).split())
        raise CannotMove(f"the new database cannot be reached ({reason})") from error
    if count:
        raise CannotMove(f"the new database has {count} tables already; give an empty one")


def _make_tables(connection: Connection, source: Connection) -> None:
    from alembic import command  # noqa: PLC0415 - as in migrations: it costs a third of a second

    present = source.execute(text("SELECT version_num FROM alembic_version")).scalar_one()
    command.upgrade(config_for(connection), present)
    triggers.drop_triggers(connection)
    for table in _tables():
        # A migration may have inserted rows; the source has their current versions.
        connection.execute(text(f'TRUNCATE TABLE "{table.name}" CASCADE'))


def _drop_foreign_keys(connection: Connection) -> list[tuple[str, str, str]]:
    """Drop the foreign keys, as rows are copied before those they refer to.

    Returns:
        Table, name and definition of each.
    """
    foreign_keys = connection.execute(
        text(
            "SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) "
            "FROM pg_constraint WHERE contype = 'f' AND connamespace = current_schema()::regnamespace"
        )
    ).all()
    for table, name, _ in foreign_keys:
        connection.execute(text(f'ALTER TABLE {table} DROP CONSTRAINT "{name}"'))
    return [(table, name, definition) for table, name, definition in foreign_keys]


def _restore_foreign_keys(
    connection: Connection, references: Sequence[tuple[str, str, str]]
) -> None:
    """Create the foreign keys again; PostgreSQL checks every row."""
    for table, name, definition in references:
        try:
            connection.execute(text(f'ALTER TABLE {table} ADD CONSTRAINT "{name}" {definition}'))
        except DBAPIError as error:
            raise CannotMove(f"a row of {table} refers to a missing row") from error


def _copy(source: Connection, target: Connection, table: Table, say: Say) -> _Digest:
    """Copy a table's rows; returns the digest of what was read."""
    columns = list(table.columns)
    to_target = [
        column.type.dialect_impl(target.dialect).bind_processor(target.dialect)
        for column in columns
    ]
    names = ", ".join(f'"{column.name}"' for column in columns)
    plain: Any = target.connection.driver_connection
    rows, total = 0, 0
    with plain.cursor() as cursor, cursor.copy(f'COPY "{table.name}" ({names}) FROM STDIN') as out:
        for row in _rows_of(source, table):
            out.write_row(
                [bind(value) if bind else value for bind, value in zip(to_target, row, strict=True)]
            )
            rows, total = rows + 1, (total + _hash_of(row)) % _WHOLE
            if rows % 100_000 == 0:
                say(f"{rows:>10,}  {table.name} …")
    return _Digest(rows, total)


def _rows_of(connection: Connection, table: Table) -> Iterator[Sequence[Any]]:
    # Set on this statement only: on the connection it would apply to all later ones.
    result = connection.execute(select(table), execution_options={"yield_per": ROWS_AT_ONCE})
    for rows in result.partitions():
        yield from rows


def _hash_of(row: Sequence[Any]) -> int:
    row_text = repr([bytes(value) if isinstance(value, memoryview) else value for value in row])
    return int.from_bytes(hashlib.blake2b(row_text.encode(), digest_size=16).digest())


def _compare(source: Connection, target: Connection, copied: dict[str, _Digest]) -> int:
    """Read the copy and compare it with the source; returns the number of sums compared."""
    compared = 0
    for table in _tables():
        rows, total = 0, 0
        for row in _rows_of(target, table):
            rows, total = rows + 1, (total + _hash_of(row)) % _WHOLE
        if _Digest(rows, total) != copied[table.name]:
            raise CannotMove(f"the copy of {table.name} differs; nothing was moved")
        columns = [column for column in table.columns if _is_integer(column)]
        if columns:
            here, there = (_sums(connection, table, columns) for connection in (source, target))
            if here != there:
                raise CannotMove(f"the sums of {table.name} differ; nothing was moved")
            compared += len(columns)
    return compared


def _is_integer(column: Column[Any]) -> bool:
    return isinstance(column.type, RupeesColumn | PercentColumn | Integer)


def _sums(connection: Connection, table: Table, columns: Sequence[Column[Any]]) -> list[int]:
    """Sums of the stored integers over all rows: ten-thousandths of a rupee, for money."""
    sums = [func.sum(type_coerce(column, BigInteger)) for column in columns]
    row = connection.execute(select(*sums).select_from(table)).one()
    return [int(value or 0) for value in row]


def _set_sequences(connection: Connection) -> None:
    """Set the sequences so that new rows are numbered after the copied ones."""
    for table in _tables():
        column = table.autoincrement_column
        if column is None:
            continue
        sequence = connection.execute(
            text("SELECT pg_get_serial_sequence(:table, :column)"),
            {"table": f'"{table.name}"', "column": column.name},
        ).scalar_one_or_none()
        last = connection.execute(select(func.max(column))).scalar_one()
        if sequence and last is not None:
            set_it = text("SELECT setval(CAST(:name AS regclass), :last)")
            connection.execute(set_it, {"name": sequence, "last": int(last)})


def _decrypt_all(connection: Connection, keys: encryption.Keys) -> int:
    """Decrypt every secret with the installation's keys; returns how many there are."""
    cipher, decrypted = encryption.Cipher(keys), 0
    for column in encryption.sealed_columns():
        (key,) = column.table.primary_key.columns
        statement = select(key, column).where(column.is_not(None))
        for row_id, sealed in connection.execute(statement):
            try:
                cipher.reseal(sealed, column, row_id)
            except encryption.CannotDecrypt as error:
                raise CannotMove(f"{error}; nothing was moved") from error
            decrypted += 1
    return decrypted


def _verify_trail(connection: Connection, settings: Settings, key: bytes) -> int:
    with Session(connection, join_transaction_mode="rollback_only") as session:
        audit_log.use_key(session, key)
        result = audit.verify(session, settings.audit_heads_file)
    if result.fault is not None:
        raise CannotMove(f"the audit trail check failed: {result.message} Nothing was moved")
    return result.rows
