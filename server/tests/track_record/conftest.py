"""A model that was launched some business days ago, with closes, followers and an index."""

import datetime as dt
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import update

from tarazu.benchmarks import service as benchmarks
from tarazu.benchmarks.tables import BenchmarkKind
from tarazu.domain.calendar import business_days_between, previous_business_day
from tarazu.firm import service as firm
from tarazu.instruments import service as instruments
from tarazu.kit import clock
from tarazu.kit.audit_log import SYSTEM
from tarazu.model_portfolios.tables import ModelFollowing, ModelVersion
from tarazu.portfolio import service as portfolio
from tarazu.prices import service as prices
from tarazu.track_record import service as track_record
from tests.advice.conftest import advice
from tests.models_of import MODEL, Bench, bench
from tests.people_of import data_of
from tests.rows_of import run

__all__ = ["advice", "bench"]

INDEX = "Nifty 50 TRI"


@dataclass
class Track:
    """A bench whose model has a past."""

    bench: Bench

    @property
    def path(self) -> str:
        return f"/admin/models/{self.bench.model['_id']}"

    def days(self, count: int) -> list[dt.date]:
        """The last business days before today."""
        with self.bench.database.reading() as session:
            holidays = firm.holidays(session)
        last = previous_business_day(clock.today(), holidays)
        return business_days_between(last - dt.timedelta(days=3 * count + 15), last, holidays)[
            -count:
        ]

    def launch(self, on: dt.date) -> None:
        """Let the model's first version be released in the morning of a day."""
        at = dt.datetime.combine(on, dt.time(10), clock.INDIA)
        values = {"created_at": at}
        model_id = uuid.UUID(self.bench.model["_id"])
        run(self.bench.database, update(ModelVersion).values(values).where(
            ModelVersion.model_id == model_id
        ))  # fmt: skip

    def close(self, days: Sequence[dt.date], growth: Mapping[str, Sequence[str | None]]) -> None:
        """Closes of the model's stocks: 100 on each day, or what `growth` says by symbol."""
        with self.bench.database.transaction() as session:
            tokens = {
                symbol: instruments.by_symbol(session, "NSE", symbol).instrument_token
                for symbol in MODEL
            }
            for place, day in enumerate(days):
                known = {}
                for symbol, token in tokens.items():
                    price = growth[symbol][place] if symbol in growth else "100"
                    if price is not None:
                        known[token] = Decimal(price)
                prices.record_day_closes(session, day, known)

    def use_index(
        self,
        days: Sequence[dt.date],
        values: Sequence[str],
        kind: BenchmarkKind = BenchmarkKind.TRI,
    ) -> None:
        levels = dict(zip(days, map(Decimal, values), strict=True))
        with self.bench.database.transaction() as session:
            about = (INDEX, kind, "test")
            benchmarks.store_values(session, clock.now(), about, levels)
            benchmarks.choose_benchmark(session, SYSTEM, clock.now(), INDEX, None)

    def follower(self, name: str, days: Sequence[dt.date], values: Sequence[int]) -> str:
        """A client who follows the model since the first of these days, worth these values."""
        client_id = self.bench.client(name, {}, cash=str(values[-1]))
        at = dt.datetime.combine(days[0], dt.time(9, 30), clock.INDIA)
        person = uuid.UUID(client_id)
        run(self.bench.database, update(ModelFollowing).values(since=at).where(
            ModelFollowing.client_id == person
        ))  # fmt: skip
        rows = [
            (person, day, Decimal(value), Decimal(0))
            for day, value in zip(days, values, strict=True)
        ]
        with self.bench.database.transaction() as session:
            portfolio.record_closes(session, rows, [])
        return client_id

    def close_firm(self, days: Sequence[dt.date]) -> None:
        with self.bench.database.transaction() as session:
            portfolio.record_closes(session, [], [(day, Decimal(0), 1) for day in days])

    def keep(self) -> int:
        return track_record.keep_records(self.bench.database, clock.now(), at_once=True)

    def shown(self) -> dict[str, Any]:
        found: dict[str, Any] = data_of(self.bench.desk.get(f"{self.path}/track-record"))
        return found

    def standing(self, **papers: Any) -> None:
        """What the firm has for past performance."""
        data_of(self.bench.desk.put("/settings/past-performance", papers))


@pytest.fixture
def track(bench: Bench) -> Track:
    return Track(bench)
