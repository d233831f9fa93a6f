"""`tarazu doctor`: reports problems of an installation and how to fix them."""

import datetime as dt
from collections.abc import Callable, Iterator

from tarazu.kit.db import Database, UnfitDatabase
from tarazu.kit.settings import Settings
from tarazu.upkeep.database_checks import check_database
from tarazu.upkeep.findings import Finding, State
from tarazu.upkeep.settings_checks import check_settings

Say = Callable[[str], object]


def look(settings: Settings, now: dt.datetime) -> Iterator[Finding]:
    """Check every part; if one is missing, skip the parts that need it."""
    yield from check_settings(settings, now)
    try:
        database = Database(settings.resolved_database_url)
    except UnfitDatabase as error:
        yield Finding("Database", State.WRONG, str(error), "Reinstall the product.")
        return
    try:
        yield from check_database(database, settings, now)
    finally:
        database.dispose()


def report(settings: Settings, now: dt.datetime, say: Say) -> int:
    """Print every finding; returns how many are wrong."""
    wrong = 0
    for finding in look(settings, now):
        wrong += finding.state is State.WRONG
        say(f"{finding.state:<6} {finding.part}: {finding.text}")
        if finding.cure:
            say(f"{'':<6} -> {finding.cure}")
    return wrong
