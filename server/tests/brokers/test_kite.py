"""Kite Connect: the answers to the paisa, and every way in which there is none."""

import copy
import datetime as dt
import io
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from tarazu.brokers.http_client import BrokerHttpClient
from tarazu.brokers.protocol.port import (
    BrokerApp,
    BrokerSession,
    Denied,
    FeedInstrument,
    LoginTokens,
    Malformed,
    RateLimited,
    SessionDead,
    Upstream,
)
from tarazu.brokers.zerodha.kite import Kite, session_end
from tarazu.kit import clock
from tarazu.kit.clock import INDIA
from tests.brokers.conftest import FIXTURES, FreePace, plain_fixture_of
from tests.brokers.simulator import Simulator
from tests.brokers.simulator.world import KITE, Fault

pytestmark = pytest.mark.anyio

AnswerWith = Callable[[str, dict[str, Any]], None]
ANSWERS = plain_fixture_of("kite_answers.json")
INFY = FeedInstrument(408065, "NSE", "INFY", "1594")


async def test_doubted_and_margin_funded_shares_are_marked(
    kite: Kite, kite_session: BrokerSession, answer_with: AnswerWith
) -> None:
    answer_with("GET /portfolio/holdings", ANSWERS["holdings"])

    holdings = {holding.symbol: holding for holding in await kite.holdings(kite_session)}

    assert [symbol for symbol, holding in holdings.items() if holding.is_doubted] == ["IDEA"]
    assert holdings["INFY"].margin_funded == 0


async def test_last_prices(
    kite: Kite, kite_session: BrokerSession, answer_with: AnswerWith, simulator: Simulator
) -> None:
    simulator.world.paise[519937] = 360_270
    asked = [
        INFY,
        FeedInstrument(519937, "NSE", "M&M", "2031"),
        FeedInstrument(1, "NSE", "NOSUCH", "9"),
    ]
    prices = await kite.last_prices(kite_session, asked)
    assert prices[519937] == Decimal("3602.7")
    assert prices.keys() == {408065, 519937}

    answer_with("GET /quote/ltp", ANSWERS["ltp"])
    assert await kite.last_prices(kite_session, [INFY]) == {408065: Decimal("1573.7")}
    assert await kite.last_prices(kite_session, []) == {}


async def test_a_thousand_prices_a_call(
    kite: Kite, kite_session: BrokerSession, simulator: Simulator, pace: FreePace
) -> None:
    pace.turns.clear()
    asked = [FeedInstrument(one, "NSE", f"S{one}", "") for one in range(2500)]

    await kite.last_prices(kite_session, [*asked, INFY])

    assert len(pace.turns) == 3
    assert {rate for _, rate in pace.turns} == {Decimal("0.95")}
    assert all(line.endswith(":quote") for line, _ in pace.turns)


async def test_a_log_in_is_exchanged_once(kite: Kite, simulator: Simulator) -> None:
    handed = LoginTokens(simulator.world.ask_for_login("AB1235"))
    now = dt.datetime(2026, 11, 20, 22, 0, tzinfo=dt.UTC)  # 03:30 in India

    session = await kite.exchange_token(handed, now)

    assert session.broker_user_id == "AB1235"
    assert session.expires_at == dt.datetime(2026, 11, 21, 0, 30, tzinfo=dt.UTC)
    assert session.access_token not in repr(session)
    assert handed.token not in repr(handed)
    assert (await kite.profile(session)).broker_user_id == "AB1235"
    with pytest.raises(Denied):
        await kite.exchange_token(handed, now)


async def test_a_wrong_secret_or_key_is_a_refusal(
    simulator: Simulator, outside: BrokerHttpClient, pace: FreePace
) -> None:
    right_key = simulator.world.api_keys[KITE]
    for key, secret in ((right_key, "wrong"), ("wrong", simulator.world.secrets[KITE])):
        kite = Kite(BrokerApp(key, secret, simulator.url), outside, pace)
        with pytest.raises(Denied):
            await kite.exchange_token(
                LoginTokens(simulator.world.ask_for_login("AB1234")), clock.now()
            )
    assert "wrong" not in repr(BrokerApp("wrong", "wrong", ""))


@pytest.mark.parametrize("token", ["", "a\r\nX: b", "ü", "x" * 5000])
async def test_a_token_that_is_none_is_not_sent(
    kite: Kite, simulator: Simulator, token: str
) -> None:
    with pytest.raises(Denied):
        await kite.exchange_token(LoginTokens(token), clock.now())
    assert not simulator.world.calls


@pytest.mark.parametrize(
    ("india", "ends"),
    [
        ("2026-11-21T05:59:59", "2026-11-21T06:00:00"),
        ("2026-11-21T06:00:00", "2026-11-22T06:00:00"),
        ("2026-11-21T23:59:00", "2026-11-22T06:00:00"),
        ("2026-12-31T09:15:00", "2027-01-01T06:00:00"),
    ],
)
def test_a_session_ends_at_six_in_india(india: str, ends: str) -> None:
    now = dt.datetime.fromisoformat(india).replace(tzinfo=INDIA)
    wanted = dt.datetime.fromisoformat(ends).replace(tzinfo=INDIA)

    assert session_end(now.astimezone(dt.UTC)) == wanted


async def test_the_session_dies_at_six(
    kite: Kite, kite_session: BrokerSession, simulator: Simulator
) -> None:
    simulator.world.set_clock(kite_session.expires_at - dt.timedelta(seconds=5))
    await kite.holdings(kite_session)

    simulator.world.set_clock(kite_session.expires_at + dt.timedelta(seconds=1))

    with pytest.raises(SessionDead):
        await kite.holdings(kite_session)


async def test_log_out_of_a_session_that_the_broker_ended_is_no_error(
    kite: Kite, kite_session: BrokerSession, simulator: Simulator
) -> None:
    simulator.world.faults.append(Fault("DELETE /session/token", "revoked"))

    await kite.log_out(kite_session)


async def test_renewal_is_for_apps_that_may(
    simulator: Simulator, outside: BrokerHttpClient, pace: FreePace
) -> None:
    world = simulator.world
    world.kite_refreshes = True
    apps = [
        BrokerApp(world.api_keys[KITE], world.secrets[KITE], simulator.url, is_renewal_allowed=may)
        for may in (True, False)
    ]
    may, may_not = (Kite(app, outside, pace) for app in apps)
    session = await may.exchange_token(LoginTokens(world.ask_for_login("AB1234")), clock.now())

    renewed = await may.renew(session, clock.now())

    assert renewed.access_token != session.access_token
    assert (await may.profile(renewed)).broker_user_id == "AB1234"
    with pytest.raises(Denied):
        await may_not.renew(session, clock.now())
    with pytest.raises(Denied):
        await may.renew(BrokerSession("AB1234", "x", clock.now()), clock.now())
    world.logins.clear()
    with pytest.raises(SessionDead):
        await may.renew(renewed, clock.now())


async def test_one_call_too_many_holds_the_others(
    kite: Kite, kite_session: BrokerSession, answer_with: AnswerWith, pace: FreePace
) -> None:
    answer_with("GET /orders", ANSWERS["error_429"])

    with pytest.raises(RateLimited) as raised:
        await kite.orders(kite_session)

    assert raised.value.seconds == 1
    assert [seconds for _, seconds in pace.holds] == [1]
    assert pace.holds[0][0] == pace.turns[-1][0]


async def test_the_simulator_counts_calls_as_zerodha_does(
    kite: Kite, kite_session: BrokerSession, simulator: Simulator
) -> None:
    simulator.world.scale, simulator.world.monotonic = 1.0, lambda: 0.0
    for _ in range(10):
        await kite.profile(kite_session)

    with pytest.raises(RateLimited):
        await kite.profile(kite_session)


async def test_after_five_failures_nothing_is_called_for_a_while(
    kite: Kite, kite_session: BrokerSession, simulator: Simulator
) -> None:
    simulator.world.faults.append(Fault("GET /orders", "503"))
    for _ in range(5):
        with pytest.raises(Upstream):
            await kite.orders(kite_session)
    made = len(simulator.world.calls)

    with pytest.raises(Upstream) as raised:
        await kite.holdings(kite_session)

    assert raised.value.retry_after == 30
    assert len(simulator.world.calls) == made


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("order_timestamp", "21-11-2026 09:15:04"),
        ("order_timestamp", "2026-13-41 09:15:04"),
        ("order_timestamp", "1999-01-01 00:00:00"),
        ("order_timestamp", None),
        ("filled_quantity", 3),
        ("transaction_type", "HOLD"),
        ("order_id", "../../etc"),
        ("order_id", None),
        ("status", ""),
        ("product", "<b>"),
    ],
)
async def test_an_order_that_cannot_be_is_left_out_alone(
    kite: Kite, kite_session: BrokerSession, answer_with: AnswerWith, name: str, found: Any
) -> None:
    answer = copy.deepcopy(ANSWERS["orders"])
    answer["json"]["data"][0][name] = found
    answer_with("GET /orders", answer)

    orders = await kite.orders(kite_session)

    assert len(orders) == len(answer["json"]["data"]) - 1
    assert [row.field for row in orders.left_out] == [name]


async def test_words_not_seen_before_are_open_and_kept(
    kite: Kite, kite_session: BrokerSession, answer_with: AnswerWith
) -> None:
    answer = copy.deepcopy(ANSWERS["orders"])
    answer["json"]["data"][0] |= {"status": "MUSING", "product": "XYZ", "new_field": {}}
    answer_with("GET /orders", answer)

    first = (await kite.orders(kite_session))[0]

    assert (first.status, first.raw_status, first.product) == ("OPEN", "MUSING", "XYZ")


async def test_a_code_that_is_no_isin_is_left_out(
    kite: Kite, kite_session: BrokerSession, answer_with: AnswerWith
) -> None:
    answer = copy.deepcopy(ANSWERS["holdings"])
    answer["json"]["data"][0]["isin"] = "DUMMY0000001"
    answer["json"]["data"][1]["isin"] = "INE002A01019"
    answer_with("GET /portfolio/holdings", answer)

    holdings = await kite.holdings(kite_session)

    assert [one.isin for one in holdings[:3]] == ["", "", "INE062A01020"]


async def test_the_list_of_instruments(kite: Kite) -> None:
    with io.BytesIO((FIXTURES / "kite_master.csv").read_bytes()) as written:
        rows = {(one.exchange, one.symbol): one for one in kite.read_master(written)}

    assert len(rows) == 25
    infy = rows["NSE", "INFY"]
    assert (infy.token, infy.angel_token, infy.kind) == (408065, "1594", "EQ")
    assert (infy.tick_size, infy.lot_size) == (Decimal("0.05"), 1)
    assert rows["NSE", "NIFTY 50"].kind == "INDEX"
    assert rows["NSE", "NIFTY 50"].angel_token == ""
    option = rows["NFO", "NIFTY26DEC26000CE"]
    assert (option.kind, option.strike) == ("CE", Decimal(26000))
    assert option.expires_on == dt.date(2026, 12, 29)


async def test_a_bad_line_costs_no_other(kite: Kite) -> None:
    lines = (FIXTURES / "kite_master.csv").read_bytes().splitlines(keepends=True)
    lines[3:3] = [b"x,y\n", b"1,1,A\x01B,,0,,0,0,1,EQ,NSE,NSE\n", b"\n"]

    assert len(list(kite.read_master(io.BytesIO(b"".join(lines))))) == 25


async def test_a_list_without_lines_is_none(kite: Kite) -> None:
    head = (FIXTURES / "kite_master.csv").read_bytes().splitlines(keepends=True)[0]
    with pytest.raises(Malformed):
        list(kite.read_master(io.BytesIO(head)))


async def test_the_list_is_fetched_to_a_file(
    kite: Kite, kite_session: BrokerSession, simulator: Simulator
) -> None:
    written = io.BytesIO()
    await kite.fetch_master(kite_session, written)
    written.seek(0)
    assert sum(1 for _ in kite.read_master(written)) == 523

    for kind, fault in (("revoked", SessionDead), ("limit", RateLimited), ("503", Upstream)):
        simulator.world.faults.append(Fault("GET /instruments", kind, times=1))
        with pytest.raises(fault):
            await kite.fetch_master(kite_session, io.BytesIO())
    simulator.world.faults.append(Fault("GET /instruments", "half", times=1))
    with pytest.raises(Malformed):
        await kite.fetch_master(kite_session, io.BytesIO())
    simulator.world.faults.append(Fault("GET /instruments", "cut", times=1))
    with pytest.raises(Upstream):
        await kite.fetch_master(kite_session, io.BytesIO())


async def test_an_address_that_is_not_the_brokers_is_refused(
    outside: BrokerHttpClient, pace: FreePace, kite_session: BrokerSession
) -> None:
    elsewhere = Kite(BrokerApp("k", "s", "https://evil.example"), outside, pace)

    with pytest.raises(Denied):
        await elsewhere.holdings(kite_session)
