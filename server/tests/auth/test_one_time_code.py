"""Four digits by mail: what they open, how often they may be tried, and what strangers learn."""

import re

import pytest
from fastapi.testclient import TestClient
from httpx2 import Response
from sqlalchemy import select

from tarazu.auth.tables import OtpChallenge
from tarazu.kit.db import Database
from tests.auth.conftest import Post, Staffed, Time, log_in
from tests.people_of import ADMIN, Desk, data_of, reply_of
from tests.rows_of import scalar

MAIL = ADMIN["email"]
FRESH = "nine-birches-9"


def ask(web: TestClient, email: str = MAIL) -> str:
    return str(data_of(web.post("/api/v1/auth/otp/request", json={"email": email}))["challengeId"])


def verify(web: TestClient, challenge: str, code: str) -> Response:
    return web.post("/api/v1/auth/otp/verify", json={"challengeId": challenge, "code": code})


def other(code: str) -> str:
    return f"{(int(code) + 1) % 10_000:04d}"


def is_refused(answer: Response) -> bool:
    told = (answer.status_code, answer.json()["message"])
    return told == (400, "Invalid OTP. Please try again.")


def test_the_right_code_gives_the_right_to_set_a_password(
    web: TestClient, admin: Desk, post: Post
) -> None:
    challenge = ask(web)
    answer = verify(web, challenge, post.code(MAIL))
    token = answer.json()["data"]["resetToken"]
    done = web.post(f"/api/v1/auth/forget-password/confirm/{token}", json={"password": FRESH})

    assert re.fullmatch(r"[0-9a-f]{32}", challenge)
    assert answer.json()["message"] == "OTP verified successfully!"
    assert done.json() == {"success": True, "message": "Password reset successfully"}
    assert admin.get("/profile").status_code == 401
    log_in(web, {**ADMIN, "password": FRESH})


def test_a_wrong_used_old_or_unknown_one_is_refused_alike(
    web: TestClient, admin: Desk, post: Post, time: Time
) -> None:
    challenge = ask(web)
    code = post.code(MAIL)
    assert is_refused(verify(web, "0" * 32, code))
    assert is_refused(verify(web, challenge, other(code)))
    assert verify(web, challenge, code).status_code == 200
    assert is_refused(verify(web, challenge, code))

    time.go(minutes=2)
    late = ask(web)
    time.go(minutes=11)
    assert is_refused(verify(web, late, post.code(MAIL)))


def test_five_tries_then_the_challenge_is_dead(web: TestClient, admin: Desk, post: Post) -> None:
    challenge = ask(web)
    code = post.code(MAIL)
    answers = [verify(web, challenge, other(code)) for _ in range(5)]

    assert all(map(is_refused, answers))
    assert is_refused(verify(web, challenge, code))


@pytest.mark.parametrize("code", ["", "12", "12345", "12a4", "١٢٣٤"])
def test_anything_but_four_digits_is_no_whole_code(web: TestClient, code: str) -> None:
    answer = verify(web, "0" * 32, code)

    assert reply_of(answer) == (422, "Please enter the complete OTP")


@pytest.mark.on_both(suite="long")
def test_an_unknown_address_gets_a_challenge_that_no_code_meets(
    web: TestClient, admin: Desk, post: Post, database: Database
) -> None:
    challenge = ask(web, "nobody@desk.example")

    assert re.fullmatch(r"[0-9a-f]{32}", challenge)
    assert post.to("nobody@desk.example") == []
    otp_challenge = scalar(database, select(OtpChallenge))
    assert otp_challenge.account_id is None
    assert otp_challenge.code_hash.startswith("$argon2id$")
    assert is_refused(verify(web, challenge, "0000"))


def test_one_mail_a_minute_and_five_a_day(
    strict: TestClient, admin: Desk, post: Post, time: Time
) -> None:
    first = ask(strict)
    code = post.code(MAIL)
    early = ask(strict)
    assert len(post.to(MAIL)) == 1
    assert is_refused(verify(strict, early, code))
    assert verify(strict, first, code).status_code == 200

    for _ in range(6):
        time.go(seconds=61)
        ask(strict)
    assert len(post.to(MAIL)) == 5
    time.go(days=1)
    ask(strict)
    assert len(post.to(MAIL)) == 6


def test_twenty_requests_an_hour_from_one_address(strict: TestClient) -> None:
    path, body = "/api/v1/auth/otp/request", {"email": "nobody@desk.example"}
    answers = [strict.post(path, json=body).status_code for _ in range(21)]

    assert answers == [200] * 20 + [429]


def test_a_code_of_before_a_deactivation_opens_nothing(
    web: TestClient, admin: Desk, post: Post, staffed: Staffed
) -> None:
    who = staffed.add()
    challenge = ask(web, who["email"])
    staffed.deactivate(who["email"])
    assert is_refused(verify(web, challenge, post.code(who["email"])))
    staffed.change(who["email"], status="ACTIVE")
    assert is_refused(verify(web, challenge, post.code(who["email"])))


def test_the_trail_holds_what_was_asked_and_no_code(
    web: TestClient, admin: Desk, post: Post, staffed: Staffed
) -> None:
    verify(web, ask(web), post.code(MAIL))

    (asked,), (met,) = (
        staffed.trail_of("one_time_code_asked"),
        staffed.trail_of("one_time_code_met"),
    )
    assert asked.record_id == met.record_id
    assert post.code(MAIL) not in asked.changes + met.changes
