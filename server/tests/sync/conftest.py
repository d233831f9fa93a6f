"""A firm whose clients log in at the simulator and are read from there."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest
from httpx2 import Response

from tarazu.brokers.service import Gateway
from tarazu.kit.db import Database
from tarazu.kit.settings import Settings
from tarazu.sync.running import Syncs
from tests.brokers.conftest import running_simulator, simulator
from tests.brokers.firm_desk import FirmDesk, open_desk
from tests.brokers.simulator import Simulator
from tests.brokers.simulator.world import ANGEL, KITE, Fault, Lot, Person, World
from tests.people_of import data_of

__all__ = ["running_simulator", "simulator"]

ONE = "/admin/clients/client"
USERS = {KITE: "AB1234", ANGEL: "A123456"}
CALLS = {
    KITE: {
        "profile": "GET /user/profile",
        "holdings": "GET /portfolio/holdings",
        "funds": "GET /user/margins",
        "positions": "GET /portfolio/positions",
        "orders": "GET /orders",
        "trades": "GET /trades",
    },
    ANGEL: {
        "profile": "GET /rest/secure/angelbroking/user/v1/getProfile",
        "holdings": "GET /rest/secure/angelbroking/portfolio/v1/getHolding",
        "funds": "GET /rest/secure/angelbroking/user/v1/getRMS",
        "positions": "GET /rest/secure/angelbroking/order/v1/getPosition",
        "orders": "GET /rest/secure/angelbroking/order/v1/getOrderBook",
        "trades": "GET /rest/secure/angelbroking/order/v1/getTradeBook",
    },
}


@dataclass
class SyncDesk:
    """A firm at its desk, and the brokers that its clients use."""

    firm: FirmDesk
    syncs: Syncs

    @property
    def world(self) -> World:
        return self.firm.world

    @property
    def database(self) -> Database:
        return self.firm.database

    @property
    def gateway(self) -> Gateway:
        return self.firm.gateway

    def client(self, user_id: str = "AB1234", broker: str = KITE, name: str = "Kavya Menon") -> str:
        """A client who is logged in at a broker; the `_id`."""
        email = f"{user_id.lower()}@home.example"
        client_id = self.firm.desk.add_client(name, email)
        self.log_in(client_id, user_id, broker)
        return client_id

    def log_in(self, client_id: str, user_id: str, broker: str = KITE) -> None:
        assert self.firm.log_client_in(client_id, user_id, broker).status_code == 200
        card = self.firm.connection(client_id)
        if card["state"] != "CONNECTED":
            assert self.firm.confirm(client_id).status_code == 200

    def sync(self, client_id: str, **wish: Any) -> Response:
        return self.firm.desk.post(f"{ONE}/{client_id}/sync", wish)

    def synced(self, client_id: str, **wish: Any) -> dict[str, Any]:
        """Sync a client; the result."""
        return dict(data_of(self.sync(client_id, **wish)))

    def get(self, client_id: str, part: str, **asked: Any) -> Any:
        return data_of(self.firm.desk.get(f"{ONE}/{client_id}/{part}", **asked))

    def holdings(self, client_id: str) -> dict[str, dict[str, Any]]:
        return {row["tradingSymbol"]: row for row in self.get(client_id, "holdings")}

    def statement(self, client_id: str) -> dict[str, Any]:
        return dict(self.get(client_id, "broker-statement"))

    def everything(self, client_id: str) -> tuple[Any, ...]:
        """All that a failed sync must leave as it was."""
        portfolio = self.get(client_id, "portfolio")
        money = [portfolio[name] for name in ("net", "cash", "lastSync", "holdingsSource")]
        orders = self.get(client_id, "order-book")["orders"]
        return self.holdings(client_id), money, orders, self.statement(client_id)["lines"]

    def fault(self, broker: str, part: str, kind: str, **more: Any) -> None:
        self.world.faults.append(Fault(CALLS[broker][part], kind, **more))

    def answer(self, broker: str, part: str, found: dict[str, Any]) -> None:
        self.world.faults.append(Fault(CALLS[broker][part], "canned", answer=found))

    def person(self, user_id: str = "AB1234") -> Person:
        return self.world.people[user_id]

    def change(self, user_id: str, **fields: Any) -> None:
        """Let a person hold, own or have ordered something else from now on."""
        self.world.people[user_id] = replace(self.person(user_id), **fields)

    def change_lot(self, user_id: str, symbol: str, act: Callable[[Lot], Lot]) -> None:
        lots = self.person(user_id).lots
        self.change(
            user_id, lots=tuple(act(lot) if lot.stock.symbol == symbol else lot for lot in lots)
        )


@pytest.fixture
def desk(settings: Settings, database: Database, simulator: Simulator) -> Iterator[SyncDesk]:
    firm = open_desk(settings, database, simulator)
    app: Any = firm.web.app
    syncs: Syncs = app.state.syncs
    yield SyncDesk(firm, syncs)
    syncs.stop()
    firm.gateway.close()
