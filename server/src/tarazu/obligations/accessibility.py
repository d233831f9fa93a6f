"""The accessibility report that comes with a version: what axe found on every screen of it.

`make accessibility-report` writes it in the browser tests; a version without one says so.
"""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from tarazu.kit.export import Column, Kind, Sheet
from tarazu.obligations.errors import NoReportOfVersion

REPORT: Final = Path(__file__).parent / "accessibility.json"
_FACTS: Final[Sequence[Column[tuple[str, str]]]] = (
    Column("Fact", Kind.TEXT, lambda row: row[0]),
    Column("Value", Kind.TEXT, lambda row: row[1]),
)
_SCREENS: Final[Sequence[Column[Mapping[str, Any]]]] = (
    Column("Screen", Kind.TEXT, lambda row: row["screen"]),
    Column("Width in pixels", Kind.WHOLE, lambda row: row["width"]),
    Column("Colours", Kind.TEXT, lambda row: row["scheme"]),
    Column("Rules run", Kind.WHOLE, lambda row: row["rules"]),
    Column("Violations", Kind.WHOLE, lambda row: len(row["violations"])),
    Column("What", Kind.TEXT, lambda row: "\n".join(row["violations"])),
)
_RULES: Final[Sequence[Column[str]]] = (Column("Rule of axe", Kind.TEXT, lambda row: row),)


@cache
def shipped_report() -> Mapping[str, Any] | None:
    """The report of exactly this version; None where there is none."""
    if not REPORT.is_file():
        return None
    report: dict[str, Any] = json.loads(REPORT.read_text(encoding="utf-8"))
    return report if report["version"] == version("tarazu") else None


def sheets() -> list[Sheet[Any]]:
    """The report as tables.

    Raises:
        NoReportOfVersion: this version has none.
    """
    report = shipped_report()
    if report is None:
        raise NoReportOfVersion
    screens = report["screens"]
    facts = [
        ("Version of Tarazu", report["version"]),
        ("Looked at on", report["date"]),
        ("Looked at by", f"axe-core {report['axe']} in Chromium, by the browser tests"),
        ("Screens, widths and colours looked at", str(len(screens))),
        ("Violations", str(sum(len(row["violations"]) for row in screens))),
        ("What it is not", "An audit by a person: axe finds part of what can be wrong."),
    ]
    return [
        Sheet("Report", _FACTS, facts),
        Sheet("Screens", _SCREENS, screens),
        Sheet("Rules", _RULES, report["rules"]),
    ]
