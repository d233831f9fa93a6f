"""The middleware, the site, and how failures are answered."""

import json
import uuid
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from sqlalchemy.exc import OperationalError
from starlette.applications import Starlette

from tarazu.app import create_app
from tarazu.kit.auth_route import RouteWithoutAccessLevel, authorized_router, require_access_levels
from tarazu.kit.site import Site
from tests.people_of import Desk, reply_of


def test_a_body_too_large_or_of_another_kind_is_refused_before_anything_is_read(
    web: TestClient,
) -> None:
    large = web.post(
        "/api/v1/auth/login", content=b"x" * (1 << 21), headers={"Content-Type": "application/json"}
    )
    other = web.post("/api/v1/auth/login", data={"email": "a@b.in"})

    assert (large.status_code, large.json()["code"]) == (413, "too_large")
    assert (other.status_code, other.json()["code"]) == (415, "wrong_media_type")
    assert large.headers["X-Request-Id"] == large.json()["requestId"]


def test_a_request_id_is_taken_over_only_if_it_is_one(web: TestClient) -> None:
    own = str(uuid.uuid4())

    kept = web.get("/api/v1/profile", headers={"X-Request-Id": own})
    new = web.get("/api/v1/profile", headers={"X-Request-Id": "<script>"})

    assert kept.headers["X-Request-Id"] == own
    assert str(uuid.UUID(new.headers["X-Request-Id"])) == new.headers["X-Request-Id"]


def test_an_unknown_address_of_the_api_is_answered_in_the_envelope(web: TestClient) -> None:
    answer = web.get("/api/v1/nowhere")

    assert (answer.status_code, answer.json()["success"]) == (404, False)


def test_a_wrong_method_and_a_wrong_value_are_refused_in_the_envelope(admin: Desk) -> None:
    wrong_method = admin.put("/admin/clients", {})
    wrong_value = admin.get("/admin/clients", limit=1000)

    assert (wrong_method.status_code, wrong_method.json()["success"]) == (405, False)
    assert (wrong_value.status_code, wrong_value.json()["success"]) == (422, False)


def test_a_busy_database_is_answered_as_busy(
    app: FastAPI, admin: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OperationalError("SELECT", {}, Exception("database is locked"))

    monkeypatch.setattr("tarazu.dashboard.service.stats", fail)
    answer = admin.get("/admin/dashboard/stats")

    assert reply_of(answer) == (503, "Busy, try again")
    assert answer.headers["Retry-After"]


def test_an_internal_error_reveals_nothing(admin: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("a secret path")

    monkeypatch.setattr("tarazu.dashboard.service.stats", fail)
    answer = admin.get("/admin/dashboard/stats")

    assert answer.status_code == 500
    assert "secret" not in answer.text
    assert answer.json()["message"] == "Something went wrong"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


def test_a_route_without_an_access_level_stops_the_start() -> None:
    with pytest.raises(RouteWithoutAccessLevel):
        authorized_router("/x").get("/open")(lambda: None)

    plain = FastAPI()
    plain.get("/api/v1/open")(lambda: None)
    with pytest.raises(RouteWithoutAccessLevel):
        require_access_levels(plain)


def test_the_site_serves_packed_files_and_its_index_for_every_screen(tmp_path: Path) -> None:
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text("<title>Tarazu</title>")
    (tmp_path / "assets/app-1.js").write_text("plain")
    (tmp_path / "assets/app-1.js.br").write_bytes(b"packed")
    site = TestClient(Starlette(routes=[Site(tmp_path).route]))

    script = site.get("/assets/app-1.js", headers={"Accept-Encoding": "gzip"})
    with site.stream("GET", "/assets/app-1.js", headers={"Accept-Encoding": "br"}) as packed:
        encoding = packed.headers["Content-Encoding"]
    screen = site.get("/home/dashboard")

    assert (script.text, encoding) == ("plain", "br")
    assert "immutable" in script.headers["Cache-Control"]
    assert (screen.text, screen.headers["Cache-Control"]) == ("<title>Tarazu</title>", "no-cache")
    for missing in ("/assets/app-2.js", "/../secrets.key", "/api/v1/x", "/health/x"):
        assert site.get(missing).status_code == 404


def test_with_a_screen_go_the_names_of_what_it_loads(tmp_path: Path) -> None:
    (tmp_path / ".vite").mkdir()
    (tmp_path / "index.html").write_text("<title>Tarazu</title>")
    screens = {"/home/fees": ["assets/fees-1.js", "assets/fees-1.css"]}
    (tmp_path / ".vite/screens.json").write_text(json.dumps(screens))
    site = TestClient(Starlette(routes=[Site(tmp_path).route]))

    wanted = (
        "</assets/fees-1.js>; rel=modulepreload, "
        "</assets/fees-1.css>; rel=preload; as=style; crossorigin"
    )
    assert site.get("/home/fees").headers["Link"] == wanted
    assert site.get("/home/fees/?page=2").headers["Link"] == wanted
    for other in ("/", "/home", "/home/fees/x", "/home/feesx"):
        assert "Link" not in site.get(other).headers


def test_a_screen_that_the_build_rendered_is_served_as_it_is(tmp_path: Path) -> None:
    (tmp_path / ".vite").mkdir()
    (tmp_path / "auth").mkdir()
    (tmp_path / "index.html").write_text("<title>Tarazu</title>")
    (tmp_path / "auth/login.html").write_text("<h1>Log in</h1>")
    screens = {"/auth/login": ["assets/login-1.js", "assets/login-1.css"]}
    (tmp_path / ".vite/screens.json").write_text(json.dumps(screens))
    site = TestClient(Starlette(routes=[Site(tmp_path).route]))

    for address in ("/auth/login", "/auth/login/", "/auth/login?next=/home/fees"):
        screen = site.get(address)
        assert (screen.text, screen.headers["Cache-Control"]) == ("<h1>Log in</h1>", "no-cache")
        assert screen.headers["Link"] == "</assets/login-1.js>; rel=modulepreload"
    assert site.get("/auth/signup").text == "<title>Tarazu</title>"
    assert site.get("/auth/login.html").status_code == 404


def test_health_distinguishes_live_from_ready(app: FastAPI, web: TestClient) -> None:
    assert web.get("/health/live").json() == {"live": True}
    assert web.get("/health/ready").json() == {"ready": True}


def test_the_api_document_is_served_only_where_it_is_exposed(settings, database) -> None:
    hidden = TestClient(create_app(settings, database))
    shown = TestClient(create_app(settings.model_copy(update={"expose_openapi": True}), database))

    assert hidden.get("/api/v1/openapi.json").status_code == 404
    assert shown.get("/api/v1/openapi.json").json()["openapi"].startswith("3.1")
    page = shown.get("/api/docs")
    assert "/api/v1/admin/advice/create" in page.text
    assert "<script" not in page.text
    assert hidden.get("/api/docs").status_code == 404
