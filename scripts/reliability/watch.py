"""Somebody who asks all the time whether the server is alive, and what a spell of faults came to."""

import threading
import time
from collections import Counter

from .places import GONE, call

ALIVE_EVERY = 0.2
LONGEST_ANSWER = 8.0
BACK_WITHIN = 10.0
FINE = {200, 201}


class Watch:
    """Asks a path until the end of a `with`; `answers` counts what came, `slowest` in seconds."""

    def __init__(self, place, path="/health/live", token=None):
        self._place, self._path, self._token = place, path, token
        self.answers, self.slowest = Counter(), 0.0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._ask, daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._over.set()
        self._thread.join(25)

    def _ask(self):
        while not self._over.wait(ALIVE_EVERY):
            began = time.monotonic()
            try:
                status = call(self._place.port, "GET", self._path, token=self._token)[0]
            except GONE:
                status = 0
            self.answers[status] += 1
            self.slowest = max(self.slowest, time.monotonic() - began)


def back_after(writers, patience=30):
    """Seconds until a write that began later than now was kept; infinite when none was."""
    began = time.monotonic()
    while time.monotonic() - began < patience:
        seen = writers.since(began)
        kept = [at + took for at, took, status in seen if status == 201 and at >= began]
        if kept:
            return min(kept) - began
        time.sleep(0.02)
    return float("inf")


def refused_wrongly(writers, allowed):
    """Answers that should not have been given, by status, and the longest answer in seconds."""
    wrong = {s: n for s, n in writers.answers.items() if s not in FINE | set(allowed)}
    for kind, status, answer in writers.faults[:3]:
        wrong[f"{kind} {status}"] = (answer or {}).get("message") if isinstance(answer, dict) else 1
    return wrong, max((took for _, took, _ in writers.timeline), default=0.0)
