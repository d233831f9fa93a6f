"""What this process counts, in the text format that Prometheus reads (version 0.0.4)."""

import math
from collections.abc import Iterable, Mapping
from threading import Lock
from typing import Final

Labels = tuple[tuple[str, str], ...]

BUCKETS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Seconds: the upper ends of the classes into which the duration of calls falls."""

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"


class Counts:
    """Calls by route, method and status with their durations, and runs of jobs by outcome."""

    def __init__(self) -> None:
        self._calls: dict[Labels, int] = {}
        self._durations: dict[Labels, list[float]] = {}
        self._jobs: dict[Labels, int] = {}
        self._last_runs: dict[Labels, float] = {}
        self._lock = Lock()

    def call(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count one call that was answered."""
        told: Labels = (("method", method), ("route", route))
        with self._lock:
            by_status = (*told, ("status", str(status)))
            self._calls[by_status] = self._calls.get(by_status, 0) + 1
            # The last two: how many there were, and their sum.
            classes = self._durations.setdefault(told, [0.0] * (len(BUCKETS) + 2))
            for place, most in enumerate(BUCKETS):
                classes[place] += seconds <= most
            classes[-2] += 1
            classes[-1] += seconds

    def job(self, name: str, outcome: str, at: float) -> None:
        """Count one run of a job; `at` is the Unix time of its end."""
        with self._lock:
            told: Labels = (("job", name), ("outcome", outcome))
            self._jobs[told] = self._jobs.get(told, 0) + 1
            if outcome == "done":
                self._last_runs[(("job", name),)] = at

    def lines(self) -> list[str]:
        """Everything counted so far."""
        with self._lock:
            calls, jobs, runs = dict(self._calls), dict(self._jobs), dict(self._last_runs)
            durations = {told: list(classes) for told, classes in self._durations.items()}
        return [
            *family("tarazu_http_requests_total", "counter", "Calls answered.", calls),
            *_histogram(durations),
            *family("tarazu_job_runs_total", "counter", "Runs of timed work.", jobs),
            *family(
                "tarazu_job_last_done_timestamp_seconds",
                "gauge",
                "When timed work was last done.",
                runs,
            ),
        ]


COUNTS: Final = Counts()
"""Of this process."""


def family(name: str, kind: str, told: str, values: Mapping[Labels, float] | float) -> list[str]:
    """The lines of one metric: one value, or a value for each set of labels."""
    by_labels = values if isinstance(values, Mapping) else {(): values}
    head = [f"# HELP {name} {told}", f"# TYPE {name} {kind}"]
    return head + [_line(name, labels, value) for labels, value in sorted(by_labels.items())]


def text_of(lines: Iterable[str]) -> str:
    """The whole answer."""
    return "\n".join(lines) + "\n"


def _histogram(durations: Mapping[Labels, list[float]]) -> list[str]:
    name = "tarazu_http_request_duration_seconds"
    lines = [f"# HELP {name} How long calls took.", f"# TYPE {name} histogram"]
    for told, classes in sorted(durations.items()):
        ends = [*(str(most) for most in BUCKETS), "+Inf"]
        counts = [*classes[: len(BUCKETS)], classes[-2]]
        lines += [
            _line(f"{name}_bucket", (*told, ("le", end)), count)
            for end, count in zip(ends, counts, strict=True)
        ]
        lines += [
            _line(f"{name}_sum", told, classes[-1]),
            _line(f"{name}_count", told, classes[-2]),
        ]
    return lines


def _line(name: str, labels: Labels, value: float) -> str:
    told = ",".join(f'{label}="{_escaped(word)}"' for label, word in labels)
    return f"{name}{{{told}}} {_number(value)}" if told else f"{name} {_number(value)}"


def _number(value: float) -> str:
    if math.isfinite(value) and value == int(value):
        return str(int(value))
    return repr(float(value))


def _escaped(word: str) -> str:
    return word.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
