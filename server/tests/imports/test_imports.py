"""Holdings come in by file: checked row by row, applied whole or not at all."""

import datetime as dt
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest
from fastapi.testclient import TestClient
from httpx2 import Response
from sqlalchemy import text, update

from tarazu.imports import running, service, uploads
from tarazu.imports.errors import ClientsChanged, ImportGivenUp, ImportStopped
from tarazu.imports.tables import ImportState
from tarazu.imports.uploads import ImportOptions, Step
from tarazu.kit import clock, jobs, processes
from tarazu.kit.audit_log import SYSTEM
from tarazu.kit.db import Database
from tarazu.kit.jobs import JobRow
from tarazu.kit.security import hash_password
from tarazu.people import service as people
from tarazu.people.service import Login, NewPerson
from tarazu.people.tables import Role
from tarazu.portfolio import service as portfolio
from tests.imports.files import (
    INFY,
    ITC,
    RELIANCE,
    TCS,
    add_clients,
    angel,
    books,
    console,
    firm,
    kite,
    large_file,
    refuse_wrong_totals,
)
from tests.people_of import ADMIN, Desk, data_of, reply_of
from tests.rows_of import run

PATH = "/admin/clients/import"


class ImportDesk:
    """A desk with one client, C0001, that imports files."""

    def __init__(self, desk: Desk, database: Database) -> None:
        self.desk, self.database = desk, database
        self.client_id = desk.add_client()

    def send(self, content: bytes, name: str = "holdings.csv", **fields: str) -> Response:
        return self.desk.upload(PATH, name, content, **fields)

    def check(self, content: bytes, **fields: str) -> dict[str, Any]:
        """A dry run for C0001; its report."""
        return dict(
            data_of(self.send(content, dryRun="true", **{"clientId": self.client_id} | fields))
        )

    def apply(self, content: bytes, **fields: str) -> dict[str, Any]:
        """Apply a file of C0001; the report."""
        return dict(
            data_of(self.send(content, dryRun="false", **{"clientId": self.client_id} | fields))
        )

    def apply_firm(self, content: bytes, **fields: str) -> dict[str, Any]:
        return dict(data_of(self.send(content, dryRun="false", **fields)))

    def held(self, client_id: str = "") -> dict[str, tuple[int, float]]:
        """Quantity and average price by symbol, as the screen shows them."""
        path = f"/admin/clients/client/{client_id or self.client_id}/holdings"
        rows = self.desk.get(path).json()["data"]
        return {row["tradingSymbol"]: (row["quantity"], row["averagePrice"]) for row in rows}

    def account(self) -> portfolio.AccountSummary:
        with self.database.reading() as session:
            return portfolio.account_summary(session, UUID(self.client_id))


@pytest.fixture
def imports(admin: Desk, database: Database) -> ImportDesk:
    return ImportDesk(admin, database)


# ---------------------------------------------------------------------------- the kinds of files


@pytest.mark.on_both(suite="long")
@pytest.mark.parametrize(
    ("content", "kind", "broker_id", "as_on"),
    [
        (kite(("INFY", 10, 1500.5), ("M&M", 3, 2900)), "KITE_HOLDINGS_CSV", None, None),
        (
            console(("INFY", INFY, 10, 1500.5), ("M&M", "INE101A01026", 3, 2900)),
            "CONSOLE_HOLDINGS_XLSX",
            "AB1234",
            "2026-08-21",
        ),
        (
            angel(("INFY-EQ", INFY, 10, 1500.5), ("Mahindra & Mahindra", "INE101A01026", 3, 2900)),
            "ANGEL_HOLDINGS",
            "A123456",
            "2026-08-21",
        ),
        (firm("C0001,NSE,INFY,,10,1500.5,", "C0001,NSE,M&M,,3,2900,"), "FIRM_CSV", None, None),
    ],
    ids=["kite", "console", "angel", "firm"],
)
def test_a_file_of_each_kind_is_recognised_checked_and_applied(
    imports: ImportDesk, content: bytes, kind: str, broker_id: str | None, as_on: str | None
) -> None:
    checked = imports.check(content)
    untouched = imports.held()
    applied = imports.apply(content)

    assert (checked["state"], applied["state"]) == ("CHECKED", "APPLIED")
    assert (checked["kind"], checked["brokerClientId"], checked["asOn"]) == (kind, broker_id, as_on)
    assert checked["canApply"]
    assert checked["message"] == "2 added."
    assert [row["change"] for row in checked["rows"]] == ["ADDED", "ADDED"]
    assert untouched == {}
    assert imports.held() == {"INFY": (10, 1500.5), "M&M": (3, 2900.0)}
    refuse_wrong_totals(imports.database)


def test_a_dry_run_shows_what_would_change_and_changes_nothing(imports: ImportDesk) -> None:
    imports.apply(kite(("INFY", 10, 1500), ("TCS", 5, 3000), ("ITC", 7, 400)))
    before = books(imports.database)

    checked = imports.check(kite(("INFY", 10, 1500), ("TCS", 6, 3100.25), ("LT", 1, 3600)))

    rows = {row["tradingSymbol"]: row for row in checked["rows"]}
    assert {symbol: row["change"] for symbol, row in rows.items()} == {
        "INFY": "UNCHANGED",
        "TCS": "CHANGED",
        "ITC": "REMOVED",
        "LT": "ADDED",
    }
    assert [row["change"] for row in checked["rows"]][-1] == "UNCHANGED"
    assert (rows["TCS"]["quantityBefore"], rows["TCS"]["quantityAfter"]) == (5, 6)
    assert rows["TCS"]["averagePriceAfter"] == 3100.25
    assert (rows["TCS"]["line"], rows["ITC"]["line"]) == (3, None)
    assert rows["ITC"]["quantityAfter"] is None
    assert checked["message"] == "1 added, 1 changed, 1 removed, 1 unchanged."
    assert checked["counts"] == {
        "added": 1, "changed": 1, "removed": 1, "unchanged": 1, "refused": 0, "clients": 1,
    }  # fmt: skip
    assert books(imports.database) == before


def test_a_file_is_only_checked_unless_it_says_otherwise(imports: ImportDesk) -> None:
    answer = imports.send(kite(("INFY", 10, 1500)), clientId=imports.client_id)

    assert answer.json()["data"]["state"] == "CHECKED"
    assert imports.held() == {}


@pytest.mark.parametrize("content", [kite(("INFY", 10, 1500)), console(("INFY", INFY, 10, 1500))])
def test_the_same_file_again_changes_nothing_at_all(imports: ImportDesk, content: bytes) -> None:
    imports.apply(content)
    before = books(imports.database)

    checked = imports.check(content)
    again = imports.apply(content)

    assert [row["change"] for row in again["rows"]] == ["UNCHANGED"]
    assert again["message"] == "1 unchanged."
    assert not checked["canApply"]
    assert books(imports.database) == before


@pytest.mark.on_both(suite="long")
def test_a_newer_file_with_the_same_holdings_renews_the_sync_alone(imports: ImportDesk) -> None:
    imports.apply(kite(("INFY", 10, 1500)))
    before, synced_at = books(imports.database), imports.account().synced_at

    imports.apply(kite(("INFY", 10, "1500.00")))

    after = books(imports.database)
    renewed = imports.account().synced_at
    assert synced_at is not None
    assert renewed is not None
    assert renewed > synced_at
    assert {name: rows for name, rows in after.items() if name != "accounts"} == {
        name: rows for name, rows in before.items() if name != "accounts"
    }


def test_an_apply_leaves_one_row_in_the_trail_and_one_revision(imports: ImportDesk) -> None:
    before = books(imports.database)

    report = imports.apply(kite(("INFY", 10, 1500), ("TCS", 5, 3000)))

    after = books(imports.database)
    (new,) = set(after["audit"]) - set(before["audit"])
    assert "holdings_imported" in new
    assert imports.client_id in new
    assert report["_id"] in str(new)
    assert after["firm_totals"][0][3] == before["firm_totals"][0][3] + 1


# ------------------------------------------------------------------------------------ refusals


def test_refused_rows_have_line_and_reason_and_nothing_is_applied(
    imports: ImportDesk,
) -> None:
    content = kite(("INFY", 10, 1500), ("TCS", -5, 3000), ("NOSUCH", 1, 1), ("LT", 1.5, 9))

    checked = imports.check(content)
    answer = imports.send(content, dryRun="false", clientId=imports.client_id)

    told = [(row["line"], row["reason"]) for row in checked["refused"]]
    assert told == [
        (3, 'Quantity "-5" is below 0.'),
        (4, "Unknown stock symbol: NOSUCH."),
        (5, 'Quantity "1.5" is not a whole number of shares.'),
    ]
    assert checked["refused"][1]["text"] == "NOSUCH, 1, 1"
    assert not checked["canApply"]
    assert answer.status_code == 422
    assert answer.json()["message"] == (
        "3 rows are refused; nothing was imported. Leave them out or correct the file."
    )
    assert answer.json()["errors"][0] == {
        "field": "line 3",
        "message": 'Quantity "-5" is below 0.',
    }
    assert imports.held() == {}


def test_refused_rows_can_be_left_out(imports: ImportDesk) -> None:
    content = kite(("INFY", 10, 1500), ("NOSUCH", 1, 1))

    checked = imports.check(content, leaveOutRefused="true")
    applied = imports.apply(content, leaveOutRefused="true")

    assert checked["canApply"]
    assert applied["message"] == "1 added, 1 refused and left out."
    assert imports.held() == {"INFY": (10, 1500.0)}


@pytest.mark.parametrize(
    "wrong",
    [("TCS", -5, 3000), ("TCS", "=1+1", 3000), ("TCS", 2, "about 9"), ("TCS-BE", 0.5, 1)],
)
def test_a_refused_row_never_removes_the_holding_it_names(
    imports: ImportDesk, wrong: tuple[str, object, object]
) -> None:
    imports.apply(kite(("TCS", 5, 3000), ("ITC", 7, 400)))

    report = imports.apply(kite(("INFY", 10, 1500), wrong), leaveOutRefused="true")

    assert imports.held() == {"INFY": (10, 1500.0), "TCS": (5, 3000.0)}
    assert report["counts"]["removed"] == 1


def test_a_refused_row_that_could_be_any_stock_keeps_them_all(imports: ImportDesk) -> None:
    imports.apply(kite(("TCS", 5, 3000), ("ITC", 7, 400)))

    imports.apply(kite(("INFY", 10, 1500), ("", 5, 3000)), leaveOutRefused="true")

    assert imports.held() == {"INFY": (10, 1500.0), "TCS": (5, 3000.0), "ITC": (7, 400.0)}


def test_symbols_survive_and_series_are_dropped(imports: ImportDesk) -> None:
    imports.apply(kite(("M&M", 1, 1), ("BAJAJ-AUTO", 2, 2), ("ITC-BE", 3, 3), ("LT-EQ", 4, 4)))

    assert set(imports.held()) == {"M&M", "BAJAJ-AUTO", "ITC", "LT"}


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (("TCS", INFY, 1, 1), f"TCS has the ISIN {TCS}; {INFY} belongs to INFY."),
        (
            ("TCS", "US0378331005", 1, 1),
            f"TCS has the ISIN {TCS}; US0378331005 is unknown.",
        ),
        (
            ("APPLE", "US0378331005", 1, 1),
            "Unknown stock: APPLE (US0378331005).",
        ),
    ],
)
def test_symbol_and_isin_must_agree(
    imports: ImportDesk, row: tuple[str, str, int, int], reason: str
) -> None:
    checked = imports.check(console(row))

    assert [refused["reason"] for refused in checked["refused"]] == [reason]


def test_an_old_symbol_is_taken_by_its_isin_with_a_warning(imports: ImportDesk) -> None:
    report = imports.apply(console(("INFOSYSTCH", INFY, 4, 1500)))

    assert imports.held() == {"INFY": (4, 1500.0)}
    assert report["warnings"] == [
        {"line": 14, "text": "INFOSYSTCH is matched with INFY by its ISIN."}
    ]


def test_two_rows_of_one_stock_are_refused_with_the_first_line(imports: ImportDesk) -> None:
    checked = imports.check(kite(("INFY", 10, 1500), ("INFY-BE", 5, 1400)))

    assert [(row["line"], row["reason"]) for row in checked["refused"]] == [
        (3, "INFY of C0001 is already in line 2.")
    ]
    assert checked["counts"]["added"] == 1


def test_a_holding_that_costs_more_than_any_holding_is_refused(imports: ImportDesk) -> None:
    checked = imports.check(kite(("INFY", 900_000_000, 9_000_000)))

    assert checked["refused"][0]["reason"] == (
        "A single holding cannot have cost more than ₹1,00,000 crore."
    )


def test_a_formula_is_refused_with_its_line(imports: ImportDesk) -> None:
    checked = imports.check(console(("INFY", INFY, "=10+1", 1500), ("TCS", TCS, 5, 3000)))

    (refused,) = checked["refused"]
    assert refused["line"] == 14
    assert "is a formula" in refused["reason"]


# ------------------------------------------------------------------------- files that are none


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "The file is empty."),
        (b" \r\n \n", "The file is empty."),
        (
            b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + bytes(300),
            "neither a CSV text nor an XLSX workbook",
        ),
        (b"name,age\nA,4\n", "cannot be imported"),
        (b"PK\x03\x04" + bytes(300), "The file is not a readable XLSX workbook"),
    ],
    ids=["empty", "blank", "png", "other csv", "broken workbook"],
)
def test_a_file_that_is_none_gets_one_clear_sentence(
    imports: ImportDesk, content: bytes, sentence: str
) -> None:
    answer = imports.send(content, clientId=imports.client_id, dryRun="false")

    assert answer.status_code == 422
    assert sentence in answer.json()["message"]


def test_a_file_of_20_mb_is_refused_by_its_size(imports: ImportDesk) -> None:
    declared = imports.send(b"x" * (20 << 20), clientId=imports.client_id)
    just_over = imports.send(b"x" * ((5 << 20) + 1), clientId=imports.client_id)
    undeclared = imports.desk.web.post(
        f"/api/v1{PATH}",
        content=_form_in_pieces(20),
        headers=imports.desk.headers | {"Content-Type": "multipart/form-data; boundary=edge"},
    )

    for answer in (declared, just_over, undeclared):
        assert reply_of(answer) == (413, "The file is larger than 5 MB.")


def _form_in_pieces(megabytes: int) -> Iterator[bytes]:
    yield b'--edge\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n'
    for _ in range(megabytes):
        yield b"x" * (1 << 20)
    yield b"\r\n--edge--\r\n"


def test_a_file_without_holdings_empties_no_client(imports: ImportDesk) -> None:
    imports.apply(kite(("INFY", 10, 1500)))

    checked = imports.check(kite())
    answer = imports.send(kite(), clientId=imports.client_id, dryRun="false")

    assert not checked["canApply"]
    assert reply_of(answer) == (422, "The file holds nothing to import; nothing was changed.")
    assert imports.held() == {"INFY": (10, 1500.0)}


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("..\\..\\etc\\my holdings.csv", "my holdings.csv"),
        ("/root/a/holdings\u202e\x07.csv", "holdings.csv"),
        ("x" * 300 + ".csv", "x" * 75 + "….csv"),
    ],
)
def test_a_file_name_is_shown_without_folders_and_unseen_letters(given: str, shown: str) -> None:
    assert uploads.shown_name(given) == shown


# ---------------------------------------------------------------------- whose file it may be


def test_a_one_client_file_needs_its_client(imports: ImportDesk) -> None:
    answer = imports.send(kite(("INFY", 10, 1500)), dryRun="true")

    assert reply_of(answer) == (422, "Choose the client this file belongs to.")


def test_an_unknown_client_is_not_found(imports: ImportDesk) -> None:
    unknown = "01890000-0000-7000-8000-000000000000"

    answer = imports.send(kite(("INFY", 10, 1500)), clientId=unknown)

    assert answer.status_code == 404


def test_the_id_at_the_broker_is_stored_then_required(imports: ImportDesk) -> None:
    imports.apply(console(("INFY", INFY, 10, 1500), client="AB1234"))
    taken = imports.account()

    answer = imports.send(
        console(("TCS", TCS, 1, 1), client="ZZ9999"), clientId=imports.client_id, dryRun="false"
    )

    assert (taken.broker, taken.broker_user_id) == ("ZERODHA", "AB1234")
    assert answer.status_code == 422
    assert answer.json()["message"] == (
        "The file belongs to broker account ZZ9999, but C0001 has AB1234."
    )
    assert imports.held() == {"INFY": (10, 1500.0)}


def test_the_broker_of_the_file_is_stored(imports: ImportDesk) -> None:
    imports.apply(angel(("INFY-EQ", INFY, 10, 1500)))

    account = imports.account()

    assert (account.broker, account.broker_user_id) == ("ANGEL_ONE", "A123456")


def test_a_file_made_out_to_another_client_here_is_refused(imports: ImportDesk) -> None:
    imports.apply(console(("INFY", INFY, 10, 1500), client="AB1234"))
    other = imports.desk.add_client("Rohan Iyer", "rohan@home.example")

    answer = imports.send(
        console(("INFY", INFY, 10, 1500), client="ab1234"), clientId=other, dryRun="true"
    )

    assert answer.status_code == 422
    assert answer.json()["message"] == (
        "The file belongs to broker account AB1234 of C0001, not of C0002."
    )


def test_a_firm_file_is_not_for_one_client_unless_it_is_of_that_one_alone(
    imports: ImportDesk,
) -> None:
    imports.desk.add_client("Rohan Iyer", "rohan@home.example")
    both = firm("C0001,NSE,INFY,,1,1,", "C0002,NSE,INFY,,1,1,")

    answer = imports.send(both, clientId=imports.client_id, dryRun="false")
    imports.apply(firm("C0001,NSE,ITC,,9,400,"))

    assert answer.status_code == 422
    assert "firm-wide file" in answer.json()["message"]
    assert imports.held() == {"ITC": (9, 400.0)}


@pytest.mark.on_both(suite="long")
def test_an_inactive_client_is_refused(imports: ImportDesk) -> None:
    _set_inactive(imports.database, imports.client_id)

    one = imports.send(kite(("INFY", 1, 1)), clientId=imports.client_id, dryRun="true")
    whole = imports.send(firm("C0001,NSE,INFY,,1,1,"), dryRun="true")

    assert reply_of(one) == (422, "C0001 is inactive; activate the client first.")
    (refused,) = whole.json()["data"]["refused"]
    assert refused["reason"] == "C0001 is inactive; activate the client first."


def _set_inactive(database: Database, client_id: str) -> None:
    with database.transaction() as session:
        session.execute(
            text("UPDATE people SET status = 'INACTIVE' WHERE client_code = 'C0001'"),
        )
        portfolio.count_in_totals(session, clock.now(), UUID(client_id), counted=False)


def _delete(imports: ImportDesk) -> None:
    assert imports.desk.post("/clients/delete", {"clientId": imports.client_id}).status_code == 200


@pytest.mark.parametrize(
    "leave", [lambda desk: _set_inactive(desk.database, desk.client_id), _delete]
)
def test_a_client_who_leaves_between_the_match_and_the_writing_stops_the_import(
    imports: ImportDesk, leave: Callable[[ImportDesk], None]
) -> None:
    file = uploads.read_file(firm("C0001,NSE,INFY,,1,1,"), "firm.csv")
    with imports.database.reading() as session:
        order = service.prepare_import(session, file, None, ImportOptions(False, False))
        resolved = service.resolve(session, order, clock.today(), lambda *_: None)

    leave(imports)

    with imports.database.transaction() as session, pytest.raises(ClientsChanged) as refusal:
        service.apply(session, SYSTEM, clock.now(), order, resolved, lambda *_: None)
    assert refusal.value.message == "C0001 was changed meanwhile; import the file again."


# ------------------------------------------------------------------------------- the whole firm


def test_a_firm_file_replaces_the_holdings_of_the_clients_it_names(imports: ImportDesk) -> None:
    second = imports.desk.add_client("Rohan Iyer", "rohan@home.example")
    third = imports.desk.add_client("Meera Nair", "meera@home.example")
    imports.apply_firm(
        firm("C0001,NSE,INFY,,1,10,", "C0002,NSE,TCS,,2,20,", "C0003,NSE,ITC,,3,30,")
    )

    report = imports.apply_firm(
        firm(
            f"C0001,NSE,,{RELIANCE},4,40.25,",
            f"C0002,BSE,TCS,{TCS},5,20,",
            "C0002,,CASH,,,,-1500.75",
        )
    )

    assert imports.held() == {"RELIANCE": (4, 40.25)}
    assert imports.held(second) == {"TCS": (5, 20.0)}
    assert imports.held(third) == {"ITC": (3, 30.0)}
    assert report["cash"] == [
        {"clientId": "C0002", "clientName": "Rohan Iyer", "before": 0.0, "after": -1500.75}
    ]
    assert report["message"] == "1 added, 1 changed, 1 removed, cash of 1 client changed."
    with imports.database.reading() as session:
        funds = portfolio.account_summary(session, UUID(second)).funds
        assert (funds.net, funds.available_cash) == (Decimal("-1500.75"), Decimal("-1500.75"))
        assert portfolio.firm_counts(session) == (3, Decimal("-1500.75"))
    refuse_wrong_totals(imports.database)


def test_unknown_codes_refuse_their_rows_alone(imports: ImportDesk) -> None:
    content = firm("C0001,NSE,INFY,,1,10,", "C0042,NSE,TCS,,2,20,", "C0042,,CASH,,,,5")

    checked = imports.send(content, dryRun="true").json()["data"]
    imports.apply_firm(content, leaveOutRefused="true")

    assert [(row["line"], row["reason"]) for row in checked["refused"]] == [
        (3, "C0042 is not a client here."),
        (4, "C0042 is not a client here."),
    ]
    assert imports.held() == {"INFY": (1, 10.0)}


def test_a_share_on_bse_is_the_one_on_nse_by_its_isin_and_never_by_its_symbol(
    imports: ImportDesk,
) -> None:
    content = firm(
        f"C0001,BSE,RELIANCE,{RELIANCE},1,10,",
        "C0001,BSE,INFY,,1,10,",
        f"C0001,NSE,RELIANCE,{RELIANCE},2,10,",
    )

    checked = imports.send(content, dryRun="true").json()["data"]

    assert [row["tradingSymbol"] for row in checked["rows"]] == ["RELIANCE"]
    assert [(row["line"], row["reason"]) for row in checked["refused"]] == [
        (3, "Unknown stock symbol on BSE: INFY. Add its ISIN."),
        (4, "RELIANCE of C0001 is already in line 2."),
    ]


def test_a_client_with_cash_alone_is_listed_as_losing_all_holdings(imports: ImportDesk) -> None:
    imports.apply_firm(firm("C0001,NSE,INFY,,1,10,"))

    report = imports.apply_firm(firm("C0001,,CASH,,,,500"))

    assert imports.held() == {}
    assert report["warnings"] == [
        {"line": None, "text": "C0001 has no shares in the file: all its holdings are removed."}
    ]


@pytest.mark.on_both(suite="long")
def test_pledges_survive_a_file_that_is_silent_about_them(imports: ImportDesk) -> None:
    imports.apply(console(("ITC", ITC, 10, 400)))
    run(imports.database, text("UPDATE holdings SET pledged = 4"))

    same = imports.apply(kite(("ITC", 10, 400)))
    less = imports.apply(kite(("ITC", 3, 400)))

    assert same["message"] == "1 unchanged."
    assert less["counts"]["changed"] == 1
    with imports.database.reading() as session:
        (stock,) = portfolio.stocks_of(session, UUID(imports.client_id))
        assert (stock.quantity, stock.pledged) == (3, 3)


# --------------------------------------------------------------------- large files, and reports


def _ended(imports: ImportDesk, import_id: str) -> dict[str, Any]:
    for _ in range(600):
        report = imports.desk.get(f"/admin/imports/{import_id}").json()["data"]
        if report["state"] != "RUNNING":
            return dict(report)
        time.sleep(0.1)
    pytest.fail("the import did not end within a minute")


def test_a_large_file_is_applied_in_the_background(imports: ImportDesk) -> None:
    add_clients(imports.database, 179)
    content = large_file(180)

    answer = imports.send(content, dryRun="false")
    report = _ended(imports, answer.json()["data"]["_id"])

    assert answer.status_code == 202
    assert answer.json()["data"]["state"] == "RUNNING"
    assert answer.json()["data"]["message"] == "The file is being imported."
    assert report["state"] == "APPLIED"
    assert report["message"] == "5,400 added."
    assert (len(report["rows"]), report["rowsLeftOut"]) == (2_000, 3_400)
    assert report["counts"]["clients"] == 180
    assert imports.held()["INFY"] == (1, 100.25)
    refuse_wrong_totals(imports.database)


def test_a_large_file_that_is_refused_says_so_in_its_report(imports: ImportDesk) -> None:
    content = large_file(180)

    answer = imports.send(content, dryRun="false")
    report = _ended(imports, answer.json()["data"]["_id"])

    assert report["state"] == "FAILED"
    assert report["counts"]["refused"] == 5_370
    assert report["message"].startswith("5,370 rows are refused; nothing was imported.")
    assert imports.held() == {}


@pytest.mark.long
def test_progress_goes_on_from_step_to_step_and_ends(database: Database, admin: Desk) -> None:
    add_clients(database, 600)
    told: list[tuple[Step, int, int, ImportState]] = []
    file = uploads.read_file(large_file(600), "firm.csv")
    with database.reading() as session:
        order = service.prepare_import(session, file, None, ImportOptions(False, False))

    running.run(
        order, running.ImportContext(database, SYSTEM, clock.now, lambda *far: told.append(far))
    )

    checking = [done for step, done, *_ in told if step is Step.CHECKING]
    applying = [(done, total) for step, done, total, _ in told if step is Step.APPLYING]
    assert checking == sorted(checking)
    assert (checking[0], checking[-1]) == (0, 18_000)
    assert applying == [(0, 600), (500, 600), (600, 600)]
    assert told[-1] == (Step.DONE, 1, 1, ImportState.APPLIED)


def test_a_report_can_be_read_again(imports: ImportDesk) -> None:
    applied = imports.apply(kite(("INFY", 10, 1500)))

    answer = imports.desk.get(f"/admin/imports/{applied['_id']}")
    unknown = imports.desk.get("/admin/imports/01890000-0000-7000-8000-000000000000")

    assert answer.json()["data"] == applied
    assert unknown.status_code == 404


def test_files_of_one_client_at_the_same_time_never_mix(imports: ImportDesk) -> None:
    files = [
        kite(("INFY", 1, 1), ("TCS", 1, 1)),
        kite(("ITC", 2, 2), ("LT", 2, 2)),
        kite(("INFY", 3, 3), ("LT", 3, 3)),
    ]

    with ThreadPoolExecutor(3) as threads:
        answers = list(
            threads.map(
                lambda content: imports.send(content, clientId=imports.client_id, dryRun="false"),
                files * 4,
            )
        )

    assert {answer.status_code for answer in answers} == {200}
    assert imports.held() in (
        {"INFY": (1, 1.0), "TCS": (1, 1.0)},
        {"ITC": (2, 2.0), "LT": (2, 2.0)},
        {"INFY": (3, 3.0), "LT": (3, 3.0)},
    )
    refuse_wrong_totals(imports.database)


# --------------------------------------------------------------------------- a server that stopped


def _begin_as(imports: ImportDesk, owner: str, started_at: dt.datetime) -> str:
    """Leave the row of an import that began and never ended."""
    file = uploads.read_file(kite(("INFY", 10, 1500)), "holdings.csv")
    with imports.database.transaction() as session:
        order = service.prepare_import(
            session, file, UUID(imports.client_id), ImportOptions(False, False)
        )
        service.begin(session, SYSTEM, started_at, order)
        jobs.put_claimed(session, running.KIND, str(order.id), started_at, owner=owner)
    return str(order.id)


def _number_of_nobody() -> int:
    with subprocess.Popen([sys.executable, "-c", ""]) as short:
        short.wait()
    return short.pid


HERE = processes.HERE
JUST_NOW = dt.timedelta(seconds=10)
LONG_AGO = dt.timedelta(seconds=21)


@pytest.mark.parametrize(
    ("owner", "age", "state"),
    [
        (lambda: f"{HERE}:{_number_of_nobody()}:0123", JUST_NOW, "FAILED"),
        (lambda: f"{HERE}:{os.getpid()}:0123", JUST_NOW, "FAILED"),
        (lambda: f"{HERE}:{os.getppid()}:0123", JUST_NOW, "RUNNING"),
        (processes.own_id, JUST_NOW, "RUNNING"),
        (lambda: "elsewhere:1:0123", JUST_NOW, "RUNNING"),
        (lambda: "elsewhere:1:0123", LONG_AGO, "FAILED"),
    ],
    ids=["dead", "our number before us", "another alive", "ours", "elsewhere", "elsewhere, old"],
)
def test_an_import_whose_process_is_gone_is_marked_failed(
    imports: ImportDesk, owner: Callable[[], str], age: dt.timedelta, state: str
) -> None:
    import_id = _begin_as(imports, owner(), clock.now() - age)

    running.resume(imports.database, clock.now())

    report = imports.desk.get(f"/admin/imports/{import_id}").json()["data"]
    assert report["state"] == state
    assert (report["message"] == ImportStopped.message) == (state == "FAILED")


def test_a_failed_import_changes_nothing_any_more(imports: ImportDesk, database: Database) -> None:
    file = uploads.read_file(kite(("INFY", 10, 1500)), "holdings.csv")
    with database.reading() as session:
        order = service.prepare_import(
            session, file, UUID(imports.client_id), ImportOptions(False, False)
        )

    def give_up_before_the_end(step: Step, *_: object) -> None:
        if step is Step.CHECKING:
            running.resume(database, clock.now() + LONG_AGO)

    with pytest.raises(ImportGivenUp):
        running.run(
            order, running.ImportContext(database, SYSTEM, clock.now, give_up_before_the_end)
        )

    assert imports.held() == {}
    refuse_wrong_totals(database)


def _leave_large(imports: ImportDesk, content: bytes) -> str:
    """Leave a large import whose process died just after it had begun."""
    database, dead = imports.database, f"{HERE}:{_number_of_nobody()}:0123"
    file = uploads.read_file(content, "holdings.csv")
    with database.reading() as session:
        order = service.prepare_import(
            session,
            file,
            UUID(imports.client_id),
            ImportOptions(is_dry_run=False, leave_out_refused=False),
        )
        admin = people.staff_by_email(session, ADMIN["email"])
    assert admin is not None
    caller = replace(SYSTEM, account_id=admin.id, role="ADMIN")
    by = running.ImportContext(database, caller, clock.now, lambda *_: None)
    running._begin(order, by, can_resume=True)
    run(database, update(JobRow).values(owner=dead))
    running._progress.pop(order.id)
    return str(order.id)


@pytest.mark.on_both(suite="long")
def test_a_large_import_whose_process_died_is_resumed_once(imports: ImportDesk) -> None:
    import_id = _leave_large(imports, kite(("INFY", 10, 1500)))

    for _ in range(2):
        running.resume(imports.database, clock.now())

    report = imports.desk.get(f"/admin/imports/{import_id}").json()["data"]
    with imports.database.reading() as session:
        applied = session.execute(
            text("SELECT account_id FROM audit WHERE action = 'holdings_imported'")
        ).all()
        due_at = jobs.due_at_of(session, running.KIND, import_id)
    assert report["state"] == "APPLIED"
    assert imports.held() == {"INFY": (10, 1500.0)}
    assert len(applied) == 1
    assert applied[0].account_id is not None
    assert due_at is None


def test_a_large_import_of_a_client_who_left_meanwhile_says_so(imports: ImportDesk) -> None:
    import_id = _leave_large(imports, kite(("INFY", 10, 1500)))
    assert imports.desk.post("/clients/delete", {"clientId": imports.client_id}).status_code == 200

    running.resume(imports.database, clock.now())

    report = imports.desk.get(f"/admin/imports/{import_id}").json()["data"]
    assert (report["state"], report["message"]) == ("FAILED", "Client not found")
    assert jobs.claim(imports.database, running.KIND, clock.now() + jobs.LEASE) is None


def test_a_large_import_that_kills_its_process_is_given_up(imports: ImportDesk) -> None:
    import_id = _leave_large(imports, kite(("INFY", 10, 1500)))
    now = clock.now()
    for turn in (1, 2):
        at, owner = now + turn * jobs.LEASE, f"elsewhere:{turn}:01"
        assert jobs.claim(imports.database, running.KIND, at, owner=owner) is not None

    running.resume(imports.database, now + 3 * jobs.LEASE)

    report = imports.desk.get(f"/admin/imports/{import_id}").json()["data"]
    assert (report["state"], report["message"]) == ("FAILED", ImportStopped.message)
    assert imports.held() == {}


# ---------------------------------------------------------------------------------- who may


def test_a_user_may_import(imports: ImportDesk, web: TestClient, database: Database) -> None:
    login = Login(Role.USER, hash_password("quiet river 9"))
    person = NewPerson("Farhan Ali", "farhan@desk.example")
    with database.transaction() as session:
        people.add_staff(session, SYSTEM, clock.now(), person, login)
    body = {"email": person.email, "password": "quiet river 9"}
    user = Desk(web, web.post("/api/v1/auth/login", json=body).json()["accessToken"])

    answer = user.upload(
        PATH, "h.csv", kite(("INFY", 1, 1)), clientId=imports.client_id, dryRun="false"
    )

    assert answer.status_code == 200
    assert imports.held() == {"INFY": (1, 1.0)}
