"""Every SQL statement of approvals."""

import datetime as dt
import uuid
from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, func, select
from sqlalchemy.orm import Session, aliased

from tarazu.approvals.tables import Approval, ApprovalState
from tarazu.firm.service import ApprovedAction
from tarazu.people.tables import Person


def approval(session: Session, approval_id: uuid.UUID) -> Approval | None:
    """Locked until the transaction ends: one administrator decides."""
    statement = select(Approval).where(Approval.id == approval_id).with_for_update()
    return session.execute(statement).scalar_one_or_none()


def listed(
    session: Session,
    now: dt.datetime,
    state: ApprovalState | None,
    asked_by: uuid.UUID | None,
    page: tuple[int, int],
) -> tuple[Sequence[Any], int]:
    """Approvals with the names of who asked and who decided, the newest first, and their number.

    Args:
        state: only those in it; None for all.
        asked_by: only those that this account asked for; None for all.
        page: rows before it, and the most on it.
    """
    wanted = [_is_in(state, now)] if state else []
    if asked_by:
        wanted.append(Approval.asked_by == asked_by)
    ordered = _listed().where(*wanted).order_by(Approval.asked_at.desc(), Approval.id.desc())
    rows = session.execute(ordered.offset(page[0]).limit(page[1])).all()
    total = session.execute(select(func.count()).select_from(Approval).where(*wanted)).scalar_one()
    return rows, total


def listed_approval(session: Session, approval_id: uuid.UUID) -> Any | None:
    """An approval as `listed` has it; None for none."""
    return session.execute(_listed().where(Approval.id == approval_id)).one_or_none()


def asked_between(session: Session, since: dt.datetime, until: dt.datetime) -> Sequence[Any]:
    """As `listed`, of these times, the oldest first."""
    wanted = _listed().where(Approval.asked_at >= since, Approval.asked_at < until)
    return session.execute(wanted.order_by(Approval.asked_at, Approval.id)).all()


def _listed() -> Select[Approval, str, str | None]:
    asker, decider = aliased(Person), aliased(Person)
    return (
        select(Approval, asker.name, decider.name)
        .join(asker, asker.id == Approval.asked_by)
        .outerjoin(decider, decider.id == Approval.decided_by)
    )


def _is_in(state: ApprovalState, now: dt.datetime) -> ColumnElement[bool]:
    is_waiting = Approval.state == ApprovalState.WAITING
    if state is ApprovalState.WAITING:
        return and_(is_waiting, Approval.expires_at > now)
    if state is ApprovalState.EXPIRED:
        return and_(is_waiting, Approval.expires_at <= now)
    return Approval.state == state


def waiting_twin(
    session: Session, asked_by: uuid.UUID, digest: str, now: dt.datetime
) -> Approval | None:
    """The same request of the same account that still waits."""
    statement = select(Approval).where(
        Approval.asked_by == asked_by,
        Approval.digest == digest,
        _is_in(ApprovalState.WAITING, now),
    )
    return session.execute(statement.limit(1)).scalar_one_or_none()


def approved_download(
    session: Session, asked_by: uuid.UUID, digest: str, since: dt.datetime
) -> uuid.UUID | None:
    """The approval of this download since then."""
    statement = select(Approval.id).where(
        Approval.asked_by == asked_by,
        Approval.digest == digest,
        Approval.action == ApprovedAction.EXPORT,
        Approval.state == ApprovalState.APPROVED,
        Approval.decided_at > since,
    )
    return session.execute(statement.limit(1)).scalar_one_or_none()


def count_waiting_for(session: Session, account_id: uuid.UUID, now: dt.datetime) -> int:
    """Requests of others that wait."""
    statement = (
        select(func.count())
        .select_from(Approval)
        .where(_is_in(ApprovalState.WAITING, now), Approval.asked_by != account_id)
    )
    return session.execute(statement).scalar_one()
