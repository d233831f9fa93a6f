"""Which instrument a broker means: by ISIN and its history, else by exchange and symbol.

The order, for a line with an ISIN: the instrument that has it, on NSE where two exchanges have
it, so that shares are never counted as two holdings; the one that had it once; the one of the
same symbol and token, whose ISIN then has changed, as by a split; a new one, where the brokers'
own list has the line with that token. A line without an ISIN is joined by symbol and token.
"""

import datetime as dt
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy.orm import Session

from tarazu.domain.money import ZERO, Rupees, rounded
from tarazu.instruments import queries
from tarazu.instruments.masters import keep_former_name
from tarazu.instruments.tables import Instrument, MasterLine
from tarazu.kit import trail
from tarazu.kit.clock import day_in_india
from tarazu.kit.db import new_id
from tarazu.kit.trail import SYSTEM

PLACES = 4


@dataclass(frozen=True, slots=True)
class Sighting:
    """A line as a broker tells it; no ISIN is an empty text, no price None."""

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
class Known:
    """What there is of all lines of one answer, read at once."""

    by_isin: Mapping[str, Instrument]
    by_former: Mapping[str, Instrument]
    by_name: Mapping[tuple[str, str], Instrument]
    lines: Mapping[tuple[str, str], MasterLine]


def locate(
    session: Session, sightings: Sequence[Sighting], now: dt.datetime
) -> list[Instrument | None]:
    """The instrument of each line, in order; None where nobody can tell."""
    known = _known(session, sightings)
    return [_found(session, known, one, now) for one in sightings]


def _known(session: Session, sightings: Sequence[Sighting]) -> Known:
    isins = {one.isin for one in sightings if one.isin}
    by_isin: dict[str, Instrument] = {}
    for row in queries.instruments_by_isins(session, isins):
        if row.exchange == "NSE" or row.isin not in by_isin:
            by_isin[row.isin] = row
    former = queries.bearers_of_former_isins(session, isins - by_isin.keys())
    bearers = {one.id: one for one in queries.instruments_by_ids(session, set(former.values()))}
    rest = {one.name for one in sightings if one.isin not in by_isin}
    named = queries.instruments_by_symbols(session, {symbol for _, symbol in rest})
    return Known(
        by_isin,
        {isin: bearers[key] for isin, key in former.items() if key in bearers},
        {(row.exchange, row.symbol): row for row in named},
        queries.master_lines_named(session, rest) if rest else {},
    )


def _found(session: Session, known: Known, one: Sighting, now: dt.datetime) -> Instrument | None:
    if not one.isin:
        namesake = known.by_name.get(one.name)
        is_same = namesake is not None and one.token in {0, namesake.zerodha_token}
        return namesake if is_same else None
    bearer = known.by_isin.get(one.isin) or known.by_former.get(one.isin)
    if bearer is not None:
        return bearer
    namesake = known.by_name.get(one.name)
    if namesake is not None:
        return _reissued(session, namesake, one, now)
    line = known.lines.get(one.name)
    if line is None or one.token not in {line.zerodha_token, None}:
        return None
    return _added(session, line, one, now)


def _reissued(
    session: Session, namesake: Instrument, one: Sighting, now: dt.datetime
) -> Instrument | None:
    """The instrument of the same symbol under its new ISIN, as after a split.

    Another token says that the symbol was given to another company: then it is not.
    """
    if namesake.zerodha_token != one.token:
        return None
    keep_former_name(session, namesake, day_in_india(now))
    changes = {"symbol": one.symbol, "isin": [namesake.isin, one.isin]}
    namesake.isin = one.isin
    session.flush()
    trail.record(session, SYSTEM, now, "isin_changed", ("instrument", namesake.id), changes)
    return namesake


def _added(session: Session, line: MasterLine, one: Sighting, now: dt.datetime) -> Instrument:
    added = Instrument(
        id=new_id(),
        exchange=one.exchange,
        symbol=one.symbol,
        name=line.name or one.symbol,
        isin=one.isin,
        series="EQ",
        sector="",
        tick_size=line.tick_size if line.tick_size > 0 else Rupees("0.05"),
        lot_size=max(1, line.lot_size),
        zerodha_token=one.token,
        angel_token=line.angel_token,
        reference_close=rounded(one.last_price or ZERO, PLACES),
        reference_on=day_in_india(now),
        is_active=True,
    )
    session.add(added)
    session.flush()
    changes = {"symbol": one.symbol, "exchange": one.exchange, "isin": one.isin}
    trail.record(session, SYSTEM, now, "instrument_added", ("instrument", added.id), changes)
    return added


def former_isins(session: Session, instrument_id: uuid.UUID) -> list[tuple[str, str, dt.date]]:
    """Symbol, ISIN and until when, of what an instrument was called before; newest first."""
    return [
        (row.symbol, row.isin, row.until) for row in queries.former_names(session, instrument_id)
    ]
