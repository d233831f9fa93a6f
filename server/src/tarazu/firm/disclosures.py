"""What the firm discloses: a few questions, their answers, and the text that letters carry.

The questions follow regulation 19 of the SEBI (Research Analysts) Regulations, 2014. Nothing is
denied in a letter unless somebody of the firm has said so.
"""

import datetime as dt
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from tarazu.kit.clock import day_in_india

GOOD_FOR: Final = dt.timedelta(days=90)
"""After that the answers must be confirmed again."""
HOLDINGS: Final = "holdings"
"""Answered yes, the sender says of each advice which of its stocks are held."""
_WHO: Final = "The Research Analyst, its staff, associates and their relatives"


@dataclass(frozen=True, slots=True)
class Question:
    """A yes-or-no question; `denial` is the part of a sentence that letters say after a no."""

    id: str
    text: str
    denial: str


@dataclass(frozen=True, slots=True)
class Answer:
    """`details` is what the letter says after a yes; it is needed then."""

    is_yes: bool
    details: str = ""


@dataclass(frozen=True, slots=True)
class Answered:
    """A question with its answer; None while nobody has answered it."""

    question: Question
    answer: Answer | None

    @property
    def is_yes(self) -> bool | None:
        """The answer; None without one."""
        return self.answer.is_yes if self.answer else None

    @property
    def details(self) -> str:
        """The details of the answer; "" without one."""
        return self.answer.details if self.answer else ""


QUESTIONS: Final[Sequence[Question]] = (
    Question(
        HOLDINGS,
        "Do the Research Analyst, its staff, associates or their relatives hold stocks that the "
        "firm advises on, or have another financial interest in them?",
        "have no financial interest in the securities named here",
    ),
    Question(
        "onePercent",
        "Does any of them own one percent or more of a company that the firm advises on?",
        "do not own one percent or more of these companies",
    ),
    Question(
        "conflicts",
        "Does any of them have another material conflict of interest?",
        "have no other material conflict of interest",
    ),
    Question(
        "compensation",
        "Did any of them receive compensation from such a company in the past twelve months?",
        "received no compensation from these companies in the past twelve months",
    ),
    Question(
        "offices",
        "Has any of them served as an officer, director or employee of such a company?",
        "have not served as officer, director or employee of these companies",
    ),
    Question(
        "marketMaking",
        "Does any of them make a market in stocks that the firm advises on?",
        "do not make a market in these securities",
    ),
)


def text_of(answers: Mapping[str, Answer]) -> str:
    """The disclosures as the letter carries them; every question has an answer."""
    denied = [one.denial for one in QUESTIONS if not answers[one.id].is_yes]
    details = [answers[one.id].details for one in QUESTIONS if answers[one.id].is_yes]
    return "\n".join([*details, *([f"{_WHO} {'; '.join(denied)}."] if denied else [])])


def written(answers: Mapping[str, Answer]) -> str:
    """The answers as they are kept."""
    kept = {key: {"isYes": one.is_yes, "details": one.details} for key, one in answers.items()}
    return json.dumps(kept, ensure_ascii=False, sort_keys=True)


def read(text: str) -> dict[str, Answer]:
    """The answers that `written` made; none of "" ."""
    kept = json.loads(text) if text else {}
    return {key: Answer(one["isYes"], one["details"]) for key, one in kept.items()}


def answered(text: str) -> list[Answered]:
    """Every question with the answer that is kept."""
    answers = read(text)
    return [Answered(one, answers.get(one.id)) for one in QUESTIONS]


def fields_of(answers: Mapping[str, Answer], now: dt.datetime) -> dict[str, Any]:
    """The columns of the firm's record that these answers set; they are confirmed as of today."""
    return {
        "disclosures": text_of(answers),
        "disclosure_answers": written(answers),
        "disclosures_confirmed_on": day_in_india(now),
    }
