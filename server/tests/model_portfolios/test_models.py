"""Model portfolios: versions that never change, subscribers, drift, limits, who may do what."""

import datetime as dt

import pytest
from sqlalchemy import update

from tarazu.kit import clock
from tarazu.people.tables import Person, Status
from tests.models_of import MODEL, Bench, version_of
from tests.people_of import Desk, new_key, reply_of


def test_a_model_shows_its_constituents_and_leaves_the_rest_to_cash(bench: Bench) -> None:
    model = bench.desk.get(f"/admin/models/{bench.model['_id']}").json()["data"]

    (version,) = model["versions"]
    assert version["cashPercentage"] == 5
    assert {
        row["tradingSymbol"]: row["allocationPercentage"] for row in version["constituents"]
    } == MODEL
    first = version["constituents"][0]
    told = first["ltp"], first["priceSource"], first["isPriceStale"]
    assert told == (1500, "SIMULATED", False)
    assert version["author"] == "Ananya Kulkarni"
    assert version["benchmark"] == "Nifty 50 TRI"


def test_a_new_version_leaves_the_old_as_it_was(bench: Bench) -> None:
    path = f"/admin/models/{bench.model['_id']}/versions"

    answer = bench.desk.post(path, version_of({"SBIN": 60}, rationale="Banks now."))

    assert answer.status_code == 201
    newest, oldest = answer.json()["data"]["versions"]
    assert (newest["number"], oldest["number"]) == (2, 1)
    assert oldest == bench.model["versions"][0]
    assert newest["cashPercentage"] == 40
    again = bench.desk.post(path, version_of({"SBIN": 60}, rationale="Banks now."), **new_key())
    assert reply_of(again) == (422, "Nothing differs from version 2.")


@pytest.mark.parametrize(
    ("targets", "message"),
    [
        ({"INFY": 60, "TCS": 50}, "Total target allocation cannot exceed 100%"),
        ({"INFY": 0}, "INFY: a target is 0.01 to 100 % in steps of 0.01."),
        ({"INFY": 10.005}, "INFY: a target is 0.01 to 100 % in steps of 0.01."),
        ({"NOSUCH": 10}, "Stock NOSUCH is not known on NSE."),
        ({"CASH": 10}, "Cash is what the constituents leave of 100 %: no row is given."),
    ],
)
def test_unfit_constituents_are_named(
    bench: Bench, targets: dict[str, float], message: str
) -> None:
    answer = bench.desk.post("/admin/models", {"name": "Other", **version_of(targets)})

    assert reply_of(answer) == (422, message)


@pytest.mark.parametrize(
    "field", ["rationale", "benchmark", "universe", "selectionMethod", "risks"]
)
def test_every_text_of_a_version_is_required(bench: Bench, field: str) -> None:
    body = {"name": "Other", **version_of(), field: "  "}

    assert bench.desk.post("/admin/models", body).status_code == 422


def test_names_are_taken_once_whatever_their_capitals(bench: Bench) -> None:
    answer = bench.desk.post("/admin/models", {"name": "LARGE cap", **version_of()})

    assert answer.status_code == 409


def test_a_stale_edit_overwrites_nothing(bench: Bench) -> None:
    path = f"/admin/models/{bench.model['_id']}"
    assert bench.desk.put(path, {"name": "Core", "version": 1}).status_code == 200

    answer = bench.desk.put(path, {"name": "Other", "version": 1})

    assert answer.status_code == 409
    assert bench.desk.get(path).json()["data"]["name"] == "Core"


@pytest.mark.on_both(suite="long")
def test_a_client_follows_one_model(bench: Bench) -> None:
    client = bench.client("Asha Rao", {"INFY": 10}, "1000")
    other = bench.desk.post("/admin/models", {"name": "Banks", **version_of({"SBIN": 90})})
    path = f"/admin/models/{other.json()['data']['_id']}/subscribers"

    refused = bench.desk.put(path, {"add": [{"clientId": client}]})

    assert refused.status_code == 409
    assert refused.json()["message"] == (
        "Asha Rao (C0001) follows Large Cap. Take the client out there first."
    )
    mine = f"/admin/models/{bench.model['_id']}/subscribers"
    assert bench.desk.put(mine, {"remove": [client]}).json()["data"]["subscribers"] == 0
    assert bench.desk.put(path, {"add": [{"clientId": client}]}).status_code == 200
    (row,) = bench.desk.get("/admin/models/candidates", query="asha").json()["data"]
    assert row["modelName"] == "Banks"


@pytest.mark.on_both(suite="long")
def test_a_retired_model_takes_no_subscribers_and_makes_no_run(bench: Bench) -> None:
    client = bench.client("Asha Rao", {"INFY": 10}, "1000")
    bench.desk.put(f"/admin/models/{bench.model['_id']}", {"status": "RETIRED"})

    run = bench.desk.post("/admin/book-runs", {"modelId": bench.model["_id"]})

    assert (run.status_code, run.json()["code"]) == (409, "model_retired")
    assert bench.follow(client).status_code == 409


def test_a_model_without_subscribers_makes_no_run(bench: Bench) -> None:
    run = bench.desk.post("/admin/book-runs", {"modelId": bench.model["_id"]})

    assert (run.status_code, run.json()["code"]) == (409, "no_subscribers")


def test_drift_is_shown_worst_first(bench: Bench) -> None:
    near = bench.client("Asha Rao", {"INFY": 200, "TCS": 83, "RELIANCE": 200, "ITC": 365}, "50000")
    far = bench.client("Binod Sen", {"SBIN": 1000}, "0")
    cash = bench.client("Chitra Das", {"INFY": 100}, "350000")

    rows = bench.desk.get("/admin/models/drift").json()["data"]

    assert [row["_id"] for row in rows] == [far, cash, near]
    assert (rows[0]["maxDrift"], rows[0]["maxDriftSymbol"]) == (100, "SBIN")
    assert rows[0]["outsidePercentage"] == 100
    assert (rows[1]["maxDrift"], rows[1]["maxDriftSymbol"]) == (65, "CASH")
    assert rows[1]["totalDrift"] == pytest.approx(65)
    assert abs(rows[2]["maxDrift"]) < 1
    export = bench.desk.get("/admin/models/drift/export", format="csv")
    assert export.text.splitlines()[1].startswith("C0002")
    data = bench.desk.get("/admin/models/drift", query="binod").json()["data"]
    assert [row["_id"] for row in data] == [far]


def test_drift_is_sorted_by_any_figure_and_shows_the_base_and_tolerance_of_a_run(
    bench: Bench,
) -> None:
    near = bench.client("Asha Rao", {"INFY": 200, "TCS": 83, "RELIANCE": 200, "ITC": 365}, "50000")
    far = bench.client("Binod Sen", {"SBIN": 1000}, "0")
    cash = bench.client("Chitra Das", {"INFY": 100}, "350000")

    def ids(sort: str) -> list[str]:
        rows = bench.desk.get("/admin/models/drift", sort=sort).json()["data"]
        return [row["_id"] for row in rows]

    assert ids("maxDrift") == [near, cash, far]
    assert ids("-totalDrift") == [far, cash, near]
    assert ids("-cashPercentage") == [cash, near, far]
    assert ids("-clientId") == [cash, far, near]
    assert ids("nonsense") == [far, cash, near]
    first = bench.desk.get("/admin/models/drift").json()["data"][1]
    run = bench.row(bench.begun(), cash)
    assert first["tolerancePercentage"] == 0.5
    assert (first["maxDrift"], first["investmentValue"]) == (
        run["maxDrift"],
        run["investmentValue"],
    )


def test_the_client_list_learns_model_drift_and_last_advice_of_its_rows(bench: Bench) -> None:
    cash = bench.client("Chitra Das", {"INFY": 100}, "350000")
    other = bench.desk.add_client("Deepa Rao", "deepa.rao@home.example")

    rows = bench.desk.get("/admin/models/followed", clients=[other, cash]).json()["data"]

    assert [row["_id"] for row in rows] == [other, cash]
    assert (rows[0]["modelId"], rows[0]["maxDrift"], rows[0]["advisedAt"]) == (None, None, None)
    assert rows[1]["modelName"] == bench.model["name"]
    assert (rows[1]["maxDrift"], rows[1]["maxDriftSymbol"]) == (65, "CASH")
    assert rows[1]["tolerancePercentage"] == 0.5


@pytest.mark.on_both(suite="long")
def test_limits_are_the_firms(bench: Bench) -> None:
    client = bench.client("Asha Rao", {"INFY": 100}, "200000")
    bench.synced(client, clock.now() - dt.timedelta(days=9))
    before = bench.desk.get("/admin/book-limits").json()["data"]
    assert (before["holdingsDays"], before["priceMinutes"], before["tolerancePercentage"]) == (
        1, 15, 0.5,
    )  # fmt: skip
    assert bench.row(bench.begun(), client)["tile"] == "STALE_DATA"

    body = {"holdingsDays": 20, "priceMinutes": 30, "tolerancePercentage": 0.5, "version": 1}
    assert bench.desk.put("/admin/book-limits", body).status_code == 200

    assert bench.row(bench.begun(), client)["tile"] == "READY"
    assert bench.desk.put("/admin/book-limits", body).status_code == 409


def test_a_user_reads_and_changes_nothing(bench: Bench, user: Desk) -> None:
    client = bench.client("Asha Rao", {"INFY": 100}, "200000")
    run = bench.begun()
    at, model = f"/admin/book-runs/{run['_id']}", f"/admin/models/{bench.model['_id']}"
    reads = ("/admin/models", model, f"{model}/subscribers", "/admin/models/drift",
             "/admin/book-limits", f"/admin/clients/client/{client}/restrictions")  # fmt: skip
    drafts = ("/admin/book-runs", at, f"{at}/clients", f"{at}/export", f"{at}/clients/{client}")
    choice = {"isIncluded": False, "note": ""}

    assert {user.get(path).status_code for path in reads} == {200}
    assert {user.get(path).status_code for path in drafts} == {403}
    changes = [
        user.post("/admin/models", {"name": "Mine", **version_of()}),
        user.put(model, {"name": "Mine"}),
        user.post(f"{model}/versions", version_of({"ITC": 5})),
        user.put(f"{model}/subscribers", {"remove": [client]}),
        user.put("/admin/book-limits", {}),
        user.post("/admin/book-runs", {"modelId": bench.model["_id"]}),
        user.put(f"{at}/clients/{client}", choice),
        user.put(f"{at}/tiles/READY", choice),
        user.post(f"{at}/send", {"clients": 1}),
        user.post(f"{at}/cancel"),
        user.put(f"/admin/clients/client/{client}/restrictions", {"restrictions": []}),
    ]
    assert {change.status_code for change in changes} == {403}


@pytest.mark.on_both(suite="long")
def test_an_inactive_client_is_not_in_the_run(bench: Bench) -> None:
    bench.client("Asha Rao", {"INFY": 100}, "200000")
    gone = bench.client("Binod Sen", {"INFY": 100}, "200000")
    with bench.database.transaction() as session:
        statement = update(Person).where(Person.name == "Binod Sen")
        session.execute(statement.values(status=Status.INACTIVE))

    run = bench.begun()

    assert gone not in {row["_id"] for row in bench.rows(run)}
