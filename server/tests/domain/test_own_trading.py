"""The days around an advice in which nobody of the firm trades the stock, and never against it."""

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tarazu.domain.charges import Side
from tarazu.domain.own_trading import Advised, BreachKind, OwnTrade, Window, breaches_of, window_on

DAY = dt.date(2026, 6, 15)
WINDOWS = [Window(dt.date(2014, 12, 1), 30, 5)]
ISINS = ("INE009A01021", "INE154A01025")
sides = st.sampled_from([Side.BUY, Side.SELL])
days = st.integers(-80, 80).map(lambda shift: DAY + dt.timedelta(days=shift))
trades: st.SearchStrategy[OwnTrade[int]] = st.builds(
    OwnTrade, st.integers(), st.sampled_from(ISINS), sides, days
)
advices = st.builds(Advised, st.sampled_from(ISINS), sides, days)
IN_WINDOW = {BreachKind.BEFORE, BreachKind.AFTER}


def kinds(trade_shift: int, trade_side: Side = Side.BUY) -> set[BreachKind]:
    """The breaches of one trade so many days after an advice to buy."""
    trade = OwnTrade(1, ISINS[0], trade_side, DAY + dt.timedelta(days=trade_shift))
    return {
        breach.kind for breach in breaches_of([trade], [Advised(ISINS[0], Side.BUY, DAY)], WINDOWS)
    }


@pytest.mark.parametrize(
    ("shift", "expected"),
    [
        (-31, set()),
        (-30, {BreachKind.BEFORE}),
        (-1, {BreachKind.BEFORE}),
        (0, {BreachKind.AFTER}),
        (5, {BreachKind.AFTER}),
        (6, set()),
    ],
)
def test_the_window_is_thirty_days_before_to_five_after(
    shift: int, expected: set[BreachKind]
) -> None:
    assert kinds(shift) == expected


def test_a_sale_after_advice_to_buy_is_against_it_however_late() -> None:
    assert kinds(70, Side.SELL) == {BreachKind.AGAINST}
    assert kinds(3, Side.SELL) == {BreachKind.AFTER, BreachKind.AGAINST}
    assert kinds(-31, Side.SELL) == set()


def test_a_later_advice_to_the_other_side_ends_the_earlier_one() -> None:
    advised = [Advised(ISINS[0], Side.BUY, DAY), Advised(ISINS[0], Side.SELL, dt.date(2026, 7, 1))]
    trade = OwnTrade(1, ISINS[0], Side.SELL, dt.date(2026, 8, 1))

    assert breaches_of([trade], advised, WINDOWS) == []


def test_where_both_sides_were_advised_on_one_day_neither_is_against_it() -> None:
    advised = [Advised(ISINS[0], side, DAY) for side in (Side.BUY, Side.SELL)]
    trade = OwnTrade(1, ISINS[0], Side.SELL, DAY + dt.timedelta(days=20))

    assert breaches_of([trade], advised, WINDOWS) == []


@given(made=st.lists(trades, max_size=8), advised=st.lists(advices, max_size=8))
def test_a_trade_is_in_a_window_exactly_if_some_advice_on_its_stock_is_near(
    made: list[OwnTrade[int]], advised: list[Advised]
) -> None:
    found = breaches_of(made, advised, WINDOWS)

    for trade in made:
        shifts = [
            (trade.traded_on - advice.advised_on).days
            for advice in advised
            if advice.isin == trade.isin
        ]
        is_near = any(-30 <= shift <= 5 for shift in shifts)
        assert is_near == any(breach.kind in IN_WINDOW for breach in found if breach.trade == trade)


@given(made=st.lists(trades, max_size=8), advised=st.lists(advices, max_size=8))
def test_a_breach_names_the_nearest_advice_and_the_days_between(
    made: list[OwnTrade[int]], advised: list[Advised]
) -> None:
    for breach in breaches_of(made, advised, WINDOWS):
        trade = breach.trade
        own = [advice for advice in advised if advice.isin == trade.isin]
        assert breach.advised_on in {advice.advised_on for advice in own}
        assert breach.days == abs((breach.advised_on - trade.traded_on).days)
        between = sorted([breach.advised_on, trade.traded_on])
        assert not any(between[0] < advice.advised_on < between[1] for advice in own)
        if breach.kind is BreachKind.AGAINST:
            same_day = {one.side for one in own if one.advised_on == breach.advised_on}
            assert trade.side not in same_day


@given(
    made=st.lists(trades, max_size=6),
    advised=st.lists(advices, max_size=6),
    shift=st.integers(-400, 400),
)
def test_breaches_do_not_depend_on_the_calendar(
    made: list[OwnTrade[int]], advised: list[Advised], shift: int
) -> None:
    by = dt.timedelta(days=shift)
    moved = breaches_of(
        [OwnTrade(one.key, one.isin, one.side, one.traded_on + by) for one in made],
        [Advised(one.isin, one.side, one.advised_on + by) for one in advised],
        WINDOWS,
    )

    assert [(one.kind, one.days) for one in moved] == [
        (one.kind, one.days) for one in breaches_of(made, advised, WINDOWS)
    ]


@given(
    made=st.lists(trades, max_size=6),
    advised=st.lists(advices, max_size=6),
    before=st.integers(0, 60),
    after=st.integers(0, 60),
)
def test_a_wider_window_has_every_breach_of_a_narrower_one(
    made: list[OwnTrade[int]], advised: list[Advised], before: int, after: int
) -> None:
    first = dt.date(2014, 12, 1)
    narrow = breaches_of(made, advised, [Window(first, before, after)])
    wide = breaches_of(made, advised, [Window(first, before + 1, after + 1)])

    assert {(one.trade, one.kind) for one in narrow} <= {(one.trade, one.kind) for one in wide}


def test_each_advice_has_the_window_of_its_own_day() -> None:
    windows = [*WINDOWS, Window(DAY, 10, 2)]
    earlier = DAY - dt.timedelta(days=1)
    trade = OwnTrade(1, ISINS[0], Side.BUY, earlier - dt.timedelta(days=20))

    assert window_on(windows, dt.date(2000, 1, 1)) == WINDOWS[0]
    assert breaches_of([trade], [Advised(ISINS[0], Side.BUY, DAY)], windows) == []
    assert len(breaches_of([trade], [Advised(ISINS[0], Side.BUY, earlier)], windows)) == 1
