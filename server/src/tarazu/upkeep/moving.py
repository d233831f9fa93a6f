"""From the embedded database to PostgreSQL: every row, checked there, or nothing at all.

The tables are made, filled and checked in one transaction of the target, so a move that is killed
leaves it empty. Meanwhile nobody else has the SQLite file open: what a server would still write to
it after the copy would be lost.
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
from tarazu.migrations import all_tables, config_for, keeping, migrating

ROWS_AT_ONCE: Final = 2_000
_WHOLE: Final = 1 << 128


class CannotMove(Exception):
    """The move cannot be done; the text is the one line that is printed."""


@dataclass(frozen=True, slots=True)
class Moved:
    """What was copied and found the same: rows by table, sums of whole columns, the trail's rows."""

    rows: dict[str, int]
    sums: int
    trail_rows: int
    secrets: int
    seconds: float


@dataclass(frozen=True, slots=True)
class _Digest:
    """Of a table: how many rows, and a sum over the rows' hashes, in whatever order they come."""

    rows: int
    total: int


Say = Callable[[str], object]


def refuse_unfit(settings: Settings, target_url: str) -> None:
    """Look whether there is something to move, and a place of the right kind.

    Raises:
        CannotMove: there is not.
    """
    if not settings.resolved_database_url.startswith("sqlite"):
        raise CannotMove("this installation is on PostgreSQL already")
    if not _path(settings).is_file():
        raise CannotMove(f"there is no database at {_path(settings)}")
    if not target_url.startswith("postgresql+psycopg:"):
        raise CannotMove("give the new database as postgresql+psycopg://user@host/name")


def move(settings: Settings, target_url: str, say: Say) -> Moved:
    """Copy an installation that is up to date into an empty PostgreSQL database, and check it there.

    Raises:
        CannotMove: the target is not empty, the source is in use, or the copy differs.
    """
    refuse_unfit(settings, target_url)
    assert all_tables is not None  # noqa: S101 - loaded, so that every table is known
    began = time.monotonic()
    audit_key, keys = _keys_of(settings)
    target = Database(target_url)
    try:
        with _alone(_path(settings)) as source:
            _refuse_used(target)
            say("Making the tables …")
            with migrating(target) as connection:
                _make_tables(connection, source)
                later = _let_go_of_references(connection)
                copied = {one.name: _copy(source, connection, one, say) for one in _tables()}
                say("Checking …")
                _bring_back(connection, later)
                _set_sequences(connection)
                sums = _compare(source, connection, copied)
                secrets = _open_all(connection, keys)
                rows = _verify_trail(connection, settings, audit_key)
                keeping.keep_rows(connection)
    finally:
        target.dispose()
    counts = {name: digest.rows for name, digest in copied.items()}
    return Moved(counts, sums, rows, secrets, time.monotonic() - began)


def report(moved: Moved, say: Say) -> None:
    """What was copied, a line for each table that has rows."""
    for name, count in moved.rows.items():
        if count:
            say(f"{count:>10,}  {name}")
    say(
        f"{sum(moved.rows.values()):,} rows copied and read again: the same. {moved.sums} sums of "
        f"columns agree. The audit trail's {moved.trail_rows:,} rows hold. "
        f"{moved.secrets} secrets open. {moved.seconds:.1f} s."
    )


def _path(settings: Settings) -> Path:
    return Path(make_url(settings.resolved_database_url).database or "")


def _keys_of(settings: Settings) -> tuple[bytes, encryption.Keys]:
    keys = encryption.keys_in(settings.secrets_keys, settings.data_dir)
    source = Database(settings.resolved_database_url)
    try:
        return encryption.open_cipher(source, keys), keys
    finally:
        # Closed before the file is taken alone: our own connection would be in the way.
        source.dispose()


def _tables() -> list[Table]:
    return [one for one in Base.metadata.sorted_tables if isinstance(one, Table)]


@contextmanager
def _alone(path: Path) -> Iterator[Connection]:
    """The only connection to the SQLite file, which nobody can open meanwhile.

    Raises:
        CannotMove: some process has it open.
    """
    plain = bundled_sqlite.connect(path, timeout=1, isolation_level=None, check_same_thread=False)
    engine = create_engine(
        "sqlite://", module=bundled_sqlite, creator=lambda: plain, poolclass=StaticPool
    )
    try:
        try:
            # In WAL mode this needs the whole file, so it fails while a server has it open.
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
    keeping.let_go(connection)
    for table in _tables():
        # A migration may have written rows of its own; the source has them as they are now.
        connection.execute(text(f'TRUNCATE TABLE "{table.name}" CASCADE'))


def _let_go_of_references(connection: Connection) -> list[tuple[str, str, str]]:
    """Drop the foreign keys, as rows come before those that they name: table, name, definition."""
    found = connection.execute(
        text(
            "SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) "
            "FROM pg_constraint WHERE contype = 'f' AND connamespace = current_schema()::regnamespace"
        )
    ).all()
    for table, name, _ in found:
        connection.execute(text(f'ALTER TABLE {table} DROP CONSTRAINT "{name}"'))
    return [(table, name, definition) for table, name, definition in found]


def _bring_back(connection: Connection, references: Sequence[tuple[str, str, str]]) -> None:
    """The foreign keys again; PostgreSQL looks at every row."""
    for table, name, definition in references:
        try:
            connection.execute(text(f'ALTER TABLE {table} ADD CONSTRAINT "{name}" {definition}'))
        except DBAPIError as error:
            raise CannotMove(f"a row of {table} names one that is not there") from error


def _copy(source: Connection, target: Connection, table: Table, say: Say) -> _Digest:
    """Copy a table's rows; the digest of what was read."""
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
                [made(one) if made else one for made, one in zip(to_target, row, strict=True)]
            )
            rows, total = rows + 1, (total + _hash_of(row)) % _WHOLE
            if rows % 100_000 == 0:
                say(f"{rows:>10,}  {table.name} …")
    return _Digest(rows, total)


def _rows_of(connection: Connection, table: Table) -> Iterator[Sequence[Any]]:
    # Of this statement alone: a connection would keep the option for all that follow.
    found = connection.execute(select(table), execution_options={"yield_per": ROWS_AT_ONCE})
    for some in found.partitions():
        yield from some


def _hash_of(row: Sequence[Any]) -> int:
    told = repr([bytes(one) if isinstance(one, memoryview) else one for one in row])
    return int.from_bytes(hashlib.blake2b(told.encode(), digest_size=16).digest())


def _compare(source: Connection, target: Connection, copied: dict[str, _Digest]) -> int:
    """Read everything again and compare it with what was read here; the number of sums compared."""
    compared = 0
    for table in _tables():
        rows, total = 0, 0
        for row in _rows_of(target, table):
            rows, total = rows + 1, (total + _hash_of(row)) % _WHOLE
        if _Digest(rows, total) != copied[table.name]:
            raise CannotMove(f"the copy of {table.name} differs; nothing was moved")
        columns = [one for one in table.columns if _is_whole(one)]
        if columns:
            here, there = (_sums(connection, table, columns) for connection in (source, target))
            if here != there:
                raise CannotMove(f"the sums of {table.name} differ; nothing was moved")
            compared += len(columns)
    return compared


def _is_whole(column: Column[Any]) -> bool:
    return isinstance(column.type, RupeesColumn | PercentColumn | Integer)


def _sums(connection: Connection, table: Table, columns: Sequence[Column[Any]]) -> list[int]:
    """Over all rows, of the whole numbers that are kept: ten-thousandths of a rupee, for money."""
    sums = [func.sum(type_coerce(column, BigInteger)) for column in columns]
    row = connection.execute(select(*sums).select_from(table)).one()
    return [int(one or 0) for one in row]


def _set_sequences(connection: Connection) -> None:
    """New rows are numbered after the copied ones."""
    for table in _tables():
        column = table.autoincrement_column
        if column is None:
            continue
        found = connection.execute(
            text("SELECT pg_get_serial_sequence(:table, :column)"),
            {"table": f'"{table.name}"', "column": column.name},
        ).scalar_one_or_none()
        last = connection.execute(select(func.max(column))).scalar_one()
        if found and last is not None:
            set_it = text("SELECT setval(CAST(:name AS regclass), :last)")
            connection.execute(set_it, {"name": found, "last": int(last)})


def _open_all(connection: Connection, keys: encryption.Keys) -> int:
    """Open every secret with the installation's keys; how many there are."""
    vault, opened = encryption.Cipher(keys), 0
    for column in encryption.sealed_columns():
        (key,) = column.table.primary_key.columns
        statement = select(key, column).where(column.is_not(None))
        for row_id, sealed in connection.execute(statement):
            try:
                vault.reseal(sealed, column, row_id)
            except encryption.CannotDecrypt as error:
                raise CannotMove(f"{error}; nothing was moved") from error
            opened += 1
    return opened


def _verify_trail(connection: Connection, settings: Settings, key: bytes) -> int:
    with Session(connection, join_transaction_mode="rollback_only") as session:
        audit_log.use_key(session, key)
        found = audit.verify(session, settings.audit_heads_file)
    if found.fault is not None:
        raise CannotMove(f"the audit trail does not hold: {found.message} Nothing was moved")
    return found.rows
