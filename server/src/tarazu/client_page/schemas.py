"""Shapes of the client's page on the wire."""

import datetime as dt
import uuid
from typing import Annotated, Literal

from pydantic import Field

from tarazu.domain.charges import Side
from tarazu.domain.execution.values import LineStatus
from tarazu.follow_up.tables import Answer
from tarazu.kit.schemas import Schema, Whole
from tarazu.kit.translation import Language
from tarazu.papers.tables import ConsentKind

MOST_TEXT = 2_000
MOST_LINES = 500


class PublicFirm(Schema):
    name: str
    registration_number: str


class PublicAdvice(Schema):
    """All that a link shows without a code."""

    firm: PublicFirm
    date: dt.date
    code_required: bool = True


class EnteredCode(Schema):
    code: Annotated[str, Field(max_length=20)]


class ShownLine(Schema):
    """One line; texts and figures are in the language of the page, as in the letter."""

    place: int
    side: Side
    trading_symbol: str
    company: str
    exchange: str
    quantity: int
    trade: str
    held: str
    price: str
    value: str
    target: str
    reason: str
    note: str
    filled_quantity: int
    status: LineStatus | None
    is_declined: bool
    is_superseded: bool


class ShownAnswer(Schema):
    answer: Answer
    at: dt.datetime
    text: str
    lines: list[int]


class NamedText(Schema):
    name: str
    text: str


class ShownAdvice(Schema):
    language: Language
    client: str
    client_code: str
    sent_at: dt.datetime
    window_ends_on: dt.date
    is_over: bool
    is_superseded: bool
    practice: str
    summary: str
    steps: list[str]
    facts: list[NamedText]
    lines: list[ShownLine]
    charges: list[str]
    rationale: list[str]
    risks: list[str]
    disclosures: list[NamedText]
    warning: str
    assurances: list[str]
    registration: list[str]
    responses: list[ShownAnswer]


class OpenedPage(Schema):
    page_token: str
    expires_at: dt.datetime
    advice: ShownAdvice


class GivenResponse(Schema):
    answer: Answer
    text: Annotated[str, Field(max_length=MOST_TEXT)] = ""
    lines: Annotated[list[Annotated[Whole, Field(ge=0)]], Field(max_length=MOST_LINES)] = Field(
        default_factory=list
    )
    language: Language | None = None


class KiteBasket(Schema):
    """The form that the browser posts to `action`; `fields` are its fields."""

    broker: Literal["ZERODHA"]
    step: int
    steps: int
    side: Side
    action: str
    fields: dict[str, str]


class PageAsked(Schema):
    """What a page's form sends with every button."""

    page_token: Annotated[str, Field(max_length=200)] = Field(default="", alias="pageToken")
    lang: Language | None = None


class CodeEntered(Schema):
    code: Annotated[str, Field(max_length=20)] = ""
    lang: Language | None = None


class AnswerGiven(PageAsked):
    answer: Answer
    text: Annotated[str, Field(max_length=MOST_TEXT)] = ""
    lines: Annotated[list[Whole], Field(max_length=MOST_LINES)] = Field(default_factory=list)


class Agreed(PageAsked):
    text_id: uuid.UUID = Field(alias="textId")


class Withdrawn(PageAsked):
    kind: ConsentKind


class StepAsked(PageAsked):
    """One of the baskets; `steps` is how many there were when the page was made, if it says so."""

    step: Whole = 1
    steps: Whole = 0
