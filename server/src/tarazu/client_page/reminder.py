"""A calendar entry that reminds a client of an advice (RFC 5545), without a word of the stocks."""

import datetime as dt
import uuid
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


def calendar_entry(
    advice_id: uuid.UUID, at: dt.datetime, made_at: dt.datetime, summary: str, description: str
) -> bytes:
    """One event with an alarm ten minutes before; of one advice it is always the same event."""
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Tarazu//Advice//EN",
        "CALSCALE:GREGORIAN",
        "METHOD:PUBLISH",
        *_ZONE,
        "BEGIN:VEVENT",
        f"UID:advice-{advice_id}@tarazu.invalid",
        f"DTSTAMP:{made_at.astimezone(dt.UTC):%Y%m%dT%H%M%SZ}",
        f"DTSTART;TZID=Asia/Kolkata:{_local(at)}",
        f"DTEND;TZID=Asia/Kolkata:{_local(at + LASTS)}",
        f"SUMMARY:{summary.translate(_ESCAPED)}",
        f"DESCRIPTION:{description.translate(_ESCAPED)}",
        "TRANSP:TRANSPARENT",
        "BEGIN:VALARM",
        "ACTION:DISPLAY",
        "TRIGGER:-PT10M",
        f"DESCRIPTION:{summary.translate(_ESCAPED)}",
        "END:VALARM",
        "END:VEVENT",
        "END:VCALENDAR",
    ]
    return "".join(f"{_folded(line)}\r\n" for line in lines).encode()


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
