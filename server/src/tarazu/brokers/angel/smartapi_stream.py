"""Angel One's stream, SmartAPI WebSocket 2.0: a packet a frame, little-endian."""

import json
from collections.abc import Collection, Iterable, Sequence
from itertools import count
from struct import Struct

import numpy as np
import numpy.typing as npt
from websockets.asyncio.client import ClientConnection

from tarazu.brokers.angel.smartapi import bare
from tarazu.brokers.http_client import BrokerHttpClient
from tarazu.brokers.protocol.port import BrokerApp, BrokerSession, FeedInstrument
from tarazu.brokers.protocol.ticks import DEAREST, Subscriptions, TickBatch, Whole, words_of
from tarazu.kit.array_lookup import Places, positions_in

STREAM_URL = "wss://smartapisocket.angelone.in/smart-stream"

LTP = 1
"""The cheapest mode; it says when a price was made."""
SUBSCRIBE, LEAVE = 1, 0
EXCHANGE_TYPES = {"NSE": 1, "NFO": 2, "BSE": 3, "BFO": 4, "MCX": 5, "CDS": 13}
CURRENCY = 13
CASH_SCALE = 100
"""Paise to ten-thousandths of a rupee."""
LENGTHS = {1: 51, 2: 123, 3: 379}
"""Of a packet, by its mode; newer fields may follow."""
HEAD = LENGTHS[LTP]
"""All that is read of a packet is in these bytes."""
TOKEN_BYTES = 25
KEY_END = 2 + TOKEN_BYTES
TOKENS_PER_MESSAGE = 500

MIN_ARRAY_SIZE = 12
"""Frames from which on an array of them is quicker."""
LONGEST_SHORT_TOKEN = 14
"""Characters of a token that fit, with the exchange's type and a NUL, into two integers."""

_TIME_AND_PRICE = Struct("<qq")
_TIME_AT = 35
_SPREAD = np.uint64(0x9E3779B97F4A7C15)
"""Odd, so that two numbers become one with few collisions; which are seen."""


class SmartApiStream:
    """The protocol of Angel One's stream, for one session, which also has a feed token."""

    broker = "ANGEL_ONE"
    most_tokens = 1000
    most_sockets = 3
    ping = "ping"
    gather = 0.02

    def __init__(self, app: BrokerApp, session: BrokerSession, url: str = STREAM_URL) -> None:
        self._url = url
        self._headers = {
            "Authorization": f"Bearer {bare(session.access_token)}",
            "x-api-key": app.api_key,
            "x-client-code": session.broker_user_id,
            "x-feed-token": session.feed_token,
        }
        self._numbers = count(1)
        self._tokens: dict[bytes, int] = {}
        self._table: _Table | None = None

    async def open(self, http: BrokerHttpClient) -> ClientConnection:
        """The tokens go in headers, never in the address."""
        return await http.open_socket(self._url, headers=self._headers)

    def subscribing(self, stocks: Collection[FeedInstrument]) -> Iterable[str]:
        self._tokens |= {_key_of(stock): stock.token for stock in stocks}
        self._table = None
        return self._messages(SUBSCRIBE, list(stocks))

    def leaving(self, stocks: Collection[FeedInstrument]) -> Iterable[str]:
        return self._messages(LEAVE, list(stocks))

    def carries(self, stock: FeedInstrument) -> bool:
        token = stock.angel_token
        is_number = token.isascii() and token.isdigit() and len(token) <= TOKEN_BYTES
        return is_number and stock.exchange in EXCHANGE_TYPES

    def read(
        self, frames: Sequence[bytes], subscriptions: Subscriptions, now: int, into: TickBatch
    ) -> None:
        """See the port. Unchanged prices are sent again and again: the book does not mind."""
        lengths = set(map(len, frames))
        if len(lengths) == 1 and min(lengths) >= HEAD and len(frames) >= MIN_ARRAY_SIZE:
            self._read_equals(frames, min(lengths), subscriptions, now, into)
            return
        read = [
            self._read_one(frame)
            for frame in frames
            if frame and len(frame) >= LENGTHS.get(frame[0], 1 << 30)
        ]
        if read:
            tokens, kinds, times, prices = np.array(read, dtype=np.int64).T
            _put((tokens, kinds, times, prices), subscriptions.has(tokens), now, into)

    def read_text(self, text: str) -> str:
        if text == "pong":
            return ""
        try:
            message = json.loads(text)
        except (ValueError, RecursionError):
            return "a text that is not JSON"
        if isinstance(message, dict) and message.get("errorCode"):
            return words_of(message.get("errorCode"))
        return ""

    def _read_one(self, frame: bytes) -> tuple[int, int, int, int]:
        made, price = _TIME_AND_PRICE.unpack_from(frame, _TIME_AT)
        return self._token_of(frame), frame[1], made, price

    def _read_equals(
        self,
        frames: Sequence[bytes],
        length: int,
        subscriptions: Subscriptions,
        now: int,
        into: TickBatch,
    ) -> None:
        """Many frames of one length."""
        # What is read of a packet, in frames of this length.
        names = ["mode", "kind", "first", "second", "time", "price"]
        formats = ["u1", "u1", "<u8", "<u8", "<i8", "<i8"]
        offsets = [0, 1, 1, 9, _TIME_AT, _TIME_AT + 8]
        layout = np.dtype(
            {"names": names, "formats": formats, "offsets": offsets, "itemsize": length}
        )
        heads = np.frombuffer(b"".join(frames), layout)
        table = self._table or self._make_table()
        places = table.places_of(heads)
        tokens, is_wanted = table.tokens[places], table.is_wanted(subscriptions)[places]
        for place in np.flatnonzero(places < 0).tolist():
            tokens[place] = token = self._token_of(frames[place])
            is_wanted[place] = token in subscriptions
        longest_mode = max(mode for mode, least in LENGTHS.items() if length >= least)
        is_wanted &= (heads["mode"] >= LTP) & (heads["mode"] <= longest_mode)
        _put((tokens, heads["kind"], heads["time"], heads["price"]), is_wanted, now, into)

    def _make_table(self) -> "_Table":
        self._table = _Table(self._tokens)
        return self._table

    def _token_of(self, frame: bytes) -> int:
        """Zerodha's token of a frame; 0 if it was never subscribed to."""
        key = frame[1:KEY_END]
        token = self._tokens.get(key)
        if token is None:
            # Bytes after the first NUL do not count.
            plain = key[:1] + key[1:].partition(b"\0")[0].ljust(TOKEN_BYTES, b"\0")
            token = self._tokens.get(plain, 0)
        return token

    def _messages(self, action: int, stocks: list[FeedInstrument]) -> Iterable[str]:
        for start in range(0, len(stocks), TOKENS_PER_MESSAGE):
            by_type: dict[int, list[str]] = {}
            for stock in stocks[start : start + TOKENS_PER_MESSAGE]:
                # Texts, unlike Zerodha's.
                by_type.setdefault(EXCHANGE_TYPES[stock.exchange], []).append(stock.angel_token)
            groups = [{"exchangeType": kind, "tokens": some} for kind, some in by_type.items()]
            yield json.dumps(
                {
                    "correlationID": f"t{next(self._numbers) % 10**8}",
                    "action": action,
                    "params": {"mode": LTP, "tokenList": groups},
                }
            )


class _Table:
    """What was ever subscribed to, as its bytes in frames, sorted by a hash of them."""

    def __init__(self, by_key: dict[bytes, int]) -> None:
        short = [key for key in by_key if not key[1 + LONGEST_SHORT_TOKEN]]
        pairs = np.frombuffer(b"".join(key[:16] for key in short), "<u8").reshape(-1, 2)
        sums = pairs[:, 0] + pairs[:, 1] * _SPREAD
        order = np.argsort(sums)
        self._sums, self._firsts = sums[order], pairs[order, 0]
        self._seconds = pairs[order, 1]
        # One more, to which a place of -1 leads: no instrument.
        self.tokens = np.array([*(by_key[short[place]] for place in order), 0], dtype=np.int64)
        self._wanted: list[tuple[Subscriptions, npt.NDArray[np.bool_]]] = []

    def places_of(self, heads: np.ndarray) -> Places:
        """The position of each frame's instrument; -1 for those that need a closer look."""
        first, second = heads["first"], heads["second"]
        places = positions_in(self._sums, first + second * _SPREAD)
        if len(self._sums):
            is_other = (self._firsts[places] != first) | (self._seconds[places] != second)
            if is_other.any():
                places[is_other] = -1
        return places

    def is_wanted(self, subscriptions: Subscriptions) -> npt.NDArray[np.bool_]:
        """Of each place, whether the instrument is among these."""
        for known, answer in self._wanted:
            if known is subscriptions:
                return answer
        answer = subscriptions.has(self.tokens)
        # One for each connection, whose subscriptions rarely change.
        self._wanted = [(subscriptions, answer), *self._wanted[: SmartApiStream.most_sockets - 1]]
        return answer


def _put(
    columns: tuple[Whole, Whole, Whole, Whole],
    is_wanted: npt.NDArray[np.bool_],
    now: int,
    into: TickBatch,
) -> None:
    """Hand on tokens with the exchange's types, milliseconds and prices of their frames."""
    tokens, kinds, times, prices = columns
    if not is_wanted.all():
        tokens, kinds, times, prices = (column[is_wanted] for column in columns)
    # A price that does not fit is none: it must not turn into another by running over.
    prices = np.where((prices > 0) & (prices <= DEAREST), prices, 0)
    units, is_currency = prices * CASH_SCALE, kinds == CURRENCY
    if is_currency.any():
        units[is_currency] = (prices[is_currency] + 500) // 1000
    into.add(tokens, units, times // 1000, now)


def _key_of(stock: FeedInstrument) -> bytes:
    """An instrument as the bytes in a frame: the exchange's type, and the token NUL-padded."""
    kind = bytes([EXCHANGE_TYPES[stock.exchange]])
    return kind + stock.angel_token.encode("ascii").ljust(TOKEN_BYTES, b"\0")
