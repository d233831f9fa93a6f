"""Tradebooks of both brokers: orders and trades, checked row by row, applied whole, added once."""

import datetime as dt
import uuid
from decimal import Decimal
from typing import Any

import pytest
from httpx2 import Response

from tarazu.imports import running
from tarazu.kit import clock
from tarazu.kit.db import Database
from tarazu.orders import service as orders
from tarazu.orders.tables import OrderSide, TradeSource
from tarazu.portfolio import service as portfolio
from tests.imports.files import INFY, TCS, angel_trades, zerodha_trades
from tests.imports.test_imports import ImportDesk
from tests.imports.test_records import TRADES, orders_of
from tests.orders.trades_of import clear, due, read_at, record, stored, trade
from tests.people_of import Desk, data_of, reply_of

PATH = "/admin/imports/tradebook"
ROW = (
    "INFY,INE009A01021,2025-04-03,NSE,EQ,EQ,buy,false,10,1500.5,{},1100000001,2025-04-03T10:05:01\n"
)


class TradebookDesk(ImportDesk):
    """A desk with one client, C0001, that imports tradebooks."""

    def upload(self, content: bytes, name: str = "tradebook.csv", **fields: str) -> Response:
        return self.desk.upload(PATH, name, content, **{"clientId": self.client_id} | fields)

    def check(self, content: bytes, **fields: str) -> dict[str, Any]:
        return dict(data_of(self.upload(content, dryRun="true", **fields)))

    def apply(self, content: bytes, **fields: str) -> dict[str, Any]:
        return dict(data_of(self.upload(content, dryRun="false", **fields)))

    def refused(self, content: bytes) -> list[tuple[int, str]]:
        """Line and reason of the rows that a dry run refuses."""
        return [(row["line"], row["reason"]) for row in self.check(content)["refused"]]


@pytest.fixture
def imports(admin: Desk, database: Database) -> TradebookDesk:
    return TradebookDesk(admin, database)


def csv_of(*rows: str) -> bytes:
    return (TRADES + "".join(rows)).encode()


FILES = {
    "csv": csv_of(
        ROW.format(71),
        ROW.format(72),
        "IDEA,INE669E01016,2025-04-04,NSE,EQ,BE,sell,false,2,8.06,77,1100000002,2025-04-04T11:00:00\n",
    ),
    "xlsx": zerodha_trades(
        ("INFY", INFY, "2025-04-03", "EQ", "EQ", "buy", 10, 1500.5, "71", "1100000001", "10:05:01"),
        ("INFY", INFY, "2025-04-03", "EQ", "EQ", "buy", 10, 1500.5, "72", "1100000001", "10:05:01"),
        (
            *("IDEA", "INE669E01016", "2025-04-04", "EQ", "BE", "sell", 2, 8.06, "77"),
            *("1100000002", "11:00:00"),
        ),
    ),
    "angel": angel_trades(
        ("INFY-EQ", "BUY", 1500.5, 10, "DELIVERY", "CAPITAL", "1100000001", "71", "4/3/25"),
        ("INFY-EQ", "BUY", 0, 0, "DELIVERY", "CAPITAL", "1100000001", "", "4/3/25"),
        ("Infosys Ltd", "BUY", 1500.5, 10, "INTRADAY", "CAPITAL", "1100000001", "72", "4/3/25"),
        (
            *("IDEA-EQ", "SELL", 8.06, 2, "DELIVERY", "CAPITAL", "1100000002", "77"),
            dt.datetime(2025, 4, 4, tzinfo=dt.UTC).replace(tzinfo=None),
        ),
    ),
}


@pytest.mark.on_both
@pytest.mark.parametrize("kind", FILES)
def test_a_tradebook_of_each_kind_adds_its_orders_and_trades_once(
    imports: TradebookDesk, database: Database, kind: str
) -> None:
    checked = imports.check(FILES[kind])
    assert (checked["message"], checked["canApply"]) == ("2 added.", True)
    assert stored(database, imports.client_id) == []

    report = imports.apply(FILES[kind])

    assert report["message"] == "2 added."
    assert report["refused"] == []
    first, second, sale = stored(database, imports.client_id)
    assert {first.trade_id, second.trade_id} == {"71", "72"}
    assert {row.source for row in (first, second, sale)} == {TradeSource.FILE}
    assert (first.symbol, first.isin, first.quantity) == ("INFY", INFY, 10)
    assert (first.price, first.side) == (Decimal("1500.5"), OrderSide.BUY)
    assert (sale.side, sale.isin, sale.day) == (
        OrderSide.SELL,
        "INE669E01016",
        dt.date(2025, 4, 4),
    )
    assert [(row["quantity"], row["tradingSymbol"]) for row in orders_of(imports)] == [
        (2, sale.symbol),
        (20, "INFY"),
    ]
    if kind == "angel":
        # The day alone: taken to be its close. The file says which trades were intraday.
        assert sale.traded_at == dt.datetime(2025, 4, 4, 10, 0, tzinfo=dt.UTC)
        assert {first.product, second.product} == {"DELIVERY", "INTRADAY"}
        assert report["leftOut"] == ["2 rows of other entries: settlements, charges, balances"]
        assert (report["brokerClientId"], report["kind"]) == ("A123456", "ANGEL_TRADEBOOK")
    else:
        assert first.traded_at == dt.datetime(2025, 4, 3, 4, 35, 1, tzinfo=dt.UTC)
        assert sale.symbol == "IDEA-BE"
    assert read_at(database, imports.client_id) == sale.traded_at
    assert due(database).keys() == {uuid.UUID(imports.client_id)}

    # The same file again, and the same trades in another file.
    clear(database)
    assert imports.apply(FILES[kind])["message"] == "2 unchanged."
    assert len(stored(database, imports.client_id)) == 3
    assert not imports.check(FILES[kind])["canApply"]


def test_trades_that_the_broker_gave_before_are_not_added_again(
    imports: TradebookDesk, database: Database
) -> None:
    at = dt.datetime(2025, 4, 3, 4, 35, 1, tzinfo=dt.UTC)
    record(database, imports.client_id, trade("71", at), trade("72", at))

    report = imports.apply(csv_of(ROW.format(71), ROW.format(72), ROW.format(73)))

    # The order is new in the order book, and one of its trades is new.
    assert report["message"] == "1 added."
    assert sorted((row.trade_id, row.source) for row in stored(database, imports.client_id)) == [
        ("71", TradeSource.BROKER),
        ("72", TradeSource.BROKER),
        ("73", TradeSource.FILE),
    ]


def test_a_known_order_gets_the_trades_that_it_lacks(
    imports: TradebookDesk, database: Database
) -> None:
    imports.apply(csv_of(ROW.format(71)))

    report = imports.apply(csv_of(ROW.format(71), ROW.format(72)))

    assert report["message"] == "1 added."
    assert len(stored(database, imports.client_id)) == 2
    assert len(orders_of(imports)) == 1


@pytest.mark.parametrize("segment", ["FO", "CDS", "COM", "MF"])
def test_rows_of_other_segments_are_refused_one_by_one(
    imports: TradebookDesk, database: Database, segment: str
) -> None:
    other = ROW.format(72).replace("NSE,EQ,", f"NFO,{segment},")
    file = csv_of(ROW.format(71), other)

    reason = f'Segment "{segment}" is not imported: only trades of shares are.'
    assert imports.refused(file) == [(3, reason)]
    answer = imports.upload(file, dryRun="false")
    assert answer.status_code == 422
    assert stored(database, imports.client_id) == []
    imports.apply(file, leaveOutRefused="true")
    assert len(stored(database, imports.client_id)) == 1


def test_a_future_of_angel_one_and_an_unknown_share_are_refused(imports: TradebookDesk) -> None:
    file = angel_trades(
        ("OPTIDX NIFTY Aug 25 2026 24150.00 PE", "BUY", 10, 75, "DELIVERY", "FUTURES", "1", "71",
         "4/3/25"),
        ("NO SUCH COMPANY", "BUY", 10, 75, "DELIVERY", "CAPITAL", "2", "72", "4/3/25"),
        ("INFY-EQ", "BUY", 10, 75, "DELIVERY", "CAPITAL", "3", "73", "4/31/25"),
    )  # fmt: skip

    assert imports.refused(file) == [
        (35, 'Segment "FUTURES" is not imported: only trades of shares are.'),
        (36, "Unknown stock symbol: NO SUCH COMPANY."),
        (37, 'Date "4/31/25" is not a day such as 8/21/26.'),
    ]


def test_a_cut_last_line_is_refused_wherever_it_is_cut(imports: TradebookDesk) -> None:
    whole = ROW.format(72).rstrip("\n")
    cuts = [place for place in range(1, len(whole)) if whole[:place].strip()]
    refused = {}
    for place in cuts[:: max(1, len(cuts) // 40)] + list(range(len(whole) - 20, len(whole))):
        refused[place] = imports.refused(csv_of(ROW.format(71), whole[:place]))

    assert {len(rows) for rows in refused.values()} == {1}
    assert {rows[0][0] for rows in refused.values()} == {3}


def test_a_file_without_times_counts_its_trades_at_the_close(
    imports: TradebookDesk, database: Database
) -> None:
    header = TRADES.replace(",order_execution_time", "")
    imports.apply((header + ROW.format(71).replace(",2025-04-03T10:05:01", "")).encode())

    (row,) = stored(database, imports.client_id)
    assert row.traded_at == dt.datetime(2025, 4, 3, 10, 0, tzinfo=dt.UTC)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (("T10:05:01", "T25:05:01"), 'Order execution time "2025-04-03T25:05:01" is not a time'),
        (
            ("2025-04-03T", "2025-04-04T"),
            'Order execution time "2025-04-04T10:05:01" is not a time',
        ),
        (("INE009A01021", "INE009A01022"), 'ISIN "INE009A01022" is not an ISIN'),
        ((",buy,", ",hold,"), 'Trade type "hold" is neither buy nor sell.'),
        ((",NSE,", ",MCX,"), 'Exchange "MCX" is neither NSE nor BSE.'),
        ((",10,", ",0,"), "Quantity and price must be above 0."),
        ((",10,", ",-10,"), 'Quantity "-10" is below 0.'),
        ((",10,", ",1.5,"), 'Quantity "1.5" is not a whole number of shares.'),
        ((",72,", ",,"), 'Trade id "" is not an order or trade number.'),
        (("INFY,", "=INFY,"), 'Symbol "=INFY" is a formula'),
    ],
)
def test_a_bad_row_is_refused_with_its_line_and_reason(
    imports: TradebookDesk, change: tuple[str, str], reason: str
) -> None:
    bad = ROW.format(72).replace(*change, 1)

    ((line, told),) = imports.refused(csv_of(ROW.format(71), bad))

    assert line == 3
    assert told.startswith(reason)


@pytest.mark.parametrize("quantity", [10, 20])
def test_a_trade_number_twice_in_a_file_is_refused_with_the_line_of_the_first(
    imports: TradebookDesk, quantity: int
) -> None:
    again = ROW.format(71).replace(",10,", f",{quantity},")

    refused = imports.refused(csv_of(ROW.format(71), again))

    assert refused == [(3, "Trade 71 is already in line 2.")]


def test_sales_above_their_purchases_in_a_file_come_to_the_same(
    imports: TradebookDesk, database: Database
) -> None:
    sale = (
        ROW.format(72)
        .replace(",buy,", ",sell,")
        .replace("1100000001,2025-04-03T10", "2,2025-04-03T12")
    )

    imports.apply(csv_of(sale, ROW.format(71)))

    sides = [(row.trade_id, row.side) for row in stored(database, imports.client_id)]
    assert sorted(sides) == [("71", OrderSide.BUY), ("72", OrderSide.SELL)]


def test_a_trade_of_another_client_is_refused(imports: TradebookDesk, database: Database) -> None:
    other_id = imports.desk.add_client("Ira Bose", "ira@home.example")
    imports.apply(csv_of(ROW.format(71)), clientId=other_id)
    sale = ROW.format(73).replace(",buy,", ",sell,").replace("1100000001", "1100000009")
    imports.apply(csv_of(sale), clientId=other_id)

    # The buyer of the trade that the other client sold may be this one.
    bought = sale.replace(",sell,", ",buy,")
    file = csv_of(ROW.format(71), ROW.format(72), bought)

    assert imports.refused(file) == [(2, "This trade is recorded for client C0002.")]


def test_a_file_of_another_clients_account_is_refused(imports: TradebookDesk) -> None:
    other_id = imports.desk.add_client("Ira Bose", "ira@home.example")
    with imports.database.transaction() as session:
        portfolio.set_broker(session, uuid.UUID(other_id), "ZERODHA", "AB1234")

    answer = imports.upload(FILES["xlsx"], "tradebook.xlsx", dryRun="true")

    status, message = reply_of(answer)
    assert status == 422
    assert "belongs to broker account AB1234 of C0002" in message


def test_the_call_takes_tradebooks_of_one_client_alone(imports: TradebookDesk) -> None:
    holdings = imports.upload(b"Instrument,Qty.,Avg. cost,LTP\nINFY,1,2,3\n")
    nobody = imports.desk.upload(PATH, "tradebook.csv", FILES["csv"])

    assert reply_of(holdings)[1].startswith("This file is not a tradebook.")
    assert nobody.status_code == 422


def test_the_call_of_all_files_takes_tradebooks_too(
    imports: TradebookDesk, database: Database
) -> None:
    answer = imports.send(FILES["csv"], dryRun="false", clientId=imports.client_id)

    assert data_of(answer)["message"] == "2 added."
    assert len(stored(database, imports.client_id)) == 3


def test_a_tradebook_says_what_happened_on_a_day_that_was_inferred(
    imports: TradebookDesk, database: Database
) -> None:
    at = dt.datetime(2025, 4, 3, 4, 0, tzinfo=dt.UTC)
    with database.transaction() as session:
        day = dt.timedelta(days=1)
        row = orders.inferred_trade(INFY, ("NSE", "INFY"), 10, None, (at - day, at + day))
        elsewhere = orders.inferred_trade(TCS, ("NSE", "TCS"), 10, None, (at - day, at + day))
        client = uuid.UUID(imports.client_id)
        orders.record_inferred(session, {client: [row, elsewhere]}, clock.now())

    imports.apply(csv_of(ROW.format(71)))

    assert {(row.isin, row.source) for row in stored(database, imports.client_id)} == {
        (INFY, TradeSource.FILE),
        (TCS, TradeSource.INFERRED),
    }


@pytest.mark.long
def test_a_hundred_thousand_rows_are_imported(imports: TradebookDesk, database: Database) -> None:
    row = "INFY,INE009A01021,2025-04-03,NSE,EQ,EQ,buy,false,10,1500.5,{},11{},2025-04-03T10:05:01\n"
    file = csv_of(*(row.format(number, number // 4) for number in range(100_000)))

    begun = data_of(imports.upload(file, dryRun="false"), 202)
    running._thread.submit(lambda: None).result(600)

    report = imports.desk.get(f"/admin/imports/{begun['_id']}").json()["data"]
    assert report["message"] == "25,000 added."
