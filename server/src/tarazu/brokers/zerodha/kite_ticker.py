"""Zerodha's ticker: frames of many packets, big-endian and unsigned, distinguished by their length."""

import json
from collections.abc import Collection, Iterable, Sequence
from struct import Struct

import numpy as np
from websockets.asyncio.client import ClientConnection

from tarazu.brokers.http_client import BrokerHttpClient
from tarazu.brokers.protocol.port import BrokerApp, BrokerSession, FeedInstrument
from tarazu.brokers.protocol.ticks import Subscriptions, TickBatch, Whole, words_of

TICKER_URL = "wss://ws.kite.trade"

MODE = "full"
"""The cheapest mode that says when a price was made."""
TOKENS_PER_MESSAGE = 1000
MIN_ARRAY_SIZE = 12
"""Packets of one length in a row from which on an array of them is quicker."""
LONGEST_LOOK = 4096
"""Packets that are looked at together, so that a frame made to mislead costs little."""

TIME_AT = {8: None, 28: None, 32: 28, 44: None, 184: 60}
"""The offset of the exchange's time in a packet of each length; None if it has none."""

CASH_SCALE = 100
"""Paise to ten-thousandths of a rupee."""
SCALES = {3: (1, 1000), 6: (1, 1), 12: (1, 1)}
"""Ten-thousandths of a rupee by units of other segments: CDS counts ten-millionths, and BCD and
NCO ten-thousandths, as a fraction."""

_SHORT = Struct(">H")
_TOKEN_AND_PRICE = Struct(">II")
_SECONDS = Struct(">I")


def _layout(length: int, time_at: int) -> np.dtype[np.void]:
    return np.dtype(
        {
            "names": ["length", "token", "price", "time"],
            "formats": [">u2", ">u4", ">u4", ">u4"],
            "offsets": [0, 2, 6, 2 + time_at],
            "itemsize": 2 + length,
        }
    )


LAYOUTS = {length: _layout(length, at if at is not None else 0) for length, at in TIME_AT.items()}


class KiteTicker:
    """The protocol of Kite's ticker, for any one session: prices are the same for everyone."""

    broker = "ZERODHA"
    most_tokens = 3000
    most_sockets = 3
    ping = ""
    gather = 0.0

    def __init__(self, app: BrokerApp, session: BrokerSession, url: str = TICKER_URL) -> None:
        self._url = url
        self._query = [("api_key", app.api_key), ("access_token", session.access_token)]

    async def open(self, http: BrokerHttpClient) -> ClientConnection:
        """The token is in the address: the broker offers no other way."""
        headers = {"X-Kite-Version": "3"}
        return await http.open_socket(self._url, headers=headers, query=self._query)

    def subscribing(self, stocks: Collection[FeedInstrument]) -> Iterable[str]:
        for tokens in _some(stocks):
            # Numbers: a text is passed over without a word.
            yield json.dumps({"a": "subscribe", "v": tokens})
            yield json.dumps({"a": "mode", "v": [MODE, tokens]})

    def leaving(self, stocks: Collection[FeedInstrument]) -> Iterable[str]:
        for tokens in _some(stocks):
            yield json.dumps({"a": "unsubscribe", "v": tokens})

    def carries(self, stock: FeedInstrument) -> bool:
        return 0 < stock.token < 1 << 32

    def read(
        self, frames: Sequence[bytes], subscriptions: Subscriptions, now: int, into: TickBatch
    ) -> None:
        for frame in frames:
            read_frame(frame, subscriptions, now, into)

    def read_text(self, text: str) -> str:
        try:
            message = json.loads(text)
        except (ValueError, RecursionError):
            return "a text that is not JSON"
        if isinstance(message, dict) and message.get("type") == "error":
            return words_of(message.get("data"))
        return ""


def read_frame(frame: bytes, subscriptions: Subscriptions, now: int, into: TickBatch) -> None:
    """Add the subscribed prices of a frame to a batch, without copying the frame.

    Packets of unknown length are passed over; a frame that says more than it holds is read as
    far as it goes. A frame of one byte is a sign of life.
    """
    if len(frame) < 4:  # noqa: PLR2004 - two counts
        return
    left, place = _SHORT.unpack_from(frame, 0)[0], 2
    odd: list[tuple[int, int, int]] = []
    while left and place + 2 <= len(frame):
        length = _SHORT.unpack_from(frame, place)[0]
        rows = _row_of_equals(frame, place, length, left)
        if rows is None:
            _read_packet(frame, place + 2, length, odd)
            left, place = left - 1, place + 2 + length
            continue
        _put_odd(odd, subscriptions, now, into)
        has_time = TIME_AT[length] is not None
        seconds = rows["time"].astype(np.int64) if has_time else np.zeros(len(rows), np.int64)
        _put(
            rows["token"].astype(np.int64),
            rows["price"].astype(np.int64),
            seconds,
            (subscriptions, now, into),
        )
        left, place = left - len(rows), place + len(rows) * (2 + length)
    _put_odd(odd, subscriptions, now, into)


def _row_of_equals(frame: bytes, place: int, length: int, left: int) -> np.ndarray | None:
    """The packets from `place` on that have one known length; None where they are few."""
    if length not in LAYOUTS:
        return None
    many = min(left, (len(frame) - place) // (2 + length), LONGEST_LOOK)
    last = place + (MIN_ARRAY_SIZE - 1) * (2 + length)
    if many < MIN_ARRAY_SIZE or _SHORT.unpack_from(frame, last)[0] != length:
        return None
    rows = np.frombuffer(frame, LAYOUTS[length], many, place)
    others = np.flatnonzero(rows["length"] != length)
    if len(others):
        rows = rows[: others[0]]
    return rows if len(rows) >= MIN_ARRAY_SIZE else None


def _read_packet(frame: bytes, start: int, length: int, odd: list[tuple[int, int, int]]) -> None:
    if length in TIME_AT and start + length <= len(frame):
        token, price = _TOKEN_AND_PRICE.unpack_from(frame, start)
        time_at = TIME_AT[length]
        second = 0 if time_at is None else _SECONDS.unpack_from(frame, start + time_at)[0]
        odd.append((token, price, second))


def _put_odd(
    odd: list[tuple[int, int, int]], subscriptions: Subscriptions, now: int, into: TickBatch
) -> None:
    """Hand on what was read packet by packet."""
    if odd:
        tokens, prices, seconds = np.array(odd, dtype=np.int64).T
        _put(tokens, prices, seconds, (subscriptions, now, into))
        odd.clear()


def _put(
    tokens: Whole, prices: Whole, seconds: Whole, where: tuple[Subscriptions, int, TickBatch]
) -> None:
    subscriptions, now, into = where
    is_wanted = subscriptions.has(tokens)
    if not is_wanted.all():
        tokens, prices, seconds = tokens[is_wanted], prices[is_wanted], seconds[is_wanted]
    into.add(tokens, units_of(tokens, prices), seconds, now)


def units_of(tokens: Whole, prices: Whole) -> Whole:
    """Ten-thousandths of a rupee, half up, of prices in the units of their tokens' segments."""
    units = prices * CASH_SCALE
    segments = tokens & 0xFF
    for segment, (above, below) in SCALES.items():
        is_so = segments == segment
        if is_so.any():
            units[is_so] = (2 * prices[is_so] * above + below) // (2 * below)
    return units


def _some(stocks: Collection[FeedInstrument]) -> Iterable[list[int]]:
    tokens = [stock.token for stock in stocks]
    for start in range(0, len(tokens), TOKENS_PER_MESSAGE):
        yield tokens[start : start + TOKENS_PER_MESSAGE]
