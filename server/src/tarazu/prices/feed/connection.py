"""The connections of the feed to brokers: which are open, and how they and their sessions do.

Times are by the event loop's clock.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from tarazu.brokers.service import FeedConnection, FeedSession


@dataclass(frozen=True, slots=True)
class FeedTimeouts:
    """Seconds.

    Attributes:
        look: between two readings of the sessions.
        step: between two checks of the connections.
        silent: how long a connection may be silent before another session is tried.
        rest: how long a session that failed is not tried again; doubled each time, up to `longest`.
        settled: after this time without a break, earlier failures no longer count.
    """

    look: float = 2.0
    step: float = 0.5
    silent: float = 15.0
    rest: float = 60.0
    longest: float = 960.0
    settled: float = 300.0


@dataclass(slots=True)
class RunningConnection:
    """A connection that is running, and since when it is silent or live."""

    session: FeedSession
    connection: FeedConnection
    task: asyncio.Task[bool]
    silent_since: float | None
    live_since: float | None = None

    def check(self, now: float) -> None:
        """Note whether prices come."""
        if self.connection.is_live:
            self.silent_since = None
            self.live_since = now if self.live_since is None else self.live_since
        else:
            self.live_since = None
            self.silent_since = now if self.silent_since is None else self.silent_since

    def is_silent_for(self, seconds: float, now: float) -> bool:
        return self.silent_since is not None and now - self.silent_since > seconds

    @property
    def is_refused(self) -> bool:
        """Whether it ended because its session is over."""
        task = self.task
        return not task.cancelled() and task.exception() is None and not task.result()


@dataclass(slots=True)
class SessionHistory:
    """How often connections of a session failed, and until when it is not tried again."""

    failures: int = 0
    rests_until: float = 0.0
    is_over: bool = False

    def rest(self, now: float, timeouts: FeedTimeouts) -> None:
        """Do not try the session for a while, longer after each failure."""
        self.rests_until = now + min(timeouts.rest * 2**self.failures, timeouts.longest)
        self.failures += 1


@dataclass(slots=True)
class Connections:
    """The connection in use, and a candidate that replaces it once its prices come."""

    current: RunningConnection | None = None
    candidate: RunningConnection | None = None
    sessions: Sequence[FeedSession] = ()
    """The sessions that can carry prices, the best first."""
    histories: dict[str, SessionHistory] = field(default_factory=dict)

    def running(self) -> list[RunningConnection]:
        return [run for run in (self.current, self.candidate) if run is not None]

    def history_of(self, session: FeedSession) -> SessionHistory:
        return self.histories.setdefault(session.key, SessionHistory())

    def replace_sessions(self, sessions: Sequence[FeedSession]) -> None:
        """Take over the sessions as they are now; histories of the others are dropped."""
        keys = {session.key for session in sessions}
        self.sessions = sessions
        self.histories = {key: value for key, value in self.histories.items() if key in keys}

    def best(self, now: float, silent: float) -> FeedSession | None:
        """The best session that neither rests nor has been silent for so many seconds.

        If there is none: the one in use, else the one that may be tried again first.
        """
        for session in self.sessions:
            history = self.history_of(session)
            is_resting = history.is_over or history.rests_until > now
            if not is_resting and not self._is_silent(session, silent, now):
                return session
        if self.current is not None:
            return self.current.session
        usable = [session for session in self.sessions if not self.history_of(session).is_over]
        return min(usable, key=lambda session: self.history_of(session).rests_until, default=None)

    def _is_silent(self, session: FeedSession, silent: float, now: float) -> bool:
        runs = [run for run in self.running() if run.session.key == session.key]
        return any(run.is_silent_for(silent, now) for run in runs)
