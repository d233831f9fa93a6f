"""An endpoint and the writing of its answer are one transaction."""

from typing import Any

import pytest
from fastapi import FastAPI, Response
from fastapi.testclient import TestClient
from pydantic import BaseModel
from sqlalchemy import text

from tarazu.kit.auth_route import AsyncEndpoint, Public, authorized_router
from tarazu.kit.db import Database, OpenSession
from tarazu.kit.errors import ApiError, install_handlers
from tests.rows_of import run, scalar

pytestmark = pytest.mark.on_both

ROWS = "SELECT count(*) FROM line"


class RowCount(BaseModel):
    rows: int


class Counted(ApiError):
    commit_on_error = True


@pytest.fixture
def served(database: Database) -> TestClient:
    run(database, text("CREATE TABLE line (place INTEGER)"))
    router, app = authorized_router(""), FastAPI()

    def put(session: OpenSession) -> int:
        session.execute(text("INSERT INTO line VALUES (1)"))
        return int(session.execute(text(ROWS)).scalar_one())

    @router.post("/fit", status_code=201, response_model=RowCount)
    def fit(session: OpenSession, _: Public) -> Any:
        return {"rows": put(session), "more": "is left out"}

    @router.post("/unfit", response_model=RowCount)
    def unfit(session: OpenSession, _: Public) -> Any:
        put(session)
        return {"rows": "many"}

    @router.post("/refused", response_model=RowCount)
    def refused(session: OpenSession, _: Public) -> Any:
        put(session)
        raise ApiError

    @router.post("/counted", response_model=RowCount)
    def counted(session: OpenSession, _: Public) -> Any:
        put(session)
        raise Counted

    @router.post("/headed", response_model=RowCount)
    def headed(session: OpenSession, response: Response, _: Public) -> Any:
        response.headers["X-Rows"] = "yes"
        return {"rows": put(session)}

    app.state.database = database
    install_handlers(app)
    app.include_router(router)
    return TestClient(app, raise_server_exceptions=False)


def _count(database: Database) -> int:
    return int(scalar(database, text(ROWS)))


def test_an_answer_has_its_status_and_its_shape_alone(
    served: TestClient, database: Database
) -> None:
    answer = served.post("/api/v1/fit")

    assert (answer.status_code, answer.json()) == (201, {"rows": 1})
    assert answer.headers["Content-Type"] == "application/json"
    assert _count(database) == 1


def test_an_answer_that_cannot_be_written_keeps_nothing(
    served: TestClient, database: Database
) -> None:
    assert served.post("/api/v1/unfit").status_code == 500
    assert _count(database) == 0


def test_a_refusal_keeps_what_was_written_only_where_it_says_so(
    served: TestClient, database: Database
) -> None:
    assert served.post("/api/v1/refused").status_code == 400
    assert _count(database) == 0
    assert served.post("/api/v1/counted").status_code == 400
    assert _count(database) == 1


def test_what_an_endpoint_sets_on_its_response_is_sent(
    served: TestClient, database: Database
) -> None:
    answer = served.post("/api/v1/headed")

    assert (answer.json(), answer.headers["X-Rows"]) == ({"rows": 1}, "yes")
    assert _count(database) == 1


def test_an_endpoint_that_awaits_is_refused_when_it_is_declared() -> None:
    async def awaits(_: Public) -> None:
        """Would open its sessions on the event loop."""

    with pytest.raises(AsyncEndpoint):
        authorized_router("").get("/awaits")(awaits)
