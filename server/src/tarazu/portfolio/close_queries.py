"""SQL statements of the daily closes."""

import datetime as dt
import uuid
from collections.abc import Collection, Iterator, Mapping, Sequence

from sqlalchemy import (
    Row,
    func,
    insert,
    select,
)
from sqlalchemy.orm import Session

from tarazu.portfolio.queries import in_parts
from tarazu.portfolio.tables import (
    Account,
    ClientClose,
    FirmClose,
)


def client_closes_of(
    session: Session, client_id: uuid.UUID, since: dt.date | None = None
) -> Sequence[Row]:  # type: ignore[type-arg]
    """Date, holdings value and net of each close, oldest first."""
    statement = (
        select(ClientClose.date, ClientClose.holdings_value, ClientClose.net)
        .where(ClientClose.client_id == client_id)
        .order_by(ClientClose.date)
    )
    if since is not None:
        statement = statement.where(ClientClose.date >= since)
    return session.execute(statement).all()


def is_closed(session: Session, day: dt.date) -> bool:
    statement = select(FirmClose.date).where(FirmClose.date == day)
    return session.execute(statement).first() is not None


def last_firm_close(session: Session) -> dt.date | None:
    return session.execute(select(func.max(FirmClose.date))).scalar_one()


def last_close_before(session: Session, day: dt.date) -> dt.date | None:
    """The last closed day before this one; None without any."""
    statement = select(func.max(FirmClose.date)).where(FirmClose.date < day)
    return session.execute(statement).scalar_one()


def client_closes_on(
    session: Session, day: dt.date, client_ids: Collection[uuid.UUID]
) -> Iterator[Row]:  # type: ignore[type-arg]
    """Client, holdings value and net of each of these clients who has a close of this day."""
    columns = (ClientClose.client_id, ClientClose.holdings_value, ClientClose.net)
    # By client, as the key is: all rows of a day are spread over the whole table.
    for some in in_parts(client_ids):
        statement = select(*columns).where(ClientClose.client_id.in_(some), ClientClose.date == day)
        yield from session.execute(statement)


def accounts_to_close(session: Session) -> Sequence[Row]:  # type: ignore[type-arg]
    """Client, net, whether counted, the last sync and cash by hand, of every account."""
    columns = (
        Account.client_id,
        Account.net,
        Account.is_counted,
        Account.synced_at,
        Account.hand_cash,
    )
    return session.execute(select(*columns)).all()


def firm_closes(session: Session, since: dt.date | None, until: dt.date | None) -> Sequence[Row]:  # type: ignore[type-arg]
    """Date and value of each close, newest first."""
    statement = select(FirmClose.date, FirmClose.value).order_by(FirmClose.date.desc())
    if since is not None:
        statement = statement.where(FirmClose.date >= since)
    if until is not None:
        statement = statement.where(FirmClose.date <= until)
    return session.execute(statement).all()


def add_closes(
    session: Session,
    clients: Sequence[Mapping[str, object]],
    firm: Sequence[Mapping[str, object]],
) -> None:
    if clients:
        session.execute(insert(ClientClose), list(clients))
    if firm:
        session.execute(insert(FirmClose), list(firm))
