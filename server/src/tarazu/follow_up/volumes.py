"""The days of the market's volume that clients took to follow advice, by stock."""

from collections.abc import Sequence
from decimal import Decimal

from sqlalchemy.orm import Session

from tarazu.domain.execution.chains import Chains
from tarazu.domain.execution.values import Action
from tarazu.domain.execution.volume import REACHES_BACK, days_of_volume
from tarazu.follow_up.queries import TradedShares
from tarazu.instruments import service as instruments
from tarazu.prices import service as prices


def most_days_of_volume(session: Session, traded: Sequence[TradedShares]) -> dict[str, Decimal]:
    """By ISIN, the most days of volume that the advice of one day took, where it is known."""
    if not traded:
        return {}
    isins = {row.isin for row in traded}
    listed = instruments.by_isins(session, isins)
    actions = instruments.corporate_actions_of(session, isins)
    chains = Chains(
        Action(action.isin, action.new_isin, action.ex_on, action.factor) for action in actions
    )
    ends = [row.window_ends_on for row in traded]
    tokens = {stock.instrument_token for stock in listed.values()}
    volumes = prices.volumes_between(session, tokens, min(ends) - REACHES_BACK, max(ends))
    most: dict[str, Decimal] = {}
    for row in traded:
        if row.isin in listed:
            of_stock = volumes[listed[row.isin].instrument_token]
            units = chains.units_of(chains.of(row.isin))
            days = days_of_volume(row.shares, of_stock, row.window_ends_on, units)
            if days is not None:
                most[row.isin] = max(days, most.get(row.isin, days))
    return most
