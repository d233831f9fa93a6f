"""Guessing: how fast passwords may be tried, and what a stranger cannot do to the owner."""

import datetime as dt
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal

import pytest
from fastapi.testclient import TestClient
from httpx2 import Response
from sqlalchemy import func, select

from tarazu.auth import guards, jobs
from tarazu.auth.tables import Attempts, OtpChallenge, ResetLink
from tarazu.auth.visits import place_of
from tarazu.kit import clock
from tarazu.kit.rate_limit import Limit
from tests.auth.conftest import BROWSER, Staffed, Time, log_in
from tests.people_of import ADMIN, Desk, reply_of

WRONG = {**ADMIN, "password": "not this one"}


def attempt(web: TestClient, body: Mapping[str, str] = WRONG, **headers: str) -> Response:
    return web.post("/api/v1/auth/login", json=body, headers=headers)


@pytest.mark.on_both
@pytest.mark.parametrize("email", [ADMIN["email"], "nobody@desk.example"])
def test_five_are_free_then_the_wait_doubles(
    strict: TestClient, admin: Desk, time: Time, email: str
) -> None:
    body = {**WRONG, "email": email}
    assert [attempt(strict, body).status_code for _ in range(5)] == [401] * 5

    for wait in (1, 2, 4, 8, 16):
        refused = attempt(strict, body)
        assert reply_of(refused) == (429, f"Too many attempts. Try again in {wait} seconds.")
        assert refused.json()["code"] == "too_many_attempts"
        assert refused.headers["Retry-After"] == str(wait)
        time.go(seconds=wait)
        assert attempt(strict, body).status_code == 401


def test_the_longest_wait_is_a_quarter_of_an_hour(
    installed: Callable[..., TestClient], admin: Desk, time: Time
) -> None:
    waits = []
    for _ in range(18):
        # A new process each time: the count is in the database, and addresses are counted from zero.
        web = installed(rate_limit_scale=Decimal(1))
        answer = attempt(web)
        if answer.status_code == 429:
            waits.append(int(answer.headers["Retry-After"]))
            time.go(seconds=waits[-1])
            attempt(web)
    assert waits == [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900]


def test_the_right_password_waits_too_and_then_resets_the_count(
    strict: TestClient, admin: Desk, time: Time
) -> None:
    for _ in range(5):
        attempt(strict)
    assert attempt(strict, ADMIN).status_code == 429
    time.go(seconds=1)
    log_in(strict, ADMIN)

    assert [attempt(strict).status_code for _ in range(5)] == [401] * 5


def test_old_failures_are_forgotten_after_a_day(
    strict: TestClient, admin: Desk, time: Time
) -> None:
    for _ in range(5):
        attempt(strict)
    time.go(days=1, seconds=1)

    assert [attempt(strict).status_code for _ in range(5)] == [401] * 5


def test_a_stranger_cannot_lock_the_owner_out_of_a_known_browser(
    strict: TestClient, admin: Desk
) -> None:
    own = TestClient(strict.app, headers=BROWSER)
    log_in(own, ADMIN)
    for _ in range(6):
        attempt(strict)

    assert attempt(strict, ADMIN).status_code == 429
    log_in(own, ADMIN)


def test_a_known_browser_is_counted_separately(strict: TestClient, admin: Desk) -> None:
    own = TestClient(strict.app, headers=BROWSER)
    log_in(own, ADMIN)

    assert [attempt(own).status_code for _ in range(6)] == [401] * 5 + [429]
    log_in(strict, ADMIN)


@pytest.mark.on_both
def test_many_at_once_are_counted_one_by_one(strict: TestClient, admin: Desk) -> None:
    with ThreadPoolExecutor(12) as pool:
        answers = list(pool.map(lambda _: attempt(strict).status_code, range(12)))

    assert answers.count(401) == 5
    assert answers.count(429) == 7


@pytest.mark.on_both
def test_right_passwords_at_once_all_get_in(strict: TestClient, admin: Desk) -> None:
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: attempt(strict, ADMIN).status_code, range(8)))

    assert answers == [200] * 8


def test_thirty_failures_of_one_address(strict: TestClient, admin: Desk) -> None:
    bodies = [{**WRONG, "email": f"nobody{number}@desk.example"} for number in range(31)]
    answers = [attempt(strict, body).status_code for body in bodies]

    assert answers == [401] * 30 + [429]


def test_failures_of_an_address_do_not_lock_out_a_browser_that_the_account_knows(
    strict: TestClient, admin: Desk
) -> None:
    own = TestClient(strict.app, headers=BROWSER)
    log_in(own, ADMIN)
    for number in range(31):
        attempt(strict, {**WRONG, "email": f"nobody{number}@desk.example"})

    assert attempt(strict, ADMIN).status_code == 429
    assert attempt(own, {**ADMIN, "email": "nobody@desk.example"}).status_code == 429
    log_in(own, ADMIN)


def test_the_scale_multiplies(installed: Callable[..., TestClient], admin: Desk) -> None:
    web = installed(rate_limit_scale=Decimal(2))

    assert [attempt(web).status_code for _ in range(11)] == [401] * 10 + [429]


def test_only_our_own_proxies_are_believed(
    installed: Callable[..., TestClient], admin: Desk, staffed: Staffed
) -> None:
    def address(trusted: str, named: str) -> str:
        web = installed(trusted_proxies=trusted)
        behind = TestClient(web.app, client=("10.0.0.7", 4000))
        assert attempt(behind, WRONG, **{"X-Forwarded-For": named}).status_code == 401
        return staffed.trail_of("login_refused")[-1].ip

    assert address("", "203.0.113.9") == "10.0.0.7"
    assert address("10.0.0.0/8", "203.0.113.9") == "203.0.113.9"
    assert address("10.0.0.0/8", "198.51.100.1, 203.0.113.9, 10.1.2.3") == "203.0.113.9"
    assert address("192.0.2.0/24", "203.0.113.9") == "10.0.0.7"
    assert address("10.0.0.0/8", "not an address") == "not an address"


def test_an_ipv6_household_is_counted_as_one() -> None:
    assert place_of("2001:db8:1:2:3:4:5:6") == place_of("2001:db8:1:2::9") == "2001:db8:1:2::"
    assert place_of("::ffff:203.0.113.9") != place_of("::ffff:203.0.113.8")
    assert place_of("203.0.113.9") == "203.0.113.9"
    assert place_of("testclient") == "testclient"


def test_refused_log_ins_are_rows_of_the_trail(
    web: TestClient, admin: Desk, staffed: Staffed
) -> None:
    who = staffed.add(awaits=True)
    attempt(web)
    attempt(web, {**WRONG, "email": "nobody@desk.example"})
    attempt(web, who)

    rows = staffed.trail_of("login_refused")
    reasons = [row.changes for row in rows]
    assert ["wrong_credentials" in reason for reason in reasons] == [True, True, False]
    assert "awaits_approval" in reasons[2]
    assert [row.record_id == "unknown" for row in rows] == [False, True, False]
    assert all("desk.example" not in row.changes + row.record_id for row in rows)


def test_refused_permissions_are_rows_of_the_trail(
    web: TestClient, admin: Desk, staffed: Staffed
) -> None:
    user = log_in(web, staffed.add())

    assert user.get("/admin/sessions").status_code == 403
    (row,) = staffed.trail_of("permission_refused")
    assert (row.role, row.record_id) == ("USER", "GET /api/v1/admin/sessions")


def test_a_session_calls_at_most_sixty_times_in_a_second(
    strict: TestClient, admin: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guards, "CALLS", (Limit(8, 60), Limit(3, 1)))
    desk = Desk(strict, admin.token)
    monkeypatch.setattr(strict.app.state.limits, "_tick", lambda: 0.0)  # type: ignore[attr-defined]

    assert [desk.get("/profile").status_code for _ in range(4)] == [200] * 3 + [429]
    refused = strict.post("/api/v1/clients/add", content=b"{not json", headers=desk.headers)
    assert refused.status_code == 415 or refused.json()["code"] == "too_many_attempts"
    # Another session of the same account has its own count.
    assert log_in(strict, ADMIN).get("/profile").status_code == 200


def test_the_limits_of_a_session_are_those_of_the_design() -> None:
    limits = [*guards.CALLS, guards.REBALANCES, guards.DELETIONS]

    assert limits == [Limit(300, 60), Limit(60, 1), Limit(30, 60), Limit(200, 3600)]


def test_rebalances_and_deletions_are_counted_separately(
    strict: TestClient, admin: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guards, "REBALANCES", Limit(1, 60))
    monkeypatch.setattr(guards, "DELETIONS", Limit(1, 3600))
    desk = Desk(strict, admin.token)

    def rebalance() -> int:
        return desk.post("/admin/advice/rebalance-portfolio", {}).status_code

    def delete() -> int:
        return desk.post("/clients/delete", {}).status_code

    assert (rebalance(), rebalance(), delete(), delete()) == (422, 429, 422, 429)
    assert desk.get("/profile").status_code == 200


def test_twenty_sign_ups_an_hour_from_one_address(strict: TestClient, admin: Desk) -> None:
    people = [{**ADMIN, "email": f"new{number}@desk.example"} for number in range(21)]
    answers = [strict.post("/api/v1/auth/register", json=person).status_code for person in people]

    assert answers == [200] * 20 + [429]


@pytest.mark.on_both
def test_what_is_past_is_dropped(
    web: TestClient, admin: Desk, staffed: Staffed, time: Time
) -> None:
    web.post("/api/v1/auth/forget-password/request", json={"email": ADMIN["email"]})
    web.post("/api/v1/auth/otp/request", json={"email": ADMIN["email"]})
    attempt(web)

    def kept() -> list[int]:
        jobs.drop_what_is_past(staffed.database, clock.now())
        with staffed.database.reading() as session:
            tables = (ResetLink, OtpChallenge, Attempts)
            return [
                session.execute(select(func.count()).select_from(table)).scalar_one()
                for table in tables
            ]

    assert kept() == [1, 1, 2]
    time.ahead += dt.timedelta(days=3)
    assert kept() == [0, 0, 0]
