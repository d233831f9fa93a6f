"""Timed work on invoices: their PDFs are made, stored and mailed."""

import datetime as dt
import hashlib
import json
import uuid
from collections.abc import Collection, Sequence
from typing import Final

import structlog
from sqlalchemy.orm import Session

from tarazu.invoices import queries
from tarazu.invoices.issuing import file_name_of
from tarazu.invoices.papers import mail_of, pdf_of_paper
from tarazu.invoices.tables import Invoice, InvoiceFile
from tarazu.kit import audit_log, mail
from tarazu.kit.audit_log import SYSTEM
from tarazu.kit.db import Database

log = structlog.get_logger()

AT_ONCE: Final = 10
FAULTS: Final = (RuntimeError, OSError, ValueError, LookupError, TypeError)
"""What a PDF can fail with; the typesetter raises `RuntimeError`."""


def has_files_due(database: Database, failed: Collection[uuid.UUID] = ()) -> bool:
    """Whether any PDF is due that has not failed; writes nothing."""
    with database.reading() as session:
        return bool(queries.files_due(session, 1, failed))


def make_files_due(
    database: Database, now: dt.datetime, limit: int = AT_ONCE, failed: set[uuid.UUID] | None = None
) -> int:
    """Make PDFs that are due and release their mails; how many were made.

    It may be killed at any point and run in several processes: each PDF is stored once, and with
    it its mail is released once. One that fails is logged, added to `failed`, and not tried again
    while it is there, so that it does not hold up the others.
    """
    failed = set() if failed is None else failed
    with database.reading() as session:
        due = queries.files_due(session, limit, failed)
        made = _made(session, due, failed)
    if not made:
        return 0
    with database.transaction() as session:
        mine = queries.take_files_due(session, made.keys())
        rows = [row for row in due if row.id in mine]
        _store(session, [(row, made[row.id]) for row in rows], now)
    return len(rows)


def _made(
    session: Session, due: Sequence[Invoice], failed: set[uuid.UUID]
) -> dict[uuid.UUID, bytes]:
    made = {}
    for row in due:
        try:
            made[row.id] = pdf_of_paper(session, row, json.loads(row.content))
        except FAULTS as error:
            failed.add(row.id)
            log.exception("invoice_failed", invoice_id=str(row.id), error=type(error).__name__)
    return made


def _store(session: Session, made: Sequence[tuple[Invoice, bytes]], now: dt.datetime) -> None:
    changes = []
    for row, pdf in made:
        digest = hashlib.sha256(pdf).hexdigest()
        session.add(InvoiceFile(invoice_id=row.id, content=pdf, sha256=digest, set_at=now))
        changes.append((("invoice", row.id), {"number": row.number, "pdf": digest}))
    session.flush()
    mail.complete(
        session, {row.mail_id: _mail(row, pdf) for row, pdf in made if row.mail_id is not None}
    )
    audit_log.record_many(session, SYSTEM, now, "invoice_pdf_made", changes)


def _mail(row: Invoice, pdf: bytes) -> mail.Draft:
    # Recipient and subject were set when the mail was queued.
    return mail_of("", "", json.loads(row.content), (f"{file_name_of(row)}.pdf", pdf))
