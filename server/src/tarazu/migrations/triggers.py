"""Triggers that keep the audit trail, sealed advice and invoices as they were written.

They refuse every UPDATE, and a DELETE of rows younger than five years. Created at each start and
after each migration rather than by one: a migration that rebuilds a table loses its triggers.
"""

from typing import Final

from sqlalchemy import Connection, inspect, text

AGE_COLUMNS: Final = {
    "audit": "at",
    "advices": "created_at",
    "advice_stocks": None,
    "advice_seals": "sealed_at",
    "advice_letters": None,
    "invoices": "created_at",
    "invoice_files": "set_at",
}
"""The protected tables, and the column with a row's age; None: a row is as old as its advice."""

_POSTGRES_FUNCTION: Final = """
CREATE OR REPLACE FUNCTION tarazu_keep_rows() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    since timestamptz;
BEGIN
    IF TG_OP = 'DELETE' THEN
        -- The argument is the table's age column; '' for rows that are as old as their advice.
        IF TG_ARGV[0] = '' THEN
            SELECT created_at INTO since FROM advices WHERE id = (to_jsonb(OLD)->>'advice_id')::uuid;
        ELSE
            since := (to_jsonb(OLD)->>TG_ARGV[0])::timestamptz;
        END IF;
        -- After five years the law no longer asks for the row: `tarazu purge` may delete it.
        IF since < now() - interval '5 years' THEN
            RETURN OLD;
        END IF;
    END IF;
    RAISE EXCEPTION 'rows of % are kept as they were written', TG_TABLE_NAME;
END $$
"""
# "OR REPLACE", because a trigger that somebody disabled still exists.
_POSTGRES_TRIGGER: Final = """
CREATE OR REPLACE TRIGGER {table}_no_{act} BEFORE {act} ON {table}
FOR EACH {level} EXECUTE FUNCTION tarazu_keep_rows('{age_column}')
"""
_SQLITE_UPDATE: Final = """
CREATE TRIGGER IF NOT EXISTS {table}_no_update BEFORE UPDATE ON {table}
BEGIN
    SELECT RAISE(ABORT, 'rows of {table} are kept as they were written');
END
"""
# After five years the law no longer asks for the row: `tarazu purge` may delete it.
_SQLITE_DELETE: Final = """
CREATE TRIGGER IF NOT EXISTS {table}_no_delete BEFORE DELETE ON {table}
WHEN {since} >= datetime('now', '-5 years')
BEGIN
    SELECT RAISE(ABORT, 'rows of {table} are kept as they were written');
END
"""


def create_triggers(connection: Connection) -> None:
    """Create the triggers that are missing; nothing where the tables do not exist yet."""
    missing = missing_triggers(connection)
    if not missing or not inspect(connection).has_table("invoice_files"):
        return
    if connection.dialect.name != "sqlite":
        connection.execute(text(_POSTGRES_FUNCTION))
    for name in missing:
        table, _, act = name.rpartition("_no_")
        connection.execute(text(_statement(connection, table, act)))


def drop_triggers(connection: Connection) -> None:
    """Drop the triggers inside the transaction of a migration; `create_triggers` restores them."""
    for name in sorted(_present(connection) & _required(connection)):
        place = "" if connection.dialect.name == "sqlite" else f" ON {name.rpartition('_no_')[0]}"
        connection.execute(text(f"DROP TRIGGER {name}{place}"))


def missing_triggers(connection: Connection) -> list[str]:
    """Names of the triggers that do not exist or are disabled."""
    return sorted(_required(connection) - _present(connection))


def _required(connection: Connection) -> set[str]:
    acts = ["update", "delete"] + ["truncate"] * (connection.dialect.name != "sqlite")
    return {f"{table}_no_{act}" for table in AGE_COLUMNS for act in acts}


def _present(connection: Connection) -> set[str]:
    if connection.dialect.name == "sqlite":
        statement = "SELECT name FROM sqlite_master WHERE type = 'trigger'"
    else:
        statement = (
            "SELECT tgname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid "
            "JOIN pg_namespace n ON n.oid = c.relnamespace "
            "WHERE NOT tgisinternal AND tgenabled <> 'D' AND n.nspname = current_schema()"
        )
    return set(connection.execute(text(statement)).scalars())


def _statement(connection: Connection, table: str, act: str) -> str:
    age_column = AGE_COLUMNS[table]
    if connection.dialect.name != "sqlite":
        level = "STATEMENT" if act == "truncate" else "ROW"
        return _POSTGRES_TRIGGER.format(
            table=table, act=act, level=level, age_column=age_column or ""
        )
    if act == "update":
        return _SQLITE_UPDATE.format(table=table)
    advice_age = "(SELECT created_at FROM advices WHERE id = OLD.advice_id)"
    since = f"OLD.{age_column}" if age_column else advice_age
    return _SQLITE_DELETE.format(table=table, since=since)
