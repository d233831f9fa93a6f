"""Timed work on instruments: the brokers' lists, once on each business day."""

import datetime as dt
import tempfile
import uuid
from collections.abc import Iterator
from typing import BinaryIO

import structlog

from tarazu.brokers import service as brokers
from tarazu.brokers.service import BrokerFault, BrokerPort, LiveBrokerSession, MasterRow
from tarazu.brokers.tables import BrokerName
from tarazu.domain.calendar import is_business_day
from tarazu.firm import service as firm
from tarazu.instruments import masters
from tarazu.instruments.masters import EXCHANGES, SHARES, MasterListRow
from tarazu.kit.clock import INDIA, day_in_india
from tarazu.kit.db import Database
from tarazu.kit.processes import own_id

log = structlog.get_logger()

MADE_BY = dt.time(8, 45, tzinfo=INDIA)
"""The brokers make their lists at about half past eight."""


def read_masters(
    database: Database, gateway: brokers.Gateway, now: dt.datetime
) -> dict[uuid.UUID, int]:
    """Read the lists that are due, each by one process; the former tokens of what has another now.

    A list is written to a file and read from there line by line, so that it is never in memory
    as a whole. Zerodha's needs a session; Angel One's is public, but its app must be set up.
    """
    today = day_in_india(now)
    with database.reading() as session:
        is_due = now >= dt.datetime.combine(today, MADE_BY)
        if not is_due or not is_business_day(today, firm.holidays(session)):
            return {}
        ways = brokers.sessions_for_instrument_lists(session, now)
    moved: dict[uuid.UUID, int] = {}
    for live in ways:
        with database.transaction() as session:
            is_ours = masters.claim_read(session, live.broker, today, own_id(), now)
        if is_ours:
            moved = read_master(database, gateway, live, today, now) | moved
    return moved


def read_master(
    database: Database,
    gateway: brokers.Gateway,
    live: LiveBrokerSession,
    day: dt.date,
    now: dt.datetime,
) -> dict[uuid.UUID, int]:
    """Read one broker's list; by instrument whose token is another now, the one before."""
    with tempfile.TemporaryFile() as into:
        try:
            broker = gateway.run(live.broker, live.app, lambda port: _fetched(port, live, into))
            into.seek(0)
            lines = masters.store_lines(
                database, live.broker, day, _lines(broker.read_master(into))
            )
        except BrokerFault as fault:
            log.warning("master_not_read", broker=live.broker, reason=fault.reason)
            with database.transaction() as session:
                masters.fail_read(session, live.broker, day, fault.reason)
            return {}
    with database.transaction() as session:
        return masters.finish_read(session, BrokerName(live.broker), day, now, lines).moved


async def _fetched(broker: BrokerPort, live: LiveBrokerSession, into: BinaryIO) -> BrokerPort:
    await broker.fetch_master(live.login, into)
    return broker


def _lines(rows: Iterator[MasterRow]) -> Iterator[MasterListRow]:
    for row in rows:
        if row.kind == SHARES and row.exchange in EXCHANGES:
            yield MasterListRow(
                row.exchange,
                row.symbol,
                row.name,
                row.token,
                row.angel_token,
                row.tick_size,
                row.lot_size,
            )
