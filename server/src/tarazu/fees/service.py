"""Fees: the charge on a period's net gain; and the firm's earnings, kept up as they are paid."""

import datetime as dt
import uuid
from dataclasses import dataclass

from sqlalchemy.orm import Session

from tarazu.domain.money import Percent, Rupees
from tarazu.fees import queries
from tarazu.fees.tables import Fee, FeeStatus
from tarazu.kit import trail
from tarazu.kit.db import new_id
from tarazu.kit.trail import Actor


@dataclass(frozen=True, slots=True)
class SettledPeriod:
    """A fee period whose end value is known, with the fee charged for it."""

    starting_on: dt.date
    final_on: dt.date
    due_on: dt.date
    starting_value: Rupees
    final_value: Rupees
    net_gain: Rupees
    applicable_percentage: Percent
    amount: Rupees
    paid_on: dt.date | None


def record_settled_period(
    session: Session, actor: Actor, now: dt.datetime, client_id: uuid.UUID, period: SettledPeriod
) -> uuid.UUID:
    """Record a fee for a finished period; PAID when it has a paid date, else DUE."""
    status = FeeStatus.DUE if period.paid_on is None else FeeStatus.PAID
    fee = Fee(
        id=new_id(),
        client_id=client_id,
        starting_on=period.starting_on,
        due_on=period.due_on,
        final_on=period.final_on,
        starting_value=period.starting_value,
        final_value=period.final_value,
        net_gain=period.net_gain,
        applicable_percentage=period.applicable_percentage,
        amount=period.amount,
        status=status,
        paid_on=period.paid_on,
        created_at=now,
        version=1,
    )
    session.add(fee)
    if status == FeeStatus.PAID:
        queries.add_to_paid_total(session, period.amount)
    session.flush()
    trail.record(session, actor, now, "fee_recorded", ("fee", fee.id), {"fees": period.amount})
    return fee.id


def earnings(session: Session) -> Rupees:
    """All fees ever paid, of all clients."""
    return queries.paid_total(session)


def charged_to(session: Session, client_id: uuid.UUID) -> Rupees:
    """All fees charged to a client, paid and due."""
    amounts = [fee.amount for fee in queries.fees_of(session, client_id) if fee.amount is not None]
    return sum(amounts, Rupees(0))


def paid_by(session: Session, client_id: uuid.UUID) -> list[tuple[dt.date, Rupees]]:
    """The fees a client paid, with their paid dates."""
    return [
        (fee.paid_on, fee.amount)
        for fee in queries.fees_of(session, client_id)
        if fee.paid_on is not None and fee.amount is not None
    ]


def found_installation(session: Session) -> None:
    """Make the row of totals; once, on an empty database."""
    queries.make_total(session)
