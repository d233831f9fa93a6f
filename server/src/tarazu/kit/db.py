"""The database: tables, exact column types, and the transaction of a request or a job."""

import datetime as dt
import enum
import json
import uuid
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, TypeVar

import pysqlite3.dbapi2 as bundled_sqlite
import uuid_utils.compat
from fastapi import Depends, Request
from sqlalchemy import (
    ARRAY,
    BigInteger,
    ColumnElement,
    CursorResult,
    Dialect,
    Engine,
    Enum,
    Executable,
    MetaData,
    Text,
    TypeDecorator,
    Uuid,
    any_,
    bindparam,
    cast,
    create_engine,
    event,
    func,
    insert,
    select,
    text,
    type_coerce,
)
from sqlalchemy.orm import DeclarativeBase, InstrumentedAttribute, Session, sessionmaker
from sqlalchemy.types import DateTime

from tarazu.domain.money import from_points, from_units, to_points, to_units
from tarazu.kit import sqlite
from tarazu.kit.errors import ApiError

if TYPE_CHECKING:
    from sqlalchemy.dialects.postgresql import Insert as PostgresInsert
    from sqlalchemy.dialects.sqlite import Insert as SqliteInsert

OLDEST_SAFE_SQLITE = (3, 51, 3)
"""Older libraries can corrupt a database in WAL mode (the WAL-reset fault)."""

READ_ONLY = {"tarazu_reads": True}
ONE_SNAPSHOT = {"isolation_level": "REPEATABLE READ"}

LONGEST_QUEUE = 3.0
"""Seconds to wait for a free connection of the pool."""


_IDS_KEPT = 20_000
_PARTS = "tarazu_parts"
T = TypeVar("T")


class UnfitDatabase(Exception):
    """The database cannot be used safely; the text says why."""


class Table(DeclarativeBase):
    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    # Words, not database types: a new word then needs no migration on either database.
    type_annotation_map: ClassVar[dict[Any, Any]] = {
        enum.Enum: Enum(enum.Enum, native_enum=False, length=40)
    }
    __abstract__ = True

    tracks_version: ClassVar[bool] = False
    """Whether a commit that writes to it is counted by `kit.changes`."""


class RupeesColumn(TypeDecorator[Decimal]):
    """A rupee amount, kept as whole ten-thousandths in a BIGINT."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: Decimal | None, dialect: Dialect) -> int | None:
        return None if value is None else to_units(value)

    def process_result_value(self, value: int | None, dialect: Dialect) -> Decimal | None:
        return None if value is None else from_units(int(value))


class PercentColumn(TypeDecorator[Decimal]):
    """A percent with at most two decimals, kept as whole basis points in a BIGINT."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: Decimal | None, dialect: Dialect) -> int | None:
        return None if value is None else to_points(value)

    def process_result_value(self, value: int | None, dialect: Dialect) -> Decimal | None:
        return None if value is None else from_points(int(value))


class RepeatedId(Uuid[uuid.UUID]):
    """An id that is in many of the rows read: each is parsed once."""

    cache_ok = True

    def result_processor(
        self, dialect: Dialect, coltype: object
    ) -> Callable[[Any], uuid.UUID | None] | None:
        make = super().result_processor(dialect, coltype)  # type: ignore[no-untyped-call]
        return None if make is None else lru_cache(_IDS_KEPT)(make)


class InstantColumn(TypeDecorator[dt.datetime]):
    """An instant in UTC; SQLite keeps it without its offset."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: dt.datetime | None, dialect: Dialect) -> dt.datetime | None:
        if value is None:
            return None
        in_utc = value.astimezone(dt.UTC)
        return in_utc.replace(tzinfo=None) if dialect.name == "sqlite" else in_utc

    def process_result_value(
        self, value: dt.datetime | None, dialect: Dialect
    ) -> dt.datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=dt.UTC) if value.tzinfo is None else value.astimezone(dt.UTC)


def new_id() -> uuid.UUID:
    """A fresh UUIDv7: opaque, sortable by time of making, not to be guessed."""
    return uuid_utils.compat.uuid7()


def acquire_lock(session: Session, what: int) -> None:
    """Wait until no other transaction does `what`, until this one ends.

    SQLite has one writer at a time already; PostgreSQL needs a lock to be as orderly.
    """
    if session.get_bind().dialect.name == "postgresql":
        session.execute(text("SELECT pg_advisory_xact_lock(:what)"), {"what": int(what)})


def insert_into(session: Session, table: type[Table]) -> "SqliteInsert | PostgresInsert":
    """An INSERT that may say what to do on a conflict, in the words of the session's database.

    It is of the table and not of its class: SQLAlchemy would look at each row once more.
    """
    # One dialect is loaded, the one in use: the other costs a twentieth of the start.
    if session.get_bind().dialect.name == "postgresql":
        from sqlalchemy.dialects.postgresql import insert as postgres_insert  # noqa: PLC0415

        return postgres_insert(table.__table__)  # type: ignore[arg-type]
    from sqlalchemy.dialects.sqlite import insert as sqlite_insert  # noqa: PLC0415

    return sqlite_insert(table.__table__)  # type: ignore[arg-type]


def add_rows(session: Session, table: type[Table], rows: Sequence[Mapping[str, object]]) -> None:
    """Insert rows, every column given, in their order; no entities are made of them."""
    if rows:
        statement = insert(table.__table__)  # type: ignore[arg-type]
        session.execute(statement, list(rows))


def add_stored_rows(
    session: Session, table: type[Table], names: Sequence[str], rows: Sequence[tuple[Any, ...]]
) -> None:
    """Insert rows whose values are as the database stores them, in the order of `names`.

    For very many rows: to convert the values and to send rows one by one costs several times as
    much. An id is its text, rupees are units, an enum is its name (see `rows_as_json`).

    Raises:
        IntegrityError: a row breaks a rule of the table.
    """
    if not rows:
        return
    connection = session.connection()
    columns = ", ".join(names)
    if connection.dialect.name == "postgresql":
        from tarazu.kit import postgres  # noqa: PLC0415 - the driver is a part of the start

        postgres.copy_rows(connection, f"COPY {table.__tablename__} ({columns}) FROM STDIN", rows)
    else:
        places = ", ".join("?" * len(names))
        statement = f"INSERT INTO {table.__tablename__} ({columns}) VALUES ({places})"  # noqa: S608  # nosec B608 - names of ours
        connection.exec_driver_sql(statement, list(rows))


def put_stored_rows(
    session: Session,
    table: type[Table],
    names: Sequence[str],
    rows: Sequence[tuple[Any, ...]],
    changed: Sequence[str],
) -> None:
    """As `add_stored_rows`, but of rows whose key is there, change the columns `changed`."""
    if not rows:
        return
    connection, columns = session.connection(), ", ".join(names)
    key = ", ".join(column.name for column in table.__table__.primary_key)
    values = ", ".join(f"{name} = excluded.{name}" for name in changed)
    on_conflict = f"ON CONFLICT ({key}) DO UPDATE SET {values}"  # nosec B608 - names of ours
    into = f"INSERT INTO {table.__tablename__} ({columns})"
    if connection.dialect.name == "postgresql":
        # One statement: one for each row costs several times as much.
        given = json.dumps([dict(zip(names, row, strict=True)) for row in rows])
        source = f"json_populate_recordset(NULL::{table.__tablename__}, CAST(%s AS json))"
        statement = f"{into} SELECT {columns} FROM {source} {on_conflict}"  # noqa: S608  # nosec B608 - names of ours
        connection.exec_driver_sql(statement, (given,))
    else:
        places = ", ".join("?" * len(names))
        connection.exec_driver_sql(f"{into} VALUES ({places}) {on_conflict}", list(rows))


def rows_as_json(
    session: Session, columns: Sequence[Any], order_by: InstrumentedAttribute[Any] | None = None
) -> ColumnElement[str]:
    """The rows of a group as the text of a JSON list of lists, each value as it is stored.

    For very many rows of a few groups: to read them one by one costs several times as much. An id
    is its text, rupees are units, an instant is read by `stored_instant`.

    Args:
        order_by: without it, the rows are in no order.
    """
    is_postgres = session.get_bind().dialect.name == "postgresql"
    rows = (
        func.json_agg(func.json_build_array(*columns))
        if is_postgres
        else func.json_group_array(func.json_array(*columns))
    )
    ordered = rows if order_by is None else rows.aggregate_order_by(order_by)
    return cast(ordered, Text) if is_postgres else type_coerce(ordered, Text)


def is_one_of(
    session: Session, column: InstrumentedAttribute[str], texts: Collection[str]
) -> ColumnElement[bool]:
    """Whether a column is one of very many texts; they are sent as one value."""
    if session.get_bind().dialect.name == "postgresql":
        return column == any_(bindparam(None, list(texts), ARRAY(Text), unique=True))
    listed = func.json_each(json.dumps(list(texts))).table_valued("value")
    return column.in_(select(listed.c.value))


def stored_instant(stored: str) -> dt.datetime:
    """An instant as `rows_as_json` gives it; SQLite keeps it without its offset."""
    at = dt.datetime.fromisoformat(stored)
    return at.replace(tzinfo=dt.UTC) if at.tzinfo is None else at


def read(
    session: Session, statement: Executable, values: Mapping[str, object] | None = None
) -> CursorResult[*tuple[Any, ...]]:
    """Columns by a statement that was made once; no entities are made of its rows.

    Costs half as much as `Session.execute`; for queries that every page makes.
    """
    if session.new or session.dirty or session.deleted:
        session.flush()
    return session.connection().execute(statement, values)


def parts_of(session: Session) -> dict[type, Any]:
    """The `parts` of the session's database."""
    parts: dict[type, Any] = session.info.setdefault(_PARTS, {})
    return parts


def part_of(session: Session, kind: type[T]) -> T:
    """The part of this class of the session's database; made on first use."""
    parts = parts_of(session)
    part: T | None = parts.get(kind)
    # `setdefault`: of two threads that make it at once, both get the same one.
    return parts.setdefault(kind, kind()) if part is None else part


class Database:
    """One database and the making of its sessions.

    Args:
        url: an SQLAlchemy address; `sqlite:///…` or `postgresql+psycopg://…`.
    """

    def __init__(self, url: str) -> None:
        self.is_sqlite = url.startswith("sqlite")
        self.engine = _sqlite_engine(url) if self.is_sqlite else _postgres_engine(url)
        self.parts: dict[type, Any] = {}
        """What this process keeps in memory of the database, one object of each class."""
        self.sessions = sessionmaker(self.engine, expire_on_commit=False, info={_PARTS: self.parts})

    @contextmanager
    def transaction(self) -> Iterator[Session]:
        """A session that writes; committed at the end, rolled back on an exception."""
        with self.sessions.begin() as session:
            yield session

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A session that only reads and never waits for a writer.

        All that it reads is of one moment: that of its first statement.
        """
        with self.sessions() as session:
            _begin_reading(session)
            yield session

    def dispose(self) -> None:
        """Close every pooled connection; one that a thread still uses, when it is returned."""
        pool = self.engine.pool
        self.engine.dispose()
        # SQLAlchemy would keep it, open, in the old pool until both are collected.
        event.listen(pool, "checkin", lambda _, entry: entry.close())


def _begin_reading(session: Session) -> None:
    # Otherwise each statement of PostgreSQL would read what is committed by then.
    is_sqlite = session.get_bind().dialect.name == "sqlite"
    session.connection(execution_options=READ_ONLY if is_sqlite else READ_ONLY | ONE_SNAPSHOT)


def reads_one_moment(session: Session) -> bool:
    """Whether all statements of the session read what was committed at its first."""
    if session.get_bind().dialect.name == "sqlite":
        return True
    return ONE_SNAPSHOT.items() <= session.connection().get_execution_options().items()


def _sqlite_engine(url: str) -> Engine:
    sqlite_version = bundled_sqlite.sqlite_version
    if bundled_sqlite.sqlite_version_info < OLDEST_SAFE_SQLITE:
        raise UnfitDatabase(f"SQLite {sqlite_version} is too old; 3.51.3 or newer is needed")
    engine = create_engine(
        url,
        module=bundled_sqlite,
        connect_args={"check_same_thread": False, "timeout": sqlite.LONGEST_LOCK},
        hide_parameters=True,
        pool_size=12,
        max_overflow=36,
        pool_timeout=LONGEST_QUEUE,
    )
    path = engine.url.database
    if path:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
    sqlite.prepare(engine, READ_ONLY)
    return engine


def _postgres_engine(url: str) -> Engine:
    # Loaded where it is used: the driver is a part of the start.
    from tarazu.kit import postgres  # noqa: PLC0415

    options = "-c statement_timeout=8000 -c lock_timeout=5000 -c timezone=UTC"
    engine = create_engine(
        url,
        connect_args={"options": options, "connect_timeout": 3},
        hide_parameters=True,
        pool_size=12,
        max_overflow=36,
        pool_pre_ping=True,
        pool_timeout=LONGEST_QUEUE,
    )
    breaker = postgres.new_breaker()

    @event.listens_for(engine, "do_connect")
    def _connect(_dialect: Dialect, _record: Any, args: Any, options: Any) -> Any:
        return postgres.connect(breaker, *args, **options)

    return engine


class RequestSessions:
    """The sessions that a request's dependencies ask for: opened and ended in one thread."""

    def __init__(self) -> None:
        self._reading: list[Session] = []
        self._writing: list[Session] = []

    def add(self, database: Database, *, is_read: bool) -> Session:
        """A session that `open` opens."""
        session = database.sessions()
        (self._reading if is_read else self._writing).append(session)
        return session

    @property
    def first(self) -> Session | None:
        """One of them, a reading one if there is one; None where the call asked for none."""
        return next(iter((*self._reading, *self._writing)), None)

    @contextmanager
    def open(self) -> Iterator[None]:
        """Commit what is written within at its end, or roll it back on an exception.

        An error with `commit_on_error` is raised after the commit.
        """
        raised: ApiError | None = None
        with ExitStack() as stack:
            for session in self._reading:
                stack.enter_context(session)
                _begin_reading(session)
            for session in self._writing:
                stack.enter_context(session)
                stack.enter_context(session.begin())
            try:
                yield
            except ApiError as error:
                if not error.commit_on_error:
                    raise
                raised = error
        if raised is not None:
            raise raised


async def _open_session(request: Request) -> Session:
    return _added(request, is_read=request.method in {"GET", "HEAD"})


async def _open_reading(request: Request) -> Session:
    return _added(request, is_read=True)


async def _open_writing(request: Request) -> Session:
    return _added(request, is_read=False)


def _added(request: Request, *, is_read: bool) -> Session:
    sessions: RequestSessions = request.state.sessions
    return sessions.add(request.app.state.database, is_read=is_read)


OpenSession = Annotated[Session, Depends(_open_session)]
ReadSession = Annotated[Session, Depends(_open_reading)]
# For what a GET writes: an audit row for each export.
WriteSession = Annotated[Session, Depends(_open_writing)]
