"""A mail server that writes what it takes: `python -m tests.mail_sink PORT FOLDER`.

A mail is a file with its recipient, its subject and its text, decoded.
"""

import itertools
import signal
import sys
from email import message_from_bytes
from email.policy import default
from pathlib import Path

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session


class Sink:
    """Takes every mail, and numbers them."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._numbers = folder, itertools.count(1)

    async def handle_DATA(  # noqa: N802 - the name that aiosmtpd calls
        self, _server: SMTP, _session: Session, envelope: Envelope
    ) -> str:
        message = message_from_bytes(envelope.original_content or b"", policy=default)
        body = message.get_body(("plain",))
        text = body.get_content() if body else ""
        name = self._folder / f"{next(self._numbers):04d}"
        whole = f"To: {message['To']}\nSubject: {message['Subject']}\n\n{text}"
        name.write_text(whole, encoding="utf-8")
        # Under its name only once it is whole: the tests read along.
        name.rename(name.with_suffix(".eml"))
        return "250 OK"


def main() -> None:
    port, folder = int(sys.argv[1]), Path(sys.argv[2])
    folder.mkdir(parents=True)
    server = Controller(Sink(folder), hostname="127.0.0.1", port=port)
    server.start()
    signal.pause()


if __name__ == "__main__":
    main()
