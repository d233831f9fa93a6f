"""A firm whose brokers are the simulator: its desk, and people who log in at the brokers' pages."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlsplit

import httpx
from fastapi.testclient import TestClient
from sqlalchemy import Text, select
from sqlalchemy.types import String

from tarazu.app import create_app
from tarazu.brokers.gateway import BrokerGateway
from tarazu.kit.audit_log import AuditRow
from tarazu.kit.db import Database, Table
from tarazu.kit.settings import Settings
from tests.brokers.simulator import Simulator
from tests.brokers.simulator.world import ANGEL, KITE, World
from tests.people_of import ADMIN, Desk, data_of, new_key, set_up_firm, sign_up
from tests.rows_of import audit_rows


@dataclass
class FirmDesk:
    """An ADMIN's desk, and the world outside."""

    desk: Desk
    web: TestClient
    world: World
    database: Database
    gateway: BrokerGateway

    def connect(self, user_id: str = "AB1234", broker: str = KITE) -> Any:
        """Log the firm in at a broker, through its page."""
        begun = self.desk.get("/admin/broker/login-url", broker=broker).json()["data"]
        back = log_in(begun["url"], user_id)
        body = {
            "requestToken": back.get("request_token") or back["auth_token"],
            "state": back["state"],
            "refreshToken": back.get("refresh_token"),
            "feedToken": back.get("feed_token"),
        }
        return self.desk.post("/admin/broker/connect", body)

    @property
    def firm(self) -> dict[str, Any]:
        """What `GET /admin/broker` says."""
        return dict(self.desk.get("/admin/broker").json()["data"])

    def link(self, client_id: str) -> str:
        """Make a link for a client; its token."""
        path = f"/admin/clients/client/{client_id}/connect-link"
        return str(data_of(self.desk.post(path, {"send": False}, **new_key()))["url"]).rpartition(
            "/"
        )[2]

    def begin(self, token: str, broker: str | None = None, to: str = "browser") -> Any:
        body = {"token": token, "broker": broker, "returnTo": to}
        return self.public("/broker-links/begin", body)

    def go(self, token: str, user_id: str, broker: str = KITE) -> dict[str, str]:
        """Log a client in at the broker's page; what comes back in the address."""
        return log_in(data_of(self.begin(token, broker))["url"], user_id) | {"link": token}

    def finish(self, back: dict[str, str], **changes: str) -> Any:
        """What the return page sends on."""
        return self.public("/brokers/session", handover(back) | changes)

    def log_client_in(self, client_id: str, user_id: str, broker: str = KITE) -> Any:
        return self.finish(self.go(self.link(client_id), user_id, broker))

    def confirm(self, client_id: str, act: str = "confirm") -> Any:
        body = {"sessionId": self.connection(client_id)["sessionId"]}
        return self.desk.post(f"/admin/clients/client/{client_id}/connection/{act}", body)

    def connect_client(self, client_id: str, user_id: str = "AB1234", broker: str = KITE) -> None:
        """Log a client in and confirm the ID that the broker reported."""
        self.log_client_in(client_id, user_id, broker)
        self.confirm(client_id)

    def edit_broker(self, name: str, **changes: Any) -> Any:
        (row,) = [row for row in self.desk.get("/brokers").json()["data"] if row["name"] == name]
        return self.desk.put("/brokers/edit", {"id": row["_id"], **changes})

    def connection(self, client_id: str) -> dict[str, Any]:
        path = f"/admin/clients/client/{client_id}/connection"
        return dict(self.desk.get(path).json()["data"])

    def public(self, path: str, body: Any) -> Any:
        return self.web.post(f"/api/v1{path}", json=body)

    def trail(self, action: str) -> list[AuditRow]:
        return audit_rows(self.database, action)


def open_desk(settings: Settings, database: Database, simulator: Simulator) -> FirmDesk:
    """A new firm with both brokers in their records, at the simulator."""
    there = settings.model_copy(
        update={
            "allow_loopback_brokers": True,
            "zerodha_login_url": f"{simulator.url}/connect/login",
            "angel_login_url": f"{simulator.url}/publisher-login",
        }
    )
    app = create_app(there, database)
    web = TestClient(app, raise_server_exceptions=False)
    desk = Desk(web, sign_up(web, ADMIN))
    set_up_firm(desk)
    world = simulator.world
    for name, secret in ((KITE, world.secrets[KITE]), (ANGEL, "")):
        body = {
            "name": name,
            "apiKey": world.api_keys[name],
            "apiSecret": secret,
            "apiUrl": simulator.url,
            "isRenewSessionAllowed": True,
        }
        answer = desk.post("/brokers/add", body)
        assert answer.status_code == 201, answer.text
    return FirmDesk(desk, web, world, database, app.state.broker_gateway)


def log_in(url: str, user_id: str, decision: str = "continue") -> dict[str, str]:
    """Log in at a broker's page; the query of the address at which it comes back."""
    page = httpx.get(url)
    assert page.status_code == 200, page.text
    asked = {name: values[0] for name, values in parse_qs(urlsplit(url).query).items()}
    form = {name: asked.get(name, "") for name in ("redirect_params", "state")}
    answer = httpx.post(url, data=form | {"user_id": user_id, "decision": decision})
    assert answer.status_code == 303, answer.text
    return dict(parse_qsl(urlsplit(answer.headers["location"]).query))


def handover(back: dict[str, str]) -> dict[str, str]:
    """The body that the return page makes of an address, and of the link it was begun by."""
    names = {
        "state": "state",
        "request_token": "requestToken",
        "auth_token": "authToken",
        "refresh_token": "refreshToken",
        "feed_token": "feedToken",
        "link": "linkToken",
    }
    return {ours: back[theirs] for theirs, ours in names.items() if theirs in back}


def everything_in(database: Database) -> str:
    """All texts of the database, one after the other."""
    found: list[str] = []
    with database.reading() as session:
        for table in Table.metadata.sorted_tables:
            texts = [column for column in table.columns if isinstance(column.type, String | Text)]
            if texts:
                for row in session.execute(select(*texts)):
                    found.extend(str(value) for value in row if value)
    return "\n".join(found)
