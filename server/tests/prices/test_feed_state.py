"""How the prices come, in one word: by the source, the calendar and the last trade."""

import datetime as dt
from collections.abc import Collection

import pytest

from tarazu.instruments.service import Listed
from tarazu.kit.db import Database
from tarazu.kit.settings import Settings
from tarazu.kit.sockets import SocketHub
from tarazu.prices import service
from tarazu.prices.book import PriceBook
from tarazu.prices.feed.broadcast import FeedState, PriceFeed
from tarazu.prices.sockets import SessionGuard

REPUBLIC_DAY = dt.date(2026, 1, 26)


def here(text: str) -> dt.datetime:
    """A time in India."""
    return dt.datetime.fromisoformat(f"{text}+05:30").astimezone(dt.UTC)


class Told:
    """A source that is as the test says."""

    unfollowed: frozenset[int] = frozenset()

    def __init__(self, name: str | None, *, is_live: bool) -> None:
        self.name, self.is_live = name, is_live

    async def start(self, book: PriceBook) -> None:
        """Nothing begins."""

    def subscribe(self, stocks: Collection[Listed]) -> None:
        """Nothing is followed."""

    async def stop(self) -> None:
        """Nothing ends."""


@pytest.mark.parametrize(
    ("at", "is_open"),
    [
        ("2026-11-20T08:59:59", False),
        ("2026-11-20T09:00:00", True),
        ("2026-11-20T15:29:59", True),
        ("2026-11-20T15:30:00", False),
        ("2026-11-21T11:00:00", False),
        ("2026-01-26T11:00:00", False),
        ("2026-01-27T11:00:00", True),
    ],
)
def test_the_market_is_open_on_business_days_until_half_past_three(at: str, is_open: bool) -> None:
    assert service.is_market_open(here(at), {REPUBLIC_DAY}) is is_open


@pytest.mark.parametrize(
    ("name", "is_live", "at", "state"),
    [
        (None, False, "2026-11-20T11:00:00", FeedState.NONE),
        (None, False, "2026-11-21T11:00:00", FeedState.NONE),
        ("ZERODHA", True, "2026-11-20T11:00:00", FeedState.LIVE),
        ("ANGEL_ONE", False, "2026-11-20T11:00:00", FeedState.DOWN),
        ("ZERODHA", True, "2026-11-20T15:31:00", FeedState.CLOSED),
        ("ZERODHA", False, "2026-11-21T11:00:00", FeedState.CLOSED),
        ("SIMULATED", True, "2026-11-21T11:00:00", FeedState.LIVE),
        ("SIMULATED", False, "2026-11-20T11:00:00", FeedState.DOWN),
    ],
)
def test_the_state_of_the_feed(
    database: Database,
    settings: Settings,
    name: str | None,
    is_live: bool,
    at: str,
    state: FeedState,
) -> None:
    hub = SocketHub(SessionGuard(database, settings), "")
    feed = PriceFeed(database, hub, Told(name, is_live=is_live), lambda _: set())

    assert feed.state(here(at)) is state


def test_a_special_session_on_a_saturday_is_live(database: Database, settings: Settings) -> None:
    feed = PriceFeed(
        database,
        SocketHub(SessionGuard(database, settings), ""),
        Told("ZERODHA", is_live=True),
        lambda _: set(),
    )
    at = here("2026-11-21T18:20:00")
    feed._book.record({408065: 15_000_000}, at, "ZERODHA")

    assert feed.state(at + dt.timedelta(seconds=15)) is FeedState.LIVE
    assert feed.state(at + dt.timedelta(seconds=16)) is FeedState.CLOSED
