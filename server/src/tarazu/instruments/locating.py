"""Which instrument a broker means: by ISIN and its history, else by exchange and symbol.

The order, for a line with an ISIN: the instrument that has it, on NSE where two exchanges have
it, so that shares are never counted as two holdings; the one that had it once; the one of the
same symbol and token, whose ISIN then has changed, as by a split; a new one, where the brokers'
own list has the line with that token. A line without an ISIN is joined by symbol and token.

An instrument that is found by its ISIN and has another symbol or token at the broker is renewed,
unless the brokers' lists contradict it: brokers adopt a new name on different days.
"""

import datetime as dt
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import structlog
from sqlalchemy.orm import Session

from tarazu.brokers import service as brokers
from tarazu.domain.money import ZERO, Rupees, rounded
from tarazu.instruments import queries
from tarazu.instruments.masters import rename, seen_on
from tarazu.instruments.reissues import reissue
from tarazu.instruments.tables import FormerName, Instrument, MasterLine
from tarazu.kit import audit_log
from tarazu.kit.audit_log import SYSTEM
from tarazu.kit.clock import day_in_india
from tarazu.kit.db import new_id

log = structlog.get_logger()

PLACES = 4


@dataclass(frozen=True, slots=True)
class BrokerListing:
    """A holding as a broker lists it; the ISIN may be empty, the price None."""

    exchange: str
    symbol: str
    isin: str
    token: int
    last_price: Rupees | None = None

    @property
    def name(self) -> tuple[str, str]:
        """Exchange and symbol."""
        return self.exchange, self.symbol


@dataclass(slots=True)
class _KnownInstruments:
    """The instruments that the rows of one answer may mean, read at once.

    `moved` are the instruments that have another token by this answer, with the one before.
    """

    by_isin: Mapping[str, Instrument]
    by_former_isin: Mapping[str, Instrument]
    by_name: Mapping[tuple[str, str], Instrument]
    lines: Mapping[tuple[str, str], MasterLine]
    moved: dict[uuid.UUID, int] = field(default_factory=dict)


def locate(
    session: Session, listings: Sequence[BrokerListing], now: dt.datetime
) -> tuple[list[Instrument | None], Mapping[uuid.UUID, int]]:
    """The instrument of each row, in order, None if unrecognised; and whose token changed.

    Returns:
        The instruments; and by instrument that has another token by this, the one before.
    """
    known = _known(session, listings)
    return [_found(session, known, listing, now) for listing in listings], known.moved


def _known(session: Session, listings: Sequence[BrokerListing]) -> _KnownInstruments:
    isins = {listing.isin for listing in listings if listing.isin}
    by_isin: dict[str, Instrument] = {}
    for row in queries.instruments_by_isins(session, isins):
        if row.exchange == "NSE" or row.isin not in by_isin:
            by_isin[row.isin] = row
    former = queries.bearers_of_former_isins(session, isins - by_isin.keys())
    bearers = {
        listing.id: listing for listing in queries.instruments_by_ids(session, set(former.values()))
    }
    rest = {listing.name for listing in listings if listing.isin not in by_isin}
    renamed = [
        (listing, by_isin[listing.isin])
        for listing in listings
        if listing.isin in by_isin and _is_called_otherwise(by_isin[listing.isin], listing)
    ]
    listed = rest | {listing.name for listing, _ in renamed}
    listed |= {(instrument.exchange, instrument.symbol) for _, instrument in renamed}
    named = queries.instruments_by_symbols(session, {symbol for _, symbol in rest})
    return _KnownInstruments(
        by_isin,
        {isin: bearers[key] for isin, key in former.items() if key in bearers},
        {(row.exchange, row.symbol): row for row in named},
        queries.master_lines_named(session, listed) if listed else {},
    )


def _found(
    session: Session, known: _KnownInstruments, listing: BrokerListing, now: dt.datetime
) -> Instrument | None:
    if not listing.isin:
        namesake = known.by_name.get(listing.name)
        is_same = namesake is not None and listing.token in {0, namesake.zerodha_token}
        return namesake if is_same else None
    instrument = known.by_isin.get(listing.isin)
    if instrument is not None:
        if _is_called_otherwise(instrument, listing) and _is_newer(
            session, known, instrument, listing, now
        ):
            _renew(session, known, instrument, listing, now)
        return instrument
    if listing.isin in known.by_former_isin:
        return known.by_former_isin[listing.isin]
    namesake = known.by_name.get(listing.name)
    if namesake is not None:
        return _reissued(session, namesake, listing, now)
    line = known.lines.get(listing.name)
    if line is None or listing.token not in {line.zerodha_token, None}:
        return None
    return _added(session, line, listing, now)


def _is_called_otherwise(instrument: Instrument, listing: BrokerListing) -> bool:
    """Whether a broker has another symbol or token for an instrument, on its own exchange.

    A token that is none by the rule of the exchange's numbers says nothing.
    """
    return (
        listing.exchange == instrument.exchange
        and (listing.symbol, listing.token) != (instrument.symbol, instrument.zerodha_token)
        and bool(brokers.angel_token(listing.exchange, listing.token))
    )


def _renew(
    session: Session,
    known: _KnownInstruments,
    instrument: Instrument,
    listing: BrokerListing,
    now: dt.datetime,
) -> None:
    if listing.token != instrument.zerodha_token:
        known.moved.setdefault(instrument.id, instrument.zerodha_token)
    changes = {
        "symbol": [instrument.symbol, listing.symbol],
        "token": [instrument.zerodha_token, listing.token],
    }
    to = (listing.symbol, listing.token)
    rename(session, instrument, to, known.lines.get(listing.name), day_in_india(now))
    audit_log.record(
        session, SYSTEM, now, "instrument_renamed", ("instrument", instrument.id), changes
    )


def _is_newer(
    session: Session,
    known: _KnownInstruments,
    instrument: Instrument,
    listing: BrokerListing,
    now: dt.datetime,
) -> bool:
    """Whether what a broker calls an instrument now is newer than what we call it.

    The name in the newer list is. Where no list of today has ours, the broker's word is, unless
    it is a name that the instrument had before.
    """
    ours = _listed_on(known, (instrument.exchange, instrument.symbol), instrument.zerodha_token)
    theirs = _listed_on(known, listing.name, listing.token)
    if theirs != ours:
        is_newer = theirs > ours
        if is_newer or ours == day_in_india(now):
            return is_newer and _is_free(session, instrument, listing)
    elif ours != dt.date.min:
        return False
    return not _had_before(session, instrument, listing) and _is_free(session, instrument, listing)


def _listed_on(known: _KnownInstruments, name: tuple[str, str], token: int) -> dt.date:
    """The day of the newest list that has this symbol with this token; `date.min` for none."""
    line = known.lines.get(name)
    return seen_on(line) if line is not None and line.zerodha_token == token else dt.date.min


def _had_before(session: Session, instrument: Instrument, listing: BrokerListing) -> bool:
    former: Sequence[FormerName] = queries.former_names(session, instrument.id)
    return any((row.symbol, row.zerodha_token) == (listing.symbol, listing.token) for row in former)


def _is_free(session: Session, instrument: Instrument, listing: BrokerListing) -> bool:
    """Whether no other instrument has the symbol or the token."""
    namesake = queries.instrument_by_symbol(session, listing.exchange, listing.symbol)
    others = [namesake, *queries.instruments_by_tokens(session, [listing.token])]
    if all(other is None or other.id == instrument.id for other in others):
        return True
    log.warning("instrument_in_doubt", symbol=instrument.symbol, other=listing.symbol)
    return False


def _reissued(
    session: Session, namesake: Instrument, listing: BrokerListing, now: dt.datetime
) -> Instrument | None:
    """The instrument of the same symbol under its new ISIN, as after a split.

    Another token says that the symbol was given to another company: then it is not.
    """
    if namesake.zerodha_token != listing.token:
        return None
    reissue(session, namesake, listing.isin, day_in_india(now), now)
    return namesake


def _added(
    session: Session, line: MasterLine, listing: BrokerListing, now: dt.datetime
) -> Instrument:
    added = Instrument(
        id=new_id(),
        exchange=listing.exchange,
        symbol=listing.symbol,
        name=line.name or listing.symbol,
        isin=listing.isin,
        series="EQ",
        sector="",
        tick_size=line.tick_size if line.tick_size > 0 else Rupees("0.05"),
        lot_size=max(1, line.lot_size),
        zerodha_token=listing.token,
        angel_token=line.angel_token,
        reference_close=rounded(listing.last_price or ZERO, PLACES),
        reference_on=day_in_india(now),
        is_active=True,
    )
    session.add(added)
    session.flush()
    changes = {"symbol": listing.symbol, "exchange": listing.exchange, "isin": listing.isin}
    audit_log.record(session, SYSTEM, now, "instrument_added", ("instrument", added.id), changes)
    return added


def former_isins(session: Session, instrument_id: uuid.UUID) -> list[tuple[str, str, dt.date]]:
    """Symbol, ISIN and until when, of what an instrument was called before; newest first."""
    return [
        (row.symbol, row.isin, row.until) for row in queries.former_names(session, instrument_id)
    ]
