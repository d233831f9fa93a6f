"""The answer of a rebalance on the wire, for every call that computes one."""

import datetime as dt
import uuid

from sqlalchemy.orm import Session

from tarazu.advice.package import Package
from tarazu.advice.rows import RebalanceRow, shown_rows, taxes_of_sells
from tarazu.kit.schemas import Number, Price, Schema
from tarazu.tax import service as tax
from tarazu.tax.service import SalesTax


class ChargesBreakdown(Schema):
    brokerage: Number
    stt: Number
    exchange: Number
    sebi: Number
    stamp: Number
    depository: Number
    gst: Number


class RebalanceSummary(Schema):
    """`estimated_tax` is what the sales add to the tax of the year, after set-off and exemption.

    None where the lots of a sale, or another sale of the year, are not known.
    """

    tracking_error_bps: Number
    proved_gap_bps: Price
    active_share_pct: Number
    cash_after: Number
    cash_after_pct: Number
    estimated_charges: Number
    charges_breakdown: ChargesBreakdown
    charges_broker: str
    estimated_tax: Number | None
    turnover_pct: Number
    funds_to_add: Number
    buy_value: Number
    sell_value: Number
    trades: int
    price_time: dt.datetime


class PriceSource(Schema):
    """The sources of the prices, and the age of the oldest; all None without any price.

    `stale` are the symbols of those that were too old to advise on.
    """

    sources: list[str]
    oldest_at: dt.datetime | None
    oldest_symbol: str | None
    oldest_age_seconds: int | None
    stale: list[str]


class RebalanceAnswer(Schema):
    success: bool
    data: list[RebalanceRow]
    summary: RebalanceSummary
    notices: list[str]
    priced_at: dt.datetime
    price_source: PriceSource
    rebalance_id: uuid.UUID


def rebalance_answer(
    session: Session, client_id: uuid.UUID, computed: Package, rebalance_id: uuid.UUID
) -> RebalanceAnswer:
    """A client's stored rebalance with its rows, its summary and the age of its prices."""
    (taxed,) = taxes_of_sells(session, client_id, [computed])
    rows = shown_rows(session, computed, taxed)
    return RebalanceAnswer(
        success=True,
        data=rows,
        summary=summary_of(computed, taxed),
        notices=list(computed.notices),
        priced_at=computed.priced_at,
        price_source=_price_source(computed, [row.symbol for row in rows if row.is_price_stale]),
        rebalance_id=rebalance_id,
    )


def summary_of(computed: Package, taxed: SalesTax | None = None) -> RebalanceSummary:
    """The figures below the rows of a rebalance; `taxed` is the tax of its sales, if asked for."""
    summary = computed.summary
    return RebalanceSummary.of(
        summary,
        active_share_pct=summary.active_share,
        cash_after_pct=summary.cash_after_percent,
        charges_breakdown=ChargesBreakdown.model_validate(summary.charges),
        charges_broker=computed.rates.broker,
        estimated_tax=None if taxed is None else tax.in_paise(taxed.added),
        turnover_pct=summary.turnover_percent,
        price_time=computed.priced_at,
    )


def _price_source(computed: Package, stale: list[str]) -> PriceSource:
    oldest = min(computed.prices, key=lambda price: price.at, default=None)
    if oldest is None:
        return PriceSource(
            sources=[], oldest_at=None, oldest_symbol=None, oldest_age_seconds=None, stale=[]
        )
    age = max(dt.timedelta(0), computed.priced_at - oldest.at)
    return PriceSource(
        sources=sorted({price.source for price in computed.prices}),
        oldest_at=oldest.at,
        oldest_symbol=oldest.stock.symbol,
        oldest_age_seconds=int(age.total_seconds()),
        stale=stale,
    )
