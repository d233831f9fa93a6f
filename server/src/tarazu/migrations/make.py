"""Writes a migration from the newest one to the tables as they are declared now.

`python -m tarazu.migrations.make "Add fees"`
"""

import sys
import tempfile
from pathlib import Path

from alembic import command

from tarazu.kit.db import Database
from tarazu.migrations import config_for, newest


def make(message: str) -> None:
    """Write the next migration: what a database at the newest one lacks of the declared tables."""
    with tempfile.TemporaryDirectory() as folder:
        database = Database(f"sqlite:///{Path(folder) / 'compare.db'}")
        with database.engine.begin() as connection:
            config = config_for(connection)
            command.upgrade(config, "head")
            number = int(newest().split("_")[0]) + 1
            revision = f"{number:04}_{'_'.join(message.lower().split())}"
            config.set_main_option("file_template", "%%(rev)s")
            command.revision(config, message, autogenerate=True, rev_id=revision)
        database.dispose()


if __name__ == "__main__":
    make(sys.argv[1])
