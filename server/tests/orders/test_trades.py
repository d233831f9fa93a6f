"""Trades: stored once, the better known one in the place of the other; and clients to be matched."""

import datetime as dt
import threading
import uuid
from dataclasses import replace
from decimal import Decimal

import pytest
from sqlalchemy import delete, insert, select

from tarazu.kit import clock
from tarazu.kit.db import Database
from tarazu.orders import service as orders
from tarazu.orders.service import NewOrder
from tarazu.orders.tables import OrderSide, OrderStatus, Trade, TradeSource
from tests.orders.trades_of import BEGINNING, INFY, clear, due, read_at, record, stored, trade
from tests.people_of import Desk

pytestmark = pytest.mark.on_both

AT = dt.datetime(2026, 11, 20, 5, 0, tzinfo=dt.UTC)
HOUR = dt.timedelta(hours=1)
TCS = "INE467B01029"


def inferred(at: dt.datetime, after: dt.datetime, **more: object) -> orders.NewTrade:
    row = orders.inferred_trade(INFY, ("NSE", "INFY"), 5, Decimal(1490), (after, at))
    return replace(row, **more)  # type: ignore[arg-type]


def test_a_trade_is_stored_with_all_that_is_known_of_it(admin: Desk, database: Database) -> None:
    client_id = admin.add_client()

    assert record(database, client_id, trade("71", AT, tag="ABCD2345", product="INTRADAY")) == 1

    (row,) = stored(database, client_id)
    assert (row.source, row.exchange, row.trade_id, row.order_id) == (
        TradeSource.BROKER,
        "NSE",
        "71",
        "171",
    )
    assert (row.traded_at, row.day, row.after) == (AT, dt.date(2026, 11, 20), None)
    assert (row.symbol, row.isin, row.side, row.quantity) == ("INFY", INFY, OrderSide.BUY, 10)
    assert (row.price, row.product, row.tag) == (Decimal("1500.5"), "INTRADAY", "ABCD2345")


def test_the_same_trades_twice_add_nothing_and_let_nobody_be_matched(
    admin: Desk, database: Database
) -> None:
    client_id, other_id = admin.add_client(), admin.add_client("Ira Bose", "ira@home.example")
    trades = [trade("71", AT), trade("72", AT)]

    assert record(database, client_id, *trades) == 2
    assert due(database).keys() == {uuid.UUID(client_id)}
    clear(database)
    assert record(database, client_id, *trades, trades[0]) == 0
    assert record(database, client_id, *trades, source=TradeSource.FILE) == 0
    assert due(database) == {}
    # The seller of the same trade may be a client as well.
    assert record(database, other_id, trade("71", AT, side=OrderSide.SELL)) == 1
    assert len(stored(database, client_id)) == 2


def test_the_key_is_exchange_number_day_and_symbol(admin: Desk, database: Database) -> None:
    client_id = admin.add_client()
    first = trade("71", AT)

    added = record(
        database,
        client_id,
        first,
        replace(first, exchange="BSE"),
        replace(first, traded_at=AT + 24 * HOUR),
        replace(first, symbol="TCS", isin=TCS),
        # The same share under the name that it has now.
        replace(first, symbol="INFOSYS"),
    )

    assert added == 4


def test_a_day_is_that_of_india(admin: Desk, database: Database) -> None:
    client_id = admin.add_client()

    record(database, client_id, trade("71", dt.datetime(2026, 11, 19, 20, 0, tzinfo=dt.UTC)))

    assert [row.day for row in stored(database, client_id)] == [dt.date(2026, 11, 20)]


def test_an_isin_comes_from_the_list_of_instruments_or_later_from_a_file(
    admin: Desk, database: Database
) -> None:
    client_id = admin.add_client()
    record(database, client_id, trade("71", AT, isin=""), trade("72", AT, isin="", symbol="NOSUCH"))
    assert {row.symbol: row.isin for row in stored(database, client_id)} == {
        "INFY": INFY,
        "NOSUCH": "",
    }
    clear(database)

    completed = trade("72", AT, symbol="NOSUCH", isin=TCS)
    assert record(database, client_id, completed, source=TradeSource.FILE) == 1

    assert {row.isin for row in stored(database, client_id)} == {INFY, TCS}
    assert due(database).keys() == {uuid.UUID(client_id)}


@pytest.mark.parametrize("source", [TradeSource.BROKER, TradeSource.FILE])
def test_trades_take_the_place_of_their_order(
    admin: Desk, database: Database, source: TradeSource
) -> None:
    client_id = admin.add_client()
    of_order = [trade("900", AT, order_id="900"), trade("901", AT, order_id="901")]
    record(database, client_id, *of_order, source=TradeSource.ORDER)

    record(database, client_id, trade("71", AT, order_id="900"), source=source)

    assert {(row.source, row.order_id) for row in stored(database, client_id)} == {
        (source, "900"),
        (TradeSource.ORDER, "901"),
    }
    # What is known of the order adds nothing any more.
    assert record(database, client_id, of_order[0], source=TradeSource.ORDER) == 0
    assert len(stored(database, client_id)) == 2


def test_of_an_order_with_some_trades_the_rest_counts(admin: Desk, database: Database) -> None:
    client_id = admin.add_client()
    record(database, client_id, trade("71", AT, order_id="900", quantity=6, price=Decimal(1500)))
    whole = trade("900", AT, order_id="900", quantity=10, price=Decimal(1502))

    assert record(database, client_id, whole, source=TradeSource.ORDER) == 1
    assert record(database, client_id, whole, source=TradeSource.ORDER) == 0
    (rest,) = [row for row in stored(database, client_id) if row.source is TradeSource.ORDER]
    # (10 x 1502 - 6 x 1500) / 4
    assert (rest.quantity, rest.price) == (4, Decimal(1505))

    record(database, client_id, trade("72", AT, order_id="900", quantity=4))
    assert {row.source for row in stored(database, client_id)} == {TradeSource.BROKER}


def test_a_trade_from_an_order_grows_with_it(admin: Desk, database: Database) -> None:
    client_id = admin.add_client()
    part = trade("900", AT, order_id="900", quantity=4)
    assert record(database, client_id, part, source=TradeSource.ORDER) == 1
    clear(database)

    whole = replace(part, quantity=10, price=Decimal(1501))
    assert record(database, client_id, whole, source=TradeSource.ORDER) == 1
    assert due(database)
    clear(database)
    assert record(database, client_id, whole, source=TradeSource.ORDER) == 0

    (row,) = stored(database, client_id)
    assert (row.quantity, row.price) == (10, Decimal(1501))
    assert due(database) == {}


def test_a_trade_takes_the_place_of_what_was_inferred_of_its_time(
    admin: Desk, database: Database
) -> None:
    client_id = admin.add_client()
    client = uuid.UUID(client_id)
    spans = [(AT, AT + 24 * HOUR), (AT + 24 * HOUR, AT + 48 * HOUR)]
    with database.transaction() as session:
        rows = [inferred(at, after) for after, at in spans]
        assert orders.record_inferred(session, {client: rows}, clock.now()) == 2
        assert orders.record_inferred(session, {client: rows}, clock.now()) == 0

    # At the end of the first span, which is part of it; another share changes nothing.
    record(database, client_id, trade("72", AT + 30 * HOUR, isin=TCS, symbol="TCS"))
    record(database, client_id, trade("71", AT + 24 * HOUR), source=TradeSource.FILE)

    left = [row for row in stored(database, client_id) if row.source is TradeSource.INFERRED]
    assert [(row.after, row.traded_at) for row in left] == [spans[1]]
    assert (left[0].trade_id, left[0].quantity) == (f"inferred-{INFY}", 5)
    assert left[0].price == Decimal(1490)


def test_a_file_that_names_the_isin_after_a_split_takes_the_place_of_what_was_inferred_before(
    admin: Desk, database: Database
) -> None:
    client_id = admin.add_client()
    with database.transaction() as session:
        before = inferred(AT + 24 * HOUR, AT)
        orders.record_inferred(session, {uuid.UUID(client_id): [before]}, clock.now())

    # The broker's file was made after the split: it has the share's new ISIN throughout.
    filed = trade("71", AT + 20 * HOUR, isin="INE009A01039")
    record(database, client_id, filed, source=TradeSource.FILE)

    assert [row.source for row in stored(database, client_id)] == [TradeSource.FILE]


def test_an_inferred_sale_has_no_price() -> None:
    row = orders.inferred_trade(INFY, ("NSE", "INFY"), -5, Decimal(1490), (AT, AT + HOUR))

    assert (row.side, row.quantity, row.price) == (OrderSide.SELL, 5, None)


def test_what_is_known_of_a_client_is_read_from_an_instant_on(
    admin: Desk, database: Database
) -> None:
    client_id, other_id = admin.add_client(), admin.add_client("Ira Bose", "ira@home.example")
    record(database, client_id, trade("71", AT), trade("72", AT + HOUR), trade("70", AT + HOUR))
    placed = [
        NewOrder(
            str(number), AT + HOUR, symbol, "NSE", OrderSide.SELL, 7, Decimal(0), status,
            reason=reason, tag="ABCD2345",
        )
        for number, (symbol, status, reason) in enumerate(
            [
                ("INFY", OrderStatus.OPEN, ""),
                ("NOSUCH", OrderStatus.REJECTED, "RMS: margin"),
                ("TCS", OrderStatus.COMPLETE, ""),
                ("ITC", OrderStatus.CANCELLED, ""),
            ]
        )
    ]  # fmt: skip
    early = replace(placed[0], broker_order_id="9", ordered_at=AT)
    with database.transaction() as session:
        orders.record_orders(session, uuid.UUID(client_id), [*placed, early])
        orders.record_trades_read(session, {uuid.UUID(client_id): AT + 2 * HOUR}, clock.now())

    with database.reading() as session:
        both = [uuid.UUID(client_id), uuid.UUID(other_id)]
        found = orders.trading_of_clients(session, both, AT + HOUR)

    trading, nothing = found[both[0]], found[both[1]]
    assert [row.trade_id for row in trading.trades] == ["70", "72"]
    assert [(row.symbol, row.isin, row.is_rejected, row.reason) for row in trading.orders] == [
        ("INFY", INFY, False, ""),
        ("NOSUCH", "", True, "RMS: margin"),
    ]
    assert {row.tag for row in trading.orders} == {"ABCD2345"}
    assert trading.read_at == AT + 2 * HOUR
    assert (list(nothing.trades), list(nothing.orders), nothing.read_at) == ([], [], None)


def test_until_when_trades_are_known_never_goes_back(admin: Desk, database: Database) -> None:
    client_id = admin.add_client()
    for at in (AT + HOUR, AT):
        with database.transaction() as session:
            orders.record_trades_read(session, {uuid.UUID(client_id): at}, clock.now())

    assert read_at(database, client_id) == AT + HOUR


def test_the_other_client_of_a_trade_is_found_by_its_side(admin: Desk, database: Database) -> None:
    client_id, other_id = admin.add_client(), admin.add_client("Ira Bose", "ira@home.example")
    record(database, other_id, trade("71", AT), trade("900", AT), source=TradeSource.FILE)

    with database.reading() as session:
        found = orders.clients_with_trades(
            session,
            uuid.UUID(client_id),
            [trade("71", AT), trade("900", AT, side=OrderSide.SELL), trade("73", AT)],
        )
        own = orders.clients_with_trades(session, uuid.UUID(other_id), [trade("71", AT)])

    assert found[("NSE", "71", AT.date(), OrderSide.BUY)] == uuid.UUID(other_id)
    assert ("NSE", "900", AT.date(), OrderSide.SELL) not in found
    assert own == {}


def test_shares_delivered_since_a_reading(admin: Desk, database: Database) -> None:
    client_id = admin.add_client()
    client, read = uuid.UUID(client_id), AT
    # Recorded with the reading itself, so it is in its holdings, though it came a second later.
    record(database, client_id, trade("70", AT + HOUR / 3600), now=read)
    record(
        database,
        client_id,
        trade("71", AT + HOUR),
        trade("72", AT + HOUR, side=OrderSide.SELL, quantity=3),
        trade("73", AT + HOUR, product="INTRADAY"),
        trade("74", AT + 48 * HOUR),
        trade("75", AT - HOUR),
        now=read + HOUR,
    )

    with database.reading() as session:
        sums = orders.delivered_since(session, {client: read}, AT + 24 * HOUR)
        none = orders.delivered_since(session, {client: read}, AT + 24 * HOUR, beyond_orders=True)

    assert sums == {client: {INFY: 7}}
    assert none == {client: {}}


def test_a_file_that_fills_the_rest_of_a_reported_order_is_beyond_the_order_book(
    admin: Desk, database: Database
) -> None:
    client_id = admin.add_client()
    client = uuid.UUID(client_id)
    part = NewOrder(
        "171", AT, "INFY", "NSE", OrderSide.BUY, 10, Decimal(1500), OrderStatus.OPEN,
        filled_quantity=4,
    )  # fmt: skip
    with database.transaction() as session:
        orders.take_order_book(session, client, AT, [part], None)
    filed = [trade("71", AT + HOUR, quantity=6), trade("72", AT + HOUR, order_id="200")]
    record(database, client_id, *filed, source=TradeSource.FILE, now=AT + 24 * HOUR)

    with database.reading() as session:
        sums = orders.delivered_since(session, {client: AT}, AT + 48 * HOUR, beyond_orders=True)

    assert sums == {client: {INFY: 6}}


@pytest.mark.parametrize(
    ("since", "today", "is_missed"),
    [
        ("2026-11-19T11:00", "2026-11-19", False),
        ("2026-11-19T11:00", "2026-11-20", True),
        ("2026-11-19T16:04", "2026-11-20", True),
        ("2026-11-19T16:05", "2026-11-20", False),
        ("2026-11-19T16:05", "2026-11-21", True),
        # A weekend, and a day on which the exchange is closed.
        ("2026-11-20T17:00", "2026-11-23", False),
        ("2026-11-23T17:00", "2026-11-25", False),
    ],
)
def test_a_day_is_missed_if_clients_could_trade_on_it(
    since: str, today: str, is_missed: bool
) -> None:
    at = dt.datetime.fromisoformat(since).replace(tzinfo=clock.INDIA)
    day = dt.date.fromisoformat(today)

    assert orders.was_day_missed(at, day, {dt.date(2026, 11, 24)}) is is_missed


# ------------------------------------------------------------------------------- to be matched again


def mark(database: Database, *client_ids: str) -> None:
    with database.transaction() as session:
        orders.mark_matching_due(session, [uuid.UUID(key) for key in client_ids], clock.now())


def test_who_waits_longest_is_matched_first(admin: Desk, database: Database) -> None:
    ids = [admin.add_client(f"Client {place}", f"{place}@home.example") for place in range(3)]
    for client_id in reversed(ids):
        mark(database, client_id)
    mark(database, ids[2])

    with database.reading() as session:
        assert list(orders.take_due(session, 2)) == [uuid.UUID(ids[2]), uuid.UUID(ids[1])]
        assert orders.has_due(session)


def test_a_mark_between_taking_and_clearing_is_not_lost(admin: Desk, database: Database) -> None:
    client_id, other_id = admin.add_client(), admin.add_client("Ira Bose", "ira@home.example")
    mark(database, client_id, other_id)
    taken = due(database)

    mark(database, client_id)
    clear(database, taken)

    assert due(database) == {uuid.UUID(client_id): taken[uuid.UUID(client_id)] + 1}
    clear(database)
    with database.reading() as session:
        assert not orders.has_due(session)


def test_a_mark_after_somebody_else_cleared_is_not_lost(admin: Desk, database: Database) -> None:
    client_id = admin.add_client()
    mark(database, client_id)
    first = second = due(database)
    clear(database, first)

    mark(database, client_id)
    clear(database, second)

    assert due(database).keys() == {uuid.UUID(client_id)}


def test_marks_of_many_at_once_lose_none(admin: Desk, database: Database) -> None:
    ids = [admin.add_client(f"Client {place}", f"{place}@home.example") for place in range(3)]
    mark(database, *ids)
    before, marks, failures = due(database), 20, []

    def work(place: int) -> None:
        try:
            for _ in range(marks):
                mark(database, *(ids if place else reversed(ids)))
        except Exception as error:  # noqa: BLE001 - shown by the assertion
            failures.append(error)

    threads = [threading.Thread(target=work, args=(place,)) for place in range(3)]
    for thread in threads:
        thread.start()
    for _ in range(5):
        # With numbers that others raise all the time nothing is cleared.
        clear(database, before)
    for thread in threads:
        thread.join()

    assert failures == []
    left = due(database)
    assert left.keys() == {uuid.UUID(key) for key in ids}


@pytest.mark.long
def test_a_hundred_thousand_trades_are_recorded(admin: Desk, database: Database) -> None:
    client_id = admin.add_client()
    trades = [
        trade(str(number), AT + dt.timedelta(minutes=number % 5_000), order_id=str(number // 3))
        for number in range(100_000)
    ]

    assert record(database, client_id, *trades, source=TradeSource.FILE) == 100_000

    with database.reading() as session:
        assert len(orders.trading_of(session, uuid.UUID(client_id), BEGINNING).trades) == 100_000


def test_the_same_trades_have_the_same_text_in_whatever_order_they_are_stored(
    admin: Desk, database: Database
) -> None:
    client_id = uuid.UUID(admin.add_client())
    record(database, str(client_id), *(trade(f"{number}", AT) for number in range(71, 76)))
    with database.reading() as session:
        before = orders.recorded_trading(session, {client_id: AT})[client_id].trades
        rows = session.execute(select(Trade.__table__).order_by(Trade.id.desc())).mappings().all()

    with database.transaction() as session:
        session.execute(delete(Trade))
        for row in rows:
            session.execute(insert(Trade.__table__), dict(row))  # type: ignore[arg-type]

    with database.reading() as session:
        after = orders.recorded_trading(session, {client_id: AT})[client_id].trades
    assert len(rows) == 5
    assert after == before
