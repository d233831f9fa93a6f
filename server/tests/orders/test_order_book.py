"""The order book of a client: newest first, by days in India and by status."""

import csv
import datetime as dt
import io
import uuid
from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import event

from tarazu.kit.db import Database
from tarazu.orders import service as orders
from tarazu.orders.service import NewOrder
from tarazu.orders.tables import OrderSide, OrderStatus
from tests.people_of import Desk, data_of, reply_of

pytestmark = pytest.mark.on_both

MIDNIGHT = dt.datetime(2026, 11, 20, 18, 30, tzinfo=dt.UTC)
"""When 21 November begins in India."""


def _order(number: str, at: dt.datetime = MIDNIGHT, **more: Any) -> NewOrder:
    fields: dict[str, Any] = {
        "broker_order_id": number,
        "ordered_at": at,
        "symbol": "INFY",
        "exchange": "NSE",
        "side": OrderSide.BUY,
        "quantity": 40,
        "average_price": Decimal("1432.5525"),
        "status": OrderStatus.COMPLETE,
        "filled_quantity": 40,
    }
    return NewOrder(**(fields | more))


def _record(database: Database, client_id: str, *new: NewOrder) -> None:
    with database.transaction() as session:
        orders.record_orders(session, uuid.UUID(client_id), new)


def _path(client_id: str) -> str:
    return f"/admin/clients/client/{client_id}/order-book"


def _stocks(desk: Desk, client_id: str, **asked: Any) -> list[str]:
    return [row["tradingSymbol"] for row in data_of(desk.get(_path(client_id), **asked))["orders"]]


def test_an_order_has_the_fields_of_the_specification(admin: Desk, database: Database) -> None:
    client_id = admin.add_client()
    _record(database, client_id, _order("1", raw_status="TRIGGER PENDING", product="CNC"))

    (row,) = admin.get(_path(client_id)).json()["data"]["orders"]

    assert uuid.UUID(row.pop("_id"))
    assert row == {
        "orderTimestamp": "2026-11-20T18:30:00Z",
        "tradingSymbol": "INFY",
        "quantity": 40,
        "filledQuantity": 40,
        "averagePrice": 1432.5525,
        "transactionType": "BUY",
        "product": "CNC",
        "exchange": "NSE",
        "orderStatus": "COMPLETE",
        "rawStatus": "TRIGGER PENDING",
        "isLapsed": False,
    }


def test_an_order_that_was_closed_here_says_so_in_the_book_and_in_the_file(
    admin: Desk, database: Database
) -> None:
    client_id = admin.add_client()
    _record(
        database,
        client_id,
        _order("1", MIDNIGHT - dt.timedelta(days=3), status=OrderStatus.OPEN, symbol="ITC"),
        _order("2", status=OrderStatus.CANCELLED),
    )
    with database.transaction() as session:
        orders.close_lapsed_orders(session, MIDNIGHT)

    listed = admin.get(_path(client_id)).json()["data"]["orders"]
    file = admin.get(f"{_path(client_id)}/export", format="csv").content.decode("utf-8-sig")

    assert [(row["tradingSymbol"], row["orderStatus"], row["isLapsed"]) for row in listed] == [
        ("INFY", "CANCELLED", False),
        ("ITC", "CANCELLED", True),
    ]
    head, infosys, itc = csv.reader(io.StringIO(file))
    note = head.index("Note")
    assert infosys[note] == ""
    assert itc[note] == "Closed by Tarazu: its day is over and the broker reported no result."


def test_the_newest_order_comes_first(admin: Desk, database: Database) -> None:
    client_id = admin.add_client()
    hour = dt.timedelta(hours=1)
    _record(
        database,
        client_id,
        _order("1", MIDNIGHT, symbol="ITC"),
        _order("2", MIDNIGHT + hour, symbol="TCS"),
        _order("3", MIDNIGHT - hour, symbol="LT"),
        _order("4", MIDNIGHT + hour, symbol="SBIN"),
    )

    assert _stocks(admin, client_id) == ["SBIN", "TCS", "ITC", "LT"]


def test_days_are_those_of_india_from_the_start_of_the_first_to_the_end_of_the_last(
    admin: Desk, database: Database
) -> None:
    client_id = admin.add_client()
    moment, day = dt.timedelta(microseconds=1), dt.timedelta(days=1)
    _record(
        database,
        client_id,
        _order("1", MIDNIGHT - moment, symbol="BEFORE"),
        _order("2", MIDNIGHT, symbol="FIRST"),
        _order("3", MIDNIGHT + day - moment, symbol="LAST"),
        _order("4", MIDNIGHT + day, symbol="AFTER"),
    )

    on_the_day = _stocks(admin, client_id, **{"from": "2026-11-21", "to": "2026-11-21"})
    until = _stocks(admin, client_id, to="2026-11-20")
    since = _stocks(admin, client_id, **{"from": "2026-11-22"})
    turned = _stocks(admin, client_id, **{"from": "2026-11-22", "to": "2026-11-20"})

    assert (on_the_day, until, since, turned) == (["LAST", "FIRST"], ["BEFORE"], ["AFTER"], [])


def test_a_status_filters_together_with_the_days(admin: Desk, database: Database) -> None:
    client_id = admin.add_client()
    _record(
        database,
        client_id,
        *(_order(status, status=status, symbol=status) for status in OrderStatus),
        _order("old", MIDNIGHT - dt.timedelta(days=9), status=OrderStatus.OPEN, symbol="OLD"),
    )

    for status in ("COMPLETE", "REJECTED", "CANCELLED"):
        assert _stocks(admin, client_id, status=status) == [status]
    assert _stocks(admin, client_id, status="OPEN") == ["OPEN", "OLD"]
    assert _stocks(admin, client_id, status="OPEN", **{"from": "2026-11-21"}) == ["OPEN"]


def test_the_order_book_pages(admin: Desk, database: Database) -> None:
    client_id = admin.add_client()
    minute = dt.timedelta(minutes=1)
    new = [_order(str(n), MIDNIGHT + n * minute, symbol=f"S{n}") for n in range(5)]
    _record(database, client_id, *new)

    second = admin.get(_path(client_id), page=2, limit=2).json()
    past = admin.get(_path(client_id), page=9, limit=2).json()

    assert [row["tradingSymbol"] for row in second["data"]["orders"]] == ["S2", "S1"]
    assert second["pagination"] == {
        "currentPage": 2, "totalPages": 3, "totalUsers": 5, "limit": 2,
    }  # fmt: skip
    assert (past["success"], past["data"]["orders"]) == (True, [])


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"from": "0001-01-01"}, "Please select a valid date"),
        ({"to": "9999-12-31"}, "Please select a valid date"),
        ({"from": "yesterday"}, "Please select a valid date"),
        ({"status": "DONE"}, "Status must be COMPLETE, REJECTED, OPEN or"),
        ({"page": "0"}, "Page must be at least 1."),
        ({"limit": "201"}, "Limit must be at most 200."),
    ],
)
def test_what_makes_no_sense_is_refused(admin: Desk, asked: dict[str, str], message: str) -> None:
    answer = admin.get(_path(admin.add_client()), **asked)

    assert answer.status_code == 422
    assert answer.json()["message"].startswith(message)


def test_a_client_sees_no_order_of_another(admin: Desk, database: Database) -> None:
    one = admin.add_client("One", "one@home.example")
    two = admin.add_client("Two", "two@home.example")
    _record(database, one, _order("1"))

    assert _stocks(admin, two) == []


def test_an_unknown_client_has_no_order_book(admin: Desk) -> None:
    answer = admin.get(_path(str(uuid.uuid4())))

    assert reply_of(answer) == (404, "Client not found")


def test_a_page_is_read_by_its_index(admin: Desk, database: Database) -> None:
    client_id = admin.add_client()
    _record(database, client_id, *(_order(str(number)) for number in range(21)))
    statements: list[tuple[str, Any]] = []
    event.listen(
        database.engine,
        "before_cursor_execute",
        lambda *args: statements.append((args[2], args[3])),
    )
    answer = admin.get(_path(client_id), **{"from": "2025-01-01"}, limit=20)

    assert answer.json()["pagination"]["totalUsers"] == 21

    asked = [statement for statement in statements if "FROM orders" in statement[0]]
    assert len(asked) == 2
    if not database.is_sqlite:
        return
    for statement, values in asked:
        with database.reading() as session:
            plan = session.connection().exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values)
            steps = " ".join(row[3] for row in plan)
        assert "ix_orders_client_id_ordered_at" in steps
