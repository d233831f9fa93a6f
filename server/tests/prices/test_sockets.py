"""Live prices as a browser gets them: a real server, a real client, one websocket."""

import asyncio
import datetime as dt
import itertools
import json
import uuid
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from socketio.exceptions import ConnectionError as NotConnected
from sqlalchemy import update

from tarazu.instruments.tables import Instrument
from tarazu.kit import clock, sockets
from tarazu.kit.settings import Settings
from tarazu.kit.sockets import MOST_WAITING, Progress, frame_of
from tests.brokers.conftest import running_simulator, simulator, until
from tests.brokers.simulator import Simulator
from tests.brokers.simulator.world import KITE
from tests.people_of import staff_desk
from tests.prices.conftest import Browser, Site, serve
from tests.prices.market import Market, settings_for
from tests.rows_of import run

pytestmark = pytest.mark.anyio

__all__ = ["running_simulator", "simulator"]

INFY = 408065


def auth_of(headers: dict[str, str]) -> dict[str, str]:
    return {"token": headers["Authorization"].removeprefix("Bearer ")}


@asynccontextmanager
async def browser(site: Site, headers: dict[str, str], **more: str) -> AsyncIterator[Browser]:
    """An admitted browser."""
    async with Browser(site) as opened:
        await opened.open(auth_of(headers), **more)
        yield opened


async def refusal_of(site: Site, auth: Any, **headers: str) -> list[str]:
    async with Browser(site) as tried:
        with pytest.raises(NotConnected):
            await tried.open(auth, **headers)
        return tried.refusals


@asynccontextmanager
async def raw_socket(site: Site, auth: Any) -> AsyncIterator[aiohttp.ClientWebSocketResponse]:
    """An admitted websocket that sends nothing."""
    address = f"{site.url}/socket.io/?EIO=4&transport=websocket"
    async with aiohttp.ClientSession() as web, web.ws_connect(address) as socket:
        assert (await socket.receive()).data.startswith("0{")
        await socket.send_str("40" + json.dumps(auth))
        assert (await socket.receive()).data.startswith("40{")
        yield socket


async def close_code_of(socket: aiohttp.ClientWebSocketResponse) -> int | None:
    async with asyncio.timeout(10):
        while (await socket.receive()).type is aiohttp.WSMsgType.TEXT:
            pass
    return socket.close_code


async def test_no_socket_without_a_live_token(quiet: Site) -> None:
    ended = quiet.sign_in()
    quiet.web.post("/api/v1/auth/logout", headers=ended)

    shapes: list[Any] = [None, {}, {"token": ""}, {"token": 7}, {"token": "x" * 43}, []]
    for auth in (*shapes, auth_of(ended)):
        assert await refusal_of(quiet, auth) == ["Unauthorized"]


async def test_a_user_who_must_set_a_password_is_refused_with_that_reason(quiet: Site) -> None:
    """The session lives: it is not one to be ended in the browser."""
    new = {"name": "Sana Iyer", "email": "sana@desk.example", "role": "USER"}
    added = quiet.web.post(
        "/api/v1/users/add", json={"users": [new]}, headers=quiet.sign_in()
    ).json()["data"][0]
    credentials = {"email": new["email"], "password": added["temporaryPassword"]}
    token = quiet.web.post("/api/v1/auth/login", json=credentials).json()["accessToken"]

    async with Browser(quiet) as tried:
        with pytest.raises(NotConnected):
            await tried.open({"token": token})

    assert (tried.refusals, tried.codes) == (["Unauthorized"], ["PASSWORD_CHANGE_REQUIRED"])
    own = {"Authorization": f"Bearer {token}"}
    data = quiet.web.get("/api/v1/auth/verify-token", headers=own).json()["data"]
    assert (data["isFirstTimeLogin"], data["isSecondFactorDue"]) == (True, False)


async def test_a_page_of_another_origin_is_refused_though_its_token_lives(quiet: Site) -> None:
    alive = quiet.sign_in()

    for origin in ("https://elsewhere.example", "null", f"{quiet.url}.elsewhere.example"):
        await refusal_of(quiet, auth_of(alive), Origin=origin)

    async with browser(quiet, alive, Origin=quiet.url) as own:
        assert own.client.connected


async def test_long_polling_is_refused(quiet: Site) -> None:
    answer = quiet.web.get("/socket.io/", params={"EIO": "4", "transport": "polling"})

    assert answer.status_code == 400
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


async def test_a_browser_gets_the_full_map_then_only_what_moved(quiet: Site) -> None:
    alive = quiet.sign_in()
    infy, tcs = quiet.watch("INFY", alive), quiet.watch("TCS", alive)
    quiet.trade({"INFY": "1500.05", "TCS": "3200"})
    async with browser(quiet, alive) as early:
        await early.until(lambda: {str(infy), str(tcs)} <= set().union(*early.sent("ticks")))

    async with browser(quiet, alive) as late:
        await late.until(lambda: late.sent("ticks:heartbeat"))
        first = late.sent("ticks")[0]
        before = len(late.events)
        quiet.trade({"INFY": "1501.1234", "RELIANCE": "1400"})
        await late.until(lambda: len(late.events) > before)

        assert (first[str(infy)], first[str(tcs)]) == (1500.05, 3200)
        assert late.sent("ticks")[1:] == [{str(infy): 1501.1234}]


async def test_the_newest_price_wins_four_times_a_second_and_an_unmoved_one_is_not_sent(
    quiet: Site,
) -> None:
    alive = quiet.sign_in()
    token = str(quiet.watch("WIPRO", alive))
    async with browser(quiet, alive) as here:
        await here.until(lambda: any(token in map_ for map_ in here.sent("ticks")))
        began = len(here.events)
        for price in range(100, 200):
            quiet.trade({"WIPRO": str(price)})
            await asyncio.sleep(0.02)
        await here.until(lambda: {token: 199} in here.sent("ticks"))
        times = [at for at, name, _ in here.events[began:] if name == "ticks"]
        before = len(here.sent("ticks"))
        quiet.trade({"WIPRO": "199"})
        await asyncio.sleep(0.6)

        assert 4 < len(times) <= 4.2 * (times[-1] - times[0]) + 2
        assert len(here.sent("ticks")) == before


async def test_an_added_stock_joins_and_a_removed_one_leaves(quiet: Site) -> None:
    alive = quiet.sign_in()
    async with browser(quiet, alive) as here:
        token = str(quiet.watch("MARUTI", alive))
        await here.until(lambda: any(token in map_ for map_ in here.sent("ticks")))
        quiet.unwatch("MARUTI", alive)
        async with asyncio.timeout(120):
            for price in itertools.count(12_345):
                before = len(here.sent("ticks"))
                quiet.trade({"MARUTI": str(price)})
                await asyncio.sleep(0.6)
                if len(here.sent("ticks")) == before:
                    break


async def test_without_a_feed_the_heartbeat_names_the_source_of_the_last_price(
    tmp_path: Path, sqlite_template: Path
) -> None:
    for site in serve(tmp_path, sqlite_template):
        alive = site.sign_in()
        async with browser(site, alive) as early:
            await early.until(lambda: early.sent("ticks:heartbeat"))
        site.trade({"INFY": "1500"})
        async with browser(site, alive) as late:
            await late.until(lambda: late.sent("ticks:heartbeat"))

        first, second = early.sent("ticks:heartbeat")[0], late.sent("ticks:heartbeat")[0]
        # What is known are the closes that came with the list, which have no source.
        assert (first["state"], first["live"], first["source"]) == ("NONE", False, None)
        assert dt.datetime.fromisoformat(first["pricesAt"]) < clock.now() - dt.timedelta(days=1)
        assert (second["state"], second["live"], second["source"]) == ("NONE", False, "ZERODHA")
        age = clock.now() - dt.datetime.fromisoformat(second["pricesAt"])
        assert dt.timedelta(0) <= age < dt.timedelta(minutes=5)


async def test_a_brokers_prices_reach_the_browser_with_their_source(
    simulator: Simulator, tmp_path: Path, sqlite_template: Path
) -> None:
    world = simulator.world
    world.traded_at = clock.now()
    addresses = settings_for(Settings(), simulator)
    given = {name: getattr(addresses, name) for name in addresses.model_fields_set}
    for site in serve(tmp_path, sqlite_template, **given):
        market = Market(simulator, site.database, addresses, site.app.state.broker_gateway)
        market.add_brokers()
        alive = site.sign_in()
        assert site.watch("INFY", alive) == INFY
        async with browser(site, alive) as here:
            await here.until(lambda: here.sent("ticks:heartbeat"))
            session_id = market.log_in_firm(KITE)
            world.paise[INFY] = 151_025
            await here.until(lambda: {str(INFY): 1510.25} in here.sent("ticks"))
            world.traded_at = None
            await here.until(lambda: here.sent("ticks:heartbeat")[-1]["live"])
            moving = here.sent("ticks:heartbeat")[-1]
            world.traded_at = clock.now()
            await asyncio.sleep(0.7)
            before = len(here.sent("ticks"))
            await asyncio.sleep(0.7)
            # Zerodha repeats itself; what did not move is not sent.
            unmoved = len(here.sent("ticks")) - before
            market.end(session_id)
            await here.until(lambda: here.sent("ticks:heartbeat")[-1]["state"] == "NONE")

        assert (moving["source"], moving["state"], moving["unfollowed"]) == ("ZERODHA", "LIVE", [])
        assert unmoved == 0
        assert here.sent("ticks:heartbeat")[-1]["source"] == "ZERODHA"


async def test_a_simulated_market_ticks_at_most_four_times_a_second(busy: Site) -> None:
    alive = busy.sign_in()
    tokens = {str(busy.watch(symbol, alive)) for symbol in ("INFY", "TCS", "RELIANCE", "SBIN")}
    async with browser(busy, alive) as here:
        await here.until(lambda: len(here.times("ticks:heartbeat")) == 3)

        frames, beats = here.times("ticks"), here.times("ticks:heartbeat")
        # The first is the greeting; what is late on its way makes no more of them in all.
        assert 8 < len(frames) <= 4.1 * (frames[-1] - frames[0]) + 2
        assert 4 < beats[2] - beats[1] < 8
        assert here.sent("ticks:heartbeat")[-1]["source"] == "SIMULATED"
        assert here.sent("ticks:heartbeat")[-1]["live"] is True
        assert set().union(*here.sent("ticks")) == tokens


async def test_logging_out_ends_every_socket_of_the_session_within_five_seconds(
    quiet: Site,
) -> None:
    leaving, staying = quiet.sign_in(), quiet.sign_in()
    async with (
        browser(quiet, leaving) as first,
        browser(quiet, leaving) as second,
        browser(quiet, staying) as third,
    ):
        quiet.web.post("/api/v1/auth/logout", headers=leaving)
        await first.until(lambda: first.ended_at and second.ended_at, 5)

        assert third.client.connected
        assert third.ended_at is None


async def test_what_a_browser_sends_is_ignored(quiet: Site) -> None:
    alive = quiet.sign_in()
    token = str(quiet.watch("INFY", alive))
    async with raw_socket(quiet, auth_of(alive)) as socket:
        for message in ('42["ticks",{"1":1}]', '421["progress",{}]', "45-9", "6", '40{"token":1}'):
            await socket.send_str(message)
        await socket.send_bytes(b"\x00" * 100)
        quiet.trade({"INFY": "1777"})

        heard = []
        async with asyncio.timeout(30):
            while f'42["ticks",{{"{token}":1777}}]' not in heard:
                heard.append((await socket.receive()).data)
        assert all(str(one).startswith("42[") for one in heard)


async def test_a_browser_that_keeps_sending_is_dropped(quiet: Site) -> None:
    async with raw_socket(quiet, auth_of(quiet.sign_in())) as socket:
        for number in range(150):
            await socket.send_str(f'42["ticks",{number}]')

        assert await close_code_of(socket) is not None
        assert socket.closed


async def test_a_message_above_ten_thousand_bytes_ends_the_socket(quiet: Site) -> None:
    async with raw_socket(quiet, auth_of(quiet.sign_in())) as socket:
        await socket.send_str("42" + "x" * 10_000)

        assert await close_code_of(socket) is not None
        assert socket.closed


async def test_a_socket_that_never_says_who_it_is_is_dropped(
    quiet: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sockets, "LONGEST_HANDSHAKE", 0.1)
    address = f"{quiet.url}/socket.io/?EIO=4&transport=websocket"
    async with aiohttp.ClientSession() as web, web.ws_connect(address) as socket:
        await socket.send_str('42["ticks",{}]')

        assert await close_code_of(socket) is not None
        assert socket.closed


async def test_a_browser_that_answers_pings_stays_and_a_silent_one_is_dropped(
    quiet: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Pinged at every sweep, which is every two seconds.
    monkeypatch.setattr(sockets, "PING_EVERY", 0.0)
    monkeypatch.setattr(sockets, "PONG_WITHIN", 3.0)
    auth = auth_of(quiet.sign_in())
    async with raw_socket(quiet, auth) as answering, raw_socket(quiet, auth) as silent:
        ending = asyncio.create_task(close_code_of(silent))
        pings = 0
        async with asyncio.timeout(12):
            while pings < 4:
                if (await answering.receive_str()) == "2":
                    pings += 1
                    await answering.send_str("3")
        assert ending.done()
        assert await ending == 1006


@pytest.fixture
def unswept(
    tmp_path: Path, sqlite_template: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Site]:
    """A site that does not look for ended sessions from time to time."""
    monkeypatch.setattr(sockets, "SWEEP_EVERY", 3600.0)
    yield from serve(tmp_path, sqlite_template)


async def test_the_socket_of_an_ended_session_is_closed_at_once(unswept: Site) -> None:
    headers, stays = unswept.sign_in(), unswept.sign_in()
    async with browser(unswept, headers) as ended, browser(unswept, stays) as other:
        await asyncio.to_thread(unswept.web.post, "/api/v1/auth/logout", headers=headers)

        await ended.until(lambda: ended.ended_at)
        assert not other.ended_at


async def test_a_browser_receives_the_ping_interval(quiet: Site) -> None:
    address = f"{quiet.url}/socket.io/?EIO=4&transport=websocket"
    async with aiohttp.ClientSession() as web, web.ws_connect(address) as socket:
        told = json.loads((await socket.receive_str()).removeprefix("0"))

    assert (told["pingInterval"], told["pingTimeout"]) == (15_000, 10_000)


async def test_the_sixth_socket_of_a_session_is_refused(quiet: Site) -> None:
    alive, other = quiet.sign_in(), quiet.sign_in()
    async with AsyncExitStack() as stack:
        for _ in range(5):
            await stack.enter_async_context(browser(quiet, alive))

        assert await refusal_of(quiet, auth_of(alive)) == ["Too many connections"]
        await stack.enter_async_context(browser(quiet, other))

    await until(lambda: not quiet.hub._connections)
    async with browser(quiet, alive) as here:
        assert here.client.connected


async def test_progress_reaches_only_the_sockets_of_its_account(quiet: Site) -> None:
    alive = quiet.sign_in()
    async with browser(quiet, alive) as here:
        (account_id,) = {line.member.account_id for line in quiet.hub._connections if line.member}
        mine = Progress("1", "Reading rows", 12, 40, "RUNNING")
        quiet.hub.publish_progress(uuid.uuid4(), Progress("2", "Reading rows", 1, 9, "RUNNING"))
        quiet.hub.publish_progress(account_id, mine)
        await here.until(lambda: here.sent("progress"))
        await asyncio.sleep(0.5)

        assert here.sent("progress") == [
            {"id": "1", "step": "Reading rows", "done": 12, "total": 40, "state": "RUNNING"}
        ]


async def test_progress_of_a_job_for_all_goes_to_those_who_see_all(quiet: Site) -> None:
    admin = quiet.sign_in()
    user = staff_desk(quiet.web, quiet.database).headers  # type: ignore[arg-type]

    def turn(*, on: bool) -> None:
        body = {"isOn": on}
        answer = quiet.web.put("/api/v1/settings/team-access", json=body, headers=admin)
        assert answer.status_code == 200

    async with browser(quiet, user) as here, browser(quiet, admin) as there:
        accounts = {line.member.account_id for line in quiet.hub._connections if line.member}
        turn(on=True)
        quiet.hub.publish_progress(None, Progress("all", "Reading", 1, 9, "RUNNING"))
        await there.until(lambda: there.sent("progress"))
        for account_id in accounts:
            quiet.hub.publish_progress(account_id, Progress("own", "Reading", 1, 9, "RUNNING"))
        await here.until(lambda: here.sent("progress"))
        assert [report["id"] for report in here.sent("progress")] == ["own"]
        assert there.sent("progress")[0]["id"] == "all"

        turn(on=False)
        quiet.hub.publish_progress(None, Progress("later", "Reading", 1, 9, "RUNNING"))
        await here.until(lambda: len(here.sent("progress")) > 1)
        assert here.sent("progress")[-1]["id"] == "later"


async def test_of_many_reports_the_last_one_arrives(quiet: Site) -> None:
    async with browser(quiet, quiet.sign_in()) as here:
        (account_id,) = {line.member.account_id for line in quiet.hub._connections if line.member}
        for done in range(1001):
            quiet.hub.publish_progress(account_id, Progress("3", "Sending", done, 1000, "RUNNING"))
        await here.until(lambda: here.sent("progress"))
        await here.until(lambda: here.sent("progress")[-1]["done"] == 1000)

        assert len(here.sent("progress")) < 5


async def test_a_browser_that_reads_nothing_holds_up_nobody(quiet: Site) -> None:
    alive = quiet.sign_in()
    token = str(quiet.watch("INFY", alive))
    async with raw_socket(quiet, auth_of(alive)) as socket, browser(quiet, alive) as here:
        stalled = min((line for line in quiet.hub._connections), key=lambda line: line.opened_at)
        _transport_of(socket).pause_reading()
        while stalled.transport.get_write_buffer_size() <= MOST_WAITING:
            # What a long stall leaves behind, in one go: an ignorable event of a megabyte.
            stalled.transport.write(frame_of("progress", '"' + "x" * 1_000_000 + '"'))
            await asyncio.sleep(0.01)
        quiet.trade({"INFY": "1888"})
        await here.until(lambda: {token: 1888} in here.sent("ticks"), 5)
        was_behind = stalled.behind_since is not None
        _transport_of(socket).resume_reading()
        quiet.trade({"INFY": "1890"})
        texts = [await _text(socket)]
        while f'"{token}":1890' not in texts[-1]:
            quiet.trade({"TCS": str(3000 + len(texts))})
            texts.append(await _text(socket))

        assert was_behind
        assert not [text for text in texts if f'"{token}":1888' in text]


def _transport_of(socket: aiohttp.ClientWebSocketResponse) -> asyncio.Transport:
    transport = socket.get_extra_info("socket") and socket._writer.transport
    assert isinstance(transport, asyncio.Transport)
    return transport


async def _text(socket: aiohttp.ClientWebSocketResponse) -> str:
    async with asyncio.timeout(30):
        return str((await socket.receive()).data)


async def test_another_token_of_a_stock_is_followed_without_a_restart(quiet: Site) -> None:
    alive = quiet.sign_in()
    before, after = quiet.watch("BOSCHLTD", alive), 77_101 * 256 + 1
    async with browser(quiet, alive) as here:
        await here.until(lambda: any(str(before) in one for one in here.sent("ticks")))
        run(
            quiet.database,
            update(Instrument)
            .where(Instrument.symbol == "BOSCHLTD")
            .values(zerodha_token=after, angel_token=None),
        )
        await here.until(lambda: any(str(after) in one for one in here.sent("ticks")))

    quiet.unwatch("BOSCHLTD", alive)
