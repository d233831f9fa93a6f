"""How many shares a client held some time ago, as far as readings showed it."""

import datetime as dt
import uuid

from sqlalchemy.orm import Session

from tarazu.kit.clock import start_of
from tarazu.portfolio import pending_queries, queries


class PastShares:
    """What readings showed of a client's holdings since an instant.

    Attributes:
        stocks: the instruments that the client held at any time since then.
    """

    def __init__(self, session: Session, client_id: uuid.UUID, since: dt.datetime) -> None:
        reading = pending_queries.readings_of(session, [client_id]).get(client_id)
        self._first = None if reading is None else reading.first_synced_at
        self._held = {
            row.instrument_id: row.quantity for row in queries.holdings_of(session, client_id)
        }
        self._changes = pending_queries.changes_of_client(session, client_id, since)
        self.stocks = self._held.keys() | self._changes.keys()
        self._actions = pending_queries.rows_of(session, [client_id], self.stocks)

    def at(self, stock: uuid.UUID, instant: dt.datetime) -> int | None:
        """The shares that were held; None where the readings do not tell.

        They do not before the first one, nor while shares of a corporate action were not credited.
        """
        if self._first is None or self._first > instant:
            return None
        if any(
            row.instrument_id == stock
            and start_of(row.since) < instant
            and (row.credited_at is None or row.credited_at > instant)
            for row in self._actions
        ):
            return None
        later = [change for change in self._changes.get(stock, ()) if change.at > instant]
        return later[0].before if later else self._held.get(stock, 0)
