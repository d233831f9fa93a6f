"""Every SQL statement of the firm's own record."""

import datetime as dt
from collections.abc import Collection, Sequence
from functools import cache

from sqlalchemy import Select, select
from sqlalchemy.orm import Session

from tarazu.firm.tables import (
    ChargeTable,
    FeeSchedule,
    Firm,
    FirmImage,
    FollowUpSettings,
    Holiday,
    PastPerformanceSettings,
    SecondApproval,
    SendGuard,
)
from tarazu.kit.db import read


def firm(session: Session, *, for_update: bool = False) -> Firm:
    statement = select(Firm)
    return session.execute(statement.with_for_update() if for_update else statement).scalar_one()


def follow_up_settings(session: Session, *, for_update: bool = False) -> FollowUpSettings:
    statement = select(FollowUpSettings)
    return session.execute(statement.with_for_update() if for_update else statement).scalar_one()


def past_performance(session: Session, *, for_update: bool = False) -> PastPerformanceSettings:
    statement = select(PastPerformanceSettings)
    return session.execute(statement.with_for_update() if for_update else statement).scalar_one()


def guard_levels(session: Session) -> dict[str, str]:
    """The levels that the firm has chosen, by the guard's id."""
    return {row.id: row.level for row in session.execute(select(SendGuard)).scalars()}


def approved_actions(session: Session) -> Sequence[str]:
    return session.execute(select(SecondApproval.action)).scalars().all()


def image(session: Session, sha256: str) -> FirmImage | None:
    return session.get(FirmImage, sha256)


def price_minutes(session: Session) -> int:
    return int(read(session, _price_minutes()).scalar_one())


@cache
def _price_minutes() -> Select[int]:
    return select(Firm.price_minutes)


def holidays(session: Session) -> set[dt.date]:
    return set(read(session, _holidays()).scalars())


@cache
def _holidays() -> Select[dt.date]:
    return select(Holiday.date)


def fee_schedules(session: Session) -> Sequence[FeeSchedule]:
    """All versions, newest first; there is at least one."""
    statement = select(FeeSchedule).order_by(FeeSchedule.effective_on.desc())
    return session.execute(statement).scalars().all()


def fee_schedule_from(session: Session, effective_on: dt.date) -> FeeSchedule | None:
    """The version that holds from exactly this day, or None."""
    statement = select(FeeSchedule).where(FeeSchedule.effective_on == effective_on)
    return session.execute(statement).scalar_one_or_none()


def holidays_of(session: Session, year: int) -> list[Holiday]:
    """The holidays of a calendar year, in order."""
    statement = (
        select(Holiday)
        .where(Holiday.date >= dt.date(year, 1, 1), Holiday.date <= dt.date(year, 12, 31))
        .order_by(Holiday.date)
    )
    return list(session.execute(statement).scalars())


def holidays_on(session: Session, days: Collection[dt.date]) -> dict[dt.date, Holiday]:
    """Those of these days that are holidays."""
    holidays = session.execute(select(Holiday).where(Holiday.date.in_(days))).scalars()
    return {holiday.date: holiday for holiday in holidays}


def charge_tables(session: Session) -> list[ChargeTable]:
    """All of the firm's own tables of charges, newest first."""
    statement = select(ChargeTable).order_by(ChargeTable.effective_on.desc())
    return list(session.execute(statement).scalars())


def charge_table_on(session: Session, day: dt.date) -> ChargeTable | None:
    """The firm's own table that holds on a day, if it has one."""
    statement = (
        select(ChargeTable)
        .where(ChargeTable.effective_on <= day)
        .order_by(ChargeTable.effective_on.desc())
        .limit(1)
    )
    return session.execute(statement).scalar_one_or_none()


def charge_table_from(session: Session, day: dt.date) -> ChargeTable | None:
    """The firm's own table that holds from exactly this day."""
    statement = select(ChargeTable).where(ChargeTable.effective_on == day)
    return session.execute(statement).scalar_one_or_none()
