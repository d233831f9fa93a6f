"""Exports leave a row: files, letters, and what a browser copies or prints."""

import csv
import io
import uuid
from typing import Any

import pytest

from tests.advice.conftest import AdviceDesk, advice
from tests.models_of import Bench, bench, version_of
from tests.people_of import Desk

__all__ = ["advice", "bench"]


def _taken(admin: Desk) -> list[dict[str, Any]]:
    rows = admin.get("/admin/audit", action="taken_away", limit=50).json()["data"]
    return [
        {"who": row["who"], "name": row["recordName"]}
        | {change["field"]: change["after"] for change in row["changes"]}
        for row in rows
    ]


def test_a_letter_that_is_downloaded_leaves_a_row(advice: AdviceDesk, user: Desk) -> None:
    advice_id = advice.sent()

    assert user.get(f"/admin/advice/{advice_id}/letter.pdf").status_code == 200
    assert user.get(f"/admin/advice/{uuid.uuid4()}/letter.pdf").status_code == 404

    (row,) = _taken(advice.desk)
    assert (row["what"], row["format"], row["adviceId"]) == ("advice-letter", "pdf", advice_id)


@pytest.mark.parametrize("way", ["copied", "printed"])
def test_what_a_browser_copies_or_prints_leaves_a_row(
    advice: AdviceDesk, user: Desk, way: str
) -> None:
    body = {"what": "Trade list", "way": way, "rows": 3}

    assert user.post("/admin/taken-away", body).status_code == 200
    own = user.post("/admin/taken-away", body | {"clientId": advice.client_id})
    assert own.status_code == 200

    newest, first = _taken(advice.desk)
    for row in (newest, first):
        assert (row["what"], row["format"], row["rows"]) == ("Trade list", way, "3")


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"what": ""}, 422),
        ({"what": "Trade\nlist"}, 422),
        ({"way": "mailed"}, 422),
        ({"rows": -1}, 422),
        ({"clientId": str(uuid.uuid4())}, 404),
    ],
)
def test_unfit_words_of_a_browser_leave_none(
    admin: Desk, change: dict[str, Any], status: int
) -> None:
    body = {"what": "Clients", "way": "copied", "rows": 3} | change

    assert admin.post("/admin/taken-away", body).status_code == status
    assert _taken(admin) == []


def _csv(desk: Desk, path: str, **params: Any) -> list[dict[str, str]]:
    answer = desk.get(path, format="csv", **params)
    assert answer.status_code == 200, answer.text
    workbook = desk.get(path, format="xlsx", **params)
    assert workbook.content[:2] == b"PK"
    return list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))


@pytest.mark.on_both(suite="long")
def test_models_versions_followers_and_runs_are_exported(bench: Bench) -> None:
    client = bench.client("Asha Rao", {"INFY": 100}, "200000")
    key = bench.model["_id"]
    bench.desk.post(f"/admin/models/{key}/versions", version_of({"INFY": 50, "TCS": 50}))
    run = bench.begun()

    (model,) = _csv(bench.desk, "/admin/models/export")
    versions = _csv(bench.desk, f"/admin/models/{key}/versions/export")
    (follower,) = _csv(bench.desk, f"/admin/models/{key}/subscribers/export")
    (shown,) = _csv(bench.desk, "/admin/book-runs/export", modelId=key)

    assert (model["Model"], model["Version"], model["Subscribers"]) == ("Large Cap", "2", "1")
    assert [(row["Version"], row["Stock"]) for row in versions[:2]] == [("2", "INFY"), ("2", "TCS")]
    assert len(versions) == 2 + 4
    assert follower["Client Name"] == "Asha Rao"
    assert (shown["State"], shown["Clients"]) == ("REVIEW", "1")
    assert client
    assert run["state"] == "REVIEW"
    assert _csv(bench.desk, "/admin/models/export", query="nothing of the kind") == []
    whats = {row["what"] for row in _taken(bench.desk)}
    assert whats == {"models", "model-versions", "model-clients", "book-runs"}


def test_restrictions_are_exported(bench: Bench) -> None:
    client = bench.client("Asha Rao", {"INFY": 100}, "200000")
    bench.restrict(client, {"tradingSymbol": "TCS", "kind": "NEVER_BUY", "reason": "Employer"})

    (row,) = _csv(bench.desk, f"/admin/clients/client/{client}/restrictions/export")

    assert (row["Stock"], row["Restriction"], row["Reason"]) == ("TCS", "Never buy", "Employer")


def test_holidays_charges_and_fee_schedules_are_exported(admin: Desk, user: Desk) -> None:
    admin.put("/settings/holidays", {"holidays": [{"date": "2031-01-26", "name": "Republic Day"}]})

    (holiday,) = _csv(admin, "/settings/holidays/export", year=2031)
    charges = _csv(admin, "/settings/charges/export")
    schedules = _csv(admin, "/settings/fee-schedule/export")

    assert holiday == {"Date": "2031-01-26", "Holiday": "Republic Day"}
    stt = [row for row in charges if row["Charge"] == "stt" and row["Side"] == "BUY"]
    assert [(row["Rate"], row["In Force"]) for row in stt][:1] == [("0.1", "yes")]
    assert [row["In Force"] for row in schedules] == ["yes"]
    for path in ("holidays", "charges", "fee-schedule"):
        assert user.get(f"/settings/{path}/export", format="csv").status_code == 403
