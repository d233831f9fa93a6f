"""The simulated market: believable, within the exchange's rules, and the same from one seed."""

import asyncio
import datetime as dt
import itertools
import math
import statistics
import uuid
from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tarazu.domain.money import to_units
from tarazu.instruments.service import Listed
from tarazu.instruments.shipped import shipped_instruments
from tarazu.kit import clock
from tarazu.kit.clock import day_in_india
from tarazu.prices.book import PriceBook
from tarazu.prices.feed.simulated import STEP_EVERY, RandomWalk, SimulatedPrices

CLOSED_ON = dt.date(2026, 11, 20)


def stock(token: int, close: str = "1500", tick: str = "0.05", sector: str = "IT") -> Listed:
    symbol = f"S{token}"
    return Listed(
        uuid.UUID(int=token), "NSE", symbol, symbol, "", sector, Decimal(tick), 1, token, None,
        Decimal(close), CLOSED_ON,
    )  # fmt: skip


def steps(walk: RandomWalk, number: int, seconds: float = STEP_EVERY) -> list[dict[int, int]]:
    return [walk.step(seconds) for _ in range(number)]


def market(seed: int, stocks: list[Listed], **last: int) -> RandomWalk:
    walk = RandomWalk(seed)
    walk.follow(stocks, {int(token[1:]): units for token, units in last.items()})
    return walk


@pytest.fixture(scope="module")
def shipped() -> list[Listed]:
    return [
        stock(
            shipped_instrument.zerodha_token,
            str(shipped_instrument.reference_close),
            str(shipped_instrument.tick_size),
            shipped_instrument.sector,
        )
        for shipped_instrument in shipped_instruments()
    ]


def test_one_seed_gives_one_market_and_another_seed_another(shipped: list[Listed]) -> None:
    first = steps(market(5, shipped), 20)

    assert steps(market(5, list(reversed(shipped))), 20) == first
    assert steps(market(6, shipped), 20) != first


@given(
    seed=st.integers(0, 2**32),
    tick=st.sampled_from(["0.01", "0.05", "0.1", "0.5", "1", "5"]),
    ticks=st.integers(10, 200_000),
    seconds=st.sampled_from([0.25, 5, 3600, 86_400]),
)
def test_prices_are_whole_ticks_within_the_circuit_limits(
    seed: int, tick: str, ticks: int, seconds: float
) -> None:
    close = Decimal(tick) * ticks
    walk = market(seed, [stock(1, str(close), tick)])

    prices = [price for step in steps(walk, 50, seconds) for price in step.values()]

    unit = to_units(Decimal(tick))
    assert all(price % unit == 0 for price in prices)
    assert all(9 * to_units(close) <= 10 * price <= 11 * to_units(close) for price in prices)


@given(st.integers(1, 30_000_000), st.integers(0, 2**32))
def test_a_walk_begins_at_the_last_known_price_if_the_limits_allow_it(last: int, seed: int) -> None:
    walk = market(seed, [stock(1)], t1=last)

    first = next(step[1] for step in steps(walk, 1000) if step)

    nearest = min(max(last, 13_500_000), 16_500_000)
    assert abs(math.log(first / nearest)) < 0.02


def test_a_day_looks_like_a_day(shipped: list[Listed]) -> None:
    shares = [one for one in shipped if one.reference_close > 100][:60]
    walk = market(1, shares)
    by_token: dict[int, list[int]] = {share.instrument_token: [] for share in shares}
    for step in steps(walk, 25_000):
        for token, price in step.items():
            by_token[token].append(price)

    deviations, moves = [], []
    for share in shares:
        path, close = by_token[share.instrument_token], to_units(share.reference_close)
        deviations.append(statistics.fmean(abs(price / close - 1) for price in path))
        moves += [abs(b / a - 1) for a, b in itertools.pairwise(path)]
    assert 0.003 < statistics.fmean(deviations) < 0.02
    assert 0.00001 < statistics.fmean(moves) < 0.001
    assert max(moves) < 0.01


def test_a_step_trades_some_shares_and_not_others(shipped: list[Listed]) -> None:
    shares = [len(step) / len(shipped) for step in steps(market(1, shipped), 100)[1:]]

    assert 0.1 < statistics.fmean(shares) < 0.4
    assert max(shares) < 0.5


def test_joining_moves_nobody_and_leaving_stops() -> None:
    walk = market(1, [stock(1), stock(2)])
    steps(walk, 400)
    before = {token: walker.drift for token, walker in walk._walkers.items()}

    walk.follow([stock(2), stock(3)], {2: 15_500_000})

    assert walk._walkers[2].drift == before[2]
    assert set().union(*steps(walk, 400)) == {2, 3}


def test_after_a_split_a_share_walks_on_in_the_new_units() -> None:
    walk = market(1, [stock(1), stock(2)])
    steps(walk, 400)
    drift = walk._walkers[1].drift

    walk.follow([stock(1), stock(2)], {}, {1: Fraction(5)})

    (price,) = [step[1] for step in steps(walk, 1) if 1 in step]
    assert walk._walkers[1].close == to_units(Decimal(300))
    assert price / to_units(Decimal(300)) == pytest.approx(math.exp(drift), rel=0.005)
    walk.follow([stock(1), stock(2)], {})
    assert walk._walkers[1].close == to_units(Decimal(1500))


@pytest.mark.anyio
async def test_the_source_follows_a_split_while_it_trades() -> None:
    book, source = PriceBook(), SimulatedPrices(1)
    source.subscribe([stock(1)])
    await source.start(book)
    await _until(lambda: bool(book.quotes([1])))
    before = book.quotes([1])[1].price

    now = clock.now()
    book.follow_steps({1: [(clock.start_of(day_in_india(now)), Fraction(5))]})
    book.steps_read += 1
    await _until(lambda: book.quotes([1])[1].price < before / 2)
    await source.stop()

    assert 270 <= book.quotes([1])[1].price <= 330


async def _until(holds: Callable[[], bool]) -> None:
    for _ in range(500):
        if holds():
            return
        await asyncio.sleep(0.02)
    raise AssertionError("it never held")


def test_a_share_without_any_price_is_never_given_one() -> None:
    walk = market(1, [stock(1, "0"), stock(2, "0")], t2=500_000)

    traded = set().union(*steps(walk, 400))

    assert traded == {2}


@pytest.mark.anyio
async def test_the_source_trades_only_between_start_and_stop() -> None:
    source, recorded = SimulatedPrices(1), []

    class PriceSink(PriceBook):
        def record(self, prices: Mapping[int, int], at: dt.datetime, source: str) -> None:
            recorded.append((dict(prices), at, source))

        def units_of(self, tokens: Iterable[int]) -> list[int]:
            return [16_000_000 for _ in tokens]

    source.subscribe([stock(token) for token in range(1, 60)])
    before = source.is_live
    await source.start(PriceSink())
    await _until(lambda: bool(recorded))
    during = source.is_live
    await source.stop()
    steps_made = len(recorded)
    await asyncio.sleep(0.4)

    assert (before, during, source.is_live) == (False, True, False)
    assert len(recorded) == steps_made
    prices, at, name = recorded[0]
    assert (name, at.utcoffset()) == ("SIMULATED", dt.timedelta(0))
    assert all(abs(price / 16_000_000 - 1) < 0.01 for price in prices.values())


def test_a_share_trades_as_soon_as_it_is_followed() -> None:
    walk = market(1, [stock(token) for token in range(1, 21)])

    assert set(walk.step(STEP_EVERY)) == set(range(1, 21))
