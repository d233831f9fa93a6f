"""Which stocks the feed follows, and what wakes it when they change.

Every commit that writes to one of `TABLES` wakes the feed of each process, over the message bus. A
commit wakes the feed: no caller can forget to report a new stock or a new holding.
"""

import datetime as dt
import uuid
from collections.abc import Callable
from typing import Final

from sqlalchemy import TableClause, UpdateBase, event
from sqlalchemy.orm import ORMExecuteState, Session

from tarazu.firm import service as firm
from tarazu.instruments import service as instruments
from tarazu.instruments.service import Listed
from tarazu.kit.db import Database, parts_of
from tarazu.kit.pubsub import MessageBus
from tarazu.prices import service
from tarazu.prices.book import PriceBook

FOLLOWED_CHANGED: Final = "followed-stocks-changed"
"""The bus topic of a commit that may have changed which stocks are followed."""
TABLES: Final = frozenset({"accounts", "holidays", "instruments", "price_steps", "watches"})
"""What is held (each change of holdings writes to the account), watched, what brokers call it, what
corporate actions did to its price, and when the market is open."""

FollowedIds = Callable[[Session], set[uuid.UUID]]
"""Returns the instruments that are held, advised or watched."""

_HAS_CHANGED: Final = "tarazu_followed_changed"


class FollowedStocks:
    """The stocks whose prices are followed, as last read from the database."""

    def __init__(self, database: Database, ids: FollowedIds) -> None:
        self._database, self._ids = database, ids
        self.stocks: dict[uuid.UUID, Listed] = {}
        self.tokens: frozenset[int] = frozenset()
        self.holidays: frozenset[dt.date] = frozenset()

    def read(self, book: PriceBook) -> dict[uuid.UUID, Listed]:
        """The stocks to follow now. A stock without a price gets its last known one in the book."""
        with self._database.reading() as session:
            self.holidays = frozenset(firm.holidays(session))
            service.follow_steps(session, book)
            ids = self._ids(session)
            # The brokers may have changed a stock's symbol or token since it was read.
            names = instruments.names(session)
            known = {
                key: stock
                for key, stock in self.stocks.items()
                if key in ids and names.get(key) == stock.name_at_brokers
            }
            new = instruments.by_ids(session, ids - known.keys())
            if {stock.instrument_token for stock in new.values()} - book.tokens():
                # Listed after the book was filled: its last close must not be missing.
                service.fill(session, book)
            return known | new

    def replace(self, stocks: dict[uuid.UUID, Listed]) -> frozenset[int]:
        """Follow these stocks; returns the tokens that are new."""
        tokens = frozenset(stock.instrument_token for stock in stocks.values())
        added = tokens - self.tokens
        self.stocks, self.tokens = stocks, tokens
        return added


def publish_changes(database: Database, bus: MessageBus) -> None:
    """Publish `FOLLOWED_CHANGED` after each commit on the database that writes to `TABLES`."""
    database.parts[MessageBus] = bus
    event.listen(database.sessions, "after_flush", _note_flush)
    event.listen(database.sessions, "do_orm_execute", _note_statement)
    event.listen(database.sessions, "after_commit", _publish)


# SQLAlchemy keeps listeners as long as the process runs: these hold no database.
def _note_flush(session: Session, _: object) -> None:
    changed = (*session.new, *session.dirty, *session.deleted)
    if any(row.__tablename__ in TABLES for row in changed):
        session.info[_HAS_CHANGED] = True


def _note_statement(state: ORMExecuteState) -> None:
    statement = state.statement
    table = statement.table if isinstance(statement, UpdateBase) else None
    if isinstance(table, TableClause) and table.name in TABLES:
        state.session.info[_HAS_CHANGED] = True


def _publish(session: Session) -> None:
    # The end of a savepoint is not a commit.
    if not session.in_nested_transaction() and session.info.pop(_HAS_CHANGED, False):
        bus: MessageBus = parts_of(session)[MessageBus]
        bus.publish(FOLLOWED_CHANGED, b"")
