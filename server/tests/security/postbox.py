"""A mail server that takes mail, hangs, or is not there, as a check wants it."""

import base64
import contextlib
import socket
import threading
from enum import StrEnum

from tests.started import free_port


class Mood(StrEnum):
    UP = "up"
    HANGING = "hanging"
    DOWN = "down"
    REFUSING = "refusing"


class Postbox:
    """An SMTP server on a port of its own. What it took is in `mails`."""

    def __init__(self) -> None:
        self.mood, self.mails = Mood.DOWN, list[bytes]()
        self.password, self.says, self.asked = "", "no", 0
        self.port = free_port()
        self._listener: socket.socket | None = None
        self._held: list[socket.socket] = []

    @property
    def url(self) -> str:
        return f"smtp://127.0.0.1:{self.port}"

    def turn(self, mood: Mood) -> None:
        """From now on it behaves so; hanging connections are released."""
        self.mood = mood
        for held in self._held:
            held.close()
        self._held.clear()
        if mood is Mood.DOWN and self._listener is not None:
            # Shut down first: closing alone leaves a waiting `accept` its socket.
            with contextlib.suppress(OSError):
                self._listener.shutdown(socket.SHUT_RDWR)
            self._listener.close()
            self._listener = None
        elif mood is not Mood.DOWN and self._listener is None:
            self._listener = socket.create_server(("127.0.0.1", self.port))
            threading.Thread(target=self._listen, args=(self._listener,), daemon=True).start()

    def _listen(self, listener: socket.socket) -> None:
        while True:
            try:
                caller, _ = listener.accept()
            except OSError:
                return
            if self.mood is Mood.HANGING:
                self._held.append(caller)
            else:
                threading.Thread(target=self._talk, args=(caller,), daemon=True).start()

    def _talk(self, caller: socket.socket) -> None:
        """As much of RFC 5321 as a client needs to hand over mail."""
        with contextlib.suppress(OSError), caller, caller.makefile("rwb", buffering=0) as line:
            line.write(b"220 here\r\n")
            while said := line.readline():
                word = said[:4].upper()
                if word == b"EHLO" and self.password:
                    line.write(b"250-here\r\n250 AUTH PLAIN\r\n")
                    continue
                if word == b"AUTH":
                    line.write(self._answer_to(said))
                    continue
                if word == b"DATA":
                    line.write(b"354 go on\r\n")
                    parts: list[bytes] = []
                    while (part := line.readline()) not in {b".\r\n", b""}:
                        parts.append(part)
                    self.mails.append(b"".join(parts))
                elif word == b"QUIT":
                    line.write(b"221 bye\r\n")
                    return
                line.write(b"250 fine\r\n")

    def _answer_to(self, said: bytes) -> bytes:
        """Whether who signs in, by RFC 4616, has the password and is wanted."""
        self.asked += 1
        given = base64.b64decode(said.split()[-1]).split(b"\0")[-1].decode()
        if given == self.password and self.mood is not Mood.REFUSING:
            return b"235 come in\r\n"
        return f"535 {self.says} {given}\r\n".encode()
