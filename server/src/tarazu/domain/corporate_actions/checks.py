"""What cannot be right about a corporate action, as a field and a sentence for a person."""

import datetime as dt
from fractions import Fraction
from typing import Final, NamedTuple

from tarazu.domain.corporate_actions.values import ActionKind, CorporateAction
from tarazu.domain.isin import is_isin
from tarazu.domain.money import HUNDRED, ZERO, Rupees

EARLIEST: Final = dt.date(1990, 1, 1)
AHEAD: Final = dt.timedelta(days=366)
MOST_SHARES: Final = 1_000
"""Of the shares after an action for one before it, or before it for one after."""
MOST_OF_A_RATIO: Final = 1_000_000
"""Of either number of a ratio in its lowest terms."""
MOST_RUPEES: Final = Rupees(1_000_000)
RECORD_WITHIN: Final = dt.timedelta(days=31)
"""From the ex-date to the record date."""
PAID_WITHIN: Final = dt.timedelta(days=180)
"""From the ex-date to the day on which a dividend is paid."""

_PLACES: Final = 4
_SAME_ISSUER: Final = 7
"""Characters of an ISIN for country, kind and issuer."""
_ISSUER_KEPT: Final = frozenset({ActionKind.SPLIT, ActionKind.CONSOLIDATION})
_WITH_NEW_ISIN: Final = _ISSUER_KEPT | {ActionKind.DEMERGER, ActionKind.MERGER}
_WITH_AMOUNT: Final = frozenset({ActionKind.DIVIDEND, ActionKind.RIGHTS, ActionKind.BUYBACK})
_WITHOUT_RATIO: Final = frozenset({ActionKind.DIVIDEND, ActionKind.BUYBACK})

NAMES: Final = {
    ActionKind.BONUS: "bonus",
    ActionKind.SPLIT: "split",
    ActionKind.CONSOLIDATION: "consolidation",
    ActionKind.DIVIDEND: "dividend",
    ActionKind.RIGHTS: "rights issue",
    ActionKind.DEMERGER: "demerger",
    ActionKind.MERGER: "merger",
    ActionKind.BUYBACK: "buyback",
}


class ActionFault(NamedTuple):
    """What is wrong: the field of `CorporateAction`, and the sentence for a person."""

    field: str
    sentence: str


def fault_of(action: CorporateAction, today: dt.date) -> ActionFault | None:
    """The first thing that cannot be right in an action; None if nothing is wrong.

    A bonus with a factor of 1 is one of other securities than shares.
    """
    return (
        _fault_of_isins(action)
        or _fault_of_days(action, today)
        or _fault_of_factor(action)
        or _fault_of_amount(action)
    )


def fault_of_entry(action: CorporateAction) -> ActionFault | None:
    """What an action that a person enters lacks besides, or has wrong; None if it is complete.

    The lists of exchanges leave amounts out, and their record dates are not always right.
    """
    if action.kind is ActionKind.BONUS and action.factor == 1:
        return ActionFault("factor", "Enter the ratio of the bonus, such as 1 new for 1 held.")
    if action.kind is ActionKind.DIVIDEND and action.amount is None:
        return ActionFault("amount", "Enter the dividend in rupees a share.")
    record_on = action.record_on
    if record_on is not None and not action.ex_on <= record_on <= action.ex_on + RECORD_WITHIN:
        return ActionFault(
            "record_on",
            f"The record date is on the ex-date or up to {RECORD_WITHIN.days} days after it.",
        )
    pay_on = action.pay_on
    if pay_on is not None and action.kind is not ActionKind.DIVIDEND:
        return ActionFault("pay_on", "Only a dividend has a payment date. Leave it empty.")
    if pay_on is not None and not action.ex_on <= pay_on <= action.ex_on + PAID_WITHIN:
        return ActionFault(
            "pay_on",
            f"The payment date is on the ex-date or up to {PAID_WITHIN.days} days after it.",
        )
    return None


def _fault_of_isins(action: CorporateAction) -> ActionFault | None:
    kind, isin, new = action.kind, action.isin, action.new_isin
    if not is_isin(isin):
        return ActionFault("isin", _not_an_isin(isin))
    if not new:
        return None
    if kind not in _WITH_NEW_ISIN:
        return ActionFault(
            "new_isin", f"A {NAMES[kind]} changes no ISIN. Leave the new ISIN empty."
        )
    if not is_isin(new):
        return ActionFault("new_isin", _not_an_isin(new))
    if new == isin:
        return ActionFault("new_isin", "The new ISIN must differ from the share's own.")
    if kind in _ISSUER_KEPT and new[:_SAME_ISSUER] != isin[:_SAME_ISSUER]:
        return ActionFault(
            "new_isin",
            f"{isin} and {new} are of two companies. After a {NAMES[kind]} the ISIN begins alike; "
            "check it.",
        )
    return None


def _not_an_isin(text: str) -> str:
    return f'"{text[:20]}" is not an ISIN: a character is wrong or missing.'


def _fault_of_days(action: CorporateAction, today: dt.date) -> ActionFault | None:
    ex_on = action.ex_on
    if ex_on > today + AHEAD:
        return ActionFault(
            "ex_on", f"The ex-date {ex_on:%d-%m-%Y} is more than a year ahead; check the year."
        )
    if ex_on < EARLIEST:
        return ActionFault("ex_on", f"The ex-date is before {EARLIEST.year}; check the year.")
    return None


def _fault_of_factor(action: CorporateAction) -> ActionFault | None:
    kind, factor = action.kind, action.factor
    if factor <= 0:
        return ActionFault("factor", "Both numbers of the ratio are above 0.")
    is_too_long = max(factor.numerator, factor.denominator) > MOST_OF_A_RATIO
    if is_too_long or not Fraction(1, MOST_SHARES) <= factor <= MOST_SHARES + 1:
        return ActionFault("factor", f"The ratio is beyond {MOST_SHARES:,} to 1; check it.")
    if kind is ActionKind.BONUS and factor < 1:
        return ActionFault("factor", "A bonus adds shares: more after it than before.")
    if kind is ActionKind.SPLIT and factor <= 1:
        return ActionFault("factor", "A split gives more shares than before, such as 10 for 1.")
    if kind is ActionKind.CONSOLIDATION and factor >= 1:
        return ActionFault(
            "factor", "A consolidation gives fewer shares than before, such as 1 for 10."
        )
    if kind in _WITHOUT_RATIO and factor != 1:
        return ActionFault("factor", f"A {NAMES[kind]} has no ratio. Leave it empty.")
    return None


def _fault_of_amount(action: CorporateAction) -> ActionFault | None:
    kind, amount, share = action.kind, action.amount, action.cost_share
    if amount is not None and kind not in _WITH_AMOUNT:
        return ActionFault("amount", f"A {NAMES[kind]} has no amount a share. Leave it empty.")
    if amount is not None and not ZERO < amount <= MOST_RUPEES:
        return ActionFault(
            "amount", f"The amount a share is above ₹0 and at most ₹{MOST_RUPEES:,}."
        )
    if amount is not None and amount != round(amount, _PLACES):
        return ActionFault("amount", f"The amount a share has at most {_PLACES} decimals.")
    if share is not None and kind is not ActionKind.DEMERGER:
        return ActionFault("cost_share", "Only a demerger divides the cost. Leave its share empty.")
    if share is not None and not ZERO <= share <= HUNDRED:
        return ActionFault("cost_share", "The share of the cost is 0 to 100 percent.")
    return None
