"""The brokers from threads: calls that wait, made on one loop."""

import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from tarazu.brokers.gateway import BrokerGateway
from tarazu.brokers.protocol.port import BrokerApp, BrokerProfile, Denied, LoginTokens
from tarazu.brokers.tables import BrokerName
from tarazu.kit import clock
from tarazu.kit.db import Database
from tarazu.kit.settings import Settings
from tests.brokers.simulator import Simulator
from tests.brokers.simulator.world import ANGEL, KITE


@pytest.fixture
def gateway(database: Database) -> Iterator[BrokerGateway]:
    opened = BrokerGateway(Settings(allow_loopback_brokers=True), database)
    yield opened
    opened.close()


@pytest.fixture
def apps(simulator: Simulator) -> dict[BrokerName, BrokerApp]:
    world = simulator.world
    return {
        BrokerName.ZERODHA: BrokerApp(world.api_keys[KITE], world.secrets[KITE], simulator.url),
        BrokerName.ANGEL_ONE: BrokerApp(world.api_keys[ANGEL], "", simulator.url),
    }


def test_a_log_in_is_exchanged_at_either_broker(
    gateway: BrokerGateway, simulator: Simulator, apps: dict[BrokerName, BrokerApp]
) -> None:
    zerodha, angel_one = BrokerName.ZERODHA, BrokerName.ANGEL_ONE
    handed = LoginTokens(simulator.world.ask_for_login("AB1234"))
    session = gateway.exchange(zerodha, apps[zerodha], handed, clock.now())
    assert session.broker_user_id == "AB1234"

    token, login = simulator.world.log_in("A123456")
    handed = LoginTokens(token, login.refresh, login.feed)
    session = gateway.exchange(angel_one, apps[angel_one], handed, clock.now())
    assert session.broker_user_id == "A123456"
    assert session.feed_token == login.feed


def test_threads_share_the_connections_and_the_pace(
    gateway: BrokerGateway, simulator: Simulator, apps: dict[BrokerName, BrokerApp]
) -> None:
    zerodha = BrokerName.ZERODHA
    app = apps[zerodha]
    handed = LoginTokens(simulator.world.ask_for_login("AB1235"))
    session = gateway.exchange(zerodha, app, handed, clock.now())

    def profile(_: int) -> BrokerProfile:
        return gateway.run(zerodha, app, lambda broker: broker.profile(session))

    with ThreadPoolExecutor(6) as threads:
        found = list(threads.map(profile, range(12)))

    assert {one.broker_user_id for one in found} == {"AB1235"}


def test_a_refusal_reaches_the_caller_and_a_closed_gateway_opens_again(
    gateway: BrokerGateway, apps: dict[BrokerName, BrokerApp], simulator: Simulator
) -> None:
    zerodha = BrokerName.ZERODHA
    with pytest.raises(Denied):
        gateway.exchange(zerodha, apps[zerodha], LoginTokens("forged"), clock.now())

    gateway.close()
    gateway.close()

    handed = LoginTokens(simulator.world.ask_for_login("AB1236"))
    session = gateway.exchange(zerodha, apps[zerodha], handed, clock.now())
    assert session.broker_user_id == "AB1236"


def test_hosts_that_are_not_listed_are_refused(
    database: Database, apps: dict[BrokerName, BrokerApp]
) -> None:
    strict = BrokerGateway(Settings(), database)
    with pytest.raises(Denied):
        strict.exchange(BrokerName.ZERODHA, apps[BrokerName.ZERODHA], LoginTokens("x"), clock.now())
    strict.close()


def test_the_start_loads_no_library_of_the_way_out() -> None:
    code = (
        "import sys, tarazu.app\n"
        "print([name for name in ('httpx', 'httpcore', 'websockets') if name in sys.modules])"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert told.stdout.strip() == "[]"
