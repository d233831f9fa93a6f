"""SQL statements of the matching: what was computed of a client's advice, and its windows."""

import datetime as dt
import json
import uuid
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import bindparam, delete, select, update
from sqlalchemy.orm import Session

from tarazu.advice.tables import AdviceStock
from tarazu.domain.execution.values import AdviceState
from tarazu.follow_up.tables import (
    AdviceExecution,
    AdviceResponse,
    Answer,
    LineExecution,
    LineFill,
    MatchedInputs,
)
from tarazu.kit.clock import start_of
from tarazu.kit.db import add_rows, add_stored_rows, insert_into, put_stored_rows, rows_as_json

_AT_ONCE = 500
_CONSTANT = frozenset({"client_id", "sent_at", "window_ends_on", "model_name"})
"""Columns of an advice that never change once it was computed."""


class KnownExecution(NamedTuple):
    """What is stored of an advice and decides whether it is written again."""

    advice_id: uuid.UUID
    window_ends_on: dt.date
    model_name: str
    state: AdviceState
    fingerprint: str


class LineRow(NamedTuple):
    """A row of `LineExecution`, as it is stored."""

    advice_id: str
    place: int
    isin: str
    symbol: str
    exchange: str
    side: str
    advised_quantity: int
    advised_price: int
    filled_quantity: int
    average_price: int | None
    beyond: int
    status: str
    status_text: str
    shortfall: int | None
    shortfall_bps: int | None
    slippage_bps: int | None


_COMPUTED = LineRow._fields[LineRow._fields.index("advised_quantity") :]
"""What is computed of a line; the columns before are sealed."""


class FillRow(NamedTuple):
    """A row of `LineFill`, as it is stored."""

    advice_id: str
    place: int
    trade_id: str
    quantity: int


def known_executions(
    session: Session, client_ids: Collection[uuid.UUID]
) -> dict[uuid.UUID, KnownExecution]:
    """What is stored of the advice of these clients, by advice."""
    ids, known = list(client_ids), dict[uuid.UUID, KnownExecution]()
    for start in range(0, len(ids), _AT_ONCE):
        statement = select(
            AdviceExecution.advice_id,
            AdviceExecution.window_ends_on,
            AdviceExecution.model_name,
            AdviceExecution.state,
            AdviceExecution.fingerprint,
        ).where(AdviceExecution.client_id.in_(ids[start : start + _AT_ONCE]))
        known |= {row[0]: KnownExecution(*row) for row in session.execute(statement)}
    return known


def statuses_of(
    session: Session, advice_ids: Collection[uuid.UUID]
) -> dict[uuid.UUID, dict[int, str]]:
    """The status of each line of these advices, by advice and place."""
    ids, statuses = list(advice_ids), dict[uuid.UUID, dict[int, str]]()
    columns = (LineExecution.place, LineExecution.status)
    for start in range(0, len(ids), _AT_ONCE):
        statement = (
            select(LineExecution.advice_id, rows_as_json(session, columns))
            .where(LineExecution.advice_id.in_(ids[start : start + _AT_ONCE]))
            .group_by(LineExecution.advice_id)
        )
        statuses |= {row[0]: dict(json.loads(row[1])) for row in session.execute(statement)}
    return statuses


def refusals_of(
    session: Session, client_ids: Collection[uuid.UUID]
) -> dict[uuid.UUID, list[AdviceResponse]]:
    """What these clients declined or took back, in order of time, by advice."""
    ids, answers = list(client_ids), dict[uuid.UUID, list[AdviceResponse]]()
    for start in range(0, len(ids), _AT_ONCE):
        statement = (
            select(AdviceResponse)
            .where(
                AdviceResponse.client_id.in_(ids[start : start + _AT_ONCE]),
                AdviceResponse.answer.in_((Answer.DECLINED, Answer.WITHDRAWN)),
            )
            .order_by(AdviceResponse.answered_at, AdviceResponse.id)
        )
        for row in session.execute(statement).scalars():
            answers.setdefault(row.advice_id, []).append(row)
    return answers


def matched_inputs(session: Session, client_ids: Collection[uuid.UUID]) -> dict[uuid.UUID, str]:
    """The fingerprint of what the advice of each of these clients was last computed from."""
    ids, known = list(client_ids), dict[uuid.UUID, str]()
    for start in range(0, len(ids), _AT_ONCE):
        statement = select(MatchedInputs.client_id, MatchedInputs.fingerprint).where(
            MatchedInputs.client_id.in_(ids[start : start + _AT_ONCE])
        )
        known |= {row[0]: row[1] for row in session.execute(statement)}
    return known


def keep_matched_inputs(session: Session, fingerprints: Mapping[uuid.UUID, str]) -> None:
    """Store what the advice of these clients was computed from."""
    if not fingerprints:
        return
    statement = insert_into(session, MatchedInputs)
    statement = statement.on_conflict_do_update(
        index_elements=[MatchedInputs.client_id],
        set_={"fingerprint": statement.excluded.fingerprint},
    )
    rows = [{"client_id": key, "fingerprint": fingerprints[key]} for key in sorted(fingerprints)]
    session.execute(statement, rows)


def write_executions(
    session: Session, new: Sequence[Mapping[str, Any]], changed: Sequence[Mapping[str, Any]]
) -> None:
    """Store what became of advice, without its lines."""
    add_rows(session, AdviceExecution, new)
    if changed:
        rows = [{name: row[name] for name in row if name not in _CONSTANT} for row in changed]
        session.execute(update(AdviceExecution), rows)


def write_lines(session: Session, new: Sequence[LineRow], changed: Sequence[LineRow]) -> None:
    """Store the lines of advice that is new, or changed; which lines there are never changes."""
    add_stored_rows(session, LineExecution, LineRow._fields, new)
    put_stored_rows(session, LineExecution, LineRow._fields, changed, _COMPUTED)


def replace_fills(session: Session, changed: Sequence[uuid.UUID], fills: Sequence[FillRow]) -> None:
    """Store the trades that count for the lines of advice; of those stored, only what differs.

    Args:
        changed: advice whose stored trades these replace.
    """
    stored = _stored_fills(session, changed)
    gone = stored.difference(fills)
    if gone:
        statement = delete(LineFill).where(
            LineFill.advice_id == bindparam("in_advice"),
            LineFill.place == bindparam("at_place"),
            LineFill.trade_id == bindparam("of_trade"),
        )
        rows = [
            {
                "in_advice": uuid.UUID(advice_id),
                "at_place": place,
                "of_trade": uuid.UUID(trade_id),
            }
            for advice_id, place, trade_id, _ in gone
        ]
        session.connection().execute(statement, rows)
    added = [fill for fill in fills if fill not in stored] if stored else fills
    add_stored_rows(session, LineFill, FillRow._fields, added)


def _stored_fills(session: Session, advice_ids: Sequence[uuid.UUID]) -> set[FillRow]:
    columns = (LineFill.place, LineFill.trade_id, LineFill.quantity)
    stored: set[FillRow] = set()
    for start in range(0, len(advice_ids), _AT_ONCE):
        statement = (
            select(LineFill.advice_id, rows_as_json(session, columns))
            .where(LineFill.advice_id.in_(advice_ids[start : start + _AT_ONCE]))
            .group_by(LineFill.advice_id)
        )
        for advice_id, rows in session.execute(statement):
            stored.update(
                FillRow(advice_id.hex, place, trade_id.replace("-", ""), quantity)
                for place, trade_id, quantity in json.loads(rows)
            )
    return stored


def clients_with_ended_windows(session: Session, last_over: dt.date) -> list[uuid.UUID]:
    """Clients with advice whose window ended on or before this day and is not noted as over."""
    statement = (
        select(AdviceExecution.client_id)
        .where(AdviceExecution.is_over.is_(False), AdviceExecution.window_ends_on <= last_over)
        .distinct()
    )
    return list(session.execute(statement).scalars())


def has_ended_windows(session: Session, last_over: dt.date) -> bool:
    """Whether there is any such advice."""
    statement = (
        select(AdviceExecution.advice_id)
        .where(AdviceExecution.is_over.is_(False), AdviceExecution.window_ends_on <= last_over)
        .limit(1)
    )
    return session.execute(statement).first() is not None


def clients_advised_on(
    session: Session, isins: Collection[str], days: tuple[dt.date, dt.date], since: dt.datetime
) -> set[uuid.UUID]:
    """Clients with orders advised in these shares, whose window has one of these days.

    Args:
        days: the first and the last, both included.
        since: earlier advice is left out.
    """
    ids, clients, (first, last) = list(isins), set[uuid.UUID](), days
    for start in range(0, len(ids), _AT_ONCE):
        statement = (
            select(AdviceExecution.client_id)
            .join(LineExecution, LineExecution.advice_id == AdviceExecution.advice_id)
            .where(
                AdviceExecution.window_ends_on >= first,
                AdviceExecution.sent_at >= since,
                AdviceExecution.sent_at < start_of(last + dt.timedelta(days=1)),
                LineExecution.isin.in_(ids[start : start + _AT_ONCE]),
            )
            .distinct()
        )
        clients |= set(session.execute(statement).scalars())
    return clients


def followed_tokens(session: Session, today: dt.date) -> set[int]:
    """The instrument tokens of advice whose window is open, or ended today."""
    statement = (
        select(AdviceStock.instrument_token)
        .join(AdviceExecution, AdviceExecution.advice_id == AdviceStock.advice_id)
        .where(AdviceExecution.window_ends_on >= today)
        .distinct()
    )
    return set(session.execute(statement).scalars())
