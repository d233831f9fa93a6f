"""Tokens and sockets that must not work: after their session's end, and those never admitted."""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import aiohttp
import pytest

from tarazu.kit import clock, security
from tarazu.kit.audit_log import SYSTEM
from tarazu.people import service as people
from tarazu.people.service import Login, NewPerson
from tarazu.people.tables import Role
from tests.auth.conftest import Post
from tests.security.figures import tell
from tests.security.running import Running

pytestmark = [pytest.mark.anyio, pytest.mark.long]

SECONDS = 5.0
PASSWORD = "eight elms 8"
DEAD = "Session expired. Please log in again."


@asynccontextmanager
async def socket_of(
    running: Running, token: str, origin: str | None = None
) -> AsyncIterator[tuple[aiohttp.ClientWebSocketResponse, str]]:
    """A socket that authenticates, and the answer to it."""
    address = f"{running.url}/socket.io/?EIO=4&transport=websocket"
    headers = {"Origin": origin} if origin else {}
    async with aiohttp.ClientSession() as web, web.ws_connect(address, headers=headers) as opened:
        assert str((await opened.receive()).data).startswith("0{")
        await opened.send_str("40" + json.dumps({"token": token} if token else {}))
        yield opened, str((await opened.receive()).data)


async def seconds_until_closed(
    opened: aiohttp.ClientWebSocketResponse, began: float = 0.0
) -> float:
    """How long it receives anything, from `began`."""
    async with asyncio.timeout(3 * SECONDS):
        while True:
            heard = await opened.receive()
            if heard.type is not aiohttp.WSMsgType.TEXT or str(heard.data).startswith("41"):
                return time.monotonic() - began


def staff_of(running: Running, email: str) -> str:
    """Somebody of the firm with a password; the account's id."""
    person = NewPerson("Ravi Rao", email)
    with running.database.transaction() as session:
        login = Login(Role.USER, security.hash_password(PASSWORD))
        return str(people.add_staff(session, SYSTEM, clock.now(), person, login).id)


async def test_what_ends_a_session_ends_its_token_and_its_socket(running: Running) -> None:
    admin = running.admin

    def reset(email: str, account: str, token: str) -> None:
        running.post("/auth/forget-password/request", {"email": email})
        link = Post(running.database).link(email)
        body = {"password": "nine firs 9!"}
        assert running.post(f"/auth/forget-password/confirm/{link}", body).status_code == 200

    def edit(account: str, **changes: str) -> None:
        answer = running.call("PUT", "/users/edit", {"id": account, **changes}, token=admin)
        assert answer.status_code == 200, answer.text

    causes: dict[str, Callable[[str, str, str], object]] = {
        "logout": lambda email, account, token: running.post("/auth/logout", token=token),
        "deactivation": lambda email, account, token: edit(account, status="INACTIVE"),
        "deletion": lambda email, account, token: running.post(
            "/users/delete", {"userId": account}, token=admin
        ),
        "role change": lambda email, account, token: edit(account, role="ADMIN"),
        "reset": reset,
    }
    dead, ends = [], {}
    async with AsyncExitStack() as stack:
        other, said = await stack.enter_async_context(socket_of(running, admin))
        assert said.startswith("40{")
        for number, (cause, act) in enumerate(causes.items()):
            email = f"staff{number}@desk.example"
            account = staff_of(running, email)
            token = running.log_in(email, PASSWORD)
            opened, said = await stack.enter_async_context(socket_of(running, token))
            assert said.startswith("40{"), said
            assert running.get("/profile", token=token).status_code == 200
            ends[cause] = asyncio.create_task(seconds_until_closed(opened, time.monotonic()))
            await asyncio.to_thread(act, email, account, token)
            answer = running.get("/profile", token=token)
            if (answer.status_code, answer.json()["message"]) == (401, DEAD):
                dead.append(cause)
        lasted = dict(zip(ends, await asyncio.gather(*ends.values()), strict=True))
        assert not other.closed

    slowest = max(lasted.values())
    tell("S2", "dead at the next call", f"{len(dead)} of {len(causes)}", "5 of 5")
    tell("S2", "its socket closed after", f"{slowest:.1f} s at most", f"{SECONDS:.0f} s")
    assert dead == list(causes)
    assert slowest <= SECONDS


async def _no_token(running: Running) -> bool:
    async with socket_of(running, "") as (_, said):
        return "Unauthorized" in said


async def _dead_token(running: Running) -> bool:
    staff_of(running, "gone@desk.example")
    token = running.log_in("gone@desk.example", PASSWORD)
    running.post("/auth/logout", token=token)
    async with socket_of(running, token) as (_, said):
        return "Unauthorized" in said


async def _foreign_origin(running: Running) -> bool:
    try:
        async with socket_of(running, running.admin, "https://elsewhere.example"):
            return False
    except aiohttp.WSServerHandshakeError as refused:
        return refused.status == 403


async def _client_event(running: Running) -> bool:
    """An event of a client reaches nobody, not even its sender, and has no answer."""
    async with (
        socket_of(running, running.admin) as (sender, _),
        socket_of(running, running.admin) as (other, _),
    ):
        for message in ('42["ticks",{"1":1}]', '421["progress",{"id":"1"}]'):
            await sender.send_str(message)
        heard: list[Any] = []
        for opened in (sender, other):
            try:
                async with asyncio.timeout(1):
                    while True:
                        heard.append((await opened.receive()).data)
            except TimeoutError:
                pass
        return not any(
            '{"1":1}' in str(one) or "43" in str(one)[:2] or '"id"' in str(one) for one in heard
        )


async def _too_long(running: Running) -> bool:
    async with socket_of(running, running.admin) as (opened, _):
        await opened.send_str("42" + "x" * 9_999)
        await seconds_until_closed(opened)
        return opened.closed


async def test_five_kinds_of_socket_are_refused(running: Running) -> None:
    tries = (_no_token, _dead_token, _foreign_origin, _client_event, _too_long)
    refused = [one.__name__ for one in tries if await one(running)]

    async with socket_of(running, running.admin) as (opened, said):
        assert said.startswith("40{")
        await opened.send_str("42" + "x" * 9_998)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.5):
                await seconds_until_closed(opened)
    tell("S12", "sockets refused", f"{len(refused)} of {len(tries)}", "5 of 5")
    assert refused == [one.__name__ for one in tries]
