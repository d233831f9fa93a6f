"""The firm's own session: logged in at the broker's page, kept true, renewed, ended."""

import datetime as dt
import json
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import select, update

from tarazu.brokers import jobs
from tarazu.brokers import service as brokers
from tarazu.brokers.protocol.port import RateLimited, SessionDead, Upstream
from tarazu.brokers.tables import FirmSession
from tarazu.kit import clock
from tarazu.kit.audit_log import SYSTEM
from tests.brokers.firm_desk import FirmDesk, log_in
from tests.brokers.simulator.world import ANGEL, KITE, Fault
from tests.people_of import reply_of
from tests.rows_of import run, scalar

INDIA = ZoneInfo("Asia/Kolkata")
PROFILE = "GET /rest/secure/angelbroking/user/v1/getProfile"


def live_of(firm: FirmDesk, now: dt.datetime | None = None) -> brokers.LiveBrokerSession:
    with firm.database.reading() as session:
        live = brokers.live_firm_session(session, now or clock.now())
    assert live is not None
    return live


def profile_of(firm: FirmDesk, live: brokers.LiveBrokerSession, now: dt.datetime) -> str:
    found = brokers.ask_broker(
        firm.database, firm.gateway, live, lambda broker, login: broker.profile(login), now
    )
    return found.broker_user_id


@pytest.mark.parametrize(("broker", "user_id"), [(KITE, "AB1234"), (ANGEL, "A123456")])
def test_the_firm_logs_in_at_the_brokers_page(firm: FirmDesk, broker: str, user_id: str) -> None:
    answer = firm.connect(user_id, broker)

    assert answer.json()["message"] == "Broker connected successfully"
    assert (firm.firm["isConnected"], firm.firm["broker"]) == (True, broker)
    live = live_of(firm)
    assert live.login.broker_user_id == user_id
    assert profile_of(firm, live, clock.now()) == user_id


def test_zerodhas_session_ends_at_six_in_india(firm: FirmDesk) -> None:
    firm.connect()

    until = dt.datetime.fromisoformat(firm.firm["connectedUntil"]).astimezone(INDIA)
    assert (until.hour, until.minute) == (6, 0)
    with firm.database.reading() as session:
        before = brokers.live_firm_session(session, until - dt.timedelta(seconds=1))
        after = brokers.live_firm_session(session, until)
    assert (before is None, after is None) == (False, True)


def test_angel_ones_tokens_are_all_kept_and_the_feed_token_is_fetched_where_it_is_missing(
    firm: FirmDesk,
) -> None:
    firm.connect("A123456", ANGEL)
    whole = live_of(firm).login

    begun = firm.desk.get("/admin/broker/login-url", broker=ANGEL).json()["data"]
    back = log_in(begun["url"], "A123457")
    body = {
        "requestToken": back["auth_token"],
        "state": back["state"],
        "refreshToken": firm.world.logins[back["auth_token"]].refresh,
    }
    assert firm.desk.post("/admin/broker/connect", body).status_code == 200
    fetched = live_of(firm).login

    assert whole.feed_token
    assert fetched.feed_token
    assert fetched.access_token != back["auth_token"]
    assert fetched.broker_user_id == "A123457"


def test_a_session_ended_at_the_broker_is_ended_here_by_the_next_call(firm: FirmDesk) -> None:
    firm.connect()
    live = live_of(firm)
    firm.world.revoke("AB1234")

    with pytest.raises(SessionDead):
        profile_of(firm, live, clock.now())

    assert firm.firm == {"isConnected": False, "broker": None, "connectedUntil": None}
    (row,) = firm.trail("broker_session_ended")
    assert json.loads(row.changes)["reason"] == "BROKER_ENDED"
    firm_session = scalar(firm.database, select(FirmSession))
    assert (firm_session.access_token, firm_session.refresh_token, firm_session.feed_token) == (
        None,
        None,
        None,
    )


def test_the_check_finds_a_session_that_the_broker_ended(firm: FirmDesk) -> None:
    firm.connect()
    jobs.check_firm_session(firm.database, firm.gateway, clock.now())
    is_still = firm.firm["isConnected"]
    firm.world.revoke("AB1234")

    jobs.check_firm_session(firm.database, firm.gateway, clock.now())

    assert is_still
    assert not firm.firm["isConnected"]
    jobs.check_firm_session(firm.database, firm.gateway, clock.now())


@pytest.mark.parametrize("kind", ["503", "html", "limit", "cut"])
def test_a_broker_that_fails_ends_no_session(firm: FirmDesk, kind: str) -> None:
    firm.connect()
    live = live_of(firm)
    firm.world.faults.append(Fault("GET /user/profile", kind, times=1))

    with pytest.raises((Upstream, RateLimited)):
        profile_of(firm, live, clock.now())

    assert firm.firm["isConnected"]


def test_an_expired_token_is_renewed_and_the_call_made_again(firm: FirmDesk) -> None:
    firm.connect("A123456", ANGEL)
    live = live_of(firm)
    firm.world.faults.append(Fault(PROFILE, "expired", times=1))

    assert profile_of(firm, live, clock.now()) == "A123456"

    renewed = live_of(firm)
    assert renewed.id == live.id
    assert renewed.login.access_token != live.login.access_token
    assert renewed.login.refresh_token != live.login.refresh_token
    # A caller with the old tokens in hand goes on with the new ones.
    assert profile_of(firm, live, clock.now()) == "A123456"


def test_a_token_that_stays_dead_after_the_renewal_ends_the_session(firm: FirmDesk) -> None:
    firm.connect("A123456", ANGEL)
    live = live_of(firm)
    firm.world.faults.append(Fault(PROFILE, "expired", times=2))

    with pytest.raises(SessionDead):
        profile_of(firm, live, clock.now())

    assert not firm.firm["isConnected"]


def test_without_leave_to_renew_an_expired_token_ends_the_session(firm: FirmDesk) -> None:
    firm.edit_broker(ANGEL, isRenewSessionAllowed=False)
    firm.connect("A123456", ANGEL)
    live = live_of(firm)
    firm.world.faults.append(Fault(PROFILE, "expired", times=1))

    with pytest.raises(SessionDead):
        profile_of(firm, live, clock.now())

    assert not firm.firm["isConnected"]
    assert jobs.renew_due(firm.database, firm.gateway, clock.now()) == 0


@pytest.mark.on_both(suite="long")
def test_only_one_renews_at_a_time(firm: FirmDesk) -> None:
    firm.connect("A123456", ANGEL)
    live, now = live_of(firm), clock.now()
    run(firm.database, update(FirmSession).values(renewal_begun_at=now))

    with pytest.raises(Upstream):
        brokers.renew_session(firm.database, firm.gateway, live, now)

    assert firm.firm["isConnected"]
    later = now + dt.timedelta(seconds=31)
    assert brokers.renew_session(firm.database, firm.gateway, live, later) is not None


def test_the_job_renews_angel_ones_session_once_five_has_passed(firm: FirmDesk) -> None:
    firm.connect("A123456", ANGEL)
    until = live_of(firm).login.expires_at
    early, soon = until - dt.timedelta(minutes=1), until + dt.timedelta(minutes=1)

    assert until.astimezone(INDIA).time() == dt.time(5)
    assert jobs.renew_due(firm.database, firm.gateway, early) == 0
    firm.world.set_clock(soon)
    assert jobs.renew_due(firm.database, firm.gateway, soon) == 1

    assert live_of(firm, soon).login.expires_at == until + dt.timedelta(days=1)
    assert jobs.renew_due(firm.database, firm.gateway, soon) == 0


@pytest.mark.on_both(suite="long")
@pytest.mark.parametrize("lives", [True, False])
def test_without_a_renewal_angel_ones_session_goes_on_after_five_if_a_call_works(
    firm: FirmDesk, lives: bool
) -> None:
    firm.edit_broker(ANGEL, isRenewSessionAllowed=False)
    firm.connect("A123456", ANGEL)
    until = live_of(firm).login.expires_at
    after = until + dt.timedelta(minutes=1)
    with firm.database.reading() as session:
        assert brokers.live_firm_session(session, until) is None
    if not lives:
        firm.world.revoke("A123456")

    jobs.renew_due(firm.database, firm.gateway, after)

    with firm.database.reading() as session:
        live = brokers.live_firm_session(session, after)
        firm_session = session.execute(select(FirmSession)).scalar_one()
    if lives:
        assert live is not None
        assert live.login.expires_at == until + dt.timedelta(days=1)
    else:
        assert live is None
        assert (firm_session.end_reason, firm_session.access_token) == ("BROKER_ENDED", None)


@pytest.mark.on_both(suite="long")
def test_the_job_renews_zerodhas_session_once_six_has_passed(firm: FirmDesk) -> None:
    firm.world.kite_refreshes = True
    firm.connect()
    until = live_of(firm).login.expires_at

    assert jobs.renew_due(firm.database, firm.gateway, until - dt.timedelta(minutes=1)) == 0
    assert jobs.renew_due(firm.database, firm.gateway, until + dt.timedelta(minutes=1)) == 1

    after = until + dt.timedelta(minutes=2)
    assert live_of(firm, after).login.expires_at == until + dt.timedelta(days=1)


def test_a_session_that_cannot_be_renewed_ends_without_its_tokens(firm: FirmDesk) -> None:
    firm.connect()
    until = live_of(firm).login.expires_at

    jobs.renew_due(firm.database, firm.gateway, until + dt.timedelta(minutes=1))

    firm_session = scalar(firm.database, select(FirmSession))
    assert (firm_session.ended_at, firm_session.end_reason) == (until, "EXPIRED")
    assert firm_session.access_token is None


def test_a_renewal_that_the_broker_refuses_ends_the_session_and_one_that_fails_does_not(
    firm: FirmDesk,
) -> None:
    firm.connect("A123456", ANGEL)
    live = live_of(firm)
    soon = live.login.expires_at + dt.timedelta(minutes=1)
    renewal = "POST /rest/auth/angelbroking/jwt/v1/generateTokens"
    firm.world.faults.append(Fault(renewal, "503", times=1))

    assert jobs.renew_due(firm.database, firm.gateway, soon) == 0
    assert firm.firm["isConnected"]

    firm.world.revoke("A123456")
    later = soon + dt.timedelta(minutes=6)
    assert jobs.renew_due(firm.database, firm.gateway, later) == 0
    assert not firm.firm["isConnected"]


def test_a_used_request_token_is_refused(firm: FirmDesk) -> None:
    begun = firm.desk.get("/admin/broker/login-url", broker=KITE).json()["data"]
    back = log_in(begun["url"], "AB1234")
    firm.world.request_tokens.clear()

    body = {"requestToken": back["request_token"], "state": back["state"]}
    answer = firm.desk.post("/admin/broker/connect", body)

    assert reply_of(answer) == (502, "Failed to connect broker")
    assert not firm.firm["isConnected"]


@pytest.mark.parametrize(("broker", "user_id"), [(KITE, "AB1234"), (ANGEL, "A123456")])
def test_the_firm_logs_out_here_and_at_the_broker(
    firm: FirmDesk, broker: str, user_id: str
) -> None:
    firm.connect(user_id, broker)

    answer = firm.desk.post("/admin/broker/logout")

    assert answer.json()["message"] == "Logged out at the broker"
    assert answer.json()["data"] == {"isConnected": False, "broker": None, "connectedUntil": None}
    assert not firm.firm["isConnected"]
    assert [login for login in firm.world.logins.values() if login.user_id == user_id] == []
    firm_session = scalar(firm.database, select(FirmSession))
    assert (firm_session.access_token, firm_session.refresh_token, firm_session.feed_token) == (
        None,
        None,
        None,
    )
    assert firm_session.end_reason == "LOGGED_OUT"
    (row,) = firm.trail("broker_session_ended")
    assert row.account_id is not None
    assert json.loads(row.changes) == {
        "broker": broker, "brokerUserId": user_id, "reason": "LOGGED_OUT",
    }  # fmt: skip


def test_a_log_out_that_the_broker_does_not_answer_counts_here_and_says_so(
    firm: FirmDesk,
) -> None:
    firm.connect()
    firm.world.faults.append(Fault("DELETE /session/token", "503"))

    answer = firm.desk.post("/admin/broker/logout")

    assert answer.status_code == 200
    assert answer.json()["message"] == (
        "Logged out here. The broker did not answer; its session will expire on its own."
    )
    assert not firm.firm["isConnected"]
    assert len(firm.trail("broker_session_ended")) == 1


@pytest.mark.on_both(suite="long")
def test_a_session_that_could_still_be_renewed_is_not_renewed_after_the_log_out(
    firm: FirmDesk,
) -> None:
    firm.connect("A123456", ANGEL)
    until = live_of(firm).login.expires_at
    after = until + dt.timedelta(minutes=5)
    brokers.disconnect(firm.database, firm.gateway, SYSTEM, after)

    assert jobs.renew_due(firm.database, firm.gateway, after) == 0
    assert scalar(firm.database, select(FirmSession.end_reason)) == "LOGGED_OUT"


def test_without_a_session_there_is_nothing_to_log_out_of(firm: FirmDesk) -> None:
    firm.connect()
    firm.desk.post("/admin/broker/logout")

    again = firm.desk.post("/admin/broker/logout")

    assert reply_of(again) == (409, "The firm is not logged in at a broker.")  # fmt: skip
    assert len(firm.trail("broker_session_ended")) == 1
