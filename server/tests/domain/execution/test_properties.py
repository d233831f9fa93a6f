"""What holds of every matching, whatever was advised and traded."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from tarazu.domain.execution.matching import followed_percentage, match_lines, own_trades, state_of
from tarazu.domain.execution.netting import COUNTED_PRODUCTS, net_quantities, order_of
from tarazu.domain.execution.values import (
    Action,
    AdvisedLine,
    Fill,
    LineResult,
    LineStatus,
    OpenOrder,
    Trading,
)
from tests.domain.execution.cases import (
    BUY,
    ISINS,
    NEW_ISIN,
    at,
    fills_of_client,
    hours,
    lines_of_advice,
    sides,
)

NOW = at(20)
FILLED = {LineStatus.DONE, LineStatus.OVER}
NOTHING = {LineStatus.UNKNOWN, LineStatus.PENDING, LineStatus.MISSED, LineStatus.DECLINED}

factors = st.sampled_from(
    [Fraction(2), Fraction(5), Fraction(3, 2), Fraction(1, 10), Fraction(2, 3)]
)
actions_of_shares = st.lists(
    st.builds(
        Action,
        st.sampled_from(ISINS),
        st.sampled_from(("", "", NEW_ISIN)),
        st.dates(dt.date(2026, 11, 1), dt.date(2026, 11, 14)),
        factors,
    ),
    max_size=3,
)
orders = st.lists(
    st.builds(
        OpenOrder,
        isin=st.sampled_from(ISINS),
        side=sides,
        at=hours,
        is_rejected=st.booleans(),
        reason=st.sampled_from(("", "Margin", "Circuit")),
        tag=st.sampled_from(("", "TAG1")),
    ),
    max_size=3,
)


@st.composite
def tradings(
    draw: st.DrawFn, actions: st.SearchStrategy[list[Action]] = actions_of_shares
) -> Trading:
    fills, known = draw(fills_of_client()), draw(actions)
    return Trading(fills, draw(orders), known, draw(st.none() | hours | st.just(NOW)))


without_actions = tradings(st.just([]))


def match(lines: Sequence[AdvisedLine], trading: Trading) -> list[LineResult]:
    return match_lines(lines, trading, NOW)


def net_shares(lines: Sequence[AdvisedLine], fills: Sequence[Fill]) -> dict[str, int]:
    """What is left of each fill after netting, by its key; of shares that were never split."""
    left: dict[str, int] = {}
    for isin in {fill.isin for fill in fills}:
        of_isin = [fill for fill in fills if fill.isin == isin and fill.product in COUNTED_PRODUCTS]
        of_isin.sort(key=order_of)
        advised = [line for line in lines if line.isin == isin]
        sent_at = sorted({line.sent_at for line in advised})
        tags = {line.tag for line in advised if line.tag}
        for fill, quantity in zip(of_isin, net_quantities(of_isin, sent_at, tags), strict=True):
            left[fill.key] = quantity
    return left


@given(lines_of_advice(), without_actions)
def test_no_fill_counts_twice_and_none_is_lost(lines: list[AdvisedLine], trading: Trading) -> None:
    results = match(lines, trading)

    left = net_shares(lines, trading.fills)
    counted = dict.fromkeys(left, 0)
    for result in results:
        for part in result.matches:
            counted[part.fill.key] += part.quantity
    assert all(counted[key] <= left[key] for key in left)
    spread = sum(result.filled + result.beyond + result.opposite for result in results)
    own = sum(fill.quantity for fill in own_trades(results, trading))
    assert spread + own == sum(left.values())


@given(lines_of_advice(), tradings())
def test_a_line_takes_its_quantity_at_most_and_only_what_is_for_it(
    lines: list[AdvisedLine], trading: Trading
) -> None:
    for result in match(lines, trading):
        line = result.line
        assert 0 <= result.filled <= result.quantity
        assert result.beyond >= 0
        assert result.opposite >= 0
        for part in result.matches:
            fill = part.fill
            assert fill.side is line.side
            assert fill.product in COUNTED_PRODUCTS
            assert fill.at >= line.sent_at
            assert (fill.after or fill.at) <= result.ends_at <= line.window_ends_at


@given(lines_of_advice(), tradings(), st.randoms(use_true_random=False))
def test_the_order_of_arrival_does_not_matter(
    lines: list[AdvisedLine], trading: Trading, random: Random
) -> None:
    fills, known, of_lines = list(trading.fills), list(trading.orders), list(lines)
    actions = list(trading.actions)
    random.shuffle(fills)
    random.shuffle(known)
    random.shuffle(actions)
    random.shuffle(of_lines)

    other = match(of_lines, Trading(fills, known, actions, trading.read_at))

    first = match(lines, trading)
    assert sorted(other, key=_name) == sorted(first, key=_name)
    assert own_trades(other, Trading(fills, actions=actions)) == own_trades(first, trading)


def _name(result: LineResult) -> tuple[int, int]:
    return result.line.advice_id.int, result.line.place


@given(lines_of_advice(), tradings())
def test_the_same_again_changes_nothing(lines: list[AdvisedLine], trading: Trading) -> None:
    before = [fill._replace() for fill in trading.fills]

    first, again = match(lines, trading), match(lines, trading)

    assert first == again
    assert list(trading.fills) == before


@given(lines_of_advice(), tradings(), fills_of_client())
def test_trades_after_all_windows_change_no_result(
    lines: list[AdvisedLine], trading: Trading, more: list[Fill]
) -> None:
    later = [
        fill._replace(at=fill.at + dt.timedelta(days=30), after=None, number="9") for fill in more
    ]

    results = match(lines, replace(trading, fills=[*trading.fills, *later]))

    assert results == match(lines, trading)


@given(lines_of_advice(), tradings(), fills_of_client(), st.integers(1, 50))
def test_other_shares_change_no_result(
    lines: list[AdvisedLine], trading: Trading, more: list[Fill], number: int
) -> None:
    others = [fill._replace(isin=f"INE{number + 100:03d}B01010") for fill in more]

    results = match(lines, replace(trading, fills=[*trading.fills, *others]))

    assert results == match(lines, trading)


@given(lines_of_advice(), without_actions)
def test_share_by_share_gives_the_same(lines: list[AdvisedLine], trading: Trading) -> None:
    """A second way: each share alone goes to the first line with room, tagged shares first."""
    results = match(lines, trading)

    left = net_shares(lines, trading.fills)
    room = [line.quantity for line in lines]
    ends = [result.ends_at for result in results]
    oldest = sorted(
        range(len(lines)), key=lambda at: (lines[at].sent_at, lines[at].advice_id, lines[at].place)
    )
    ordered = sorted((fill for fill in trading.fills if fill.key in left), key=order_of)

    def place_of(fill: Fill, *, is_tagged: bool) -> int | None:
        for place in oldest:
            line = lines[place]
            same = (line.isin, line.side) == (fill.isin, fill.side) and room[place]
            if same and (not is_tagged or fill.tag == line.tag):
                overlaps = fill.after is not None and fill.after < ends[place]
                if fill.after is None and line.sent_at <= fill.at <= ends[place]:
                    return place
                if overlaps and fill.at > line.sent_at:
                    return place
        return None

    for is_tagged in (True, False):
        for fill in ordered:
            if is_tagged and not fill.tag:
                continue
            while left[fill.key] and (place := place_of(fill, is_tagged=is_tagged)) is not None:
                room[place] -= 1
                left[fill.key] -= 1
    assert [result.filled for result in results] == [
        line.quantity - rest for line, rest in zip(lines, room, strict=True)
    ]


@given(lines_of_advice(), without_actions, st.sampled_from((2, 5, 10)), st.integers(3, 11))
def test_a_split_changes_the_units_and_nothing_else(
    lines: list[AdvisedLine], trading: Trading, factor: int, day: int
) -> None:
    ex_on, ex_at = dt.date(2026, 11, day), at(day, "00:00")

    def moved(fill: Fill) -> Fill:
        if fill.isin != ISINS[0] or fill.at < ex_at:
            return fill
        price = None if fill.price is None else fill.price / factor
        return fill._replace(isin=NEW_ISIN, quantity=fill.quantity * factor, price=price)

    def advised(line: AdvisedLine) -> AdvisedLine:
        if line.isin != ISINS[0] or line.sent_at < ex_at:
            return line
        quantity, price = line.quantity * factor, line.price / factor
        return line._replace(isin=NEW_ISIN, quantity=quantity, price=price)

    split = Trading(
        [moved(fill) for fill in trading.fills],
        [replace(o, isin=NEW_ISIN) if o.isin == ISINS[0] else o for o in trading.orders],
        [Action(ISINS[0], NEW_ISIN, ex_on, Fraction(factor))],
        trading.read_at,
    )
    plain_results = match(lines, trading)
    split_results = match([advised(line) for line in lines], split)

    for plain, converted in zip(plain_results, split_results, strict=True):
        is_after = plain.line.isin == ISINS[0] and plain.ends_at >= ex_at
        times = factor if is_after else 1
        assert converted.status is plain.status
        assert converted.quantity == plain.quantity * times
        assert converted.price == plain.price / times
        assert converted.filled == plain.filled * times
        assert [part.value for part in converted.matches] == [part.value for part in plain.matches]
        assert converted.beyond == plain.beyond * times
        assert converted.opposite == plain.opposite * times


@given(lines_of_advice(), tradings())
def test_no_share_counts_twice_through_any_actions(
    lines: list[AdvisedLine], trading: Trading
) -> None:
    """The price of all fills is one rupee: a part's value is its shares on its own day."""
    counted: dict[str, Decimal] = {}
    for result in match(lines, trading):
        for part in result.matches:
            assert part.value is not None
            counted[part.fill.key] = counted.get(part.fill.key, Decimal(0)) + part.value

    bought = {fill.key: fill.quantity for fill in trading.fills}
    assert all(value <= bought[key] + Decimal("1e-20") for key, value in counted.items())


@given(lines_of_advice(), tradings())
def test_a_status_agrees_with_its_figures(lines: list[AdvisedLine], trading: Trading) -> None:
    for result in match(lines, trading):
        if result.status in FILLED:
            assert result.filled == result.quantity
            assert (result.status is LineStatus.OVER) == (result.beyond > 0)
        elif result.status in NOTHING:
            assert result.filled == 0
        if result.status is LineStatus.DECLINED:
            assert result.line.is_declined
        if result.status is LineStatus.OPPOSITE:
            assert result.opposite or trading.actions
        if result.status in {LineStatus.SHORT, LineStatus.PARTIAL}:
            assert 0 < result.filled < result.quantity


@given(lines_of_advice(), tradings())
def test_the_state_and_the_share_agree(lines: list[AdvisedLine], trading: Trading) -> None:
    results = match(lines, trading)
    for advice in {line.advice_id for line in lines}:
        own = [result for result in results if result.line.advice_id == advice]
        state, share = state_of(own), followed_percentage(own)
        if share is not None:
            assert 0 <= share <= 100
        if state.value == "ACTED" and all(each.status in FILLED for each in own):
            assert share == 100 or not sum(each.quantity for each in own)
        if state.value in {"IGNORED", "PENDING", "DECLINED"}:
            assert not share
        if state.value == "UNKNOWN":
            assert share is None


@given(st.lists(st.tuples(sides, st.integers(1, 50)), min_size=1, max_size=8))
def test_netting_leaves_the_difference_of_the_day(trades) -> None:
    fills = [
        Fill(
            key=f"{number:032x}",
            number=str(number),
            isin=ISINS[0],
            side=side,
            quantity=quantity,
            price=Decimal(1),
            at=at(3, "10:00"),
        )
        for number, (side, quantity) in enumerate(trades)
    ]

    left = net_quantities(fills, [], frozenset())

    signed = [
        quantity if fill.side is BUY else -quantity
        for fill, quantity in zip(fills, left, strict=True)
    ]
    difference = sum(fill.quantity if fill.side is BUY else -fill.quantity for fill in fills)
    assert sum(signed) == difference
    assert sum(left) == abs(difference)
    assert all(0 <= quantity <= fill.quantity for fill, quantity in zip(fills, left, strict=True))
