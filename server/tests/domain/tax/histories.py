"""Random histories of trades and corporate actions, and what they come to, share by share.

It goes through what happened in the order in which it happened. It knows each stock by a
name of its own, so it looks up no ISIN, and keeps every share apart.
"""

import datetime as dt
import random
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from itertools import groupby
from typing import Any

from tarazu.domain.corporate_actions.values import ActionKind, CorporateAction
from tarazu.domain.tax.lots import Entries
from tarazu.domain.tax.values import Arrival, Departure, Trade

Sale = dict[str, Any]
FIRST = dt.date(2023, 4, 3)
UNITS = {
    ActionKind.SPLIT: (Fraction(2), Fraction(5), Fraction(5, 2), Fraction(1)),
    ActionKind.CONSOLIDATION: (Fraction(1, 10), Fraction(2, 3)),
    ActionKind.BONUS: (Fraction(2), Fraction(3, 2), Fraction(7, 4)),
}


@dataclass
class Share:
    """One share: the lot that it is of, its date, its cost and its place in the order of sale."""

    lot: int
    bought_on: dt.date
    cost: Fraction | None
    place: tuple[dt.date, int]


@dataclass
class Stock:
    """A stock's ISINs so far; the last is the present one."""

    isins: list[str]


@dataclass
class History:
    """What happened, and what it comes to."""

    trades: list[Trade] = field(default_factory=list)
    arrivals: list[Arrival] = field(default_factory=list)
    departures: list[Departure] = field(default_factory=list)
    actions: list[CorporateAction] = field(default_factory=list)
    stocks: list[Stock] = field(default_factory=list)
    shares: dict[tuple[int, str], list[Share]] = field(default_factory=dict)
    sold: list[Sale] = field(default_factory=list)
    left: dict[tuple[int, str], list[Sale]] = field(default_factory=dict)
    speculation: Fraction | None = Fraction(0)
    lots: int = 0
    day: dt.date = FIRST

    @property
    def entries(self) -> Entries:
        return Entries(self.trades, self.arrivals, self.departures)

    # ------------------------------------------------------------------ what happened

    def new_stock(self) -> int:
        self.stocks.append(Stock([f"INE{len(self.stocks):03}A01{len(self.stocks):03}"]))
        return len(self.stocks) - 1

    def held(self, stock: int, demat: str) -> list[Share]:
        return self.shares.setdefault((stock, demat), [])

    def arrive(self, stock: int, demat: str, bought_on: dt.date, cost: Fraction | None, on=None):
        place = (on or self.day, self.lots)
        held = self.held(stock, demat)
        held.append(Share(self.lots, bought_on, cost, place))
        held.sort(key=lambda share: share.place)

    def leave(self, stock: int, demat: str, prices: list[Fraction | None]) -> None:
        held, gone = self.held(stock, demat), []
        before = self.left.setdefault((stock, demat), [])
        for price in prices:
            share = held.pop(0) if held else None
            gone.append(
                {
                    "stock": stock,
                    "demat": demat,
                    "day": self.day,
                    "price": price,
                    "bought_on": share and share.bought_on,
                    "cost": share and share.cost,
                    "is_known": share is not None,
                }
            )
        self.sold += gone
        if all(sale["is_known"] for sale in gone):
            before += gone
            return
        if before:
            for sale in (*before, *gone):
                sale.update(bought_on=None, cost=None, is_known=False)
        before.clear()

    def trade_day(self, rows: list[tuple[int, str, bool, int, Decimal | None]]) -> None:
        """Trades of one day in order: stock, demat, whether bought, shares, price."""
        for number, (stock, demat, is_purchase, quantity, price) in enumerate(rows):
            name = self.stocks[stock].isins[(number * 7 + quantity) % len(self.stocks[stock].isins)]
            order = (f"{number:06}",)
            self.trades.append(Trade(name, self.day, is_purchase, quantity, price, order, demat))
        by_position = sorted(rows, key=lambda row: row[:2])
        for (stock, demat), group in groupby(by_position, key=lambda row: row[:2]):
            fills = list(group)
            bought = [(n, row[4]) for n, row in enumerate(fills) if row[2] for _ in range(row[3])]
            sales = [row[4] for row in fills if not row[2] for _ in range(row[3])]
            both = min(len(bought), len(sales))
            for (_lot, paid), received in zip(bought[:both], sales[:both], strict=True):
                if paid is None or received is None or self.speculation is None:
                    self.speculation = None
                else:
                    self.speculation += Fraction(received) - Fraction(paid)
            for _fill, lot in groupby(bought[both:], key=lambda share: share[0]):
                self.lots += 1
                for _number, paid in lot:
                    self.arrive(stock, demat, self.day, None if paid is None else Fraction(paid))
            prices = [None if price is None else Fraction(price) for price in sales[both:]]
            if prices:
                self.leave(stock, demat, prices)

    # ------------------------------------------------------------------ corporate actions

    def change_units(self, stock: int, kind: ActionKind, factor: Fraction, *, renames: bool):
        old = self.stocks[stock].isins[-1]
        new = f"{old[:-3]}{int(old[-3:]) + 100:03}" if renames else ""
        self.actions.append(CorporateAction(kind, old, new, self.day, factor))
        if renames:
            self.stocks[stock].isins.append(new)
        for (owner, demat), shares in list(self.shares.items()):
            if owner != stock or not shares:
                continue
            if kind is ActionKind.BONUS:
                self.lots += 1
                day = self.day + dt.timedelta(days=1)
                while day.weekday() > 4:
                    day += dt.timedelta(days=1)
                for _ in range(int(len(shares) * (factor - 1))):
                    self.arrive(stock, demat, day, Fraction(0), day)
            else:
                shares[:] = whole_shares(shares, factor)

    def demerge(self, stock: int, factor: Fraction, percent: Decimal | None) -> None:
        new = self.new_stock()
        self.actions.append(
            CorporateAction(
                ActionKind.DEMERGER,
                self.stocks[stock].isins[-1],
                self.stocks[new].isins[-1],
                self.day,
                factor,
                cost_share=percent,
            )
        )
        share = None if percent is None else Fraction(percent) / 100
        for (owner, demat), shares in list(self.shares.items()):
            if owner == stock:
                self.carry(new, demat, times(shares, share), factor)
                shares[:] = times(shares, None if share is None else 1 - share)

    def merge(self, stock: int, to: int, factor: Fraction) -> None:
        self.actions.append(
            CorporateAction(
                ActionKind.MERGER,
                self.stocks[stock].isins[-1],
                self.stocks[to].isins[-1],
                self.day,
                factor,
            )
        )
        self.stocks[to].isins[:0] = self.stocks[stock].isins[-1:]
        for (owner, demat), shares in list(self.shares.items()):
            if owner == stock and shares:
                self.left.setdefault((to, demat), []).extend(self.left.pop((stock, demat), []))
                self.carry(to, demat, shares, factor)
                shares.clear()

    def carry(self, to: int, demat: str, shares: list[Share], factor: Fraction) -> None:
        sized = whole_shares(shares, factor)
        for _lot, group in groupby(sized, key=lambda share: share.lot):
            self.lots += 1
            for share in group:
                self.arrive(to, demat, share.bought_on, share.cost)


def times(shares: list[Share], part: Fraction | None) -> list[Share]:
    return [
        Share(
            share.lot,
            share.bought_on,
            None if part is None or share.cost is None else share.cost * part,
            share.place,
        )
        for share in shares
    ]


def whole_shares(shares: list[Share], factor: Fraction) -> list[Share]:
    """Each share in `numerator` parts, and `denominator` parts a share; a share is of its last lot."""
    parts: list[tuple[Share, Fraction | None]] = []
    for share in shares:
        cost = None if share.cost is None else share.cost / factor.numerator
        parts += [(share, cost)] * factor.numerator
    size = factor.denominator
    made: list[tuple[Share, list[Fraction | None]]] = [
        (parts[end - 1][0], [cost for _share, cost in parts[end - size : end]])
        for end in range(size, len(parts) + 1, size)
    ]
    if made:
        made[-1][1].extend(cost for _share, cost in parts[len(made) * size :])
    sized = []
    for _lot, group in groupby(made, key=lambda each: each[0].lot):
        lot = list(group)
        costs = [cost for _share, shares_of in lot for cost in shares_of]
        known = [cost for cost in costs if cost is not None]
        each = sum(known, Fraction(0)) / len(lot) if len(known) == len(costs) else None
        sized += [Share(share.lot, share.bought_on, each, share.place) for share, _costs in lot]
    return sized


def history_of(seed: int) -> History:
    """A history of about sixty days of trades in three stocks and two demat accounts.

    Every fourth has trades whose price is not known.
    """
    chance = random.Random(seed)
    unpriced = 0.02 if seed % 4 == 0 else 0.0
    history = History()
    live = [history.new_stock() for _ in range(3)]
    for _ in range(60):
        history.day += dt.timedelta(days=chance.choice((1, 1, 2, 5, 20)))
        what = chance.random()
        stock = chance.choice(live)
        if what < 0.1:
            kind = chance.choice(tuple(UNITS))
            renames = kind is not ActionKind.BONUS and chance.random() < 0.7
            history.change_units(stock, kind, chance.choice(UNITS[kind]), renames=renames)
        elif what < 0.14:
            percent = chance.choice((Decimal("4.68"), Decimal("33.33"), None))
            history.demerge(stock, chance.choice((Fraction(1), Fraction(1, 2))), percent)
            live.append(len(history.stocks) - 1)
        elif what < 0.17 and len(live) > 2:
            to = chance.choice([each for each in live if each != stock])
            history.merge(stock, to, chance.choice((Fraction(42, 25), Fraction(1, 3))))
            live.remove(stock)
        history.trade_day(trades_of_day(chance, history, live, unpriced))
    return history


def trades_of_day(
    chance: random.Random, history: History, live: list[int], unpriced: float
) -> list[tuple[int, str, bool, int, Decimal | None]]:
    rows = []
    for _ in range(chance.randrange(5)):
        stock, demat = chance.choice(live), chance.choice(("ONE", "ONE", "TWO"))
        is_purchase = chance.random() < 0.6
        most = len(history.held(stock, demat))
        quantity = chance.randint(1, 40) if is_purchase else chance.randint(0, max(most, 1))
        if not is_purchase and chance.random() < 0.03:
            quantity = most + chance.randint(1, 5)
        price = Decimal(chance.randint(500, 500_000)).scaleb(-2)
        if quantity:
            known = None if chance.random() < unpriced else price
            rows.append((stock, demat, is_purchase, quantity, known))
    return rows
