"""Trades and actions in a short form."""

import datetime as dt
from decimal import Decimal
from fractions import Fraction

from tarazu.domain.corporate_actions.values import ActionKind, CorporateAction
from tarazu.domain.tax.lots import Entries, Ledger, ledger_of
from tarazu.domain.tax.rates import TaxRates, rates_on
from tarazu.domain.tax.values import Arrival, Departure, Trade

OLD, NEW, OTHER = "INE001A01011", "INE001A01029", "INE002A01018"
TODAY = dt.date(2026, 11, 20)


def day(text: str) -> dt.date:
    return dt.date.fromisoformat(text)


def rates(on: dt.date = TODAY) -> TaxRates:
    return rates_on(on)


def bought(on: str, quantity: int, price: str | None, isin: str = OLD, **more) -> Trade:
    known = None if price is None else Decimal(price)
    return Trade(isin, day(on), True, quantity, known, **more)


def sold(on: str, quantity: int, price: str | None, isin: str = OLD, **more) -> Trade:
    known = None if price is None else Decimal(price)
    return Trade(isin, day(on), False, quantity, known, **more)


def action(kind: ActionKind, on: str, new: int = 1, old: int = 1, to: str = "", **more):
    return CorporateAction(kind, OLD, to, day(on), Fraction(new, old), **more)


def ledger(*entries, actions=(), on: dt.date = TODAY) -> Ledger:
    return ledger_of(
        Entries(
            [each for each in entries if isinstance(each, Trade)],
            [each for each in entries if isinstance(each, Arrival)],
            [each for each in entries if isinstance(each, Departure)],
        ),
        actions,
        on,
    )


def lots(result: Ledger, isin: str = OLD) -> list[tuple[int, str, object]]:
    """Shares, day of purchase and cost of each lot, in the order of sale."""
    return [(lot.quantity, lot.bought_on.isoformat(), lot.cost) for lot in result.lots[isin]]


def figures(*values: object) -> tuple[object, ...]:
    """Values to compare with plain numbers."""
    return values


def disposals(result: Ledger) -> list[tuple[object, ...]]:
    """Shares, day of purchase, cost and proceeds of each disposal."""
    return [
        (part.quantity, part.bought_on and part.bought_on.isoformat(), part.cost, part.proceeds)
        for part in result.disposals
    ]
