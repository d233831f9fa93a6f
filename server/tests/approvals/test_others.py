"""Runs, brokers' keys and downloads that a second administrator must approve."""

import csv
import datetime as dt
import json
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from sqlalchemy import select, update

from tarazu.advice.tables import AdviceSeal
from tarazu.approvals.tables import Approval
from tarazu.kit import clock
from tarazu.kit.db import Database
from tarazu.kit.settings import Settings
from tests.approvals.conftest import PATH, ask, asked_id, decide, switch_on
from tests.brokers.test_broker_records import ZERODHA, add
from tests.inspection import packs
from tests.models_of import Bench
from tests.people_of import ADMIN, Desk, data_of, reply_of
from tests.rows_of import audit_changes, audit_rows, run, scalars


def _run(bench: Bench) -> dict[str, Any]:
    bench.client("Asha Rao", {"INFY": 100}, "200000")
    bench.client("Binod Sen", {"TCS": 50}, "100000")
    return bench.begun()


def _asked_run(run: dict[str, Any]) -> dict[str, Any]:
    body = {"clients": run["totals"]["included"], "rationale": "Quality."}
    return {"action": "RUN", "runId": run["_id"], "run": body}


@pytest.mark.on_both
def test_an_approved_run_is_sent_and_each_advice_says_who_approved(
    bench: Bench, second: Desk, database: Database
) -> None:
    run = _run(bench)
    switch_on(bench.desk, "RUN")

    alone = bench.send(run)
    approval_id = asked_id(bench.desk, _asked_run(run))
    data_of(decide(second, approval_id))
    ended = bench.settled(run["_id"])

    assert (alone.status_code, alone.json()["details"]) == (403, {"action": "RUN"})
    assert (ended["state"], ended["sentBy"]) == ("DONE", ADMIN["name"])
    assert ended["sending"]["sent"] == 2
    for package in scalars(database, select(AdviceSeal.package)):
        sealed = json.loads(package)
        assert sealed["sender"]["name"] == ADMIN["name"]
        assert sealed["approval"]["approver"]["name"] == "Meera Joshi"
    (row,) = audit_rows(database, "book_run_sent")
    assert json.loads(row.changes)["approvalId"] == approval_id


def test_a_run_that_was_changed_since_is_not_sent(bench: Bench, second: Desk) -> None:
    run = _run(bench)
    switch_on(bench.desk, "RUN")
    approval_id = asked_id(bench.desk, _asked_run(run))
    client = bench.rows(run)[0]["_id"]
    path = f"/admin/book-runs/{run['_id']}/clients/{client}"
    for is_included in (False, True):
        data_of(bench.desk.put(path, {"isIncluded": is_included, "note": "Looked again."}))

    answer = decide(second, approval_id)

    assert reply_of(answer) == (
        409, "The run was changed after the approval was asked for. It must be asked for again.",
    )  # fmt: skip
    assert bench.settled(run["_id"])["state"] == "REVIEW"


@pytest.mark.on_both
def test_a_key_of_a_broker_is_changed_by_the_approval_and_stored_encrypted_until_then(
    admin: Desk, second: Desk, database: Database
) -> None:
    broker_id = add(admin)
    switch_on(admin, "BROKER_KEY")
    edit = {"id": broker_id, "apiKey": "newkey987654321", "apiSecret": "canary-new-secret"}

    alone = admin.put("/brokers/edit", edit)
    approval_id = asked_id(admin, {"action": "BROKER_KEY", "broker": edit})
    shown = second.get(f"{PATH}/{approval_id}")
    stored = scalars(database, select(Approval.request))
    unchanged = data_of(admin.get(f"/brokers/{broker_id}"))["apiKey"]
    data_of(decide(second, approval_id))

    assert (alone.status_code, alone.json()["details"]) == (403, {"action": "BROKER_KEY"})
    assert "canary" not in shown.text
    assert data_of(shown)["facts"] == [
        {"label": "API key", "text": "A new one"},
        {"label": "API secret", "text": "A new one"},
    ]
    assert "canary" not in str(stored) + str(audit_changes(database, approval_id))
    assert unchanged == ZERODHA["apiKey"]
    assert data_of(admin.get(f"/brokers/{broker_id}"))["apiKey"] == "newkey987654321"


@pytest.mark.on_both(suite="long")
def test_other_fields_of_a_broker_need_no_approval_and_a_new_broker_does(
    admin: Desk, second: Desk
) -> None:
    switch_on(admin, "BROKER_KEY")
    alone = admin.post("/brokers/add", ZERODHA)
    approval_id = asked_id(admin, {"action": "BROKER_KEY", "broker": ZERODHA})
    broker_id = data_of(decide(second, approval_id))["result"]

    edited = admin.put("/brokers/edit", {"id": broker_id, "description": "Of the firm"})

    assert alone.status_code == 403
    assert data_of(edited)["description"] == "Of the firm"


def test_an_edit_that_would_fail_is_refused_when_it_is_asked_for(admin: Desk, second: Desk) -> None:
    broker_id = add(admin)
    switch_on(admin, "BROKER_KEY")
    edit = {"id": broker_id, "apiKey": "another-key-1", "version": 7}

    answer = ask(admin, {"action": "BROKER_KEY", "broker": edit})

    assert answer.status_code == 409
    assert data_of(admin.get(f"/brokers/{broker_id}"))["apiKey"] == ZERODHA["apiKey"]
    assert data_of(second.get(PATH)) == []


def _download(desk: Desk, **filters: str) -> Any:
    return desk.get("/admin/clients/export", **filters)


@pytest.mark.on_both
def test_a_list_of_many_clients_is_downloaded_with_the_approved_filters_for_a_day(
    admin: Desk, second: Desk, user: Desk, database: Database
) -> None:
    admin.add_client()
    switch_on(admin, "EXPORT")
    refused = _download(user, query="Kavya")
    details = refused.json()["details"]

    approval_id = asked_id(user, details, "For the auditor.")
    early = _download(user, query="Kavya").status_code
    data_of(decide(second, approval_id))
    download = _download(user, query="Kavya")
    other_filters = _download(user).status_code
    other_person = _download(admin, query="Kavya").status_code
    a_day_ago = clock.now() - dt.timedelta(hours=24)
    run(database, update(Approval).values(decided_at=a_day_ago))
    too_late = _download(user, query="Kavya").status_code

    assert details == {"action": "EXPORT", "what": "clients", "filters": {"query": "Kavya"}}
    assert (refused.status_code, early, other_filters, other_person, too_late) == (403,) * 5
    assert download.status_code == 200
    assert "Kavya Menon" in download.text
    (row,) = audit_rows(database, "taken_away")
    assert json.loads(row.changes)["approvalId"] == approval_id


def test_lists_of_one_client_and_lists_without_clients_need_no_approval(
    admin: Desk, second: Desk
) -> None:
    client_id = admin.add_client()
    switch_on(admin, "EXPORT")

    own = admin.get(f"/admin/clients/client/{client_id}/order-book/export")
    holidays = admin.get("/settings/holidays/export")

    assert (own.status_code, holidays.status_code) == (200, 200)


def test_every_list_that_names_clients_is_held_back(
    admin: Desk, second: Desk, app: FastAPI
) -> None:
    """The lists that are not, written by hand."""
    client_id = admin.add_client()
    switch_on(admin, "EXPORT")
    paths = sorted(
        path for path in app.openapi()["paths"] if path.endswith("/export") and "{" not in path
    )

    free = [
        path.removeprefix("/api/v1")
        for path in paths
        if admin.get(path.removeprefix("/api/v1")).status_code == 200
    ]

    assert client_id
    assert free == [
        "/admin/book-runs/export",
        "/admin/calls/record/export",
        "/admin/corporate-actions/export",
        "/admin/dashboard/daily-aum/export",
        "/admin/dashboard/stocks-distribution/export",
        "/admin/disclosures/export",
        "/admin/models/export",
        "/admin/registers/advertisements/export",
        "/admin/registers/ai-tools/export",
        "/admin/registers/certificates/export",
        "/admin/registers/handles/export",
        "/admin/registers/incidents/export",
        "/admin/registers/rules/export",
        "/settings/charges/export",
        "/settings/fee-schedule/export",
        "/settings/holidays/export",
        "/settings/invoice-rules/export",
        "/users/export",
    ]


def test_a_pack_of_the_firm_is_downloaded_with_an_approval(
    admin: Desk, second: Desk, database: Database, settings: Settings, tmp_path: Path
) -> None:
    admin.add_client()
    pack = packs.made(admin, database, settings)
    of_one = packs.made(admin, database, settings, clientCode="C0001")
    switch_on(admin, "EXPORT")
    path = f"{packs.PATH}/{pack['_id']}/file"

    refused = admin.get(path)
    approval_id = asked_id(admin, refused.json()["details"])
    data_of(decide(second, approval_id))

    assert refused.status_code == 403
    assert admin.get(path).status_code == 200
    assert admin.get(f"{packs.PATH}/{of_one['_id']}/file").status_code == 200
    folder = packs.opened(settings, packs.made(admin, database, settings), tmp_path / "pack")
    with (folder / "approvals.csv").open(encoding="utf-8-sig", newline="") as file:
        (row,) = csv.DictReader(file)
    assert (row["Asked By"], row["State"], row["Decided By"]) == (
        ADMIN["name"],
        "APPROVED",
        "Meera Joshi",
    )
