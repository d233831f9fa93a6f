"""What companies did to shares, and the shares that one share was before and became."""

import uuid
from collections.abc import Collection
from fractions import Fraction

from sqlalchemy.orm import Session

from tarazu.domain.corporate_actions.values import ActionKind, CorporateAction
from tarazu.domain.execution.values import Action
from tarazu.instruments import queries
from tarazu.instruments.isin_history import IsinHistory, isin_history
from tarazu.instruments.tables import CorporateAction as ActionRow


def corporate_actions_of(session: Session, isins: Collection[str]) -> list[CorporateAction]:
    """All actions on these shares, and on those that they became or came from, by ex-date.

    Exchanges do not say which ISIN a share has after a split. Where nobody entered it, it is the
    one that the brokers had next.
    """
    history = isin_history(session)
    known = history.family(isins)
    rows = {row.id: row for row in queries.corporate_actions(session, known)}
    while (
        new := history.family({name for row in rows.values() for name in (row.isin, row.new_isin)})
        - known
        - {""}
    ):
        known |= new
        rows |= {row.id: row for row in queries.corporate_actions(session, new)}
    ordered = sorted(rows.values(), key=lambda row: (row.ex_on, row.isin, row.id))
    return [action_of(row, history) for row in ordered]


def unit_changes_of(session: Session, isins: Collection[str]) -> list[Action]:
    """Those that change the number of shares or the ISIN of a share, by ex-date."""
    return [
        Action(action.isin, action.new_isin, action.ex_on, action.factor)
        for action in corporate_actions_of(session, isins)
        if action.changes_units
    ]


def known_action(session: Session, action_id: uuid.UUID) -> CorporateAction | None:
    """One action; None where there is none, or where it was removed."""
    row = queries.corporate_action(session, action_id)
    return (
        None if row is None or row.removed_at is not None else action_of(row, isin_history(session))
    )


def renamed_isins(session: Session, isins: Collection[str]) -> list[CorporateAction]:
    """Changes of these ISINs that the brokers' lists showed, as splits of one share into one."""
    return [
        CorporateAction(ActionKind.SPLIT, before, after, day)
        for before, after, day in isin_history(session).changes_of(isins)
    ]


def action_of(row: ActionRow, history: IsinHistory) -> CorporateAction:
    """The action of a row, with the new ISIN of a split as far as it is known."""
    is_split = row.kind in {ActionKind.SPLIT, ActionKind.CONSOLIDATION}
    later = history.after_split(row.isin, row.ex_on) if is_split else ""
    return CorporateAction(
        row.kind,
        row.isin,
        row.new_isin or later,
        row.ex_on,
        Fraction(row.new, row.old),
        row.record_on,
        row.amount,
        row.cost_share,
        row.pay_on,
    )
