"""A call finds its route, whatever stands before it."""

import re
import uuid
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.routing import Match

from tarazu.kit.directory import Directory
from tests.people_of import Desk
from tests.routes_of import guarded_routes


def _scope(method: str, path: str) -> dict[str, Any]:
    return {"type": "http", "method": method, "path": path, "root_path": "", "headers": []}


def _directory(app: FastAPI) -> Directory:
    (found,) = (route for route in app.router.routes if isinstance(route, Directory))
    return found


def test_every_route_is_found_by_the_directory_as_the_router_would_find_it(
    unchanged_app: FastAPI,
) -> None:
    directory, routes = _directory(unchanged_app), guarded_routes(unchanged_app)
    for route in routes:
        path = re.sub(r"\{[^}]+\}", lambda _: str(uuid.uuid4()), route.path)
        for method in route.methods or set():
            scope = _scope(method, path)
            first = next(one for one in routes if one.matches(scope)[0] is Match.FULL)
            match, child = directory.matches(scope)
            assert (match, child["route"]) == (Match.FULL, first), path


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/api/v1/nothing"),
        ("GET", "/"),
        ("GET", ""),
        ("PATCH", "/api/v1/admin/clients"),
        ("GET", "/api/v1/admin/clients/"),
        ("GET", "/api/v1/admin/clients/client"),
    ],
)
def test_what_fits_no_route_wholly_is_left_to_the_router(
    unchanged_app: FastAPI, method: str, path: str
) -> None:
    assert _directory(unchanged_app).matches(_scope(method, path)) == (Match.NONE, {})


def test_a_socket_is_none_of_its(unchanged_app: FastAPI) -> None:
    scope = {"type": "websocket", "path": "/api/v1/admin/clients", "root_path": ""}

    assert _directory(unchanged_app).matches(scope) == (Match.NONE, {})


def test_a_call_that_does_not_exist_and_a_wrong_method_are_told_apart(admin: Desk) -> None:
    unknown = admin.get("/admin/nowhere")
    wrong = admin.put("/admin/clients", {})

    assert (unknown.status_code, wrong.status_code) == (404, 405)
