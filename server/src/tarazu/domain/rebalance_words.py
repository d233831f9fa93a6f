"""The one reason given for each row of a rebalance, in words for the screen."""

from decimal import Decimal
from enum import Enum
from typing import NamedTuple

from tarazu.domain.charges import Side
from tarazu.domain.money import HUNDRED, ZERO, Percent, Rupees, rounded

CENT = Decimal("0.005")


class Bar(Enum):
    """What keeps a row from being traded at all."""

    NONE = "none"
    NO_PRICE = "no price"
    NOT_IN_TARGET = "not in the target"
    LOCKED = "locked"
    BAND = "band"


class Settings(NamedTuple):
    """What a reason may name: the band, the least trade, whether the money was short."""

    band: Percent
    minimum_trade: Rupees
    is_short: bool


class Facts(NamedTuple):
    """A row's figures: percents are shares of the investment, `worth` its value at the target."""

    bar: Bar
    side: Side
    held: int
    new_quantity: int
    price: Rupees
    worth: Rupees
    previous: Percent
    target: Percent
    possible: Percent
    one_share: Percent


def restricted_reason(facts: Facts, settings: Settings, restricted: str) -> str:
    """The reason for a row; where a restriction keeps it from its target, that is named instead.

    Args:
        restricted: the restriction in words; "" where none keeps the row from its target.
    """
    if not restricted or facts.bar in {Bar.NO_PRICE, Bar.NOT_IN_TARGET, Bar.BAND}:
        return reason_for(facts, settings)
    off = facts.possible - facts.target
    left = f"{points(abs(off))} {'over' if off > 0 else 'under'} target remains"
    if facts.bar is Bar.LOCKED:
        return f"{reason_for(facts, settings)}; {left}"
    change = grouped(abs(facts.new_quantity - facts.held))
    if facts.side is Side.HOLD:
        return f"Hold: {restricted}; {left}"
    verb = "Buy" if facts.side is Side.BUY else "Sell"
    return f"{verb} {change}: {restricted}; {left}"


def reason_for(facts: Facts, settings: Settings) -> str:
    """One sentence: what is done with the row, and why."""
    barred = {
        Bar.NO_PRICE: "No price: left as it is",
        Bar.NOT_IN_TARGET: "Not in the target",
        Bar.LOCKED: "Locked: not to be traded",
    }.get(facts.bar)
    if barred is not None:
        return barred
    if facts.side is Side.BUY:
        return _bought(facts, settings)
    if facts.side is Side.SELL:
        return _sold(facts, settings)
    return _left(facts, settings)


def _bought(facts: Facts, settings: Settings) -> str:
    change = f"Buy {grouped(facts.new_quantity - facts.held)}"
    under = facts.target - facts.previous
    if under < CENT:
        return f"{change}: brings cash nearer its target"
    return f"{change}: {points(under)} under target; {_remainder(facts, settings)}"


def _sold(facts: Facts, settings: Settings) -> str:
    change = facts.held - facts.new_quantity
    if facts.target == ZERO:
        return f"Sell all {grouped(facts.held)}: target 0 %"
    if facts.new_quantity == 0:
        return f"Sell all {grouped(facts.held)}: {_too_dear(facts)}"
    over = facts.previous - facts.target
    if over < CENT:
        return f"Sell {grouped(change)}: cash target / funds limit"
    return f"Sell {grouped(change)}: {points(over)} over target; {_remainder(facts, settings)}"


def _too_dear(facts: Facts) -> str:
    if facts.price > facts.worth:
        return f"one share ({rupees(facts.price)}) is more than the target {rupees(facts.worth)}"
    return f"the target {rupees(facts.worth)} cannot be funded"


def _remainder(facts: Facts, settings: Settings) -> str:
    rest = facts.possible - facts.target
    if abs(rest) < CENT:
        return "on target"
    if settings.is_short and -rest >= facts.one_share:
        return f"short by {points(-rest)}: cash target / funds limit"
    if settings.minimum_trade and abs(rest) >= facts.one_share:
        return f"{points(abs(rest))} remains (minimum trade {rupees(settings.minimum_trade)})"
    return f"{points(abs(rest))} remains (whole shares)"


def _left(facts: Facts, settings: Settings) -> str:
    drift = facts.previous - facts.target
    if facts.bar is Bar.BAND:
        return f"Hold: drift {points(abs(drift))} inside the {plain(settings.band)} pp band"
    if abs(drift) < CENT:
        return "Hold: on target"
    if facts.held == 0 and facts.price > facts.worth:
        reason = _too_dear(facts)
        return reason[0].upper() + reason[1:]
    if abs(drift) < facts.one_share:
        return f"Hold: {points(abs(drift))} from target, less than one share"
    if abs(drift) * facts.worth < settings.minimum_trade * facts.target:
        return f"Hold: below minimum trade {rupees(settings.minimum_trade)}"
    if drift < 0 and settings.is_short:
        return f"Short by {points(-drift)}: cash target / funds limit"
    return (
        f"Hold: a trade would not bring the portfolio nearer for its charges ({points(abs(drift))})"
    )


def points(percent: Percent) -> str:
    """A difference of percents with two decimals: "1.84 pp"."""
    return f"{rounded(percent)} pp"


def plain(value: Decimal) -> str:
    """A decimal without trailing noughts: "0.25", "1000"."""
    return f"{value.normalize():f}" if value else "0"


def rupees(amount: Rupees) -> str:
    """Rupees with lakh grouping: "₹1,40,250", "₹9,300.50"; paise only when there are any."""
    shown = rounded(amount)
    whole, paise = divmod(abs(shown), 1)
    sign = "-" if shown < 0 else ""
    cents = f".{int(paise * HUNDRED):02d}" if paise else ""
    return f"{sign}₹{grouped(int(whole))}{cents}"


def grouped(number: int) -> str:
    """A whole number from 0 up with Indian grouping: three digits, then two and two."""
    digits = str(number)
    head, tail = digits[:-3], digits[-3:]
    pairs = []
    while head:
        pairs.append(head[-2:])
        head = head[:-2]
    return ",".join([*reversed(pairs), tail])
