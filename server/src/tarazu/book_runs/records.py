"""The data of a run from which any client's rebalance can be made again, to the share."""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache
from typing import Any, TypeVar

from pydantic import TypeAdapter

from tarazu.advice import service as advice
from tarazu.domain.charges import ChargeRates
from tarazu.domain.money import ZERO, from_units
from tarazu.domain.rebalancing.plan import Options
from tarazu.domain.restrictions import Restriction
from tarazu.instruments.service import Listed
from tarazu.kit.audit_log import Actor

T = TypeVar("T")

DECIMALS = 10
"""Of a percent, in the targets of a record."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The common data of all clients of a run; `columns` are the model's stocks by token.

    `priced` has every stock of the model or of a client that has a price, `unpriced` the others.
    `rates` are by broker.
    """

    model_name: str
    number: int
    published_at: dt.datetime
    priced_at: dt.datetime
    charged_on: dt.date
    options: Options
    rates: Mapping[str, ChargeRates]
    columns: tuple[int, ...]
    priced: tuple[advice.PriceUsed, ...]
    unpriced: tuple[advice.Stock, ...]

    def stocks(self) -> dict[int, advice.Stock]:
        """All stocks by token."""
        stocks = [*(used.stock for used in self.priced), *self.unpriced]
        return {stock.instrument_token: stock for stock in stocks}


@dataclass(frozen=True, slots=True)
class RunSender:
    """Who sends a run, also after a restart, with the disclosures and checks of every advice.

    `approval` is that of a second administrator, where the firm asks for one.
    """

    actor: Actor
    disclosures: tuple[str, str, str]
    checks: tuple[advice.SealedCheck, ...]
    approval: advice.SealedApproval | None = None


@dataclass(frozen=True, slots=True)
class PlanRecord:
    """One client of a run; amounts in units, targets in percent without their point, stocks by token.

    `positions` are token, whole shares, pledged ones, and the exchange on which they are held;
    `uncredited` are token and those shares that a corporate action brought and nobody credited yet.

    `targets` and `shares` are of the model's stocks in their order, `sold` the stocks sold outside
    the model. `is_alone`: solved without the other clients; `shares` mean nothing then.
    """

    investment: int
    cash: int
    cash_target: int
    targets: tuple[int, ...]
    shares: tuple[int, ...]
    phi: float
    bound: float
    is_alone: bool
    positions: tuple[tuple[int, int, int, str], ...]
    sold: tuple[int, ...]
    restricted: tuple[tuple[int, Restriction, str], ...]
    broker: str
    source: str
    synced_at: dt.datetime | None
    uncredited: tuple[tuple[int, int], ...] = ()


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def to_json(value: object) -> str:
    """A value of this module, or the options of a plan, as JSON."""
    kind: Any = type(value)
    return _adapter(kind).dump_json(value).decode()


def from_json(kind: type[T], text: str) -> T:
    """The value that `to_json` wrote."""
    known: Any = kind  # mypy does not take every class as hashable
    value: T = _adapter(known).validate_json(text)
    return value


class Rebuilder:
    """Makes clients' rebalances out of a run's snapshot and their records."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self._stocks = snapshot.stocks()
        self._prices = {used.stock.instrument_token: used for used in snapshot.priced}
        self._columns = [self._stocks[token] for token in snapshot.columns]

    def rebalance_of(self, record: PlanRecord) -> advice.Package:
        """A client's rebalance.

        Raises:
            CannotPlan: the record does not make a plan.
        """
        return advice.computed(self._request(record), record.shares, record.phi, record.bound)

    def _request(self, record: PlanRecord) -> advice.Package:
        """A client's rebalance without its rows."""
        snapshot = self.snapshot
        targets = [
            advice.Target(stock, Decimal(points).scaleb(-DECIMALS))
            for stock, points in zip(self._columns, record.targets, strict=True)
        ]
        targets += [advice.Target(self._stocks[token], ZERO) for token in record.sold]
        uncredited = dict(record.uncredited)
        tokens = {target.stock.instrument_token: None for target in targets}
        tokens |= {token: None for token, *_ in record.positions}
        return advice.Package(
            investment=from_units(record.investment),
            cash=from_units(record.cash),
            cash_target=Decimal(record.cash_target).scaleb(-DECIMALS),
            targets=tuple(targets),
            options=snapshot.options,
            rates=snapshot.rates[record.broker],
            charged_on=snapshot.charged_on,
            holdings_source=record.source,
            synced_at=record.synced_at,
            positions=tuple(
                advice.Position(
                    replace(self._stocks[token], exchange=exchange),
                    quantity,
                    pledged,
                    uncredited=uncredited.get(token, 0),
                )
                for token, quantity, pledged, exchange in record.positions
            ),
            prices=tuple(self._prices[token] for token in tokens if token in self._prices),
            priced_at=snapshot.priced_at,
            rows=(),
            summary=advice.UNPLANNED,
            notices=(),
            restrictions=tuple(
                advice.Restricted(self._stocks[token], restriction, reason)
                for token, restriction, reason in record.restricted
            ),
            columns=None if record.is_alone else len(record.targets),
        )


def stock_of(listed: Listed) -> advice.Stock:
    """A listed stock as rows and records name it."""
    return advice.Stock(
        listed.symbol, listed.name, listed.exchange, listed.isin, listed.instrument_token
    )


def by_symbol(
    positions: Sequence[tuple[Listed, int, int, str]],
) -> tuple[tuple[int, int, int, str], ...]:
    """Positions by symbol, named by token; without an exchange: on the stock's own."""
    ordered = sorted(positions, key=lambda position: position[0].symbol)
    return tuple(
        (stock.instrument_token, quantity, pledged, exchange or stock.exchange)
        for stock, quantity, pledged, exchange in ordered
    )
