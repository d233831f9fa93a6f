"""Fills of one share given to the lines that advised it."""

import datetime as dt
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from tarazu.domain.charges import Side
from tarazu.domain.execution.chains import Amount, Units
from tarazu.domain.execution.netting import net_quantities, order_of
from tarazu.domain.execution.values import AdvisedLine, Fill


@dataclass(slots=True)
class Window:
    """A line while fills are given to it; amounts are in the first units of its chain.

    Attributes:
        place: of the line among those that are matched.
        left: shares that the line still takes.
    """

    line: AdvisedLine
    place: int
    ends_at: dt.datetime
    is_superseded: bool
    left: Amount
    taken: list[tuple[Fill, Amount]] = field(default_factory=list)
    beyond: Amount = 0
    opposite: Amount = 0


def is_inside(fill: Fill, sent_at: dt.datetime, ends_at: dt.datetime) -> bool:
    """Whether a fill took place, or may have taken place, inside a window."""
    if fill.after is None:
        return sent_at <= fill.at <= ends_at
    return fill.after < ends_at and fill.at > sent_at


def windows_of(members: Sequence[tuple[int, AdvisedLine]], units: Units | None) -> list[Window]:
    """The lines of one chain with their places, the oldest first.

    A window ends at its own end, or when advice that was sent later names the share.
    """
    ordered = sorted(members, key=_age) if len(members) > 1 else members
    windows: list[Window] = []
    newer_at: dt.datetime | None = None
    next_at: dt.datetime | None = None
    for place, line in reversed(ordered):
        if newer_at is not None and newer_at > line.sent_at:
            next_at = newer_at
        newer_at = line.sent_at
        ends_at = line.window_ends_at
        is_superseded = next_at is not None and next_at <= ends_at
        left: Amount = line.quantity if units is None else line.quantity / units.at(line.sent_at)
        windows.append(Window(line, place, min(ends_at, next_at or ends_at), is_superseded, left))
    windows.reverse()
    return windows


def _age(member: tuple[int, AdvisedLine]) -> tuple[dt.datetime, int, int]:
    _, line = member
    return line.sent_at, line.advice_id.int, line.place


def give_fills(
    windows: Sequence[Window], fills: Sequence[Fill], units: Units | None, tags: AbstractSet[str]
) -> None:
    """Divide the fills of a chain, which are in order, among its lines, the oldest first.

    Args:
        tags: of the lines; fills with one of them go to the lines with it before all others.
    """
    if not fills:
        return
    sent_at = [window.line.sent_at for window in windows]
    left: list[Amount] = list(net_quantities(fills, sent_at, tags))
    if units is not None:
        left = [amount / units.at(fill.at) for fill, amount in zip(fills, left, strict=True)]
    is_any_tagged = False
    for place, fill in enumerate(fills if tags else ()):
        if fill.tag in tags:
            is_any_tagged = True
            tagged = [window for window in windows if window.line.tag == fill.tag]
            left[place] = _offer(fill, left[place], tagged)
    for fill, amount in zip(fills, left, strict=True):
        rest = _offer(fill, amount, windows)
        if rest:
            _count_rest(fill, rest, windows)
    if is_any_tagged:
        for window in windows:
            window.taken.sort(key=lambda part: order_of(part[0]))


def _offer(fill: Fill, amount: Amount, windows: Sequence[Window]) -> Amount:
    """Give shares of a fill to the lines of its side that take them; those that are left."""
    side = fill.side
    for window in windows:
        if not amount:
            break
        line = window.line
        if window.left and line.side is side and is_inside(fill, line.sent_at, window.ends_at):
            part = min(amount, window.left)
            window.left -= part
            window.taken.append((fill, part))
            amount -= part
    return amount


def _count_rest(fill: Fill, rest: Amount, windows: Sequence[Window]) -> None:
    """Note what no line takes as beyond, or opposite to, the newest line that it may concern."""
    around = [
        window
        for window in reversed(windows)
        if window.line.side is not Side.HOLD
        and is_inside(fill, window.line.sent_at, window.ends_at)
    ]
    for window in around:
        if window.line.side is fill.side:
            window.beyond += rest
            return
    if around:
        around[0].opposite += rest
