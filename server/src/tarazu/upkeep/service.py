"""Metrics from the database."""

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from tarazu.kit import audit_log, jobs
from tarazu.kit.mail import Delivery, Mail
from tarazu.kit.metrics import Labels, family


def database_lines(session: Session) -> list[str]:
    """Mails by state, the oldest waiting mail, the last row of the audit trail, due times of jobs."""
    rows = session.execute(select(Mail.status, func.count()).group_by(Mail.status)).all()
    counts = {row[0]: row[1] for row in rows}
    mails: dict[Labels, float] = {
        (("status", status.value),): counts.get(status, 0) for status in Delivery
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
    """When each timed job is due next in any process; one in the past is late."""
    due: dict[Labels, float] = {}
    for job in jobs.pending_timed(session):
        kind = (("job", job.kind),)
        due[kind] = max(due.get(kind, 0), job.due_at.timestamp())
    return family(
        "tarazu_job_due_timestamp_seconds",
        "gauge",
        "When shared timed work is due, in whichever process.",
        due,
    )
