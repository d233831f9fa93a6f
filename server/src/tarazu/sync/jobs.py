"""Timed work of syncs: runs that are due, or whose process ended."""

from tarazu.sync.running import Syncs


def look_after_runs(syncs: Syncs) -> None:
    """Go on with what a dead process left; begin the nightly run, or one after log-ins."""
    syncs.take_up()
