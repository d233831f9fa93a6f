"""Setting a new password while signed in: at the first log-in, and at any later time."""

import datetime as dt
from typing import Any

import pytest
from fastapi.testclient import TestClient
from httpx2 import Response

from tarazu.kit import clock
from tests.auth.conftest import Post, Staffed, Time, log_in
from tests.people_of import ADMIN, Desk, reply_of

FRESH = "nine-birches-9"


def change(desk: Desk, password: str = FRESH, **more: Any) -> Response:
    return desk.post("/auth/reset-password", {"password": password, **more})


def invited(staffed: Staffed) -> dict[str, str]:
    until = clock.now() + dt.timedelta(hours=72)
    return staffed.add(password="Temp!Word!2026x", must_change=True, temporary_until=until)


@pytest.mark.on_both(suite="long")
def test_a_first_log_in_may_do_four_things_until_a_password_is_set(
    web: TestClient, admin: Desk, staffed: Staffed
) -> None:
    who = invited(staffed)
    entry = web.post("/api/v1/auth/login", json=who)
    first = Desk(web, entry.json()["accessToken"])

    assert entry.json()["data"]["isFirstTimeLogin"] is True
    assert first.get("/auth/verify-token").status_code == 200
    assert first.get("/profile").status_code == 200
    for path in ("/clients", "/auth/sessions", "/auth/totp", "/admin/dashboard/stats"):
        answer = first.get(path)
        assert reply_of(answer) == (403, "Set a new password to continue.")
        assert answer.json()["code"] == "PASSWORD_CHANGE_REQUIRED"

    assert change(first).json() == {"success": True, "message": "Password reset successfully"}
    assert first.get("/profile").status_code == 401
    again = web.post("/api/v1/auth/login", json={**who, "password": FRESH})
    assert again.json()["data"]["isFirstTimeLogin"] is False
    assert Desk(web, again.json()["accessToken"]).get("/clients").status_code == 200


def test_a_first_log_in_may_also_log_out(web: TestClient, staffed: Staffed) -> None:
    assert log_in(web, invited(staffed)).post("/auth/logout").status_code == 200


def test_the_temporary_password_cannot_be_kept(web: TestClient, staffed: Staffed) -> None:
    who = invited(staffed)

    answer = change(log_in(web, who), who["password"])

    assert answer.json()["message"] == "New password must differ from the previous one."


def test_a_temporary_password_past_its_time_is_a_wrong_one(
    web: TestClient, staffed: Staffed, time: Time
) -> None:
    who = invited(staffed)
    time.go(hours=73)

    answer = web.post("/api/v1/auth/login", json=who)

    assert reply_of(answer) == (401, "Invalid email or password")


def test_a_fresh_session_changes_the_password_and_every_session_ends(
    web: TestClient, admin: Desk, post: Post, staffed: Staffed
) -> None:
    other = log_in(web, ADMIN)

    assert change(admin).status_code == 200
    assert [desk.get("/profile").status_code for desk in (admin, other)] == [401, 401]
    assert post.to(ADMIN["email"])[-1].subject == "Your password was changed"
    (row,) = staffed.trail_of("password_changed")
    assert row.account_id is not None


def test_after_ten_minutes_the_present_password_is_asked_for(
    web: TestClient, admin: Desk, time: Time
) -> None:
    time.go(minutes=11)

    missing = change(admin)
    wrong = change(admin, currentPassword="not this one")
    right = change(admin, currentPassword=ADMIN["password"])

    assert (missing.status_code, missing.json()["code"]) == (422, "current_password_needed")
    assert missing.json()["errors"] == [
        {"field": "currentPassword", "message": "Enter your current password."}
    ]
    assert reply_of(wrong) == (422, "The current password is not right.")
    assert right.status_code == 200


def test_wrong_present_passwords_are_counted(strict: TestClient, admin: Desk, time: Time) -> None:
    desk = Desk(strict, admin.token)
    time.go(minutes=11)
    tries = [change(desk, currentPassword="not this one") for _ in range(6)]

    assert [answer.status_code for answer in tries] == [422] * 5 + [429]
    assert change(desk, currentPassword=ADMIN["password"]).status_code == 429
    time.go(seconds=2)
    assert change(desk, currentPassword=ADMIN["password"]).status_code == 200


def test_the_rules_of_the_screen_hold(admin: Desk) -> None:
    for password, message in (
        ("", "Password is required"),
        ("short", "Password must be at least 8 characters"),
        ("nospecial99", "Password must contain at least one special character"),
        (ADMIN["name"], "Password is too common."),
        (ADMIN["password"], "New password must differ from the previous one."),
    ):
        answer = change(admin, password)

        assert reply_of(answer) == (422, message)


def test_a_new_password_lifts_the_wait_that_strangers_caused(
    strict: TestClient, admin: Desk, post: Post
) -> None:
    desk = Desk(strict, admin.token)
    wrong = {**ADMIN, "password": "not this one"}
    for _ in range(6):
        strict.post("/api/v1/auth/login", json=wrong)
    assert strict.post("/api/v1/auth/login", json=ADMIN).status_code == 429

    change(desk)

    log_in(strict, {**ADMIN, "password": FRESH})
