"""Entering and removing actions, by hand and from an exchange's list. Rows are never changed."""

import datetime as dt
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final

from pydantic.alias_generators import to_camel
from sqlalchemy.orm import Session

from tarazu.corporate_actions import applying, queries
from tarazu.corporate_actions.errors import ActionNotFound, ActionRepeated, UnfitAction
from tarazu.corporate_actions.words import effect_of
from tarazu.domain.corporate_actions.checks import (
    NAMES,
    ActionFault,
    fault_of,
    fault_of_entry,
)
from tarazu.domain.corporate_actions.values import CorporateAction
from tarazu.instruments import service as instruments
from tarazu.instruments.service import IsinHistory
from tarazu.instruments.tables import CorporateAction as ActionRow
from tarazu.kit import audit_log, clock
from tarazu.kit.audit_log import Actor
from tarazu.kit.db import new_id

BY_HAND: Final = "MANUAL"
NSE_LIST: Final = "NSE"


@dataclass(frozen=True, slots=True)
class NewAction:
    """An action to be entered; `symbol` and `purpose` are "" where they are not known."""

    action: CorporateAction
    symbol: str
    purpose: str = ""
    source: str = BY_HAND


class Known(StrEnum):
    """Whether an action of an exchange's list is entered already."""

    NEW = "NEW"
    SAME = "SAME"
    REMOVED = "REMOVED"
    """It was entered before and removed by a person: it is not entered again by a list."""
    OTHER = "OTHER"
    """The share has an action of this kind on this day with other terms."""


@dataclass(frozen=True, slots=True)
class ComparedAction:
    """An action of a list with the ISIN of its ex-date; `stored` is the action it is compared with."""

    action: CorporateAction
    known: Known
    stored: CorporateAction | None


def enter_action(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    new: NewAction,
    replaces: uuid.UUID | None = None,
) -> uuid.UUID:
    """Enter an action by hand and apply it from its ex-date on; return its id.

    Args:
        replaces: an action that is removed in the same transaction, to correct or complete it.

    Raises:
        UnfitAction: something about it cannot be right, or is missing.
        ActionRepeated: the share has an action of this kind on this day.
        ActionNotFound: there is no action to replace.
    """
    queries.lock_actions(session)
    if replaces is not None:
        remove_action(session, actor, now, replaces)
    history = instruments.isin_history(session)
    action = placed(new.action, history)
    today = clock.day_in_india(now)
    fault = fault_of(action, today) or fault_of_entry(action)
    if fault is not None:
        raise _unfit(fault)
    (compared,) = compare_actions(session, [action])
    if compared.stored is not None and compared.known is not Known.REMOVED:
        raise _repeated(compared.stored, new.symbol)
    (row,) = _add(session, actor, now, [replace(new, action=action)])
    applying.apply_or_wait(session, [row], now)
    audit_log.record(
        session, actor, now, "corporate_action_entered", ("corporate_action", row.id), _changes(row)
    )
    return row.id


def enter_listed(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    actions: Sequence[NewAction],
    changes: Mapping[str, Any],
) -> None:
    """Enter actions of an exchange's list, which were compared and found to be new.

    Args:
        changes: what the audit trail says about the list.
    """
    rows = _add(session, actor, now, actions)
    applying.apply_or_wait(session, rows, now)
    audit_log.record(
        session,
        actor,
        now,
        "corporate_actions_imported",
        ("list", "corporate-actions"),
        {"entered": len(rows), **changes},
    )


def remove_action(
    session: Session, actor: Actor, now: dt.datetime, action_id: uuid.UUID
) -> CorporateAction:
    """Remove an action: every figure is again as if it had not been entered.

    Raises:
        ActionNotFound: there is none, or it was removed before.
    """
    queries.lock_actions(session)
    row = queries.action_by_id(session, action_id)
    if row is None or row.removed_at is not None:
        raise ActionNotFound
    applying.undo_action(session, action_id, now)
    row.removed_at, row.removed_by = now, actor.account_id
    session.flush()
    applying.match_again(session, [row], now)
    audit_log.record(
        session, actor, now, "corporate_action_removed", ("corporate_action", row.id), _changes(row)
    )
    return instruments.action_of(row, instruments.isin_history(session))


def placed(action: CorporateAction, history: IsinHistory) -> CorporateAction:
    """The action with the ISIN that the share had on the day before the ex-date.

    After a split, the share is named by its new ISIN everywhere.
    """
    isin = history.on(action.isin, action.ex_on)
    return replace(action, isin=isin) if isin != action.new_isin else action


def compare_actions(session: Session, actions: Sequence[CorporateAction]) -> list[ComparedAction]:
    """Each action with what is entered of the same share, kind and ex-date."""
    history = instruments.isin_history(session)
    stored: dict[tuple[str, str, dt.date], ActionRow] = {}
    for row in queries.actions_on_days(session, {action.ex_on for action in actions}):
        for isin in history.family([row.isin]):
            key = (isin, row.kind, row.ex_on)
            # An action in force goes before one that was removed.
            if key not in stored or row.removed_at is None:
                stored[key] = row
    return [_compared(action, stored, history) for action in actions]


def _compared(
    action: CorporateAction,
    stored: Mapping[tuple[str, str, dt.date], ActionRow],
    history: IsinHistory,
) -> ComparedAction:
    row = stored.get((action.isin, action.kind, action.ex_on))
    if row is None:
        return ComparedAction(action, Known.NEW, None)
    known = instruments.action_of(row, history)
    if row.removed_at is not None:
        return ComparedAction(action, Known.REMOVED, known)
    return ComparedAction(action, Known.SAME if _agree(action, known) else Known.OTHER, known)


def _agree(listed: CorporateAction, stored: CorporateAction) -> bool:
    """Whether a list says nothing else than what is entered, which may know more."""
    is_factor_given = listed.factor != 1
    is_amount_given = listed.amount is not None
    return (not is_factor_given or listed.factor == stored.factor) and (
        not is_amount_given or listed.amount == stored.amount
    )


def _add(
    session: Session, actor: Actor, now: dt.datetime, actions: Sequence[NewAction]
) -> Sequence[ActionRow]:
    rows = [_row(new, actor, now) for new in actions]
    queries.add_actions(session, rows)
    return queries.actions_by_ids(session, [row["id"] for row in rows])


def _row(new: NewAction, actor: Actor, now: dt.datetime) -> dict[str, Any]:
    action = new.action
    return {
        "id": new_id(),
        "isin": action.isin,
        "new_isin": action.new_isin,
        "symbol": new.symbol,
        "kind": action.kind,
        "ex_on": action.ex_on,
        "record_on": action.record_on,
        "new": action.factor.numerator,
        "old": action.factor.denominator,
        "amount": action.amount,
        "cost_share": action.cost_share,
        "pay_on": action.pay_on,
        "purpose": new.purpose,
        "source": new.source,
        "created_at": now,
        "created_by": actor.account_id,
        "removed_at": None,
        "removed_by": None,
    }


def _changes(row: ActionRow) -> dict[str, Any]:
    return {
        "symbol": row.symbol,
        "isin": row.isin,
        "newIsin": row.new_isin,
        "kind": row.kind,
        "exOn": row.ex_on,
        "factor": f"{row.new}:{row.old}",
        "amount": row.amount,
        "costShare": row.cost_share,
        "payOn": row.pay_on,
        "source": row.source,
    }


def _unfit(fault: ActionFault) -> UnfitAction:
    error = {"field": to_camel(fault.field), "message": fault.sentence}
    return UnfitAction(fault.sentence, errors=[error])


def _repeated(stored: CorporateAction, symbol: str) -> ActionRepeated:
    return ActionRepeated(
        f"{symbol or stored.isin} has a {NAMES[stored.kind]} on {stored.ex_on:%d-%m-%Y} already: "
        f"{effect_of(stored)}. Remove it first, or change it."
    )
