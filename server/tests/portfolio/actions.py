"""A firm whose clients hold a share around the ex-date of a bonus or a split."""

import datetime as dt
from dataclasses import dataclass
from decimal import Decimal
from typing import Any
from uuid import UUID

from sqlalchemy import update

from tarazu.domain.corporate_actions.values import ActionKind
from tarazu.instruments import service as instruments
from tarazu.instruments.tables import CorporateAction
from tarazu.kit import clock
from tarazu.kit.audit_log import SYSTEM
from tarazu.kit.clock import INDIA
from tarazu.kit.db import Database, new_id
from tarazu.portfolio import service as portfolio
from tarazu.portfolio.service import NewHolding
from tarazu.portfolio.tables import Account
from tarazu.prices import service as prices
from tests.portfolio.test_closing import Firm
from tests.rows_of import run

EX_ON = dt.date(2026, 10, 28)  # a Wednesday
SYMBOL = "INFY"


def at(days: int, hours: int, minutes: int = 0) -> dt.datetime:
    """An hour of so many days after the ex-date."""
    return dt.datetime.combine(EX_ON + dt.timedelta(days), dt.time(hours, minutes), INDIA)


def add_action(
    database: Database,
    new: int,
    old: int,
    *,
    symbol: str = SYMBOL,
    ex_on: dt.date = EX_ON,
    kind: ActionKind = ActionKind.BONUS,
    new_isin: str = "",
) -> UUID:
    """Enter an action by which `old` shares are `new` shares; nothing takes place yet."""
    action_id = new_id()
    with database.transaction() as session:
        session.add(
            CorporateAction(
                id=action_id,
                isin=instruments.by_symbol(session, "NSE", symbol).isin,
                new_isin=new_isin,
                kind=kind,
                ex_on=ex_on,
                record_on=ex_on,
                new=new,
                old=old,
                source="HAND",
                created_at=dt.datetime(2026, 11, 1, tzinfo=INDIA),
            )
        )
    return action_id


def record(database: Database, action_id: UUID, now: dt.datetime) -> None:
    with database.transaction() as session:
        portfolio.record_action(session, action_id, now)


def remove(database: Database, action_id: UUID, now: dt.datetime) -> None:
    with database.transaction() as session:
        session.get_one(CorporateAction, action_id).removed_at = now
        portfolio.remove_action(session, action_id, now)


def known_for_long(database: Database) -> None:
    """Let all holdings be known since before any ex-date of these days."""
    known_since = clock.now() - dt.timedelta(days=60)
    run(database, update(Account).values(first_synced_at=known_since))


@dataclass
class ActionDesk:
    """One client and what is shown of the share, day by day."""

    firm: Firm
    client: UUID

    def read(
        self, when: dt.datetime, quantity: int, average: str, traded: int = 0, client: Any = None
    ) -> None:
        """A reading of the client's holding; nothing of it for a quantity of 0."""
        with self.firm.database.transaction() as session:
            key = instruments.by_symbol(session, "NSE", SYMBOL).id
            held = {key: NewHolding(quantity, Decimal(average))} if quantity else {}
            owner = client or self.client
            portfolio.replace_holdings(
                session, SYSTEM, when, owner, held, "ZERODHA", {key: traded} if traded else None
            )

    def price(self, when: dt.datetime, price: str) -> None:
        self.firm.trade(when, {SYMBOL: price})

    def close(self, days: int) -> None:
        assert self.firm.close(at(days, 15, 50)) == [EX_ON + dt.timedelta(days)]

    def shown(self) -> dict[str, Any]:
        """Every figure that the action may touch."""
        with self.firm.database.reading() as session:
            stocks = portfolio.stocks_of(session, self.client)
            valued = portfolio.valued(stocks)
            worth = portfolio.client_values(session)[self.client]
            key = instruments.by_symbol(session, "NSE", SYMBOL).id
            totals = [
                total for total in portfolio.stock_sums(session) if total.instrument_id == key
            ]
            return {
                "stocks": [
                    (stock.quantity, stock.uncredited, round(stock.average_price, 4))
                    for stock in stocks
                ],
                "suspected": [stock.is_action_suspected for stock in stocks],
                "pending": [stock.is_action_pending for stock in stocks],
                "value": valued.totals.value,
                "invested": valued.totals.invested,
                "pnl": valued.totals.pnl,
                "book": (worth.holdings_value, worth.total_pnl),
                "firm": portfolio.firm_worth(session),
                "total": (totals[0].quantity, totals[0].invested) if totals else None,
                "price": prices.last_prices(session, [self.firm.token(SYMBOL)]),
                "closes": portfolio.client_closes(session, self.client),
                "firm closes": portfolio.firm_closes(session),
            }
