"""The data of a run from which any client's rebalance can be made again, to the share."""

import datetime as dt
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache
from typing import Any

from pydantic import TypeAdapter

from tarazu.advice import service as advice
from tarazu.domain.charges import ChargeRates
from tarazu.domain.money import ZERO, from_units
from tarazu.domain.rebalancing.plan import Options
from tarazu.domain.restrictions import Kind, Restriction
from tarazu.instruments.service import Listed

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
class PlanRecord:
    """One client of a run; amounts in units, targets in percent without their point, stocks by token.

    `positions` are token, whole shares, pledged ones, and the exchange on which they are held.

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
    restricted: tuple[tuple[int, str, str | None, str | None, str], ...]
    broker: str
    source: str
    synced_at: str | None


@cache
def _snapshot_form() -> TypeAdapter[Snapshot]:
    # Made when first needed, like the next one: this shortens the start.
    return TypeAdapter(Snapshot)


@cache
def _options_form() -> TypeAdapter[Options]:
    return TypeAdapter(Options)


def options_text(options: Options) -> str:
    """The options of a run as JSON."""
    return _options_form().dump_json(options).decode()


def options_from(text: str) -> Options:
    """The options that `options_text` wrote."""
    return _options_form().validate_json(text)


def snapshot_text(snapshot: Snapshot) -> str:
    """The snapshot as JSON."""
    return _snapshot_form().dump_json(snapshot).decode()


def snapshot_from(text: str) -> Snapshot:
    """The snapshot that `snapshot_text` wrote."""
    return _snapshot_form().validate_json(text)


def record_text(record: PlanRecord) -> str:
    """One client's record as JSON."""
    fields = {name: getattr(record, name) for name in PlanRecord.__slots__}
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":"))


def record_from(text: str) -> PlanRecord:
    """The record that `record_text` wrote."""
    fields: dict[str, Any] = json.loads(text)
    for name in ("targets", "shares", "sold"):
        fields[name] = tuple(fields[name])
    for name in ("positions", "restricted"):
        fields[name] = tuple(tuple(part) for part in fields[name])
    return PlanRecord(**fields)


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
        return advice.worked_out(self._request(record), record.shares, record.phi, record.bound)

    def _request(self, record: PlanRecord) -> advice.Package:
        """A client's rebalance without its rows."""
        snapshot = self.snapshot
        targets = [
            advice.Target(stock, Decimal(points).scaleb(-DECIMALS))
            for stock, points in zip(self._columns, record.targets, strict=True)
        ]
        targets += [advice.Target(self._stocks[token], ZERO) for token in record.sold]
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
            synced_at=dt.datetime.fromisoformat(record.synced_at) if record.synced_at else None,
            positions=tuple(
                advice.Position(replace(self._stocks[token], exchange=exchange), quantity, pledged)
                for token, quantity, pledged, exchange in record.positions
            ),
            prices=tuple(self._prices[token] for token in tokens if token in self._prices),
            priced_at=snapshot.priced_at,
            rows=(),
            summary=advice.UNPLANNED,
            notices=(),
            restrictions=tuple(
                advice.Restricted(
                    self._stocks[token],
                    Restriction(
                        Kind(kind),
                        None if least is None else Decimal(least),
                        None if most is None else Decimal(most),
                    ),
                    reason,
                )
                for token, kind, least, most, reason in record.restricted
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
