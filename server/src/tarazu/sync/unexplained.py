"""Changes of holdings that no order explains, without those that a corporate action explains.

The changes stay stored: without the action they are unexplained again.
"""

import uuid
from collections import Counter
from collections.abc import Sequence

from sqlalchemy.orm import Session

from tarazu.portfolio import service as portfolio
from tarazu.sync import queries
from tarazu.sync.tables import QuantityChange


def changes_of(session: Session, client_id: uuid.UUID) -> list[QuantityChange]:
    """A client's changes that nobody has seen yet, newest first."""
    return _without_credits(session, queries.changes_of(session, client_id))


def unseen_counts(session: Session) -> dict[uuid.UUID, int]:
    """By client, how many changes nobody has seen yet."""
    return Counter(row.client_id for row in _without_credits(session, queries.unseen(session)))


def _without_credits(session: Session, changes: Sequence[QuantityChange]) -> list[QuantityChange]:
    if not changes:
        return []
    since = min(change.found_at for change in changes)
    credited = {credit[:3]: credit.shares for credit in portfolio.credits_since(session, since)}
    return [
        change
        for change in changes
        if change.instrument_id is None
        or change.after - change.before - change.ordered
        != credited.get((change.client_id, change.instrument_id, change.found_at))
    ]
