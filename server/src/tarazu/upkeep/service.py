"""Metrics from the database."""

import datetime as dt

from prometheus_client.core import GaugeMetricFamily, Metric
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from tarazu.kit import audit_log, jobs
from tarazu.kit.mail import Delivery, Mail
from tarazu.kit.metrics import gauges
from tarazu.portfolio import service as portfolio


def database_metrics(session: Session, today: dt.date) -> list[Metric]:
    """Mails by state, the last row of the audit trail, due times of jobs, shares credited late."""
    rows = session.execute(select(Mail.status, func.count()).group_by(Mail.status)).all()
    counts = {row[0]: row[1] for row in rows}
    oldest = session.execute(
        select(func.min(Mail.queued_at)).where(Mail.status == Delivery.QUEUED)
    ).scalar_one_or_none()
    head = audit_log.head_of(session)
    due: dict[str, float] = {}
    for job in jobs.pending_timed(session):
        due[job.kind] = max(due.get(job.kind, 0), job.due_at.timestamp())
    return [
        gauges(
            "tarazu_outbox_mails",
            "Mails by state.",
            "status",
            {status.value: counts.get(status, 0) for status in Delivery},
        ),
        GaugeMetricFamily(
            "tarazu_outbox_oldest_queued_timestamp_seconds",
            "When the mail that waits longest was queued; 0 when none waits.",
            oldest.timestamp() if oldest else 0,
        ),
        GaugeMetricFamily(
            "tarazu_audit_rows", "Number of the audit trail's last row.", head.seq if head else 0
        ),
        # One in the past is late.
        gauges(
            "tarazu_job_due_timestamp_seconds",
            "When shared timed work is due, in whichever process.",
            "job",
            due,
        ),
        GaugeMetricFamily(
            "tarazu_holdings_credited_late",
            "Holdings whose shares of a corporate action should have been credited by now.",
            portfolio.holdings_credited_late(session, today),
        ),
    ]
