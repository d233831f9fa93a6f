"""What the firm discloses: a few questions, their answers, and the text that letters carry.

The questions follow regulation 19 of the SEBI (Research Analysts) Regulations, 2014. Nothing is
denied in a letter unless somebody of the firm has said so.
"""

import datetime as dt
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

GOOD_FOR: Final = dt.timedelta(days=90)
"""After that the answers must be confirmed again."""
HOLDINGS: Final = "holdings"
"""Answered yes, the sender says of each advice which of its stocks are held."""
_WHO: Final = "The Research Analyst, its staff, associates and their relatives"


@dataclass(frozen=True, slots=True)
class Question:
    """A yes-or-no question; `denial` is what the letter says after a no."""

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


QUESTIONS: Final[Sequence[Question]] = (
    Question(
        HOLDINGS,
        "Do the Research Analyst, its staff, associates or their relatives hold stocks that the "
        "firm advises on, or have another financial interest in them?",
        f"{_WHO} have no financial interest in the securities named here.",
    ),
    Question(
        "onePercent",
        "Does any of them own one percent or more of a company that the firm advises on?",
        f"{_WHO} do not own one percent or more of the companies named here.",
    ),
    Question(
        "conflicts",
        "Does any of them have another material conflict of interest?",
        f"{_WHO} have no other material conflict of interest.",
    ),
    Question(
        "compensation",
        "Did any of them receive compensation from such a company in the past twelve months?",
        f"{_WHO} received no compensation from the companies named here in the past twelve months.",
    ),
    Question(
        "offices",
        "Has the Research Analyst served as an officer, director or employee of such a company?",
        "The Research Analyst has not served as an officer, director or employee of the companies "
        "named here.",
    ),
    Question(
        "marketMaking",
        "Does any of them make a market in stocks that the firm advises on?",
        f"{_WHO} do not make a market in the securities named here.",
    ),
)


def text_of(answers: Mapping[str, Answer]) -> str:
    """The disclosures as the letter carries them; every question has an answer."""
    said = ((one, answers[one.id]) for one in QUESTIONS)
    return " ".join(answer.details if answer.is_yes else one.denial for one, answer in said)


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
