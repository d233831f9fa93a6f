"""Brokers' records: secrets go in and never come out; and the firm's own log-in at a broker."""

import datetime as dt
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from sqlalchemy import select, update

from tarazu.app import create_app
from tarazu.brokers.protocol.port import BrokerSession, Denied, LoginTokens
from tarazu.brokers.tables import Broker, FirmSession, LoginState
from tarazu.kit import clock, encryption
from tarazu.kit.db import Database
from tarazu.kit.security import token_digest
from tarazu.kit.settings import Settings
from tarazu.people.tables import Role
from tests.brokers.firm_desk import everything_in
from tests.people_of import ADMIN, Desk, data_of, reply_of, sign_up, staff_desk
from tests.rows_of import audit_rows, scalars

ZERODHA = {
    "name": "Zerodha",
    "description": "Kite Connect",
    "logo": "https://kite.zerodha.com/logo.svg",
    "apiKey": "kitekey123456789",
    "apiSecret": "canary-secret-of-kite",
    "apiUrl": "https://api.kite.trade",
    "isRenewSessionAllowed": False,
}
ANGEL = {"name": "Angel One", "apiKey": "angelkey", "apiUrl": "https://apiconnect.angelone.in/"}


def add(desk: Desk, **changes: Any) -> str:
    """Add Zerodha, with these fields changed; its `_id`."""
    return str(data_of(desk.post("/brokers/add", ZERODHA | changes), 201)["_id"])


class FakeGateway:
    """A broker's side that gives a session for each token but the denied."""

    def __init__(self) -> None:
        self.asked: list[tuple[Any, ...]] = []

    def exchange(self, name, app, handed: LoginTokens, now: dt.datetime) -> BrokerSession:
        self.asked.append((name, app.api_key, app.api_secret, handed.token))
        if handed.token == "denied":
            raise Denied("POST /session/token")
        return BrokerSession("XY1234", "canary-access", now + dt.timedelta(hours=8), "", "feed")


@pytest.fixture
def gateway(app: FastAPI) -> FakeGateway:
    fake = app.state.broker_gateway = FakeGateway()
    return fake


def token_from(url: str) -> str:
    """The mark that a broker's log-in page would give back."""
    asked = parse_qs(urlsplit(url).query)
    extra = parse_qs(asked["redirect_params"][0]) if "redirect_params" in asked else asked
    return extra["state"][0]


def begin(desk: Desk) -> str:
    return token_from(desk.get("/admin/broker/login-url").json()["data"]["url"])


def test_a_broker_is_added_by_its_shown_name_and_listed(admin: Desk) -> None:
    answer = admin.post("/brokers/add", ZERODHA)
    admin.post("/brokers/add", ANGEL)

    assert reply_of(answer) == (201, "Broker added successfully")
    listed = admin.get("/brokers").json()["data"]
    assert [(row["name"], row["status"]) for row in listed] == [
        ("ANGEL_ONE", "ACTIVE"),
        ("ZERODHA", "ACTIVE"),
    ]
    assert sorted(dict(listed[0])) == ["_id", "description", "logo", "missing", "name", "status"]
    shown = admin.get(f"/brokers/{listed[0]['_id']}").json()["data"]
    assert shown["apiUrl"] == "https://apiconnect.angelone.in"
    assert (shown["apiSecret"], shown["apiSecretSet"]) == ("", False)


def test_the_secret_goes_in_and_never_comes_out(
    admin: Desk, user: Desk, database: Database
) -> None:
    broker_id = add(admin)

    for_admin = admin.get(f"/brokers/{broker_id}").json()["data"]
    for_user = user.get(f"/brokers/{broker_id}").json()["data"]

    assert (for_admin["apiSecret"], for_admin["apiSecretSet"]) == ("********", True)
    assert for_admin["apiKey"] == ZERODHA["apiKey"]
    assert (for_user["apiSecret"], for_user["apiKey"]) == ("********", "****6789")
    with database.reading() as session:
        stored = session.execute(select(Broker)).scalar_one()
        vault = encryption.cipher_of(session)
    assert stored.api_secret.startswith("v1:test:")
    assert vault.unseal(stored.api_secret, Broker.api_secret, stored.id) == ZERODHA["apiSecret"]
    (added,) = audit_rows(database, "broker_added")
    assert '"apiSecret": "changed"' in added.changes
    assert "canary" not in added.changes
    assert str(ZERODHA["apiKey"]) not in added.changes


def test_a_look_at_the_settings_is_a_row_of_the_trail(
    admin: Desk, user: Desk, database: Database
) -> None:
    broker_id = add(admin)

    user.get(f"/brokers/{broker_id}")

    (row,) = audit_rows(database, "broker_viewed")
    assert (row.kind, row.record_id, row.role) == ("broker", broker_id, "USER")


def test_a_broker_is_added_once(admin: Desk) -> None:
    add(admin)

    again = admin.post("/brokers/add", ZERODHA | {"name": "ZERODHA"})

    assert reply_of(again) == (409, "This broker was added already.")


def test_a_repeat_with_the_same_key_adds_nothing_and_answers_the_same(admin: Desk) -> None:
    first = admin.post("/brokers/add", ZERODHA, **{"Idempotency-Key": "one"})
    again = admin.post("/brokers/add", ZERODHA, **{"Idempotency-Key": "one"})

    assert again.json() == first.json()
    assert again.headers["Idempotent-Replayed"] == "true"


def test_a_key_kept_for_a_repeat_is_not_in_clear(admin: Desk, database: Database) -> None:
    admin.post("/brokers/add", ZERODHA, **{"Idempotency-Key": "one"})

    assert str(ZERODHA["apiKey"]) not in everything_in(database)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"name": "Groww"}, "Choose Zerodha or Angel One."),
        ({"logo": "javascript:alert(1)"}, "A logo URL begins with https://, http:// or /."),
        ({"logo": "//evil.example/a.png"}, "A logo URL begins with https://, http:// or /."),
        ({"logo": "https://a.in/a b"}, "A logo URL has at most 2,048 characters, without spaces."),
        ({"apiSecret": "a\u202eb"}, "Keys and secrets have at most 512 plain characters."),
        ({"apiKey": "x" * 513}, "Keys and secrets have at most 512 plain characters."),
        (
            {"description": "x" * 2_001},
            "A description has at most 2,000 characters, without control characters.",
        ),
        (
            {"apiUrl": "http://api.kite.trade"},
            "The API URL cannot be used: the address is not https.",
        ),
        (
            {"apiUrl": "https://me:you@api.kite.trade"},
            "The API URL cannot be used: the address names a user.",
        ),
        (
            {"apiUrl": "https://evil.example"},
            "The API URL cannot be used: the host is not one of the brokers'.",
        ),
        (
            {"apiUrl": "https://169.254.169.254"},
            "The API URL cannot be used: the host is not one of the brokers'.",
        ),
        (
            {"apiUrl": "https://api.kite.trade/?a=1"},
            "The API URL cannot be used: the address has a query.",
        ),
    ],
)
def test_what_cannot_be_a_broker_is_refused_with_a_reason(
    admin: Desk, changes: dict[str, str], message: str
) -> None:
    answer = admin.post("/brokers/add", ZERODHA | changes)

    assert reply_of(answer) == (422, message)
    assert answer.json()["errors"][0]["field"] == next(iter(changes))
    assert admin.get("/brokers").json()["data"] == []


def test_a_simulator_on_loopback_is_allowed_only_where_the_setting_says_so(
    settings: Settings, database: Database
) -> None:
    allowing = settings.model_copy(update={"allow_loopback_brokers": True})
    web = TestClient(create_app(allowing, database), raise_server_exceptions=False)
    desk = Desk(web, sign_up(web, ADMIN))

    assert add(desk, apiUrl="http://127.0.0.1:9123")
    refused = desk.post("/brokers/add", ANGEL | {"apiUrl": "http://10.0.0.7"})
    assert refused.status_code == 422


@pytest.mark.on_both(suite="long")
@pytest.mark.parametrize("sent", [{"apiSecret": "********"}, {"apiSecret": ""}, {}])
def test_the_mask_an_empty_and_an_absent_secret_keep_the_stored_one(
    admin: Desk, database: Database, sent: dict[str, str]
) -> None:
    broker_id = add(admin)

    shown = data_of(
        admin.put(
            "/brokers/edit", {"id": broker_id, "description": "New words", "role": "ADMIN"} | sent
        )
    )
    assert (shown["description"], shown["apiSecret"]) == ("New words", "********")
    assert (shown["apiKey"], shown["status"]) == (ZERODHA["apiKey"], "ACTIVE")
    with database.reading() as session:
        stored = session.execute(select(Broker)).scalar_one()
        secret = encryption.cipher_of(session).unseal(
            stored.api_secret, Broker.api_secret, stored.id
        )
    assert secret == ZERODHA["apiSecret"]


@pytest.mark.on_both(suite="long")
def test_every_field_is_edited_and_the_trail_names_secrets_only_as_changed(
    admin: Desk, database: Database
) -> None:
    broker_id = add(admin)
    body = {
        "id": broker_id,
        "description": "Other",
        "logo": "/logo.svg",
        "apiKey": "other-key-canary",
        "apiSecret": "other-secret-canary",
        "apiUrl": "https://kite.zerodha.com/api",
        "isRenewSessionAllowed": True,
        "status": "INACTIVE",
        "version": 1,
    }

    shown = admin.put("/brokers/edit", body).json()["data"]

    del body["id"]
    assert shown == body | {
        "_id": broker_id,
        "name": "ZERODHA",
        "apiSecret": "********",
        "apiSecretSet": True,
        "missing": [],
        "version": 2,
    }
    (row,) = audit_rows(database, "broker_edited")
    assert "canary" not in row.changes
    assert '"apiKey": "changed"' in row.changes
    assert '"description": ["Kite Connect", "Other"]' in row.changes


@pytest.mark.on_both(suite="long")
def test_a_secret_does_not_follow_to_another_host(admin: Desk) -> None:
    broker_id = add(admin)
    elsewhere = {"id": broker_id, "apiUrl": "https://kite.zerodha.com", "apiSecret": "********"}

    refused = admin.put("/brokers/edit", elsewhere)
    same_host = admin.put("/brokers/edit", elsewhere | {"apiUrl": "https://API.kite.trade/v3"})
    with_secret = admin.put("/brokers/edit", elsewhere | {"apiSecret": "fresh"})

    assert reply_of(refused) == (422, "Enter the API secret again when changing the API URL.")
    assert (same_host.status_code, with_secret.status_code) == (200, 200)


def test_a_stale_version_changes_nothing_and_an_absent_one_wins(admin: Desk) -> None:
    broker_id = add(admin)
    admin.put("/brokers/edit", {"id": broker_id, "description": "one", "version": 1})

    stale = admin.put("/brokers/edit", {"id": broker_id, "description": "two", "version": 1})
    absent = admin.put("/brokers/edit", {"id": broker_id, "description": "three"})

    assert reply_of(stale) == (
        409,
        "This record was changed by someone else. Reload and try again.",
    )
    assert absent.json()["data"]["description"] == "three"


def test_the_second_of_two_edits_of_one_record_is_refused(
    web: TestClient, admin: Desk, database: Database
) -> None:
    broker_id = add(admin)
    other = staff_desk(web, database, "meera@desk.example", Role.ADMIN)
    seen = [desk.get(f"/brokers/{broker_id}").json()["data"]["version"] for desk in (admin, other)]

    first = admin.put("/brokers/edit", {"id": broker_id, "description": "Mine", "version": seen[0]})
    second = other.put(
        "/brokers/edit", {"id": broker_id, "apiSecret": "another-secret", "version": seen[1]}
    )

    assert (first.status_code, second.status_code) == (200, 409)
    shown = other.get(f"/brokers/{broker_id}").json()["data"]
    assert (shown["description"], shown["version"]) == ("Mine", 2)
    assert len(audit_rows(database, "broker_edited")) == 1


@pytest.mark.parametrize(
    ("changes", "missing"),
    [
        ({}, []),
        ({"apiSecret": ""}, ["API_SECRET"]),
        ({"apiKey": ""}, ["API_KEY"]),
        ({"apiKey": "", "apiSecret": ""}, ["API_KEY", "API_SECRET"]),
        ({"name": "Angel One", "apiSecret": ""}, []),
        ({"name": "Angel One", "apiKey": ""}, ["API_KEY"]),
    ],
)
def test_the_list_says_what_a_record_lacks(
    admin: Desk, user: Desk, changes: dict[str, str], missing: list[str]
) -> None:
    broker_id = add(admin, **changes)

    assert [row["missing"] for row in user.get("/brokers").json()["data"]] == [missing]
    assert admin.get(f"/brokers/{broker_id}").json()["data"]["missing"] == missing
    can_begin = admin.get("/admin/broker/login-url").status_code == 200
    assert can_begin is (missing == [])


def test_an_unknown_broker_is_not_found(admin: Desk) -> None:
    unknown = "01a1fb73-0392-751c-90e5-1dda4674873a"

    shown = admin.get(f"/brokers/{unknown}")
    edited = admin.put("/brokers/edit", {"id": unknown})

    assert reply_of(shown) == (404, "Broker not found")
    assert edited.status_code == 404


def test_the_log_in_address_has_the_key_and_its_own_state(admin: Desk) -> None:
    add(admin)

    first = admin.get("/admin/broker/login-url").json()["data"]
    second = admin.get("/admin/broker/login-url", broker="Zerodha").json()["data"]

    assert first["broker"] == "ZERODHA"
    assert first["url"].startswith("https://kite.zerodha.com/connect/login?v=3&api_key=kitekey")
    assert token_from(first["url"]) != token_from(second["url"])
    assert "secret" not in first["url"]


def test_angel_one_takes_its_mark_plainly_and_needs_no_secret(admin: Desk) -> None:
    admin.post("/brokers/add", ANGEL)

    url = admin.get("/admin/broker/login-url", broker="ANGEL_ONE").json()["data"]["url"]

    assert url.startswith("https://smartapi.angelone.in/publisher-login?api_key=angelkey&state=")


def test_the_log_in_address_can_be_a_simulators(settings: Settings, database: Database) -> None:
    simulated = settings.model_copy(update={"zerodha_login_url": "http://127.0.0.1:9/in?x=1"})
    web = TestClient(create_app(simulated, database), raise_server_exceptions=False)
    desk = Desk(web, sign_up(web, ADMIN))
    add(desk)

    url = desk.get("/admin/broker/login-url").json()["data"]["url"]

    assert url.startswith("http://127.0.0.1:9/in?x=1&v=3&api_key=")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"status": "INACTIVE"}, "Zerodha is inactive. Set it active in Broker & Exchange first."),
        ({"apiSecret": ""}, "Enter the API secret of Zerodha in Broker & Exchange first."),
        ({"apiKey": ""}, "Enter the API key of Zerodha in Broker & Exchange first."),
    ],
)
def test_a_record_that_is_not_complete_says_what_to_do(
    admin: Desk, changes: dict[str, str], message: str
) -> None:
    add(admin, **changes)

    answer = admin.get("/admin/broker/login-url", broker="ZERODHA")

    assert reply_of(answer) == (409, message)


def test_without_a_broker_or_with_two_the_log_in_asks(admin: Desk) -> None:
    none = admin.get("/admin/broker/login-url")
    missing = admin.get("/admin/broker/login-url", broker="ANGEL_ONE")
    add(admin)
    admin.post("/brokers/add", ANGEL)
    two = admin.get("/admin/broker/login-url")

    assert none.json()["message"] == "Add the broker in Broker & Exchange first."
    assert missing.json()["message"] == "Add Angel One in Broker & Exchange first."
    assert two.json()["message"] == "Choose the broker to log in at."
    assert admin.get("/admin/broker/login-url", broker="Groww").status_code == 422


def test_a_log_in_is_exchanged_kept_sealed_and_shown(
    admin: Desk, user: Desk, database: Database, gateway: FakeGateway
) -> None:
    add(admin)

    answer = admin.post("/admin/broker/connect", {"requestToken": "good", "state": begin(admin)})

    assert answer.json()["message"] == "Broker connected successfully"
    shown = user.get("/admin/broker").json()["data"]
    assert (shown["isConnected"], shown["broker"]) == (True, "ZERODHA")
    assert shown["connectedUntil"] == answer.json()["data"]["connectedUntil"]
    assert gateway.asked == [("ZERODHA", ZERODHA["apiKey"], ZERODHA["apiSecret"], "good")]
    with database.reading() as session:
        firm_session = session.execute(select(FirmSession)).scalar_one()
        vault = encryption.cipher_of(session)
        opened = vault.unseal(
            firm_session.access_token or "", FirmSession.access_token, firm_session.id
        )
    assert (opened, firm_session.refresh_token, firm_session.broker_user_id) == (
        "canary-access",
        None,
        "XY1234",
    )
    (row,) = audit_rows(database, "broker_connected")
    assert "canary" not in row.changes
    assert "canary" not in answer.text


@pytest.mark.on_both(suite="long")
def test_a_new_log_in_ends_the_one_before_and_inactive_ends_them_all(
    admin: Desk, database: Database, gateway: FakeGateway
) -> None:
    broker_id = add(admin)
    for token in ("one", "two"):
        admin.post("/admin/broker/connect", {"requestToken": token, "state": begin(admin)})

    rows = scalars(database, select(FirmSession).order_by(FirmSession.id))
    assert [(row.ended_at is None, row.access_token is None) for row in rows] == [
        (False, True),
        (True, False),
    ]

    admin.put("/brokers/edit", {"id": broker_id, "status": "INACTIVE"})
    assert admin.get("/admin/broker").json()["data"] == {
        "isConnected": False,
        "broker": None,
        "connectedUntil": None,
    }


@pytest.mark.on_both(suite="long")
def test_a_mark_is_good_once_for_its_own_session_and_for_a_quarter_of_an_hour(
    admin: Desk, web: TestClient, database: Database, gateway: FakeGateway
) -> None:
    add(admin)
    login = {"email": ADMIN["email"], "password": ADMIN["password"]}
    other = Desk(web, web.post("/api/v1/auth/login", json=login).json()["accessToken"])
    used, late, foreign = begin(admin), begin(admin), begin(other)
    admin.post("/admin/broker/connect", {"requestToken": "good", "state": used})
    with database.transaction() as session:
        digest = token_digest(late)
        session.execute(
            update(LoginState).where(LoginState.digest == digest).values(expires_at=clock.now())
        )

    for state in (used, late, foreign, "made-up", "", None):
        answer = admin.post("/admin/broker/connect", {"requestToken": "bad", "state": state})

        assert reply_of(answer) == (
            400,
            "This broker log-in was not started here or has expired. Connect the broker again.",
        )
    assert [call[-1] for call in gateway.asked] == ["good"]


def test_a_broker_that_refuses_is_a_502_and_leaves_nothing(
    admin: Desk, database: Database, gateway: FakeGateway
) -> None:
    add(admin)
    state = begin(admin)

    denied = admin.post("/admin/broker/connect", {"requestToken": "denied", "state": state})
    again = admin.post("/admin/broker/connect", {"requestToken": "good", "state": state})

    assert reply_of(denied) == (502, "Failed to connect broker")
    assert again.status_code == 400
    assert admin.get("/admin/broker").json()["data"]["isConnected"] is False
    assert audit_rows(database, "broker_connected") == []


def test_a_broker_out_of_reach_is_a_502(settings: Settings, database: Database) -> None:
    allowing = settings.model_copy(update={"allow_loopback_brokers": True})
    app = create_app(allowing, database)
    web = TestClient(app, raise_server_exceptions=False)
    desk = Desk(web, sign_up(web, ADMIN))
    # Nobody listens on the discard port.
    add(desk, apiUrl="http://127.0.0.1:9")

    answer = desk.post("/admin/broker/connect", {"requestToken": "good", "state": begin(desk)})
    app.state.broker_gateway.close()

    assert reply_of(answer) == (502, "Failed to connect broker")


def test_a_record_that_went_inactive_meanwhile_is_not_asked(
    admin: Desk, gateway: FakeGateway
) -> None:
    broker_id = add(admin)
    state = begin(admin)
    admin.put("/brokers/edit", {"id": broker_id, "status": "INACTIVE"})

    answer = admin.post("/admin/broker/connect", {"requestToken": "good", "state": state})

    assert answer.status_code == 409
    assert gateway.asked == []


def test_a_connect_without_a_token_is_refused(admin: Desk) -> None:
    answer = admin.post("/admin/broker/connect", {"requestToken": ""})

    assert answer.status_code == 422
