"""Value, profit and allocation of a client's holdings, and the figures of the portfolio."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from tarazu.domain.money import ZERO, Percent, Rupees, share_of
from tarazu.domain.returns import CashFlow, net_investment, years_of


@dataclass(frozen=True, slots=True)
class Held:
    """Whole shares of one instrument, what one cost, and its last known price.

    `last_price` is None, or 0, when no price was ever seen. With `is_doubted` shares and price
    may be of before and after a split, so that one says nothing of the other. `cost` is what all
    shares cost where `average_price` is that rounded; None: quantity times average price.
    """

    quantity: int
    average_price: Rupees
    last_price: Rupees | None
    is_doubted: bool = False
    cost: Rupees | None = None

    @property
    def invested(self) -> Rupees:
        """What all shares cost."""
        return self.quantity * self.average_price if self.cost is None else self.cost


@dataclass(frozen=True, slots=True)
class ValuedHolding:
    """The figures of one holding; percentages are unrounded.

    `last_price` is the price that was used: the average price where `is_stale`.
    `allocation` is a percentage of the value of all holdings, without cash. The profit of a
    holding that is doubted is None.
    """

    quantity: int
    average_price: Rupees
    last_price: Rupees
    invested: Rupees
    value: Rupees
    pnl: Rupees | None
    pnl_percentage: Percent | None
    allocation: Percent
    is_stale: bool


@dataclass(frozen=True, slots=True)
class HoldingTotals:
    """Sums of all holdings; the profit is None where that of one of them is not known."""

    invested: Rupees
    value: Rupees
    pnl: Rupees | None
    pnl_percentage: Percent | None


@dataclass(frozen=True, slots=True)
class ValuedHoldings:
    """`rows` are in the order in which the holdings were given."""

    rows: tuple[ValuedHolding, ...]
    totals: HoldingTotals


def value_holdings(holdings: Sequence[Held]) -> ValuedHoldings:
    """Value every holding at its last known price.

    A holding without a price keeps its average price, so that it is never worth nothing
    for want of a tick, and is marked stale. Profit percentages are 0 where nothing was
    paid; allocations are 0 where all holdings together are worth nothing.
    """
    prices = [held.last_price or held.average_price for held in holdings]
    value = sum((h.quantity * price for h, price in zip(holdings, prices, strict=True)), ZERO)
    invested = sum((held.invested for held in holdings), ZERO)
    rows = tuple(_valued(held, price, value) for held, price in zip(holdings, prices, strict=True))
    pnl = None if any(held.is_doubted for held in holdings) else value - invested
    share = None if pnl is None else share_of(pnl, invested)
    return ValuedHoldings(rows, HoldingTotals(invested, value, pnl, share))


def _valued(held: Held, price: Rupees, value_of_all: Rupees) -> ValuedHolding:
    invested = held.invested
    value = held.quantity * price
    pnl = None if held.is_doubted else value - invested
    return ValuedHolding(
        quantity=held.quantity,
        average_price=held.average_price,
        last_price=price,
        invested=invested,
        value=value,
        pnl=pnl,
        pnl_percentage=None if pnl is None else share_of(pnl, invested),
        allocation=share_of(value, value_of_all),
        is_stale=not held.last_price,
    )


@dataclass(frozen=True, slots=True)
class Account:
    """What a client's portfolio is measured by, besides the holdings.

    `net` is the broker's net funds and may be negative. `cash_flows` are signed as the
    client sees them (see `CashFlow`). `fees_charged` are all fees, PAID and DUE.
    `started_from` is None for a client whose start is not recorded yet. `is_valued` is false
    while neither holdings nor funds were ever read or entered.
    """

    net: Rupees
    starting_capital: Rupees
    started_from: dt.date | None
    cash_flows: Sequence[CashFlow]
    fees_charged: Rupees
    is_valued: bool = True


@dataclass(frozen=True, slots=True)
class PortfolioFigures:
    """What one portfolio is worth and gained; None is not known.

    Attributes:
        portfolio_value, total_pnl, pnl_percentage: None while the account `is_valued` not.
        net_investment, net_profit: None while the invested amount is unknown.
        is_since_purchase: the gain is that of the holdings since they were bought, as the
            invested amount is unknown.
        total_days, years: None while the client's start is not recorded.
    """

    holdings_value: Rupees
    portfolio_value: Rupees | None
    net_investment: Rupees | None
    total_pnl: Rupees | None
    pnl_percentage: Percent | None
    is_since_purchase: bool
    net_profit: Rupees | None
    total_days: int | None
    years: Decimal | None


def portfolio_figures(
    holdings: HoldingTotals, account: Account, today: dt.date
) -> PortfolioFigures:
    """The figures of one client's portfolio on `today`.

    The profit percentage is of the net investment, and 0 where that is 0 or less. Without a net
    investment the profit is that of the holdings, of what they cost. `years` is days / 365 with
    two decimals, half up; the rest is unrounded.
    """
    worth = holdings.value + account.net
    invested = net_investment(account.starting_capital, account.started_from, account.cash_flows)
    days = None if account.started_from is None else (today - account.started_from).days
    pnl: Rupees | None = None
    percentage: Percent | None = None
    net_profit: Rupees | None = None
    if account.is_valued and invested is None:
        pnl, percentage = holdings.pnl, holdings.pnl_percentage
    elif account.is_valued and invested is not None:
        pnl = worth - invested
        percentage = share_of(pnl, invested)
        net_profit = pnl - account.fees_charged
    return PortfolioFigures(
        holdings_value=holdings.value,
        portfolio_value=worth if account.is_valued else None,
        net_investment=invested,
        total_pnl=pnl,
        pnl_percentage=percentage,
        is_since_purchase=pnl is not None and invested is None,
        net_profit=net_profit,
        total_days=days,
        years=None if days is None else years_of(days),
    )
