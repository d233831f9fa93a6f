"""Shapes of the papers of clients on the wire."""

import datetime as dt
import uuid
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Field

from tarazu.kit.fields import LONGEST_REMARK, Day, is_plain, is_seen, none_if_blank
from tarazu.kit.schemas import Schema, Whole, attribute
from tarazu.kit.translation import Language
from tarazu.papers.service import ConsentState
from tarazu.papers.tables import ConsentKind, ConsentMethod, KycStatus
from tarazu.people.tables import ClientKind

LONGEST_TEXT = 50_000
"""The MITC alone have some 8,000 letters."""


def _pan(text: str) -> str:
    return "".join(text.split()).upper()


def _note(text: str) -> str:
    note = text.replace("\r\n", "\n").strip()
    if len(note) > LONGEST_REMARK or not is_plain(note, lines=True):
        raise ValueError("A note has at most 2,000 characters, without control characters.")
    return note


def _firm_text(text: str) -> str:
    plain = text.replace("\r\n", "\n").strip()
    if len(plain) > LONGEST_TEXT or not is_plain(plain, lines=True):
        raise ValueError("A text has at most 50,000 characters, without control characters.")
    return plain


def _required_text(text: str) -> str:
    if not is_seen(text):
        raise ValueError("Enter the text in English.")
    return _firm_text(text)


class EnteredKyc(Schema):
    """With `version`, it was seen as that one; 0 while none was entered."""

    pan: Annotated[str, Field(max_length=30), AfterValidator(_pan)] = ""
    status: KycStatus
    status_on: Annotated[Day | None, BeforeValidator(none_if_blank)] = None
    note: Annotated[str, AfterValidator(_note)] = ""
    version: Annotated[Whole, Field(ge=0, le=2**31 - 1)] | None = None


class KycShown(Schema):
    """`isDone`: with a PAN, and registered or validated; `kind` and `family` are the record's."""

    pan: str
    status: KycStatus
    status_on: dt.date | None
    note: str
    is_done: bool
    updated_at: dt.datetime | None
    version: int
    kind: ClientKind
    family: str


class TextVersion(Schema):
    number: int
    effective_on: dt.date


class ConsentRow(Schema):
    """A consent; `recordedBy` is "" of one given on the page, `hasFile` of one on paper."""

    id: uuid.UUID = attribute("entry.id", "_id")
    number: int = attribute("text.number", "number")
    given_on: dt.date = attribute("entry.given_on", "givenOn")
    recorded_at: dt.datetime = attribute("entry.recorded_at", "recordedAt")
    method: ConsentMethod = attribute("entry.method", "method")
    language: Language = attribute("entry.language", "language")
    text_hash: str = attribute("entry.text_hash", "textHash")
    ip: str = attribute("entry.ip", "ip")
    agent: str = attribute("entry.agent", "agent")
    file: str | None = attribute("entry.file", "file")
    recorded_by: str
    withdrawn_at: dt.datetime | None = attribute("entry.withdrawn_at", "withdrawnAt")
    withdrawn_by: str


class ConsentsToText(Schema):
    """A client's consents to one text, the newest first; `inForce` is None while there is no text."""

    kind: ConsentKind
    state: ConsentState
    is_withdrawable: bool
    in_force: TextVersion | None = attribute("text.in_force", "inForce")
    versions: list[TextVersion] = attribute("text.versions", "versions")
    given: list[ConsentRow]


class EnteredText(Schema):
    kind: ConsentKind
    effective_on: Day
    text: Annotated[str, AfterValidator(_required_text)]
    text_hi: Annotated[str, AfterValidator(_firm_text)] = ""


class TextShown(TextVersion):
    text: str
    text_hi: str


class VersionedTextShown(Schema):
    """A text of the firm, its versions newest first."""

    kind: ConsentKind
    in_force: TextVersion | None
    versions: list[TextShown]
