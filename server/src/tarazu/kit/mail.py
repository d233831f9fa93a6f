"""The outbox: a mail is queued in the caller's transaction and sent in the background.

Each mail is a job (`kit/jobs.py`), so that one process sends it, and another if that one dies.

A secret in a mail, such as a temporary password, is encrypted and stored apart from the text, and
deleted once the mail is sent: afterwards the outbox shows what was sent, but not the secret.
"""

import datetime as dt
import smtplib
import ssl
import time
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid
from enum import StrEnum
from html import escape
from pathlib import Path
from urllib.parse import unquote, urlsplit

import structlog
from sqlalchemy import LargeBinary, Text, select, update
from sqlalchemy.orm import Mapped, Session, mapped_column

from tarazu.kit import audit_log, jobs
from tarazu.kit.audit_log import SYSTEM
from tarazu.kit.db import Database, InstantColumn, Table, new_id
from tarazu.kit.disk import keep_file, keep_names, make_folder
from tarazu.kit.encryption import SEALED, cipher_of
from tarazu.kit.jobs import Claim, ClaimLost

log = structlog.get_logger()

RETRY_AFTER = tuple(dt.timedelta(minutes=m) for m in (1, 5, 15, 60, 180, 360, 720, 1440))
KIND = f"{jobs.ITEM}mail"
"""The jobs of mails; their keys are the mails' ids."""
SMTP_TIMEOUT = 20
LONGEST_ANSWER = 300
REMOVED = "[removed after sending]"
"""Replaces the secret in the stored text."""


class Delivery(StrEnum):
    """`WRITTEN`: no mail server is configured; the mail is a file in the outbox folder."""

    QUEUED = "QUEUED"
    SENT = "SENT"
    FAILED = "FAILED"
    WRITTEN = "WRITTEN"


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
    queued_at: Mapped[dt.datetime] = mapped_column(InstantColumn)
    finished_at: Mapped[dt.datetime | None] = mapped_column(InstantColumn)
    error: Mapped[str | None]
    secret: Mapped[str | None] = mapped_column(Text, info=SEALED)


@dataclass(frozen=True, slots=True)
class Draft:
    """A mail to be queued. Text of users never goes into `subject`.

    `secret` is the part of the text that nobody but the recipient may ever read; empty for none.
    """

    recipient: str
    subject: str
    text: str
    html: str
    attachment: tuple[str, bytes] | None = None
    secret: str = ""


@dataclass(frozen=True, slots=True)
class DeliveryState:
    status: Delivery
    at: dt.datetime
    error: str | None


class Undeliverable(Exception):
    """A mail could not be handed over; the text is fit for the screen."""


def queue(session: Session, draft: Draft, now: dt.datetime) -> uuid.UUID:
    """Queue a mail in the caller's transaction; it is sent once that is committed."""
    mail = _new_mail(draft.recipient, draft.subject, now)
    mail.text, mail.html, mail.secret = _stored(session, mail.id, draft)
    if draft.attachment:
        mail.attachment_name, mail.attachment = draft.attachment
    session.add(mail)
    session.flush()
    jobs.put(session, KIND, str(mail.id), now)
    return mail.id


@dataclass(frozen=True, slots=True)
class Awaiting:
    """A mail whose text and attachment are still to be made."""

    recipient: str
    subject: str
    attachment_name: str


def queue_awaiting(session: Session, awaiting: Sequence[Awaiting], now: dt.datetime) -> list[Mail]:
    """Queue mails that are still to be written: `complete` adds the text and has them sent."""
    mails = []
    for each in awaiting:
        mail = _new_mail(each.recipient, each.subject, now)
        mail.attachment_name = each.attachment_name
        mails.append(mail)
    session.add_all(mails)
    session.flush()
    return mails


def complete(session: Session, drafts: Mapping[uuid.UUID, Draft]) -> None:
    """Add text, HTML and attachment to awaiting mails, by their ids, and have them sent."""
    for mail_id, draft in drafts.items():
        if draft.attachment is not None:
            text, html, secret = _stored(session, mail_id, draft)
            values = {"text": text, "html": html, "secret": secret}
            statement = update(Mail).where(Mail.id == mail_id)
            statement = statement.values(**values, attachment=draft.attachment[1])
            queued_at = session.execute(statement.returning(Mail.queued_at)).scalar_one()
            jobs.put(session, KIND, str(mail_id), queued_at)


def states_of(session: Session, mail_ids: Sequence[uuid.UUID]) -> dict[uuid.UUID, DeliveryState]:
    """The delivery state of each of these mails, and since when."""
    if not mail_ids:
        return {}
    statement = select(Mail.id, Mail.status, Mail.finished_at, Mail.queued_at, Mail.error).where(
        Mail.id.in_(mail_ids)
    )
    return {
        row.id: DeliveryState(row.status, row.finished_at or row.queued_at, row.error)
        for row in session.execute(statement)
    }


def text_of(session: Session, mail: Mail) -> str:
    """The text with its secret, until that is deleted."""
    secret = cipher_of(session).unseal(mail.secret, Mail.secret, mail.id) if mail.secret else ""
    return mail.text.replace(REMOVED, secret) if secret else mail.text


def ask_again(session: Session, mail_id: uuid.UUID, now: dt.datetime) -> bool:
    """Queue a failed or written mail again; False if it is queued or sent.

    It keeps its Message-ID, so that a recipient who got it after all sees one mail.
    """
    statement = (
        update(Mail)
        .where(Mail.id == mail_id, Mail.status.in_((Delivery.FAILED, Delivery.WRITTEN)))
        .values(status=Delivery.QUEUED, attempts=0, finished_at=None, error=None)
        .returning(Mail.id)
    )
    if session.execute(statement).first() is None:
        return False
    jobs.make_due(session, KIND, str(mail_id), now)
    return True


def needs_secret(session: Session, mail_id: uuid.UUID) -> bool:
    """Whether a mail had a secret that was deleted: sent again, it needs a new one."""
    statement = select(Mail.text).where(Mail.id == mail_id, Mail.secret.is_(None))
    text = session.execute(statement).scalar_one_or_none()
    return text is not None and REMOVED in text


def renew_secret(session: Session, mail_id: uuid.UUID, secret: str) -> None:
    """Put a new secret in the place of one that was deleted."""
    sealed = cipher_of(session).seal(secret, Mail.secret, mail_id)
    session.execute(update(Mail).where(Mail.id == mail_id).values(secret=sealed))


def _stored(session: Session, mail_id: uuid.UUID, draft: Draft) -> tuple[str, str, str | None]:
    """Text and HTML of a mail without its secret, and the secret, encrypted."""
    secret = draft.secret
    if not secret:
        return draft.text, draft.html, None
    sealed = cipher_of(session).seal(secret, Mail.secret, mail_id)
    text, html = draft.text.replace(secret, REMOVED), draft.html.replace(escape(secret), REMOVED)
    return text, html, sealed


def _new_mail(recipient: str, subject: str, now: dt.datetime) -> Mail:
    return Mail(
        id=new_id(),
        recipient=recipient,
        subject=subject,
        text="",
        html="",
        secret=None,
        attachment_name=None,
        attachment=None,
        # Set once, so that a mail sent twice after a crash is recognised as one.
        message_id=make_msgid(domain="tarazu.invalid"),
        status=Delivery.QUEUED,
        attempts=0,
        queued_at=now,
    )


class MailSender:
    """Sends queued mails: to the SMTP server, or as `.eml` files if none is configured."""

    def __init__(self, smtp_url: str, sender: str, outbox_dir: Path) -> None:
        self.smtp_url, self.sender, self.outbox_dir = smtp_url, sender, outbox_dir
        self._is_stopping = False
        self._current: Claim | None = None

    def send_due(self, database: Database, now: dt.datetime) -> int:
        """Send every due mail; returns how many were sent."""
        sent, started = 0, time.monotonic()

        def current_time() -> dt.datetime:
            # Many mails take long; a lease counted from the start would end at once.
            return now + dt.timedelta(seconds=time.monotonic() - started)

        while not self._is_stopping:
            self._current = claim = jobs.claim(database, KIND, current_time())
            if claim is None:
                break
            with jobs.heartbeat(database, claim, current_time):
                mail, error = self._send(database, claim)
            try:
                with database.transaction() as session:
                    self._write_end(session, claim, mail, current_time(), error)
            except ClaimLost:
                # Taken over meanwhile: the process that has it now writes how it ended.
                log.warning("mail_taken_over", mail_id=claim.key)
            else:
                sent += error is None
        self._current = None
        return sent

    def stop(self) -> None:
        """Start no further mail; the current one is sent if there is time."""
        self._is_stopping = True

    def release(self, database: Database, now: dt.datetime) -> None:
        """Release the mail that a stop interrupted, so that the next start sends it at once."""
        claim = self._current
        if claim is None:
            return
        with database.transaction() as session:
            jobs.release(session, claim, now)
        log.warning("mail_released", mail_id=claim.key)

    def _send(self, database: Database, claim: Claim) -> tuple[Mail, str | None]:
        """The mail, and why it could not be sent; None if it was."""
        with database.transaction() as session:
            mail = session.get_one(Mail, uuid.UUID(claim.key))
            mail.attempts += 1
            secret = (
                cipher_of(session).unseal(mail.secret, Mail.secret, mail.id) if mail.secret else ""
            )
        try:
            self._hand_over(_message_of(mail, self.sender, secret))
        except (OSError, smtplib.SMTPException, Undeliverable) as error:
            return mail, _reason_of(error)
        return mail, None

    def _write_end(
        self, session: Session, claim: Claim, sent: Mail, now: dt.datetime, error: str | None
    ) -> None:
        """Record how an attempt ended, and finish or postpone the mail's job."""
        mail = session.get_one(Mail, sent.id)
        details: dict[str, object] = {"messageId": mail.message_id, "attempts": mail.attempts}
        mail.error = error
        if error is not None and mail.attempts <= len(RETRY_AFTER):
            jobs.finish(session, claim, now, now + RETRY_AFTER[mail.attempts - 1])
            log.warning("mail_delayed", mail_id=claim.key, attempts=mail.attempts)
            return
        jobs.finish(session, claim, now)
        # After the last attempt the secret is of no use: the recipient asks for a new one.
        mail.secret, mail.finished_at = None, now
        if error is None:
            mail.status = Delivery.SENT if self.smtp_url else Delivery.WRITTEN
            event = f"mail_{mail.status.lower()}"
        else:
            mail.status, event = Delivery.FAILED, "mail_given_up"
            details["error"] = error
        audit_log.record(session, SYSTEM, now, event, ("mail", mail.id), details)
        log.info(event, mail_id=claim.key)

    def _hand_over(self, message: EmailMessage) -> None:
        if self.smtp_url:
            hand_over(self.smtp_url, message)
        else:
            self._write_file(message)

    def _write_file(self, message: EmailMessage) -> None:
        make_folder(self.outbox_dir)
        name = message["Message-ID"].strip("<>").split("@")[0]
        path = self.outbox_dir / f"{name}.eml"
        part = path.with_suffix(".part")
        part.write_bytes(bytes(message))
        keep_file(part)
        part.replace(path)
        keep_names(self.outbox_dir)
        log.info("mail_written", file=path.name)


def send_test(smtp_url: str, sender: str, recipient: str, text: str, now: dt.datetime) -> None:
    """Send a test mail at once.

    Raises:
        Undeliverable: the mail server did not accept it; the text quotes the server.
    """
    message = EmailMessage()
    message["From"], message["To"] = sender, recipient
    message["Subject"] = "Test mail from Tarazu"
    message["Date"] = format_datetime(now)
    message["Message-ID"] = make_msgid(domain="tarazu.invalid")
    message.set_content(text)
    try:
        hand_over(smtp_url, message)
    except (OSError, smtplib.SMTPException) as error:
        raise Undeliverable(_answer_of(error, smtp_url)) from error


def hand_over(smtp_url: str, message: EmailMessage) -> None:
    """Send one mail to the mail server.

    Raises:
        OSError, SMTPException: it cannot be reached, or does not accept it.
    """
    server = urlsplit(smtp_url)
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


def _answer_of(error: Exception, smtp_url: str) -> str:
    """The mail server's answer, without a password that it may have repeated."""
    answers: Sequence[tuple[int, bytes | str]] = ()
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        answers = list(error.recipients.values())
    elif isinstance(error, smtplib.SMTPResponseException):
        answers = [(error.smtp_code, error.smtp_error)]
    if not answers:
        return f"{_reason_of(error)} ({error})" if str(error) else _reason_of(error)
    code, said = answers[0]
    words = said.decode("utf-8", "replace") if isinstance(said, bytes) else said
    password = unquote(urlsplit(smtp_url).password or "")
    if password:
        words = words.replace(password, "…")
    shown = "".join(letter for letter in words if letter.isprintable())[:LONGEST_ANSWER]
    return f"The mail server answered: {code} {shown}"


def _message_of(mail: Mail, sender: str, secret: str) -> EmailMessage:
    text, html = mail.text, mail.html
    if secret:
        text, html = text.replace(REMOVED, secret), html.replace(REMOVED, escape(secret))
    message = EmailMessage()
    message["From"] = sender
    message["To"] = mail.recipient
    message["Subject"] = mail.subject
    message["Date"] = format_datetime(mail.queued_at)
    message["Message-ID"] = mail.message_id
    message.set_content(text)
    message.add_alternative(html, subtype="html")
    if mail.attachment is not None and mail.attachment_name:
        message.add_attachment(
            mail.attachment, maintype="application", subtype="pdf", filename=mail.attachment_name
        )
    return message
