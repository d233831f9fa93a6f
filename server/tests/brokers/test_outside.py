"""The way out: to the brokers' hosts only, to the address that was checked, and with its limits."""

import asyncio
import gzip
import logging
import socket
import ssl
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tarazu.brokers import http_client as way_out
from tarazu.brokers.host_rules import BROKER_HOSTS, CallRefused, HostRules
from tarazu.brokers.http_client import BrokerHttpClient, CallFailed, SocketRefused
from tarazu.kit import clock
from tarazu.kit.settings import Settings
from tests.brokers.simulator import Simulator
from tests.brokers.simulator.world import Fault
from tests.started import free_port

pytestmark = pytest.mark.anyio

BROKERS_ONLY = HostRules(frozenset(BROKER_HOSTS))
ON_LIST = "api.kite.trade"


NOT_PUBLIC = [
    "127.0.0.1",
    "0.0.0.0",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "192.0.2.1",
    "198.18.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "::1",
    "::",
    "fe80::1",
    "fe80::1%eth0",
    "fc00::1",
    "::ffff:127.0.0.1",
    "::ffff:8.8.8.8",
    "64:ff9b::7f00:1",
    "2002:7f00:1::",
    "ff02::1",
]


@asynccontextmanager
async def listening(
    answer: bytes = b"", context: ssl.SSLContext | None = None
) -> AsyncIterator[tuple[int, list[bytes]]]:
    """A server on this machine that answers anything with `answer`; its port and what came."""
    heard: list[bytes] = []

    async def respond(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heard.append(await reader.read(65536))
        writer.write(answer)
        writer.close()

    server = await asyncio.start_server(respond, "127.0.0.1", 0, ssl=context)
    async with server:
        yield server.sockets[0].getsockname()[1], heard


def answering(*rounds: Sequence[str]) -> Callable[[str, int], object]:
    """A resolver that gives these addresses, one round after the other, then the last again."""
    left = list(rounds)

    async def resolve(_host: str, _port: int) -> Sequence[str]:
        return left.pop(0) if len(left) > 1 else left[0]

    return resolve


async def test_a_refusal_does_not_repeat_the_password_of_an_address() -> None:
    way = BrokerHttpClient(BROKERS_ONLY)

    with pytest.raises(CallRefused) as refused:
        await way.call("GET", "https://user:secret@api.kite.trade/", headers={})

    assert "secret" not in str(refused.value)
    await way.aclose()


@pytest.mark.parametrize("address", NOT_PUBLIC)
async def test_a_name_that_leads_inside_gets_no_connection(address: str) -> None:
    way = BrokerHttpClient(BROKERS_ONLY, answering([address]))  # type: ignore[arg-type]

    with pytest.raises(CallRefused):
        await way.call("GET", f"https://{ON_LIST}/", headers={})
    with pytest.raises(CallRefused):
        await way.open_socket(f"wss://{ON_LIST}/", headers={})
    # One bad address among good ones spoils the name.
    with pytest.raises(CallRefused):
        BROKERS_ONLY.check_addresses(["8.8.8.8", address], is_secure=True)
    await way.aclose()


async def test_another_address_is_tried_where_the_first_does_not_answer(
    simulator: Simulator,
) -> None:
    rules = HostRules(frozenset({"broker.example"}), allow_loopback=True)
    # Nobody listens on 127.0.0.2 there.
    way = BrokerHttpClient(rules, answering(["127.0.0.2", "127.0.0.1"]))  # type: ignore[arg-type]

    answer = await way.call("GET", f"http://broker.example:{simulator.port}/none", headers={})

    assert answer.status == 404
    await way.aclose()


async def test_http_is_for_this_machine_alone() -> None:
    rules = HostRules(frozenset({"broker.example"}), allow_loopback=True)
    way = BrokerHttpClient(rules, answering(["8.8.8.8"]))  # type: ignore[arg-type]

    with pytest.raises(CallRefused):
        await way.call("GET", "http://broker.example/", headers={})
    with pytest.raises(CallRefused):
        await way.open_socket("ws://broker.example/", headers={})
    await way.aclose()


async def test_a_redirect_is_not_followed(simulator: Simulator, outside: BrokerHttpClient) -> None:
    simulator.world.faults.append(Fault("GET /orders", "redirect"))
    simulator.world.faults.append(Fault("kite ticker", "redirect"))

    with pytest.raises(CallFailed, match="redirect"):
        await outside.call("GET", f"{simulator.url}/orders", headers={})

    token, _ = simulator.world.log_in("AB1234")
    query = [("api_key", "kitesimkey000001"), ("access_token", token)]
    with pytest.raises(SocketRefused) as refused:
        await outside.open_socket(simulator.kite_ticker, headers={}, query=query)
    assert refused.value.status == 302


async def test_a_self_signed_certificate_is_refused(
    outside: BrokerHttpClient, tmp_path: Path
) -> None:
    async with listening(context=self_signed(tmp_path)) as (port, heard):
        with pytest.raises(CallFailed):
            await outside.call("GET", f"https://localhost:{port}/", headers={"X": "secret"})
        with pytest.raises(CallFailed):
            await outside.open_socket(f"wss://localhost:{port}/", headers={"X": "secret"})
    assert not any(heard)


async def test_a_long_answer_is_cut_off(simulator: Simulator, outside: BrokerHttpClient) -> None:
    simulator.world.faults.append(Fault("GET /orders", "long"))

    with pytest.raises(CallFailed, match="longer"):
        await outside.call("GET", f"{simulator.url}/orders", headers={})


async def test_an_answer_that_is_large_when_unpacked_is_cut_off(outside: BrokerHttpClient) -> None:
    packed = gzip.compress(b" " * (64 << 20))
    head = f"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: {len(packed)}\r\n\r\n"
    async with listening(head.encode() + packed) as (port, _):
        with pytest.raises(CallFailed, match="longer"):
            await outside.call("GET", f"http://127.0.0.1:{port}/", headers={})


@pytest.mark.parametrize("size", [0, 1, 65_536, 131_072, 1_000_000])
async def test_a_packed_answer_is_unpacked(outside: BrokerHttpClient, size: int) -> None:
    packed = gzip.compress(b"a" * size)
    head = f"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: {len(packed)}\r\n\r\n"
    async with listening(head.encode() + packed) as (port, _):
        answer = await outside.call("GET", f"http://127.0.0.1:{port}/", headers={})

    assert answer.body == b"a" * size


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"nonsense\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort",
        b"HTTP/1.1 200 OK\r\nContent-Encoding: br\r\nContent-Length: 1\r\n\r\nx",
        b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 1\r\n\r\nx",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\nshort",
    ],
)
async def test_half_an_answer_is_none(outside: BrokerHttpClient, answer: bytes) -> None:
    async with listening(answer) as (port, _):
        with pytest.raises(CallFailed):
            await outside.call("GET", f"http://127.0.0.1:{port}/", headers={})
        with pytest.raises((CallFailed, SocketRefused)):
            await outside.open_socket(f"ws://127.0.0.1:{port}/", headers={})


async def test_a_call_ends_in_time(
    simulator: Simulator, outside: BrokerHttpClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(way_out, "TOTAL_SECONDS", 0.3)
    simulator.world.faults.append(Fault("GET /orders", "hang"))

    with pytest.raises(CallFailed, match="in time"):
        await outside.call("GET", f"{simulator.url}/orders", headers={})


async def test_a_slow_name_ends_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(way_out, "CONNECT_SECONDS", 0.1)

    async def resolve(_host: str, _port: int) -> Sequence[str]:
        await asyncio.sleep(60)
        return []

    way = BrokerHttpClient(BROKERS_ONLY, resolve)
    with pytest.raises(CallFailed, match="in time"):
        await way.call("GET", f"https://{ON_LIST}/", headers={})
    with pytest.raises(CallFailed, match="in time"):
        await way.open_socket(f"wss://{ON_LIST}/", headers={})
    await way.aclose()


async def test_nobody_there_and_an_unknown_name_are_failures(outside: BrokerHttpClient) -> None:
    with pytest.raises(CallFailed, match=r"127\.0\.0\.1: no connection"):
        await outside.call("GET", f"http://127.0.0.1:{free_port()}/", headers={})

    async def resolve(_host: str, _port: int) -> Sequence[str]:
        raise socket.gaierror(-2, "Name or service not known")

    way = BrokerHttpClient(BROKERS_ONLY, resolve)
    with pytest.raises(CallFailed, match="no connection"):
        await way.call("GET", f"https://{ON_LIST}/", headers={})
    await way.aclose()


async def test_a_secret_is_in_no_log_and_no_exception(
    simulator: Simulator, outside: BrokerHttpClient, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    simulator.world.faults.append(Fault("GET /orders", "cut", times=1))
    told: list[str] = []
    for path in ("/orders", "/orders"):
        try:
            await outside.call(
                "GET",
                simulator.url + path,
                headers={"Authorization": "token k:CANARY"},
                query=[("access_token", "CANARY")],
            )
        except CallFailed as failure:
            told.append(f"{failure!r} {failure.__cause__!r} {failure.__suppress_context__}")
    try:
        await outside.open_socket(
            simulator.kite_ticker, headers={"X": "CANARY"}, query=[("access_token", "CANARY")]
        )
    except SocketRefused as refusal:
        told.append(repr(refusal))

    assert len(told) == 2
    assert "CANARY" not in caplog.text + "".join(told)
    assert told[0].endswith("None True")


async def test_cookies_and_proxies_are_not_taken_along(
    outside: BrokerHttpClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9/")
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9/")
    answer = b"HTTP/1.1 200 OK\r\nSet-Cookie: a=b\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    async with listening(answer) as (port, heard):
        for _ in range(2):
            await outside.call("GET", f"http://127.0.0.1:{port}/", headers={})

    assert len(heard) == 2
    assert b"ookie" not in heard[1]


def test_the_hosts_come_from_the_settings() -> None:
    assert HostRules.of(Settings()).hosts == frozenset(BROKER_HOSTS)
    assert "127.0.0.1" in HostRules.of(Settings(allow_loopback_brokers=True)).hosts

    own = HostRules.of(Settings(broker_hosts="kite.example.com, other.example.com:8443"))

    assert own.url_of("https://kite.example.com/").host == "kite.example.com"
    assert own.url_of("https://OTHER.example.com:8443/x").port == 8443
    for address in (
        "https://api.kite.trade/",
        "https://other.example.com/",
        "https://kite.example.com:8443/",
    ):
        with pytest.raises(CallRefused):
            own.url_of(address)


async def test_all_calls_to_a_host_share_a_circuit_breaker(outside: BrokerHttpClient) -> None:
    breaker = outside.circuit_breaker_of("https://api.kite.trade/x")
    for _ in range(5):
        breaker.record_failure()

    assert 29 < outside.circuit_breaker_of("https://API.kite.trade/y").acquire() <= 30
    assert outside.circuit_breaker_of("https://apiconnect.angelone.in/").acquire() == 0


def self_signed(folder: Path) -> ssl.SSLContext:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = clock.now()
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now.replace(year=now.year - 1))
        .not_valid_after(now.replace(year=now.year + 1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    path = folder / "both.pem"
    path.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        + certificate.public_bytes(serialization.Encoding.PEM)
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(path)
    return context
