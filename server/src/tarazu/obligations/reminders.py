"""Mails to administrators: 30, 7 and 1 days before an obligation is due, and when it is late."""

import datetime as dt
from collections.abc import Sequence
from html import escape
from typing import Final

from sqlalchemy.orm import Session

from tarazu.domain.obligations.states import LATE_STEP, reminders_on
from tarazu.domain.obligations.values import DatedInstance, ObligationStatus
from tarazu.kit import audit_log, mail
from tarazu.kit.audit_log import SYSTEM
from tarazu.kit.clock import INDIA, day_in_india
from tarazu.kit.db import Database
from tarazu.kit.mail import Draft
from tarazu.kit.settings import Settings
from tarazu.obligations import queries
from tarazu.obligations.reading import states_at
from tarazu.people import service as people

NOT_BEFORE: Final = dt.time(9, 0)
"""In India."""


def send_reminders(database: Database, settings: Settings, now: dt.datetime) -> int:
    """Queue one mail to each administrator with all that is new; how many reminders it has.

    It may be killed at any point and run in several processes: a reminder is noted with its mail.
    """
    if now.astimezone(INDIA).time() < NOT_BEFORE:
        return 0
    with database.transaction() as session:
        # A reminder that went to nobody is not noted: it would never come again.
        recipients = people.administrators_emails(session)
        if not recipients:
            return 0
        new = [
            (dated, step)
            for dated, step in _due(session, now)
            if queries.note_reminder(session, *_key(dated, step), now)
        ]
        if not new:
            return 0
        lines = [_line(day_in_india(now), dated, step) for dated, step in new]
        mails = [
            mail.queue(session, _draft(recipient, lines, settings.public_url), now)
            for recipient in recipients
        ]
        events = [
            (
                ("obligation", dated.instance.obligation.id),
                {
                    "instance": dated.instance.key,
                    "step": step,
                    "mails": [str(one) for one in mails],
                },
            )
            for dated, step in new
        ]
        audit_log.record_many(session, SYSTEM, now, "obligation_reminded", events)
        return len(new)


def _due(session: Session, now: dt.datetime) -> list[tuple[DatedInstance, int]]:
    states = [
        state
        for state in states_at(session, day_in_india(now))
        if state.status is not ObligationStatus.NOT_APPLICABLE
    ]
    return reminders_on(day_in_india(now), states)


def _key(dated: DatedInstance, step: int) -> tuple[str, str, int]:
    return dated.instance.obligation.id, dated.instance.key, step


def _line(today: dt.date, dated: DatedInstance, step: int) -> str:
    instance = dated.instance
    about = (
        f"{instance.obligation.title} ({instance.text})"
        if instance.text
        else (instance.obligation.title)
    )
    due_on = instance.due_on or instance.opens_on
    if step == LATE_STEP:
        return f"{about}: late, it was due on {due_on:%d/%m/%Y}."
    left = (due_on - today).days
    days = {0: "today", 1: "tomorrow"}.get(left, f"in {left} days")
    return f"{about}: due {days}, on {due_on:%d/%m/%Y}."


def _draft(recipient: str, lines: Sequence[str], public_url: str) -> Draft:
    subject = "1 obligation is due" if len(lines) == 1 else f"{len(lines)} obligations are due"
    where = f"{public_url}/home/compliance" if public_url else "Compliance"
    end = f"Record the evidence in {where} once it is done."
    html = "".join(f"<li>{escape(line)}</li>" for line in lines)
    text = "\n".join(f"- {line}" for line in lines)
    return Draft(recipient, subject, f"{text}\n\n{end}\n", f"<ul>{html}</ul><p>{escape(end)}</p>")
