"""Migrations: the tables of an installation, brought up to date at every start."""

from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, inspect, text
from sqlalchemy.orm import Session

from tarazu.fees import service as fees
from tarazu.firm import service as firm
from tarazu.instruments import service as instruments
from tarazu.kit import clock
from tarazu.kit.db import Database
from tarazu.people import service as people
from tarazu.portfolio import service as portfolio

if TYPE_CHECKING:
    from alembic.config import Config

HERE = Path(__file__).parent
_LOCK = 7_270_002


def bring_up_to_date(database: Database) -> None:
    """Run the migrations that this database lacks, and found an empty installation.

    Each migration is one transaction: a start that was killed in it is taken up by the next.
    """
    newest = max(path.stem for path in (HERE / "versions").glob("2*.py"))
    with database.engine.connect() as connection:
        if _present(connection) == newest:
            return
    # Alembic is loaded only when there is work: it costs a third of a second of the start.
    from alembic import command  # noqa: PLC0415

    with database.engine.begin() as connection:
        if not database.is_sqlite:
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
        was_empty = _present(connection) is None
        command.upgrade(config_for(connection), "head")
        if was_empty:
            _found(connection)


def config_for(connection: Connection) -> "Config":
    """Alembic's configuration, on an open connection."""
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(HERE))
    config.attributes["connection"] = connection
    return config


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
