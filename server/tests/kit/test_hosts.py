"""At which names the product answers, and whom it names for reports of weaknesses."""

import datetime as dt
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from tarazu.app import create_app
from tarazu.kit import clock
from tarazu.kit.hosts import Hosts, KnownHostsMiddleware
from tarazu.kit.settings import MalformedSettings, Settings
from tests.conftest import KEYS
from tests.people_of import reply_of

DESK = Settings(public_url="https://desk.example.com", allowed_hosts="office.example,10.0.0.5")
AT_HOME = Settings(public_url="http://localhost:8000", allowed_hosts="")


@pytest.mark.parametrize(
    "host",
    ["desk.example.com", "DESK.example.com:443", "office.example:8443", "10.0.0.5", "[::1]:8000"],
)
def test_names_of_the_installation_are_taken(host: str) -> None:
    assert Hosts(DESK).has(host)


@pytest.mark.parametrize(
    "host",
    [
        "",
        "evil.example",
        "desk.example.com.evil.example",
        "evil.example:443@desk.example.com",
        "desk.example.com; script-src *",
        "10.0.0.6",
        "[::1",
        "desk.example.com/evil",
    ],
)
def test_other_names_are_not(host: str) -> None:
    assert not Hosts(DESK).has(host)


def test_an_installation_without_a_public_url_is_reached_by_any_address_in_numbers() -> None:
    assert Hosts(AT_HOME).has("192.168.1.7:8000")
    assert Hosts(AT_HOME).has("[fe80::1]:8000")
    assert not Hosts(AT_HOME).has("rebound.example:8000")


def test_a_call_for_another_name_reaches_nothing(web: TestClient) -> None:
    for path in ("/api/v1/profile", "/auth/login", "/.well-known/security.txt"):
        answer = web.get(path, headers={"Host": "rebound.example"})

        assert reply_of(answer) == (400, "Tarazu does not answer at this address.")
        assert "rebound" not in str(answer.headers)


def test_a_socket_for_another_name_is_not_opened() -> None:
    async def greet(socket: WebSocket) -> None:
        await socket.accept()
        await socket.send_text("hello")
        await socket.close()

    inside = Starlette(routes=[WebSocketRoute("/socket.io", greet)])
    web = TestClient(KnownHostsMiddleware(inside, DESK))
    rebound = {"Host": "rebound.example", "Origin": "http://rebound.example"}

    with web.websocket_connect("/socket.io", headers={"Host": "office.example"}) as opened:
        assert opened.receive_text() == "hello"
    with (
        pytest.raises(WebSocketDisconnect),
        web.websocket_connect("/socket.io", headers=rebound),
    ):
        pass


def test_machines_may_ask_for_the_health_by_any_name(web: TestClient) -> None:
    answer = web.get("/health/live", headers={"Host": "10.1.2.3; script-src *"})

    assert answer.json() == {"live": True}
    assert "10.1.2.3" not in answer.headers["Content-Security-Policy"]


def test_the_contact_for_weaknesses_is_named_where_there_is_one(
    web: TestClient, tmp_path: Path
) -> None:
    settings = Settings(
        data_dir=tmp_path / "named",
        secrets_keys=KEYS,
        public_url="https://desk.example.com",
        security_contact="mailto:security@desk.example.com",
    )
    with TestClient(create_app(settings)) as named:
        answer = named.get("/.well-known/security.txt")

    lines = dict(line.split(": ", 1) for line in answer.text.splitlines())
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert lines["Contact"] == "mailto:security@desk.example.com"
    assert lines["Canonical"] == "https://desk.example.com/.well-known/security.txt"
    until = dt.datetime.fromisoformat(lines["Expires"])
    assert dt.timedelta(days=90) < until - clock.now() < dt.timedelta(days=365)
    assert web.get("/.well-known/security.txt").status_code == 404


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("allowed_hosts", "https://desk.example.com"),
        ("allowed_hosts", "desk.example.com:8000"),
        ("security_contact", "security@example.com"),
        ("security_contact", "mailto:a@b.in\nEvil: 1"),
    ],
)
def test_values_that_do_not_fit_are_named(name: str, value: str) -> None:
    with pytest.raises(MalformedSettings, match=f"TARAZU_{name.upper()}"):
        Settings.read(**{name: value})
