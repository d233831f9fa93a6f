"""The reason shown for each row of a plan: the cause first, then the trade."""

from decimal import Decimal
from enum import Enum
from typing import NamedTuple

from tarazu.domain.charges import Side
from tarazu.domain.money import HUNDRED, ZERO, Percent, Rupees, grouped, plain, rounded

CENT = Decimal("0.005")


class NoTrade(Enum):
    """What keeps a row from being traded at all."""

    NONE = "none"
    NO_PRICE = "no price"
    NOT_IN_TARGET = "not in the target"
    LOCKED = "locked"
    BAND = "band"


_NOT_TRADED = {
    NoTrade.NO_PRICE: "No price: not traded",
    NoTrade.NOT_IN_TARGET: "No target set: not traded",
    NoTrade.LOCKED: "Locked: not traded",
}


class ReasonSettings(NamedTuple):
    """What a reason may name: the band, the minimum trade, whether the money was short."""

    band: Percent
    minimum_trade: Rupees
    is_short: bool


class LegFacts(NamedTuple):
    """A row's figures: percents are shares of the investment, `worth` its value at the target."""

    bar: NoTrade
    side: Side
    held: int
    new_quantity: int
    price: Rupees
    worth: Rupees
    previous: Percent
    target: Percent
    possible: Percent
    one_share: Percent

    @property
    def trade(self) -> str:
        """The trade in words: "Sell 62, leaves 4.01 %"."""
        change = self.new_quantity - self.held
        if change < 0 and self.new_quantity == 0:
            return f"Sell all {grouped(self.held)}"
        verb, result = ("Buy", "reaches") if change > 0 else ("Sell", "leaves")
        return f"{verb} {grouped(abs(change))}, {result} {share(self.possible)}"


def restricted_reason(facts: LegFacts, settings: ReasonSettings, restricted: str) -> str:
    """The reason for a row; names the restriction that keeps it from its target, if one does.

    Args:
        restricted: the restriction in words; "" where none keeps the row from its target.
    """
    if not restricted or facts.bar in {NoTrade.NO_PRICE, NoTrade.NOT_IN_TARGET, NoTrade.BAND}:
        return reason_for(facts, settings)
    if facts.side is Side.HOLD:
        return f"{restricted}: {_against_target(facts)}"
    return f"{restricted}. {facts.trade} against a target of {share(facts.target)}"


def reason_for(facts: LegFacts, settings: ReasonSettings) -> str:
    """Why the row is bought, sold or held, and the trade."""
    if facts.bar in _NOT_TRADED:
        return _NOT_TRADED[facts.bar]
    if facts.side is Side.BUY:
        return f"{_why_bought(facts)}. {facts.trade}{_limit(facts, settings)}"
    if facts.side is Side.SELL and facts.target == ZERO:
        return f"Sell all {grouped(facts.held)}: exit" if not facts.new_quantity else facts.trade
    if facts.side is Side.SELL:
        return f"{_why_sold(facts)}. {facts.trade}{_limit(facts, settings)}"
    return _why_held(facts, settings)


def _why_bought(facts: LegFacts) -> str:
    if facts.target - facts.previous < CENT:
        return "Brings cash nearer its target"
    if facts.held == 0:
        return f"New: target {share(facts.target)}"
    return f"Underweight: {_against_target(facts)}"


def _why_sold(facts: LegFacts) -> str:
    if facts.new_quantity == 0:
        return _unaffordable(facts)
    if facts.previous - facts.target < CENT:
        return "Cash target or funds limit"
    return f"Overweight: {_against_target(facts)}"


def _against_target(facts: LegFacts) -> str:
    return f"{share(facts.previous)} against a target of {share(facts.target)}"


def _unaffordable(facts: LegFacts) -> str:
    if facts.price > facts.worth:
        return f"One share ({rupees(facts.price)}) is more than the target {rupees(facts.worth)}"
    return f"The target {rupees(facts.worth)} cannot be funded"


def _limit(facts: LegFacts, settings: ReasonSettings) -> str:
    """What keeps the row a share or more from its target, but for whole shares; "" if nothing."""
    rest = facts.possible - facts.target
    if facts.new_quantity == 0 or abs(rest) < max(CENT, facts.one_share):
        return ""
    if settings.is_short and rest < 0:
        return " (cash target or funds limit)"
    if settings.minimum_trade:
        return f" (minimum trade {rupees(settings.minimum_trade)})"
    return ""


def _why_held(facts: LegFacts, settings: ReasonSettings) -> str:
    drift = facts.previous - facts.target
    off = points(abs(drift))
    if facts.bar is NoTrade.BAND:
        return f"Hold: inside the {plain(settings.band)} pp band (drift {off})"
    if abs(drift) < CENT:
        return "Hold: on target"
    if facts.held == 0 and facts.price > facts.worth:
        return _unaffordable(facts)
    if abs(drift) < facts.one_share:
        return f"Hold: less than one share from target ({off})"
    if abs(drift) * facts.worth < settings.minimum_trade * facts.target:
        return f"Hold: below the minimum trade of {rupees(settings.minimum_trade)}"
    if drift < 0 and settings.is_short:
        return f"Underweight: {_against_target(facts)} (cash target or funds limit)"
    return f"Hold: a trade would not be worth its charges ({off} from target)"


def points(percent: Percent) -> str:
    """A difference of percents with two decimals: "1.84 pp"."""
    return f"{rounded(percent)} pp"


def share(percent: Percent) -> str:
    """A percent with at most two decimals: "4 %", "6.63 %"."""
    return f"{plain(rounded(percent))} %"


def rupees(amount: Rupees) -> str:
    """Rupees with lakh grouping: "₹1,40,250", "₹9,300.50"; paise only when there are any."""
    shown = rounded(amount)
    whole, paise = divmod(abs(shown), 1)
    sign = "-" if shown < 0 else ""
    cents = f".{int(paise * HUNDRED):02d}" if paise else ""
    return f"{sign}₹{grouped(int(whole))}{cents}"
