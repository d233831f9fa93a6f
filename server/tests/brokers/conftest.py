"""The simulator of both brokers, a way out to it, and the fixtures' answers."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from tarazu.brokers.angel.smartapi import Angel, ServerAddresses
from tarazu.brokers.host_rules import LOOPBACK_HOSTS, HostRules
from tarazu.brokers.http_client import BrokerHttpClient
from tarazu.brokers.protocol.port import BrokerApp, BrokerSession, LoginTokens
from tarazu.brokers.zerodha.kite import Kite
from tarazu.kit import clock
from tarazu.kit.db import Database
from tarazu.kit.settings import Settings
from tests.brokers.firm_desk import FirmDesk, open_desk
from tests.brokers.simulator import Simulator
from tests.brokers.simulator.world import ANGEL, KITE, Fault, World

FIXTURES = Path(__file__).parent / "fixtures"
HERE = ServerAddresses("127.0.0.1", "203.0.113.7", "02:00:00:00:00:01")


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@dataclass
class FreePace:
    """Lets every call out at once, and remembers what was asked."""

    turns: list[tuple[str, Decimal]] = field(default_factory=list)
    holds: list[tuple[str, float]] = field(default_factory=list)

    async def turn(self, line: str, per_second: Decimal) -> None:
        self.turns.append((line, per_second))

    async def hold(self, line: str, seconds: float) -> None:
        self.holds.append((line, seconds))


@pytest.fixture(scope="session")
def running_simulator() -> Iterator[Simulator]:
    with Simulator(World(clients=3, seed=7, scale=0)) as simulator:
        yield simulator


@pytest.fixture
def simulator(running_simulator: Simulator) -> Iterator[Simulator]:
    """The simulator without limits, as new."""
    world = running_simulator.world
    fresh = World(clients=3, seed=7, scale=0)
    # The log-ins of other tests may stay: their tokens are nobody's here.
    fresh.logins, fresh.sockets = {}, world.sockets
    fresh._issued = world._issued
    world.__dict__.update(fresh.__dict__)
    yield running_simulator
    world.faults.clear()


@pytest.fixture
def firm(settings: Settings, database: Database, simulator: Simulator) -> Iterator[FirmDesk]:
    """A firm whose brokers are the simulator."""
    opened = open_desk(settings, database, simulator)
    yield opened
    opened.gateway.close()


@pytest.fixture
async def outside() -> AsyncIterator[BrokerHttpClient]:
    """A way out to this machine, and to nowhere else."""
    opened = BrokerHttpClient(HostRules(frozenset(LOOPBACK_HOSTS), allow_loopback=True))
    yield opened
    await opened.aclose()


@pytest.fixture
def pace() -> FreePace:
    return FreePace()


@pytest.fixture
def kite(simulator: Simulator, outside: BrokerHttpClient, pace: FreePace) -> Kite:
    world = simulator.world
    app = BrokerApp(world.api_keys[KITE], world.secrets[KITE], simulator.url)
    return Kite(app, outside, pace)


@pytest.fixture
def angel(simulator: Simulator, outside: BrokerHttpClient, pace: FreePace) -> Angel:
    app = BrokerApp(simulator.world.api_keys[ANGEL], "", simulator.url, is_renewal_allowed=True)
    master = f"{simulator.url}/OpenAPI_File/files/OpenAPIScripMaster.json"
    return Angel(app, outside, pace, HERE, master)


@pytest.fixture
async def kite_session(simulator: Simulator, kite: Kite) -> BrokerSession:
    token = simulator.world.ask_for_login("AB1234")
    return await kite.exchange_token(LoginTokens(token), clock.now())


@pytest.fixture
async def angel_session(simulator: Simulator, angel: Angel) -> BrokerSession:
    token, login = simulator.world.log_in("A123456")
    return await angel.exchange_token(LoginTokens(token, login.refresh, login.feed), clock.now())


@pytest.fixture
def answer_with(simulator: Simulator) -> Callable[[str, dict[str, Any]], None]:
    """Makes the simulator answer a call with a fixture: `answer_with("GET /orders", found)`."""

    def set_answer(call: str, answer: dict[str, Any]) -> None:
        simulator.world.faults.append(Fault(call, "canned", answer=answer))

    return set_answer


def fixture_of(name: str) -> Any:
    """A fixture file; numbers are exact."""
    return json.loads((FIXTURES / name).read_text(encoding="utf-8"), parse_float=Decimal)


def plain_fixture_of(name: str) -> Any:
    """A fixture file, to be sent as it is."""
    return json.loads((FIXTURES / name).read_text(encoding="utf-8"))


async def until(told: Callable[[], bool], seconds: float = 120.0) -> None:
    """Wait until something is true."""
    async with asyncio.timeout(seconds):
        while not told():  # noqa: ASYNC110 - what is waited for is in another thread
            await asyncio.sleep(0.01)
