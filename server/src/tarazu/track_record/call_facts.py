"""What is known of all stocks that were ever called: prices, actions, charges, the index."""

import datetime as dt
import uuid
from collections import defaultdict
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Final

from sqlalchemy.orm import Session

from tarazu.advice.service import CallSum
from tarazu.benchmarks import service as benchmarks
from tarazu.benchmarks.tables import Benchmark, BenchmarkKind
from tarazu.domain.benchmark import IndexLevels
from tarazu.domain.charges import ChargeRates, NoRates, rates_for
from tarazu.domain.corporate_actions.values import CorporateAction
from tarazu.domain.money import Rupees
from tarazu.domain.track_record.calls import (
    CallPrice,
    PriceKind,
    first_close_after,
    next_opening,
)
from tarazu.firm import service as firm
from tarazu.instruments import service as instruments
from tarazu.kit.clock import day_in_india
from tarazu.prices import service as prices
from tarazu.prices.service import CLOSE_AT
from tarazu.track_record import queries

CHARGED_BY: Final = "ZERODHA"
"""The broker whose charges every call is charged with."""
CLOSE_WITHIN: Final = dt.timedelta(days=10)
"""A close further from the dispatch is no price of it."""

Closes = Sequence[tuple[dt.date, Rupees]]


@dataclass(frozen=True, slots=True)
class CallFacts:
    """Everything that the calls are worked out from.

    Attributes:
        current: the ISIN that a share has now, by each that it had.
        benchmark: that of the firm; `why_no_benchmark` says why nothing is compared with it.
    """

    session: Session
    current: Mapping[str, str]
    benchmark: Benchmark | None
    why_no_benchmark: str | None
    levels: IndexLevels | None
    _noted: Mapping[tuple[uuid.UUID, int], tuple[Decimal, dt.datetime]]
    _holidays: AbstractSet[dt.date]
    _opens: Mapping[dt.date, Mapping[int, Rupees]]
    _closes: Mapping[dt.date, Mapping[int, Closes]]
    _last: Mapping[int, tuple[dt.date, Rupees]]
    _actions: Mapping[str, Sequence[CorporateAction]]
    _rates: dict[dt.date, ChargeRates | None] = field(default_factory=dict)

    def price_of(self, row: CallSum) -> CallPrice | None:
        """The price with which a dispatch begins or ends a call; None where none is known."""
        noted = self._noted.get((row.batch_id, row.instrument_token))
        if noted is not None:
            read, at = noted
            return CallPrice(read, day_in_india(at), PriceKind.PRICE, at)
        opening = next_opening(row.sent_at, self._holidays)
        price = self._opens[opening].get(row.instrument_token)
        if price is not None:
            return CallPrice(price, opening, PriceKind.OPEN)
        closes = self._closes[day_in_india(row.sent_at)][row.instrument_token]
        return first_close_after(row.sent_at, closes, CLOSE_AT)

    def last_close(self, row: CallSum) -> CallPrice | None:
        """The last known close of a stock."""
        last = self._last.get(row.instrument_token)
        return None if last is None else CallPrice(last[1], last[0], PriceKind.LAST_CLOSE)

    def actions_of(self, isin: str) -> Sequence[CorporateAction]:
        """What the company did to the share that has this ISIN now."""
        return self._actions.get(isin, ())

    def rates_on(self, day: dt.date) -> ChargeRates | None:
        """The charges of a day; None where the table does not go back that far."""
        if day not in self._rates:
            try:
                lines = firm.charge_lines_on(self.session, day)
                self._rates[day] = rates_for(CHARGED_BY, day, lines)
            except NoRates:
                self._rates[day] = None
        return self._rates[day]


def facts_of(session: Session, sums: Sequence[CallSum], now: dt.datetime) -> CallFacts:
    """What is known of the stocks of these dispatches at `now`."""
    isins = {row.isin for row in sums}
    today = day_in_india(now)
    history = instruments.isin_history(session)
    current = {isin: history.on(isin, dt.date.max) for isin in isins}
    benchmark, why_not = _benchmark(session)
    levels = None
    if benchmark is not None and why_not is None and sums:
        first = day_in_india(sums[0].sent_at)
        levels = benchmarks.index_levels(session, benchmark.name, first, today)
    noted, holidays = queries.call_prices(session), firm.holidays(session)
    unpriced = [row for row in sums if _key(row) not in noted]
    return CallFacts(
        session,
        current,
        benchmark,
        why_not,
        levels,
        noted,
        holidays,
        _next_opens(session, unpriced, holidays),
        _closes_after(session, unpriced),
        prices.last_closes(session, {row.instrument_token for row in sums}),
        _actions(session, current),
    )


def _key(row: CallSum) -> tuple[uuid.UUID, int]:
    return row.batch_id, row.instrument_token


def _benchmark(session: Session) -> tuple[Benchmark | None, str | None]:
    benchmark = benchmarks.firm_benchmark(session)
    if benchmark is None:
        return (
            None,
            "No benchmark is chosen. Import a total return index and choose it in Settings.",
        )
    if benchmark.kind is not BenchmarkKind.TRI:
        return benchmark, f"{benchmark.name} is a price index, without dividends: calls have them."
    return benchmark, None


def _next_opens(
    session: Session, sums: Sequence[CallSum], holidays: AbstractSet[dt.date]
) -> dict[dt.date, dict[int, Rupees]]:
    """By the day of the next opening after the dispatch and by token, where known."""
    tokens: dict[dt.date, set[int]] = defaultdict(set)
    for row in sums:
        tokens[next_opening(row.sent_at, holidays)].add(row.instrument_token)
    return {day: prices.opens_of_day(session, day, some) for day, some in tokens.items()}


def _closes_after(
    session: Session, sums: Sequence[CallSum]
) -> dict[dt.date, dict[int, list[tuple[dt.date, Rupees]]]]:
    """By day of the dispatch and token, the closes of the days that follow, that day included."""
    tokens: dict[dt.date, set[int]] = defaultdict(set)
    for row in sums:
        tokens[day_in_india(row.sent_at)].add(row.instrument_token)
    return {
        day: prices.closes_between(session, some, day, day + CLOSE_WITHIN)
        for day, some in tokens.items()
    }


def _actions(session: Session, current: Mapping[str, str]) -> dict[str, list[CorporateAction]]:
    """The actions on these shares, by the ISIN that each has now."""
    actions = instruments.corporate_actions_of(session, current.keys())
    history = instruments.isin_history(session)
    found: dict[str, list[CorporateAction]] = defaultdict(list)
    for action in actions:
        found[history.on(action.isin, dt.date.max)].append(action)
    return found
