"""What goes into the matching of advice with trades, and what comes out.

What there are very many of is a named tuple: to make one takes a third of the time.
"""

import datetime as dt
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple

from tarazu.domain.charges import Side
from tarazu.domain.money import ZERO, Rupees


class LineStatus(StrEnum):
    """What became of one line.

    UNKNOWN: the client's trades were not read since the sending; or nothing was traded as far as
    they were read, and the rest of a window that is over was not read. PENDING: nothing yet.
    WORKING: an order is open. PARTIAL: a part, and the window is open. SHORT and MISSED: the window
    is over, and a part or nothing was traded. REJECTED: nothing was traded, the broker rejected the
    last order and the window is open. OPPOSITE: the client traded the other side and did not carry
    out the line. SUPERSEDED: later advice names the same share, and the line was not carried out
    before. DECLINED: the client said so, and traded nothing.
    """

    UNKNOWN = "UNKNOWN"
    PENDING = "PENDING"
    WORKING = "WORKING"
    PARTIAL = "PARTIAL"
    DONE = "DONE"
    OVER = "OVER"
    MISSED = "MISSED"
    SHORT = "SHORT"
    REJECTED = "REJECTED"
    OPPOSITE = "OPPOSITE"
    SUPERSEDED = "SUPERSEDED"
    DECLINED = "DECLINED"


class AdviceState(StrEnum):
    """What became of an advice, in one word for lists.

    PENDING, "Waiting" on the screen: nothing is traded yet, and the window is open.
    """

    PENDING = "PENDING"
    ACTED = "ACTED"
    PART = "PART"
    IGNORED = "IGNORED"
    OPPOSITE = "OPPOSITE"
    DECLINED = "DECLINED"
    UNKNOWN = "UNKNOWN"


class AdvisedLine(NamedTuple):
    """One sealed row of an advice.

    Attributes:
        advice_id, place: which row of which advice.
        side: HOLD for a row that only names the share; it ends the windows of earlier advice.
        tag: the tag that orders made from this advice carry; "" for none.
        window_ends_at: the last instant at which an order counts, later advice left out.
        is_declined: the client said that it will not be carried out.
    """

    advice_id: uuid.UUID
    place: int
    isin: str
    side: Side
    quantity: int
    price: Rupees
    sent_at: dt.datetime
    window_ends_at: dt.datetime
    tag: str = ""
    is_declined: bool = False


class Fill(NamedTuple):
    """One trade of the client, of any share.

    Attributes:
        key: the trade's own id, all in one form; the order of fills is by time, then by `number`.
        number: the exchange's number of the trade.
        quantity: shares as on the day of `at`.
        price: rupees a share; None for an inferred sale.
        is_inferred: known from two readings of the holdings; then `at` is that of the later one,
            and `after` that of the earlier one.
        product: DELIVERY and MARGIN count; INTRADAY and any other word does not.
        exchange: for its rates of charges.
    """

    key: str
    number: str
    isin: str
    side: Side
    quantity: int
    price: Rupees | None
    at: dt.datetime
    after: dt.datetime | None = None
    product: str = "DELIVERY"
    tag: str = ""
    exchange: str = "NSE"

    @property
    def is_inferred(self) -> bool:
        """Whether it is known from the holdings alone."""
        return self.after is not None


@dataclass(frozen=True, slots=True)
class OpenOrder:
    """An order of the client that is open, or was rejected with the broker's text."""

    isin: str
    side: Side
    at: dt.datetime
    is_rejected: bool = False
    reason: str = ""
    tag: str = ""


@dataclass(frozen=True, slots=True)
class Action:
    """From the start of `ex_on` one share is `factor` shares, under `new_isin`; "" if it stays."""

    isin: str
    new_isin: str
    ex_on: dt.date
    factor: Fraction


class Match(NamedTuple):
    """The part of one fill that counts for one line.

    Attributes:
        quantity: whole shares, in the units of the end of the line's window.
        price: rupees a share in the same units; None for an inferred sale.
        value: rupees that this part was traded for; None for an inferred sale.
    """

    fill: Fill
    quantity: int
    price: Rupees | None
    value: Rupees | None


class LineResult(NamedTuple):
    """What became of one line; quantities and prices in the units of the end of its window.

    Attributes:
        quantity, price: advised, after corporate actions inside the window.
        matches: in order of time.
        beyond: shares traded on the same side that no line takes.
        status_text: the broker's reason of a rejection; "" for none.
        ends_at: when the window ended or will end: at later advice of the same share, if that is
            earlier.
        opposite: shares traded on the other side inside the window.
    """

    line: AdvisedLine
    quantity: int
    price: Rupees
    matches: tuple[Match, ...]
    beyond: int
    status: LineStatus
    status_text: str
    ends_at: dt.datetime
    opposite: int = 0

    @property
    def filled(self) -> int:
        """Shares that count, at most `quantity`."""
        return sum([match.quantity for match in self.matches])

    @property
    def average_price(self) -> Rupees | None:
        """Rupees a share of what counts, unrounded; None if nothing does or a price is unknown."""
        prices = [(match.quantity, match.price) for match in self.matches]
        total = ZERO
        for quantity, price in prices:
            if price is None:
                return None
            total += quantity * price
        filled = self.filled
        return total / Decimal(filled) if filled else None


@dataclass(frozen=True, slots=True)
class Trading:
    """What is known of a client's trading.

    Attributes:
        read_at: until when the trades are known; None if they were never read.
    """

    fills: Sequence[Fill]
    orders: Sequence[OpenOrder] = ()
    actions: Sequence[Action] = ()
    read_at: dt.datetime | None = None

    def is_read_since(self, sent_at: dt.datetime) -> bool:
        """Whether the trades were read after an advice was sent."""
        return self.read_at is not None and self.read_at > sent_at
