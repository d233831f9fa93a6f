"""A client with shares and cash, a rebalance, and what is sent of it."""

import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import pytest
from httpx2 import Response
from sqlalchemy import func, select, update

from tarazu import cli
from tarazu.advice.service import set_letters_due
from tarazu.advice.tables import AdviceSeal, LetterDue
from tarazu.firm.tables import Firm
from tarazu.instruments import service as instruments
from tarazu.kit import clock
from tarazu.kit.audit_log import SYSTEM
from tarazu.kit.db import Database
from tarazu.kit.settings import Settings
from tarazu.portfolio import service as portfolio
from tarazu.portfolio.service import Funds, NewHolding
from tests.people_of import Desk, data_of, set_up_firm
from tests.rows_of import run, scalar

PRICES = {"INFY": "1500.00", "TCS": "3000.00", "RELIANCE": "1250.50", "ITC": "410.35"}
TARGETS = {"INFY": 20, "TCS": 40, "RELIANCE": 30, "CASH": 10}
SENT_FIELDS = (
    "type", "symbol", "exchange", "product", "quantity", "instrumentToken",
    "allocationPercentage", "possibleAllocationPercentage", "drift", "message", "ltp",
    "currentInvestmentValue", "additionalInvestmentValue", "projectedInvestmentValue",
)  # fmt: skip


@dataclass
class AdviceDesk:
    """An ADMIN's desk with one client, C0001: 100 INFY, 10 ITC and ₹2,00,000."""

    desk: Desk
    database: Database
    priced: Callable[[dict[str, str]], None]
    client_id: str = ""

    def hold(
        self,
        shares: Mapping[str, int],
        cash: str = "0",
        client_id: str = "",
        pledged: int = 0,
        on: str = "",
    ) -> None:
        """Make these all that the client holds; the broker has them on the exchange `on`."""
        person, money = uuid.UUID(client_id or self.client_id), Decimal(cash)
        with self.database.transaction() as session:
            held = {
                instruments.by_symbol(session, "NSE", symbol).id: NewHolding(
                    count, Decimal(100), pledged, exchange=on
                )
                for symbol, count in shares.items()
            }
            portfolio.replace_holdings(session, SYSTEM, clock.now(), person, held, "FILE")
            funds = Funds(money, money, Decimal(0))
            portfolio.set_funds(session, SYSTEM, clock.now(), person, funds)

    def set_firm(self, **values: object) -> None:
        run(self.database, update(Firm).values(**values))

    def rebalance(
        self, targets: Mapping[str, Any] = TARGETS, investment: Any = 500000, **more: Any
    ) -> Response:
        wanted = [
            {"tradingSymbol": symbol, "exchange": "NSE", "allocationPercentage": target}
            for symbol, target in targets.items()
        ]
        body = {
            "clientId": self.client_id,
            "clientName": "whoever",
            "targetInvestmentValue": investment,
            "targetHoldings": wanted,
        }
        return self.desk.post("/admin/advice/rebalance-portfolio", body | more)

    def rebalanced(self, **more: Any) -> dict[str, Any]:
        answer = self.rebalance(**more)
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    def advice_of(self, rebalance: Mapping[str, Any], **changes: Any) -> dict[str, Any]:
        """What the screen sends of a rebalance: the spec's fields, HOLD left out."""
        traded = [row for row in rebalance["data"] if row["type"] != "HOLD"]
        buys, sells = (
            round(sum(r["projectedInvestmentValue"] for r in traded if r["type"] == side), 2)
            for side in ("BUY", "SELL")
        )
        return {
            "userId": self.client_id,
            "totalStocks": len(traded),
            "totalInvestedValue": 500000,
            "totalBuyValue": buys,
            "totalSellValue": sells,
            "stocks": [{name: row[name] for name in SENT_FIELDS} for row in traded],
            "rebalanceId": rebalance["rebalanceId"],
        } | changes

    def send(self, body: Any, **headers: str) -> Response:
        return self.desk.post("/admin/advice/create", body, **headers)

    def sent(self, **changes: Any) -> str:
        """Rebalance and send; the advice's `_id`."""
        return str(data_of(self.send(self.advice_of(self.rebalanced(), **changes)), 201)["_id"])

    def set_letters(self) -> None:
        """Set the letters that are due, as the job does, so that their mails go."""
        due = scalar(self.database, select(func.count()).select_from(LetterDue))
        assert set_letters_due(self.database, clock.now()) == due

    def history(self, **params: Any) -> list[dict[str, Any]]:
        return list(data_of(self.desk.get(f"/admin/advice/clients/{self.client_id}", **params)))


@pytest.fixture
def advice(admin: Desk, database: Database, priced: Callable[[dict[str, str]], None]) -> AdviceDesk:
    set_up_firm(admin)
    desk = AdviceDesk(admin, database, priced)
    desk.client_id = admin.add_client()
    priced(PRICES)
    desk.hold({"INFY": 100, "ITC": 10}, cash="200000")
    return desk


def seal_of(database: Database, advice_id: str) -> AdviceSeal:
    statement = select(AdviceSeal).where(AdviceSeal.advice_id == uuid.UUID(advice_id))
    seal: AdviceSeal = scalar(database, statement)
    return seal


@pytest.fixture
def line(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    """The command `tarazu advice …` on the database of this test."""
    monkeypatch.setenv("TARAZU_SECRETS_KEYS", settings.secrets_keys)
    monkeypatch.setenv("TARAZU_DATABASE_URL", settings.database_url)
    return lambda *words: cli.main(["advice", *words, "--data-dir", str(settings.data_dir)])
