"""Mail: queued in the caller's transaction, sent in the background, never lost."""

import datetime as dt
import smtplib
import ssl
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid
from enum import StrEnum
from pathlib import Path
from urllib.parse import unquote, urlsplit

import structlog
from sqlalchemy import LargeBinary, Select, Text, select, update
from sqlalchemy.orm import Mapped, Session, mapped_column

from tarazu.kit.db import Database, InstantColumn, Table, new_id

log = structlog.get_logger()

RETRY_AFTER = tuple(dt.timedelta(minutes=m) for m in (1, 5, 15, 60, 180, 360, 720, 1440))
LEASE = dt.timedelta(minutes=2)
SMTP_TIMEOUT = 20


class Delivery(StrEnum):
    QUEUED = "QUEUED"
    SENT = "SENT"
    FAILED = "FAILED"


class Mail(Table):
    __tablename__ = "outbox"

    id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    recipient: Mapped[str]
    subject: Mapped[str]
    text: Mapped[str] = mapped_column(Text)
    html: Mapped[str] = mapped_column(Text)
    attachment_name: Mapped[str | None]
    attachment: Mapped[bytes | None] = mapped_column(LargeBinary)
    message_id: Mapped[str]
    status: Mapped[Delivery] = mapped_column(index=True)
    attempts: Mapped[int]
    next_at: Mapped[dt.datetime] = mapped_column(InstantColumn, index=True)
    queued_at: Mapped[dt.datetime] = mapped_column(InstantColumn)
    finished_at: Mapped[dt.datetime | None] = mapped_column(InstantColumn)
    error: Mapped[str | None]


@dataclass(frozen=True, slots=True)
class Draft:
    """A mail to be queued. Text of users never goes into `subject`."""

    recipient: str
    subject: str
    text: str
    html: str
    attachment: tuple[str, bytes] | None = None


@dataclass(frozen=True, slots=True)
class DeliveryState:
    status: Delivery
    at: dt.datetime
    error: str | None


class Undeliverable(Exception):
    """A mail could not be handed over; the text is fit for the screen."""


def queue(session: Session, draft: Draft, now: dt.datetime) -> uuid.UUID:
    """Queue a mail in the caller's transaction; it is sent once that is committed."""
    mail = Mail(
        id=new_id(),
        recipient=draft.recipient,
        subject=draft.subject,
        text=draft.text,
        html=draft.html,
        attachment_name=draft.attachment[0] if draft.attachment else None,
        attachment=draft.attachment[1] if draft.attachment else None,
        # Made now and kept, so that a mail sent twice after a crash is known as one.
        message_id=make_msgid(domain="tarazu.invalid"),
        status=Delivery.QUEUED,
        attempts=0,
        next_at=now,
        queued_at=now,
    )
    session.add(mail)
    session.flush()
    return mail.id


def states_of(session: Session, mail_ids: Sequence[uuid.UUID]) -> dict[uuid.UUID, DeliveryState]:
    """How the delivery of each of these mails stands, and since when."""
    statement = select(Mail.id, Mail.status, Mail.finished_at, Mail.queued_at, Mail.error).where(
        Mail.id.in_(mail_ids)
    )
    return {
        row.id: DeliveryState(row.status, row.finished_at or row.queued_at, row.error)
        for row in session.execute(statement)
    }


class Postman:
    """Sends what is queued: to the SMTP server, or as `.eml` files where none is set."""

    def __init__(self, smtp_url: str, sender: str, outbox_dir: Path) -> None:
        self.smtp_url, self.sender, self.outbox_dir = smtp_url, sender, outbox_dir

    def send_due(self, database: Database, now: dt.datetime) -> int:
        """Send every mail that is due; the number of those handed over."""
        sent = 0
        while (mail := _claim(database, now)) is not None:
            try:
                self._hand_over(_message_of(mail, self.sender))
            except (OSError, smtplib.SMTPException, Undeliverable) as error:
                _put_back(database, mail, now, _reason_of(error))
            else:
                _finish(database, mail, now)
                sent += 1
        return sent

    def _hand_over(self, message: EmailMessage) -> None:
        if not self.smtp_url:
            self._write_file(message)
            return
        server = urlsplit(self.smtp_url)
        host, context = server.hostname or "localhost", ssl.create_default_context()
        if server.scheme == "smtps":
            smtp: smtplib.SMTP = smtplib.SMTP_SSL(
                host, server.port or 465, timeout=SMTP_TIMEOUT, context=context
            )
        else:
            smtp = smtplib.SMTP(host, server.port or 587, timeout=SMTP_TIMEOUT)
        with smtp:
            if server.scheme == "smtp+starttls":
                smtp.starttls(context=context)
            if server.username:
                smtp.login(unquote(server.username), unquote(server.password or ""))
            smtp.send_message(message)

    def _write_file(self, message: EmailMessage) -> None:
        self.outbox_dir.mkdir(parents=True, exist_ok=True)
        name = message["Message-ID"].strip("<>").split("@")[0]
        path = self.outbox_dir / f"{name}.eml"
        part = path.with_suffix(".part")
        part.write_bytes(bytes(message))
        part.replace(path)
        log.info("mail_written", file=path.name)


def _claim(database: Database, now: dt.datetime) -> Mail | None:
    with database.reading() as session:
        nothing_due = session.execute(_due(now).limit(1)).first() is None
    if nothing_due:
        return None
    with database.transaction() as session:
        mail = session.execute(
            _due(now).order_by(Mail.next_at).limit(1).with_for_update(skip_locked=True)
        ).scalar_one_or_none()
        if mail is not None:
            # The lease: should this process die, another takes the mail up after it.
            mail.next_at = now + LEASE
            mail.attempts += 1
        return mail


def _due(now: dt.datetime) -> Select[Mail]:
    return select(Mail).where(Mail.status == Delivery.QUEUED, Mail.next_at <= now)


def _finish(database: Database, mail: Mail, now: dt.datetime) -> None:
    with database.transaction() as session:
        session.execute(
            update(Mail)
            .where(Mail.id == mail.id)
            .values(status=Delivery.SENT, finished_at=now, error=None)
        )
    log.info("mail_sent", mail_id=str(mail.id))


def _put_back(database: Database, mail: Mail, now: dt.datetime, reason: str) -> None:
    is_last = mail.attempts > len(RETRY_AFTER)
    with database.transaction() as session:
        session.execute(
            update(Mail)
            .where(Mail.id == mail.id)
            .values(
                status=Delivery.FAILED if is_last else Delivery.QUEUED,
                finished_at=now if is_last else None,
                next_at=now if is_last else now + RETRY_AFTER[mail.attempts - 1],
                error=reason,
            )
        )
    log.warning("mail_delayed", mail_id=str(mail.id), attempts=mail.attempts, gave_up=is_last)


def _reason_of(error: Exception) -> str:
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return "The mail server refused the address."
    if isinstance(error, smtplib.SMTPAuthenticationError):
        return "The mail server refused the sign-in."
    if isinstance(error, smtplib.SMTPResponseException):
        return f"The mail server answered {error.smtp_code}."
    if isinstance(error, Undeliverable):
        return str(error)
    return "The mail server cannot be reached."


def _message_of(mail: Mail, sender: str) -> EmailMessage:
    message = EmailMessage()
    message["From"] = sender
    message["To"] = mail.recipient
    message["Subject"] = mail.subject
    message["Date"] = format_datetime(mail.queued_at)
    message["Message-ID"] = mail.message_id
    message.set_content(mail.text)
    message.add_alternative(mail.html, subtype="html")
    if mail.attachment is not None and mail.attachment_name:
        message.add_attachment(
            mail.attachment, maintype="application", subtype="pdf", filename=mail.attachment_name
        )
    return message
