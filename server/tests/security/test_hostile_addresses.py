"""Addresses that lead inside: none of them gets a connection, whoever wrote it and wherever."""

import contextlib
import io
import socket
import threading
from collections.abc import AsyncIterator, Iterator, Sequence

import httpcore
import pytest
from fastapi.testclient import TestClient
from sqlalchemy import update

from tarazu.app import create_app
from tarazu.brokers.host_rules import BROKER_HOSTS, CallRefused, HostRules
from tarazu.brokers.http_client import BrokerHttpClient, CallFailed, SocketRefused
from tarazu.brokers.tables import Broker
from tarazu.kit.db import Database
from tarazu.kit.settings import Settings
from tests.people_of import ADMIN, Desk, sign_up
from tests.rows_of import run
from tests.security.figures import LONG, tell

HOSTILE = (
    "http://127.0.0.1:{port}/",
    "https://127.0.0.1:{port}/",
    "https://localhost:{port}/",
    "https://localhost.:{port}/",
    "https://[::1]:{port}/",
    "https://[::ffff:127.0.0.1]:{port}/",
    "https://[0:0:0:0:0:ffff:7f00:1]:{port}/",
    "https://2130706433:{port}/",
    "https://017700000001:{port}/",
    "https://0x7f000001:{port}/",
    "https://0x7f.1:{port}/",
    "https://127.1:{port}/",
    "https://0.0.0.0:{port}/",
    "http://169.254.169.254/latest/meta-data/",
    "https://[fd00:ec2::254]/latest/meta-data/",
    "https://metadata.google.internal/computeMetadata/v1/",
    "https://api.kite.trade@127.0.0.1:{port}/",
    "https://api.kite.trade:{port}/",
    "https://api.kite.trade.:{port}/",
    "https://api.kite.trade.evil.example:{port}/",
    "https://api.kite.trade\\@127.0.0.1:{port}/",
    "https://127.0.0.1:{port}#.kite.trade/",
    "https://127\u30020\u30020\u30021:{port}/",
    "https://\u2460\u2461\u2466.0.0.1:{port}/",
    "ftp://127.0.0.1:{port}/",
    "file:///etc/hostname",
    "gopher://127.0.0.1:{port}/_GET",
)
"""What a person might enter as an address of a broker."""

MALFORMED = (
    "https://0:{port}/",
    "https://0177.0.0.1:{port}/",
    "https://user:secret@api.kite.trade/",
    "https://api.kite.trade./",
    "https://ap\u0131.kite.trade/",
    "http://api.kite.trade/",
    "https://api.kite.trade\r\nHost: evil.example/",
    "//api.kite.trade/",
    "",
)
"""What else must not be called, whoever wrote it."""

INSIDE = (
    ["127.0.0.1"],
    ["::1"],
    ["::ffff:127.0.0.1"],
    ["64:ff9b::7f00:1"],
    ["0.0.0.0"],
    ["169.254.169.254"],
    ["10.0.0.7"],
    ["203.0.114.9", "127.0.0.1"],
)
"""What the name of a broker might resolve to."""


class Listener:
    """Counts who connects to a port of this machine, by IPv4 and, where there is one, by IPv6."""

    def __init__(self) -> None:
        self.count = 0
        self._doors = [socket.create_server(("127.0.0.1", 0))]
        self.port = int(self._doors[0].getsockname()[1])
        with contextlib.suppress(OSError):
            self._doors.append(socket.create_server(("::1", self.port), family=socket.AF_INET6))
        for door in self._doors:
            threading.Thread(target=self._wait, args=(door,), daemon=True).start()

    def _wait(self, door: socket.socket) -> None:
        while True:
            try:
                caller, _ = door.accept()
            except OSError:
                return
            self.count += 1
            caller.close()

    def close(self) -> None:
        for door in self._doors:
            with contextlib.suppress(OSError):
                door.shutdown(socket.SHUT_RDWR)
            door.close()


@pytest.fixture
def listener() -> Iterator[Listener]:
    opened = Listener()
    yield opened
    opened.close()


@pytest.fixture
async def way() -> AsyncIterator[BrokerHttpClient]:
    opened = BrokerHttpClient(HostRules(frozenset(BROKER_HOSTS)))
    yield opened
    await opened.aclose()


async def every_way(way: BrokerHttpClient, address: str) -> int:
    """Call, download and open a socket; how many of the three were refused before anything."""
    refused = 0
    for act in (
        lambda: way.call("GET", address, headers={}),
        lambda: way.download(address, io.BytesIO(), headers={}),
        lambda: way.open_socket(address.replace("http", "ws", 1), headers={}),
    ):
        try:
            await act()
        except CallRefused:
            refused += 1
        except (CallFailed, SocketRefused):
            pass
    return refused


@pytest.mark.anyio
async def test_a_hostile_address_gets_no_connection(
    way: BrokerHttpClient, listener: Listener
) -> None:
    addresses = (*HOSTILE, *MALFORMED)
    for address in addresses:
        assert await every_way(way, address.replace("{port}", str(listener.port))) == 3, address

    met = listener.count
    tell(
        "S11",
        f"{len(addresses)} hostile URLs, by call, download and socket",
        f"{met} connections",
        "0",
    )
    assert met == 0
    # The listener does count: these addresses lead here for whoever does not look.
    for host in ("127.0.0.1", "2130706433", "0x7f.1"):
        socket.create_connection((host, listener.port), 2).close()
    with contextlib.suppress(OSError):
        while listener.count < 3:
            socket.create_connection(("127.0.0.1", listener.port), 2).close()
    assert listener.count >= 3


@pytest.mark.anyio
async def test_a_name_that_resolves_to_a_private_address_gets_no_connection(
    listener: Listener, monkeypatch: pytest.MonkeyPatch
) -> None:
    reached: list[str] = []

    async def connect(_self: object, host: str, *_: object, **__: object) -> object:
        reached.append(host)
        raise httpcore.ConnectError

    monkeypatch.setattr(httpcore.AnyIOBackend, "connect_tcp", connect)
    rules = HostRules(frozenset({f"broker.example:{listener.port}"}))
    for addresses in INSIDE:
        way = BrokerHttpClient(rules, _answering(addresses))
        assert await every_way(way, f"https://broker.example:{listener.port}/") == 3, addresses
        await way.aclose()
    # Rebinding: public while it is looked at, inside a moment later.
    way = BrokerHttpClient(rules, _answering(["203.0.114.9"], ["127.0.0.1"]))
    with pytest.raises(CallFailed):
        await way.call("GET", f"https://broker.example:{listener.port}/", headers={})
    with pytest.raises(CallRefused):
        await way.call("GET", f"https://broker.example:{listener.port}/", headers={})
    await way.aclose()

    inside = [host for host in reached if host != "203.0.114.9"]
    met = len(inside) + listener.count
    what = f"{len(INSIDE)} names that lead inside, and one that is bound again"
    tell("S11", what, f"{met} connections", "0")
    assert reached == ["203.0.114.9"]
    assert met == 0


@pytest.mark.anyio
async def test_a_broker_that_sends_elsewhere_is_not_followed(listener: Listener) -> None:
    hops = (301, 302, 303, 307, 308)
    for status in hops:
        head = f"HTTP/1.1 {status} Go\r\nLocation: http://127.0.0.1:{listener.port}/\r\n"
        with _answers(f"{head}Content-Length: 0\r\nConnection: close\r\n\r\n".encode()) as port:
            rules = HostRules(frozenset({f"127.0.0.1:{port}"}), allow_loopback=True)
            way = BrokerHttpClient(rules)
            assert await every_way(way, f"http://127.0.0.1:{port}/") == 0
            await way.aclose()

    tell("S11", f"{len(hops)} kinds of redirect", f"{listener.count} followed", "0")
    assert listener.count == 0


@pytest.mark.on_both(suite="long")
def test_no_address_that_staff_enter_is_called(
    settings: Settings, database: Database, listener: Listener
) -> None:
    """In the API URL and the logo, through the API; and in the database, past every check."""
    app = create_app(settings, database)
    web = TestClient(app, raise_server_exceptions=False)
    desk = Desk(web, sign_up(web, ADMIN))
    keys = {"name": "ZERODHA", "apiKey": "akey", "apiSecret": "asecret"}
    added = desk.post("/brokers/add", keys).json()["data"]
    wanted = HOSTILE if LONG else HOSTILE[::3]
    entered = [one.replace("{port}", str(listener.port)) for one in wanted]
    taken = []
    for address in entered:
        body = {"id": added["_id"], "apiSecret": "asecret", "apiUrl": address}
        answer = desk.put("/brokers/edit", body)
        if answer.status_code != 422:
            taken.append(address)
        logo = desk.put("/brokers/edit", {"id": added["_id"], "logo": address})
        assert logo.status_code in {200, 422}
        assert desk.get(f"/brokers/{added['_id']}").status_code == 200
    called = 0
    for address in entered:
        run(database, update(Broker).values(api_url=address))
        url = desk.get("/admin/broker/login-url").json()["data"]["url"]
        state = url.rpartition("state%3D")[2]
        answer = desk.post("/admin/broker/connect", {"requestToken": "atoken", "state": state})
        assert answer.status_code == 502, answer.text
        called += 1
    app.state.broker_gateway.close()

    what = (
        f"{len(entered)} hostile URLs as API URL and as logo, and {called} planted in the database"
    )
    tell("S11", what, f"{listener.count} connections, {len(taken)} taken", "0")
    assert taken == []
    assert listener.count == 0


def _answering(*rounds: Sequence[str]):
    left = list(rounds)

    async def resolve(_host: str, _port: int) -> Sequence[str]:
        return left.pop(0) if len(left) > 1 else left[0]

    return resolve


@contextlib.contextmanager
def _answers(answer: bytes) -> Iterator[int]:
    """A server that says one thing to whoever comes; its port."""
    door = socket.create_server(("127.0.0.1", 0))

    def wait() -> None:
        while True:
            try:
                caller, _ = door.accept()
            except OSError:
                return
            with contextlib.suppress(OSError), caller:
                caller.recv(65_536)
                caller.sendall(answer)

    threading.Thread(target=wait, daemon=True).start()
    yield int(door.getsockname()[1])
    with contextlib.suppress(OSError):
        door.shutdown(socket.SHUT_RDWR)
    door.close()
