"""The two tickers, made up: sockets, and the encoding of their frames."""

import asyncio
import contextlib
import json
import struct
from collections.abc import Callable, Mapping
from typing import Any

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from tests.brokers.simulator.world import ANGEL, KITE, Login, World

CONNECTIONS = 3
KITE_TOKENS = 3000
ANGEL_SUBSCRIPTIONS = 1000
INDICES = 9
BEAT_EVERY = 1.0

ANGEL_SEGMENTS = {1: 1, 2: 2, 3: 4, 4: 5, 5: 7, 13: 3}
"""Zerodha's segment of Angel One's exchange type."""


def kite_packet(mode: str, token: int, paise: int, at: int) -> bytes:
    """One packet of Kite's: 8, 28, 32, 44 or 184 bytes, by mode and kind of instrument."""
    high, low, close = paise + 500, max(1, paise - 500), max(1, paise - 100)
    if mode == "ltp":
        return struct.pack(">II", token, paise)
    if token & 0xFF == INDICES:
        packet = struct.pack(">IIIIIIi", token, paise, high, low, paise, close, 100)
        return packet + (struct.pack(">I", at) if mode == "full" else b"")
    packet = struct.pack(">11I", token, paise, 6, paise, 120_722, 9, 9, paise, high, low, close)
    if mode == "quote":
        return packet
    depth = struct.pack(">IIHH", 100, paise, 1, 0) * 10
    return packet + struct.pack(">5I", at, 0, 0, 0, at) + depth


def kite_frame(packets: list[bytes]) -> bytes:
    frame = struct.pack(">H", len(packets))
    return frame + b"".join(struct.pack(">H", len(packet)) + packet for packet in packets)


def angel_packet(mode: int, exchange_type: int, token: str, price: int, at_ms: int) -> bytes:
    """One packet of Angel One's: 51, 123 or 379 bytes, by mode. `price` is in paise."""
    head = struct.pack("<BB25sqqq", mode, exchange_type, token.encode(), 1, at_ms, price)
    if mode == 1:
        return head
    quote = head + struct.pack("<qqqddqqqq", 2, price, 9, 5.0, 4.0, price, price, price, price)
    if mode == 2:
        return quote
    best = struct.pack("<hqqh", 1, 100, price, 1) * 10
    return (
        quote + struct.pack("<qqd", at_ms // 1000, 0, 0.0) + best + struct.pack("<4q", 9, 8, 7, 6)
    )


class Streams:
    def __init__(self, world: World) -> None:
        self.world = world

    def routes(self) -> list[WebSocketRoute]:
        return [
            WebSocketRoute("/", self.kite),
            WebSocketRoute("/smart-stream", self.angel),
        ]

    async def kite(self, socket: WebSocket) -> None:
        """Kite's ticker: big-endian frames of many packets."""
        world, asked = self.world, socket.query_params
        world.knocks[KITE] += 1
        login = world.logins.get(asked.get("access_token", ""))
        fault = world.fault_for("kite ticker")
        refused = fault and fault.kind == "revoked"
        dead = login is None or login.expires_at <= world.now()
        if refused or dead or asked.get("api_key") != world.api_keys[KITE]:
            await socket.send_denial_response(Response("", 403))
            return
        if fault and fault.kind in {"redirect", "503"}:
            away = {"Location": "ws://169.254.169.254/"}
            await socket.send_denial_response(
                Response("", 302, away) if fault.kind == "redirect" else Response("", 503)
            )
            return
        if world.sockets[KITE] >= CONNECTIONS:
            world.refused["kite ticker"] += 1
            await socket.send_denial_response(Response("", 429))
            return
        modes: dict[int, str] = {}

        async def hear(text: str) -> None:
            message = json.loads(text)
            action, told = message["a"], message["v"]
            if action == "mode":
                mode, tokens = told
                modes.update({token: mode for token in tokens if token in modes})
            elif action == "subscribe":
                # A text is no token: it is passed over without a word.
                new = [one for one in told if isinstance(one, int) and one not in modes]
                room = KITE_TOKENS - len(modes)
                modes.update(dict.fromkeys(new[:room], "quote"))
                if new[room:]:
                    await socket.send_json({"type": "error", "data": "Too many instruments"})
            elif action == "unsubscribe":
                for one in told:
                    modes.pop(one, None)

        def frame(tokens: set[int]) -> list[bytes]:
            at = int((world.traded_at or world.now()).timestamp())
            packets = [
                kite_packet(modes[token], token, world.paise.get(token, 10_000), at)
                for token in sorted(tokens & modes.keys())
            ]
            return [kite_frame(packets)] if packets else []

        await socket.accept()
        await socket.send_json({"type": "instruments_meta", "data": {"count": 1, "etag": "x"}})
        await socket.send_json({"type": "app_code", "timestamp": world.now().isoformat()})
        await self._serve(socket, KITE, lambda: set(modes), frame, hear, b"\x00")

    async def angel(self, socket: WebSocket) -> None:
        """Angel One's stream: little-endian frames of one packet, and `ping` answered."""
        world, headers = self.world, socket.headers
        world.knocks[ANGEL] += 1
        login = world.logins.get(headers.get("authorization", "").removeprefix("Bearer "))
        fault = world.fault_for("angel stream")
        if fault and fault.kind == "503":
            await socket.send_denial_response(Response("", 503))
            return
        is_revoked = fault is not None and fault.kind == "revoked"
        wrong = "Auth token" if is_revoked or login is None else self._wrong_of(headers, login)
        if wrong or socket.query_params:
            told = {"x-error-message": f"Invalid Header - Invalid {wrong}"}
            await socket.send_denial_response(Response("", 401, told))
            return
        kept: dict[tuple[int, str], int] = {}

        async def hear(text: str) -> None:
            if text == "ping":
                if "muted" in socket.scope:
                    return
                await socket.send_text("pong")
                return
            code = _take_subscription(json.loads(text), kept)
            if code:
                await socket.send_json({"correlationID": "x", "errorCode": code})

        def tokens() -> set[int]:
            return {_zerodha(*key) for key in kept}

        def frames(moved: set[int]) -> list[bytes]:
            at = int((world.traded_at or world.now()).timestamp() * 1000)
            return [
                angel_packet(mode, *key, world.paise.get(_zerodha(*key), 10_000), at)
                for key, mode in kept.items()
                if _zerodha(*key) in moved
            ]

        await socket.accept()
        await self._serve(socket, ANGEL, tokens, frames, hear, b"")

    def _wrong_of(self, headers: Headers, login: Login) -> str:
        """Which header of a handshake is wrong; empty for none."""
        if login.expires_at <= self.world.now():
            return "Auth token"
        if headers.get("x-api-key") != self.world.api_keys[ANGEL]:
            return "API Key"
        if headers.get("x-client-code") != login.user_id:
            return "Client Code"
        return "" if headers.get("x-feed-token") == login.feed else "Feed Token"

    async def _serve(
        self,
        socket: WebSocket,
        broker: str,
        tokens: Callable[[], set[int]],
        frames: Callable[[set[int]], list[bytes]],
        hear: Callable[[str], Any],
        beat: bytes,
    ) -> None:
        self.world.sockets[broker] += 1
        told: set[int] = set()
        listening = asyncio.create_task(_listen(socket, hear))
        beating = 0.0
        try:
            while not listening.done():
                # Who goes away is counted off at once.
                await asyncio.wait([listening], timeout=self.world.tick_every)
                if listening.done():
                    break
                fault = self.world.fault_for(f"{broker} frame")
                if fault and not await _spoil(socket, fault.kind, listening):
                    continue
                wanted = tokens()
                moved = self.world.move_prices(wanted) if self.world.traded_at is None else set()
                # All that is new at once, like the real ones, then what moved.
                for frame in frames(moved | (wanted - told)):
                    await socket.send_bytes(frame)
                told = wanted
                beating += self.world.tick_every
                if beat and beating >= BEAT_EVERY:
                    beating = 0.0
                    await socket.send_bytes(beat)
        except (WebSocketDisconnect, RuntimeError):
            # The client went away, or a fault dropped the line.
            return
        finally:
            listening.cancel()
            with contextlib.suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError):
                await listening
            self.world.sockets[broker] -= 1


async def _listen(socket: WebSocket, hear: Callable[[str], Any]) -> None:
    while True:
        await hear(await socket.receive_text())


async def _spoil(socket: WebSocket, kind: str, listening: asyncio.Task[None]) -> bool:
    """Do a fault to the line; whether the frame is still to be sent."""
    if kind == "drop":
        socket.scope["extensions"]["tests.abort"]["abort"]()
        await asyncio.wait([listening])
        return False
    if kind == "silence":
        socket.scope["muted"] = True
        await asyncio.wait([listening])
        return False
    spoilt: Mapping[str, bytes] = {
        "overrun": struct.pack(">HH", 9, 44) + b"\x00" * 20,
        "garbage": bytes(range(256)),
        "unknown": kite_frame([b"\x01" * 50, struct.pack(">II", 408065, 150_000)]),
        "foreign": kite_frame([struct.pack(">II", 999_999_999, 100), b"\x00" * 8]),
    }
    if kind == "text":
        await socket.send_text('{"type":"error","data":"Something went wrong"}')
    elif kind == "not json":
        await socket.send_text("{nothing")
    else:
        await socket.send_bytes(spoilt[kind])
    return True


def _take_subscription(message: Any, kept: dict[tuple[int, str], int]) -> str:
    """Take in a subscription; the code of what is wrong with it, or nothing."""
    try:
        params = message["params"]
        keys = [
            (group["exchangeType"], token)
            for group in params["tokenList"]
            for token in group["tokens"]
        ]
        fits = len(message["correlationID"]) <= 10 and params["mode"] in {1, 2, 3}
        fits = fits and all(
            isinstance(token, str) and kind in ANGEL_SEGMENTS for kind, token in keys
        )
    except (KeyError, TypeError):
        fits, keys = False, []
    if not fits:
        return "E1001"
    if message["action"] == 0:
        for key in keys:
            kept.pop(key, None)
        return ""
    if len(kept.keys() | set(keys)) > ANGEL_SUBSCRIPTIONS:
        return "E1002"
    kept.update(dict.fromkeys(keys, params["mode"]))
    return ""


def _zerodha(exchange_type: int, token: str) -> int:
    return int(token) * 256 + ANGEL_SEGMENTS[exchange_type]
