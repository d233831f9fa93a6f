"""The door to clients' money and shares, and to what they are worth."""

import uuid
from collections.abc import Collection

from sqlalchemy.orm import Session

from tarazu.portfolio import restrictions
from tarazu.portfolio.accounts import (
    EARLIEST_DAY,
    MOST_VALUE,
    AccountSummary,
    Funds,
    HandCash,
    SyncedAccount,
    await_turn,
    clients_of_broker_user,
    count_in_totals,
    enter_cash,
    firm_counts,
    found_installation,
    open_accounts,
    renew_sync,
    revision,
    set_broker,
    set_funds,
    set_start,
    standing_of,
    synced_accounts,
)
from tarazu.portfolio.cash_flows import (
    NewFlow,
    Transaction,
    cash_flows_of,
    change_cash_flow,
    delete_cash_flow,
    net_flows_after,
    record_cash_flow,
    restore_cash_flow,
    signed_flows_of,
    signed_flows_of_all,
)
from tarazu.portfolio.held_stocks import (
    HeldStock,
    Parts,
    WholeAccount,
    holders_at_work,
    stocks_of,
    suspect_actions,
    suspected_holdings,
    tied_up,
    valued,
)
from tarazu.portfolio.holdings import (
    HoldingsChange,
    NewHolding,
    Present,
    Statement,
    change_between,
    present_of,
    replace_holdings,
    take_statements,
)
from tarazu.portfolio.restrictions import Restricted, Restrictions
from tarazu.portfolio.valuation import (
    StockSum,
    client_closes,
    client_values,
    firm_closes,
    firm_worth,
    follow_new_tokens,
    held_instruments,
    oldest_prices,
    record_closes,
    stock_sums,
    with_older_prices,
    worth_of,
)

__all__ = [
    "EARLIEST_DAY",
    "MOST_VALUE",
    "AccountSummary",
    "Funds",
    "HandCash",
    "HeldStock",
    "HoldingsChange",
    "NewFlow",
    "NewHolding",
    "Parts",
    "Present",
    "Statement",
    "StockSum",
    "SyncedAccount",
    "Transaction",
    "WholeAccount",
    "await_turn",
    "cash_flows_of",
    "change_between",
    "change_cash_flow",
    "client_closes",
    "client_values",
    "clients_of_broker_user",
    "count_in_totals",
    "delete_cash_flow",
    "enter_cash",
    "firm_closes",
    "firm_counts",
    "firm_worth",
    "follow_new_tokens",
    "found_installation",
    "held_instruments",
    "holders_at_work",
    "net_flows_after",
    "oldest_prices",
    "open_accounts",
    "present_of",
    "record_cash_flow",
    "record_closes",
    "renew_sync",
    "replace_holdings",
    "restore_cash_flow",
    "revision",
    "set_broker",
    "set_funds",
    "set_start",
    "signed_flows_of",
    "signed_flows_of_all",
    "standing_of",
    "stock_sums",
    "stocks_of",
    "suspect_actions",
    "suspected_holdings",
    "synced_accounts",
    "take_statements",
    "tied_up",
    "valued",
    "with_older_prices",
    "worth_of",
]


StockRestricted = Restricted
"""One stock that a client restricted; see `restrictions.py`."""


def restrictions_of(session: Session, client_id: uuid.UUID) -> Restrictions:
    """What a client does not want traded, by symbol."""
    return restrictions.restrictions_of(session, client_id)


def restrictions_of_all(
    session: Session, client_ids: Collection[uuid.UUID]
) -> dict[uuid.UUID, tuple[Restricted, ...]]:
    """By client, what those of these clients do not want traded who say so."""
    return restrictions.restrictions_of_all(session, client_ids)
