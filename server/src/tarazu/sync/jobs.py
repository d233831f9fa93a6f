"""Timed work of syncs: runs that are due, or whose process ended."""

from tarazu.sync.running import Syncs


def resume_runs(syncs: Syncs) -> None:
    """Go on with a run whose process ended; start a daily run, or one after log-ins."""
    syncs.resume()
