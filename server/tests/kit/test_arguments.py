"""What an endpoint is called with is what the framework would call it with."""

import datetime as dt
import uuid
from typing import Annotated, Any

import pytest
from fastapi import FastAPI, Query, Request
from fastapi.testclient import TestClient

from tarazu.kit.arguments import arguments_of
from tarazu.kit.auth_route import Public, guarded_router
from tarazu.kit.db import Database, OpenSession
from tarazu.kit.errors import install_handlers
from tarazu.kit.schemas import ListParams, Schema
from tests.people_of import Desk
from tests.routes_of import guarded_routes

SOMEBODY = "01a1fb73-0392-751c-90e5-1dda4674873a"


class Wanted(ListParams):
    since: dt.date | None = None
    deleted: bool = False


class Told(Schema):
    words: str


@pytest.fixture
def app_of(database: Database) -> FastAPI:
    router, app = guarded_router(""), FastAPI()

    def list_some(
        one_id: uuid.UUID,
        session: OpenSession,
        again: OpenSession,
        request: Request,
        _: Public,
        asked: Annotated[Wanted, Query()],
    ) -> Any:
        is_one = session is again and request.url.path.endswith("rows")
        return {"words": f"{one_id!r} {asked!r} {is_one}"}

    router.get("/some/{one_id}/rows", response_model=Told)(list_some)
    # The framework finds its arguments by itself: beside the read, it is a call that writes too.
    router.api_route("/same/{one_id}/rows", methods=["GET", "POST"], response_model=Told)(list_some)
    app.state.database, app.state.reading_lane = database, None
    install_handlers(app)
    app.router.routes.extend(router.routes)
    return app


@pytest.mark.parametrize(
    ("one_id", "asked"),
    [
        (SOMEBODY, ""),
        (SOMEBODY, "page=3&limit=50&query=a%20b&sort=-name"),
        (SOMEBODY.upper(), "since=2026-11-02&deleted=true&unknown=1"),
        (SOMEBODY, "page=2&page=3"),
        (SOMEBODY, "query=&sort="),
        (SOMEBODY, "page=0"),
        (SOMEBODY, "limit=many&since=tomorrow"),
        (SOMEBODY, "deleted=perhaps"),
        ("nobody", "page=2"),
        ("nobody", "page=0"),
    ],
)
def test_a_read_is_answered_as_the_framework_would_have_it(
    app_of: FastAPI, one_id: str, asked: str
) -> None:
    client = TestClient(app_of)

    found = client.get(f"/api/v1/some/{one_id}/rows?{asked}")
    wanted = client.get(f"/api/v1/same/{one_id}/rows?{asked}")

    assert (found.status_code, found.json()) == (wanted.status_code, wanted.json())


def test_one_is_found_here_and_the_other_by_the_framework(app_of: FastAPI) -> None:
    some, same = guarded_of(app_of)

    assert arguments_of(some.dependant) is not None
    assert some.methods == {"GET"} != same.methods


def guarded_of(app: FastAPI) -> list[Any]:
    return [route for route in app.router.routes if getattr(route, "dependant", None)][-2:]


def test_the_calls_of_every_page_are_found_here(unchanged_app: FastAPI) -> None:
    routes = guarded_routes(unchanged_app)
    reads = [one for one in routes if one.methods == {"GET"} and one.response_field]
    found = [one for one in reads if arguments_of(one.dependant) is not None]

    assert len(found) > 0.8 * len(reads)


def test_a_wrong_value_is_told_as_ever(admin: Desk) -> None:
    answer = admin.get("/admin/clients", limit=1000)

    assert answer.status_code == 422
    assert answer.json()["success"] is False
