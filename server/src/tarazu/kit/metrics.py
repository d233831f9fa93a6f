"""What this process counts, in the text format that Prometheus reads (version 0.0.4)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

disable_created_metrics()  # type: ignore[no-untyped-call]

PROCESS: Final = CollectorRegistry()
"""What this process counts."""

_ROUTE: Final = ("method", "route")

CALLS: Final = Counter(
    "tarazu_http_requests", "Calls answered.", (*_ROUTE, "status"), registry=PROCESS
)
DURATIONS: Final = Histogram(
    "tarazu_http_request_duration_seconds",
    "How long calls took.",
    _ROUTE,
    registry=PROCESS,
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0),
)
JOB_RUNS: Final = Counter(
    "tarazu_job_runs", "Runs of timed work.", ("job", "outcome"), registry=PROCESS
)
LAST_RUNS: Final = Gauge(
    "tarazu_job_last_done_timestamp_seconds",
    "When timed work was last done.",
    ("job",),
    registry=PROCESS,
)


@dataclass(frozen=True, slots=True)
class _Collected(Collector):
    metrics: Iterable[Metric]

    def collect(self) -> Iterable[Metric]:
        return self.metrics


def text_of(metrics: Iterable[Metric]) -> str:
    """The metrics as `/metrics` answers them."""
    return generate_latest(_Collected(metrics)).decode()


def gauges(name: str, text: str, label: str, values: Mapping[str, float]) -> GaugeMetricFamily:
    """A figure of this moment for each value of one label."""
    family = GaugeMetricFamily(name, text, labels=[label])
    for label_value, value in values.items():
        family.add_metric([label_value], value)
    return family
