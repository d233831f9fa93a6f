"""The way to the brokers for callers that may wait: routes and jobs, which run in threads.

One event loop in a thread of its own makes all calls, so that connections, pauses after failures
and the pace are shared by all callers. The adapters and the libraries of the way out are loaded
with the first call: the start of the product does not pay for them.
"""

import asyncio
import datetime as dt
from collections.abc import Callable, Coroutine
from concurrent.futures import CancelledError
from threading import Lock, Thread
from typing import TYPE_CHECKING, Any, TypeVar

from tarazu.brokers.adapters.port import (
    BrokerApp,
    BrokerPort,
    BrokerSession,
    HandedOver,
    Pacer,
    Upstream,
)
from tarazu.brokers.rate_limit import SharedPace
from tarazu.brokers.tables import BrokerName
from tarazu.kit.db import Database
from tarazu.kit.settings import Settings

if TYPE_CHECKING:
    from tarazu.brokers.http_client import Outside

T = TypeVar("T")


def broker_of(
    name: BrokerName, app: BrokerApp, outside: "Outside", pacer: Pacer, settings: Settings
) -> BrokerPort:
    """The adapter that speaks to a broker."""
    if name == BrokerName.ZERODHA:
        from tarazu.brokers.adapters.kite import Kite  # noqa: PLC0415 - see above

        return Kite(app, outside, pacer)
    from tarazu.brokers.adapters.angel import MASTER_URL, Angel, Whereabouts  # noqa: PLC0415

    whereabouts = Whereabouts.found(settings.angel_public_ip)
    return Angel(app, outside, pacer, whereabouts, settings.angel_scrip_master_url or MASTER_URL)


class BrokerGateway:
    """Calls to the brokers from any thread. The loop starts with the first call."""

    def __init__(self, settings: Settings, database: Database) -> None:
        self._settings, self._database = settings, database
        self._lock = Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: Thread | None = None
        self._outside: Outside | None = None
        self._pace = SharedPace(database)

    def exchange(
        self, name: BrokerName, app: BrokerApp, handed: HandedOver, now: dt.datetime
    ) -> BrokerSession:
        """Turn what a log-in handed over into a session, once.

        Raises:
            BrokerFault: the broker cannot be reached, or does not take it.
        """
        return self.run(name, app, lambda broker: broker.exchange_token(handed, now))

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
        loop, outside = self._started()
        broker = broker_of(name, app, outside, self._pace, self._settings)
        try:
            return asyncio.run_coroutine_threadsafe(act(broker), loop).result()
        except CancelledError:
            raise Upstream("cut short: the process stops") from None

    def close(self) -> None:
        """Cut calls short, close all connections and end the thread; a later call starts anew."""
        with self._lock:
            loop, thread, outside = self._loop, self._thread, self._outside
            self._loop = self._thread = self._outside = None
        if loop is not None and thread is not None and outside is not None:
            asyncio.run_coroutine_threadsafe(_wound_up(outside), loop).result()
            loop.call_soon_threadsafe(loop.stop)
            thread.join()
            loop.close()

    def _started(self) -> tuple[asyncio.AbstractEventLoop, "Outside"]:
        from tarazu.brokers.http_client import Outside, Rules  # noqa: PLC0415 - see above

        with self._lock:
            if self._loop is None or self._outside is None:
                self._loop = asyncio.new_event_loop()
                self._outside = Outside(Rules.of(self._settings))
                # What waits on locks belongs to the loop that ended.
                self._pace = SharedPace(self._database)
                self._thread = Thread(target=self._loop.run_forever, name="brokers", daemon=True)
                self._thread.start()
            return self._loop, self._outside


async def _wound_up(outside: "Outside") -> None:
    """Cut short whatever is under way, so that nobody waits for it for ever."""
    under_way = asyncio.all_tasks() - {asyncio.current_task()}
    for task in under_way:
        task.cancel()
    await asyncio.gather(*under_way, return_exceptions=True)
    await outside.aclose()
