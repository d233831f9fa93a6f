"""The firm's fee schedule: versions by date, and fees that keep theirs."""

from typing import Any

import pytest

from tarazu.kit.db import Database
from tests.fees.desks import FILL_ALL, add_fee, fees_path, period
from tests.people_of import Desk, reply_of
from tests.rows_of import audit_changes

PATH = "/settings/fee-schedule"
SLABS = {
    "effectiveOn": "2025-01-01",
    "kind": "SLABS",
    "slabs": [{"from": 0, "percentage": 10}, {"from": 12.5, "percentage": 15}],
    "fixedAmount": None,
    "isAboveHighWaterMark": True,
    "yearlyLimit": 151_000,
    "source": "Agreement of 2025",
}
FIXED = {
    "effectiveOn": "2025-01-01",
    "kind": "FIXED",
    "slabs": [],
    "fixedAmount": 12_500.5,
    "isAboveHighWaterMark": False,
    "yearlyLimit": None,
    "source": "",
}


def test_an_installation_begins_with_a_fifth_of_any_gain(admin: Desk) -> None:
    data = admin.get(PATH).json()["data"]

    assert data["inForce"] == data["versions"][0]
    assert len(data["versions"]) == 1
    first = data["inForce"]
    assert (first["effectiveOn"], first["kind"]) == ("2024-02-14", "SLABS")
    assert first["slabs"] == [{"from": 0, "percentage": 20}]
    assert first["isAboveHighWaterMark"] is True
    assert first["yearlyLimit"] == 151_000
    assert "8 January 2025" in first["source"]
    assert (first["isInForce"], first["isInUse"]) == (True, False)


def test_a_version_holds_for_periods_that_start_on_its_day_or_later(admin: Desk) -> None:
    client_id = admin.add_client()
    sums = period(1_000_000, 1_150_000)

    def charged_in(start: str, final: str) -> dict[str, Any]:
        return add_fee(admin, client_id, sums | {"startingDate": start, "finalDate": final})

    before = charged_in("2026-04-01", "2026-06-30")
    answer = admin.put(PATH, SLABS | {"effectiveOn": "2025-04-01"})
    after = charged_in("2025-04-01", "2026-03-31")
    older = charged_in("2025-03-31", "2025-03-31")
    oldest = charged_in("2020-01-01", "2020-12-31")

    assert answer.status_code == 200
    assert [row["effectiveOn"] for row in answer.json()["data"]["versions"]] == [
        "2025-04-01", "2024-02-14",
    ]  # fmt: skip
    assert answer.json()["data"]["inForce"]["slabs"] == SLABS["slabs"]
    assert (after["applicablePercentage"], after["fees"]) == (15, 22_500)
    assert [row["fees"] for row in (before, older, oldest)] == [30_000] * 3
    kept = {row["_id"]: row for row in admin.get(fees_path(client_id)).json()["data"]}
    assert kept[before["_id"]]["fees"] == 30_000


def test_a_recomputed_fee_keeps_its_version(admin: Desk) -> None:
    client_id = admin.add_client()
    fee = add_fee(admin, client_id, period(1_000_000, 1_150_000))
    admin.put(PATH, FIXED)

    changed = admin.put(fees_path(client_id), {"feeId": fee["_id"], "finalDate": "2026-04-30"})

    row = changed.json()["data"]
    assert (row["applicablePercentage"], row["fees"], row["scheduleFrom"]) == (
        20, 30_000, "2024-02-14",
    )  # fmt: skip


def test_a_fixed_fee_is_charged_whatever_the_gain_and_may_have_no_limit(admin: Desk) -> None:
    client_id = admin.add_client()
    admin.put(PATH, FIXED | {"fixedAmount": 200_000})

    row = add_fee(admin, client_id, period(1_000_000, 900_000))

    assert (row["applicablePercentage"], row["fees"]) == (None, 200_000)
    assert row["netGainAfterFees"] == -300_000
    assert row["overLimit"] is False


@pytest.mark.on_both(suite="long")
def test_a_version_can_be_corrected_until_a_fee_is_computed_with_it(admin: Desk) -> None:
    client_id = admin.add_client()
    admin.put(PATH, SLABS)
    corrected = admin.put(PATH, FIXED).json()["data"]
    assert [(row["kind"], row["fixedAmount"]) for row in corrected["versions"]] == [
        ("FIXED", 12_500.5), ("SLABS", None),
    ]  # fmt: skip

    fee = add_fee(admin, client_id, period(100, 200))
    admin.post(f"{fees_path(client_id)}/delete", {"feeId": fee["_id"]})
    refused = admin.put(PATH, SLABS)

    assert reply_of(refused) == (409, "Fees were computed with the version of that day. Choose another day.")  # fmt: skip
    versions = admin.get(PATH).json()["data"]["versions"]
    assert [(row["kind"], row["isInUse"]) for row in versions] == [
        ("FIXED", True), ("SLABS", False),
    ]  # fmt: skip


@pytest.mark.on_both(suite="long")
def test_the_second_of_two_edits_of_the_terms_of_one_day_is_refused(admin: Desk) -> None:
    stale = "This record was changed by someone else. Reload and try again."
    seen = admin.put(PATH, SLABS | {"seenAt": None}).json()["data"]["versions"][0]["createdAt"]

    added_too = admin.put(PATH, FIXED | {"seenAt": None})
    changed = admin.put(PATH, SLABS | {"yearlyLimit": 90_000, "seenAt": seen})
    changed_too = admin.put(PATH, FIXED | {"seenAt": seen})

    assert changed.status_code == 200
    for refused in (added_too, changed_too):
        assert reply_of(refused) == (409, stale)
    kept = admin.get(PATH).json()["data"]["versions"][0]
    assert (kept["kind"], kept["yearlyLimit"]) == ("SLABS", 90_000)


def test_a_version_to_come_is_not_in_force_yet(admin: Desk) -> None:
    data = admin.put(PATH, SLABS | {"effectiveOn": "2199-01-01"}).json()["data"]

    assert data["inForce"]["effectiveOn"] == "2024-02-14"
    assert [row["isInForce"] for row in data["versions"]] == [False, True]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"slabs": []}, "A fee schedule needs at least one slab."),
        (
            {"slabs": [{"from": 5, "percentage": 10}, {"from": 5, "percentage": 20}]},
            "Fee slabs must start at 0% or more and rise.",
        ),
        (
            {"slabs": [{"from": 0, "percentage": 101}]},
            "A fee percentage lies between 0 and 100.",
        ),
        ({"kind": "FIXED"}, FILL_ALL),
        (
            {"source": "a\u202eb"},
            "A source has at most 500 characters, without control characters.",
        ),
    ],
)
def test_a_schedule_that_nobody_can_charge_by_is_refused(
    admin: Desk, change: dict[str, Any], message: str
) -> None:
    answer = admin.put(PATH, SLABS | change)

    assert reply_of(answer) == (422, message)
    assert len(admin.get(PATH).json()["data"]["versions"]) == 1


@pytest.mark.parametrize(
    "change",
    [
        {"slabs": [{"from": 0, "percentage": 10.005}]},
        {"slabs": [{"from": -1, "percentage": 10}]},
        {"yearlyLimit": -1},
        {"effectiveOn": "someday"},
        {"kind": "OTHER"},
        {"slabs": [{"from": n, "percentage": 1} for n in range(21)]},
    ],
)
def test_figures_that_cannot_be_are_refused(admin: Desk, change: dict[str, Any]) -> None:
    assert admin.put(PATH, SLABS | change).status_code == 422


def test_a_version_leaves_a_row_in_the_trail(admin: Desk, database: Database) -> None:
    version = admin.put(PATH, SLABS).json()["data"]["versions"][0]

    [(action, changes)] = audit_changes(database, version["_id"])

    assert action == "fee_schedule_set"
    assert (changes["effectiveOn"], changes["yearlyLimit"]) == ("2025-01-01", "151000")
