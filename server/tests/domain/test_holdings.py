import datetime as dt
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from tarazu.domain.holdings import (
    Account,
    Held,
    HoldingTotals,
    PortfolioFigures,
    ValuedHolding,
    portfolio_figures,
    value_holdings,
)
from tarazu.domain.returns import CashFlow

prices = st.decimals(0, 10**6, places=4)
holdings = st.lists(
    st.builds(Held, st.integers(0, 10**6), prices, st.none() | prices), min_size=1, max_size=30
)


def test_a_holding_is_worth_its_shares_at_the_last_price() -> None:
    held = [
        Held(10, Decimal("2400.50"), Decimal(2500)),
        Held(50, Decimal(1600), Decimal(1500)),
    ]

    valued = value_holdings(held)

    assert valued.rows[0] == ValuedHolding(
        quantity=10,
        average_price=Decimal("2400.50"),
        last_price=Decimal(2500),
        invested=Decimal(24005),
        value=Decimal(25000),
        pnl=Decimal(995),
        pnl_percentage=Decimal(995) / Decimal(24005) * 100,
        allocation=Decimal(25),
        is_stale=False,
    )
    assert valued.rows[1].pnl_percentage == Decimal("-6.25")
    assert valued.totals == HoldingTotals(
        invested=Decimal(104005),
        value=Decimal(100000),
        pnl=Decimal(-4005),
        pnl_percentage=Decimal(-4005) / Decimal(104005) * 100,
    )


def test_a_holding_without_a_price_keeps_its_average_price_and_is_stale() -> None:
    unpriced = [Held(4, Decimal(250), None), Held(4, Decimal(250), Decimal(0))]

    valued = value_holdings(unpriced)

    assert [row.is_stale for row in valued.rows] == [True, True]
    assert [row.value for row in valued.rows] == [Decimal(1000), Decimal(1000)]
    assert valued.totals.pnl == 0


def test_shares_that_cost_nothing_have_a_profit_of_zero_percent() -> None:
    bonus = [Held(10, Decimal(0), Decimal(120))]

    row = value_holdings(bonus).rows[0]

    assert (row.pnl, row.pnl_percentage) == (Decimal(1200), Decimal(0))


def test_no_holdings_are_worth_nothing() -> None:
    valued = value_holdings([])

    assert valued.rows == ()
    assert valued.totals == HoldingTotals(Decimal(0), Decimal(0), Decimal(0), Decimal(0))


@given(held=holdings)
def test_rows_add_up_to_the_totals_exactly(held: list[Held]) -> None:
    valued = value_holdings(held)

    assert sum(row.value for row in valued.rows) == valued.totals.value
    assert sum(row.invested for row in valued.rows) == valued.totals.invested
    assert sum(row.pnl or 0 for row in valued.rows) == valued.totals.pnl


@given(held=holdings)
def test_allocations_add_up_to_a_hundred_unless_all_is_worthless(held: list[Held]) -> None:
    valued = value_holdings(held)

    total = sum(row.allocation for row in valued.rows)
    assert round(total, 15) == (100 if valued.totals.value else 0)


def worth(value: str, invested: str = "1000") -> HoldingTotals:
    gained = Decimal(value) - Decimal(invested)
    return HoldingTotals(
        Decimal(invested), Decimal(value), gained, gained / Decimal(invested) * 100
    )


def account(net: str = "50000", started_from: dt.date | None = dt.date(2025, 1, 1)) -> Account:
    return Account(
        net=Decimal(net),
        starting_capital=Decimal(1000000),
        started_from=started_from,
        cash_flows=[
            CashFlow.added(dt.date(2024, 12, 31), Decimal(70000)),
            CashFlow.added(dt.date(2025, 1, 1), Decimal(200000)),
            CashFlow.withdrawn(dt.date(2025, 8, 1), Decimal(100000)),
        ],
        fees_charged=Decimal(25000),
    )


def test_portfolio_figures_follow_from_holdings_funds_and_flows() -> None:
    figures = portfolio_figures(worth("1270000"), account(), dt.date(2026, 7, 2))

    assert figures == PortfolioFigures(
        holdings_value=Decimal(1270000),
        portfolio_value=Decimal(1320000),
        net_investment=Decimal(1100000),
        total_pnl=Decimal(220000),
        pnl_percentage=Decimal(20),
        is_since_purchase=False,
        net_profit=Decimal(195000),
        total_days=547,
        years=Decimal("1.50"),
    )


def test_a_debit_at_the_broker_lowers_the_portfolio_value() -> None:
    figures = portfolio_figures(worth("1270000"), account(net="-2000.25"), dt.date(2026, 7, 2))

    assert figures.portfolio_value == Decimal("1267999.75")


def test_every_flow_counts_while_the_start_is_not_recorded() -> None:
    figures = portfolio_figures(worth("0"), account(started_from=None), dt.date(2026, 7, 2))

    assert figures.net_investment == Decimal(1170000)
    assert (figures.total_days, figures.years) == (None, None)


def test_the_profit_is_zero_percent_when_more_was_withdrawn_than_put_in() -> None:
    start = dt.date(2025, 1, 1)
    taken_out = [CashFlow.withdrawn(start, Decimal(600))]

    figures = portfolio_figures(
        worth("300"), Account(Decimal(0), Decimal(500), start, taken_out, Decimal(0)), start
    )

    assert (figures.net_investment, figures.total_pnl) == (Decimal(-100), Decimal(400))
    assert figures.pnl_percentage == 0


def test_without_capital_and_flows_the_profit_is_that_of_the_holdings_since_purchase() -> None:
    bare = Account(Decimal(500), Decimal(0), None, [], Decimal(25))

    figures = portfolio_figures(worth("1200"), bare, dt.date(2026, 7, 2))

    assert (figures.portfolio_value, figures.net_investment) == (Decimal(1700), None)
    assert (figures.total_pnl, figures.pnl_percentage) == (Decimal(200), Decimal(20))
    assert (figures.is_since_purchase, figures.net_profit) == (True, None)


def test_while_nothing_was_read_there_is_no_value_and_no_profit() -> None:
    start = dt.date(2025, 1, 1)
    unread = Account(Decimal(0), Decimal(500), start, [], Decimal(0), is_valued=False)

    figures = portfolio_figures(
        HoldingTotals(Decimal(0), Decimal(0), Decimal(0), Decimal(0)), unread, start
    )

    assert (figures.portfolio_value, figures.net_investment) == (None, Decimal(500))
    assert (figures.total_pnl, figures.pnl_percentage, figures.net_profit) == (None, None, None)
    assert figures.is_since_purchase is False
