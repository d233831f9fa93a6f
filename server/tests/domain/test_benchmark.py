import datetime as dt
import random
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tarazu.domain.benchmark import (
    Gap,
    IndexLevels,
    Level,
    SameFlows,
    captures,
    gaps_of,
    large_moves,
    missing_days,
    rebased,
    same_flows,
)
from tarazu.domain.calendar import business_days_between
from tarazu.domain.money import rounded
from tarazu.domain.returns import CashFlow, growth_since, modified_dietz, wealth_index
from tarazu.domain.xirr import xirr

START = dt.date(2026, 4, 1)
HOLIDAYS = frozenset(
    dt.date.fromisoformat(day) for day in ("2026-04-03", "2026-04-14", "2026-05-01", "2026-06-26")
)


def day(text: str) -> dt.date:
    return dt.date.fromisoformat(text)


def levels_of(rows: dict[str, str]) -> IndexLevels:
    levels = [(day(text), Decimal(value)) for text, value in rows.items()]
    return IndexLevels.of(levels, HOLIDAYS)


def daily(first: dt.date, count: int, seed: int = 1) -> list[Level]:
    """Levels of so many business days, at random."""
    chance = random.Random(seed)
    days = business_days_between(first, first + dt.timedelta(days=2 * count + 30), HOLIDAYS)
    level, levels = Decimal(30_000), []
    for one in days[:count]:
        level = rounded(level * Decimal(chance.randrange(9_700, 10_310)) / 10_000)
        levels.append((one, level))
    return levels


# --------------------------------------------------------------------------- the worked examples


def test_twelve_lakh_in_the_index_are_the_worked_example_to_the_paisa() -> None:
    levels = levels_of({"2026-04-01": "30000", "2026-04-02": "30300", "2026-04-06": "31000"})
    flows = [
        CashFlow.added(day("2026-04-01"), Decimal(1_000_000)),
        CashFlow.added(day("2026-04-02"), Decimal(200_000)),
    ]

    result = same_flows(flows, levels, day("2026-04-06"))

    assert result.value is not None
    assert rounded(result.value) == Decimal("1237953.80")


def test_the_same_thirty_days_by_modified_dietz_and_by_days() -> None:
    opening = (START, Decimal(1_000_000))
    before = (START + dt.timedelta(days=9), Decimal(1_010_000))
    closing = (START + dt.timedelta(days=30), Decimal(1_260_000))
    added = [CashFlow.added(START + dt.timedelta(days=10), Decimal(200_000))]

    dietz = modified_dietz(opening, closing, added)
    by_days = growth_since(wealth_index([opening, before, closing], added), START)

    assert dietz is not None
    assert rounded(dietz, 3) == Decimal("5.294")
    assert by_days is not None
    assert rounded(by_days.percentage, 3) == Decimal("5.174")
    assert by_days.yearly is None


# ------------------------------------------------------------------------------- the same flows


def test_a_portfolio_that_is_the_index_is_worth_what_the_same_flows_are() -> None:
    rows = daily(day("2024-04-01"), 500)
    levels = IndexLevels.of(rows, HOLIDAYS)
    chance = random.Random(4)
    flows, units = [], Decimal(0)
    for one, level in chance.sample(rows[:-1], 40):
        amount = Decimal(chance.randrange(1_000, 500_000))
        flows.append(CashFlow.added(one, amount))
        units += amount / level
    last, now = rows[-1]

    result = same_flows(flows, levels, last)

    assert result.value is not None
    assert rounded(result.value, 6) == rounded(units * now, 6)
    closing = CashFlow.withdrawn(last, rounded(result.value, 6))
    own = CashFlow.withdrawn(last, rounded(units * now, 6))
    assert xirr([*flows, closing]).rate == xirr([*flows, own]).rate


def test_a_single_flow_earns_what_the_index_does() -> None:
    levels = levels_of({"2026-04-01": "200", "2026-04-02": "250"})

    result = same_flows([CashFlow.added(START, Decimal(80))], levels, day("2026-04-02"))

    assert result == SameFlows(Decimal(100))


def test_flows_after_the_last_day_are_left_out() -> None:
    levels = levels_of({"2026-04-01": "200", "2026-04-02": "250"})
    flows = [CashFlow.added(START, Decimal(80)), CashFlow.added(day("2026-04-06"), Decimal(10))]

    assert same_flows(flows, levels, day("2026-04-02")).value == 100


def test_a_withdrawal_of_all_leaves_nothing_and_more_than_that_is_not_known() -> None:
    levels = levels_of({"2026-04-01": "300", "2026-04-02": "310", "2026-04-06": "290"})
    put_in = CashFlow.added(START, Decimal(1000))
    all_of_it = CashFlow.withdrawn(day("2026-04-02"), Decimal("1033.33"))
    more = CashFlow.withdrawn(day("2026-04-02"), Decimal("1033.40"))

    nothing = same_flows([put_in, all_of_it], levels, day("2026-04-06"))
    ran_out = same_flows([put_in, more], levels, day("2026-04-06"))

    assert nothing.value is not None
    assert abs(nothing.value) < Decimal("0.01")
    assert ran_out == SameFlows(None, ran_out_on=day("2026-04-02"))


def test_money_moved_and_put_back_on_one_day_is_no_shortage() -> None:
    levels = levels_of({"2026-04-01": "300", "2026-04-02": "310"})
    flows = [
        CashFlow.added(START, Decimal(1000)),
        CashFlow.withdrawn(START, Decimal(1200)),
        CashFlow.added(START, Decimal(500)),
    ]

    assert same_flows(flows, levels, day("2026-04-02")).value == Decimal(310)


@pytest.mark.parametrize(
    ("flow_on", "until", "unknown"),
    [
        ("2026-03-31", "2026-04-02", "2026-03-31"),
        ("2026-04-08", "2026-04-09", "2026-04-08"),
        ("2026-04-01", "2026-04-10", "2026-04-10"),
    ],
)
def test_a_flow_on_a_day_without_a_level_is_not_guessed(
    flow_on: str, until: str, unknown: str
) -> None:
    # The 7th and 8th are missing; the last value is of the 9th.
    levels = levels_of(
        {"2026-04-01": "300", "2026-04-02": "310", "2026-04-06": "290", "2026-04-09": "295"}
    )

    result = same_flows([CashFlow.added(day(flow_on), Decimal(100))], levels, day(until))

    assert result == SameFlows(None, unknown_on=day(unknown))


# ---------------------------------------------------------------------- levels, gaps and moves


def test_weekends_and_holidays_have_the_level_of_the_last_trading_day() -> None:
    levels = levels_of({"2026-04-02": "310", "2026-04-06": "290"})

    # Good Friday, Saturday, Sunday.
    assert [levels.on(day(f"2026-04-0{one}")) for one in (2, 3, 4, 5, 6)] == [
        310,
        310,
        310,
        310,
        290,
    ]
    assert levels.on(day("2026-04-01")) is None
    assert levels.on(day("2026-04-07")) is None


def test_the_last_level_lasts_over_the_weekend_and_no_longer() -> None:
    levels = levels_of({"2026-04-30": "300"})

    # Friday is a holiday, Monday is not.
    assert [levels.on(day(f"2026-05-0{one}")) for one in (1, 2, 3, 4)] == [300, 300, 300, None]


def test_nothing_is_carried_over_a_gap() -> None:
    levels = levels_of({"2026-04-06": "290", "2026-04-09": "295"})

    assert [levels.on(day(f"2026-04-0{one}")) for one in (7, 8, 9)] == [None, None, 295]


def test_no_levels_know_no_day() -> None:
    assert IndexLevels.of([], HOLIDAYS).on(START) is None


def test_every_business_day_is_missed_where_the_calendar_has_the_years_holidays() -> None:
    days = [day(text) for text in ("2026-04-02", "2026-04-06", "2026-04-09", "2026-04-15")]

    missing = missing_days(days, HOLIDAYS)

    assert missing == [
        day(text) for text in ("2026-04-07", "2026-04-08", "2026-04-10", "2026-04-13")
    ]
    assert gaps_of(missing, days) == [
        Gap(day("2026-04-07"), day("2026-04-08"), 2),
        Gap(day("2026-04-10"), day("2026-04-13"), 2),
    ]


def test_in_other_years_only_a_week_without_values_is_missed() -> None:
    # 2003 has no holidays here: four weekdays may have been some, a week was never closed.
    four = [day("2003-04-10"), day("2003-04-17")]
    week = [day("2003-04-10"), day("2003-04-18")]

    assert missing_days(four, HOLIDAYS) == []
    assert len(missing_days(week, HOLIDAYS)) == 5
    levels = IndexLevels.of([(four[0], Decimal(5)), (four[1], Decimal(6))], HOLIDAYS)
    assert levels.on(day("2003-04-16")) == 5


def test_a_move_beyond_twenty_percent_is_flagged_with_its_size() -> None:
    levels = [
        (day("2026-04-01"), Decimal(100)),
        (day("2026-04-02"), Decimal(120)),
        (day("2026-04-06"), Decimal("144.01")),
        (day("2026-04-07"), Decimal("14.40")),
    ]

    flagged = [(one, rounded(move)) for one, move in large_moves(levels)]

    assert flagged == [
        (day("2026-04-06"), Decimal("20.01")),
        (day("2026-04-07"), Decimal("-90.00")),
    ]


def test_a_series_is_rebased_to_100() -> None:
    levels = [(day("2026-04-01"), Decimal(30_000)), (day("2026-04-02"), Decimal(30_300))]

    assert [value for _, value in rebased(levels)] == [100, 101]
    assert rebased([]) == []


@given(st.integers(0, 1000), st.integers(2, 60))
def test_rebasing_keeps_every_ratio(seed: int, count: int) -> None:
    levels = daily(START, count, seed)

    series = rebased(levels)

    for (_, before), (_, after) in zip(levels, series, strict=True):
        assert abs(after / series[0][1] - before / levels[0][1]) < Decimal("1e-20")


# ------------------------------------------------------------------------------------- capture


def month_ends(growths: list[str], value: int = 100) -> list[Level]:
    """Levels of the last business days of months, from December 2024."""
    level = Decimal(value)
    rows = [(day("2024-12-31"), level)]
    for number, growth in enumerate(growths):
        first = dt.date(2025 + (number + 1) // 12, (number + 1) % 12 + 1, 1)
        last = first - dt.timedelta(days=1)
        while last.weekday() > 4:
            last -= dt.timedelta(days=1)
        level *= Decimal(growth)
        rows.append((last, level))
    return rows


def test_captures_are_geometric_means_of_the_months_in_which_the_benchmark_rose_or_fell() -> None:
    benchmark = month_ends(["1.10", "0.90", "1.21", "1", *["1"] * 8])
    portfolio = month_ends(["1.05", "0.95", "1.05", "2", *["1"] * 8])

    result = captures(portfolio, benchmark, HOLIDAYS)

    # Up: 5 % a month against the root of 1.1 * 1.21. Down: -5 % against -10 %.
    mean = (Decimal("1.331").sqrt() - 1) * 100
    assert result.up is not None
    assert rounded(result.up, 6) == rounded(Decimal(500) / mean, 6)
    assert result.down is not None
    assert rounded(result.down, 6) == 50
    assert (result.up_months, result.down_months, result.months) == (2, 1, 12)


def test_a_portfolio_that_is_the_benchmark_captures_all_of_it() -> None:
    levels = daily(day("2024-12-31"), 500)

    result = captures(levels, levels, HOLIDAYS)

    assert (result.up, result.down) == (Decimal(100), Decimal(100))
    assert result.months >= 12


def test_below_twelve_full_months_there_is_no_capture() -> None:
    benchmark = month_ends(["1.1", *["0.9"] * 10])

    result = captures(benchmark, benchmark, HOLIDAYS)

    assert (result.up, result.down, result.months) == (None, None, 11)


def test_a_month_without_its_last_day_counts_in_neither_direction() -> None:
    benchmark = month_ends(["1.1"] * 14)
    without_march = [*benchmark[:3], *benchmark[4:]]

    result = captures(without_march, without_march, HOLIDAYS)

    assert (result.months, result.up_months) == (12, 12)
    assert (result.up, result.down) == (Decimal(100), None)


def test_a_portfolio_that_lost_everything_captures_more_than_the_fall() -> None:
    benchmark = month_ends([*["1"] * 11, "0.5"])
    portfolio = month_ends([*["1"] * 11, "0"])

    assert captures(portfolio, benchmark, HOLIDAYS).down == 200
