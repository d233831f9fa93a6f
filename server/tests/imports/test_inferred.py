"""Trades that two holdings files show, and when they show none."""

import datetime as dt
import uuid
from decimal import Decimal

import pytest
from sqlalchemy import update

from tarazu.kit import clock
from tarazu.kit.db import Database
from tarazu.orders.service import StoredTrade
from tarazu.orders.tables import OrderSide, TradeSource
from tarazu.portfolio.tables import Account
from tests.imports.files import INFY, ITC, TCS, angel, console, firm, kite
from tests.imports.test_imports import ImportDesk
from tests.orders.trades_of import due, read_at, record, stored, trade
from tests.people_of import Desk
from tests.rows_of import run

pytestmark = pytest.mark.on_both


@pytest.fixture
def imports(admin: Desk, database: Database) -> ImportDesk:
    return ImportDesk(admin, database)


def days_ago(imports: ImportDesk, days: int) -> dt.datetime:
    """Let the last holdings be of so many days ago."""
    at = clock.now() - dt.timedelta(days=days)
    run(imports.database, update(Account).values(synced_at=at))
    return at


def inferred(imports: ImportDesk) -> dict[str, StoredTrade]:
    rows = stored(imports.database, imports.client_id)
    return {row.isin: row for row in rows if row.source is TradeSource.INFERRED}


def test_holdings_that_changed_over_unread_days_show_trades(imports: ImportDesk) -> None:
    imports.apply(kite(("INFY", 10, 1000), ("TCS", 8, 3000)))
    assert inferred(imports) == {}
    before = days_ago(imports, 7)

    imports.apply(kite(("INFY", 17, 1070), ("ITC", 5, 400)))

    rows = inferred(imports)
    # (17 x 1070 - 10 x 1000) / 7
    assert (rows[INFY].side, rows[INFY].quantity, rows[INFY].price) == (
        OrderSide.BUY,
        7,
        Decimal(1170),
    )
    assert (rows[ITC].quantity, rows[ITC].price) == (5, Decimal(400))
    assert (rows[TCS].side, rows[TCS].quantity, rows[TCS].price) == (OrderSide.SELL, 8, None)
    assert {row.after for row in rows.values()} == {before}
    known_until = read_at(imports.database, imports.client_id)
    assert {row.traded_at for row in rows.values()} == {known_until}
    assert due(imports.database).keys() == {uuid.UUID(imports.client_id)}


def test_trades_that_are_known_are_not_inferred_again(imports: ImportDesk) -> None:
    imports.apply(kite(("INFY", 10, 1000), ("TCS", 8, 3000)))
    before = days_ago(imports, 7)
    at = before + dt.timedelta(days=2)
    record(
        imports.database,
        imports.client_id,
        trade("71", at, quantity=5),
        trade("72", at, symbol="TCS", isin=TCS, side=OrderSide.SELL, quantity=8),
        source=TradeSource.FILE,
    )

    imports.apply(kite(("INFY", 17, 1070)))

    rows = inferred(imports)
    # What the two others cost is not known: the average is that of all.
    assert {isin: (row.quantity, row.price) for isin, row in rows.items()} == {INFY: (2, None)}


@pytest.mark.parametrize(("quantity", "average"), [(20, 500), (20, 1000), (5, 2000)])
def test_what_may_be_a_corporate_action_is_no_trade(
    imports: ImportDesk, quantity: int, average: int
) -> None:
    imports.apply(kite(("INFY", 10, 1000)))
    days_ago(imports, 7)

    imports.apply(kite(("INFY", quantity, average)))

    assert inferred(imports) == {}


def test_two_files_of_one_day_show_no_trade(imports: ImportDesk) -> None:
    imports.apply(kite(("INFY", 10, 1000)))

    imports.apply(kite(("INFY", 17, 1070)))

    assert inferred(imports) == {}
    assert read_at(imports.database, imports.client_id) is None


def test_a_file_of_another_broker_shows_no_trade(imports: ImportDesk) -> None:
    imports.apply(kite(("INFY", 10, 1000)))
    days_ago(imports, 7)

    imports.apply(angel(("INFY-EQ", INFY, 17, 1070)))

    assert inferred(imports) == {}


def test_files_of_one_broker_and_the_firms_own_are_compared(imports: ImportDesk) -> None:
    imports.apply_firm(firm("C0001,NSE,INFY,,10,1000,"))
    days_ago(imports, 7)
    imports.apply_firm(firm("C0001,NSE,INFY,,17,1070,"))

    assert inferred(imports)[INFY].quantity == 7


def test_the_day_of_a_file_is_when_it_was_read(imports: ImportDesk) -> None:
    """The workbook is of 21 August 2026: later days are not in it, and an older one shows nothing."""
    imports.apply(kite(("INFY", 10, 1000), ("TCS", 8, 3000)))
    run(
        imports.database,
        update(Account).values(synced_at=dt.datetime(2026, 8, 18, 12, 0, tzinfo=dt.UTC)),
    )
    imports.apply(console(("INFY", INFY, 17, 1070), ("TCS", TCS, 8, 3000)))

    row = inferred(imports)[INFY]
    assert row.traded_at == dt.datetime(2026, 8, 21, 18, 30, tzinfo=dt.UTC)
    assert read_at(imports.database, imports.client_id) == row.traded_at

    days_ago(imports, 7)
    imports.apply(console(("INFY", INFY, 17, 1070)))
    assert inferred(imports).keys() == {INFY}


def test_unchanged_holdings_let_trades_be_known(imports: ImportDesk) -> None:
    imports.apply(kite(("INFY", 10, 1000)))
    days_ago(imports, 7)

    imports.apply(kite(("INFY", 10, 1000)))

    assert inferred(imports) == {}
    assert read_at(imports.database, imports.client_id) is not None
