"""Reading holdings files of every kind, and refusing what is none."""

import datetime as dt
import io
import re
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from openpyxl import Workbook
from openpyxl.worksheet.formula import ArrayFormula

from tarazu.imports.readers import reading
from tarazu.imports.readers.grids import MAX_FILE_BYTES, MAX_ROWS, ways_to_read
from tarazu.imports.readers.parsed import (
    FileKind,
    ParsedCash,
    ParsedFile,
    ParsedHolding,
    RefusedRow,
    UnknownFile,
)
from tarazu.imports.readers.reading import read_file

Cells = Sequence[object]

KITE_HEADER = "Instrument,Qty.,Avg. cost,LTP,Invested,Cur. val,P&L,Net chg.,Day chg."
FIRM_HEADER = "client_code,exchange,symbol,isin,quantity,average_price,cash"
CONSOLE_HEADER = (
    "Symbol",
    "ISIN",
    "Sector",
    "Quantity Available",
    "Quantity Discrepant",
    "Quantity Long Term",
    "Quantity Pledged (Margin)",
    "Quantity Pledged (Loan)",
    "Average Price",
    "Previous Closing Price",
    "Unrealized P&L",
    "Unrealized P&L Pct.",
)
RELIANCE_ROW = (
    "RELIANCE",
    "INE002A01018",
    "ENERGY",
    40,
    0,
    25,
    10,
    2,
    2410.35,
    2902.1,
    25571,
    20.4,
)
TCS_ROW = ("TCS", "INE467B01029", "IT", 12, 0, 12, 0, 0, 3520, 4120.55, 7206.6, 17.06)
ANGEL_HEADER = (
    "Scrip/Contract",
    "Company Name",
    "ISIN",
    "MarketCap",
    "Sector",
    "Quantity",
    "Blocked_qty",
    "Avg Trading Price",
    "Prev closing Price",
    "Invested Value",
    "Market Value as of last trading day",
    "Overall Gain/Loss",
)
ANGEL_TITLES = (
    ("Client Name", "Client ID"),
    ("A Client", "A123456"),
    ("Report as on 21-Aug-2026",),
    (),
    ("Holding Details",),
)
INFY_OF_ANGEL = (
    "INFY-EQ",
    "Infosys Ltd",
    "INE009A01021",
    "Large Cap",
    "IT",
    30,
    0,
    1500.5,
    1620,
    45015,
    48600,
    3585,
)


def workbook(sheets: Mapping[str, Iterable[Cells]]) -> bytes:
    """An XLSX file with these rows in these sheets."""
    book = Workbook()
    book.remove(book.worksheets[0])
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(list(row))
    written = io.BytesIO()
    book.save(written)
    return written.getvalue()


def console(*rows: Cells, margin: bool = True, more: dict[str, list[Cells]] | None = None) -> bytes:
    """A Console statement: twelve title rows, the heading in line 13."""
    first: Cells = (None,) if margin else ()
    titles: list[Cells] = [
        *((),) * 6,
        (*first, "Client ID", "AB1234"),
        *((),) * 3,
        (*first, "Equity Holdings Statement as on 2026-08-21"),
        (*first, "Invested Value", 138654.0),
        (*first, *CONSOLE_HEADER),
    ]
    body = [(*first, *row) for row in rows]
    return workbook({"Equity": [*titles, *body], **(more or {})})


def angel(*rows: Cells, header: Cells = ANGEL_HEADER) -> bytes:
    return workbook({"Portfolio": [*ANGEL_TITLES, header, *rows]})


def kite(*rows: str, header: str = KITE_HEADER) -> bytes:
    return "\r\n".join([header, *rows, ""]).encode()


def firm(*rows: str) -> bytes:
    return "\n".join([FIRM_HEADER, *rows]).encode()


def read(content: bytes) -> ParsedFile:
    return read_file(content, "holdings.csv")


def reason_for(content: bytes) -> str:
    """The reason of the one row that is refused, while no row is taken over."""
    parsed = read(content)
    assert parsed.rows == ()
    (refused,) = parsed.refused
    return refused.reason


def message_for(content: bytes, name: str = "holdings.csv") -> str:
    with pytest.raises(UnknownFile) as refusal:
        read_file(content, name)
    return str(refusal.value)


# ------------------------------------------------------------------------------------------ Kite


def test_a_kite_file_gives_symbols_shares_and_prices() -> None:
    content = kite('"M&M",7,"2,840.55",3012.4,19883.85,21086.8,1202.95,6.05,0.4')

    parsed = read(content)

    assert parsed.kind is FileKind.KITE_HOLDINGS_CSV
    assert (parsed.as_on, parsed.broker_client_id) == (None, None)
    assert parsed.rows == (
        ParsedHolding(
            line=2,
            client_code=None,
            symbol="M&M",
            isin=None,
            exchange=None,
            quantity=7,
            pledged=0,
            discrepant=0,
            long_term=None,
            average_price=Decimal("2840.55"),
            last_price=Decimal("3012.4"),
        ),
    )
    assert (parsed.cash, parsed.refused, parsed.warnings, parsed.left_out) == ((), (), (), ())


def test_quotes_a_mark_at_the_start_and_trailing_commas_do_not_matter() -> None:
    quoted = '"Instrument","Qty.","Avg. cost","LTP","Invested","Cur. val","P&L","Net chg.",""'
    content = b"\xef\xbb\xbf" + kite('"SBIN","1500","974.2","1021.1",,,,,""', header=quoted)

    parsed = read(content)

    assert [(row.symbol, row.quantity) for row in parsed.rows] == [("SBIN", 1500)]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1252"])
def test_files_of_every_usual_encoding_are_read(encoding: str) -> None:
    text = kite("BAJAJ-AUTO,3,8100,9000,,,,,\u2013").decode()

    parsed = read(text.encode(encoding))

    assert [row.symbol for row in parsed.rows] == ["BAJAJ-AUTO"]


@pytest.mark.parametrize("separator", [";", "\t"])
def test_tabs_and_semicolons_separate_as_well(separator: str) -> None:
    content = kite("TCS,5,3100,3850,,,,,").replace(b",", separator.encode())

    parsed = read(content)

    assert [(row.symbol, row.average_price) for row in parsed.rows] == [("TCS", Decimal(3100))]


@pytest.mark.parametrize(
    "total",
    [
        "Total,,,,1000,1100,100,10,",
        ",,,,1000,1100,100,10,",
        "Total,15,,,1000,1100,100,10,",
        "TOTAL,15,120.5,,1000,1100,100,10,",
        "Grand total:,,,,1000,1100,100,10,",
    ],
)
def test_a_total_row_is_no_holding(total: str) -> None:
    parsed = read(kite("TCS,5,100,120,,,,,", "INFY,10,50,55,,,,,", total))

    assert [row.symbol for row in parsed.rows] == ["TCS", "INFY"]
    assert parsed.refused == ()
    assert parsed.left_out[0].startswith("Line 4, under the table")


def test_a_share_that_is_called_total_is_a_holding() -> None:
    parsed = read(kite("TCS,5,100,120,,,,,", "TOTAL,7,85.5,90,,,,,"))

    assert [row.symbol for row in parsed.rows] == ["TCS", "TOTAL"]


def test_lines_are_counted_as_a_person_sees_them() -> None:
    content = b"Holdings\n\n" + kite("TCS,5,100,120,,,,,", "", '"IN\nFY",1,50,,,,,,', "ITC,1.5,9,")

    parsed = read(content)

    assert [row.line for row in parsed.rows] == [4]
    assert [(row.line, row.text) for row in parsed.refused] == [
        (6, "IN FY, 1, 50"),
        (8, "ITC, 1.5, 9"),
    ]


@pytest.mark.parametrize("price", ["", "-", "0", "N/A"])
def test_a_missing_last_price_is_none(price: str) -> None:
    parsed = read(kite(f"TCS,5,100,{price},,,,,"))

    assert parsed.rows[0].last_price is None


def test_shares_that_cost_nothing_are_read() -> None:
    parsed = read(kite("TCS,5,0,120,,,,,"))

    assert parsed.rows[0].average_price == 0


def test_a_row_without_shares_is_left_out_with_a_warning() -> None:
    parsed = read(kite("TCS,0,100,120,,,,,", "ITC,1,9,,,,,,"))

    assert [row.symbol for row in parsed.rows] == ["ITC"]
    assert [(warned.line, warned.text) for warned in parsed.warnings] == [
        (2, "TCS has no shares and is left out.")
    ]


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("TCS,-5,100,,,,,,", 'Quantity "-5" is below 0.'),
        ("TCS,−5,100,,,,,,", 'Quantity "−5" is below 0.'),
        ("TCS,1.5,100,,,,,,", 'Quantity "1.5" is not a whole number of shares.'),
        ("TCS,five,100,,,,,,", 'Quantity "five" is not a number.'),
        ("TCS,NaN,100,,,,,,", 'Quantity "NaN" is not a number.'),
        ("TCS,inf,100,,,,,,", 'Quantity "inf" is not a number.'),
        ("TCS,1e3,100,,,,,,", 'Quantity "1e3" is not a number.'),
        ('TCS,"1,00",100,,,,,,', 'Quantity "1,00" is not a number.'),
        ("TCS,٥,100,,,,,,", 'Quantity "٥" is not a number.'),
        ("TCS,1000000001,100,,,,,,", 'Quantity "1000000001" is more than 1,000,000,000 shares.'),
        ("TCS,,100,,,,,,", "Quantity is missing."),
        ("TCS,5,,120,,,,,", "Average cost is missing."),
        ("TCS,5,-1,,,,,,", 'Average cost "-1" is below 0.'),
        ("TCS,5,10000000.01,,,,,,", 'Average cost "10000000.01" is more than 10,000,000 rupees.'),
        ("TCS,5,1.00001,,,,,,", 'Average cost "1.00001" has more than 4 decimals.'),
        ("TCS,5,1,abc,,,,,", 'LTP "abc" is not a number.'),
        (",5,1,,,,,,", "Instrument is missing."),
        ("A FUND - DIRECT,5,1,,,,,,", 'Instrument "A FUND - DIRECT" is not a trading symbol.'),
        ("=1+1,5,1,,,,,,", 'Symbol "=1+1" is a formula; save the file with plain values.'),
        ("@SUM(A1),5,1,,,,,,", 'Symbol "@SUM(A1)" is a formula; save the file with plain values.'),
        ("TCS,+5,1,,,,,,", 'Quantity "+5" is a formula; save the file with plain values.'),
    ],
)
def test_a_row_that_cannot_be_right_is_refused_with_its_reason(row: str, reason: str) -> None:
    parsed = read(kite(row, "ITC,1,9,,,,,,"))

    assert [refused.reason for refused in parsed.refused] == [reason]
    assert [holding.symbol for holding in parsed.rows] == ["ITC"]


def test_signs_in_columns_that_are_not_read_do_no_harm() -> None:
    parsed = read(kite("TCS,5,100,120,500,600,-12.5,+1.2%,=A1"))

    assert [row.symbol for row in parsed.rows] == ["TCS"]


@pytest.mark.parametrize(
    ("figure", "number"),
    [
        ("₹ 1,23,456.50", "123456.50"),
        ("Rs. 123,456.5", "123456.5"),
        (".5", "0.5"),
        ("5.", "5"),
        ("100.50000000", "100.5"),
    ],
)
def test_figures_are_read_as_people_write_them(figure: str, number: str) -> None:
    parsed = read(kite(f'TCS,5,"{figure}",,,,,,'))

    assert parsed.rows[0].average_price == Decimal(number)


def test_a_second_row_of_a_stock_is_refused_and_names_the_first() -> None:
    parsed = read(kite("TCS,5,100,,,,,,", "ITC,1,9,,,,,,", "tcs,7,100,,,,,,"))

    assert [row.quantity for row in parsed.rows] == [5, 1]
    assert parsed.refused == (RefusedRow(4, "tcs, 7, 100", "TCS is already in line 2."),)


def test_the_text_of_a_refused_row_is_shortened() -> None:
    parsed = read(kite(f"TCS,x,{'9' * 500},,,,,,", "ITC,1,9,,,,,,"))

    assert len(parsed.refused[0].text) == 81
    assert len(parsed.refused[0].reason) < 100


# --------------------------------------------------------------------------------------- Console


@pytest.mark.parametrize("margin", [True, False])
def test_a_console_statement_counts_pledged_shares_as_owned(margin: bool) -> None:
    content = console(RELIANCE_ROW, TCS_ROW, margin=margin)

    parsed = read(content)

    assert parsed.kind is FileKind.CONSOLE_HOLDINGS_XLSX
    assert parsed.as_on == dt.date(2026, 8, 21)
    assert parsed.broker_client_id == "AB1234"
    assert parsed.rows[0] == ParsedHolding(
        line=14,
        client_code=None,
        symbol="RELIANCE",
        isin="INE002A01018",
        exchange=None,
        quantity=52,
        pledged=12,
        discrepant=0,
        long_term=25,
        average_price=Decimal("2410.35"),
        last_price=Decimal("2902.1"),
    )
    assert (parsed.rows[1].symbol, parsed.rows[1].line) == ("TCS", 15)
    assert parsed.left_out == ()


def test_discrepant_shares_are_a_warning_and_not_counted() -> None:
    row = ("TCS", "INE467B01029", "IT", 12, -3, 0, 0, 0, 3520, 4120.55)

    parsed = read(console(row))

    assert (parsed.rows[0].quantity, parsed.rows[0].discrepant) == (12, -3)
    assert [warned.text for warned in parsed.warnings] == [
        "TCS has -3 discrepant shares, not counted."
    ]


def test_more_long_term_shares_than_shares_are_a_warning() -> None:
    row = ("TCS", "INE467B01029", "IT", 12, 0, 13, 0, 0, 3520, 4120.55)

    parsed = read(console(row))

    assert parsed.rows[0].long_term is None
    assert "more long-term shares" in parsed.warnings[0].text


def test_other_sheets_are_named_with_the_rows_left_out() -> None:
    funds: list[Cells] = [
        ("Client ID", "AB1234"),
        ("Symbol", "ISIN", "Instrument Type", "Quantity Available", "Average Price"),
        ("A FUND", "INF846K01CX4", "Debt", 87.606, 3035.8381),
    ]
    both = [*funds, ("TCS", "INE467B01029", "Equity", 12, 3520)]

    parsed = read(
        console(TCS_ROW, more={"Mutual Funds": funds, "Combined": both, "Notes": [("x",)]})
    )

    assert [row.symbol for row in parsed.rows] == ["TCS"]
    assert parsed.left_out == (
        "Mutual Funds sheet: 1 row left out",
        "Combined sheet: 2 rows left out",
    )


def test_the_equity_sheet_is_found_behind_the_others() -> None:
    header = ("Symbol", "ISIN", "Quantity Available", "Average Price")
    sheets: dict[str, list[Cells]] = {
        "Combined": [header, ("TCS", "INE467B01029", 99, 1)],
        "Old": [header, ("TCS", "INE467B01029", 98, 1)],
        "Equity": [header, ("TCS", "INE467B01029", 12, 1)],
    }

    parsed = read(workbook(sheets))

    assert [row.quantity for row in parsed.rows] == [12]


def test_a_statement_of_funds_alone_is_not_taken_for_shares() -> None:
    sheets: dict[str, list[Cells]] = {
        "Mutual Funds": [("Symbol", "ISIN", "Quantity Available", "Average Price")]
    }

    message = message_for(workbook(sheets))

    assert message == "The workbook has no sheet of shares, only: Mutual Funds."


def test_an_empty_statement_is_read_with_a_warning() -> None:
    parsed = read(console())

    assert parsed.rows == ()
    assert [warned.text for warned in parsed.warnings] == ["The file holds nothing to import."]


@pytest.mark.parametrize("formula", ["=6*2", ArrayFormula("E14", "=SUM(A1:A2)")])
def test_a_formula_in_a_column_that_is_read_refuses_the_row(formula: object) -> None:
    row = ("TCS", "INE467B01029", "IT", formula, 0, 0, 0, 0, 3520, 4120.55)

    reason = reason_for(console(row))

    assert reason.startswith('Quantity "=')
    assert reason.endswith("is a formula; save the file with plain values.")


def test_a_formula_in_a_column_that_is_not_read_does_no_harm() -> None:
    row = (*TCS_ROW[:10], "=J14-I14")

    parsed = read(console(row))

    assert [holding.symbol for holding in parsed.rows] == ["TCS"]


@pytest.mark.parametrize(
    ("place", "value", "reason"),
    [
        (1, "INE467B01028", 'ISIN "INE467B01028" is not an ISIN: a character is wrong or missing.'),
        (1, None, "ISIN is missing."),
        (3, 12.5, 'Quantity available "12.5" is not a whole number of shares.'),
        (3, -12, 'Quantity available "-12" is below 0.'),
        (3, True, 'Quantity available "TRUE" is not a number.'),
        (6, -1, 'Quantity pledged "-1" is below 0.'),
        (8, 0.00001, 'Average price "0.00001" has more than 4 decimals.'),
        (8, 1e12, 'Average price "1000000000000" is more than 10,000,000 rupees.'),
        (8, 1e300, "is not a number."),
        (8, dt.date(2026, 8, 21), 'Average price "2026-08-21 00:00:00" is not a number.'),
        (8, "#N/A", 'Average price "#N/A" is not a number.'),
    ],
)
def test_cells_of_a_workbook_that_cannot_be_right_are_refused(
    place: int, value: object, reason: str
) -> None:
    row = [*TCS_ROW]
    row[place] = value

    found = reason_for(console(row))

    assert found.endswith(reason)


def test_the_noise_of_doubles_is_no_decimal() -> None:
    row = (*TCS_ROW[:8], 0.1 + 0.2, 1029.8250000000003)

    parsed = read(console(row))

    assert parsed.rows[0].average_price == Decimal("0.3")
    assert parsed.rows[0].last_price == Decimal("1029.825")


def test_a_wrong_size_in_the_sheet_cuts_nothing_off() -> None:
    content = rewritten(
        console(RELIANCE_ROW, TCS_ROW),
        "xl/worksheets/sheet1.xml",
        lambda xml: xml.replace(b'<dimension ref="A7:M15"', b'<dimension ref="A1"'),
    )

    parsed = read(content)

    assert [row.symbol for row in parsed.rows] == ["RELIANCE", "TCS"]


def test_workbooks_that_keep_their_texts_apart_are_read() -> None:
    content = with_shared_texts(console(RELIANCE_ROW, TCS_ROW))

    parsed = read(content)

    assert [(row.symbol, row.quantity) for row in parsed.rows] == [("RELIANCE", 52), ("TCS", 12)]
    assert parsed.broker_client_id == "AB1234"


def with_shared_texts(content: bytes) -> bytes:
    """The workbook as Excel writes it: the cells hold numbers of texts in a part of its own."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        parts = {one.filename: archive.read(one) for one in archive.infolist()}
    texts: list[bytes] = []

    def number_of(found: re.Match[bytes]) -> bytes:
        texts.append(found[1])
        return b't="s"><v>%d</v></c>' % (len(texts) - 1)

    sheet, types, links = (
        "xl/worksheets/sheet1.xml",
        "[Content_Types].xml",
        "xl/_rels/workbook.xml.rels",
    )
    parts[sheet] = re.sub(rb't="inlineStr"><is>(.*?)</is></c>', number_of, parts[sheet])
    main = b"http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    entries = b"".join(b"<si>%s</si>" % text for text in texts)
    parts["xl/sharedStrings.xml"] = b'<sst xmlns="%s">%s</sst>' % (main, entries)
    kind = b"application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"
    override = b'<Override PartName="/xl/sharedStrings.xml" ContentType="%s"/></Types>' % kind
    parts[types] = parts[types].replace(b"</Types>", override)
    relation = b"http://schemas.openxmlformats.org/officeDocument/2006/relationships/sharedStrings"
    link = b'<Relationship Id="rId99" Type="%s" Target="sharedStrings.xml"/></Relationships>'
    parts[links] = parts[links].replace(b"</Relationships>", link % relation)
    assert len(texts) > 10
    return zipped(parts)


def zipped(parts: dict[str, bytes]) -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return written.getvalue()


def rewritten(content: bytes, part: str, change: Callable[[bytes], bytes]) -> bytes:
    """A workbook with one part of the archive changed."""
    written = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(content)) as old,
        zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for one in old.infolist():
            before = old.read(one)
            after = change(before) if one.filename == part else before
            assert one.filename != part or after != before
            new.writestr(one.filename, after)
    return written.getvalue()


# ------------------------------------------------------------------------------------- Angel One


def test_an_angel_report_gives_symbols_without_their_series() -> None:
    parsed = read(angel(INFY_OF_ANGEL, ("Total", *(None,) * 8, 45015, 48600)))

    assert parsed.kind is FileKind.ANGEL_HOLDINGS
    assert parsed.as_on == dt.date(2026, 8, 21)
    assert parsed.broker_client_id == "A123456"
    (row,) = parsed.rows
    assert (row.line, row.symbol, row.isin) == (7, "INFY", "INE009A01021")
    assert (row.quantity, row.average_price, row.last_price) == (
        30,
        Decimal("1500.5"),
        Decimal(1620),
    )
    assert parsed.left_out == ("Line 8, under the table: Total, , , , , , , , , 45015, 48600",)


@pytest.mark.parametrize(
    "header",
    [
        "Scrip Name,ISIN,Qty,Avg Price,LTP,Cur. Value,P&L,% Change",
        "Script/Stock,ISIN,Total Quantity,Avg Cost,LTP",
        "Company Name,ISIN,Quantity,Average Buy Price,Current Price",
        "Trading Symbol,ISIN Code,Holding Qty,Average Rate,Prev. Close",
    ],
)
def test_the_headings_of_angel_one_may_be_spelled_in_several_ways(header: str) -> None:
    rows = ["Holdings as on 05/09/2026", "", header, "Infosys Ltd.,INE009A01021,30,1500.5,1620"]

    parsed = read("\n".join(rows).encode())

    assert parsed.kind is FileKind.ANGEL_HOLDINGS
    assert parsed.as_on == dt.date(2026, 9, 5)
    (row,) = parsed.rows
    assert (row.symbol, row.quantity, row.last_price) == ("INFOSYS LTD.", 30, Decimal(1620))


def test_notes_under_the_table_are_listed_as_left_out() -> None:
    parsed = read(angel(INFY_OF_ANGEL, (), ("Prices are of the last trading day.",)))

    assert len(parsed.rows) == 1
    assert parsed.refused == ()
    assert parsed.left_out == ("Line 9, under the table: Prices are of the last trading day.",)


def test_a_row_without_figures_inside_the_table_is_refused() -> None:
    parsed = read(angel(("SBIN-EQ", "State Bank", "INE062A01020"), INFY_OF_ANGEL))

    assert [refused.reason for refused in parsed.refused] == ["Quantity is missing."]


def test_pledged_shares_are_read_where_the_report_has_them() -> None:
    header = ("Scrip", "Exchange", "ISIN", "Total Quantity", "Margin Pledged Quantity", "Avg Price")

    parsed = read(angel(("INFY", "bse", "ine009a01021", 30, 20, 1500), header=header))

    (row,) = parsed.rows
    assert (row.exchange, row.isin, row.quantity, row.pledged) == ("BSE", "INE009A01021", 30, 20)


# ------------------------------------------------------------------------------------- firm-wide


def test_a_firm_file_gives_holdings_and_cash_of_many_clients() -> None:
    content = firm(
        "C0001,NSE,TCS,INE467B01029,5,3100.25,",
        "c0001,,CASH,,,,-1250.50",
        'C0002,BSE,,INE467B01029,"1,00,000",0,',
        "C0002,NSE,M&M,,7,2840,",
    )

    parsed = read(content)

    assert parsed.kind is FileKind.FIRM_CSV
    assert [(r.client_code, r.exchange, r.symbol, r.isin, r.quantity) for r in parsed.rows] == [
        ("C0001", "NSE", "TCS", "INE467B01029", 5),
        ("C0002", "BSE", None, "INE467B01029", 100_000),
        ("C0002", "NSE", "M&M", None, 7),
    ]
    assert parsed.cash == (ParsedCash(3, "C0001", Decimal("-1250.50")),)
    assert parsed.refused == ()


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("X1,NSE,TCS,,5,1,", 'Client code "X1" is not a code such as C0001.'),
        (",NSE,TCS,,5,1,", 'Client code "" is not a code such as C0001.'),
        ("C0001,NYSE,TCS,,5,1,", 'Exchange "NYSE" is neither NSE nor BSE.'),
        ("C0001,NSE,,,5,1,", "Symbol is missing."),
        ("C0001,NSE,TCS,INE467B01028,5,1,", "a character is wrong or missing."),
        ("C0001,NSE,TCS,,5,,", "Average price is missing."),
        ("C0001,NSE,TCS,,5,1,100", "put it in a separate row with symbol CASH."),
        ("C0001,,CASH,,5,,100", "Quantity must be empty in a CASH row."),
        ("C0001,,CASH,,,1,100", "Average price must be empty in a CASH row."),
        ("C0001,,CASH,,,,", "Cash is missing."),
        ("C0001,,CASH,,,,1.23456", 'Cash "1.23456" has more than 4 decimals.'),
    ],
)
def test_rows_of_a_firm_file_that_cannot_be_right_are_refused(row: str, reason: str) -> None:
    found = reason_for(firm(row))

    assert found.endswith(reason)


def test_stocks_and_cash_occur_once_for_a_client() -> None:
    parsed = read(
        firm(
            "C0001,NSE,TCS,,5,1,",
            "C0002,NSE,TCS,,5,1,",
            "C0001,BSE,TCS,,5,1,",
            "C0001,NSE,TCS,INE467B01029,6,1,",
            "C0001,,CASH,,,,10",
            "C0002,,CASH,,,,10",
            "C0001,,CASH,,,,20",
        )
    )

    assert [(refused.line, refused.reason) for refused in parsed.refused] == [
        (5, "TCS of C0001 is already in line 2."),
        (8, "Cash of C0001 is already in line 6."),
    ]


def test_fifty_thousand_rows_are_read_and_one_more_is_refused() -> None:
    rows = [f"C{1 + n // 25:04d},NSE,S{n % 25},,{1 + n},10.5," for n in range(MAX_ROWS)]

    parsed = read(firm(*rows))
    message = message_for(firm(*rows, "C9999,NSE,TCS,,1,1,"))

    assert len(parsed.rows) == MAX_ROWS
    assert message == "The file has more than 50,000 rows; split it."


# ------------------------------------------------------------------------------- no holdings file


def test_another_file_is_refused_with_what_was_found_and_what_is_accepted() -> None:
    message = message_for(b"Date,Narration,Amount\n2026-08-01,Interest,12\n", "bank.csv")

    assert message.startswith('"bank.csv" cannot be imported: found "Date, Narration, Amount".')
    for accepted in ("Kite", "Zerodha Console", "Angel One", FIRM_HEADER):
        assert accepted in message


@pytest.mark.parametrize("content", [b"", b"  \r\n", b"\n\n\n"])
def test_an_empty_file_is_named_so(content: bytes) -> None:
    assert message_for(content) == "The file is empty."


def test_a_file_above_the_limit_is_refused_before_it_is_read() -> None:
    content = kite("TCS,5,100,120,,,,,") + b" " * 20 * 1024 * 1024

    message = message_for(content)

    assert message == "The file has 20.0 MB; a holdings file has at most 5 MB."


def test_a_file_of_exactly_the_limit_is_read() -> None:
    content = kite("TCS,5,100,120,,,,,")

    parsed = read(content + b"\n" * (MAX_FILE_BYTES - len(content)))

    assert len(parsed.rows) == 1


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\x00" * 600, "password or in the old .xls"),
        (b"PK\x03\x04 nonsense", "not a readable XLSX"),
        (b"%PDF-1.7\x00\x01\x02", "neither a CSV text nor an XLSX"),
        (b"\x89PNG\r\n\x1a\n", "neither a CSV text nor an XLSX"),
        (
            b'Instrument,Qty.,Avg. cost\n"TCS,5,100\nINFY,1,2\n',
            "quotes from line 2 on do not match",
        ),
        (kite("TCS,5,1", header="Instrument,Qty.,Avg. cost,Qty."), 'heading "Qty." appears twice'),
        (b"<html><table></table></html>", 'found "<html><table></table></html>"'),
    ],
)
def test_files_of_other_kinds_are_refused_in_clear_words(content: bytes, message: str) -> None:
    assert message in message_for(content)


@pytest.mark.parametrize(
    "parts",
    [
        {"xl/worksheets/sheet1.xml": b" " * 40 * 1024 * 1024},
        {f"xl/part{number}.xml": b"x" for number in range(600)},
    ],
)
def test_a_workbook_too_large_when_unpacked_is_refused(parts: dict[str, bytes]) -> None:
    message = message_for(zipped(parts))

    assert "too large when unpacked" in message


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_workbook_that_declares_entities_is_refused(encoding: str) -> None:
    bomb = f'<?xml version="1.0" encoding="{encoding}"?><!DOCTYPE x [<!ENTITY a "aaaa">]><x>&a;</x>'
    content = rewritten(console(TCS_ROW), "xl/workbook.xml", lambda _: bomb.encode(encoding))

    message = message_for(content)

    assert message == "The workbook declares XML entities, which is not allowed."


@pytest.mark.parametrize("line", ["1048576", "99999999999999"])
def test_a_row_with_a_number_far_down_does_not_keep_the_reader_busy(line: str) -> None:
    content = rewritten(
        console(TCS_ROW),
        "xl/worksheets/sheet1.xml",
        lambda xml: xml.replace(b'<row r="14"', f'<row r="{line}"'.encode()),
    )

    message = message_for(content)

    assert message == "The file has more than 50,000 rows; split it."


def test_a_cell_far_to_the_right_is_not_read() -> None:
    content = rewritten(
        console(TCS_ROW),
        "xl/worksheets/sheet1.xml",
        lambda xml: xml.replace(b'r="M14"', b'r="ZZZ14"'),
    )

    parsed = read(content)

    assert [row.symbol for row in parsed.rows] == ["TCS"]


def test_reading_text_does_not_load_the_workbook_library() -> None:
    program = (
        "import sys; from tarazu.imports.readers.reading import read_file as read; "
        "read(b'Instrument,Qty.,Avg. cost\\nTCS,1,2', 'a.csv'); print('openpyxl' in sys.modules)"
    )

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)

    assert done.stdout.strip() == b"False"


# ------------------------------------------------------------------------------ whatever is sent


def assert_sound(content: bytes) -> None:
    """Nothing but a refusal is raised, and no row is taken over that cannot be right."""
    try:
        parsed = read(content)
    except UnknownFile:
        return
    for row in parsed.rows:
        assert isinstance(row.quantity, int)
        assert 0 < row.quantity <= 3 * 10**9
        assert 0 <= row.pledged <= row.quantity
        assert 0 <= row.average_price <= 10**7
        assert row.last_price is None or 0 < row.last_price <= 10**7
        assert row.symbol or row.isin
        assert not (row.symbol or "A").startswith(("=", "+", "@"))


VALID = [
    kite("TCS,5,100.5,120,,,,,", '"M&M","1,000",2840.55,3012.4,,,,,', "Total,,,,1,2,3,,"),
    firm("C0001,NSE,TCS,INE467B01029,5,3100.25,", "C0001,,CASH,,,,-1250.50"),
    with_shared_texts(console(RELIANCE_ROW, TCS_ROW)),
    angel(INFY_OF_ANGEL),
]
UNPACKED = [
    (content, name)
    for content in VALID[2:]
    for name in ("xl/worksheets/sheet1.xml", "xl/workbook.xml", "xl/sharedStrings.xml")
    if name.encode() in content
]


@given(content=st.binary(max_size=600))
@example(content=b"PK\x03\x04")
@example(content=b"\xff\xfe\x00")
@example(content=b"\x00\x00")
def test_random_bytes_are_refused_and_break_nothing(content: bytes) -> None:
    assert_sound(content)


@given(text=st.text(max_size=300), header=st.sampled_from([KITE_HEADER, FIRM_HEADER]))
def test_random_text_under_a_good_heading_breaks_nothing(text: str, header: str) -> None:
    assert_sound(f"{header}\n{text}".encode("utf-8", "replace"))


cells = st.one_of(
    st.sampled_from(["", "-5", "1.5", "=1", "+1", "@x", "1,000", "nan", "1e9", "C0001", "NSE"]),
    st.sampled_from(["CASH", "TCS", "INE467B01029", "99999999999", "\u00a05", "₹ 5", '"', "\n"]),
    st.integers(-5, 10**10).map(str),
    st.text(max_size=8),
)


@given(rows=st.lists(st.lists(cells, max_size=9), max_size=8))
def test_rows_of_odd_cells_break_nothing(rows: list[list[str]]) -> None:
    for header in (KITE_HEADER, FIRM_HEADER):
        lines = [",".join(row) for row in rows]
        assert_sound("\n".join([header, *lines]).encode("utf-8", "replace"))


firm_rows = st.tuples(
    st.sampled_from(["C0001", "C0002", " c0001", "C0000", "=C0001"]),
    st.sampled_from(["NSE", "BSE", "nse", "MCX"]),
    st.sampled_from(["TCS", "INFY", "tcs", "", "CASH", "@TCS", "T C S"]),
    st.sampled_from(["", "INE467B01029", "INE009A01021", "ine467b01029", "INE467B01028"]),
    st.sampled_from(["1", "12", "0", "1.5", "+1", "", "9999999999", "\u0661"]),
    st.sampled_from(["1", "100.25", "0", ".5", "1.23456", "", "1e3", "₹ 5", "99999999"]),
    st.sampled_from(["", "5", "-1250.50", "=1"]),
)
plain_rows = st.tuples(
    st.sampled_from(["C0001", "C0002", "C0003"]),
    st.sampled_from(["NSE", "BSE"]),
    st.sampled_from(["TCS", "INFY", ""]),
    st.sampled_from(["INE467B01029", "INE009A01021"]),
    st.integers(1, 10**9).map(str),
    st.decimals(0, 10**7, places=4).map("{:f}".format),
    st.just(""),
)


@given(rows=st.lists(st.one_of(plain_rows, plain_rows, plain_rows, firm_rows), max_size=6))
@example(rows=[("C0001", "", "CASH", "", "", "", "5"), ("C0001", "NSE", "TCS", "", "1", "2", "")])
def test_rows_that_are_read_at_once_are_as_if_each_was_read_alone(
    rows: list[tuple[str, ...]],
) -> None:
    content = firm(*(",".join(row[:7] if row[6] else row[:6]) for row in rows))
    (grid,) = next(ways_to_read(content))
    table = reading._table_in(grid)
    assert table is not None
    alone = replace(table, layout=replace(table.layout, read_holdings=None))

    assert reading._parsed(table, []) == reading._parsed(alone, [])


@settings(max_examples=150, deadline=None)
@given(
    content=st.sampled_from(VALID),
    changes=st.lists(
        st.tuples(st.floats(0, 1, exclude_max=True), st.integers(0, 255)), max_size=12
    ),
    kept=st.floats(0.2, 1),
)
def test_files_that_were_damaged_break_nothing(
    content: bytes, changes: list[tuple[float, int]], kept: float
) -> None:
    damaged = bytearray(content[: int(len(content) * kept)])
    for place, byte in changes:
        damaged[int(place * len(damaged))] = byte

    assert_sound(bytes(damaged))


@settings(max_examples=150, deadline=None)
@given(
    which=st.sampled_from(UNPACKED),
    changes=st.lists(
        st.tuples(st.floats(0, 1, exclude_max=True), st.sampled_from(b'<>"=/0-9.eArst&; ')),
        min_size=1,
        max_size=8,
    ),
)
def test_workbooks_whose_inside_was_damaged_break_nothing(
    which: tuple[bytes, str], changes: list[tuple[float, int]]
) -> None:
    content, name = which
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        parts = {one.filename: archive.read(one) for one in archive.infolist()}
    damaged = bytearray(parts[name])
    for place, byte in changes:
        damaged[int(place * len(damaged))] = byte

    assert_sound(zipped({**parts, name: bytes(damaged)}))


@given(quantity=st.integers(1, 10**9), price=st.decimals(0, 10**7, places=4))
def test_what_is_written_is_what_is_read(quantity: int, price: Decimal) -> None:
    parsed = read(firm(f"C0042,NSE,TCS,INE467B01029,{quantity},{price:f},"))

    (row,) = parsed.rows
    assert (row.client_code, row.quantity, row.average_price) == ("C0042", quantity, price)
