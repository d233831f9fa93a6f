"""Which instrument a broker means: by ISIN and its history, else by exchange and symbol.

The order, for a line with an ISIN: the instrument that has it, on NSE where two exchanges have
it, so that shares are never counted as two holdings; the one that had it once; the one of the
same symbol and token, whose ISIN then has changed, as by a split; a new one, where the brokers'
own list has the line with that token. A line without an ISIN is joined by symbol and token.

An instrument that is found by its ISIN and has another symbol or token at the broker is renewed,
unless the brokers' lists speak against it: brokers take up a new name on different days.
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
from tarazu.instruments.masters import keep_former_name, rename, seen_on
from tarazu.instruments.tables import FormerName, Instrument, MasterLine
from tarazu.kit import audit_log
from tarazu.kit.audit_log import SYSTEM
from tarazu.kit.clock import day_in_india
from tarazu.kit.db import new_id

log = structlog.get_logger()

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
    """What there is of all lines of one answer, read at once.

    `moved` are the instruments that have another token by this answer, with the one before.
    """

    by_isin: Mapping[str, Instrument]
    by_former: Mapping[str, Instrument]
    by_name: Mapping[tuple[str, str], Instrument]
    lines: Mapping[tuple[str, str], MasterLine]
    moved: dict[uuid.UUID, int] = field(default_factory=dict)


def locate(
    session: Session, sightings: Sequence[Sighting], now: dt.datetime
) -> tuple[list[Instrument | None], Mapping[uuid.UUID, int]]:
    """The instrument of each line, in order, None where nobody can tell; and whose token moved.

    Returns:
        The instruments; and by instrument that has another token by this, the one before.
    """
    known = _known(session, sightings)
    return [_found(session, known, one, now) for one in sightings], known.moved


def _known(session: Session, sightings: Sequence[Sighting]) -> Known:
    isins = {one.isin for one in sightings if one.isin}
    by_isin: dict[str, Instrument] = {}
    for row in queries.instruments_by_isins(session, isins):
        if row.exchange == "NSE" or row.isin not in by_isin:
            by_isin[row.isin] = row
    former = queries.bearers_of_former_isins(session, isins - by_isin.keys())
    bearers = {one.id: one for one in queries.instruments_by_ids(session, set(former.values()))}
    rest = {one.name for one in sightings if one.isin not in by_isin}
    renamed = [
        (one, by_isin[one.isin])
        for one in sightings
        if one.isin in by_isin and _is_called_otherwise(by_isin[one.isin], one)
    ]
    listed = rest | {one.name for one, _ in renamed}
    listed |= {(bearer.exchange, bearer.symbol) for _, bearer in renamed}
    named = queries.instruments_by_symbols(session, {symbol for _, symbol in rest})
    return Known(
        by_isin,
        {isin: bearers[key] for isin, key in former.items() if key in bearers},
        {(row.exchange, row.symbol): row for row in named},
        queries.master_lines_named(session, listed) if listed else {},
    )


def _found(session: Session, known: Known, one: Sighting, now: dt.datetime) -> Instrument | None:
    if not one.isin:
        namesake = known.by_name.get(one.name)
        is_same = namesake is not None and one.token in {0, namesake.zerodha_token}
        return namesake if is_same else None
    bearer = known.by_isin.get(one.isin)
    if bearer is not None:
        if _is_called_otherwise(bearer, one) and _is_newer(session, known, bearer, one, now):
            _renew(session, known, bearer, one, now)
        return bearer
    if one.isin in known.by_former:
        return known.by_former[one.isin]
    namesake = known.by_name.get(one.name)
    if namesake is not None:
        return _reissued(session, namesake, one, now)
    line = known.lines.get(one.name)
    if line is None or one.token not in {line.zerodha_token, None}:
        return None
    return _added(session, line, one, now)


def _is_called_otherwise(bearer: Instrument, one: Sighting) -> bool:
    """Whether a broker tells another symbol or token of an instrument, on its own exchange.

    A token that is none by the rule of the exchange's numbers says nothing.
    """
    return (
        one.exchange == bearer.exchange
        and (one.symbol, one.token) != (bearer.symbol, bearer.zerodha_token)
        and bool(brokers.angel_token(one.exchange, one.token))
    )


def _renew(
    session: Session, known: Known, bearer: Instrument, one: Sighting, now: dt.datetime
) -> None:
    if one.token != bearer.zerodha_token:
        known.moved.setdefault(bearer.id, bearer.zerodha_token)
    changes = {
        "symbol": [bearer.symbol, one.symbol],
        "token": [bearer.zerodha_token, one.token],
    }
    to = (one.symbol, one.token)
    rename(session, bearer, to, known.lines.get(one.name), day_in_india(now))
    audit_log.record(session, SYSTEM, now, "instrument_renamed", ("instrument", bearer.id), changes)


def _is_newer(
    session: Session, known: Known, bearer: Instrument, one: Sighting, now: dt.datetime
) -> bool:
    """Whether what a broker calls an instrument now is newer than what we call it.

    The name in the newer list is. Where no list of today has ours, the broker's word is, unless
    it is a name that the instrument had before.
    """
    ours = _listed_on(known, (bearer.exchange, bearer.symbol), bearer.zerodha_token)
    theirs = _listed_on(known, one.name, one.token)
    if theirs != ours:
        is_newer = theirs > ours
        if is_newer or ours == day_in_india(now):
            return is_newer and _is_free(session, bearer, one)
    elif ours != dt.date.min:
        return False
    return not _had_before(session, bearer, one) and _is_free(session, bearer, one)


def _listed_on(known: Known, name: tuple[str, str], token: int) -> dt.date:
    """The day of the newest list that has this symbol with this token; `date.min` for none."""
    line = known.lines.get(name)
    return seen_on(line) if line is not None and line.zerodha_token == token else dt.date.min


def _had_before(session: Session, bearer: Instrument, one: Sighting) -> bool:
    former: Sequence[FormerName] = queries.former_names(session, bearer.id)
    return any((row.symbol, row.zerodha_token) == (one.symbol, one.token) for row in former)


def _is_free(session: Session, bearer: Instrument, one: Sighting) -> bool:
    """Whether no other instrument has the symbol or the token."""
    namesake = queries.instrument_by_symbol(session, one.exchange, one.symbol)
    others = [namesake, *queries.instruments_by_tokens(session, [one.token])]
    if all(other is None or other.id == bearer.id for other in others):
        return True
    log.warning("instrument_in_doubt", symbol=bearer.symbol, other=one.symbol)
    return False


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
    audit_log.record(session, SYSTEM, now, "isin_changed", ("instrument", namesake.id), changes)
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
    audit_log.record(session, SYSTEM, now, "instrument_added", ("instrument", added.id), changes)
    return added


def former_isins(session: Session, instrument_id: uuid.UUID) -> list[tuple[str, str, dt.date]]:
    """Symbol, ISIN and until when, of what an instrument was called before; newest first."""
    return [
        (row.symbol, row.isin, row.until) for row in queries.former_names(session, instrument_id)
    ]
