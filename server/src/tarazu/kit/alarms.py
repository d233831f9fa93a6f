"""Alarms of the whole installation: raised by `upkeep`, shown on every screen that lists them."""

from enum import StrEnum
from typing import Annotated

import structlog
from fastapi import Depends, Request

log = structlog.get_logger()


class Alarm(StrEnum):
    DAMAGED = "database_damaged"
    OLDER = "audit_trail_older"
    STREAM = "audit_stream_stalled"


class Alarms:
    """The alarms that this process has raised, each with one sentence for people."""

    def __init__(self) -> None:
        self._texts: dict[Alarm, str] = {}

    @property
    def texts(self) -> list[str]:
        """The raised alarms, a sentence each."""
        return list(self._texts.values())

    def text_of(self, alarm: Alarm) -> str | None:
        """The sentence of one alarm; None if it is not raised."""
        return self._texts.get(alarm)

    def set(self, alarm: Alarm, text: str | None) -> None:
        """Raise an alarm, or end it with None."""
        if text is None:
            self._texts.pop(alarm, None)
            return
        if self._texts.get(alarm) != text:
            log.error("alarm", alarm=alarm.value, text=text)
        self._texts[alarm] = text


async def _alarms_of(request: Request) -> Alarms:
    alarms: Alarms = request.app.state.alarms
    return alarms


OurAlarms = Annotated[Alarms, Depends(_alarms_of)]
