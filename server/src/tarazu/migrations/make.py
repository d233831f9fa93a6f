"""Writes the migration that brings the last one to the tables as they are now.

`python -m tarazu.migrations.make "Add fees"`
"""

import sys
import tempfile
from pathlib import Path

from alembic import command

from tarazu.kit import clock
from tarazu.kit.db import Database
from tarazu.migrations import config_for


def make(message: str) -> None:
    """Compare a database at the last migration with the tables, and write the difference."""
    with tempfile.TemporaryDirectory() as folder:
        database = Database(f"sqlite:///{Path(folder) / 'compare.db'}")
        with database.engine.begin() as connection:
            config = config_for(connection)
            command.upgrade(config, "head")
            words = "_".join(message.lower().split())
            revision = f"{clock.now():%Y_%m_%d_%H%M}_{words}"
            config.set_main_option("file_template", "%%(rev)s")
            command.revision(config, message, autogenerate=True, rev_id=revision)
        database.dispose()


if __name__ == "__main__":
    make(sys.argv[1])
