"""Connections to PostgreSQL that give up on a server that does not answer.

The server's own time limits help only while it answers. A connection whose answer is overdue is
closed: the answer could still arrive and would be read as that of the next statement.
"""

import time
from collections.abc import Iterable
from typing import Any, Final, TypeVar

import psycopg
from psycopg.abc import PQGen
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from tarazu.kit import deadline
from tarazu.kit.circuit_breaker import CircuitBreaker

RV = TypeVar("RV")

LONGEST_ANSWER: Final = 10.0
"""Seconds for one statement of timed work; the server itself ends one after eight."""


def new_breaker() -> CircuitBreaker:
    """A breaker for new connections: else every thread would wait for a server that is away."""
    return CircuitBreaker(failure_threshold=1, reset_timeout=1.0, probe_timeout=4.0)


class PostgresConnection(psycopg.Connection[Any]):
    """A connection that waits no longer than the deadline of the call it works for."""

    breaker: CircuitBreaker | None = None

    def wait(self, gen: PQGen[RV], interval: float = 0.1, timeout: float | None = None) -> RV:
        """As psycopg's own, with a time limit.

        Raises:
            OperationalError: the answer is overdue; the connection is closed.
        """
        own = deadline.current()
        allowed = LONGEST_ANSWER if own is None else max(own.left, deadline.LEAST)
        started = time.monotonic()
        try:
            return super().wait(gen, interval, min(allowed, timeout or allowed))
        except psycopg.OperationalError:
            if time.monotonic() - started >= allowed:
                self.pgconn.finish()
                if self.breaker is not None:
                    self.breaker.record_failure()
            raise
        finally:
            if own is not None:
                own.left -= time.monotonic() - started


def connect(breaker: CircuitBreaker, *args: Any, **options: Any) -> PostgresConnection:
    """A new connection.

    Raises:
        OperationalError: the server does not answer, or did not a moment ago.
    """
    if breaker.acquire():
        raise psycopg.OperationalError("the server did not answer a moment ago")
    try:
        connection = PostgresConnection.connect(*args, **options)
    except psycopg.OperationalError:
        breaker.record_failure()
        raise
    breaker.record_success()
    connection.breaker = breaker
    return connection


def copy_rows(connection: Connection, statement: str, rows: Iterable[tuple[Any, ...]]) -> None:
    """Send rows by a COPY statement, in the connection's transaction.

    Raises:
        DBAPIError: the database refuses a row; IntegrityError for one that breaks a rule.
    """
    try:
        with connection.connection.cursor().copy(statement) as copy:
            for row in rows:
                copy.write_row(row)
    except psycopg.Error as error:
        raise DBAPIError.instance(
            statement, None, error, psycopg.Error, hide_parameters=True, dialect=connection.dialect
        ) from error
