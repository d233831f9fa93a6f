"""What stands before the send of a run: the same checks as for one client, over all included."""

import json
from typing import Any

import pytest
from sqlalchemy import select, update

from tarazu.advice import sealing
from tarazu.advice.documents.message import draft_of
from tarazu.advice.documents.parts import parts_of
from tarazu.advice.tables import AdviceSeal
from tarazu.firm.tables import Firm
from tests.models_of import WORDS, Bench, version_of
from tests.papers.papers_of import set_kyc
from tests.people_of import NO_TO_ALL, data_of
from tests.rows_of import scalars


def set_firm(bench: Bench, **values: object) -> None:
    with bench.database.transaction() as session:
        session.execute(update(Firm).values(**values))


def checks_of(bench: Bench, run: dict[str, Any], **more: Any) -> dict[str, dict[str, Any]]:
    return {
        row["id"]: row
        for row in data_of(
            bench.desk.post("/admin/advice/preflight", {"runId": run["_id"], **more})
        )
    }


@pytest.fixture
def run(bench: Bench) -> dict[str, Any]:
    """A run of two clients, in review."""
    bench.client("Asha Rao", {"INFY": 100}, "200000")
    bench.client("Ravi Iyer", {"TCS": 50}, "200000")
    return bench.begun()


@pytest.mark.on_both
def test_a_run_is_looked_at_as_one_client_is(bench: Bench, run: dict[str, Any]) -> None:
    checks = checks_of(bench, run)

    assert {
        one["level"]
        for name, one in checks.items()
        if name not in {"mail", "price_source", "certificate", "kyc", "terms"}
    } == {"OK"}
    assert checks["rationale"]["text"] == "The model's rationale is used."
    assert checks["price_age"]["fix"]["to"] == f"/home/models/book/{run['_id']}"
    assert checks["client_specific"]["text"] == "The advice is scaled from a model portfolio."


def test_papers_are_looked_at_of_every_client_and_the_first_without_them_is_opened(
    bench: Bench, run: dict[str, Any]
) -> None:
    clients = {row["clientId"]: row["_id"] for row in data_of(bench.desk.get("/admin/clients"))}
    assert checks_of(bench, run)["kyc"]["text"].startswith("C0001, C0002: the PAN")

    data_of(set_kyc(bench.desk, clients["C0001"]))

    check = checks_of(bench, run)["kyc"]
    assert (check["level"], check["text"][:6]) == ("WARN", "C0002:")
    to = f"/home/client/papers?clientId={clients['C0002']}&code=C0002"
    assert check["fix"]["to"] == to


@pytest.mark.on_both(suite="long")
@pytest.mark.parametrize(
    ("values", "check"),
    [
        ({"registration_number": ""}, "registration"),
        ({"disclosures_confirmed_on": None}, "disclosures"),
    ],
)
def test_what_the_firm_lacks_refuses_the_run(
    bench: Bench, run: dict[str, Any], values: dict[str, Any], check: str
) -> None:
    set_firm(bench, **values)

    answer = bench.send(run)

    assert (answer.status_code, answer.json()["code"]) == (422, "send_blocked")
    text = checks_of(bench, run)[check]["text"]
    assert answer.json()["errors"] == [{"field": check, "message": text}]
    assert bench.settled(run["_id"])["state"] == "REVIEW"


def test_an_empty_rationale_refuses_the_run_and_none_is_the_models(
    bench: Bench, run: dict[str, Any]
) -> None:
    assert bench.send(run, rationale=" ").json()["message"] == (
        "A rationale is required to send advice."
    )

    assert bench.sent(run)["state"] == "DONE"


@pytest.mark.on_both(suite="long")
def test_where_staff_hold_stocks_the_sender_of_a_run_answers(
    bench: Bench, run: dict[str, Any]
) -> None:
    yes = {"id": "holdings", "isYes": True, "details": "The analyst holds shares of TCS."}
    bench.desk.put("/settings/firm", {"disclosureAnswers": [yes, *NO_TO_ALL[1:]]})

    assert checks_of(bench, run)["disclosures"]["level"] == "BLOCK"
    answered = {"disclosures": {"holdings": "None of these stocks is held."}}
    assert checks_of(bench, run, **answered)["disclosures"]["level"] == "OK"
    assert bench.sent(run, **answered)["state"] == "DONE"


def test_the_same_orders_again_are_named_by_client(bench: Bench, run: dict[str, Any]) -> None:
    bench.sent(run)
    for row in bench.rows(run):
        shares = {"INFY": 100} if row["name"] == "Asha Rao" else {"TCS": 50}
        bench.hold(row["_id"], shares, "200000")

    again = bench.begun()

    assert checks_of(bench, again)["possible_duplicate"]["text"] == (
        "C0001, C0002: the same orders were sent within the last business day."
    )
    assert bench.sent(again)["state"] == "DONE"


@pytest.mark.on_both
def test_each_advice_of_a_run_seals_the_checks(bench: Bench, run: dict[str, Any]) -> None:
    bench.sent(run, acknowledged=["price_source"])

    texts = scalars(bench.database, select(AdviceSeal.package))
    for text in texts:
        kept = {check["id"]: check["is_acknowledged"] for check in json.loads(text)["checks"]}
        assert (kept["price_source"], kept["mail"], kept["disclosures"]) == (True, False, None)
    for row in bench.rows(run):
        verified = bench.desk.get(f"/admin/advice/{row['adviceId']}/verify").json()["data"]
        assert verified["holds"], verified


def test_each_advice_of_a_run_seals_the_risks_of_the_models_version(
    bench: Bench, run: dict[str, Any]
) -> None:
    path = f"/admin/models/{bench.model['_id']}/versions"
    data_of(bench.desk.post(path, version_of(risks="Now another risk.")), 201)
    bench.sent(run)

    texts = scalars(bench.database, select(AdviceSeal.package))
    assert texts
    for text in texts:
        package = sealing.from_text(text)
        assert package.model
        assert package.model.risks == WORDS["risks"]
        parts = parts_of(package)
        assert (parts.risks.title, parts.risks.paragraphs) == ("Risks", [WORDS["risks"]])
        draft = draft_of(package, b"")
        assert f"RISKS\n{WORDS['risks']}" in draft.text
        assert WORDS["risks"] in draft.html


def test_a_run_that_was_sent_is_not_looked_at_again(bench: Bench, run: dict[str, Any]) -> None:
    bench.sent(run)

    answer = bench.desk.post("/admin/advice/preflight", {"runId": run["_id"]})

    assert answer.status_code == 409
