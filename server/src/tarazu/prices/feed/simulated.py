"""Simulated prices, to demonstrate the product; never mixed with real ones."""

import asyncio
import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from fractions import Fraction
from random import Random

from tarazu.domain.money import to_units
from tarazu.instruments.service import Listed
from tarazu.kit import clock
from tarazu.prices.book import PriceBook

SIMULATED = "SIMULATED"
STEP_EVERY = 0.25

BAND_PERCENT = 10
"""Circuit limits: no price leaves the last close by more."""
SPREAD = 0.014
"""Standard deviation of ln(price ÷ close) in the long run."""
FUND_SPREAD = 0.005
REVERSION = 7200.0
"""Seconds in which a deviation from the close fades to 1/e of itself."""
RAREST, OFTENEST = 0.04, 0.35
"""Chance of a trade in one step, of the quietest share and of the busiest."""
FUNDS = "Exchange Traded Fund"


@dataclass(slots=True)
class _Walker:
    """One share. Prices are whole ticks; `drift` is ln(price ÷ close) before rounding.

    `factor`: how many shares one share became since its reference close.
    """

    factor: Fraction
    close: int
    tick: int
    lowest: int
    highest: int
    chance: float
    spread: float
    drift: float
    moved_at: float

    def move(self, now: float, shock: float) -> int:
        """Take one step of an Ornstein-Uhlenbeck process, exactly discretised; the new price.

        Args:
            now: seconds of simulated time.
            shock: a draw from the standard normal distribution.
        """
        decay = math.exp((self.moved_at - now) / REVERSION)
        self.drift = self.drift * decay + self.spread * math.sqrt(1 - decay * decay) * shock
        self.moved_at = now
        ticks = round(self.close * math.exp(self.drift) / self.tick)
        return min(max(ticks, self.lowest), self.highest) * self.tick


class RandomWalk:
    """Mean-reverting random walks around the last close, one a share.

    The same seed and the same calls give the same prices.
    """

    def __init__(self, seed: int) -> None:
        # The platform's generator is for play, not for secrets.
        self._random = Random(seed)  # noqa: S311
        self._walkers: dict[int, _Walker] = {}
        self._untraded: set[int] = set()
        self._now = 0.0

    def follow(
        self,
        stocks: Collection[Listed],
        last: Mapping[int, int],
        factors: Mapping[int, Fraction] | None = None,
    ) -> None:
        """Walk exactly these from now on; those already walking go on from where they are.

        After a split, a walk goes on as far from the close in the new units.

        Args:
            stocks: shares without a close and without a last price are left out.
            last: the last known prices in ten-thousandths of a rupee, by token; 0 for none.
            factors: by token, how many shares one share became since its reference close.
        """
        walkers: dict[int, _Walker] = {}
        for stock in sorted(stocks, key=lambda stock: stock.instrument_token):
            token = stock.instrument_token
            factor = (factors or {}).get(token, Fraction(1))
            walker = self._walkers.get(token)
            if walker is None or walker.factor != factor:
                drift = walker.drift if walker else None
                walker = self._open(stock, last.get(token, 0), factor, drift)
            if walker is not None:
                walkers[token] = walker
        # Each trades at once: until then its last price is one of an earlier day.
        opened = {token for token in walkers if self._walkers.get(token) is not walkers[token]}
        self._untraded = (self._untraded | opened) & walkers.keys()
        self._walkers = walkers

    def step(self, seconds: float) -> dict[int, int]:
        """Let time pass; the prices at which shares traded, in ten-thousandths of a rupee."""
        self._now += seconds
        draw, untraded = self._random, self._untraded
        self._untraded = set()
        return {
            token: walker.move(self._now, draw.gauss())
            for token, walker in self._walkers.items()
            if draw.random() < walker.chance or token in untraded
        }

    def _open(
        self, stock: Listed, last: int, factor: Fraction, drift: float | None
    ) -> _Walker | None:
        close = int(to_units(stock.reference_close) / factor) or last
        tick = to_units(stock.tick_size)
        if close <= 0 or tick <= 0:
            return None
        lowest = max(1, -(-close * (100 - BAND_PERCENT) // (100 * tick)))
        highest = max(lowest, close * (100 + BAND_PERCENT) // (100 * tick))
        start = min(max(last or close, lowest * tick), highest * tick)
        return _Walker(
            factor,
            close,
            tick,
            lowest,
            highest,
            # How busy a share is belongs to it, whatever else is followed.
            Random(stock.instrument_token).uniform(RAREST, OFTENEST),  # noqa: S311
            FUND_SPREAD if stock.sector == FUNDS else SPREAD,
            math.log(start / close) if drift is None else drift,
            self._now,
        )


class SimulatedPrices:
    """A source of simulated prices, around the clock."""

    name = SIMULATED
    unfollowed: frozenset[int] = frozenset()

    def __init__(self, seed: int) -> None:
        self._seed, self._walk = seed, RandomWalk(seed)
        self._stocks: Collection[Listed] = ()
        self._book: PriceBook | None = None
        self._steps_read = 0
        self._task: asyncio.Task[None] | None = None

    @property
    def is_live(self) -> bool:
        """Whether prices flow now."""
        return self._task is not None and not self._task.done()

    async def start(self, book: PriceBook) -> None:
        """Begin to trade, each stock from its last known price."""
        self._book = book
        self.subscribe(self._stocks)
        self._task = asyncio.create_task(self._trade(book), name="simulated-prices")

    def subscribe(self, stocks: Collection[Listed]) -> None:
        """Follow exactly these from now on."""
        self._stocks = stocks
        if self._book is not None:
            tokens = [stock.instrument_token for stock in stocks]
            self._steps_read = self._book.steps_read
            last = self._book.units_of(tokens)
            closed = {
                stock.instrument_token: clock.start_of(stock.reference_on) for stock in stocks
            }
            factors = self._book.factors_since(closed)
            self._walk.follow(stocks, dict(zip(tokens, last, strict=True)), factors)

    async def stop(self) -> None:
        """Record nothing more."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        # After a restart it continues from the book: another process may have traded.
        self._book, self._walk = None, RandomWalk(self._seed)

    async def _trade(self, book: PriceBook) -> None:
        while True:
            await asyncio.sleep(STEP_EVERY)
            if book.steps_read != self._steps_read:
                self.subscribe(self._stocks)
            book.record(self._walk.step(STEP_EVERY), clock.now(), SIMULATED)
