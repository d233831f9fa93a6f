"""The board: what became of each advice, of each stock over the firm, and of one day's advice."""

import datetime as dt
import uuid
from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import chain
from typing import Final

from sqlalchemy.orm import Session

from tarazu.advice import service as advice
from tarazu.domain.calendar import previous_business_day
from tarazu.domain.execution.values import AdviceState
from tarazu.domain.money import HUNDRED, ZERO, Percent, Rupees, from_points, from_units, rounded
from tarazu.firm import service as firm
from tarazu.follow_up import queries, response_queries
from tarazu.follow_up.draft_notes import FollowUpNote, notes_of
from tarazu.follow_up.queries import (
    BoardFilter,
    ListedExecution,
    StateSum,
    StockFilter,
    StockSums,
)
from tarazu.follow_up.tables import AdviceExecution, AdviceResponse, Answer, LineExecution
from tarazu.follow_up.volumes import most_days_of_volume
from tarazu.kit import table_versions
from tarazu.kit.clock import day_in_india
from tarazu.kit.db import part_of
from tarazu.people import service as people
from tarazu.people.tables import Person
from tarazu.prices.tables import PriceFile
from tarazu.teams.service import ALL_CLIENTS, VisibleClients

MOST_KEPT: Final = 50
"""Filters whose sums a process keeps until the data change."""
ACTED: Final = frozenset({AdviceState.ACTED, AdviceState.PART})


@dataclass(frozen=True, slots=True)
class Shortfall:
    """The implementation shortfall of an advice, in rupees and basis points of its value."""

    amount: Rupees
    bps: Decimal | None
    price: Rupees | None
    not_traded: Rupees | None
    charges: Rupees | None


@dataclass(frozen=True, slots=True)
class BoardRow:
    """One advice of the board; `user_id` is the client's id and `client_id` the code."""

    id: uuid.UUID
    user_id: uuid.UUID
    client_id: str
    name: str
    model_name: str
    sent_at: dt.datetime
    window_ends_on: dt.date
    is_over: bool
    state: AdviceState
    followed_percentage: Percent | None
    advised_value: Rupees
    filled_value: Rupees
    shortfall: Shortfall | None
    minutes_to_first_fill: int | None
    minutes_to_ninety: int | None
    read_at: dt.datetime | None
    acknowledged_at: dt.datetime | None
    reminders: int
    open_questions: int
    follow_up: FollowUpNote | None
    lines: list[LineExecution] | None


@dataclass(frozen=True, slots=True)
class Board:
    """One page of the board; `total` is how many match, `models` those to filter by."""

    rows: list[BoardRow]
    total: int
    tiles: list[StateSum]
    models: list[str]


@dataclass(frozen=True, slots=True)
class StockExecution:
    """How the advice on one stock was carried out; slippage in basis points, above 0 a cost.

    `days_of_volume`: what clients traded for advice whose windows end on one day, divided by the
    stock's average daily volume of the last 20 known days up to then; of all such days the most.
    None where nothing was traded, or too few volumes are known.
    """

    isin: str
    symbol: str
    lines: int
    acted: int
    acted_percentage: Percent | None
    median_slippage_bps: Decimal | None
    p90_slippage_bps: Decimal | None
    advised_value: Rupees
    filled_value: Rupees
    days_of_volume: Decimal | None


@dataclass(frozen=True, slots=True)
class DayOfAdvice:
    """The advice that was sent on one day, and of how much of it anything was carried out.

    `open_questions` are those of all clients that await a reply now.
    """

    day: dt.date
    sent: int
    acted: int
    median_slippage_bps: Decimal | None
    open_questions: int


@dataclass(slots=True)
class _Sums:
    """Sums by what they are of; valid for the versions of the tables that they were read with."""

    versions: tuple[int, ...] = ()
    by_name: dict[Hashable, object] = field(default_factory=dict)


def board(session: Session, filters: BoardFilter, visible: VisibleClients = ALL_CLIENTS) -> Board:
    """One page of the advice that is followed, with a tile for every state."""
    is_search = bool(filters.query.strip())
    client_ids = people.clients_matching(session, filters.query) if is_search else None
    # What is kept is of all clients.
    sums = _sums_of(session) if visible.is_all else _Sums()
    tiles = _tiles(session, filters, client_ids, sums, visible)
    models = sums.by_name.get("models")
    if not isinstance(models, list):
        models = sums.by_name["models"] = queries.model_names(session, visible)
    listed = queries.page_of_board(session, filters, client_ids, visible)
    total = sum(tile.count for tile in tiles if filters.state in {None, tile.state})
    return Board(_rows(session, listed, has_lines=filters.with_lines), total, tiles, models)


def _sums_of(session: Session) -> _Sums:
    """The sums that are still valid."""
    # Read before the rows are: they may be newer than the numbers, never older.
    numbers = table_versions.numbers(session)
    tables = (AdviceExecution, Person, PriceFile)
    versions = tuple(numbers.get(table.__tablename__, 0) for table in tables)
    sums = part_of(session, _Sums)
    if sums.versions != versions or len(sums.by_name) > MOST_KEPT:
        sums.by_name, sums.versions = {}, versions
    return sums


def _tiles(
    session: Session,
    filters: BoardFilter,
    client_ids: Collection[uuid.UUID] | None,
    sums: _Sums,
    visible: VisibleClients,
) -> list[StateSum]:
    name = (filters.model, filters.since, filters.until, filters.client_id, filters.is_over)
    tiles = sums.by_name.get(name) if client_ids is None else None
    if isinstance(tiles, list):
        return tiles
    by_state = {row.state: row for row in queries.state_sums(session, filters, client_ids, visible)}
    made = [by_state.get(state) or StateSum(state, 0, ZERO, ZERO) for state in AdviceState]
    if client_ids is None:
        sums.by_name[name] = made
    return made


def _rows(
    session: Session, listed: Sequence[ListedExecution], *, has_lines: bool
) -> list[BoardRow]:
    ids = [row.execution.advice_id for row in listed]
    read_at = advice.opened_at(session, ids)
    answers = response_queries.responses_to(session, ids)
    reminders = response_queries.reminders_of(session, ids)
    notes = notes_of(session, ids)
    lines = queries.lines_of(session, ids) if has_lines else {}
    return [
        BoardRow(
            id=row.execution.advice_id,
            user_id=row.execution.client_id,
            client_id=row.code,
            name=row.name,
            model_name=row.execution.model_name,
            sent_at=row.execution.sent_at,
            window_ends_on=row.execution.window_ends_on,
            is_over=row.execution.is_over,
            state=row.execution.state,
            followed_percentage=row.execution.followed_percentage,
            advised_value=row.execution.advised_value,
            filled_value=row.execution.filled_value,
            shortfall=shortfall_of(row.execution),
            minutes_to_first_fill=row.execution.minutes_to_first_fill,
            minutes_to_ninety=row.execution.minutes_to_ninety,
            read_at=read_at.get(row.execution.advice_id),
            acknowledged_at=acknowledged_at(answers.get(row.execution.advice_id, ())),
            reminders=len(reminders.get(row.execution.advice_id, ())),
            open_questions=sum(
                answer.answer is Answer.QUESTION and answer.replied_at is None
                for answer in answers.get(row.execution.advice_id, ())
            ),
            follow_up=notes.get(row.execution.advice_id),
            lines=lines.get(row.execution.advice_id) if has_lines else None,
        )
        for row in listed
    ]


def shortfall_of(execution: AdviceExecution) -> Shortfall | None:
    """The shortfall of an advice; None while it is not known."""
    if execution.shortfall is None:
        return None
    return Shortfall(
        execution.shortfall,
        execution.shortfall_bps,
        execution.shortfall_price,
        execution.shortfall_not_traded,
        execution.shortfall_charges,
    )


def acknowledged_at(answers: Sequence[AdviceResponse]) -> dt.datetime | None:
    """When the client first said that the advice was read; None while nothing was said."""
    return min((row.answered_at for row in answers if row.answer is Answer.READ), default=None)


def stocks(
    session: Session, filters: StockFilter, visible: VisibleClients = ALL_CLIENTS
) -> tuple[list[StockExecution], int]:
    """One page of the stocks that were advised, and how many match."""
    sums = _sums_of(session) if visible.is_all else _Sums()
    name = ("stocks", filters.model, filters.since, filters.until)
    rows = sums.by_name.get(name)
    if not isinstance(rows, list):
        rows = sums.by_name[name] = _stocks(session, filters, visible)
    text = filters.query.strip().casefold()
    matching = [row for row in rows if text in row.symbol.casefold() or text in row.isin.casefold()]
    ordered = _ordered(matching, filters.sort)
    return ordered[filters.skipped : filters.skipped + filters.limit], len(matching)


def _stocks(
    session: Session, filters: StockFilter, visible: VisibleClients
) -> list[StockExecution]:
    """Every stock, by symbol."""
    gone = people.client_index(session).gone
    slippages = queries.slippages(session, filters, gone, visible)
    sums = queries.stock_sums(session, filters, gone, visible)
    traded = queries.traded_shares(session, filters, gone, visible)
    days = most_days_of_volume(session, traded)
    rows = [_stock(row, sorted(slippages.get(row.isin, ())), days.get(row.isin)) for row in sums]
    return sorted(rows, key=lambda row: row.symbol)


def _stock(row: StockSums, slippages: Sequence[int], days: Decimal | None) -> StockExecution:
    """One stock; `slippages` in rising order."""
    return StockExecution(
        isin=row.isin,
        symbol=row.symbol,
        lines=row.lines,
        acted=row.acted,
        acted_percentage=rounded(row.acted * HUNDRED / row.lines) if row.lines else None,
        median_slippage_bps=_median_of(slippages),
        p90_slippage_bps=_ninth_decile_of(slippages),
        advised_value=from_units(row.advised_value),
        filled_value=from_units(row.filled_value),
        days_of_volume=days,
    )


_STOCK_KEYS: Final = {
    "medianSlippageBps": "median_slippage_bps",
    "p90SlippageBps": "p90_slippage_bps",
    "tradingSymbol": "symbol",
    "lines": "lines",
    "acted": "acted",
    "actedPercentage": "acted_percentage",
    "advisedValue": "advised_value",
    "daysOfVolume": "days_of_volume",
}


def _ordered(rows: Sequence[StockExecution], sort: str) -> list[StockExecution]:
    """By the highest median unless sorted; rows without the figure last, by symbol."""
    name = _STOCK_KEYS.get(sort.removeprefix("-"))
    if name is None:
        name, sort = "median_slippage_bps", "-"
    known = [row for row in rows if getattr(row, name) is not None]
    unknown = [row for row in rows if getattr(row, name) is None]
    known.sort(key=lambda row: getattr(row, name), reverse=sort.startswith("-"))
    return [*known, *unknown]


def _median_of(ordered: Sequence[int]) -> Decimal | None:
    """The median of hundredths in rising order, with two decimals; None without any."""
    if not ordered:
        return None
    middle = len(ordered) // 2
    if len(ordered) % 2:
        return from_points(ordered[middle])
    return rounded((from_points(ordered[middle - 1]) + from_points(ordered[middle])) / 2)


def _ninth_decile_of(ordered: Sequence[int]) -> Decimal | None:
    """The least figure that nine in ten do not exceed (nearest rank); None without any."""
    return from_points(ordered[-(-9 * len(ordered) // 10) - 1]) if ordered else None


def last_day(
    session: Session, now: dt.datetime, visible: VisibleClients = ALL_CLIENTS
) -> DayOfAdvice:
    """The advice of the last business day before today."""
    day = previous_business_day(day_in_india(now), firm.holidays(session))
    states = queries.states_of_day(session, day, visible)
    of_day = StockFilter.model_validate({"from": day, "to": day})
    gone = people.client_index(session).gone
    by_stock = queries.slippages(session, of_day, gone, visible)
    slippages = sorted(chain.from_iterable(by_stock.values()))
    return DayOfAdvice(
        day,
        len(states),
        sum(state in ACTED for state in states),
        _median_of(slippages),
        response_queries.count_open_questions(session, visible),
    )
