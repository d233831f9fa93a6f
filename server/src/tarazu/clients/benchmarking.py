"""A client's portfolio beside the firm's benchmark: the same flows in it, and both from 100.

These are figures of one client's own account. What shows them to anybody else must ask the firm's
rules for past performance first; here they are calculated and nothing is decided.
"""

import datetime as dt
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy.orm import Session

from tarazu.benchmarks import service as benchmarks
from tarazu.benchmarks.tables import Benchmark, BenchmarkKind
from tarazu.clients import returns
from tarazu.clients.returns import NOT_MEASURABLE, DayFigures, ReturnLedger
from tarazu.domain.benchmark import Captures, IndexLevels, captures, rebased, same_flows
from tarazu.domain.money import HUNDRED, Percent, Rupees
from tarazu.domain.returns import CashFlow, Close, Drawdown, flows_of_client, max_drawdown
from tarazu.domain.xirr import Xirr, XirrCode, xirr
from tarazu.kit.fields import DayRange
from tarazu.portfolio import service as portfolio

NO_START = "Enter the starting date and the starting capital or the cash flows first."
NO_COMMON_DAYS = "There are not yet two daily values of the portfolio with a value of the index."


@dataclass(frozen=True, slots=True)
class Measured:
    """One side of the comparison; percentages unrounded, None where not known.

    Attributes:
        xirr: a year, and None for less than one; `absolute` is then the return of the period.
        twr: the time-weighted return from the first to the last common day, before fees.
    """

    value: Rupees | None
    xirr: Percent | None
    absolute: Percent | None
    twr: Percent | None
    drawdown: Drawdown | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """The portfolio beside the benchmark.

    Attributes:
        as_of: the last day of which both values are known: of it are all figures.
        since: the first such day, from which the time-weighted returns are.
        same_flows_reason: why the value of the same flows is not known; None where it is.
        reason: why the time-weighted figures are not known; None where they are.
        is_estimated: cash moved while daily values are missing (Modified Dietz there).
    """

    name: str
    kind: BenchmarkKind
    as_of: dt.date | None
    since: dt.date | None
    portfolio: Measured
    benchmark: Measured
    captures: Captures | None
    is_estimated: bool
    same_flows_reason: str | None
    reason: str | None

    @property
    def difference(self) -> Percent | None:
        """Percentage points of XIRR above the benchmark's; of the period below a year."""
        ours, theirs = self.portfolio, self.benchmark
        return (
            _less(ours.xirr, theirs.xirr)
            if ours.absolute is None
            else _less(ours.absolute, theirs.absolute)
        )

    @property
    def twr_difference(self) -> Percent | None:
        """Percentage points of the time-weighted return above the benchmark's."""
        return _less(self.portfolio.twr, self.benchmark.twr)


@dataclass(frozen=True, slots=True)
class SeriesPoint:
    """Portfolio and benchmark on a day, from 100 on the first; None where not known."""

    date: dt.date
    portfolio: Percent | None
    benchmark: Percent | None


@dataclass(frozen=True, slots=True)
class Performance:
    """The daily values, and the same beside the benchmark of the firm, if it has one."""

    days: Sequence[DayFigures]
    benchmark: Comparison | None
    series: Sequence[SeriesPoint]
    unadjusted: list[str]


def performance(
    session: Session, client_id: uuid.UUID, now: dt.datetime, days: DayRange
) -> Performance:
    """A client's daily values and how they compare; the comparison is since the start.

    Args:
        days: the days of the values and of the series, which is 100 on the first of them.

    Raises:
        ClientNotFound: there is no such client.
    """
    ledger = returns.ledger_of(session, client_id, now)
    index = returns.index_of(ledger)
    benchmark = benchmarks.firm_benchmark(session)
    levels = None if benchmark is None else _levels_of(session, ledger, benchmark.name)
    compared = (
        None if benchmark is None or levels is None else compare(ledger, index, benchmark, levels)
    )
    shown = [
        close for close in index if (days.since or close[0]) <= close[0] <= (days.until or close[0])
    ]
    unadjusted = portfolio.unadjusted_stocks(session, client_id)
    values = returns.days_of(ledger, index, days)
    return Performance(values, compared, _series(shown, levels), unadjusted)


def _levels_of(session: Session, ledger: ReturnLedger, name: str) -> IndexLevels:
    days = [day for day, _ in ledger.closes] + [flow.date for flow in ledger.flows]
    first = min((*days, ledger.started_on or ledger.today))
    return benchmarks.index_levels(session, name, first, ledger.today)


def compare(
    ledger: ReturnLedger, index: Sequence[Close], benchmark: Benchmark, levels: IndexLevels
) -> Comparison:
    """The portfolio of a ledger beside a benchmark.

    Args:
        index: the growth of the portfolio, as by `returns.index_of`.
        levels: those of the benchmark since the first day of the ledger.
    """
    common = [(day, level) for day, _ in index if (level := levels.on(day)) is not None]
    as_of = _as_of(ledger, levels)
    ours, theirs, why_not = _money_weighted(ledger, levels, as_of)
    is_whole = len(index) == len(ledger.closes)
    reason = _reason(ledger, common, is_whole=is_whole)
    if reason is not None:
        return Comparison(
            benchmark.name, benchmark.kind, as_of, None, _measured(ours, []),
            _measured(theirs, []), None, False, why_not, reason,
        )  # fmt: skip
    days = {day for day, _ in common}
    portfolio = [close for close in index if close[0] in days]
    since = common[0][0]
    return Comparison(
        benchmark.name,
        benchmark.kind,
        as_of,
        since,
        _measured(ours, portfolio),
        _measured(theirs, common),
        captures(portfolio, common, levels.holidays),
        returns.is_estimated(ledger, since),
        why_not,
        None,
    )


def _as_of(ledger: ReturnLedger, levels: IndexLevels) -> dt.date | None:
    """The last day with a value of both; that of the index alone before the first such day."""
    both = [day for day, _ in ledger.closes if levels.on(day) is not None]
    start = ledger.started_on
    if both and (start is None or both[-1] >= start):
        return both[-1]
    last = levels.days[-1] if levels.days else None
    return None if last is None or start is None or last < start else last


def _reason(ledger: ReturnLedger, common: Sequence[Close], *, is_whole: bool) -> str | None:
    if not ledger.has_basis:
        return NO_START
    if not is_whole:
        return NOT_MEASURABLE
    return NO_COMMON_DAYS if len(common) < 2 else None  # noqa: PLR2004 - two days make a span


_Money = tuple[Rupees | None, Xirr | None]


def _money_weighted(
    ledger: ReturnLedger, levels: IndexLevels, as_of: dt.date | None
) -> tuple[_Money, _Money, str | None]:
    """Value and XIRR of the portfolio and of the same flows in the index, and why not.

    The flows are those of the client's XIRR, with the fees paid: they were money of the client
    too. Both XIRRs differ by nothing but the last value.
    """
    started_on = ledger.started_on
    if started_on is None or not ledger.has_basis:
        return (None, None), (None, None), NO_START
    if as_of is None:
        last = f"The values of the index end before {started_on:%d-%m-%Y}; import later ones."
        return (None, None), (None, None), last if levels.days else "The index has no values yet."
    start = CashFlow.added(started_on, ledger.capital)
    flows, fees = (
        [flow for flow in some if flow.date <= as_of] for some in (ledger.flows, ledger.fees_paid)
    )
    same = same_flows([start, *flows, *fees] if ledger.capital else [*flows, *fees], levels, as_of)

    def rate_of(value: Rupees | None) -> _Money:
        if value is None:
            return None, None
        closing = CashFlow.withdrawn(as_of, value)
        return value, xirr(flows_of_client(start, flows, fees, closing))

    own = rate_of(dict(ledger.closes).get(as_of))
    if same.unknown_on is not None:
        return (
            own,
            (None, None),
            (
                f"The index has no value for {same.unknown_on:%d-%m-%Y}, on which money came or went. "
                "Import its values since the client's start."
            ),
        )
    if same.ran_out_on is not None:
        return (
            own,
            (None, None),
            (
                f"On {same.ran_out_on:%d-%m-%Y} more was withdrawn than the same flows were worth "
                "in the index."
            ),
        )
    return own, rate_of(same.value), None


def _measured(money: _Money, levels: Sequence[Close]) -> Measured:
    value, rate = money
    is_plain = rate is not None and rate.code is not XirrCode.AMBIGUOUS
    is_short = rate is not None and rate.period_return is not None
    twr = (levels[-1][1] / levels[0][1] - 1) * HUNDRED if levels else None
    return Measured(
        value,
        rate.percentage if rate and is_plain and not is_short else None,
        rate.period_percentage if rate and is_plain else None,
        twr,
        max_drawdown(levels) if levels else None,
    )


def _series(index: Sequence[Close], levels: IndexLevels | None) -> list[SeriesPoint]:
    """Both from 100 on the first day that both have; the portfolio alone without an index."""
    others = {day: level for day, _ in index if levels and (level := levels.on(day)) is not None}
    first = min(others, default=None)
    shown = [close for close in index if first is None or close[0] >= first]
    ours = _from_100(shown)
    theirs = _from_100((day, others[day]) for day, _ in shown if day in others)
    return [SeriesPoint(day, ours.get(day), theirs.get(day)) for day, _ in shown]


def _from_100(levels: Iterable[Close]) -> dict[dt.date, Percent]:
    rows = list(levels)
    return dict(rebased(rows)) if rows and rows[0][1] else {}


def _less(ours: Percent | None, theirs: Percent | None) -> Percent | None:
    return None if ours is None or theirs is None else ours - theirs
