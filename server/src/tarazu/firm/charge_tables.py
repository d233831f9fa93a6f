"""Tables of charges: the shipped one and those of the firm."""

import datetime as dt
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from sqlalchemy.orm import Session

from tarazu.domain import charges
from tarazu.firm import queries
from tarazu.firm.errors import ChargesInForce, UnfitCharges
from tarazu.firm.tables import ChargeTable
from tarazu.kit import audit_log
from tarazu.kit.audit_log import Actor
from tarazu.kit.clock import day_in_india
from tarazu.kit.db import acquire_lock, new_id
from tarazu.kit.errors import StaleVersion
from tarazu.kit.locks import AdvisoryLock

SHIPPED_SOURCE = "Comes with Tarazu; each rate names its own source"


@dataclass(frozen=True, slots=True)
class NewCharges:
    """A table of charges as it is entered: a rate for each broker, exchange, side and charge."""

    effective_on: dt.date
    source: str
    rates: Mapping[tuple[str, str, str, str], Decimal]


@dataclass(frozen=True, slots=True)
class SeenCharges:
    """What somebody who enters the charges of a day saw of it."""

    kept_at: dt.datetime | None
    """When the table of that day was last set; None when there was none."""


@dataclass(frozen=True, slots=True)
class DatedCharges:
    """A table of charges; without an id it is the one that comes with the product."""

    id: uuid.UUID | None
    effective_on: dt.date
    source: str
    lines: charges.Lines
    is_in_force: bool
    created_at: dt.datetime | None


def charge_lines_on(session: Session, day: dt.date) -> charges.Lines:
    """The rates of charges on a day: the firm's own table, or else the shipped one."""
    own = queries.charge_table_on(session, day)
    return charges.SHIPPED if own is None else charges.read_lines(own.lines)


def charge_versions(session: Session, today: dt.date) -> list[DatedCharges]:
    """Every table of charges, newest first; the last is the one that comes with the product."""
    own = queries.charge_tables(session)
    in_force = next((row.id for row in own if row.effective_on <= today), None)
    versions = [_charge_version(row, is_in_force=row.id == in_force) for row in own]
    shipped = DatedCharges(
        id=None,
        effective_on=min(line.effective_on for line in charges.SHIPPED),
        source=SHIPPED_SOURCE,
        lines=charges.lines_in_force(charges.SHIPPED, today),
        is_in_force=in_force is None,
        created_at=None,
    )
    return [*versions, shipped]


def keep_charges(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    new: NewCharges,
    seen: SeenCharges | None = None,
) -> DatedCharges:
    """Add a table of charges, or change the one that will hold from the same day.

    A rate that does not change keeps its source; the others get that of the table.

    Raises:
        ChargesInForce: the table of that day holds already.
        StaleVersion: that day has another table by now than was seen.
        UnfitCharges: a rate is missing.
    """
    acquire_lock(session, AdvisoryLock.CHARGES)
    today = day_in_india(now)
    row = queries.charge_table_from(session, new.effective_on)
    if row is not None and row.effective_on <= today:
        raise ChargesInForce
    if seen is not None and seen.kept_at != (row.created_at if row is not None else None):
        raise StaleVersion
    before = charges.lines_in_force(charge_lines_on(session, today), today)
    known = {line.about: line for line in before}
    if set(new.rates) != set(known):
        raise UnfitCharges
    lines = tuple(
        line._replace(
            effective_on=new.effective_on,
            rate=new.rates[line.about],
            source=line.source if line.rate == new.rates[line.about] else new.source,
        )
        for line in before
    )
    if row is None:
        row = ChargeTable(id=new_id(), effective_on=new.effective_on)
        session.add(row)
    row.lines = charges.text_of(lines)
    row.source = new.source
    row.created_at, row.created_by = now, actor.account_id
    session.flush()
    changes = {
        "/".join(line.about): [known[line.about].rate, line.rate]
        for line in lines
        if known[line.about].rate != line.rate
    } | {"effectiveOn": new.effective_on, "source": new.source}
    audit_log.record(session, actor, now, "charges_set", ("charges", row.id), changes)
    return _charge_version(row, is_in_force=row.effective_on == today)


def _charge_version(row: ChargeTable, *, is_in_force: bool) -> DatedCharges:
    return DatedCharges(
        row.id,
        row.effective_on,
        row.source,
        charges.read_lines(row.lines),
        is_in_force,
        row.created_at,
    )
