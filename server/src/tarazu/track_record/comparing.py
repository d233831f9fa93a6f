"""The kept record of a model beside its benchmark, up to a day, with the figures."""

import datetime as dt
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from sqlalchemy.orm import Session

from tarazu.benchmarks import service as benchmarks
from tarazu.benchmarks.tables import Benchmark, BenchmarkKind
from tarazu.domain.benchmark import Level
from tarazu.domain.money import Percent
from tarazu.domain.returns import Drawdown, TimeWeighted, growth_since, max_drawdown
from tarazu.domain.track_record.followers import CompositeMonth
from tarazu.model_portfolios import service as models
from tarazu.model_portfolios.service import Model, Version
from tarazu.track_record import queries
from tarazu.track_record.records import KeptRecord, Unknown, from_text, state_of

_ONE_DAY = dt.timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Point:
    """Model, benchmark and followers on a day; None where not known.

    The model is 100 where it begins. The benchmark and the followers begin at its value of the
    first day that they share with it.
    """

    date: dt.date
    model: Decimal | None
    benchmark: Decimal | None
    followers: Decimal | None


@dataclass(frozen=True, slots=True)
class Figures:
    """The return of a line over its days; a return under a year is not annualised."""

    since: dt.date
    until: dt.date
    returned: TimeWeighted
    drawdown: Drawdown | None

    @property
    def percentage(self) -> Percent:
        """Of the whole period, unrounded."""
        return self.returned.percentage

    @property
    def yearly(self) -> Percent | None:
        """Annualised; None for less than 365 days."""
        return self.returned.yearly


@dataclass(frozen=True, slots=True)
class Compared:
    """A line beside the model over the days that both have; `difference` is the model's less its own.

    `difference` is in percentage points.
    """

    line: Figures
    model: Figures

    @property
    def difference(self) -> Percent:
        return self.model.percentage - self.line.percentage


@dataclass(frozen=True, slots=True)
class VersionMark:
    """A version and the day at whose close it took effect; None until then."""

    version: Version
    on: dt.date | None


@dataclass(frozen=True, slots=True)
class TrackRecord:
    """A model's track record up to `as_of`.

    Attributes:
        made_at: when it was calculated; None while it never was.
        is_current: nothing that it is made from changed since.
        followers: of the asset-weighted average, and `followers_equal` of the equal-weighted one.
        partial: followers with a part of their money, who are in no average.
        words: of the gate for past performance; "" until it has passed.
    """

    model: Model
    made_at: dt.datetime | None
    is_current: bool
    as_of: dt.date | None
    benchmark: Benchmark | None
    points: Sequence[Point]
    versions: Sequence[VersionMark]
    unknown: Sequence[Unknown]
    figures: Figures | None
    beside_benchmark: Compared | None
    followers: Compared | None
    followers_equal: Compared | None
    months: Sequence[CompositeMonth]
    subscribers: int
    partial: int
    words: str = ""

    @property
    def launched_on(self) -> dt.date | None:
        """The day at whose close the model is 100."""
        return self.figures.since if self.figures else None

    @property
    def is_price_index(self) -> bool:
        """Whether the benchmark lacks dividends."""
        return self.benchmark is not None and self.benchmark.kind is BenchmarkKind.PRICE


def track_record(
    session: Session, model_id: uuid.UUID, now: dt.datetime, until: dt.date | None = None
) -> TrackRecord:
    """The track record of a model, up to `until` if it is given.

    Raises:
        ModelNotFound: there is no such model.
    """
    model = models.model(session, model_id)
    row = queries.track_record(session, model_id)
    if row is None:
        return _compare(session, model, _NOTHING, (None, False))
    kept = from_text(row.content)
    if until is not None:
        kept = _until(kept, until)
    return _compare(session, model, kept, (row.made_at, row.made_from == state_of(session, now)))


_NOTHING = KeptRecord(0, (), (), (), (), (), 0, 0)


def _until(kept: KeptRecord, last: dt.date) -> KeptRecord:
    """The record as it was at the close of a day; of the months those that were over."""
    next_month = (last + _ONE_DAY).replace(day=1)
    return replace(
        kept,
        days=tuple(day for day in kept.days if day.date <= last),
        unknown=tuple(row for row in kept.unknown if row.first <= last),
        resets=tuple(reset for reset in kept.resets if reset.on <= last),
        average=tuple(day for day in kept.average if day.date <= last),
        months=tuple(month for month in kept.months if month.month < next_month),
    )


def _compare(
    session: Session, model: Model, kept: KeptRecord, made: tuple[dt.datetime | None, bool]
) -> TrackRecord:
    values = {day.date: day.value for day in kept.days if day.value is not None}
    benchmark = _benchmark_of(session, model)
    index = _index_on(session, benchmark, [day.date for day in kept.days])
    asset = {day.date: day.asset for day in kept.average}
    equal = {day.date: day.equal for day in kept.average}
    lines = [_beside(values, index), _beside(values, asset)]
    figures = _figures_of(sorted(values.items()))
    effective = {reset.number: reset.on for reset in kept.resets}
    return TrackRecord(
        model,
        *made,
        figures.until if figures else None,
        benchmark,
        [Point(day.date, day.value, *(line.get(day.date) for line in lines)) for day in kept.days],
        [
            VersionMark(version, effective.get(version.row.number))
            for version in reversed(model.versions)
        ],
        kept.unknown,
        figures,
        _compared(values, index),
        _compared(values, asset),
        _compared(values, equal),
        kept.months,
        kept.followers,
        kept.partial,
    )


def _benchmark_of(session: Session, model: Model) -> Benchmark | None:
    """The index that the model names, if its values were imported; that of the firm otherwise."""
    named = benchmarks.find_benchmark(session, model.versions[0].row.benchmark)
    return named or benchmarks.firm_benchmark(session)


def _index_on(
    session: Session, benchmark: Benchmark | None, days: Sequence[dt.date]
) -> dict[dt.date, Decimal]:
    if benchmark is None or not days:
        return {}
    levels = benchmarks.index_levels(session, benchmark.name, days[0], days[-1])
    return {day: level for day in days if (level := levels.on(day)) is not None}


def _shared(values: dict[dt.date, Decimal], line: dict[dt.date, Decimal]) -> list[dt.date]:
    return sorted(values.keys() & line.keys())


def _beside(values: dict[dt.date, Decimal], line: dict[dt.date, Decimal]) -> dict[dt.date, Decimal]:
    """The line from the model's value of the first day that both have."""
    shared = _shared(values, line)
    if not shared:
        return {}
    first = shared[0]
    scale = values[first] / line[first]
    return {day: level * scale for day, level in line.items() if day >= first}


def _compared(values: dict[dt.date, Decimal], line: dict[dt.date, Decimal]) -> Compared | None:
    shared = _shared(values, line)
    ours = _figures_of([(day, values[day]) for day in shared])
    theirs = _figures_of([(day, line[day]) for day in shared])
    return None if ours is None or theirs is None else Compared(theirs, ours)


def _figures_of(levels: Sequence[Level]) -> Figures | None:
    """None without two days."""
    if not levels:
        return None
    first, last = levels[0][0], levels[-1][0]
    returned = growth_since(levels, first)
    if returned is None:
        return None
    return Figures(first, last, returned, max_drawdown(levels))
