"""What each client of the demo did: what came in, what was bought and sold, day by day."""

import datetime as dt
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from tarazu.demo.market import Market
from tarazu.domain.money import ZERO, Rupees, rounded

FEWEST_STOCKS, MOST_STOCKS = 15, 40
SMALLEST, LARGEST = 400_000, 9_000_000
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
        if quantity == 0 or after < 0 or self.cash < quantity * price:
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

    def move_cash(self, day: int, amount: Rupees) -> None:
        """Funds added, or withdrawn below zero."""
        self.cash += amount
        self.flows.append((day, amount))


def live_through(chance: random.Random, market: Market, favoured: Sequence[int]) -> History:
    """A client who started some time in the two years, bought a portfolio, and kept it up.

    Args:
        favoured: stocks by their place, the firm's favourites first.
    """
    last = len(market.days) - 1
    start = 0 if chance.random() < 0.3 else chance.randrange(last - 60)  # noqa: PLR2004
    capital = Decimal(chance.randrange(SMALLEST, LARGEST, 5_000)) * Decimal(
        "0.35" if chance.random() < 0.5 else "1"  # noqa: PLR2004
    )
    capital = rounded(capital, 0)
    history = History(start, capital, capital)
    count = chance.randint(FEWEST_STOCKS, MOST_STOCKS)
    chosen = list(favoured[: count // 2])
    chosen += chance.sample([s for s in favoured if s not in chosen], count - len(chosen))
    _spread(chance, market, history, start, chosen)
    for day in sorted(chance.sample(range(start + 20, last - 5), chance.randint(0, 4))):
        _have_an_event(chance, market, history, day)
    return history


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
    cash = history.capital
    held: dict[int, int] = {}
    events: dict[int, list[tuple[int, int, Rupees]]] = {}
    for trade in history.trades:
        change = -trade.quantity * trade.price
        events.setdefault(trade.day, []).append((trade.stock, trade.quantity, change))
    for day, amount in history.flows:
        events.setdefault(day, []).append((-1, 0, amount))
    closes = []
    for day in range(history.start, len(market.days)):
        for stock, quantity, change in events.get(day, []):
            cash += change
            if stock >= 0:
                held[stock] = held.get(stock, 0) + quantity
        units = sum(int(market.closes[day, stock]) * count for stock, count in held.items())
        closes.append((market.days[day], Decimal(units).scaleb(-4), cash))
    return closes
