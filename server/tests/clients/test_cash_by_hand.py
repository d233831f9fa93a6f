"""Cash of a client whose broker does not report it: entered by hand, moved by the cash flows."""

import datetime as dt
import uuid
from decimal import Decimal
from typing import Any

import pytest

from tarazu.brokers.tables import ClientSession
from tarazu.kit import clock
from tarazu.kit.audit_log import SYSTEM
from tarazu.kit.db import Database, new_id
from tarazu.portfolio import service as portfolio
from tarazu.portfolio.service import Funds
from tests.imports.files import FIRM_HEADER
from tests.people_of import Desk, data_of, reply_of
from tests.portfolio.books import give_holdings
from tests.rows_of import audit_changes

pytestmark = pytest.mark.on_both

AS_OF = "2026-11-12"


class Cash:
    """A client's cash and accounting, over HTTP."""

    def __init__(self, desk: Desk, client_id: str) -> None:
        self.desk, self.client_id = desk, client_id
        self.path = f"/admin/clients/client/{client_id}"

    def enter(self, amount: Any = 50_000, as_of: Any = AS_OF, **more: Any) -> Any:
        return self.desk.put(f"{self.path}/cash", {"amount": amount, "asOf": as_of} | more)

    def add_flow(self, day: str, amount: float, kind: str = "FUNDS_ADDED") -> dict[str, Any]:
        body = {"date": day, "amount": amount, "type": kind}
        return dict(data_of(self.desk.post(f"{self.path}/accounting/transaction", body), 201))

    def portfolio(self) -> dict[str, Any]:
        found: dict[str, Any] = self.desk.get(f"{self.path}/portfolio").json()["data"]
        return found

    def net(self) -> Any:
        """In the portfolio; the client list and the firm's cash must agree."""
        net = self.portfolio()["net"]
        (row,) = self.desk.get("/admin/clients").json()["data"]
        stats = self.desk.get("/admin/dashboard/stats").json()["data"]
        assert row["NetCashAmount"] == net
        assert stats["totalCashHoldings"] == (net or 0)
        return net


@pytest.fixture
def cash(admin: Desk) -> Cash:
    return Cash(admin, admin.add_client())


def test_cash_by_hand_is_shown_with_who_and_when(cash: Cash, database: Database) -> None:
    before = cash.net()

    answer = cash.enter(50_000.5)

    shown = answer.json()["data"]
    assert (before, answer.status_code) == (None, 200)
    assert (shown["net"], shown["cash"], shown["intradayPayin"]) == (50_000.5, 50_000.5, 0)
    assert shown["portfolioValue"] == 50_000.5
    by_hand = shown["cashByHand"]
    assert by_hand.pop("enteredAt")
    assert by_hand == {"amount": 50_000.5, "asOf": AS_OF, "enteredBy": "Ananya Kulkarni"}
    assert cash.net() == 50_000.5
    actions = audit_changes(database, cash.client_id)
    assert actions[-1] == (
        "cash_entered", {"cash": [None, "50000.5"], "asOf": [None, AS_OF]},
    )  # fmt: skip


def test_it_moves_with_the_cash_flows_of_later_days(cash: Cash) -> None:
    cash.add_flow("2026-11-20", 5_000)
    cash.enter()
    after_entry = cash.net()

    cash.add_flow(AS_OF, 700)
    cash.add_flow("2026-01-05", 900)
    same_day = cash.net()
    flow = cash.add_flow("2026-11-16", 20_000, "FUNDS_WITHDRAWN")
    withdrawn = cash.net()
    body = {"date": "2026-11-16", "amount": 10_000, "type": "FUNDS_WITHDRAWN"}
    accounting = f"{cash.path}/accounting/transaction"
    cash.desk.put(accounting, body | {"transactionId": flow["_id"]})
    changed = cash.net()
    cash.desk.post(f"{accounting}/delete", {"transactionId": flow["_id"]})
    deleted = cash.net()
    cash.desk.post(f"/admin/transactions/{flow['_id']}/restore")

    assert (after_entry, same_day) == (55_000, 55_000)
    assert (withdrawn, changed, deleted) == (35_000, 45_000, 55_000)
    assert cash.net() == 45_000
    assert cash.portfolio()["cashByHand"]["amount"] == 50_000


def test_entering_it_again_starts_from_the_new_day(cash: Cash) -> None:
    cash.enter()
    cash.add_flow("2026-11-16", 5_000)

    cash.enter(70_000, "2026-11-18")

    assert cash.net() == 70_000
    assert cash.portfolio()["cashByHand"]["asOf"] == "2026-11-18"


def test_zero_is_an_amount(cash: Cash) -> None:
    assert cash.enter(0).status_code == 200
    assert cash.net() == 0
    assert cash.portfolio()["portfolioValue"] == 0


@pytest.mark.parametrize(
    ("amount", "as_of", "message"),
    [
        (-1, AS_OF, "Please enter a valid amount"),
        (10.005, AS_OF, "Please enter a valid amount"),
        (None, AS_OF, "Please enter a valid amount"),
        ("much", AS_OF, "Please enter a valid amount"),
        (1e15, AS_OF, "Please enter a valid amount"),
        (1, "2999-01-01", "Please select a valid date"),
        (1, "1801-01-01", "Please select a valid date"),
        (1, None, "Please select a valid date"),
        (1, "", "Please select a valid date"),
    ],
)
def test_what_is_not_valid_is_refused_and_changes_nothing(
    cash: Cash, amount: Any, as_of: Any, message: str
) -> None:
    refused = cash.enter(amount, as_of)

    assert reply_of(refused) == (422, message)
    assert (cash.net(), cash.portfolio()["cashByHand"]) == (None, None)


def test_tomorrow_is_refused_and_today_is_not(cash: Cash) -> None:
    today = clock.today()

    assert cash.enter(1, str(today + dt.timedelta(days=1))).status_code == 422
    assert cash.enter(1, str(today)).status_code == 200


def test_a_stale_version_is_refused(cash: Cash) -> None:
    version = cash.portfolio()["version"]

    first = cash.enter(1, version=version)
    second = cash.enter(2, version=version)

    assert (first.status_code, second.status_code) == (200, 409)
    assert cash.net() == 1


def test_an_unknown_client_is_not_found(cash: Cash) -> None:
    answer = Cash(cash.desk, str(uuid.uuid4())).enter()

    assert reply_of(answer) == (404, "Client not found")


def test_with_a_broker_session_it_is_refused(cash: Cash, database: Database) -> None:
    now = clock.now()
    with database.transaction() as session:
        session.add(
            ClientSession(
                id=new_id(),
                client_id=uuid.UUID(cash.client_id),
                broker="ZERODHA",
                broker_user_id="AB1234",
                connected_at=now,
                expires_at=now + dt.timedelta(hours=6),
                confirmed_at=now,
            )
        )

    refused = cash.enter()

    assert reply_of(refused) == (409, "The broker is connected and reports the cash. Sync the client instead.")  # fmt: skip
    assert refused.json()["code"] == "cash_from_broker"
    assert cash.net() is None


@pytest.mark.parametrize("told", ["50000", "61000.25"])
def test_what_the_broker_reports_takes_its_place(cash: Cash, database: Database, told: str) -> None:
    cash.enter()
    with database.transaction() as session:
        funds = Funds(Decimal(told), Decimal(told), Decimal(0))
        portfolio.set_funds(session, SYSTEM, clock.now(), uuid.UUID(cash.client_id), funds)

    cash.add_flow("2026-11-16", 5_000)

    assert cash.portfolio()["cashByHand"] is None
    assert cash.net() == float(told)


@pytest.mark.parametrize("told", ["50000", "700.5"])
def test_a_file_with_cash_replaces_the_entered_cash(cash: Cash, told: str) -> None:
    cash.enter()
    file = f"{FIRM_HEADER}\nC0001,,CASH,,,,{told}\n".encode()

    answer = cash.desk.upload("/admin/clients/import", "book.csv", file, dryRun="false")

    assert answer.status_code == 200, answer.text
    assert cash.portfolio()["cashByHand"] is None
    assert cash.net() == float(told)


def test_a_file_of_holdings_alone_leaves_it(cash: Cash, database: Database) -> None:
    cash.enter()

    with database.transaction() as session:
        statement = portfolio.Statement({})
        held = {uuid.UUID(cash.client_id): statement}
        portfolio.take_statements(session, clock.now(), held, "FILE")

    assert cash.net() == 50_000
    assert cash.portfolio()["cashByHand"] is not None


def test_a_client_with_cash_by_hand_alone_can_be_advised(cash: Cash, priced: Any) -> None:
    priced({"INFY": "1500", "ITC": "400"})
    cash.enter(100_000)

    data = cash.desk.get("/admin/advice/clients/by-code/C0001/holdings").json()["data"]
    stocks = [
        {"tradingSymbol": symbol, "exchange": "NSE", "allocationPercentage": 45}
        for symbol in ("INFY", "ITC")
    ]
    body = {
        "clientId": cash.client_id,
        "clientName": "Kavya Menon",
        "targetInvestmentValue": 100_000,
        "targetHoldings": [*stocks, {"tradingSymbol": "CASH", "allocationPercentage": 10}],
    }
    answer = cash.desk.post("/admin/advice/rebalance-portfolio", body)

    assert (data["holdings"], data["cash"]) == ([], 100_000)
    rows = answer.json()["data"]
    assert [(row["symbol"], row["type"], row["newQuantity"]) for row in rows] == [
        ("INFY", "BUY", 30), ("ITC", "BUY", 112),
    ]  # fmt: skip


def test_the_performance_ends_with_it(cash: Cash, database: Database) -> None:
    give_holdings(database, cash.client_id, {}, cash="0")
    cash.enter()

    performance = cash.desk.get(f"{cash.path}/performance").json()["data"]

    assert [day["value"] for day in performance] == [50_000]
