"""What changed today: the clients whose value moved most since the last daily close."""

import datetime as dt
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy.orm import Session

from tarazu.firm import service as firm
from tarazu.kit.clock import day_in_india, start_of
from tarazu.people import service as people
from tarazu.portfolio import service as portfolio
from tarazu.portfolio.service import ValueChange
from tarazu.prices import service as prices
from tarazu.teams.service import ALL_CLIENTS, VisibleClients

MOST: Final = 5
"""Clients that rose, and as many that fell."""


@dataclass(frozen=True, slots=True)
class Mover:
    """A client with the value now and its change since the close, in units; see `ValueChange`.

    `stale_since` is the time of the oldest price of the shares held, if it is before the last
    close.
    """

    id: uuid.UUID
    client_id: str
    name: str
    value: int
    change: int
    change_percentage: int | None
    stale_since: dt.datetime | None


@dataclass(frozen=True, slots=True)
class Movers:
    """The clients that moved most since the close of `closed_on`, most first.

    `left_out` counts clients with a suspected split or bonus, whose value is not known.
    """

    closed_on: dt.date
    rising: Sequence[Mover]
    falling: Sequence[Mover]
    left_out: int


def movers(
    session: Session, now: dt.datetime, visible: VisibleClients = ALL_CLIENTS
) -> Movers | None:
    """The five that rose most and the five that fell most; None before the first daily close.

    Cash flows since the close are no change. For sessions that read.
    """
    doubted = visible.among(portfolio.suspected_holdings(session))
    changes = portfolio.day_changes(session, day_in_india(now), MOST, doubted, visible)
    if changes is None:
        return None
    ids = [change.client_id for change in (*changes.rising, *changes.falling)]
    clients = {client.id: client for client in people.summaries_of(session, ids)}
    fresh_from = start_of(prices.day_of_last_close(now, firm.holidays(session)))
    oldest = portfolio.oldest_prices(session, ids)

    def mover(change: ValueChange) -> Mover:
        client, oldest_at = clients[change.client_id], oldest.get(change.client_id)
        is_stale = oldest_at is not None and oldest_at < fresh_from
        return Mover(
            client.id,
            client.code,
            client.name,
            change.value,
            change.change,
            change.points,
            oldest_at if is_stale else None,
        )

    return Movers(
        changes.closed_on,
        [mover(change) for change in changes.rising],
        [mover(change) for change in changes.falling],
        len(doubted),
    )
