"""Which actions need a second administrator: asked for by one, made fewer by two."""

from fastapi.testclient import TestClient

from tarazu.kit.db import Database
from tests.approvals.conftest import SETTING, asked_id, decide, switch_on
from tests.people_of import Desk, data_of, reply_of
from tests.rows_of import audit_rows


def _on(desk: Desk) -> list[str]:
    return [row["action"] for row in data_of(desk.get(SETTING))["choices"] if row["isOn"]]


def test_a_fresh_installation_asks_for_no_second_administrator(admin: Desk) -> None:
    shown = data_of(admin.get(SETTING))

    assert [row["action"] for row in shown["choices"]] == ["ADVICE", "RUN", "BROKER_KEY", "EXPORT"]
    assert not any(row["isOn"] for row in shown["choices"])
    assert shown["administrators"] == 1


def test_one_administrator_alone_cannot_ask_for_it(admin: Desk) -> None:
    answer = admin.put(SETTING, {"actions": ["ADVICE"]})

    assert reply_of(answer) == (
        422, "A second approval needs two active administrators. Add one first.",
    )  # fmt: skip
    assert _on(admin) == []


def test_it_is_made_fewer_only_with_an_approval(
    admin: Desk, second: Desk, database: Database
) -> None:
    switch_on(admin, "ADVICE", "EXPORT")
    fewer = {"actions": ["EXPORT"]}

    alone = admin.put(SETTING, fewer)
    kept = _on(admin)
    approval_id = asked_id(admin, {"action": "SETTING", **fewer})
    data_of(decide(second, approval_id))

    assert alone.status_code == 403
    assert alone.json()["details"] == {"action": "SETTING"}
    assert kept == ["ADVICE", "EXPORT"]
    assert _on(admin) == ["EXPORT"]
    assert len(audit_rows(database, "second_approval_edited")) == 2


def test_more_may_be_asked_for_alone(admin: Desk, second: Desk) -> None:
    switch_on(admin, "ADVICE")
    switch_on(second, "ADVICE", "RUN")

    assert _on(admin) == ["ADVICE", "RUN"]


def test_who_is_left_alone_may_switch_it_off(admin: Desk, second: Desk) -> None:
    switch_on(admin, "ADVICE")
    other = next(
        row for row in data_of(admin.get("/users")) if row["email"] == "meera@desk.example"
    )
    data_of(admin.put("/users/edit", {"id": other["_id"], "status": "INACTIVE"}))

    switch_on(admin)

    assert _on(admin) == []


def test_the_action_that_is_always_approved_cannot_be_chosen(
    admin: Desk, second: Desk, web: TestClient
) -> None:
    answer = admin.put(SETTING, {"actions": ["SETTING"]})

    assert reply_of(answer) == (
        422, "This action is always approved by a second administrator.",
    )  # fmt: skip
