"""Every SQL statement of rebalances and advice."""

import datetime as dt
import uuid
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import (
    BigInteger,
    BindParameter,
    ColumnElement,
    Select,
    bindparam,
    delete,
    func,
    select,
    type_coerce,
)
from sqlalchemy.orm import Session, defer

from tarazu.advice.tables import (
    Advice,
    AdviceLetter,
    AdviceSeal,
    AdviceStock,
    LetterDue,
    Rebalance,
)
from tarazu.kit.db import PercentColumn, RepeatedId, RupeesColumn, Table, add_rows, read
from tarazu.kit.mail import Delivery, Mail
from tarazu.people.tables import Person
from tarazu.teams.service import ALL_CLIENTS, VisibleClients

_AT_ONCE = 5_000
_LINKS_AT_ONCE = 500


class Period(NamedTuple):
    """From `since` on and before `until`; None leaves an end open."""

    since: dt.datetime | None = None
    until: dt.datetime | None = None


def rebalance_to_send(session: Session, rebalance_id: uuid.UUID, *, lock: bool) -> Rebalance | None:
    """The rebalance; with `lock` locked until the transaction ends, so that it is sent once."""
    statement = select(Rebalance).where(Rebalance.id == rebalance_id)
    if lock:
        statement = statement.with_for_update()
    return session.execute(statement).scalar_one_or_none()


def is_sent(session: Session, rebalance_id: uuid.UUID) -> bool:
    statement = select(Advice.id).where(Advice.rebalance_id == rebalance_id)
    return session.execute(statement).first() is not None


def delete_rebalances_before(session: Session, oldest: dt.datetime) -> int:
    """How many were dropped."""
    statement = delete(Rebalance).where(Rebalance.priced_at < oldest).returning(Rebalance.id)
    return len(session.execute(statement).all())


class SentHead(NamedTuple):
    """An advice in the history; amounts in units (see `domain.money`)."""

    id: uuid.UUID
    created_at: dt.datetime
    total_stocks: int
    total_invested_value: int
    total_buy_value: int
    total_sell_value: int
    rationale: str
    mail_id: uuid.UUID | None


class SentLine(NamedTuple):
    """A stock of an advice in the history; amounts in units, percents in basis points."""

    advice_id: uuid.UUID
    type: str
    symbol: str
    exchange: str
    product: str
    isin: str
    instrument_token: int
    quantity: int
    allocation: int
    possible_allocation: int
    drift: int
    message: str
    note: str
    last_price: int
    current_value: int
    additional_value: int
    freed_value: int
    projected_value: int

    @property
    def shown(self) -> tuple[Any, ...]:
        """All but the advice's id: the fields of `StockOfAdvice`, in their order."""
        return self[1:]


def _as_kept(table: type[Table], names: Iterable[str]) -> list[Any]:
    """Columns of these names; money and percents as the whole numbers that are kept."""
    columns = [table.__table__.c[name] for name in names]
    integer_types = (RupeesColumn, PercentColumn)
    return [
        type_coerce(column, BigInteger) if isinstance(column.type, integer_types) else column
        for column in columns
    ]


def advices_of(
    session: Session, client_id: uuid.UUID, period: Period, skipped: int, limit: int
) -> list[SentHead]:
    """Newest first."""
    statement = _advices_of(period.since is not None, period.until is not None)
    values = period._asdict() | {"client_id": client_id, "skipped": skipped, "limit": limit}
    return [SentHead._make(row) for row in read(session, statement, values).all()]


@cache
def _advices_of(*ends: bool) -> Select[Any]:
    return (
        select(*_as_kept(Advice, SentHead._fields))
        .where(*_sent_to(*ends))
        .order_by(Advice.created_at.desc(), Advice.id.desc())
        .offset(bindparam("skipped"))
        .limit(bindparam("limit"))
    )


def count_advices_of(session: Session, client_id: uuid.UUID, period: Period) -> int:
    statement = _count_advices_of(period.since is not None, period.until is not None)
    counted = read(session, statement, period._asdict() | {"client_id": client_id})
    return counted.scalar_one()  # type: ignore[no-any-return]


@cache
def _count_advices_of(*ends: bool) -> Select[int]:
    return select(func.count()).select_from(Advice).where(*_sent_to(*ends))


def lines_of(session: Session, advice_ids: Sequence[uuid.UUID]) -> list[SentLine]:
    """The stocks of all these advices, each advice's in the order in which they were sent."""
    if not advice_ids:
        return []
    return [SentLine._make(row) for row in read(session, _lines_of(), {"ids": advice_ids}).all()]


@cache
def _lines_of() -> Select[Any]:
    ids: BindParameter[uuid.UUID] = bindparam("ids", expanding=True)
    columns = _as_kept(AdviceStock, SentLine._fields[1:])
    return (
        select(type_coerce(AdviceStock.advice_id, RepeatedId()), *columns)
        .where(AdviceStock.advice_id.in_(ids))
        .order_by(AdviceStock.advice_id, AdviceStock.place)
    )


def stocks_of(session: Session, advice_id: uuid.UUID) -> Sequence[AdviceStock]:
    """The rows of an advice, in the order in which they were sent."""
    statement = (
        select(AdviceStock).where(AdviceStock.advice_id == advice_id).order_by(AdviceStock.place)
    )
    return session.execute(statement).scalars().all()


def isins_advised(
    session: Session, since: dt.datetime, visible: VisibleClients = ALL_CLIENTS
) -> set[str]:
    """The stocks of all advice that was sent since then."""
    statement = (
        select(AdviceStock.isin)
        .join(Advice, Advice.id == AdviceStock.advice_id)
        .where(Advice.created_at >= since, *visible.condition(Advice.client_id))
        .distinct()
    )
    return set(session.execute(statement).scalars())


def advices_by_ids(session: Session, advice_ids: Collection[uuid.UUID]) -> Sequence[Advice]:
    """These advices, in the order of their ids."""
    statement = select(Advice).where(Advice.id.in_(advice_ids)).order_by(Advice.id)
    return session.execute(statement).scalars().all()


def advice_by_id(session: Session, advice_id: uuid.UUID) -> Advice | None:
    return session.get(Advice, advice_id)


def _sent_to(has_since: bool, has_until: bool) -> list[ColumnElement[bool]]:
    sent = [Advice.client_id == bindparam("client_id")]
    sent += [Advice.created_at >= bindparam("since")] if has_since else []
    sent += [Advice.created_at < bindparam("until")] if has_until else []
    return sent


class Undelivered(NamedTuple):
    """An advice whose mail was given up, and why."""

    id: uuid.UUID
    sent_at: dt.datetime
    client_id: uuid.UUID
    client_code: str
    client_name: str
    failed_at: dt.datetime
    error: str


def undelivered(
    session: Session, skipped: int, limit: int, visible: VisibleClients = ALL_CLIENTS
) -> list[Undelivered]:
    """One page of the advices to live clients whose mail was given up, the last failure first."""
    statement = (
        select(
            Advice.id,
            Advice.created_at,
            Person.id,
            Person.client_code,
            Person.name,
            Mail.finished_at,
            Mail.error,
        )
        .where(*_UNDELIVERED, *visible.condition(Advice.client_id))
        .order_by(Mail.finished_at.desc(), Advice.id.desc())
        .offset(skipped)
        .limit(limit)
    )
    return [Undelivered._make(row) for row in session.execute(statement)]


def has_advice(session: Session) -> bool:
    """Whether any advice was ever sent."""
    return session.execute(select(Advice.id).limit(1)).first() is not None


def count_undelivered(session: Session, visible: VisibleClients = ALL_CLIENTS) -> int:
    statement = _count_undelivered().where(*visible.condition(Advice.client_id))
    return read(session, statement, {}).scalar_one()  # type: ignore[no-any-return]


@cache
def _count_undelivered() -> Select[int]:
    return select(func.count()).select_from(Advice).where(*_UNDELIVERED)


_UNDELIVERED = (
    Mail.status == Delivery.FAILED,
    Advice.mail_id == Mail.id,
    Person.id == Advice.client_id,
    Person.deleted_at.is_(None),
)


class Link(NamedTuple):
    """Number and hash of a seal."""

    seq: int
    hash: str


def last_link(session: Session) -> Link | None:
    """The last seal; None where there is none."""
    newest = select(AdviceSeal.seq, AdviceSeal.hash).order_by(AdviceSeal.seq.desc()).limit(1)
    row = session.execute(newest).first()
    return Link(row.seq, row.hash) if row else None


def seal_of(session: Session, advice_id: uuid.UUID) -> AdviceSeal | None:
    statement = select(AdviceSeal).where(AdviceSeal.advice_id == advice_id)
    return session.execute(statement).scalar_one_or_none()


def sealed_among(session: Session, advice_ids: Collection[uuid.UUID]) -> set[uuid.UUID]:
    """Those of these advices that are sealed."""
    statement = select(AdviceSeal.advice_id).where(AdviceSeal.advice_id.in_(advice_ids))
    return set(session.execute(statement).scalars())


def letter_of(session: Session, advice_id: uuid.UUID) -> AdviceLetter | None:
    """The stored letter of an advice; None before it is set."""
    return session.get(AdviceLetter, advice_id)


def is_letter_due(session: Session, advice_id: uuid.UUID) -> bool:
    """Whether the letter of an advice is still to be set."""
    return session.get(LetterDue, advice_id) is not None


def seals_without_letter(session: Session) -> Iterator[AdviceSeal]:
    """Seals without a letter although none is due, in the order of the sealing."""
    statement = select(AdviceSeal.seq).where(
        AdviceSeal.advice_id.not_in(select(AdviceLetter.advice_id)),
        AdviceSeal.advice_id.not_in(select(LetterDue.advice_id)),
    )
    for seq in session.execute(statement.order_by(AdviceSeal.seq)).scalars().all():
        yield session.get_one(AdviceSeal, seq)


def letters_due(
    session: Session, limit: int, without: Collection[uuid.UUID] = ()
) -> Sequence[uuid.UUID]:
    """Advices whose letters are due, but `without` these, in the order of the sending."""
    statement = (
        select(LetterDue.advice_id)
        .where(LetterDue.advice_id.not_in(without))
        .order_by(LetterDue.advice_id)
        .limit(limit)
    )
    return session.execute(statement).scalars().all()


def take_letters_due(session: Session, advice_ids: Collection[uuid.UUID]) -> set[uuid.UUID]:
    """Claim these letters; those that no other process claimed before."""
    statement = delete(LetterDue).where(LetterDue.advice_id.in_(advice_ids))
    return set(session.execute(statement.returning(LetterDue.advice_id)).scalars())


def newest_advice(
    session: Session, client_ids: Collection[uuid.UUID]
) -> dict[uuid.UUID, dt.datetime]:
    """By client, when the last advice was sent; clients without advice are left out."""
    ids = list(client_ids)
    newest: dict[uuid.UUID, dt.datetime] = {}
    for start in range(0, len(ids), _AT_ONCE):
        statement = (
            select(Advice.client_id, func.max(Advice.created_at))
            .where(Advice.client_id.in_(ids[start : start + _AT_ONCE]))
            .group_by(Advice.client_id)
        )
        newest |= {row[0]: row[1] for row in session.execute(statement)}
    return newest


def sent_since(session: Session, client_ids: Sequence[uuid.UUID], since: dt.datetime) -> list[Any]:
    """Client, advice, ISIN, side and shares of each row that was sent to these since then."""
    rows: list[Any] = []
    for start in range(0, len(client_ids), _AT_ONCE):
        statement = (
            select(
                Advice.client_id,
                Advice.id,
                AdviceStock.isin,
                AdviceStock.type,
                AdviceStock.quantity,
            )
            .join(AdviceStock, AdviceStock.advice_id == Advice.id)
            .where(
                Advice.client_id.in_(client_ids[start : start + _AT_ONCE]),
                Advice.created_at >= since,
            )
        )
        rows += session.execute(statement).all()
    return rows


def add_advices(
    session: Session,
    advices: Sequence[Mapping[str, object]],
    stocks: Sequence[Mapping[str, object]],
) -> None:
    """Store advices, whose letters are then due."""
    add_rows(session, Advice, advices)
    add_rows(session, AdviceStock, stocks)
    add_rows(session, LetterDue, [{"advice_id": advice["id"]} for advice in advices])


def add_seals(session: Session, seals: Sequence[Mapping[str, object]]) -> None:
    """Store seals."""
    add_rows(session, AdviceSeal, seals)


def link_before(session: Session, seq: int) -> str:
    """The hash of the seal before this one; "" where it is the first."""
    before = select(AdviceSeal.hash).where(AdviceSeal.seq < seq)
    previous = session.execute(before.order_by(AdviceSeal.seq.desc()).limit(1)).scalar_one_or_none()
    return previous or ""


def sealed_ids(session: Session) -> Sequence[uuid.UUID]:
    """Every sealed advice, in the order of the sealing."""
    statement = select(AdviceSeal.advice_id).order_by(AdviceSeal.seq)
    return session.execute(statement).scalars().all()


def sealed_ids_of(
    session: Session, client_id: uuid.UUID | None, period: Period
) -> Sequence[uuid.UUID]:
    """Those sent to a client, or to all, within a period, in the order of the sealing."""
    statement = select(AdviceSeal.advice_id).join(Advice, Advice.id == AdviceSeal.advice_id)
    conditions: list[ColumnElement[bool]] = []
    if period.since is not None:
        conditions.append(Advice.created_at >= period.since)
    if period.until is not None:
        conditions.append(Advice.created_at < period.until)
    if client_id is not None:
        conditions.append(Advice.client_id == client_id)
    return session.execute(statement.where(*conditions).order_by(AdviceSeal.seq)).scalars().all()


def in_sealed_order(session: Session, advice_ids: Collection[uuid.UUID]) -> list[uuid.UUID]:
    """Those of these advices that are sealed, in the order of the sealing."""
    ids, found = list(advice_ids), []
    for start in range(0, len(ids), _AT_ONCE):
        statement = select(AdviceSeal.seq, AdviceSeal.advice_id).where(
            AdviceSeal.advice_id.in_(ids[start : start + _AT_ONCE])
        )
        found += [(row.seq, row.advice_id) for row in session.execute(statement)]
    return [advice_id for _, advice_id in sorted(found)]


def seals_of(session: Session, advice_ids: Collection[uuid.UUID]) -> Sequence[AdviceSeal]:
    """The seals of these advices, in the order of the sealing."""
    statement = select(AdviceSeal).where(AdviceSeal.advice_id.in_(advice_ids))
    return session.execute(statement.order_by(AdviceSeal.seq)).scalars().all()


def letters_of(
    session: Session, advice_ids: Collection[uuid.UUID]
) -> dict[uuid.UUID, AdviceLetter]:
    """The stored letters of these advices; those without one are left out."""
    statement = select(AdviceLetter).where(AdviceLetter.advice_id.in_(advice_ids))
    return {letter.advice_id: letter for letter in session.execute(statement).scalars()}


def sent_to(session: Session, advice_ids: Collection[uuid.UUID]) -> Sequence[Any]:
    """These advices with code and name of the client, whose record may be deleted."""
    statement = (
        select(Advice, Person.client_code, Person.name)
        .join(Person, Person.id == Advice.client_id)
        .where(Advice.id.in_(advice_ids))
    )
    return session.execute(statement).all()


def links_between(session: Session, first: int, last: int) -> Iterator[AdviceSeal]:
    """The seals from one to another, both included, without their packages, a few at a time."""
    statement = select(AdviceSeal).where(AdviceSeal.seq.between(first, last))
    statement = statement.options(defer(AdviceSeal.package)).order_by(AdviceSeal.seq)
    return iter(session.execute(statement.execution_options(yield_per=_LINKS_AT_ONCE)).scalars())


def unsealed_ids(session: Session) -> Sequence[uuid.UUID]:
    """Advice without a seal, in the order of the sending."""
    statement = select(Advice.id).where(Advice.id.not_in(select(AdviceSeal.advice_id)))
    return session.execute(statement.order_by(Advice.created_at, Advice.id)).scalars().all()
