"""Declared trades of staff against the advice that was sent."""

import uuid
from dataclasses import dataclass

from sqlalchemy.orm import Session

from tarazu.advice import row_queries
from tarazu.domain.charges import Side
from tarazu.domain.own_trading import Advised, Breach, breaches_of
from tarazu.kit.clock import day_in_india
from tarazu.registers import service as registers
from tarazu.registers.service import Declaration


@dataclass(frozen=True, slots=True)
class DeclaredBreach:
    """A breach with the declaration of its trade."""

    declaration: Declaration
    breach: Breach[uuid.UUID]


def own_trading_breaches(session: Session) -> list[DeclaredBreach]:
    """Every declared trade that was made in the window of an advice, or against it; newest first."""
    declared = registers.declared_trades(session)
    by_key = {trade.key: declaration for declaration, trade in declared}
    isins = {trade.isin for _, trade in declared}
    advised = {
        Advised(isin, Side(side), day_in_india(at))
        for isin, side, at in row_queries.sides_advised(session, isins)
    }
    windows = registers.trading_windows(session)
    found = breaches_of([trade for _, trade in reversed(declared)], advised, windows)
    return [DeclaredBreach(by_key[breach.trade.key], breach) for breach in found]
