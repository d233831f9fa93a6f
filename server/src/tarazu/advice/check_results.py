"""What a check before a send says, and what of it is sealed."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

MOST_NAMED: Final = 3


class Level(StrEnum):
    BLOCK = "BLOCK"
    WARN = "WARN"
    OK = "OK"


@dataclass(frozen=True, slots=True)
class Fix:
    """The screen where the problem can be fixed, and the text of the link."""

    label: str
    to: str


@dataclass(frozen=True, slots=True)
class Check:
    id: str
    level: Level
    text: str
    fix: Fix


@dataclass(frozen=True, slots=True)
class SealedCheck:
    """A check as it was when the advice was sent.

    `is_acknowledged`: whether the sender has read the warning; None where there was none.
    """

    id: str
    level: Level
    text: str
    is_acknowledged: bool | None


def named_few(names: Iterable[str]) -> str:
    """The first few of these names, and how many more there are."""
    every = list(dict.fromkeys(names))
    shown = ", ".join(every[:MOST_NAMED])
    more = len(every) - MOST_NAMED
    return f"{shown} and {more} more" if more > 0 else shown


def fix_in_settings(label: str, section: str) -> Fix:
    """The fix on a section of Settings."""
    return Fix(label, f"/home/settings?section={section}")
