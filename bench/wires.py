"""Many browsers in one process: a Socket.IO client's side of the wire, written for little cost.

A browser here is one protocol object that reads into a room shared by all, keeps the first bytes
of each message and counts the rest, so that a thousand of them see a thousand frames at four a
second and still know when each came. A price tells the millisecond in which it was made.
"""

import asyncio
import base64
import json
import os
import socket
import struct
import time
import zlib
from dataclasses import dataclass, field

HEAD = 96
"""Bytes of a message that are looked at: up to the first price."""
TURN = 1_000_000_000
OFFER = "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n"
AGREED = b"permessage-deflate"
CONNECTING_AT_ONCE = 20
TEXT, PING, PONG = 1, 9, 10


def millisecond() -> float:
    """Now, in milliseconds, as a price of at most nine digits."""
    return time.time() * 1000 % TURN


@dataclass
class Crowd:
    """What browsers of one kind have seen.

    `ages` are milliseconds from a price made to its frame read, while `is_counting`.
    """

    ages: list[float] = field(default_factory=list)
    frames: int = 0
    admitted: int = 0
    refused: int = 0
    lost: int = 0
    older_after_newer: int = 0
    deflated: int = 0
    is_counting: bool = False
    room: bytearray = field(default_factory=lambda: bytearray(1 << 18))
    browsers: list["Browser"] = field(default_factory=list)

    async def join(
        self, port: int, path: str, tokens: list[str], *, offers: bool = False, room: int = 0
    ) -> None:
        """A browser for each token (the same one may be repeated); all are admitted after.

        Args:
            offers: whether they offer to deflate.
            room: bytes that the kernel keeps of what a browser did not read yet; 0 is its usual.
        """
        awaited = self.admitted + len(tokens)
        for start in range(0, len(tokens), CONNECTING_AT_ONCE):
            some = tokens[start : start + CONNECTING_AT_ONCE]
            made = [Browser(self, path, token, offers) for token in some]
            await asyncio.gather(*(one.connect(port, room) for one in made))
            self.browsers += made
        end = time.monotonic() + 60
        while self.admitted < awaited:
            if time.monotonic() > end or self.refused:
                raise RuntimeError(f"{awaited - self.admitted} browsers were not admitted")
            await asyncio.sleep(0.05)

    def leave(self) -> None:
        """All go away."""
        for browser in self.browsers:
            browser.close()
        self.browsers = []
        self.admitted = 0


class Browser(asyncio.BufferedProtocol):
    """One websocket: the handshake, pings, and the head of every message."""

    def __init__(self, crowd: Crowd, path: str, token: str, offers: bool) -> None:
        self.crowd, self.path, self.token, self.offers = crowd, path, token, offers
        self.transport: asyncio.Transport | None = None
        self.is_open = self.is_leaving = False
        self.greeting = bytearray()
        self.head = bytearray()
        self.left = self.opcode = 0
        self.is_deflated = False
        self.inflate: "zlib._Decompress | None" = None
        self.made = 0.0

    async def connect(self, port: int, room: int) -> None:
        loop, way = asyncio.get_running_loop(), socket.socket()
        if room:
            way.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room)
        way.setblocking(False)
        await loop.sock_connect(way, ("127.0.0.1", port))
        await loop.create_connection(lambda: self, sock=way)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self.transport = transport
        key = base64.b64encode(os.urandom(16)).decode()
        transport.write(
            f"GET {self.path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n"
            f"{OFFER if self.offers else ''}\r\n".encode()
        )

    def connection_lost(self, exc: Exception | None) -> None:
        self.crowd.lost += not self.is_leaving

    def close(self) -> None:
        self.is_leaving = True
        assert self.transport is not None
        self.transport.abort()

    def stall(self) -> None:
        """Read nothing from now on."""
        assert self.transport is not None
        self.transport.pause_reading()

    def go_on(self) -> None:
        """Read again, what had been left included."""
        assert self.transport is not None
        self.transport.resume_reading()

    def get_buffer(self, sizehint: int) -> bytearray:
        # Filled and read in one turn of the event loop, so that one room serves all.
        return self.crowd.room

    def buffer_updated(self, count: int) -> None:
        came = memoryview(self.crowd.room)[:count]
        place = 0
        if not self.is_open:
            self.greeting += came
            end = self.greeting.find(b"\r\n\r\n")
            if end < 0:
                return
            if not self.greeting.startswith(b"HTTP/1.1 101"):
                self.crowd.refused += 1
                return
            self.is_open = True
            if AGREED in self.greeting[:end].lower():
                self.inflate = zlib.decompressobj(-15)
                self.crowd.deflated += 1
            came = memoryview(bytes(self.greeting[end + 4 :]))
            self.greeting.clear()
        while place < len(came):
            place = self._take(came, place)

    def _take(self, came: memoryview, place: int) -> int:
        """Read on from a place; where to read on next."""
        if self.left == 0:
            return self._begin(came, place)
        step = min(self.left, len(came) - place)
        wanted = step if self.inflate else min(step, HEAD - len(self.head))
        if wanted > 0:
            self.head += came[place : place + wanted]
        self.left -= step
        if self.left == 0:
            message, self.head = self.head, bytearray()
            self._hear(bytes(message))
        return place + step

    def _begin(self, came: memoryview, place: int) -> int:
        """Read a frame's header, which may come in pieces."""
        while place < len(came):
            self.greeting.append(came[place])
            place += 1
            first = self.greeting
            if len(first) < 2:
                continue
            short = first[1] & 0x7F
            size = 2 if short < 126 else 4 if short == 126 else 10
            if len(first) < size:
                continue
            self.left = short if size == 2 else int.from_bytes(first[2:size], "big")
            self.opcode, self.is_deflated = first[0] & 0xF, bool(first[0] & 0x40)
            first.clear()
            if not self.left:
                self._hear(b"")
            break
        return place

    def _hear(self, message: bytes) -> None:
        if self.opcode == PING:
            self._say(message, PONG)
        if self.opcode != TEXT:
            return
        if self.is_deflated and self.inflate is not None:
            message = self.inflate.decompress(message + b"\x00\x00\xff\xff")
        if message.startswith(b'42["ticks",{"'):
            self._note(message[:HEAD])
        elif message == b"2":
            self._say(b"3")
        elif message.startswith(b"0{"):
            self._say(b"40" + json.dumps({"token": self.token}).encode())
        elif message.startswith(b"40"):
            self.crowd.admitted += 1
        elif message.startswith(b"44"):
            self.crowd.refused += 1

    def _note(self, head: bytes) -> None:
        price = head[head.index(b":") + 1 :].split(b",", 1)[0].rstrip(b"}]")
        made, crowd = float(price) * 100, self.crowd
        # A browser that was stopped before the market began has no time for a price.
        if made < self.made - 0.5:
            crowd.older_after_newer += 1
        self.made = made
        if crowd.is_counting:
            crowd.frames += 1
            crowd.ages.append(millisecond() - made)

    def _say(self, payload: bytes, opcode: int = TEXT) -> None:
        length = len(payload)
        first = 0x80 | opcode
        size = (
            struct.pack("!BB", first, 0x80 | length)
            if length < 126
            else struct.pack("!BBH", first, 0x80 | 126, length)
        )
        assert self.transport is not None
        # Masked with nothing, as the protocol allows and no browser does.
        self.transport.write(size + bytes(4) + payload)
