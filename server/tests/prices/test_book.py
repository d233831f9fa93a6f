"""The price book: newest wins, nothing is lost, whoever writes."""

import datetime as dt
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tarazu.prices.book import PriceBook, Quote

NOON = dt.datetime(2026, 11, 20, 6, 30, tzinfo=dt.UTC)


def at(seconds: int) -> dt.datetime:
    return NOON + dt.timedelta(seconds=seconds)


@given(
    st.lists(st.tuples(st.integers(0, 50), st.integers(1, 10**9)), min_size=1).map(
        # A source says one thing at one instant.
        lambda trades: list(dict(trades).items())
    )
)
def test_the_newest_price_wins_whatever_the_order_of_arrival(
    trades: list[tuple[int, int]],
) -> None:
    book = PriceBook()

    for second, units in trades:
        book.record({1: units}, at(second), "ZERODHA")

    second, units = max(trades)
    assert book.quotes([1]) == {1: Quote(Decimal(units).scaleb(-4), at(second), "ZERODHA")}


@given(
    st.lists(
        st.lists(st.tuples(st.integers(1, 6), st.integers(-2, 4), st.integers(0, 5)), max_size=12),
        max_size=4,
    )
)
def test_ticks_taken_in_together_are_as_one_after_the_other(
    frames: list[list[tuple[int, int, int]]],
) -> None:
    together, apart = PriceBook(), PriceBook()
    start = int(NOON.timestamp())
    for frame in frames:
        rows = np.array(frame, dtype=np.int64).reshape(-1, 3)
        before = apart.units(range(1, 7))
        version = together.version
        together.take_changed()
        together.record_ticks(rows[:, 0], rows[:, 1], start + rows[:, 2], "ANGEL_ONE")
        for token, units, second in frame:
            apart.record({token: units}, at(second), "ANGEL_ONE")
        after = apart.units(range(1, 7))
        moved = {token for token in after if before.get(token) != after[token]}

        assert together.quotes(range(1, 7)) == apart.quotes(range(1, 7))
        assert together.take_changed() == moved
        assert (together.version > version) is bool(moved)
    assert together.last_tick_at == apart.last_tick_at


def test_a_book_grows_with_what_is_recorded() -> None:
    book, many = PriceBook(), np.arange(1, 5001, dtype=np.int64)

    book.record_ticks(many[::-1].copy(), many[::-1] * 10, np.full(5000, 10**9), "ZERODHA")
    book.record({9000: 7}, at(0), "ZERODHA")

    assert book.units_of([1, 4999, 5000, 9000, 9001]) == [10, 49_990, 50_000, 7, 0]
    assert len(book.tokens()) == len(book.unsaved()) == len(book.take_changed()) == 5001
    assert book.newest() == Quote(Decimal("0.0007"), at(0), "ZERODHA")


def test_a_price_of_zero_or_less_is_not_taken() -> None:
    book = PriceBook()
    book.record({1: 5}, at(0), "ZERODHA")

    book.record({1: 0, 2: -5, 3: 0}, at(1), "ZERODHA")

    assert book.units([1, 2, 3]) == {1: 5}
    assert book.units_of([3, 1, 2]) == [0, 5, 0]


def test_only_prices_that_moved_count_as_changed_and_only_once() -> None:
    book = PriceBook()
    book.record({1: 100, 2: 200}, at(0), "ZERODHA")
    first = book.take_changed()

    book.record({1: 100, 2: 201}, at(1), "ZERODHA")

    assert first == {1, 2}
    assert book.take_changed() == {2}
    assert book.take_changed() == set()


def test_the_version_moves_with_the_prices_only() -> None:
    book = PriceBook()
    book.record({1: 100}, at(0), "ZERODHA")
    before = book.version

    book.record({1: 100}, at(1), "ZERODHA")
    same = book.version
    book.record({1: 101}, at(2), "ZERODHA")

    assert same == before
    assert book.version > before


def test_a_price_stays_unsaved_until_that_very_price_is_saved() -> None:
    book = PriceBook()
    book.record({1: 100, 2: 200}, at(0), "ZERODHA")
    taken = book.unsaved()
    book.record({1: 101}, at(1), "ZERODHA")

    book.mark_saved(taken)

    assert taken.keys() == {1, 2}
    assert book.unsaved() == {1: Quote(Decimal("0.0101"), at(1), "ZERODHA")}


def test_loading_fills_gaps_and_replaces_nothing() -> None:
    book = PriceBook()
    book.record({1: 100}, at(5), "ZERODHA")
    book.take_changed()
    old = Quote(Decimal("0.0090"), at(9), "CLOSE")

    book.load({1: old, 2: old}, {1: 90, 2: 90})

    assert book.units([1, 2]) == {1: 100, 2: 90}
    assert book.take_changed() == set()
    assert book.unsaved().keys() == {1}


def test_writers_and_readers_in_many_threads_lose_nothing() -> None:
    book = PriceBook()
    seen: set[int] = set()

    def write(thread: int) -> None:
        for n in range(500):
            book.record({thread * 1000 + n: n + 1, 7: n + 1}, at(n), "ZERODHA")

    def read() -> None:
        for _ in range(500):
            seen.update(book.take_changed())
            book.mark_saved(book.unsaved())

    with ThreadPoolExecutor(6) as pool:
        work = [pool.submit(write, thread) for thread in range(1, 5)]
        work += [pool.submit(read), pool.submit(read)]
        for one in work:
            one.result()
    seen |= book.take_changed()

    written = {thread * 1000 + n for thread in range(1, 5) for n in range(500)}
    assert seen == written | {7}
    assert book.units([7]) == {7: 500}
    assert len(book.tokens()) == 2001
