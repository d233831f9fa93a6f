"""The factsheet of a model on one page: as a PDF, and as a page of HTML that needs nothing else."""

import datetime as dt
import uuid
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from sqlalchemy.orm import Session

from tarazu.domain.money import ZERO, Percent, plain, rounded
from tarazu.firm import service as firm
from tarazu.firm.service import FirmRegistration, letterhead_of
from tarazu.kit import formatting
from tarazu.kit.clock import day_in_india
from tarazu.kit.pdf import pdf_of
from tarazu.kit.pdf_chart import chart_of
from tarazu.kit.templates import templates_in
from tarazu.model_portfolios.service import Version
from tarazu.track_record.comparing import Compared, Figures, TrackRecord, track_record
from tarazu.track_record.errors import NoFigures

TEMPLATE: Final = Path(__file__).parent / "factsheet.typ"
_PAGES: Final = Path(__file__).parent / "templates"
MOST_HOLDINGS: Final = 18
MOST_CHANGES: Final = 5
LONGEST: Final = {"Rationale": 420, "Risks": 420, "Universe": 260, "Method": 260}
"""Characters of a text that one page has room for; a longer one ends with an ellipsis."""
PRICE_INDEX: Final = (
    "The benchmark is a price index, without dividends; the model's value has those that are known."
)
HOW: Final = (
    "Value of the model: 100 at the close at which its first version took effect; weights drift with "
    "closing prices, and each version is set at the first close after its release. Bonuses, splits, "
    "demergers and mergers are followed, known dividends are kept as cash until the next version. "
    "Charges, taxes and fees are not deducted: no client had exactly this result. Days on which a "
    "closing price is not known have no value. Nothing under a year is annualised."
)


@dataclass(frozen=True, slots=True)
class Factsheet:
    """All that a factsheet says; `words` are those of the gate for past performance."""

    firm: FirmRegistration
    logo: bytes
    record: TrackRecord
    version: Version
    made_at: dt.datetime
    asked_by: str
    period: tuple[dt.date, dt.date]
    words: str = ""

    def with_words(self, words: str) -> "Factsheet":
        """The same with the words with which it may be shown."""
        return replace(self, words=words)

    @property
    def file_name(self) -> str:
        """As in "factsheet-2026-11-21", without anybody's text in it."""
        return f"factsheet-{day_in_india(self.made_at).isoformat()}"


def factsheet(
    session: Session,
    model_id: uuid.UUID,
    now: dt.datetime,
    until: dt.date | None = None,
    asked_by: str = "",
) -> Factsheet:
    """The factsheet of a model up to a day.

    Raises:
        ModelNotFound: there is no such model.
        NoFigures: it has no two values by then.
    """
    record = track_record(session, model_id, now, until)
    if record.figures is None:
        raise NoFigures
    effective = [mark.version for mark in record.versions if mark.on is not None]
    registration = firm.registration(session)
    return Factsheet(
        registration,
        firm.image_of(session, registration.logo),
        record,
        effective[-1],
        now,
        asked_by,
        (record.figures.since, record.figures.until),
    )


def pdf_of_factsheet(sheet: Factsheet) -> bytes:
    """The factsheet as a PDF of one page."""
    fields = {"firm": letterhead_of(sheet.firm, logo=sheet.logo), **_fields(sheet)}
    return pdf_of(TEMPLATE, fields, sheet.made_at)


def html_of(sheet: Factsheet) -> str:
    """The factsheet as a page of HTML without scripts, and without links to anything else."""
    template = templates_in(_PAGES).get_template("factsheet.html")
    return template.render(firm=sheet.firm, validity=sheet.firm.validity_line(), **_fields(sheet))


def _fields(sheet: Factsheet) -> dict[str, Any]:
    record, version = sheet.record, sheet.version
    first, last = sheet.period
    points = [(point.date, point.model, point.benchmark) for point in record.points]
    return {
        "name": record.model.row.name,
        "made": formatting.time_of(sheet.made_at),
        "askedBy": sheet.asked_by,
        "period": f"{formatting.day_of(first)} to {formatting.day_of(last)}",
        "texts": _texts(version),
        "facts": [
            ["Launched", formatting.day_of(record.versions[0].version.row.created_at)],
            ["Version", f"{version.row.number} of {formatting.day_of(version.row.created_at)}"],
            ["Benchmark", record.benchmark.name if record.benchmark else formatting.NO_FIGURE],
            ["Stocks", str(len(version.constituents))],
        ],
        "changes": _changes(record),
        "holdings": _holdings(version),
        "figures": _figures(record),
        "benchmark": record.benchmark.name if record.benchmark else "",
        "chart": chart_of(points, plain),
        "notes": _notes(record),
        "how": HOW,
        "words": sheet.words,
        "warning": sheet.firm.standard_warning,
        "noAssurance": sheet.firm.no_assurance,
        "demo": formatting.PRACTICE if sheet.firm.is_demo else "",
    }


def _texts(version: Version) -> list[list[str]]:
    words = version.words
    texts = {
        "Rationale": words.rationale,
        "Risks": words.risks,
        "Universe": words.universe,
        "Method": words.selection_method,
    }
    return [[name, _clipped(text, LONGEST[name])] for name, text in texts.items()]


def _clipped(text: str, most: int) -> str:
    """On one line each, as long as there is room for it."""
    text = " ".join(text.split())
    if len(text) <= most:
        return text
    return f"{text[:most].rsplit(' ', 1)[0]} … (in full on request)"


def _changes(record: TrackRecord) -> list[list[str]]:
    """The last versions that took effect, newest first."""
    marks = [mark for mark in record.versions if mark.on is not None][::-1]
    return [
        [f"Version {mark.version.row.number}", formatting.day_of(mark.on)]
        for mark in marks[:MOST_CHANGES]
        if mark.on is not None
    ]


def _holdings(version: Version) -> list[list[str]]:
    """The weights, largest first; what one page has no room for in one row, and cash last."""
    ordered = sorted(version.constituents, key=lambda part: part.allocation, reverse=True)
    rows = [
        [part.instrument.symbol, formatting.percent(part.allocation)]
        for part in ordered[:MOST_HOLDINGS]
    ]
    rest = ordered[MOST_HOLDINGS:]
    if rest:
        share = sum((part.allocation for part in rest), ZERO)
        rows.append([f"{len(rest)} more", formatting.percent(share)])
    return [*rows, ["Cash", formatting.percent(version.cash)]]


def _figures(record: TrackRecord) -> list[list[str]]:
    """Rows of the table: measure, model, benchmark, difference; over the days that both have."""
    beside = record.beside_benchmark
    ours = beside.model if beside else record.figures
    rows = [_row("Return of the period", ours, beside, "percentage")]
    if ours is not None and ours.yearly is not None:
        rows.append(_row("A year", ours, beside, "yearly"))
    falls = [
        formatting.percent(one.drawdown.percentage if one and one.drawdown else None)
        for one in (ours, beside.line if beside else None)
    ]
    return [*rows, ["Maximum drawdown", *falls, ""]]


def _row(name: str, ours: Figures | None, beside: Compared | None, field: str) -> list[str]:
    mine: Percent | None = getattr(ours, field) if ours else None
    other: Percent | None = getattr(beside.line, field) if beside else None
    difference = (
        formatting.NO_FIGURE
        if mine is None or other is None
        else f"{rounded(mine - other):+.2f} pp"
    )
    return [name, _signed(mine), _signed(other), difference]


def _signed(share: Percent | None) -> str:
    shown = formatting.percent(share)
    return f"+{shown}" if share is not None and share > ZERO else shown


def _notes(record: TrackRecord) -> list[str]:
    beside = record.beside_benchmark
    notes = []
    if record.is_price_index:
        notes.append(PRICE_INDEX)
    if beside is None:
        notes.append("No benchmark is shown: no values of one are known for these days.")
    elif record.figures is not None and beside.model.since != record.figures.since:
        notes.append(f"Compared since {formatting.day_of(beside.model.since)}.")
    unknown = sum(row.days for row in record.unknown)
    if unknown:
        notes.append(f"{_days(unknown)} without a value: a closing price is not known.")
    return notes


def _days(count: int) -> str:
    return "1 business day" if count == 1 else f"{count} business days"
