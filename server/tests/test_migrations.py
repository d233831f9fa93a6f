"""Migrations run up, down and up again, and end in the tables as they are declared."""

import os
import subprocess
import sys

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import inspect, text
from sqlalchemy.exc import IntegrityError

from tarazu import migrations
from tarazu.app import open_database, open_known_database
from tarazu.kit import clock
from tarazu.kit.db import Database, Table, UnfitDatabase
from tarazu.kit.settings import Settings
from tarazu.migrations import all_tables, config_for, migrating
from tarazu.upkeep import doctor
from tarazu.upkeep.findings import State
from tests.people_of import Desk

pytestmark = pytest.mark.on_both


def test_migrations_go_up_down_and_up_again(database: Database) -> None:
    with migrating(database) as connection:
        command.downgrade(config_for(connection), "base")
        tables_after_down = set(inspect(connection).get_table_names())
        command.upgrade(config_for(connection), "head")
        tables_after_up = set(inspect(connection).get_table_names())

    assert tables_after_down == {"alembic_version"}
    assert tables_after_up == set(Table.metadata.tables) | {"alembic_version"}


def test_the_migrated_database_has_the_declared_tables(database: Database) -> None:
    assert all_tables is not None

    with database.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": False})

        assert compare_metadata(context, Table.metadata) == []


@pytest.mark.long
def test_a_database_of_a_newer_version_is_not_touched_and_the_start_says_so(
    settings: Settings, database: Database, capfd: pytest.CaptureFixture[str]
) -> None:
    newer = "9999_of_the_future"
    with database.engine.begin() as connection:
        connection.execute(
            text("UPDATE alembic_version SET version_num = :newer"), {"newer": newer}
        )

    with pytest.raises(UnfitDatabase, match="made by a newer version of Tarazu"):
        open_database(settings)
    given = {
        "TARAZU_DATABASE_URL": settings.resolved_database_url,
        "TARAZU_SECRETS_KEYS": settings.secrets_keys,
    }
    code = subprocess.run(
        [sys.executable, "-m", "tarazu", "serve", "--port", "9119"],
        env=os.environ | given | {"TARAZU_DATA_DIR": str(settings.data_dir)},
        check=False,
    ).returncode

    assert (code, capfd.readouterr().err) == (1, f"tarazu: {migrations.TOO_NEW}\n")
    assert migrations.states_of(database)[0] == newer
    parts = {finding.part: finding for finding in doctor.look(settings, clock.now())}
    finding = parts["Migrations"]
    assert (finding.state, finding.text) == (
        State.WRONG, "The database was made by a newer version of Tarazu.",
    )  # fmt: skip


def test_a_command_leaves_older_tables_as_they_are(
    settings: Settings, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    present = migrations.states_of(database)[0]
    monkeypatch.setattr(migrations, "newest", lambda: "0002_next")

    with pytest.raises(UnfitDatabase, match="Make a backup with that version"):
        open_known_database(settings)

    assert migrations.states_of(database) == (present, "0002_next")


def test_an_empty_database_is_no_installation(settings: Settings, database: Database) -> None:
    with migrating(database) as connection:
        command.downgrade(config_for(connection), "base")
        connection.execute(text("DROP TABLE alembic_version"))

    with pytest.raises(UnfitDatabase, match="The database is empty"):
        open_known_database(settings)


def test_a_migration_that_would_lose_a_row_that_others_name_is_not_kept(
    admin: Desk, database: Database
) -> None:
    client_id = admin.add_client()
    body = {"user": client_id, "remark": "A note."}
    assert admin.post("/admin/remarks", body).status_code == 201

    with pytest.raises((UnfitDatabase, IntegrityError)), migrating(database) as connection:
        connection.execute(text("DELETE FROM people WHERE name = 'Kavya Menon'"))

    assert admin.get(f"/admin/clients/client/{client_id}/profile").status_code == 200
