"""Imports the exchange's daily file of closing prices, in one transaction.

Wrong rows are left out and reported; the others are imported. A refused file changes nothing.
"""

import datetime as dt
import hashlib
import uuid
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
from tarazu.imports.errors import FileTooLarge, PricesRefused, UnreadableFile
from tarazu.imports.readers.bhavcopy import ClosingPrice, ParsedPrices, read_prices
from tarazu.imports.readers.parsed import RefusedRow, UnknownFile
from tarazu.imports.uploads import MAX_FILE_BYTES, shown_name
from tarazu.instruments import service as instruments
from tarazu.instruments.service import Listed
from tarazu.kit import audit_log
from tarazu.kit.audit_log import Actor
from tarazu.kit.db import Database
from tarazu.orders import service as orders
from tarazu.portfolio import service as portfolio
from tarazu.prices import service as prices
from tarazu.prices.book import Quote
from tarazu.prices.service import CLOSE_AT, PriceSource
from tarazu.prices.tables import PriceStep

MAX_REFUSED: Final = 200
MAX_SHOWN: Final = 500
SPLIT_WITHIN: Final = dt.timedelta(days=7)
"""An older price may halve without a split."""

_SOURCES: Final = {"NSE": PriceSource.NSE_FILE, "BSE": PriceSource.BSE_FILE}
_SAME_ISSUER: Final = 7
"""Characters of an ISIN for country, kind and issuer; a split does not change them."""


class PriceChange(StrEnum):
    """What a file does to the price of one security."""

    ADDED = "ADDED"
    CHANGED = "CHANGED"
    UNCHANGED = "UNCHANGED"
    KEPT = "KEPT"
    """A newer price is stored, and stays."""


@dataclass(frozen=True, slots=True)
class PriceRow:
    """One security's price before and after, in rupees.

    `open` and `volume`: the day's first price and the shares traded; None unless the file is of the
    listing's own exchange and says it.
    """

    line: int
    instrument_id: uuid.UUID
    instrument_token: int
    trading_symbol: str
    name: str
    isin: str
    exchange: str
    series: str
    change: PriceChange
    price_before: Rupees | None
    priced_at_before: dt.datetime | None
    source_before: str | None
    price: Rupees
    open: Rupees | None
    volume: int | None
    action_suspected: bool


@dataclass(frozen=True, slots=True)
class PriceReport:
    """The result of a file of prices, as `PriceImportReport` shows it.

    Attributes:
        counts: rows by change, and `unknown` for securities that are not listed here,
            `other_series` and `refused`.
        refused: the first `MAX_REFUSED`.
        rows: added and changed prices, by symbol, at most `MAX_SHOWN`.
    """

    file_name: str
    source: PriceSource
    day: dt.date
    is_dry_run: bool
    can_apply: bool
    message: str
    counts: Mapping[str, int]
    refused: Sequence[RefusedRow]
    rows: Sequence[PriceRow]
    rows_left_out: int


@dataclass(frozen=True, slots=True)
class UploadedPrices:
    """A parsed file of prices; `name` can be shown."""

    parsed: ParsedPrices
    name: str
    hash: str

    @property
    def at(self) -> dt.datetime:
        """The time of its prices: the close of its day."""
        return dt.datetime.combine(self.parsed.day, CLOSE_AT)


@dataclass(frozen=True, slots=True)
class _MatchedPrices:
    rows: Sequence[PriceRow]
    refused: Sequence[RefusedRow]
    unknown: int


def read_price_file(content: bytes, file_name: str) -> UploadedPrices:
    """Read a file of closing prices.

    Raises:
        FileTooLarge: it is longer than 5 MB.
        UnreadableFile: it is not a file of one exchange and one day; the message says why.
    """
    if len(content) > MAX_FILE_BYTES:
        raise FileTooLarge
    try:
        parsed = read_prices(content)
    except UnknownFile as error:
        raise UnreadableFile(str(error)) from error
    return UploadedPrices(parsed, shown_name(file_name), hashlib.sha256(content).hexdigest())


def import_prices(
    database: Database, actor: Actor, now: dt.datetime, file: UploadedPrices, *, is_dry_run: bool
) -> PriceReport:
    """Check or import a file of closing prices; the day's closes are stored as well.

    Raises:
        UnreadableFile: its market day is not over, or it is not a business day.
        PricesRefused: all of its rows are refused; nothing is changed.
    """
    with database.reading() as session:
        day = file.parsed.day
        if file.at > now:
            raise UnreadableFile(
                f"The file is of {day:%d-%m-%Y}, when the market has not closed yet; "
                "check the date in the file."
            )
        if not is_business_day(day, firm.holidays(session)):
            raise UnreadableFile(
                f"The file is of {day:%d-%m-%Y}, which is not a business day; "
                "check the date in the file and the holidays in Settings."
            )
        matched = _match(session, file)
    report = _report(file, matched, is_dry_run=is_dry_run)
    if is_dry_run:
        return report
    if not matched.rows and matched.refused:
        raise PricesRefused(
            f"{_rows_of(len(matched.refused))} refused; nothing was imported.",
            [(row.line, row.reason) for row in report.refused],
        )
    with database.transaction() as session:
        _store(session, actor, now, file, matched)
    prices.take_filed(database)
    return report


def _match(session: Session, file: UploadedPrices) -> _MatchedPrices:
    listed = instruments.all_listed(session)
    index = _ExchangeIndex(listed, file.parsed.exchange)
    quotes = prices.as_traded(session, [stock.instrument_token for stock in listed])
    steps = prices.steps_of(session)
    rows: list[PriceRow] = []
    refused = list(file.parsed.refused)
    lines: dict[int, int] = {}
    unknown = 0
    for row in file.parsed.rows:
        stock = index.listed(row)
        if stock is None:
            unknown += 1
            continue
        reason = _refusal_of(row, stock, lines)
        if reason:
            refused.append(RefusedRow(row.line, f"{row.symbol}, {row.isin or ''}", reason))
            continue
        lines[stock.instrument_token] = row.line
        quote = quotes.get(stock.instrument_token)
        rows.append(_row_of(row, stock, quote, file, steps.get(stock.id, ())))
    rows.sort(key=lambda row: row.trading_symbol)
    refused.sort(key=lambda row: row.line)
    return _MatchedPrices(rows, refused, unknown)


class _ExchangeIndex:
    """The listed securities by the ISIN and symbol that one exchange's file uses.

    A share that is listed only on the other exchange is found by its ISIN: a close of either
    exchange is better than none, and its source names the exchange.
    """

    def __init__(self, listed: Sequence[Listed], exchange: str) -> None:
        # Listings on the file's exchange come last, so that they replace the others.
        ordered = sorted(listed, key=lambda stock: stock.exchange == exchange)
        self._by_isin = {stock.isin: stock for stock in ordered if stock.isin}
        self._by_symbol = {stock.symbol: stock for stock in listed if stock.exchange == exchange}

    def listed(self, row: ClosingPrice) -> Listed | None:
        """The security by ISIN, else by symbol, with or without the series."""
        return (
            self._by_isin.get(row.isin or "")
            or self._by_symbol.get(row.symbol)
            or self._by_symbol.get(f"{row.symbol}-{row.series}")
        )


def _refusal_of(row: ClosingPrice, stock: Listed, lines: Mapping[int, int]) -> str:
    first = lines.get(stock.instrument_token)
    if first is not None:
        return f"{stock.symbol} is already in line {first}."
    if row.isin and stock.isin and row.isin[:_SAME_ISSUER] != stock.isin[:_SAME_ISSUER]:
        return f"{stock.symbol} has the ISIN {stock.isin}, not {row.isin}."
    return ""


def _row_of(
    row: ClosingPrice,
    stock: Listed,
    before: Quote | None,
    file: UploadedPrices,
    steps: Sequence[PriceStep],
) -> PriceRow:
    change = PriceChange.CHANGED
    if before is None:
        change = PriceChange.ADDED
    elif before.at > file.at or _is_of_own_exchange(before, stock, file):
        change = PriceChange.KEPT
    elif (before.price, before.at, before.source) == (row.close, file.at, _source_of(file)):
        change = PriceChange.UNCHANGED
    is_suspected = (
        change is PriceChange.CHANGED
        and before is not None
        and before.at < file.at <= before.at + SPLIT_WITHIN
        and ratio_of_prices(_in_units_of(file.at, before, steps), row.close) is not None
    )
    is_own_exchange = stock.exchange == file.parsed.exchange
    return PriceRow(
        line=row.line,
        instrument_id=stock.id,
        instrument_token=stock.instrument_token,
        trading_symbol=stock.symbol,
        name=stock.name,
        isin=stock.isin,
        exchange=stock.exchange,
        series=row.series,
        change=change,
        price_before=before.price if before else None,
        priced_at_before=before.at if before else None,
        source_before=before.source if before else None,
        price=row.close,
        open=row.open if is_own_exchange else None,
        volume=row.volume if is_own_exchange else None,
        action_suspected=is_suspected,
    )


def _in_units_of(at: dt.datetime, before: Quote, steps: Sequence[PriceStep]) -> Rupees:
    """An earlier price after the corporate actions that are recorded of the time in between."""
    price = before.price
    for step in steps:
        if before.at < step.ex_at <= at:
            price = price * step.old / step.new
    return price


def _is_of_own_exchange(before: Quote, stock: Listed, file: UploadedPrices) -> bool:
    """Whether the close of this day is stored already, from the exchange of the listing."""
    is_other_exchange = stock.exchange != file.parsed.exchange
    source = _SOURCES.get(stock.exchange)
    return is_other_exchange and (before.at, before.source) == (file.at, source)


def _source_of(file: UploadedPrices) -> PriceSource:
    return _SOURCES[file.parsed.exchange]


def _store(
    session: Session, actor: Actor, now: dt.datetime, file: UploadedPrices, matched: _MatchedPrices
) -> None:
    portfolio.lock_accounts(session)
    source, day = _source_of(file), file.parsed.day
    closes = {row.instrument_token: row.price for row in matched.rows}
    volumes = {row.instrument_token: row.volume for row in matched.rows if row.volume is not None}
    quotes = {
        row.instrument_token: Quote(row.price, file.at, source)
        for row in matched.rows
        if row.change is not PriceChange.KEPT
    }
    prices.keep_prices(session, quotes)
    opens = {row.instrument_token: row.open for row in matched.rows if row.open is not None}
    added = prices.record_day_closes(session, day, closes, volumes, opens)
    isins = {row.isin for row in matched.rows if row.instrument_token in added and row.isin}
    # The evening's matching is over: what was not traded in a window is valued at these closes.
    orders.mark_isins_due(session, isins, day, day)
    suspected = {row.instrument_id for row in matched.rows if row.action_suspected}
    if suspected:
        portfolio.suspect_actions(session, file.at, suspected)
    counts = Counter(row.change for row in matched.rows)
    changed = counts[PriceChange.ADDED] + counts[PriceChange.CHANGED]
    file_row = {
        "hash": file.hash,
        "name": file.name,
        "source": _source_of(file).value,
        "day": file.parsed.day,
        "prices": changed,
        "problem": "",
        "at": now,
        "account_id": actor.account_id,
    }
    prices.note_file(session, file_row)
    changes = {
        "file": file.name,
        "fileHash": file.hash,
        "source": source,
        "taken": changed,
        "kept": counts[PriceChange.KEPT],
        "refused": len(matched.refused),
    }
    audit_log.record(session, actor, now, "prices_imported", ("day", day.isoformat()), changes)


def _report(file: UploadedPrices, matched: _MatchedPrices, *, is_dry_run: bool) -> PriceReport:
    changes = {PriceChange.ADDED, PriceChange.CHANGED}
    changed = [row for row in matched.rows if row.change in changes]
    changed.sort(key=lambda row: not row.action_suspected)
    rows = Counter(row.change for row in matched.rows)
    counts = {
        **{change.value.lower(): rows[change] for change in PriceChange},
        "unknown": matched.unknown,
        "other_series": file.parsed.other_series,
        "refused": len(matched.refused),
    }
    return PriceReport(
        file_name=file.name,
        source=_source_of(file),
        day=file.parsed.day,
        is_dry_run=is_dry_run,
        can_apply=bool(matched.rows),
        message=_message(file, counts),
        counts=counts,
        refused=list(islice(matched.refused, MAX_REFUSED)),
        rows=changed[:MAX_SHOWN],
        rows_left_out=max(0, len(changed) - MAX_SHOWN),
    )


def _message(file: UploadedPrices, counts: Mapping[str, int]) -> str:
    changed = counts["added"] + counts["changed"]
    parts = [f"{changed:,} {'price' if changed == 1 else 'prices'} of {file.parsed.exchange}"]
    for name, text in (
        ("unchanged", "already imported"),
        ("kept", "kept, because a newer price is known"),
        ("unknown", "of stocks that are not used here"),
    ):
        if counts[name]:
            parts.append(f"{counts[name]:,} {text}")
    if counts["refused"]:
        parts.append(f"{_rows_of(counts['refused'])} refused and left out")
    return f"{', '.join(parts)}; close of {file.parsed.day:%d-%m-%Y}."


def _rows_of(count: int) -> str:
    return "1 row is" if count == 1 else f"{count:,} rows are"
