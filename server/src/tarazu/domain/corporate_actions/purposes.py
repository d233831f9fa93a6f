"""Reads the purposes in NSE's list of corporate actions, which people write by hand.

A line may name several actions: `Annual General Meeting/Dividend - Rs 5 Per Share/Bonus 1:1`. Each
part has to match one of the forms below from its first to its last letter. A line with any other
part is not read at all: half of a line would be a guess.

The list's column of face values is of the day on which the list was made, not of the ex-date, so no
amount is computed from it: a dividend in percent and a right at a premium have no amount.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Final

from tarazu.domain.corporate_actions.values import ActionKind
from tarazu.domain.money import ZERO, Rupees

_NONE: Final = Fraction(1)


@dataclass(frozen=True, slots=True)
class PurposeTerms:
    """One action of a purpose; `factor` and `amount` as in `CorporateAction`.

    The factor of a bonus of other securities than the share itself (preference shares, debentures,
    shares without votes) is 1: the number of shares stays.
    """

    kind: ActionKind
    factor: Fraction = _NONE
    amount: Rupees | None = None


def read_purpose(text: str) -> list[PurposeTerms] | None:
    """The actions that a purpose names, in its order; empty for a meeting or a payment of interest.

    A company may pay an interim and a special dividend on one day: these are two. None if the
    purpose cannot be read, or names an action other than a dividend twice.
    """
    parts = [part for part in _SEPARATORS.split(_plain(text)) if part]
    actions: list[PurposeTerms] = []
    for part in parts:
        if _NO_ACTION.fullmatch(part):
            continue
        terms = _terms_of(part)
        if terms is None:
            return None
        actions.append(terms)
    kinds = [terms.kind for terms in actions if terms.kind is not ActionKind.DIVIDEND]
    return actions if parts and len(kinds) == len(set(kinds)) else None


def total_of_dividends(actions: Sequence[PurposeTerms]) -> list[PurposeTerms]:
    """The same actions with at most one dividend: the sum, not known if one amount is not."""
    dividends = [terms.amount for terms in actions if terms.kind is ActionKind.DIVIDEND]
    others = [terms for terms in actions if terms.kind is not ActionKind.DIVIDEND]
    if not dividends:
        return others
    known = [amount for amount in dividends if amount is not None]
    total = sum(known, ZERO) if len(known) == len(dividends) else None
    return [*others, PurposeTerms(ActionKind.DIVIDEND, amount=total)]


# ------------------------------------------------------------------------------------------- forms

_REVISED: Final = re.compile(r"\(?\s*(?:(?:purpose|record date|ex-?date)\s*)?revised\s*\)?")
_OBLIQUE_DASH: Final = re.compile(r"(?<=\d)\s*/\s*-")
_GROUPED: Final = re.compile(r"(?<=\d),(?=\d{2,3}\b)")
_SCHEMES: Final = re.compile(
    r"(amalgamation|arrangement)(?:\s*(?:and|&)\s*(?:amalgamation|arrangement))+"
)
_SEPARATORS: Final = re.compile(r"\s*(?:[/&+;,]|\band\b)\s*")

_NUMBER: Final = r"(?:\d+(?:\.\d+)?|\.\d+)"
# In "Rs .50" the point belongs to the number, in "Rs.50" to the unit.
_RUPEES: Final = rf"(?P<unit>(?:rs|re|inr)\.?)\s*:?\s*-?\s*(?P<amount>{_NUMBER})"
_A_SHARE: Final = (
    r"(?:\s*(?:per|pr|p)\.?\s*(?:equity\s*|ordinary\s*|eq\.?\s*)?(?:shares?|shar|shr|sh|unit)\.?)?"
)
_WHICH: Final = (
    r"(?:\d+(?:st|nd|rd|th)|first|second|third|fourth|one[\s-]?time|annual|special|spl|interim|int"
    r"|final|fin)"
)
_DIVIDEND: Final = re.compile(
    rf"(?:{_WHICH}[\s.-]*)*(?:dividend|divd|div)\.?(?:[\s-]*{_WHICH})?[\s:-]*(?:of\s+)?"
    rf"(?:{_RUPEES}{_A_SHARE}|{_NUMBER}\s*%)?\.?"
)
_UNIT: Final = r"(?:(?:rs|re|inr)\.?)?\s*:?\s*"
_FACE_VALUE: Final = re.compile(
    r"(?:(?:face\s*val(?:ue|us)?|f\.?\s*v\.?|stock|shares?)[\s-]*)?"
    r"(?:split|splt|spl|sub[\s-]*division|consolidation|reverse\s*(?:stock\s*)?split)"
    r"(?:\s*\((?:sub[\s-]*division|consolidation)\))?(?:\s*of\s*(?:equity\s*)?shares?)?[\s:-]*"
    rf"(?:(?:from|frm)\s*)?{_UNIT}(?P<old>{_NUMBER}){_A_SHARE}\s*(?:to|-)\s*"
    rf"{_UNIT}(?P<new>{_NUMBER}){_A_SHARE}\.?"
)
_RATIO: Final = r"(?P<new>\d+)\s*:\s*(?P<old>\d+)"
_BONUS: Final = re.compile(
    rf"(?:bonus|bon)(?:\s*(?:issue|equity|shares?|bonus))*[\s:-]*(?:in\s*)?{_RATIO}(?:\s*ratio)?\.?"
)
_SCHEME: Final = (
    r"(?:(?:composite\s*)?(?:scheme|sch)\.?\s*(?:of\s*)?(?:arr?angement|agmt|arr)[\s:-]*)"
)
_OTHER_BONUS: Final = re.compile(
    rf"{_SCHEME}?bonus\b.*\b(?:(?:ncrps|nrps|crps|ccps|ocps|rps|ncds?|ccds?|warrants?|dvr)"
    r"(?![a-z])|pref|deb).*"
)
_RIGHTS: Final = re.compile(
    rf"rights?(?:\s*issue)?(?:[\s:-]*{_RATIO}(?:\s*(?:fully\s*paid(?:\s*up)?\s*)?(?:equity\s*)?"
    r"shares?)?)?(?:\s*(?:@|at)\s*(?:par|(?:a\s*)?(?:premium|prm)\s*(?:of\s*)?"
    rf"{_UNIT}{_NUMBER}{_A_SHARE}|{_RUPEES}{_A_SHARE}))?\.?"
)
_DEMERGER: Final = re.compile(
    rf"{_SCHEME}?\(?(?:(?:scheme|sch)\.?\s*of\s*)?(?:de-?\s?merger|spin[\s-]*off)\)?\.?"
)
_MERGER: Final = re.compile(
    r"(?:composite\s*)?(?:(?:scheme|sch)\.?\s*of\s*)?(?:amalgamation|merger)\.?"
    rf"|{_SCHEME}"
)
_BUYBACK: Final = re.compile(
    r"buy[\s-]*back(?:\s*of\s*(?:equity\s*)?shares?)?(?:[\s(-]*tender\s*offer\)?)?"
    rf"(?:\s*(?:@|at|-)\s*{_RUPEES}{_A_SHARE})?\.?"
)
_NO_ACTION: Final = re.compile(
    r"(?:annual|extra[\s-]*ordinary)\s*general\s*meeting|agm|a\.g\.m\.|egm|e\.g\.m\.|general\s*"
    r"meeting|(?:court|nclt)\s*convened\s*meeting|postal\s*ballot|(?:annual\s*)?book\s*closure"
    r"|int(?:erest)?\s*payment|redemption"
    r"|change\s*in\s*(?:the\s*)?registrar|(?:share\s*)?transfer\s*agent"
)


def _plain(text: str) -> str:
    """Small letters, single blanks, and no `/-` after an amount, so that `/` separates parts."""
    line = " ".join(text.casefold().replace("₹", "rs ").replace("–", "-").split())
    line = _REVISED.sub("", line)
    line = _GROUPED.sub("", _OBLIQUE_DASH.sub(" ", line))
    return _SCHEMES.sub(r"\1", line).strip(" -.")


def _terms_of(part: str) -> PurposeTerms | None:
    for form, read in _FORMS:
        match = form.fullmatch(part)
        if match is not None:
            return read(match)
    return None


def _dividend(match: re.Match[str]) -> PurposeTerms | None:
    return _priced(ActionKind.DIVIDEND, match)


def _buyback(match: re.Match[str]) -> PurposeTerms | None:
    return _priced(ActionKind.BUYBACK, match)


def _priced(
    kind: ActionKind, match: re.Match[str], factor: Fraction = _NONE
) -> PurposeTerms | None:
    """An action with the amount that the form has; None where that cannot be.

    An amount is above nought. `Re.50` may be fifty paise or fifty rupees.
    """
    if match["amount"] is None:
        return PurposeTerms(kind, factor)
    amount = Decimal(match["amount"])
    if not amount or (match["unit"] == "re." and amount > 1):
        return None
    return PurposeTerms(kind, factor, amount)


def _face_value(match: re.Match[str]) -> PurposeTerms | None:
    """A split or a consolidation; None where the words and the face values contradict."""
    old, new = Decimal(match["old"]), Decimal(match["new"])
    is_consolidation = "consolidation" in match[0] or "reverse" in match[0]
    if not old or not new or old == new or (new > old) is not is_consolidation:
        return None
    kind = ActionKind.CONSOLIDATION if is_consolidation else ActionKind.SPLIT
    return PurposeTerms(kind, Fraction(old) / Fraction(new))


def _ratio_in(match: re.Match[str]) -> Fraction | None:
    """`new` for each `old`; None where one of them is nought."""
    new, old = int(match["new"]), int(match["old"])
    return Fraction(new, old) if new and old else None


def _bonus(match: re.Match[str]) -> PurposeTerms | None:
    ratio = _ratio_in(match)
    return PurposeTerms(ActionKind.BONUS, 1 + ratio) if ratio is not None else None


def _rights(match: re.Match[str]) -> PurposeTerms | None:
    if match["new"] is None:
        return _priced(ActionKind.RIGHTS, match)
    ratio = _ratio_in(match)
    return _priced(ActionKind.RIGHTS, match, ratio) if ratio is not None else None


def _named(kind: ActionKind) -> Callable[[re.Match[str]], PurposeTerms]:
    """An action whose terms a purpose never says."""
    return lambda _match: PurposeTerms(kind)


_FORMS: Final = (
    (_DIVIDEND, _dividend),
    (_BONUS, _bonus),
    (_OTHER_BONUS, _named(ActionKind.BONUS)),
    (_FACE_VALUE, _face_value),
    (_RIGHTS, _rights),
    (_DEMERGER, _named(ActionKind.DEMERGER)),
    (_MERGER, _named(ActionKind.MERGER)),
    (_BUYBACK, _buyback),
)
