"""What a sync finds that nothing explains: shares, ISINs, money; and orders that stay open."""

import datetime as dt
from dataclasses import replace
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import update

from tarazu.brokers.tables import BrokerName
from tarazu.domain.isin import check_digit
from tarazu.instruments import masters
from tarazu.instruments import service as instruments
from tarazu.instruments.masters import MasterListRow
from tarazu.kit import clock
from tarazu.kit.audit_log import SYSTEM
from tarazu.orders import service as orders
from tarazu.orders.service import NewOrder
from tarazu.orders.tables import OrderSide, OrderStatus
from tarazu.portfolio import service as portfolio
from tarazu.portfolio.service import NewFlow
from tarazu.portfolio.tables import FlowType
from tarazu.prices import service as prices
from tarazu.sync.tables import ClientSync
from tests.brokers.simulator.world import ANGEL, KITE, Lot, Placed
from tests.rows_of import run
from tests.sync.conftest import USERS, SyncDesk

NEW_ISIN = "INE0CCU0102" + str(check_digit("INE0CCU0102"))


def hold(desk: SyncDesk, user_id: str, free: int, symbol: str = "") -> Lot:
    """Let a person hold one stock alone; the lot."""
    lots = desk.person(user_id).lots
    first = next(lot for lot in lots if symbol in {"", lot.stock.symbol})
    lot = Lot(first.stock, free, 0, 0, 10_000)
    desk.change(user_id, lots=(lot,))
    return lot


def order_of(lot: Lot, side: str, quantity: int, number: str = "7001", **more: Any) -> Placed:
    placed = Placed(number, lot.stock, side, "CNC", quantity, quantity, 10_000, "COMPLETE", 30)
    return replace(placed, **more)


@pytest.mark.parametrize("broker", [KITE, ANGEL])
def test_shares_that_came_without_an_order_are_flagged_until_somebody_saw_them(
    desk: SyncDesk, broker: str
) -> None:
    user_id = USERS[broker]
    desk.change(user_id, orders=())
    lot = hold(desk, user_id, 10)
    client_id = desk.client(user_id, broker)
    desk.synced(client_id)
    desk.change(user_id, lots=(replace(lot, free=20, average_paise=5_000),))

    result = desk.synced(client_id)

    (change,) = desk.statement(client_id)["changes"]
    assert result["unexplained"] == 1
    assert (change["before"], change["after"], change["ordered"]) == (10, 20, 0)
    assert change["hint"] == "Looks like a split or a bonus: 2 for 1."
    assert (change["averageBefore"], change["averageAfter"]) == (100, 50)
    assert desk.holdings(client_id)[lot.stock.symbol]["quantity"] == 20
    path = f"/admin/sync/changes/{change['_id']}/seen"
    assert desk.firm.desk.post(path).status_code == 200
    assert desk.firm.desk.post(path).status_code == 200
    assert desk.statement(client_id)["changes"] == []
    assert len(desk.firm.trail("quantity_change_seen")) == 1
    assert desk.synced(client_id)["unexplained"] == 0


@pytest.mark.parametrize("broker", [KITE, ANGEL])
def test_shares_that_an_order_explains_are_not_flagged(desk: SyncDesk, broker: str) -> None:
    user_id = USERS[broker]
    desk.change(user_id, orders=())
    lot = hold(desk, user_id, 10)
    client_id = desk.client(user_id, broker)
    desk.synced(client_id)

    # Bought today: a position and an order, in no holding yet.
    desk.change(user_id, orders=(order_of(lot, "BUY", 5),))
    assert desk.synced(client_id)["unexplained"] == 0
    held = desk.holdings(client_id)[lot.stock.symbol]
    assert (held["quantity"], held["free"], held["boughtToday"]) == (15, 10, 5)

    # Then three sold, in two fills with a sync in between.
    sale = order_of(lot, "SELL", 3, "7002", filled=1, status="OPEN")
    desk.change(user_id, orders=(order_of(lot, "BUY", 5), sale))
    assert desk.synced(client_id)["unexplained"] == 0
    desk.change(user_id, orders=(order_of(lot, "BUY", 5), replace(sale, filled=3)))
    assert desk.synced(client_id)["unexplained"] == 0
    assert desk.holdings(client_id)[lot.stock.symbol]["quantity"] == 12

    # The next day the shares are T+1, and the orders of yesterday are in no answer any more.
    desk.change(user_id, orders=(), lots=(replace(lot, free=10, t1=2),))
    assert desk.synced(client_id)["unexplained"] == 0
    held = desk.holdings(client_id)[lot.stock.symbol]
    assert (held["quantity"], held["free"], held["t1"]) == (12, 10, 2)
    assert len(desk.get(client_id, "order-book")["orders"]) == 2


def test_everything_sold_is_believed_when_the_orders_say_so(desk: SyncDesk) -> None:
    desk.change("AB1234", orders=())
    lot = hold(desk, "AB1234", 10)
    client_id = desk.client()
    desk.synced(client_id)
    desk.change("AB1234", orders=(order_of(lot, "SELL", 10),))
    desk.synced(client_id)
    desk.change("AB1234", orders=(order_of(lot, "SELL", 10),), lots=())

    assert desk.synced(client_id)["outcome"] == "DONE"
    assert desk.holdings(client_id) == {}


def test_an_intraday_trade_moves_no_holding(desk: SyncDesk) -> None:
    desk.change("AB1234", orders=())
    lot = hold(desk, "AB1234", 10)
    client_id = desk.client()
    desk.synced(client_id)
    desk.change("AB1234", orders=(order_of(lot, "BUY", 5, product="MIS"),))

    assert desk.synced(client_id)["unexplained"] == 0
    assert desk.holdings(client_id)[lot.stock.symbol]["quantity"] == 10


def test_a_tradebook_that_comes_in_later_explains_what_happened_meanwhile(desk: SyncDesk) -> None:
    desk.change("AB1234", orders=())
    lot = hold(desk, "AB1234", 10)
    client_id = desk.client()
    desk.synced(client_id)
    desk.change("AB1234", lots=(replace(lot, free=16),))
    filed = NewOrder(
        "990001", clock.now(), lot.stock.symbol, "NSE", OrderSide.BUY, 6, Decimal(100),
        OrderStatus.COMPLETE, filled_quantity=6,
    )  # fmt: skip
    with desk.database.transaction() as session:
        orders.record_orders(session, UUID(client_id), [filed])

    assert desk.synced(client_id)["unexplained"] == 0


def test_a_split_with_a_new_isin_is_the_same_share(desk: SyncDesk) -> None:
    desk.change("AB1234", orders=())
    lot = hold(desk, "AB1234", 10)
    client_id = desk.client()
    desk.synced(client_id)
    stock = replace(lot.stock, isin=NEW_ISIN)
    desk.change("AB1234", lots=(Lot(stock, 50, 0, 0, 2_000),))

    desk.synced(client_id)

    (change,) = desk.statement(client_id)["changes"]
    assert change["hint"] == "Looks like a split or a bonus: 5 for 1. The ISIN changed too."
    held = desk.holdings(client_id)[lot.stock.symbol]
    assert (held["quantity"], held["isin"]) == (50, NEW_ISIN)
    with desk.database.reading() as session:
        known = instruments.by_symbol(session, "NSE", lot.stock.symbol)
        (former,) = instruments.former_names(session, known.id)
    assert (former.isin, former.until) == (lot.stock.isin, clock.today())
    # Whoever's broker still says the old ISIN holds the same share.
    desk.change("AB1234", lots=(Lot(lot.stock, 50, 0, 0, 2_000),))
    desk.synced(client_id)
    assert desk.holdings(client_id).keys() == {lot.stock.symbol}


@pytest.mark.on_both(suite="long")
@pytest.mark.parametrize("broker", [KITE, ANGEL])
@pytest.mark.parametrize(
    ("symbol", "series", "number"),
    [("MANDM", "EQ", 77_401), ("M&M-BE", "BE", 77_402), ("M&M", "EQ", 77_403)],
)
def test_a_share_with_another_name_and_token_stays_the_same_share(
    desk: SyncDesk, broker: str, symbol: str, series: str, number: int
) -> None:
    user_id = USERS[broker]
    with desk.database.reading() as session:
        before = instruments.by_symbol(session, "NSE", "M&M")
    old = desk.world.stocks[before.instrument_token]
    desk.change(user_id, orders=(), lots=(Lot(old, 10, 0, 0, 10_000),))
    client_id = desk.client(user_id, broker)
    desk.synced(client_id)
    told_at = clock.now() - dt.timedelta(minutes=1)
    with desk.database.reading() as session:
        token = before.instrument_token
        prices.record_prices(session, {token: Decimal("3210.5")}, told_at, "ZERODHA")
    new = replace(
        old, symbol=symbol, series=series, exchange_token=number, angel_token=str(number),
        zerodha_token=number * 256 + 1,
    )  # fmt: skip
    desk.world.paise[new.zerodha_token] = 320_000
    desk.change(user_id, lots=(Lot(new, 10, 0, 0, 10_000),))

    result = desk.synced(client_id)

    with desk.database.reading() as session:
        after = instruments.by_symbol(session, "NSE", symbol)
        (former,) = instruments.former_names(session, after.id)
        (quote,) = prices.last_prices(session, [new.zerodha_token]).values()
    assert (after.id, after.isin) == (before.id, before.isin)
    assert (after.instrument_token, after.angel_token) in {
        (new.zerodha_token, None),
        (new.zerodha_token, str(number)),
    }
    assert former.symbol == "M&M"
    assert result["unexplained"] == result["unmapped"] == result["changed"] == 0
    held = desk.holdings(client_id)
    assert held.keys() == {symbol}
    assert (held[symbol]["quantity"], held[symbol]["instrumentToken"]) == (10, new.zerodha_token)
    assert held[symbol]["ltp"] == 3210.5
    assert (quote.price, quote.at, quote.source) == (Decimal("3210.5"), told_at, "ZERODHA")
    # A broker that is slower to take up the name takes nothing back.
    other_user = USERS[ANGEL if broker == KITE else KITE]
    desk.change(other_user, orders=(), lots=(Lot(old, 7, 0, 0, 10_000),))
    other = desk.client(other_user, ANGEL if broker == KITE else KITE, "Dev Sen")
    desk.synced(other)
    assert desk.holdings(other).keys() == {symbol}


def test_the_brokers_list_of_today_goes_before_a_row_of_a_holding(desk: SyncDesk) -> None:
    with desk.database.reading() as session:
        before = instruments.by_symbol(session, "NSE", "M&M")
    today = clock.today()
    kept = MasterListRow("NSE", "M&M", "Mahindra", before.instrument_token, "", Decimal("0.1"), 1)
    masters.store_lines(desk.database, BrokerName.ZERODHA, today, [kept])
    old = desk.world.stocks[before.instrument_token]
    new = replace(old, symbol="MANDM", exchange_token=77_401, zerodha_token=77_401 * 256 + 1)
    desk.world.paise[new.zerodha_token] = 320_000
    desk.change("AB1234", orders=(), lots=(Lot(new, 10, 0, 0, 10_000),))
    client_id = desk.client()

    desk.synced(client_id)

    assert desk.holdings(client_id).keys() == {"M&M"}


def test_a_symbol_that_was_given_to_another_company_is_not_joined(desk: SyncDesk) -> None:
    desk.change("AB1234", orders=())
    lot = hold(desk, "AB1234", 10)
    client_id = desk.client()
    stock = replace(lot.stock, isin=NEW_ISIN, exchange_token=99, zerodha_token=99 * 256 + 1)
    desk.world.paise[stock.zerodha_token] = 100
    desk.change("AB1234", lots=(Lot(stock, 50, 0, 0, 2_000),))

    assert desk.synced(client_id)["unmapped"] == 1
    assert desk.holdings(client_id) == {}


def age(desk: SyncDesk, client_id: str, days: int) -> None:
    """Let a client's comparison of money have begun some days ago."""
    run(
        desk.database,
        update(ClientSync)
        .where(ClientSync.client_id == UUID(client_id))
        .values(ledger_at=clock.now() - dt.timedelta(days=days)),
    )


def money(desk: SyncDesk, client_id: str) -> dict[str, Any]:
    rows = desk.firm.desk.get("/admin/readiness").json()["data"]
    return next(dict(row) for row in rows if row["_id"] == client_id)


@pytest.mark.on_both(suite="long")
def test_money_that_nobody_booked_shows_and_goes_once_it_is_booked(desk: SyncDesk) -> None:
    desk.change("AB1234", orders=(), cash_paise=100_000_00)
    client_id = desk.client()
    desk.synced(client_id)
    age(desk, client_id, 2)
    assert money(desk, client_id)["moneyDifference"] == 0
    desk.change("AB1234", cash_paise=150_000_00)
    desk.synced(client_id)

    row = money(desk, client_id)
    assert "MONEY" in row["problems"]
    assert (row["moneyByBooks"], row["moneyAtBroker"]) == (100_000, 150_000)
    assert row["moneyDifference"] == 50_000

    flow = NewFlow(clock.today(), Decimal(50_000), FlowType.FUNDS_ADDED)
    with desk.database.transaction() as session:
        portfolio.record_cash_flow(session, SYSTEM, clock.now(), UUID(client_id), flow)
    assert money(desk, client_id)["moneyDifference"] == 0


@pytest.mark.on_both(suite="long")
def test_money_spent_on_shares_is_explained(desk: SyncDesk) -> None:
    desk.change("AB1234", orders=(), cash_paise=100_000_00)
    lot = hold(desk, "AB1234", 10)
    client_id = desk.client()
    desk.synced(client_id)
    # 500 shares at ₹100, and ₹61.40 of charges.
    desk.change("AB1234", orders=(order_of(lot, "BUY", 500),), cash_paise=49_938_60)
    desk.synced(client_id)

    row = money(desk, client_id)
    assert (row["moneyByBooks"], row["moneyAtBroker"]) == (50_000, 49_938.6)
    assert row["moneyDifference"] == 0


@pytest.mark.on_both(suite="long")
def test_an_accepted_difference_restarts_the_comparison(
    desk: SyncDesk,
) -> None:
    desk.change("AB1234", orders=(), cash_paise=100_000_00)
    client_id = desk.client()
    assert desk.firm.desk.post(f"/admin/clients/client/{client_id}/accept-money").status_code == 404
    desk.synced(client_id)
    desk.change("AB1234", cash_paise=90_000_00)
    desk.synced(client_id)
    assert money(desk, client_id)["moneyDifference"] == -10_000

    assert desk.firm.desk.post(f"/admin/clients/client/{client_id}/accept-money").status_code == 200
    assert money(desk, client_id)["moneyDifference"] == 0


def india(day: int, hour: int, minute: int = 0) -> dt.datetime:
    return dt.datetime(2026, 11, day, hour, minute, tzinfo=clock.INDIA)


@pytest.mark.parametrize(
    ("placed", "now", "status"),
    [
        # Thursday the 19th; on Friday after the close it cannot be open any more.
        (india(19, 11), india(19, 16, 4), "OPEN"),
        (india(19, 11), india(19, 16, 5), "CANCELLED"),
        # After the market closed an order is for the next business day: Monday.
        (india(20, 16), india(23, 16, 4), "OPEN"),
        (india(20, 16), india(23, 16, 5), "CANCELLED"),
    ],
)
def test_an_open_order_lapses_when_its_day_is_over(
    desk: SyncDesk, placed: dt.datetime, now: dt.datetime, status: str
) -> None:
    client_id = desk.firm.desk.add_client()
    order = NewOrder(
        "5001", placed, "INFY", "NSE", OrderSide.BUY, 10, Decimal(0), OrderStatus.OPEN,
        filled_quantity=4, raw_status="TRIGGER PENDING",
    )  # fmt: skip
    with desk.database.transaction() as session:
        orders.record_orders(session, UUID(client_id), [order])
        orders.close_lapsed_orders(session, now)

    (row,) = desk.get(client_id, "order-book")["orders"]
    assert row["orderStatus"] == status
    assert row["isLapsed"] is (status == "CANCELLED")
    assert (row["rawStatus"], row["filledQuantity"]) == ("TRIGGER PENDING", 4)


@pytest.mark.on_both(suite="long")
def test_orders_stay_day_by_day_and_follow_what_the_broker_says(desk: SyncDesk) -> None:
    lot = hold(desk, "AB1234", 10)
    client_id = desk.client()
    waiting = order_of(lot, "BUY", 5, filled=0, status="TRIGGER PENDING")
    desk.change("AB1234", orders=(waiting,))
    desk.synced(client_id)
    (row,) = desk.get(client_id, "order-book")["orders"]
    assert (row["orderStatus"], row["rawStatus"]) == ("OPEN", "TRIGGER PENDING")

    desk.change(
        "AB1234", orders=(replace(waiting, status="REJECTED"), order_of(lot, "BUY", 1, "2"))
    )
    desk.synced(client_id)
    rows = {row["quantity"]: row for row in desk.get(client_id, "order-book")["orders"]}
    assert rows[5]["orderStatus"] == "REJECTED"
    assert rows[1]["orderStatus"] == "COMPLETE"
    desk.change("AB1234", orders=())
    desk.synced(client_id)
    assert len(desk.get(client_id, "order-book")["orders"]) == 2
