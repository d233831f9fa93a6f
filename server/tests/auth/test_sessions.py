"""Live sessions: what is shown of them, who ends them, and what else does."""

import datetime as dt
import uuid
from collections.abc import Callable

import pytest
from fastapi.testclient import TestClient

from tarazu.auth.sessions import browser_name
from tarazu.kit import clock
from tests.auth.conftest import BROWSER, Staffed, Time, log_in
from tests.people_of import ADMIN, Desk, reply_of


def end(desk: Desk, path: str) -> int:
    return desk.web.delete(f"/api/v1{path}", headers=desk.headers).status_code


def test_own_sessions_the_present_one_first(
    web: TestClient, admin: Desk, staffed: Staffed, time: Time
) -> None:
    other = TestClient(web.app, headers=BROWSER)
    log_in(web, staffed.add())
    time.go(minutes=3)
    log_in(other, ADMIN)
    admin.get("/profile")

    first, second = admin.get("/auth/sessions").json()["data"]

    assert set(first) == {"_id", "createdAt", "lastSeenAt", "ip", "userAgent", "isCurrent"}
    assert (first["isCurrent"], second["isCurrent"]) == (True, False)
    assert (first["userAgent"], second["userAgent"]) == ("testclient", "Chrome on Windows")
    assert first["ip"] == "testclient"
    assert first["lastSeenAt"] > first["createdAt"]


@pytest.mark.on_both(suite="long")
def test_a_session_that_is_ended_idle_old_or_void_is_not_shown(
    web: TestClient, admin: Desk, staffed: Staffed, time: Time
) -> None:
    who = staffed.add()
    log_in(web, who).post("/auth/logout")
    log_in(web, who)
    time.go(seconds=1)
    staffed.change(who["email"], sessions_void_at=clock.now())
    assert len(admin.get("/admin/sessions").json()["data"]) == 1

    desk = log_in(web, who)
    time.go(minutes=29)
    assert len(desk.get("/auth/sessions").json()["data"]) == 1
    assert len(admin.get("/admin/sessions").json()["data"]) == 2
    time.go(minutes=29)
    admin.get("/profile")
    time.go(minutes=2)
    assert len(admin.get("/admin/sessions").json()["data"]) == 1


def test_ending_an_own_session_ends_it_at_once(
    web: TestClient, admin: Desk, staffed: Staffed
) -> None:
    other = log_in(web, ADMIN)
    (row,) = [row for row in admin.get("/auth/sessions").json()["data"] if not row["isCurrent"]]

    assert end(admin, f"/auth/sessions/{row['_id']}") == 200
    assert other.get("/profile").status_code == 401
    assert admin.get("/profile").status_code == 200
    assert end(admin, f"/auth/sessions/{row['_id']}") == 404
    assert [one.record_id for one in staffed.trail_of("session_ended")] == [row["_id"]]


def test_nobody_elses_session_can_be_ended_but_by_an_administrator(
    web: TestClient, admin: Desk, staffed: Staffed
) -> None:
    user = log_in(web, staffed.add())
    rows = admin.get("/admin/sessions").json()["data"]
    of = {row["email"]: row["_id"] for row in rows}

    assert {row["role"] for row in rows} == {"ADMIN", "USER"}
    assert end(user, f"/auth/sessions/{of[ADMIN['email']]}") == 404
    assert end(admin, f"/auth/sessions/{of['ravi@desk.example']}") == 404
    assert end(user, f"/admin/sessions/{of[ADMIN['email']]}") == 403
    assert user.get("/admin/sessions").status_code == 403
    assert end(admin, f"/admin/sessions/{of['ravi@desk.example']}") == 200
    assert user.get("/profile").status_code == 401
    assert end(admin, f"/admin/sessions/{uuid.uuid4()}") == 404


def test_ending_the_present_session_is_a_log_out(admin: Desk) -> None:
    (row,) = admin.get("/auth/sessions").json()["data"]

    assert end(admin, f"/auth/sessions/{row['_id']}") == 200
    assert admin.get("/profile").status_code == 401


def test_of_eleven_sessions_the_oldest_goes(web: TestClient, admin: Desk) -> None:
    desks = [log_in(web, ADMIN) for _ in range(10)]

    assert admin.get("/profile").status_code == 401
    assert len(desks[-1].get("/auth/sessions").json()["data"]) == 10


@pytest.mark.on_both(suite="long")
def test_a_session_of_before_a_new_role_is_dead_and_one_of_after_lives(
    web: TestClient, staffed: Staffed, time: Time
) -> None:
    who = staffed.add()
    before = log_in(web, who)
    time.go(seconds=1)
    staffed.change(who["email"], role="ADMIN", sessions_void_at=clock.now())

    refused = before.get("/profile")
    assert reply_of(refused) == (401, "Session expired. Please log in again.")
    assert log_in(web, who).get("/profile").status_code == 200


def test_a_session_idles_out_after_thirty_minutes_and_ends_after_twelve_hours(
    web: TestClient, admin: Desk, time: Time
) -> None:
    for _ in range(25):
        time.go(minutes=28)
        assert admin.get("/profile").status_code == 200
    time.go(minutes=28)
    assert admin.get("/profile").status_code == 401

    idle = log_in(web, ADMIN)
    time.go(minutes=30)
    assert idle.get("/profile").status_code == 401


@pytest.mark.on_both
@pytest.mark.parametrize("later", [{"minutes": 31}, {"hours": 13}])
def test_a_session_found_expired_stays_so_when_the_clock_goes_back(
    admin: Desk, time: Time, later: dict[str, float]
) -> None:
    time.go(**later)
    assert admin.get("/profile").status_code == 401

    time.ahead = dt.timedelta()

    assert admin.get("/profile").status_code == 401


def test_a_program_gets_no_cookie_and_a_browser_one_that_scripts_cannot_read(
    installed: Callable[..., TestClient], admin: Desk
) -> None:
    plain = installed()
    program = plain.post("/api/v1/auth/login", json=ADMIN)
    browser = plain.post("/api/v1/auth/login", json=ADMIN, headers=BROWSER)
    safe = installed(public_url="https://desk.example.com")
    over_https = safe.post("/api/v1/auth/login", json=ADMIN, headers=BROWSER)

    assert "Set-Cookie" not in program.headers
    assert browser.headers["Set-Cookie"].startswith("device=")
    assert "Secure" not in browser.headers["Set-Cookie"]
    cookie = over_https.headers["Set-Cookie"]
    assert cookie.startswith("__Host-device=")
    for part in ("HttpOnly", "Secure", "SameSite=strict", "Path=/", "Max-Age=31536000"):
        assert part in cookie
    assert "Domain" not in cookie


def test_a_cookie_is_kept_and_a_made_up_one_replaced(web: TestClient, admin: Desk) -> None:
    own = TestClient(web.app, headers=BROWSER)
    log_in(own, ADMIN)
    first = own.cookies["device"]
    log_in(own, ADMIN)
    assert own.cookies["device"] == first

    cookie = {"Cookie": "device=made-up"}
    other = web.post("/api/v1/auth/login", json=ADMIN, headers=BROWSER | cookie)
    assert "made-up" not in other.headers["Set-Cookie"]


def test_a_bound_session_works_in_its_own_browser_alone(
    installed: Callable[..., TestClient], admin: Desk
) -> None:
    web = installed(bind_sessions=True)
    own = TestClient(web.app, headers=BROWSER)
    desk = log_in(own, ADMIN)
    stolen = Desk(TestClient(web.app), desk.token)
    elsewhere = TestClient(web.app, headers=BROWSER)
    log_in(elsewhere, ADMIN)

    assert desk.get("/profile").status_code == 200
    assert stolen.get("/profile").status_code == 401
    assert Desk(elsewhere, desk.token).get("/profile").status_code == 401
    # A program's session has no browser to be bound to.
    assert log_in(web, ADMIN).get("/profile").status_code == 200


def test_the_cookie_is_stored_as_its_digest_alone(
    web: TestClient, admin: Desk, staffed: Staffed
) -> None:
    own = TestClient(web.app, headers=BROWSER)
    desk = log_in(own, ADMIN)
    dump = staffed.database.engine.raw_connection()
    try:
        cursor = dump.cursor()
        cursor.execute("SELECT digest FROM devices")
        kept = [row[0] for row in cursor.fetchall()]
        cursor.execute("SELECT token_digest, device_digest FROM sessions")
        kept += [part for row in cursor.fetchall() for part in row]
    finally:
        dump.close()

    assert own.cookies["device"] not in kept
    assert desk.token not in kept
    assert len([one for one in kept if one]) == 4


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        (BROWSER["User-Agent"], "Chrome on Windows"),
        (
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.0 Safari/605.1.15",
            "Safari on Mac",
        ),
        (
            "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0",
            "Firefox on Linux",
        ),
        (
            "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/147.0 Mobile Safari/537.36",
            "Chrome on Android",
        ),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1",
            "Safari on iPhone",
        ),
        ("Mozilla/5.0 (Windows NT 10.0) Chrome/147.0 Safari/537.36 Edg/147.0", "Edge on Windows"),
        ("python-httpx/0.28", "python-httpx"),
        ("", "Unknown program"),
    ],
)
def test_user_agents_in_plain_words(agent: str, words: str) -> None:
    assert browser_name(agent) == words
