"""The door to clients' money and shares, and to what they are worth."""

from tarazu.portfolio.accounts import (
    EARLIEST_DAY,
    MOST_VALUE,
    AccountSummary,
    Funds,
    account_summary,
    clients_of_broker_user,
    count_in_totals,
    enter_cash,
    firm_counts,
    found_installation,
    has_valued_account,
    lock_accounts,
    open_accounts,
    renew_sync,
    revision,
    set_broker,
    set_funds,
    set_start,
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
from tarazu.portfolio.day_change import DayChanges, ValueChange, day_changes
from tarazu.portfolio.held_stocks import (
    HeldStock,
    TiedUpShares,
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
from tarazu.portfolio.suspected import marked_holdings
from tarazu.portfolio.valuation import (
    client_arrays,
    client_closes,
    client_values,
    firm_closes,
    firm_worth,
    follow_new_tokens,
    has_closes,
    held_instruments,
    oldest_prices,
    record_closes,
    stock_sums,
    with_older_prices,
    worth_of,
)
