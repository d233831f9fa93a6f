"""SmartAPI: the answers to the paisa, and every way in which there is none."""

import base64
import copy
import datetime as dt
import io
import json
import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from tarazu.brokers.angel import instrument_list
from tarazu.brokers.angel import smartapi as angel_file
from tarazu.brokers.angel.smartapi import Angel, ServerAddresses, bare, session_end
from tarazu.brokers.http_client import BrokerHttpClient
from tarazu.brokers.protocol.port import (
    AddressNotRegistered,
    BrokerApp,
    BrokerSession,
    Denied,
    FeedInstrument,
    LoginTokens,
    RateLimited,
    SessionDead,
)
from tarazu.brokers.protocol.token_mapping import plain_symbol, zerodha_token
from tarazu.kit import clock
from tarazu.kit.clock import INDIA
from tests.brokers.conftest import FIXTURES, HERE, FreePace, plain_fixture_of
from tests.brokers.simulator import Simulator
from tests.brokers.simulator.world import ANGEL
from tests.brokers.test_adapters import holding_row

pytestmark = pytest.mark.anyio

AnswerWith = Callable[[str, dict[str, Any]], None]
ANSWERS = plain_fixture_of("angel_answers.json")
HOLDINGS = f"GET {angel_file.HOLDINGS}"
ORDERS = f"GET {angel_file.ORDERS}"
POSITIONS = f"GET {angel_file.POSITIONS}"
FUNDS = f"GET {angel_file.FUNDS}"
PROFILE = f"GET {angel_file.PROFILE}"
QUOTES = f"POST {angel_file.QUOTES}"
INFY = FeedInstrument(408065, "NSE", "INFY", "1594")


async def test_last_prices(
    angel: Angel, angel_session: BrokerSession, answer_with: AnswerWith
) -> None:
    answer_with(QUOTES, ANSWERS["quote_full"])

    prices = await angel.last_prices(
        angel_session, [INFY, FeedInstrument(257, "NSE", "NOSUCH", "1")]
    )

    assert prices == {408065: Decimal("1573.7")}


async def test_fifty_prices_a_call(
    angel: Angel, angel_session: BrokerSession, simulator: Simulator, pace: FreePace
) -> None:
    stocks = list(simulator.world.stocks.values())[:120]
    asked = [
        FeedInstrument(stock.zerodha_token, "NSE", stock.symbol, stock.angel_token)
        for stock in stocks
    ]
    pace.turns.clear()

    prices = await angel.last_prices(angel_session, asked)

    assert len(pace.turns) == 3
    assert prices == {
        stock.zerodha_token: Decimal(simulator.world.paise[stock.zerodha_token]) / 100
        for stock in stocks
    }


async def test_none_is_said_in_three_ways(
    angel: Angel, angel_session: BrokerSession, answer_with: AnswerWith
) -> None:
    answer_with(HOLDINGS, ANSWERS["error_holding_not_found"])
    answer_with(ORDERS, ANSWERS["order_book_empty"])
    answer_with(POSITIONS, ANSWERS["position_empty"])

    assert await angel.holdings(angel_session) == []
    assert await angel.orders(angel_session) == []
    assert await angel.positions(angel_session) == []


async def test_a_log_in_is_taken_over(angel: Angel, simulator: Simulator) -> None:
    token, login = simulator.world.log_in("A123457")
    handed = LoginTokens(token, login.refresh, login.feed)
    now = clock.now()

    session = await angel.exchange_token(handed, now)

    assert session.broker_user_id == "A123457"
    assert session.access_token == token
    assert (session.refresh_token, session.feed_token) == (login.refresh, login.feed)
    # Its token says years.
    assert session.expires_at.astimezone(INDIA).time() == dt.time(5)
    assert session.expires_at - now <= dt.timedelta(days=1)
    for secret in (token, login.refresh, login.feed):
        assert secret not in repr(session) + repr(handed)


async def test_a_missing_feed_token_is_fetched(angel: Angel, simulator: Simulator) -> None:
    token, login = simulator.world.log_in("A123456")

    session = await angel.exchange_token(LoginTokens(token, login.refresh), clock.now())

    assert session.feed_token == simulator.world.logins[session.access_token].feed
    assert session.access_token != token
    assert not session.access_token.startswith("Bearer")

    token, _ = simulator.world.log_in("A123456")
    assert (await angel.exchange_token(LoginTokens(token), clock.now())).feed_token == ""


async def test_a_forged_log_in_is_refused(angel: Angel, simulator: Simulator) -> None:
    simulator.world.log_in("A123456")
    forged = simulator.world._jwt("A123456", clock.now() + dt.timedelta(hours=1))
    expired = simulator.world._jwt("A123456", clock.now() - dt.timedelta(hours=1))

    for token in (forged, expired, "nonsense", "", "a\nb"):
        with pytest.raises(Denied):
            await angel.exchange_token(LoginTokens(token), clock.now())


async def test_one_bearer_and_no_more(angel: Angel, simulator: Simulator) -> None:
    token, login = simulator.world.log_in("A123456")
    handed = LoginTokens(f"Bearer {token}", login.refresh, login.feed)

    session = await angel.exchange_token(handed, clock.now())

    assert (await angel.funds(session)).net
    twice = BrokerSession("A123456", f"Bearer Bearer {token}", session.expires_at)
    assert (await angel.funds(twice)).net
    assert bare("bearer abc") == "abc"


async def test_renewal_brings_three_new_tokens(
    angel: Angel, angel_session: BrokerSession, simulator: Simulator
) -> None:
    simulator.world.set_clock(clock.now() + dt.timedelta(hours=29))
    with pytest.raises(SessionDead) as dead:
        await angel.funds(angel_session)
    assert dead.value.may_renew

    renewed = await angel.renew(angel_session, simulator.world.now())

    assert renewed.broker_user_id == angel_session.broker_user_id
    assert renewed.expires_at > angel_session.expires_at
    for name in ("access_token", "refresh_token", "feed_token"):
        assert getattr(renewed, name) != getattr(angel_session, name)
    assert (await angel.funds(renewed)).net
    with pytest.raises(SessionDead) as dead:
        await angel.renew(angel_session, simulator.world.now())
    assert not dead.value.may_renew


async def test_renewal_is_for_firms_that_allow_it(
    simulator: Simulator, outside: BrokerHttpClient, pace: FreePace, angel_session: BrokerSession
) -> None:
    app = BrokerApp(simulator.world.api_keys[ANGEL], "", simulator.url)
    with pytest.raises(Denied):
        await Angel(app, outside, pace, HERE).renew(angel_session, clock.now())


def jwt_until(end: object) -> str:
    claims = base64.urlsafe_b64encode(json.dumps({"exp": end}).encode()).decode().rstrip("=")
    return f"x.{claims}.y"


NOON = dt.datetime(2026, 11, 21, 12, 0, tzinfo=INDIA)
MIDNIGHT = dt.datetime(2026, 11, 22, tzinfo=INDIA)


@pytest.mark.parametrize(
    ("jwt", "end"),
    [
        (jwt_until(int(MIDNIGHT.timestamp()) - 60), MIDNIGHT - dt.timedelta(minutes=1)),
        (jwt_until(int(NOON.timestamp()) + 10**8), MIDNIGHT.replace(hour=5)),
        (jwt_until("soon"), MIDNIGHT),
        (jwt_until(None), MIDNIGHT),
        (jwt_until(10**30), MIDNIGHT),
        ("x.e30.y", MIDNIGHT),
        ("x.W10.y", MIDNIGHT),
        ("x.%%%.y", MIDNIGHT),
        ("opaque", MIDNIGHT),
        ("", MIDNIGHT),
    ],
)
def test_a_session_ends_at_five_or_as_its_token_says_else_at_midnight(
    jwt: str, end: dt.datetime
) -> None:
    assert session_end(jwt, NOON.astimezone(dt.UTC)) == end


def test_an_expired_token_is_no_session() -> None:
    with pytest.raises(Denied):
        session_end(jwt_until(int(NOON.timestamp())), NOON.astimezone(dt.UTC))


async def test_one_call_too_many_is_no_log_out_and_holds_the_others(
    angel: Angel, angel_session: BrokerSession, simulator: Simulator, pace: FreePace
) -> None:
    simulator.world.scale, simulator.world.monotonic = 1.0, lambda: 0.0
    await angel.holdings(angel_session)

    with pytest.raises(RateLimited):
        await angel.holdings(angel_session)

    assert pace.holds[-1] == (pace.turns[-1][0], 1)
    # Another family of calls, and another client, have allowances of their own.
    await angel.funds(angel_session)
    token, login = simulator.world.log_in("A123458")
    other = await angel.exchange_token(LoginTokens(token, login.refresh, login.feed), clock.now())
    await angel.holdings(other)
    assert len({line for line, _ in pace.turns}) == 5


async def test_numbers_may_be_texts_and_texts_numbers(
    angel: Angel, angel_session: BrokerSession, answer_with: AnswerWith
) -> None:
    holding = copy.deepcopy(ANSWERS["holding"])
    holding["json"]["data"] = holding["json"]["data"][1:2]
    row = holding["json"]["data"][0]
    row |= {"quantity": "8", "t1quantity": "3.0", "averageprice": "1,187"}
    answer_with(HOLDINGS, holding)
    assert [row.field for row in (await angel.holdings(angel_session)).left_out] == ["averageprice"]
    row |= {"averageprice": "1187.3125", "symboltoken": 2885, "realisedquantity": ""}
    assert holding_row((await angel.holdings(angel_session))[0])["quantity"] == 8

    rms = copy.deepcopy(ANSWERS["rms"])
    rms["json"]["data"] |= {"net": "- 2235.80", "availablecash": 12.5, "collateral": None}
    answer_with(FUNDS, rms)
    funds = await angel.funds(angel_session)
    assert (funds.net, funds.cash) == (Decimal("-2235.80"), Decimal("12.5"))
    assert funds.collateral == 0


async def test_t1_shares_are_counted_once_however_the_quantity_is_given(
    angel: Angel, angel_session: BrokerSession, answer_with: AnswerWith
) -> None:
    answer = copy.deepcopy(ANSWERS["holding"])
    # The quantity without the shares of yesterday.
    answer["json"]["data"][1] |= {"quantity": 5, "realisedquantity": 5, "t1quantity": 3}
    answer_with(HOLDINGS, answer)

    found = (await angel.holdings(angel_session))[1]

    assert (found.free, found.t1, found.owned) == (5, 3, 8)


async def test_the_list_of_instruments(angel: Angel) -> None:
    written = io.BytesIO((FIXTURES / "angel_master.json").read_bytes())
    rows = {(one.exchange, one.symbol): one for one in angel.read_master(written)}

    assert len(rows) == 26  # all but the test instrument
    infy = rows["NSE", "INFY"]
    assert (infy.token, infy.angel_token, infy.kind) == (408065, "1594", "EQ")
    assert (infy.tick_size, infy.lot_size) == (Decimal("0.05"), 1)
    assert rows["NSE", "INFY-BE"].token == 12345 * 256 + 1
    assert rows["NSE", "BAJAJ-AUTO"].tick_size == Decimal("0.5")
    assert rows["BSE", "INFY"].token == 128053508
    assert rows["MCX", "GOLDM04DEC26FUT"].token == 408071
    assert rows["NSE", "Nifty 50"].token == 256265
    assert (rows["NSE", "Nifty Bank"].kind, rows["NSE", "Nifty Bank"].token) == ("INDEX", 260105)
    option = rows["NFO", "NIFTY29DEC2626000CE"]
    assert (option.kind, option.strike, option.lot_size) == ("CE", Decimal(26000), 65)
    assert option.expires_on == dt.date(2026, 12, 29)
    assert rows["CDS", "USDINR29DEC26FUT"].tick_size == Decimal("0.0025")


async def test_both_lists_agree(angel: Angel) -> None:
    """Zerodha's number of every cash line is Angel One's × 256 + the segment."""
    lines = (FIXTURES / "kite_master.csv").read_text().splitlines()[1:]
    zerodha = {
        (row[11], row[2]): int(row[0])
        for row in (line.split(",") for line in lines)
        if row[10] in {"NSE", "BSE"}
    }
    written = io.BytesIO((FIXTURES / "angel_master.json").read_bytes())
    angels = {(one.exchange, one.symbol): one.token for one in angel.read_master(written)}

    assert zerodha.items() <= angels.items()


@pytest.mark.parametrize("at_once", [1, 7, 50, 4000])
async def test_the_list_is_read_in_pieces(
    angel: Angel, monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    monkeypatch.setattr(instrument_list, "READ_AT_ONCE", at_once)
    whole = (FIXTURES / "angel_master.json").read_text().replace('"IOC"', '"I}{\\"O]C\u20b9"')

    rows = list(angel.read_master(io.BytesIO(whole.encode())))

    assert len(rows) == 26
    assert 'I}{"O]C\u20b9' in {row.name for row in rows}


async def test_the_list_is_fetched_without_credentials(
    angel: Angel, angel_session: BrokerSession
) -> None:
    written = io.BytesIO()

    await angel.fetch_master(angel_session, written)

    written.seek(0)
    assert sum(1 for _ in angel.read_master(written)) == 522


def test_the_bridge_between_the_brokers() -> None:
    assert zerodha_token("NSE", "1594") == 408065
    assert zerodha_token("BSE", "500112") == 128028676
    assert zerodha_token("BSE", "99919000") == 265
    assert zerodha_token("NSE", "99926037") is None
    assert zerodha_token("NCDEX", "1") is None
    assert zerodha_token("NSE", "\u0661") is None
    assert plain_symbol("NSE", "M&M-EQ") == "M&M"
    assert plain_symbol("NSE", "BAJAJ-AUTO-EQ") == "BAJAJ-AUTO"
    assert plain_symbol("NSE", "RELINFRA-BE") == "RELINFRA-BE"
    assert plain_symbol("NSE", "TEST-EQ-EQ") == "TEST-EQ"
    assert plain_symbol("BSE", "ABC-EQ") == "ABC-EQ"


def test_the_servers_own_addresses() -> None:
    found = ServerAddresses.found("203.0.113.9")

    assert found.public_ip == "203.0.113.9"
    assert re.fullmatch(r"([0-9a-f]{2}:){5}[0-9a-f]{2}", found.mac)


@pytest.mark.parametrize("local", ["10.0.4.7", "192.168.1.20", "127.0.0.1", "fd00::1"])
def test_no_address_of_a_private_network_goes_out_without_the_public_one(
    monkeypatch: pytest.MonkeyPatch, local: str
) -> None:
    monkeypatch.setattr(angel_file, "_local_ip", lambda: local)

    found = ServerAddresses.found()

    assert (found.local_ip, found.public_ip) == ("0.0.0.0", "0.0.0.0")
    assert ServerAddresses.found("203.0.113.9").public_ip == "203.0.113.9"


def test_a_server_with_an_address_of_its_own_sends_that(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(angel_file, "_local_ip", lambda: "8.8.4.4")

    assert ServerAddresses.found().public_ip == "8.8.4.4"


async def test_an_unregistered_address_is_named_with_what_to_do(
    angel: Angel, angel_session: BrokerSession, answer_with: AnswerWith
) -> None:
    body = {"success": False, "message": "Invalid IP", "errorCode": "AG7002", "data": ""}
    answer_with(HOLDINGS, {"status": 200, "contentType": "application/json", "json": body})

    with pytest.raises(AddressNotRegistered) as raised:
        await angel.holdings(angel_session)

    assert "TARAZU_ANGEL_PUBLIC_IP" in raised.value.message
    assert "Register" in raised.value.message
