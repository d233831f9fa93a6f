"""Reads the title rows above a table: the day, and the client's id at the broker."""

import datetime as dt
import re
from collections.abc import Sequence
from itertools import pairwise, zip_longest

from tarazu.imports.readers.grids import GridRow
from tarazu.imports.readers.layouts import plain

_DAY = re.compile(
    r"(?P<year>[0-9]{4})-(?P<month>[0-9]{1,2})-(?P<day>[0-9]{1,2})"
    r"|(?P<day_first>[0-9]{1,2})[-/ .](?P<month_then>[0-9]{1,2}|[A-Za-z]{3,9})"
    r"[-/ .,]{1,2}(?P<year_last>[0-9]{4})"
)
_AS_ON = re.compile(r"\bas (?:on|of|at)\b[\s:]*(.*)", re.IGNORECASE | re.DOTALL)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DATE_LABELS = frozenset({"as on", "as of", "date", "as on date", "report date", "holding date"})
_ID_LABELS = frozenset({"client id", "client code", "clientcode", "clientid", "ucc", "user id"})
_ID = re.compile(r"(?=.*[0-9])[A-Z0-9]{4,15}")


def day_in(text: str) -> dt.date | None:
    """The first date in `text`: 2026-08-21, 21/08/2026, 21-Aug-2026 or 21 August 2026."""
    match = _DAY.search(text)
    if match is None:
        return None
    year = match["year"] or match["year_last"]
    month = (match["month"] or match["month_then"]).casefold()[:3]
    number = _MONTHS.index(month) + 1 if month in _MONTHS else int(month) if month.isdigit() else 0
    try:
        return dt.date(int(year), number, int(match["day"] or match["day_first"]))
    except ValueError:
        return None  # no such day: the file does not say a date that can be used


def as_on(titles: Sequence[GridRow]) -> dt.date | None:
    """The day after "as on", in the same cell or the next one; None without such a day."""
    for row in titles:
        cells = [cell for cell in row.cells if cell]
        for cell in cells:
            label_match = _AS_ON.search(cell)
            if label_match is not None and (day := day_in(label_match[1])) is not None:
                return day
        for label, value in pairwise(cells):
            if plain(label) in _DATE_LABELS and (day := day_in(value)) is not None:
                return day
    return None


def broker_client_id(titles: Sequence[GridRow]) -> str | None:
    """The id labelled "Client ID" or the like: after the label, or in the row under it."""
    for row, below in zip_longest(titles, titles[1:]):
        for place, cell in enumerate(row.cells):
            label, _, rest = cell.partition(":")
            if plain(label) not in _ID_LABELS:
                continue
            beside = next((other for other in row.cells[place + 1 :] if other), "")
            under = below.cells[place] if below and place < len(below.cells) else ""
            for candidate in (rest, beside, under):
                if _ID.fullmatch(candidate.strip().upper()):
                    return candidate.strip().upper()
    return None
