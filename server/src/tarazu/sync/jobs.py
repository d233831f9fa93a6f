"""Timed work of syncs: runs that are due, or whose process ended."""

from tarazu.sync.running import Syncs


def look_after_runs(syncs: Syncs) -> None:
    """Resume what a dead process left; start the nightly run, or one after log-ins."""
    syncs.take_up()
