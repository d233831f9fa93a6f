"""Migrations run up, down and up again, and end in the tables as they are declared."""

from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import inspect

from tarazu.kit.db import Database, Table
from tarazu.migrations import all_tables, config_for


def test_migrations_go_up_down_and_up_again(database: Database) -> None:
    with database.engine.begin() as connection:
        command.downgrade(config_for(connection), "base")
        left = set(inspect(connection).get_table_names())
        command.upgrade(config_for(connection), "head")
        made = set(inspect(connection).get_table_names())

    assert left == {"alembic_version"}
    assert made == set(Table.metadata.tables) | {"alembic_version"}


def test_the_migrated_database_has_the_declared_tables(database: Database) -> None:
    assert all_tables is not None

    with database.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": False})

        assert compare_metadata(context, Table.metadata) == []
