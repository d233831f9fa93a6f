"""Calls: what opens and ends them, what they gave, and how sure the share of hits is."""

import datetime as dt
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tarazu.domain.benchmark import IndexLevels
from tarazu.domain.charges import Side, rates_for
from tarazu.domain.corporate_actions.values import ActionKind, CorporateAction
from tarazu.domain.track_record.calls import (
    CallPrice,
    PriceKind,
    Recommendation,
    calls_of,
    first_close_after,
    hit_rate,
    next_opening,
    result_of,
    side_of,
)

INDIA = dt.timezone(dt.timedelta(hours=5, minutes=30))
CLOSE_AT = dt.time(15, 30, tzinfo=INDIA)
BOUGHT_ON, SOLD_ON = dt.date(2026, 6, 1), dt.date(2026, 6, 30)
RATES = dict.fromkeys((Side.BUY, Side.SELL), rates_for("ZERODHA", dt.date(2026, 11, 2)))
ISIN = "INE009A01021"
CHARGES = Decimal("0.3")
"""Percent of the order that a purchase and a sale cost, at most."""


def said(side: Side, day: int, lane: str = "m", batch: str = "") -> Recommendation:
    at = dt.datetime(2026, 6, day, 6, tzinfo=dt.UTC)
    return Recommendation(lane, batch or f"b{day}", ISIN, side, at)


def priced(price: str, on: dt.date, of: PriceKind = PriceKind.CLOSE) -> CallPrice:
    return CallPrice(Decimal(price), on, of)


def action(kind: ActionKind, factor: Fraction = Fraction(1), amount: str = "") -> CorporateAction:
    paid = Decimal(amount) if amount else None
    return CorporateAction(kind, ISIN, "", dt.date(2026, 6, 10), factor, amount=paid)


def levels(first: str, last: str) -> IndexLevels:
    return IndexLevels.of([(BOUGHT_ON, Decimal(first)), (SOLD_ON, Decimal(last))], set())


def test_a_sale_ends_every_open_call_of_its_stock_and_lane() -> None:
    rows = [said(Side.BUY, 1), said(Side.BUY, 2), said(Side.SELL, 3), said(Side.BUY, 4)]

    calls = calls_of(rows)

    assert [(call.entry.batch, call.exit and call.exit.batch) for call in calls] == [
        ("b1", "b3"),
        ("b2", "b3"),
        ("b4", None),
    ]


def test_a_sale_to_others_ends_nothing() -> None:
    (call,) = calls_of([said(Side.BUY, 1), said(Side.SELL, 2, lane="other")])

    assert call.exit is None


def test_a_sale_without_a_call_is_no_call() -> None:
    assert calls_of([said(Side.SELL, 1)]) == []


@pytest.mark.parametrize(
    ("bought", "sold", "side"), [(10, 0, Side.BUY), (3, 10, Side.SELL), (4, 4, Side.HOLD)]
)
def test_a_dispatch_says_what_most_of_its_shares_say(bought: int, sold: int, side: Side) -> None:
    assert side_of(bought, sold) is side


def test_a_close_counts_that_comes_a_minute_after_the_dispatch() -> None:
    closes = [(BOUGHT_ON, Decimal(100)), (dt.date(2026, 6, 2), Decimal(101))]
    early = dt.datetime(2026, 6, 1, 15, 29, tzinfo=INDIA)
    late = dt.datetime(2026, 6, 1, 15, 29, 30, tzinfo=INDIA)

    assert first_close_after(early, closes, CLOSE_AT) == priced("100", BOUGHT_ON)
    assert first_close_after(late, closes, CLOSE_AT) == priced("101", dt.date(2026, 6, 2))
    assert first_close_after(late, closes[:1], CLOSE_AT) is None


@pytest.mark.parametrize(
    ("sent", "opens_on"),
    [
        ("02T09:14:00", 2),
        ("02T09:14:01", 3),  # less than a minute before the opening
        ("02T23:59:30", 3),
        ("05T10:00:00", 9),  # Friday; Monday the 8th is a holiday
        ("06T08:00:00", 9),
        ("08T08:00:00", 9),
    ],
)
def test_the_next_opening_is_that_of_a_business_day_a_minute_later(
    sent: str, opens_on: int
) -> None:
    sent_at = dt.datetime.fromisoformat(f"2026-06-{sent}+05:30").astimezone(dt.UTC)

    assert next_opening(sent_at, {dt.date(2026, 6, 8)}) == dt.date(2026, 6, opens_on)


def test_beside_an_opening_price_stands_the_index_of_the_close_before() -> None:
    friday, monday, tuesday = (dt.date(2026, 6, day) for day in (5, 8, 9))
    index = IndexLevels.of(
        [(friday, Decimal(200)), (monday, Decimal(210)), (tuesday, Decimal(231))], set()
    )
    opening = priced("100", monday, PriceKind.OPEN)

    to_close = result_of(opening, priced("110", tuesday), [], RATES, index)
    to_opening = result_of(opening, priced("110", tuesday, PriceKind.OPEN), [], RATES, index)

    assert to_close.benchmark == Decimal("15.5")
    assert to_opening.benchmark == Decimal(5)


def test_charges_are_taken_out_and_the_index_is_of_the_same_days() -> None:
    result = result_of(
        priced("100", BOUGHT_ON), priced("110", SOLD_ON), [], RATES, levels("200", "210")
    )

    assert (result.gross, result.benchmark) == (Decimal(10), Decimal(5))
    assert result.gross is not None
    assert result.net is not None
    assert 0 < result.gross - result.net < CHARGES
    assert (result.is_hit, result.is_gain) == (True, True)


def test_a_gain_below_the_index_is_no_hit() -> None:
    result = result_of(
        priced("100", BOUGHT_ON), priced("103", SOLD_ON), [], RATES, levels("200", "210")
    )

    assert (result.is_hit, result.is_gain) == (False, True)


def test_bonus_and_dividend_belong_to_the_call() -> None:
    actions = [action(ActionKind.DIVIDEND, amount="4"), action(ActionKind.BONUS, Fraction(2))]

    result = result_of(priced("100", BOUGHT_ON), priced("51", SOLD_ON), actions, RATES, None)

    # Two shares of 51, and 4 on the one share of before the bonus.
    assert result.gross == Decimal(6)
    assert result.is_hit is None


def test_an_open_call_needs_a_close_after_its_entry() -> None:
    entry = priced("100", BOUGHT_ON)

    same = result_of(entry, priced("101", BOUGHT_ON, PriceKind.LAST_CLOSE), [], RATES, None)
    later = result_of(entry, priced("101", SOLD_ON, PriceKind.LAST_CLOSE), [], RATES, None)

    assert (same.net, same.why_unknown) == (None, "No close is known since the entry.")
    assert later.gross == Decimal(1)


def test_a_call_over_a_demerger_has_no_figure() -> None:
    result = result_of(
        priced("100", BOUGHT_ON),
        priced("60", SOLD_ON),
        [action(ActionKind.DEMERGER)],
        RATES,
        None,
    )

    assert result.net is None
    assert "demerger" in (result.why_unknown or "")


def test_eight_of_twelve_is_39_to_86_percent() -> None:
    rate = hit_rate(8, 12)

    assert rate.percentage is not None
    assert rate.low is not None
    assert rate.high is not None
    assert [round(value, 1) for value in (rate.percentage, rate.low, rate.high)] == [
        Decimal("66.7"),
        Decimal("39.1"),
        Decimal("86.2"),
    ]


def test_of_no_call_there_is_no_share() -> None:
    assert hit_rate(0, 0).percentage is None


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_share_lies_in_its_interval_between_0_and_100(pair: tuple[int, int]) -> None:
    rate = hit_rate(*pair)

    assert rate.percentage is not None
    assert rate.low is not None
    assert rate.high is not None
    assert 0 <= rate.low <= rate.percentage + Decimal("1e-20")
    assert rate.percentage - Decimal("1e-20") <= rate.high <= 100
