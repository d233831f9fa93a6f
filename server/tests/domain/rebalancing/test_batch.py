"""Many portfolios at once against one at a time."""

import datetime as dt

import numpy as np
import pytest

from tarazu.domain.charges import ChargeRates, Tariff, rates_for
from tarazu.domain.rebalancing.batch import PortfolioBatch, solve_batch
from tarazu.domain.rebalancing.problem import (
    ROUNDED_UP,
    Freedom,
    ProblemStock,
    TradeCosts,
    WholeShareProblem,
)
from tarazu.domain.rebalancing.search import search

TODAY = dt.date(2026, 11, 20)
ZERODHA = TradeCosts(Tariff(rates_for("ZERODHA", TODAY)), penalty=0.01)
ANGEL_ONE = TradeCosts(Tariff(rates_for("ANGEL_ONE", TODAY)), penalty=0.01)
FREE = TradeCosts()
RUPEE = 10_000


def batch_of(clients: int, stocks: int, seed: int) -> PortfolioBatch:
    """Clients of a few lakh to a crore near one model portfolio, some with exits and locks."""
    random = np.random.default_rng(seed)
    prices = np.rint(np.exp(random.normal(6.7, 1.1, stocks)) * 20).astype(np.int64) * 500 + 50_000
    weights = random.dirichlet(np.full(stocks, 3.0), clients)
    targets = np.floor(weights * 9_500).astype(np.int64)
    targets[random.random(targets.shape) < 0.05] = 0
    investment = np.rint(np.exp(random.uniform(12, 16, clients))).astype(np.int64) * RUPEE
    drifted = 0.6 * weights + 0.4 * random.dirichlet(np.full(stocks, 3.0), clients)
    held = np.floor(drifted * investment[:, None] * 0.95 / prices).astype(np.int64)
    fixed = random.random(targets.shape) < 0.03
    budget = investment * 98 // 100
    return PortfolioBatch(prices, held, targets, investment, budget, fixed)


def problem_of(
    batch: PortfolioBatch, row: int, trade: TradeCosts, budget: int
) -> WholeShareProblem:
    investment = int(batch.investment[row])
    assert batch.fixed is not None
    stocks = [
        ProblemStock(
            int(price),
            int(held),
            int(target) * investment,
            freedom=Freedom.FIXED if fixed else Freedom.FREE if target else Freedom.EXIT,
        )
        for price, held, target, fixed in zip(
            batch.prices, batch.held[row], batch.targets[row], batch.fixed[row], strict=True
        )
    ]
    return WholeShareProblem(stocks, investment, budget, trade)


@pytest.mark.parametrize("trade", [FREE, ZERODHA, ANGEL_ONE], ids=["free", "zerodha", "angel"])
@pytest.mark.parametrize(("clients", "stocks"), [(40, 1), (60, 3), (60, 12), (30, 50)])
def test_every_row_keeps_its_budget_and_its_rules(
    trade: TradeCosts, clients: int, stocks: int
) -> None:
    batch = batch_of(clients, stocks, seed=stocks)

    found = solve_batch(batch, trade, goal=5e-4)

    assert batch.fixed is not None
    assert (found.shares >= 0).all()
    assert (found.shares[batch.fixed] == batch.held[batch.fixed]).all()
    assert (found.shares[(batch.targets == 0) & ~batch.fixed] == 0).all()
    for row in range(clients):
        problem = problem_of(batch, row, trade, int(batch.budget[row]))
        assert problem.spend_of(found.shares[row].tolist()) <= problem.budget


@pytest.mark.parametrize("trade", [FREE, ZERODHA], ids=["free", "zerodha"])
@pytest.mark.parametrize("goal", [5e-4, 5e-5])
def test_the_proved_bounds_enclose_what_one_at_a_time_finds(trade: TradeCosts, goal: float) -> None:
    batch = batch_of(80, 12, seed=7)

    found = solve_batch(batch, trade, goal)

    for row in range(80):
        budget = int(batch.budget[row])
        whole = search(problem_of(batch, row, trade, budget).question(), 400)
        assert whole.bound <= found.phi[row] * (1 + 1e-9)
        kept_back = 0 if trade is FREE else ROUNDED_UP
        less = search(problem_of(batch, row, trade, budget - kept_back).question(), 400)
        assert found.bound[row] <= less.phi * (1 + 1e-9)
        assert found.phi[row] <= less.phi * (1 + 3 * goal)


def test_the_goal_is_proved_for_portfolios_of_fifty() -> None:
    batch = batch_of(200, 50, seed=3)

    found = solve_batch(batch, FREE, goal=5e-4)

    assert found.gaps.max() <= 5e-4 + 1e-6


def test_the_phi_of_a_row_is_that_of_its_shares() -> None:
    batch = batch_of(50, 8, seed=11)

    found = solve_batch(batch, FREE)

    off = found.shares * (batch.prices / batch.investment[:, None]) - batch.targets / 10_000
    phi = (off * off).sum(axis=1) + off.sum(axis=1) ** 2
    assert np.allclose(found.phi, phi, rtol=1e-9, atol=1e-20)


def test_what_needs_no_trade_is_not_traded() -> None:
    prices = np.array([100 * RUPEE, 250 * RUPEE])
    held = np.array([[500, 200], [0, 0]])
    targets = np.array([[5000, 5000], [5000, 5000]])
    investment = np.array([100_000 * RUPEE, 100_000 * RUPEE])

    found = solve_batch(PortfolioBatch(prices, held, targets, investment, investment), ZERODHA)

    assert found.shares[0].tolist() == [500, 200]
    assert found.shares[1].sum() > 0


@pytest.mark.parametrize("broker", ["ZERODHA", "ANGEL_ONE"])
def test_minimum_trades_are_kept_one_at_a_time(broker: str) -> None:
    rates: ChargeRates = rates_for(broker, TODAY)
    trade = TradeCosts(Tariff(rates), least=1_000 * RUPEE, penalty=0.01)
    batch = batch_of(20, 8, seed=5)

    found = solve_batch(batch, trade)

    traded = np.abs(found.shares - batch.held) * batch.prices
    small = (traded > 0) & (traded < 1_000 * RUPEE) & (found.shares > 0)
    assert not small.any()
