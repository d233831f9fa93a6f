"""Finds the listed security of a row: by ISIN, by symbol, or by the company's name."""

import re
import uuid
from collections.abc import Iterable, Mapping
from typing import Final

from tarazu.imports.readers.parsed import ParsedHolding
from tarazu.instruments.service import Listed

_SERIES: Final = ("-EQ", "-BE", "-BZ", "-SM", "-ST")
"""Endings of shares by how they are traded; a bond such as IRFC-N1 is another security."""

_EXCHANGES: Final = ("NSE", "BSE")
_SHORT_WORDS: Final = {
    "limited": "ltd",
    "company": "co",
    "corporation": "corp",
    "private": "pvt",
}


class NotMatched(ValueError):
    """A row names no known security, or two; the message is shown to the person.

    Args:
        stocks: the known securities that the row may mean.
    """

    def __init__(self, reason: str, stocks: Iterable[Listed] = ()) -> None:
        super().__init__(reason)
        self.stocks = frozenset(stock.id for stock in stocks)


class KnownInstruments:
    """All listed securities in memory, by ISIN, symbol and name.

    A security that is listed on both exchanges is always found on NSE, so that its shares
    are never counted as two holdings. One whose ISIN changed is found by the former ones, too.
    """

    def __init__(self, listed: Iterable[Listed], former: Mapping[str, Listed]) -> None:
        self._by_isin: dict[str, Listed] = {}
        self._by_symbol: dict[tuple[str, str], Listed] = {}
        names: dict[str, set[str]] = {}
        for stock in listed:
            self._by_symbol[stock.exchange, stock.symbol] = stock
            if stock.exchange == "NSE" or stock.isin not in self._by_isin:
                self._by_isin[stock.isin] = stock
            names.setdefault(plain_name(stock.name), set()).add(stock.isin)
        for isin, stock in former.items():
            self._by_isin.setdefault(isin, self._by_isin[stock.isin])
        self._by_name = {name: isins.pop() for name, isins in names.items() if len(isins) == 1}

    def match(self, row: ParsedHolding, *, by_name: bool) -> Listed:
        """The security of a row.

        Args:
            by_name: the file may give a company's name in place of the symbol.

        Raises:
            NotMatched: it is unknown, or ISIN and symbol belong to two securities.
        """
        named = self._named(row.symbol, row.exchange, by_name=by_name) if row.symbol else None
        candidates = [named] if named else []
        if row.isin is None:
            if named is None or not self._is_on(row.exchange, row.symbol or "", named):
                raise NotMatched(_unknown(row), candidates)
            return named
        listed = self._by_isin.get(row.isin)
        if named is not None and named != listed:
            owner = f"belongs to {listed.symbol}" if listed else "is unknown"
            candidates += [listed] if listed else []
            reason = f"{row.symbol} has the ISIN {named.isin}; {row.isin} {owner}."
            raise NotMatched(reason, candidates)
        if listed is None:
            raise NotMatched(_unknown(row))
        return listed

    def mentioned_in(self, cells: Iterable[str]) -> set[uuid.UUID]:
        """The securities whose symbol or ISIN is one of these cells."""
        stocks = (
            self._by_isin.get(cell.upper()) or self._named(cell, None, by_name=False)
            for cell in cells
        )
        return {stock.id for stock in stocks if stock is not None}

    def _named(self, text: str, exchange: str | None, *, by_name: bool) -> Listed | None:
        exchanges = (exchange, *_EXCHANGES) if exchange else _EXCHANGES
        for symbol in _spellings(text.upper()):
            for name in exchanges:
                if (name, symbol) in self._by_symbol:
                    return self._by_isin[self._by_symbol[name, symbol].isin]
        isin = self._by_name.get(plain_name(text)) if by_name else None
        return self._by_isin[isin] if isin else None

    def _is_on(self, exchange: str | None, symbol: str, listed: Listed) -> bool:
        """Whether the symbol belongs to `listed` on the exchange of the row.

        The same symbol can mean two companies on the two exchanges.
        """
        if exchange is None:
            return True
        stocks = (self._by_symbol.get((exchange, spelling)) for spelling in _spellings(symbol))
        return any(stock is not None and stock.isin == listed.isin for stock in stocks)


def plain_name(name: str) -> str:
    """A company's name in small letters: "Larsen & Toubro Ltd." is "larsen and toubro"."""
    words = re.sub(r"[^a-z0-9]+", " ", name.casefold().replace("&", " and ")).split()
    short = [_SHORT_WORDS.get(word, word) for word in words]
    while len(short) > 1 and short[-1] == "ltd":
        short.pop()
    return " ".join(short)


def _spellings(symbol: str) -> tuple[str, ...]:
    """The symbol itself, then without the series: "-" is also part of BAJAJ-AUTO."""
    without = next((symbol[: -len(end)] for end in _SERIES if symbol.endswith(end)), None)
    return (symbol, without) if without else (symbol,)


def _unknown(row: ParsedHolding) -> str:
    if row.isin is None and row.exchange == "BSE":
        return f"Unknown stock symbol on BSE: {row.symbol}. Add its ISIN."
    if row.isin is None:
        return f"Unknown stock symbol: {row.symbol}."
    return (
        f"Unknown stock: {row.symbol} ({row.isin})." if row.symbol else f"Unknown ISIN: {row.isin}."
    )
