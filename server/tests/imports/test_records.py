"""Files that add records: clients, funds in and out, trades."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tarazu.imports.readers.parsed import FileKind
from tarazu.imports.readers.reading import read_file
from tarazu.kit import clock
from tarazu.kit.db import Database
from tests.imports.test_imports import ImportDesk
from tests.people_of import Desk, reply_of

PEOPLE = "name,country_code,contact,email,role\n"
FUNDS = "client_code,date,amount,type\n"
LEDGER = "particulars,posting_date,cost_center,voucher_type,debit,credit,net_balance\n"
TRADES = (
    "symbol,isin,trade_date,exchange,segment,series,trade_type,auction,quantity,price,"
    "trade_id,order_id,order_execution_time\n"
)


@pytest.fixture
def imports(admin: Desk, database: Database) -> ImportDesk:
    return ImportDesk(admin, database)


def flows_of(imports: ImportDesk, client_id: str = "") -> list[tuple[str, float, str]]:
    path = f"/admin/clients/client/{client_id or imports.client_id}/accounting"
    rows = imports.desk.get(path).json()["data"]
    return [(row["date"], row["amount"], row["type"]) for row in rows]


def orders_of(imports: ImportDesk) -> list[dict[str, Any]]:
    path = f"/admin/clients/client/{imports.client_id}/order-book"
    return list(imports.desk.get(path).json()["data"]["orders"])


def trail_of(imports: ImportDesk, action: str) -> int:
    with imports.database.engine.connect() as connection:
        found = connection.exec_driver_sql(f"SELECT count(*) FROM audit WHERE action = '{action}'")
        return int(found.scalar_one())


# ----------------------------------------------------------------------------------- clients


@pytest.mark.on_both(suite="long")
def test_clients_are_checked_then_added_with_codes(imports: ImportDesk) -> None:
    file = (
        PEOPLE
        + "Meera Nair,91,98450 12345,MEERA@mail.example,client\n"
        + "Arjun Rao,,,arjun@mail.example,\n"
    ).encode()

    checked = imports.send(file, "clients.csv", dryRun="true").json()["data"]

    assert (checked["kind"], checked["canApply"], checked["message"]) == (
        "CLIENTS",
        True,
        "2 added.",
    )
    assert imports.desk.get("/clients").json()["pagination"]["totalUsers"] == 1
    applied = imports.apply_firm(file)
    assert [row["clientId"] for row in applied["clients"]] == ["C0002", "C0003"]
    rows = imports.desk.get("/clients", query="meera").json()["data"]
    assert [(row["email"], row["countryCode"], row["contactNumber"]) for row in rows] == [
        ("meera@mail.example", "+91", "9845012345")
    ]
    assert imports.desk.get("/admin/dashboard/stats").json()["data"]["totalClients"] == 3
    assert trail_of(imports, "records_imported") == 1


def test_unfit_clients_are_refused_by_line_and_nothing_is_added(imports: ImportDesk) -> None:
    known = imports.desk.get("/clients").json()["data"][0]["email"]
    file = (
        PEOPLE
        + ",91,,a@mail.example,client\n"
        + "Bela,91,,not-an-address,client\n"
        + "Chitra,91,12345678901,c@mail.example,client\n"
        + f"Divya,91,,{known},client\n"
        + "Esha,91,,e@mail.example,admin\n"
        + "Farah,91,,f@mail.example,client\n"
        + "Farah again,91,,F@mail.example,client\n"
    ).encode()

    report = imports.send(file, "clients.csv", dryRun="true").json()["data"]

    assert [(row["line"], row["reason"]) for row in report["refused"]] == [
        (2, "Name is required"),
        (3, "Enter a valid email"),
        (4, "A contact number has at most 10 digits."),
        (5, f"{known} is registered already."),
        (6, "The role is client; staff are invited in Roles & Permission."),
        (8, "f@mail.example is already in line 7."),
    ]
    assert not report["canApply"]
    assert imports.send(file, "clients.csv", dryRun="false").status_code == 422
    assert imports.desk.get("/clients").json()["pagination"]["totalUsers"] == 1
    imports.apply_firm(file, leaveOutRefused="true")
    assert imports.desk.get("/clients").json()["pagination"]["totalUsers"] == 2


def test_a_file_of_clients_is_not_imported_for_one_client(imports: ImportDesk) -> None:
    file = (PEOPLE + "Meera Nair,91,,meera@mail.example,client\n").encode()

    answer = imports.send(file, "clients.csv", dryRun="true", clientId=imports.client_id)

    assert reply_of(answer) == (422, "This file adds clients; import it without choosing a client.")


# ------------------------------------------------------------------------------------- funds


def test_funds_go_into_accounting_and_the_figures_follow(imports: ImportDesk) -> None:
    file = (
        FUNDS
        + ",2025-04-01,50000,Fund Added\n"
        + ",15/06/2025,1250.50,FUNDS_WITHDRAWN\n"
        + ",2025-04-01,50000,credit\n"
    ).encode()

    report = imports.apply(file)

    assert (report["counts"]["added"], report["message"]) == (3, "3 added.")
    assert flows_of(imports) == [
        ("2025-06-15", 1250.5, "FUNDS_WITHDRAWN"),
        ("2025-04-01", 50000, "FUNDS_ADDED"),
        ("2025-04-01", 50000, "FUNDS_ADDED"),
    ]
    path = f"/admin/clients/client/{imports.client_id}/portfolio"
    assert imports.desk.get(path).json()["data"]["netInvestment"] == 98749.5


def test_the_same_funds_again_add_nothing(imports: ImportDesk) -> None:
    first = (FUNDS + ",2025-04-01,50000,Fund Added\n").encode()
    more = (FUNDS + ",2025-04-01,50000,Fund Added\n" * 2).encode()
    imports.apply(first)

    again = imports.check(first)
    report = imports.apply(more)

    assert (again["canApply"], again["message"]) == (False, "1 unchanged.")
    assert report["message"] == "1 added, 1 unchanged."
    assert len(flows_of(imports)) == 2


@pytest.mark.on_both
def test_the_same_file_ten_times_at_once_is_added_once(imports: ImportDesk) -> None:
    file = (FUNDS + ",2025-04-01,50000,Fund Added\n").encode()

    with ThreadPoolExecutor(10) as pool:
        reports = list(pool.map(lambda _: imports.apply(file), range(10)))

    assert sum(report["counts"]["added"] for report in reports) == 1
    assert len(flows_of(imports)) == 1


def test_unfit_funds_are_refused_by_line(imports: ImportDesk) -> None:
    tomorrow = clock.today().replace(year=clock.today().year + 1)
    file = (
        FUNDS
        + "C0099,2025-04-01,1,Fund Added\n"
        + f"C0001,{tomorrow},1,Fund Added\n"
        + "C0001,31/02/2025,1,Fund Added\n"
        + "C0001,2025-04-01,-5,Fund Added\n"
        + "C0001,2025-04-01,1.005,Fund Added\n"
        + "C0001,2025-04-01,1,Gift\n"
        + "C0001,2025-04-01,=1+1,Fund Added\n"
    ).encode()

    report = imports.send(file, "funds.csv", dryRun="true").json()["data"]

    assert [(row["line"], row["reason"]) for row in report["refused"]] == [
        (2, "C0099 is not a client here."),
        (3, f"The date {tomorrow} is in the future or before 1980."),
        (4, 'Date "31/02/2025" is not a day such as 2026-08-21 or 21/08/2026.'),
        (5, 'Amount "-5" must be above 0.'),
        (6, 'Amount "1.005" has more than 2 decimals.'),
        (7, 'Type "Gift" is neither Fund Added nor Fund Withdrawl.'),
        (8, 'Amount "=1+1" is a formula; save the file with plain values.'),
    ]


def test_funds_without_codes_need_a_client(imports: ImportDesk) -> None:
    file = (FUNDS + ",2025-04-01,1,Fund Added\n").encode()
    other = (FUNDS + "C0002,2025-04-01,1,Fund Added\n").encode()

    unnamed = imports.send(file, "funds.csv", dryRun="true")
    foreign = imports.send(other, "funds.csv", dryRun="true", clientId=imports.client_id)

    assert unnamed.json()["message"] == "Choose the client this file belongs to."
    assert foreign.json()["message"] == (
        "The file has funds of other clients than C0001; import it without choosing a client."
    )


def test_a_ledger_gives_what_came_from_the_bank_and_went_to_it(imports: ImportDesk) -> None:
    file = (
        LEDGER
        + "Opening Balance,,,,0,0,0\n"
        + "Funds added using UPI,2025-04-02,NSE-EQ - Z,Bank Receipts,0.00,25000.00,25000.00\n"
        + "Net obligation for Equity,2025-04-03,NSE-EQ - Z,Book Voucher,24000.00,0.00,1000.00\n"
        + "Funds transferred back,2025-05-09,NSE-EQ - Z,Bank Payments,800.00,0.00,200.00\n"
        + "Closing Balance,,,,0,0,200.00\n"
    ).encode()

    report = imports.apply(file)

    assert flows_of(imports) == [
        ("2025-05-09", 800, "FUNDS_WITHDRAWN"),
        ("2025-04-02", 25000, "FUNDS_ADDED"),
    ]
    assert report["leftOut"] == ["3 rows of other entries: settlements, charges, balances"]


# ------------------------------------------------------------------------------------ trades


def test_a_tradebook_fills_the_order_book_with_whole_orders(imports: ImportDesk) -> None:
    row = "INFY,INE009A01021,2025-04-03,NSE,EQ,EQ,buy,false,{},{},{},1100000001,2025-04-03T10:05:0{}\n"
    sale = "TCS,INE467B01029,2025-04-04,NSE,EQ,EQ,sell,false,2,3500,77,1100000002,2025-04-04T11:00:00\n"
    file = (TRADES + row.format(10, 1500, 71, 1) + row.format(30, 1502, 72, 2) + sale).encode()

    report = imports.apply(file)
    again = imports.check(file)

    assert report["message"] == "2 added."
    assert again["message"] == "2 unchanged."
    sold, bought = orders_of(imports)
    assert (sold["transactionType"], sold["orderStatus"]) == ("SELL", "COMPLETE")
    assert (bought["quantity"], bought["averagePrice"]) == (40, 1501.5)
    assert bought["orderTimestamp"].startswith("2025-04-03T04:35:01")


def test_a_fill_of_another_stock_under_one_order_is_refused(imports: ImportDesk) -> None:
    row = "{},INE009A01021,2025-04-03,NSE,EQ,EQ,buy,false,1,100,{},1100000001,2025-04-03T10:05:01\n"
    file = (TRADES + row.format("INFY", 1) + row.format("TCS", 2) + row.format("INFY", 1)).encode()

    report = imports.check(file)

    assert [(one["line"], one["reason"]) for one in report["refused"]] == [
        (3, "Order 1100000001 is of INFY in line 2."),
        (4, "Trade 1 is already in line 2."),
    ]


@given(st.binary(max_size=300), st.sampled_from([PEOPLE, FUNDS, LEDGER, TRADES]))
def test_no_bytes_under_a_known_heading_break_the_reading(content: bytes, heading: str) -> None:
    try:
        parsed = read_file(heading.encode() + content, "file.csv")
    except ValueError:
        return  # refused with a sentence

    assert parsed.kind in FileKind
