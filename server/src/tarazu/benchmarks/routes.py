"""Routes of benchmarks, and of the firm's choice among them."""

import uuid

from tarazu.benchmarks import service
from tarazu.benchmarks.schemas import BenchmarkOverview, ChosenBenchmark
from tarazu.kit import clock
from tarazu.kit.auth_route import Admin, StaffWithoutClients, authorized_router
from tarazu.kit.db import OpenSession
from tarazu.kit.schemas import Done, Reply, done, reply

router = authorized_router("/admin")


@router.get("/benchmarks")
def list_benchmarks(session: OpenSession, _: StaffWithoutClients) -> Reply[BenchmarkOverview]:
    return reply(BenchmarkOverview.model_validate(service.overview(session)))


@router.delete("/benchmarks/{benchmark_id}")
def delete_benchmark(benchmark_id: uuid.UUID, session: OpenSession, caller: Admin) -> Done:
    service.delete_benchmark(session, caller, clock.now(), benchmark_id)
    return done("Benchmark deleted")


@router.put("/settings/benchmark")
def choose_benchmark(
    body: ChosenBenchmark, session: OpenSession, caller: Admin
) -> Reply[BenchmarkOverview]:
    service.choose_benchmark(session, caller, clock.now(), body.name, body.version)
    return reply(BenchmarkOverview.model_validate(service.overview(session)), "Benchmark saved")
