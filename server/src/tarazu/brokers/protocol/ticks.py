"""Ticks as arrays, and what each broker does in its own way on a price socket."""

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt
from websockets.asyncio.client import ClientConnection

from tarazu.brokers.http_client import BrokerHttpClient
from tarazu.brokers.protocol.port import FeedInstrument
from tarazu.kit.array_lookup import positions_in

OLDEST_SECOND = 946_684_800
"""The year 2000: earlier exchange times are none."""
DEAREST = 10**12
"""In ten-thousandths of a rupee; a higher price is an error in the frame."""
Whole = npt.NDArray[np.int64]
Deliver = Callable[[Whole, Whole, Whole], None]
"""Takes prices in the order in which they came: Zerodha's tokens, ten-thousandths of a rupee, and
the seconds since 1970 in which they were made."""


class Subscriptions:
    """Instruments by Zerodha's token, to look up one or many at once."""

    def __init__(self, stocks: Iterable[FeedInstrument] = ()) -> None:
        self.stocks = {stock.token: stock for stock in stocks}
        self._tokens = np.sort(np.fromiter(self.stocks, np.int64, len(self.stocks)))

    def __len__(self) -> int:
        return len(self.stocks)

    def __contains__(self, token: int) -> bool:
        return token in self.stocks

    def has(self, tokens: Whole) -> npt.NDArray[np.bool_]:
        """For each of these tokens, whether it is subscribed to."""
        return positions_in(self._tokens, tokens) >= 0


class TickBatch:
    """Prices that came and were not delivered yet, in their order."""

    def __init__(self) -> None:
        self._parts: list[tuple[Whole, Whole, Whole]] = []

    def add(self, tokens: Whole, units: Whole, seconds: Whole, now: int) -> None:
        """Take in prices; a time that cannot be counts as now, so that it blocks no later one.

        Args:
            tokens: Zerodha's.
            units: ten-thousandths of a rupee; prices not above 0, or too high, are left out.
            seconds: since 1970, by the exchange; 0 for none.
            now: the same, by our clock.
        """
        fit = (units > 0) & (units <= DEAREST)
        if not fit.all():
            tokens, units, seconds = tokens[fit], units[fit], seconds[fit]
        if len(tokens):
            is_time = (seconds > OLDEST_SECOND) & (seconds <= now)
            self._parts.append((tokens, units, np.where(is_time, seconds, now)))

    def take(self) -> tuple[Whole, Whole, Whole] | None:
        """All of them: tokens, units, seconds; None where there are none. Empty after that."""
        parts, self._parts = self._parts, []
        if len(parts) <= 1:
            return parts[0] if parts else None
        tokens, units, seconds = (np.concatenate(column) for column in zip(*parts, strict=True))
        return tokens, units, seconds


class TickerProtocol(Protocol):
    """The messages and frames of a broker's socket."""

    broker: str
    most_tokens: int
    most_sockets: int
    ping: str
    """A text that is sent now and then; empty if the broker sends heartbeats itself."""
    gather: float
    """Seconds that frames are gathered before they are read together; 0 reads each at once."""

    async def open(self, http: BrokerHttpClient) -> ClientConnection:
        """A new socket, on which nothing is subscribed."""

    def subscribing(self, stocks: Collection[FeedInstrument]) -> Iterable[str]:
        """The messages that subscribe to these."""

    def leaving(self, stocks: Collection[FeedInstrument]) -> Iterable[str]:
        """The messages that end these subscriptions."""

    def carries(self, stock: FeedInstrument) -> bool:
        """Whether the broker has such an instrument on its sockets."""

    def read(
        self, frames: Sequence[bytes], subscriptions: Subscriptions, now: int, into: TickBatch
    ) -> None:
        """Add the subscribed prices of frames to a batch; what cannot be read is skipped."""

    def read_text(self, text: str) -> str:
        """The error in a text message; empty for everything else."""


def words_of(message: object) -> str:
    """A broker's error message, printable and short; anything but text is not repeated."""
    text = message if isinstance(message, str) and message else "an error"
    return "".join(character if character.isprintable() else " " for character in text[:120])
