"""Columns of the exports of the dashboard."""

import datetime as dt
from collections.abc import Sequence

from tarazu.dashboard.service import StockTotal
from tarazu.domain.money import HUNDRED, Percent, Rupees
from tarazu.kit.export import Column, Kind

Close = tuple[dt.date, Rupees]


def _returns(share: StockTotal) -> Percent | None:
    """The gain in percent of the cost; None without a cost or with a suspected action."""
    invested = share.total_invested_value
    if share.is_action_suspected:
        return None
    return (share.total_current_value - invested) / invested * HUNDRED if invested > 0 else None


def _stale_at(share: StockTotal) -> dt.datetime | None:
    return share.stale_price.at if share.stale_price else None


STOCKS: Sequence[Column[StockTotal]] = (
    Column("Stock", Kind.TEXT, lambda row: row.symbol),
    Column("Exchange", Kind.TEXT, lambda row: row.exchange),
    Column("AUM %", Kind.PERCENT, lambda row: row.aum_percentage, is_summed=True),
    Column("Quantity", Kind.WHOLE, lambda row: row.total_quantity),
    Column("Invested Value", Kind.RUPEES, lambda row: row.total_invested_value, is_summed=True),
    Column("Current Value", Kind.RUPEES, lambda row: row.total_current_value, is_summed=True),
    Column("Returns", Kind.PERCENT, _returns),
    Column("Stale Price Of (IST)", Kind.INSTANT, _stale_at),
)

DAYS: Sequence[Column[Close]] = (
    Column("Date", Kind.DAY, lambda row: row[0]),
    Column("AUM", Kind.RUPEES, lambda row: row[1]),
)
