"""Instruments: the shipped list, search, and which of them are watched."""

import datetime as dt
import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy.orm import Session

from tarazu.domain.money import Rupees
from tarazu.instruments import locating, queries
from tarazu.instruments.corporate_actions import (
    action_of,
    corporate_actions_of,
    known_action,
    renamed_isins,
    unit_changes_of,
)
from tarazu.instruments.errors import InstrumentNotFound
from tarazu.instruments.isin_history import IsinHistory, isin_history
from tarazu.instruments.locating import BrokerListing
from tarazu.instruments.naming import StockNamed
from tarazu.instruments.reissues import follow_split, undo_split
from tarazu.instruments.shipped import shipped_instruments
from tarazu.instruments.tables import Instrument, Watch
from tarazu.kit import audit_log
from tarazu.kit.audit_log import Actor
from tarazu.kit.db import new_id

SHORTEST_QUERY = 2
_AT_ONCE = 500

NameAtBrokers = tuple[int, str, str | None]
"""Zerodha's token, the symbol, and Angel One's token."""


@dataclass(frozen=True, slots=True)
class Listed:
    """One security on one exchange; `instrument_token` is Zerodha's.

    `reference_close` is of the day `reference_on`, in the units of that day.
    """

    id: uuid.UUID
    exchange: str
    symbol: str
    name: str
    isin: str
    sector: str
    tick_size: Rupees
    lot_size: int
    instrument_token: int
    angel_token: str | None
    reference_close: Rupees
    reference_on: dt.date

    @property
    def name_at_brokers(self) -> NameAtBrokers:
        """What the brokers know it by."""
        return self.instrument_token, self.symbol, self.angel_token


@dataclass(frozen=True, slots=True)
class FormerSymbol:
    """What an instrument was called before; the last day on which it was."""

    symbol: str
    isin: str
    until: dt.date


def search(session: Session, query: str) -> list[Listed]:
    """At most twenty that match: exact symbol, then prefix, then name. Nothing under 2 letters."""
    term = query.strip()
    if len(term) < SHORTEST_QUERY:
        return []
    return [_listed(row) for row in queries.matching(session, term)]


def renames(session: Session) -> int:
    """How often any instrument changed its name; the same number means the same names."""
    return queries.renames(session)


def by_ids(session: Session, ids: Collection[uuid.UUID]) -> dict[uuid.UUID, Listed]:
    """Instruments by id; unknown ids are left out."""
    return {row[0]: Listed(*row) for row in queries.listed_by_ids(session, ids)}


def by_tokens(session: Session, instrument_tokens: Collection[int]) -> dict[int, Listed]:
    """Instruments by token; unknown tokens are left out."""
    rows = queries.instruments_by_tokens(session, instrument_tokens)
    return {row.zerodha_token: _listed(row) for row in rows}


def bearers_of(session: Session, isins: Collection[str]) -> set[uuid.UUID]:
    """The instruments, on every exchange, of the shares that bear these ISINs or bore them before."""
    return set().union(*bearers_by_isin(session, isins).values())


def bearers_by_isin(session: Session, isins: Collection[str]) -> dict[str, set[uuid.UUID]]:
    """As `bearers_of`, for each of these ISINs; on whichever exchange the share is listed."""
    history = isin_history(session)
    families = {isin: history.family([isin]) for isin in isins}
    bearers: dict[str, set[uuid.UUID]] = {}
    for row in queries.instruments_by_isins(session, set().union(*families.values())):
        bearers.setdefault(row.isin, set()).add(row.id)
    return {
        isin: set().union(*(bearers.get(name, ()) for name in family))
        for isin, family in families.items()
    }


def by_isins(session: Session, isins: Collection[str]) -> dict[str, Listed]:
    """Instruments by ISIN, also by one that they bore before; unknown ones are left out."""
    bearers = {row.isin: row.id for row in queries.instruments_by_isins(session, isins)}
    bearers |= queries.bearers_of_former_isins(session, set(isins) - bearers.keys())
    listed = by_ids(session, set(bearers.values()))
    return {isin: listed[key] for isin, key in bearers.items() if key in listed}


def by_symbol(session: Session, exchange: str, symbol: str) -> Listed:
    """The instrument of that symbol on that exchange.

    Raises:
        InstrumentNotFound: there is none.
    """
    row = queries.instrument_by_symbol(session, exchange.upper(), symbol.upper())
    if row is None:
        raise InstrumentNotFound(f"Stock {symbol.upper()} is not known on {exchange.upper()}.")
    return _listed(row)


def by_former_isins(session: Session) -> dict[str, Listed]:
    """The active instruments by each ISIN that they had before, and have no more."""
    bearers = {row.isin: row.instrument_id for row in queries.isin_changes(session)}
    listed = by_ids(session, set(bearers.values()))
    return {isin: listed[key] for isin, key in bearers.items() if key in listed}


def named(session: Session, stock: StockNamed) -> Listed:
    """The instrument that a body names.

    Raises:
        InstrumentNotFound: there is none, or the token is of another stock.
    """
    listed = by_symbol(session, stock.exchange, stock.trading_symbol)
    if stock.instrument_token not in {None, listed.instrument_token}:
        raise InstrumentNotFound(f"{listed.symbol}: the instrument token is of another stock.")
    return listed


def isins_of(session: Session, names: Collection[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """The ISIN by exchange and symbol, also of what is called otherwise now; unknown ones are left out.

    The instrument that bears a name now goes before one that bore it earlier.
    """
    symbols = sorted({symbol for _exchange, symbol in names})
    isins: dict[tuple[str, str], str] = {}
    for start in range(0, len(symbols), _AT_ONCE):
        batch = symbols[start : start + _AT_ONCE]
        for former in queries.former_names_by_symbols(session, batch):
            isins[former.exchange, former.symbol] = former.isin
        for row in queries.instruments_by_symbols(session, batch):
            isins[row.exchange, row.symbol] = row.isin
    return {name: isins[name] for name in names if isins.get(name)}


def all_listed(session: Session) -> list[Listed]:
    """Every active instrument, by symbol."""
    return [_listed(row) for row in queries.all_instruments(session)]


def tokens(session: Session) -> dict[uuid.UUID, int]:
    """The token of every instrument."""
    return {row.id: row.zerodha_token for row in queries.tokens(session)}


def names(session: Session) -> dict[uuid.UUID, NameAtBrokers]:
    """What the brokers know every instrument by."""
    return {row[0]: tuple(row[1:]) for row in queries.names(session)}


def reference_closes(session: Session) -> list[tuple[int, Rupees, dt.date]]:
    """Token, close and its day, as shipped with the list."""
    return [tuple(row) for row in queries.reference_closes(session)]


def locate(
    session: Session, listings: Sequence[BrokerListing], now: dt.datetime
) -> tuple[list[Listed | None], Mapping[uuid.UUID, int]]:
    """The instrument of each row of a broker's answer, in order.

    By ISIN and its history, else by exchange and symbol. One that the broker calls otherwise now
    is renewed. A stock that only the brokers' own lists know is added.

    Returns:
        The instruments, None for unrecognised rows; and the former token of each instrument whose
        token changed.
    """
    rows, moved = locating.locate(session, listings, now)
    return [_listed(row) if row is not None else None for row in rows], moved


def former_names(session: Session, instrument_id: uuid.UUID) -> list[FormerSymbol]:
    """What an instrument was called before, newest first."""
    return [FormerSymbol(*row) for row in locating.former_isins(session, instrument_id)]


def masters_read_at(session: Session) -> dict[str, dt.datetime]:
    """When each broker's list of instruments was last read whole."""
    return queries.last_finished_reads(session)


def watch(session: Session, actor: Actor, now: dt.datetime, exchange: str, symbol: str) -> Listed:
    """Have a stock's price followed for the caller's advice form.

    Raises:
        InstrumentNotFound: there is no such stock.
    """
    listed = by_symbol(session, exchange, symbol)
    account_id = actor.account_id
    if account_id and queries.watch(session, listed.id, account_id, now):
        audit_log.record(session, actor, now, "stock_watched", ("instrument", listed.id))
    return listed


def unwatch(session: Session, actor: Actor, now: dt.datetime, exchange: str, symbol: str) -> None:
    """Stop following a stock for the caller; it stays while anyone else needs it.

    Raises:
        InstrumentNotFound: there is no such stock.
    """
    listed = by_symbol(session, exchange, symbol)
    if actor.account_id and queries.unwatch(session, listed.id, actor.account_id):
        audit_log.record(session, actor, now, "stock_unwatched", ("instrument", listed.id))


def watched(session: Session) -> set[uuid.UUID]:
    """Instruments that somebody follows though no client need hold them."""
    return queries.watched(session)


def found_installation(session: Session) -> None:
    """Fill in the instruments that come with the product; once, on an empty database."""
    rows: list[dict[str, object]] = [
        {
            "id": new_id(),
            "exchange": shipped_instrument.exchange,
            "symbol": shipped_instrument.symbol,
            "name": shipped_instrument.name,
            "isin": shipped_instrument.isin,
            "series": shipped_instrument.series,
            "sector": shipped_instrument.sector,
            "tick_size": shipped_instrument.tick_size,
            "lot_size": 1,
            "zerodha_token": shipped_instrument.zerodha_token,
            "angel_token": shipped_instrument.angel_token,
            "reference_close": shipped_instrument.reference_close,
            "reference_on": shipped_instrument.reference_date,
            "is_active": True,
        }
        for shipped_instrument in shipped_instruments()
    ]
    queries.add_instruments(session, rows)


def _listed(row: Instrument) -> Listed:
    return Listed(
        row.id,
        row.exchange,
        row.symbol,
        row.name,
        row.isin,
        row.sector,
        row.tick_size,
        row.lot_size,
        row.zerodha_token,
        row.angel_token,
        row.reference_close,
        row.reference_on,
    )
