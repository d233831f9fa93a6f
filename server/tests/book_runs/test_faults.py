"""One client of a run at fault: the others get their advice, and it is named."""

import json
import uuid
from datetime import datetime

import pytest
from sqlalchemy import select, update

from tarazu.advice import sending
from tarazu.advice.documents.contents import file_name_of
from tarazu.book_runs import batch
from tarazu.book_runs.faults import FAULT
from tarazu.book_runs.records import Rebuilder
from tarazu.book_runs.tables import BookRunClient
from tarazu.model_portfolios.service import ModelPositions
from tests.models_of import Bench


def _three(bench: Bench) -> list[str]:
    return [
        bench.client(f"Client {letter}", {"INFY": 50 + 10 * place}, "300000")
        for place, letter in enumerate("ABC")
    ]


def _only_the_second_failed(bench: Bench, clients: list[str], ended: dict[str, object]) -> None:
    assert (ended["state"], ended["sending"]) == (
        "DONE", {"total": 3, "queued": 0, "sent": 2, "changed": 0, "failed": 1},
    )  # fmt: skip
    row = bench.row(ended, clients[1])
    assert (row["state"], row["error"], row["adviceId"]) == ("FAILED", FAULT, None)
    assert [len(bench.history(client)) for client in clients] == [1, 0, 1]
    for client in (clients[0], clients[2]):
        advice_id = bench.history(client)[0]["_id"]
        assert bench.desk.get(f"/admin/advice/{advice_id}/verify").json()["data"]["holds"]
    assert len(bench.trail("advice_sent")) == 2
    assert bench.desk.get("/admin/audit/verify").json()["data"]["fault"] is None


def test_who_cannot_be_stored_does_not_keep_the_others_of_the_batch_waiting(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    clients = _three(bench)
    asked = []

    def name_of(code: str, now: datetime) -> str:
        asked.append(code)
        if code == "C0002":
            raise LookupError(code)
        return file_name_of(code, now)

    monkeypatch.setattr(sending, "file_name_of", name_of)

    ended = bench.sent(bench.begun())

    # All together up to the one at fault, then each alone.
    assert asked == ["C0001", "C0002", "C0001", "C0002", "C0003"]
    _only_the_second_failed(bench, clients, ended)


@pytest.mark.on_both(suite="long")
def test_whose_record_cannot_be_read_does_not_keep_the_run_from_its_end(bench: Bench) -> None:
    clients = _three(bench)
    run = bench.begun()
    mine = BookRunClient.client_id == uuid.UUID(clients[1])
    with bench.database.transaction() as session:
        kept = json.loads(
            session.execute(select(BookRunClient.worked_out).where(mine)).scalar_one()
        )
        kept["positions"][0][0] = -1
        session.execute(update(BookRunClient).where(mine).values(worked_out=json.dumps(kept)))

    ended = bench.sent(run)

    _only_the_second_failed(bench, clients, ended)


def test_a_price_that_moved_too_far_is_named_to_each(bench: Bench) -> None:
    clients = _three(bench)
    run = bench.begun()
    bench.priced({"TCS": "6000.00"})

    ended = bench.sent(run)

    assert ended["sending"]["sent"] == 0
    assert ended["sending"]["failed"] == len(clients)
    words = {row["error"] for row in bench.rows(ended)}
    assert all("TCS: the price moved 100.00 % since the rebalance" in word for word in words)
    assert not any(bench.history(client) for client in clients)


def test_a_client_whose_plan_cannot_be_computed_has_a_separate_tile(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    clients = _three(bench)
    solved_alone = batch._solve_alone

    def together_fails(*_: object) -> dict[int, batch.Solution]:
        raise LookupError

    def the_second_fails(
        positions: ModelPositions, rebuilder: Rebuilder, row: int
    ) -> batch.Solution:
        if positions.followers[row].account.client_id == uuid.UUID(clients[1]):
            raise ZeroDivisionError
        return solved_alone(positions, rebuilder, row)

    monkeypatch.setattr(batch, "_solve_together", together_fails)
    monkeypatch.setattr(batch, "_solve_alone", the_second_fails)

    run = bench.begun()

    assert run["state"] == "REVIEW"
    assert [bench.row(run, client)["tile"] for client in clients] == ["READY", "FAULT", "READY"]
    assert bench.row(run, clients[1])["reasons"][0]["message"] == FAULT
    assert bench.row(run, clients[1])["canBeIncluded"] is False
    assert bench.sent(run)["sending"]["sent"] == 2
