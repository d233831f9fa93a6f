"""What clients own: what was shown of their holdings, and what corporate actions make of it."""

import uuid
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from typing import Any, NamedTuple

from tarazu.domain.money import ZERO, Rupees, rounded
from tarazu.domain.reconcile import PRICE_PLACES
from tarazu.portfolio.pending_queries import Extra, Key


class OwnedShares(NamedTuple):
    """Whole shares owned, what one cost with four decimals, and what all cost, exact."""

    quantity: int
    average: Rupees
    cost: Rupees


def owned_shares(quantity: int, average: Rupees, extra: Extra) -> OwnedShares:
    """What a holding is with the shares that wait, at what they really cost.

    Args:
        quantity, average: as shown.
    """
    shares = max(quantity + extra.quantity, 0)
    cost = quantity * average - extra.false_cost
    price = rounded(cost / shares, PRICE_PLACES) if shares else ZERO
    return OwnedShares(shares, price, cost if shares else ZERO)


def owned(
    rows: Iterable[Any], extras: Mapping[Key, Extra]
) -> Iterator[tuple[uuid.UUID, uuid.UUID, int, Decimal, Decimal | None]]:
    """Client, instrument, quantity, average and exact cost of what is owned.

    Holdings that no action concerns come first, as they are; their cost is None: quantity times
    average.

    Args:
        rows: client, instrument, quantity and average as shown.
    """
    if not extras:
        yield from ((*row, None) for row in rows)
        return
    left = dict(extras)
    concerned: dict[Key, tuple[int, Decimal]] = {}
    for client_id, instrument_id, quantity, average in rows:
        key = (client_id, instrument_id)
        if key in left:
            concerned[key] = quantity, average
        else:
            yield client_id, instrument_id, quantity, average, None
    for key, extra in left.items():
        shares = owned_shares(*concerned.get(key, (0, ZERO)), extra)
        if shares.quantity:
            yield *key, *shares
