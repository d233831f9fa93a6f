"""What is left of an advice: planned again at fresh prices, for one client or in runs of the book.

The old rows are never sent again. One client's follow-up is a rebalance to the targets of the
lines that are left; all other stocks stay as they are. In a run, the clients are computed with the
newest version of the model that they follow.
"""

import datetime as dt
import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy.orm import Session

from tarazu.advice import service as advice
from tarazu.advice.errors import AdviceNotFound
from tarazu.advice.service import Package, RebalanceRequest, TargetHolding
from tarazu.book_runs import service as book_runs
from tarazu.book_runs.service import RunRequest
from tarazu.domain.execution.values import AdviceState, LineStatus
from tarazu.domain.money import ZERO, Rupees, rounded
from tarazu.domain.rebalancing.causes import Mode
from tarazu.follow_up import queries, response_queries
from tarazu.follow_up.errors import NoAdviceChosen, NothingLeft, TooManyChosen
from tarazu.follow_up.queries import BoardFilter
from tarazu.follow_up.responses import declined_places
from tarazu.follow_up.tables import AdviceExecution, LineExecution
from tarazu.kit.audit_log import Actor
from tarazu.model_portfolios import service as models
from tarazu.model_portfolios.errors import ModelRetired, NoSubscribers
from tarazu.model_portfolios.tables import Outside
from tarazu.people import service as people
from tarazu.people.tables import Status

MOST_CHOSEN: Final = 10_000
_NOT_LEFT: Final = frozenset(
    {LineStatus.DONE, LineStatus.OVER, LineStatus.SUPERSEDED, LineStatus.DECLINED}
)
_NO_MODEL: Final = "The client follows no model: draft the follow-up from the advice itself."
_RETIRED: Final = "The client's model is retired."
_NOT_ACTIVE: Final = "The client is not active."
_NOTHING_LEFT: Final = "Nothing is left of the advice."
_DECLINED: Final = "The client declined the advice."


@dataclass(frozen=True, slots=True)
class FollowUpRun:
    """A run of the book for some followers of one model."""

    id: uuid.UUID
    model_id: uuid.UUID
    model_name: str
    clients: int


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A chosen client whom no run computes, and why; `client_id` is the code."""

    user_id: uuid.UUID
    client_id: str
    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class FollowUpRuns:
    runs: Sequence[FollowUpRun]
    left_out: Sequence[LeftOut]


def rebalance_left(
    session: Session, advice_id: uuid.UUID, now: dt.datetime
) -> tuple[uuid.UUID, Package]:
    """The client of an advice, and the rebalance of what is left of it at the prices of now.

    Only the stocks of lines that are left get a target: the sealed one, or where the advice was
    to raise or to invest cash, the share that its trade was to reach. The Investment Value is the
    sealed one, moved by the prices of the stocks that the advice was to end with.

    Raises:
        AdviceNotFound, ClientNotFound: there is no such advice, or its client was deleted.
        AdviceNotSealed: it was not sent by this product.
        NothingLeft: every line is done, declined, or named by later advice; the message says which.
        UnfitRequest: nothing can be planned; the message says why.
    """
    sent, client = advice.recipient(session, advice_id)
    sealed, _ = advice.sealed_advice(session, advice_id)
    left = _left(session, advice_id)
    plan = sealed.rebalance
    by_isin = {row.stock.isin: row for row in sealed.rows}
    reaches_targets = plan.options.mode is Mode.FULL
    targets = {target.stock.isin: target.allocation for target in plan.targets}
    request = RebalanceRequest(
        client_id=client.id,
        target_investment_value=_investment_now(session, sealed.investment, plan),
        target_holdings=[
            TargetHolding(
                trading_symbol=row.stock.symbol,
                exchange=row.stock.exchange,
                instrument_token=row.stock.instrument_token,
                allocation_percentage=targets.get(isin) if reaches_targets else row.possible,
            )
            for isin, row in by_isin.items()
            if isin in left
        ]
        + [TargetHolding(trading_symbol=advice.CASH, allocation_percentage=plan.cash_target)],
    )
    return sent.client_id, advice.rebalance(session, request, now)


def _left(session: Session, advice_id: uuid.UUID) -> set[str]:
    """The ISINs of the lines of which something is left; all where nothing was matched yet.

    Never of those that later advice names: while trades are not read, their status is UNKNOWN. Nor
    of those that the client declined after a part of them was traded.

    Raises:
        NothingLeft: there are none; the message says why.
    """
    later = advice.isins_advised_later(session, advice_id)
    lines = queries.lines_of(session, [advice_id])[advice_id]
    if lines:
        open_lines = [line for line in lines if is_left(line)]
        if not open_lines:
            raise NothingLeft
        answers = response_queries.responses_of(session, advice_id)
        declined = declined_places(answers, [line.place for line in lines])
        isins = {line.isin for line in open_lines if line.place not in declined}
    else:
        isins = {row.isin for row in advice.sealed_rows(session, [advice_id])[advice_id]}
    if not isins:
        raise NothingLeft("The client declined what is left.")
    if isins <= later:
        raise NothingLeft("Later advice names the stocks that are left.")
    return isins - later


def is_left(line: LineExecution) -> bool:
    """Whether something of a line is left to be traded, as far as is known."""
    return line.status not in _NOT_LEFT and line.filled_quantity < line.advised_quantity


def _investment_now(session: Session, investment: Rupees, plan: Package) -> Rupees:
    """The Investment Value, moved by the prices of the shares that the plan was to end with."""
    now = {
        price.stock.isin: price.price
        for price in advice.price_of_stocks(session, [row.stock for row in plan.rows])
    }
    moved = sum(
        (
            row.new_quantity * (now[row.stock.isin] - row.last_price)
            for row in plan.rows
            if row.last_price is not None and row.stock.isin in now
        ),
        ZERO,
    )
    return rounded(max(investment + moved, Rupees(1)))


def chosen(
    session: Session, advice_ids: Sequence[uuid.UUID] | None, filters: BoardFilter | None
) -> list[AdviceExecution]:
    """The advice to follow up: these, or all that match a filter of the board.

    Raises:
        NoAdviceChosen: none is named, or none matches.
        AdviceNotFound: one of these is not followed.
        TooManyChosen: more match than can be followed up at once.
    """
    if filters is None:
        ids = set(advice_ids or ())
        executions = queries.executions_of(session, ids)
        if len(executions) < len(ids):
            raise AdviceNotFound
    else:
        everything = filters.model_copy(update={"page": 1, "limit": MOST_CHOSEN + 1})
        client_ids = None
        if filters.query.strip():
            client_ids = people.clients_matching(session, filters.query)
        listed = queries.page_of_board(session, everything, client_ids)
        executions = [row.execution for row in listed]
    if not executions:
        raise NoAdviceChosen
    if len(executions) > MOST_CHOSEN:
        raise TooManyChosen
    return executions


def begin_runs(
    session: Session, actor: Actor, executions: Sequence[AdviceExecution], now: dt.datetime
) -> FollowUpRuns:
    """Begin a run of the book for each model that clients of these advices follow.

    A run computes these clients alone. Clients of whose advice nothing is left, and those who
    follow no model, are left out and named.
    """
    reasons = _reasons(executions)
    open_ids = {row.client_id for row in executions} - reasons.keys()
    clients = people.clients_of(session, {row.client_id for row in executions})
    followed = models.models_followed(session, open_ids)
    by_model: dict[uuid.UUID, list[uuid.UUID]] = {}
    for client_id in sorted(open_ids & clients.keys()):
        if clients[client_id].status is not Status.ACTIVE:
            reasons[client_id] = _NOT_ACTIVE
        elif client_id not in followed:
            reasons[client_id] = _NO_MODEL
        else:
            by_model.setdefault(followed[client_id], []).append(client_id)
    runs = []
    for model_id, name in sorted(
        models.names_of_models(session).items(), key=lambda named: named[1]
    ):
        ids = by_model.get(model_id)
        if ids is None:
            continue
        request = RunRequest(model_id, None, None, Outside.KEEP, None, None, tuple(ids))
        try:
            run = book_runs.begin(session, actor, request, now)
        except (ModelRetired, NoSubscribers):
            reasons |= dict.fromkeys(ids, _RETIRED)
            continue
        runs.append(FollowUpRun(run.id, model_id, name, len(ids)))
    return FollowUpRuns(runs, _left_out(clients, reasons))


def _reasons(executions: Collection[AdviceExecution]) -> dict[uuid.UUID, str]:
    """Why clients are left out of whose advice nothing is to be followed up, by client."""
    reasons: dict[uuid.UUID, str] = {}
    is_open = {
        row.client_id
        for row in executions
        if row.state not in {AdviceState.ACTED, AdviceState.DECLINED}
    }
    for row in executions:
        if row.client_id not in is_open:
            is_declined = row.state is AdviceState.DECLINED
            reasons[row.client_id] = _DECLINED if is_declined else _NOTHING_LEFT
    return reasons


def _left_out(
    clients: Mapping[uuid.UUID, people.Client], reasons: Mapping[uuid.UUID, str]
) -> list[LeftOut]:
    left_out = [
        LeftOut(client_id, clients[client_id].code, clients[client_id].name, reason)
        for client_id, reason in reasons.items()
        if client_id in clients
    ]
    return sorted(left_out, key=lambda row: row.client_id)
