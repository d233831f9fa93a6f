"""Every SQL statement of packs."""

import datetime as dt
import uuid
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Select, func, select, update
from sqlalchemy.orm import Session, aliased

from tarazu.inspection.tables import InspectionPack, PackState
from tarazu.people.tables import Person


def listed(session: Session, skipped: int, limit: int) -> tuple[Sequence[Any], int]:
    """One page of packs, the newest first, with the client's code and name and who made it."""
    ordered = _listed().order_by(InspectionPack.made_at.desc(), InspectionPack.id.desc())
    rows = session.execute(ordered.offset(skipped).limit(limit)).all()
    total = session.execute(select(func.count()).select_from(InspectionPack)).scalar_one()
    return rows, total


def listed_pack(session: Session, pack_id: uuid.UUID) -> Any | None:
    """A pack as `listed` has it; None for none."""
    return session.execute(_listed().where(InspectionPack.id == pack_id)).one_or_none()


def _listed() -> Select[InspectionPack, str | None, str, str]:
    maker = aliased(Person)
    return (
        select(InspectionPack, Person.client_code, Person.name, maker.name)
        .outerjoin(Person, Person.id == InspectionPack.client_id)
        .join(maker, maker.id == InspectionPack.made_by)
    )


def pack(
    session: Session, pack_id: uuid.UUID, *, for_update: bool = False
) -> InspectionPack | None:
    statement = select(InspectionPack).where(InspectionPack.id == pack_id)
    if for_update:
        statement = statement.with_for_update()
    return session.execute(statement).scalar_one_or_none()


def under_way(session: Session, new: InspectionPack) -> bool:
    """Whether a pack of the same kind, client, days and sample is being made."""
    same = (
        (InspectionPack.state == PackState.MAKING)
        & (InspectionPack.kind == new.kind)
        & InspectionPack.client_id.is_not_distinct_from(new.client_id)
        & (InspectionPack.first_on == new.first_on)
        & (InspectionPack.last_on == new.last_on)
        & (InspectionPack.sample_every == new.sample_every)
    )
    return session.execute(select(InspectionPack.id).where(same).limit(1)).first() is not None


def note_progress(session: Session, pack_id: uuid.UUID, done: int, total: int) -> None:
    statement = update(InspectionPack).where(InspectionPack.id == pack_id)
    session.execute(statement.values(done=done, total=total))


def ready_before(session: Session, oldest: dt.datetime) -> Sequence[InspectionPack]:
    """Packs that became ready before then and still have a file."""
    is_old = (InspectionPack.state == PackState.READY) & (InspectionPack.finished_at < oldest)
    return session.execute(select(InspectionPack).where(is_old)).scalars().all()
