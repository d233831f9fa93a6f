"""Every SQL statement of runs over the book."""

import uuid
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Row, case, func, insert, select, update
from sqlalchemy.orm import Session, defer

from tarazu.book_runs.tables import BookRun, BookRunClient, BookRunState, ClientState, Tile
from tarazu.kit.schemas import ListParams

_SORTS = {
    "name": BookRunClient.search_text,
    "clientId": BookRunClient.code,
    "maxDrift": func.abs(BookRunClient.max_drift),
    "buyValue": BookRunClient.buy_value,
    "sellValue": BookRunClient.sell_value,
    "fundsToAdd": BookRunClient.funds_to_add,
    "trades": BookRunClient.trades,
}


class BookRunFilter(ListParams):
    """Which runs of the list."""

    model_id: uuid.UUID | None = None


class RunClientFilter(ListParams):
    """Which clients of a run."""

    tile: Tile | None = None
    state: ClientState | None = None
    included: bool | None = None


def run_by_id(session: Session, run_id: uuid.UUID, *, lock: bool = False) -> BookRun | None:
    statement = select(BookRun).where(BookRun.id == run_id)
    if lock:
        statement = statement.with_for_update()
    return session.execute(statement).scalar_one_or_none()


def runs(session: Session, filters: BookRunFilter) -> tuple[Sequence[BookRun], int]:
    """One page, newest first, and how many there are."""
    model_id = filters.model_id
    conditions = [] if model_id is None else [BookRun.model_id == model_id]
    statement = select(BookRun).where(*conditions).order_by(BookRun.id.desc())
    page = session.execute(statement.offset(filters.skipped).limit(filters.limit))
    count = select(func.count()).select_from(BookRun).where(*conditions)
    return page.scalars().all(), session.execute(count).scalar_one()


def is_any_sending(session: Session) -> bool:
    statement = select(BookRun.id).where(BookRun.state == BookRunState.SENDING)
    return session.execute(statement.limit(1)).first() is not None


def tile_sums(session: Session, run_id: uuid.UUID) -> Sequence[Row[Any]]:
    """By tile: the numbers of clients, included, and can be included; sums of all clients."""
    columns = BookRunClient
    statement = (
        select(
            columns.tile,
            func.count().label("clients"),
            func.sum(case((columns.is_included, 1), else_=0)).label("included"),
            func.sum(case((columns.can_be_included, 1), else_=0)).label("can_be_sent"),
            _sum(columns.investment).label("investment"),
            _sum(columns.buy_value).label("buys"),
            _sum(columns.sell_value).label("sells"),
        )
        .where(columns.run_id == run_id)
        .group_by(columns.tile)
    )
    return session.execute(statement).all()


def included_sums(session: Session, run_id: uuid.UUID) -> Row[Any]:
    """The number of included clients, and their sums of buys, sells, charges, trades and tax.

    `tax` is None where no client's is known; of `unknown_tax` clients it is not known.
    """
    columns = BookRunClient
    statement = select(
        func.count().label("included"),
        _sum(columns.buy_value).label("buys"),
        _sum(columns.sell_value).label("sells"),
        _sum(columns.charges).label("charges"),
        func.coalesce(func.sum(columns.trades), 0).label("trades"),
        func.sum(columns.tax, type_=columns.tax.type).label("tax"),
        func.sum(case((columns.tax.is_(None), 1), else_=0)).label("unknown_tax"),
    ).where(columns.run_id == run_id, columns.is_included)
    return session.execute(statement).one()


def _sum(column: Any) -> Any:
    # PostgreSQL sums bigints to a numeric: the column's own type turns it into rupees.
    return func.coalesce(func.sum(column), 0, type_=column.type)


def state_counts(session: Session, run_id: uuid.UUID) -> dict[ClientState, int]:
    statement = (
        select(BookRunClient.state, func.count())
        .where(BookRunClient.run_id == run_id)
        .group_by(BookRunClient.state)
    )
    return {row[0]: row[1] for row in session.execute(statement)}


def clients(
    session: Session, run_id: uuid.UUID, filters: RunClientFilter
) -> tuple[Sequence[BookRunClient], int]:
    """One page, without the plan records, and how many match."""
    conditions = _matching(run_id, filters)
    field = _SORTS.get(filters.sort.removeprefix("-"))
    order: list[Any] = []
    if field is not None:
        order.append(field.desc() if filters.sort.startswith("-") else field.asc())
    statement = (
        select(BookRunClient)
        .where(*conditions)
        .options(defer(BookRunClient.worked_out))
        .order_by(*order, BookRunClient.code)
        .offset(filters.skipped)
        .limit(filters.limit)
    )
    rows = session.execute(statement).scalars().all()
    count = select(func.count()).select_from(BookRunClient).where(*conditions)
    return rows, session.execute(count).scalar_one()


def _matching(run_id: uuid.UUID, filters: RunClientFilter) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = [BookRunClient.run_id == run_id]
    if filters.tile is not None:
        conditions.append(BookRunClient.tile == filters.tile)
    if filters.state is not None:
        conditions.append(BookRunClient.state == filters.state)
    if filters.included is not None:
        conditions.append(BookRunClient.is_included.is_(filters.included))
    text = filters.query.strip().lower()
    if text:
        conditions.append(BookRunClient.search_text.contains(text, autoescape=True))
    return conditions


def client_of(
    session: Session, run_id: uuid.UUID, client_id: uuid.UUID, *, lock: bool = False
) -> BookRunClient | None:
    statement = select(BookRunClient).where(
        BookRunClient.run_id == run_id, BookRunClient.client_id == client_id
    )
    if lock:
        statement = statement.with_for_update()
    return session.execute(statement).scalar_one_or_none()


def left_out_by_hand(session: Session, run_id: uuid.UUID) -> dict[uuid.UUID, str]:
    """The notes on clients excluded from a run by hand, by client."""
    statement = select(BookRunClient.client_id, BookRunClient.note).where(
        BookRunClient.run_id == run_id,
        BookRunClient.is_included.is_(False),
        BookRunClient.note != "",
    )
    return {row[0]: row[1] for row in session.execute(statement)}


def add_clients(session: Session, rows: Sequence[Mapping[str, object]]) -> None:
    if rows:
        session.execute(insert(BookRunClient), list(rows))


def choose_tile(
    session: Session, run_id: uuid.UUID, tile: Tile, note: str, *, is_included: bool
) -> int:
    """Include or exclude all of a tile that can be included. Returns how many changed."""
    statement = (
        update(BookRunClient)
        .where(
            BookRunClient.run_id == run_id,
            BookRunClient.tile == tile,
            BookRunClient.can_be_included,
            BookRunClient.is_included.is_(not is_included),
        )
        .values(is_included=is_included, note=note)
        .returning(BookRunClient.client_id)
    )
    return len(session.execute(statement).all())


def included(session: Session, run_id: uuid.UUID) -> Sequence[Row[uuid.UUID, str, str]]:
    """Id, code and plan record of the included clients, by code."""
    columns = BookRunClient
    statement = (
        select(columns.client_id, columns.code, columns.worked_out)
        .where(columns.run_id == run_id, columns.is_included, columns.can_be_included)
        .order_by(columns.code)
    )
    return session.execute(statement).all()


def queue_included(session: Session, run_id: uuid.UUID) -> int:
    """Queue the included clients. Returns how many."""
    statement = (
        update(BookRunClient)
        .where(
            BookRunClient.run_id == run_id,
            BookRunClient.is_included,
            BookRunClient.can_be_included,
            BookRunClient.state == ClientState.REVIEW,
        )
        .values(state=ClientState.QUEUED)
        .returning(BookRunClient.client_id)
    )
    return len(session.execute(statement).all())


def queued(session: Session, run_id: uuid.UUID, limit: int) -> Sequence[Row[uuid.UUID, str]]:
    """The next queued clients with their plan records, by code."""
    statement = (
        select(BookRunClient.client_id, BookRunClient.worked_out)
        .where(BookRunClient.run_id == run_id, BookRunClient.state == ClientState.QUEUED)
        .order_by(BookRunClient.code)
        .limit(limit)
    )
    return session.execute(statement).all()


def still_queued(
    session: Session, run_id: uuid.UUID, client_ids: Collection[uuid.UUID]
) -> set[uuid.UUID]:
    """Those of these clients that are still queued, locked until the transaction ends."""
    statement = (
        select(BookRunClient.client_id)
        .where(
            BookRunClient.run_id == run_id,
            BookRunClient.client_id.in_(client_ids),
            BookRunClient.state == ClientState.QUEUED,
        )
        .with_for_update()
    )
    return set(session.execute(statement).scalars())


def finish_clients(
    session: Session, run_id: uuid.UUID, outcomes: Sequence[Mapping[str, object]]
) -> None:
    """Save the outcome of clients: `client_id`, `state`, `error`, `advice_id`, `sent_at`."""
    rows = [{"run_id": run_id, **outcome} for outcome in outcomes]
    if rows:
        session.execute(update(BookRunClient), rows)


def end_queued(session: Session, run_id: uuid.UUID, state: ClientState, error: str) -> int:
    """End all that are still queued. Returns how many."""
    statement = (
        update(BookRunClient)
        .where(BookRunClient.run_id == run_id, BookRunClient.state == ClientState.QUEUED)
        .values(state=state, error=error)
        .returning(BookRunClient.client_id)
    )
    return len(session.execute(statement).all())
