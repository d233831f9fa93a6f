"""The health of this process's price feed: source, age, sockets, number of stocks."""

import datetime as dt
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from prometheus_client.core import GaugeMetricFamily, Metric
from sqlalchemy.orm import Session

from tarazu.kit.metrics import gauges
from tarazu.prices import service as prices
from tarazu.prices.feed.source import ReportsFeedStatus

NO_SOURCE = "NONE"


@dataclass(frozen=True, slots=True)
class FeedParts:
    """The parts of the feed that are checked.

    Attributes:
        source: where prices come from.
        state: the state that screens show at an instant.
        sockets: open sockets to brokers, by broker.
        followed: how many stocks are needed.
        leads: whether this process runs the feed.
    """

    source: ReportsFeedStatus
    state: Callable[[dt.datetime], str]
    sockets: Callable[[], Mapping[str, int]]
    followed: Callable[[], int]
    leads: Callable[[], bool]


@dataclass(frozen=True, slots=True)
class FeedHealth:
    """The feed at one instant.

    Attributes:
        source: ZERODHA, ANGEL_ONE or SIMULATED; NONE while no session has prices.
        newest_at: when the newest known price was traded; None if there is none.
        followed, unfollowed: how many of the needed stocks the source has, and has not.
        leads: whether this process runs the feed for all.
    """

    source: str
    state: str
    newest_at: dt.datetime | None
    sockets: Mapping[str, int]
    followed: int
    unfollowed: int
    leads: bool

    def age(self, now: dt.datetime) -> float | None:
        """Seconds since the newest price was traded."""
        return None if self.newest_at is None else max(0.0, (now - self.newest_at).total_seconds())

    def shown(self, now: dt.datetime) -> dict[str, Any]:
        """The answer of `/health/ready`."""
        age = self.age(now)
        return {
            "source": self.source,
            "state": self.state,
            "newestPriceAgeSeconds": None if age is None else round(age, 1),
            "sockets": dict(self.sockets),
            "followed": self.followed,
            "unfollowed": self.unfollowed,
            "leads": self.leads,
        }

    def metrics(self, now: dt.datetime) -> list[Metric]:
        """For Prometheus; without the price's age while no price is known."""
        age = self.age(now)
        feed = GaugeMetricFamily(
            "tarazu_price_feed", "Whose prices come, and how.", labels=["source", "state"]
        )
        feed.add_metric([self.source, self.state], 1)
        return [
            feed,
            GaugeMetricFamily(
                "tarazu_price_feed_leads",
                "Whether this process has the feed, for all others too.",
                self.leads,
            ),
            GaugeMetricFamily(
                "tarazu_price_newest_age_seconds",
                "Seconds since the newest price was traded.",
                None if age is None else round(age, 3),
            ),
            gauges(
                "tarazu_broker_sockets",
                "Open sockets to brokers.",
                "broker",
                self.sockets or {NO_SOURCE: 0},
            ),
            gauges(
                "tarazu_stocks",
                "Stocks whose prices are wanted: those that the source carries, and the others.",
                "prices",
                {"followed": self.followed, "unfollowed": self.unfollowed},
            ),
        ]


def health_of(parts: FeedParts, session: Session, now: dt.datetime) -> FeedHealth:
    """The feed as it is now."""
    _, newest_at = prices.source_of_newest(prices.book_of(session))
    unfollowed = len(parts.source.unfollowed)
    return FeedHealth(
        source=parts.source.name or NO_SOURCE,
        state=parts.state(now),
        newest_at=newest_at,
        sockets=parts.sockets(),
        followed=max(0, parts.followed() - unfollowed),
        unfollowed=unfollowed,
        leads=parts.leads(),
    )
