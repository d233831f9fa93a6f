import csv
import datetime as dt
import math
import random
from decimal import Decimal, localcontext
from pathlib import Path

import numpy as np
import pytest
import pyxirr
from hypothesis import assume, given
from hypothesis import strategies as st

from tarazu.domain.returns import (
    CashFlow,
    Close,
    Drawdown,
    TimeWeighted,
    flows_of_client,
    growth_since,
    max_drawdown,
    modified_dietz,
    net_investment,
    wealth_index,
    years_of,
)
from tarazu.domain.xirr import Xirr, XirrCode, xirr, xirr_many

SAMPLES = Path(__file__).parent / "xirr_samples"
START = dt.date(2024, 1, 1)


def flows(*rows: str) -> list[CashFlow]:
    """Rows of "2008-01-01 -10000"."""
    return [
        CashFlow(dt.date.fromisoformat(day), Decimal(amount))
        for day, amount in (row.split() for row in rows)
    ]


def rate_to_forty_digits(of: list[CashFlow], near: float) -> Decimal:
    """The root next to `near`, by halving in decimals of fifty digits."""
    first = min(flow.date for flow in of)
    with localcontext() as context:
        context.prec = 50
        years = [Decimal((flow.date - first).days) / 365 for flow in of]

        def value(s: Decimal) -> Decimal:
            return sum(
                (flow.amount * (-s * t).exp() for flow, t in zip(of, years, strict=True)),
                Decimal(0),
            )

        guess = Decimal(math.log1p(near))
        low, high = guess - Decimal("1e-7"), guess + Decimal("1e-7")
        is_positive = value(low) > 0
        assert is_positive != (value(high) > 0)
        for _ in range(120):
            middle = (low + high) / 2
            low, high = (middle, high) if (value(middle) > 0) == is_positive else (low, middle)
        return low.exp() - 1


# ------------------------------------------------------------------- published reference cases


@pytest.mark.parametrize(
    ("published", "tolerance", "case"),
    [
        pytest.param(
            float(row["rate"]),
            float(row["tolerance"]),
            flows(*row["flows"].split("; ")),
            id=row["source"],
        )
        for row in csv.DictReader((SAMPLES / "published.csv").read_text().splitlines())
    ],
)
def test_published_rates_are_found(
    published: float, tolerance: float, case: list[CashFlow]
) -> None:
    result = xirr(case)

    assert result.rate == pytest.approx(published, abs=tolerance, rel=0)
    assert result.code in {XirrCode.OK, XirrCode.OK_PURE_INVESTMENT}


# The folder holds samples of pyxirr's own tests (public domain). Its published rates are
# good to about 5e-10; for 30-20 it has none, and for 0.993 and 1938 there are two rates.
@pytest.mark.parametrize(
    ("sample", "published", "code"),
    [
        ("pyxirr_minus_0_13", -0.13423264098831872, XirrCode.OK),
        ("pyxirr_minus_0_993", -0.993785049929284, XirrCode.AMBIGUOUS),
        ("pyxirr_zeros", 0.175680730580782, XirrCode.OK),
        ("pyxirr_1938", -0.5945650822679239, XirrCode.AMBIGUOUS),
        ("pyxirr_30_20", -0.8973538214882215, XirrCode.OK),
    ],
)
def test_the_samples_of_pyxirr_have_their_rates(
    sample: str, published: float, code: XirrCode
) -> None:
    with (SAMPLES / f"{sample}.csv").open() as lines:
        case = flows(*(f"{day} {amount}" for day, amount in csv.reader(lines)))

    result = xirr(case)

    assert result.rate == pytest.approx(published, abs=1e-9, rel=0)
    assert result.code is code


# ------------------------------------------------------------------------- why there is no rate


@pytest.mark.parametrize(
    ("code", "case"),
    [
        (XirrCode.NO_CASH_FLOWS, flows()),
        (XirrCode.NO_CASH_FLOWS, flows("2024-01-01 0", "2025-01-01 0")),
        (
            XirrCode.NO_CASH_FLOWS,
            flows("2020-01-01 -1000", "2020-01-01 1000", "2020-06-01 -500", "2020-06-01 500"),
        ),
        (XirrCode.ZERO_DURATION, flows("2024-01-01 -1000")),
        (XirrCode.ZERO_DURATION, flows("2024-01-01 -1000", "2024-01-01 1100")),
        (XirrCode.ZERO_DURATION, flows("2024-01-01 -1000", "2024-01-01 1000")),
        (XirrCode.NO_SIGN_CHANGE, flows("2015-01-04 -4000", "2019-06-27 -46000")),
        (XirrCode.NO_SIGN_CHANGE, flows("2015-01-04 4000", "2019-06-27 46000")),
        (XirrCode.NO_REAL_ROOT, flows("2020-01-01 -100", "2020-12-31 150", "2021-12-31 -100")),
    ],
)
def test_flows_without_a_rate_say_why(code: XirrCode, case: list[CashFlow]) -> None:
    result = xirr(case)

    assert result == Xirr(rate=None, code=code)
    assert (result.percentage, result.period_percentage) == (None, None)


def test_money_that_ends_as_nothing_is_a_total_loss() -> None:
    result = xirr(flows("2010-01-01 -1000", "2010-06-01 -500", "2012-01-01 0"))

    assert result == Xirr(-1.0, XirrCode.TOTAL_LOSS, (-1.0,))
    assert result.percentage == -100


def test_a_total_loss_within_a_year_is_also_the_loss_of_the_period() -> None:
    result = xirr(flows("2024-01-01 -1000", "2024-03-01 0"))

    assert result == Xirr(-1.0, XirrCode.TOTAL_LOSS, (-1.0,), -1.0)


def test_a_rate_beyond_the_range_of_a_double_still_has_a_period_return() -> None:
    result = xirr(flows("2024-01-01 -1", "2024-01-02 100000"))

    assert (result.rate, result.code) == (None, XirrCode.BEYOND_RANGE)
    assert result.period_return == pytest.approx(99999, rel=1e-12)


def test_two_days_that_the_library_gives_up_on_have_their_rate() -> None:
    # pyxirr issue 65: 532.5 one day, -752.5 net the next; None there
    case = flows("2020-05-27 345", "2020-05-28 -565")

    result = xirr(case)

    assert result.code is XirrCode.OK
    assert result.period_return == pytest.approx(565 / 345 - 1, rel=1e-12)
    assert result.rate == pytest.approx((565 / 345) ** 365 - 1, rel=1e-10)


# --------------------------------------------------------------------- one root, several roots


def test_of_two_rates_the_one_nearest_zero_is_the_rate() -> None:
    # -1000, +2500, -1540: the textbook project with rates of 10 % and 40 %
    case = flows("2021-01-01 -1000", "2022-01-01 2500", "2023-01-01 -1540")

    result = xirr(case)

    assert result.code is XirrCode.AMBIGUOUS
    assert result.roots == pytest.approx((0.10, 0.40), abs=1e-12)
    assert result.rate == result.roots[0]


def test_three_rates_are_all_found() -> None:
    # (g - 1.05)(g - 1.25)(g - 1.60) = g^3 - 3.9 g^2 + 4.9925 g - 2.1
    case = flows("2021-01-01 -1000", "2022-01-01 3900", "2023-01-01 -4992.5", "2024-01-01 2100")

    result = xirr(case)

    assert result.code is XirrCode.AMBIGUOUS
    assert result.roots == pytest.approx((0.05, 0.25, 0.60), abs=1e-11)


def test_a_rate_that_the_curve_only_touches_is_one_rate() -> None:
    result = xirr(flows("2021-01-01 -100", "2022-01-01 220", "2023-01-01 -121"))

    assert result.code is XirrCode.OK
    assert result.roots == pytest.approx((0.10,), abs=1e-7)


def test_a_rate_at_which_the_curve_lies_flat_is_one_rate() -> None:
    # the cube of growth less 1 / 1.1: the curve crosses zero and is level there
    result = xirr(
        flows("2021-01-01 -1331", "2022-01-01 3630", "2023-01-01 -3300", "2024-01-01 1000")
    )

    assert result.code is XirrCode.OK
    assert result.roots == pytest.approx((1 / 1.1 - 1,), abs=1e-4)


def test_a_client_who_adds_and_withdraws_has_one_proved_rate() -> None:
    case = flows(
        "2023-01-01 -500000",
        "2023-06-01 60000",
        "2023-09-01 -200000",
        "2024-02-01 90000",
        "2024-05-01 -8000",
        "2025-03-01 640000",
    )

    result = xirr(case)

    assert result.code is XirrCode.OK_PURE_INVESTMENT
    assert result.rate is not None
    assert abs(rate_to_forty_digits(case, result.rate) - Decimal(result.rate)) < Decimal("1e-14")


@given(
    roots=st.lists(st.integers(-60, 300), min_size=2, max_size=4, unique=True),
    gap=st.sampled_from([365, 730]),
)
def test_flows_made_from_their_rates_give_the_rates_back(roots: list[int], gap: int) -> None:
    rising = sorted(roots)
    assume(min(np.diff(rising)) >= 10)
    growths = [1 + Decimal(root) / 100 for root in rising]
    polynomial = [Decimal(-1)]
    for growth in growths:
        shifted = [*polynomial, Decimal(0)]
        polynomial = [
            term - growth * previous
            for term, previous in zip(shifted, [Decimal(0), *polynomial], strict=True)
        ]

    result = xirr(
        [CashFlow(START + dt.timedelta(days=gap * n), c) for n, c in enumerate(polynomial)]
    )

    expected = [float(growth) ** (365 / gap) - 1 for growth in growths]
    assert result.roots == pytest.approx(expected, abs=1e-6)
    assert result.code is XirrCode.AMBIGUOUS


@pytest.mark.parametrize(("seed", "count"), [(1, 200), (1, 2000), (2, 2000), (4, 1000)])
def test_a_client_who_pays_in_and_out_without_end_has_every_rate(seed: int, count: int) -> None:
    rng = random.Random(seed)
    case = [
        CashFlow(
            START + dt.timedelta(days=n * 1825 // count),
            Decimal(rng.randint(500_000, 1_500_000)) * (1 if n % 2 else -1),
        )
        for n in range(count)
    ]
    case.append(CashFlow(START + dt.timedelta(days=1826), Decimal(900_000)))

    result = xirr(case)

    # Every change of sign between -95 % and 2000 % a year, sought in small steps.
    days = np.array([(flow.date - START).days / 365 for flow in case])
    amounts = np.array([float(flow.amount) for flow in case])
    tried = np.linspace(math.log(0.05), math.log(21), 6000)
    signs = [math.fsum(amounts * np.exp(-s * days)) > 0 for s in tried]
    crossed = tried[:-1][np.diff(signs)]
    inside = [math.log1p(root) for root in result.roots if 0.05 < 1 + root < 21]
    assert result.code in {XirrCode.OK, XirrCode.AMBIGUOUS}
    assert inside == pytest.approx(crossed, abs=tried[1] - tried[0])


# --------------------------------------------------------------------------- what always holds


def random_flows(seed: int) -> list[CashFlow]:
    rng = random.Random(seed)
    count = rng.randint(1, 30)
    paid_in = [
        CashFlow(
            START + dt.timedelta(days=rng.randrange(1500)),
            -Decimal(rng.randrange(1, 10**9)).scaleb(-2),
        )
        for _ in range(count)
    ]
    factor = Decimal(rng.randrange(30, 400)).scaleb(-2)
    closing = CashFlow(
        START + dt.timedelta(days=1500 + rng.randrange(800)),
        -sum((flow.amount for flow in paid_in), Decimal(0)) * factor,
    )
    return [*paid_in, closing]


def test_rates_agree_with_pyxirr_over_random_flows() -> None:
    cases = [random_flows(seed) for seed in range(500)]

    ours = [xirr(case).rate for case in cases]

    theirs = [pyxirr.xirr([f.date for f in c], [float(f.amount) for f in c]) for c in cases]
    assert ours == pytest.approx(theirs, abs=1e-9, rel=0)


@pytest.mark.parametrize("seed", range(1000, 1040))
def test_rates_are_right_to_the_last_digits(seed: int) -> None:
    case = random_flows(seed)

    rate = xirr(case).rate

    assert rate is not None
    assert abs(rate_to_forty_digits(case, rate) - Decimal(rate)) < Decimal("1e-14")


@given(
    case=st.lists(
        st.builds(
            CashFlow,
            st.dates(START, dt.date(2034, 1, 1)),
            st.decimals(-(10**7), 10**7, places=2),
        ),
        max_size=12,
    )
)
def test_every_rate_balances_the_flows(case: list[CashFlow]) -> None:
    result = xirr(case)

    first = min((flow.date for flow in case if flow.amount), default=START)
    for root in result.roots:
        if 1 + root < 1e-7:
            continue  # so near -100 % that 1 + rate has lost the digits to discount with
        s = math.log1p(root)
        terms = [float(f.amount) * math.exp(-s * (f.date - first).days / 365) for f in case]
        assert abs(math.fsum(terms)) <= 1e-6 * sum(map(abs, terms))
    assert (result.rate is None) <= (result.roots == () or result.code is XirrCode.BEYOND_RANGE)


@given(seed=st.integers(0, 10**6), scale=st.sampled_from([-1, Decimal("0.0001"), 10**6]))
def test_scaling_or_turning_all_flows_leaves_the_rate(seed: int, scale: int | Decimal) -> None:
    case = random_flows(seed)

    result = xirr([CashFlow(flow.date, flow.amount * scale) for flow in case])

    assert result.rate == pytest.approx(xirr(case).rate, rel=1e-12)


@given(seed=st.integers(0, 10**6))
def test_the_order_of_flows_and_splitting_a_day_change_nothing(seed: int) -> None:
    case = random_flows(seed)
    halves = [CashFlow(flow.date, flow.amount / 2) for flow in case]

    result = xirr([*reversed(halves), *halves])

    assert result == xirr(case)


def test_a_span_under_a_year_also_has_a_period_return() -> None:
    result = xirr(flows("2026-01-01 -100000", "2026-02-01 103000"))

    assert result.period_return == pytest.approx(0.03, abs=1e-14)
    assert result.rate == pytest.approx(1.03 ** (365 / 31) - 1, abs=1e-12)
    assert round(result.period_percentage or 0, 10) == 3


def test_a_span_of_a_year_has_no_period_return() -> None:
    result = xirr(flows("2025-01-01 -100000", "2026-01-01 103000"))

    assert result.period_return is None
    assert result.percentage is not None
    assert round(result.percentage, 10) == 3


# ---------------------------------------------------------------------------------- many at once


def many(seed: int, clients: int = 300, count: int = 24) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    days = np.sort(rng.integers(0, 1500, (clients, count)), axis=1)
    amounts = -rng.integers(1_000, 100_000, (clients, count)).astype(float)
    amounts[rng.random((clients, count)) < 0.2] *= -0.3
    amounts[:, 0] = -rng.integers(100_000, 500_000, clients)
    days[:, -1] = 1501
    amounts[:, -1] = -amounts[:, :-1].sum(axis=1) * rng.uniform(0.5, 2.5, clients)
    return days, amounts


def test_many_rates_at_once_are_those_of_each_client() -> None:
    days, amounts = many(seed=3)

    rates = xirr_many(days / 365, amounts)

    one_by_one = [
        xirr(
            [
                CashFlow(START + dt.timedelta(int(d)), Decimal(float(a)))
                for d, a in zip(*row, strict=True)
            ]
        ).rate
        for row in zip(days, amounts, strict=True)
    ]
    assert rates.tolist() == pytest.approx(one_by_one, abs=1e-12, rel=0)


def test_rows_padded_with_zeros_have_the_same_rates() -> None:
    days, amounts = many(seed=4)
    filling = np.full((len(days), 5), 1501)

    rates = xirr_many(np.hstack([days, filling]) / 365, np.hstack([amounts, filling * 0.0]))

    assert rates.tolist() == pytest.approx(xirr_many(days / 365, amounts).tolist(), abs=1e-13)


def test_rows_without_one_proved_rate_are_not_answered() -> None:
    years = np.array([[0.0, 1.0, 2.0]] * 4 + [[0.0, 0.0, 0.0]])
    amounts = np.array(
        [
            [-1000.0, 2500.0, -1540.0],
            [-100.0, 150.0, -100.0],
            [-100.0, -100.0, 0.0],
            [0.0, 0.0, 0.0],
            [-100.0, 0.0, 110.0],
        ]
    )

    rates = xirr_many(years, amounts)

    assert np.isnan(rates).all()


# ------------------------------------------------------------------------- the flows of a client


def test_net_investment_counts_flows_from_the_start_on() -> None:
    changes = [
        CashFlow.added(dt.date(2023, 12, 31), Decimal(5000)),
        CashFlow.added(START, Decimal("2500.50")),
        CashFlow.withdrawn(dt.date(2024, 6, 1), Decimal(700)),
    ]

    invested = net_investment(Decimal(10000), START, changes)

    assert invested == Decimal("11800.50")


def test_the_flows_of_a_client_are_signed_as_the_client_sees_them() -> None:
    case = flows_of_client(
        start=CashFlow.added(START, Decimal(10000)),
        cash_flows=[
            CashFlow.withdrawn(dt.date(2024, 6, 1), Decimal(700)),
            CashFlow.added(dt.date(2023, 12, 31), Decimal(5000)),
        ],
        fees_paid=[CashFlow.added(dt.date(2024, 4, 1), Decimal(300))],
        closing=CashFlow.withdrawn(dt.date(2025, 1, 1), Decimal(11000)),
    )

    assert case == flows(
        "2024-01-01 -10000", "2024-04-01 -300", "2024-06-01 700", "2025-01-01 11000"
    )


@pytest.mark.parametrize(("days", "years"), [(0, "0.00"), (547, "1.50"), (2, "0.01"), (1, "0.00")])
def test_years_are_days_over_365_with_two_decimals(days: int, years: str) -> None:
    answer = years_of(days)

    assert str(answer) == years


# --------------------------------------------------------------------------- time-weighted return


def closes(*values: str, every: int = 1) -> list[Close]:
    return [
        (START + dt.timedelta(days=every * after), Decimal(value))
        for after, value in enumerate(values)
    ]


def day(after: int) -> dt.date:
    return START + dt.timedelta(days=after)


def time_weighted(values: list[Close], moves: list[CashFlow]) -> TimeWeighted | None:
    return growth_since(wealth_index(values, moves), START)


@pytest.mark.parametrize(
    ("values", "moves", "percentage"),
    [
        # 10 % up, then 1000 more comes in and the day gains 5 %
        (closes("1000", "1100", "2205"), [CashFlow.added(day(2), Decimal(1000))], "15.5"),
        (closes("1000", "1100", "605"), [CashFlow.withdrawn(day(2), Decimal(550))], "15.5"),
        (closes("1000", "2000", every=3), [CashFlow.added(day(2), Decimal(1000))], "0"),
        (
            closes("1000", "1100"),
            [CashFlow.added(day(0), Decimal(700)), CashFlow.added(day(2), Decimal(900))],
            "10",
        ),
        (
            closes("1000", "0", "0", "2200"),
            [CashFlow.withdrawn(day(1), Decimal(1200)), CashFlow.added(day(3), Decimal(2000))],
            "32",
        ),
    ],
    ids=[
        "added money is no gain",
        "withdrawn money is no loss",
        "a flow of a closed day belongs to the next close",
        "flows up to the first close and after the last are left out",
        "all withdrawn and put back later",
    ],
)
def test_cash_flows_are_taken_out_of_the_return(
    values: list[Close], moves: list[CashFlow], percentage: str
) -> None:
    growth = time_weighted(values, moves)

    days = (values[-1][0] - START).days
    assert growth == TimeWeighted(Decimal(percentage), yearly=None, days=days)


def test_a_span_of_a_year_or_more_has_a_yearly_return() -> None:
    growth = time_weighted(closes("1000", "1210", every=730), [])

    assert growth is not None
    assert growth.percentage == 21
    assert growth.yearly is not None
    assert round(growth.yearly, 20) == 10


@pytest.mark.parametrize(
    ("values", "measured"),
    [
        ((), 0),
        (("1000",), 1),
        (("1000", "-5", "1000"), 1),
        (("0", "1000"), 1),
        (("1000", "1100", "-1"), 2),
    ],
)
def test_the_index_ends_where_growth_cannot_be_measured(
    values: tuple[str, ...], measured: int
) -> None:
    index = wealth_index(closes(*values), [])

    assert len(index) == measured
    assert (growth_since(index, START) is None) == (measured < 2)


def test_a_total_loss_is_minus_a_hundred_percent_a_year() -> None:
    growth = time_weighted(closes("1000", "0", every=400), [])

    assert growth == TimeWeighted(Decimal(-100), Decimal(-100), 400)


@given(
    returns=st.lists(st.integers(-20, 30), min_size=1, max_size=20),
    moves=st.lists(st.integers(-200, 5000), min_size=20, max_size=20),
)
def test_the_return_does_not_depend_on_when_money_came_and_went(
    returns: list[int], moves: list[int]
) -> None:
    value, values, changes = Decimal(10**6), [(day(0), Decimal(10**6))], []
    expected = Decimal(1)
    for after, (percent, move) in enumerate(zip(returns, moves, strict=False), start=1):
        factor = 1 + Decimal(percent) / 100
        expected *= factor
        if move >= 0:
            value = (value + move) * factor
            changes.append(CashFlow.added(day(after), Decimal(move)))
        else:
            value = value * factor + move
            changes.append(CashFlow.withdrawn(day(after), Decimal(-move)))
        values.append((day(after), value))

    growth = time_weighted(values, changes)

    assert growth is not None
    assert float(growth.percentage) == pytest.approx(float((expected - 1) * 100), abs=1e-12)


# ------------------------------------------------------------------ Modified Dietz and drawdown


def test_modified_dietz_weighs_funds_by_the_days_that_were_left() -> None:
    # worked by hand: gain 300 - 50 = 250 over 1000 + 50 * 16/31
    percentage = modified_dietz(
        (day(0), Decimal(1000)),
        (day(31), Decimal(1300)),
        [CashFlow.added(day(15), Decimal(50)), CashFlow.added(day(0), Decimal(999))],
    )

    assert percentage == Decimal(250) * 31 / (1000 * 31 + 50 * 16) * 100


def test_modified_dietz_of_funds_that_were_withdrawn() -> None:
    # 100 becomes 110, of which 20 was withdrawn half way: a gain of 10 on 90
    percentage = modified_dietz(
        (day(0), Decimal(100)), (day(10), Decimal(90)), [CashFlow.withdrawn(day(5), Decimal(20))]
    )

    assert percentage == Decimal(10) / Decimal(90) * 100


@pytest.mark.parametrize(
    ("opening", "days", "moves"),
    [
        ("1000", 0, []),
        ("0", 10, []),
        ("100", 10, [CashFlow.withdrawn(day(1), Decimal(500))]),
    ],
)
def test_modified_dietz_needs_days_and_money(
    opening: str, days: int, moves: list[CashFlow]
) -> None:
    percentage = modified_dietz((day(0), Decimal(opening)), (day(days), Decimal(100)), moves)

    assert percentage is None


def test_the_deepest_fall_has_its_peak_and_trough() -> None:
    index = closes("1", "1.2", "1.08", "1.5", "0.9", "1.4", "1.6", "1.5")

    drawdown = max_drawdown(index)

    assert drawdown == Drawdown(Decimal(-40), day(3), day(4))


@pytest.mark.parametrize("values", [(), ("1",), ("1", "1", "1.5")])
def test_what_never_fell_has_no_drawdown(values: tuple[str, ...]) -> None:
    drawdown = max_drawdown(closes(*values))

    assert drawdown is None


def test_a_withdrawal_is_no_drawdown() -> None:
    index = wealth_index(closes("1000", "1100", "300"), [CashFlow.withdrawn(day(2), Decimal(800))])

    assert max_drawdown(index) is None
    assert [level for _, level in index] == [Decimal(1), Decimal("1.1"), Decimal("1.1")]


# --------------------------------------------------------------- fees, gaps and parts of an index


def test_a_fee_lowers_the_growth_of_its_day_and_of_no_other() -> None:
    values = closes("1000", "1100", "1210")

    index = wealth_index(values, [], [CashFlow.added(day(1), Decimal(110))])

    # 990 for 1000 on the first day, then 10 % again.
    assert [level for _, level in index] == [1, Decimal("0.99"), Decimal("1.089")]


def test_fees_beyond_the_value_cannot_be_measured() -> None:
    index = wealth_index(closes("1000", "10"), [], [CashFlow.added(day(1), Decimal(11))])

    assert len(index) == 1


def test_money_that_moved_in_a_gap_is_weighed_by_its_days() -> None:
    values = closes("1000", "2100", every=10)
    moved = [CashFlow.added(day(5), Decimal(1000))]

    exact = wealth_index(values, moved)
    estimated = wealth_index(values, moved, (), {day(10)})

    assert exact[1][1] == Decimal("1.05")
    assert round(estimated[1][1], 6) == Decimal("1.066667")


def test_a_gap_without_flows_changes_nothing() -> None:
    values = closes("1000", "2100", every=10)

    assert wealth_index(values, [], (), {day(10)}) == wealth_index(values, [])


def test_a_gap_that_cannot_be_weighed_ends_the_index() -> None:
    moved = [CashFlow.withdrawn(day(0) + dt.timedelta(days=1), Decimal(3000))]

    index = wealth_index(closes("1000", "5", every=10), moved, (), {day(10)})

    assert len(index) == 1


def test_growth_is_of_the_part_from_the_last_level_up_to_a_day() -> None:
    index = closes("1", "1.1", "1.32", every=10)

    growth = growth_since(index, day(15))

    assert growth == TimeWeighted(percentage=Decimal(20), yearly=None, days=10)


def test_there_is_no_growth_before_the_index_or_after_its_end_or_from_nothing() -> None:
    index = closes("1", "0", "0")

    assert growth_since(index, day(0) - dt.timedelta(days=1)) is None
    assert growth_since(index, day(2)) is None
    assert growth_since(index, day(1)) is None
    assert growth_since([], day(0)) is None


def test_days_of_an_opening_value_are_counted_from_the_first_day() -> None:
    growth = growth_since(closes("1", "1.21", every=731), day(0), day(1))

    assert growth is not None
    assert growth.days == 730
    assert growth.yearly is not None
    assert round(growth.yearly, 10) == 10
