"""A row of a rebalance on the wire, for one client's advice and for a run's review."""

import datetime as dt
import uuid
from collections.abc import Sequence, Set
from fractions import Fraction

from sqlalchemy.orm import Session

from tarazu.advice.package import PRODUCT, Package, PriceUsed, Row
from tarazu.domain.charges import Side
from tarazu.domain.rebalancing.causes import Cause
from tarazu.kit.schemas import Number, Price, Schema
from tarazu.prices import service as prices
from tarazu.prices.book import Quote
from tarazu.tax import service as tax
from tarazu.tax.service import Sale, SalesTax, SaleTax


class Wait(Schema):
    """What a sale saves if it waits so many days, at this price."""

    days: int
    saving: Number


class SaleTaxRow(Schema):
    """The tax of one sale at full rates, before set-off and exemption; `tax` is below 0 for a loss.

    All figures are None, with the reason, where the lots are not known. `daysToLongTerm` is None
    where no lot of the sale is short-term.
    """

    reason_text: str
    short_gain: Number | None
    long_gain: Number | None
    tax: Number | None
    days_to_long_term: int | None
    waits: list[Wait]


class RebalanceRow(Schema):
    """`price_at` is when the last price was traded, `price_source` where it comes from.

    `is_price_stale`: it was too old to advise on when the prices were read. `cause` is None of a
    row that an earlier version computed. `charges` are of this order alone, an estimate; `is_dust`:
    they are above 0.5 % of it. `tax` is None where nothing is sold, and of rows that were sealed.
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
    tax: SaleTaxRow | None


def taxes_of_sells(
    session: Session, client_id: uuid.UUID, rebalances: Sequence[Package]
) -> list[SalesTax]:
    """What the sales of each of a client's rebalances add to the tax; it is not sealed.

    Args:
        rebalances: made at one reading of the prices.
    """
    sales = [
        {
            row.stock.isin: Sale(row.quantity, row.last_price)
            for row in computed.rows
            if row.side is Side.SELL and row.last_price is not None
        }
        for computed in rebalances
    ]
    if not any(sales):
        return [SalesTax({}, Fraction(0)) for _ in rebalances]
    of_day = tax.SalesOfDay(session, client_id, rebalances[0].priced_at)
    return [of_day.tax_of(each) for each in sales]


def shown_rows(
    session: Session, computed: Package, taxed: SalesTax | None = None
) -> list[RebalanceRow]:
    """The rows of a rebalance, each with the time and source of its price.

    Args:
        taxed: the tax of its sales; None where it is not asked for.
    """
    is_stale = prices.staleness_at(session, computed.priced_at)
    used = {price.stock.instrument_token: price for price in computed.prices}
    stale = {
        token
        for token, price in used.items()
        if is_stale(Quote(price.price, price.at, price.source))
    }
    taxes = taxed.by_isin if taxed is not None else {}
    return [
        _shown(row, used.get(row.stock.instrument_token), stale, taxes.get(row.stock.isin))
        for row in computed.rows
    ]


def _shown(row: Row, used: PriceUsed | None, stale: Set[int], sale: SaleTax | None) -> RebalanceRow:
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
        tax=None if sale is None else _tax_row(sale),
    )


def _tax_row(sale: SaleTax) -> SaleTaxRow:
    return SaleTaxRow(
        reason_text=sale.reason,
        short_gain=tax.in_paise(sale.short),
        long_gain=tax.in_paise(sale.long),
        tax=tax.in_paise(sale.tax),
        days_to_long_term=sale.days,
        waits=[Wait(days=wait.days, saving=tax.in_paise(wait.saving)) for wait in sale.waits],
    )
