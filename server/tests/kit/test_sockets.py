"""Frames on the wire, and what a slow reader gets."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from websockets.frames import Opcode
from websockets.protocol import CLIENT, OPEN, Protocol

from tarazu.kit.sockets import LONGEST_BEHIND, MOST_WAITING, SocketConnection, frame_of

pytestmark = pytest.mark.anyio

BIG = frame_of("ticks", '"' + "x" * 200_000 + '"')
SMALL = frame_of("ticks", '{"1":2}')
WHOLE = frame_of("ticks", '{"1":3,"4":5}')


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@asynccontextmanager
async def line_to_peer() -> AsyncIterator[tuple[SocketConnection, asyncio.StreamReader]]:
    """A line over a real socket whose other end reads only when asked to."""
    ours, theirs = socket.socketpair()
    reader, answers = await asyncio.open_connection(sock=theirs, limit=1024)
    _, writer = await asyncio.open_connection(sock=ours)
    try:
        yield SocketConnection(writer.transport, 0.0, is_open=True), reader
    finally:
        writer.transport.abort()
        answers.close()
        await asyncio.sleep(0)


async def drain(line: SocketConnection, reader: asyncio.StreamReader) -> bytes:
    """Read until nothing waits any more; all that came."""
    came = b""
    while line.transport.get_write_buffer_size():
        came += await reader.read(1 << 16)
    try:
        async with asyncio.timeout(0.1):
            while True:
                came += await reader.read(1 << 16)
    except TimeoutError:
        return came


def fill(line: SocketConnection) -> None:
    while line.transport.get_write_buffer_size() <= MOST_WAITING:
        line.transport.write(BIG)


@pytest.mark.parametrize("size", [0, 100, 111, 112, 113, 65_520, 65_521, 65_522, 65_523, 200_000])
async def test_a_frame_of_any_size_is_read_back_by_an_independent_parser(size: int) -> None:
    browser = Protocol(CLIENT, state=OPEN, max_size=None)

    browser.receive_data(frame_of("ticks", '"' + "₹" * (size // 3) + "x" * (size % 3) + '"'))

    (frame,) = browser.events_received()
    assert frame.opcode is Opcode.TEXT  # type: ignore[union-attr]
    text = frame.data.decode()  # type: ignore[union-attr]
    assert text == '42["ticks","' + "₹" * (size // 3) + "x" * (size % 3) + '"]'


async def test_a_slow_reader_is_skipped_and_then_given_the_whole() -> None:
    async with line_to_peer() as (line, reader):
        fill(line)
        waiting = line.transport.get_write_buffer_size()
        for now in (1.0, 2.0, 3.0):
            line.send(SMALL, lambda: WHOLE, now)
        skipped = line.transport.get_write_buffer_size() == waiting
        before = await drain(line, reader)
        line.send(SMALL, lambda: WHOLE, 4.0)
        line.send(SMALL, lambda: WHOLE, 5.0)
        after = await drain(line, reader)

        assert skipped
        assert SMALL not in before
        assert after == WHOLE + SMALL


async def test_a_reader_that_never_catches_up_is_dropped() -> None:
    async with line_to_peer() as (line, _):
        fill(line)
        line.send(SMALL, lambda: WHOLE, 100.0)
        line.send(SMALL, lambda: WHOLE, 100.0 + LONGEST_BEHIND)
        was_open = line.is_open
        line.send(SMALL, lambda: WHOLE, 100.1 + LONGEST_BEHIND)

        assert was_open
        assert not line.is_open
        assert line.transport.is_closing()


async def test_a_closed_connection_is_skipped_without_an_error() -> None:
    async with line_to_peer() as (line, _):
        line.transport.abort()

        line.send(SMALL, lambda: WHOLE, 1.0)

        assert not line.is_open
