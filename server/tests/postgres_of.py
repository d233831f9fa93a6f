"""PostgreSQL databases of tests: copies of a founded one, given back and used again.

Making and dropping a database has the server write out all that it holds, and takes longer than
most tests. So a copy that a test gives back is emptied and filled again, unless its tables
themselves are no longer what they were.
"""

import uuid
from collections.abc import Iterator

import psycopg
from psycopg import sql

_SHAPE = """
SELECT md5(string_agg(line, E'\\n' ORDER BY line)) FROM (
    SELECT format('%s.%s %s %s %s', r.relname, a.attname, a.attnum, a.atttypid, a.attnotnull) AS line
    FROM pg_attribute a JOIN pg_class r ON r.oid = a.attrelid
    WHERE r.relnamespace = 'public'::regnamespace AND a.attnum > 0
    UNION ALL
    SELECT format('%s %s %s', t.tgrelid::regclass, t.tgname, t.tgenabled) FROM pg_trigger t
    UNION ALL
    SELECT format('%s %s', c.conrelid::regclass, pg_get_constraintdef(c.oid)) FROM pg_constraint c
    WHERE c.connamespace = 'public'::regnamespace
) AS lines
"""
_TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename"
_SEQUENCES = "SELECT sequencename, last_value FROM pg_sequences WHERE schemaname = 'public'"
_OTHERS = """
SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()
"""


class Copies:
    """Copies of a founded database, for one session of tests.

    Args:
        server: the server's address, without a database.
        template: the name of the founded database; nobody is connected to it.
    """

    def __init__(self, server: str, template: str) -> None:
        self._server, self._template = server, template
        self._free: list[str] = []
        self._made: list[str] = []
        with psycopg.connect(named(server, template)) as link:
            self._shape = _shape_of(link)
            self._rows = {table: _rows_of(link, table) for table in _tables_of(link)}
            self._numbers = link.execute(_SEQUENCES).fetchall()

    def take(self) -> str:
        """The name of a database that is as the founded one."""
        if self._free:
            return self._free.pop()
        name = f"tarazu_{uuid.uuid4().hex[:12]}"
        with psycopg.connect(self._server, autocommit=True) as server:
            server.execute(f"CREATE DATABASE {name} TEMPLATE {self._template}")
            # What a test wrote need not outlive the server.
            server.execute(f"ALTER DATABASE {name} SET synchronous_commit = off")
        self._made.append(name)
        return name

    def give_back(self, name: str) -> None:
        """Make a used copy as it was; one whose tables were changed is dropped."""
        with psycopg.connect(named(self._server, name)) as link:
            link.execute(_OTHERS)
            is_whole = _shape_of(link) == self._shape
            if is_whole:
                self._refill(link)
        if is_whole:
            self._free.append(name)
        else:
            self._drop(name)

    def drop_all(self) -> None:
        """Drop every copy."""
        for name in list(self._made):
            self._drop(name)

    def _refill(self, link: psycopg.Connection) -> None:
        # Triggers that keep advice and the trail from being changed, and foreign keys, are still.
        link.execute("SET session_replication_role = replica")
        deletions = [sql.SQL("DELETE FROM {}").format(sql.Identifier(row)) for row in self._rows]
        link.execute(sql.SQL("; ").join(deletions))
        for table, rows in self._rows.items():
            if rows:
                into = sql.SQL("COPY {} FROM STDIN").format(sql.Identifier(table))
                with link.cursor().copy(into) as copied:
                    copied.write(rows)
        for name, last in self._numbers:
            # None where no number was given yet: the next is the first.
            link.execute("SELECT setval(%s::regclass, %s, %s)", (name, last or 1, last is not None))

    def _drop(self, name: str) -> None:
        with psycopg.connect(self._server, autocommit=True) as server:
            server.execute(f"DROP DATABASE {name} WITH (FORCE)")
        self._made.remove(name)


def named(server: str, name: str) -> str:
    """The address of a database on a server."""
    head, _, tail = server.rpartition("/")
    options = tail.partition("?")[2]
    return f"{head}/{name}" + (f"?{options}" if options else "")


def _shape_of(link: psycopg.Connection) -> str:
    row = link.execute(_SHAPE).fetchone()
    assert row is not None
    return str(row[0])


def _tables_of(link: psycopg.Connection) -> Iterator[str]:
    return (str(name) for (name,) in link.execute(_TABLES).fetchall())


def _rows_of(link: psycopg.Connection, table: str) -> bytes:
    out = sql.SQL("COPY {} TO STDOUT").format(sql.Identifier(table))
    with link.cursor().copy(out) as rows:
        return b"".join(bytes(row) for row in rows)
