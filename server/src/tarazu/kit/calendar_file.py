"""Calendar files (RFC 5545): events at a time in India, or of a whole day."""

import datetime as dt
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from tarazu.kit.clock import INDIA

LONGEST_LINE: Final = 75
"""Octets of a line; longer ones go on in the next, which begins with a blank."""
LASTS: Final = dt.timedelta(minutes=30)
_ESCAPED: Final = str.maketrans({"\\": "\\\\", ";": "\\;", ",": "\\,", "\n": "\\n"})
_ZONE: Final = (
    "BEGIN:VTIMEZONE",
    "TZID:Asia/Kolkata",
    "BEGIN:STANDARD",
    "DTSTART:19700101T000000",
    "TZOFFSETFROM:+0530",
    "TZOFFSETTO:+0530",
    "TZNAME:IST",
    "END:STANDARD",
    "END:VTIMEZONE",
)


@dataclass(frozen=True, slots=True)
class CalendarEvent:
    """An event; `uid` is the same for the same event in every file.

    Attributes:
        at: an instant, or a day for an event of the whole day.
        alarm: how long before it the calendar rings, as RFC 5545 writes it: "PT10M", "P1D".
    """

    uid: str
    at: dt.datetime | dt.date
    summary: str
    description: str
    alarm: str


def calendar_file(events: Iterable[CalendarEvent], made_at: dt.datetime, about: str) -> bytes:
    """The file; `about` is what its events are of, in one plain word."""
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        f"PRODID:-//Tarazu//{about}//EN",
        "CALSCALE:GREGORIAN",
        "METHOD:PUBLISH",
        *_ZONE,
        *(line for event in events for line in _lines_of(event, made_at)),
        "END:VCALENDAR",
    ]
    return "".join(f"{_folded(line)}\r\n" for line in lines).encode()


def _lines_of(event: CalendarEvent, made_at: dt.datetime) -> Iterator[str]:
    summary = event.summary.translate(_ESCAPED)
    yield "BEGIN:VEVENT"
    yield f"UID:{event.uid}@tarazu.invalid"
    yield f"DTSTAMP:{made_at.astimezone(dt.UTC):%Y%m%dT%H%M%SZ}"
    if isinstance(event.at, dt.datetime):
        yield f"DTSTART;TZID=Asia/Kolkata:{_local(event.at)}"
        yield f"DTEND;TZID=Asia/Kolkata:{_local(event.at + LASTS)}"
    else:
        yield f"DTSTART;VALUE=DATE:{event.at:%Y%m%d}"
        yield f"DTEND;VALUE=DATE:{event.at + dt.timedelta(days=1):%Y%m%d}"
    yield f"SUMMARY:{summary}"
    yield f"DESCRIPTION:{event.description.translate(_ESCAPED)}"
    yield "TRANSP:TRANSPARENT"
    yield "BEGIN:VALARM"
    yield "ACTION:DISPLAY"
    yield f"TRIGGER:-{event.alarm}"
    yield f"DESCRIPTION:{summary}"
    yield "END:VALARM"
    yield "END:VEVENT"


def _local(at: dt.datetime) -> str:
    return f"{at.astimezone(INDIA):%Y%m%dT%H%M%S}"


def _folded(line: str) -> str:
    """The line in parts of at most 75 octets; no letter is divided."""
    parts: list[str] = []
    part = ""
    for letter in line:
        room = LONGEST_LINE - (1 if parts else 0)
        if len((part + letter).encode()) > room:
            parts.append(part)
            part = ""
        part += letter
    return "\r\n ".join([*parts, part])
