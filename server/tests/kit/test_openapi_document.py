"""The OpenAPI document tells of every call how it is refused, and that it needs a session."""

from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from tarazu.kit.auth_route import AccessLevel
from tarazu.kit.errors import ApiError
from tarazu.kit.openapi_document import Refused
from tests.people_of import Desk
from tests.routes_of import guarded_routes


@pytest.fixture
def document(unchanged_app: FastAPI) -> dict[str, Any]:
    return unchanged_app.openapi()


def _operations(document: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {
        f"{method.upper()} {path}": operation
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
        if path.startswith("/api/v1/")
    }


def _kinds_of_refusals(kind: type[ApiError] = ApiError) -> set[type[ApiError]]:
    return {kind}.union(*(_kinds_of_refusals(subclass) for subclass in kind.__subclasses__()))


def test_every_status_with_which_we_refuse_is_described(document: dict[str, Any]) -> None:
    described = {
        int(status)
        for operation in _operations(document).values()
        for status, answer in operation["responses"].items()
        if "$ref" in answer
    }

    assert {int(kind.status) for kind in _kinds_of_refusals()} <= described


def test_every_refusal_that_is_named_is_there(document: dict[str, Any]) -> None:
    named = {
        answer["$ref"].rpartition("/")[2]
        for operation in _operations(document).values()
        for answer in operation["responses"].values()
        if "$ref" in answer
    }

    assert named <= document["components"]["responses"].keys()
    assert "HTTPValidationError" not in str(document)


def test_a_call_says_that_it_needs_a_session_where_it_does(
    unchanged_app: FastAPI, document: dict[str, Any]
) -> None:
    operations, wrong = _operations(document), []
    for route in guarded_routes(unchanged_app):
        if not route.include_in_schema:
            continue  # a page, not a call
        is_public = route.access_level is AccessLevel.PUBLIC
        for method in (route.methods or set()) - {"HEAD"}:
            operation = operations[f"{method} {route.path}"]
            is_open = "security" not in operation
            told = {"401", "403"} <= operation["responses"].keys() or is_public
            if is_open != is_public or not told:
                wrong.append(operation["operationId"])

    assert wrong == []


@pytest.mark.parametrize(
    ("method", "path", "content", "status"),
    [
        ("PUT", "/users/edit", b"{", 400),
        ("PUT", "/users/edit", b"{}", 422),
        ("GET", "/admin/clients/client/7/portfolio", None, 422),
        ("GET", f"/admin/clients/client/{'0' * 32}/portfolio", None, 404),
    ],
)
def test_a_refusal_has_the_shape_that_the_document_gives(
    admin: Desk, method: str, path: str, content: bytes | None, status: int
) -> None:
    headers = admin.headers | {"Content-Type": "application/json"}
    answer = admin.web.request(method, f"/api/v1{path}", content=content, headers=headers)

    assert answer.status_code == status
    told = Refused.model_validate(answer.json())
    assert {fault.field for fault in told.errors} == (
        {fault["field"] for fault in answer.json().get("errors", [])}
    )
    assert told.request_id == answer.headers["X-Request-Id"]


def test_a_stranger_is_refused_in_the_shape_that_the_document_gives(web: TestClient) -> None:
    answer = web.get("/api/v1/profile")

    assert Refused.model_validate(answer.json()).code == "not_signed_in"
    assert answer.headers["WWW-Authenticate"] == "Bearer"
