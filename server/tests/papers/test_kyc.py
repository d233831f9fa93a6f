"""KYC of a client: entered with its day, refused with a sentence, kept in the audit trail."""

import datetime as dt

import pytest

from tarazu.domain.pan import is_valid_pan
from tarazu.kit import clock
from tarazu.kit.db import Database
from tests.papers.papers_of import path_of, set_kyc
from tests.people_of import Desk, data_of, reply_of
from tests.rows_of import audit_changes

NOT_ENTERED = {
    "pan": "", "status": "NOT_DONE", "statusOn": None, "note": "", "isDone": False,
    "updatedAt": None, "version": 0, "kind": "INDIVIDUAL", "family": "",
}  # fmt: skip


def test_a_client_without_kyc_is_shown_as_not_done(admin: Desk) -> None:
    client_id = admin.add_client()

    assert data_of(admin.get(path_of(client_id, "kyc"))) == NOT_ENTERED


@pytest.mark.on_both
def test_kyc_is_entered_by_any_staff_and_its_history_is_in_the_trail(
    admin: Desk, user: Desk, database: Database
) -> None:
    client_id, today = admin.add_client(), str(clock.today())

    first = data_of(set_kyc(user, client_id, pan=" abcpk 1234f", status="REGISTERED", note="CVL"))
    second = data_of(set_kyc(admin, client_id, note="CVL", version=1))

    assert (first["pan"], first["isDone"], first["version"]) == ("ABCPK1234F", True, 1)
    assert (second["status"], second["statusOn"], second["version"]) == ("VALIDATED", today, 2)
    assert data_of(user.get(path_of(client_id, "kyc"))) == second
    kyc = [changes for action, changes in audit_changes(database, client_id) if "kyc" in action]
    assert kyc == [
        {
            "pan": ["", "ABCPK1234F"],
            "kycStatus": ["NOT_DONE", "REGISTERED"],
            "kycStatusOn": [None, today],
            "kycNote": ["", "CVL"],
        },
        {"kycStatus": ["REGISTERED", "VALIDATED"]},
    ]


def test_the_same_again_is_not_written(admin: Desk, database: Database) -> None:
    client_id = admin.add_client()

    versions = [data_of(set_kyc(admin, client_id))["version"] for _ in range(2)]

    assert versions == [1, 1]
    assert [action for action, _ in audit_changes(database, client_id)].count("kyc_edited") == 1


@pytest.mark.parametrize("status", ["ON_HOLD", "REJECTED", "NOT_DONE"])
def test_another_status_is_not_done(admin: Desk, status: str) -> None:
    client_id = admin.add_client()
    day = None if status == "NOT_DONE" else str(clock.today())

    assert not data_of(set_kyc(admin, client_id, status=status, statusOn=day))["isDone"]


@pytest.mark.parametrize(
    ("fields", "field", "sentence"),
    [
        (
            {"pan": "ABCXK1234F"},
            "pan",
            "A PAN is five letters, four digits and a letter, such as ABCPK1234F.",
        ),
        (
            {"pan": "ABCPK１２３４F"},
            "pan",
            "A PAN is five letters, four digits and a letter, such as ABCPK1234F.",
        ),
        ({"pan": ""}, "pan", "Enter the PAN: the KRA keeps its record by it."),
        ({"statusOn": None}, "statusOn", "Enter the day of this status."),
        (
            {"statusOn": str(clock.today() + dt.timedelta(days=400))},
            "statusOn",
            "This day is in the future.",
        ),
        ({"statusOn": "soon"}, "statusOn", "Please select a valid date"),
        (
            {"status": "NOT_DONE"},
            "statusOn",
            "KYC that is not done has no day. Choose the status.",
        ),
        (
            {"note": "x" * 2_001},
            "note",
            "A note has at most 2,000 characters, without control characters.",
        ),
    ],
)
def test_unfit_kyc_is_refused_with_a_sentence_and_changes_nothing(
    admin: Desk, fields: dict[str, object], field: str, sentence: str
) -> None:
    client_id = admin.add_client()

    answer = set_kyc(admin, client_id, **fields)

    assert (answer.status_code, answer.json()["errors"]) == (
        422,
        [{"field": field, "message": sentence}],
    )
    assert data_of(admin.get(path_of(client_id, "kyc"))) == NOT_ENTERED


_SHARED = (
    "C0001 has this PAN. Only clients of one family may share a PAN: check it, or enter the family "
    "on both records."
)
_SAME = (
    "{} has the same PAN. Only clients of one family may share a PAN: correct it on one of the "
    "records first."
)


def test_only_clients_of_one_family_share_a_pan(admin: Desk) -> None:
    first, second = admin.add_client(), admin.add_client("Ira Menon", "ira@home.example")
    data_of(set_kyc(admin, first))

    refused = reply_of(set_kyc(admin, second))
    for client_id in (first, second):
        data_of(admin.put("/clients/edit", {"id": client_id, "family": "Menon"}))

    assert refused == (422, _SHARED)
    assert data_of(set_kyc(admin, second))["pan"] == "ABCPK1234F"


@pytest.mark.on_both
def test_who_shares_a_pan_stays_in_the_family(admin: Desk) -> None:
    first, second = admin.add_client(), admin.add_client("Ira Menon", "ira@home.example")
    for client_id in (first, second):
        data_of(admin.put("/clients/edit", {"id": client_id, "family": "Menon"}))
        data_of(set_kyc(admin, client_id))

    leaves = admin.put("/clients/edit", {"id": second, "family": "", "name": "Ira M"})
    corrected = set_kyc(admin, second, pan="ABCPK1235F")
    later = admin.put("/clients/edit", {"id": second, "family": ""})

    assert reply_of(leaves) == (422, _SAME.format("C0001"))
    assert leaves.json()["errors"][0]["field"] == "family"
    assert data_of(corrected)["pan"] == "ABCPK1235F"
    assert (data_of(later)["family"], data_of(later)["name"]) == ("", "Ira Menon")


@pytest.mark.on_both
def test_a_deleted_client_comes_back_with_a_pan_of_its_own(admin: Desk) -> None:
    first, second = admin.add_client(), admin.add_client("Ira Menon", "ira@home.example")
    data_of(set_kyc(admin, first))
    admin.post("/clients/delete", {"clientId": first})
    data_of(set_kyc(admin, second))

    refused = reply_of(admin.post(f"/admin/clients/{first}/restore", {}))
    data_of(set_kyc(admin, second, pan="ABCPK1235F"))

    assert refused == (422, _SAME.format("C0002"))
    assert admin.post(f"/admin/clients/{first}/restore", {}).status_code == 200


def test_the_pan_of_a_deleted_client_is_free(admin: Desk) -> None:
    first, second = admin.add_client(), admin.add_client("Ira Menon", "ira@home.example")
    data_of(set_kyc(admin, first))
    admin.post("/clients/delete", {"clientId": first})

    assert data_of(set_kyc(admin, second))["pan"] == "ABCPK1234F"
    assert admin.get(path_of(first, "kyc")).status_code == 404
    assert set_kyc(admin, first).status_code == 404


def test_an_edit_of_an_old_version_is_refused(admin: Desk) -> None:
    client_id = admin.add_client()
    data_of(set_kyc(admin, client_id, version=0))

    assert set_kyc(admin, client_id, note="Late", version=0).status_code == 409
    assert data_of(admin.get(path_of(client_id, "kyc")))["note"] == ""


@pytest.mark.parametrize(
    ("number", "is_valid"),
    [("ABCPK1234F", True), ("ABCHK1234F", True), ("abcpk1234f", False), ("ABCPK123F", False)],
)
def test_a_pan_is_known_by_its_form(number: str, is_valid: bool) -> None:
    assert is_valid_pan(number) is is_valid
