"""The accessibility report is what the browser tests noted, a look once."""

import datetime as dt
from typing import Any

from accessibility_report import report_of


def look(screen: str, *violations: str, rules: tuple[str, ...] = ("label",)) -> dict[str, Any]:
    row = {"screen": screen, "width": 390, "scheme": "dark", "axe": "4.10.3"}
    return row | {"rules": list(rules), "violations": list(violations)}


def test_the_report_has_each_look_once_with_what_was_found_last() -> None:
    lines = [look("Fees", "label: <input>"), look("Audit", rules=("label", "list")), look("Fees")]

    report = report_of(lines, "0.1.0", dt.date(2026, 11, 26))

    assert [row["screen"] for row in report["screens"]] == ["Audit", "Fees"]
    assert report["screens"][1]["violations"] == []
    assert [row["rules"] for row in report["screens"]] == [2, 1]
    assert report["rules"] == ["label", "list"]
    assert (report["version"], report["date"], report["axe"]) == ("0.1.0", "2026-11-26", "4.10.3")
