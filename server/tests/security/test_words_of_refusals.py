"""What a validator says of a field never reaches a person: whatever is sent, the words are ours."""

import re
import uuid
from collections.abc import Iterator
from typing import Any, get_args, get_origin

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from pydantic import BaseModel
from pydantic_core.core_schema import ErrorType

from tarazu.app import create_app
from tarazu.kit.auth_route import AccessLevel, AuthorizedRoute
from tarazu.kit.db import Database
from tarazu.kit.sentences import sentence_of
from tarazu.kit.settings import Settings
from tests.people_of import Desk, reply_of
from tests.routes_of import guarded_routes

THEIRS = re.compile(
    r"\binput\b|\bshould\b|validation|unable to|valid (string|integer|number|decimal|uuid|dict)"
    r"|field required|not permitted|pydantic|\berror\b",
    re.IGNORECASE,
)
GARBAGE: list[Any] = [
    None, "", "x", "\x00", "é" * 3_000, -1, 10**40, 1.123456789, True, [], [None], ["x"] * 300,
    {}, {"a": 1}, "2026-99-99", "1e5",
]  # fmt: skip
BODIES: list[Any] = [None, [], "x", 5, {}]


def filled(annotation: Any, value: Any) -> Any:
    """A body of this shape with `value` in every field, rows and parts of it too."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return {
            of.alias or name: filled(of.annotation, value)
            for name, of in annotation.model_fields.items()
        }
    if get_origin(annotation) is list and value is not None:
        return [filled(get_args(annotation)[0], value)]
    for part in get_args(annotation):
        inner = filled(part, value)
        if inner is not value:
            return inner
    return value


def bodies_of(route: AuthorizedRoute) -> Iterator[Any]:
    yield from BODIES
    for param in route.dependant.body_params:
        for value in GARBAGE:
            yield filled(param.field_info.annotation, value)


def words_in(answer: dict[str, Any]) -> Iterator[str]:
    yield answer["message"]
    for fault in answer.get("errors", []):
        yield fault["message"]


@pytest.mark.on_both(suite="long")
@pytest.mark.long
def test_no_sentence_of_the_validator_reaches_a_caller(admin: Desk, app: FastAPI) -> None:
    refused = 0
    for route in guarded_routes(app):
        if route.access_level is AccessLevel.PUBLIC or route.name == "log_out":
            continue
        (method,) = (route.methods or set()) - {"HEAD"}
        some, wrong = (
            re.sub(r"\{\w+\}", text, route.path) for text in (str(uuid.UUID(int=7)), "x")
        )
        asked: list[tuple[str, dict[str, Any]]] = [(wrong, {})] if wrong != some else []
        names = [param.alias for param in route.dependant.query_params]
        for param in route.dependant.query_params:
            kind = param.field_info.annotation
            if isinstance(kind, type) and issubclass(kind, BaseModel):
                names += [of.alias or name for name, of in kind.model_fields.items()]
        asked += [(some, {"params": dict.fromkeys(names, text)}) for text in ("x", "-1") if names]
        if method != "GET" and not route.path.endswith("/import"):
            asked += [(some, {"json": body}) for body in bodies_of(route)]
        for path, sent in asked:
            answer = admin.web.request(method, path, headers=admin.headers, **sent)
            if answer.status_code < 400:
                continue
            refused += 1
            assert answer.status_code < 500, (method, path, sent, answer.text)
            told = answer.json()
            for words in words_in(told):
                assert not THEIRS.search(words), (method, path, words)
                assert words.endswith((".", "required", "date", "characters", "email")) or (
                    words[0].isupper()
                ), words
    assert refused > 1_000


@pytest.mark.parametrize(
    "kind", [get_arg for get_arg in get_args(ErrorType) if get_arg != "value_error"]
)
def test_every_kind_of_fault_has_a_sentence_of_ours(kind: str) -> None:
    bounds = dict.fromkeys(
        ("min_length", "max_length", "ge", "gt", "le", "lt", "decimal_places", "max_digits",
         "whole_digits", "expected"),
        3,
    )  # fmt: skip
    fault = {"type": kind, "loc": ("body", "startingDate"), "msg": "Input should", "ctx": bounds}

    words = sentence_of(fault)

    assert words.startswith("Starting date ")
    assert not THEIRS.search(words)


def test_a_long_list_of_faults_is_cut_and_counted(admin: Desk) -> None:
    body = {"clientId": str(uuid.UUID(int=7)), "targetInvestmentValue": 1}

    answer = admin.post("/admin/advice/rebalance-portfolio", body | {"targetHoldings": [{}] * 250})

    told = answer.json()
    assert answer.status_code == 422
    assert (len(told["errors"]), told["errorCount"]) == (200, 250)


CALLER_FIRST = {"Content-Type": "text/plain"}


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded"])
def test_permission_is_checked_before_the_media_type(
    web: TestClient, admin: Desk, user: Desk, kind: str
) -> None:
    def post(token: str) -> int:
        headers = {"Content-Type": kind} | ({"Authorization": f"Bearer {token}"} if token else {})
        return web.post("/api/v1/users/add", content=b"{}", headers=headers).status_code

    assert [post(""), post("dead"), post(user.token), post(admin.token)] == [401, 401, 403, 415]


def test_a_public_call_takes_json_alone(web: TestClient) -> None:
    answer = web.post("/api/v1/auth/login", content=b"{}", headers=CALLER_FIRST)

    assert (answer.status_code, answer.json()["code"]) == (415, "wrong_media_type")


def test_two_hosts_are_refused(web: TestClient) -> None:
    headers = [("Host", "testserver"), ("Host", "elsewhere.example")]

    answer = web.get("/api/v1/firm", headers=headers)

    assert (answer.status_code, answer.json()["code"]) == (400, "unknown_host")


@pytest.mark.parametrize(
    "name",
    [
        "\u200b",
        "\u200d\u200c",
        "\u3164",
        "\u2800\u2800",
        "\u00a0",
        "\u0301",
        "Asha\u3164",
        "\u115f",
    ],
)
def test_a_name_of_which_nothing_is_seen_is_refused(admin: Desk, name: str) -> None:
    new = {"name": name, "email": "asha@home.example"}

    answer = admin.post("/clients/add", {"clients": [new]})

    assert answer.status_code == 422
    assert answer.json()["errors"][0]["field"] == "clients.0.name"


@pytest.mark.parametrize("name", ["आशा राव", "ஆஷா", "শর্মি\u200dলা", "José Fernandes", "李"])
def test_names_in_any_script_are_taken(admin: Desk, name: str) -> None:
    new = {"name": name, "email": "asha@home.example"}

    assert admin.post("/clients/add", {"clients": [new]}).status_code == 201


@pytest.mark.parametrize("email", ["ａ@home.example", "\u0430sha@home.example", "a@hоme.example"])
def test_an_address_that_looks_like_another_is_refused(admin: Desk, email: str) -> None:
    answer = admin.post("/clients/add", {"clients": [{"name": "Asha", "email": email}]})

    assert reply_of(answer) == (422, "Enter a valid email, in plain Latin letters.")


def test_an_account_with_such_an_address_from_before_can_still_log_in(
    settings: Settings, database: Database
) -> None:
    web = TestClient(create_app(settings, database))
    body = {"email": "josé@desk.example", "password": "quiet river 9"}

    assert web.post("/api/v1/auth/login", json=body).status_code == 401


@pytest.mark.parametrize(
    "logo", ["https://u:p@logos.example/a.png", "https://u@logos.example", "http://:p@x.example"]
)
def test_a_logo_with_a_user_in_it_is_refused(admin: Desk, logo: str) -> None:
    answer = admin.post("/brokers/add", {"name": "ZERODHA", "logo": logo})

    assert reply_of(answer) == (422, "A logo URL has no user name and no password in it.")
