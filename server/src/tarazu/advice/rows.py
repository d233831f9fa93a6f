"""A row of a rebalance on the wire, for one client's advice and for a run's review."""

import datetime as dt
from collections.abc import Set

from sqlalchemy.orm import Session

from tarazu.advice.package import PRODUCT, Package, PriceUsed, Row
from tarazu.domain.charges import Side
from tarazu.domain.rebalancing.causes import Cause
from tarazu.kit.schemas import Number, Price, Schema
from tarazu.prices import service as prices
from tarazu.prices.book import Quote


class RebalanceRow(Schema):
    """`price_at` is when the last price was traded, `price_source` where it comes from.

    `is_price_stale`: it was too old to advise on when the prices were read. `cause` is None of a
    row that an earlier version computed. `charges` are of this order alone, an estimate; `is_dust`:
    they are above 0.5 % of it.
    """

    type: Side
    symbol: str
    current_quantity: int
    quantity: int
    new_quantity: int
    previous_allocation_percentage: Number | None
    allocation_percentage: Number | None
    possible_allocation_percentage: Number | None
    ltp: Price | None
    price_at: dt.datetime | None
    price_source: str | None
    is_price_stale: bool
    current_investment_value: Number | None
    additional_investment_value: Number
    value_to_be_freed: Number
    projected_investment_value: Number | None
    exchange: str
    product: str
    instrument_token: int
    isin: str
    drift: Number | None
    message: str
    cause: Cause | None
    charges: Number | None
    is_dust: bool


def shown_rows(session: Session, computed: Package) -> list[RebalanceRow]:
    """The rows of a rebalance, each with the time and source of its price."""
    is_stale = prices.staleness_at(session, computed.priced_at)
    used = {price.stock.instrument_token: price for price in computed.prices}
    stale = {
        token
        for token, price in used.items()
        if is_stale(Quote(price.price, price.at, price.source))
    }
    return [_shown(row, used.get(row.stock.instrument_token), stale) for row in computed.rows]


def _shown(row: Row, used: PriceUsed | None, stale: Set[int]) -> RebalanceRow:
    return RebalanceRow.of(
        row,
        type=row.side,
        symbol=row.stock.symbol,
        current_quantity=row.held,
        previous_allocation_percentage=row.previous,
        allocation_percentage=row.allocation,
        possible_allocation_percentage=row.possible,
        ltp=row.last_price,
        price_at=used.at if used else None,
        price_source=used.source if used else None,
        is_price_stale=row.stock.instrument_token in stale,
        current_investment_value=row.current_value,
        additional_investment_value=row.additional_value,
        value_to_be_freed=row.freed_value,
        projected_investment_value=row.projected_value,
        exchange=row.stock.exchange,
        product=PRODUCT,
        instrument_token=row.stock.instrument_token,
        isin=row.stock.isin,
    )
