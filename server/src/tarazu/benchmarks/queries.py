"""Every SQL statement of benchmarks."""

import datetime as dt
import uuid
from collections.abc import Collection, Sequence
from decimal import Decimal

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from tarazu.benchmarks.tables import Benchmark, BenchmarkSettings, BenchmarkValue
from tarazu.domain.benchmark import Level
from tarazu.kit.db import insert_into


def settings(session: Session, *, for_update: bool = False) -> BenchmarkSettings:
    statement = select(BenchmarkSettings)
    return session.execute(statement.with_for_update() if for_update else statement).scalar_one()


def all_benchmarks(session: Session) -> Sequence[Benchmark]:
    """All benchmarks by name."""
    return session.execute(select(Benchmark).order_by(Benchmark.key)).scalars().all()


def benchmark_by_id(session: Session, benchmark_id: uuid.UUID) -> Benchmark | None:
    return session.get(Benchmark, benchmark_id)


def benchmark_by_key(session: Session, key: str) -> Benchmark | None:
    return session.execute(select(Benchmark).where(Benchmark.key == key)).scalar_one_or_none()


def firm_benchmark(session: Session) -> Benchmark | None:
    """The benchmark that the firm chose."""
    chosen = BenchmarkSettings.benchmark_id == Benchmark.id
    return session.execute(select(Benchmark).join(BenchmarkSettings, chosen)).scalar_one_or_none()


def days_of(session: Session, benchmark_id: uuid.UUID) -> Sequence[dt.date]:
    """The days with a value, rising."""
    statement = (
        select(BenchmarkValue.date)
        .where(BenchmarkValue.benchmark_id == benchmark_id)
        .order_by(BenchmarkValue.date)
    )
    return session.execute(statement).scalars().all()


def values_of(
    session: Session,
    benchmark_id: uuid.UUID,
    first: dt.date = dt.date.min,
    last: dt.date = dt.date.max,
) -> list[Level]:
    """Days and values from `first` to `last`, both included, rising."""
    statement = (
        select(BenchmarkValue.date, BenchmarkValue.value)
        .where(
            BenchmarkValue.benchmark_id == benchmark_id,
            BenchmarkValue.date.between(first, last),
        )
        .order_by(BenchmarkValue.date)
    )
    return [(day, value) for day, value in session.execute(statement)]


def save_values(
    session: Session, benchmark_id: uuid.UUID, levels: Collection[tuple[dt.date, Decimal]]
) -> None:
    """Write these values, over those of the same days."""
    insert = insert_into(session, BenchmarkValue)
    statement = insert.on_conflict_do_update(
        index_elements=[BenchmarkValue.benchmark_id, BenchmarkValue.date],
        set_={"value": insert.excluded.value},
    )
    rows = [{"benchmark_id": benchmark_id, "date": day, "value": value} for day, value in levels]
    if rows:
        session.execute(statement, rows)


def delete_benchmark(session: Session, benchmark_id: uuid.UUID) -> None:
    """Delete a benchmark with its values."""
    session.execute(delete(BenchmarkValue).where(BenchmarkValue.benchmark_id == benchmark_id))
    session.execute(delete(Benchmark).where(Benchmark.id == benchmark_id))
