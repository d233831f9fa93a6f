"""Matches the rows of a file with clients and stocks, and compares them with the holdings.

No database. A refused row never removes a holding: the stocks it mentions stay unchanged, and if
it is unclear which stocks these are, no holding of that client is removed.
"""

import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import groupby
from operator import attrgetter
from typing import Final, NamedTuple

from tarazu.domain.codes import NotAClientCode, client_code, client_number
from tarazu.domain.money import Rupees
from tarazu.imports.matching import KnownInstruments, NotMatched
from tarazu.imports.readers.parsed import (
    FileKind,
    FileWarning,
    ParsedCash,
    ParsedFile,
    ParsedHolding,
    RefusedRow,
)
from tarazu.instruments.service import Listed
from tarazu.people import service as people
from tarazu.people.service import ClientSummary
from tarazu.people.tables import Status
from tarazu.portfolio.service import (
    MOST_VALUE,
    HoldingsChange,
    NewHolding,
    Present,
    Statement,
    change_between,
)

Stocks = dict[uuid.UUID, ParsedHolding]
RowProgress = Callable[[int, int], None]
"""Called with the number of matched rows and their total."""

_PROGRESS_EVERY: Final = 1_000
_WITH_PLEDGES: Final = frozenset({FileKind.CONSOLE_HOLDINGS_XLSX, FileKind.ANGEL_HOLDINGS})
_WITH_COMPANY_NAMES: Final = frozenset({FileKind.ANGEL_HOLDINGS})


class ChangeKind(StrEnum):
    ADDED = "ADDED"
    CHANGED = "CHANGED"
    REMOVED = "REMOVED"
    UNCHANGED = "UNCHANGED"


@dataclass(slots=True)
class Resolved:
    """The matched rows of a file, by client and instrument, and the refused ones.

    Attributes:
        clients: those whose holdings the file replaces.
        known: the listed securities of the rows that were matched.
        protected: holdings that a refused row mentions; they are not removed.
        without_removals: clients who keep all holdings, because a refused row may be any stock.
    """

    kind: FileKind
    clients: dict[uuid.UUID, ClientSummary] = field(default_factory=dict)
    stocks: dict[uuid.UUID, Stocks] = field(default_factory=dict)
    cash: dict[uuid.UUID, Rupees] = field(default_factory=dict)
    known: dict[uuid.UUID, Listed] = field(default_factory=dict)
    refused: list[RefusedRow] = field(default_factory=list)
    warnings: list[FileWarning] = field(default_factory=list)
    protected: dict[uuid.UUID, set[uuid.UUID]] = field(default_factory=dict)
    without_removals: set[uuid.UUID] = field(default_factory=set)


class HoldingChange(NamedTuple):
    """One holding before and after; `client_id` is the client's code, rupees are a share."""

    line: int | None
    client_id: str
    client_name: str
    trading_symbol: str
    name: str
    isin: str
    change: ChangeKind
    quantity_before: int | None
    quantity_after: int | None
    average_price_before: Rupees | None
    average_price_after: Rupees | None


@dataclass(frozen=True, slots=True)
class CashChange:
    """Free cash before and after; `client_id` is the client's code."""

    client_id: str
    client_name: str
    before: Rupees
    after: Rupees


@dataclass(frozen=True, slots=True)
class ClientChange:
    """The holdings of one client before and after, by instrument.

    Attributes:
        stocks: the rows of the file.
        known: the instruments of these holdings, and others.
    """

    client: ClientSummary
    stocks: Stocks
    held: Mapping[uuid.UUID, NewHolding]
    new: Mapping[uuid.UUID, NewHolding]
    change: HoldingsChange
    known: Mapping[uuid.UUID, Listed]

    def counts(self) -> dict[ChangeKind, int]:
        """The number of holdings by kind of change."""
        added, changed = len(self.change.added), len(self.change.changed)
        return {
            ChangeKind.ADDED: added,
            ChangeKind.CHANGED: changed,
            ChangeKind.REMOVED: len(self.change.removed),
            ChangeKind.UNCHANGED: len(self.new) - added - changed,
        }

    def rows(self) -> list[HoldingChange]:
        """One row a holding, by symbol."""
        rows = [self._row_of(key) for key in (*self.new, *self.change.removed)]
        rows.sort(key=attrgetter("trading_symbol"))
        return rows

    def _row_of(self, key: uuid.UUID) -> HoldingChange:
        before, after = self.held.get(key), self.new.get(key)
        listed, row = self.known[key], self.stocks.get(key)
        return HoldingChange(
            row.line if row else None,
            self.client.code,
            self.client.name,
            listed.symbol,
            listed.name,
            listed.isin,
            _kind_of(before, after),
            before.quantity if before else None,
            after.quantity if after else None,
            before.average_price if before else None,
            after.average_price if after else None,
        )


@dataclass(slots=True)
class Compared:
    """The changes of a file.

    Attributes:
        statements: new holdings and cash of the clients with a change.
        present: the current account of every client of the file.
    """

    clients: list[ClientChange] = field(default_factory=list)
    cash: list[CashChange] = field(default_factory=list)
    statements: dict[uuid.UUID, Statement] = field(default_factory=dict)
    present: Mapping[uuid.UUID, Present] = field(default_factory=dict)
    warnings: list[FileWarning] = field(default_factory=list)


@dataclass(slots=True)
class Resolver:
    """Matches the rows of one file.

    Args:
        known: all listed securities.
        by_code: the live clients, by client code.
        chosen: the client that a one-client file belongs to.
    """

    file: ParsedFile
    known: KnownInstruments
    by_code: Mapping[str, ClientSummary]
    chosen: ClientSummary | None
    resolved: Resolved = field(init=False)
    _matched: dict[tuple[str | None, str | None, str | None], tuple[Listed, str | None]] = field(
        init=False, default_factory=dict
    )
    """Instrument and warning by symbol, ISIN and exchange: a file names each stock many times."""

    def __post_init__(self) -> None:
        self.resolved = Resolved(self.file.kind)

    def resolve(self, progress: RowProgress) -> Resolved:
        """Match every row, in the order of the file; refused rows are sorted by line."""
        total, done = len(self.file.rows), 0
        progress(done, total)
        # The rows of a client are mostly adjacent.
        for code, rows in groupby(self.file.rows, attrgetter("client_code")):
            before = done
            done += self._match_rows(code, list(rows))
            if done // _PROGRESS_EVERY > before // _PROGRESS_EVERY:
                progress(done, total)
        for cash in self.file.cash:
            self._match_cash(cash)
        for refused in self.file.refused:
            self._protect_mentioned(refused)
        resolved = self.resolved
        # If all rows of a client are refused, the client may still hold shares.
        resolved.without_removals |= {key for key, rows in resolved.stocks.items() if not rows}
        resolved.refused = sorted([*self.file.refused, *resolved.refused], key=lambda row: row.line)
        resolved.warnings = sorted(
            [*self.file.warnings, *resolved.warnings], key=lambda warning: warning.line or 0
        )
        progress(total, total)
        return resolved

    def _match_rows(self, code: str | None, rows: Sequence[ParsedHolding]) -> int:
        """Match rows of one client; return their number."""
        client = self._client_of(code, rows)
        if client is not None:
            stocks = self.resolved.stocks.setdefault(client.id, {})
            for row in rows:
                self._match_row(row, client, stocks)
            if stocks:
                self.resolved.clients[client.id] = client
        return len(rows)

    def _match_row(self, row: ParsedHolding, client: ClientSummary, stocks: Stocks) -> None:
        try:
            known = self._matched.get((row.symbol, row.isin, row.exchange))
            listed, warning = known or self._match(row)
        except NotMatched as unknown:
            self._refuse(row, str(unknown))
            self._protect(client, unknown.stocks)
            return
        first = stocks.setdefault(listed.id, row)
        if first is not row:
            reason = f"{listed.symbol} of {client.code} is already in line {first.line}."
            self._refuse(row, reason)
            self._protect(client, [listed.id])
        elif row.quantity * row.average_price > MOST_VALUE:
            del stocks[listed.id]
            self._refuse(row, "A single holding cannot have cost more than ₹1,00,000 crore.")
            self._protect(client, [listed.id])
        elif warning is not None:
            self.resolved.warnings.append(FileWarning(row.line, warning))

    def _match(self, row: ParsedHolding) -> tuple[Listed, str | None]:
        by_name = self.file.kind in _WITH_COMPANY_NAMES
        listed = self.known.match(row, by_name=by_name)
        self.resolved.known[listed.id] = listed
        warning = None
        symbol = None if by_name or row.isin is None else row.symbol
        if symbol is not None and not symbol.startswith(listed.symbol):
            # The symbol is unknown; only the ISIN matched.
            warning = f"{symbol} is matched with {listed.symbol} by its ISIN."
        self._matched[row.symbol, row.isin, row.exchange] = listed, warning
        return listed, warning

    def _match_cash(self, cash: ParsedCash) -> None:
        client = self._client_of(cash.client_code, [cash])
        if client is not None:
            self.resolved.clients[client.id] = client
            self.resolved.cash[client.id] = cash.cash

    def _client_of(
        self, code: str | None, rows: Iterable[ParsedHolding | ParsedCash]
    ) -> ClientSummary | None:
        """The client of these rows; None after the rows are refused."""
        client = self.by_code.get(code) if code else self.chosen
        if client is not None and client.status == Status.ACTIVE:
            return client
        reason = people.why_not_active(client) if client else f"{code} is not a client here."
        for row in rows:
            self._refuse(row, reason)
        return None

    def _refuse(self, row: ParsedHolding | ParsedCash, reason: str) -> None:
        self.resolved.refused.append(RefusedRow(row.line, _text_of(row), reason))

    def _protect(self, client: ClientSummary, stocks: Iterable[uuid.UUID]) -> None:
        self.resolved.protected.setdefault(client.id, set()).update(stocks)

    def _protect_mentioned(self, refused: RefusedRow) -> None:
        """Protect the holdings that an unreadable row may mention."""
        cells = [cell.strip() for cell in refused.text.rstrip("…").split(", ")]
        stocks = self.known.mentioned_in(cells)
        for client in self._clients_mentioned_in(cells):
            if stocks:
                self.resolved.protected.setdefault(client, set()).update(stocks)
            else:
                self.resolved.without_removals.add(client)

    def _clients_mentioned_in(self, cells: list[str]) -> Iterable[uuid.UUID]:
        if self.chosen is not None:
            return [self.chosen.id]
        code = _code_in(cells[0])
        if code is None:
            return list(self.resolved.clients)
        client = self.by_code.get(code)
        return [client.id] if client else []


def _text_of(row: ParsedHolding | ParsedCash) -> str:
    if isinstance(row, ParsedCash):
        return f"{row.client_code}, CASH, {row.cash:f}"
    named = (row.client_code, row.symbol, row.isin)
    return ", ".join([*filter(None, named), str(row.quantity), f"{row.average_price:f}"])


def _code_in(text: str) -> str | None:
    try:
        return client_code(client_number(text))
    except NotAClientCode:
        return None  # the row names no client


def compare(
    resolved: Resolved, present: Mapping[uuid.UUID, Present], known: Mapping[uuid.UUID, Listed]
) -> Compared:
    """The changes for each client of the file, by client code.

    Args:
        present: the current account of every client of the file.
        known: the instruments of the file and of all present holdings.
    """
    compared = Compared(present=present)
    for client in sorted(resolved.clients.values(), key=lambda client: client.code):
        now = present[client.id]
        new = _new_holdings(resolved, client.id, now.holdings)
        cash = resolved.cash.get(client.id)
        change = change_between(now.holdings, new)
        stocks = resolved.stocks.get(client.id, {})
        compared.clients.append(ClientChange(client, stocks, now.holdings, new, change, known))
        statement = Statement(new, cash)
        is_paid = statement.pays(now)
        if cash is not None and is_paid:
            compared.cash.append(CashChange(client.code, client.name, now.funds.net, cash))
        if is_paid or not change.is_empty:
            compared.statements[client.id] = statement
        if now.holdings and not new:
            text = f"{client.code} has no shares in the file: all its holdings are removed."
            compared.warnings.append(FileWarning(None, text))
    return compared


def _new_holdings(
    resolved: Resolved, client_id: uuid.UUID, held: Mapping[uuid.UUID, NewHolding]
) -> dict[uuid.UUID, NewHolding]:
    has_pledges = resolved.kind in _WITH_PLEDGES
    stocks = resolved.stocks.get(client_id, {})
    if not held and not has_pledges:
        return {key: NewHolding(row.quantity, row.average_price) for key, row in stocks.items()}
    new = {}
    for key, row in stocks.items():
        pledged_before = held[key].pledged if key in held else 0
        # A file without pledges does not change the pledges that the broker reported.
        pledged = row.pledged if has_pledges else min(pledged_before, row.quantity)
        new[key] = NewHolding(row.quantity, row.average_price, pledged)
    protected = resolved.protected.get(client_id, set())
    keeps_all = client_id in resolved.without_removals
    unchanged = {key: old for key, old in held.items() if keeps_all or key in protected}
    return unchanged | new


def _kind_of(before: NewHolding | None, after: NewHolding | None) -> ChangeKind:
    if before is None:
        return ChangeKind.ADDED
    if after is None:
        return ChangeKind.REMOVED
    return ChangeKind.UNCHANGED if before == after else ChangeKind.CHANGED
