"""Every SQL statement of accounts, holdings, cash flows and kept totals."""

import datetime as dt
import uuid
from collections.abc import Collection, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import cache
from typing import Protocol, TypeVar

from sqlalchemy import (
    BigInteger,
    Row,
    Select,
    bindparam,
    case,
    delete,
    func,
    insert,
    literal,
    or_,
    select,
    type_coerce,
    update,
)
from sqlalchemy.orm import Session

from tarazu.domain.money import ZERO, to_units
from tarazu.instruments.tables import Instrument
from tarazu.kit.db import InstantColumn, RepeatedId, add_stored_rows, insert_into, read
from tarazu.portfolio.tables import (
    Account,
    CashFlow,
    FirmTotal,
    FlowType,
    Holding,
    StockTotal,
)
from tarazu.teams.service import VisibleClients

T = TypeVar("T")

_AT_ONCE = 5_000
"""Ids in one statement; both databases allow more than thirty thousand."""
_HOLDING_COLUMNS = (
    "client_id", "instrument_id", "quantity", "pledged", "t1", "bought_today", "average_price",
    "exchange",
)  # fmt: skip


class HeldParts(Protocol):
    """A holding as it is written; the price is in rupees a share."""

    quantity: int
    pledged: int
    t1: int
    bought_today: int
    average_price: Decimal
    exchange: str


def in_parts(ids: Collection[T]) -> Iterator[list[T]]:
    """All of them, as many at a time as one statement takes."""
    every = list(ids)
    for start in range(0, len(every), _AT_ONCE):
        yield every[start : start + _AT_ONCE]


def account_of(session: Session, client_id: uuid.UUID) -> Account | None:
    return session.get(Account, client_id)


def accounts_of(session: Session, client_ids: Collection[uuid.UUID]) -> list[Account]:
    accounts: list[Account] = []
    for some in in_parts(client_ids):
        statement = select(Account).where(Account.client_id.in_(some))
        accounts += session.execute(statement).scalars().all()
    return accounts


def funds_of(session: Session, client_ids: Collection[uuid.UUID]) -> Iterator[Row]:  # type: ignore[type-arg]
    """Client, whether counted, whether by hand, and the money of each of these clients."""
    columns = (
        type_coerce(Account.client_id, RepeatedId()),
        Account.is_counted,
        Account.hand_cash.is_not(None),
        Account.net,
        Account.available_cash,
        Account.intraday_payin,
    )
    for some in in_parts(client_ids):
        yield from session.execute(select(*columns).where(Account.client_id.in_(some)))


def clients_of_broker_user(session: Session, broker_user_id: str) -> Sequence[uuid.UUID]:
    statement = select(Account.client_id).where(
        func.upper(Account.broker_user_id) == broker_user_id.upper()
    )
    return session.execute(statement).scalars().all()


def renew_sync(
    session: Session,
    client_ids: Collection[uuid.UUID],
    now: dt.datetime,
    source: str,
    revision: int | None = None,
) -> None:
    """Write when holdings came in, and from where; the revision, where anything changed."""
    values: dict[str, object] = {
        "synced_at": now,
        "first_synced_at": func.coalesce(Account.first_synced_at, literal(now, InstantColumn)),
        "holdings_source": source,
    }
    if revision is not None:
        values["revision"] = revision
    for some in in_parts(client_ids):
        session.execute(update(Account).where(Account.client_id.in_(some)).values(values))


def set_cash(session: Session, cash: Mapping[uuid.UUID, Decimal]) -> None:
    """Write these clients' money, all of which is free cash, in place of any entered by hand."""
    if cash:
        none = dict.fromkeys(("hand_cash", "hand_cash_on", "hand_cash_at", "hand_cash_by"))
        rows = [
            {"client_id": key, "net": amount, "available_cash": amount, **none}
            for key, amount in cash.items()
        ]
        session.execute(update(Account), rows)


def never_synced(session: Session, client_ids: Collection[uuid.UUID]) -> set[uuid.UUID]:
    """Those of these clients whose holdings never came in."""
    ids: set[uuid.UUID] = set()
    for some in in_parts(client_ids):
        statement = select(Account.client_id).where(
            Account.client_id.in_(some), Account.synced_at.is_(None)
        )
        ids.update(session.execute(statement).scalars())
    return ids


def accounts_after(session: Session, revision: int) -> Sequence[Account]:
    """Accounts that changed after `revision`, oldest change first."""
    statement = select(Account).where(Account.revision > revision).order_by(Account.revision)
    return session.execute(statement).scalars().all()


def holdings_of(session: Session, client_id: uuid.UUID) -> Sequence[Holding]:
    statement = select(Holding).where(Holding.client_id == client_id)
    return session.execute(statement).scalars().all()


def held_by(session: Session, client_id: uuid.UUID) -> Sequence[Row]:  # type: ignore[type-arg]
    """Instrument, quantity, pledged, average price, T1 and bought today of all that is held."""
    return read(session, _held_by(), {"client_id": client_id}).all()


@cache
def _held_by() -> Select[uuid.UUID, int, int, Decimal, int, int, str]:
    return select(
        type_coerce(Holding.instrument_id, RepeatedId()),
        Holding.quantity,
        Holding.pledged,
        Holding.average_price,
        Holding.t1,
        Holding.bought_today,
        Holding.exchange,
    ).where(Holding.client_id == bindparam("client_id"))


def holdings_of_all(session: Session, client_ids: Collection[uuid.UUID] | None) -> Sequence[Row]:  # type: ignore[type-arg]
    """Client, instrument, quantity and average price, as shown, of these clients or of everyone."""
    columns = (Holding.client_id, Holding.instrument_id, Holding.quantity, Holding.average_price)
    statement = select(*columns).order_by(Holding.client_id)
    if client_ids is not None:
        statement = statement.where(Holding.client_id.in_(client_ids))
    return session.execute(statement).all()


def whole_holdings_of(session: Session, client_ids: Collection[uuid.UUID]) -> Iterator[Row]:  # type: ignore[type-arg]
    """Client, instrument, quantity, average price and parts of these clients."""
    columns = (
        type_coerce(Holding.client_id, RepeatedId()),
        type_coerce(Holding.instrument_id, RepeatedId()),
        Holding.quantity,
        Holding.average_price,
        Holding.pledged,
        Holding.t1,
        Holding.bought_today,
        Holding.exchange,
    )
    for some in in_parts(client_ids):
        yield from session.execute(select(*columns).where(Holding.client_id.in_(some)))


def synced_accounts(session: Session, client_ids: Collection[uuid.UUID] | None) -> list[Row]:  # type: ignore[type-arg]
    """Client, broker, time and source of the last holdings, of these accounts or of all."""
    statement = select(
        Account.client_id, Account.broker, Account.synced_at, Account.holdings_source
    )
    if client_ids is None:
        return list(session.execute(statement).all())
    rows: list[Row] = []  # type: ignore[type-arg]
    for some in in_parts(client_ids):
        rows += session.execute(statement.where(Account.client_id.in_(some))).all()
    return rows


def flows_after(session: Session, day: dt.date) -> Sequence[Row]:  # type: ignore[type-arg]
    """Client, day, amount and type of every flow after `day`."""
    columns = (CashFlow.client_id, CashFlow.date, CashFlow.amount, CashFlow.type)
    statement = select(*columns).where(CashFlow.date > day, CashFlow.deleted_at.is_(None))
    return session.execute(statement).all()


def renew_holders(session: Session, instrument_ids: Collection[uuid.UUID], revision: int) -> None:
    """Give the accounts that hold one of these the newest revision."""
    holding = select(Holding.client_id).where(Holding.instrument_id.in_(instrument_ids))
    session.execute(update(Account).where(Account.client_id.in_(holding)).values(revision=revision))


def add_holdings(session: Session, held: Mapping[uuid.UUID, Mapping[uuid.UUID, HeldParts]]) -> None:
    """Add what clients hold, by instrument: a file brings fifty thousand rows."""
    # Each id is written out once, not once a row.
    ids = {key: key.hex for key in set(held).union(*held.values())}
    rows = [
        (
            ids[client],
            ids[stock],
            holding.quantity,
            holding.pledged,
            holding.t1,
            holding.bought_today,
            to_units(holding.average_price),
            holding.exchange,
        )
        for client, holdings in held.items()
        for stock, holding in holdings.items()
    ]
    add_stored_rows(session, Holding, _HOLDING_COLUMNS, rows)


def delete_holdings_of(session: Session, client_ids: Collection[uuid.UUID]) -> None:
    for some in in_parts(client_ids):
        session.execute(delete(Holding).where(Holding.client_id.in_(some)))


def lock_accounts(session: Session) -> None:
    """Lock the one row that every writer of accounts changes. SQLite has one writer anyway."""
    session.execute(select(FirmTotal.id).with_for_update())


def next_revision(session: Session, changed_at: dt.datetime | None = None) -> int:
    """Advance the counter of changes; writers take their turns on its one row.

    `changed_at` is given when shares, cash or the clients that count change.
    """
    statement = update(FirmTotal).values(revision=FirmTotal.revision + 1)
    if changed_at is not None:
        statement = statement.values(changed_at=changed_at)
    return session.execute(statement.returning(FirmTotal.revision)).scalar_one()


def firm_total(session: Session) -> Row:  # type: ignore[type-arg]
    """Active clients, their net cash, the revision of the last change and its time."""
    return read(session, _firm_total()).one()


@cache
def _firm_total() -> Select[int, Decimal, int, dt.datetime | None]:
    return select(FirmTotal.clients, FirmTotal.net, FirmTotal.revision, FirmTotal.changed_at)


def add_to_firm_total(session: Session, clients: int, net: Decimal) -> None:
    session.execute(
        update(FirmTotal).values(clients=FirmTotal.clients + clients, net=FirmTotal.net + net)
    )


def stock_totals(session: Session) -> Sequence[Row]:  # type: ignore[type-arg]
    columns = (StockTotal.instrument_id, StockTotal.quantity, StockTotal.invested)
    return session.execute(select(*columns).where(StockTotal.quantity > 0)).all()


def sums_of(session: Session, visible: VisibleClients) -> Sequence[Row]:  # type: ignore[type-arg]
    """By instrument, the shares of the active clients among these, and their cost in units."""
    cost = Holding.quantity * type_coerce(Holding.average_price, BigInteger)
    statement = (
        select(Holding.instrument_id, func.sum(Holding.quantity), func.sum(cost))
        .join(Account, Account.client_id == Holding.client_id)
        .where(Account.is_counted, *visible.condition(Holding.client_id))
        .group_by(Holding.instrument_id)
    )
    return session.execute(statement).all()


def counted_among(session: Session, client_ids: Collection[uuid.UUID]) -> set[uuid.UUID]:
    """Those of these clients that count in the firm's totals."""
    counted: set[uuid.UUID] = set()
    for some in in_parts(client_ids):
        statement = select(Account.client_id).where(Account.client_id.in_(some), Account.is_counted)
        counted |= set(session.execute(statement).scalars())
    return counted


def stock_totals_by_token(session: Session) -> Sequence[Row]:  # type: ignore[type-arg]
    """What active clients together hold, by instrument token."""
    statement = (
        select(Instrument.zerodha_token.label("token"), StockTotal.quantity, StockTotal.invested)
        .join(Instrument, Instrument.id == StockTotal.instrument_id)
        .where(StockTotal.quantity > 0)
    )
    return session.execute(statement).all()


def add_to_stock_totals(session: Session, changes: Mapping[uuid.UUID, tuple[int, Decimal]]) -> None:
    """Add these quantities and costs to what the firm holds of each instrument."""
    rows = [
        {"instrument_id": instrument_id, "quantity": quantity, "invested": invested}
        for instrument_id, (quantity, invested) in sorted(changes.items())
        if quantity or invested
    ]
    if not rows:
        return
    statement = insert_into(session, StockTotal)
    added = statement.on_conflict_do_update(
        index_elements=[StockTotal.instrument_id],
        set_={
            "quantity": StockTotal.quantity + statement.excluded.quantity,
            "invested": StockTotal.invested + statement.excluded.invested,
        },
    )
    session.connection().execute(added, rows)


def held_instruments(session: Session) -> set[uuid.UUID]:
    statement = select(StockTotal.instrument_id).where(StockTotal.quantity > 0)
    return set(session.execute(statement).scalars())


def holder_counts(session: Session, instrument_ids: Collection[uuid.UUID]) -> dict[uuid.UUID, int]:
    """How many active clients hold each of these; those that nobody holds are left out."""
    counts: dict[uuid.UUID, int] = {}
    for ids in in_parts(instrument_ids):
        statement = (
            select(type_coerce(Holding.instrument_id, RepeatedId()), func.count())
            .join(Account, Account.client_id == Holding.client_id)
            .where(Holding.instrument_id.in_(ids), Account.is_counted)
            .group_by(Holding.instrument_id)
        )
        counts |= {row[0]: row[1] for row in session.execute(statement)}
    return counts


def cash_flows_of(session: Session, client_id: uuid.UUID) -> Sequence[Row]:  # type: ignore[type-arg]
    """Id, date, amount, type and version of each flow that is not deleted, newest first."""
    columns = (CashFlow.id, CashFlow.date, CashFlow.amount, CashFlow.type, CashFlow.version)
    statement = (
        select(*columns)
        .where(CashFlow.client_id == client_id, CashFlow.deleted_at.is_(None))
        .order_by(CashFlow.date.desc(), CashFlow.id.desc())
    )
    return session.execute(statement).all()


def flows_of_all(session: Session, client_ids: Collection[uuid.UUID]) -> Iterator[Row]:  # type: ignore[type-arg]
    """Client, day, amount and type of every flow of these clients."""
    columns = (
        type_coerce(CashFlow.client_id, RepeatedId()),
        CashFlow.date,
        CashFlow.amount,
        CashFlow.type,
    )
    for some in in_parts(client_ids):
        statement = select(*columns).where(
            CashFlow.client_id.in_(some), CashFlow.deleted_at.is_(None)
        )
        yield from session.execute(statement)


def cash_flow(session: Session, flow_id: uuid.UUID) -> CashFlow | None:
    """The flow with this id, deleted or not."""
    return session.get(CashFlow, flow_id)


def flow_sums(
    session: Session, client_id: uuid.UUID, since: dt.date | None
) -> tuple[Decimal, Decimal]:
    """Funds added and funds withdrawn on or after `since`."""

    def total(kind: FlowType) -> object:
        return func.coalesce(func.sum(case((CashFlow.type == kind, CashFlow.amount))), Decimal(0))

    statement = select(total(FlowType.FUNDS_ADDED), total(FlowType.FUNDS_WITHDRAWN)).where(  # type: ignore[call-overload]
        CashFlow.client_id == client_id, CashFlow.deleted_at.is_(None)
    )
    if since is not None:
        statement = statement.where(CashFlow.date >= since)
    added, withdrawn = session.execute(statement).one()
    return Decimal(added), Decimal(withdrawn)


def has_valued_account(session: Session) -> bool:
    """Whether any active client has holdings or cash that were read or entered."""
    has_values = or_(
        Account.synced_at.is_not(None), Account.hand_cash.is_not(None), Account.net != ZERO
    )
    statement = select(Account.client_id).where(Account.is_counted, has_values).limit(1)
    return session.execute(statement).first() is not None


def make_total(session: Session) -> None:
    session.execute(insert(FirmTotal).values(id=1, clients=0, net=Decimal(0), revision=0))
