"""Last prices: given with an added stock, kept through restarts, never lost by a failed save."""

import datetime as dt
import time
from collections.abc import Callable
from decimal import Decimal

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from sqlalchemy import text, update
from sqlalchemy.exc import DBAPIError

from tarazu.app import create_app, open_database
from tarazu.auth.tables import SignIn
from tarazu.instruments import service as instruments
from tarazu.instruments.tables import Instrument
from tarazu.kit import clock
from tarazu.kit.auth_route import PasswordChangeRequired, SessionExpired
from tarazu.kit.db import Database
from tarazu.kit.settings import Settings
from tarazu.people.tables import Person
from tarazu.prices import service
from tarazu.prices.book import Quote
from tarazu.prices.sockets import SessionGuard
from tests.people_of import ADMIN, Desk, sign_up
from tests.rows_of import run

pytestmark = pytest.mark.on_both

INFY = 408065
NOON = dt.datetime(2026, 11, 20, 6, 30, tzinfo=dt.UTC)


def record(database: Database, price: str, at: dt.datetime, token: int = INFY) -> None:
    with database.reading() as session:
        service.record_prices(session, {token: Decimal(price)}, at, "ZERODHA")


def quote_after_restart(settings: Settings, token: int = INFY) -> Quote:
    fresh = Database(settings.resolved_database_url)
    try:
        with fresh.reading() as session:
            return service.last_prices(session, [token])[token]
    finally:
        fresh.dispose()


def test_an_added_stock_comes_with_its_last_price(
    admin: Desk, priced: Callable[[dict[str, str]], None]
) -> None:
    priced({"INFY": "1500.05"})

    answer = admin.post("/instruments/add", {"symbolName": " infy ", "exchange": "nse"})

    assert answer.status_code == 200
    assert answer.json() == {
        "success": True,
        "message": "Stock added successfully",
        "data": {
            "ZERODHA": {"instrumentToken": INFY},
            "ANGEL_ONE": {"instrumentToken": "1594"},
            "symbol": "INFY",
            "exchange": "NSE",
            "isin": "INE009A01021",
            "ltp": 1500.05,
        },
    }


def test_a_stock_that_never_traded_here_has_its_last_close(admin: Desk, database: Database) -> None:
    answer = admin.post("/instruments/add", {"symbolName": "TCS", "exchange": "NSE"})

    with database.reading() as session:
        listed = instruments.by_symbol(session, "NSE", "TCS")
        quote = service.last_prices(session, [listed.instrument_token])[listed.instrument_token]
    assert answer.json()["data"]["ltp"] == float(listed.reference_close)
    assert (quote.source, quote.price) == ("CLOSE", listed.reference_close)


def test_an_unknown_stock_is_named_in_the_refusal(web: TestClient, admin: Desk) -> None:
    for method, path in (("POST", "add"), ("DELETE", "remove")):
        answer = web.request(
            method,
            f"/api/v1/instruments/{path}",
            json={"symbolName": "NOSUCH", "exchange": "NSE"},
            headers=admin.headers,
        )

        assert answer.status_code == 404
        assert "NOSUCH" in answer.json()["message"]


def test_a_stock_is_watched_until_its_last_watcher_removes_it(
    web: TestClient, admin: Desk, database: Database
) -> None:
    stock = {"symbolName": "INFY", "exchange": "NSE"}
    for _ in range(2):
        admin.post("/instruments/add", stock)
    with database.reading() as session:
        during = instruments.watched(session)

    for _ in range(2):
        answer = web.request(
            "DELETE", "/api/v1/instruments/remove", json=stock, headers=admin.headers
        )
        assert answer.json() == {"success": True, "message": "Stock removed successfully"}

    with database.reading() as session:
        assert during == {instruments.by_symbol(session, "NSE", "INFY").id}
        assert instruments.watched(session) == set()


def test_a_saved_price_is_there_after_a_restart_with_its_age(
    settings: Settings, database: Database
) -> None:
    record(database, "1500.0525", NOON)

    first, second = service.save_last_prices(database), service.save_last_prices(database)

    assert (first, second) == (1, 0)
    assert quote_after_restart(settings) == Quote(Decimal("1500.0525"), NOON, "ZERODHA")


def test_an_older_price_is_never_saved_over_a_newer_one(
    settings: Settings, database: Database
) -> None:
    record(database, "1500", NOON)
    other = Database(settings.resolved_database_url)
    record(other, "1400", NOON - dt.timedelta(seconds=1))
    service.save_last_prices(database)

    service.save_last_prices(other)
    other.dispose()

    assert quote_after_restart(settings).price == Decimal(1500)


def test_a_price_of_a_time_to_come_keeps_out_none_that_trades(
    settings: Settings, database: Database
) -> None:
    """A close of today before there is one, and a price that was saved before a clock was set back."""
    now, tcs = clock.now(), 2953217
    record(database, "1500", now + dt.timedelta(days=2))
    service.save_last_prices(database)
    with database.transaction() as session:
        later = update(Instrument).where(Instrument.zerodha_token == tcs)
        session.execute(later.values(reference_on=clock.today() + dt.timedelta(days=1)))

    other = Database(settings.resolved_database_url)
    with other.reading() as session:
        service.book_of(session)
    for token in (INFY, tcs):
        record(other, "1400", clock.now(), token)
    with other.reading() as session:
        quotes = service.last_prices(session, [INFY, tcs])
    other.dispose()

    assert {quote.price for quote in quotes.values()} == {Decimal(1400)}


def test_a_failed_save_loses_nothing(settings: Settings, database: Database) -> None:
    record(database, "1500", NOON)
    run(database, text("ALTER TABLE last_prices RENAME TO away"))
    with pytest.raises(DBAPIError):
        service.save_last_prices(database)
    run(database, text("ALTER TABLE away RENAME TO last_prices"))

    service.save_last_prices(database)

    assert quote_after_restart(settings).price == Decimal(1500)


def test_stopping_saves_what_the_simulated_market_traded(settings: Settings) -> None:
    simulated = settings.model_copy(update={"price_source": "simulated"})
    database = open_database(simulated)
    with TestClient(create_app(simulated, database)) as web:
        admin = Desk(web, sign_up(web, ADMIN))
        admin.post("/instruments/add", {"symbolName": "INFY", "exchange": "NSE"})
        end = time.monotonic() + 120
        while _quote(database).source != "SIMULATED":
            assert time.monotonic() < end
            time.sleep(0.05)

    reopened = open_database(settings)
    with reopened.reading() as session:
        quote = service.last_prices(session, [INFY])[INFY]
    reopened.dispose()
    assert quote.source == "SIMULATED"


def test_without_a_simulator_no_price_is_invented(app: FastAPI, database: Database) -> None:
    with TestClient(app) as web:
        admin = Desk(web, sign_up(web, ADMIN))
        admin.post("/instruments/add", {"symbolName": "INFY", "exchange": "NSE"})
        time.sleep(0.6)
        quote = _quote(database)

    assert quote.source == "CLOSE"


def test_holding_a_socket_does_not_keep_a_session_alive(
    admin: Desk, database: Database, settings: Settings
) -> None:
    guard = SessionGuard(database, settings)
    _idle_for(database, dt.timedelta(minutes=29))
    while_idle = guard.ended({admin.token})
    _idle_for(database, dt.timedelta(minutes=31))

    assert while_idle == set()
    assert guard.ended({admin.token, "x" * 43}) == {admin.token, "x" * 43}
    with pytest.raises(SessionExpired):
        guard.admit(admin.token)


def test_an_account_that_must_set_a_password_gets_no_socket(
    admin: Desk, database: Database, settings: Settings
) -> None:
    run(database, update(Person).values(must_change_password=True))
    guard = SessionGuard(database, settings)

    with pytest.raises(PasswordChangeRequired):
        guard.admit(admin.token)
    assert guard.ended({admin.token}) == {admin.token}


def _quote(database: Database) -> Quote:
    with database.reading() as session:
        return service.last_prices(session, [INFY])[INFY]


def _idle_for(database: Database, time_: dt.timedelta) -> None:
    run(database, update(SignIn).values(seen_at=clock.now() - time_))
