"""Shapes of benchmarks on the wire."""

import datetime as dt
import uuid
from typing import Annotated

from pydantic import Field

from tarazu.benchmarks.tables import BenchmarkKind
from tarazu.kit.schemas import Schema, Version, attribute


class GapRow(Schema):
    """Business days in a row without a value."""

    first: dt.date = Field(serialization_alias="from")
    last: dt.date = Field(serialization_alias="to")
    days: int


class BenchmarkCoverage(Schema):
    """A benchmark and its days; before `checkedFrom` only gaps of a week and more are found."""

    id: uuid.UUID = attribute("benchmark.id", "_id")
    name: str = attribute("benchmark.name")
    kind: BenchmarkKind = attribute("benchmark.kind")
    source: str = attribute("benchmark.source")
    values: int
    first_on: dt.date | None
    last_on: dt.date | None
    gaps: list[GapRow]
    checked_from: dt.date | None


class BenchmarkOverview(Schema):
    """All benchmarks by name; `chosen` is that of the firm, `version` that of the choice."""

    benchmarks: list[BenchmarkCoverage]
    chosen: str | None
    version: int


class ChosenBenchmark(Schema):
    """The name of the firm's benchmark; null for none."""

    name: Annotated[str, Field(max_length=80)] | None
    version: Version | None = None
