"""The trades of a sync: the broker's own, those of orders, and those that only the holdings show."""

import datetime as dt
from dataclasses import replace
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import select, update

from tarazu.brokers.tables import ClientSession
from tarazu.domain.calendar import next_business_day
from tarazu.firm import service as firm
from tarazu.kit import clock
from tarazu.kit.audit_log import SYSTEM
from tarazu.orders.service import StoredTrade
from tarazu.orders.tables import Order, OrderSide, TradeSource
from tarazu.sync import service
from tests.brokers.conftest import plain_fixture_of
from tests.brokers.simulator.world import ANGEL, KITE, Lot
from tests.orders.trades_of import clear, due, read_at, record, stored, trade
from tests.rows_of import run, scalars
from tests.sync.conftest import USERS, SyncDesk
from tests.sync.test_changes import NEW_ISIN, hold, order_of
from tests.sync.test_sync import give_fixtures

BROKERS = [KITE, ANGEL]
ELEVEN, AFTER_CLOSE = dt.time(11, tzinfo=clock.INDIA), dt.time(16, 6, tzinfo=clock.INDIA)


def days_of(desk: SyncDesk, count: int) -> list[dt.date]:
    """Today and the next business days."""
    with desk.database.reading() as session:
        holidays = firm.holidays(session)
    days = [clock.today()]
    while len(days) < count:
        days.append(next_business_day(days[-1], holidays))
    return days


def read(desk: SyncDesk, client_id: str, day: dt.date, at: dt.time = ELEVEN) -> None:
    """Sync a client who is logged in, at a time of a day."""
    now = dt.datetime.combine(day, at)
    desk.world.set_clock(now)
    for login in desk.world.logins.values():
        login.expires_at = now + dt.timedelta(days=1)
    run(desk.database, update(ClientSession).values(expires_at=now + dt.timedelta(days=1)))
    context = service.SyncContext(desk.database, desk.gateway, SYSTEM)
    assert service.sync_client(context, UUID(client_id), now).outcome == "DONE"


def held_alone(desk: SyncDesk, broker: str, free: int = 10) -> tuple[str, Lot]:
    """A client who is logged in, holds one stock alone and has ordered nothing."""
    user_id = USERS[broker]
    desk.change(user_id, orders=())
    lot = hold(desk, user_id, free)
    return desk.client(user_id, broker), lot


def inferred_of(desk: SyncDesk, client_id: str) -> list[StoredTrade]:
    rows = stored(desk.database, client_id)
    return [row for row in rows if row.source is TradeSource.INFERRED]


# -------------------------------------------------------------------------------- of the broker


@pytest.mark.parametrize("broker", BROKERS)
def test_the_trades_of_the_day_are_stored_with_tag_and_isin(desk: SyncDesk, broker: str) -> None:
    client_id, lot = held_alone(desk, broker)
    order = order_of(lot, "BUY", 5, fills=(2, 3), tag="ABCD2345", price_paise=10_150)
    intraday = order_of(lot, "SELL", 1, "7002", product="MIS")
    desk.change(USERS[broker], orders=(order, intraday))
    (day,) = days_of(desk, 1)

    read(desk, client_id, day)

    rows = {row.trade_id: row for row in stored(desk.database, client_id)}
    first, second = rows["770010"], rows["770011"]
    assert (first.quantity, second.quantity, len(rows)) == (2, 3, 3)
    assert {row.source for row in rows.values()} == {TradeSource.BROKER}
    assert (first.order_id, first.tag, first.isin) == ("7001", "ABCD2345", lot.stock.isin)
    assert (first.side, first.price, first.product) == (
        OrderSide.BUY,
        Decimal("101.5"),
        "DELIVERY",
    )
    assert first.traded_at == dt.datetime.combine(day, dt.time(9, 45, tzinfo=clock.INDIA))
    assert second.traded_at - first.traded_at == dt.timedelta(seconds=30)
    assert (rows["770020"].product, rows["770020"].tag) == ("INTRADAY", "")
    assert read_at(desk.database, client_id) == dt.datetime.combine(day, ELEVEN)


@pytest.mark.parametrize("broker", BROKERS)
def test_the_known_answers_give_their_trades(desk: SyncDesk, broker: str) -> None:
    client_id = desk.client(USERS[broker], broker)
    give_fixtures(desk, broker, "")

    desk.synced(client_id)

    rows = stored(desk.database, client_id)
    shares = {
        number: sum(row.quantity for row in rows if row.order_id.endswith(number))
        for number in ("101", "105", "108", "109", "110")
    }
    assert shares == {"101": 2, "105": 4, "108": 10, "109": 10, "110": 1}
    assert {row.day for row in rows} == {dt.date(2026, 11, 21)}
    assert all(row.isin for row in rows)


@pytest.mark.parametrize(("hour", "days_before"), [(11, 0), (1, 1)])
def test_a_time_without_a_day_is_the_last_one_where_the_order_is_not_listed(
    desk: SyncDesk, hour: int, days_before: int
) -> None:
    user_id = USERS[ANGEL]
    desk.change(user_id, orders=())
    client_id = desk.client(user_id, ANGEL)
    answers = plain_fixture_of("angel_answers.json")
    desk.answer(ANGEL, "trades", answers["trade_book"])
    (day,) = days_of(desk, 1)

    read(desk, client_id, day, dt.time(hour, tzinfo=clock.INDIA))

    rows = {row.symbol: row for row in stored(desk.database, client_id)}
    assert rows["HDFCBANK"].day == day - dt.timedelta(days=days_before)


@pytest.mark.parametrize("broker", BROKERS)
def test_a_second_sync_adds_no_trade(desk: SyncDesk, broker: str) -> None:
    client_id, lot = held_alone(desk, broker)
    desk.change(USERS[broker], orders=(order_of(lot, "BUY", 5, fills=(2, 3)),))
    desk.synced(client_id)
    before = stored(desk.database, client_id)

    desk.synced(client_id)

    assert stored(desk.database, client_id) == before
    assert len(before) == 2


def test_each_reading_lets_the_client_be_matched(desk: SyncDesk) -> None:
    client_id, _lot = held_alone(desk, KITE)
    desk.synced(client_id)
    clear(desk.database)

    desk.synced(client_id)

    assert due(desk.database).keys() == {UUID(client_id)}


@pytest.mark.on_both(suite="long")
@pytest.mark.parametrize("broker", BROKERS)
@pytest.mark.parametrize("kind", ["half", "nonsense", "500", "denied"])
def test_orders_count_until_the_broker_gives_the_trades(
    desk: SyncDesk, broker: str, kind: str
) -> None:
    client_id, lot = held_alone(desk, broker)
    part = order_of(lot, "BUY", 9, "7002", filled=4, status="OPEN")
    orders = (order_of(lot, "BUY", 5, fills=(2, 3), tag="ABCD2345"), part)
    desk.change(USERS[broker], orders=orders)
    denied = {"status": 403, "contentType": "text/plain", "text": "Access denied"}
    if kind == "denied":
        desk.answer(broker, "trades", denied)
    else:
        desk.fault(broker, "trades", kind)
    desk.synced(client_id)

    rows = stored(desk.database, client_id)
    assert {(row.order_id, row.trade_id, row.quantity, row.source) for row in rows} == {
        ("7001", "7001", 5, TradeSource.ORDER),
        ("7002", "7002", 4, TradeSource.ORDER),
    }
    assert {row.tag for row in rows} == {"ABCD2345", ""}
    assert desk.holdings(client_id)[lot.stock.symbol]["quantity"] == 19

    # Another share is filled, and then the broker answers.
    desk.change(USERS[broker], orders=(orders[0], replace(part, filled=5)))
    desk.synced(client_id)
    assert {row.quantity for row in stored(desk.database, client_id)} == {5}
    desk.world.faults.clear()
    desk.synced(client_id)

    rows = stored(desk.database, client_id)
    assert {row.source for row in rows} == {TradeSource.BROKER}
    assert sorted(row.quantity for row in rows) == [2, 3, 5]


def test_an_order_without_a_trade_in_the_brokers_list_counts_as_one(desk: SyncDesk) -> None:
    client_id, lot = held_alone(desk, KITE)
    desk.change("AB1234", orders=(order_of(lot, "BUY", 5),))
    desk.answer(KITE, "trades", json_of([]))

    desk.synced(client_id)

    (row,) = stored(desk.database, client_id)
    assert (row.source, row.quantity) == (TradeSource.ORDER, 5)


def json_of(rows: list[Any]) -> dict[str, Any]:
    body = {"status": "success", "data": rows}
    return {"status": 200, "contentType": "application/json", "json": body}


def test_orders_filled_between_two_calls_are_read_again(desk: SyncDesk) -> None:
    client_id, lot = held_alone(desk, KITE)
    desk.change("AB1234", orders=(order_of(lot, "BUY", 5),))
    desk.world.calls.clear()
    desk.answer(KITE, "trades", json_of([]))
    desk.world.faults[-1].times = 1

    desk.synced(client_id)

    calls = [call for _, call in desk.world.calls]
    # The first answer of the trades was the prepared one.
    assert (calls.count("GET /orders"), calls.count("GET /trades")) == (2, 1)
    assert [row.source for row in stored(desk.database, client_id)] == [TradeSource.BROKER]


def test_a_trade_that_cannot_be_read_is_named_and_its_order_counts(desk: SyncDesk) -> None:
    client_id = desk.client()
    give_fixtures(desk, KITE, "")
    fault = next(one for one in desk.world.faults if one.call == "GET /trades")
    fault.answer["json"]["data"][0]["quantity"] = None

    desk.synced(client_id)

    assert desk.statement(client_id)["leftOut"] == [
        "Trade 70000000 HDFCBANK on NSE is left out: its quantity is missing or not usable."
    ]
    rows = {row.order_id[-3:]: row for row in stored(desk.database, client_id)}
    assert (rows["101"].source, rows["101"].quantity) == (TradeSource.ORDER, 2)


@pytest.mark.on_both(suite="long")
@pytest.mark.parametrize("broker", BROKERS)
def test_the_brokers_words_on_a_rejection_and_the_tag_are_kept(desk: SyncDesk, broker: str) -> None:
    client_id, lot = held_alone(desk, broker)
    placed = order_of(
        lot, "BUY", 5, filled=0, status="REJECTED", tag="ABCD2345", reason="Insufficient funds."
    )
    desk.change(USERS[broker], orders=(placed,))

    desk.synced(client_id)

    (order,) = scalars(desk.database, select(Order))
    assert (order.reason, order.tag) == ("Insufficient funds.", "ABCD2345")
    assert "reason" not in desk.get(client_id, "order-book")["orders"][0]


# --------------------------------------------------------------------------------- of the holdings


@pytest.mark.parametrize("broker", BROKERS)
def test_a_purchase_on_a_day_that_was_not_read_is_inferred_with_its_price(
    desk: SyncDesk, broker: str
) -> None:
    client_id, lot = held_alone(desk, broker)
    first, _missed, later = days_of(desk, 3)
    read(desk, client_id, first)
    desk.change(USERS[broker], lots=(replace(lot, free=17, average_paise=10_700),))

    read(desk, client_id, later)
    read(desk, client_id, later, AFTER_CLOSE)

    (row,) = inferred_of(desk, client_id)
    assert (row.side, row.quantity, row.isin) == (OrderSide.BUY, 7, lot.stock.isin)
    # (17 x 107 - 10 x 100) / 7
    assert row.price == Decimal(117)
    assert row.after == dt.datetime.combine(first, ELEVEN)
    assert row.traded_at == dt.datetime.combine(later, ELEVEN)
    assert (row.exchange, row.symbol) == ("NSE", lot.stock.symbol)
    assert row.trade_id == f"inferred-{lot.stock.isin}"


@pytest.mark.parametrize("left", [6, 5, 0])
def test_a_sale_is_inferred_without_a_price(desk: SyncDesk, left: int) -> None:
    client_id, lot = held_alone(desk, KITE)
    other = Lot(desk.person("AB1235").lots[0].stock, 1, 0, 0, 100)
    desk.change("AB1234", lots=(lot, other))
    first, _missed, later = days_of(desk, 3)
    read(desk, client_id, first)
    desk.change("AB1234", lots=((replace(lot, free=left), other) if left else (other,)))

    read(desk, client_id, later)

    (row,) = inferred_of(desk, client_id)
    assert (row.side, row.quantity, row.price) == (OrderSide.SELL, 10 - left, None)


def test_only_what_todays_orders_do_not_explain_is_inferred(desk: SyncDesk) -> None:
    client_id, lot = held_alone(desk, KITE)
    first, _missed, later = days_of(desk, 3)
    read(desk, client_id, first)
    desk.change("AB1234", lots=(replace(lot, free=14),), orders=(order_of(lot, "BUY", 5),))

    read(desk, client_id, later)

    (row,) = inferred_of(desk, client_id)
    # What the four cost is not known: the average is that of all.
    assert (row.quantity, row.price) == (4, None)
    assert len(stored(desk.database, client_id)) == 2


@pytest.mark.parametrize(
    ("free", "average_paise"),
    [
        (20, 5_000),  # a bonus or a split
        (20, 10_000),  # a bonus, before the broker corrects the average
        (20, 0),  # the average is not known
        (5, 20_000),  # a consolidation
    ],
)
def test_what_may_be_a_corporate_action_is_no_trade(
    desk: SyncDesk, free: int, average_paise: int
) -> None:
    client_id, lot = held_alone(desk, KITE)
    first, _missed, later = days_of(desk, 3)
    read(desk, client_id, first)
    desk.change("AB1234", lots=(replace(lot, free=free, average_paise=average_paise),))

    read(desk, client_id, later)

    assert inferred_of(desk, client_id) == []
    assert len(desk.statement(client_id)["changes"]) == 1


def test_a_new_isin_is_no_trade(desk: SyncDesk) -> None:
    client_id, lot = held_alone(desk, KITE)
    first, _missed, later = days_of(desk, 3)
    read(desk, client_id, first)
    desk.change("AB1234", lots=(Lot(replace(lot.stock, isin=NEW_ISIN), 37, 0, 0, 4_000),))

    read(desk, client_id, later)

    assert inferred_of(desk, client_id) == []


def test_nothing_is_inferred_where_every_day_was_read(desk: SyncDesk) -> None:
    client_id, lot = held_alone(desk, KITE)
    first, later = days_of(desk, 2)
    read(desk, client_id, first)
    read(desk, client_id, first, AFTER_CLOSE)
    # Shares that were transferred.
    desk.change("AB1234", lots=(replace(lot, free=17, average_paise=10_700),))

    read(desk, client_id, later)

    assert inferred_of(desk, client_id) == []
    assert len(desk.statement(client_id)["changes"]) == 1


@pytest.mark.on_both(suite="long")
def test_the_first_reading_and_another_broker_show_no_trade(desk: SyncDesk) -> None:
    client_id, _lot = held_alone(desk, KITE)
    first, _missed, later = days_of(desk, 3)
    read(desk, client_id, first)
    assert stored(desk.database, client_id) == []
    run(desk.database, update(service.ClientSync).values(broker=ANGEL))
    desk.change("AB1234", lots=(replace(_lot, free=17),))

    read(desk, client_id, later)

    assert inferred_of(desk, client_id) == []


@pytest.mark.on_both(suite="long")
def test_a_share_without_an_isin_is_not_inferred(desk: SyncDesk) -> None:
    client_id, lot = held_alone(desk, KITE)
    first, _missed, later = days_of(desk, 3)
    unknown = replace(lot, stock=replace(lot.stock, symbol="NOSUCH", isin="", zerodha_token=99))
    desk.world.paise[99] = 10_000
    desk.change("AB1234", lots=(unknown,))
    read(desk, client_id, first)
    desk.change("AB1234", lots=(replace(unknown, free=17),))

    read(desk, client_id, later)

    assert len(desk.statement(client_id)["changes"]) == 1
    assert inferred_of(desk, client_id) == []


def test_a_tradebook_takes_the_place_of_what_was_inferred(desk: SyncDesk) -> None:
    client_id, lot = held_alone(desk, KITE)
    first, missed, later = days_of(desk, 3)
    read(desk, client_id, first)
    desk.change("AB1234", lots=(replace(lot, free=17, average_paise=10_700),))
    read(desk, client_id, later)
    at = dt.datetime.combine(missed, dt.time(14, tzinfo=clock.INDIA))
    filed = trade("71", at, isin=lot.stock.isin, symbol=lot.stock.symbol, quantity=7)

    record(desk.database, client_id, filed, source=TradeSource.FILE)
    read(desk, client_id, later, AFTER_CLOSE)

    assert [(row.source, row.quantity) for row in stored(desk.database, client_id)] == [
        (TradeSource.FILE, 7)
    ]
