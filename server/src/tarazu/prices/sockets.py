"""Prices to browsers: what moved, four times a second, and a sign of life every five."""

import asyncio
import datetime as dt
import json
import uuid
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping

import structlog
from sqlalchemy.orm import Session

from tarazu.auth import guards
from tarazu.auth import service as auth
from tarazu.instruments import service as instruments
from tarazu.instruments.service import Listed
from tarazu.kit import clock
from tarazu.kit.access import NotSignedIn, PasswordChangeRequired, SessionExpired
from tarazu.kit.db import Database
from tarazu.kit.live import Hub, Member, frame_of
from tarazu.kit.settings import Settings
from tarazu.prices import service
from tarazu.prices.adapters.source import Source
from tarazu.prices.book import PriceBook

log = structlog.get_logger()

FRAME_EVERY = 0.25
HEARTBEAT_EVERY = 5.0
FOLLOW_EVERY = 2.0

Followed = Callable[[Session], set[uuid.UUID]]
"""Answers with the instruments that somebody holds or watches."""


class SessionGuard:
    """Lets in the holder of a live session, and tells when it has ended."""

    def __init__(self, database: Database, settings: Settings) -> None:
        self._database, self._settings = database, settings

    def admit(self, token: str) -> Member:
        """The holder of a live token.

        Raises:
            SessionExpired: the token is dead.
            PasswordChangeRequired: the account must set a password first.
        """
        caller, is_first_time = guards.caller_of_token(self._database, self._settings, token)
        if is_first_time:
            raise PasswordChangeRequired
        if caller.account_id is None:
            raise NotSignedIn
        return Member(caller.account_id, caller.session_id, token)

    def ended(self, tokens: Collection[str]) -> set[str]:
        """Those of `tokens` whose session has ended; looking does not keep a session alive."""
        now = clock.now()
        with self._database.reading() as session:
            return {token for token in tokens if not self._is_live(session, token, now)}

    def _is_live(self, session: Session, token: str, now: dt.datetime) -> bool:
        try:
            return not auth.bearer_of(session, self._settings, token, now).is_first_time
        except SessionExpired:
            # The answer to the question, not a fault.
            return False


class PriceFeed:
    """Runs a source for what is followed, and sends to the hub what moved.

    Args:
        followed: asked every two seconds, so that a new holding or watch joins soon.
    """

    def __init__(self, database: Database, hub: Hub, source: Source, followed: Followed) -> None:
        self._database, self._hub, self._source = database, hub, source
        self._followed = followed
        self._book = PriceBook()
        self._stocks: dict[uuid.UUID, Listed] = {}
        self._tokens: frozenset[int] = frozenset()
        self._joined: set[int] = set()
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Begin; on the event loop. The start of the application does not wait for prices."""
        self._tasks = [asyncio.create_task(self._run(), name="prices")]

    async def stop(self) -> None:
        """Send nothing more, and let the source record nothing more."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._source.stop()

    def _beat(self) -> bytes:
        body = {
            "at": clock.now().isoformat(timespec="milliseconds"),
            "source": self._source.name,
            "live": self._source.is_live,
        }
        return frame_of("ticks:heartbeat", json.dumps(body))

    def _whole(self) -> bytes:
        """All followed prices that are known."""
        return _ticks(self._book.units(self._tokens))

    def _greeting(self) -> Iterable[bytes]:
        return (self._whole(), self._beat())

    async def _run(self) -> None:
        while True:
            if await _attempt(self._prepare):
                break
            await asyncio.sleep(FOLLOW_EVERY)
        await self._source.start(self._book.record, self._book.units_of)
        for every, act in (
            (FRAME_EVERY, self._send_changes),
            (HEARTBEAT_EVERY, self._send_beat),
            (FOLLOW_EVERY, self._follow),
        ):
            self._tasks.append(asyncio.create_task(_repeat(every, act), name=act.__name__))

    async def _prepare(self) -> None:
        self._book = await asyncio.to_thread(self._open_book)
        await self._follow()
        self._hub.greeting = self._greeting

    async def _send_changes(self) -> None:
        changed = self._book.take_changed()
        joined, self._joined = self._joined, set()
        moved = self._book.units((changed | joined) & self._tokens)
        if moved:
            await self._hub.broadcast(_ticks(moved), self._whole)

    async def _send_beat(self) -> None:
        await self._hub.broadcast(self._beat())

    async def _follow(self) -> None:
        """Take in what is followed by now."""
        stocks = await asyncio.to_thread(self._read_followed)
        if stocks.keys() == self._stocks.keys():
            return
        tokens = frozenset(one.instrument_token for one in stocks.values())
        self._joined |= tokens - self._tokens
        self._stocks, self._tokens = stocks, tokens
        self._source.subscribe(list(stocks.values()))
        log.info("prices_followed", instruments=len(tokens))

    def _open_book(self) -> PriceBook:
        with self._database.reading() as session:
            return service.book_of(session)

    def _read_followed(self) -> dict[uuid.UUID, Listed]:
        with self._database.reading() as session:
            wanted = self._followed(session)
            known = {key: stock for key, stock in self._stocks.items() if key in wanted}
            new = instruments.by_ids(session, wanted - known.keys())
            unpriced = {one.instrument_token for one in new.values()} - self._book.tokens()
            if unpriced:
                # Listed after the book was filled: its last close must not be missing.
                service.fill(session, self._book)
            return known | new


def _ticks(units: Mapping[int, int]) -> bytes:
    rows = (f'"{token}":{_as_number(price)}' for token, price in units.items())
    return frame_of("ticks", "{" + ",".join(rows) + "}")


def _as_number(units: int) -> str:
    """Ten-thousandths of a rupee as a JSON number in rupees, exact."""
    whole, part = divmod(units, 10_000)
    return f"{whole}.{part:04d}".rstrip("0") if part else str(whole)


async def _repeat(every: float, act: Callable[[], Awaitable[None]]) -> None:
    while True:
        await asyncio.sleep(every)
        await _attempt(act)


async def _attempt(act: Callable[[], Awaitable[None]]) -> bool:
    """Whether it could be done."""
    try:
        await act()
    except Exception as error:
        # Logged, not raised: the caller does it again at its next time.
        log.exception(
            "prices_failed", step=getattr(act, "__name__", ""), error=type(error).__name__
        )
        return False
    return True
