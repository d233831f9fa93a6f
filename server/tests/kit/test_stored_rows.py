"""Many rows written and read as the database stores them."""

import datetime as dt
import json
import uuid
from decimal import Decimal

import pytest
from sqlalchemy import select
from sqlalchemy.exc import IntegrityError

from tarazu.kit.db import (
    Database,
    add_stored_rows,
    put_stored_rows,
    rows_as_json,
    stored_instant,
)
from tarazu.orders.tables import IsinsDue, MatchingDue, Trade
from tests.orders.trades_of import record, trade
from tests.people_of import Desk

pytestmark = pytest.mark.on_both

AT = dt.datetime(2026, 11, 2, 6, 0, tzinfo=dt.UTC)
NAMES = ("id", "isins", "first_on", "last_on")


def test_rows_are_written_as_they_are_given(database: Database) -> None:
    rows = [(uuid.uuid4(), 'a tab \t, a line\n, "quotes" and \\ पत्र'), (uuid.uuid4(), "")]
    with database.transaction() as session:
        stored = [(key.hex, text, "2026-11-02", "2026-11-03") for key, text in rows]
        add_stored_rows(session, IsinsDue, NAMES, stored)
        add_stored_rows(session, IsinsDue, NAMES, [])

    with database.reading() as session:
        found = session.execute(select(IsinsDue.id, IsinsDue.isins, IsinsDue.last_on)).all()
    assert {tuple(row) for row in found} == {(*row, dt.date(2026, 11, 3)) for row in rows}


def test_of_rows_that_are_there_only_the_named_columns_change(database: Database) -> None:
    first, second = uuid.uuid4(), uuid.uuid4()
    with database.transaction() as session:
        add_stored_rows(session, IsinsDue, NAMES, [(first.hex, "A", "2026-11-02", "2026-11-03")])
        rows = [
            (first.hex, 'B "quoted"', "2026-11-04", "2026-11-05"),
            (second.hex, "C", "2026-11-04", "2026-11-05"),
        ]
        put_stored_rows(session, IsinsDue, NAMES, rows, ["isins"])
        put_stored_rows(session, IsinsDue, NAMES, [], ["isins"])

    with database.reading() as session:
        found = session.execute(select(IsinsDue.id, IsinsDue.isins, IsinsDue.first_on)).all()
    assert {tuple(row) for row in found} == {
        (first, 'B "quoted"', dt.date(2026, 11, 2)),
        (second, "C", dt.date(2026, 11, 4)),
    }


def test_a_row_that_breaks_a_rule_is_an_integrity_error(database: Database) -> None:
    row = (uuid.uuid4().hex, 1, "2026-11-02 06:00:00")

    with pytest.raises(IntegrityError), database.transaction() as session:
        add_stored_rows(session, MatchingDue, ("client_id", "number", "since"), [row])


def test_rows_are_read_as_the_text_of_a_list(admin: Desk, database: Database) -> None:
    client_id = admin.add_client()
    at = AT + dt.timedelta(microseconds=250_000)
    record(database, client_id, trade("71", at, price=Decimal("10.0525")))

    columns = (Trade.id, Trade.trade_id, Trade.price, Trade.traded_at, Trade.after)
    with database.reading() as session:
        statement = select(Trade.client_id, rows_as_json(session, columns))
        ((owner, text),) = session.execute(statement.group_by(Trade.client_id)).all()
        key = session.execute(select(Trade.id)).scalar_one()

    ((trade_key, number, price, stored, after),) = json.loads(text)
    assert str(owner) == client_id
    assert (uuid.UUID(trade_key), number, price, after) == (key, "71", 100_525, None)
    assert stored_instant(stored) == at
