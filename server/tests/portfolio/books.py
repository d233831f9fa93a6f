"""Gives clients of a test their holdings and cash, through the service."""

from decimal import Decimal
from uuid import UUID

from tarazu.instruments import service as instruments
from tarazu.kit import clock
from tarazu.kit.audit_log import SYSTEM
from tarazu.kit.db import Database
from tarazu.portfolio import service as portfolio
from tarazu.portfolio.service import Funds, NewHolding


def give_holdings(
    database: Database, client_id: str, held: dict[str, tuple[int, str]], cash: str = "0"
) -> None:
    """Make `held` (symbol: quantity and average price) and `cash` all that a client has."""
    with database.transaction() as session:
        new = {
            instruments.by_symbol(session, "NSE", symbol).id: NewHolding(quantity, Decimal(price))
            for symbol, (quantity, price) in held.items()
        }
        funds = Funds(Decimal(cash), Decimal(cash), Decimal(0))
        owner = UUID(client_id)
        portfolio.replace_holdings(session, SYSTEM, clock.now(), owner, new, "TEST")
        portfolio.set_funds(session, SYSTEM, clock.now(), owner, funds)
