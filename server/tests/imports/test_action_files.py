"""NSE's list of corporate actions is checked, imported once, and never guessed at."""

from pathlib import Path
from typing import Any

import pytest

from tarazu.cli import main
from tests.corporate_actions.conftest import INFY, NEW_INFY, ActionDesk, actions, isin_of
from tests.imports.action_lists import HEADING, nse_csv, nse_json
from tests.imports.test_command import folder
from tests.people_of import Desk, data_of
from tests.portfolio.books import give_holdings
from tests.rows_of import audit_rows

__all__ = ["actions", "folder"]

PATH = "/admin/imports/corporate-actions"
DAY = "20-Nov-2026"
BONUS = ("INFY", "EQ", "Bonus 1:1", DAY, DAY)
DIVIDENDS = (
    *("TCS", "EQ"),
    "Interim Dividend - Rs 7 Per Share/Special Dividend - Rs 3 Per Share",
    *(DAY, "-"),
)


def send(desk: Desk, content: bytes, *, dry: bool = False, name: str = "ca.csv") -> dict[str, Any]:
    return dict(data_of(desk.upload(PATH, name, content, dryRun=str(dry).lower())))


@pytest.mark.on_both
@pytest.mark.parametrize(
    "content",
    [nse_csv(BONUS, DIVIDENDS), nse_json((BONUS, INFY), (DIVIDENDS, "341033"))],
    ids=["csv", "json"],
)
def test_a_list_is_checked_first_then_imported_and_adds_nothing_again(
    actions: ActionDesk, content: bytes
) -> None:
    client_id = actions.desk.add_client()
    give_holdings(actions.database, client_id, {"TCS": (10, "3000")})

    checked = send(actions.desk, content, dry=True)
    assert actions.list() == []
    imported = send(actions.desk, content)
    again = send(actions.desk, content)

    assert checked["message"] == "2 actions to add."
    assert [(row["tradingSymbol"], row["effect"], row["clients"]) for row in checked["rows"]] == [
        ("TCS", "₹10.00 a share", 1),
        ("INFY", "1 new for 1 held", 0),
    ]
    assert (checked["canApply"], again["canApply"]) == (True, False)
    assert (imported["counts"]["added"], again["counts"]["added"]) == (2, 0)
    assert again["message"] == "0 actions added, 2 already entered."
    listed = {row["tradingSymbol"]: row for row in actions.list()}
    assert (listed["INFY"]["kind"], listed["INFY"]["factor"]) == ("BONUS", {"new": 2, "old": 1})
    assert (listed["TCS"]["amount"], listed["TCS"]["source"]) == (10, "NSE")
    assert (listed["TCS"]["exOn"], listed["TCS"]["recordOn"]) == ("2026-11-20", None)
    assert len(audit_rows(actions.database, "corporate_actions_imported")) == 1


def test_lines_that_cannot_be_told_are_listed_and_the_others_imported(
    actions: ActionDesk,
) -> None:
    content = nse_csv(
        BONUS,
        ("NOSUCHCO", "EQ", "Bonus 1:1", DAY, DAY),
        ("TCS", "EQ", "Something nobody has seen", DAY, DAY),
        ("TCS", "EQ", "Bonus 1:1", "32-Nov-2026", "-"),
        ("TCS", "EQ", "Bonus 1:1", "20-Nov-2029", "-"),
        ("TCS", "EQ", "Annual General Meeting", DAY, "-"),
        ("83GS2040", "GS", "Interest Payment", DAY, "-"),
        ("ITC", "EQ", "Interim Dividend - Rs 2 Per Share", DAY, "-"),
        ("ITC", "EQ", "Special Dividend - Rs 3 Per Share", DAY, "-"),
    )

    report = send(actions.desk, content)

    assert report["counts"] == {
        "added": 1, "unchanged": 0, "removed": 0, "refused": 5, "unknown": 1, "noAction": 1,
        "otherSeries": 1,
    }  # fmt: skip
    assert [(row["line"], row["reason"].split(".")[0]) for row in report["refused"]] == [
        (4, "The purpose cannot be read"),
        (5, 'Ex-date "32-Nov-2026" is not a day such as 28-Oct-2026'),
        (6, "The ex-date 20-11-2029 is more than a year ahead; check the year"),
        (9, "Lines 9 and 10 differ about one dividend of ITC"),
        (10, "Lines 9 and 10 differ about one dividend of ITC"),
        (3, "Unknown stock symbol: NOSUCHCO"),
    ]
    assert [row["tradingSymbol"] for row in actions.list()] == ["INFY"]


def test_an_action_with_other_terms_is_refused_and_a_removed_one_stays_removed(
    actions: ActionDesk,
) -> None:
    send(actions.desk, nse_csv(BONUS))
    (entered,) = actions.list()

    other = send(actions.desk, nse_csv(("INFY", "EQ", "Bonus 2:1", DAY, DAY)))
    assert "another bonus on that day: 1 new for 1 held" in other["refused"][0]["reason"]

    actions.remove(entered)
    again = send(actions.desk, nse_csv(BONUS))
    assert (again["counts"]["added"], again["counts"]["removed"]) == (0, 1)
    assert actions.list() == []


def test_terms_that_a_person_completed_are_the_same_action_for_the_list(
    actions: ActionDesk,
) -> None:
    row = ("INFY", "EQ", "Rights 1:6 @ Premium Rs 100.98/-", DAY, DAY)
    send(actions.desk, nse_csv(row))
    (listed,) = actions.list()
    actions.enter(
        "RIGHTS", factor={"new": 1, "old": 6}, amount=110.98, replaces=listed["_id"],
        exOn="2026-11-20",
    )  # fmt: skip

    again = send(actions.desk, nse_csv(row))

    assert again["counts"]["unchanged"] == 1
    assert [row["amount"] for row in actions.list()] == [110.98]


def test_the_share_is_found_by_symbol_and_series_and_by_former_isins(actions: ActionDesk) -> None:
    older, other = isin_of("INE009A0100"), isin_of("INE000X0101")
    actions.split(after=-1)
    rows = (
        (("INFY", "BE", "Bonus 1:1", "18-Nov-2026", "-"), older),
        (("INFY", "EQ", "Dividend - Rs 5 Per Share", DAY, "-"), INFY),
        (("OLDNAME", "EQ", "Buyback", DAY, "-"), NEW_INFY),
        (("NEWCO", "EQ", "Bonus 1:1", DAY, "-"), other),
        (("TCS", "EQ", "Bonus 1:1", DAY, "-"), INFY),
    )

    report = send(actions.desk, nse_json(*rows), name="ca.json")

    found = {row["kind"]: row for row in actions.list(query="INE") if row["source"] == "NSE"}
    assert report["counts"]["added"] == 4
    assert [row["text"][:4] for row in report["refused"]] == ["TCS,"]
    assert found["BUYBACK"]["tradingSymbol"] == "INFY"
    isins = {row["isin"] for row in actions.list() if row["kind"] == "BONUS"}
    assert isins == {INFY, other}
    assert {row["tradingSymbol"] for row in actions.list()} == {"INFY", "NEWCO"}


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "The file is empty."),
        (b"SYMBOL,CLOSE\nINFY,1500\n", "This is not a list of corporate actions."),
        (b"[{", "The JSON is damaged or cut off"),
        (b'{"error": "x"}', "This is not a list of corporate actions."),
        (b'[{"symbol": "INFY"}]', "This is not a list of corporate actions."),
    ],
)
def test_another_file_is_refused_with_a_reason(
    actions: ActionDesk, content: bytes, words: str
) -> None:
    answer = actions.desk.upload(PATH, "ca.csv", content, dryRun="true")

    assert answer.status_code == 422, answer.text
    assert answer.json()["message"].startswith(words)


def test_a_list_without_a_line_adds_nothing(actions: ActionDesk) -> None:
    report = send(actions.desk, HEADING.encode() + b"\n")

    assert (report["canApply"], report["message"]) == (False, "0 actions added.")


def test_a_list_is_imported_by_the_command(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = folder / "CF-CA-equities.csv"
    file.write_bytes(nse_csv(BONUS, ("NOSUCHCO", "EQ", "Bonus 1:1", DAY, DAY)))
    command = ["import", "actions", str(file), "--data-dir", str(folder)]

    assert main([*command, "--dry-run"]) == 0
    printed = capsys.readouterr().out
    assert "added: INFY, 20-11-2026, bonus: 1 new for 1 held" in printed
    assert "line 3: NOSUCHCO, Bonus 1:1: Unknown stock symbol: NOSUCHCO." in printed
    assert "1 action to add, 1 of unknown stocks." in printed
    assert "Nothing was changed: this was a dry run." in printed

    assert main(command) == 0
    assert "1 action added" in capsys.readouterr().out
    assert main(command) == 0
    assert "0 actions added, 1 already entered" in capsys.readouterr().out
