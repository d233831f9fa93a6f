"""The dashboard: from kept totals and prices in memory."""

import datetime as dt
from dataclasses import dataclass, replace

from sqlalchemy.orm import Session

from tarazu.domain.money import ZERO, Percent, Rupees, share_of
from tarazu.fees import service as fees
from tarazu.instruments import service as instruments
from tarazu.kit.fields import DayRange
from tarazu.portfolio import service as portfolio
from tarazu.prices import service as prices
from tarazu.prices.book import Quote
from tarazu.teams.service import ALL_CLIENTS, VisibleClients


@dataclass(frozen=True, slots=True)
class FirmStats:
    total_clients: int
    total_current_aum: Rupees
    fees: Rupees
    total_cash_holdings: Rupees


@dataclass(frozen=True, slots=True)
class StockTotal:
    """One instrument in all clients' portfolios."""

    aum_percentage: Percent
    symbol: str
    exchange: str
    instrument_token: int
    total_quantity: int
    total_current_value: Rupees
    total_invested_value: Rupees
    stale_price: Quote | None
    """The price if it is too old for advice."""
    is_action_suspected: bool
    """Shares and price moved apart as in a split, so the gain is unknown."""

    @property
    def stale_at(self) -> dt.datetime | None:
        """The time of a stale price; None for a fresh one."""
        return self.stale_price.at if self.stale_price else None

    @property
    def stale_source(self) -> str | None:
        """The source of a stale price; None for a fresh one."""
        return self.stale_price.source if self.stale_price else None


def state(session: Session, now: dt.datetime) -> tuple[int, int, int, int]:
    """The versions of the data of the stock distribution; it changes only with them.

    The minute is one of them, because prices become stale as time passes.
    """
    version, minute = prices.book_of(session).version, int(now.timestamp()) // 60
    return portfolio.revision(session), version, instruments.renames(session), minute


def stats(session: Session, visible: VisibleClients = ALL_CLIENTS) -> FirmStats:
    """The four headline figures, of the clients that the caller sees."""
    if not visible.is_all:
        seen = portfolio.together(session, visible)
        earned = fees.earnings(session, visible)
        return FirmStats(seen.clients, seen.worth + seen.cash, earned, seen.cash)
    clients, cash = portfolio.firm_counts(session)
    worth = portfolio.firm_worth(session)
    return FirmStats(clients, worth + cash, fees.earnings(session), cash)


def stock_distribution(
    session: Session, now: dt.datetime, visible: VisibleClients = ALL_CLIENTS
) -> list[StockTotal]:
    """What all active clients hold, largest first; cash is the rest to 100."""
    if visible.is_all:
        _, cash = portfolio.firm_counts(session)
    else:
        cash = portfolio.together(session, visible).cash
    shares = _shares(session, now, visible)
    aum = sum((share.total_current_value for share in shares), ZERO) + cash
    shares.sort(key=lambda share: (-share.total_current_value, share.symbol))
    return [
        replace(share, aum_percentage=share_of(share.total_current_value, aum)) for share in shares
    ]


def daily_aum(session: Session, days: DayRange) -> list[tuple[dt.date, Rupees]]:
    """The firm's value at each daily close, newest first."""
    return portfolio.firm_closes(session, days.since, days.until)


def _shares(session: Session, now: dt.datetime, visible: VisibleClients) -> list[StockTotal]:
    sums = portfolio.stock_sums(session, visible)
    listed = instruments.by_ids(session, [stock_sum.instrument_id for stock_sum in sums])
    units = prices.book_of(session).units(stock.instrument_token for stock in listed.values())
    stale = prices.stale_quotes(session, now, units)
    suspected = portfolio.suspected_holdings(session)
    doubted = set().union(*(suspected[key] for key in visible.among(suspected)))
    shares = []
    for stock_sum in sums:
        stock = listed[stock_sum.instrument_id]
        worth = portfolio.worth_of(
            stock_sum.quantity, stock_sum.invested, units.get(stock.instrument_token)
        )
        shares.append(
            StockTotal(
                ZERO,
                stock.symbol,
                stock.exchange,
                stock.instrument_token,
                stock_sum.quantity,
                worth,
                stock_sum.invested,
                stale.get(stock.instrument_token),
                stock_sum.instrument_id in doubted,
            )
        )
    return shares
