"""What the adapters of both brokers do alike: answers to the paisa, and each kind of failure."""

import copy
import datetime as dt
import io
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import pytest

from tarazu.brokers.angel import smartapi
from tarazu.brokers.angel.smartapi import Angel
from tarazu.brokers.protocol.port import (
    BrokerFault,
    BrokerFunds,
    BrokerHolding,
    BrokerOrder,
    BrokerSession,
    Denied,
    LoginTokens,
    Malformed,
    RateLimited,
    SessionDead,
    Upstream,
)
from tarazu.brokers.zerodha.kite import Kite
from tarazu.kit import clock
from tarazu.kit.clock import INDIA
from tests.brokers.conftest import fixture_of, plain_fixture_of
from tests.brokers.simulator import Simulator
from tests.brokers.simulator.world import ANGEL, KITE, Fault

pytestmark = pytest.mark.anyio

# For each kind of answer: the call, and the name of the answer among the fixtures.
CALLS = {
    KITE: {
        "holdings": ("GET /portfolio/holdings", "holdings"),
        "orders": ("GET /orders", "orders"),
        "funds": ("GET /user/margins", "margins"),
        "positions": ("GET /portfolio/positions", "positions"),
        "trades": ("GET /trades", "trades"),
        "profile": ("GET /user/profile", "profile"),
    },
    ANGEL: {
        "holdings": (f"GET {smartapi.HOLDINGS}", "holding"),
        "orders": (f"GET {smartapi.ORDERS}", "order_book"),
        "funds": (f"GET {smartapi.FUNDS}", "rms"),
        "positions": (f"GET {smartapi.POSITIONS}", "position"),
        "trades": (f"GET {smartapi.TRADES}", "trade_book"),
        "profile": (f"GET {smartapi.PROFILE}", "profile"),
    },
}
ANSWERS = {
    KITE: plain_fixture_of("kite_answers.json"),
    ANGEL: plain_fixture_of("angel_answers.json"),
}
EXPECTED = {
    KITE: fixture_of("kite_expected.json"),
    ANGEL: fixture_of("angel_expected.json"),
}
JSON, HTML, PLAIN = "application/json", "text/html", "text/plain"


@dataclass
class Adapter:
    """A broker's adapter with a session, before a simulator that gives prepared answers."""

    broker: Kite | Angel
    session: BrokerSession
    name: str
    answer_with: Callable[[str, dict[str, Any]], None]

    def answers(self, kind: str, ending: str = "") -> None:
        """Have a kind of call answered with its fixture."""
        call, answer = CALLS[self.name][kind]
        self.answer_with(call, ANSWERS[self.name][answer + ending])

    def answers_changed(self, kind: str, row: int, field: str, value: Any) -> int:
        """Have a kind of call answered with one field changed; how many rows the answer has."""
        call, name = CALLS[self.name][kind]
        answer = copy.deepcopy(ANSWERS[self.name][name])
        answer["json"]["data"][row][field] = value
        self.answer_with(call, answer)
        return len(answer["json"]["data"])


@pytest.fixture(params=[KITE, ANGEL])
async def adapter(
    request: pytest.FixtureRequest,
    simulator: Simulator,
    kite: Kite,
    angel: Angel,
    answer_with: Callable[[str, dict[str, Any]], None],
) -> Adapter:
    broker = kite if request.param == KITE else angel
    user_id = "AB1234" if request.param == KITE else "A123456"
    session = await log_in(broker, request.param, user_id, simulator)
    return Adapter(broker, session, request.param, answer_with)


async def log_in(
    broker: Kite | Angel, name: str, user_id: str, simulator: Simulator
) -> BrokerSession:
    if name == KITE:
        tokens = LoginTokens(simulator.world.ask_for_login(user_id))
    else:
        token, login = simulator.world.log_in(user_id)
        tokens = LoginTokens(token, login.refresh, login.feed)
    return await broker.exchange_token(tokens, clock.now())


def of_each(*cases: tuple[Any, ...], broker: str) -> list[tuple[Any, ...]]:
    """Cases of one broker, to be the arguments of a test after its adapter."""
    return [(broker, *case) for case in cases]


def holding_row(holding: BrokerHolding) -> dict[str, Any]:
    """A holding in the words of the expected results."""
    return {
        "tradingSymbol": holding.symbol,
        "exchange": holding.exchange,
        "isin": holding.isin,
        "instrumentToken": holding.token,
        "quantity": holding.owned,
        "settledQuantity": holding.free,
        "t1Quantity": holding.t1,
        "collateralQuantity": holding.pledged,
        "averagePrice": holding.average_price,
        "ltp": holding.last_price,
        "currentValue": holding.owned * (holding.last_price or 0),
    }


def order_row(order: BrokerOrder) -> dict[str, Any]:
    return {
        "orderId": order.order_id,
        "orderTimestamp": order.placed_at.astimezone(INDIA).isoformat(),
        "tradingSymbol": order.symbol,
        "exchange": order.exchange,
        "quantity": order.quantity,
        "filledQuantity": order.filled,
        "averagePrice": order.average_price,
        "transactionType": order.side,
        "product": order.product,
        "orderStatus": order.status,
        "brokerStatus": order.raw_status,
    }


def funds_row(funds: BrokerFunds) -> dict[str, Any]:
    return {"net": funds.net, "cash": funds.cash, "intradayPayin": funds.intraday_payin}


@pytest.mark.parametrize(
    ("case", "ending"),
    [("main", ""), ("empty", "_empty"), ("negative_cash", "_negative_cash")],
)
async def test_holdings_orders_and_funds_come_out_as_expected(
    adapter: Adapter, case: str, ending: str
) -> None:
    for kind in ("holdings", "orders", "funds"):
        adapter.answers(kind, ending)
    expected = EXPECTED[adapter.name][case]

    holdings = await adapter.broker.holdings(adapter.session)
    orders = await adapter.broker.orders(adapter.session)
    funds = await adapter.broker.funds(adapter.session)

    assert [holding_row(holding) for holding in holdings] == expected["holdings"]
    assert [order_row(order) for order in orders] == expected["orders"]
    assert funds_row(funds) == expected["funds"]


async def test_what_the_expected_results_do_not_show(adapter: Adapter) -> None:
    for kind in ("orders", "funds", "profile"):
        adapter.answers(kind)

    orders = {order.order_id[-3:]: order for order in await adapter.broker.orders(adapter.session)}
    profile = await adapter.broker.profile(adapter.session)

    assert orders["103"].reason.startswith("Insufficient funds.")
    assert orders["103"].executed_at is None
    assert orders["101"].executed_at == dt.datetime(2026, 11, 21, 3, 45, 4, tzinfo=dt.UTC)
    assert orders["101"].token == 341249
    assert (await adapter.broker.funds(adapter.session)).collateral == Decimal(12500)
    person = ("AB1234", "Asha Bhat") if adapter.name == KITE else ("A123456", "ASHA BHAT")
    assert (profile.broker_user_id, profile.name) == person


async def test_positions_of_today(adapter: Adapter) -> None:
    adapter.answers("positions")

    bought, closed = await adapter.broker.positions(adapter.session)

    assert (bought.symbol, bought.token, bought.product) == ("HDFCBANK", 341249, "DELIVERY")
    assert (bought.net, bought.bought_today, bought.sold_today) == (2, 2, 0)
    assert (bought.average_price, bought.last_price) == (Decimal("986.1"), Decimal("988.35"))
    assert (closed.product, closed.net) == ("INTRADAY", 0)
    assert (closed.bought_today, closed.sold_today) == (10, 10)


async def test_trades_of_today(adapter: Adapter) -> None:
    adapter.answers("trades")

    trades = await adapter.broker.trades(adapter.session)

    first = trades[0]
    assert (first.order_id, first.symbol, first.exchange) == (
        "261120000000101",
        "HDFCBANK",
        "NSE",
    )
    assert (first.side, first.product, first.quantity) == ("BUY", "DELIVERY", 2)
    assert first.price == Decimal("986.1")
    assert first.filled_at == dt.time(9, 15, 4)
    # Angel One gives the time alone.
    assert first.filled_on == (dt.date(2026, 11, 21) if adapter.name == KITE else None)
    assert len({trade.trade_id for trade in trades}) == len(trades)
    shares: Counter[str] = Counter()
    for trade in trades:
        shares[trade.order_id[-3:]] += trade.quantity
    assert shares == {"101": 2, "105": 4, "108": 10, "109": 10, "110": 1}


async def test_a_day_without_trades_has_none(adapter: Adapter) -> None:
    adapter.answers("trades", "_empty")

    assert await adapter.broker.trades(adapter.session) == []


@pytest.mark.parametrize("exchange", ["NFO", "MCX", "CDS", "BFO", "NCDEX"])
async def test_trades_of_other_segments_are_left_out_unnamed(
    adapter: Adapter, exchange: str
) -> None:
    count = adapter.answers_changed("trades", 0, "exchange", exchange)

    trades = await adapter.broker.trades(adapter.session)

    assert len(trades) == count - 1
    assert trades.left_out == ()


@pytest.mark.parametrize(
    ("adapter", "name", "value"),
    [
        *of_each(
            ("trade_id", None),
            ("trade_id", "7000/1"),
            ("order_id", ""),
            ("fill_timestamp", "09:15:04"),
            ("fill_timestamp", None),
            ("quantity", 0),
            ("average_price", 0),
            ("average_price", None),
            ("transaction_type", "HOLD"),
            broker=KITE,
        ),
        *of_each(
            ("fillid", ""),
            ("filltime", "25:00:00"),
            ("filltime", "21-Nov-2026 09:15:04"),
            ("filltime", ""),
            ("fillsize", "0"),
            ("fillsize", "1.5"),
            ("fillprice", "0.00"),
            ("transactiontype", None),
            broker=ANGEL,
        ),
    ],
    indirect=["adapter"],
)
async def test_a_trade_that_cannot_be_read_is_left_out_and_named(
    adapter: Adapter, name: str, value: Any
) -> None:
    count = adapter.answers_changed("trades", 1, name, value)

    trades = await adapter.broker.trades(adapter.session)

    assert len(trades) == count - 1
    (left_out,) = trades.left_out
    assert (left_out.kind, left_out.field, left_out.symbol) == ("Trade", name, "SBIN")
    assert left_out.sentence.startswith("Trade ")


async def test_an_order_has_its_tag(adapter: Adapter) -> None:
    name = "tag" if adapter.name == KITE else "ordertag"
    adapter.answers_changed("orders", 0, name, "ABCD2345")

    orders = await adapter.broker.orders(adapter.session)

    assert [order.tag for order in orders[:2]] == ["ABCD2345", ""]


async def test_log_out_ends_the_session_and_may_be_repeated(adapter: Adapter) -> None:
    await adapter.broker.log_out(adapter.session)

    with pytest.raises(SessionDead) as dead:
        await adapter.broker.funds(adapter.session)
    assert not dead.value.may_renew
    await adapter.broker.log_out(adapter.session)


@pytest.mark.parametrize(
    ("adapter", "name", "fault"),
    [
        *of_each(
            ("error_token", SessionDead),
            ("error_permission", Denied),
            ("error_unknown_type", Denied),
            ("error_429", RateLimited),
            ("error_500", Upstream),
            ("error_502", Upstream),
            ("error_503", Upstream),
            ("error_504_html", Upstream),
            broker=KITE,
        ),
        *of_each(
            ("error_500", Upstream),
            ("error_502_html", Upstream),
            ("error_invalid_token", SessionDead),
            ("error_token_expired", SessionDead),
            ("error_token_missing", SessionDead),
            ("error_session_expired", SessionDead),
            ("error_rate_403_text", RateLimited),
            ("error_rate_ab1021", RateLimited),
            broker=ANGEL,
        ),
    ],
    indirect=["adapter"],
)
async def test_every_error_has_its_class(
    adapter: Adapter, name: str, fault: type[BrokerFault]
) -> None:
    adapter.answer_with("*", ANSWERS[adapter.name][name])
    broker = adapter.broker

    for call in (
        broker.holdings,
        broker.funds,
        broker.orders,
        broker.positions,
        broker.trades,
        broker.profile,
    ):
        with pytest.raises(fault) as raised:
            await call(adapter.session)
        assert type(raised.value) is fault
        assert adapter.session.access_token not in str(raised.value)
        if fault is Upstream:
            # Else the circuit breaker would open, and no call be made.
            broker._calls._http._breakers.clear()


def refused(code: str) -> str:
    """Angel One's answer with an error code."""
    return f'{{"status":false,"message":"x","errorcode":"{code}","data":null}}'


@pytest.mark.parametrize(
    ("adapter", "status", "kind", "body", "fault"),
    [
        *of_each(
            (403, HTML, "<html>403 Forbidden</html>", Denied),
            (403, JSON, '{"status":"error"}', Denied),
            (403, PLAIN, "", Denied),
            (401, JSON, '{"status":"error","error_type":"TokenException"}', Denied),
            (400, JSON, '{"status":"error","error_type":"InputException"}', Denied),
            (428, JSON, '{"status":"error","error_type":"HoldingException"}', Denied),
            (429, HTML, "<html></html>", RateLimited),
            (200, HTML, "<html></html>", Malformed),
            (200, JSON, "", Malformed),
            (200, JSON, "[]", Malformed),
            (200, JSON, '{"status":"success"}', Malformed),
            (200, JSON, '{"status":"success","data":null}', Malformed),
            (200, JSON, '{"status":"error","data":[]}', Malformed),
            (200, JSON, '{"status":"error","error_type":["x"]}', Malformed),
            (200, JSON, '{"status":"success","data":[NaN]}', Malformed),
            (200, JSON, '{"status":"success","data":[1e999]}', Malformed),
            (200, JSON, "[" * 100_000, Malformed),
            (200, JSON, '{"status":"success","data":[' + "9" * 5000 + "]}", Malformed),
            (500, JSON, "{}", Upstream),
            (302, HTML, "", Upstream),
            broker=KITE,
        ),
        *of_each(
            (200, JSON, refused("AG8004"), Denied),
            (200, JSON, refused("AB1006"), Denied),
            (200, JSON, refused("AB1007"), Denied),
            (200, JSON, refused("AB1050"), Denied),
            (200, JSON, refused("AB8051"), SessionDead),
            (200, JSON, refused("AB1011"), SessionDead),
            (401, JSON, refused("AG8001"), SessionDead),
            (200, JSON, refused("AB1004"), Upstream),
            (200, JSON, refused("AB9999"), Upstream),
            (200, JSON, '{"status":"false","errorcode":"AB1010"}', SessionDead),
            (200, JSON, '{"success":"false","errorCode":"AG8002"}', SessionDead),
            (200, JSON, '{"status":false}', Malformed),
            (200, JSON, '{"status":null,"data":[]}', Malformed),
            (200, JSON, '{"data":[]}', Malformed),
            (200, JSON, '{"status":true,"data":""}', Malformed),
            (200, JSON, '{"status":true,"data":{}}', Malformed),
            (200, JSON, '{"status":true,"data":[5]}', Malformed),
            (200, JSON, '{"status":false,"errorcode":["AG8001"]}', Malformed),
            (200, JSON, "[]", Malformed),
            (200, JSON, "", Malformed),
            (200, HTML, "<html></html>", Upstream),
            (403, HTML, "<html>Forbidden</html>", Upstream),
            (403, PLAIN, "Access denied", Denied),
            (401, PLAIN, "", Denied),
            (429, JSON, "{}", RateLimited),
            (503, PLAIN, "", Upstream),
            (302, PLAIN, "", Upstream),
            broker=ANGEL,
        ),
    ],
    indirect=["adapter"],
)
async def test_an_answer_that_is_no_data_has_its_class(
    adapter: Adapter, status: int, kind: str, body: str, fault: type[BrokerFault]
) -> None:
    call, _ = CALLS[adapter.name]["holdings"]
    adapter.answer_with(call, {"status": status, "contentType": kind, "text": body})

    with pytest.raises(BrokerFault) as raised:
        await adapter.broker.holdings(adapter.session)

    assert type(raised.value) is fault


COMMON_FAULTS = (
    ("expired", SessionDead),
    ("limit", RateLimited),
    ("html", Upstream),
    ("half", Malformed),
    ("nonsense", Malformed),
    ("cut", Upstream),
    ("redirect", Upstream),
)


@pytest.mark.parametrize(
    ("adapter", "kind", "fault"),
    [
        *of_each(*COMMON_FAULTS, ("long", Upstream), broker=KITE),
        *of_each(
            *COMMON_FAULTS, ("revoked", SessionDead), ("limit_code", RateLimited), broker=ANGEL
        ),
    ],
    indirect=["adapter"],
)
async def test_a_fault_of_the_connection_fails_one_call_alone(
    adapter: Adapter, simulator: Simulator, kind: str, fault: type[BrokerFault]
) -> None:
    simulator.world.faults.append(Fault(CALLS[adapter.name]["holdings"][0], kind, times=1))

    with pytest.raises(fault):
        await adapter.broker.holdings(adapter.session)

    assert await adapter.broker.holdings(adapter.session)


@pytest.mark.parametrize(
    ("adapter", "name", "value"),
    [
        *of_each(
            ("quantity", None),
            ("quantity", "ten"),
            ("quantity", -1),
            ("quantity", 1.5),
            ("quantity", True),
            ("quantity", 10**13),
            ("quantity", []),
            ("t1_quantity", "x"),
            ("collateral_quantity", {}),
            ("average_price", -1),
            ("average_price", "NaN"),
            ("average_price", 1e14),
            ("average_price", [1]),
            ("last_price", "Infinity"),
            ("last_price", True),
            ("tradingsymbol", None),
            ("tradingsymbol", ""),
            ("tradingsymbol", 5),
            ("tradingsymbol", "A" * 65),
            ("tradingsymbol", "IN\u202eFY"),
            ("tradingsymbol", "INFY\n"),
            ("exchange", None),
            ("instrument_token", 0),
            ("instrument_token", "abc"),
            ("isin", 7),
            ("mtf", 3),
            broker=KITE,
        ),
        *of_each(
            ("quantity", None),
            ("quantity", "x"),
            ("quantity", -5),
            ("t1quantity", 0.5),
            ("averageprice", "NaN"),
            ("averageprice", -1),
            ("ltp", [1]),
            ("tradingsymbol", ""),
            ("exchange", "XYZ"),
            ("symboltoken", None),
            ("symboltoken", "12x"),
            ("symboltoken", "0"),
            ("symboltoken", "99999999"),
            ("symboltoken", "1" * 60),
            broker=ANGEL,
        ),
    ],
    indirect=["adapter"],
)
async def test_a_bad_field_leaves_out_its_row_alone(
    adapter: Adapter, name: str, value: Any
) -> None:
    row = 3 if adapter.name == KITE else 2
    count = adapter.answers_changed("holdings", row, name, value)

    holdings = await adapter.broker.holdings(adapter.session)

    assert len(holdings) == count - 1
    assert [left_out.field.partition(".")[0] for left_out in holdings.left_out] == [name]


@pytest.mark.parametrize(
    ("broker", "content"),
    [
        *of_each((b"",), (b"a,b\n1,2\n",), (b"\xff\xfe",), (b"<html></html>",), broker="kite"),
        *of_each(
            (b"",),
            (b"[]",),
            (b"{}",),
            (b"<html>",),
            (b"[1,2]",),
            (b'[{"token":"1"}]',),
            (b'[{"token":"1"',),
            (b'[{"token":"1"}',),
            (b'[{"token":"1"}]x',),
            (b'[{"token":"1"} garbage {"token":"2"}]',),
            (b"\xff\xff",),
            (b'[{"a":' + b"[" * 100_000,),
            broker="angel",
        ),
    ],
)
async def test_what_is_no_list_of_instruments_is_malformed(
    request: pytest.FixtureRequest, kite: Kite, angel: Angel, broker: str, content: bytes
) -> None:
    with pytest.raises(Malformed):
        list((kite if broker == "kite" else angel).read_master(io.BytesIO(content)))


async def test_the_simulators_people_are_read_in_full(
    adapter: Adapter, simulator: Simulator
) -> None:
    broker = adapter.broker
    for person in simulator.world.people.values():
        if person.broker != adapter.name:
            continue
        session = await log_in(broker, adapter.name, person.user_id, simulator)

        holdings = await broker.holdings(session)
        positions = await broker.positions(session)

        owned = [lot.owned for lot in person.lots]
        assert [holding.owned for holding in holdings] == owned
        if adapter.name == ANGEL:
            tokens = [lot.stock.zerodha_token for lot in person.lots]
            assert [holding.token for holding in holdings] == tokens
        assert (await broker.funds(session)).net == Decimal(person.net_paise) / 100
        assert len(await broker.orders(session)) == len(person.orders)
        traded = sum(position.bought_today + position.sold_today for position in positions)
        assert traded == sum(order.filled for order in person.orders)
