"""Lots, costs and realised gains of 200 random histories, counted share by share."""

import random
from collections import Counter, defaultdict
from dataclasses import replace
from fractions import Fraction
from itertools import groupby
from typing import Any

import pytest

from tarazu.domain.tax.lots import Entries, Ledger, ledger_of
from tests.domain.tax.histories import History, history_of

SEEDS = range(200)
Compared = dict[Any, list[Any]]


def no_sales() -> list[Any]:
    return [0, 0, Fraction(0)]


def lots_of_shares(history: History) -> Compared:
    """By stock and demat: shares, date and cost of each lot, in the order of sale."""
    return {
        key: [
            (len(lot), lot[0].bought_on, total([share.cost for share in lot]))
            for lot in (list(group) for _lot, group in groupby(shares, key=lambda each: each.lot))
        ]
        for key, shares in history.shares.items()
        if shares
    }


def lots_of_ledger(history: History, ledger: Ledger) -> Compared:
    stocks = {stock.isins[-1]: number for number, stock in enumerate(history.stocks)}
    lots: defaultdict[Any, list[Any]] = defaultdict(list)
    for isin, each in ledger.lots.items():
        for lot in each:
            lots[stocks[isin], lot.demat].append((lot.quantity, lot.bought_on, lot.cost))
    return dict(lots)


def total(costs: list[Fraction | None]) -> Fraction | None:
    known = [cost for cost in costs if cost is not None]
    return sum(known, Fraction(0)) if len(known) == len(costs) else None


def gains_by_day(history: History) -> Compared:
    """By day and demat: shares sold, those of a known cost, and their gain."""
    days: defaultdict[Any, list[Any]] = defaultdict(no_sales)
    for sale in history.sold:
        day = days[sale["day"], sale["demat"]]
        day[0] += 1
        if sale["is_known"] and sale["cost"] is not None and sale["price"] is not None:
            day[1] += 1
            day[2] += sale["price"] - sale["cost"]
    return days


def test_the_histories_have_everything_that_may_happen() -> None:
    seen: Counter[str] = Counter()
    for seed in SEEDS:
        history = history_of(seed)
        seen.update(action.kind for action in history.actions)
        seen["unknown"] += sum(not sale["is_known"] for sale in history.sold)
        seen["speculation"] += history.speculation not in {0, None}

    assert min(seen.values()) > 20
    assert len(seen) == 7


@pytest.mark.parametrize("seed", SEEDS)
def test_a_random_history_comes_to_what_its_single_shares_come_to(seed) -> None:
    history = history_of(seed)

    ledger = ledger_of(history.entries, history.actions, history.day)

    assert lots_of_ledger(history, ledger) == lots_of_shares(history)
    sums: defaultdict[Any, list[Any]] = defaultdict(no_sales)
    for part in ledger.disposals:
        if not part.quantity:
            continue
        day = sums[part.sold_on, part.demat]
        day[0] += part.quantity
        if part.cost is not None and part.proceeds is not None:
            day[1] += part.quantity
            day[2] += part.proceeds - part.cost
    assert sums.keys() == gains_by_day(history).keys()
    priced = {row.price for row in history.trades}
    if None not in priced:
        assert sums == gains_by_day(history)
    gains = [each.gain for each in ledger.speculations]
    assert total(gains) == history.speculation


@pytest.mark.parametrize("seed", range(0, 200, 10))
def test_the_order_of_arrival_does_not_matter(seed) -> None:
    history = history_of(seed)
    shuffled = replace_shuffled(history, seed)
    actions = random.Random(seed).sample(history.actions * 2, 2 * len(history.actions))

    assert result(ledger_of(shuffled, actions, history.day)) == result(
        ledger_of(history.entries, history.actions, history.day)
    )


@pytest.mark.parametrize("seed", range(0, 200, 10))
def test_trades_without_a_time_come_to_the_same_in_any_order(seed) -> None:
    history = history_of(seed)
    history.trades = [trade._replace(order=()) for trade in history.trades]
    shuffled = replace_shuffled(history, seed)

    assert result(ledger_of(shuffled, history.actions, history.day)) == result(
        ledger_of(history.entries, history.actions, history.day)
    )


@pytest.mark.parametrize("seed", range(0, 200, 10))
def test_removing_an_action_restores_what_was_before(seed) -> None:
    history = history_of(seed)
    for action in history.actions:
        without = [each for each in history.actions if each is not action]
        before = result(ledger_of(history.entries, without, history.day))

        ledger_of(history.entries, history.actions, history.day)

        assert result(ledger_of(history.entries, without, history.day)) == before


@pytest.mark.parametrize("seed", range(0, 200, 10))
def test_a_day_in_between_is_as_if_nothing_had_happened_since(seed) -> None:
    history = history_of(seed)
    day = history.trades[len(history.trades) // 2].day
    until = Entries([trade for trade in history.trades if trade.day <= day])
    actions = [action for action in history.actions if action.ex_on <= day]

    whole = ledger_of(history.entries, history.actions, day)

    assert whole.disposals == ledger_of(until, actions, day).disposals


def replace_shuffled(history: History, seed: int) -> Entries:
    trades = random.Random(seed).sample(history.trades, len(history.trades))
    return replace(history.entries, trades=trades)


def result(ledger: Ledger) -> tuple[object, ...]:
    return ledger.lots, ledger.disposals, ledger.speculations
