"""Step-up: which calls need a fresh proof, what proves it, for how long, and what it leaves."""

from collections.abc import Callable

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from httpx2 import Response

from tarazu.kit.auth_route import StepUp
from tests.auth.conftest import Staffed, Time, log_in
from tests.auth.test_second_factor import code_now, set_up
from tests.people_of import ADMIN, Desk, data_of, reply_of
from tests.routes_of import guarded_routes

REFUSED = (403, "Confirm that it is you: enter your password, or use a passkey.")
PASSWORD = {"password": ADMIN["password"]}
SETTINGS = "/admin/settings/sign-in"


def turn_on(admin: Desk, minutes: int = 10) -> None:
    data_of(admin.put(SETTINGS, {"stepUp": True, "stepUpMinutes": minutes}))


def _is_refused(answer: Response) -> bool:
    if answer.status_code != 403:
        return False
    return reply_of(answer) == REFUSED and answer.json()["code"] == "STEP_UP_REQUIRED"


def test_exports_keys_and_roles_need_a_fresh_proof_and_nothing_else(unchanged_app: FastAPI) -> None:
    rules: dict[StepUp | None, set[str]] = {}
    for route in guarded_routes(unchanged_app):
        for method in (route.methods or set()) - {"HEAD"}:
            rules.setdefault(route.step_up, set()).add(f"{method} {route.path}")
    asked = rules[StepUp.IF_REQUIRED]
    exports = {call for call in asked if call.endswith("/export")}

    assert asked - exports == {
        "POST /api/v1/users/add",
        "PUT /api/v1/users/edit",
        "POST /api/v1/users/delete",
        "POST /api/v1/admin/users/{user_id}/restore",
        "POST /api/v1/brokers/add",
        "PUT /api/v1/brokers/edit",
        "POST /api/v1/admin/inspection-pack",
        "GET /api/v1/admin/inspection-pack/{pack_id}/file",
        # Who sees which clients, and what needs a second person, is as strong as a role.
        "PUT /api/v1/admin/settings/second-approval",
        "POST /api/v1/admin/teams",
        "PUT /api/v1/admin/teams/{team_id}",
        "DELETE /api/v1/admin/teams/{team_id}",
        "PUT /api/v1/settings/team-access",
        # It may change keys, or release an export.
        "POST /api/v1/admin/approvals/{approval_id}/approve",
    }
    assert not {call for call in rules[None] if call.endswith("/export")}
    assert "GET /api/v1/admin/audit/export" in exports
    assert rules[StepUp.ALWAYS] == {
        "PUT /api/v1/admin/settings/sign-in",
        "POST /api/v1/auth/passkeys/begin",
        "POST /api/v1/auth/passkeys",
        "DELETE /api/v1/auth/passkeys/{passkey_id}",
    }


def test_a_fresh_installation_asks_for_none(admin: Desk, time: Time) -> None:
    time.go(minutes=11)

    assert data_of(admin.get(SETTINGS))["stepUp"] is False
    assert admin.get("/clients/export").status_code == 200
    assert admin.get("/admin/audit/export").status_code == 200
    assert admin.post("/users/add", {"users": []}).json().get("code") != "STEP_UP_REQUIRED"


def test_the_settings_of_sign_in_need_one_in_any_case(admin: Desk, time: Time) -> None:
    time.go(minutes=11)

    refused = admin.put(SETTINGS, {"stepUp": True})

    assert _is_refused(refused)
    assert data_of(admin.get(SETTINGS))["stepUp"] is False


def test_a_sign_in_is_a_proof_for_ten_minutes(admin: Desk, time: Time) -> None:
    turn_on(admin)

    time.go(minutes=9, seconds=59)
    in_time = admin.get("/clients/export")
    time.go(seconds=1)
    late = admin.get("/clients/export")

    assert in_time.status_code == 200
    assert _is_refused(late)


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/admin/audit/export"),
        ("GET", "/users/export"),
        ("POST", "/admin/inspection-pack"),
        ("POST", "/users/add"),
        ("PUT", "/users/edit"),
        ("POST", "/users/delete"),
        ("POST", "/brokers/add"),
        ("PUT", "/brokers/edit"),
    ],
)
def test_it_is_refused_before_the_body_is_read(
    admin: Desk, time: Time, method: str, path: str
) -> None:
    turn_on(admin)
    time.go(minutes=11)

    content = None if method == "GET" else b"{"
    headers = admin.headers | {"Content-Type": "application/json"}
    answer = admin.web.request(method, f"/api/v1{path}", headers=headers, content=content)

    assert _is_refused(answer)


def test_a_role_that_is_too_low_is_refused_as_ever(user: Desk, admin: Desk, time: Time) -> None:
    turn_on(admin)
    time.go(minutes=11)

    answer = user.get("/users/export")

    assert reply_of(answer) == (403, "You do not have permission to do this.")


def test_the_password_is_a_proof_for_this_session_alone(
    web: TestClient, admin: Desk, staffed: Staffed, time: Time
) -> None:
    turn_on(admin)
    other = log_in(web, ADMIN)
    time.go(minutes=11)
    assert _is_refused(admin.get("/clients/export"))

    data_of_nothing = admin.post("/auth/step-up", PASSWORD)

    assert data_of_nothing.status_code == 200
    assert admin.get("/clients/export").status_code == 200
    assert _is_refused(other.get("/clients/export"))
    (row,) = staffed.trail_of("identity_confirmed")
    assert '"PASSWORD"' in row.changes
    time.go(minutes=10)
    assert _is_refused(admin.get("/clients/export"))


def test_with_a_second_factor_its_code_is_asked_for_too(admin: Desk, time: Time) -> None:
    seed, _ = set_up(admin)
    turn_on(admin)
    time.go(minutes=11)
    ways = data_of(admin.get("/auth/step-up"))

    missing = admin.post("/auth/step-up", PASSWORD)
    wrong = admin.post("/auth/step-up", PASSWORD | {"totpCode": "000000"})
    still = admin.get("/clients/export")
    right = admin.post("/auth/step-up", PASSWORD | {"totpCode": code_now(seed)})
    again = admin.post("/auth/step-up", PASSWORD | {"totpCode": code_now(seed)})

    assert ways == {"hasTotp": True, "hasPasskey": False}
    assert (missing.status_code, missing.json()["code"]) == (422, "totp_required")
    assert (wrong.status_code, wrong.json()["errors"][0]["field"]) == (422, "totpCode")
    assert _is_refused(still)
    assert right.status_code == 200
    assert again.status_code == 422, "a code is good once"


def test_wrong_proofs_count_and_make_the_account_wait(
    strict: TestClient, staffed: Staffed, time: Time
) -> None:
    desk = log_in(strict, staffed.add())
    wrong = [desk.post("/auth/step-up", {"password": "not this"}).status_code for _ in range(5)]

    waiting = desk.post("/auth/step-up", {"password": "eight elms 8"})
    also = desk.post("/auth/totp/enrol", {"password": "eight elms 8"})

    assert wrong == [422] * 5
    assert (waiting.status_code, also.status_code) == (429, 429)
    assert len(staffed.trail_of("confirmation_refused")) == 5
    time.go(minutes=16)
    assert desk.post("/auth/step-up", {"password": "eight elms 8"}).status_code == 200


def test_a_right_password_does_not_reset_the_count_of_wrong_codes(
    strict: TestClient, staffed: Staffed, time: Time
) -> None:
    desk = log_in(strict, staffed.add(password=ADMIN["password"]))
    set_up(desk)
    body = PASSWORD | {"totpCode": "000000"}

    answers = [desk.post("/auth/step-up", body).status_code for _ in range(6)]

    assert answers == [422] * 5 + [429]


def test_a_proof_is_void_while_the_clock_is_before_it(admin: Desk, time: Time) -> None:
    turn_on(admin)
    assert admin.post("/auth/step-up", PASSWORD).status_code == 200

    time.go(hours=-1)

    assert _is_refused(admin.get("/clients/export"))


@pytest.mark.on_both(suite="long")
def test_the_minutes_are_a_setting(admin: Desk, time: Time) -> None:
    turn_on(admin, minutes=2)
    wrong = admin.put(SETTINGS, {"stepUpMinutes": 0})

    time.go(minutes=2)

    assert wrong.status_code == 422
    assert _is_refused(admin.get("/clients/export"))


def test_a_change_of_the_settings_is_recorded_and_a_stale_one_refused(
    admin: Desk, staffed: Staffed
) -> None:
    version = data_of(admin.get(SETTINGS))["version"]
    turn_on(admin)

    stale = admin.put(SETTINGS, {"stepUp": False, "version": version})

    assert stale.status_code == 409
    (row,) = staffed.trail_of("sign_in_settings_edited")
    assert '"step_up": [false, true]' in row.changes


@pytest.mark.on_both(suite="long")
def test_passwords_of_users_are_only_turned_off_where_there_is_single_sign_on(
    web: TestClient, admin: Desk, installed: Callable[..., TestClient], staffed: Staffed
) -> None:
    refused = admin.put(SETTINGS, {"userPasswords": False})
    sso = installed(oidc_issuer="https://id.example", oidc_client_id="tarazu")
    at_sso = Desk(sso, admin.token)

    accepted = at_sso.put(SETTINGS, {"userPasswords": False})
    user = sso.post("/api/v1/auth/login", json=staffed.add())
    wrong = sso.post("/api/v1/auth/login", json=staffed.add("b@desk.example") | {"password": "no"})
    chief = sso.post("/api/v1/auth/login", json=ADMIN)

    assert (refused.status_code, refused.json()["errors"][0]["field"]) == (422, "userPasswords")
    assert data_of(accepted)["userPasswords"] is False
    assert reply_of(user) == (
        403,
        "This firm signs in by single sign-on. Use its button, or a passkey.",
    )
    assert reply_of(wrong) == (401, "Invalid email or password")
    assert chief.status_code == 200
