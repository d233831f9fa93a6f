"""A file against what is known: whose row is which stock, and what would change. No database.

A row that cannot be taken over never costs a client a holding: what it speaks of stays as it
is, and where that cannot be told, nothing of that client is removed.
"""

import uuid
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from operator import attrgetter
from typing import Final, NamedTuple

from tarazu.domain.codes import NotAClientCode, client_code, client_number
from tarazu.domain.money import Rupees
from tarazu.imports.adapters.parsed import (
    FileKind,
    FileWarning,
    ParsedCash,
    ParsedFile,
    ParsedHolding,
    RefusedRow,
)
from tarazu.imports.matching import KnownInstruments, NotMatched
from tarazu.instruments.service import Listed
from tarazu.people.service import ClientCard
from tarazu.people.tables import Status
from tarazu.portfolio.service import MOST_VALUE, NewHolding, Present, Statement, change_between

Stocks = dict[uuid.UUID, ParsedHolding]
Tell = Callable[[int, int], None]
"""Is told how many rows of how many are done."""

_TOLD_EVERY: Final = 1_000
_TELL_PLEDGES: Final = frozenset({FileKind.CONSOLE_HOLDINGS_XLSX, FileKind.ANGEL_HOLDINGS})
_NAME_COMPANIES: Final = frozenset({FileKind.ANGEL_HOLDINGS})


class ChangeKind(StrEnum):
    ADDED = "ADDED"
    CHANGED = "CHANGED"
    REMOVED = "REMOVED"
    UNCHANGED = "UNCHANGED"


@dataclass(slots=True)
class Resolved:
    """The rows of a file that could be matched, by client and instrument, and the others.

    Attributes:
        clients: those whose holdings the file replaces.
        known: the listed securities of the rows that were matched.
        spared: holdings of which a refused row speaks.
        kept_whole: clients of whom nothing is removed, because a refused row may be any stock.
    """

    kind: FileKind
    clients: dict[uuid.UUID, ClientCard] = field(default_factory=dict)
    stocks: dict[uuid.UUID, Stocks] = field(default_factory=dict)
    cash: dict[uuid.UUID, Rupees] = field(default_factory=dict)
    known: dict[uuid.UUID, Listed] = field(default_factory=dict)
    refused: list[RefusedRow] = field(default_factory=list)
    warnings: list[FileWarning] = field(default_factory=list)
    spared: dict[uuid.UUID, set[uuid.UUID]] = field(default_factory=dict)
    kept_whole: set[uuid.UUID] = field(default_factory=set)


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


@dataclass(slots=True)
class Compared:
    """What the file would change; `statements` holds the clients who would change at all."""

    rows: list[HoldingChange] = field(default_factory=list)
    cash: list[CashChange] = field(default_factory=list)
    statements: dict[uuid.UUID, Statement] = field(default_factory=dict)
    warnings: list[FileWarning] = field(default_factory=list)


# ---------------------------------------------------------------------------------- the match


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
    by_code: Mapping[str, ClientCard]
    chosen: ClientCard | None
    resolved: Resolved = field(init=False)
    _matched: dict[tuple[str | None, str | None, str | None], Listed] = field(
        init=False, default_factory=dict
    )
    """By symbol, ISIN and exchange: a firm's file names each stock many times."""

    def __post_init__(self) -> None:
        self.resolved = Resolved(self.file.kind)

    def resolve(self, tell: Tell) -> Resolved:
        """Match every row, in the order of the file; refusals are by line."""
        total = len(self.file.rows)
        for done, row in enumerate(self.file.rows):
            if done % _TOLD_EVERY == 0:
                tell(done, total)
            self._take(row)
        for cash in self.file.cash:
            self._take_cash(cash)
        for refused in self.file.refused:
            self._spare_for(refused)
        found = self.resolved
        # No share of these could be taken over: that is no proof that they hold none.
        found.kept_whole |= {key for key, taken in found.stocks.items() if not taken}
        found.refused = sorted([*self.file.refused, *found.refused], key=lambda row: row.line)
        found.warnings = sorted(
            [*self.file.warnings, *found.warnings], key=lambda warning: warning.line or 0
        )
        tell(total, total)
        return found

    def _take(self, row: ParsedHolding) -> None:
        client = self._client_of(row, row.client_code)
        if client is None:
            return
        stocks = self.resolved.stocks.setdefault(client.id, {})
        try:
            listed = self._matched.get((row.symbol, row.isin, row.exchange)) or self._match(row)
        except NotMatched as unknown:
            self.resolved.spared.setdefault(client.id, set()).update(unknown.stocks)
            self._refuse(row, str(unknown))
            return
        reason = _unfit(row, listed, stocks.get(listed.id), client)
        if reason:
            self.resolved.spared.setdefault(client.id, set()).add(listed.id)
            self._refuse(row, reason)
            return
        self._warn_of_symbol(row, listed)
        if not stocks:
            self.resolved.clients[client.id] = client
        stocks[listed.id] = row

    def _match(self, row: ParsedHolding) -> Listed:
        listed = self.known.match(row, by_name=self.file.kind in _NAME_COMPANIES)
        self._matched[row.symbol, row.isin, row.exchange] = listed
        self.resolved.known[listed.id] = listed
        return listed

    def _take_cash(self, cash: ParsedCash) -> None:
        client = self._client_of(cash, cash.client_code)
        if client is not None:
            self.resolved.clients[client.id] = client
            self.resolved.cash[client.id] = cash.cash

    def _client_of(self, row: ParsedHolding | ParsedCash, code: str | None) -> ClientCard | None:
        """The client of a row, or None after the row is refused."""
        client = self.by_code.get(code) if code else self.chosen
        if client is None:
            self._refuse(row, f"{code} is not a client here.")
        elif client.status != Status.ACTIVE:
            self._refuse(row, f"{code} is inactive; activate the client first.")
        else:
            return client
        return None

    def _refuse(self, row: ParsedHolding | ParsedCash, reason: str) -> None:
        self.resolved.refused.append(RefusedRow(row.line, _text_of(row), reason))

    def _warn_of_symbol(self, row: ParsedHolding, listed: Listed) -> None:
        """Tell when the ISIN alone decided, under a symbol that is not known."""
        if row.symbol is None or row.isin is None or self.file.kind in _NAME_COMPANIES:
            return
        if not row.symbol.startswith(listed.symbol):
            text = f"{row.symbol} is taken as {listed.symbol}, by its ISIN."
            self.resolved.warnings.append(FileWarning(row.line, text))

    def _spare_for(self, refused: RefusedRow) -> None:
        """Keep what a row may speak of that could not even be read."""
        cells = [cell.strip() for cell in refused.text.rstrip("…").split(", ")]
        stocks = self.known.spoken_of(cells)
        for client in self._clients_spoken_of(cells):
            if stocks:
                self.resolved.spared.setdefault(client, set()).update(stocks)
            else:
                self.resolved.kept_whole.add(client)

    def _clients_spoken_of(self, cells: list[str]) -> Iterable[uuid.UUID]:
        if self.chosen is not None:
            return [self.chosen.id]
        code = _code_in(cells[0])
        if code is None:
            return list(self.resolved.clients)
        client = self.by_code.get(code)
        return [client.id] if client else []


def _unfit(
    row: ParsedHolding, listed: Listed, first: ParsedHolding | None, client: ClientCard
) -> str | None:
    if first is not None:
        return f"{listed.symbol} of {client.code} stands already in line {first.line}."
    if row.quantity * row.average_price > MOST_VALUE:
        return "A single holding cannot have cost more than ₹1,00,000 crore."
    return None


def _text_of(row: ParsedHolding | ParsedCash) -> str:
    if isinstance(row, ParsedCash):
        return f"{row.client_code}, CASH, {row.cash:f}"
    named = (row.client_code, row.symbol, row.isin)
    return ", ".join([*filter(None, named), str(row.quantity), f"{row.average_price:f}"])


def _code_in(text: str) -> str | None:
    try:
        return client_code(client_number(text))
    except NotAClientCode:
        return None  # the row is of nobody who could be named


# ----------------------------------------------------------------------------- the comparison


def compare(
    resolved: Resolved, present: Mapping[uuid.UUID, Present], known: Mapping[uuid.UUID, Listed]
) -> Compared:
    """What would change for each client of the file, clients in the order of their codes.

    Args:
        present: what stands now of every client of the file.
        known: the instruments of the file and of all present holdings.
    """
    compared = Compared()
    for client in sorted(resolved.clients.values(), key=lambda one: one.code):
        now = present[client.id]
        new = _new_holdings(resolved, client.id, now.holdings)
        cash = resolved.cash.get(client.id)
        rows = _rows_of(resolved, client, now.holdings, new, known)
        compared.rows += rows
        is_paid = cash is not None and not now.funds.net == now.funds.available_cash == cash
        if cash is not None and is_paid:
            compared.cash.append(CashChange(client.code, client.name, now.funds.net, cash))
        if is_paid or not change_between(now.holdings, new).is_empty:
            compared.statements[client.id] = Statement(new, cash)
        if now.holdings and not new:
            text = f"{client.code} has no shares in the file: all its holdings are removed."
            compared.warnings.append(FileWarning(None, text))
    return compared


def _new_holdings(
    resolved: Resolved, client_id: uuid.UUID, held: Mapping[uuid.UUID, NewHolding]
) -> dict[uuid.UUID, NewHolding]:
    tells_pledges = resolved.kind in _TELL_PLEDGES
    stocks = resolved.stocks.get(client_id, {})
    if not held and not tells_pledges:
        return {key: NewHolding(row.quantity, row.average_price) for key, row in stocks.items()}
    new = {}
    for key, row in stocks.items():
        known = held[key].pledged if key in held else 0
        # A file that is silent about pledges does not undo what the broker said of them.
        pledged = row.pledged if tells_pledges else min(known, row.quantity)
        new[key] = NewHolding(row.quantity, row.average_price, pledged)
    spared = resolved.spared.get(client_id, set())
    is_whole = client_id in resolved.kept_whole
    kept = {key: old for key, old in held.items() if is_whole or key in spared}
    return kept | new


def _rows_of(
    resolved: Resolved,
    client: ClientCard,
    held: Mapping[uuid.UUID, NewHolding],
    new: Mapping[uuid.UUID, NewHolding],
    known: Mapping[uuid.UUID, Listed],
) -> list[HoldingChange]:
    # Each id is looked up as seldom as can be: its hash is a call, and a firm has many holdings.
    lines = resolved.stocks.get(client.id, {})
    gone = [key for key in held if key not in new] if held else []
    rows = []
    for key in (*new, *gone):
        before, after = held.get(key) if held else None, new.get(key)
        listed, line = known[key], lines.get(key)
        rows.append(
            HoldingChange(
                line.line if line is not None else None,
                client.code,
                client.name,
                listed.symbol,
                listed.name,
                listed.isin,
                _kind_of(before, after),
                before.quantity if before else None,
                after.quantity if after else None,
                before.average_price if before else None,
                after.average_price if after else None,
            )
        )
    rows.sort(key=attrgetter("trading_symbol"))
    return rows


def _kind_of(before: NewHolding | None, after: NewHolding | None) -> ChangeKind:
    if before is None:
        return ChangeKind.ADDED
    if after is None:
        return ChangeKind.REMOVED
    return ChangeKind.UNCHANGED if before == after else ChangeKind.CHANGED
