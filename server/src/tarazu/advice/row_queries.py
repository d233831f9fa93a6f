"""SQL statements of the narrow reads of sealed advice."""

import datetime as dt
import uuid
from collections.abc import Collection, Iterator, Sequence
from decimal import Decimal
from functools import cache
from typing import Any, Final, NamedTuple

from sqlalchemy import (
    BigInteger,
    BindParameter,
    Select,
    bindparam,
    case,
    func,
    select,
    type_coerce,
)
from sqlalchemy.orm import Session

from tarazu.advice.tables import Advice, AdviceLink, AdviceSeal, AdviceStock
from tarazu.domain.charges import Side
from tarazu.domain.money import from_units
from tarazu.kit.db import RepeatedId, read

_AT_ONCE = 500
_SIDES: Final = {side.value: side for side in Side}


class SentAdviceHead(NamedTuple):
    """An advice: whose it is, and when it was sent."""

    id: uuid.UUID
    client_id: uuid.UUID
    sent_at: dt.datetime


class SealedRow(NamedTuple):
    """A row of an advice: `quantity` shares to trade at the advised `price`."""

    place: int
    isin: str
    symbol: str
    exchange: str
    side: Side
    quantity: int
    price: Decimal
    instrument_token: int

    @property
    def is_traded(self) -> bool:
        """Whether it is to be traded: not a row that only says to hold."""
        return self.side is not Side.HOLD and self.quantity > 0


def sent_since(
    session: Session, client_ids: Collection[uuid.UUID], since: dt.datetime
) -> list[SentAdviceHead]:
    """The advice that was sent to these clients since then, in order of time."""
    ids, heads = list(client_ids), []
    for start in range(0, len(ids), _AT_ONCE):
        statement = (
            select(Advice.id, Advice.client_id, Advice.created_at)
            .where(Advice.client_id.in_(ids[start : start + _AT_ONCE]), Advice.created_at >= since)
            .order_by(Advice.created_at, Advice.id)
        )
        heads += [SentAdviceHead(*row) for row in session.execute(statement)]
    return heads


def rows_of(
    session: Session, advice_ids: Collection[uuid.UUID]
) -> dict[uuid.UUID, list[SealedRow]]:
    """The rows of these advices, those to hold included, in the order of the letter."""
    ids, rows = list(advice_ids), dict[uuid.UUID, list[SealedRow]]()
    for start in range(0, len(ids), _AT_ONCE):
        values = {"ids": ids[start : start + _AT_ONCE]}
        for row in read(session, _rows_of(), values).all():
            advice_id, place, isin, symbol, exchange, side, quantity, price, token = row
            sealed = SealedRow(
                place, isin, symbol, exchange, _SIDES[side], quantity, from_units(price), token
            )
            rows.setdefault(advice_id, []).append(sealed)
    return rows


@cache
def _rows_of() -> Select[*tuple[Any, ...]]:
    ids: BindParameter[uuid.UUID] = bindparam("ids", expanding=True)
    columns: Select[*tuple[Any, ...]] = select(
        type_coerce(AdviceStock.advice_id, RepeatedId()),
        AdviceStock.place,
        AdviceStock.isin,
        AdviceStock.symbol,
        AdviceStock.exchange,
        AdviceStock.type,
        AdviceStock.quantity,
        type_coerce(AdviceStock.last_price, BigInteger),
        AdviceStock.instrument_token,
    )
    return columns.where(AdviceStock.advice_id.in_(ids)).order_by(
        AdviceStock.advice_id, AdviceStock.place
    )


def packages_of(
    session: Session, advice_ids: Collection[uuid.UUID]
) -> Iterator[tuple[uuid.UUID, str]]:
    """The sealed texts of these advices, a few at a time."""
    ids = list(advice_ids)
    for start in range(0, len(ids), 50):
        statement = select(AdviceSeal.advice_id, AdviceSeal.package).where(
            AdviceSeal.advice_id.in_(ids[start : start + 50])
        )
        for row in session.execute(statement).all():
            yield row[0], row[1]


def opened_at(session: Session, advice_ids: Collection[uuid.UUID]) -> dict[uuid.UUID, dt.datetime]:
    """When each of these advices was first opened by a link; others are left out."""
    ids, opened = list(advice_ids), dict[uuid.UUID, dt.datetime]()
    for start in range(0, len(ids), _AT_ONCE):
        statement = (
            select(AdviceLink.advice_id, func.min(AdviceLink.opened_at))
            .where(
                AdviceLink.advice_id.in_(ids[start : start + _AT_ONCE]),
                AdviceLink.opened_at.is_not(None),
            )
            .group_by(AdviceLink.advice_id)
        )
        opened |= {row[0]: row[1] for row in session.execute(statement) if row[1] is not None}
    return opened


def clients_advised_on(session: Session, isins: Collection[str]) -> set[uuid.UUID]:
    """The clients with advice on one of these stocks, whenever it was sent."""
    names, clients = list(isins), set[uuid.UUID]()
    for start in range(0, len(names), _AT_ONCE):
        advices = select(AdviceStock.advice_id).where(
            AdviceStock.isin.in_(names[start : start + _AT_ONCE])
        )
        statement = select(Advice.client_id).where(Advice.id.in_(advices)).distinct()
        clients |= set(session.execute(statement).scalars())
    return clients


class CallLine(NamedTuple):
    """A row that says to buy or to sell: the target `weight` in percent, the advised `price`.

    `seal` is the number of its advice's seal, and `seal_hash` that seal's hash.
    """

    seal: int
    seal_hash: str
    place: int
    sent_at: dt.datetime
    isin: str
    exchange: str
    symbol: str
    side: str
    weight: Decimal
    price: Decimal
    valid_until: dt.date | None
    model: str
    model_number: int | None


class CallSum(NamedTuple):
    """What one dispatch said of one stock: shares to buy and to sell, over all its clients.

    `batch_id` is the run, or the advice where there was none; `lane_id` the model, or the client.
    """

    batch_id: uuid.UUID
    lane_id: uuid.UUID
    isin: str
    symbol: str
    exchange: str
    instrument_token: int
    sent_at: dt.datetime
    model: str
    bought: int
    sold: int
    clients: int


def call_lines(session: Session) -> Iterator[CallLine]:
    """Every row to be traded, in the order of the sealing."""
    statement = (
        select(
            AdviceSeal.seq,
            AdviceSeal.hash,
            AdviceStock.place,
            Advice.created_at,
            AdviceStock.isin,
            AdviceStock.exchange,
            AdviceStock.symbol,
            AdviceStock.type,
            AdviceStock.allocation,
            AdviceStock.last_price,
            Advice.valid_until,
            Advice.model_name,
            Advice.model_number,
        )
        .join(Advice, Advice.id == AdviceStock.advice_id)
        .join(AdviceSeal, AdviceSeal.advice_id == Advice.id)
        .where(*_TRADED)
        .order_by(AdviceSeal.seq, AdviceStock.place)
    )
    for row in session.execute(statement.execution_options(yield_per=2_000)):
        yield CallLine._make(row)


def call_sums(session: Session) -> list[CallSum]:
    """What each dispatch said of each stock, in order of time."""
    batch, lane = _batch(), func.coalesce(Advice.model_id, Advice.client_id)
    sent_at = func.min(Advice.created_at)
    statement = (
        select(
            type_coerce(batch, RepeatedId()),
            type_coerce(lane, RepeatedId()),
            AdviceStock.isin,
            func.min(AdviceStock.symbol),
            func.min(AdviceStock.exchange),
            func.min(AdviceStock.instrument_token),
            sent_at,
            func.max(Advice.model_name),
            func.sum(case((AdviceStock.type == Side.BUY.value, AdviceStock.quantity), else_=0)),
            func.sum(case((AdviceStock.type == Side.SELL.value, AdviceStock.quantity), else_=0)),
            func.count(),
        )
        .join(Advice, Advice.id == AdviceStock.advice_id)
        .where(*_TRADED)
        .group_by(batch, lane, AdviceStock.isin)
        .order_by(sent_at, batch, AdviceStock.isin)
    )
    return [
        CallSum._make((*row[:8], int(row[8]), int(row[9]), row[10]))
        for row in session.execute(statement)
    ]


def dispatched_tokens(
    session: Session, first: dt.datetime, last: dt.datetime
) -> list[tuple[uuid.UUID, dt.datetime, int]]:
    """Dispatch, when it began, and each share that it said to trade."""
    batch = _batch()
    began = func.min(Advice.created_at)
    statement = (
        select(type_coerce(batch, RepeatedId()), began, AdviceStock.instrument_token)
        .join(Advice, Advice.id == AdviceStock.advice_id)
        .where(Advice.created_at.between(first, last), *_TRADED)
        .group_by(batch, AdviceStock.instrument_token)
    )
    return [(row[0], row[1], row[2]) for row in session.execute(statement)]


def _batch() -> Any:
    return func.coalesce(Advice.run_id, Advice.id)


_TRADED: Final = (
    AdviceStock.type.in_((Side.BUY.value, Side.SELL.value)),
    AdviceStock.quantity > 0,
)


def sides_advised(session: Session, isins: Collection[str]) -> Sequence[Any]:
    """ISIN, side and time of all advice on these stocks, each once."""
    statement = (
        select(AdviceStock.isin, AdviceStock.type, Advice.created_at)
        .join(Advice, Advice.id == AdviceStock.advice_id)
        .where(AdviceStock.isin.in_(isins), AdviceStock.type.in_(("BUY", "SELL")))
        .distinct()
    )
    return session.execute(statement).all()
