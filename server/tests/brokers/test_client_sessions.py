"""Clients' sessions: by a link, through the broker's page, with an id that staff confirm."""

import datetime as dt
import email
import json
from decimal import Decimal
from email import policy
from pathlib import Path

import pytest
from sqlalchemy import select, update

from tarazu.brokers import http_client, jobs
from tarazu.brokers import service as brokers
from tarazu.brokers.protocol.port import SessionDead
from tarazu.brokers.sessions import calls
from tarazu.brokers.sessions.live import LiveBrokerSession
from tarazu.brokers.tables import ClientSession, ConnectLink, FirmSession, LoginState
from tarazu.kit import clock
from tarazu.kit.db import Database
from tarazu.kit.mail import MailSender
from tarazu.kit.security import token_digest
from tarazu.kit.settings import Settings
from tests.brokers.firm_desk import FirmDesk, everything_in, log_in, open_desk
from tests.brokers.simulator import Simulator
from tests.brokers.simulator.world import ANGEL, KITE, Fault
from tests.people_of import reply_of, staff_desk
from tests.rows_of import run, scalar, scalars

INVALID = "This link is invalid or has expired. Ask for a new one."
NOT_BEGUN = "This broker log-in was not started here or has expired. Connect the broker again."


@pytest.fixture
def kavya(firm: FirmDesk) -> str:
    return firm.desk.add_client()


@pytest.fixture
def dev(firm: FirmDesk, kavya: str) -> str:
    """A second client."""
    return firm.desk.add_client("Dev Nair", "dev@home.example")


def connected(firm: FirmDesk, now: dt.datetime | None = None) -> set[str]:
    with firm.database.reading() as session:
        found = brokers.connected_clients(session, None, now or clock.now())
    return {str(one) for one in found}


def shown(firm: FirmDesk, client_id: str) -> dict[str, object]:
    """What every place says of a client's connection: list, profile, card."""
    (row,) = [r for r in firm.desk.get("/admin/clients").json()["data"] if r["_id"] == client_id]
    profile = firm.desk.get(f"/admin/clients/client/{client_id}/profile").json()["data"]
    assert row["isConnected"] == profile["isConnected"]
    card = firm.connection(client_id)
    assert card["userBrokerId"] == profile["userBrokerId"]
    return {"isConnected": row["isConnected"], "id": profile["userBrokerId"], "is": card["state"]}


def mailed_link(firm: FirmDesk, settings: Settings) -> str:
    MailSender("", "Tarazu <no-reply@tarazu.invalid>", settings.outbox_dir).send_due(
        firm.database, clock.now()
    )
    (path,) = Path(settings.outbox_dir).glob("*.eml")
    message = email.message_from_bytes(path.read_bytes(), policy=policy.default)
    body = message.get_body(("plain",))
    assert body is not None
    text = body.get_content()
    assert "Dear Kavya Menon" in text
    assert "SEBI registration number" in text
    (line,) = [line for line in text.splitlines() if "/connect/" in line]
    return str(line.rpartition("/")[2])


@pytest.mark.on_both(suite="long")
@pytest.mark.parametrize(("broker", "user_id"), [(KITE, "AB1234"), (ANGEL, "A123456")])
def test_a_client_connects_by_a_mailed_link_and_staff_confirm_the_id(
    firm: FirmDesk, kavya: str, settings: Settings, broker: str, user_id: str
) -> None:
    sent = firm.desk.post(f"/admin/clients/client/{kavya}/connect-link", {})
    token = mailed_link(firm, settings)
    link = firm.public("/broker-links/show", {"token": token}).json()["data"]
    taken = firm.finish(firm.go(token, user_id, broker)).json()["data"]

    assert (sent.json()["message"], sent.json()["data"]["url"]) == ("Connect link sent", None)
    assert (link["clientName"], link["brokers"]) == ("Kavya Menon", [ANGEL, KITE])
    assert (taken["brokerUserId"], taken["isConfirmed"]) == (user_id, False)
    assert shown(firm, kavya) == {"isConnected": False, "id": "", "is": "AWAITING"}
    assert connected(firm) == set()

    answer = firm.confirm(kavya)

    assert answer.json()["message"] == "Broker ID confirmed"
    assert shown(firm, kavya) == {"isConnected": True, "id": user_id, "is": "CONNECTED"}
    assert connected(firm) == {kavya}
    assert firm.connection(kavya)["confirmedBy"] == "Ananya Kulkarni"
    with firm.database.reading() as session:
        live = brokers.live_client_sessions(session, clock.now())
    (only,) = live.values()
    found = brokers.ask_broker(
        firm.database,
        firm.gateway,
        only,
        lambda broker, login: broker.holdings(login),
        clock.now(),
    )
    assert len(found) == len(firm.world.people[user_id].lots)
    for action in ("broker_link_sent", "client_broker_connected", "broker_id_confirmed"):
        (row,) = firm.trail(action)
        assert row.record_id == kavya


@pytest.mark.on_both(suite="long")
def test_a_known_id_is_connected_at_once_and_the_earlier_session_ends(
    firm: FirmDesk, kavya: str
) -> None:
    firm.connect_client(kavya)

    taken = firm.log_client_in(kavya, "AB1234").json()

    assert taken["message"] == "Broker connected successfully"
    assert taken["data"]["isConfirmed"] is True
    rows = scalars(firm.database, select(ClientSession).order_by(ClientSession.id))
    assert [(row.end_reason, row.access_token is None) for row in rows] == [
        ("REPLACED", True),
        (None, False),
    ]


def test_another_persons_id_is_refused_recorded_and_logged_out(firm: FirmDesk, kavya: str) -> None:
    firm.connect_client(kavya)
    token = firm.link(kavya)

    answer = firm.finish(firm.go(token, "AB1235"))

    assert answer.status_code == 409
    assert answer.json()["message"] == (
        "You logged in at Zerodha as AB1235, which is not the ID we have for you. "
        "Log in with your own ID, or contact us."
    )
    assert "AB1234" not in answer.text
    (row,) = firm.trail("broker_login_refused")
    assert json.loads(row.changes)["brokerUserId"] == "AB1235"
    assert "AB1235" not in {login.user_id for login in firm.world.logins.values()}
    # The session from before lives on, and the link is still good for the right one.
    assert connected(firm) == {kavya}
    assert firm.finish(firm.go(token, "AB1234")).status_code == 200


def test_an_id_of_another_client_is_refused(firm: FirmDesk, kavya: str, dev: str) -> None:
    firm.connect_client(kavya)

    assert firm.log_client_in(dev, "AB1234").status_code == 409
    assert shown(firm, dev)["is"] == "LOGGED_OUT"
    assert firm.connection(dev)["endReason"] == "WRONG_ID"


def test_an_id_confirmed_for_another_client_meanwhile_cannot_be_confirmed(
    firm: FirmDesk, kavya: str, dev: str
) -> None:
    firm.log_client_in(kavya, "AB1234")
    firm.log_client_in(dev, "AB1234")
    firm.confirm(kavya)

    answer = firm.confirm(dev)

    assert reply_of(answer) == (409, "AB1234 is the broker ID of C0001 already.")
    assert connected(firm) == {kavya}


def test_a_refused_id_feeds_nothing_and_is_logged_out(firm: FirmDesk, kavya: str) -> None:
    firm.log_client_in(kavya, "AB1234")

    answer = firm.confirm(kavya, "refuse")

    assert answer.json()["data"]["endReason"] == "REFUSED"
    assert shown(firm, kavya) == {"isConnected": False, "id": "", "is": "LOGGED_OUT"}
    assert firm.world.logins == {}
    assert firm.confirm(kavya).status_code == 409
    assert len(firm.trail("broker_id_refused")) == 1


def test_a_link_is_good_once(firm: FirmDesk, kavya: str) -> None:
    token = firm.link(kavya)
    back = firm.go(token, "AB1234")
    assert firm.finish(back).status_code == 200

    again = firm.finish(back)
    shown_again = firm.public("/broker-links/show", {"token": token})
    begun_again = firm.begin(token, KITE)
    handed = firm.public(
        "/brokers/session", {"linkToken": token, "requestToken": firm.world.ask_for_login("AB1234")}
    )

    for answer in (again, shown_again, begun_again, handed):
        assert reply_of(answer) == (400, INVALID)


def test_two_log_ins_by_one_link_make_one_session(firm: FirmDesk, kavya: str) -> None:
    token = firm.link(kavya)
    one, two = firm.go(token, "AB1234"), firm.go(token, "AB1235")

    answers = [firm.finish(one), firm.finish(two)]

    assert [answer.status_code for answer in answers] == [200, 400]
    assert firm.connection(kavya)["reportedId"] == "AB1234"


def test_a_newer_link_ends_the_one_before_and_what_it_began(firm: FirmDesk, kavya: str) -> None:
    old = firm.link(kavya)
    begun = firm.go(old, "AB1234")
    firm.link(kavya)

    assert firm.public("/broker-links/show", {"token": old}).status_code == 400
    assert firm.finish(begun).status_code == 400
    assert firm.connection(kavya)["state"] == "LOGGED_OUT"


@pytest.mark.on_both(suite="long")
def test_an_old_link_and_a_log_in_that_took_too_long_are_refused(
    firm: FirmDesk, kavya: str
) -> None:
    token = firm.link(kavya)
    late = firm.go(token, "AB1234")
    run(firm.database, update(LoginState).values(expires_at=clock.now()))
    too_late = firm.finish(late)
    run(firm.database, update(ConnectLink).values(expires_at=clock.now()))

    assert too_late.json()["message"] == NOT_BEGUN
    assert firm.begin(token, KITE).json()["message"] == INVALID


@pytest.mark.parametrize("change", ["deleted", "inactive"])
def test_a_link_of_a_client_who_is_gone_leads_nowhere(
    firm: FirmDesk, kavya: str, change: str
) -> None:
    token = firm.link(kavya)
    begun = firm.go(token, "AB1234")
    if change == "deleted":
        firm.desk.post("/clients/delete", {"clientId": kavya})
    else:
        firm.desk.put("/clients/edit", {"id": kavya, "status": "INACTIVE"})

    assert firm.public("/broker-links/show", {"token": token}).status_code == 400
    assert firm.begin(token, KITE).status_code == 400
    assert firm.finish(begun).status_code == 400
    sent = firm.desk.post(f"/admin/clients/client/{kavya}/connect-link", {})
    assert sent.status_code == (404 if change == "deleted" else 409)


@pytest.mark.on_both(suite="long")
def test_a_deleted_clients_session_ends(firm: FirmDesk, kavya: str) -> None:
    firm.connect_client(kavya)

    firm.desk.post("/clients/delete", {"clientId": kavya})

    assert connected(firm) == set()
    client_session = scalar(firm.database, select(ClientSession))
    assert (client_session.end_reason, client_session.access_token) == ("CLIENT_DELETED", None)


@pytest.mark.on_both(suite="long")
@pytest.mark.parametrize(("broker", "user_id"), [(KITE, "AB1234"), (ANGEL, "A123456")])
def test_a_deleted_client_is_logged_out_at_the_broker_too(
    firm: FirmDesk, kavya: str, broker: str, user_id: str
) -> None:
    firm.connect_client(kavya, user_id, broker)

    answer = firm.desk.post("/clients/delete", {"clientId": kavya})

    assert answer.status_code == 200
    assert [login for login in firm.world.logins.values() if login.user_id == user_id] == []


def test_a_broker_that_does_not_answer_holds_no_deletion_up(firm: FirmDesk, kavya: str) -> None:
    firm.connect_client(kavya)
    firm.world.faults.append(Fault("DELETE /session/token", "503"))

    answer = firm.desk.post("/clients/delete", {"clientId": kavya})

    assert (answer.status_code, answer.json()["success"]) == (200, True)
    assert connected(firm) == set()
    # Here it is over, and so there.
    assert len(firm.world.logins) == 1


def test_a_deletion_that_is_refused_logs_nobody_out(firm: FirmDesk, kavya: str) -> None:
    firm.connect_client(kavya)

    stale = firm.desk.post("/clients/delete", {"clientId": kavya, "version": 99})

    assert stale.status_code == 409
    assert connected(firm) == {kavya}
    assert [login.user_id for login in firm.world.logins.values()] == ["AB1234"]


@pytest.mark.parametrize(
    "forged",
    [
        {"state": "client." + "A" * 43},
        {"state": "x"},
        {"linkToken": "A" * 43},
        {"state": "client." + "A" * 43, "linkToken": "A" * 43},
        {},
    ],
)
def test_forged_marks_are_refused_before_the_broker_is_asked(
    firm: FirmDesk, kavya: str, forged: dict[str, str]
) -> None:
    back = firm.go(firm.link(kavya), "AB1234")

    answer = firm.public("/brokers/session", {"requestToken": back["request_token"]} | forged)

    assert answer.status_code == 400
    assert back["request_token"] in firm.world.request_tokens


def test_a_mark_without_its_own_link_is_refused_and_not_used_up(
    firm: FirmDesk, kavya: str, dev: str
) -> None:
    back = firm.go(firm.link(kavya), "AB1234")
    others = firm.link(dev)

    alone = firm.finish({name: value for name, value in back.items() if name != "link"})
    crossed = firm.finish(back | {"link": others})

    assert reply_of(alone) == (400, INVALID)
    assert reply_of(crossed) == (400, NOT_BEGUN)
    assert firm.connection(kavya)["state"] == firm.connection(dev)["state"] == "LOGGED_OUT"
    assert firm.finish(back).status_code == 200


def test_wrong_links_of_one_address_do_not_block_a_right_one(
    settings: Settings, database: Database, simulator: Simulator
) -> None:
    strict = settings.model_copy(update={"rate_limit_scale": Decimal(1)})
    firm = open_desk(strict, database, simulator)
    kavya = firm.desk.add_client()
    token, wrong = firm.link(kavya), {"token": "A" * 43}

    refused = [firm.public("/broker-links/show", wrong).status_code for _ in range(22)]
    shown = firm.public("/broker-links/show", {"token": token})
    back = firm.go(token, "AB1234")
    forged = firm.finish(back | {"link": "A" * 43})

    assert refused == [400] * 20 + [429] * 2
    assert shown.status_code == 200
    assert forged.status_code == 429
    assert firm.finish(back).status_code == 200
    firm.gateway.close()


def test_the_mark_of_the_firms_log_in_is_none_of_a_clients(firm: FirmDesk, kavya: str) -> None:
    begun = firm.desk.get("/admin/broker/login-url", broker=KITE).json()["data"]
    firms = log_in(begun["url"], "AB1234")
    clients = firm.go(firm.link(kavya), "AB1234")

    crossed = firm.finish(firms)
    body = {"requestToken": clients["request_token"], "state": clients["state"]}
    other_way = firm.desk.post("/admin/broker/connect", body)

    assert (crossed.status_code, other_way.status_code) == (400, 400)
    assert not firm.firm["isConnected"]


def test_a_log_in_without_a_token_is_refused_in_the_products_words(firm: FirmDesk) -> None:
    answer = firm.public("/brokers/session", {"state": "x"})

    assert reply_of(answer) == (422, "No valid broker token received.")


def test_a_log_in_that_the_client_cancels_leaves_the_link_good(firm: FirmDesk, kavya: str) -> None:
    token = firm.link(kavya)
    url = firm.begin(token, KITE).json()["data"]["url"]

    assert "request_token" not in log_in(url, "AB1234", "cancel")
    assert firm.finish(firm.go(token, "AB1234")).status_code == 200


def test_a_token_that_the_broker_does_not_take_says_so(firm: FirmDesk, kavya: str) -> None:
    token = firm.link(kavya)
    kite = firm.go(token, "AB1234") | {"request_token": "forged"}
    angel = firm.go(token, "A123456", ANGEL) | {"auth_token": "a.forged.token"}

    for back, name in ((kite, "Zerodha"), (angel, "Angel One")):
        answer = firm.finish(back)
        assert reply_of(answer) == (400, f"{name} did not accept this log-in. Log in again.")
    assert firm.finish(firm.go(token, "AB1234")).status_code == 200


@pytest.mark.parametrize(
    ("kind", "status"),
    [("503", 502), ("html", 502), ("cut", 502), ("nonsense", 502), ("limit", 503)],
)
def test_a_failing_broker_has_a_clear_message_and_the_link_stays_valid(
    firm: FirmDesk, kavya: str, kind: str, status: int
) -> None:
    token = firm.link(kavya)
    back = firm.go(token, "AB1234")
    firm.world.faults.append(Fault("POST /session/token", kind, times=1))

    answer = firm.finish(back)

    assert answer.status_code == status
    assert answer.json()["message"].startswith("The broker ")
    if kind != "limit":
        assert firm.finish(firm.go(token, "AB1234")).status_code == 200


def test_a_broker_that_hangs_is_given_up(
    firm: FirmDesk, kavya: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_client, "TOTAL_SECONDS", 0.5)
    back = firm.go(firm.link(kavya), "AB1234")
    firm.world.faults.append(Fault("POST /session/token", "hang", times=1))

    assert firm.finish(back).status_code == 502


def test_the_app_hands_over_what_it_was_given(firm: FirmDesk, kavya: str, dev: str) -> None:
    token, login = firm.world.log_in("A123456")
    kite = {
        "linkToken": firm.link(kavya),
        "requestToken": firm.world.ask_for_login("AB1234"),
    }
    angel = {"linkToken": firm.link(dev), "authToken": token, "refreshToken": login.refresh}

    by_link = [firm.public("/brokers/session", body) for body in (kite, angel)]
    link = firm.link(kavya)
    begun = firm.begin(link, KITE, to="app").json()["data"]
    back = log_in(begun["url"], "AB1234") | {"link": link}

    assert [answer.json()["data"]["brokerUserId"] for answer in by_link] == ["AB1234", "A123456"]
    assert back["state"].startswith("app.")
    assert firm.finish(back).status_code == 200


def test_sessions_end_at_six_and_the_id_can_be_confirmed_after(firm: FirmDesk, kavya: str) -> None:
    firm.log_client_in(kavya, "AB1234")
    until = dt.datetime.fromisoformat(firm.connection(kavya)["connectedUntil"])
    jobs.renew_due(firm.database, firm.gateway, until)

    assert firm.connection(kavya)["state"] == "AWAITING"
    assert firm.confirm(kavya).status_code == 200
    assert shown(firm, kavya) == {"isConnected": False, "id": "AB1234", "is": "LOGGED_OUT"}
    assert firm.log_client_in(kavya, "AB1234").json()["data"]["isConfirmed"] is True
    assert connected(firm, until - dt.timedelta(seconds=1)) == {kavya}
    assert connected(firm, until) == set()


def test_a_session_that_the_broker_ended_shows_as_logged_out(firm: FirmDesk, kavya: str) -> None:
    firm.connect_client(kavya)
    with firm.database.reading() as session:
        (live,) = brokers.live_client_sessions(session, clock.now()).values()
    firm.world.revoke("AB1234")

    with pytest.raises(SessionDead):
        brokers.ask_broker(
            firm.database,
            firm.gateway,
            live,
            lambda broker, login: broker.funds(login),
            clock.now(),
        )

    assert shown(firm, kavya) == {"isConnected": False, "id": "AB1234", "is": "LOGGED_OUT"}
    assert firm.connection(kavya)["endReason"] == "BROKER_ENDED"


def test_staff_end_a_session_here_and_at_the_broker(firm: FirmDesk, kavya: str) -> None:
    firm.connect_client(kavya)
    open_link = firm.link(kavya)

    answer = firm.desk.post(f"/admin/clients/client/{kavya}/connection/end")

    assert answer.json()["data"]["endReason"] == "LOGGED_OUT"
    assert firm.world.logins == {}
    assert firm.public("/broker-links/show", {"token": open_link}).status_code == 400
    assert shown(firm, kavya) == {"isConnected": False, "id": "AB1234", "is": "LOGGED_OUT"}


def test_a_forgotten_id_is_learnt_again(firm: FirmDesk, kavya: str) -> None:
    firm.connect_client(kavya)
    offered = firm.public("/broker-links/show", {"token": firm.link(kavya)}).json()["data"]

    firm.desk.post(f"/admin/clients/client/{kavya}/connection/forget-id")

    assert offered["brokers"] == [KITE]
    assert shown(firm, kavya) == {"isConnected": False, "id": "", "is": "LOGGED_OUT"}
    taken = firm.log_client_in(kavya, "A123457", ANGEL).json()["data"]
    assert (taken["brokerUserId"], taken["isConfirmed"]) == ("A123457", False)
    (row,) = firm.trail("broker_id_forgotten")
    assert json.loads(row.changes)["brokerUserId"] == ["AB1234", ""]


def test_unconnected_clients_are_listed_with_what_is_under_way(
    firm: FirmDesk, kavya: str, dev: str
) -> None:
    lata = firm.desk.add_client("Lata Sen", "lata@home.example")
    gone = firm.desk.add_client("Om Rao", "om@home.example")
    firm.desk.put("/clients/edit", {"id": gone, "status": "INACTIVE"})
    firm.connect_client(kavya)
    firm.log_client_in(dev, "AB1235")
    firm.link(lata)

    with firm.database.reading() as session:
        found = brokers.unconnected_clients(session, clock.now())

    told = [(one.code, one.reported_id, one.linked_at is not None) for one in found]
    assert told == [("C0002", "AB1235", False), ("C0003", None, True)]
    (row,) = firm.desk.get("/admin/clients/broker-ids-to-confirm").json()["data"]
    assert row == {"_id": dev, "clientId": "C0002", "name": "Dev Nair", "reportedId": "AB1235"}


def test_no_broker_no_link(firm: FirmDesk, kavya: str) -> None:
    for broker in (KITE, ANGEL):
        firm.edit_broker(broker, status="INACTIVE")

    answer = firm.desk.post(f"/admin/clients/client/{kavya}/connect-link", {})

    assert answer.status_code == 409
    assert firm.connection(kavya)["canConnect"] is False


@pytest.mark.on_both(suite="long")
def test_an_inactive_broker_is_logged_out_of_by_all_and_no_other_one_is(
    firm: FirmDesk, kavya: str, dev: str
) -> None:
    firm.connect("AB1236")
    firm.connect_client(kavya)
    firm.log_client_in(dev, "A123456", ANGEL)
    assert {login.user_id for login in firm.world.logins.values()} == {
        "AB1236",
        "AB1234",
        "A123456",
    }

    assert firm.edit_broker(KITE, status="INACTIVE").status_code == 200

    assert connected(firm) == set()
    assert {login.user_id for login in firm.world.logins.values()} == {"A123456"}
    with firm.database.reading() as session:
        kept = [
            *session.execute(select(FirmSession)).scalars(),
            *session.execute(select(ClientSession).where(ClientSession.broker == KITE)).scalars(),
        ]
    assert [(one.access_token, one.end_reason) for one in kept] == [(None, "BROKER_INACTIVE")] * 2


def test_a_broker_that_refuses_log_outs_still_becomes_inactive_after_few_tries(
    firm: FirmDesk, kavya: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[LiveBrokerSession] = []

    def log_out(gateway: brokers.Gateway, live: LiveBrokerSession) -> bool:
        tried.append(live)
        return log_out_at_broker(gateway, live)

    log_out_at_broker = calls.log_out_at_broker
    monkeypatch.setattr(calls, "log_out_at_broker", log_out)
    monkeypatch.setattr(calls, "GIVE_UP_AFTER", 2)
    for number in range(2):
        client_id = firm.desk.add_client(f"Client {number}", f"c{number}@home.example")
        firm.log_client_in(client_id, f"AB123{number + 5}")
    firm.connect_client(kavya)
    firm.world.faults.append(Fault("DELETE /session/token", "503"))

    assert firm.edit_broker(KITE, status="INACTIVE").status_code == 200

    assert firm.connection(kavya)["endReason"] == "BROKER_INACTIVE"
    assert connected(firm) == set()
    assert (len(tried), len(firm.world.logins)) == (2, 3)


def test_an_unknown_client_has_no_connection(firm: FirmDesk) -> None:
    unknown = "/admin/clients/client/01a1fb73-0392-751c-90e5-1dda4674873a/connection"
    assert firm.desk.get(unknown).status_code == 404
    assert firm.desk.post(f"{unknown}/end").status_code == 404


def test_a_user_may_send_links_confirm_and_end(firm: FirmDesk, kavya: str) -> None:
    admin, firm.desk = firm.desk, staff_desk(firm.web, firm.database)

    assert firm.log_client_in(kavya, "AB1234").status_code == 200
    assert firm.confirm(kavya).status_code == 200
    assert firm.connection(kavya)["confirmedBy"] == "Farhan Ali"
    assert firm.desk.post(f"/admin/clients/client/{kavya}/connection/end").status_code == 200
    assert admin.get("/admin/broker").status_code == 200


def test_the_session_to_confirm_is_the_one_that_staff_saw(
    firm: FirmDesk, kavya: str, dev: str
) -> None:
    firm.log_client_in(kavya, "AB1234")
    seen = {"sessionId": firm.connection(kavya)["sessionId"]}
    firm.log_client_in(kavya, "AB1235")

    stale = firm.desk.post(f"/admin/clients/client/{kavya}/connection/confirm", seen)
    foreign = firm.desk.post(
        f"/admin/clients/client/{dev}/connection/confirm",
        {"sessionId": firm.connection(kavya)["sessionId"]},
    )

    assert (stale.status_code, foreign.status_code) == (409, 409)
    assert connected(firm) == set()


def test_no_secret_is_answered_logged_or_stored_in_clear(
    firm: FirmDesk, kavya: str, dev: str, settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    firm.desk.post(f"/admin/clients/client/{kavya}/connect-link", {})
    token = mailed_link(firm, settings)
    kite_back = firm.go(token, "AB1234")
    answers = [firm.finish(kite_back)]
    other = firm.link(dev)
    angel_back = firm.go(other, "A123456", ANGEL)
    answers += [firm.finish(angel_back), firm.confirm(kavya), firm.confirm(dev)]
    wrong = firm.go(firm.link(kavya), "AB1236")
    answers += [firm.finish(wrong), firm.finish(wrong | {"state": "client.x"})]
    answers += [firm.connect("AB1235"), firm.desk.get("/brokers"), firm.desk.get("/admin/broker")]
    for client_id in (kavya, dev):
        answers.append(firm.desk.get(f"/admin/clients/client/{client_id}/connection"))
    answers.append(firm.desk.get("/admin/audit"))
    for kind in ("expired", "503", "html"):
        firm.world.faults.append(Fault("POST /session/token", kind, times=1))
        answers.append(firm.finish(firm.go(firm.link(kavya), "AB1234")))

    world = firm.world
    secrets = {token, other, *world.secrets.values(), *world.logins}
    secrets |= {login.feed for login in world.logins.values()}
    secrets |= {login.refresh for login in world.logins.values()}
    for back in (kite_back, angel_back, wrong):
        secrets |= {value for name, value in back.items() if name.endswith("token")}
        secrets.add(back["state"])
    secrets.discard("")
    assert len(secrets) > 10
    printed = capsys.readouterr()
    places = {
        "answers": "\n".join(answer.text for answer in answers),
        "logs": printed.err + printed.out,
        "database": everything_in(firm.database),
    }
    assert token_digest(token) in places["database"]
    for place, text in places.items():
        assert [secret[:6] for secret in secrets if secret in text] == [], place
