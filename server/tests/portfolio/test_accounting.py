"""Funds added and withdrawn: what is refused, what is kept, and that every sum follows."""

import uuid
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import text

from tarazu.kit.db import Database
from tests.people_of import Desk, reply_of
from tests.portfolio.books import give_holdings
from tests.portfolio.test_kept_books import compare_flows

ADDED = {"date": "2026-03-02", "amount": 50000, "type": "FUNDS_ADDED"}
WITHDRAWN = {"date": "2026-05-04", "amount": 12500.5, "type": "FUNDS_WITHDRAWN"}


class Books:
    """One client's accounting, over HTTP."""

    def __init__(self, desk: Desk, client_id: str) -> None:
        self.desk, self.client_id = desk, client_id
        self.path = f"/admin/clients/client/{client_id}"

    def add(self, body: Any, **headers: str) -> Any:
        return self.desk.post(f"{self.path}/accounting/transaction", body, **headers)

    def change(self, body: Any) -> Any:
        return self.desk.put(f"{self.path}/accounting/transaction", body)

    def delete(self, **body: Any) -> Any:
        return self.desk.post(f"{self.path}/accounting/transaction/delete", body)

    def restore(self, flow_id: str) -> Any:
        return self.desk.post(f"/admin/transactions/{flow_id}/restore")

    def rows(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.desk.get(f"{self.path}/accounting").json()["data"]
        return found

    def portfolio(self) -> dict[str, Any]:
        found: dict[str, Any] = self.desk.get(f"{self.path}/portfolio").json()["data"]
        return found


@pytest.fixture
def books(admin: Desk) -> Books:
    return Books(admin, admin.add_client())


def test_a_new_transaction_is_kept_and_listed_newest_first(books: Books) -> None:
    first = books.add(ADDED)
    books.add(WITHDRAWN)
    books.add({**ADDED, "date": "2026-04-01"})

    assert first.status_code == 201
    row = first.json()["data"]
    assert {**row, "_id": ""} == {**ADDED, "_id": "", "version": 1}
    assert [row["date"] for row in books.rows()] == ["2026-05-04", "2026-04-01", "2026-03-02"]
    assert books.rows()[0]["amount"] == 12500.5


def test_every_figure_follows_at_once(books: Books, database: Database, priced: Any) -> None:
    give_holdings(database, books.client_id, {"INFY": (10, "1000")}, cash="500")
    priced({"INFY": "1200"})
    books.desk.post(f"{books.path}/starting-date", {"startingDate": "2026-01-05"})
    books.desk.post(f"{books.path}/starting-capital", {"amount": 10000})

    flow_id = books.add({**ADDED, "amount": 2000}).json()["data"]["_id"]
    added = books.portfolio()
    books.change({**ADDED, "amount": 1000, "transactionId": flow_id})
    changed = books.portfolio()
    (row,) = books.desk.get("/admin/clients").json()["data"]
    books.delete(transactionId=flow_id)
    deleted = books.portfolio()

    assert (added["netInvestment"], added["totalPnL"]) == (12000, 500)
    assert (changed["netInvestment"], changed["totalPnL"]) == (11000, 1500)
    assert (row["totalInvestment"], row["netPnL"]) == (11000, 1500)
    assert (deleted["netInvestment"], deleted["totalPnL"]) == (10000, 2500)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"date": None}, "Please select a valid date"),
        ({"date": ""}, "Please select a valid date"),
        ({"date": "31-02-2026"}, "Please select a valid date"),
        ({"date": "2999-01-01"}, "Please select a valid date"),
        ({"date": "1801-01-01"}, "Please select a valid date"),
        ({"amount": None}, "Please enter a valid amount"),
        ({"amount": "much"}, "Please enter a valid amount"),
        ({"amount": -1}, "Please enter a valid amount"),
        ({"amount": 0}, "Please enter a valid amount"),
        ({"amount": "0.00"}, "Please enter a valid amount"),
        ({"amount": 0.004}, "Please enter a valid amount"),
        ({"amount": "0.000000001"}, "Please enter a valid amount"),
        ({"amount": 10.005}, "Please enter a valid amount"),
        ({"amount": 1e15}, "Please enter a valid amount"),
        ({"amount": True}, "Please enter a valid amount"),
        ({"type": None}, "Please select cashflow type"),
        ({"type": "GIFT"}, "Please select cashflow type"),
    ],
)
def test_what_is_not_valid_is_refused_in_the_specified_words(
    books: Books, change: dict[str, Any], message: str
) -> None:
    flow_id = books.add(ADDED).json()["data"]["_id"]

    refused = [
        books.add({**WITHDRAWN, **change}),
        books.change({**WITHDRAWN, **change, "transactionId": flow_id}),
    ]

    assert [(one.status_code, one.json()["message"]) for one in refused] == [(422, message)] * 2
    assert [row["amount"] for row in books.rows()] == [50000]


def test_a_field_that_is_missing_is_refused_as_an_empty_one(books: Books) -> None:
    said = [
        books.add({name: ADDED[name] for name in ADDED if name != missing}).json()["message"]
        for missing in ADDED
    ]
    nothing = books.add({}).json()["errors"]

    assert said == [
        "Please select a valid date",
        "Please enter a valid amount",
        "Please select cashflow type",
    ]
    assert [fault["field"] for fault in nothing] == ["date", "amount", "type"]


def test_unknown_fields_are_not_stored(books: Books) -> None:
    added = books.add({**ADDED, "_id": str(uuid.uuid4()), "version": 9})

    assert added.status_code == 201
    assert added.json()["data"]["version"] == 1


def test_a_flow_before_the_start_is_listed_and_does_not_count(books: Books) -> None:
    books.add(ADDED)
    books.desk.post(f"{books.path}/starting-capital", {"amount": 1000})

    before = books.portfolio()["netInvestment"]
    books.desk.post(f"{books.path}/starting-date", {"startingDate": "2026-03-03"})

    assert (before, books.portfolio()["netInvestment"]) == (51000, 1000)
    assert len(books.rows()) == 1


def test_a_stale_version_overwrites_nothing_and_no_version_overwrites(books: Books) -> None:
    row = books.add(ADDED).json()["data"]
    mine = {**WITHDRAWN, "transactionId": row["_id"], "version": row["version"]}
    books.change({**ADDED, "amount": 7, "transactionId": row["_id"], "version": 1})

    stale = books.change(mine)
    stale_delete = books.delete(transactionId=row["_id"], version=1)
    free = books.change({**WITHDRAWN, "transactionId": row["_id"]})

    words = "This record was changed by someone else. Reload and try again."
    assert reply_of(stale) == (409, words)
    assert stale_delete.status_code == 409
    assert (free.status_code, free.json()["data"]["version"]) == (200, 3)


def test_a_deletion_hides_the_row_and_an_administrator_can_take_it_back(books: Books) -> None:
    row = books.add(ADDED).json()["data"]

    deleted = books.delete(transactionId=row["_id"], version=1)
    gone = (books.rows(), books.portfolio()["netInvestment"])
    again = books.delete(transactionId=row["_id"])
    edited = books.change({**ADDED, "transactionId": row["_id"]})
    restored = [books.restore(row["_id"]) for _ in range(2)]

    assert deleted.json()["success"] is True
    assert gone == ([], None)
    assert [again.status_code, edited.status_code] == [404, 404]
    assert [one.status_code for one in restored] == [200, 200]
    assert books.rows() == [restored[1].json()["data"]]
    assert books.portfolio()["netInvestment"] == 50000


def test_a_transaction_belongs_to_its_client(books: Books) -> None:
    other = Books(books.desk, books.desk.add_client("Rohan", "rohan@home.example"))
    flow_id = books.add(ADDED).json()["data"]["_id"]

    answers = [
        other.change({**WITHDRAWN, "transactionId": flow_id}),
        other.delete(transactionId=flow_id),
        books.delete(transactionId=str(uuid.uuid4())),
        Books(books.desk, str(uuid.uuid4())).add(ADDED),
        books.restore(str(uuid.uuid4())),
    ]

    assert [answer.status_code for answer in answers] == [404] * 5
    assert answers[0].json()["message"] == "Transaction not found"
    assert [row["amount"] for row in books.rows()] == [50000]


def test_a_repeated_call_acts_once_and_its_key_is_good_for_one_client(books: Books) -> None:
    other = Books(books.desk, books.desk.add_client("Rohan", "rohan@home.example"))
    key = {"Idempotency-Key": "one-form"}

    first, again = books.add(ADDED, **key), books.add(ADDED, **key)
    elsewhere = other.add(ADDED, **key)

    assert first.json() == again.json()
    assert again.headers["Idempotent-Replayed"] == "true"
    assert len(books.rows()) == 1
    assert (elsewhere.status_code, other.rows()) == (422, [])


def test_user_may_keep_the_books_and_only_an_administrator_restores(
    books: Books, user: Desk, web: TestClient
) -> None:
    mine = Books(user, books.client_id)

    flow_id = mine.add(ADDED).json()["data"]["_id"]
    mine.change({**WITHDRAWN, "transactionId": flow_id})
    deleted = mine.delete(transactionId=flow_id)

    assert deleted.status_code == 200
    assert mine.restore(flow_id).status_code == 403
    path = f"/api/v1{books.path}/accounting"
    nobody = [
        web.get(path),
        web.post(f"{path}/transaction", json=ADDED),
        web.put(f"{path}/transaction", json=ADDED),
        web.post(f"{path}/transaction/delete", json={}),
        web.post(f"/api/v1/admin/transactions/{flow_id}/restore"),
    ]
    assert [one.status_code for one in nobody] == [401] * 5


@pytest.mark.on_both(suite="long")
def test_every_change_is_in_the_trail(books: Books, database: Database) -> None:
    flow_id = books.add(ADDED).json()["data"]["_id"]
    books.change({**ADDED, "amount": 7, "transactionId": flow_id})
    books.change({**ADDED, "amount": 7, "transactionId": flow_id})
    books.delete(transactionId=flow_id)
    books.restore(flow_id)

    with database.reading() as session:
        found = session.execute(
            text("SELECT action, changes FROM audit WHERE kind = 'transaction' ORDER BY seq")
        ).all()

    assert [row.action for row in found] == [
        "cash_flow_recorded", "cash_flow_changed", "cash_flow_deleted", "cash_flow_restored",
    ]  # fmt: skip
    assert found[1].changes == '{"amount": ["50000.0000", "7"]}'


def test_the_start_is_put_as_well_as_posted_and_minds_its_version(books: Books) -> None:
    put = books.desk.put(f"{books.path}/starting-date", {"startingDate": "2026-01-05"})
    version = put.json()["data"]["version"]
    capital = books.desk.put(f"{books.path}/starting-capital", {"amount": 10, "version": version})
    stale = [
        books.desk.post(f"{books.path}/starting-value", {"amount": 20, "version": version}),
        books.desk.put(
            f"{books.path}/starting-date", {"startingDate": "2026-01-06", "version": version}
        ),
    ]
    free = books.desk.put(f"{books.path}/starting-value", {"amount": 30})
    words = [
        books.desk.put(f"{books.path}/starting-date", {"startingDate": "soon"}),
        books.desk.put(f"{books.path}/starting-capital", {"amount": "much"}),
    ]

    assert put.json()["data"]["startedFrom"] == "2026-01-05"
    assert capital.json()["data"]["startingCapital"] == 10
    assert [one.status_code for one in stale] == [409, 409]
    data = free.json()["data"]
    assert (data["startedFrom"], data["startingCapital"]) == ("2026-01-05", 30)
    assert [word.json()["message"] for word in words] == [
        "Please select a valid date",
        "Please enter a valid amount",
    ]


def test_sums_stay_right_when_many_write_at_once(books: Books, database: Database) -> None:
    def write(number: int) -> int:
        kind = "FUNDS_ADDED" if number % 2 else "FUNDS_WITHDRAWN"
        status: int = books.add({**ADDED, "amount": number + 0.25, "type": kind}).status_code
        return status

    with ThreadPoolExecutor(6) as pool:
        codes = list(pool.map(write, range(12)))

    assert codes == [201] * 12
    with database.reading() as session:
        compare_flows(session)
