"""Fees of a client: computed, settled, deleted, restored; and the starting value of the next."""

import datetime as dt
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest

from tarazu.fees import service as fees
from tarazu.fees.service import NewPeriod
from tarazu.kit import clock
from tarazu.kit.audit_log import SYSTEM
from tarazu.kit.db import Database
from tarazu.portfolio import service as portfolio
from tarazu.portfolio.service import NewFlow
from tarazu.portfolio.tables import FlowType
from tests.fees.desks import (
    FILL_ALL,
    add_fee,
    earnings,
    fees_path,
    period,
)
from tests.people_of import Desk, reply_of
from tests.rows_of import audit_changes


@pytest.fixture
def client_id(admin: Desk) -> str:
    return admin.add_client()


def test_a_fee_is_computed_from_the_net_gain_by_the_schedule(admin: Desk, client_id: str) -> None:
    answer = admin.post(fees_path(client_id), period(1_000_000, 1_150_000))

    row = answer.json()["data"]
    assert answer.status_code == 201
    assert row.pop("_id")
    assert row == {
        "startingDate": "2025-04-01",
        "dueDate": "2026-04-30",
        "finalDate": "2026-03-31",
        "startingValue": 1_000_000,
        "finalValue": 1_150_000,
        "netFundsAdded": 0,
        "netGain": 150_000,
        "netGainPercentage": 15,
        "applicablePercentage": 20,
        "fees": 30_000,
        "netGainAfterFees": 120_000,
        "status": "DUE",
        "paidDate": None,
        "overLimit": False,
        "limit": None,
        "scheduleFrom": "2024-02-14",
        "flowsChanged": None,
        "modeOfPayment": None,
        "reference": "",
        "refunded": 0,
        "endedOn": None,
        "invoice": None,
        "version": 1,
    }


def test_no_fee_is_charged_on_a_loss(admin: Desk, client_id: str) -> None:
    row = add_fee(admin, client_id, period(1_000_000, 900_000))

    assert (row["netGain"], row["netGainPercentage"], row["fees"]) == (-100_000, -10, 0)
    assert row["netGainAfterFees"] == -100_000


def test_funds_that_came_in_or_went_out_inside_the_period_are_no_gain(
    admin: Desk, client_id: str, database: Database
) -> None:
    flows = [
        ("2025-04-01", "70000", FlowType.FUNDS_ADDED),  # in the starting value already
        ("2025-04-02", "100000", FlowType.FUNDS_ADDED),
        ("2026-03-31", "20000", FlowType.FUNDS_WITHDRAWN),
        ("2026-04-01", "30000", FlowType.FUNDS_ADDED),  # the next period's
    ]
    with database.transaction() as session:
        for day, amount, kind in flows:
            flow = NewFlow(dt.date.fromisoformat(day), Decimal(amount), kind)
            portfolio.record_cash_flow(session, SYSTEM, clock.now(), UUID(client_id), flow)

    row = add_fee(admin, client_id, period(1_000_000, 1_150_000))

    assert (row["netFundsAdded"], row["netGain"], row["fees"]) == (80_000, 70_000, 14_000)


@pytest.mark.parametrize("field", ["startingDate", "startingValue", "finalValue"])
@pytest.mark.parametrize("given", [None, "", "absent"])
def test_what_a_fee_needs_is_asked_for(
    admin: Desk, client_id: str, field: str, given: str | None
) -> None:
    body: dict[str, Any] = period(1_000_000, 1_150_000) | {field: given}
    if given == "absent":
        del body[field]

    answer = admin.post(fees_path(client_id), body)

    assert reply_of(answer) == (422, FILL_ALL)
    assert answer.json()["errors"] == [{"field": field, "message": FILL_ALL}]
    assert admin.get(fees_path(client_id)).json()["data"] == []


@pytest.mark.parametrize(
    "change",
    [
        {"startingDate": "2025-13-01"},
        {"startingValue": -1},
        {"finalValue": 10.005},
        {"finalValue": 1e14},
        {"startingValue": "much"},
        {"startingDate": "1801-01-01"},
    ],
)
def test_values_that_cannot_be_are_refused(
    admin: Desk, client_id: str, change: dict[str, Any]
) -> None:
    answer = admin.post(fees_path(client_id), period(1_000_000, 1_150_000) | change)

    assert answer.status_code == 422
    assert admin.get(fees_path(client_id)).json()["data"] == []


def test_a_period_cannot_end_before_it_begins(admin: Desk, client_id: str) -> None:
    answer = admin.post(fees_path(client_id), period(1, 2) | {"finalDate": "2025-03-31"})

    assert reply_of(answer) == (422, "The final date cannot be before the starting date.")  # fmt: skip


def test_an_empty_due_date_is_copied_from_the_final_date(admin: Desk, client_id: str) -> None:
    added = add_fee(admin, client_id, period(1, 2) | {"dueDate": ""})
    open_end = {"startingDate": "2026-04-01", "dueDate": None, "finalDate": None}
    without = add_fee(admin, client_id, period(1, 2) | open_end)
    changed = admin.put(
        fees_path(client_id), {"feeId": without["_id"], "finalDate": "2026-06-30"}
    ).json()["data"]

    assert added["dueDate"] == "2026-03-31"
    assert (without["dueDate"], without["finalDate"]) == (None, None)
    assert changed["dueDate"] == "2026-06-30"


@pytest.mark.on_both(suite="long")
def test_fees_are_listed_newest_first_and_filtered_by_start_and_status(
    admin: Desk, client_id: str
) -> None:
    starts = ["2024-04-01", "2026-04-01", "2025-04-01"]
    ids = {
        start: add_fee(
            admin,
            client_id,
            period(100, 200) | {"startingDate": start, "finalDate": f"{start[:4]}-10-31"},
        )["_id"]
        for start in starts
    }
    paid = {"feeId": ids["2025-04-01"], "status": "PAID", "paidDate": "2026-05-01"}
    admin.put(fees_path(client_id), paid)

    def listed(**wanted: str) -> list[str]:
        rows = admin.get(fees_path(client_id), **wanted).json()["data"]
        return [row["startingDate"] for row in rows]

    assert listed() == ["2026-04-01", "2025-04-01", "2024-04-01"]
    assert listed(status="PAID") == ["2025-04-01"]
    assert listed(status="DUE") == ["2026-04-01", "2024-04-01"]
    assert listed(**{"from": "2025-04-01"}) == ["2026-04-01", "2025-04-01"]
    assert listed(to="2025-04-01") == ["2025-04-01", "2024-04-01"]
    assert admin.get(fees_path(client_id), status="OTHER").status_code == 422


def test_a_fee_is_settled_and_the_firm_earns_it(admin: Desk, client_id: str) -> None:
    fee = add_fee(admin, client_id, period(1_000_000, 1_150_000))

    paid = admin.put(
        fees_path(client_id), {"feeId": fee["_id"], "status": "PAID", "paidDate": "2026-05-02"}
    ).json()["data"]
    earned = earnings(admin)
    due = admin.put(
        fees_path(client_id), {"feeId": fee["_id"], "status": "DUE", "paidDate": "2026-05-02"}
    ).json()["data"]

    assert (paid["status"], paid["paidDate"], paid["version"]) == ("PAID", "2026-05-02", 2)
    assert earned == 30_000
    assert (due["status"], due["paidDate"]) == ("DUE", None)
    assert earnings(admin) == 0


def test_a_fee_paid_without_a_date_was_paid_today(admin: Desk, client_id: str) -> None:
    fee = add_fee(admin, client_id, period(1_000_000, 1_150_000))

    paid = admin.put(fees_path(client_id), {"feeId": fee["_id"], "status": "PAID"})

    assert paid.json()["data"]["paidDate"] == clock.today().isoformat()


def test_no_fee_is_paid_on_a_day_to_come(admin: Desk, client_id: str) -> None:
    fee = add_fee(admin, client_id, period(1_000_000, 1_150_000))
    ahead = (clock.today() + dt.timedelta(days=1)).isoformat()

    answer = admin.put(
        fees_path(client_id), {"feeId": fee["_id"], "status": "PAID", "paidDate": ahead}
    )

    assert reply_of(answer) == (422, "A fee cannot be paid on a future day.")  # fmt: skip
    assert earnings(admin) == 0


def test_what_an_edit_leaves_out_stays_and_null_clears_the_due_date_of_an_open_end(
    admin: Desk, client_id: str
) -> None:
    fee = add_fee(admin, client_id, period(1, 2) | {"finalDate": None})

    data = admin.put(fees_path(client_id), {"feeId": fee["_id"]}).json()["data"]
    cleared = admin.put(fees_path(client_id), {"feeId": fee["_id"], "dueDate": None})

    assert data["dueDate"] == "2026-04-30"
    assert cleared.json()["data"]["dueDate"] is None


def test_a_new_final_date_recomputes_the_fee(
    admin: Desk, client_id: str, database: Database
) -> None:
    fee = add_fee(admin, client_id, period(1_000_000, 1_150_000))
    with database.transaction() as session:
        flow = NewFlow(dt.date(2026, 4, 15), Decimal(50_000), FlowType.FUNDS_ADDED)
        portfolio.record_cash_flow(session, SYSTEM, clock.now(), UUID(client_id), flow)

    changed = admin.put(fees_path(client_id), {"feeId": fee["_id"], "finalDate": "2026-04-30"})

    assert (changed.json()["data"]["netGain"], changed.json()["data"]["fees"]) == (100_000, 20_000)


def test_a_paid_fee_keeps_its_period_and_a_closed_one_its_final_value(
    admin: Desk, client_id: str
) -> None:
    fee = add_fee(admin, client_id, period(1_000_000, 1_150_000))
    admin.put(fees_path(client_id), {"feeId": fee["_id"], "status": "PAID"})

    date = admin.put(fees_path(client_id), {"feeId": fee["_id"], "finalDate": "2026-04-30"})
    value = admin.put(fees_path(client_id), {"feeId": fee["_id"], "finalValue": 1_200_000})

    assert reply_of(date) == (409, "A paid fee keeps its period. Set it to DUE first.")  # fmt: skip
    assert reply_of(value) == (422, "A closed period keeps its final value. Delete the row and add it again.")  # fmt: skip
    assert earnings(admin) == 30_000


@pytest.mark.on_both(suite="long")
def test_an_open_period_has_no_figures_until_it_is_closed(
    admin: Desk, client_id: str, database: Database
) -> None:
    with database.transaction() as session:
        running = NewPeriod(dt.date(2025, 4, 1), None, None, Decimal(1_000_000), None)
        fees.add_fee(session, SYSTEM, clock.now(), UUID(client_id), running)
    row = admin.get(fees_path(client_id)).json()["data"][0]
    figures = ("netGain", "netGainPercentage", "applicablePercentage", "fees", "netGainAfterFees")
    assert [row[name] for name in figures] == [None] * 5

    early = admin.put(fees_path(client_id), {"feeId": row["_id"], "status": "PAID"})
    closed = admin.put(
        fees_path(client_id),
        {"feeId": row["_id"], "finalDate": "2026-03-31", "finalValue": 1_100_000},
    ).json()["data"]

    assert reply_of(early) == (422, "An open period has no fee to pay yet.")  # fmt: skip
    assert [closed[name] for name in figures] == [100_000, 10, 20, 20_000, 80_000]
    assert closed["dueDate"] == "2026-03-31"


@pytest.mark.on_both(suite="long")
def test_the_starting_value_is_the_high_water_mark_else_the_starting_capital(
    admin: Desk, client_id: str
) -> None:
    path = f"/admin/clients/client/{client_id}/starting-value"
    admin.post(f"/admin/clients/client/{client_id}/starting-capital", {"amount": 750_000.5})
    assert admin.get(path).json()["data"] == 750_000.5

    add_fee(admin, client_id, period(750_000, 900_000))
    last = add_fee(admin, client_id, period(900_000, 800_000) | {"startingDate": "2026-04-01",
                                                                "finalDate": None})  # fmt: skip
    assert admin.get(path).json()["data"] == 900_000

    schedule = {"effectiveOn": "2026-01-01", "kind": "FIXED", "fixedAmount": 5000,
                "isAboveHighWaterMark": False}  # fmt: skip
    assert admin.put("/settings/fee-schedule", schedule).status_code == 200
    assert admin.get(path).json()["data"] == 800_000
    assert last["fees"] == 0


def test_a_deleted_fee_is_in_no_list_and_no_sum_until_an_admin_restores_it(
    admin: Desk, user: Desk, client_id: str
) -> None:
    fee = add_fee(admin, client_id, period(1_000_000, 1_150_000))
    admin.put(fees_path(client_id), {"feeId": fee["_id"], "status": "PAID"})

    deleted = admin.post(f"{fees_path(client_id)}/delete", {"feeId": fee["_id"]})
    again = admin.post(f"{fees_path(client_id)}/delete", {"feeId": fee["_id"]})

    assert deleted.json() == {"success": True, "message": "Fee transaction deleted successfully"}
    assert reply_of(again) == (404, "Record not found")
    assert admin.get(fees_path(client_id)).json()["data"] == []
    assert admin.get("/fees").json()["data"] == []
    assert admin.get(f"/admin/clients/client/{client_id}/starting-value").json()["data"] == 0
    assert earnings(admin) == 0

    assert user.post(f"/admin/fees/{fee['_id']}/restore").status_code == 403
    restored = admin.post(f"/admin/fees/{fee['_id']}/restore")
    twice = admin.post(f"/admin/fees/{fee['_id']}/restore")

    assert restored.status_code == 200
    assert reply_of(twice) == (404, "Record not found")
    assert [row["fees"] for row in admin.get(fees_path(client_id)).json()["data"]] == [30_000]
    assert earnings(admin) == 30_000


def test_a_stale_version_changes_and_deletes_nothing(admin: Desk, client_id: str) -> None:
    fee = add_fee(admin, client_id, period(1_000_000, 1_150_000))
    admin.put(fees_path(client_id), {"feeId": fee["_id"], "dueDate": "2026-05-31", "version": 1})

    edit = {"feeId": fee["_id"], "status": "PAID", "version": 1}
    changed = admin.put(fees_path(client_id), edit)
    deleted = admin.post(f"{fees_path(client_id)}/delete", {"feeId": fee["_id"], "version": 1})

    for answer in (changed, deleted):
        assert reply_of(answer) == (409, "This record was changed by someone else. Reload and try again.")  # fmt: skip
    row = admin.get(fees_path(client_id)).json()["data"][0]
    assert (row["status"], row["dueDate"], row["version"]) == ("DUE", "2026-05-31", 2)


def test_of_many_edits_of_one_version_one_succeeds(admin: Desk, client_id: str) -> None:
    fee = add_fee(admin, client_id, period(1_000_000, 1_150_000))
    edit = {"feeId": fee["_id"], "status": "PAID", "version": 1}

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: admin.put(fees_path(client_id), edit), range(8)))

    assert sorted(answer.status_code for answer in answers) == [200] + [409] * 7
    assert earnings(admin) == 30_000


def test_a_repeat_with_the_same_key_adds_one_fee(admin: Desk, client_id: str) -> None:
    key = {"Idempotency-Key": "one"}

    first = admin.post(fees_path(client_id), period(100, 200), **key)
    again = admin.post(fees_path(client_id), period(100, 200), **key)
    other = admin.post(fees_path(client_id), period(100, 300), **key)

    assert again.json() == first.json()
    assert (again.status_code, again.headers["Idempotent-Replayed"]) == (201, "true")
    assert other.status_code == 422
    assert len(admin.get(fees_path(client_id)).json()["data"]) == 1


def test_a_fee_of_another_client_is_not_there(admin: Desk, client_id: str) -> None:
    other = admin.add_client("Rohan Rao", "rohan@home.example")
    fee = add_fee(admin, client_id, period(100, 200))
    nobody = "01a1fb73-0392-751c-90e5-1dda4674873a"

    changed = admin.put(fees_path(other), {"feeId": fee["_id"], "status": "PAID"})
    deleted = admin.post(f"{fees_path(other)}/delete", {"feeId": fee["_id"]})
    assert [answer.json()["message"] for answer in (changed, deleted)] == ["Record not found"] * 2

    answers = [
        admin.get(fees_path(nobody)),
        admin.get(f"/admin/clients/client/{nobody}/starting-value"),
        admin.post(fees_path(nobody), period(1, 2)),
        admin.put(fees_path(nobody), {"feeId": fee["_id"]}),
        admin.post(f"{fees_path(nobody)}/delete", {"feeId": fee["_id"]}),
    ]
    for answer in answers:
        assert reply_of(answer) == (404, "Client not found")


def test_unknown_fields_are_ignored(admin: Desk, client_id: str) -> None:
    body = period(1_000_000, 1_150_000) | {"fees": 1, "status": "PAID", "_id": "mine", "version": 9}

    row = add_fee(admin, client_id, body)

    assert (row["fees"], row["status"], row["version"]) == (30_000, "DUE", 1)


def test_every_change_leaves_a_row_in_the_trail(
    admin: Desk, client_id: str, database: Database
) -> None:
    fee = add_fee(admin, client_id, period(1_000_000, 1_150_000))
    admin.put(
        fees_path(client_id), {"feeId": fee["_id"], "status": "PAID", "paidDate": "2026-05-02"}
    )
    admin.post(f"{fees_path(client_id)}/delete", {"feeId": fee["_id"]})
    admin.post(f"/admin/fees/{fee['_id']}/restore")

    rows = audit_changes(database, fee["_id"])

    assert [action for action, _ in rows] == [
        "fee_added", "fee_changed", "fee_deleted", "fee_restored",
    ]  # fmt: skip
    assert rows[1][1] == {"status": ["DUE", "PAID"], "paidDate": [None, "2026-05-02"]}
