"""The limit that live prices are compared with: a bare ASGI application that writes to all it has.

It does nothing else: no admission, no pings, no slow reader is looked after, nothing is merged.
Steered by `GET /writes` (each transport gets the same framed bytes), `GET /sends` (each browser
is sent the same text by way of ASGI) and `GET /rests`.
"""

import asyncio
import contextlib
import struct
import sys

import uvicorn
from wires import millisecond

EVERY = 0.25
OPENING = '0{"sid":"bench","upgrades":[],"pingInterval":25000,"pingTimeout":20000}'


class Raw:
    def __init__(self, tokens: list[int]) -> None:
        self.tokens = tokens
        self.way = "rests"
        self.browsers: dict[object, asyncio.WriteTransport] = {}
        self.task: asyncio.Task[None] | None = None

    async def __call__(self, scope, receive, send) -> None:  # noqa: ANN001
        if scope["type"] == "http":
            self.way = scope["path"].strip("/")
            self.task = self.task or asyncio.create_task(self.write_on())
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": b"ok"})
            return
        await receive()
        await send({"type": "websocket.accept"})
        await send({"type": "websocket.send", "text": OPENING})
        await receive()
        await send({"type": "websocket.send", "text": '40{"sid":"bench"}'})
        self.browsers[send] = send.__self__.transport
        try:
            while (await receive())["type"] != "websocket.disconnect":
                pass
        finally:
            del self.browsers[send]

    async def write_on(self) -> None:
        while True:
            await asyncio.sleep(EVERY)
            if self.way == "rests":
                continue
            price = f"{round(millisecond()) / 100:.2f}".rstrip("0").rstrip(".")
            rows = ",".join(f'"{token}":{price}' for token in self.tokens)
            text = f'42["ticks",{{{rows}}}]'
            if self.way == "sends":
                message = {"type": "websocket.send", "text": text}
                for send in list(self.browsers):
                    with contextlib.suppress(Exception):
                        await send(message)
                continue
            payload = text.encode()
            frame = struct.pack("!BBH", 0x81, 126, len(payload)) + payload
            for transport in self.browsers.values():
                transport.write(frame)


def serve(port: int, tokens: int) -> None:
    app = Raw([number * 256 + 1 for number in range(3_000_001, 3_000_001 + tokens)])
    uvicorn.run(
        app,
        host="127.0.0.1",
        port=port,
        log_level="error",
        lifespan="off",
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=1,
    )


if __name__ == "__main__":
    serve(int(sys.argv[1]), int(sys.argv[2]))
