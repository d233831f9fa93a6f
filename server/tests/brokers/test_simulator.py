"""The simulator is as strict as the brokers, makes the same people again, and runs alone."""

import asyncio
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from decimal import Decimal
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from tarazu.brokers.http_client import BrokerHttpClient
from tarazu.brokers.protocol.port import BrokerApp, BrokerSession, LoginTokens, RateLimited
from tarazu.brokers.rate_limit import SharedRateLimiter
from tarazu.brokers.zerodha.kite import Kite
from tarazu.kit import clock
from tarazu.kit.db import Database
from tests.brokers.conftest import until
from tests.brokers.simulator import Simulator
from tests.brokers.simulator.world import ANGEL, KITE, Fault, World
from tests.started import free_port

pytestmark = [pytest.mark.anyio, pytest.mark.long]

SERVER = Path(__file__).parents[2]
KITE_HEADERS = {"X-Kite-Version": "3"}
S = "/rest/secure/angelbroking"


@pytest.fixture
async def web(simulator: Simulator) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=simulator.url, trust_env=False) as client:
        yield client


def angel_headers(world: World, token: str) -> dict[str, str]:
    return {
        "Content-Type": "application/json",
        "Accept": "application/json",
        "X-UserType": "USER",
        "X-SourceID": "WEB",
        "X-ClientLocalIP": "127.0.0.1",
        "X-ClientPublicIP": "203.0.113.7",
        "X-MACAddress": "02:00:00:00:00:01",
        "X-PrivateKey": world.api_keys[ANGEL],
        "Authorization": f"Bearer {token}",
    }


def test_the_same_seed_makes_the_same_people() -> None:
    first, second, other = World(20, seed=5), World(20, seed=5), World(20, seed=6)

    assert first.people == second.people
    assert first.people != other.people
    assert len(first.people) == 40
    assert first.log_in("AB1234")[0] == second.log_in("AB1234")[0]


async def test_kite_is_strict(simulator: Simulator, web: httpx.AsyncClient) -> None:
    key = simulator.world.api_keys[KITE]
    token, _ = simulator.world.log_in("AB1234")
    right = {**KITE_HEADERS, "Authorization": f"token {key}:{token}"}

    assert (await web.get("/user/profile", headers=right)).status_code == 200
    for wrong in (
        {**right, "Authorization": f"Bearer {key}:{token}"},
        {**right, "Authorization": f"token {key}: {token}"},
        {**right, "Authorization": f"token x:{token}"},
        {**right, "Authorization": f"token {key}:x"},
        KITE_HEADERS,
    ):
        answer = await web.get("/user/profile", headers=wrong)
        assert answer.status_code == 403
        assert answer.json()["error_type"] == "TokenException"
    without = {name: value for name, value in right.items() if name != "X-Kite-Version"}
    assert (await web.get("/user/profile", headers=without)).status_code == 400
    body = {"api_key": key, "request_token": "x", "checksum": "x"}
    answer = await web.post("/session/token", json=body, headers=KITE_HEADERS)
    assert answer.status_code == 400


async def test_angel_is_strict(simulator: Simulator, web: httpx.AsyncClient) -> None:
    token, _ = simulator.world.log_in("A123456")
    right = angel_headers(simulator.world, token)
    address = f"{S}/user/v1/getProfile"

    assert (await web.get(address, headers=right)).json()["status"] is True
    for name in right:
        without = {one: value for one, value in right.items() if one != name}
        answer = (await web.get(address, headers=without)).json()
        assert not answer.get("status")
    for name, value, code in (
        ("Authorization", f"Bearer Bearer {token}", "AG8001"),
        ("Authorization", token, "AG8001"),
        ("X-PrivateKey", "x", "AG8004"),
    ):
        answer = (await web.get(address, headers={**right, name: value})).json()
        assert answer["errorCode"] == code
        assert answer["success"] is False


async def test_limits_are_counted_as_the_brokers_do(
    simulator: Simulator, web: httpx.AsyncClient
) -> None:
    world = simulator.world
    world.scale, world.monotonic = 1.0, lambda: 0.0
    token, _ = world.log_in("AB1234")
    headers = {**KITE_HEADERS, "Authorization": f"token {world.api_keys[KITE]}:{token}"}

    quotes = [await web.get("/quote/ltp?i=NSE:INFY", headers=headers) for _ in range(2)]
    others = [await web.get("/orders", headers=headers) for _ in range(11)]

    assert [quote.status_code for quote in quotes] == [200, 429]
    assert [other.status_code for other in others] == [*[200] * 10, 429]
    jwt, _ = world.log_in("A123456")
    mine = angel_headers(world, jwt)
    funds = [await web.get(f"{S}/user/v1/getRMS", headers=mine) for _ in range(3)]
    assert [fund.status_code for fund in funds] == [200, 200, 403]
    assert funds[2].text == "Access denied because of exceeding access rate"


async def test_the_log_in_page_of_zerodha(
    simulator: Simulator, web: httpx.AsyncClient, kite: Kite
) -> None:
    query = {"v": "3", "api_key": simulator.world.api_keys[KITE]}
    extra = "state=abc&x=a%26b"
    page = await web.get("/connect/login", params={**query, "redirect_params": extra})
    assert "AB1234" in page.text
    assert "A123456" not in page.text
    fields = dict(re.findall(r'name="(redirect_params)" value="([^"]*)"', page.text))
    told = {"redirect_params": fields["redirect_params"].replace("&amp;", "&")}

    back = await web.post(
        "/connect/login", data={**told, "user_id": "AB1234", "decision": "continue"}
    )

    found = parse_qs(urlsplit(back.headers["location"]).query)
    assert back.headers["location"].startswith("http://127.0.0.1:8000/redirect?")
    assert found["status"] == ["success"]
    assert (found["state"], found["x"]) == (["abc"], ["a&b"])
    session = await kite.exchange_token(LoginTokens(found["request_token"][0]), clock.now())
    assert session.broker_user_id == "AB1234"
    back = await web.post("/connect/login", data={**told, "user_id": "AB1234", "decision": "no"})
    found = parse_qs(urlsplit(back.headers["location"]).query)
    assert found["status"] == ["cancelled"]
    assert "request_token" not in found
    wrong = await web.get("/connect/login", params={**query, "api_key": "x"})
    assert wrong.status_code == 400


async def test_the_log_in_page_of_angel_one(simulator: Simulator, web: httpx.AsyncClient) -> None:
    query = {"api_key": simulator.world.api_keys[ANGEL], "state": "s t"}
    page = await web.get("/publisher-login", params=query)
    assert "A123456" in page.text

    back = await web.post(
        "/publisher-login",
        data={"state": "s t", "user_id": "A123456", "decision": "continue"},
    )

    found = parse_qs(urlsplit(back.headers["location"]).query)
    assert found.keys() == {"state", "auth_token", "feed_token", "refresh_token"}
    assert found["state"] == ["s t"]
    assert found["auth_token"][0] in simulator.world.logins


async def test_it_can_be_steered_from_another_process(
    simulator: Simulator, web: httpx.AsyncClient, kite: Kite, kite_session: BrokerSession
) -> None:
    people = (await web.get("/_simulator/people")).json()
    assert len(people["people"]) == 6
    for user_id, field in (("AB1235", "requestToken"), ("A123457", "authToken")):
        told = await web.post("/_simulator/login", json={"userId": user_id})
        assert told.json()[field]

    fault = {"call": "GET /orders", "kind": "limit", "times": 1}
    await web.post("/_simulator/faults", json=fault)
    with pytest.raises(RateLimited):
        await kite.orders(kite_session)
    await web.post("/_simulator/faults", json={**fault, "times": None})
    await web.delete("/_simulator/faults")
    assert simulator.world.faults == []
    await web.post("/_simulator/prices", json={"408065": 1600.25})
    assert simulator.world.paise[408065] == 160_025
    await web.post("/_simulator/clock", json={"at": "2030-01-01T06:00:00+05:30"})
    assert simulator.world.now().year in {2029, 2030}
    await web.post("/_simulator/revoke", json={"userId": "AB1234"})
    assert not any(login.user_id == "AB1234" for login in simulator.world.logins.values())
    called = (await web.get("/_simulator/calls")).json()
    assert called["ZERODHA POST /session/token"] == 1


async def test_many_clients_are_read_at_the_brokers_pace(
    simulator: Simulator, outside: BrokerHttpClient, database: Database
) -> None:
    """With the limits counted, none of the calls of all at once is one too many.

    Calls leave evenly (`test_pacing.py`); on a busy machine they arrive less so, hence the half.
    """
    simulator.world.scale = 1.5
    world = simulator.world
    app = BrokerApp(world.api_keys[KITE], world.secrets[KITE], simulator.url)
    kite = Kite(app, outside, SharedRateLimiter(database, longest_wait=30))
    await asyncio.sleep(1)  # calls of the test before count too

    async def read(user_id: str) -> Decimal:
        token = world.ask_for_login(user_id)
        session = await kite.exchange_token(LoginTokens(token), clock.now())
        await kite.holdings(session)
        return (await kite.funds(session)).net

    people = [person for person in world.people.values() if person.broker == KITE] * 3
    nets = await asyncio.gather(*(read(person.user_id) for person in people))

    assert nets == [Decimal(person.net_paise) / 100 for person in people]


async def test_slow_answers_do_not_stop_others(simulator: Simulator, kite: Kite) -> None:
    people = ["AB1234", "AB1235"]
    sessions = [
        await kite.exchange_token(LoginTokens(simulator.world.ask_for_login(person)), clock.now())
        for person in people
    ]
    simulator.world.faults.append(Fault("GET /orders", "slow", times=1, user="AB1234", seconds=60))

    slow = asyncio.create_task(kite.orders(sessions[0]))
    await until(lambda: not simulator.world.faults)
    await kite.orders(sessions[1])

    assert not slow.done()
    slow.cancel()


@pytest.fixture
def process() -> Iterator[str]:
    """The simulator as a process of its own; its address."""
    port = free_port()
    command = [sys.executable, "-m", "tests.brokers.simulator", "--port", str(port)]
    running = subprocess.Popen(
        [*command, "--clients", "1000", "--scale", "0"],
        cwd=SERVER,
        stdout=subprocess.PIPE,
        text=True,
    )
    yield f"http://127.0.0.1:{port}"
    running.terminate()
    told, _ = running.communicate(timeout=600)
    assert f"TARAZU_ZERODHA_TICKER_URL=ws://127.0.0.1:{port}/" in told


async def test_it_runs_as_a_process_with_a_thousand_clients(process: str) -> None:
    people: list[dict[str, str]] = []
    async with httpx.AsyncClient(trust_env=False) as web, asyncio.timeout(20):
        while not people:
            await asyncio.sleep(0.1)
            # It needs a moment before it listens.
            with suppress(httpx.TransportError):
                people = (await web.get(f"{process}/_simulator/people")).json()["people"]

    assert len(people) == 2000
    assert len({person["userId"] for person in people}) == 2000
