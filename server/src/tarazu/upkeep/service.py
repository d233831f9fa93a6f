"""What the database tells of the installation's health."""

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from tarazu.kit import audit_log, jobs
from tarazu.kit.mail import Delivery, Mail
from tarazu.kit.metrics import Labels, family


def database_lines(session: Session) -> list[str]:
    """The outbox by state, its oldest waiting mail, and the end of the audit trail."""
    rows = session.execute(select(Mail.status, func.count()).group_by(Mail.status)).all()
    found = {row[0]: row[1] for row in rows}
    mails: dict[Labels, float] = {
        (("status", status.value),): found.get(status, 0) for status in Delivery
    }
    oldest = session.execute(
        select(func.min(Mail.queued_at)).where(Mail.status == Delivery.QUEUED)
    ).scalar_one_or_none()
    head = audit_log.head_of(session)
    return [
        *family("tarazu_outbox_mails", "gauge", "Mails by state.", mails),
        *family(
            "tarazu_outbox_oldest_queued_timestamp_seconds",
            "gauge",
            "When the mail that waits longest was queued; 0 when none waits.",
            oldest.timestamp() if oldest else 0,
        ),
        *family(
            "tarazu_audit_rows",
            "gauge",
            "Number of the audit trail's last row.",
            head.seq if head else 0,
        ),
        *_due_lines(session),
    ]


def _due_lines(session: Session) -> list[str]:
    """When each kind of shared timed work is due next, by any process: in the past, it is late."""
    due: dict[Labels, float] = {}
    for one in jobs.all_due(session):
        kind = (("job", one.kind),)
        due[kind] = max(due.get(kind, 0), one.due_at.timestamp())
    return family(
        "tarazu_job_due_timestamp_seconds",
        "gauge",
        "When shared timed work is due, in whichever process.",
        due,
    )
