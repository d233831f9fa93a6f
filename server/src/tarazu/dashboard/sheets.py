"""Tables of the dashboard as they are taken away."""

import datetime as dt
from collections.abc import Sequence

from tarazu.dashboard.service import StockShare
from tarazu.domain.money import HUNDRED, ZERO, Percent, Rupees
from tarazu.kit.export import Column, Kind, Sheet

_Close = tuple[dt.date, Rupees]


def _returns(share: StockShare) -> Percent | None:
    """What the stock gained on what was paid for it; None where nothing was, or it is doubted."""
    invested = share.total_invested_value
    if share.is_action_suspected:
        return None
    return (share.total_current_value - invested) / invested * HUNDRED if invested > 0 else None


def _stale_at(share: StockShare) -> dt.datetime | None:
    return share.stale_price.at if share.stale_price else None


_STOCKS: Sequence[Column[StockShare]] = (
    Column("Stock", Kind.TEXT, lambda row: row.symbol),
    Column("Exchange", Kind.TEXT, lambda row: row.exchange),
    Column("AUM %", Kind.PERCENT, lambda row: row.aum_percentage),
    Column("Quantity", Kind.WHOLE, lambda row: row.total_quantity),
    Column("Invested Value", Kind.RUPEES, lambda row: row.total_invested_value),
    Column("Current Value", Kind.RUPEES, lambda row: row.total_current_value),
    Column("Returns", Kind.PERCENT, _returns),
    Column("Stale Price Of (IST)", Kind.INSTANT, _stale_at),
)

_DAYS: Sequence[Column[_Close]] = (
    Column("Date", Kind.DAY, lambda row: row[0]),
    Column("AUM", Kind.RUPEES, lambda row: row[1]),
)


def stock_sheet(shares: Sequence[StockShare]) -> Sheet[StockShare]:
    """What all active clients hold."""
    totals = {
        "AUM %": sum((share.aum_percentage for share in shares), ZERO),
        "Invested Value": sum((share.total_invested_value for share in shares), ZERO),
        "Current Value": sum((share.total_current_value for share in shares), ZERO),
    }
    return Sheet("Stock Distribution", _STOCKS, shares, totals)


def aum_sheet(closes: Sequence[_Close]) -> Sheet[_Close]:
    """The firm's value at each daily close."""
    return Sheet("Daily AUM", _DAYS, closes)
