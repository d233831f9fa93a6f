"""What an action does, in a few words: "10 for 1 · new ISIN INE009A01039"."""

from fractions import Fraction
from typing import Final

from tarazu.domain.corporate_actions.values import ActionKind, CorporateAction
from tarazu.domain.money import Rupees, plain
from tarazu.kit.formatting import percent, rupees

_WITHOUT_TERMS: Final = "Terms not entered"
_PAISE: Final = 2
_SEPARATOR: Final = " · "

KIND_NAMES: Final = {
    ActionKind.BONUS: "Bonus",
    ActionKind.SPLIT: "Split",
    ActionKind.CONSOLIDATION: "Consolidation",
    ActionKind.DIVIDEND: "Dividend",
    ActionKind.RIGHTS: "Rights",
    ActionKind.DEMERGER: "Demerger",
    ActionKind.MERGER: "Merger",
    ActionKind.BUYBACK: "Buyback",
}


def effect_of(action: CorporateAction) -> str:
    """What happens to a holder of the share."""
    match action.kind:
        case ActionKind.BONUS:
            return _bonus(action.factor)
        case ActionKind.SPLIT | ActionKind.CONSOLIDATION:
            factor = action.factor
            isin = f"new ISIN {action.new_isin}" if action.new_isin else "new ISIN not known yet"
            return f"{factor.numerator} for {factor.denominator}{_SEPARATOR}{isin}"
        case ActionKind.DIVIDEND:
            return _a_share(action.amount) or "Amount not known"
        case ActionKind.BUYBACK:
            return _a_share(action.amount) or "Price not known"
        case ActionKind.RIGHTS:
            return _rights(action)
        case _:
            return _exchange(action)


def _bonus(factor: Fraction) -> str:
    more = factor - 1
    if not more:
        return "Other securities; the number of shares stays"
    return f"{more.numerator} new for {more.denominator} held"


def _a_share(amount: Rupees | None) -> str:
    if amount is None:
        return ""
    is_in_paise = amount == round(amount, _PAISE)
    return f"{rupees(amount) if is_in_paise else f'₹{plain(amount)}'} a share"


def _rights(action: CorporateAction) -> str:
    price, factor = _a_share(action.amount), action.factor
    if factor == 1 and not price:
        return _WITHOUT_TERMS
    ratio = f"{factor.numerator} right for {factor.denominator} held"
    if factor.numerator > 1:
        ratio = ratio.replace("right", "rights")
    return f"{ratio}{_SEPARATOR}{price or 'price not known'}"


def _exchange(action: CorporateAction) -> str:
    """Of a demerger and a merger: the shares of another company."""
    if not action.new_isin:
        return _WITHOUT_TERMS
    factor = action.factor
    parts = [f"{factor.numerator} of {action.new_isin} for {factor.denominator} held"]
    if action.cost_share is not None:
        parts.append(f"{percent(action.cost_share)} of the cost")
    return _SEPARATOR.join(parts)
