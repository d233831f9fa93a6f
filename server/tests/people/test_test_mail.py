"""A test mail from Settings: delivered by the server that is set up, or its own words."""

import socket
from collections.abc import Iterator
from decimal import Decimal
from email.message import EmailMessage

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.handlers import Message
from aiosmtpd.smtp import SMTP, Envelope, Session
from fastapi import FastAPI

from tarazu.kit.rate_limit import Limiter
from tests.people_of import ADMIN, Desk


class Inbox(Message):
    """A mail server that takes mail, or refuses it in its own words."""

    def __init__(self) -> None:
        super().__init__(EmailMessage)
        self.messages: list[EmailMessage] = []
        self.refusal = ""

    async def handle_RCPT(  # noqa: N802 - the name that aiosmtpd calls
        self,
        _server: SMTP,
        _session: Session,
        envelope: Envelope,
        address: str,
        _options: list[str],
    ) -> str:
        if self.refusal:
            return self.refusal
        envelope.rcpt_tos.append(address)
        return "250 OK"

    def handle_message(self, message: EmailMessage) -> None:  # type: ignore[override]
        self.messages.append(message)


@pytest.fixture
def inbox(app: FastAPI) -> Iterator[Inbox]:
    """The mail server that the installation is set up with."""
    received = Inbox()
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    server = Controller(received, hostname="127.0.0.1", port=port)
    server.start()
    url = f"smtp://127.0.0.1:{port}"
    app.state.settings = app.state.settings.model_copy(update={"smtp_url": url})
    yield received
    server.stop()


def mail_state(desk: Desk) -> str:
    return str(desk.get("/firm").json()["data"]["mail"])


def test_without_a_mail_server_there_is_nothing_to_test(admin: Desk) -> None:
    answer = admin.post("/settings/mail/test")

    assert (answer.status_code, answer.json()["code"]) == (409, "no_mail_server")
    assert answer.json()["message"] == (
        "No mail server is set up: set TARAZU_SMTP_URL and start again."
    )
    assert mail_state(admin) == "NOT_SET_UP"


def test_a_test_mail_reaches_the_one_who_asked(inbox: Inbox, admin: Desk) -> None:
    assert mail_state(admin) == "NOT_TESTED"

    answer = admin.post("/settings/mail/test")

    assert answer.status_code == 200, answer.text
    assert answer.json()["message"] == f"Test mail delivered to {ADMIN['email']}."
    assert [one["To"] for one in inbox.messages] == [ADMIN["email"]]
    assert mail_state(admin) == "TESTED"
    assert len(admin.get("/admin/audit", action="test_mail_sent").json()["data"]) == 1


def test_another_server_is_to_be_tested_anew(app: FastAPI, inbox: Inbox, admin: Desk) -> None:
    admin.post("/settings/mail/test")
    assert inbox.messages

    other = app.state.settings.model_copy(update={"smtp_url": "smtp://127.0.0.1:9"})
    app.state.settings = other

    assert mail_state(admin) == "NOT_TESTED"


def test_a_refusal_is_told_in_the_servers_own_words(inbox: Inbox, admin: Desk) -> None:
    inbox.refusal = "550 5.7.1 Relaying is not allowed here"

    answer = admin.post("/settings/mail/test")

    assert (answer.status_code, answer.json()["code"]) == (502, "mail_not_delivered")
    assert answer.json()["message"] == (
        "The mail server answered: 550 5.7.1 Relaying is not allowed here"
    )
    assert mail_state(admin) == "NOT_TESTED"


def test_only_an_administrator_sends_test_mails(inbox: Inbox, user: Desk) -> None:
    assert user.post("/settings/mail/test").status_code == 403
    assert inbox.messages == []


def test_test_mails_are_limited(app: FastAPI, inbox: Inbox, admin: Desk) -> None:
    app.state.limits = Limiter(Decimal(1))

    answers = [admin.post("/settings/mail/test").status_code for _ in range(6)]

    assert answers == [200] * 5 + [429]
    assert len(inbox.messages) == 5
