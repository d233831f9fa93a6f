"""A door before a server that can be shut, left silent, slowed, or slammed in the middle of an answer."""

import contextlib
import selectors
import socket
import struct
import threading
import time

PASS, REFUSED, SILENT, SLOW, CUT = "pass", "refused", "black hole", "slow", "cut mid-answer"
FAULTS = (REFUSED, SILENT, SLOW, CUT)
SLOWNESS = 2.0
LONGEST_PART = 48
"""Bytes of an answer that still come through before it is cut."""


class Proxy:
    """Carries bytes between clients and one server, for a `with`.

    `mode` may be changed at any time: PASS carries on; REFUSED closes the door and what is open;
    SILENT takes everything and says nothing; SLOW holds each answer for two seconds; CUT lets the
    beginning of an answer through and resets the connection.
    """

    def __init__(self, port, host="127.0.0.1"):
        self._far, self._mode = (host, port), PASS
        self._door = socket.create_server(("127.0.0.1", 0))
        self.port = self._door.getsockname()[1]
        self._pairs, self._lock, self._is_over = set(), threading.Lock(), False

    def __enter__(self):
        threading.Thread(target=self._let_in, daemon=True).start()
        return self

    def __exit__(self, *_):
        self._is_over = True
        self._shut()
        self._reset_all()

    @property
    def mode(self):
        return self._mode

    @mode.setter
    def mode(self, mode):
        before, self._mode = self._mode, mode
        if mode == REFUSED:
            self._shut()
            self._reset_all()
        elif before == REFUSED:
            self._door = socket.create_server(("127.0.0.1", self.port))
            threading.Thread(target=self._let_in, daemon=True).start()
        elif before == SILENT:
            # What was sent into the hole is gone: no answer to it may come now.
            self._reset_all()

    def _shut(self):
        # A blocked accept keeps a closed door open; a shut one it leaves.
        with contextlib.suppress(OSError):
            self._door.shutdown(socket.SHUT_RDWR)
        self._door.close()

    def _let_in(self):
        door = self._door
        while not self._is_over:
            try:
                near, _ = door.accept()
            except OSError:
                return
            threading.Thread(target=self._carry, args=(near,), daemon=True).start()

    def _carry(self, near):
        far = None
        try:
            if self._mode == SILENT:
                far = socket.socket()
            else:
                far = socket.create_connection(self._far, timeout=5)
            with self._lock:
                self._pairs.add((near, far))
            self._pump(near, far)
        except OSError:
            pass
        finally:
            with self._lock:
                self._pairs.discard((near, far))
            for side in filter(None, (near, far)):
                side.close()

    def _pump(self, near, far):
        with selectors.DefaultSelector() as ready:
            ready.register(near, selectors.EVENT_READ)
            if self._mode != SILENT:
                ready.register(far, selectors.EVENT_READ)
            while not self._is_over:
                for key, _ in ready.select(timeout=1):
                    content = key.fileobj.recv(65536)
                    if not content:
                        return
                    if self._mode == SILENT:
                        continue
                    if key.fileobj is near:
                        far.sendall(content)
                    elif not self._answer(near, content):
                        return

    def _answer(self, near, content):
        if self._mode == CUT:
            near.sendall(content[: min(LONGEST_PART, len(content) // 2)])
            _reset(near)
            return False
        if self._mode == SLOW:
            time.sleep(SLOWNESS)
        near.sendall(content)
        return True

    def _reset_all(self):
        with self._lock:
            pairs = list(self._pairs)
        for pair in pairs:
            for side in pair:
                _reset(side)


def _reset(side):
    """End a connection without a farewell, for whoever reads from it as well."""
    with contextlib.suppress(OSError):
        side.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        side.shutdown(socket.SHUT_RDWR)
