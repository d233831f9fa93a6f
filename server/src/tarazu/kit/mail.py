"""Mail: queued in the caller's transaction, sent in the background, never lost.

A secret in a mail, such as a temporary password, is kept sealed and apart from the text, and only
until the mail is handed over: afterwards the outbox tells what was sent, but not the secret.
"""

import contextlib
import datetime as dt
import smtplib
import ssl
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid
from enum import StrEnum
from html import escape
from pathlib import Path
from urllib.parse import unquote, urlsplit

import structlog
from sqlalchemy import LargeBinary, Select, Text, Update, select, update
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.orm import Mapped, Session, mapped_column

from tarazu.kit import audit_log
from tarazu.kit.audit_log import SYSTEM
from tarazu.kit.db import Database, InstantColumn, Table, new_id
from tarazu.kit.disk import keep_file, keep_names, make_folder
from tarazu.kit.encryption import SEALED, cipher_of

log = structlog.get_logger()

RETRY_AFTER = tuple(dt.timedelta(minutes=m) for m in (1, 5, 15, 60, 180, 360, 720, 1440))
LEASE = dt.timedelta(seconds=20)
"""Of the mail in hand; it is renewed while a slow mail server takes it."""
RENEW_EVERY = 5.0
SMTP_TIMEOUT = 20
LONGEST_ANSWER = 300
REMOVED = "[removed after sending]"
"""What stands in the stored text in place of the secret."""


class Delivery(StrEnum):
    """`WRITTEN`: no mail server is set up, so the mail is a file in the outbox and reached nobody."""

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
    next_at: Mapped[dt.datetime] = mapped_column(InstantColumn, index=True)
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
    mail_id, secret = new_id(), draft.secret
    vault = cipher_of(session) if secret else None
    mail = Mail(
        id=mail_id,
        recipient=draft.recipient,
        subject=draft.subject,
        text=draft.text.replace(secret, REMOVED) if secret else draft.text,
        html=draft.html.replace(escape(secret), REMOVED) if secret else draft.html,
        secret=vault.seal(secret, Mail.secret, mail_id) if vault else None,
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


@dataclass(frozen=True, slots=True)
class Awaiting:
    """A mail whose text and attachment are still to be made."""

    recipient: str
    subject: str
    attachment_name: str


def queue_awaiting(session: Session, wanted: Sequence[Awaiting], now: dt.datetime) -> list[Mail]:
    """Queue mails that are still to be written: each goes out once `complete` brings its text."""
    mails = [
        Mail(
            id=new_id(),
            recipient=one.recipient,
            subject=one.subject,
            text="",
            html="",
            secret=None,
            attachment_name=one.attachment_name,
            attachment=None,
            message_id=make_msgid(domain="tarazu.invalid"),
            status=Delivery.QUEUED,
            attempts=0,
            next_at=now,
            queued_at=now,
        )
        for one in wanted
    ]
    session.add_all(mails)
    session.flush()
    return mails


def complete(session: Session, drafts: Mapping[uuid.UUID, Draft]) -> None:
    """Bring mails what they waited for, by their ids: text, HTML and attachment."""
    for mail_id, draft in drafts.items():
        if draft.attachment is not None:
            values = {"text": draft.text, "html": draft.html, "attachment": draft.attachment[1]}
            session.execute(update(Mail).where(Mail.id == mail_id).values(**values))


def states_of(session: Session, mail_ids: Sequence[uuid.UUID]) -> dict[uuid.UUID, DeliveryState]:
    """How the delivery of each of these mails stands, and since when."""
    if not mail_ids:
        return {}
    statement = select(Mail.id, Mail.status, Mail.finished_at, Mail.queued_at, Mail.error).where(
        Mail.id.in_(mail_ids)
    )
    return {
        row.id: DeliveryState(row.status, row.finished_at or row.queued_at, row.error)
        for row in session.execute(statement)
    }


def outline_of(session: Session, mail_id: uuid.UUID) -> Mail:
    """A mail that was queued."""
    return session.get_one(Mail, mail_id)


def text_of(session: Session, mail: Mail) -> str:
    """The text as it is handed over, with its secret as long as that is kept."""
    secret = cipher_of(session).unseal(mail.secret, Mail.secret, mail.id) if mail.secret else ""
    return mail.text.replace(REMOVED, secret) if secret else mail.text


def ask_again(session: Session, mail_id: uuid.UUID, now: dt.datetime) -> bool:
    """Queue a mail once more that was given up or only written; False where it is on its way or sent.

    It keeps its Message-ID, so that a recipient who got it after all sees one mail.
    """
    statement = (
        update(Mail)
        .where(Mail.id == mail_id, Mail.status.in_((Delivery.FAILED, Delivery.WRITTEN)))
        .values(status=Delivery.QUEUED, attempts=0, next_at=now, finished_at=None, error=None)
        .returning(Mail.id)
    )
    return session.execute(statement).first() is not None


class MailSender:
    """Sends what is queued: to the SMTP server, or as `.eml` files where none is set."""

    def __init__(self, smtp_url: str, sender: str, outbox_dir: Path) -> None:
        self.smtp_url, self.sender, self.outbox_dir = smtp_url, sender, outbox_dir
        self._is_stopping = False
        self._in_hand: Mail | None = None

    def send_due(self, database: Database, now: dt.datetime) -> int:
        """Send every mail that is due; the number of those handed over."""
        sent, began = 0, time.monotonic()

        def passed() -> dt.datetime:
            # Many mails take long: a lease counted from the beginning would be over at once.
            return now + dt.timedelta(seconds=time.monotonic() - began)

        while not self._is_stopping and (claimed := _claim(database, passed())) is not None:
            mail, secret = claimed
            self._in_hand = mail
            try:
                with _held(database, mail, passed):
                    self._hand_over(_message_of(mail, self.sender, secret))
            except (OSError, smtplib.SMTPException, Undeliverable) as error:
                _put_back(database, mail, passed(), _reason_of(error))
            else:
                reached = Delivery.SENT if self.smtp_url else Delivery.WRITTEN
                _finish(database, mail, passed(), reached)
                sent += 1
            self._in_hand = None
        return sent

    def stop(self) -> None:
        """Take up no further mail; the one in hand goes out if there is time."""
        self._is_stopping = True

    def let_go(self, database: Database, now: dt.datetime) -> None:
        """Give back the mail that a stop has cut short, so that the next start sends it at once."""
        mail = self._in_hand
        if mail is None:
            return
        with database.transaction() as session:
            session.execute(_ours(mail).values(next_at=now))
        log.warning("mail_let_go", mail_id=str(mail.id))

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
    """Hand over a mail that shows whether mails get out, at once.

    Raises:
        Undeliverable: the mail server did not take it; the text has the server's own words.
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
        raise Undeliverable(_words_of(error, smtp_url)) from error


def hand_over(smtp_url: str, message: EmailMessage) -> None:
    """Give one mail to the mail server.

    Raises:
        OSError, SMTPException: it cannot be reached, or does not take it.
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


def _claim(database: Database, now: dt.datetime) -> tuple[Mail, str] | None:
    """The next mail and its secret, held for this process until the lease is over."""
    with database.reading() as session:
        nothing_due = session.execute(_due(now).limit(1)).first() is None
    if nothing_due:
        return None
    with database.transaction() as session:
        mail = session.execute(
            _due(now).order_by(Mail.next_at).limit(1).with_for_update(skip_locked=True)
        ).scalar_one_or_none()
        if mail is None:
            return None
        # The lease: should this process die, another takes the mail up after it.
        mail.next_at = now + LEASE
        mail.attempts += 1
        sealed = mail.secret
        return mail, cipher_of(session).unseal(sealed, Mail.secret, mail.id) if sealed else ""


def _due(now: dt.datetime) -> Select[Mail]:
    # One whose letter is not set yet waits for it: `complete` brings it.
    is_whole = Mail.attachment_name.is_(None) | Mail.attachment.is_not(None)
    return select(Mail).where(Mail.status == Delivery.QUEUED, Mail.next_at <= now, is_whole)


def _ours(mail: Mail) -> Update:
    """The mail, as long as nobody else took it up: each taking up counts one attempt more."""
    return update(Mail).where(
        Mail.id == mail.id, Mail.status == Delivery.QUEUED, Mail.attempts == mail.attempts
    )


@contextlib.contextmanager
def _held(database: Database, mail: Mail, now: Callable[[], dt.datetime]) -> Iterator[None]:
    """Renew the lease while a mail is handed over; where that is quick, nothing is written."""
    over = threading.Event()

    def renew() -> None:
        while not over.wait(RENEW_EVERY):
            try:
                with database.transaction() as session:
                    session.execute(_ours(mail).values(next_at=now() + LEASE))
            except (DBAPIError, PoolTimeoutError) as error:
                # Should the lease run out, the mail goes out twice, known by its Message-ID.
                log.warning("mail_lease_not_renewed", error=type(error).__name__)

    renewing = threading.Thread(target=renew, name="mail-lease", daemon=True)
    renewing.start()
    try:
        yield
    finally:
        over.set()
        # A renewal that came late would put off or hasten what is decided now.
        renewing.join()


def _finish(database: Database, mail: Mail, now: dt.datetime, reached: Delivery) -> None:
    sent = _ours(mail).values(status=reached, finished_at=now, error=None, secret=None)
    event = f"mail_{reached.lower()}"
    with database.transaction() as session:
        if session.execute(sent.returning(Mail.id)).first() is None:
            # Taken for dead meanwhile: whoever has the mail now tells what became of it.
            log.warning("mail_taken_over", mail_id=str(mail.id))
            return
        audit_log.record(session, SYSTEM, now, event, ("mail", mail.id), _delivery_of(mail))
    log.info(event, mail_id=str(mail.id))


def _put_back(database: Database, mail: Mail, now: dt.datetime, reason: str) -> None:
    is_last = mail.attempts > len(RETRY_AFTER)
    # Given up, an account's mail is of no use any more: a new one is asked for.
    gone = {"secret": None} if is_last else {}
    put_back = _ours(mail).values(
        status=Delivery.FAILED if is_last else Delivery.QUEUED,
        finished_at=now if is_last else None,
        next_at=now if is_last else now + RETRY_AFTER[mail.attempts - 1],
        error=reason,
        **gone,
    )
    with database.transaction() as session:
        if session.execute(put_back.returning(Mail.id)).first() is None:
            log.warning("mail_taken_over", mail_id=str(mail.id))
            return
        if is_last:
            about = _delivery_of(mail) | {"error": reason}
            audit_log.record(session, SYSTEM, now, "mail_given_up", ("mail", mail.id), about)
    log.warning("mail_delayed", mail_id=str(mail.id), attempts=mail.attempts, gave_up=is_last)


def _delivery_of(mail: Mail) -> dict[str, object]:
    return {"messageId": mail.message_id, "attempts": mail.attempts}


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


def _words_of(error: Exception, smtp_url: str) -> str:
    """What the mail server said, without a password that it may have repeated."""
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
