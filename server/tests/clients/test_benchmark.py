"""A client's portfolio beside the benchmark of the firm, as the call answers it."""

import datetime as dt
import io
import re
from decimal import Decimal
from typing import Any

import pypdf
import pytest

from tarazu.benchmarks import service as benchmarks
from tarazu.benchmarks.tables import BenchmarkKind
from tarazu.domain.calendar import business_days_between, previous_business_day
from tarazu.domain.money import rounded
from tarazu.domain.returns import CashFlow
from tarazu.domain.xirr import xirr
from tarazu.firm import service as firm
from tarazu.kit import clock
from tarazu.kit.audit_log import SYSTEM
from tarazu.kit.db import Database
from tests.people_of import Desk
from tests.portfolio.test_returns import Client, ago

NAME = "Nifty 50 TRI"
Levels = dict[dt.date, Decimal]


class Compared(Client):
    """A client of a firm with a benchmark, whose values the test sets."""

    def use_index(self, levels: Levels, kind: BenchmarkKind = BenchmarkKind.TRI) -> None:
        with self.database.transaction() as session:
            now = clock.now()
            benchmarks.store_values(session, now, (NAME, kind, "test"), levels)
            benchmarks.choose_benchmark(session, SYSTEM, now, NAME, None)

    def answer(self, **asked: str) -> dict[str, Any]:
        found: dict[str, Any] = self.desk.get(f"{self.path}/performance", **asked).json()
        return found

    def figures(self) -> dict[str, Any]:
        found: dict[str, Any] = self.answer()["benchmark"]
        return found

    def days(self, first: dt.date) -> list[dt.date]:
        """Business days from `first` to yesterday."""
        with self.database.reading() as session:
            return business_days_between(first, ago(1), firm.holidays(session))

    def hold_index(self, first: dt.date, levels: Levels, flows: dict[dt.date, int]) -> None:
        """Let the client buy the index with 10,00,000 before `first`, and later at the closes."""
        self.start(first, 1_000_000)
        units = 1_000_000 / levels[self.evening_before(first)]
        closes = {}
        for day in self.days(first):
            units += Decimal(flows.get(day, 0)) / levels[day]
            closes[day] = float(rounded(units * levels[day], 4))
        for day, amount in flows.items():
            self.flow(day, amount)
        self.close(closes)
        self.be_worth("1")

    def evening_before(self, first: dt.date) -> dt.date:
        with self.database.reading() as session:
            return previous_business_day(first, firm.holidays(session))


@pytest.fixture
def client(admin: Desk, database: Database) -> Compared:
    return Compared(admin, database)


def growing(days: list[dt.date], start: int = 30_000) -> Levels:
    """An index that moves by -1 to +1.2 % from day to day."""
    level, levels = Decimal(start), {}
    for place, day in enumerate(days):
        levels[day] = level
        level = rounded(level * (1 + Decimal((place * 7) % 23 - 10) / 1000))
    return levels


def test_without_a_benchmark_the_answer_is_as_before_with_a_series_from_100(
    client: Compared,
) -> None:
    client.start(ago(10), 1000)
    client.close(dict.fromkeys(client.days(ago(10)), 1100))
    client.be_worth("1210")

    found = client.answer()

    assert found["benchmark"] is None
    assert found["data"][-1] == {
        "date": str(ago(0)), "value": 1210, "netInvestment": 1000, "twrIndex": 121,
    }  # fmt: skip
    assert found["series"][0] == {"date": str(ago(11)), "portfolio": 100, "benchmark": None}
    assert found["series"][-1] == {"date": str(ago(0)), "portfolio": 121, "benchmark": None}


def test_the_worked_example_of_the_same_flows(client: Compared) -> None:
    first, second, *_, last = client.days(ago(60))
    client.start(first, 1_000_000)
    client.flow(second, 200_000)
    client.be_worth("1260000")
    levels = dict.fromkeys(client.days(first), Decimal(30_300))
    client.use_index(levels | {first: Decimal(30_000), last: Decimal(31_000)})

    figures = client.figures()

    assert (figures["name"], figures["kind"], figures["asOf"]) == (NAME, "TRI", str(last))
    assert figures["sameFlowsValue"] == 1237953.80
    assert figures["xirrPercentage"] is None
    expected = xirr(
        [
            CashFlow.added(first, Decimal(1_000_000)),
            CashFlow.added(second, Decimal(200_000)),
            CashFlow.withdrawn(last, Decimal("1237953.80")),
        ]
    ).period_percentage
    assert expected is not None
    assert figures["absoluteReturnPercentage"] == float(rounded(expected))


def test_a_portfolio_that_is_the_index_differs_by_nothing(client: Compared) -> None:
    first = client.days(ago(500))[0]
    days = [client.evening_before(first), *client.days(first)]
    levels = growing(days)
    # The start is at the level of its own day, so that day is flat.
    levels[first] = levels[days[0]]
    client.hold_index(first, levels, {days[100]: 250_000, days[200]: 40_000})
    client.use_index(levels)

    figures = client.figures()

    assert (figures["asOf"], figures["reason"], figures["sameFlowsReason"]) == (
        str(days[-1]), None, None,
    )  # fmt: skip
    assert figures["sameFlowsValue"] == figures["portfolioValue"]
    assert figures["xirrPercentage"] == figures["portfolioXirrPercentage"]
    assert figures["differencePercentagePoints"] == 0
    assert figures["twrPercentage"] == float(
        rounded((levels[days[-1]] / levels[days[0]] - 1) * 100)
    )
    assert figures["absoluteReturnPercentage"] is None
    assert figures["capture"]["months"] >= 12
    assert figures["capture"]["upPercentage"] == pytest.approx(100, abs=2)


def test_both_lines_start_from_100_on_the_same_day(client: Compared) -> None:
    first = client.days(ago(30))[0]
    days = [client.evening_before(first), *client.days(first)]
    client.start(first, 1000)
    client.close(dict.fromkeys(days[1:], 1100))
    client.be_worth("1100")
    client.use_index({day: Decimal(500 + 10 * place) for place, day in enumerate(days)})

    series = client.answer()["series"]
    later = client.answer(**{"from": str(days[5])})["series"]

    assert series[0] == {
        "date": str(first - dt.timedelta(days=1)),
        "portfolio": 100,
        "benchmark": 100,
    }
    assert series[1] == {"date": str(first), "portfolio": 110, "benchmark": 102}
    # Today has no close of the index yet.
    assert series[-1] == {"date": str(ago(0)), "portfolio": 110, "benchmark": None}
    assert later[0] == {"date": str(days[5]), "portfolio": 100, "benchmark": 100}


def test_drawdown_and_difference_of_time_weighted_returns(client: Compared) -> None:
    first = client.days(ago(30))[0]
    days = [client.evening_before(first), *client.days(first)]
    client.start(first, 1000)
    client.close({day: 900 if place == 3 else 1100 for place, day in enumerate(days[1:])})
    client.be_worth("1100")
    client.use_index({day: Decimal(400 if place == 2 else 500) for place, day in enumerate(days)})

    figures = client.figures()

    assert (figures["portfolioTwrPercentage"], figures["twrPercentage"]) == (10, 0)
    assert figures["twrDifferencePercentagePoints"] == 10
    assert figures["maxDrawdown"] == {
        "percentage": -20, "peakOn": str(first - dt.timedelta(days=1)), "troughOn": str(days[2]),
    }  # fmt: skip
    assert figures["portfolioMaxDrawdown"]["percentage"] == -18.18
    assert (figures["capture"]["upPercentage"], figures["capture"]["downPercentage"]) == (
        None, None,
    )  # fmt: skip


def test_a_price_index_says_that_it_is_one(client: Compared) -> None:
    client.start(ago(30), 1000)
    client.use_index(growing(client.days(ago(60))), BenchmarkKind.PRICE)

    assert client.figures()["kind"] == "PRICE"


def test_what_the_index_does_not_know_is_not_guessed(client: Compared) -> None:
    days = client.days(ago(90))
    client.start(days[10], 1000)
    client.close(dict.fromkeys(days[10:], 1100))
    client.be_worth("1100")
    client.use_index(growing(days[30:]))

    figures = client.figures()

    assert (figures["sameFlowsValue"], figures["differencePercentagePoints"]) == (None, None)
    assert figures["sameFlowsReason"].startswith(
        f"The index has no value for {days[10]:%d-%m-%Y}, on which money came or went."
    )
    # What both have is still compared, from the first day that both have.
    assert figures["since"] == str(days[30])
    assert figures["twrPercentage"] is not None


def test_more_withdrawn_than_the_index_gave_is_said(client: Compared) -> None:
    days = client.days(ago(60))
    client.start(days[5], 1000)
    client.flow(days[20], 1500, "FUNDS_WITHDRAWN")
    client.be_worth("100")
    client.use_index(dict.fromkeys(days, Decimal(500)))

    assert client.figures()["sameFlowsReason"] == (
        f"On {days[20]:%d-%m-%Y} more was withdrawn than the same flows were worth in the index."
    )


def test_fees_paid_count_as_money_of_the_same_flows(client: Compared) -> None:
    days = client.days(ago(60))
    client.start(days[5], 1000)
    client.pay_fee(days[20], "100")
    client.be_worth("1000")
    client.use_index(dict.fromkeys(days, Decimal(500)))

    assert client.figures()["sameFlowsValue"] == 1100


def test_a_client_without_a_start_has_no_figures_and_the_reason(client: Compared) -> None:
    client.use_index(growing(client.days(ago(60))))
    client.be_worth("500")

    figures = client.figures()

    assert (figures["sameFlowsValue"], figures["twrPercentage"], figures["asOf"]) == (
        None, None, None,
    )  # fmt: skip
    assert figures["reason"] == figures["sameFlowsReason"]
    assert "starting date" in figures["reason"]


def test_money_that_moved_in_a_gap_makes_the_comparison_an_estimate(client: Compared) -> None:
    days = client.days(ago(90))
    client.start(days[5], 1000)
    client.close({days[10]: 1000, days[40]: 1500})
    client.flow(days[20], 400)
    client.be_worth("1500")
    client.use_index(growing(days))

    assert client.figures()["isEstimated"] is True


def test_the_report_has_the_figures_the_dashed_line_and_how_they_are_made(
    client: Compared,
) -> None:
    first = client.days(ago(500))[0]
    days = [client.evening_before(first), *client.days(first)]
    levels = growing(days)
    levels[first] = levels[days[0]]
    client.hold_index(first, levels, {days[100]: 250_000})
    client.use_index(levels, BenchmarkKind.PRICE)
    figures = client.figures()

    told = report_text(client)

    assert f"Beside {NAME}" in told
    assert f"XIRR, after fees +{figures['xirrPercentage']:.2f} %" in told
    assert " 0.00 pp" in told
    assert "Long and Nickels 1996" in told
    assert "price index, without dividends" in told
    assert f"{NAME}, from 100" in told


def test_the_report_of_a_firm_without_a_benchmark_has_no_such_part(client: Compared) -> None:
    client.start(ago(30), 1000)
    client.be_worth("1100")

    assert "Beside" not in report_text(client)


def report_text(client: Client) -> str:
    answer = client.desk.get(f"{client.path}/report.pdf")
    assert answer.status_code == 200, answer.text
    pages = pypdf.PdfReader(io.BytesIO(answer.content)).pages
    text = " ".join(page.extract_text() for page in pages)
    return re.sub(r"\s+", " ", text)
