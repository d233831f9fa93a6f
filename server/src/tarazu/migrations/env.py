"""How Alembic runs here: on the connection it is given, in that connection's transaction."""

from typing import Any, Literal

from alembic import context
from alembic.autogenerate.api import AutogenContext
from sqlalchemy.types import TypeDecorator

from tarazu.kit.db import Table
from tarazu.migrations import all_tables  # noqa: F401 - fills the metadata
from tarazu.migrations.keeping import keep_rows, let_go


def _render(kind: str, thing: Any, _: AutogenContext) -> str | Literal[False]:
    # Migrations import nothing of ours: our column types are written as what they keep.
    if kind == "type" and isinstance(thing, TypeDecorator):
        return f"sa.{thing.impl!r}"
    return False


context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Table.metadata,
    render_item=_render,
    transactional_ddl=True,
    transaction_per_migration=False,
    render_as_batch=True,
)
# Not while a table is made anew: SQLite renames none that a trigger of another one reads.
let_go(context.config.attributes["connection"])
context.run_migrations()
keep_rows(context.config.attributes["connection"])
