"""Alembic's environment: it runs on the given connection, in that connection's transaction."""

from typing import Any, Literal

from alembic import context
from alembic.autogenerate.api import AutogenContext
from sqlalchemy.types import TypeDecorator

from tarazu.kit.db import Table
from tarazu.migrations import all_tables  # noqa: F401 - fills the metadata
from tarazu.migrations.triggers import create_triggers, drop_triggers


def _render(kind: str, value: Any, _: AutogenContext) -> str | Literal[False]:
    # Migrations import nothing of ours: a column type of ours is written as its SQL type.
    if kind == "type" and isinstance(value, TypeDecorator):
        return f"sa.{value.impl!r}"
    return False


context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Table.metadata,
    render_item=_render,
    transactional_ddl=True,
    transaction_per_migration=False,
    render_as_batch=True,
)
# SQLite cannot rename a table while a trigger of another table reads it.
drop_triggers(context.config.attributes["connection"])
context.run_migrations()
create_triggers(context.config.attributes["connection"])
