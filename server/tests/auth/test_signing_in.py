"""Signing up, logging in, logging out."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from fastapi.testclient import TestClient
from httpx2 import Response

from tests.people_of import ADMIN, Desk, reply_of, sign_up


def test_the_first_account_becomes_admin_and_is_signed_in(web: TestClient) -> None:
    answer = web.post("/api/v1/auth/register", json=ADMIN)

    assert reply_of(answer) == (201, "Signup successful!")
    assert answer.json()["data"] == {"role": "ADMIN"}
    assert Desk(web, answer.json()["accessToken"]).get("/auth/verify-token").status_code == 200


def test_the_first_sign_up_needs_the_code_where_one_is_set_and_later_ones_none(
    installed: Callable[..., TestClient],
) -> None:
    web = installed(admin_setup_code="blue kite 42")

    def needs_code() -> bool:
        return bool(web.get("/api/v1/auth/sign-up").json()["data"]["needsSetupCode"])

    def sign_up(**more: str) -> Response:
        return web.post("/api/v1/auth/register", json=ADMIN | more)

    assert needs_code()
    for refused in (sign_up(), sign_up(setupCode="red kite 42")):
        assert (refused.status_code, refused.json()["code"]) == (403, "setup_code_wrong")
        assert refused.json()["errors"][0]["field"] == "setupCode"
    assert sign_up(setupCode="blue kite 42").json()["data"]["role"] == "ADMIN"
    assert not needs_code()


def test_no_code_is_asked_for_where_none_is_set(web: TestClient) -> None:
    assert web.get("/api/v1/auth/sign-up").json()["data"] == {"needsSetupCode": False}


def test_a_later_sign_up_awaits_approval_and_cannot_enter(web: TestClient, admin: Desk) -> None:
    later = {"name": "Ravi Rao", "email": "ravi@desk.example", "password": "eight elms 8"}

    answer = web.post("/api/v1/auth/register", json=later)
    entry = web.post("/api/v1/auth/login", json=later)

    assert (answer.status_code, answer.json()["success"]) == (200, False)
    assert answer.json()["accessToken"] is None
    assert reply_of(entry) == (403, "Your account awaits approval by an administrator.")


def test_two_first_sign_ups_at_once_make_one_admin(web: TestClient) -> None:
    people = [{**ADMIN, "email": f"first{n}@desk.example"} for n in range(4)]

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda p: web.post("/api/v1/auth/register", json=p), people))

    assert [answer.json().get("data") for answer in answers].count({"role": "ADMIN"}) == 1


def test_a_wrong_password_and_an_unknown_email_are_refused_alike(
    web: TestClient, admin: Desk
) -> None:
    wrong = web.post("/api/v1/auth/login", json={**ADMIN, "password": "not this one"})
    unknown = web.post("/api/v1/auth/login", json={**ADMIN, "email": "nobody@desk.example"})

    for answer in (wrong, unknown):
        assert reply_of(answer) == (401, "Invalid email or password")
        assert answer.json()["code"] == "wrong_credentials"


def test_a_client_record_may_not_sign_in(web: TestClient, admin: Desk) -> None:
    admin.add_client(email="kavya@home.example")

    answer = web.post(
        "/api/v1/auth/login", json={"email": "kavya@home.example", "password": "anything at all"}
    )

    assert answer.status_code == 401


def test_logging_out_ends_the_session_on_the_server(web: TestClient) -> None:
    desk = Desk(web, sign_up(web, ADMIN))

    gone = desk.post("/auth/logout")
    after = desk.get("/auth/verify-token")

    assert gone.json() == {"success": True, "message": "Logged out"}
    assert reply_of(after) == (401, "Session expired. Please log in again.")


def test_a_missing_token_and_a_dead_one_have_different_messages(web: TestClient) -> None:
    none = web.get("/api/v1/profile")
    dead = Desk(web, "x" * 43).get("/profile")

    assert none.json()["message"] == "You are not logged in. Please sign in again."
    assert dead.json()["message"] == "Session expired. Please log in again."
    assert none.headers["WWW-Authenticate"] == "Bearer"


def test_sign_up_answers_with_the_messages_of_the_screen(web: TestClient) -> None:
    for body, message in (
        ({"email": "a@b.in", "password": "long enough"}, "Name is required"),
        ({"name": " ", "email": "a@b.in", "password": "long enough"}, "Name is required"),
        ({"name": "A", "password": "long enough"}, "Email is required"),
        ({"name": "A", "email": "a@b", "password": "long enough"}, "Enter a valid email"),
        ({"name": "A", "email": "a@b.in"}, "Password is required"),
        (
            {"name": "A", "email": "a@b.in", "password": "short"},
            "Password must be at least 8 characters",
        ),
    ):
        answer = web.post("/api/v1/auth/register", json=body)

        assert reply_of(answer) == (422, message)


def test_permission_is_decided_before_the_body_is_read(web: TestClient) -> None:
    answer = web.post(
        "/api/v1/clients/add", content=b"{not json", headers={"Content-Type": "application/json"}
    )

    assert answer.status_code == 401


def test_every_answer_carries_the_security_headers(web: TestClient, admin: Desk) -> None:
    for answer in (
        web.get("/api/v1/profile"),
        admin.get("/profile"),
        web.get("/api/v1/nothing-here"),
        web.post("/api/v1/auth/login", content=b"{", headers={"Content-Type": "application/json"}),
    ):
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert "script-src 'self'" in answer.headers["Content-Security-Policy"]
        assert answer.headers["Cache-Control"] == "no-store"
        assert answer.headers["X-Request-Id"]
