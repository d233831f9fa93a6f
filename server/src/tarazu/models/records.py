"""What a run keeps so that any client's rebalance can be made again from it, to the share."""

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
from tarazu.domain.rebalance import Options
from tarazu.domain.restrictions import Kind, Restriction
from tarazu.instruments.service import Listed

DECIMALS = 10
"""Of a percent, in the targets that are kept."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What all clients of a run were worked out with; `columns` are the model's stocks by token.

    `priced` has every stock that has a price and that the model or a client of the run has; the
    others stand in `unpriced`. `rates` are by broker.
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
        known = {one.stock.instrument_token: one.stock for one in self.priced}
        return known | {one.instrument_token: one for one in self.unpriced}


@dataclass(frozen=True, slots=True)
class Worked:
    """One client of a run; amounts in units, targets in percent without their point, stocks by token.

    `positions` are token, whole shares, pledged ones, and the exchange on which they are held.

    `targets` and `shares` are of the model's stocks in their order, `sold` what is sold outside
    the model. `decimals` are those of the targets: two in records of an older version. `is_alone`: solved without the other clients; `shares` say nothing then.
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
    decimals: int = 2


@cache
def _snapshot_form() -> TypeAdapter[Snapshot]:
    # Made when it is first needed, as the next: the start is shorter without them.
    return TypeAdapter(Snapshot)


@cache
def _options_form() -> TypeAdapter[Options]:
    return TypeAdapter(Options)


def options_text(options: Options) -> str:
    """The options of a run as they are kept."""
    return _options_form().dump_json(options).decode()


def options_from(text: str) -> Options:
    """The options that `options_text` wrote."""
    return _options_form().validate_json(text)


def snapshot_text(snapshot: Snapshot) -> str:
    """The snapshot as it is kept."""
    return _snapshot_form().dump_json(snapshot).decode()


def snapshot_from(text: str) -> Snapshot:
    """The snapshot that `snapshot_text` wrote."""
    return _snapshot_form().validate_json(text)


def worked_text(worked: Worked) -> str:
    """One client's record as it is kept."""
    fields = {name: getattr(worked, name) for name in Worked.__slots__}
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":"))


def worked_from(text: str) -> Worked:
    """The record that `worked_text` wrote."""
    fields: dict[str, Any] = json.loads(text)
    for name in ("targets", "shares", "sold"):
        fields[name] = tuple(fields[name])
    for name in ("positions", "restricted"):
        fields[name] = tuple(tuple(one) for one in fields[name])
    return Worked(**fields)


class Rebuilder:
    """Makes clients' rebalances out of a run's snapshot and their records."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self._stocks = snapshot.stocks()
        self._prices = {one.stock.instrument_token: one for one in snapshot.priced}
        self._columns = [self._stocks[token] for token in snapshot.columns]

    def rebalance_of(self, worked: Worked) -> advice.Package:
        """A client's rebalance, whole.

        Raises:
            CannotPlan: what was kept does not make a plan.
        """
        return advice.computed(self.asked(worked), worked.shares, worked.phi, worked.bound)

    def asked(self, worked: Worked) -> advice.Package:
        """A client's rebalance as it was asked for: all but its rows."""
        snapshot = self.snapshot
        targets = [
            advice.Target(stock, Decimal(points).scaleb(-worked.decimals))
            for stock, points in zip(self._columns, worked.targets, strict=True)
        ]
        targets += [advice.Target(self._stocks[token], ZERO) for token in worked.sold]
        tokens = {one.stock.instrument_token: None for one in targets}
        tokens |= {token: None for token, *_ in worked.positions}
        return advice.Package(
            investment=from_units(worked.investment),
            cash=from_units(worked.cash),
            cash_target=Decimal(worked.cash_target).scaleb(-worked.decimals),
            targets=tuple(targets),
            options=snapshot.options,
            rates=snapshot.rates[worked.broker],
            charged_on=snapshot.charged_on,
            holdings_source=worked.source,
            synced_at=dt.datetime.fromisoformat(worked.synced_at) if worked.synced_at else None,
            positions=tuple(
                advice.Position(replace(self._stocks[token], exchange=exchange), quantity, pledged)
                for token, quantity, pledged, exchange in worked.positions
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
                for token, kind, least, most, reason in worked.restricted
            ),
            columns=None if worked.is_alone else len(worked.targets),
        )


def stock_of(listed: Listed) -> advice.Stock:
    """What rows and records name."""
    return advice.Stock(
        listed.symbol, listed.name, listed.exchange, listed.isin, listed.instrument_token
    )


def by_symbol(
    positions: Sequence[tuple[Listed, int, int, str]],
) -> tuple[tuple[int, int, int, str], ...]:
    """Positions by symbol, named by token; on the stock's own exchange where none is told."""
    ordered = sorted(positions, key=lambda one: one[0].symbol)
    return tuple(
        (stock.instrument_token, quantity, pledged, exchange or stock.exchange)
        for stock, quantity, pledged, exchange in ordered
    )
