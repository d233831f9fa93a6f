"""A broker's answer as one line for each listing, and what changed since the last answer.

No database: the service reads what was there and writes what is.
"""

import uuid
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tarazu.brokers.service import BrokerHolding, UnreadableRow
from tarazu.domain.money import ZERO, Rupees, rounded
from tarazu.domain.reconcile import (
    PRICE_PLACES,
    OwnedShares,
    average_of,
    hint_of,
    parts_after_today,
    sum_of_parts,
)
from tarazu.instruments.service import Listed
from tarazu.orders.service import Fill
from tarazu.orders.tables import OrderSide
from tarazu.portfolio.service import NewHolding
from tarazu.sync.broker_reads import DELIVERY, SHARES, BrokerAnswer
from tarazu.sync.tables import BrokerLine

Name = tuple[str, str]
"""Exchange and symbol."""


@dataclass(slots=True)
class ShareLine:
    """One listing at the broker. `today` is bought less sold today, in no other part."""

    exchange: str
    symbol: str
    isin: str = ""
    token: int = 0
    free: int = 0
    t1: int = 0
    pledged: int = 0
    today: int = 0
    margin_funded: int = 0
    lots: list[tuple[int, Rupees]] = field(default_factory=list)
    last_price: Rupees | None = None
    is_doubted: bool = False
    instrument: Listed | None = None

    @property
    def name(self) -> Name:
        """Exchange and symbol."""
        return self.exchange, self.symbol

    @property
    def parts(self) -> OwnedShares:
        """What is owned of it once the trades of today are counted."""
        return parts_after_today(self.free, self.t1, self.pledged, self.today)

    @property
    def average_price(self) -> Rupees:
        """What a share cost, with four decimals; 0 where the broker does not know."""
        return average_of(self.lots)

    @property
    def key(self) -> Hashable:
        """What it is the same share as: the instrument, else the listing."""
        return self.instrument.id if self.instrument else self.name

    def row(self, client_id: uuid.UUID) -> dict[str, Any]:
        """The columns of its `BrokerLine`."""
        return {
            "client_id": client_id,
            "exchange": self.exchange,
            "symbol": self.symbol,
            "isin": self.isin,
            "token": self.token,
            "instrument_id": self.instrument.id if self.instrument else None,
            "free": self.free,
            "t1": self.t1,
            "pledged": self.pledged,
            "today": self.today,
            "margin_funded": self.margin_funded,
            "average_price": self.average_price,
            "last_price": rounded(self.last_price, PRICE_PLACES) if self.last_price else None,
            "is_doubted": self.is_doubted,
        }


class UnexplainedChange(NamedTuple):
    """A holding that changed by another number of shares than was traded."""

    line: ShareLine
    before: int
    after: int
    ordered: int
    average_before: Rupees
    average_after: Rupees
    hint: str
    isin_changed: bool

    def is_credit(self, credited: Mapping[uuid.UUID, int]) -> bool:
        """Whether it is the shares that a corporate action brought, by instrument."""
        instrument = self.line.instrument
        shares = credited.get(instrument.id, 0) if instrument is not None else 0
        return shares != 0 and self.after - self.before - self.ordered == shares


def lines_of(answer: BrokerAnswer, unreadable: Sequence[ShareLine] = ()) -> list[ShareLine]:
    """Every listing in which the client has shares, or traded shares for delivery today.

    Args:
        answer: what the broker said.
        unreadable: listings whose row could not be read: they stay as they were.
    """
    held_names = {(held.exchange, held.symbol) for held in answer.holdings}
    lines: dict[Name, ShareLine] = {
        line.name: line for line in unreadable if line.name not in held_names
    }
    settled = set(lines)
    for held in answer.holdings:
        line = lines.setdefault((held.exchange, held.symbol), ShareLine(held.exchange, held.symbol))
        _add(line, held)
    for position in answer.positions:
        if position.product != DELIVERY or position.exchange not in SHARES or not position.net:
            continue
        if (position.exchange, position.symbol) in settled:
            continue
        line = lines.setdefault(
            (position.exchange, position.symbol), ShareLine(position.exchange, position.symbol)
        )
        line.token, line.today = line.token or position.token, line.today + position.net
        line.last_price = line.last_price or position.last_price
        if position.net > 0:
            line.lots.append((position.net, rounded(position.average_price, PRICE_PLACES)))
    return [
        line
        for line in lines.values()
        if line.parts.quantity or line.margin_funded or line.free or line.pledged or line.t1
    ]


def unreadable_lines(
    before: Sequence[BrokerLine], left_out: Sequence[UnreadableRow], *, is_same_day: bool
) -> list[ShareLine]:
    """The lines of the last answer whose holding cannot be read in this one, as they were.

    Args:
        before: the lines of the last answer.
        left_out: what cannot be read.
        is_same_day: whether the last answer is of today; what was bought on an earlier day is on
            its way by now.
    """
    names = {(row.exchange, row.symbol) for row in left_out if row.symbol}
    isins = {row.isin for row in left_out if row.isin}
    rows = [row for row in before if (row.exchange, row.symbol) in names or row.isin in isins]
    return [_line_as_before(row, is_same_day=is_same_day) for row in rows]


def _line_as_before(row: BrokerLine, *, is_same_day: bool) -> ShareLine:
    line = ShareLine(row.exchange, row.symbol, row.isin, row.token)
    if is_same_day:
        line.free, line.t1, line.pledged, line.today = row.free, row.t1, row.pledged, row.today
    else:
        parts = _parts(row)
        line.free, line.pledged = parts.free, parts.pledged
        line.t1 = parts.t1 + parts.bought_today
    line.margin_funded, line.is_doubted = row.margin_funded, row.is_doubted
    line.lots, line.last_price = [(line.parts.quantity, row.average_price)], row.last_price
    return line


def holdings_of(lines: Iterable[ShareLine]) -> dict[uuid.UUID, NewHolding]:
    """What the portfolio holds, by instrument: listings of one share on two exchanges are one."""
    by_instrument: dict[uuid.UUID, list[ShareLine]] = defaultdict(list)
    for line in lines:
        if line.instrument is not None and line.parts.quantity > 0:
            by_instrument[line.instrument.id].append(line)
    return {key: _holding(rows) for key, rows in by_instrument.items()}


def unexplained_changes(
    before: Sequence[BrokerLine], lines: Sequence[ShareLine], fills: Iterable[Fill]
) -> list[UnexplainedChange]:
    """Holdings that changed otherwise than by the orders filled since, by symbol."""
    same = {line.name: line.key for line in lines}
    keys = {(row.exchange, row.symbol): same.get((row.exchange, row.symbol)) for row in before}
    old: dict[Hashable, list[BrokerLine]] = defaultdict(list)
    for row in before:
        name = (row.exchange, row.symbol)
        # A listing that was unrecognised last time, and now is known, is the same share.
        old[row.instrument_id or keys[name] or name].append(row)
    new: dict[Hashable, list[ShareLine]] = defaultdict(list)
    for line in lines:
        new[line.key].append(line)
    ordered = _ordered(before, lines, fills)
    unexplained = [
        _unexplained_change(old.get(key, []), new.get(key, []), ordered[key])
        for key in old.keys() | new.keys()
    ]
    return sorted(
        (change for change in unexplained if change is not None),
        key=lambda change: change.line.symbol,
    )


def _add(line: ShareLine, held: BrokerHolding) -> None:
    line.isin, line.token = line.isin or held.isin, line.token or held.token
    line.free, line.t1 = line.free + held.free, line.t1 + held.t1
    line.pledged += held.pledged
    line.margin_funded += held.margin_funded
    line.lots.append((held.owned, rounded(held.average_price, PRICE_PLACES)))
    line.last_price = line.last_price or held.last_price
    line.is_doubted = line.is_doubted or held.is_doubted


def _holding(lines: Sequence[ShareLine]) -> NewHolding:
    parts = sum_of_parts(line.parts for line in lines)
    lots = [(line.parts.quantity, line.average_price) for line in lines]
    # Of a share on two exchanges, the one with more of it.
    most = max(lines, key=lambda line: (line.parts.quantity, line.exchange))
    return NewHolding(
        parts.quantity,
        average_of(lots),
        parts.pledged,
        parts.t1,
        parts.bought_today,
        most.exchange,
    )


def _ordered(
    before: Iterable[BrokerLine], lines: Iterable[ShareLine], fills: Iterable[Fill]
) -> Counter[Hashable]:
    """Shares bought less sold since, by the same keys. Orders have no ISIN: they are matched by name.

    Sold on the other exchange it is the same share, so a symbol alone will do where the name of
    the exchange finds nothing.
    """
    names: dict[Hashable, Hashable] = {}
    for row in before:
        key: Hashable = row.instrument_id or (row.exchange, row.symbol)
        names[row.symbol] = names[row.exchange, row.symbol] = key
    for line in lines:
        names[line.symbol] = names[line.exchange, line.symbol] = line.key
    sums: Counter[Hashable] = Counter()
    for fill in fills:
        if fill.product == DELIVERY and fill.exchange in SHARES:
            name = (fill.exchange, fill.symbol)
            key = names.get(name) or names.get(fill.symbol) or name
            sums[key] += fill.quantity if fill.side == OrderSide.BUY else -fill.quantity
    return sums


def _unexplained_change(
    old: Sequence[BrokerLine], new: Sequence[ShareLine], ordered: int
) -> UnexplainedChange | None:
    before = sum(_parts(row).quantity for row in old)
    after = sum(line.parts.quantity for line in new)
    if after - before == ordered:
        return None
    line = new[0] if new else _gone(old[0])
    isins = (
        {row.isin for row in old if row.isin},
        {share_line.isin for share_line in new if share_line.isin},
    )
    changed = bool(isins[0] and isins[1] and not isins[0] & isins[1])
    return UnexplainedChange(
        line,
        before,
        after,
        ordered,
        average_of((_parts(row).quantity, row.average_price) for row in old),
        average_of((share_line.parts.quantity, share_line.average_price) for share_line in new),
        hint_of(max(before + ordered, 0), after, isin_changed=changed),
        changed,
    )


def _parts(row: BrokerLine) -> OwnedShares:
    return parts_after_today(row.free, row.t1, row.pledged, row.today)


def _gone(row: BrokerLine) -> ShareLine:
    """A line that is no longer there."""
    return ShareLine(row.exchange, row.symbol, row.isin, row.token)


def money_of(fills: Iterable[Fill]) -> tuple[Rupees, Rupees]:
    """What sales brought less what purchases took, and how much was traded; shares alone."""
    traded = turnover = ZERO
    for fill in fills:
        if fill.exchange in SHARES:
            value = fill.quantity * fill.average_price
            traded += value if fill.side == OrderSide.SELL else -value
            turnover += value
    return traded, turnover


def instrument_ids(
    before: Iterable[BrokerLine], lines: Iterable[ShareLine]
) -> Mapping[Name, uuid.UUID]:
    """The instrument of every name that had or has one."""
    known = {(row.exchange, row.symbol): row.instrument_id for row in before if row.instrument_id}
    return known | {line.name: line.instrument.id for line in lines if line.instrument}
