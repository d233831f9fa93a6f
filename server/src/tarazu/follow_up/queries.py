"""SQL statements of the board: lists of advice and of stocks."""

import datetime as dt
import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, NamedTuple

from pydantic import Field
from sqlalchemy import BigInteger, ColumnElement, Select, case, func, select, type_coerce
from sqlalchemy.orm import Session

from tarazu.domain.execution.values import AdviceState, LineStatus
from tarazu.follow_up.tables import AdviceExecution, LineExecution, LineFill
from tarazu.kit.clock import start_of
from tarazu.kit.db import read
from tarazu.kit.fields import Day
from tarazu.kit.schemas import ListParams
from tarazu.orders.tables import Trade, TradeSource
from tarazu.people.tables import Person
from tarazu.teams.service import ALL_CLIENTS, VisibleClients

_ONE_DAY = dt.timedelta(days=1)
_AT_ONCE = 500


class BoardFilter(ListParams):
    """Advice on the board: of days in India, both included.

    `query` matches name, e-mail, contact number and code; `clientId` is the client's `_id`.
    `sort`: sentAt (newest first without one), name, modelName, state, windowEndsOn,
    followedPercentage, advisedValue, shortfall, shortfallBps, minutesToFirstFill.
    """

    state: AdviceState | None = None
    model: str = Field(default="", max_length=100)
    since: Day | None = Field(default=None, alias="from")
    until: Day | None = Field(default=None, alias="to")
    client_id: uuid.UUID | None = None
    is_over: bool | None = None
    with_lines: bool = False


class StockFilter(ListParams):
    """Stocks advised in these days, both included. `query` matches symbol and ISIN.

    `sort`: medianSlippageBps (highest first without one), p90SlippageBps, tradingSymbol, lines,
    acted, actedPercentage, advisedValue, daysOfVolume.
    """

    model: str = Field(default="", max_length=100)
    since: Day | None = Field(default=None, alias="from")
    until: Day | None = Field(default=None, alias="to")


_KEYS: Mapping[str, Any] = {
    "sentAt": AdviceExecution.sent_at,
    "name": func.lower(Person.name),
    "modelName": func.lower(AdviceExecution.model_name),
    "state": AdviceExecution.state,
    "windowEndsOn": AdviceExecution.window_ends_on,
    "followedPercentage": AdviceExecution.followed_percentage,
    "advisedValue": AdviceExecution.advised_value,
    "shortfall": AdviceExecution.shortfall,
    "shortfallBps": AdviceExecution.shortfall_bps,
    "minutesToFirstFill": AdviceExecution.minutes_to_first_fill,
}


class ListedExecution(NamedTuple):
    """An advice on the board, with its client's code and name."""

    execution: AdviceExecution
    code: str
    name: str


@dataclass(frozen=True, slots=True)
class StateSum:
    """The advice in one state: how many, and the rupees advised and filled at advised prices."""

    state: AdviceState
    count: int
    advised_value: Decimal
    filled_value: Decimal


def page_of_board(
    session: Session,
    filters: BoardFilter,
    client_ids: Collection[uuid.UUID] | None,
    visible: VisibleClients = ALL_CLIENTS,
) -> list[ListedExecution]:
    """One page of the advice to live clients; `client_ids` are those to choose from."""
    chosen = (
        select(AdviceExecution.advice_id)
        .join(Person, Person.id == AdviceExecution.client_id)
        .where(Person.deleted_at.is_(None), *_matching(filters, client_ids, visible))
        .order_by(*_order(filters.sort))
        .offset(filters.skipped)
        .limit(filters.limit)
    )
    if filters.state is not None:
        chosen = chosen.where(AdviceExecution.state == filters.state)
    # The page is chosen by ids alone: to sort whole rows takes several times as long.
    page = chosen.subquery()
    statement = (
        select(AdviceExecution, Person.client_code, Person.name)
        .join(page, page.c.advice_id == AdviceExecution.advice_id)
        .join(Person, Person.id == AdviceExecution.client_id)
        .order_by(*_order(filters.sort))
    )
    return [ListedExecution(row[0], row[1] or "", row[2]) for row in session.execute(statement)]


def _order(sort: str) -> list[Any]:
    """Newest first unless sorted; rows without the sorted figure last."""
    newest = [AdviceExecution.sent_at.desc(), AdviceExecution.advice_id.desc()]
    key = _KEYS.get(sort.removeprefix("-"))
    if key is None or sort == "-sentAt":
        return newest
    return [(key.desc() if sort.startswith("-") else key.asc()).nulls_last(), *newest]


def state_sums(
    session: Session,
    filters: BoardFilter,
    client_ids: Collection[uuid.UUID] | None,
    visible: VisibleClients = ALL_CLIENTS,
) -> list[StateSum]:
    """The sums by state of the advice that matches, whatever its state; empty ones are missing."""
    statement = (
        select(
            AdviceExecution.state,
            func.count(),
            func.sum(AdviceExecution.advised_value),
            func.sum(AdviceExecution.filled_value),
        )
        .join(Person, Person.id == AdviceExecution.client_id)
        .where(Person.deleted_at.is_(None), *_matching(filters, client_ids, visible))
        .group_by(AdviceExecution.state)
    )
    return [StateSum(*row) for row in session.execute(statement)]


def model_names(session: Session, visible: VisibleClients = ALL_CLIENTS) -> list[str]:
    """The models of all advice that is followed, by name."""
    statement = (
        select(AdviceExecution.model_name)
        .where(AdviceExecution.model_name != "", *visible.condition(AdviceExecution.client_id))
        .distinct()
        .order_by(AdviceExecution.model_name)
    )
    return list(session.execute(statement).scalars())


def _matching(
    filters: BoardFilter, client_ids: Collection[uuid.UUID] | None, visible: VisibleClients
) -> list[ColumnElement[bool]]:
    """All conditions but that on the state."""
    conditions = _sent_within(filters.since, filters.until, filters.model)
    conditions += visible.condition(AdviceExecution.client_id)
    if client_ids is not None:
        conditions.append(AdviceExecution.client_id.in_(client_ids))
    if filters.client_id is not None:
        conditions.append(AdviceExecution.client_id == filters.client_id)
    if filters.is_over is not None:
        conditions.append(AdviceExecution.is_over.is_(filters.is_over))
    return conditions


def _sent_within(
    since: dt.date | None, until: dt.date | None, model: str = ""
) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    if since is not None:
        conditions.append(AdviceExecution.sent_at >= start_of(since))
    if until is not None:
        conditions.append(AdviceExecution.sent_at < start_of(until + _ONE_DAY))
    if model:
        conditions.append(AdviceExecution.model_name == model)
    return conditions


def execution_by_id(session: Session, advice_id: uuid.UUID) -> AdviceExecution | None:
    return session.get(AdviceExecution, advice_id)


def executions_of(session: Session, advice_ids: Collection[uuid.UUID]) -> list[AdviceExecution]:
    """Those of these advices that are followed, in the order of the sending."""
    ids, rows = list(advice_ids), list[AdviceExecution]()
    for start in range(0, len(ids), _AT_ONCE):
        statement = select(AdviceExecution).where(
            AdviceExecution.advice_id.in_(ids[start : start + _AT_ONCE])
        )
        rows += session.execute(statement).scalars().all()
    return sorted(rows, key=lambda row: (row.sent_at, row.advice_id))


def lines_of(
    session: Session, advice_ids: Collection[uuid.UUID]
) -> dict[uuid.UUID, list[LineExecution]]:
    """The lines of these advices, each advice's in the order in which they were sent."""
    lines: dict[uuid.UUID, list[LineExecution]] = {advice_id: [] for advice_id in advice_ids}
    ids = list(lines)
    for start in range(0, len(ids), _AT_ONCE):
        statement = (
            select(LineExecution)
            .where(LineExecution.advice_id.in_(ids[start : start + _AT_ONCE]))
            .order_by(LineExecution.advice_id, LineExecution.place)
        )
        for line in session.execute(statement).scalars():
            lines[line.advice_id].append(line)
    return lines


class CountedFill(NamedTuple):
    """A trade, and how many of its shares count for a line."""

    place: int
    trade_id: str
    at: dt.datetime
    quantity: int
    price: Decimal | None
    source: TradeSource


def fills_of(session: Session, advice_id: uuid.UUID) -> list[CountedFill]:
    """The trades that count for the lines of an advice, in the order of time."""
    statement = (
        select(
            LineFill.place,
            Trade.trade_id,
            Trade.traded_at,
            LineFill.quantity,
            Trade.price,
            Trade.source,
        )
        .join(Trade, Trade.id == LineFill.trade_id)
        .where(LineFill.advice_id == advice_id)
        .order_by(LineFill.place, Trade.traded_at, Trade.trade_id)
    )
    return [CountedFill(*row) for row in session.execute(statement)]


def trades_by_id(session: Session, ids: Collection[uuid.UUID]) -> dict[uuid.UUID, Trade]:
    """These trades."""
    statement = select(Trade).where(Trade.id.in_(ids))
    return {trade.id: trade for trade in session.execute(statement).scalars()} if ids else {}


class StockSums(NamedTuple):
    """The lines of one stock: those whose clients' trades are known, and those with a fill.

    Values are in units (see `domain.money`).
    """

    isin: str
    symbol: str
    lines: int
    acted: int
    advised_value: int
    filled_value: int


def stock_sums(
    session: Session,
    filters: StockFilter,
    gone: Collection[uuid.UUID],
    visible: VisibleClients = ALL_CLIENTS,
) -> list[StockSums]:
    """The sums of every stock advised; without the advice to clients who are `gone`."""
    price = type_coerce(LineExecution.advised_price, BigInteger)
    statement = _of_stocks(
        select(
            LineExecution.isin,
            func.max(LineExecution.symbol),
            func.count(),
            func.sum(case((LineExecution.filled_quantity > 0, 1), else_=0)),
            func.sum(LineExecution.advised_quantity * price),
            func.sum(LineExecution.filled_quantity * price),
        ),
        filters,
        gone,
        visible,
    ).group_by(LineExecution.isin)
    return [
        StockSums(row[0], row[1], row[2], int(row[3]), int(row[4]), int(row[5]))
        for row in read(session, statement).all()
    ]


def slippages(
    session: Session,
    filters: StockFilter,
    gone: Collection[uuid.UUID],
    visible: VisibleClients = ALL_CLIENTS,
) -> dict[str, list[int]]:
    """By ISIN, the slippage of each line with fills in hundredths of a basis point, in no order."""
    points = type_coerce(LineExecution.slippage_bps, BigInteger)
    columns = select(LineExecution.isin, points)
    statement = _of_stocks(columns, filters, gone, visible).where(points.is_not(None))
    found: dict[str, list[int]] = {}
    for isin, slippage in read(session, statement).all():
        found.setdefault(isin, []).append(slippage)
    return found


class TradedShares(NamedTuple):
    """Shares of one stock traded for the advice whose windows end on one day."""

    isin: str
    window_ends_on: dt.date
    shares: int


def traded_shares(
    session: Session,
    filters: StockFilter,
    gone: Collection[uuid.UUID],
    visible: VisibleClients = ALL_CLIENTS,
) -> list[TradedShares]:
    """The shares that followed advice, by stock and by the last day of the windows."""
    columns = select(
        LineExecution.isin,
        AdviceExecution.window_ends_on,
        func.sum(LineExecution.filled_quantity),
    )
    statement = (
        _of_stocks(columns, filters, gone, visible, is_joined=True)
        .where(LineExecution.filled_quantity > 0)
        .group_by(LineExecution.isin, AdviceExecution.window_ends_on)
    )
    return [TradedShares(row[0], row[1], int(row[2])) for row in read(session, statement).all()]


def _of_stocks(
    statement: Select[*tuple[Any, ...]],
    filters: StockFilter,
    gone: Collection[uuid.UUID],
    visible: VisibleClients,
    *,
    is_joined: bool = False,
) -> Select[*tuple[Any, ...]]:
    """A statement over the known lines that match; with `is_joined`, over their advice too."""
    conditions = _sent_within(filters.since, filters.until, filters.model)
    conditions += visible.condition(AdviceExecution.client_id)
    if gone:
        conditions.append(AdviceExecution.client_id.not_in(gone))
    if conditions or is_joined:
        # Joined only where it is needed: there are many lines.
        joined = AdviceExecution.advice_id == LineExecution.advice_id
        statement = statement.join(AdviceExecution, joined).where(*conditions)
    return statement.where(LineExecution.status != LineStatus.UNKNOWN)


def states_of_day(
    session: Session, day: dt.date, visible: VisibleClients = ALL_CLIENTS
) -> Sequence[AdviceState]:
    """The state of each advice that was sent to a live client on a day."""
    statement = (
        select(AdviceExecution.state)
        .join(Person, Person.id == AdviceExecution.client_id)
        .where(
            Person.deleted_at.is_(None),
            *_sent_within(day, day),
            *visible.condition(AdviceExecution.client_id),
        )
    )
    return session.execute(statement).scalars().all()
