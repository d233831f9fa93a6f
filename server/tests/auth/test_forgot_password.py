"""The mailed link: who gets one, how long it lives, and what setting a new password does."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from fastapi.testclient import TestClient
from httpx2 import Response
from sqlalchemy import select
from structlog.testing import capture_logs

from tarazu.auth.tables import ResetLink
from tarazu.kit.db import Database
from tests.auth.conftest import Post, Staffed, Time, log_in
from tests.people_of import ADMIN, Desk, reply_of

MAIL = ADMIN["email"]
FRESH = "nine-birches-9"
SENT = {"success": True, "message": "Reset link sent to your email"}
DEAD = "This reset link is invalid or has expired."


def ask(web: TestClient, email: str = MAIL, **headers: str) -> Response:
    path = "/api/v1/auth/forget-password/request"
    return web.post(path, json={"email": email}, headers=headers)


def confirm(web: TestClient, token: str, password: str = FRESH) -> Response:
    path = f"/api/v1/auth/forget-password/confirm/{token}"
    return web.post(path, json={"password": password})


def is_dead(answer: Response) -> bool:
    return (answer.status_code, answer.json()["message"]) == (400, DEAD)


def test_a_mailed_link_sets_a_new_password_and_ends_every_session(
    web: TestClient, admin: Desk, post: Post, staffed: Staffed
) -> None:
    asked = ask(web)
    answer = confirm(web, post.link(MAIL))

    assert (asked.status_code, asked.json()) == (200, SENT)
    assert answer.json() == {"success": True, "message": "Password reset successfully"}
    assert admin.get("/profile").status_code == 401
    assert web.post("/api/v1/auth/login", json=ADMIN).status_code == 401
    assert log_in(web, {**ADMIN, "password": FRESH}).get("/profile").status_code == 200
    assert post.to(MAIL)[-1].subject == "Your password was changed"
    (row,) = staffed.trail_of("password_reset")
    assert '"changed"' in row.changes
    assert FRESH not in row.changes


@pytest.mark.on_both(suite="long")
@pytest.mark.parametrize("who", ["unknown", "inactive", "awaiting", "client"])
def test_everybody_else_gets_the_same_answer_and_no_mail(
    web: TestClient, admin: Desk, post: Post, staffed: Staffed, database: Database, who: str
) -> None:
    email = f"{who}@desk.example"
    if who == "client":
        admin.add_client(email=email)
    elif who != "unknown":
        staffed.add(email, awaits=who == "awaiting")
        staffed.deactivate(email)

    answer = ask(web, email)

    assert (answer.status_code, answer.json()) == (200, SENT)
    assert post.to(email) == []
    with database.reading() as session:
        assert session.execute(select(ResetLink)).all() == []
    assert len(staffed.trail_of("reset_link_asked")) == 1


def test_on_an_empty_installation_it_answers_alike(web: TestClient) -> None:
    assert ask(web).json() == SENT


def test_a_link_is_good_once(web: TestClient, admin: Desk, post: Post) -> None:
    ask(web)
    token = post.link(MAIL)

    assert confirm(web, token).status_code == 200
    assert is_dead(confirm(web, token, "ten-willows-10"))


def test_a_link_lives_thirty_minutes(web: TestClient, admin: Desk, post: Post, time: Time) -> None:
    ask(web)
    time.go(minutes=31)

    assert is_dead(confirm(web, post.link(MAIL)))


def test_a_newer_link_replaces_the_older(web: TestClient, admin: Desk, post: Post) -> None:
    ask(web)
    older = post.link(MAIL)
    ask(web)

    assert is_dead(confirm(web, older))
    assert confirm(web, post.link(MAIL)).status_code == 200


def test_a_link_is_void_after_a_log_in_a_new_password_or_a_deactivation(
    web: TestClient, admin: Desk, post: Post, staffed: Staffed
) -> None:
    who = staffed.add()

    def asked() -> str:
        ask(web, who["email"])
        return post.link(who["email"])

    before_log_in = asked()
    desk = log_in(web, who)
    assert is_dead(confirm(web, before_log_in))

    before_change = asked()
    assert desk.post("/auth/reset-password", {"password": "ten-willows-10"}).status_code == 200
    assert is_dead(confirm(web, before_change))

    before_leave = asked()
    staffed.deactivate(who["email"])
    assert is_dead(confirm(web, before_leave))
    staffed.change(who["email"], status="ACTIVE")
    assert is_dead(confirm(web, before_leave))


def test_a_refused_password_leaves_the_link_good(web: TestClient, admin: Desk, post: Post) -> None:
    ask(web)
    token = post.link(MAIL)

    for password, message in (
        ("", "Password is required"),
        ("short-1", "Password must be at least 8 characters"),
        ("nospecial99", "Password must contain at least one special character"),
        ("x-" * 65, "Password must be at most 128 characters"),
        ("P@ssw0rd123", "Password is too common."),
        (MAIL, "Password is too common."),
        (ADMIN["password"], "New password must differ from the previous one."),
    ):
        answer = confirm(web, token, password)

        assert reply_of(answer) == (422, message)
        assert answer.json()["errors"][0]["field"] == "password"
    assert confirm(web, token).status_code == 200


def test_a_missing_password_has_the_same_message(web: TestClient) -> None:
    answer = web.post("/api/v1/auth/forget-password/confirm/x", json={})

    assert reply_of(answer) == (422, "Password is required")


@pytest.mark.parametrize(
    ("email", "message"), [("", "Email is required"), ("a@", "Enter a valid email")]
)
def test_the_address_is_checked(web: TestClient, email: str, message: str) -> None:
    answer = ask(web, email)

    assert reply_of(answer) == (422, message)


def test_the_link_leads_to_our_own_address_whatever_the_host_says(
    installed: Callable[..., TestClient], admin: Desk, post: Post
) -> None:
    web = installed(public_url="https://desk.example.com", allowed_hosts="office.example")
    assert ask(web, Host="evil.example").status_code == 400
    ask(web, Host="office.example")

    (text,) = post.texts_to(MAIL)
    assert "https://desk.example.com/auth/forgot-password/" in text
    assert "office" not in text


def test_three_mails_an_hour_and_no_word_about_it(
    strict: TestClient, admin: Desk, post: Post, time: Time
) -> None:
    answers = [ask(strict).json() for _ in range(5)]

    assert answers == [SENT] * 5
    assert len(post.to(MAIL)) == 3
    time.go(minutes=61)
    ask(strict)
    assert len(post.to(MAIL)) == 4


def test_twenty_requests_an_hour_from_one_address(strict: TestClient, admin: Desk) -> None:
    answers = [ask(strict, f"nobody{number}@desk.example") for number in range(21)]

    assert [answer.status_code for answer in answers] == [200] * 20 + [429]
    assert int(answers[-1].headers["Retry-After"]) > 3000


def test_ten_wrong_links_in_fifteen_minutes(strict: TestClient, admin: Desk, post: Post) -> None:
    ask(strict)
    answers = [confirm(strict, "x" * 43) for _ in range(11)]

    assert [answer.status_code for answer in answers] == [400] * 10 + [429]
    # Others at the address may have tried them: a good link passes.
    assert confirm(strict, post.link(MAIL)).status_code == 200


def test_of_two_at_once_one_sets_the_password(web: TestClient, admin: Desk, post: Post) -> None:
    ask(web)
    token = post.link(MAIL)
    with ThreadPoolExecutor(4) as pool:
        words = [f"word-number-{number}" for number in range(4)]
        answers = list(pool.map(lambda word: confirm(web, token, word).status_code, words))

    assert sorted(answers) == [200, 400, 400, 400]


def test_the_token_is_in_no_log(web: TestClient, admin: Desk, post: Post) -> None:
    ask(web)
    token = post.link(MAIL)
    with capture_logs() as lines:
        confirm(web, token)

    assert [line["route"] for line in lines] == ["/api/v1/auth/forget-password/confirm/{token}"]
    assert token not in str(lines)
