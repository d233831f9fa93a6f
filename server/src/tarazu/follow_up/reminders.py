"""Reminders of advice of which something is still open: one business day after it, and three.

They go out on business days from nine in the morning, one mail at a time, and never after the
window of the advice.
"""

import datetime as dt
from collections.abc import Sequence
from typing import Final

from sqlalchemy.orm import Session

from tarazu.advice import service as advice
from tarazu.domain.calendar import is_business_day, previous_business_day
from tarazu.domain.execution.values import AdviceState
from tarazu.firm import service as firm
from tarazu.follow_up import letters, response_queries
from tarazu.follow_up.response_queries import DueReminder
from tarazu.follow_up.tables import AdviceReminder
from tarazu.kit import audit_log, mail
from tarazu.kit.audit_log import SYSTEM
from tarazu.kit.clock import INDIA, day_in_india, start_of
from tarazu.kit.db import Database
from tarazu.kit.settings import Settings
from tarazu.people import service as people

NOT_BEFORE: Final = dt.time(9, 0)
"""In India."""
AT_A_TIME: Final = 50


def has_reminders_due(session: Session, now: dt.datetime) -> bool:
    """Whether any reminder is to be sent now."""
    return bool(_due(session, now, 1))


def send_reminders(database: Database, settings: Settings, now: dt.datetime) -> int:
    """Queue all reminders that are due; how many.

    It may be killed at any point and run in several processes: a reminder is noted with its mail.
    """
    sent = 0
    while True:
        with database.transaction() as session:
            due = _due(session, now, AT_A_TIME)
            _send_all(session, settings, due, now)
        sent += len(due)
        if len(due) < AT_A_TIME:
            return sent


def _due(session: Session, now: dt.datetime, limit: int) -> Sequence[DueReminder]:
    today, holidays = day_in_india(now), firm.holidays(session)
    is_time = now.astimezone(INDIA).time() >= NOT_BEFORE and is_business_day(today, holidays)
    if not is_time or not firm.follow_up_settings(session).sends_reminders:
        return []
    # Today is the third business day after every day before this one, or a later one.
    third = previous_business_day(previous_business_day(today, holidays), holidays)
    return response_queries.due_reminders(session, start_of(third), start_of(today), limit)


def _send_all(
    session: Session, settings: Settings, reminders: Sequence[DueReminder], now: dt.datetime
) -> None:
    # Links before the audit trail: a call that has locked a link may wait for the trail.
    links = advice.mail_links(
        session, settings.public_url, [due.advice_id for due in reminders], now
    )
    events = []
    for due in reminders:
        link = links.get(due.advice_id)
        details = _send(session, due, link.url if link else "", now)
        events.append((("advice", due.advice_id), details))
    if events:
        audit_log.record_many(session, SYSTEM, now, "advice_reminded", events)


def _send(session: Session, due: DueReminder, link: str, now: dt.datetime) -> dict[str, object]:
    """Queue a reminder, and what the audit trail says of it; `link` is "" where there is none."""
    client = people.client(session, due.client_id)
    draft = letters.reminder(
        client,
        firm.registration(session, client.language),
        due.sent_at,
        due.window_ends_on,
        link=link,
        is_known=due.state is not AdviceState.UNKNOWN,
    )
    mail_id = mail.queue(session, draft, now)
    session.add(
        AdviceReminder(advice_id=due.advice_id, number=due.number, mail_id=mail_id, sent_at=now)
    )
    session.flush()
    return {"clientId": client.id, "number": due.number, "mailId": mail_id}
