"""Words that an advertisement may not use."""

import re
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FlaggedWord:
    """A word of the list in a text: as it is written there, from `start` to before `end`."""

    word: str
    start: int
    end: int


def flagged_words(text: str, words: Sequence[str]) -> list[FlaggedWord]:
    """Every place where a word of the list is in the text, in its order.

    Case, and spaces or hyphens between the parts of a word, make no difference; a part of a longer
    word is none of them. Of two that begin at one place, the longer is named.
    """
    patterns = sorted({word.strip() for word in words if word.strip()}, key=len, reverse=True)
    if not patterns:
        return []
    either = "|".join(_pattern_of(word) for word in patterns)
    matches = re.finditer(rf"(?<!\w)(?:{either})(?!\w)", text, re.IGNORECASE)
    return [FlaggedWord(match.group(), match.start(), match.end()) for match in matches]


def _pattern_of(word: str) -> str:
    parts = [re.escape(part) for part in re.split(r"[\s-]+", word) if part]
    return r"[\s-]*".join(parts) or re.escape(word)
