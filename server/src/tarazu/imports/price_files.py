"""The exchange's daily file of closing prices: checked, and taken in whole or not at all.

Rows that cannot be right are left out and named; they say nothing about the others. What another
row or another day says of a security is never changed by a file that is refused.
"""

import datetime as dt
import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from typing import Final

from sqlalchemy.orm import Session

from tarazu.domain.calendar import is_business_day
from tarazu.domain.money import Rupees
from tarazu.domain.splits import ratio_of_prices
from tarazu.firm import service as firm
from tarazu.imports.adapters.bhavcopy import ClosingPrice, ParsedPrices, read_prices
from tarazu.imports.adapters.parsed import RefusedRow, UnknownFile
from tarazu.imports.errors import FileTooLarge, PricesRefused, UnreadableFile
from tarazu.imports.service import LARGEST_FILE, shown_name
from tarazu.instruments import service as instruments
from tarazu.instruments.service import Listed
from tarazu.kit import audit_log
from tarazu.kit.audit_log import Actor
from tarazu.kit.db import Database
from tarazu.portfolio import service as portfolio
from tarazu.prices import service as prices
from tarazu.prices.book import Quote
from tarazu.prices.service import CLOSE_AT, PriceSource

MOST_REFUSED: Final = 200
MOST_SHOWN: Final = 500
JUMPS_WITHIN: Final = dt.timedelta(days=7)
"""A price that is older moves by half and more without a split."""

_SOURCES: Final = {"NSE": PriceSource.NSE_FILE, "BSE": PriceSource.BSE_FILE}
_SAME_ISSUER: Final = 7
"""Of an ISIN, the characters that tell country, kind and issuer: they outlive a split."""


class PriceChange(StrEnum):
    """What a file does to the price of one security."""

    ADDED = "ADDED"
    CHANGED = "CHANGED"
    UNCHANGED = "UNCHANGED"
    KEPT = "KEPT"
    """A newer price is known, and stays."""


@dataclass(frozen=True, slots=True)
class PriceRow:
    """One security's price before and after; rupees, with the time and source of the old one."""

    line: int
    listed: Listed
    series: str
    change: PriceChange
    before: Quote | None
    close: Rupees
    is_action_suspected: bool


@dataclass(frozen=True, slots=True)
class PriceReport:
    """What a file of prices says and does; `unknown` are rows of securities that are not listed.

    `rows` are those whose price is added or changed, by symbol, at most `MOST_SHOWN`; `refused`
    are the first `MOST_REFUSED`.
    """

    file_name: str
    source: PriceSource
    day: dt.date
    is_dry_run: bool
    can_apply: bool
    message: str
    counts: Mapping[PriceChange, int]
    unknown: int
    other_series: int
    refused_count: int
    refused: Sequence[RefusedRow]
    rows: Sequence[PriceRow]
    rows_left_out: int


@dataclass(frozen=True, slots=True)
class GivenPrices:
    """A file of prices that was read, under a name that can be shown."""

    parsed: ParsedPrices
    name: str
    hash: str

    @property
    def at(self) -> dt.datetime:
        """When its prices were made: the close of its day."""
        return dt.datetime.combine(self.parsed.day, CLOSE_AT)


@dataclass(frozen=True, slots=True)
class _Matched:
    rows: Sequence[PriceRow]
    refused: Sequence[RefusedRow]
    unknown: int


def read_price_file(content: bytes, file_name: str) -> GivenPrices:
    """Read a file of closing prices.

    Raises:
        FileTooLarge: it is longer than 5 MB.
        UnreadableFile: it is none, or not of one exchange and one day, with the reason.
    """
    if len(content) > LARGEST_FILE:
        raise FileTooLarge
    try:
        parsed = read_prices(content)
    except UnknownFile as error:
        raise UnreadableFile(str(error)) from error
    return GivenPrices(parsed, shown_name(file_name), hashlib.sha256(content).hexdigest())


def import_prices(
    database: Database, actor: Actor, now: dt.datetime, given: GivenPrices, *, is_dry_run: bool
) -> PriceReport:
    """Check a file of closing prices, or take it in; the closes are kept as that day's as well.

    Raises:
        UnreadableFile: its day is not over, or no business day.
        PricesRefused: all of its rows are refused; nothing is changed.
    """
    with database.reading() as session:
        _refuse_unfit_day(session, given, now)
        matched = _match(session, given)
    report = _report(given, matched, is_dry_run=is_dry_run)
    if is_dry_run:
        return report
    if not matched.rows and matched.refused:
        raise PricesRefused(
            f"{_rows_of(len(matched.refused))} refused; nothing was imported.",
            [(row.line, row.reason) for row in report.refused],
        )
    with database.transaction() as session:
        _take(session, actor, now, given, matched)
    prices.take_filed(database)
    return report


def _refuse_unfit_day(session: Session, given: GivenPrices, now: dt.datetime) -> None:
    day = given.parsed.day
    if given.at > now:
        raise UnreadableFile(
            f"The file is of {day:%d-%m-%Y}, when the market has not closed yet; "
            "check the date in the file."
        )
    if not is_business_day(day, firm.holidays(session)):
        raise UnreadableFile(
            f"The file is of {day:%d-%m-%Y}, which is not a business day; "
            "check the date in the file and the holidays in Settings."
        )


# ----------------------------------------------------------------------------------- the match


def _match(session: Session, given: GivenPrices) -> _Matched:
    listed = instruments.all_listed(session)
    known_as = _Known(listed, given.parsed.exchange)
    known = prices.last_prices(session, [one.instrument_token for one in listed])
    rows: list[PriceRow] = []
    refused = list(given.parsed.refused)
    lines: dict[int, int] = {}
    unknown = 0
    for row in given.parsed.rows:
        found = known_as.listed(row)
        if found is None:
            unknown += 1
            continue
        reason = _why_not(row, found, lines)
        if reason:
            refused.append(RefusedRow(row.line, f"{row.symbol}, {row.isin or ''}", reason))
            continue
        lines[found.instrument_token] = row.line
        rows.append(_row_of(row, found, known.get(found.instrument_token), given))
    rows.sort(key=lambda one: one.listed.symbol)
    refused.sort(key=lambda one: one.line)
    return _Matched(rows, refused, unknown)


class _Known:
    """The listed securities as the file of one exchange names them.

    A share that is listed here on the other exchange alone is found by its ISIN: a close of one
    exchange is better than none, and its source says whose it is.
    """

    def __init__(self, listed: Sequence[Listed], exchange: str) -> None:
        # Those of the file's own exchange come last, and so stand.
        ordered = sorted(listed, key=lambda one: one.exchange == exchange)
        self._by_isin = {one.isin: one for one in ordered if one.isin}
        self._by_symbol = {one.symbol: one for one in listed if one.exchange == exchange}

    def listed(self, row: ClosingPrice) -> Listed | None:
        """By ISIN, else by symbol, as brokers write it with and without the series."""
        return (
            self._by_isin.get(row.isin or "")
            or self._by_symbol.get(row.symbol)
            or self._by_symbol.get(f"{row.symbol}-{row.series}")
        )


def _why_not(row: ClosingPrice, found: Listed, lines: Mapping[int, int]) -> str:
    first = lines.get(found.instrument_token)
    if first is not None:
        return f"{found.symbol} stands already in line {first}."
    if row.isin and found.isin and row.isin[:_SAME_ISSUER] != found.isin[:_SAME_ISSUER]:
        return f"{found.symbol} has the ISIN {found.isin}, not {row.isin}."
    return ""


def _row_of(row: ClosingPrice, found: Listed, before: Quote | None, given: GivenPrices) -> PriceRow:
    change = PriceChange.CHANGED
    if before is None:
        change = PriceChange.ADDED
    elif before.at > given.at or _is_of_own_exchange(before, found, given):
        change = PriceChange.KEPT
    elif (before.price, before.at, before.source) == (row.close, given.at, _source_of(given)):
        change = PriceChange.UNCHANGED
    is_suspected = (
        change is PriceChange.CHANGED
        and before is not None
        and before.at < given.at <= before.at + JUMPS_WITHIN
        and ratio_of_prices(before.price, row.close) is not None
    )
    return PriceRow(row.line, found, row.series, change, before, row.close, is_suspected)


def _is_of_own_exchange(before: Quote, found: Listed, given: GivenPrices) -> bool:
    """Whether the close of the same day is known already, from the exchange of the listing."""
    is_foreign = found.exchange != given.parsed.exchange
    return is_foreign and (before.at, before.source) == (given.at, _SOURCES.get(found.exchange))


def _source_of(given: GivenPrices) -> PriceSource:
    return _SOURCES[given.parsed.exchange]


# ----------------------------------------------------------------------------------- the apply


def _take(
    session: Session, actor: Actor, now: dt.datetime, given: GivenPrices, matched: _Matched
) -> None:
    portfolio.await_turn(session)
    source, day = _source_of(given), given.parsed.day
    closes = {row.listed.instrument_token: row.close for row in matched.rows}
    taken = {
        row.listed.instrument_token: Quote(row.close, given.at, source)
        for row in matched.rows
        if row.change is not PriceChange.KEPT
    }
    prices.keep_prices(session, taken)
    prices.record_day_closes(session, day, closes)
    moved = {row.listed.id for row in matched.rows if row.is_action_suspected}
    if moved:
        portfolio.suspect_actions(session, given.at, moved)
    counts = _counts(matched)
    changed = counts[PriceChange.ADDED] + counts[PriceChange.CHANGED]
    prices.note_file(session, _file_row(given, actor, now, changed))
    told = {"file": given.name, "fileHash": given.hash, "source": source, "taken": changed}
    told |= {"kept": counts[PriceChange.KEPT], "refused": len(matched.refused)}
    audit_log.record(session, actor, now, "prices_imported", ("day", day.isoformat()), told)


def _file_row(given: GivenPrices, actor: Actor, now: dt.datetime, taken: int) -> dict[str, object]:
    return {
        "hash": given.hash,
        "name": given.name,
        "source": _source_of(given).value,
        "day": given.parsed.day,
        "prices": taken,
        "problem": "",
        "at": now,
        "account_id": actor.account_id,
    }


# ---------------------------------------------------------------------------------- the report


def _counts(matched: _Matched) -> Mapping[PriceChange, int]:
    counted = Counter(row.change for row in matched.rows)
    return {change: counted[change] for change in PriceChange}


def _report(given: GivenPrices, matched: _Matched, *, is_dry_run: bool) -> PriceReport:
    moved = [r for r in matched.rows if r.change in {PriceChange.ADDED, PriceChange.CHANGED}]
    moved.sort(key=lambda row: not row.is_action_suspected)
    return PriceReport(
        file_name=given.name,
        source=_source_of(given),
        day=given.parsed.day,
        is_dry_run=is_dry_run,
        can_apply=bool(matched.rows),
        message=_message(given, matched, len(moved)),
        counts=_counts(matched),
        unknown=matched.unknown,
        other_series=given.parsed.other_series,
        refused_count=len(matched.refused),
        refused=list(islice(matched.refused, MOST_REFUSED)),
        rows=moved[:MOST_SHOWN],
        rows_left_out=max(0, len(moved) - MOST_SHOWN),
    )


def _message(given: GivenPrices, matched: _Matched, moved: int) -> str:
    counts = _counts(matched)
    told = [f"{moved:,} {'price' if moved == 1 else 'prices'} of {given.parsed.exchange}"]
    for change, text in (
        (PriceChange.UNCHANGED, "already imported"),
        (PriceChange.KEPT, "kept, because a newer price is known"),
    ):
        if counts[change]:
            told.append(f"{counts[change]:,} {text}")
    if matched.unknown:
        told.append(f"{matched.unknown:,} of stocks that are not used here")
    if matched.refused:
        told.append(f"{_rows_of(len(matched.refused))} refused and left out")
    return f"{', '.join(told)}; close of {given.parsed.day:%d-%m-%Y}."


def _rows_of(count: int) -> str:
    return "1 row is" if count == 1 else f"{count:,} rows are"
