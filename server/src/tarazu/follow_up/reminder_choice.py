"""Whether a client gets reminders."""

import datetime as dt
import uuid
from dataclasses import dataclass

from sqlalchemy.orm import Session

from tarazu.firm import service as firm
from tarazu.follow_up import response_queries
from tarazu.follow_up.tables import WithoutReminders
from tarazu.kit import audit_log
from tarazu.kit.audit_log import Actor
from tarazu.people import service as people


@dataclass(frozen=True, slots=True)
class ReminderChoice:
    """Whether a client gets reminders; `is_firm_on` is the firm's own switch."""

    enabled: bool
    is_firm_on: bool


def reminders_of(session: Session, client_id: uuid.UUID) -> ReminderChoice:
    """Whether a client gets reminders.

    Raises:
        ClientNotFound: there is no such client.
    """
    people.client(session, client_id)
    is_off = response_queries.without_reminders(session, client_id) is not None
    return ReminderChoice(not is_off, firm.follow_up_settings(session).sends_reminders)


def set_reminders(
    session: Session, actor: Actor, now: dt.datetime, client_id: uuid.UUID, *, is_enabled: bool
) -> ReminderChoice:
    """Switch the reminders of a client on or off.

    Raises:
        ClientNotFound: there is no such client.
    """
    people.client(session, client_id)
    row = response_queries.without_reminders(session, client_id)
    if is_enabled and row is not None:
        session.delete(row)
    elif not is_enabled and row is None:
        session.add(WithoutReminders(client_id=client_id, since=now, account_id=actor.account_id))
    session.flush()
    changes = {"reminders": [row is None, is_enabled]}
    audit_log.record(session, actor, now, "reminders_switched", ("client", client_id), changes)
    return reminders_of(session, client_id)
