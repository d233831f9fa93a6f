"""The daily count of clients, the deposit it needs, and what only the firm knows."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from sqlalchemy.orm import Session

from tarazu.domain.money import ZERO, Rupees
from tarazu.domain.obligations.deposit import daily_counts, deposit_for, peak_of, slabs_of
from tarazu.domain.obligations.due_days import fiscal_year_end
from tarazu.domain.obligations.states import in_force
from tarazu.kit import audit_log
from tarazu.kit.audit_log import Actor
from tarazu.kit.clock import day_in_india
from tarazu.kit.db import Database
from tarazu.kit.errors import StaleVersion
from tarazu.obligations import queries
from tarazu.obligations.reading import all_versions
from tarazu.obligations.tables import ComplianceSettings
from tarazu.people import service as people

ONE_DAY = dt.timedelta(days=1)


@dataclass(frozen=True, slots=True)
class DepositState:
    """The deposit that a fiscal year needs.

    Attributes:
        peak: the most clients of any day of the year so far, and the first day that had as many.
        entered, shortfall: in rupees; None until the firm entered its deposit.
    """

    first: dt.date
    last: dt.date
    peak: int
    peak_on: dt.date | None
    needed: Rupees
    entered: Rupees | None
    shortfall: Rupees | None


def found_installation(session: Session, now: dt.datetime) -> None:
    """Make the settings; once, on an empty database."""
    session.add(
        ComplianceSettings(id=1, is_part_time=None, deposit=None, version=1, updated_at=now)
    )


def settings_of(session: Session) -> ComplianceSettings:
    """What only the firm knows."""
    settings = queries.settings(session)
    assert settings is not None  # noqa: S101 - made with the installation
    return settings


def edit_settings(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    entered: Mapping[str, object],
    version: int | None,
) -> ComplianceSettings:
    """Change settings by name; what is not given stays.

    Raises:
        StaleVersion: somebody changed them since `version`.
    """
    settings = queries.settings(session, for_update=True)
    assert settings is not None  # noqa: S101 - made with the installation
    if version not in {None, settings.version}:
        raise StaleVersion
    changes: dict[str, Any] = {}
    for name, value in entered.items():
        before = getattr(settings, name)
        if before != value:
            setattr(settings, name, value)
            changes[name] = [before, value]
    settings.version += 1
    settings.updated_at = now
    session.flush()
    about = ("compliance_settings", settings.id)
    audit_log.record(session, actor, now, "compliance_settings_edited", about, changes)
    return settings


def deposit_state(session: Session, today: dt.date, year_end: dt.date) -> DepositState:
    """The deposit for the fiscal year that ends on `year_end`, by its days up to today."""
    first = dt.date(year_end.year - 1, 4, 1)
    last = min(year_end, today)
    spans = [(one.added_on, one.removed_on) for one in people.client_spans(session)]
    # A count that was stored when its day was over holds, whatever becomes of the records.
    counts = daily_counts(spans, first, last) | queries.counts_between(session, first, last)
    peak = peak_of(counts)
    rows = all_versions(session)["deposit"]
    version = in_force(rows, year_end) or rows[0]
    needed = deposit_for(slabs_of(version.terms), peak.clients)
    entered = settings_of(session).deposit
    shortfall = None if entered is None else max(needed - entered, Decimal(ZERO))
    return DepositState(first, year_end, peak.clients, peak.day, needed, entered, shortfall)


def client_counts(session: Session, first: dt.date, last: dt.date) -> list[tuple[dt.date, int]]:
    """The days that have a stored count of clients, and the count, in order."""
    return sorted(queries.counts_between(session, first, last).items())


def count_clients(database: Database, now: dt.datetime) -> int:
    """Store the number of clients of every day that is over and has none; how many days.

    It may be run twice and killed at any point.
    """
    yesterday = day_in_india(now) - ONE_DAY
    with database.transaction() as session:
        last = queries.last_counted(session)
        first = last + ONE_DAY if last else dt.date(fiscal_year_end(yesterday).year - 1, 4, 1)
        spans = [(one.added_on, one.removed_on) for one in people.client_spans(session)]
        counts = daily_counts(spans, first, yesterday)
        queries.add_counts(session, list(counts.items()))
        return len(counts)
