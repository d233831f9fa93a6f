"""What is shown while nothing tells what a client put in, or what the client has."""

import csv
import datetime as dt
import io
import uuid
from decimal import Decimal
from typing import Any

import pytest

from tarazu.clients import reporting
from tarazu.clients.adapters.report import _fields
from tarazu.kit import clock
from tarazu.kit.db import Database
from tarazu.portfolio import service as portfolio
from tests.people_of import Desk
from tests.portfolio.books import give_holdings

pytestmark = pytest.mark.on_both


class Screens:
    """A client as every screen shows it."""

    def __init__(self, desk: Desk, client_id: str) -> None:
        self.desk, self.client_id = desk, client_id
        self.path = f"/admin/clients/client/{client_id}"

    def portfolio(self) -> dict[str, Any]:
        return self._of("portfolio")

    def profile(self) -> dict[str, Any]:
        return self._of("profile")

    def row(self) -> dict[str, Any]:
        rows = self.desk.get("/admin/clients").json()["data"]
        return next(row for row in rows if row["_id"] == self.client_id)

    def add_flow(self, day: str, amount: float, kind: str = "FUNDS_ADDED") -> None:
        body = {"date": day, "amount": amount, "type": kind}
        answer = self.desk.post(f"{self.path}/accounting/transaction", body)
        assert answer.status_code == 201, answer.text

    def _of(self, part: str) -> dict[str, Any]:
        found: dict[str, Any] = self.desk.get(f"{self.path}/{part}").json()["data"]
        return found


@pytest.fixture
def client(admin: Desk) -> Screens:
    return Screens(admin, admin.add_client())


@pytest.fixture
def holder(client: Screens, database: Database, priced: Any) -> Screens:
    """Ten shares bought at ₹1,000, now at ₹1,200, and cash of ₹500."""
    give_holdings(database, client.client_id, {"INFY": (10, "1000")}, cash="500")
    priced({"INFY": "1200"})
    return client


def test_without_a_basis_the_gain_is_that_since_purchase_and_the_rest_is_not_known(
    holder: Screens,
) -> None:
    shown = holder.portfolio()
    totals = holder.desk.get(f"{holder.path}/holdings").json()["totals"]

    assert shown["portfolioValue"] == 12_500
    assert (shown["totalPnL"], shown["pnlPercentage"]) == (2_000, 20)
    assert (totals["pnl"], totals["pnlPercentage"]) == (2_000, 20)
    assert shown["isSincePurchase"] is True
    unknown = ("netInvestment", "netProfit", "xirrPercentage", "absoluteReturnPercentage",
               "twrPercentage")  # fmt: skip
    assert [shown[name] for name in unknown] == [None] * 5


def test_the_list_and_the_profile_agree_with_the_portfolio(holder: Screens) -> None:
    row, profile = holder.row(), holder.profile()

    for one in (row, profile):
        assert one["totalPortfolio"] == 12_500
        assert one["totalInvestment"] is None
        assert (one["netPnL"], one["netPnLPercentage"]) == (2_000, 20)
        assert one["isSincePurchase"] is True
    assert (row["NetCashAmount"], profile["totalCash"]) == (500, 500)


@pytest.mark.parametrize("started", [True, False])
def test_with_a_capital_or_a_flow_the_gain_is_on_the_net_investment(
    holder: Screens, *, started: bool
) -> None:
    if started:
        holder.desk.post(f"{holder.path}/starting-capital", {"amount": 10_000})
    else:
        holder.add_flow("2026-03-02", 10_000)

    shown, row = holder.portfolio(), holder.row()

    assert (shown["netInvestment"], shown["totalPnL"], shown["pnlPercentage"]) == (
        10_000,
        2_500,
        25,
    )
    assert (shown["isSincePurchase"], shown["netProfit"]) == (False, 2_500)
    assert (row["totalInvestment"], row["netPnL"], row["netPnLPercentage"]) == (10_000, 2_500, 25)
    assert row["isSincePurchase"] is False


def test_a_flow_before_the_start_is_no_basis(holder: Screens) -> None:
    holder.desk.post(f"{holder.path}/starting-date", {"startingDate": "2026-05-04"})
    holder.add_flow("2026-03-02", 10_000)

    shown, row = holder.portfolio(), holder.row()

    assert (shown["netInvestment"], shown["totalPnL"]) == (None, 2_000)
    assert (shown["xirrPercentage"], shown["xirrReason"]) == (None, "NO_CASH_FLOWS")
    assert (row["totalInvestment"], row["netPnL"]) == (None, 2_000)


def test_a_client_of_whom_nothing_was_read_has_no_value_and_no_loss(client: Screens) -> None:
    client.desk.post(f"{client.path}/starting-date", {"startingDate": "2026-01-05"})
    client.desk.post(f"{client.path}/starting-capital", {"amount": 10_000})

    shown, row, profile = client.portfolio(), client.row(), client.profile()

    unknown = ("portfolioValue", "totalPnL", "pnlPercentage", "netProfit", "xirrPercentage",
               "net", "cash", "intradayPayin")  # fmt: skip
    assert [shown[name] for name in unknown] == [None] * 8
    assert shown["netInvestment"] == 10_000
    assert (shown["xirrReason"], shown["xirrMessage"]) == (
        "NOT_VALUED", "No holdings or funds yet.",
    )  # fmt: skip
    assert [row[name] for name in ("totalPortfolio", "netPnL", "netPnLPercentage")] == [None] * 3
    assert (row["NetCashAmount"], row["isSincePurchase"]) == (None, False)
    assert (profile["totalPortfolio"], profile["totalCash"]) == (None, None)
    returned = client.desk.get(f"{client.path}/xirr").json()
    assert [one["kind"] for one in returned["data"]] == ["STARTING_CAPITAL"]
    assert {span["reason"] for span in returned["spans"]} == {"No holdings or funds yet."}
    assert client.desk.get(f"{client.path}/performance").json()["data"] == []


def test_a_portfolio_that_was_read_and_is_empty_is_worth_zero(
    client: Screens, database: Database
) -> None:
    client.row()

    give_holdings(database, client.client_id, {})

    assert client.portfolio()["portfolioValue"] == 0
    assert (client.row()["totalPortfolio"], client.row()["NetCashAmount"]) == (0, 0)


def test_an_empty_book_that_a_file_confirms_is_worth_zero(
    client: Screens, database: Database
) -> None:
    client.row()

    with database.transaction() as session:
        portfolio.renew_sync(session, clock.now(), [uuid.UUID(client.client_id)], "FILE")

    assert client.row()["totalPortfolio"] == 0


def test_the_performance_has_no_investment_and_no_index_without_a_basis(
    holder: Screens, database: Database
) -> None:
    days = [clock.today() - dt.timedelta(days=ago) for ago in (3, 2, 1)]
    rows = [(uuid.UUID(holder.client_id), day, Decimal(12_000), Decimal(500)) for day in days]
    with database.transaction() as session:
        portfolio.record_closes(session, rows, [])

    data = holder.desk.get(f"{holder.path}/performance").json()["data"]
    returned = holder.desk.get(f"{holder.path}/xirr").json()
    holder.add_flow(days[1].isoformat(), 9_000)
    later = holder.desk.get(f"{holder.path}/performance").json()["data"]

    assert [day["value"] for day in data] == [12_500] * 4
    assert {(day["netInvestment"], day["twrIndex"]) for day in data} == {(None, None)}
    assert returned["data"] == []
    assert {span["reason"] for span in returned["spans"]} == {
        "Enter the starting capital or the cash flows first."
    }
    assert returned["maxDrawdown"] is None
    assert [day["netInvestment"] for day in later] == [None, 9_000, 9_000, 9_000]


def test_clients_without_a_figure_are_last_in_either_order(
    admin: Desk, holder: Screens, database: Database
) -> None:
    loser = Screens(admin, admin.add_client("Meera Iyer", "meera@home.example"))
    give_holdings(database, loser.client_id, {"INFY": (10, "1500")})
    loser.add_flow("2026-03-02", 20_000)
    blank = admin.add_client("Rohan Rao", "rohan@home.example")

    def ordered(sort: str) -> list[str]:
        return [row["_id"] for row in admin.get("/admin/clients", sort=sort).json()["data"]]

    by_gain, by_loss = ordered("-netPnL"), ordered("netPnL")
    assert by_gain == [holder.client_id, loser.client_id, blank]
    assert by_loss == [loser.client_id, holder.client_id, blank]
    assert ordered("totalPortfolio")[-1] == ordered("-totalPortfolio")[-1] == blank
    assert ordered("NetCashAmount")[-1] == ordered("-NetCashAmount")[-1] == blank
    for sort in ("totalInvestment", "-totalInvestment"):
        assert ordered(sort) == [loser.client_id, holder.client_id, blank]


def test_the_exported_list_says_what_the_gain_is_measured_from(
    admin: Desk, holder: Screens
) -> None:
    admin.add_client("Rohan Rao", "rohan@home.example")

    text = admin.get("/admin/clients/export", format="csv").text

    first, second = csv.DictReader(io.StringIO(text.removeprefix("\ufeff")))
    assert (first["P&L Amount"], first["P&L Basis"]) == ("2000.00", "Since purchase")
    assert (first["Total Amount"], first["P&L%"]) == ("", "20.00")
    assert (second["Current Portfolio Value"], second["P&L Amount"]) == ("", "")
    assert (second["P&L Basis"], second["Cash Available"]) == ("", "")


def test_the_report_says_since_purchase(holder: Screens, database: Database) -> None:
    with database.reading() as session:
        contents = reporting.contents_of(
            session, uuid.UUID(holder.client_id), "Ananya Kulkarni", clock.now()
        )
    facts = {name: (value, note) for name, value, note in _fields(contents)["facts"]}
    answer = holder.desk.get(f"{holder.path}/report.pdf")

    assert facts["P&L since purchase"] == ("+₹2,000.00", "+20.00 %")
    assert facts["Net investment"][0] == facts["Net profit after fees"][0] == "–"
    assert answer.content.startswith(b"%PDF")


def test_the_report_of_a_client_of_whom_nothing_was_read_shows_no_value(client: Screens) -> None:
    answer = client.desk.get(f"{client.path}/report.pdf")

    assert answer.content.startswith(b"%PDF")


def test_a_client_of_whom_nothing_was_read_adds_nothing_to_the_firm(
    admin: Desk, holder: Screens
) -> None:
    admin.add_client("Rohan Rao", "rohan@home.example")

    stats = admin.get("/admin/dashboard/stats").json()["data"]

    assert (stats["totalCurrentAUM"], stats["totalCashHoldings"]) == (12_500, 500)
