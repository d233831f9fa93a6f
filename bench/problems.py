# ruff: noqa: INP001 - beside scripts, not in a package
"""Rebalance problems made from a seed: prices as on the NSE, a few lakh to a crore to invest.

Prices are log-normal around ₹800 (from ₹5 to ₹1,40,000, in steps of five paise), targets are
Dirichlet weights rounded down to a basis point, holdings lie between the targets and weights drawn
again. Investment is log-uniform from five lakh to a crore rupees.
"""

from dataclasses import dataclass, replace
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray
from tarazu.domain.rebalance import Row
from tarazu.domain.rebalance_batch import Batch

UNITS = 10_000


@dataclass(frozen=True)
class Portfolio:
    """One portfolio: prices and investment in ten-thousandths of a rupee, targets in basis points."""

    prices: NDArray[np.int64]
    held: NDArray[np.int64]
    targets: NDArray[np.int64]
    investment: int

    def rows(self) -> list[Row]:
        return [
            Row(f"S{number}", Decimal(price) / UNITS, held, Decimal(target) / 100)
            for number, (price, held, target) in enumerate(
                zip(self.prices.tolist(), self.held.tolist(), self.targets.tolist(), strict=True)
            )
        ]

    def error(self, shares: NDArray[np.int64]) -> float:
        """Tracking error of whole shares in basis points of the investment, cash among it."""
        off = shares * (self.prices / self.investment) - self.targets / UNITS
        return float(np.sqrt((off * off).sum() + off.sum() ** 2) * UNITS)


def portfolio(seed: int, stocks: int, cash_target: int = 0) -> Portfolio:
    """One problem; `cash_target` in basis points is left out of the stocks' targets."""
    random = np.random.default_rng((seed, stocks))
    made = clients(random, 1, prices(random, stocks), cash_target)
    return Portfolio(made.prices, made.held[0], made.targets[0], int(made.investment[0]))


def of_penny_shares(problem: Portfolio) -> Portfolio:
    """The same weights held and wanted, in shares at one to five rupees."""
    prices = 20_000 + problem.prices // 500 * 500 % 30_000 - 10_000
    held = problem.held * problem.prices // prices
    return replace(problem, prices=prices, held=held)


def batch(seed: int, count: int, stocks: int) -> Batch:
    """Many clients of one list of stocks, each with targets and holdings of his own."""
    random = np.random.default_rng((seed, stocks, count))
    return clients(random, count, prices(random, stocks), 0)


def prices(random: np.random.Generator, stocks: int) -> NDArray[np.int64]:
    rupees = np.exp(random.normal(6.7, 1.1, stocks)).clip(5, 140_000)
    return np.rint(rupees * 20).astype(np.int64) * (UNITS // 20)


def clients(
    random: np.random.Generator, count: int, stock_prices: NDArray[np.int64], cash_target: int
) -> Batch:
    stocks = stock_prices.size
    weights = random.dirichlet(np.full(stocks, 3.0), count)
    targets = np.floor(weights * (UNITS - cash_target)).astype(np.int64)
    targets[:, 0] += UNITS - cash_target - targets.sum(axis=1)
    rupees = np.exp(random.uniform(np.log(5e5), np.log(1e7), count))
    investment = np.rint(rupees / 1000).astype(np.int64) * 1000 * UNITS
    drifted = 0.6 * weights + 0.4 * random.dirichlet(np.full(stocks, 3.0), count)
    held = np.floor(drifted * investment[:, None] * 0.95 / stock_prices).astype(np.int64)
    return Batch(stock_prices, held, targets, investment, investment.copy())
