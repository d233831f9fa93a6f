"""The lots of a client, first in, first out in each demat account, and what was sold of them.

Sources: section 45(2A) of the Act of 1961 and CBDT circular 768 of 24 June 1998 for the order, by
entry into each demat account; section 55(2) for bonus shares, 49(2C) and (2D) for demergers, 49(2)
for mergers, 43(5) for speculation. All of it is computed from the trades and actions that are known,
in any order of arrival, so an action that is removed leaves no trace.
"""

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from fractions import Fraction
from operator import itemgetter
from typing import NamedTuple

from tarazu.domain.calendar import next_business_day
from tarazu.domain.corporate_actions.values import ActionKind, CorporateAction
from tarazu.domain.money import HUNDRED
from tarazu.domain.tax.days import FillsOfDay, day_of_fills, exact, proceeds_of
from tarazu.domain.tax.positions import (
    OpenLot,
    Position,
    carried,
    resized,
    with_share_of_cost,
)
from tarazu.domain.tax.shares import Shares
from tarazu.domain.tax.values import (
    Amount,
    Arrival,
    Departure,
    Disposal,
    DisposalKind,
    Lot,
    LotSource,
    Speculation,
    Trade,
)

_ACTIONS, _ARRIVALS, _TRADES, _DEPARTURES = range(4)
"""The order within a day: a share trades after an action from its ex-date on."""


@dataclass(frozen=True, slots=True)
class Entries:
    """All that is known of the shares of a client."""

    trades: Sequence[Trade] = ()
    arrivals: Sequence[Arrival] = ()
    departures: Sequence[Departure] = ()


@dataclass(frozen=True, slots=True)
class Ledger:
    """What the entries and actions come to on a day.

    Attributes:
        lots: by ISIN of that day, by demat account and then in the order of sale.
        disposals: by day.
    """

    lots: Mapping[str, Sequence[Lot]]
    disposals: Sequence[Disposal]
    speculations: Sequence[Speculation]
    shares: Shares


def open_lots(
    trades: Sequence[Trade], actions: Collection[CorporateAction], as_of: dt.date
) -> Mapping[str, Sequence[Lot]]:
    """The lots of trades alone, by ISIN; see `ledger_of`."""
    return ledger_of(Entries(trades), actions, as_of).lots


def ledger_of(
    entries: Entries,
    actions: Collection[CorporateAction],
    as_of: dt.date,
    holidays: AbstractSet[dt.date] = frozenset(),
) -> Ledger:
    """The lots at the end of a day, and all disposals until then.

    Args:
        holidays: of the exchange, for the day on which bonus shares are allotted.
    """
    shares = Shares(actions)
    book = _Book(shares, holidays)
    steps: list[tuple[dt.date, int, object]] = [
        (action.ex_on, _ACTIONS, action) for action in shares.actions
    ]
    steps += [(each.entered_on, _ARRIVALS, each) for each in sorted(entries.arrivals, key=_key)]
    steps += [(key[0], _TRADES, step) for key, step in _days_of(entries.trades, shares)]
    steps += [(each.day, _DEPARTURES, each) for each in sorted(entries.departures, key=_key)]
    for day, _kind, step in sorted(steps, key=itemgetter(0, 1)):
        if day > as_of:
            break
        book.take(step)
    return Ledger(book.lots_on(as_of), book.disposals, book.speculations, shares)


def allotted_on(action: CorporateAction, holidays: AbstractSet[dt.date]) -> dt.date:
    """The day on which bonus shares are deemed to be allotted: the business day after the record date.

    Source: SEBI circular of 16 September 2024, for issues announced from 1 October 2024. Earlier ones
    were allotted some days later, which only matters for sales a year after.
    """
    return next_business_day(action.record_on or action.ex_on, holidays)


def _key(entry: Arrival | Departure) -> tuple[str, ...]:
    return (entry.isin, entry.demat, *map(str, entry))


class _OnlyTrade(NamedTuple):
    """The one trade of a day, demat account and share; most days have no other."""

    chain: str
    trade: Trade


_Key = tuple[dt.date, str, str]


def _days_of(trades: Iterable[Trade], shares: Shares) -> list[tuple[_Key, FillsOfDay | _OnlyTrade]]:
    """The trades of each day, demat account and share together, in one order for all."""
    days: dict[_Key, list[Trade]] = {}
    for trade in trades:
        key = (trade.day, trade.demat, shares.chain(trade.isin, trade.day))
        days.setdefault(key, []).append(trade)
    return [(key, _fills_of(key, days[key])) for key in sorted(days)]


def _fills_of(key: _Key, trades: list[Trade]) -> FillsOfDay | _OnlyTrade:
    if len(trades) == 1:
        return _OnlyTrade(key[2], trades[0])
    fills = FillsOfDay(*key)
    for trade in sorted(trades, key=_order):
        fills.add(trade)
    return fills


def _order(trade: Trade) -> tuple[object, ...]:
    """The order of the trades of one day, demat account and share: no two of them that differ tie."""
    return (
        *(not trade.is_inferred, trade.order, trade.is_purchase, trade.quantity),
        *(trade.price is None, trade.price or 0, trade.isin),
    )


@dataclass(slots=True)
class _Book:
    """Lots and disposals while the days pass."""

    shares: Shares
    holidays: AbstractSet[dt.date]
    positions: dict[str, dict[str, Position]] = field(default_factory=lambda: defaultdict(dict))
    disposals: list[Disposal] = field(default_factory=list)
    speculations: list[Speculation] = field(default_factory=list)
    place: int = 0

    def take(self, step: object) -> None:
        if isinstance(step, _OnlyTrade):
            self._trade_alone(step.chain, step.trade)
        elif isinstance(step, FillsOfDay):
            self._trade(step)
        elif isinstance(step, CorporateAction):
            self._act(step)
        elif isinstance(step, Arrival):
            key = (self.shares.chain(step.isin, step.entered_on), step.demat)
            price = None if step.cost is None else Fraction(step.cost) / step.quantity
            place = (LotSource.HAND, step.entered_on)
            self._add(key, OpenLot(step.quantity, step.bought_on, price, *place))
        elif isinstance(step, Departure):
            self._leave(step)

    def lots_on(self, day: dt.date) -> Mapping[str, Sequence[Lot]]:
        lots: dict[str, list[Lot]] = {}
        for chain, by_demat in self.positions.items():
            isin = self.shares.isin_on(chain, day)
            for demat in sorted(by_demat):
                lots.setdefault(isin, []).extend(
                    Lot(
                        isin,
                        demat,
                        lot.quantity,
                        lot.bought_on,
                        lot.cost,
                        lot.source,
                        lot.entered_on,
                        lot.place,
                    )
                    for lot in by_demat[demat].lots
                )
        return {isin: each for isin, each in lots.items() if each}

    def _position(self, chain: str, demat: str) -> Position:
        by_demat = self.positions[chain]
        position = by_demat.get(demat)
        if position is None:
            position = by_demat[demat] = Position()
        return position

    def _add(self, key: tuple[str, str], lot: OpenLot) -> None:
        self.place += 1
        lot.place = self.place
        self._position(*key).add(lot)

    # ---------------------------------------------------------------- trades and departures

    def _trade(self, fills: FillsOfDay) -> None:
        bought, sold, speculation = day_of_fills(fills, self.shares.isin_on(fills.chain, fills.day))
        if speculation is not None:
            self.speculations.append(speculation)
        key = (fills.chain, fills.demat)
        for quantity, price, is_inferred in bought:
            source = LotSource.INFERRED if is_inferred else LotSource.TRADE
            self._add(key, OpenLot(quantity, fills.day, price, source, fills.day))
        if sold:
            parts = [(quantity, price) for quantity, price, _is_inferred in sold]
            self._dispose(DisposalKind.SALE, key, fills.day, parts)

    def _trade_alone(self, chain: str, trade: Trade) -> None:
        key, price = (chain, trade.demat), exact(trade.price)
        if not trade.is_purchase:
            self._dispose(DisposalKind.SALE, key, trade.day, [(trade.quantity, price)])
            return
        source = LotSource.INFERRED if trade.is_inferred else LotSource.TRADE
        self._add(key, OpenLot(trade.quantity, trade.day, price, source, trade.day))

    def _leave(self, leaving: Departure) -> None:
        key = (self.shares.chain(leaving.isin, leaving.day), leaving.demat)
        if not leaving.is_buyback:
            position = self._position(*key)
            is_whole = not position.take(leaving.quantity).missing
            self._note_left(position, (), is_whole=is_whole)
            return
        price = None if leaving.proceeds is None else Fraction(leaving.proceeds) / leaving.quantity
        self._dispose(DisposalKind.BUYBACK, key, leaving.day, [(leaving.quantity, price)])

    def _dispose(
        self,
        kind: DisposalKind,
        key: tuple[str, str],
        day: dt.date,
        sold: Sequence[tuple[int, Fraction | None]],
    ) -> None:
        """Take what was disposed of on a day out of the lots: shares and rupees a share."""
        position = self._position(*key)
        taken = position.take(sum(quantity for quantity, _price in sold))
        parts: list[OpenLot | None] = [*taken.lots, *([None] if taken.missing else [])]
        quantities = [taken.missing if lot is None else lot.quantity for lot in parts]
        isin = self.shares.isin_on(key[0], day)
        first = len(self.disposals)
        for lot, quantity, proceeds in zip(
            parts, quantities, proceeds_of(sold, quantities), strict=True
        ):
            known = (None, None, None) if lot is None else (lot.bought_on, lot.paid, lot.source)
            self.disposals.append(Disposal(kind, isin, key[1], quantity, day, proceeds, *known))
        new = range(first, len(self.disposals))
        self._note_left(position, new, is_whole=not taken.missing)

    def _note_left(self, position: Position, new: Sequence[int], *, is_whole: bool) -> None:
        """Note what left a position, and forget which lots it was where shares are missing.

        If shares are missing from the history before this day, what left until then may have been
        these. All lots are in a single disposal, so that one is known.
        """
        if is_whole:
            position.left.extend(new)
            position.has_left = True
            return
        if position.has_left:
            for index in (*position.left, *new):
                unknown = self.disposals[index]._replace(bought_on=None, paid=None, source=None)
                self.disposals[index] = unknown
        position.left, position.has_left = [], False

    # ---------------------------------------------------------------- corporate actions

    def _act(self, action: CorporateAction) -> None:
        chain = self.shares.chain_before(action.isin)
        for demat, position in sorted(self.positions.get(chain, {}).items()):
            if not position.lots:
                continue
            if action.kind is ActionKind.BONUS:
                self._bonus(action, position, (chain, demat))
            elif action.changes_units:
                sized = resized(position.lots, action.factor)
                position.replace(sized.lots)
                self._cash_out(action, demat, sized.cost_left, is_all=not sized.lots)
            elif action.kind is ActionKind.DEMERGER:
                self._demerge(action, position, demat)
            elif action.kind is ActionKind.MERGER and action.new_isin:
                self._merge(action, position, demat)

    def _bonus(self, action: CorporateAction, position: Position, key: tuple[str, str]) -> None:
        new = int(position.quantity * (action.factor - 1))
        day = allotted_on(action, self.holidays)
        if new:
            self._add(key, OpenLot(new, day, Fraction(0), LotSource.BONUS, day))

    def _demerge(self, action: CorporateAction, position: Position, demat: str) -> None:
        """Give each lot's share of the cost to shares of the resulting company, with its date."""
        share = None if action.cost_share is None else Fraction(action.cost_share / HUNDRED)
        leaving = [with_share_of_cost(lot, share) for lot in position.lots]
        rest = None if share is None else 1 - share
        position.replace([with_share_of_cost(lot, rest) for lot in position.lots])
        if action.new_isin:
            self._carry(action, leaving, demat, LotSource.DEMERGER)

    def _merge(self, action: CorporateAction, position: Position, demat: str) -> None:
        lots, left, has_left = list(position.lots), position.left, position.has_left
        del self.positions[self.shares.chain_before(action.isin)][demat]
        self._carry(action, lots, demat, LotSource.MERGER)
        merged = self._position(self.shares.chain(action.new_isin, action.ex_on), demat)
        merged.left.extend(left)
        merged.has_left = merged.has_left or has_left

    def _carry(
        self, action: CorporateAction, lots: Sequence[OpenLot], demat: str, source: LotSource
    ) -> None:
        chain = self.shares.chain(action.new_isin, action.ex_on)
        sized = resized(lots, action.factor)
        for lot in sized.lots:
            self._add((chain, demat), carried(lot, action.ex_on, source))
        self._cash_out(action, demat, sized.cost_left, is_all=not sized.lots)

    def _cash_out(
        self, action: CorporateAction, demat: str, cost: Fraction | None, *, is_all: bool
    ) -> None:
        """Note the cost of shares that became less than one share, paid out for an unknown amount."""
        if is_all:
            isin = action.new_isin or action.isin
            paid = None if cost is None else Amount(cost, 1)
            fraction = Disposal(
                DisposalKind.FRACTION, isin, demat, 0, action.ex_on, None, None, paid, None
            )
            self.disposals.append(fraction)
