"""The permission matrix, walked over HTTP: every kind of caller on every call."""

import uuid
from collections import Counter

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from httpx2 import Response
from sqlalchemy import func, select, text

from tarazu.kit.auth_route import AccessLevel
from tarazu.kit.db import Database, Table
from tarazu.migrations import all_tables
from tests.people_of import ADMIN, Desk
from tests.routes_of import guarded_routes
from tests.rows_of import scalar

ADMINS_ALONE = (
    "/settings/", "/users", "/admin/users", "/admin/audit", "/admin/sessions", "/brokers/add",
    "/brokers/edit", "/admin/broker/connect", "/admin/broker/login-url", "/admin/broker/logout",
    "/instruments/add",
    "/instruments/remove", "/admin/advice/rebalance-portfolio", "/admin/advice/create",
    "/admin/advice/preflight", "/admin/advice/drafts",
    "/admin/advice/clients/by-code", "/fewer-orders", "/less-tax", "/restore", "/resend",
    "/sealed.zip",
    "/admin/advice/{advice_id}/link",
    "POST /api/v1/admin/models", "PUT /api/v1/admin/models", "/admin/book-runs",
    "/admin/dashboard/setup", "/admin/settings/guards", "/admin/settings/sign-in", "/admin/complaints", "/admin/registers",
    "/admin/teams",
    "/admin/disclosures/breaches",
    "POST /api/v1/admin/advice/{advice_id}/follow-up", "/admin/follow-up/run",
    "/admin/follow-up/questions/{response_id}/reply",
    "/admin/imports/benchmark", "DELETE /api/v1/admin/benchmarks",
    "POST /api/v1/admin/corporate-actions", "DELETE /api/v1/admin/corporate-actions",
    "/admin/imports/corporate-actions", "/admin/obligations", "/admin/inspection-pack",
    "/{approval_id}/approve", "/{approval_id}/refuse", "/admin/settings/second-approval",
    "PUT /api/v1/admin/book-limits", "PUT /api/v1/admin/clients/client/{client_id}/restrictions",
)  # fmt: skip
"""What the matrix keeps for an ADMIN, written by hand and apart from the routes' own rules."""

FIRST_MAY = {
    "GET /api/v1/auth/verify-token",
    "GET /api/v1/profile",
    "POST /api/v1/auth/reset-password",
    "POST /api/v1/auth/logout",
}
NO_TOKEN = "You are not logged in. Please sign in again."
DEAD = "Session expired. Please log in again."
FIRST = "Set a new password to continue."
LOW = "You do not have permission to do this."
KINDS = ("none", "unknown", "ended", "deactivated", "first", "user", "admin")


def _calls(app: FastAPI) -> dict[str, AccessLevel]:
    found = {}
    for route in guarded_routes(app):
        for method in (route.methods or set()) - {"HEAD"}:
            found[f"{method} {route.path}"] = route.access_level
    return found


def _log_in(web: TestClient, email: str, password: str) -> str:
    body = {"email": email, "password": password}
    return str(web.post("/api/v1/auth/login", json=body).json()["accessToken"])


def _invited(admin: Desk, email: str) -> tuple[str, str]:
    new = {"name": "Somebody", "email": email, "role": "USER", "status": "ACTIVE"}
    (one,) = admin.post("/users/add", {"users": [new]}).json()["data"]
    return str(one["_id"]), str(one["temporaryPassword"])


def _tokens(web: TestClient, admin: Desk, user: Desk) -> dict[str, str | None]:
    ended = _log_in(web, ADMIN["email"], ADMIN["password"])
    Desk(web, ended).post("/auth/logout")
    gone, password = _invited(admin, "gone@desk.example")
    deactivated = _log_in(web, "gone@desk.example", password)
    admin.put("/users/edit", {"id": gone, "status": "INACTIVE"})
    _, password = _invited(admin, "first@desk.example")
    return {
        "none": None,
        "unknown": "x" * 43,
        "ended": ended,
        "deactivated": deactivated,
        "first": _log_in(web, "first@desk.example", password),
        "user": user.token,
        "admin": admin.token,
    }


def _refusal(kind: str, call: str, rule: AccessLevel) -> tuple[int, str] | None:
    """How the matrix has this caller refused, None where he is let in."""
    if rule is AccessLevel.PUBLIC:
        return None
    if kind == "none":
        return 401, NO_TOKEN
    if kind in {"unknown", "ended", "deactivated"}:
        return 401, DEAD
    if kind == "first" and call not in FIRST_MAY:
        return 403, FIRST
    is_admins = any(part in call for part in ADMINS_ALONE)
    return (403, LOW) if kind == "user" and is_admins else None


def _ask(web: TestClient, call: str, token: str | None) -> Response:
    method, _, path = call.partition(" ")
    for name in (
        "client_id",
        "user_id",
        "advice_id",
        "fee_id",
        "transaction_id",
        "session_id",
        "response_id",
        "benchmark_id",
        "model_id",
        "action_id",
        "entry_id",
        "invoice_id",
        "consent_id",
        "pack_id",
        "approval_id",
        "passkey_id",
        "team_id",
    ):
        path = path.replace(f"{{{name}}}", str(uuid.UUID(int=7)))
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    # A broken body: who is refused must not learn that it was looked at.
    is_upload = path.endswith("/import")
    headers["Content-Type"] = "multipart/form-data; boundary=x" if is_upload else "application/json"
    return web.request(method, path, headers=headers, content=b"{" if method != "GET" else None)


def _counts(database: Database) -> dict[str, int]:
    """Rows of every table but those that count callers and tell of refusals."""
    assert all_tables is not None
    left_out = {"audit", "audit_head", "sessions", "attempts"}
    return {
        name: scalar(database, select(func.count()).select_from(text(name)))
        for name in Table.metadata.tables
        if name not in left_out
    }


@pytest.mark.on_both(suite="long")
@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_of_caller_is_let_in_or_refused_as_the_matrix_says(
    app: FastAPI, web: TestClient, admin: Desk, user: Desk, database: Database, kind: str
) -> None:
    tokens, calls = _tokens(web, admin, user), _calls(app)
    before, wrong, seen = _counts(database), [], Counter[str]()
    # The log-out last: it ends the session that the others are asked with.
    for call, rule in sorted(calls.items(), key=lambda one: ("logout" in one[0], one[0])):
        wanted = _refusal(kind, call, rule)
        answer = _ask(web, call, tokens[kind])
        said = answer.json() if "json" in answer.headers.get("Content-Type", "") else {}
        got = (answer.status_code, said.get("message"))
        is_guarded = got[1] in {NO_TOKEN, DEAD, FIRST, LOW}
        if (wanted is not None and got != wanted) or (wanted is None and is_guarded):
            wrong.append((call, wanted, got))
        seen["refused" if wanted else "let in"] += 1

    print(f"S1 {kind}: {sum(seen.values())} calls, {dict(seen)}, {len(wrong)} wrong")  # noqa: T201
    assert wrong == []
    if kind in {"none", "unknown", "ended", "deactivated"}:
        assert _counts(database) == before


def test_the_rules_of_the_routes_are_those_of_the_matrix(unchanged_app: FastAPI) -> None:
    wrong = {
        call: rule
        for call, rule in _calls(unchanged_app).items()
        if (rule is AccessLevel.ADMIN) != any(part in call for part in ADMINS_ALONE)
        and rule not in {AccessLevel.PUBLIC, AccessLevel.SIGNED_IN, AccessLevel.ENROLLING}
    }

    assert wrong == {}
