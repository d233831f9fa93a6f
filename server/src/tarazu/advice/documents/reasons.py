"""The reasons of trades in the client's language.

A rebalance gives its reasons in English (`domain/rebalancing/reasons.py`), and they are sealed so.
Each sentence is recognised by its template and put together from the translated template. A reason
with a sentence of no template stays in English as a whole.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

from tarazu.kit.translation import N_, Language, Translation

SENTENCES: Final[Sequence[str]] = (
    N_("Sell all {count}: exit"),
    N_("Sell all {count}"),
    N_("Sell {count}, leaves {share}"),
    N_("Buy {count}, reaches {share}"),
    N_("Sell all {count} against a target of {target}"),
    N_("Sell {count}, leaves {share} against a target of {target}"),
    N_("Buy {count}, reaches {share} against a target of {target}"),
    N_("Underweight: {share} against a target of {target}"),
    N_("Overweight: {share} against a target of {target}"),
    N_("New: target {target}"),
    N_("Model changed: target {target}, before {before}"),
    N_("To raise cash: {share} against a target of {target}"),
    N_("To raise cash: overweight, {share} against a target of {target}"),
    N_("Brings cash nearer its target"),
    N_("Cash target or funds limit"),
    N_("One share ({price}) is more than the target {target}"),
    N_("The target {target} cannot be funded"),
    N_("{count} shares are not credited yet and cannot be sold"),
    N_("{count} share is not credited yet and cannot be sold"),
    N_("Locked"),
    N_("Never buy"),
    N_("Range"),
    N_("Range: at least {least} and at most {most}"),
    N_("Range: at least {least}"),
    N_("Range: at most {most}"),
)
LIMITS: Final[Sequence[str]] = (
    N_("(cash target or funds limit)"),
    N_("(minimum trade {amount})"),
)
"""What can follow the last sentence."""

# Figures have no brackets and no letters but the rupee sign, a unit and blanks.
_FIGURE: Final = r"[-+\d.,₹% ]+?"


def reason_in(message: str, translation: Translation) -> str:
    """The reason of a row; English where it is in no template."""
    if translation.language is Language.EN:
        return message
    sentences, limit = message, ""
    if message.endswith(")") and (start := message.rfind(" (")) > 0:
        limit = _translated(message[start + 1 :], LIMITS, translation)
        sentences = message[:start] if limit else message
    parts = [_translated(part, SENTENCES, translation) for part in sentences.split(". ")]
    if not all(parts):
        return message
    return translation.gettext(". ").join(parts) + (f" {limit}" if limit else "")


def _translated(part: str, templates: Sequence[str], translation: Translation) -> str:
    """A sentence in the language; "" where it is in none of the templates."""
    for template in templates:
        if match := _pattern(template).fullmatch(part):
            values: Mapping[str, str] = match.groupdict()
            return translation.gettext(template, **values)
    return ""


@cache
def _pattern(template: str) -> re.Pattern[str]:
    named = re.compile(r"\\{(\w+)\\}")
    return re.compile(named.sub(lambda name: f"(?P<{name[1]}>{_FIGURE})", re.escape(template)))
