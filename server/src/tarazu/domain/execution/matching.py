"""Which trades of a client carried out which lines of which advice.

The rules; they hold for each chain of ISINs separately:

1. A line takes fills of its side from its sending to the end of its window. The window ends at
   later advice to the client that names the share, whatever its side, if that comes first. An
   inferred fill may count if its two readings overlap the window.
2. Only deliveries and margin trades count, after netting (`netting.net_quantities`).
3. Fills with the tag of an advice go to its lines first. Then all others, and what is left of
   those, go to the oldest line first (`sent_at`, advice, place). A fill may be divided.
4. A line takes its quantity at most. What no line takes is *beyond* the newest line of its side,
   otherwise *opposite* to the newest line of the other side, otherwise the client's own trade.
5. A split, bonus or consolidation from the day after the sending to the end of the window changes
   the quantity by its factor and the price by its inverse; fills are converted to the same units.
   Amounts are exact while they are divided. The shares of a line are whole: rounded down in sum,
   not fill by fill, so that two fills of half a share are one.

Nothing depends on the order of the fills as given, and nothing is remembered between two calls.
"""

import datetime as dt
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from fractions import Fraction
from typing import NamedTuple

from tarazu.domain.charges import Side
from tarazu.domain.execution.chains import Amount, Chains, Units
from tarazu.domain.execution.netting import COUNTED_PRODUCTS, net_quantities, order_of
from tarazu.domain.execution.trading_time import last_trade_within
from tarazu.domain.execution.values import (
    AdviceState,
    AdvisedLine,
    Fill,
    LineResult,
    LineStatus,
    Match,
    OpenOrder,
    Trading,
)
from tarazu.domain.execution.windows import Window, give_fills, is_inside, windows_of
from tarazu.domain.money import ZERO, Percent, Rupees, rounded, share_of


class _Known(NamedTuple):
    """What holds for all lines of a client.

    `now`, `trading` and `tolerance` as in `match_lines`.
    """

    now: dt.datetime
    trading: Trading
    tolerance: int

    def is_read_to(self, ends_at: dt.datetime) -> bool:
        """The trades were read until nothing could be traded any more inside the window."""
        read_at = self.trading.read_at
        return read_at is not None and read_at >= last_trade_within(ends_at)


class _Counts(NamedTuple):
    """Whole shares of one line, in the units of the end of its window."""

    quantity: int
    filled: int
    beyond: int
    opposite: int


def match_lines(
    lines: Sequence[AdvisedLine], trading: Trading, now: dt.datetime, *, tolerance: int = 0
) -> list[LineResult]:
    """Match the lines of all advice of one client with the trades, in the order of `lines`.

    Args:
        lines: of every advice whose window may overlap that of a line that is looked for.
        trading: all fills since the first of them was sent.
        now: the end of what can have happened; actions after it do not count yet.
        tolerance: by how many shares a line may be missed, or exceeded, and still be DONE.
    """
    chains = Chains(trading.actions)
    by_chain: dict[str, list[tuple[int, AdvisedLine]]] = {}
    for place, line in enumerate(lines):
        by_chain.setdefault(chains.of(line.isin), []).append((place, line))
    fills = _fills_of(by_chain, trading.fills, chains)
    orders: dict[str, list[OpenOrder]] = {}
    for order in trading.orders:
        orders.setdefault(chains.of(order.isin), []).append(order)
    known = _Known(now, trading, tolerance)
    placed: dict[int, LineResult] = {}
    for chain, members in by_chain.items():
        units = chains.units_of(chain)
        windows = windows_of(members, units)
        tags = {line.tag for _, line in members if line.tag}
        give_fills(windows, fills[chain], units, tags)
        for window in windows:
            of_line = _orders_of(window, orders.get(chain, ()), tags)
            placed[window.place] = _result(window, units, known, of_line)
    return [placed[place] for place in range(len(lines))]


def own_trades(results: Sequence[LineResult], trading: Trading) -> list[Fill]:
    """The fills of shares that nobody advised at that time, in order of time.

    Only what counts: deliveries and margin trades, each with what is left of it after netting.

    Args:
        results: as `match_lines` gave them for the same trading.
    """
    chains = Chains(trading.actions)
    advised: dict[str, list[LineResult]] = {}
    for result in results:
        advised.setdefault(chains.of(result.line.isin), []).append(result)
    own: list[Fill] = []
    for chain, fills in _by_chain(trading.fills, chains).items():
        members = advised.get(chain, [])
        sent_at = sorted({result.line.sent_at for result in members})
        tags = {result.line.tag for result in members if result.line.tag}
        # Shares without an ISIN may be any: they are not netted with each other.
        left = net_quantities(fills, sent_at, tags) if chain else [each.quantity for each in fills]
        own += [
            fill if fill.quantity == quantity else fill._replace(quantity=quantity)
            for fill, quantity in zip(fills, left, strict=True)
            if quantity and not any(_is_advised(fill, result) for result in members)
        ]
    return sorted(own, key=order_of)


def _is_advised(fill: Fill, result: LineResult) -> bool:
    return result.line.side is not Side.HOLD and is_inside(
        fill, result.line.sent_at, result.ends_at
    )


def state_of(results: Sequence[LineResult]) -> AdviceState:
    """The state of an advice from its lines.

    The first that holds: UNKNOWN if no line is known (some may be declined). DECLINED if all are.
    OPPOSITE if any is. ACTED if all lines that are neither declined nor superseded are DONE or
    OVER, and there is one, or nothing was to be traded. PART if anything was traded. UNKNOWN if a
    line is not known. PENDING while a window is open. IGNORED otherwise, which includes advice
    that was superseded before anything was traded.
    """
    statuses = {result.status for result in results if result.line.side is not Side.HOLD}
    if not statuses:
        return AdviceState.ACTED
    if statuses == {LineStatus.DECLINED}:
        return AdviceState.DECLINED
    if statuses <= {LineStatus.DECLINED, LineStatus.UNKNOWN}:
        return AdviceState.UNKNOWN
    if LineStatus.OPPOSITE in statuses:
        return AdviceState.OPPOSITE
    current = statuses - {LineStatus.DECLINED, LineStatus.SUPERSEDED}
    if current and current <= {LineStatus.DONE, LineStatus.OVER}:
        return AdviceState.ACTED
    if any(result.filled for result in results):
        return AdviceState.PART
    if LineStatus.UNKNOWN in statuses:
        return AdviceState.UNKNOWN
    waiting = {LineStatus.PENDING, LineStatus.WORKING, LineStatus.REJECTED}
    return AdviceState.PENDING if statuses & waiting else AdviceState.IGNORED


def followed_percentage(results: Sequence[LineResult]) -> Percent | None:
    """Filled value at advised prices as a percentage of the advised value, two decimals, half up.

    Declined and superseded lines count as advised. None if there is no line to trade, or if nothing
    is filled as far as is known and a line is UNKNOWN.
    """
    advised = filled = ZERO
    is_known = True
    for result in results:
        if result.line.side is not Side.HOLD:
            is_known = is_known and result.status is not LineStatus.UNKNOWN
            advised += result.quantity * result.price
            filled += result.filled * result.price
    if not advised or not (filled or is_known):
        return None
    return rounded(share_of(filled, advised))


def _by_chain(fills: Iterable[Fill], chains: Chains) -> dict[str, list[Fill]]:
    """The fills that count, by chain and in order."""
    found: dict[str, list[Fill]] = {}
    for fill in fills:
        if fill.product in COUNTED_PRODUCTS:
            found.setdefault(chains.of(fill.isin), []).append(fill)
    for members in found.values():
        members.sort(key=order_of)
    return found


def _fills_of(
    advised: Iterable[str], fills: Iterable[Fill], chains: Chains
) -> dict[str, list[Fill]]:
    """As `_by_chain`, for the advised chains alone."""
    found: dict[str, list[Fill]] = {chain: [] for chain in advised}
    for fill in fills:
        members = found.get(chains.of(fill.isin))
        if members is not None and fill.product in COUNTED_PRODUCTS:
            members.append(fill)
    for members in found.values():
        if len(members) > 1:
            members.sort(key=order_of)
    return found


def _orders_of(
    window: Window, orders: Sequence[OpenOrder], tags: AbstractSet[str]
) -> list[OpenOrder]:
    """The orders for one line: of its share, side and window, without another advice's tag."""
    line = window.line
    return [
        order
        for order in orders
        if order.side is line.side
        and line.sent_at <= order.at <= window.ends_at
        and (order.tag == line.tag or order.tag not in tags)
    ]


def _result(
    window: Window, units: Units | None, known: _Known, orders: Sequence[OpenOrder]
) -> LineResult:
    line = window.line
    if units is None:
        quantity, price = line.quantity, line.price
        matches = [_whole_match(fill, int(amount)) for fill, amount in window.taken]
        beyond, opposite = int(window.beyond), int(window.opposite)
        filled = line.quantity - int(window.left) if matches else 0
    else:
        end = units.at(max(line.sent_at, min(window.ends_at, known.now)))
        factor = end / units.at(line.sent_at)
        quantity, price = int(line.quantity * factor), _times(line.price, 1 / factor)
        matches = _converted_matches(window.taken, units, end)
        filled = sum(match.quantity for match in matches)
        traded = sum((amount for _, amount in window.taken), window.beyond) * end
        beyond, opposite = int(traded) - filled, int(window.opposite * end)
    counts = _Counts(quantity, filled, beyond, opposite)
    status, text = _status(window, counts, known, orders)
    return LineResult(
        line, quantity, price, tuple(matches), beyond, status, text, window.ends_at, opposite
    )


def _whole_match(fill: Fill, shares: int) -> Match:
    return Match(fill, shares, fill.price, None if fill.price is None else fill.price * shares)


def _converted_matches(
    taken: Sequence[tuple[Fill, Amount]], units: Units, end: Fraction
) -> list[Match]:
    """The parts in the units of the end; a whole share counts where the sum reaches it."""
    matches = []
    exact, counted = Fraction(0), 0
    for fill, amount in taken:
        exact += amount * end
        scale = units.at(fill.at)
        price: Rupees | None = None
        value: Rupees | None = None
        if fill.price is not None:
            price = _times(fill.price, scale / end)
            value = _times(fill.price, amount * scale)
        matches.append(Match(fill, int(exact) - counted, price, value))
        counted = int(exact)
    return matches


def _times(price: Rupees, factor: Fraction) -> Rupees:
    """Exact unless the factor divides; then 28 digits."""
    return price * factor.numerator / factor.denominator


def _status(
    window: Window, counts: _Counts, known: _Known, orders: Sequence[OpenOrder]
) -> tuple[LineStatus, str]:
    """The first status that holds, and the broker's reason of a rejection."""
    line = window.line
    quantity, filled, beyond, opposite = counts
    if line.side is Side.HOLD:
        return LineStatus.DONE, ""
    if window.taken and quantity - filled <= known.tolerance:
        is_over = filled + beyond - quantity > known.tolerance
        return (LineStatus.OVER if is_over else LineStatus.DONE), ""
    if line.is_declined and not filled:
        return LineStatus.DECLINED, ""
    if opposite:
        return LineStatus.OPPOSITE, ""
    if not filled and not known.trading.is_read_since(line.sent_at):
        return LineStatus.UNKNOWN, ""
    if window.is_superseded:
        return LineStatus.SUPERSEDED, ""
    if known.now > window.ends_at:
        return _status_after(window, filled, known, orders)
    return _status_meanwhile(filled, orders)


def _status_after(
    window: Window, filled: int, known: _Known, orders: Sequence[OpenOrder]
) -> tuple[LineStatus, str]:
    """The status of a line that is not carried out when its window is over."""
    is_known = known.is_read_to(window.ends_at)
    if filled:
        return (LineStatus.SHORT if is_known else LineStatus.PARTIAL), ""
    if is_known:
        return LineStatus.MISSED, _reason_of(orders)
    return LineStatus.UNKNOWN, ""


def _status_meanwhile(filled: int, orders: Sequence[OpenOrder]) -> tuple[LineStatus, str]:
    """The status of a line that is not carried out while its window is open."""
    if any(not order.is_rejected for order in orders):
        return LineStatus.WORKING, ""
    if filled:
        return LineStatus.PARTIAL, ""
    if orders:
        return LineStatus.REJECTED, _reason_of(orders)
    return LineStatus.PENDING, ""


def _reason_of(orders: Sequence[OpenOrder]) -> str:
    """The reason of the last rejection; "" if there is none."""
    rejected = [(order.at, order.reason) for order in orders if order.is_rejected]
    return max(rejected)[1] if rejected else ""
