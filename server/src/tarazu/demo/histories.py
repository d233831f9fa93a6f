"""What each client of the demo did: what came in, what was bought and sold, day by day."""

import datetime as dt
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

import numpy as np

from tarazu.demo.market import Market
from tarazu.domain.money import ZERO, Rupees, from_units, rounded, to_units

FEWEST_STOCKS, MOST_STOCKS = 15, 40
SMALLEST, LARGEST = 1_200_000, 9_000_000
SETTLED = 60
"""Business days that the newest client has been with the firm."""
YEAR = 365
YEAR_ENDED = (3, 8, 14, 20)
"""Days ago that a client's year ended."""
QUARTER = 63
"""Business days from one review of a model to the next."""
PLACES = 4


@dataclass(slots=True)
class Lot:
    """Shares held of one stock, and what one of them cost on average."""

    quantity: int
    average: Rupees


@dataclass(frozen=True, slots=True)
class Trade:
    day: int
    stock: int
    quantity: int
    price: Rupees

    @property
    def is_purchase(self) -> bool:
        """Bought rather than sold."""
        return self.quantity > 0


@dataclass(slots=True)
class History:
    """One client, from the first day to the last close."""

    start: int
    capital: Rupees
    cash: Rupees
    lots: dict[int, Lot] = field(default_factory=dict)
    trades: list[Trade] = field(default_factory=list)
    flows: list[tuple[int, Rupees]] = field(default_factory=list)

    def trade(self, market: Market, day: int, stock: int, quantity: int) -> None:
        """Buy (or sell, below zero) at that day's close, with what cash there is."""
        price = market.close(day, stock)
        lot = self.lots.get(stock) or Lot(0, ZERO)
        after = lot.quantity + quantity
        if quantity == 0 or after < 0 or (quantity > 0 and self.cash < quantity * price):
            return
        if quantity > 0:
            spent = lot.quantity * lot.average + quantity * price
            lot = Lot(after, rounded(spent / after, PLACES))
        else:
            lot = Lot(after, lot.average)
        self.cash -= quantity * price
        if after:
            self.lots[stock] = lot
        else:
            del self.lots[stock]
        self.trades.append(Trade(day, stock, quantity, price))

    def return_to(self, market: Market, day: int, weights: Mapping[int, int]) -> None:
        """Trade to these percentages of the value, in whole shares; the rest stays cash."""
        worth = {stock: lot.quantity * market.close(day, stock) for stock, lot in self.lots.items()}
        value = sum(worth.values(), self.cash)
        changes = {
            stock: int(value * weights.get(stock, 0) / 100 / market.close(day, stock))
            - (self.lots[stock].quantity if stock in self.lots else 0)
            for stock in sorted({*weights, *self.lots})
        }
        # What is sold pays for what is bought.
        for stock, change in sorted(changes.items(), key=lambda item: item[1] > 0):
            self.trade(market, day, stock, change)

    def move_cash(self, day: int, amount: Rupees) -> None:
        """Funds added, or withdrawn below zero."""
        self.cash += amount
        self.flows.append((day, amount))


def start_days(chance: random.Random, market: Market, count: int) -> list[int]:
    """When `count` clients were taken on: spread over the two years, the first on the first day.

    The years of a few end in these weeks, so that there are fees to be paid.
    """
    last = len(market.days) - 1 - SETTLED
    step = last / count
    starts = [0, *(int((place + chance.random()) * step) for place in range(1, count))]
    for days_ago in YEAR_ENDED:
        start = market.day_on_or_before(market.days[-1] - dt.timedelta(days=YEAR + days_ago))
        nearest = min(range(1, count), key=lambda place: abs(starts[place] - start))
        starts[nearest] = start
    return sorted(starts)


def trade_freely(
    chance: random.Random, market: Market, favoured: Sequence[int], start: int
) -> History:
    """A client with a portfolio of its own, bought on the day `start` and kept up since.

    Args:
        favoured: stocks by their place, the firm's favourites first.
    """
    last = len(market.days) - 1
    history = _taken_on(chance, start)
    count = chance.randint(FEWEST_STOCKS, MOST_STOCKS)
    chosen = list(favoured[: count // 2])
    chosen += chance.sample([s for s in favoured if s not in chosen], count - len(chosen))
    _spread(chance, market, history, start, chosen)
    for day in sorted(chance.sample(range(start + 20, last - 5), chance.randint(0, 4))):
        _have_an_event(chance, market, history, day)
    return history


def follow_model(
    chance: random.Random,
    market: Market,
    weights: Mapping[int, int],
    start: int,
    reviewed: int,
) -> History:
    """A client who follows a model: bought into it on the day `start`, back to it at each review.

    Args:
        weights: percent of the value, by the stock's place.
        reviewed: the day of the last review; the earlier ones are a quarter apart.
    """
    history = _taken_on(chance, start)
    history.return_to(market, start, weights)
    reviews = range(reviewed, start + SETTLED // 2, -QUARTER)
    for day in sorted(reviews):
        if chance.random() < 0.4:  # noqa: PLR2004 - money comes or goes before some of the reviews
            part = Decimal(chance.choice((-8, 5, 10, 15, 25))) / 100
            history.move_cash(day - 2, rounded(history.capital * part, -3))
        history.return_to(market, day, weights)
    return history


def _taken_on(chance: random.Random, start: int) -> History:
    capital = Decimal(chance.randrange(SMALLEST, LARGEST, 5_000)) * Decimal(
        "0.5" if chance.random() < 0.5 else "1"  # noqa: PLR2004
    )
    capital = rounded(capital, 0)
    return History(start, capital, capital)


def _spread(
    chance: random.Random, market: Market, history: History, day: int, stocks: Sequence[int]
) -> None:
    weights = [chance.uniform(0.6, 1.8) for _ in stocks]
    budget = history.cash * Decimal(str(round(chance.uniform(0.91, 0.985), 3)))
    for stock, weight in zip(stocks, weights, strict=True):
        part = budget * Decimal(repr(weight / sum(weights)))
        history.trade(market, day, stock, max(1, int(part / market.close(day, stock))))


def _have_an_event(chance: random.Random, market: Market, history: History, day: int) -> None:
    held = sorted(history.lots)
    kind = chance.random()
    if kind < 0.5:  # noqa: PLR2004 - half of the events are money coming in
        part = Decimal(chance.randrange(5, 30)) / 100
        history.move_cash(day, rounded(history.capital * part, -3))
        top_up = chance.sample(held, min(5, len(held)))
        _spread(chance, market, history, min(day + 2, len(market.days) - 1), top_up)
    elif kind < 0.8:  # noqa: PLR2004 - a trim, often followed by a withdrawal
        for stock in chance.sample(held, min(3, len(held))):
            quantity = history.lots[stock].quantity
            # Never to nothing: every client keeps at least fifteen stocks.
            history.trade(market, day, stock, -(quantity // 3))
        if chance.random() < 0.5:  # noqa: PLR2004
            history.move_cash(day + 1, -rounded(history.cash * Decimal("0.4"), -3))
    else:
        for stock in chance.sample(held, min(2, len(held))):
            afford = int(history.cash * Decimal("0.3") / market.close(day, stock))
            history.trade(market, day, stock, afford)


def worth_by_day(market: Market, history: History) -> list[tuple[dt.date, Rupees, Rupees]]:
    """Day, value of the holdings and cash at each close since the start."""
    bought = np.zeros(market.closes.shape, dtype=np.int64)
    paid = np.zeros(len(market.days), dtype=np.int64)
    paid[history.start] = to_units(history.capital)
    for trade in history.trades:
        bought[trade.day, trade.stock] += trade.quantity
        paid[trade.day] -= to_units(trade.quantity * trade.price)
    for day, amount in history.flows:
        paid[day] += to_units(amount)
    worth = (np.cumsum(bought, axis=0) * market.closes).sum(axis=1).tolist()
    cash = np.cumsum(paid).tolist()
    return [
        (market.days[day], from_units(worth[day]), from_units(cash[day]))
        for day in range(history.start, len(market.days))
    ]
