"""Short and long-term gains, the cost of 31 January 2018, and buybacks."""

from decimal import Decimal
from fractions import Fraction

import pytest

from tarazu.domain.corporate_actions.values import ActionKind
from tarazu.domain.tax.gains import (
    Highs,
    WhyUnknown,
    gain_of,
    grandfathered_cost,
    long_term_from,
    term_of,
)
from tarazu.domain.tax.rates import Term
from tarazu.domain.tax.values import Arrival, Departure
from tests.domain.tax.cases import NEW, OLD, action, bought, day, ledger, rates, sold


def gain(*entries, high: str | None = None, actions=()):
    (part,) = ledger(*entries, actions=actions).disposals
    return gain_of(part, rates(part.sold_on), None if high is None else Fraction(high))


@pytest.mark.parametrize(
    ("bought_on", "first"),
    [
        ("2025-03-15", "2026-03-16"),
        ("2024-02-29", "2025-03-01"),
        ("2023-02-28", "2024-02-29"),
        ("2025-03-31", "2026-04-01"),
        ("2025-12-31", "2027-01-01"),
    ],
)
def test_a_share_is_long_term_after_more_than_twelve_months(bought_on, first) -> None:
    first_day = day(first)
    before = first_day.replace(day=first_day.day - 1) if first_day.day > 1 else None

    assert long_term_from(day(bought_on)) == first_day
    assert term_of(day(bought_on), first_day, rates()) is Term.LONG
    if before:
        assert term_of(day(bought_on), before, rates()) is Term.SHORT


@pytest.mark.parametrize(
    ("cost", "high", "sale", "counted"),
    [(100, 180, 250, 180), (100, 180, 150, 150), (200, 180, 250, 200), (100, 180, 90, 100)],
)
def test_the_cost_of_shares_bought_before_february_2018(cost, high, sale, counted) -> None:
    amounts = [Fraction(each) for each in (cost, high, sale)]
    assert grandfathered_cost(*amounts) == counted

    made = gain(
        bought("2017-05-02", 10, str(cost)), sold("2026-05-04", 10, str(sale)), high=str(high)
    )

    assert (made.term, made.cost) == (Term.LONG, counted * 10)
    assert made.amount == (sale - counted) * 10


def test_31_january_2018_is_the_last_day_that_counts() -> None:
    sale = sold("2026-05-04", 1, "250")

    assert gain(bought("2018-01-31", 1, "100"), sale, high="180").amount == 70
    assert gain(bought("2018-02-01", 1, "100"), sale, high="180").amount == 150


def test_without_the_price_of_31_january_2018_a_gain_is_unknown_but_a_loss_is_known() -> None:
    lot = bought("2017-05-02", 10, "100")

    unknown = gain(lot, sold("2026-05-04", 10, "250"))
    assert (unknown.amount, unknown.why) == (None, WhyUnknown.NO_HIGH)
    assert gain(lot, sold("2026-05-04", 10, "90")).amount == -100


def test_the_price_of_2018_follows_splits_but_not_bonuses() -> None:
    actions = [
        action(ActionKind.SPLIT, "2020-10-09", 10, 1, NEW),
        action(ActionKind.BONUS, "2022-10-10", 2, 1),
    ]
    result = ledger(bought("2017-05-02", 10, "1000"), actions=actions)
    until = rates().grandfathered_until

    for name in (OLD, NEW):
        highs = Highs({name: Fraction(1800)}, result.shares, until)
        assert highs.high_of(NEW, day("2026-05-04")) == 180
        assert highs.high_of(OLD, day("2019-05-04")) == 1800
        assert highs.high_of("INE000A01999", day("2026-05-04")) is None


def test_a_sale_without_a_price_and_a_lot_without_a_cost_are_unknown() -> None:
    assert gain(bought("2025-05-02", 1, "5"), sold("2026-05-04", 1, None)).why is (
        WhyUnknown.NO_PRICE
    )
    assert gain(bought("2025-05-02", 1, None), sold("2026-05-04", 1, "9")).why is (
        WhyUnknown.NO_COST
    )
    unknown = gain(sold("2026-05-04", 1, "9"))
    assert (unknown.amount, unknown.term, unknown.why) == (None, None, WhyUnknown.NO_PURCHASE)


@pytest.mark.parametrize(
    ("on", "amount", "dividend"),
    [("2024-09-30", 0, 0), ("2024-10-01", -400, 720), ("2026-03-31", -400, 720),
     ("2026-04-01", 320, 0)],
)  # fmt: skip
def test_a_buyback_is_exempt_then_a_dividend_then_a_gain(on, amount, dividend) -> None:
    made = gain(
        bought("2023-04-03", 10, "100"),
        Departure(OLD, 4, day(on), Decimal(720), is_buyback=True),
    )

    assert (made.amount, made.dividend) == (amount, dividend)


def test_shares_of_a_bonus_of_before_2018_take_the_price_of_2018() -> None:
    result = ledger(
        Arrival(OLD, 1, day("2010-04-01"), Decimal(0), day("2010-04-01")),
        sold("2026-05-04", 1, "250"),
    )

    assert gain_of(result.disposals[0], rates(), Fraction(180)).amount == 70
