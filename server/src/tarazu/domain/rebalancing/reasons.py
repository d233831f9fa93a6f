"""The reason shown for each row of a plan: the cause first, then the trade."""

from decimal import Decimal
from typing import NamedTuple

from tarazu.domain.charges import Side
from tarazu.domain.money import HUNDRED, ZERO, Percent, Rupees, grouped, plain, rounded
from tarazu.domain.rebalancing.causes import Cause, Mode, NoTrade

CENT = Decimal("0.005")


class Reason(NamedTuple):
    """The cause of a row, and a sentence or two about it."""

    cause: Cause
    text: str


_NOT_TRADED = {
    NoTrade.NO_PRICE: Reason(Cause.NO_PRICE, "No price: not traded"),
    NoTrade.NOT_IN_TARGET: Reason(Cause.NO_TARGET, "No target set: not traded"),
    NoTrade.LOCKED: Reason(Cause.RESTRICTION, "Locked: not traded"),
    NoTrade.MODE: Reason(Cause.MODE, "Exits only: not traded"),
}


class ReasonSettings(NamedTuple):
    """What a reason may name: the band, the minimum trade, whether the money was short.

    `order_drift` is the drift that an order must be worth; `is_taxed`: the tax of sales counts.
    """

    band: Percent
    minimum_trade: Rupees
    is_short: bool
    mode: Mode = Mode.FULL
    order_drift: Percent = ZERO
    is_taxed: bool = False


class LegFacts(NamedTuple):
    """A row's figures: percents are shares of the investment, `worth` its value at the target.

    `before` is the target of the model's version before this one, None where it is not known.
    """

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
    before: Percent | None = None

    @property
    def trade(self) -> str:
        """The trade in words: "Sell 62, leaves 4.01 %"."""
        change = self.new_quantity - self.held
        if change < 0 and self.new_quantity == 0:
            return f"Sell all {grouped(self.held)}"
        verb, result = ("Buy", "reaches") if change > 0 else ("Sell", "leaves")
        return f"{verb} {grouped(abs(change))}, {result} {share(self.possible)}"


def restricted_reason(facts: LegFacts, settings: ReasonSettings, restricted: str) -> Reason:
    """The reason for a row; names the restriction that keeps it from its target, if one does.

    Args:
        restricted: the restriction in words; "" where none keeps the row from its target.
    """
    if not restricted or facts.bar in {*_NOT_TRADED, NoTrade.BAND} - {NoTrade.LOCKED}:
        return reason_for(facts, settings)
    against = _against_target(facts)
    if facts.side is Side.HOLD:
        return Reason(Cause.RESTRICTION, f"{restricted}: {against}")
    trade = f"{facts.trade} against a target of {share(facts.target)}"
    return Reason(Cause.RESTRICTION, f"{restricted}. {trade}")


def reason_for(facts: LegFacts, settings: ReasonSettings) -> Reason:
    """Why the row is bought, sold or held, and the trade."""
    if facts.bar in _NOT_TRADED:
        return _NOT_TRADED[facts.bar]
    if facts.side is Side.HOLD:
        return _why_held(facts, settings)
    if facts.side is Side.SELL and facts.target == ZERO and settings.mode is not Mode.RAISE_CASH:
        text = f"Sell all {grouped(facts.held)}: exit" if not facts.new_quantity else facts.trade
        return Reason(Cause.EXIT, text)
    cause, text = _why_bought(facts) if facts.side is Side.BUY else _why_sold(facts, settings)
    return Reason(cause, f"{text}. {facts.trade}{_limit(facts, settings)}")


def _why_bought(facts: LegFacts) -> Reason:
    if facts.target - facts.previous < CENT:
        return Reason(Cause.CASH, "Brings cash nearer its target")
    if facts.held == 0:
        return Reason(Cause.NEW, f"New: target {share(facts.target)}")
    if facts.before is not None and facts.target > facts.before:
        return _model_changed(facts, facts.before)
    return Reason(Cause.BELOW_TARGET, f"Underweight: {_against_target(facts)}")


def _why_sold(facts: LegFacts, settings: ReasonSettings) -> Reason:
    is_over = facts.previous - facts.target >= CENT
    if settings.mode is Mode.RAISE_CASH:
        over = "overweight, " if is_over else ""
        return Reason(Cause.CASH, f"To raise cash: {over}{_against_target(facts)}")
    if facts.new_quantity == 0:
        return Reason(Cause.ABOVE_TARGET if is_over else Cause.CASH, _unaffordable(facts))
    if not is_over:
        return Reason(Cause.CASH, "Cash target or funds limit")
    if facts.before is not None and facts.target < facts.before:
        return _model_changed(facts, facts.before)
    return Reason(Cause.ABOVE_TARGET, f"Overweight: {_against_target(facts)}")


def _model_changed(facts: LegFacts, before: Percent) -> Reason:
    changed = f"Model changed: target {share(facts.target)}, before {share(before)}"
    return Reason(Cause.MODEL_CHANGED, changed)


def _against_target(facts: LegFacts) -> str:
    return f"{share(facts.previous)} against a target of {share(facts.target)}"


def _unaffordable(facts: LegFacts) -> str:
    if facts.price > facts.worth:
        return f"One share ({rupees(facts.price)}) is more than the target {rupees(facts.worth)}"
    return f"The target {rupees(facts.worth)} cannot be funded"


def _limit(facts: LegFacts, settings: ReasonSettings) -> str:
    """What keeps the row a share or more from its target, but for whole shares; "" if nothing."""
    rest = facts.possible - facts.target
    if settings.mode is Mode.RAISE_CASH:
        return ""
    if facts.new_quantity == 0 or abs(rest) < max(CENT, facts.one_share):
        return ""
    if settings.is_short and rest < 0:
        return " (cash target or funds limit)"
    if settings.is_taxed and rest > 0:
        return " (less tax)"
    if settings.minimum_trade:
        return f" (minimum trade {rupees(settings.minimum_trade)})"
    return ""


def _why_held(facts: LegFacts, settings: ReasonSettings) -> Reason:
    drift = facts.previous - facts.target
    off = points(abs(drift))
    if facts.bar is NoTrade.BAND:
        band = plain(settings.band)
        return Reason(Cause.NEAR_TARGET, f"Hold: inside the {band} pp band (drift {off})")
    if abs(drift) < CENT:
        return Reason(Cause.NEAR_TARGET, "Hold: on target")
    if settings.mode is Mode.NEW_MONEY and drift > 0:
        return Reason(Cause.MODE, f"Overweight: {_against_target(facts)}. New money only buys")
    if settings.mode is Mode.RAISE_CASH:
        return _not_sold(facts, drift)
    if facts.held == 0 and facts.price > facts.worth:
        return Reason(Cause.NEAR_TARGET, _unaffordable(facts))
    if abs(drift) < facts.one_share:
        return Reason(Cause.NEAR_TARGET, f"Hold: less than one share from target ({off})")
    return _too_small(facts, settings, drift)


def _not_sold(facts: LegFacts, drift: Percent) -> Reason:
    """Why a row is not sold although cash is raised."""
    if drift < 0:
        return Reason(Cause.MODE, f"Underweight: {_against_target(facts)}. Raising cash only sells")
    text = f"Hold: the amount is raised from other stocks ({points(drift)} above target)"
    return Reason(Cause.CASH, text)


def _too_small(facts: LegFacts, settings: ReasonSettings, drift: Percent) -> Reason:
    """Why a row a share or more from its target is not traded."""
    off = points(abs(drift))
    if abs(drift) * facts.worth < settings.minimum_trade * facts.target:
        minimum = rupees(settings.minimum_trade)
        return Reason(Cause.NEAR_TARGET, f"Hold: below the minimum trade of {minimum}")
    if drift < 0 and settings.is_short:
        text = f"Underweight: {_against_target(facts)} (cash target or funds limit)"
        return Reason(Cause.CASH, text)
    if settings.is_taxed and drift > 0:
        return Reason(Cause.NEAR_TARGET, f"Hold: not sold, for less tax ({off} above target)")
    if settings.is_taxed:
        return Reason(Cause.CASH, f"Hold: what pays for it is not sold, for less tax ({off} below)")
    if settings.order_drift:
        return Reason(Cause.NEAR_TARGET, f"Hold: left out for fewer orders ({off} from target)")
    text = f"Hold: a trade would not be worth its charges ({off} from target)"
    return Reason(Cause.NEAR_TARGET, text)


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
