"""Triggers that keep the audit trail and sealed advice as they were written.

They refuse every UPDATE, and a DELETE before the five years are over. Set up at each start and
after each migration rather than in one: a migration that makes a table anew loses its triggers.
"""

from typing import Final

from sqlalchemy import Connection, inspect, text

YEARS: Final = 5
"""As the function below says it, too."""

AGE_COLUMNS: Final = {
    "audit": "at",
    "advices": "created_at",
    "advice_stocks": None,
    "advice_seals": "sealed_at",
    "advice_letters": None,
}
"""The tables that are kept, and the column that tells how old a row is; None asks its advice."""

REFUSAL: Final = "rows of {table} are kept as they were written"
_FUNCTION: Final = """
CREATE OR REPLACE FUNCTION tarazu_keep_rows() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    since timestamptz;
BEGIN
    IF TG_OP = 'DELETE' THEN
        IF TG_ARGV[0] = '' THEN
            SELECT created_at INTO since FROM advices WHERE id = (to_jsonb(OLD)->>'advice_id')::uuid;
        ELSE
            since := (to_jsonb(OLD)->>TG_ARGV[0])::timestamptz;
        END IF;
        IF since < now() - interval '5 years' THEN
            RETURN OLD;
        END IF;
    END IF;
    RAISE EXCEPTION 'rows of % are kept as they were written', TG_TABLE_NAME;
END $$
"""


def keep_rows(connection: Connection) -> None:
    """Set up the triggers that are missing; nothing where the tables are older than them."""
    tables = set(inspect(connection).get_table_names())
    if "advice_seals" not in tables:
        return
    wanted = {
        f"{table}_no_{act}": (table, act)
        for table in AGE_COLUMNS
        if table in tables
        for act in _acts(connection)
    }
    missing = wanted.keys() - present(connection)
    if missing and connection.dialect.name != "sqlite":
        connection.execute(text(_FUNCTION))
    for name in sorted(missing):
        table, act = wanted[name]
        connection.execute(text(_statement(connection, name, table, act)))


def let_go(connection: Connection) -> None:
    """Take the triggers away, inside the transaction of a migration; `keep_rows` brings them back."""
    for name in sorted(present(connection)):
        table, _, act = name.rpartition("_no_")
        if table in AGE_COLUMNS and act:
            place = "" if connection.dialect.name == "sqlite" else f" ON {table}"
            connection.execute(text(f"DROP TRIGGER {name}{place}"))


def missing_triggers(connection: Connection) -> list[str]:
    """Names of the triggers that should be there and are not."""
    wanted = {f"{table}_no_{act}" for table in AGE_COLUMNS for act in _acts(connection)}
    return sorted(wanted - present(connection))


def present(connection: Connection) -> set[str]:
    """Names of all triggers of the database that are at work."""
    if connection.dialect.name == "sqlite":
        statement = "SELECT name FROM sqlite_master WHERE type = 'trigger'"
    else:
        statement = (
            "SELECT tgname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid "
            "JOIN pg_namespace n ON n.oid = c.relnamespace "
            "WHERE NOT tgisinternal AND tgenabled <> 'D' AND n.nspname = current_schema()"
        )
    return set(connection.execute(text(statement)).scalars())


def _acts(connection: Connection) -> tuple[str, ...]:
    if connection.dialect.name == "sqlite":
        return "update", "delete"
    return "update", "delete", "truncate"


def _statement(connection: Connection, name: str, table: str, act: str) -> str:
    age = AGE_COLUMNS[table]
    if connection.dialect.name != "sqlite":
        each = "STATEMENT" if act == "truncate" else "ROW"
        # Replaced, for one that somebody switched off is still there.
        return (
            f"CREATE OR REPLACE TRIGGER {name} BEFORE {act.upper()} ON {table} FOR EACH {each} "
            f"EXECUTE FUNCTION tarazu_keep_rows('{age or ''}')"
        )
    since = f"OLD.{age}" if age else "(SELECT created_at FROM advices WHERE id = OLD.advice_id)"
    young = f"WHEN {since} >= datetime('now', '-{YEARS} years') " if act == "delete" else ""
    return (
        f"CREATE TRIGGER IF NOT EXISTS {name} BEFORE {act.upper()} ON {table} {young}"
        f"BEGIN SELECT RAISE(ABORT, '{REFUSAL.format(table=table)}'); END"
    )
