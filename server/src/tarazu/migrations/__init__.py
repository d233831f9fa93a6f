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
from tarazu.migrations import keeping
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
    "the next start of this one brings them up to date."
)


def bring_up_to_date(database: Database) -> None:
    """Run the migrations that this database lacks, and found an empty installation.

    Each migration is one transaction: a start that was killed in it is taken up by the next.

    Raises:
        UnfitDatabase: a newer version of the product made the tables; nothing is changed.
    """
    known = _known()
    with database.engine.connect() as connection:
        present = _present(connection)
        if present is not None and present not in known:
            raise UnfitDatabase(TOO_NEW)
        if present == max(known) and not keeping.missing_triggers(connection):
            return
    # Alembic is loaded only when there is work: it costs a third of a second of the start.
    from alembic import command  # noqa: PLC0415

    with migrating(database) as connection:
        was_empty = _present(connection) is None
        command.upgrade(config_for(connection), "head")
        if was_empty:
            _found(connection)
        keeping.keep_rows(connection)


@contextmanager
def migrating(database: Database) -> Iterator[Connection]:
    """A connection on which tables may be made anew: one transaction, one process at a time.

    Raises:
        UnfitDatabase: a row names one that is not there any more; nothing is changed.
    """
    with deadline.endless(), database.engine.connect() as connection:
        if not database.is_sqlite:
            with connection.begin():
                # A table of years may take longer than any call of a person, and so may the
                # start that is at it already.
                connection.execute(text("SET LOCAL statement_timeout = 0"))
                connection.execute(text("SET LOCAL lock_timeout = 0"))
                lock = {"key": int(AdvisoryLock.MIGRATIONS)}
                connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), lock)
                yield connection
            return
        # SQLite alters a table by making it anew and dropping the old one, whose rows others name.
        # What they name is looked at in the end instead; inside a transaction the switch is dead.
        plain = connection.connection.driver_connection
        assert plain is not None  # noqa: S101 - it was opened above
        plain.execute("PRAGMA foreign_keys=OFF")
        try:
            with connection.begin():
                yield connection
                lost = connection.execute(text("PRAGMA foreign_key_check")).first()
                if lost is not None:
                    raise UnfitDatabase(f"a row of {lost[0]} names one of {lost[2]} that is gone")
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
    """The migration that a database is at, None where it is empty, and the newest there is."""
    with database.engine.connect() as connection:
        return _present(connection), max(_known())


def refuse_missing(url: str) -> None:
    """Before anything is opened, since to open is to make.

    Args:
        url: an SQLAlchemy address.

    Raises:
        UnfitDatabase: there is no such SQLite file.
    """
    place = make_url(url)
    if place.get_backend_name() == "sqlite" and not Path(place.database or "").is_file():
        raise UnfitDatabase(
            f"There is no database at {place.database}. Give --data-dir and the settings of the "
            "installation, or start the product once."
        )


def refuse_other_tables(database: Database) -> None:
    """For who works on an installation without changing its tables.

    Raises:
        UnfitDatabase: it is empty, or its tables are of another version.
    """
    present, newest = states_of(database)
    if present is None:
        raise UnfitDatabase("The database is empty. Start the product once.")
    if present != newest:
        raise UnfitDatabase(TOO_NEW if is_too_new(database) else OLDER)


def is_too_new(database: Database) -> bool:
    """Whether a newer version of the product made the tables."""
    return states_of(database)[0] not in {None, *_known()}


def _known() -> set[str]:
    return {path.stem for path in (HERE / "versions").glob("2*.py")}


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
        session.commit()
