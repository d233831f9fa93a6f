"""The brokers' lists of instruments: stored row by row, and applied to our instruments.

The lists have no ISIN, so a line alone makes no instrument: it confirms the symbol and the tokens
of one that is known, renames it where its token has another symbol now, follows it into another
series, and is used for stocks that a client turns out to hold. Derivatives and indices are
left out: nobody holds them as shares.
"""

import datetime as dt
import uuid
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import structlog
from sqlalchemy.orm import Session

from tarazu.brokers.tables import BrokerName
from tarazu.domain.money import Rupees
from tarazu.instruments import queries
from tarazu.instruments.tables import Instrument, MasterLine, MasterRead
from tarazu.kit import audit_log
from tarazu.kit.audit_log import SYSTEM
from tarazu.kit.db import Database, acquire_lock
from tarazu.kit.locks import AdvisoryLock

log = structlog.get_logger()

EXCHANGES = frozenset({"NSE", "BSE"})
SHARES = "EQ"
SERIES = ("-BE", "-BZ", "-SM", "-ST")
"""Of NSE, as the end of a symbol; EQ has none. A share is in one of them at a time: it goes into
another when it comes under surveillance, or from the SME board to the main one."""
LINES_AT_ONCE = 1_000
_ZERODHA_COLUMNS = ("name", "tick_size", "lot_size", "zerodha_token", "zerodha_on")
_ANGEL_COLUMNS = ("angel_token", "angel_on")
AGAIN_AFTER = dt.timedelta(minutes=10)
"""From the start of a failed reading to the next one."""


@dataclass(frozen=True, slots=True)
class MasterListRow:
    """One share of a broker's list. `zerodha_token` is None where no rule gives it."""

    exchange: str
    symbol: str
    name: str
    zerodha_token: int | None
    angel_token: str
    tick_size: Rupees
    lot_size: int


@dataclass(slots=True)
class MasterChanges:
    """What a list changed in our instruments: how many of each, and whose token is another.

    `moved` has the token before, by instrument.
    """

    renamed: int = 0
    moved: dict[uuid.UUID, int] = field(default_factory=dict)
    completed: int = 0
    in_doubt: int = 0


def claim_read(
    session: Session, broker: BrokerName, day: dt.date, owner: str, now: dt.datetime
) -> bool:
    """Whether the broker's list of that day is to be read now.

    A list is read once a day, after a failure again. Processes take turns at the job that asks, so
    a reading that is not over is that of a process that died.
    """
    acquire_lock(session, AdvisoryLock.INSTRUMENT_LISTS)
    row = queries.master_read(session, broker, day)
    if row is None:
        session.add(
            MasterRead(
                broker=broker,
                day=day,
                owner=owner,
                begun_at=now,
                finished_at=None,
                lines=0,
                outcome="",
            )
        )
        session.flush()
        return True
    has_failed = bool(row.outcome) and now - row.begun_at < AGAIN_AFTER
    if row.finished_at is not None or has_failed:
        return False
    row.owner, row.begun_at, row.outcome = owner, now, ""
    session.flush()
    return True


def store_lines(
    database: Database, broker: BrokerName, day: dt.date, lines: Iterable[MasterListRow]
) -> int:
    """Store the shares of a list in short transactions; return how many."""
    stored = 0
    is_zerodha = broker == BrokerName.ZERODHA
    details = _ZERODHA_COLUMNS if is_zerodha else _ANGEL_COLUMNS
    for batch in _batches(line for line in lines if line.exchange in EXCHANGES):
        rows = [_row(line, day, is_zerodha=is_zerodha) for line in batch]
        with database.transaction() as session:
            queries.save_master_lines(session, rows, details)
        stored += len(rows)
    return stored


def finish_read(
    session: Session, broker: BrokerName, day: dt.date, now: dt.datetime, lines: int
) -> MasterChanges:
    """Carry the list over to our instruments, and record that it was read."""
    changes = MasterChanges()
    named = _newest_lines(queries.lines_of_instruments(session, by_token=False))
    by_token = _newest_lines(queries.lines_of_instruments(session, by_token=True))
    missing: list[Instrument] = []
    for instrument in queries.all_instruments(session):
        both = named.get(instrument.id), by_token.get(instrument.id)
        if any(line is not None and seen_on(line) == day for line in both):
            _update(session, day, instrument, both, changes)
        else:
            missing.append(instrument)
    _follow_series(session, missing, day, changes)
    row = queries.master_read(session, broker, day)
    if row is not None:
        row.finished_at, row.lines = now, lines
        row.outcome = f"{changes.renamed} renamed, {len(changes.moved)} with another token"
    session.flush()
    if changes.renamed or changes.moved:
        details = {"renamed": changes.renamed, "tokens": len(changes.moved), "broker": broker}
        audit_log.record(
            session, SYSTEM, now, "instruments_renewed", ("day", day.isoformat()), details
        )
    log.info("master_read", broker=broker, lines=lines, renamed=changes.renamed)
    return changes


def fail_read(session: Session, broker: BrokerName, day: dt.date, reason: str) -> None:
    """Record that a reading failed; it is tried again when its time is over."""
    row = queries.master_read(session, broker, day)
    if row is not None and row.finished_at is None:
        row.outcome = reason[:200]


def _follow_series(
    session: Session, missing: Sequence[Instrument], day: dt.date, changes: MasterChanges
) -> None:
    """Renew the instruments that the list of a day has in another series alone."""
    siblings = {share.id: _in_other_series(share) for share in missing if share.exchange == "NSE"}
    names = {name for several in siblings.values() for name in several}
    lines = queries.master_lines_named(session, names)
    for instrument in missing:
        candidates = [lines[name] for name in siblings.get(instrument.id, ()) if name in lines]
        today = [line for line in candidates if seen_on(line) == day and line.zerodha_token]
        if len(today) != 1:
            continue
        (line,) = today
        token = int(line.zerodha_token or 0)
        namesake = queries.instrument_by_symbol(session, line.exchange, line.symbol)
        if namesake is None and _is_token_free(session, instrument, token):
            changes.moved[instrument.id] = instrument.zerodha_token
            rename(session, instrument, (line.symbol, token), line, day)
            changes.renamed += 1


def _in_other_series(instrument: Instrument) -> list[tuple[str, str]]:
    """The exchange and symbols of the same share in the other series."""
    base = instrument.symbol
    for series in SERIES:
        base = base.removesuffix(series)
    symbols = [base, *(base + series for series in SERIES)]
    return [("NSE", symbol) for symbol in symbols if symbol != instrument.symbol]


def _is_token_free(session: Session, instrument: Instrument, token: int) -> bool:
    others = queries.instruments_by_tokens(session, [token])
    return all(other.id == instrument.id for other in others)


def rename(
    session: Session,
    instrument: Instrument,
    to: tuple[str, int],
    line: MasterLine | None,
    day: dt.date,
) -> None:
    """Give an instrument another symbol and Zerodha token; the former ones are stored.

    Args:
        session: the caller's.
        instrument: what is renamed.
        to: its symbol and token from now on.
        line: that of the brokers' lists, where they have one.
        day: until which it was called as before.
    """
    symbol, token = to
    store_former_name(session, instrument, day)
    instrument.symbol, instrument.zerodha_token = symbol, token
    ending = next((series for series in SERIES if symbol.endswith(series)), "")
    instrument.series = ending.removeprefix("-") or SHARES
    # Without one it follows from Zerodha's.
    instrument.angel_token = line.angel_token if line is not None else None
    if line is not None and line.name:
        instrument.name = line.name
    session.flush()


def _update(
    session: Session,
    day: dt.date,
    instrument: Instrument,
    lines: tuple[MasterLine | None, MasterLine | None],
    changes: MasterChanges,
) -> None:
    """Update one instrument from the row with its symbol and the row with its token."""
    here, there = lines
    if here is not None and there is not None and seen_on(here) < day:
        # Of an older list: the symbol is gone since, and the token says where to.
        here = here if there is here else None
    if here is not None and there is not None and here is not there:
        # Token and symbol point to different rows: either may belong to another share now.
        changes.in_doubt += 1
        log.warning("instrument_in_doubt", symbol=instrument.symbol, other=there.symbol)
        return
    line = here or there
    if line is None:
        return
    _update_details(instrument, line, changes)
    is_free = queries.instrument_by_symbol(session, line.exchange, line.symbol) is None
    if line.symbol != instrument.symbol and line.exchange == instrument.exchange and is_free:
        store_former_name(session, instrument, day)
        instrument.symbol = line.symbol
        instrument.name = line.name or instrument.name
        changes.renamed += 1
    elif line.zerodha_token not in {None, instrument.zerodha_token}:
        _move_token(session, day, instrument, line, changes)
    session.flush()


def _move_token(
    session: Session, day: dt.date, instrument: Instrument, line: MasterLine, changes: MasterChanges
) -> None:
    """Give an instrument the token of its row, unless another instrument has it."""
    token = int(line.zerodha_token or 0)
    if not _is_token_free(session, instrument, token):
        changes.in_doubt += 1
        log.warning("instrument_in_doubt", symbol=instrument.symbol, other=line.symbol)
        return
    store_former_name(session, instrument, day)
    changes.moved[instrument.id] = instrument.zerodha_token
    instrument.zerodha_token = token
    if line.angel_on != day:
        # Of the token before; until Angel One's list is read it follows from Zerodha's.
        instrument.angel_token = None


def _newest_lines(rows: Iterable[Any]) -> dict[uuid.UUID, MasterLine]:
    """The row of each instrument; of two, the one seen last."""
    return {row[0].id: row[1] for row in sorted(rows, key=lambda row: seen_on(row[1]))}


def seen_on(line: MasterLine) -> dt.date:
    """The day of the newest list that has the line."""
    return max(day for day in (line.zerodha_on, line.angel_on, dt.date.min) if day is not None)


def _update_details(instrument: Instrument, line: MasterLine, changes: MasterChanges) -> None:
    before = (instrument.tick_size, instrument.angel_token)
    if line.zerodha_on is not None and line.tick_size > 0:
        instrument.tick_size = line.tick_size
    if line.angel_token:
        instrument.angel_token = line.angel_token
    changes.completed += before != (instrument.tick_size, instrument.angel_token)


def store_former_name(session: Session, instrument: Instrument, until: dt.date) -> None:
    """Store the current names and tokens of an instrument before they change."""
    queries.add_former_name(
        session,
        {
            "instrument_id": instrument.id,
            "until": until,
            "exchange": instrument.exchange,
            "symbol": instrument.symbol,
            "isin": instrument.isin,
            "zerodha_token": instrument.zerodha_token,
            "angel_token": instrument.angel_token,
        },
    )


def _row(line: MasterListRow, day: dt.date, *, is_zerodha: bool) -> dict[str, object]:
    return {
        "exchange": line.exchange,
        "symbol": line.symbol,
        "name": line.name,
        "zerodha_token": line.zerodha_token,
        "angel_token": line.angel_token or None,
        "tick_size": line.tick_size,
        "lot_size": line.lot_size,
        "zerodha_on": day if is_zerodha else None,
        "angel_on": None if is_zerodha else day,
    }


def _batches(lines: Iterable[MasterListRow]) -> Iterator[Sequence[MasterListRow]]:
    rest = iter(lines)
    while batch := {(row.exchange, row.symbol): row for row in islice(rest, LINES_AT_ONCE)}:
        yield tuple(batch.values())
