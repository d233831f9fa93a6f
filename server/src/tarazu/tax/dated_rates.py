"""The dated rates of tax: those that come with the product, and versions that an ADMIN enters.

A version changes some items from a day on. Days of tax years that are over are refused, so that a
statement of such a year stays as it was given.
"""

import datetime as dt
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Final

from sqlalchemy.orm import Session

from tarazu.domain.tax.rates import (
    SHIPPED,
    Line,
    Lines,
    RateTable,
    SurchargeClass,
    TaxYear,
    lines_in_force,
    read_lines,
    tax_year_of,
    text_of,
)
from tarazu.kit import audit_log
from tarazu.kit.audit_log import Actor
from tarazu.kit.clock import day_in_india
from tarazu.kit.db import acquire_lock, new_id
from tarazu.kit.fields import is_plain
from tarazu.kit.locks import AdvisoryLock
from tarazu.tax import queries
from tarazu.tax.errors import RatesEntered, RatesKept, RateVersionNotFound, UnfitRates
from tarazu.tax.tables import TaxRateVersion

FIXED: Final = frozenset({"grandfathered_until"})
"""Items that nobody changes: a law of one day."""
YEARS_AHEAD: Final = 2

_LARGEST: Final = {"percent": Decimal(100), "rupees": Decimal(10) ** 10, "months": Decimal(120)}
_DECIMALS: Final = {"percent": 4, "rupees": 2, "months": 0}
_LONGEST_TEXT: Final = 40


@dataclass(frozen=True, slots=True)
class NewRates:
    """Values by item, from a day on; those that do not differ are left out."""

    effective_on: dt.date
    source: str
    values: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class RateVersion:
    """Lines that hold from one day on; without an id they come with the product."""

    id: uuid.UUID | None
    effective_on: dt.date
    source: str
    lines: Lines
    created_at: dt.datetime | None
    can_remove: bool


@dataclass(frozen=True, slots=True)
class KnownRates:
    """The lines in force today, and all versions, newest first."""

    in_force: Lines
    versions: list[RateVersion]


def table_of(session: Session) -> RateTable:
    """The rates of every day; the firm's line of a day goes before that of the product."""
    own = [line for row in queries.rate_versions(session) for line in read_lines(row.lines)]
    return RateTable((*SHIPPED, *own))


def known_rates(session: Session, today: dt.date) -> KnownRates:
    """What an ADMIN is shown of the rates."""
    first = tax_year_of(today).first
    own = [
        RateVersion(
            row.id,
            row.effective_on,
            row.source,
            read_lines(row.lines),
            row.created_at,
            row.effective_on >= first,
        )
        for row in queries.rate_versions(session)
    ]
    days = sorted({line.effective_on for line in SHIPPED})
    shipped = [
        RateVersion(
            None,
            day,
            "Comes with Tarazu; each rate names its own source",
            tuple(line for line in SHIPPED if line.effective_on == day),
            None,
            can_remove=False,
        )
        for day in days
    ]
    versions = sorted([*shipped, *own], key=lambda each: each.effective_on, reverse=True)
    return KnownRates(lines_in_force(table_of(session).lines, today), versions)


def add_rates(session: Session, actor: Actor, now: dt.datetime, new: NewRates) -> RateVersion:
    """Enter rates from a day on.

    Raises:
        RatesEntered: a version of that day is entered already.
        UnfitRates: a day or a value that cannot be, or no value that differs; the text says why.
    """
    acquire_lock(session, AdvisoryLock.TAX_RATES)
    _check_day(new.effective_on, day_in_india(now))
    if any(row.effective_on == new.effective_on for row in queries.rate_versions(session)):
        raise RatesEntered(
            f"Rates from {new.effective_on:%d-%m-%Y} are entered already. Remove them first, or "
            "choose another day."
        )
    before = {line.item: line for line in lines_in_force(table_of(session).lines, new.effective_on)}
    lines = _changed(new, before)
    _check_whole(new, before, {line.item: line.value for line in lines})
    row = TaxRateVersion(
        id=new_id(),
        effective_on=new.effective_on,
        lines=text_of(lines),
        source=new.source,
        created_at=now,
        created_by=actor.account_id,
    )
    session.add(row)
    session.flush()
    changes = {line.item: [before[line.item].value, line.value] for line in lines}
    about = ("tax_rates", row.id)
    more = {"effectiveOn": new.effective_on, "source": new.source}
    audit_log.record(session, actor, now, "tax_rates_set", about, changes | more)
    return RateVersion(row.id, row.effective_on, row.source, lines, now, can_remove=True)


def remove_rates(session: Session, actor: Actor, now: dt.datetime, version_id: uuid.UUID) -> None:
    """Take back a version of the present tax year or later; the row stays in the database.

    Raises:
        RateVersionNotFound: there is no such version.
        RatesKept: it is of a tax year that is over.
    """
    acquire_lock(session, AdvisoryLock.TAX_RATES)
    row = next((each for each in queries.rate_versions(session) if each.id == version_id), None)
    if row is None:
        raise RateVersionNotFound
    if row.effective_on < tax_year_of(day_in_india(now)).first:
        raise RatesKept
    row.removed_at, row.removed_by = now, actor.account_id
    changes = {line.item: [line.value, None] for line in read_lines(row.lines)}
    more = {"effectiveOn": row.effective_on, "source": row.source}
    audit_log.record(
        session, actor, now, "tax_rates_removed", ("tax_rates", row.id), changes | more
    )


def _check_day(day: dt.date, today: dt.date) -> None:
    year = tax_year_of(today)
    last = TaxYear(year.first.replace(year=year.first.year + YEARS_AHEAD)).last
    if day < year.first:
        over = tax_year_of(year.first - dt.timedelta(days=1))
        raise UnfitRates(
            "effectiveOn",
            f"The rates of {over.name} and earlier are kept: statements were made with them. Enter "
            f"a day from {year.first:%d-%m-%Y} on.",
        )
    if day > last:
        raise UnfitRates("effectiveOn", f"Enter a day up to {last:%d-%m-%Y}.")


def _changed(new: NewRates, before: Mapping[str, Line]) -> Lines:
    lines = []
    for item, text in new.values.items():
        line = before.get(item)
        if line is None or item in FIXED:
            raise UnfitRates(item, "There is no such rate that could be changed.")
        value = _value(line, text)
        if value != line.value:
            lines.append(Line(new.effective_on, item, value, line.unit, new.source))
    if not lines:
        raise UnfitRates(
            "effectiveOn", "None of these rates differs from those that hold on that day."
        )
    return tuple(lines)


def _value(line: Line, text: str) -> str:
    """A value as it is written in the table; the present one where both are equal."""
    if line.unit == "text":
        plain = text.strip()
        if not 0 < len(plain) <= _LONGEST_TEXT or not is_plain(plain):
            raise UnfitRates(line.item, f"Enter a section of at most {_LONGEST_TEXT} characters.")
        return plain
    largest, decimals = _LARGEST[line.unit], _DECIMALS[line.unit]
    least = 1 if line.unit == "months" else 0
    try:
        value = Decimal(text.strip())
        fits = least <= value <= largest and round(value, decimals) == value
    except InvalidOperation:
        fits = False
    if not fits:
        what = {0: "a whole number", 2: "an amount of at most 2 decimals"}.get(decimals, "a number")
        raise UnfitRates(line.item, f"Enter {what} from {least} to {largest}.")
    return line.value if value == Decimal(line.value) else f"{value.normalize():f}"


def _check_whole(new: NewRates, before: Mapping[str, Line], changed: Mapping[str, str]) -> None:
    """Refuse what no law has: another exemption within a year, a surcharge that falls with income."""
    if "exemption" in changed and tax_year_of(new.effective_on).first != new.effective_on:
        raise UnfitRates(
            "exemption", "The exemption is that of a whole tax year: enter it from 1 April."
        )
    items = [f"surcharge_{income.lower()}" for income in SurchargeClass]
    surcharges = [Decimal(changed.get(item, before[item].value)) for item in items]
    for item, lower, higher in zip(items[1:], surcharges, surcharges[1:], strict=False):
        if higher < lower:
            raise UnfitRates(
                item, "The surcharge of a higher income cannot be below that of a lower one."
            )
