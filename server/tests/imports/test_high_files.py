"""The highs of 31 January 2018 are checked, imported once, and never changed by a file."""

from pathlib import Path
from typing import Any

import pytest

from tarazu.cli import main
from tarazu.kit.db import Database
from tests.imports.files import INFY
from tests.imports.test_command import folder
from tests.people_of import Desk, data_of, reply_of
from tests.rows_of import audit_rows

__all__ = ["folder"]

PATH = "/admin/imports/highs-of-2018"
TCS = "INE467B01029"
PLAIN = f'ISIN,High\n{INFY},1158.50\n{TCS},"3,126.00"\n'.encode()
BHAVCOPY = (
    "SYMBOL,SERIES,OPEN,HIGH,LOW,CLOSE,LAST,PREVCLOSE,TOTTRDQTY,TOTTRDVAL,TIMESTAMP,TOTALTRADES,ISIN,\n"
    f"INFY,EQ,1150,1158.50,1140,1151,1150,1149,100,100,31-JAN-2018,10,{INFY},\n"
    f"TCS,EQ,3100,3126,3090,3111,3110,3100,100,100,31-JAN-2018,10,{TCS},\n"
    f"BOND,N1,1000,1000,1000,1000,1000,1000,1,1,31-JAN-2018,1,{INFY},\n"
).encode()


def send(desk: Desk, content: bytes, *, dry: bool = False) -> dict[str, Any]:
    return dict(data_of(desk.upload(PATH, "highs.csv", content, dryRun=str(dry).lower())))


@pytest.mark.on_both
@pytest.mark.parametrize("content", [PLAIN, BHAVCOPY], ids=["plain", "exchange"])
def test_a_file_is_checked_first_then_imported_and_adds_nothing_again(
    user: Desk, database: Database, content: bytes
) -> None:
    checked = send(user, content, dry=True)
    imported = send(user, content)
    again = send(user, content)

    assert (checked["message"], checked["canApply"]) == ("2 prices to add.", True)
    assert [(row["tradingSymbol"], row["high"]) for row in checked["rows"]] == [
        ("INFY", 1158.5),
        ("TCS", 3126),
    ]
    assert imported["message"] == "2 prices added."
    assert (again["message"], again["canApply"]) == ("0 prices added, 2 already entered.", False)
    assert len(audit_rows(database, "highs_of_2018_imported")) == 1


def test_each_refused_line_has_its_reason_and_the_others_are_imported(user: Desk) -> None:
    user.put("/admin/tax/highs-of-2018", {"isin": TCS, "high": 3000})
    lines = [
        "ISIN,High,Date",
        f"{INFY},1158.5,2018-01-31",
        f"{INFY},1200,2018-01-31",
        f"{TCS},3126,31-Jan-2018",
        "INE009A01022,5,",
        "INE062A01020,0,",
        "INE062A01020,-3,",
        "INE062A01020,=1+1,",
        "INE062A01020,300,2018-02-01",
        "INE062A01020,,",
    ]

    report = send(user, "\n".join([*lines, ""]).encode())

    assert report["counts"]["added"] == 1
    assert [(row["line"], row["reason"]) for row in report["refused"]] == [
        (3, f"{INFY} has another high in line 2."),
        (
            4,
            (
                f"{TCS} is entered with ₹3,000.00, the file has ₹3,126.00. Change it by hand if the "
                "file is right."
            ),
        ),
        (5, 'ISIN "INE009A01022" is not an ISIN: a character is wrong or missing.'),
        (6, "High is 0."),
        (7, 'High "-3" is below 0.'),
        (8, 'High "=1+1" is a formula; save the file with plain values.'),
        (9, '"2018-02-01" is not 31 January 2018.'),
        (10, "High is missing."),
    ]


@pytest.mark.parametrize("content", [b"", b"name,price\nx,1\n", b"ISIN,Close\nx,1\n"])
def test_another_file_is_refused(user: Desk, content: bytes) -> None:
    answer = user.upload(PATH, "highs.csv", content, dryRun="false")

    assert answer.status_code == 422
    assert reply_of(answer)[1]


def test_the_command_imports_a_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = folder / "highs.csv"
    path.write_bytes(PLAIN)

    assert main(["import", "highs", str(path), "--dry-run", "--data-dir", str(folder)]) == 0
    assert "Nothing was changed" in capsys.readouterr().out
    assert main(["import", "highs", str(path), "--data-dir", str(folder)]) == 0
    assert "2 prices added." in capsys.readouterr().out
