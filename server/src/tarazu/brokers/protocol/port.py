"""The interface of a broker, and the values that it returns.

Money is exact as the broker wrote it, in rupees; instants are UTC; symbols and tokens are
Zerodha's. A call returns or raises one of the faults below: an empty list means that the broker
reported none. A row that cannot be read is left out and named, without effect on other rows.
"""

import datetime as dt
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from http import HTTPStatus
from typing import BinaryIO, Final, Literal, Protocol, TypeVar

from tarazu.domain.money import Rupees
from tarazu.kit.errors import ApiError

T = TypeVar("T")

SHARES: Final = frozenset({"NSE", "BSE"})
"""The exchanges of shares."""
Side = Literal["BUY", "SELL"]
SIDES: Final[Mapping[str, Side]] = {"BUY": "BUY", "SELL": "SELL"}
Status = Literal["OPEN", "COMPLETE", "REJECTED", "CANCELLED"]


class BrokerFault(ApiError):
    """A call to a broker has no usable answer.

    Args:
        reason: for the log: the call, and what was wrong; never a secret.
        retry_after: seconds after which another try makes sense, where that is known.
    """

    status = HTTPStatus.BAD_GATEWAY
    message = "The broker could not be reached. Try again in a minute."

    def __init__(self, reason: str = "", *, retry_after: int | None = None) -> None:
        super().__init__(retry_after=retry_after)
        self.reason = reason

    def __str__(self) -> str:
        return self.reason or self.message


class SessionDead(BrokerFault):
    """The broker has ended the log-in. Never tried again with the same tokens.

    Args:
        reason: see above.
        may_renew: the broker would renew it for a refresh token.
    """

    message = "The broker session has ended. Log in at the broker again."

    def __init__(self, reason: str = "", *, may_renew: bool = False) -> None:
        super().__init__(reason)
        self.may_renew = may_renew


class RateLimited(BrokerFault):
    """Too many calls; the session lives."""

    status = HTTPStatus.SERVICE_UNAVAILABLE
    message = "The broker is limiting requests right now. Try again in a moment."

    def __init__(self, reason: str = "", *, retry_after: int = 1) -> None:
        super().__init__(reason, retry_after=retry_after)
        self.seconds = retry_after


class Upstream(BrokerFault):
    """The broker is down or slow, or something before it is. May be tried again later."""


class Malformed(BrokerFault):
    """The broker sent an answer that cannot be read."""

    message = "The broker sent an answer that cannot be read. Try again in a minute."


class Denied(BrokerFault):
    """The broker understood and refused; the session lives."""

    message = "The broker refused the request."


class AddressNotRegistered(BrokerFault):
    """The broker takes calls only from addresses that are registered with the firm's app."""

    message = (
        "Angel One does not know this server's address. Register the server's public IP address "
        "with the app at smartapi.angelone.in, set TARAZU_ANGEL_PUBLIC_IP to the same address, "
        "and restart the server."
    )


@dataclass(frozen=True, slots=True)
class LoginTokens:
    """What a log-in at the broker passes to the return page in its address.

    `token` is Zerodha's request token, which is good once, or Angel One's JWT; `is_request_token`
    says which it was called.
    """

    token: str = field(repr=False)
    refresh_token: str = field(default="", repr=False)
    feed_token: str = field(default="", repr=False)
    is_request_token: bool = True


@dataclass(frozen=True, slots=True)
class BrokerSession:
    """A person's log-in at a broker. Texts are empty where the broker gives none."""

    broker_user_id: str
    access_token: str = field(repr=False)
    expires_at: dt.datetime
    refresh_token: str = field(default="", repr=False)
    feed_token: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class BrokerProfile:
    broker_user_id: str
    name: str


@dataclass(frozen=True, slots=True)
class UnreadableRow:
    """A row of an answer that cannot be read; texts are empty where they cannot be read either.

    Attributes:
        kind: Holding, Position, Order or Trade.
        name: what it can be found by at the broker: the symbol, the order's number, or its place.
        field: what cannot be read, by the broker's own name of it.
        symbol: as Zerodha has it.
    """

    kind: str
    name: str
    field: str
    exchange: str = ""
    symbol: str = ""
    isin: str = ""

    @property
    def sentence(self) -> str:
        """What is left out and why, for a person."""
        where = f" on {self.exchange}" if self.exchange else ""
        return f"{self.kind} {self.name}{where} is left out: its {self.field} is missing or not usable."


class BrokerRows(list[T]):
    """The rows of an answer that can be read, in the broker's order; `left_out` are the others."""

    def __init__(self, rows: Iterable[T] = (), left_out: Iterable[UnreadableRow] = ()) -> None:
        super().__init__(rows)
        self.left_out = tuple(left_out)


@dataclass(frozen=True, slots=True)
class BrokerHolding:
    """One holding at the broker.

    Attributes:
        isin: empty where the broker gives none that is one.
        token: Zerodha's instrument token.
        free: settled and not pledged.
        t1: bought on the last trading day; owned, not yet delivered.
        pledged: owned, with the broker as security.
        average_price: 0 where the broker has none, as after a demerger.
        last_price: None where the broker has none.
        margin_funded: bought on the broker's money; in none of the other quantities.
        is_doubted: the broker itself marks the row as not agreeing with the depository.
    """

    exchange: str
    symbol: str
    isin: str
    token: int
    free: int
    t1: int
    pledged: int
    average_price: Rupees
    last_price: Rupees | None
    margin_funded: int = 0
    is_doubted: bool = False

    @property
    def owned(self) -> int:
        """All shares that are the client's."""
        return self.free + self.t1 + self.pledged


@dataclass(frozen=True, slots=True)
class BrokerFunds:
    """A client's money at the broker; each may be negative.

    Attributes:
        net: free to trade with, collateral included.
        cash: available cash, the day's pay-in included, collateral not.
        intraday_payin: paid in today; a part of `cash`.
        collateral: what pledged shares are good for; no money.
    """

    net: Rupees
    cash: Rupees
    intraday_payin: Rupees
    collateral: Rupees


@dataclass(frozen=True, slots=True)
class BrokerPosition:
    """What was traded today in one stock. Bought today is a holding (`t1`) only tomorrow.

    `net` is signed: a sale of a holding is negative. `product` is as in `BrokerOrder`.
    """

    exchange: str
    symbol: str
    token: int
    product: str
    net: int
    bought_today: int
    sold_today: int
    average_price: Rupees
    last_price: Rupees | None


@dataclass(frozen=True, slots=True)
class BrokerOrder:
    """An order of today.

    Attributes:
        token: None where the broker does not say.
        product: DELIVERY, INTRADAY, CARRYFORWARD or MARGIN; else the broker's own word.
        average_price: of what is filled; 0 while nothing is.
        status: OPEN for everything that is not over.
        raw_status: the broker's own word.
        reason: the broker's words on a rejection, else empty.
        tag: what the order was placed with; empty for none.
    """

    order_id: str
    placed_at: dt.datetime
    executed_at: dt.datetime | None
    exchange: str
    symbol: str
    token: int | None
    side: Side
    product: str
    quantity: int
    filled: int
    average_price: Rupees
    status: Status
    raw_status: str
    reason: str
    tag: str = ""


@dataclass(frozen=True, slots=True)
class BrokerTrade:
    """One fill of an order of today; its number is the exchange's, `product` as in `BrokerOrder`.

    The day and the time are India's; the day is None where the broker gives the time alone.
    """

    trade_id: str
    order_id: str
    filled_on: dt.date | None
    filled_at: dt.time
    exchange: str
    symbol: str
    side: Side
    product: str
    quantity: int
    price: Rupees


@dataclass(frozen=True, slots=True)
class MasterRow:
    """One line of a broker's list of instruments.

    Attributes:
        token: Zerodha's instrument token; None if unknown (Angel's indices but three).
        angel_token: the exchange's own number, which Angel One goes by; empty for an index of
            Zerodha's list.
        kind: EQ, INDEX, FUT, CE or PE.
        expires_on: of a derivative.
    """

    exchange: str
    symbol: str
    name: str
    token: int | None
    angel_token: str
    kind: str
    tick_size: Rupees
    lot_size: int
    strike: Rupees | None = None
    expires_on: dt.date | None = None


@dataclass(frozen=True, slots=True)
class FeedInstrument:
    """An instrument whose price is requested. `token` is Zerodha's and identifies the answer."""

    token: int
    exchange: str
    symbol: str
    angel_token: str


@dataclass(frozen=True, slots=True)
class BrokerApp:
    """The firm's registration with a broker, as its record holds it."""

    api_key: str = field(repr=False)
    api_secret: str = field(repr=False)
    api_url: str
    is_renewal_allowed: bool = False


class RateLimiter(Protocol):
    """Limits the rate of calls for all processes of the installation together."""

    async def turn(self, line: str, per_second: Decimal) -> None:
        """Wait until the next call on `line` may be made.

        Raises:
            RateLimited: the queue is longer than may be waited for.
        """

    async def hold(self, line: str, seconds: float) -> None:
        """Make no call on `line` for a while: the broker reported too many."""


class BrokerPort(Protocol):
    """A broker. Every call may raise any `BrokerFault`."""

    name: str

    async def exchange_token(self, login_tokens: LoginTokens, now: dt.datetime) -> BrokerSession:
        """The session that a log-in hands over. The caller checks whose it is.

        Raises:
            Denied: the broker does not take the token.
        """

    async def renew(self, session: BrokerSession, now: dt.datetime) -> BrokerSession:
        """A new session for the refresh token.

        Raises:
            Denied: the firm's app may not, or there is no refresh token.
            SessionDead: the refresh token is dead too.
        """

    async def prove(self, session: BrokerSession, now: dt.datetime) -> BrokerSession:
        """The same session with its next end, once a call with it worked.

        Raises:
            SessionDead, Denied: it is over.
        """

    async def profile(self, session: BrokerSession) -> BrokerProfile:
        """Whose session it is."""

    async def holdings(self, session: BrokerSession) -> BrokerRows[BrokerHolding]:
        """Every holding."""

    async def funds(self, session: BrokerSession) -> BrokerFunds:
        """The client's money."""

    async def positions(self, session: BrokerSession) -> BrokerRows[BrokerPosition]:
        """What was traded today, and what derivatives are open."""

    async def orders(self, session: BrokerSession) -> BrokerRows[BrokerOrder]:
        """The orders of today."""

    async def trades(self, session: BrokerSession) -> BrokerRows[BrokerTrade]:
        """The trades of today in shares; those of other segments are left out."""

    async def last_prices(
        self, session: BrokerSession, instruments: Collection[FeedInstrument]
    ) -> dict[int, Rupees]:
        """Last prices by Zerodha's token; those that the broker does not know are left out."""

    async def fetch_master(self, session: BrokerSession, into: BinaryIO) -> None:
        """Write the broker's list of instruments to a file, as it came."""

    def read_master(self, written: BinaryIO) -> Iterator[MasterRow]:
        """The lines of such a file; test instruments and lines that cannot be read are left out.

        Raises:
            Malformed: it is not such a list, or has no line that can be read.
        """

    async def log_out(self, session: BrokerSession) -> None:
        """End the session at the broker; one that is dead already counts as ended."""
