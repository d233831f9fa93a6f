"""Migrations: the tables of an installation, brought up to date at every start."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, inspect, make_url, text
from sqlalchemy.orm import Session

from tarazu.fees import service as fees
from tarazu.firm import service as firm
from tarazu.instruments import service as instruments
from tarazu.kit import clock, deadline
from tarazu.kit.db import Database, UnfitDatabase
from tarazu.kit.locks import AdvisoryLock
from tarazu.migrations import triggers
from tarazu.obligations import service as obligations
from tarazu.people import service as people
from tarazu.portfolio import service as portfolio

if TYPE_CHECKING:
    from alembic.config import Config

HERE = Path(__file__).parent
TOO_NEW = (
    "The database was made by a newer version of Tarazu. "
    "Install that version or newer, or restore a backup."
)

OLDER = (
    "The tables are of an older version of Tarazu. Make a backup with that version; "
    "the next start of this version upgrades them."
)


def bring_up_to_date(database: Database) -> None:
    """Run the migrations that this database lacks, and set up an empty installation.

    All of it is one transaction: after a killed start the next one runs it from the beginning.

    Raises:
        UnfitDatabase: a newer version of the product made the tables; nothing is changed.
    """
    # Reading: a connection of the engine's own would wait for those who write.
    with database.reading() as session:
        connection = session.connection()
        present = _present(connection)
        if present not in {None, *_known()}:
            raise UnfitDatabase(TOO_NEW)
        if present == newest() and not triggers.missing_triggers(connection):
            return
    # Imported only when there is work: Alembic adds a third of a second to the start.
    from alembic import command  # noqa: PLC0415

    with migrating(database) as connection:
        was_empty = _present(connection) is None
        command.upgrade(config_for(connection), "head")
        if was_empty:
            _found(connection)


@contextmanager
def migrating(database: Database) -> Iterator[Connection]:
    """A connection that may rebuild tables: one transaction, one process at a time.

    Raises:
        UnfitDatabase: a row refers to one that no longer exists; nothing is changed.
    """
    with deadline.endless(), database.engine.connect() as connection:
        if not database.is_sqlite:
            with connection.begin():
                # A large table takes longer than any request may, and so does waiting for
                # another start that is migrating.
                connection.execute(text("SET LOCAL statement_timeout = 0"))
                connection.execute(text("SET LOCAL lock_timeout = 0"))
                lock = {"key": int(AdvisoryLock.MIGRATIONS)}
                connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), lock)
                yield connection
            return
        # SQLite alters a table by rebuilding it, and would refuse to drop the old one while others
        # refer to it. The pragma has no effect inside a transaction; we check at the end instead.
        plain = connection.connection.driver_connection
        assert plain is not None  # noqa: S101 - it was opened above
        plain.execute("PRAGMA foreign_keys=OFF")
        try:
            with connection.begin():
                yield connection
                lost = connection.execute(text("PRAGMA foreign_key_check")).first()
                if lost is not None:
                    raise UnfitDatabase(f"a row of {lost[0]} refers to a missing row of {lost[2]}")
        finally:
            plain.execute("PRAGMA foreign_keys=ON")


def config_for(connection: Connection) -> "Config":
    """Alembic's configuration, on an open connection."""
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(HERE))
    config.attributes["connection"] = connection
    return config


def states_of(database: Database) -> tuple[str | None, str]:
    """The database's migration (None where it is empty), and the newest of this version."""
    with database.reading() as session:
        return _present(session.connection()), newest()


def refuse_missing(url: str) -> None:
    """Refuse a missing SQLite file before opening it, which would create it.

    Args:
        url: an SQLAlchemy URL.

    Raises:
        UnfitDatabase: there is no such SQLite file.
    """
    address = make_url(url)
    if address.get_backend_name() == "sqlite" and not Path(address.database or "").is_file():
        raise UnfitDatabase(
            f"There is no database at {address.database}. Give --data-dir and the settings of the "
            "installation, or start the product once."
        )


def refuse_other_tables(database: Database) -> None:
    """Refuse a database that this version would have to migrate first.

    Raises:
        UnfitDatabase: it is empty, or its tables are of another version.
    """
    present, expected = states_of(database)
    if present is None:
        raise UnfitDatabase("The database is empty. Start the product once.")
    if present != expected:
        raise UnfitDatabase(TOO_NEW if is_too_new(database) else OLDER)


def is_too_new(database: Database) -> bool:
    """Whether a newer version of the product made the tables."""
    return states_of(database)[0] not in {None, *_known()}


def newest() -> str:
    """The newest migration of this version."""
    return max(_known())


def _known() -> set[str]:
    return {path.stem for path in (HERE / "versions").glob("[0-9]*.py")}


def _present(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one_or_none()


def _found(connection: Connection) -> None:
    with Session(connection, join_transaction_mode="create_savepoint") as session:
        firm.found_installation(session, clock.now())
        people.found_installation(session)
        instruments.found_installation(session)
        portfolio.found_installation(session)
        fees.found_installation(session)
        obligations.found_installation(session, clock.now())
        session.commit()
