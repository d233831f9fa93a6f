"""A calendar entry that reminds a client of an advice, without a word of the stocks."""

import datetime as dt
import uuid

from tarazu.kit.calendar_file import CalendarEvent, calendar_file


def calendar_entry(
    advice_id: uuid.UUID, at: dt.datetime, made_at: dt.datetime, summary: str, description: str
) -> bytes:
    """One event with an alarm ten minutes before; of one advice it is always the same event."""
    event = CalendarEvent(f"advice-{advice_id}", at, summary, description, "PT10M")
    return calendar_file([event], made_at, "Advice")
