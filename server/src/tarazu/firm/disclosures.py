"""What the firm discloses: a few questions, their answers, and the text that letters carry.

The questions follow regulation 19 of the SEBI (Research Analysts) Regulations, 2014. Nothing is
denied in a letter unless someone at the firm has answered so.
"""

import datetime as dt
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from tarazu.kit.clock import day_in_india
from tarazu.kit.translation import N_, Language, translation_of

GOOD_FOR: Final = dt.timedelta(days=90)
"""After that the answers must be confirmed again."""
HOLDINGS: Final = "holdings"
"""Answered yes, the sender says of each advice which of its stocks are held."""
_DENIAL: Final = N_("The Research Analyst, its staff, associates and their relatives {statements}.")


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
        N_("have no financial interest in the securities named here"),
    ),
    Question(
        "onePercent",
        "Does any of them own one percent or more of a company that the firm advises on?",
        N_("do not own one percent or more of these companies"),
    ),
    Question(
        "conflicts",
        "Does any of them have another material conflict of interest?",
        N_("have no other material conflict of interest"),
    ),
    Question(
        "compensation",
        "Did any of them receive compensation from such a company in the past twelve months?",
        N_("received no compensation from these companies in the past twelve months"),
    ),
    Question(
        "offices",
        "Has any of them served as an officer, director or employee of such a company?",
        N_("have not served as officer, director or employee of these companies"),
    ),
    Question(
        "marketMaking",
        "Does any of them make a market in stocks that the firm advises on?",
        N_("do not make a market in these securities"),
    ),
)


def text_of(answers: Mapping[str, Answer], language: Language = Language.EN) -> str:
    """The disclosures as the letter carries them; every question has an answer.

    Details are the firm's own words, in any language.
    """
    translation = translation_of(language)
    denied = [
        translation.gettext(question.denial)
        for question in QUESTIONS
        if not answers[question.id].is_yes
    ]
    details = [
        answers[question.id].details for question in QUESTIONS if answers[question.id].is_yes
    ]
    denial = translation.gettext(_DENIAL, statements="; ".join(denied))
    return "\n".join([*details, *([denial] if denied else [])])


def written(answers: Mapping[str, Answer]) -> str:
    """The answers as they are kept."""
    stored = {
        key: {"isYes": answer.is_yes, "details": answer.details} for key, answer in answers.items()
    }
    return json.dumps(stored, ensure_ascii=False, sort_keys=True)


def read(text: str) -> dict[str, Answer]:
    """The answers that `written` made; none of "" ."""
    stored = json.loads(text) if text else {}
    return {key: Answer(answer["isYes"], answer["details"]) for key, answer in stored.items()}


def answered(text: str) -> list[Answered]:
    """Every question with the answer that is kept."""
    answers = read(text)
    return [Answered(question, answers.get(question.id)) for question in QUESTIONS]


def fields_of(answers: Mapping[str, Answer], now: dt.datetime) -> dict[str, Any]:
    """The columns of the firm's record that these answers set; they are confirmed as of today."""
    return {
        "disclosures": text_of(answers),
        "disclosure_answers": written(answers),
        "disclosures_confirmed_on": day_in_india(now),
    }
