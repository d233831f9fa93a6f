"""What the followers of a model hold and what their targets are, at one reading of the prices.

Everything is read once for all clients, into arrays of (clients, stocks) or (clients,).
"""

import datetime as dt
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from sqlalchemy.orm import Session

from tarazu.advice import service as advice
from tarazu.domain.charges import ChargeRates
from tarazu.domain.money import HUNDRED, Rupees, to_units
from tarazu.domain.rebalancing.book import scaled_targets
from tarazu.domain.rebalancing.dual import Floats, Integers
from tarazu.domain.rebalancing.plan import Options
from tarazu.domain.rebalancing.problem import WHOLE
from tarazu.instruments import service as instruments
from tarazu.instruments.service import Listed
from tarazu.model_portfolios.tables import Outside
from tarazu.model_portfolios.versions import CASH, Version
from tarazu.portfolio import service as portfolio
from tarazu.portfolio.service import WholeAccount
from tarazu.prices import service as prices
from tarazu.prices.book import Quote
from tarazu.restrictions import service as restrictions
from tarazu.restrictions.service import ClientRestriction

PER_PERCENT = WHOLE / 100


@dataclass(frozen=True, slots=True)
class PlanTerms:
    """What the plans of all followers are made with; `quotes` by instrument token."""

    version: Version
    outside: Outside
    options: Options
    rates: Mapping[str, ChargeRates]
    charged_on: dt.date
    quotes: Mapping[int, Quote]
    priced_at: dt.datetime

    def price_of(self, stock: Listed) -> int | None:
        """The price of a share in units; None without one."""
        price = advice.price_in(self.quotes.get(stock.instrument_token))
        return None if price is None else to_units(price)


@dataclass(frozen=True, slots=True)
class Follower:
    """One client who follows the model; `investment` None is all holdings and cash."""

    account: WholeAccount
    investment: Rupees | None
    restricted: tuple[ClientRestriction, ...] = ()


@dataclass(slots=True)
class OutsideHoldings:
    """What one client holds outside the model; amounts in units.

    `stocks` are stocks with their shares and whether they are to be sold; `missing` the symbols of
    all stocks, of the model too, that have no price.
    """

    stocks: list[tuple[Listed, int, bool]] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    kept: int = 0
    sold: int = 0


@dataclass(slots=True)
class ModelPositions:
    """All followers of a model, in one order; arrays of (clients, stocks) or (clients,).

    `investment` is V: zero or less where there is nothing to invest, meaningless where a price is
    missing. Targets are parts of `WHOLE`; `drift` and `cash_drift` are
    before any trade, in percent of V.
    """

    terms: PlanTerms
    followers: Sequence[Follower]
    stocks: Sequence[Listed]
    prices: Integers
    held: Integers
    others: Sequence[OutsideHoldings]
    investment: Integers
    targets: Integers
    cash_targets: Integers
    listed: Mapping[uuid.UUID, Listed]
    drift: Floats = field(init=False)
    cash_drift: Floats = field(init=False)
    faults: dict[int, str] = field(default_factory=dict)
    """By row, why a client could not be solved, as text for the screen."""

    def __post_init__(self) -> None:
        base = np.maximum(self.investment, 1)[:, None]
        self.drift = self.held * self.prices * float(HUNDRED) / base - self.targets / PER_PERCENT
        cash = self.investment - self.held @ self.prices - self.outside_worth
        self.cash_drift = cash * float(HUNDRED) / base[:, 0] - self.cash_targets / PER_PERCENT

    @property
    def outside_worth(self) -> Integers:
        """Units of what each client holds outside the model."""
        return np.array([other.kept + other.sold for other in self.others], dtype=np.int64)

    @property
    def is_priced(self) -> list[bool]:
        """Which clients have a price for every stock of the model and every holding."""
        return [not other.missing for other in self.others]

    def worst_drift(self, row: int) -> tuple[float, str]:
        """The largest drift of a client, signed, and its stock or CASH."""
        column = int(np.abs(self.drift[row]).argmax())
        worst, symbol = float(self.drift[row, column]), self.stocks[column].symbol
        if abs(self.cash_drift[row]) > abs(worst):
            worst, symbol = float(self.cash_drift[row]), CASH
        base = max(int(self.investment[row]), 1)
        for listed, quantity, is_sold in self.others[row].stocks:
            share = (self.terms.price_of(listed) or 0) * quantity * float(HUNDRED) / base
            if is_sold and share > abs(worst):
                worst, symbol = share, listed.symbol
        return worst, symbol


def positions_of(
    session: Session,
    version: Version,
    outside: Outside,
    investments: Mapping[uuid.UUID, Rupees | None],
    now: dt.datetime,
    options: Options | None = None,
) -> ModelPositions:
    """What clients hold and what their targets are by one version of a model.

    Args:
        outside: what is done with holdings outside the model.
        investments: by client, how much follows the model; None for all holdings and cash.
        options: of the plans; None: the firm's.
    """
    listed = {stock.id: stock for stock in instruments.all_listed(session)}
    listed |= {part.instrument.id: part.instrument for part in version.constituents}
    quotes = prices.last_prices(session, {stock.instrument_token for stock in listed.values()})
    brokers = {account.broker for account in portfolio.synced_accounts(session).values()}
    dated_rates = {name: advice.rates_of(session, name, now) for name in {*brokers, ""}}
    terms = PlanTerms(
        version,
        outside,
        options or advice.usual_options(session),
        {name: rates for name, (rates, _) in dated_rates.items()},
        dated_rates[""][1],
        quotes,
        now,
    )
    restricted = restrictions.restrictions_of_all(session, investments.keys())
    followers = [
        Follower(account, investments[account.client_id], restricted.get(account.client_id, ()))
        for account in portfolio.holders_at_work(session, investments.keys())
    ]
    return _positions(terms, followers, listed)


def _positions(
    terms: PlanTerms, followers: Sequence[Follower], listed: Mapping[uuid.UUID, Listed]
) -> ModelPositions:
    stocks = [part.instrument for part in terms.version.constituents]
    units = np.array([terms.price_of(stock) or 1 for stock in stocks], dtype=np.int64)
    held, others = _holdings(terms, followers, listed)
    kept_worth = np.array([other.kept for other in others], dtype=np.int64)
    sold = np.array([other.sold for other in others], dtype=np.int64)
    cash = np.array([to_units(follower.account.net) for follower in followers], dtype=np.int64)
    worth = held @ units + kept_worth + sold + cash
    investment = np.array(
        [
            whole if follower.investment is None else to_units(follower.investment)
            for follower, whole in zip(followers, worth.tolist(), strict=True)
        ],
        dtype=np.int64,
    )
    allocations = [part.allocation for part in terms.version.constituents]
    model = np.array(
        [int(percent * 100) for percent in (*allocations, terms.version.cash)], dtype=np.int64
    )
    targets = scaled_targets(model, investment - kept_worth, np.maximum(investment, 1))
    return ModelPositions(
        terms,
        followers,
        stocks,
        units,
        held,
        others,
        investment,
        targets[:, :-1],
        targets[:, -1],
        listed,
    )


def _holdings(
    terms: PlanTerms, followers: Sequence[Follower], listed: Mapping[uuid.UUID, Listed]
) -> tuple[Integers, list[OutsideHoldings]]:
    """The shares of the model's stocks, (clients, stocks), and what is held outside the model."""
    stocks = [part.instrument for part in terms.version.constituents]
    unpriced = [stock.symbol for stock in stocks if terms.price_of(stock) is None]
    column_of = {stock.isin: column for column, stock in enumerate(stocks)}
    columns = {key: column_of.get(stock.isin) for key, stock in listed.items()}
    held = np.zeros((len(followers), len(stocks)), dtype=np.int64)
    others = []
    for row, follower in enumerate(followers):
        other = OutsideHoldings(missing=list(unpriced))
        for instrument_id, quantity, *_ in follower.account.held:
            column = columns.get(instrument_id)
            if column is None:
                _add_outside(other, terms, follower, (listed[instrument_id], quantity))
            else:
                held[row, column] += quantity
        others.append(other)
    return held, others


def _add_outside(
    other: OutsideHoldings, terms: PlanTerms, follower: Follower, holding: tuple[Listed, int]
) -> None:
    """Add a holding that is not in the model."""
    stock, quantity = holding
    price = terms.price_of(stock)
    if price is None:
        other.missing.append(stock.symbol)
        return
    has_to_stay = _is_restricted(follower, stock) or stock.id in follower.account.uncredited
    is_sold = terms.outside is Outside.SELL and not has_to_stay
    other.stocks.append((stock, quantity, is_sold))
    if is_sold:
        other.sold += price * quantity
    else:
        other.kept += price * quantity


def _is_restricted(follower: Follower, stock: Listed) -> bool:
    """Whether a restriction forbids selling all of a stock."""
    return any(
        restricted.instrument.isin == stock.isin and restricted.restriction.keeps_shares
        for restricted in follower.restricted
    )
