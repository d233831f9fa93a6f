"""A computed rebalance with all that it was computed from, and its form in the database.

It is what a send is checked against, and what stands behind an advice years later: the request,
the options, the holdings and prices as they were read, the charges in force, the rows as shown.
"""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version

from pydantic import TypeAdapter

from tarazu.domain.charges import ChargeRates, Side
from tarazu.domain.money import Percent, Rupees, rounded
from tarazu.domain.rebalance import Leg, Options, Plan, Summary

ENGINE = f"tarazu {version('tarazu')}"


@dataclass(frozen=True, slots=True)
class Stock:
    """What a row names: one instrument, as our own list knows it."""

    symbol: str
    name: str
    exchange: str
    isin: str
    instrument_token: int


@dataclass(frozen=True, slots=True)
class Target:
    """One row that was asked for; `allocation` is None where no target was given."""

    stock: Stock
    allocation: Percent | None


@dataclass(frozen=True, slots=True)
class Position:
    """Whole shares that the client held, and how many of them were pledged."""

    stock: Stock
    quantity: int
    pledged: int


@dataclass(frozen=True, slots=True)
class PriceUsed:
    """The last price of a stock, when it was traded, and who told us."""

    stock: Stock
    price: Rupees
    at: dt.datetime
    source: str


@dataclass(frozen=True, slots=True)
class Row:
    """One row as it was shown; percents are shares of the investment, with two decimals.

    Figures that need a price are None without one. `allocation` is the target, None where there is
    none; `drift` is before the trade, above zero when overweight.
    """

    stock: Stock
    side: Side
    held: int
    quantity: int
    new_quantity: int
    last_price: Rupees | None
    previous: Percent | None
    allocation: Percent | None
    possible: Percent | None
    drift: Percent | None
    current_value: Rupees | None
    additional_value: Rupees
    freed_value: Rupees
    projected_value: Rupees | None
    message: str


@dataclass(frozen=True, slots=True)
class Package:
    """One rebalance, whole. `charged_on` is the day in India whose `rates` were in force."""

    investment: Rupees
    cash: Rupees
    cash_target: Percent
    targets: tuple[Target, ...]
    options: Options
    rates: ChargeRates
    charged_on: dt.date
    holdings_source: str
    synced_at: dt.datetime | None
    positions: tuple[Position, ...]
    prices: tuple[PriceUsed, ...]
    priced_at: dt.datetime
    rows: tuple[Row, ...]
    summary: Summary
    notices: tuple[str, ...]
    engine: str = ENGINE


def row_of(stock: Stock, leg: Leg) -> Row:
    """A planned leg as the row that is shown."""
    return Row(
        stock,
        leg.side,
        leg.held,
        leg.quantity,
        leg.new_quantity,
        leg.last_price,
        _shown(leg.previous_percent),
        leg.target,
        _shown(leg.possible_percent),
        _shown(leg.drift),
        leg.current_value,
        leg.additional_value,
        leg.freed_value,
        leg.projected_value,
        leg.message,
    )


def _shown(share: Percent | None) -> Percent | None:
    return None if share is None else rounded(share)


def held_by_isin(positions: Sequence[Position]) -> dict[str, int]:
    """Whole shares by ISIN: a demat account does not know on which exchange one was bought."""
    held: dict[str, int] = {}
    for one in positions:
        held[one.stock.isin] = held.get(one.stock.isin, 0) + one.quantity
    return held


def pledges_to_release(positions: Sequence[Position], plan: Plan) -> list[str]:
    """What must be released before it can be sold."""
    free = {one.stock.symbol: one.quantity - one.pledged for one in positions}
    return [
        f"{leg.symbol}: {leg.quantity - free[leg.symbol]} of the {leg.quantity} shares to be sold "
        "are pledged and must be released first"
        for leg in plan.legs
        if leg.side is Side.SELL and leg.quantity > free.get(leg.symbol, leg.quantity)
    ]


_ADAPTER = TypeAdapter(Package)


def to_text(package: Package) -> str:
    """The package as JSON; decimals are texts, so no figure changes."""
    return _ADAPTER.dump_json(package).decode()


def from_text(text: str) -> Package:
    """The package that `to_text` wrote."""
    return _ADAPTER.validate_json(text)
