"""Migrations run up, down and up again, and end in the tables as they are declared."""

import uuid

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import inspect, text
from sqlalchemy.exc import IntegrityError

from tarazu.kit.db import Database, Table, UnfitDatabase
from tarazu.migrations import all_tables, config_for, migrating
from tarazu.people.tables import Person
from tests.people_of import Desk


def test_migrations_go_up_down_and_up_again(database: Database) -> None:
    with migrating(database) as connection:
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


def test_the_way_down_and_up_keeps_what_people_entered(admin: Desk, database: Database) -> None:
    client_id = admin.add_client()
    body = {"user": client_id, "remark": "Prefers to be called in the evening."}
    assert admin.post("/admin/remarks", body).status_code == 201

    with migrating(database) as connection:
        command.downgrade(config_for(connection), "2026_11_21_0017_first_tables")
        command.upgrade(config_for(connection), "head")

    with database.reading() as session:
        assert session.get_one(Person, uuid.UUID(client_id)).name == "Kavya Menon"
        session.execute(text("SELECT count(*) FROM signing_keys")).scalar_one()


def test_a_migration_that_would_lose_a_row_that_others_name_is_not_kept(
    admin: Desk, database: Database
) -> None:
    client_id = admin.add_client()
    body = {"user": client_id, "remark": "A note."}
    assert admin.post("/admin/remarks", body).status_code == 201

    with pytest.raises((UnfitDatabase, IntegrityError)), migrating(database) as connection:
        connection.execute(text("DELETE FROM people WHERE name = 'Kavya Menon'"))

    assert admin.get(f"/admin/clients/client/{client_id}/profile").status_code == 200
