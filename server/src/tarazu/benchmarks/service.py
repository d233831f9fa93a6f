"""The door to benchmarks: indices with daily values, and the one the firm compares with."""

import datetime as dt
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from sqlalchemy.orm import Session

from tarazu.benchmarks import queries
from tarazu.benchmarks.errors import BenchmarkInUse, BenchmarkNotFound, OtherKind
from tarazu.benchmarks.tables import Benchmark, BenchmarkKind
from tarazu.domain.benchmark import LONGEST_CLOSURE, Gap, IndexLevels, Level, gaps_of, missing_days
from tarazu.firm import service as firm
from tarazu.kit import audit_log
from tarazu.kit.audit_log import Actor
from tarazu.kit.db import acquire_lock, new_id
from tarazu.kit.errors import StaleVersion
from tarazu.kit.locks import AdvisoryLock

KIND_NAMES: Final = {
    BenchmarkKind.TRI: "total return index",
    BenchmarkKind.PRICE: "price index, without dividends",
}
_BEFORE: Final = dt.timedelta(days=LONGEST_CLOSURE + 10)
"""How far before a day its level may be, over weekends and holidays."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """A benchmark, and the days of which its values are known.

    Attributes:
        gaps: business days in a row without a value, oldest first.
        checked_from: from this day on every business day is looked for; before it the calendar
            has no holidays, and only longer gaps are found. None if it has none at all.
    """

    benchmark: Benchmark
    values: int
    first_on: dt.date | None
    last_on: dt.date | None
    gaps: Sequence[Gap]
    checked_from: dt.date | None


@dataclass(frozen=True, slots=True)
class Overview:
    """All benchmarks by name, and the firm's choice; `version` is that of the choice."""

    benchmarks: Sequence[Coverage]
    chosen: str | None
    version: int


def firm_benchmark(session: Session) -> Benchmark | None:
    """The benchmark with which the firm compares; None while none is chosen."""
    return queries.firm_benchmark(session)


def levels(session: Session, name: str, first: dt.date, last: dt.date) -> list[Level]:
    """The values of a benchmark on these days, both included, rising; none for an unknown name."""
    benchmark = find_benchmark(session, name)
    return [] if benchmark is None else queries.values_of(session, benchmark.id, first, last)


def index_levels(session: Session, name: str, first: dt.date, last: dt.date) -> IndexLevels:
    """The levels of a benchmark from `first` to `last`, with those of weekends and holidays."""
    rows = levels(session, name, first - _BEFORE, last)
    return IndexLevels.of(rows, firm.holidays(session))


def find_benchmark(session: Session, name: str) -> Benchmark | None:
    """The benchmark of this whole name, whatever the case of its letters."""
    return queries.benchmark_by_key(session, key_of(name))


def key_of(name: str) -> str:
    """A name as names are compared: without the case of its letters and doubled blanks."""
    return " ".join(name.split()).casefold()


def benchmark_name(index_name: str, kind: BenchmarkKind) -> str:
    """The name of a benchmark: that of its index, with "TRI" for its total returns.

    Both indices of a name can be stored, and no sentence can mix them up.
    """
    name = " ".join(index_name.split())
    is_named = kind is BenchmarkKind.PRICE or is_total_return_name(name)
    return name if is_named else f"{name} TRI"


def is_total_return_name(name: str) -> bool:
    """Whether a name says that its values are total returns."""
    return key_of(name).endswith((" tri", "total return index", "total returns index"))


def stored_values(session: Session, name: str, kind: BenchmarkKind) -> dict[dt.date, Decimal]:
    """All values of a benchmark by day; none for a new name.

    Raises:
        OtherKind: a benchmark of this name is of the other kind.
    """
    benchmark = find_benchmark(session, name)
    if benchmark is None:
        return {}
    if benchmark.kind != kind:
        raise OtherKind(
            f"{benchmark.name} is stored as a {KIND_NAMES[benchmark.kind]}; the file has a "
            f"{KIND_NAMES[kind]}. Nothing was imported."
        )
    return dict(queries.values_of(session, benchmark.id))


def store_values(
    session: Session,
    now: dt.datetime,
    about: tuple[str, BenchmarkKind, str],
    values: Mapping[dt.date, Decimal],
) -> Benchmark:
    """Write values of a benchmark, which is made if it is new; the caller writes the audit trail.

    Args:
        about: its name, its kind and the source of the values.
        values: by day; those of stored days replace them.

    Raises:
        OtherKind: a benchmark of this name is of the other kind.
    """
    name, kind, source = about
    stored_values(session, name, kind)
    benchmark = find_benchmark(session, name)
    if benchmark is None:
        benchmark = Benchmark(
            id=new_id(), name=name, key=key_of(name), kind=kind, source=source, created_at=now
        )
        session.add(benchmark)
    benchmark.source = source
    session.flush()
    queries.save_values(session, benchmark.id, list(values.items()))
    return benchmark


def lock_benchmarks(session: Session) -> None:
    """Wait until no other transaction changes benchmarks, until this one ends."""
    acquire_lock(session, AdvisoryLock.SETTINGS)


def overview(session: Session) -> Overview:
    """All benchmarks with the days that they cover, and the firm's choice."""
    settings = queries.settings(session)
    benchmarks = queries.all_benchmarks(session)
    chosen = (one.name for one in benchmarks if one.id == settings.benchmark_id)
    return Overview(
        [_coverage_of(session, benchmark) for benchmark in benchmarks],
        next(chosen, None),
        settings.version,
    )


def _coverage_of(session: Session, benchmark: Benchmark) -> Coverage:
    days = queries.days_of(session, benchmark.id)
    gaps, checked_from = gaps_between(session, days)
    first, last = (days[0], days[-1]) if days else (None, None)
    return Coverage(benchmark, len(days), first, last, gaps, checked_from)


def gaps_between(session: Session, days: Sequence[dt.date]) -> tuple[list[Gap], dt.date | None]:
    """The gaps between days that rise, and the day from which every business day is looked for."""
    holidays = firm.holidays(session)
    first_year = min((day.year for day in holidays), default=None)
    checked_from = None if first_year is None else dt.date(first_year, 1, 1)
    return gaps_of(missing_days(days, holidays), days), checked_from


def choose_benchmark(
    session: Session, actor: Actor, now: dt.datetime, name: str | None, version: int | None
) -> None:
    """Make a benchmark that of the firm; None for no benchmark.

    Raises:
        BenchmarkNotFound: there is none of this name.
        StaleVersion: somebody chose another one since `version`.
    """
    lock_benchmarks(session)
    settings = queries.settings(session, for_update=True)
    if version not in {None, settings.version}:
        raise StaleVersion
    benchmark = None if name is None else find_benchmark(session, name)
    if benchmark is None and name is not None:
        raise BenchmarkNotFound
    before = queries.firm_benchmark(session)
    settings.benchmark_id = benchmark.id if benchmark else None
    settings.version += 1
    settings.updated_at = now
    session.flush()
    changes = {"benchmark": [before and before.name, benchmark and benchmark.name]}
    about = ("benchmark_settings", settings.id)
    audit_log.record(session, actor, now, "benchmark_chosen", about, changes)


def delete_benchmark(
    session: Session, actor: Actor, now: dt.datetime, benchmark_id: uuid.UUID
) -> None:
    """Delete a benchmark with its values, such as one that was imported by mistake.

    Raises:
        BenchmarkNotFound: there is none.
        BenchmarkInUse: it is the benchmark of the firm.
    """
    lock_benchmarks(session)
    benchmark = queries.benchmark_by_id(session, benchmark_id)
    if benchmark is None:
        raise BenchmarkNotFound
    if queries.settings(session).benchmark_id == benchmark_id:
        raise BenchmarkInUse
    changes = {"name": benchmark.name, "kind": benchmark.kind, "source": benchmark.source}
    session.expunge(benchmark)
    queries.delete_benchmark(session, benchmark_id)
    about = ("benchmark", benchmark_id)
    audit_log.record(session, actor, now, "benchmark_deleted", about, changes)
