"""The parsed rows of a file of any broker: holdings, clients, funds, or trades."""

import datetime as dt
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from tarazu.domain.money import Rupees
from tarazu.kit.translation import Language


class UnknownFile(ValueError):
    """The file as a whole cannot be read; the message is one sentence or two for a person."""


class FileKind(StrEnum):
    KITE_HOLDINGS_CSV = "KITE_HOLDINGS_CSV"
    CONSOLE_HOLDINGS_XLSX = "CONSOLE_HOLDINGS_XLSX"
    ANGEL_HOLDINGS = "ANGEL_HOLDINGS"
    FIRM_CSV = "FIRM_CSV"
    CLIENTS = "CLIENTS"
    FUNDS = "FUNDS"
    CONSOLE_LEDGER = "CONSOLE_LEDGER"
    CONSOLE_TRADEBOOK = "CONSOLE_TRADEBOOK"
    ANGEL_TRADEBOOK = "ANGEL_TRADEBOOK"


HOLDINGS = frozenset(
    {
        FileKind.KITE_HOLDINGS_CSV,
        FileKind.CONSOLE_HOLDINGS_XLSX,
        FileKind.ANGEL_HOLDINGS,
        FileKind.FIRM_CSV,
    }
)
"""Kinds with all holdings of a client; the others add records."""


TRADEBOOKS = frozenset({FileKind.CONSOLE_TRADEBOOK, FileKind.ANGEL_TRADEBOOK})
"""Kinds with the trades of a client."""


class ParsedHolding(NamedTuple):
    """One stock of one client.

    Attributes:
        line: its line in the file, counted from 1.
        client_code: C and four digits; None where the file is of one client.
        symbol: trading symbol, or in Angel One's files the name of the share; None where
            only the ISIN is given. Symbol or ISIN is always there.
        isin: with a right check digit; None where the file has none.
        exchange: NSE or BSE; None where the file does not say.
        quantity: whole shares owned, above 0, the pledged ones included.
        pledged: those of them that are pledged, as far as the file says.
        discrepant: shares that the broker disputes or has not received; not in `quantity`.
        long_term: those held for over a year; None where the file does not say.
        average_price: rupees a share, at most four decimals; 0 for shares that cost nothing.
        last_price: rupees a share as the file says, above 0; None without one.
    """

    line: int
    client_code: str | None
    symbol: str | None
    isin: str | None
    exchange: str | None
    quantity: int
    pledged: int
    discrepant: int
    long_term: int | None
    average_price: Rupees
    last_price: Rupees | None


@dataclass(frozen=True, slots=True)
class ParsedCash:
    """Free cash of one client in a firm-wide file; negative for a debit."""

    line: int
    client_code: str
    cash: Rupees


@dataclass(frozen=True, slots=True)
class ParsedClient:
    """A client to be added: fields checked one by one, e-mail in small letters."""

    line: int
    name: str
    email: str
    country_code: str
    contact_number: str
    language: Language


@dataclass(frozen=True, slots=True)
class ParsedFlow:
    """Funds added (above nought) or withdrawn (below), in rupees, on a day in India.

    Attributes:
        client_code: C and four digits; None where the file is of one client.
    """

    line: int
    client_code: str | None
    date: dt.date
    amount: Rupees


@dataclass(frozen=True, slots=True)
class ParsedTrade:
    """A fill of one of a client's orders.

    Attributes:
        order_id: the broker's number of the order; several fills may share it.
        at: when the exchange filled it; at the close of a day without a time.
        symbol: in Angel One's files the name of the share.
        price: rupees a share, above nought.
        isin: "" where the file has none.
        product: DELIVERY where the file does not say.
    """

    line: int
    order_id: str
    trade_id: str
    at: dt.datetime
    symbol: str
    exchange: str
    is_purchase: bool
    quantity: int
    price: Rupees
    isin: str = ""
    product: str = "DELIVERY"


Parsed = ParsedHolding | ParsedCash | ParsedClient | ParsedFlow | ParsedTrade
"""One parsed row of a file."""


@dataclass(frozen=True, slots=True)
class RefusedRow:
    """A row that cannot be imported, its beginning, and the reason."""

    line: int
    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class FileWarning:
    """Something a person should know; `line` is None when it is about the whole file."""

    line: int | None
    text: str


@dataclass(frozen=True, slots=True)
class ParsedFile:
    """A recognised file; its parsed and refused rows are in the order of the file.

    Attributes:
        as_on: the day of the file, if it has one.
        broker_client_id: the client's id at the broker, if the file has one.
        left_out: parts that were not read, each with a short description.
    """

    kind: FileKind
    as_on: dt.date | None
    broker_client_id: str | None
    rows: tuple[ParsedHolding, ...]
    cash: tuple[ParsedCash, ...]
    refused: tuple[RefusedRow, ...]
    warnings: tuple[FileWarning, ...]
    left_out: tuple[str, ...]
    clients: tuple[ParsedClient, ...] = ()
    flows: tuple[ParsedFlow, ...] = ()
    trades: tuple[ParsedTrade, ...] = ()

    @property
    def size(self) -> int:
        """The number of rows, with the refused ones."""
        groups = (self.rows, self.cash, self.clients, self.flows, self.trades, self.refused)
        return sum(map(len, groups))
