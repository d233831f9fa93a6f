"""Writers of one process write in the order in which they came."""

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import OperationalError

from tarazu.kit import deadline, sqlite
from tarazu.kit.db import Database
from tarazu.kit.sqlite import WriteQueue
from tests.kit.test_pubsub import until
from tests.rows_of import run, scalars

SOON = 20.0


@pytest.fixture
def turns(monkeypatch: pytest.MonkeyPatch) -> WriteQueue:
    """The queue of `file`."""
    made = WriteQueue()
    monkeypatch.setattr(sqlite, "WriteQueue", lambda: made)
    return made


@pytest.fixture
def file(tmp_path: Path, turns: WriteQueue) -> Iterator[Database]:
    database = Database(f"sqlite:///{tmp_path / 'turns.db'}")
    run(database, text("CREATE TABLE line (place INTEGER)"))
    yield database
    database.dispose()


def _places(database: Database) -> list[int]:
    return scalars(database, text("SELECT place FROM line ORDER BY rowid"))


def _put(database: Database, place: int) -> None:
    run(database, text("INSERT INTO line VALUES (:place)"), {"place": place})


def _hurried(database: Database, place: int) -> None:
    deadline.begin(1.0)
    _put(database, place)


def test_the_first_in_the_queue_writes_first() -> None:
    turns, order = WriteQueue(), list[int]()
    assert turns.take("first", 0)

    def wait(number: int) -> None:
        assert turns.take(number, SOON)
        order.append(number)
        turns.give(number)

    threads = []
    for number in range(6):
        threads.append(threading.Thread(target=wait, args=(number,)))
        threads[-1].start()
        while len(turns._waiting) <= number:
            time.sleep(0.001)
    turns.give("first")
    for thread in threads:
        thread.join(SOON)

    assert order == [0, 1, 2, 3, 4, 5]


def test_a_turn_is_kept_by_its_owner_and_no_one_else_can_end_it() -> None:
    turns = WriteQueue()
    assert turns.take("one", 0)
    turns.give("another")

    assert turns.take("one", 0)
    assert not turns.take("another", 0.01)
    turns.give("one")
    assert turns.take("another", 0)


def test_a_writer_that_stops_waiting_is_skipped() -> None:
    turns = WriteQueue()
    assert turns.take("one", 0)
    assert not turns.take("two", 0.01)
    turns.give("one")

    assert turns.take("three", 0)


def test_writers_of_a_database_write_in_their_order(file: Database, turns: WriteQueue) -> None:
    threads = []
    with file.transaction() as session:
        session.execute(text("INSERT INTO line VALUES (-1)"))
        for place in range(8):
            threads.append(threading.Thread(target=_put, args=(file, place)))
            threads[-1].start()
            until(lambda: len(turns._waiting) == len(threads))
    for thread in threads:
        thread.join(SOON)

    assert _places(file) == [-1, *range(8)]


def test_a_turn_ends_with_its_transaction_however_that_ends(file: Database) -> None:
    def fail() -> None:
        with file.transaction() as session:
            session.execute(text("INSERT INTO line VALUES (1)"))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    with file.sessions() as session:
        session.execute(text("INSERT INTO line VALUES (2)"))
    with file.sessions() as session:
        session.execute(text("INSERT INTO line VALUES (3)"))
        session.commit()
        session.execute(text("INSERT INTO line VALUES (4)"))
        session.connection().invalidate()
    # In a thread, whose patience is its own.
    thread = threading.Thread(target=_hurried, args=(file, 5))
    thread.start()
    thread.join(SOON)

    assert _places(file) == [3, 5]


def test_who_waits_for_too_long_is_refused_and_the_next_one_is_not(file: Database) -> None:
    refused: list[str] = []

    def hurried() -> None:
        deadline.begin(0.5)
        try:
            _put(file, 1)
        except OperationalError as error:
            refused.append(str(error.orig))

    with file.transaction() as session:
        session.execute(text("INSERT INTO line VALUES (0)"))
        thread = threading.Thread(target=hurried)
        thread.start()
        thread.join(SOON)
    _put(file, 2)

    assert refused == ["database is locked"]
    assert _places(file) == [0, 2]


def test_a_writer_of_another_process_is_waited_for_as_well(file: Database) -> None:
    other = Database(str(file.engine.url))
    thread = threading.Thread(target=_put, args=(file, 2))
    with other.transaction() as session:
        session.execute(text("INSERT INTO line VALUES (1)"))
        thread.start()
        time.sleep(0.2)
    thread.join(SOON)
    other.dispose()

    assert _places(file) == [1, 2]
