"""Every SQL statement of corporate actions."""

import datetime as dt
import uuid
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from pydantic import Field
from sqlalchemy import Row, Select, func, or_, select
from sqlalchemy.orm import Session

from tarazu.domain.corporate_actions.states import ActionState
from tarazu.instruments.tables import CorporateAction
from tarazu.kit.db import acquire_lock, add_rows
from tarazu.kit.fields import Day
from tarazu.kit.locks import AdvisoryLock
from tarazu.kit.schemas import ListParams

_AT_ONCE: Final = 500


class ActionFilter(ListParams):
    """Actions whose ex-date is in these days, both included; `held`: of shares that clients hold."""

    since: Day | None = Field(default=None, alias="from")
    until: Day | None = Field(default=None, alias="to")
    state: ActionState | None = None
    held: bool = False


def lock_actions(session: Session) -> None:
    """Wait until no other transaction enters or removes actions."""
    acquire_lock(session, AdvisoryLock.CORPORATE_ACTIONS)


def action_by_id(session: Session, action_id: uuid.UUID) -> CorporateAction | None:
    """The action, removed or not, as it is in the database now."""
    return session.get(CorporateAction, action_id, populate_existing=True)


def add_actions(session: Session, rows: Sequence[Mapping[str, object]]) -> None:
    add_rows(session, CorporateAction, rows)


def actions_matching(
    session: Session, filters: ActionFilter, isins: Collection[str] | None
) -> Sequence[Row]:  # type: ignore[type-arg]
    """Id and ex-date of all that match, whatever their state, in the order of the list."""
    statement = _matching(filters, isins).with_only_columns(
        CorporateAction.id, CorporateAction.ex_on
    )
    return session.execute(statement.order_by(*_order(filters.sort))).all()


def page_of_actions(
    session: Session, filters: ActionFilter, isins: Collection[str] | None
) -> tuple[Sequence[CorporateAction], int]:
    """One page of those that match, whatever their state, and how many match."""
    matching = _matching(filters, isins)
    total = select(func.count()).select_from(
        matching.with_only_columns(CorporateAction.id).subquery()
    )
    page = matching.order_by(*_order(filters.sort)).offset(filters.skipped).limit(filters.limit)
    return session.execute(page).scalars().all(), session.execute(total).scalar_one()


def actions_by_ids(session: Session, action_ids: Sequence[uuid.UUID]) -> Sequence[CorporateAction]:
    """These actions, in the order of the ids."""
    rows: dict[uuid.UUID, CorporateAction] = {}
    for start in range(0, len(action_ids), _AT_ONCE):
        batch = action_ids[start : start + _AT_ONCE]
        statement = select(CorporateAction).where(CorporateAction.id.in_(batch))
        rows |= {row.id: row for row in session.execute(statement).scalars()}
    return [rows[action_id] for action_id in action_ids if action_id in rows]


def actions_on_days(session: Session, days: Collection[dt.date]) -> list[CorporateAction]:
    """All actions with these ex-dates, removed ones included, oldest entry first."""
    ordered, actions = sorted(days), list[CorporateAction]()
    for start in range(0, len(ordered), _AT_ONCE):
        statement = (
            select(CorporateAction)
            .where(CorporateAction.ex_on.in_(ordered[start : start + _AT_ONCE]))
            .order_by(CorporateAction.created_at, CorporateAction.id)
        )
        actions += session.execute(statement).scalars().all()
    return actions


def _matching(filters: ActionFilter, isins: Collection[str] | None) -> Select[Any]:
    """Actions that were not removed; `isins` are the shares to choose from, None for all."""
    statement = select(CorporateAction).where(CorporateAction.removed_at.is_(None))
    if filters.since is not None:
        statement = statement.where(CorporateAction.ex_on >= filters.since)
    if filters.until is not None:
        statement = statement.where(CorporateAction.ex_on <= filters.until)
    if isins is not None:
        statement = statement.where(CorporateAction.isin.in_(isins))
    query = filters.query.strip()
    if query:
        columns = (CorporateAction.symbol, CorporateAction.isin, CorporateAction.new_isin)
        named = (column.icontains(query, autoescape=True) for column in columns)
        statement = statement.where(or_(*named))
    return statement


def _order(sort: str) -> list[Any]:
    """The latest ex-date first unless sorted; ties by symbol."""
    keys: dict[str, Any] = {
        "exOn": CorporateAction.ex_on,
        "tradingSymbol": CorporateAction.symbol,
        "kind": CorporateAction.kind,
    }
    last = [CorporateAction.ex_on.desc(), CorporateAction.symbol, CorporateAction.id]
    key = keys.get(sort.removeprefix("-"))
    if key is None:
        return last
    return [key.desc() if sort.startswith("-") else key.asc(), *last]
