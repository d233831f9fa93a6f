"""Days of what the registers hold, for whoever computes what is due from them."""

import datetime as dt
from dataclasses import dataclass

from sqlalchemy.orm import Session

from tarazu.kit.clock import day_in_india
from tarazu.people import service as people
from tarazu.registers import queries
from tarazu.registers.rules import known_rules
from tarazu.registers.tables import RuleName


@dataclass(frozen=True, slots=True)
class ExpiringCertificate:
    """The newest certificate of one series that a member of staff has; `key` is its id."""

    key: str
    staff_name: str
    series: str
    valid_until: dt.date


def expiring_certificates(session: Session) -> list[ExpiringCertificate] | None:
    """One of each series and person on the staff; None where the register is empty."""
    entries = queries.certificates_of(session)
    if not entries:
        return None
    on_staff = {span.id for span in people.staff_spans(session) if span.removed_on is None}
    newest = {(row.staff_id, row.series): row for row in reversed(entries)}
    names = people.names_of(session, on_staff)
    return [
        ExpiringCertificate(str(row.id), names[row.staff_id], row.series, row.valid_until)
        for row in newest.values()
        if row.staff_id in on_staff
    ]


def handle_changes(session: Session) -> list[dt.date]:
    """The days on which a handle or site was taken into use or given up, in no order."""
    days = [day for span in queries.handle_spans(session) for day in span]
    return [day for day in days if day is not None]


def unapproved_advertisements(session: Session) -> list[dt.date]:
    """Of each advertisement without an approval that it needs: its release, or its entry."""
    rules = known_rules(session)
    days = [
        released_on or day_in_india(created_at)
        for released_on, created_at in queries.unapproved_advertisements(session)
    ]
    return [day for day in days if rules.holds(RuleName.ADVERTISEMENT_APPROVAL, day)]


def unreported_incidents(session: Session) -> list[dt.date]:
    """The days on which incidents were noticed that are not reported."""
    return [day_in_india(at) for at in queries.unreported_incidents(session)]


def complaints_received(session: Session) -> list[dt.date]:
    """The day of receipt of every complaint."""
    return [row.received_on for row in queries.complaint_days(session)]
