"""A circuit breaker: after repeated failures, calls to a service are refused for a while."""

import time
from collections.abc import Callable
from threading import Lock


class CircuitBreaker:
    """Counts failures in a row; safe to share between threads.

    Args:
        failure_threshold: failures in a row that open the circuit.
        reset_timeout: seconds for which calls are refused after that.
        probe_timeout: seconds for which the first call after the pause is the only one; 0 lets
            every caller try.
        clock: seconds that only rise; a fake one in tests.
    """

    def __init__(
        self,
        failure_threshold: int,
        reset_timeout: float,
        probe_timeout: float = 0.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._failure_threshold = failure_threshold
        self._reset_timeout = reset_timeout
        self._probe_timeout = probe_timeout
        self._clock = clock
        self._failures = 0
        self._open_until: float | None = None
        self._lock = Lock()

    def acquire(self) -> float:
        """Ask before a call: 0 if it may be made now, else the seconds until the next attempt."""
        with self._lock:
            now = self._clock()
            if self._open_until is None:
                return 0.0
            if now < self._open_until:
                return self._open_until - now
            self._open_until = now + self._probe_timeout
            return 0.0

    def record_failure(self) -> None:
        """Count a failed call; it opens the circuit when it reaches the threshold."""
        with self._lock:
            self._failures += 1
            if self._failures >= self._failure_threshold:
                self._open_until = self._clock() + self._reset_timeout

    def record_success(self) -> None:
        """Close the circuit."""
        with self._lock:
            self._failures, self._open_until = 0, None
