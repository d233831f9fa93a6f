"""The value of a model portfolio from 100."""

import datetime as dt
from decimal import Decimal
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from tarazu.domain.track_record.nav import ModelNav, Release, Reset, ShareEvent, model_nav

A, B, C = 1, 2, 3
DAYS = [dt.date(2026, 6, day) for day in (1, 2, 3, 4, 5)]
FIRST, SECOND, THIRD, FOURTH, FIFTH = DAYS


def closes(**prices: list[str | None]) -> dict[int, dict[dt.date, Decimal]]:
    """Closes of A, B and C on the days, None where not known."""
    return {
        {"a": A, "b": B, "c": C}[name]: {
            day: Decimal(price) for day, price in zip(DAYS, row, strict=False) if price is not None
        }
        for name, row in prices.items()
    }


def release(number: int, due_on: dt.date, **weights: int) -> Release:
    named = {"a": A, "b": B, "c": C}
    return Release(number, due_on, {named[name]: Decimal(part) for name, part in weights.items()})


def values(nav: ModelNav) -> list[Decimal | None]:
    return [day.value for day in nav.days]


def test_weights_drift_with_closes_and_cash_stays() -> None:
    prices = closes(a=["100", "110", "121"], b=["50", "50", "40"])

    nav = model_nav([release(1, FIRST, a=50, b=40)], DAYS[:3], prices, {})

    # 50 grow to 55 and 60.5, 40 stay and fall to 32, 10 are cash.
    assert values(nav) == [Decimal(100), Decimal(105), Decimal("102.5")]


def test_a_version_is_set_at_the_close_after_its_release() -> None:
    prices = closes(a=["100", "110", "110"], b=["50", "50", "60"])
    versions = [release(1, FIRST, a=100), release(2, SECOND, b=100)]

    nav = model_nav(versions, DAYS[:3], prices, {})

    # The day of the reset still has the gain of A; from then on only B counts.
    assert values(nav) == [Decimal(100), Decimal(110), Decimal(132)]
    assert nav.resets == [Reset(1, FIRST, FIRST), Reset(2, SECOND, SECOND)]


def test_a_split_a_bonus_and_a_dividend_are_no_loss() -> None:
    prices = closes(a=["1000", "100", "50", "45"])
    events = {
        A: [
            ShareEvent(SECOND, Fraction(10)),
            ShareEvent(THIRD, Fraction(2)),
            ShareEvent(FOURTH, cash=Decimal(5)),
        ]
    }

    nav = model_nav([release(1, FIRST, a=100)], DAYS[:4], prices, events)

    assert values(nav) == [Decimal(100)] * 4


def test_a_demerged_company_is_held_too_and_its_unknown_close_leaves_the_day_without_a_value() -> (
    None
):
    prices = closes(a=["100", "80", "80"], b=[None, None, "40"])
    events = {A: [ShareEvent(SECOND, Fraction(1, 2), into=B)]}

    nav = model_nav([release(1, FIRST, a=100)], DAYS[:3], prices, events)

    assert values(nav) == [Decimal(100), None, Decimal(100)]
    assert nav.days[1].missing == (B,)


def test_a_merged_company_is_replaced() -> None:
    prices = closes(a=["100"], b=["40", "50"])
    events = {A: [ShareEvent(SECOND, Fraction(2), into=B, is_replaced=True)]}

    nav = model_nav([release(1, FIRST, a=100)], DAYS[:2], prices, events)

    assert values(nav) == [Decimal(100), Decimal(100)]


def test_a_day_without_a_close_has_no_value_and_the_share_is_named() -> None:
    prices = closes(a=["100", None, None, "130", "130"], b=["10", "11", "12", None, "13"])

    nav = model_nav([release(1, FIRST, a=50, b=50)], DAYS, prices, {})

    assert values(nav) == [Decimal(100), None, None, None, Decimal(130)]
    assert [(run.first, run.last, run.days, run.missing) for run in nav.unvalued] == [
        (SECOND, THIRD, 2, (A,)),
        (FOURTH, FOURTH, 1, (B,)),
    ]


def test_a_reset_waits_for_the_closes_of_old_and_new_shares() -> None:
    prices = closes(a=["100", "110", "120"], b=[None, None, "50"])
    versions = [release(1, FIRST, a=100), release(2, SECOND, b=100)]

    nav = model_nav(versions, DAYS[:3], prices, {})

    assert values(nav) == [Decimal(100), None, Decimal(120)]
    assert nav.resets[1] == Reset(2, SECOND, THIRD)


def test_of_two_versions_before_one_close_the_later_counts() -> None:
    prices = closes(a=["100", "50"], b=["100", "200"])
    versions = [release(1, FIRST, a=100), release(2, FIRST, b=100)]

    nav = model_nav(versions, DAYS[:2], prices, {})

    assert values(nav) == [Decimal(100), Decimal(200)]
    assert [reset.number for reset in nav.resets] == [2]


def test_before_the_first_release_there_is_nothing() -> None:
    nav = model_nav([release(1, THIRD, a=100)], DAYS, closes(a=["1", "2", "3", "4", "5"]), {})

    assert [day.date for day in nav.days] == [THIRD, FOURTH, FIFTH]


@given(st.lists(st.integers(1, 10_000), min_size=5, max_size=5), st.integers(0, 100))
def test_a_reset_to_the_same_weights_changes_no_value_on_its_day(
    prices: list[int], weight: int
) -> None:
    known = closes(a=[str(price) for price in prices])
    one = release(1, FIRST, a=weight)

    alone = model_nav([one], DAYS, known, {})
    again = model_nav([one, release(2, FOURTH, a=weight)], DAYS, known, {})

    fourth = DAYS.index(FOURTH)
    first, second = again.days[fourth].value, alone.days[fourth].value
    assert first is not None
    assert second is not None
    assert abs(first - second) < Decimal("1e-9")
