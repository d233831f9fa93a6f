"""The state of an advice in lists, from its lines."""

import datetime as dt
from decimal import Decimal

import pytest

from tarazu.domain.execution.matching import followed_percentage, state_of
from tarazu.domain.execution.values import AdviceState, LineResult, LineStatus, Match
from tests.domain.execution.cases import HOLD, at, fill, line

S = LineStatus


def result(status: LineStatus, filled: int = 0, quantity: int = 100) -> LineResult:
    matches = (Match(fill(filled, at(3)), filled, Decimal(250), Decimal(250) * filled),)
    return LineResult(
        line=line(quantity),
        quantity=quantity,
        price=Decimal(250),
        matches=matches if filled else (),
        beyond=0,
        status=status,
        status_text="",
        ends_at=at(9) + dt.timedelta(hours=4),
    )


DONE, PART = result(S.DONE, 100), result(S.PARTIAL, 40)


@pytest.mark.parametrize(
    ("results", "state"),
    [
        ([result(S.UNKNOWN), result(S.UNKNOWN)], "UNKNOWN"),
        ([result(S.UNKNOWN), result(S.DECLINED)], "UNKNOWN"),
        ([result(S.UNKNOWN), result(S.SUPERSEDED)], "UNKNOWN"),
        ([result(S.DECLINED), result(S.DECLINED)], "DECLINED"),
        ([result(S.DECLINED), result(S.OPPOSITE)], "OPPOSITE"),
        ([DONE, result(S.OPPOSITE)], "OPPOSITE"),
        ([DONE, result(S.OVER, 100)], "ACTED"),
        ([DONE, result(S.DECLINED)], "ACTED"),
        ([DONE, result(S.SUPERSEDED)], "ACTED"),
        ([DONE, result(S.PENDING)], "PART"),
        ([DONE, result(S.MISSED)], "PART"),
        ([PART, result(S.PENDING)], "PART"),
        ([result(S.SHORT, 40)], "PART"),
        ([result(S.WORKING, 40)], "PART"),
        ([result(S.SUPERSEDED, 40)], "PART"),
        ([result(S.SUPERSEDED)], "IGNORED"),
        ([result(S.SUPERSEDED), result(S.DECLINED)], "IGNORED"),
        ([result(S.MISSED), result(S.DECLINED)], "IGNORED"),
        ([result(S.MISSED), result(S.MISSED)], "IGNORED"),
        ([result(S.PENDING), result(S.DECLINED)], "PENDING"),
        ([result(S.WORKING), result(S.PENDING)], "PENDING"),
        ([result(S.REJECTED)], "PENDING"),
        ([], "ACTED"),
    ],
)
def test_the_state_comes_from_the_lines(results: list[LineResult], state: str) -> None:
    assert state_of(results) is AdviceState(state)
    assert state_of(results[::-1]) is AdviceState(state)


def test_rows_to_hold_say_nothing() -> None:
    hold = LineResult(line(0, side=HOLD), 0, Decimal(250), (), 0, S.DONE, "", at(9))

    assert state_of([hold, result(S.MISSED)]) is AdviceState.IGNORED
    assert state_of([hold]) is AdviceState.ACTED
    assert followed_percentage([hold]) is None


def test_the_share_followed_is_by_value_with_declined_lines_as_advised() -> None:
    share = followed_percentage([DONE, PART, result(S.DECLINED)])

    assert share == Decimal("46.67")


def test_the_share_followed_is_unknown_if_nothing_is_filled_and_a_line_is_unknown() -> None:
    assert followed_percentage([result(S.DECLINED), result(S.UNKNOWN)]) is None
    assert followed_percentage([DONE, result(S.UNKNOWN)]) == 50
    assert followed_percentage([result(S.MISSED)]) == 0
