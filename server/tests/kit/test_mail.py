"""The outbox: queued with its cause, sent by SMTP or as files, retried, never lost."""

import datetime as dt
import email
import email.policy
from email.message import EmailMessage
from pathlib import Path

import pytest
from sqlalchemy import select

from tarazu.kit import clock, jobs, mail
from tarazu.kit.db import Database
from tarazu.kit.mail import Delivery, Draft, Mail, MailSender
from tests.mail_of import Inbox, inbox
from tests.rows_of import scalar

__all__ = ["inbox"]

pytestmark = pytest.mark.on_both

DRAFT = Draft(
    "kavya@home.example", "Advice", "Buy 5 INFY", "<p>Buy 5 INFY</p>", ("letter.pdf", b"%PDF-1.7")
)


def _queue(database: Database, now: dt.datetime) -> None:
    with database.transaction() as session:
        mail.queue(session, DRAFT, now)


def _only(database: Database) -> Mail:
    only: Mail = scalar(database, select(Mail))
    return only


def test_a_queued_mail_reaches_the_smtp_server_once(
    database: Database, inbox: tuple[Inbox, str], tmp_path: Path
) -> None:
    received, url = inbox
    postman = MailSender(url, "Desk <desk@firm.example>", tmp_path)
    now = clock.now()
    _queue(database, now)

    sent = [postman.send_due(database, now), postman.send_due(database, now)]

    assert sent == [1, 0]
    (message,) = received.messages
    assert message["To"] == "kavya@home.example"
    assert message["Message-ID"] == _only(database).message_id
    assert _only(database).status == Delivery.SENT


def test_without_a_server_mails_are_written_as_files(database: Database, tmp_path: Path) -> None:
    now = clock.now()
    _queue(database, now)

    MailSender("", "desk@firm.example", tmp_path / "outbox").send_due(database, now)

    (path,) = (tmp_path / "outbox").glob("*.eml")
    message = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
    (letter,) = message.iter_attachments()
    body = message.get_body(("plain",))
    assert body is not None
    assert body.get_content().strip() == "Buy 5 INFY"
    assert (letter.get_filename(), letter.get_content()) == ("letter.pdf", b"%PDF-1.7")


def test_a_mail_server_that_is_down_delays_and_never_loses(
    database: Database, inbox: tuple[Inbox, str], tmp_path: Path
) -> None:
    received, url = inbox
    now = clock.now()
    _queue(database, now)
    down = MailSender("smtp://127.0.0.1:1", "desk@firm.example", tmp_path)
    up = MailSender(url, "desk@firm.example", tmp_path)

    down.send_due(database, now)
    delayed = _only(database)
    too_early = up.send_due(database, now + dt.timedelta(seconds=30))
    later = up.send_due(database, now + dt.timedelta(minutes=2))

    assert (delayed.status, delayed.error) == (
        Delivery.QUEUED, "The mail server cannot be reached.",
    )  # fmt: skip
    assert (too_early, later, len(received.messages)) == (0, 1, 1)


def test_a_mail_is_given_up_after_the_last_try_and_says_why(
    database: Database, tmp_path: Path
) -> None:
    now = clock.now()
    _queue(database, now)
    down = MailSender("smtp://127.0.0.1:1", "desk@firm.example", tmp_path)

    for _ in range(len(mail.RETRY_AFTER) + 1):
        down.send_due(database, now)
        now += dt.timedelta(days=2)

    given_up = _only(database)
    assert given_up.status == Delivery.FAILED
    assert given_up.error == "The mail server cannot be reached."


def test_a_mail_of_a_transaction_that_fails_is_never_sent(
    database: Database, tmp_path: Path
) -> None:
    with database.sessions() as session:
        mail.queue(session, DRAFT, clock.now())
        session.rollback()

    assert MailSender("", "desk@firm.example", tmp_path).send_due(database, clock.now()) == 0


def test_a_mail_claimed_by_a_process_that_died_is_taken_up_after_its_lease(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = clock.now()
    _queue(database, now)
    postman = MailSender("", "desk@firm.example", tmp_path)
    with monkeypatch.context() as dying:
        dying.setattr(postman, "_hand_over", _die)
        with pytest.raises(KeyboardInterrupt):
            postman.send_due(database, now)

    at_once = postman.send_due(database, now)
    after = postman.send_due(database, now + jobs.LEASE + dt.timedelta(seconds=1))

    assert (at_once, after) == (0, 1)


def _die(_: EmailMessage) -> None:
    raise KeyboardInterrupt


def test_a_secret_is_sealed_while_it_waits_and_gone_once_it_is_sent(
    database: Database, inbox: tuple[Inbox, str], tmp_path: Path
) -> None:
    received, url = inbox
    secret = "Xy7<&>pass"
    draft = Draft(
        "meera@desk.example",
        "Your Tarazu account",
        f"Temporary password: {secret}",
        "<p>Temporary password: Xy7&lt;&amp;&gt;pass</p>",
        secret=secret,
    )
    with database.transaction() as session:
        mail.queue(session, draft, clock.now())
    waiting = _only(database)

    MailSender(url, "Desk <desk@firm.example>", tmp_path).send_due(database, clock.now())

    assert waiting.secret is not None
    assert "Xy7" not in waiting.text + waiting.html + waiting.secret
    message = email.message_from_bytes(bytes(received.messages[0]), policy=email.policy.default)
    text, html = (message.get_body((kind,)).get_content() for kind in ("plain", "html"))  # type: ignore[union-attr]
    assert f"Temporary password: {secret}" in text
    assert "Xy7&lt;&amp;&gt;pass" in html
    sent = _only(database)
    assert (sent.status, sent.secret) == (Delivery.SENT, None)
    assert sent.text == "Temporary password: [removed after sending]"


def test_a_stop_takes_up_no_further_mail_and_releases_the_current_one(
    database: Database, tmp_path: Path
) -> None:
    now = clock.now()
    for _ in range(3):
        _queue(database, now)

    class Stopped(MailSender):
        def _hand_over(self, message: EmailMessage) -> None:
            self.stop()
            self.release(database, now)
            raise OSError("cut short")

    assert Stopped("", "desk@firm.example", tmp_path).send_due(database, now) == 0

    with database.reading() as session:
        attempts = [row.attempts for row in session.execute(select(Mail)).scalars()]
    assert sorted(attempts) == [0, 0, 1]
