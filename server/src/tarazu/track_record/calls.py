"""Every call with what it gave, and how often calls were right."""

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Any, Final

from pydantic import Field
from sqlalchemy.orm import Session

from tarazu.advice import service as advice
from tarazu.advice.service import CallSum
from tarazu.benchmarks.tables import Benchmark
from tarazu.domain.charges import Side
from tarazu.domain.money import ZERO, Percent
from tarazu.domain.track_record.calls import (
    Call,
    CallPrice,
    HitRate,
    Recommendation,
    Result,
    calls_of,
    hit_rate,
    result_of,
    side_of,
)
from tarazu.kit.clock import day_in_india
from tarazu.kit.fields import Day
from tarazu.kit.schemas import ListParams
from tarazu.track_record.call_facts import CallFacts, facts_of


class CallState(StrEnum):
    OPEN = "OPEN"
    CLOSED = "CLOSED"


class Verdict(StrEnum):
    """HIT: better than the total return index over the same days, after charges."""

    HIT = "HIT"
    MISS = "MISS"
    UNKNOWN = "UNKNOWN"


class CallFilter(ListParams):
    """Which rows of the list; the metrics are always of all calls. Days are those of the dispatch."""

    state: CallState | None = None
    verdict: Verdict | None = None
    model: str = Field(default="", max_length=100)
    since: Day | None = Field(default=None, alias="from")
    until: Day | None = Field(default=None, alias="to")


@dataclass(frozen=True, slots=True)
class CallRow:
    """A call: what was advised to how many clients, its prices and what it gave.

    `id` is its own: the dispatch and the stock.
    """

    id: str
    isin: str
    symbol: str
    exchange: str
    model: str
    clients: int
    sent_at: dt.datetime
    ended_at: dt.datetime | None
    entry: CallPrice | None
    exit: CallPrice | None
    result: Result

    @property
    def state(self) -> CallState:
        return CallState.OPEN if self.ended_at is None else CallState.CLOSED

    @property
    def verdict(self) -> Verdict:
        is_hit = self.result.is_hit
        if is_hit is None:
            return Verdict.UNKNOWN
        return Verdict.HIT if is_hit else Verdict.MISS

    @property
    def days(self) -> int | None:
        """Calendar days from the entry to the exit or the last close; None where one is missing."""
        if self.entry is None or self.exit is None:
            return None
        return (self.exit.on - self.entry.on).days

    @property
    def difference(self) -> Percent | None:
        """Percentage points above the index; None where not known."""
        if self.result.net is None or self.result.benchmark is None:
            return None
        return self.result.net - self.result.benchmark


@dataclass(frozen=True, slots=True)
class CallsRecord:
    """All calls, newest first, with the metrics of all of them.

    Attributes:
        why_no_benchmark: why nothing is compared; None where it is.
        hits: calls that were better than the index, of those for which that is known.
        gains: calls that were above nought after charges, likewise.
        mean, mean_difference: of the same calls, each alike; None without any.
        open: calls without an exit, and `unknown` those without a figure.
        exits: dispatches that said to sell a stock of which no call was open.
    """

    calls: Sequence[CallRow]
    benchmark: Benchmark | None
    why_no_benchmark: str | None
    hits: HitRate
    gains: HitRate
    mean: Percent | None
    mean_difference: Percent | None
    open: int
    unknown: int
    exits: int

    @property
    def span(self) -> tuple[dt.date, dt.date] | None:
        """The first and the last day of all figures; None without any."""
        days = [
            price.on for row in self.calls for price in (row.entry, row.exit) if price is not None
        ]
        return (min(days), max(days)) if days else None


def calls_record(session: Session, now: dt.datetime) -> CallsRecord:
    """Every BUY of every sealed advice until its exit, without a choice."""
    sums = advice.call_sums(session)
    facts = facts_of(session, sums, now)
    said = {_recommendation(row, facts): row for row in sums}
    calls = calls_of(said)
    rows = [_row_of(call, said, facts) for call in calls]
    ended = {call.exit for call in calls}
    known = [row.result.net for row in rows if row.result.net is not None]
    differences = [row.difference for row in rows if row.difference is not None]
    return CallsRecord(
        rows[::-1],
        facts.benchmark,
        facts.why_no_benchmark,
        hit_rate(sum(row.verdict is Verdict.HIT for row in rows), len(differences)),
        hit_rate(sum(net > 0 for net in known), len(known)),
        _mean(known),
        _mean(differences),
        sum(row.state is CallState.OPEN for row in rows),
        len(rows) - len(known),
        sum(one.side is Side.SELL and one not in ended for one in said),
    )


def chosen_calls(record: CallsRecord, filters: CallFilter) -> list[CallRow]:
    """The calls of the record that match, in the order asked for; newest first unless sorted."""
    query = filters.query.strip().casefold()
    rows = [
        row
        for row in record.calls
        if (not query or query in row.symbol.casefold() or query in row.isin.casefold())
        and filters.state in {None, row.state}
        and filters.verdict in {None, row.verdict}
        and (not filters.model or row.model == filters.model)
        and (filters.since is None or day_in_india(row.sent_at) >= filters.since)
        and (filters.until is None or day_in_india(row.sent_at) <= filters.until)
    ]
    order = _ORDERS.get(filters.sort.removeprefix("-"))
    if order is None:
        return rows
    known = [row for row in rows if order(row) is not None]
    known.sort(key=order, reverse=filters.sort.startswith("-"))
    return known + [row for row in rows if order(row) is None]


_ORDERS: Final[Mapping[str, Callable[[CallRow], Any]]] = {
    "sentAt": lambda row: row.sent_at,
    "tradingSymbol": lambda row: row.symbol,
    "netPercentage": lambda row: row.result.net,
    "differencePercentagePoints": lambda row: row.difference,
    "days": lambda row: row.days,
}


def _recommendation(row: CallSum, facts: CallFacts) -> Recommendation:
    return Recommendation(
        row.lane_id.hex,
        row.batch_id.hex,
        facts.current[row.isin],
        side_of(row.bought, row.sold),
        row.sent_at,
    )


def _row_of(call: Call, said: Mapping[Recommendation, CallSum], facts: CallFacts) -> CallRow:
    row = said[call.entry]
    entry = facts.price_of(row)
    ended = said[call.exit] if call.exit is not None else None
    exit_ = facts.last_close(row) if ended is None else facts.price_of(ended)
    return CallRow(
        f"{row.batch_id}.{row.isin}",
        row.isin,
        row.symbol,
        row.exchange,
        row.model,
        row.clients,
        row.sent_at,
        None if ended is None else ended.sent_at,
        entry,
        exit_,
        _result(call, entry, exit_, facts),
    )


def _result(
    call: Call, entry: CallPrice | None, exit_: CallPrice | None, facts: CallFacts
) -> Result:
    days = {Side.BUY: entry, Side.SELL: exit_}
    rates = {side: facts.rates_on(price.on) for side, price in days.items() if price is not None}
    known = {side: found for side, found in rates.items() if found is not None}
    if len(known) < len(rates):
        return Result(None, None, None, "The charges of that time are not in the table of charges.")
    return result_of(entry, exit_, facts.actions_of(call.entry.isin), known, facts.levels)


def _mean(values: Sequence[Decimal]) -> Percent | None:
    return sum(values, ZERO) / len(values) if values else None
