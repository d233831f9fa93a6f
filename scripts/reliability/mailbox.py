"""A mail server that keeps what it is given, one connection a thread (RFC 5321, its smallest part)."""

import email
import email.policy
import socketserver
import threading
import time


class _Visit(socketserver.StreamRequestHandler):
    timeout = 30

    def handle(self):
        self._say("220 mailbox.example")
        recipient = ""
        while line := self.rfile.readline():
            word = line.strip().upper()
            if word.startswith((b"EHLO", b"HELO")):
                self._say("250 mailbox.example")
            elif word.startswith(b"RCPT TO:"):
                recipient = line.split(b"<")[1].split(b">")[0].decode()
                self._say("250 Fine")
            elif word == b"DATA":
                self._say("354 Go ahead")
                self._keep(recipient)
            elif word == b"QUIT":
                self._say("221 Farewell")
                return
            else:
                self._say("250 Fine")

    def _keep(self, recipient):
        lines = []
        while (line := self.rfile.readline()) != b".\r\n":
            if not line:
                return
            lines.append(line.removeprefix(b".") if line.startswith(b"..") else line)
        # It takes its time before it is answered for: there a kill leaves a mail in doubt.
        time.sleep(self.server.slowness)
        message = email.message_from_bytes(b"".join(lines), policy=email.policy.default)
        with self.server.lock:
            self.server.kept.append((recipient, str(message["Message-ID"])))
        self._say("250 Kept")

    def _say(self, line):
        self.wfile.write(line.encode() + b"\r\n")


class Mailbox(socketserver.ThreadingTCPServer):
    """For a `with`; `kept` holds the recipient and the Message-ID of every mail, as they came."""

    daemon_threads, allow_reuse_address, block_on_close = True, True, False

    def __init__(self, slowness=0.0):
        super().__init__(("127.0.0.1", 0), _Visit)
        self.slowness, self.kept, self.lock = slowness, [], threading.Lock()
        self.port = self.server_address[1]

    def __enter__(self):
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.1}, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.shutdown()
        self.server_close()

    def handle_error(self, request, client_address):
        """A sender that was killed is what is being tried."""
