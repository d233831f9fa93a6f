"""What a check of the installation found."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

FREE_SPACE: Final = "Free some space: a full disk stops every change."


class State(StrEnum):
    FINE = "ok"
    LOOK = "look"
    WRONG = "WRONG"


@dataclass(frozen=True, slots=True)
class Finding:
    """The state of one part, and what to do about it; `cure` is "" if nothing is wrong."""

    part: str
    state: State
    text: str
    cure: str = ""
