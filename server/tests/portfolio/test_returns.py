"""What a client's money returned, as the calls answer it."""

import datetime as dt
import uuid
from decimal import Decimal
from typing import Any

import pytest

from tarazu.domain.calendar import business_days_between
from tarazu.domain.returns import CashFlow
from tarazu.domain.xirr import xirr
from tarazu.fees.tables import Fee, FeeStatus
from tarazu.firm import service as firm
from tarazu.kit import clock
from tarazu.kit.db import Database, new_id
from tarazu.portfolio import service as portfolio
from tests.people_of import Desk, reply_of
from tests.portfolio.books import give_holdings


class Client:
    """A client who holds only cash, so that the test can calculate every figure."""

    def __init__(self, desk: Desk, database: Database) -> None:
        self.desk, self.database = desk, database
        self.id = desk.add_client()
        self.path = f"/admin/clients/client/{self.id}"

    def start(self, day: dt.date, capital: float) -> None:
        self.desk.post(f"{self.path}/starting-date", {"startingDate": day.isoformat()})
        self.desk.post(f"{self.path}/starting-capital", {"amount": capital})

    def flow(self, day: dt.date, amount: float, kind: str = "FUNDS_ADDED") -> None:
        body = {"date": day.isoformat(), "amount": amount, "type": kind}
        self.desk.post(f"{self.path}/accounting/transaction", body)

    def pay_fee(self, day: dt.date, amount: str) -> None:
        with self.database.transaction() as session:
            session.add(
                Fee(
                    id=new_id(),
                    client_id=uuid.UUID(self.id),
                    starting_on=day,
                    starting_value=Decimal(0),
                    amount=Decimal(amount),
                    status=FeeStatus.PAID,
                    paid_on=day,
                    over_limit=Decimal(0),
                    created_at=clock.now(),
                    version=1,
                )
            )

    def close(self, values: dict[dt.date, float]) -> None:
        rows = [
            (uuid.UUID(self.id), day, Decimal(str(value)), Decimal(0))
            for day, value in values.items()
        ]
        with self.database.transaction() as session:
            portfolio.record_closes(session, rows, [])

    def be_worth(self, value: str) -> None:
        give_holdings(self.database, self.id, {}, cash=value)

    def returns(self) -> dict[str, Any]:
        found: dict[str, Any] = self.desk.get(f"{self.path}/xirr").json()
        return found

    def span(self, name: str) -> dict[str, Any]:
        return next(one for one in self.returns()["spans"] if one["span"] == name)

    def performance(self, **asked: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.desk.get(f"{self.path}/performance", **asked).json()[
            "data"
        ]
        return found


@pytest.fixture
def client(admin: Desk, database: Database) -> Client:
    return Client(admin, database)


def ago(days: int) -> dt.date:
    return clock.today() - dt.timedelta(days=days)


def every_day_since(database: Database, first: dt.date, value: float) -> dict[dt.date, float]:
    with database.reading() as session:
        days = business_days_between(first, ago(1), firm.holidays(session))
    return dict.fromkeys(days, value)


@pytest.mark.on_both(suite="long")
def test_the_rows_are_the_flows_as_the_client_sees_them_newest_first(client: Client) -> None:
    client.start(ago(730), 100_000)
    client.flow(ago(800), 5)
    client.flow(ago(365), 20_000)
    client.flow(ago(100), 5_000, "FUNDS_WITHDRAWN")
    client.pay_fee(ago(50), "1500")
    client.be_worth("140000")

    found = client.returns()

    rows = [(row["kind"], row["date"], row["amount"], row["fees"]) for row in found["data"]]
    assert rows == [
        ("PORTFOLIO_VALUE", str(ago(0)), 140_000, 0),
        ("FEE_PAID", str(ago(50)), -1_500, 1_500),
        ("FUNDS_WITHDRAWN", str(ago(100)), 5_000, 0),
        ("FUNDS_ADDED", str(ago(365)), -20_000, 0),
        ("STARTING_CAPITAL", str(ago(730)), -100_000, 0),
    ]
    again = xirr(
        [
            CashFlow(dt.date.fromisoformat(row["date"]), Decimal(str(row["amount"])))
            for row in found["data"]
        ]
    )
    assert again.percentage is not None
    assert found["xirrPercentage"] == pytest.approx(float(again.percentage), abs=0.005)
    assert (found["xirrReason"], found["xirrMessage"]) == ("OK_PURE_INVESTMENT", None)
    assert (found["xirrPeriod"], found["absoluteReturnPercentage"]) == (2, None)
    portfolio_tab = client.desk.get(f"{client.path}/portfolio").json()["data"]
    assert portfolio_tab["xirrPercentage"] == found["xirrPercentage"]
    assert portfolio_tab["twrPercentage"] == found["twrPercentage"]


def test_a_period_under_a_year_also_has_its_absolute_return(client: Client) -> None:
    client.start(ago(73), 1000)
    client.be_worth("1020")

    found = client.returns()

    assert found["absoluteReturnPercentage"] == 2
    assert found["xirrPercentage"] == pytest.approx(10.41, abs=0.01)
    assert found["xirrPeriod"] == 0.2


@pytest.mark.parametrize(
    ("days", "capital", "worth", "reason", "message"),
    [
        (None, 0, "500", "NO_CASH_FLOWS", "There are no cash flows yet."),
        (0, 1000, "1100", "ZERO_DURATION", "Everything happened on one day"),
        (10, 0, "1100", "NO_CASH_FLOWS", "There are no cash flows yet."),
        (10, 1000, "-5", "NO_SIGN_CHANGE", "Money only went in"),
    ],
)
def test_where_no_rate_exists_it_is_null_with_a_reason(
    client: Client, days: int | None, capital: float, worth: str, reason: str, message: str
) -> None:
    if days is not None:
        client.start(ago(days), capital)
    client.be_worth(worth)

    found = client.returns()

    assert (found["xirrPercentage"], found["xirrReason"]) == (None, reason)
    assert found["xirrMessage"].startswith(message)
    assert found["absoluteReturnPercentage"] is None


def test_time_weighted_returns_exclude_flows_and_are_before_and_after_fees(
    client: Client,
) -> None:
    first = ago(400)
    client.start(first, 1000)
    client.close(every_day_since(client.database, first, 1100))
    day = next(iter(every_day_since(client.database, ago(60), 0)))
    client.flow(ago(0), 900)
    client.pay_fee(day, "110")
    client.be_worth("2000")

    start, year, three = (client.span(name) for name in ("SINCE_START", "1Y", "3Y"))

    # 10 % on the first day; the money that came today is no gain.
    assert (start["grossPercentage"], start["netPercentage"]) == (10, -1)
    assert start["since"] == str(first)
    assert start["grossYearlyPercentage"] == pytest.approx(9.08, abs=0.01)
    assert (year["grossPercentage"], year["netPercentage"]) == (0, -10)
    assert year["days"] == pytest.approx(365, abs=5)
    assert (three["grossPercentage"], three["reason"]) == (
        None, "Values are not known that far back.",
    )  # fmt: skip
    assert [one["isEstimated"] for one in (start, year, three)] == [False, False, False]
    assert client.returns()["twrPercentage"] == 10


def test_where_daily_values_are_missing_a_flow_makes_the_return_an_estimate(
    client: Client,
) -> None:
    client.start(ago(100), 1000)
    client.be_worth("2200")
    exact = client.span("SINCE_START")
    client.flow(ago(50), 1000)
    estimated = client.span("SINCE_START")

    assert (exact["grossPercentage"], exact["isEstimated"]) == (120, False)
    # 200 on 1000 and on 1000 more for half of the time: Modified Dietz.
    assert estimated["isEstimated"] is True
    assert estimated["grossPercentage"] == pytest.approx(200 / 1495.05 * 100, abs=0.02)


def test_money_that_is_not_entered_leaves_no_return_but_a_reason(client: Client) -> None:
    first = ago(30)
    client.start(first, 10)
    client.close(every_day_since(client.database, first, 0))
    client.be_worth("5000")

    found = client.span("SINCE_START")

    assert found["grossPercentage"] is None
    assert "not entered under Accounting" in found["reason"]
    assert client.returns()["maxDrawdown"] is None


def test_a_client_without_books_has_no_values(client: Client) -> None:
    found = client.returns()

    assert found["data"] == []
    reasons = {one["reason"] for one in found["spans"]}
    assert reasons == {"Enter the starting capital or the cash flows first."}
    assert client.performance() == []


def test_the_deepest_fall_has_its_days(client: Client) -> None:
    days = list(every_day_since(client.database, ago(20), 0))
    client.start(days[0], 1000)
    client.close({days[0]: 1000, days[1]: 1200, days[2]: 900, days[3]: 1100})
    client.be_worth("1150")

    found = client.returns()["maxDrawdown"]

    assert found == {"percentage": -25, "peakOn": str(days[1]), "troughOn": str(days[2])}


def test_performance_is_oldest_first_with_today_at_its_end(client: Client) -> None:
    days = list(every_day_since(client.database, ago(14), 0))
    client.start(days[0], 1000)
    client.close({day: 1000 + 10 * place for place, day in enumerate(days)})
    client.flow(days[2], 500)
    client.be_worth("3000")

    found = client.performance()
    cut = client.performance(**{"from": str(days[1]), "to": str(days[2])})
    empty = client.performance(**{"from": str(days[2]), "to": str(days[1])})

    assert [one["date"] for one in found] == [*map(str, days), str(ago(0))]
    assert found[0] == {
        "date": str(days[0]), "value": 1000, "netInvestment": 1000, "twrIndex": 100,
    }  # fmt: skip
    assert (found[-1]["value"], found[-1]["netInvestment"]) == (3000, 1500)
    assert [one["netInvestment"] for one in cut] == [1000, 1500]
    assert cut[1]["twrIndex"] == pytest.approx(1020 / 1510 * 101, abs=0.01)
    assert empty == []


def test_a_day_that_is_none_is_refused(client: Client) -> None:
    answer = client.desk.get(f"{client.path}/performance", **{"from": "soon"})

    assert reply_of(answer) == (422, "Please select a valid date")


def test_returns_are_for_staff_and_of_a_client_that_is_there(client: Client) -> None:
    for call in ("xirr", "performance", "accounting"):
        missing = client.desk.get(f"/admin/clients/client/{uuid.uuid4()}/{call}")
        nobody = client.desk.web.get(f"/api/v1{client.path}/{call}")
        assert (missing.status_code, nobody.status_code) == (404, 401)


def test_the_broker_of_a_client_has_the_logo_of_its_record(client: Client) -> None:
    logo = "https://logos.example/zerodha.svg"
    record = {"name": "ZERODHA", "description": "", "logo": logo, "apiKey": "k", "apiSecret": "s"}
    added = client.desk.post("/brokers/add", {**record, "apiUrl": "https://api.kite.trade"})
    assert added.status_code == 201, added.text

    told = []
    for broker in ("ZERODHA", "ANGEL_ONE"):
        with client.database.transaction() as session:
            portfolio.set_broker(session, uuid.UUID(client.id), broker, "AB1234")
        told += [
            client.desk.get(f"{client.path}/{tab}").json()["data"]["broker"]
            for tab in ("portfolio", "profile")
        ]

    assert told == [{"name": "ZERODHA", "logo": logo}] * 2 + [{"name": "ANGEL_ONE", "logo": ""}] * 2
