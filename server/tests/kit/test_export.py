"""Tables as files: exact figures, days, texts that stay texts; who may take them, and its trail."""

import csv
import datetime as dt
import io
import json
from collections.abc import Callable
from decimal import Decimal
from typing import Any
from uuid import UUID

import openpyxl
import pytest

from tarazu.kit import clock
from tarazu.kit.db import Database
from tarazu.kit.export import Column, Kind, Sheet, SheetFormat, csv_of, workbook_of, written
from tarazu.orders import service as orders
from tarazu.orders.service import NewOrder
from tarazu.orders.tables import OrderSide, OrderStatus
from tests.advice.conftest import PRICES, AdviceDesk
from tests.people_of import Desk, set_up_firm
from tests.portfolio.books import give_holdings
from tests.rows_of import audit_rows

NOW = dt.datetime(2026, 11, 21, 4, 30, tzinfo=dt.UTC)
DAY = dt.date(2026, 11, 20)


def _sheet(*rows: dict[str, Any], **totals: str) -> Sheet[dict[str, Any]]:
    kinds = {
        "Name": Kind.TEXT, "Sum": Kind.RUPEES, "LTP": Kind.PRICE, "Share": Kind.PERCENT,
        "Shares": Kind.WHOLE, "Day": Kind.DAY, "At": Kind.INSTANT,
    }  # fmt: skip
    columns = [
        Column(title, kind, lambda row, title=title: row.get(title))  # type: ignore[misc]
        for title, kind in kinds.items()
    ]
    return Sheet("Test", columns, rows, {name: Decimal(value) for name, value in totals.items()})


def _csv(content: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(content.decode("utf-8-sig"), newline="")))


def _page(content: bytes) -> Any:
    return openpyxl.load_workbook(io.BytesIO(content)).worksheets[0]


@pytest.mark.parametrize(
    "text", ["=1+1", "+91 98", "-2", "@SUM(A1)", "\tx", "\rx", '=HYPERLINK("http://x","y")']
)
def test_a_text_that_a_spreadsheet_would_run_gets_an_apostrophe(text: str) -> None:
    sheet = _sheet({"Name": text})

    assert _csv(csv_of(sheet))[1][0] == f"'{text}"
    cell = _page(workbook_of(sheet, NOW))["A2"]
    assert cell.data_type == "s"
    # A parser of XML reads a carriage return as a line feed.
    assert str(cell.value).replace("\n", "\r") == f"'{text}"


@pytest.mark.parametrize("text", ["Kavya Menon", "O'Brien", "a=b", "3M", "कविता", 'Rao, K. "R"'])
def test_other_texts_stay_as_they_are(text: str) -> None:
    sheet = _sheet({"Name": text})

    assert _csv(csv_of(sheet))[1][0] == text
    assert _page(workbook_of(sheet, NOW))["A2"].value == text


def test_figures_of_a_csv_are_exact_and_without_grouping() -> None:
    sheet = _sheet(
        {
            "Sum": Decimal("-1234567.125"),
            "LTP": Decimal("1432.5500"),
            "Share": Decimal("12.345"),
            "Shares": 120000,
            "Day": DAY,
            "At": NOW,
        },
        {"Sum": Decimal("999999999999.99"), "LTP": Decimal("0.1234")},
    )

    content = csv_of(sheet)

    assert content.startswith(b"\xef\xbb\xbfName,Sum,")
    assert content.count(b"\r\n") == 3
    assert _csv(content)[1:] == [
        ["", "-1234567.13", "1432.55", "12.35", "120000", "2026-11-20", "2026-11-21 10:00:00"],
        ["", "999999999999.99", "0.1234", "", "", "", ""],
    ]


def test_a_workbook_holds_numbers_days_and_instants_not_texts() -> None:
    row = {"Sum": Decimal("1234567.89"), "LTP": Decimal("1432.5525"), "Share": Decimal("12.34"),
           "Shares": 7, "Day": DAY, "At": NOW}  # fmt: skip

    page = _page(workbook_of(_sheet(row, Sum="1234567.89"), NOW))

    values = [cell.value for cell in page[2]]
    assert values[1:5] == [1234567.89, 1432.5525, 0.1234, 7]
    assert values[5:] == [dt.datetime(2026, 11, 20), dt.datetime(2026, 11, 21, 10)]  # noqa: DTZ001
    assert [cell.number_format for cell in page[2]][3:] == [
        "0.00%", page["E2"].number_format, "dd/mm/yyyy", "dd/mm/yyyy hh:mm:ss",
    ]  # fmt: skip
    assert page["A3"].value == "Total"
    assert page["B3"].value == 1234567.89
    assert page["B3"].font.bold
    assert page["C3"].value is None
    assert page.freeze_panes == "A2"
    assert page.auto_filter.ref == "A1:G2"
    assert page.title == "Test"


@pytest.mark.parametrize(
    ("amount", "number_format"),
    [
        (
            "1250000",
            r'[>=10000000]"₹"##\,##\,##\,##0.00;[>=100000]"₹"##\,##\,##0.00;"₹"#,##0.00',
        ),
        ("-99999", '"₹"#,##0.00'),
        ("-1250000", r'"₹"##\,##\,##0.00'),
        ("-12500000", r'"₹"##\,##\,##\,##0.00'),
        ("4651000000", r'"₹"##\,##\,##\,##\,##0.00'),
    ],
)
def test_sums_are_shown_in_lakhs_and_crores(amount: str, number_format: str) -> None:
    page = _page(workbook_of(_sheet({"Sum": Decimal(amount)}), NOW))

    assert page["B2"].number_format == number_format


@pytest.mark.long
def test_ten_thousand_rows_are_written_whole() -> None:
    rows = [{"Name": f"Client {n}", "Sum": Decimal(n) / 100} for n in range(10_000)]

    for form in SheetFormat:
        content = written(_sheet(*rows), form, NOW)
        assert len(content) < 3 << 20
    assert _csv(csv_of(_sheet(*rows)))[-1][:2] == ["Client 9999", "99.99"]


# ---- over HTTP


@pytest.fixture
def advised(
    admin: Desk, database: Database, priced: Callable[[dict[str, str]], None]
) -> AdviceDesk:
    """An ADMIN with a client who has shares and cash."""
    set_up_firm(admin)
    desk = AdviceDesk(admin, database, priced, admin.add_client())
    priced(PRICES)
    desk.hold({"INFY": 100, "ITC": 10}, cash="200000")
    return desk


def _three_clients(admin: Desk) -> None:
    for number, name in enumerate(["Asha Rao", '=cmd|"/c calc"!A1', "Zoya Khan"]):
        admin.add_client(name, f"person{number}@home.example")


def test_the_file_of_a_list_has_all_its_rows_in_its_order(
    admin: Desk, database: Database, priced: Callable[[dict[str, str]], None]
) -> None:
    _three_clients(admin)
    rows = admin.get("/admin/clients").json()["data"]
    give_holdings(database, rows[2]["_id"], {"INFY": (10, "1400.50")}, cash="1234.56")
    priced({"INFY": "1500.25"})
    listed = admin.get("/admin/clients", sort="-totalPortfolio", limit=200).json()["data"]

    answer = admin.get("/admin/clients/export", sort="-totalPortfolio", limit=1, page=9)

    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert answer.headers["cache-control"] == "private, no-store"
    disposition = answer.headers["content-disposition"]
    assert disposition.startswith('attachment; filename="clients-20')
    assert disposition.endswith('.csv"')
    written_rows = [
        dict(zip(_csv(answer.content)[0], row, strict=True)) for row in _csv(answer.content)[1:]
    ]
    assert [row["Client ID"] for row in written_rows] == [row["clientId"] for row in listed]
    values = [row["Current Portfolio Value"] for row in written_rows]
    assert [float(value) if value else None for value in values] == [
        row["totalPortfolio"] for row in listed
    ]
    assert written_rows[0]["Current Portfolio Value"] == "16237.06"
    assert [row["Client Name"] for row in written_rows[1:]] == ["Asha Rao", '\'=cmd|"/c calc"!A1']


def test_the_filter_of_a_list_is_the_filter_of_its_file(admin: Desk) -> None:
    _three_clients(admin)

    page = _page(admin.get("/admin/clients/export", query="zoya", format="xlsx").content)

    assert [row[1].value for row in page.iter_rows()] == ["Client Name", "Zoya Khan", None]


@pytest.mark.on_both(suite="long")
def test_exports_are_in_the_audit_log(admin: Desk, database: Database) -> None:
    _three_clients(admin)
    client_id = admin.get("/admin/clients").json()["data"][0]["_id"]

    admin.get("/admin/clients/export", query="zoya", sort="name", format="xlsx", unknown="x")
    admin.get(f"/admin/clients/client/{client_id}/holdings/export")

    rows = audit_rows(database, "taken_away")
    seen = [(row.kind, row.record_id, json.loads(row.changes), row.role) for row in rows]
    assert seen == [
        (
            "list",
            "clients",
            {
                "what": "clients",
                "format": "xlsx",
                "rows": 1,
                "filters": {"query": "zoya", "sort": "name"},
            },
            "ADMIN",
        ),
        (
            "client",
            client_id,
            {"what": "holdings", "format": "csv", "rows": 0, "filters": {}},
            "ADMIN",
        ),
    ]


def test_holdings_are_exported_with_their_totals(
    admin: Desk, database: Database, priced: Callable[[dict[str, str]], None]
) -> None:
    client_id = admin.add_client()
    held = {"INFY": (10, "1400.50"), "TCS": (3, "3100.1234")}
    give_holdings(database, client_id, held)
    priced({"INFY": "1500.25", "TCS": "3000"})
    listed = admin.get(f"/admin/clients/client/{client_id}/holdings").json()

    answer = admin.get(f"/admin/clients/client/{client_id}/holdings/export", format="xlsx")

    assert "spreadsheetml" in answer.headers["content-type"]
    assert 'filename="holdings-C0001-' in answer.headers["content-disposition"]
    head, *rows, totals = [
        [cell.value for cell in row] for row in _page(answer.content).iter_rows()
    ]
    worth = head.index("Current Value")
    assert [(row[0], row[worth]) for row in rows] == [
        (row["tradingSymbol"], row["currentValue"]) for row in listed["data"]
    ]
    assert totals[worth] == listed["totals"]["currentValue"]
    assert rows[1][head.index("Average Price")] == 3100.1234


OF_THE_FIRM = {
    "/admin/clients/export": "clients",
    "/admin/dashboard/stocks-distribution/export": "stock-distribution",
    "/admin/dashboard/daily-aum/export": "daily-aum",
    "/admin/readiness/export": "readiness",
    "/clients/export": "client-records",
    "/fees/export": "fees",
}
OF_A_CLIENT = {
    "/admin/clients/client/{}/holdings/export": "holdings",
    "/admin/clients/client/{}/accounting/export": "accounting",
    "/admin/clients/client/{}/xirr/export": "xirr",
    "/admin/clients/client/{}/performance/export": "performance",
    "/admin/clients/client/{}/fees/export": "fees",
    "/admin/clients/client/{}/order-book/export": "order-book",
    "/admin/advice/clients/{}/export": "advice-history",
}


def test_files_are_for_those_who_may_see_the_lists(
    admin: Desk, user: Desk, database: Database
) -> None:
    client_id = admin.add_client()
    names = OF_THE_FIRM | {
        path.format(client_id): f"{name}-C0001" for path, name in OF_A_CLIENT.items()
    }

    for path, name in names.items():
        for form in SheetFormat:
            answer = user.get(path, format=form)
            assert answer.status_code == 200, path
            told = answer.headers["content-disposition"]
            assert told.startswith(f'attachment; filename="{name}-20'), told
            assert told.endswith(f'.{form}"')
        assert admin.web.get(f"/api/v1{path}").status_code == 401, path
    assert user.get("/users/export").status_code == 403
    assert admin.get("/users/export").status_code == 200
    assert user.get("/clients/export", deleted=True).status_code == 403
    assert admin.get("/clients/export", deleted=True).status_code == 200
    assert len(audit_rows(database, "taken_away")) == 2 * len(names) + 2


def test_files_of_returns_say_for_whom_they_are(admin: Desk, user: Desk) -> None:
    client_id = admin.add_client()
    account = f"/admin/clients/client/{client_id}"
    started = {"startingDate": "2026-01-05"}
    assert admin.put(f"{account}/starting-date", started).status_code == 200
    assert admin.put(f"{account}/starting-capital", {"amount": 1000}).status_code == 200
    rules = admin.get("/settings/past-performance").json()["data"]

    clients = _csv(user.get("/admin/clients/export").content)
    flows = _csv(user.get(f"{account}/xirr/export").content)
    empty = [
        _csv(user.get(f"{account}/{name}/export").content) for name in ("performance", "holdings")
    ]

    assert clients[0][-1] == flows[0][-1] == "Shown With"
    assert clients[1][-1].startswith("For internal use")
    assert {row[-1] for row in flows[1:]} == {rules["wordsOwn"]}
    assert [head[-1] for head, *_ in empty] == ["Shown With", "Shown With"]


def test_the_accounting_is_exported_as_it_is_listed(admin: Desk) -> None:
    client_id = admin.add_client()
    path = f"/admin/clients/client/{client_id}/accounting"
    flows = [("2026-01-05", 1250.5, "FUNDS_ADDED"), ("2026-02-06", 99.99, "FUNDS_WITHDRAWN")]
    for day, amount, kind in flows:
        admin.post(f"{path}/transaction", {"date": day, "amount": amount, "type": kind})

    answer = admin.get(f"{path}/export")

    assert _csv(answer.content) == [
        ["Date", "Amount", "Type"],
        ["2026-02-06", "99.99", "Fund Withdrawl"],
        ["2026-01-05", "1250.50", "Fund Added"],
    ]


def test_fees_are_exported_by_status_and_with_their_sums(admin: Desk) -> None:
    client_id = admin.add_client()
    path = f"/admin/clients/client/{client_id}/fees"
    body = {
        "startingDate": "2025-04-01", "dueDate": "2026-04-30", "finalDate": "2026-03-31",
        "startingValue": 100_000, "finalValue": 110_000.5,
    }  # fmt: skip
    (listed,) = [admin.post(path, body).json()["data"]]

    head, row = _csv(admin.get(f"{path}/export", status="DUE").content)
    none = _csv(admin.get(f"{path}/export", status="PAID").content)
    page = _page(admin.get("/fees/export", format="xlsx").content)

    told = dict(zip(head, row, strict=True))
    assert float(told["Fees"]) == listed["fees"] == 2000.1
    assert float(told["Net Gain After Fees"]) == listed["netGainAfterFees"]
    assert told["Status"] == "DUE"
    assert none == [head]
    assert [cell.value for cell in page[3]][:4] == ["Total", None, 2000.1, 2000.1]


def test_records_of_people_are_exported_without_secrets(admin: Desk) -> None:
    person = {"name": "Asha Rao", "email": "asha@home.example", "contactNumber": "9876543210"}
    admin.post("/clients/add", {"clients": [person]})

    head, row = _csv(admin.get("/clients/export", query="asha").content)
    users = _csv(admin.get("/users/export").content)

    today = clock.today().isoformat()
    assert row == [
        today, "C0001", "Asha Rao", "'+91", "9876543210", "client", "asha@home.example", "ACTIVE",
    ]  # fmt: skip
    assert head[0] == "Onboarding Date"
    assert users == [
        ["Name", "Country Code", "Contact", "Role", "Email", "Status"],
        ["Ananya Kulkarni", "'+91", "", "ADMIN", "ananya@desk.example", "ACTIVE"],
    ]


def test_advice_and_orders_are_exported_as_they_are_listed(
    advised: AdviceDesk, database: Database
) -> None:
    advised.sent()
    listed = advised.history()[0]["stocks"]
    placed = clock.now().replace(microsecond=0)
    order = NewOrder("=1", placed, "INFY", "NSE", OrderSide.BUY, 5, Decimal("1500.25"),
                     OrderStatus.COMPLETE)  # fmt: skip
    with database.transaction() as session:
        orders.record_orders(session, UUID(advised.client_id), [order])

    head, *rows = _csv(
        advised.desk.get(f"/admin/advice/clients/{advised.client_id}/export").content
    )
    book = f"/admin/clients/client/{advised.client_id}/order-book/export"
    _, told = _csv(advised.desk.get(book, status="COMPLETE").content)
    empty = _csv(advised.desk.get(book, status="REJECTED").content)

    assert [row[head.index("Stock")] for row in rows] == [stock["symbol"] for stock in listed]
    assert [float(row[head.index("Investment Amount")]) for row in rows] == [
        stock["currentInvestmentValue"] for stock in listed
    ]
    seen = placed.astimezone(clock.INDIA).strftime("%Y-%m-%d %H:%M:%S")
    assert told == [
        seen, "INFY", "5", "1500.25", "BUY", "DELIVERY", "NSE", "COMPLETE", "0", "'=1", "",
    ]  # fmt: skip
    assert len(empty) == 1


def test_another_format_is_refused(admin: Desk) -> None:
    answer = admin.get("/admin/clients/export", format="pdf")

    assert answer.status_code == 422


def test_a_table_of_a_client_that_is_not_there_is_not_found(admin: Desk) -> None:
    nobody = "0190f9a0-0000-7000-8000-000000000000"

    for path in OF_A_CLIENT:
        answer = admin.get(path.format(nobody))
        assert answer.status_code == 404, path
        assert answer.json()["message"] == "Client not found"
