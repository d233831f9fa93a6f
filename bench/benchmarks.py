"""The import of an index: 25 years of daily values from one file."""

import datetime as dt
import tempfile
import time
from pathlib import Path

from tarazu.app import open_database
from tarazu.domain.calendar import business_days_between
from tarazu.imports import benchmark_files
from tarazu.imports.benchmark_files import IndexOptions
from tarazu.kit import clock
from tarazu.kit.audit_log import SYSTEM
from tarazu.kit.settings import Settings

YEARS, GOAL_S = 25, 1.0


def file_of(years: int) -> tuple[bytes, int]:
    """A history of total returns up to yesterday, newest first, and its number of values."""
    last = clock.today() - dt.timedelta(days=1)
    days = business_days_between(last - dt.timedelta(days=365 * years), last, set())
    lines = ['"IndexName","Date","Total Returns Index"']
    lines += [
        f'"BENCH 50","{day:%d %b %Y}","{10_000 + place * 3 + place % 97}.{place % 100:02d}"'
        for place, day in enumerate(days)
    ][::-1]
    return "\r\n".join(lines).encode(), len(days)


def table() -> str:
    content, count = file_of(YEARS)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        database = open_database(Settings(data_dir=Path(folder)))
        try:
            for what, is_dry_run in (("checked", True), ("imported", False), ("imported again", False)):
                wall, used = time.perf_counter(), time.process_time()
                file = benchmark_files.read_index_file(content, "index.csv")
                options = IndexOptions("", replaces=False, is_dry_run=is_dry_run)
                benchmark_files.import_index(database, SYSTEM, clock.now(), file, options)
                wall, used = time.perf_counter() - wall, time.process_time() - used
                rows.append(f"| {what} | {used:.2f} | {wall:.2f} |")
        finally:
            database.dispose()
    heading = [f"| {count:,} values of an index | processor, s | s |", "|---|---|---|"]
    return "\n".join([*heading, *rows, "", f"Goal: at most {GOAL_S:.0f} s."])


if __name__ == "__main__":
    print(table())
