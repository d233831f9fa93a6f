"""Drafts of advice: a person's own, kept until it is sent or dropped."""

import datetime as dt
import uuid
from typing import Any

import pytest
from httpx2 import Response
from sqlalchemy import update

from tarazu.advice.tables import AdviceDraft
from tarazu.kit import clock
from tarazu.kit.db import Database
from tarazu.people.tables import Role
from tarazu.upkeep import purge
from tests.advice.conftest import AdviceDesk
from tests.people_of import Desk, data_of, staff_desk
from tests.rows_of import run

pytestmark = pytest.mark.on_both

CONTENT: dict[str, Any] = {"investment": 250000.5, "rows": [{"tradingSymbol": "M&M", "target": 42}]}


def at(advice: AdviceDesk) -> str:
    return f"/admin/advice/drafts/{advice.client_id}"


def body(version: int | None = None, **content: Any) -> dict[str, Any]:
    return {"version": version, "schemaVersion": 1, "content": CONTENT | content}


def discard(desk: Desk, path: str) -> Response:
    return desk.web.delete(f"/api/v1{path}", headers=desk.headers)


def test_a_draft_comes_back_as_it_was_saved(advice: AdviceDesk) -> None:
    assert data_of(advice.desk.get(at(advice))) is None

    saved = data_of(advice.desk.put(at(advice), body()))

    shown = data_of(advice.desk.get(at(advice)))
    assert shown["content"] == CONTENT
    assert (shown["version"], shown["schemaVersion"]) == (saved["version"], 1) == (1, 1)
    assert shown["changedAt"] == saved["changedAt"]


def test_a_draft_that_another_device_changed_is_not_overwritten(advice: AdviceDesk) -> None:
    advice.desk.put(at(advice), body())
    data_of(advice.desk.put(at(advice), body(1, rationale="newer")))

    late = advice.desk.put(at(advice), body(1, rationale="older"))
    blind = advice.desk.put(at(advice), body(None, rationale="older"))

    assert (late.status_code, blind.status_code) == (409, 409)
    assert data_of(advice.desk.get(at(advice)))["content"]["rationale"] == "newer"


def test_sending_the_advice_removes_the_draft_and_a_late_save_does_not_bring_it_back(
    advice: AdviceDesk,
) -> None:
    advice.desk.put(at(advice), body())

    advice.sent()

    assert advice.desk.put(at(advice), body(1)).status_code == 409
    assert data_of(advice.desk.get(at(advice))) is None


def test_an_advice_that_is_refused_keeps_the_draft(advice: AdviceDesk) -> None:
    advice.desk.put(at(advice), body())

    assert advice.send(advice.advice_of(advice.rebalanced(), totalBuyValue=1)).status_code == 422

    assert data_of(advice.desk.get(at(advice))) is not None


def test_a_draft_is_discarded_on_request_and_again_without_harm(advice: AdviceDesk) -> None:
    advice.desk.put(at(advice), body())

    assert discard(advice.desk, at(advice)).status_code == 200
    assert discard(advice.desk, at(advice)).status_code == 200
    assert data_of(advice.desk.get(at(advice))) is None


def test_a_draft_is_its_authors_alone(advice: AdviceDesk) -> None:
    advice.desk.put(at(advice), body())
    other = staff_desk(advice.desk.web, advice.database, "meera@desk.example", Role.ADMIN)

    assert data_of(other.get(at(advice))) is None
    assert other.get("/admin/advice/drafts").json()["data"] == []
    discard(other, at(advice))
    assert data_of(advice.desk.get(at(advice))) is not None


def test_drafts_are_listed_with_their_client(advice: AdviceDesk) -> None:
    advice.desk.put(at(advice), body())

    (row,) = advice.desk.get("/admin/advice/drafts").json()["data"]

    assert (row["userId"], row["clientId"]) == (advice.client_id, "C0001")


def test_the_draft_of_a_deleted_client_is_refused_and_goes(
    advice: AdviceDesk, database: Database
) -> None:
    advice.desk.put(at(advice), body())
    gone = advice.desk.post("/clients/delete", {"clientId": advice.client_id, "version": 1})
    assert gone.status_code == 200, gone.text

    answers = [advice.desk.get(at(advice)), advice.desk.put(at(advice), body(1))]

    assert [(one.status_code, one.json()["message"]) for one in answers] == [
        (404, "Client not found")
    ] * 2
    assert advice.desk.get("/admin/advice/drafts").json()["data"] == []
    assert purge.drop_old_drafts(database, clock.now()) == 1


def test_a_draft_goes_after_three_months_without_a_change(
    advice: AdviceDesk, database: Database
) -> None:
    advice.desk.put(at(advice), body())
    now = clock.now()

    run(database, update(AdviceDraft).values(changed_at=now - dt.timedelta(days=89)))
    assert purge.drop_old_drafts(database, now) == 0
    run(database, update(AdviceDraft).values(changed_at=now - dt.timedelta(days=91)))
    assert purge.drop_old_drafts(database, now) == 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"content": {"rationale": "x" * 600_000}}, "A draft has at most 512 KB."),
        ({"content": {"rows": [[[[[[[[[[[[]]]]]]]]]]]]}}, "A draft is nested too deeply."),
        ({"schemaVersion": 0}, "Schema version must be at least 1."),
    ],
)
def test_a_draft_that_cannot_be_stored_is_refused(
    advice: AdviceDesk, change: dict[str, Any], message: str
) -> None:
    answer = advice.desk.put(at(advice), body() | change)

    assert (answer.status_code, answer.json()["message"]) == (422, message)
    assert data_of(advice.desk.get(at(advice))) is None


@pytest.mark.parametrize("text", [r'"\ud800"', "NaN"])
def test_a_draft_that_could_not_be_read_again_is_refused(advice: AdviceDesk, text: str) -> None:
    raw = f'{{"schemaVersion": 1, "content": {{"rationale": {text}}}}}'
    headers = advice.desk.headers | {"Content-Type": "application/json"}

    answer = advice.desk.web.put(f"/api/v1{at(advice)}", content=raw, headers=headers)

    assert answer.status_code in {400, 422}
    assert data_of(advice.desk.get(at(advice))) is None


def test_only_an_admin_has_drafts(advice: AdviceDesk) -> None:
    user = staff_desk(advice.desk.web, advice.database)

    assert user.get(at(advice)).status_code == 403
    assert user.put(at(advice), body()).status_code == 403
    assert discard(user, at(advice)).status_code == 403
    assert user.get("/admin/advice/drafts").status_code == 403


def test_a_draft_of_nobody_is_not_found(advice: AdviceDesk) -> None:
    answer = advice.desk.put(f"/admin/advice/drafts/{uuid.uuid4()}", body())

    assert answer.status_code == 404
