"""Broker calls for callers that may block: routes and jobs, which run in threads.

One event loop in a thread of its own makes all calls, so that connections, pauses after failures
and the rate limit are shared by all callers. The adapters and the HTTP libraries are loaded with the
first call, so that they do not slow the start.
"""

import asyncio
import datetime as dt
from collections.abc import Callable, Coroutine
from concurrent.futures import CancelledError
from threading import Lock, Thread
from typing import TYPE_CHECKING, Any, TypeVar

from tarazu.brokers.protocol.port import (
    BrokerApp,
    BrokerPort,
    BrokerSession,
    LoginTokens,
    RateLimiter,
    Upstream,
)
from tarazu.brokers.rate_limit import SharedRateLimiter
from tarazu.brokers.tables import BrokerName
from tarazu.kit.db import Database
from tarazu.kit.settings import Settings

if TYPE_CHECKING:
    from tarazu.brokers.http_client import BrokerHttpClient

T = TypeVar("T")


def broker_of(
    name: BrokerName,
    app: BrokerApp,
    http: "BrokerHttpClient",
    limiter: RateLimiter,
    settings: Settings,
) -> BrokerPort:
    """The adapter of a broker."""
    if name == BrokerName.ZERODHA:
        from tarazu.brokers.zerodha.kite import Kite  # noqa: PLC0415 - see above

        return Kite(app, http, limiter)
    from tarazu.brokers.angel.smartapi import MASTER_URL, Angel, ServerAddresses  # noqa: PLC0415

    addresses = ServerAddresses.found(settings.angel_public_ip)
    return Angel(app, http, limiter, addresses, settings.angel_scrip_master_url or MASTER_URL)


class BrokerGateway:
    """Calls to the brokers from any thread. The loop starts with the first call."""

    def __init__(self, settings: Settings, database: Database) -> None:
        self._settings, self._database = settings, database
        self._lock = Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: Thread | None = None
        self._http: BrokerHttpClient | None = None
        self._rate_limiter = SharedRateLimiter(database)

    def exchange(
        self, name: BrokerName, app: BrokerApp, login_tokens: LoginTokens, now: dt.datetime
    ) -> BrokerSession:
        """Turn what a log-in handed over into a session, once.

        Raises:
            BrokerFault: the broker cannot be reached, or does not take it.
        """
        return self.run(name, app, lambda broker: broker.exchange_token(login_tokens, now))

    def run(
        self,
        name: BrokerName,
        app: BrokerApp,
        act: Callable[[BrokerPort], Coroutine[Any, Any, T]],
    ) -> T:
        """Do `act` with a broker, and wait for what it makes of it.

        Of many calls at once, let `act` begin a few at a time: a call that would queue for longer
        than eight seconds is refused.

        Raises:
            BrokerFault: as the port says.
        """
        loop, http = self._started()
        broker = broker_of(name, app, http, self._rate_limiter, self._settings)
        try:
            return asyncio.run_coroutine_threadsafe(act(broker), loop).result()
        except CancelledError:
            raise Upstream("cut short: the process stops") from None

    def close(self) -> None:
        """Cancel calls, close all connections and end the thread; a later call starts a new one."""
        with self._lock:
            loop, thread, http = self._loop, self._thread, self._http
            self._loop = self._thread = self._http = None
        if loop is not None and thread is not None and http is not None:
            asyncio.run_coroutine_threadsafe(_close_all(http), loop).result()
            loop.call_soon_threadsafe(loop.stop)
            thread.join()
            loop.close()

    def _started(self) -> tuple[asyncio.AbstractEventLoop, "BrokerHttpClient"]:
        from tarazu.brokers.host_rules import HostRules  # noqa: PLC0415 - see above
        from tarazu.brokers.http_client import BrokerHttpClient  # noqa: PLC0415 - see above

        with self._lock:
            if self._loop is None or self._http is None:
                self._loop = asyncio.new_event_loop()
                self._http = BrokerHttpClient(HostRules.of(self._settings))
                # Its locks belong to the loop that ended.
                self._rate_limiter = SharedRateLimiter(self._database)
                self._thread = Thread(target=self._loop.run_forever, name="brokers", daemon=True)
                self._thread.start()
            return self._loop, self._http


async def _close_all(http: "BrokerHttpClient") -> None:
    """Cancel all calls under way, so that no caller waits forever."""
    under_way = asyncio.all_tasks() - {asyncio.current_task()}
    for task in under_way:
        task.cancel()
    await asyncio.gather(*under_way, return_exceptions=True)
    await http.aclose()
