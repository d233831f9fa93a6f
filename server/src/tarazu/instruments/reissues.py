"""A share's new ISIN, as after a split of its face value: on its instrument, and off it again."""

import datetime as dt

import structlog
from sqlalchemy.orm import Session

from tarazu.instruments import queries
from tarazu.instruments.masters import store_former_name
from tarazu.instruments.tables import Instrument
from tarazu.kit import audit_log
from tarazu.kit.audit_log import SYSTEM

log = structlog.get_logger()


def reissue(
    session: Session, instrument: Instrument, isin: str, until: dt.date, now: dt.datetime
) -> None:
    """Give an instrument another ISIN; the one before is stored as its ISIN until that day."""
    store_former_name(session, instrument, until)
    _set_isin(session, instrument, isin, now)


def follow_split(
    session: Session, isin: str, new_isin: str, ex_on: dt.date, now: dt.datetime
) -> int:
    """Give the instruments with an ISIN the one after a split; return how many.

    None has it any more where a broker brought the new one first. An instrument on an exchange
    where another one has the new ISIN already is left as it is: one of them is in doubt.
    """
    bearers = queries.instruments_by_isins(session, [isin, new_isin])
    taken = {row.exchange for row in bearers if row.isin == new_isin}
    followed = 0
    for instrument in bearers:
        if instrument.isin == new_isin:
            continue
        if instrument.exchange in taken:
            log.warning("instrument_in_doubt", symbol=instrument.symbol, isin=new_isin)
            continue
        reissue(session, instrument, new_isin, ex_on, now)
        followed += 1
    return followed


def undo_split(session: Session, isin: str, new_isin: str, ex_on: dt.date, now: dt.datetime) -> int:
    """Give the instruments that followed a split on its ex-date their ISIN back; return how many.

    A new ISIN that a broker brought on another day stays.
    """
    undone = 0
    for instrument in queries.instruments_by_isins(session, [new_isin]):
        former = queries.former_names(session, instrument.id)
        if any((row.isin, row.until) == (isin, ex_on) for row in former):
            _set_isin(session, instrument, isin, now)
            undone += 1
    return undone


def _set_isin(session: Session, instrument: Instrument, isin: str, now: dt.datetime) -> None:
    changes = {"symbol": instrument.symbol, "isin": [instrument.isin, isin]}
    instrument.isin = isin
    session.flush()
    audit_log.record(session, SYSTEM, now, "isin_changed", ("instrument", instrument.id), changes)
