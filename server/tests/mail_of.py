"""A mail server on this machine."""

from collections.abc import Iterator
from contextlib import contextmanager
from email.message import EmailMessage

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.handlers import Message
from aiosmtpd.smtp import SMTP, Envelope, Session

from tests.started import free_port


class Inbox(Message):
    """A mail server that takes mail, or refuses it with a message."""

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


@contextmanager
def mail_server() -> Iterator[tuple[Inbox, str]]:
    """A running mail server, and its address."""
    received = Inbox()
    port = free_port()
    server = Controller(received, hostname="127.0.0.1", port=port)
    server.start()
    yield received, f"smtp://127.0.0.1:{port}"
    server.stop()


@pytest.fixture
def inbox() -> Iterator[tuple[Inbox, str]]:
    with mail_server() as running:
        yield running
