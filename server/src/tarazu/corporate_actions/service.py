"""Corporate actions: the list, entering, removing, and what they do from their ex-date on."""

import datetime as dt
import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from sqlalchemy.orm import Session

from tarazu.corporate_actions import queries
from tarazu.corporate_actions.applying import apply_action, apply_due, undo_action
from tarazu.corporate_actions.dividends import ExpectedDividend, expected_dividends
from tarazu.corporate_actions.entering import (
    BY_HAND,
    NSE_LIST,
    ComparedAction,
    Known,
    NewAction,
    compare_actions,
    enter_action,
    enter_listed,
    placed,
    remove_action,
)
from tarazu.corporate_actions.errors import ActionNotFound, UnfitAction
from tarazu.corporate_actions.queries import ActionFilter, lock_actions
from tarazu.corporate_actions.words import KIND_NAMES, effect_of
from tarazu.domain.corporate_actions.states import ActionState, state_on
from tarazu.domain.corporate_actions.values import ActionKind
from tarazu.domain.money import Percent, Rupees
from tarazu.instruments import service as instruments
from tarazu.instruments.service import IsinHistory
from tarazu.instruments.tables import CorporateAction
from tarazu.portfolio import service as portfolio


@dataclass(frozen=True, slots=True)
class ShownAction:
    """An action as the list shows it.

    Attributes:
        symbol, name: of the share as it is called now; None if it is not known.
        new_isin, record_on, amount, cost_share, pay_on: None if there is none, or it is not known.
        effect: what happens to a holder, in words.
        clients: how many clients hold the share.
        waiting: how many of them wait for the shares that it brings.
    """

    id: uuid.UUID
    symbol: str | None
    name: str | None
    isin: str
    new_isin: str | None
    kind: ActionKind
    ex_on: dt.date
    record_on: dt.date | None
    factor: Fraction
    amount: Rupees | None
    cost_share: Percent | None
    pay_on: dt.date | None
    purpose: str
    effect: str
    source: str
    state: ActionState
    clients: int
    waiting: int
    entered_at: dt.datetime


def list_actions(
    session: Session, filters: ActionFilter, today: dt.date
) -> tuple[list[ShownAction], int]:
    """One page of the actions, the latest ex-date first unless sorted, and how many match."""
    isins = _held_isins(session) if filters.held else None
    if filters.state is None:
        rows, total = queries.page_of_actions(session, filters, isins)
        return _shown(session, rows, today), total
    ex_dates = {row.id: row.ex_on for row in queries.actions_matching(session, filters, isins)}
    progress = _Progress(session, ex_dates, today)
    matching = [key for key in ex_dates if progress.state_of(key) is filters.state]
    page = matching[filters.skipped : filters.skipped + filters.limit]
    return _shown(session, queries.actions_by_ids(session, page), today), len(matching)


class _Progress:
    """How far actions have come on a day.

    Args:
        ex_dates: of the actions, by id.
    """

    def __init__(
        self, session: Session, ex_dates: Mapping[uuid.UUID, dt.date], today: dt.date
    ) -> None:
        self._ex_dates, self._today = ex_dates, today
        self._holders = portfolio.action_states(session, ex_dates)
        due = {ex_dates[key] for key in self._holders if self.waiting_for(key)}
        self._late = {day for day in due if portfolio.is_late(session, day, today)}

    def waiting_for(self, action_id: uuid.UUID) -> int:
        """How many clients wait for the shares of an action."""
        holders = self._holders.get(action_id)
        return holders.waiting if holders else 0

    def state_of(self, action_id: uuid.UUID) -> ActionState:
        ex_on = self._ex_dates[action_id]
        if not self.waiting_for(action_id):
            return state_on(ex_on, self._today)
        return ActionState.LATE if ex_on in self._late else ActionState.PENDING


def show_action(session: Session, action_id: uuid.UUID, today: dt.date) -> ShownAction:
    """One action.

    Raises:
        ActionNotFound: there is none, or it was removed.
    """
    row = queries.action_by_id(session, action_id)
    if row is None or row.removed_at is not None:
        raise ActionNotFound
    (shown,) = _shown(session, [row], today)
    return shown


def share_of(session: Session, isin: str, exchange: str, symbol: str) -> tuple[str, str]:
    """ISIN and symbol of a share that a person names by its ISIN, by its symbol, or by both.

    A share that no instrument has may be named by its ISIN.

    Raises:
        InstrumentNotFound: the symbol is not known.
        UnfitAction: neither is given, or they are of two shares.
    """
    if not isin and not symbol:
        message = "Choose the stock."
        raise UnfitAction(message, errors=[{"field": "isin", "message": message}])
    known = instruments.by_isins(session, [isin]).get(isin) if isin else None
    if isin and (known is None or not symbol):
        return isin, known.symbol if known else symbol
    named = instruments.by_symbol(session, exchange, symbol)
    if known is not None and named.isin != known.isin:
        message = f"{symbol} has the ISIN {named.isin}, not {isin}."
        raise UnfitAction(message, errors=[{"field": "isin", "message": message}])
    return isin or named.isin, named.symbol


def holders_of(session: Session, isins: Collection[str]) -> dict[str, int]:
    """How many clients hold each of these shares, by ISIN, on whichever exchange."""
    bearers = instruments.bearers_by_isin(session, isins)
    counts = portfolio.holder_counts(session, set().union(*bearers.values()))
    return {isin: sum(counts.get(key, 0) for key in keys) for isin, keys in bearers.items()}


def _held_isins(session: Session) -> set[str]:
    """The ISINs, former ones included, of all shares that clients hold."""
    held = instruments.by_ids(session, portfolio.held_instruments(session))
    return instruments.isin_history(session).family({stock.isin for stock in held.values()})


def _shown(session: Session, rows: Sequence[CorporateAction], today: dt.date) -> list[ShownAction]:
    history = instruments.isin_history(session)
    isins = {row.isin for row in rows}
    listed = instruments.by_isins(session, isins)
    holders = holders_of(session, isins)
    progress = _Progress(session, {row.id: row.ex_on for row in rows}, today)
    return [
        _shown_action(row, history, listed.get(row.isin), holders[row.isin], progress)
        for row in rows
    ]


def _shown_action(
    row: CorporateAction,
    history: IsinHistory,
    stock: instruments.Listed | None,
    clients: int,
    progress: "_Progress",
) -> ShownAction:
    action = instruments.action_of(row, history)
    return ShownAction(
        id=row.id,
        symbol=stock.symbol if stock else row.symbol or None,
        name=stock.name if stock else None,
        isin=row.isin,
        new_isin=action.new_isin or None,
        kind=row.kind,
        ex_on=row.ex_on,
        record_on=row.record_on,
        factor=action.factor,
        amount=row.amount,
        cost_share=row.cost_share,
        pay_on=row.pay_on,
        purpose=row.purpose,
        effect=effect_of(action),
        source=row.source,
        state=progress.state_of(row.id),
        clients=clients,
        waiting=progress.waiting_for(row.id),
        entered_at=row.created_at,
    )
