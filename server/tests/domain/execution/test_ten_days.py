"""A client over ten business days, against statuses that were written down beforehand.

Advice FIRST is sent on Monday 2 November at 11:00 with a window until Monday 9 November; advice
SECOND on Monday 9 November at 11:00 names one of its shares again. Trades are read at 16:05 each
day and results are looked at at 16:10. On Friday 6 November nothing could be read; the holdings of
Monday tell what was traded in between. On Thursday 12 November a tradebook of the Friday arrives.
"""

import datetime as dt
import uuid
from decimal import Decimal
from fractions import Fraction

import pytest

from tarazu.domain.execution.matching import followed_percentage, match_lines, own_trades, state_of
from tarazu.domain.execution.values import (
    Action,
    AdviceState,
    Fill,
    LineResult,
    LineStatus,
    OpenOrder,
    Trading,
)
from tests.domain.execution.cases import BUY, SELL, at, fill, line

DAYS = (2, 3, 4, 5, 6, 9, 10, 11, 12, 13)
FIRST, SECOND = uuid.UUID(int=1), uuid.UUID(int=2)
TAG = "FIRSTTAG"

PARTIALS, WHOLE, SPLIT, UNREAD, AGAINST, ROUND_TRIP, MORE, AGAIN, REFUSED, NOT_WANTED, HALF = (
    f"INE{number:03d}A01010" for number in range(11)
)
SPLIT_NEW, OWN = "INE002A01028", "INE099A01010"

SENT, AGAIN_SENT = at(2, "11:00"), at(9, "11:00")
ROWS = (
    # isin, side, quantity, price
    (PARTIALS, BUY, 100, "250"),
    (WHOLE, SELL, 50, "400"),
    (SPLIT, BUY, 30, "1000"),
    (UNREAD, BUY, 20, "500"),
    (AGAINST, SELL, 40, "90"),
    (ROUND_TRIP, BUY, 60, "75"),
    (MORE, BUY, 10, "1200"),
    (AGAIN, BUY, 80, "60"),
    (REFUSED, BUY, 12, "2000"),
    (NOT_WANTED, SELL, 5, "3000"),
    (HALF, BUY, 90, "110"),
)
LAST = line(50, isin=AGAIN, price="62", sent=AGAIN_SENT, ends=at(16, "16:00"), advice=SECOND)

TRADES = (
    # An order is filled in part, cancelled, and placed again for the rest.
    fill(40, at(2, "11:20"), isin=PARTIALS, price="251", tag=TAG),
    fill(35, at(4, "10:05"), isin=PARTIALS, price="252", tag=TAG),
    fill(25, at(4, "10:06"), isin=PARTIALS, price="252.10", tag=TAG),
    # The client's own order, without the tag.
    fill(50, at(2, "14:00"), side=SELL, isin=WHOLE, price="399.50"),
    # Before and after a split of one into five on Wednesday.
    fill(10, at(3, "12:00"), isin=SPLIT, price="1005"),
    fill(100, at(5, "12:00"), isin=SPLIT_NEW, price="202"),
    # The other side.
    fill(10, at(5, "09:40"), isin=AGAINST, price="88"),
    # Bought and sold again: once as intraday, once as delivery.
    fill(60, at(3, "09:30"), isin=ROUND_TRIP, price="75", product="INTRADAY"),
    fill(60, at(3, "15:10"), side=SELL, isin=ROUND_TRIP, price="76", product="INTRADAY"),
    fill(25, at(4, "10:00"), isin=ROUND_TRIP, price="75"),
    fill(25, at(4, "15:00"), side=SELL, isin=ROUND_TRIP, price="76"),
    fill(15, at(3, "11:00"), isin=MORE, price="1201", tag=TAG),
    # A part before the second advice of the share, and all of the second.
    fill(30, at(4, "11:00"), isin=AGAIN, price="60.50"),
    fill(50, at(11, "11:00"), isin=AGAIN, price="62.20"),
    fill(45, at(4, "12:00"), isin=HALF, price="111"),
    # Nobody advised this one; and this is before the advice.
    fill(7, at(4, "13:00"), isin=OWN, price="10"),
    fill(90, at(2, "09:20"), isin=HALF, price="109"),
)
INFERRED = fill(20, at(9, "15:45"), isin=UNREAD, price="503.20", after=at(5, "16:05"))
TRADEBOOK = (
    fill(12, at(6, "10:00"), isin=UNREAD, price="502", tag=TAG),
    fill(8, at(6, "10:01"), isin=UNREAD, price="505", tag=TAG),
)
ORDERS = {
    3: (OpenOrder(PARTIALS, BUY, at(3, "10:00"), tag=TAG),),
}
REJECTED = OpenOrder(REFUSED, BUY, at(2, "11:25"), True, "Insufficient funds", TAG)
SPLITS = (Action(SPLIT, SPLIT_NEW, dt.date(2026, 11, 4), Fraction(5)),)

# One letter for each line on each of the ten days, in the order of ROWS and then LAST.
LETTERS = {
    ".": None,
    "?": LineStatus.UNKNOWN,
    "p": LineStatus.PENDING,
    "w": LineStatus.WORKING,
    "a": LineStatus.PARTIAL,
    "D": LineStatus.DONE,
    "O": LineStatus.OVER,
    "M": LineStatus.MISSED,
    "S": LineStatus.SHORT,
    "R": LineStatus.REJECTED,
    "X": LineStatus.OPPOSITE,
    "s": LineStatus.SUPERSEDED,
    "d": LineStatus.DECLINED,
}
WRITTEN = {
    PARTIALS: "awDDDDDDDD",
    WHOLE: "DDDDDDDDDD",
    SPLIT: "paaDDDDDDD",
    UNREAD: "pppppDDDDD",
    AGAINST: "pppXXXXXXX",
    ROUND_TRIP: "pppppMMMMM",
    MORE: "pOOOOOOOOO",
    AGAIN: "ppaaasssss",
    REFUSED: "RRRRRMMMMM",
    NOT_WANTED: "pddddddddd",
    HALF: "ppaaaSSSSS",
    "second advice": ".....ppDDD",
}
STATES: dict[uuid.UUID, list[str | None]] = {
    FIRST: ["PART", "PART", "PART", *["OPPOSITE"] * 7],
    SECOND: [None, None, None, None, None, "PENDING", "PENDING", "ACTED", "ACTED", "ACTED"],
}


def known_on(day: int) -> tuple[list[Fill], dt.datetime]:
    """The trades that are known in the evening, and until when they were read."""
    evening = at(day, "16:05")
    read_at = at(5, "16:05") if day == 6 else evening
    fills = [each for each in TRADES if each.at <= read_at]
    if day >= 9:
        fills += TRADEBOOK if day >= 12 else (INFERRED,)
    return fills, read_at


def trading_on(day: int) -> Trading:
    fills, read_at = known_on(day)
    actions = [action for action in SPLITS if action.ex_on.day <= day]
    return Trading(fills, (REJECTED, *ORDERS.get(day, ())), actions, read_at)


def results_on(day: int) -> list[LineResult]:
    """All lines that were sent by then; one is declined on Tuesday."""
    lines = [
        line(
            quantity,
            side=side,
            isin=isin,
            price=price,
            advice=FIRST,
            place=place,
            tag=TAG,
            is_declined=isin == NOT_WANTED and day >= 3,
        )
        for place, (isin, side, quantity, price) in enumerate(ROWS)
    ]
    if day >= 9:
        lines.append(LAST)
    return match_lines(lines, trading_on(day), at(day, "16:10"))


def of_share(results: list[LineResult], isin: str) -> LineResult:
    return next(each for each in results if each.line.isin == isin)


@pytest.mark.parametrize(("number", "day"), list(enumerate(DAYS)))
def test_each_day_has_the_statuses_that_were_written_down(number: int, day: int) -> None:
    expected = [LETTERS[letters[number]] for letters in WRITTEN.values()]

    results = results_on(day)

    assert [each.status for each in results] == [each for each in expected if each]


@pytest.mark.parametrize(("number", "day"), list(enumerate(DAYS)))
def test_each_day_has_the_states_that_were_written_down(number: int, day: int) -> None:
    results = results_on(day)

    for advice, states in STATES.items():
        of_advice = [each for each in results if each.line.advice_id == advice]
        state = states[number]
        assert (state is None) == (not of_advice)
        if state is not None:
            assert state_of(of_advice) is AdviceState(state)


@pytest.mark.parametrize("day", DAYS)
def test_running_everything_again_changes_nothing(day: int) -> None:
    assert results_on(day) == results_on(day)


def test_before_the_first_reading_nothing_is_known() -> None:
    lines = [each.line for each in results_on(2)]

    results = match_lines(lines, Trading(()), at(2, "12:00"))

    assert {each.status for each in results} == {LineStatus.UNKNOWN}
    assert state_of(results) is AdviceState.UNKNOWN
    assert followed_percentage(results) is None


def test_the_tradebook_replaces_the_inferred_fill() -> None:
    inferred, read = (of_share(results_on(day), UNREAD) for day in (11, 12))

    assert [match.fill for match in inferred.matches] == [INFERRED]
    assert [match.fill for match in read.matches] == list(TRADEBOOK)
    assert (inferred.filled, inferred.average_price) == (20, Decimal("503.20"))
    assert (read.filled, read.average_price) == (20, Decimal("503.20"))


def test_the_figures_of_the_last_day() -> None:
    results = results_on(13)

    figures = {
        each.line.isin: (each.quantity, each.filled, each.beyond, each.opposite)
        for each in results[: len(ROWS)]
    }
    assert figures == {
        PARTIALS: (100, 100, 0, 0),
        WHOLE: (50, 50, 0, 0),
        SPLIT: (150, 150, 0, 0),
        UNREAD: (20, 20, 0, 0),
        AGAINST: (40, 0, 0, 10),
        ROUND_TRIP: (60, 0, 0, 0),
        MORE: (10, 10, 5, 0),
        AGAIN: (80, 30, 0, 0),
        REFUSED: (12, 0, 0, 0),
        NOT_WANTED: (5, 0, 0, 0),
        HALF: (90, 45, 0, 0),
    }
    assert of_share(results, REFUSED).status_text == "Insufficient funds"
    advised = 25_000 + 20_000 + 30_000 + 10_000 + 3_600 + 4_500 + 12_000 + 4_800
    advised += 24_000 + 15_000 + 9_900
    filled = 25_000 + 20_000 + 30_000 + 10_000 + 12_000 + 1_800 + 4_950
    share = followed_percentage(results[: len(ROWS)])
    assert (advised, filled) == (158_800, 103_750)
    assert share == Decimal("65.33")


def test_own_trades_are_the_share_that_nobody_advised_and_the_purchase_before() -> None:
    own = own_trades(results_on(13), trading_on(13))

    assert [(each.isin, each.quantity) for each in own] == [(HALF, 90), (OWN, 7)]
