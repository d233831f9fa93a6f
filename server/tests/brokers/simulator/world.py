"""The people of the simulator, what they hold, its clock, its log-ins and its faults."""

import base64
import datetime as dt
import json
import random
import time
from collections import Counter, defaultdict, deque
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any
from zoneinfo import ZoneInfo

from tarazu.instruments.shipped import ShippedInstrument, shipped_instruments
from tarazu.kit import clock

INDIA = ZoneInfo("Asia/Kolkata")
FIRST_NAMES = ("Asha", "Ravi", "Meera", "Arjun", "Kavya", "Imran", "Lata", "Dev", "Nisha", "Om")
LAST_NAMES = ("Bhat", "Iyer", "Shah", "Nair", "Gupta", "Khan", "Rao", "Sen", "Joshi", "Pillai")
STATUSES = ("COMPLETE", "COMPLETE", "OPEN", "REJECTED", "CANCELLED", "TRIGGER PENDING")
KITE, ANGEL = "ZERODHA", "ANGEL_ONE"
HALF_A_MINUTE = dt.timedelta(seconds=30)


@dataclass(frozen=True)
class Lot:
    stock: ShippedInstrument
    free: int
    t1: int
    pledged: int
    average_paise: int

    @property
    def owned(self) -> int:
        return self.free + self.t1 + self.pledged


@dataclass(frozen=True)
class Placed:
    """An order of today; `minute` counts from 09:15, and `second` from the minute.

    What is filled came in fills of these sizes; in one if there are none.
    """

    order_id: str
    stock: ShippedInstrument
    side: str
    product: str
    quantity: int
    filled: int
    price_paise: int
    status: str
    minute: int
    fills: tuple[int, ...] = ()
    tag: str = ""
    reason: str = "RMS: margin"
    second: int = 0

    @property
    def at(self) -> dt.datetime:
        """When it was placed, in India, on some day."""
        begin = dt.datetime.combine(dt.date(2026, 1, 1), dt.time(9, 15))
        return begin + dt.timedelta(minutes=self.minute, seconds=self.second)

    @property
    def trades(self) -> list[tuple[str, int, dt.time]]:
        """Number, shares and time in India of each fill, half a minute apart."""
        begin = self.at
        sizes = self.fills or ((self.filled,) if self.filled else ())
        assert sum(sizes) == self.filled, "the fills are not what is filled"
        return [
            (f"7{self.order_id[-6:]}{place}", size, (begin + place * HALF_A_MINUTE).time())
            for place, size in enumerate(sizes)
        ]


@dataclass(frozen=True)
class Person:
    broker: str
    user_id: str
    name: str
    lots: tuple[Lot, ...]
    orders: tuple[Placed, ...]
    cash_paise: int
    payin_paise: int
    collateral_paise: int

    @property
    def net_paise(self) -> int:
        return self.cash_paise + self.collateral_paise


@dataclass
class Login:
    """A session; `feed` is Angel One's, `refresh` also of Kite apps that may renew."""

    user_id: str
    expires_at: dt.datetime
    feed: str = ""
    refresh: str = ""


@dataclass
class Fault:
    """What goes wrong, and where.

    Attributes:
        call: `GET /orders`, or `*` for every call; for sockets `kite ticker`, `angel stream`.
        kind: see `faults.py`.
        times: how often; None for ever.
        user: of whom; empty for all.
        seconds: of a slow answer.
        answer: of kind `canned`: status, contentType and json or text.
    """

    call: str
    kind: str
    times: int | None = None
    user: str = ""
    seconds: float = 1.0
    answer: dict[str, Any] = field(default_factory=dict)


class World:
    """The same seed and number of clients make the same people.

    Args:
        clients: of each broker.
        seed: of everything that is made up.
        scale: the limits are multiplied by this; 0 for none.
    """

    def __init__(self, clients: int = 3, seed: int = 1, scale: float = 1.0) -> None:
        self.seed, self.scale = seed, scale
        self.api_keys = {KITE: "kitesimkey000001", ANGEL: "angelsk1"}
        self.secrets = {KITE: "kitesimsecret0000000000000000001"}
        self.return_urls = dict.fromkeys((KITE, ANGEL), "http://127.0.0.1:8000/redirect")
        self.stocks = {stock.zerodha_token: stock for stock in shipped_instruments()}
        self.people = {person.user_id: person for person in _people(self, clients)}
        self.paise = {
            token: int(stock.reference_close * 100) for token, stock in self.stocks.items()
        }
        self.logins: dict[str, Login] = {}
        self.request_tokens: dict[str, tuple[str, dt.datetime]] = {}
        self.faults: list[Fault] = []
        self.calls: list[tuple[str, str]] = []
        self.baskets: list[list[dict[str, Any]]] = []
        self.sockets: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        # Handshakes that were tried, let in or not.
        self.knocks: Counter[str] = Counter()
        self.kite_refreshes = False
        self.tick_every = 0.2
        # By which calls within a second are counted, in seconds.
        self.monotonic = time.monotonic
        self.traded_at: dt.datetime | None = None
        self._offset = dt.timedelta()
        self._recent: defaultdict[str, deque[float]] = defaultdict(deque)
        self._issued = 0
        self._walk = random.Random(seed)

    def now(self) -> dt.datetime:
        return clock.now() + self._offset

    def today(self) -> dt.date:
        return self.now().astimezone(INDIA).date()

    def set_clock(self, at: dt.datetime) -> None:
        self._offset = at - clock.now()

    def fresh(self, length: int = 32) -> str:
        """A token that was never given out before."""
        self._issued += 1
        draw = random.Random(f"{self.seed}:{self._issued}")
        return "".join(draw.choices("abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ", k=length))

    def ask_for_login(self, user_id: str) -> str:
        """What Kite's log-in page sends back: a request token, good once, for two minutes."""
        token = self.fresh()
        self.request_tokens[token] = (user_id, self.now() + dt.timedelta(minutes=2))
        return token

    def fill_basket(self, user_id: str, rows: list[dict[str, Any]]) -> None:
        """Place the orders of a basket, each filled at once at its limit."""
        person, now = self.people[user_id], self.now().astimezone(INDIA)
        since = now - now.replace(hour=9, minute=15, second=0, microsecond=0)
        minute, second = divmod(int(since.total_seconds()), 60)
        by_symbol = {stock.symbol: stock for stock in self.stocks.values()}
        orders = list(person.orders)
        for row in rows:
            shares, paise = row["quantity"], round(row["price"] * 100)
            number = f"{now:%y%m%d}{user_id[-4:]}{len(orders):05d}"
            stock = by_symbol[row["tradingsymbol"]]
            side, tag = row["transaction_type"], row["tag"]
            orders.append(
                Placed(
                    number,
                    stock,
                    side,
                    "CNC",
                    shares,
                    shares,
                    paise,
                    "COMPLETE",
                    minute,
                    tag=tag,
                    second=second,
                )
            )
        self.people[user_id] = replace(person, orders=tuple(orders))

    def log_in(self, user_id: str) -> tuple[str, Login]:
        """An access token (Kite) or a JWT (Angel One), and the session behind it."""
        now = self.now()
        if self.people[user_id].broker == KITE:
            here = now.astimezone(INDIA)
            end = here.replace(hour=6, minute=0, second=0, microsecond=0)
            end += dt.timedelta(days=here >= end)
            refresh = self.fresh(48) if self.kite_refreshes else ""
            token, login = self.fresh(), Login(user_id, end, refresh=refresh)
        else:
            end = now + dt.timedelta(hours=28)
            # The token says years, and the session ends long before.
            token = self._jwt(user_id, end + dt.timedelta(days=700))
            login = Login(user_id, end, self.fresh(40), self.fresh(48))
        self.logins[token] = login
        return token, login

    def revoke(self, user_id: str) -> None:
        """End every session of a person, as a log-out in the broker's own app does."""
        for token in [one for one, login in self.logins.items() if login.user_id == user_id]:
            del self.logins[token]

    def is_over_rate(self, line: str, per_second: float) -> bool:
        """Whether this call is one too many within a second; it counts if it is not."""
        if not self.scale:
            return False
        recent, now = self._recent[line], self.monotonic()
        while recent and recent[0] <= now - 1:
            recent.popleft()
        if len(recent) >= per_second * self.scale:
            self.refused[line] += 1
            return True
        recent.append(now)
        return False

    def fault_for(self, call: str, user: str = "") -> Fault | None:
        """The fault that meets this call; it is used up by that."""
        for fault in self.faults:
            if fault.call not in {"*", call} or fault.user not in {"", user}:
                continue
            if fault.times is not None:
                fault.times -= 1
                if fault.times <= 0:
                    self.faults.remove(fault)
            return fault
        return None

    def move_prices(self, tokens: set[int]) -> set[int]:
        """Let about a third of these trade, a tick or two away; those that did."""
        moved = {token for token in sorted(tokens) if self._walk.random() < 0.35}
        for token in sorted(moved):
            tick = int(self.stocks[token].tick_size * 100) if token in self.stocks else 5
            paise = self.paise.get(token, 10_000) + self._walk.choice((-2, -1, 1, 2)) * tick
            self.paise[token] = max(tick, paise)
        return moved

    def _jwt(self, user_id: str, end: dt.datetime) -> str:
        claims = {"username": user_id, "exp": int(end.timestamp()), "jti": self.fresh(12)}
        parts = [{"alg": "HS512"}, claims]
        packed = [
            base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=")
            for part in parts
        ]
        return ".".join([*packed, self.fresh(43)])


def _people(world: World, clients: int) -> Iterator[Person]:
    stocks = sorted(world.stocks.values(), key=lambda stock: stock.symbol)
    for broker in (KITE, ANGEL):
        for number in range(clients):
            draw = random.Random(f"{world.seed}:{broker}:{number}")
            code = f"AB{1234 + number:04d}" if broker == KITE else f"A{123456 + number:06d}"
            yield _person(draw, broker, code, stocks)


def _person(
    draw: random.Random, broker: str, user_id: str, stocks: list[ShippedInstrument]
) -> Person:
    lots = tuple(_lot(draw, stock) for stock in draw.sample(stocks, draw.randint(8, 24)))
    orders = tuple(
        _order(draw, f"2611200{user_id[-4:]}{place:04d}", draw.choice(stocks))
        for place in range(draw.randint(0, 6))
    )
    pledged = sum(lot.pledged * int(lot.stock.reference_close * 100) for lot in lots)
    return Person(
        broker,
        user_id,
        f"{draw.choice(FIRST_NAMES)} {draw.choice(LAST_NAMES)}",
        lots,
        orders,
        draw.randint(-500_000, 90_000_000),
        draw.choice((0, 0, 0, 1_000_000)),
        pledged // 2,
    )


def _lot(draw: random.Random, stock: ShippedInstrument) -> Lot:
    free, t1, pledged = draw.randint(1, 200), draw.choice((0, 0, 0, 5)), draw.choice((0, 0, 40))
    average = int(stock.reference_close * 100 * draw.randint(60, 130)) // 100
    return Lot(stock, free, t1, pledged, average)


def _order(draw: random.Random, order_id: str, stock: ShippedInstrument) -> Placed:
    status, quantity = draw.choice(STATUSES), draw.randint(1, 50)
    filled = quantity if status == "COMPLETE" else 0
    price = int(stock.reference_close * 100)
    side, product = draw.choice(("BUY", "SELL")), draw.choice(("CNC", "CNC", "MIS"))
    minute = draw.randint(0, 370)
    return Placed(order_id, stock, side, product, quantity, filled, price, status, minute)
