"""What changed today: the clients whose value moved most since the last daily close."""

import datetime as dt
import uuid
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import insert

from tarazu.instruments import service as instruments
from tarazu.kit import clock
from tarazu.kit.clock import INDIA
from tarazu.kit.db import Database
from tarazu.portfolio import service as portfolio
from tarazu.portfolio.tables import SeenIn, SuspectedAction
from tests.people_of import Desk
from tests.portfolio.books import give_holdings

pytestmark = pytest.mark.on_both

Priced = Callable[[dict[str, str]], None]
NOON = dt.datetime(2026, 11, 20, 12, 0, tzinfo=INDIA)
THURSDAY = dt.date(2026, 11, 19)


@pytest.fixture(autouse=True)
def _friday_noon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "now", lambda: NOON.astimezone(dt.UTC))


def movers(desk: Desk) -> Any:
    answer = desk.get("/admin/dashboard/movers")
    assert answer.status_code == 200, answer.text
    return answer.json()["data"]


def holder(desk: Desk, database: Database, shares: int, cash: str = "0") -> str:
    """A client with these shares of INFY; the `_id`."""
    client_id = desk.add_client(f"Holder of {shares}", f"holder{shares}@home.example")
    give_holdings(database, client_id, {"INFY": (shares, "900")}, cash)
    return client_id


def close(database: Database, values: dict[str, int], day: dt.date = THURSDAY) -> None:
    """Daily closes of these clients, all in shares."""
    rows = [(uuid.UUID(key), day, Decimal(value), Decimal(0)) for key, value in values.items()]
    with database.transaction() as session:
        portfolio.record_closes(session, rows, [(day, Decimal(sum(values.values())), len(rows))])


def test_before_the_first_close_nothing_is_compared(admin: Desk, database: Database) -> None:
    holder(admin, database, 10)

    assert movers(admin) is None


def test_the_five_that_rose_most_and_those_that_fell_are_listed_most_first(
    admin: Desk, database: Database, priced: Priced
) -> None:
    rising = [holder(admin, database, shares) for shares in range(1, 8)]
    fallen, still = holder(admin, database, 20, "500"), holder(admin, database, 30)
    new = holder(admin, database, 40)
    close(
        database,
        {key: 900 * shares for shares, key in enumerate(rising, 1)}
        | {fallen: 25_500, still: 30_000},
    )
    priced({"INFY": "1000"})

    shown = movers(admin)

    assert shown["closedOn"] == "2026-11-19"
    assert [row["_id"] for row in shown["rising"]] == rising[:1:-1]
    assert shown["rising"][0] == {
        "_id": rising[6], "clientId": "C0007", "name": "Holder of 7", "value": 7000,
        "change": 700, "changePercentage": 11.11, "staleSince": None,
    }  # fmt: skip
    (row,) = shown["falling"]
    assert (row["_id"], row["value"], row["change"], row["changePercentage"]) == (
        fallen, 20_500, -5_000, -19.61,
    )  # fmt: skip
    listed = {row["_id"] for row in (*shown["rising"], *shown["falling"])}
    assert not {still, new} & listed


def test_cash_flows_since_the_close_are_no_change(
    admin: Desk, database: Database, priced: Priced
) -> None:
    client_id = holder(admin, database, 10, "5000")
    close(database, {client_id: 9_000})
    priced({"INFY": "1000"})
    assert movers(admin)["rising"][0]["change"] == 6_000

    flow = {"date": "2026-11-20", "amount": 5_000, "type": "FUNDS_ADDED"}
    answer = admin.post(f"/admin/clients/client/{client_id}/accounting/transaction", flow)
    assert answer.status_code in {200, 201}, answer.text

    (row,) = movers(admin)["rising"]
    assert (row["change"], row["changePercentage"]) == (1_000, 7.14)


def test_todays_close_is_not_what_today_is_compared_with(
    admin: Desk, database: Database, priced: Priced
) -> None:
    client_id = holder(admin, database, 10)
    close(database, {client_id: 9_000})
    close(database, {client_id: 10_000}, NOON.date())
    priced({"INFY": "1000"})

    shown = movers(admin)

    assert (shown["closedOn"], shown["rising"][0]["change"]) == ("2026-11-19", 1_000)


def test_inactive_clients_and_those_with_a_suspected_split_are_left_out(
    admin: Desk, database: Database, priced: Priced
) -> None:
    doubted, inactive, shown = (holder(admin, database, shares) for shares in (1, 2, 3))
    close(database, {doubted: 900, inactive: 1_800, shown: 2_700})
    priced({"INFY": "1000"})
    admin.put("/clients/edit", {"id": inactive, "status": "INACTIVE"})
    with database.transaction() as session:
        infy = instruments.by_symbol(session, "NSE", "INFY").id
        mark = {"client_id": uuid.UUID(doubted), "instrument_id": infy, "seen_in": SeenIn.PRICE}
        session.execute(insert(SuspectedAction), [mark | {"at": clock.now()}])

    answer = movers(admin)

    assert [row["_id"] for row in answer["rising"]] == [shown]
    assert answer["leftOut"] == 1


def test_a_value_at_a_stale_price_says_of_when_the_price_is(
    admin: Desk, database: Database, priced: Priced
) -> None:
    client_id = admin.add_client()
    give_holdings(database, client_id, {"INFY": (10, "900"), "TCS": (1, "3000")})
    close(database, {client_id: 9_000})
    priced({"INFY": "1000"})

    (row,) = movers(admin)["rising"]

    # TCS has only the price that comes with the product.
    assert row["staleSince"] == "2026-08-21T10:00:00Z"
