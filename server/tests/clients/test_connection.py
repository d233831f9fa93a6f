"""Whether a client is connected, and since when the figures are what they are."""

import datetime as dt
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import update

from tarazu.brokers import service as brokers
from tarazu.brokers.tables import ClientSession
from tarazu.kit import clock
from tarazu.kit.db import Database, new_id
from tarazu.portfolio.tables import Account
from tarazu.prices import service as prices
from tests.people_of import Desk

Priced = Callable[[dict[str, str]], None]
SYNCED = dt.datetime(2026, 11, 20, 10, 0, tzinfo=dt.UTC)


def _log_in(database: Database, client_id: str, **more: Any) -> None:
    now = clock.now()
    fields = {
        "id": new_id(),
        "client_id": uuid.UUID(client_id),
        "broker": "ZERODHA",
        "broker_user_id": "AB1234",
        "connected_at": now,
        "expires_at": now + dt.timedelta(hours=6),
        "confirmed_at": now,
    }
    with database.transaction() as session:
        session.add(ClientSession(**(fields | more)))
        session.execute(
            update(Account)
            .where(Account.client_id == uuid.UUID(client_id))
            .values(synced_at=SYNCED)
        )


def _shown(desk: Desk, client_id: str) -> tuple[bool, bool, str | None, str | None]:
    """Connected in the list and in the profile; last sync of the profile and of the portfolio."""
    row = next(r for r in desk.get("/admin/clients").json()["data"] if r["_id"] == client_id)
    profile = desk.get(f"/admin/clients/client/{client_id}/profile").json()["data"]
    portfolio = desk.get(f"/admin/clients/client/{client_id}/portfolio").json()["data"]
    return row["isConnected"], profile["isConnected"], profile["lastSync"], portfolio["lastSync"]


@pytest.mark.usefixtures("still_clock")
def test_a_client_with_a_valid_session_is_connected_and_live_while_prices_flow(
    admin: Desk, database: Database, priced: Priced
) -> None:
    client_id = admin.add_client()
    _log_in(database, client_id)
    before = _shown(admin, client_id)

    priced({"INFY": "1500"})

    assert before == (True, True, "2026-11-20T10:00:00Z", "2026-11-20T10:00:00Z")
    assert _shown(admin, client_id) == (True, True, "live", "live")


@pytest.mark.usefixtures("still_clock")
def test_prices_are_not_live_after_fifteen_seconds_without_a_tick(
    database: Database, priced: Priced
) -> None:
    now = clock.now()
    with database.reading() as session:
        assert not prices.are_flowing(session, now)
        priced({"INFY": "1500"})

        assert prices.are_flowing(session, clock.now())
        assert not prices.are_flowing(session, clock.now() + dt.timedelta(seconds=16))


@pytest.mark.parametrize(
    "ending",
    [
        {"expires_at": dt.datetime(2026, 1, 1, tzinfo=dt.UTC)},
        {"ended_at": dt.datetime(2026, 1, 1, tzinfo=dt.UTC)},
        {"confirmed_at": None},
    ],
)
def test_a_session_that_expired_ended_or_is_not_confirmed_does_not_count(
    admin: Desk, database: Database, priced: Priced, ending: dict[str, Any]
) -> None:
    client_id = admin.add_client()
    priced({"INFY": "1500"})

    _log_in(database, client_id, **ending)

    synced = "2026-11-20T10:00:00Z"
    assert _shown(admin, client_id) == (False, False, synced, synced)


def test_a_client_who_never_synced_has_no_time(admin: Desk) -> None:
    assert _shown(admin, admin.add_client()) == (False, False, None, None)


def test_one_live_session_of_several_is_enough(admin: Desk, database: Database) -> None:
    one = admin.add_client("One", "one@home.example")
    two = admin.add_client("Two", "two@home.example")
    _log_in(database, one, ended_at=clock.now())
    _log_in(database, one)
    _log_in(database, one)

    with database.reading() as session:
        both = brokers.connected_clients(session, [uuid.UUID(one), uuid.UUID(two)], clock.now())
        everyone = brokers.connected_clients(session, None, clock.now())
        nobody = brokers.connected_clients(session, [], clock.now())

    assert both == everyone == {uuid.UUID(one)}
    assert nobody == set()


@pytest.mark.on_both(suite="long")
def test_the_list_sorts_by_the_connection_over_all_pages(admin: Desk, database: Database) -> None:
    ids = [admin.add_client(f"Client {n}", f"c{n}@home.example") for n in range(4)]
    _log_in(database, ids[2])

    def codes(sort: str, page: int) -> list[str]:
        rows = admin.get("/admin/clients", sort=sort, limit=2, page=page).json()["data"]
        return [row["clientId"] for row in rows]

    assert codes("-status", 1) + codes("-status", 2) == ["C0003", "C0001", "C0002", "C0004"]
    assert codes("status", 1) + codes("status", 2) == ["C0001", "C0002", "C0004", "C0003"]
