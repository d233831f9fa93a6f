"""Packs for an inspection or an audit: who asked for which, and where its file is."""

import datetime as dt
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sqlalchemy.orm import Session

from tarazu.domain.obligations.due_days import fiscal_year_end
from tarazu.inspection import queries
from tarazu.inspection.errors import (
    PackFileGone,
    PackNotFound,
    PackNotReady,
    PackUnderWay,
    UnfitPack,
)
from tarazu.inspection.tables import InspectionPack, PackKind, PackState
from tarazu.kit import audit_log, jobs
from tarazu.kit.audit_log import Actor
from tarazu.kit.clock import day_in_india
from tarazu.kit.db import acquire_lock, new_id
from tarazu.kit.locks import AdvisoryLock
from tarazu.kit.settings import Settings
from tarazu.people import service as people

KIND: Final = f"{jobs.ITEM}inspection-pack"
"""The jobs of packs; their keys are the packs' ids."""
YEARS: Final = 5
"""Of a pack, at most; records are kept for as long."""


@dataclass(frozen=True, slots=True)
class NewPack:
    """What a pack is asked to have; both days included.

    `client` is the id or the code of one, also of a deleted one; None for the whole firm.
    """

    kind: PackKind
    first_on: dt.date
    last_on: dt.date
    client: uuid.UUID | str | None = None
    sample_every: int = 1


@dataclass(frozen=True, slots=True)
class PackClient:
    """The client of a pack; the record may be deleted."""

    id: uuid.UUID
    code: str
    name: str


@dataclass(frozen=True, slots=True)
class ListedPack:
    """A pack with its client, None for the firm, and the name of who made it."""

    row: InspectionPack
    client: PackClient | None
    made_by: str

    @property
    def client_code(self) -> str:
        """Empty of a pack of the firm."""
        return self.client.code if self.client else ""

    @property
    def client_name(self) -> str:
        """Empty of a pack of the firm."""
        return self.client.name if self.client else ""


def ask_for_pack(session: Session, actor: Actor, now: dt.datetime, new: NewPack) -> ListedPack:
    """Ask for a pack: a job makes its file.

    Raises:
        UnfitPack: its days or its sample do not fit.
        ClientNotFound: there never was such a client.
        PackUnderWay: the same one is being made.
    """
    _refuse_unfit(new, day_in_india(now))
    client = people.client_with_deleted(session, new.client) if new.client else None
    acquire_lock(session, AdvisoryLock.OBLIGATIONS)
    pack = InspectionPack(
        id=new_id(),
        kind=new.kind,
        client_id=client.id if client else None,
        first_on=new.first_on,
        last_on=new.last_on,
        sample_every=new.sample_every,
        state=PackState.MAKING,
        done=0,
        total=0,
        error="",
        sha256="",
        size=0,
        made_at=now,
        made_by=actor.account_id,
        finished_at=None,
    )
    if queries.under_way(session, pack):
        raise PackUnderWay
    session.add(pack)
    session.flush()
    jobs.put(session, KIND, str(pack.id), now)
    subject = ("client", client.id) if client else ("inspection_pack", pack.id)
    audit_log.record(session, actor, now, "inspection_pack_asked", subject, about(pack))
    return listed_pack(session, pack.id)


def about(pack: InspectionPack) -> dict[str, object]:
    """What the audit trail says of a pack."""
    return {
        "packId": pack.id,
        "packKind": pack.kind,
        "from": pack.first_on,
        "to": pack.last_on,
        "sampleEvery": pack.sample_every,
    }


def list_packs(session: Session, skipped: int, limit: int) -> tuple[list[ListedPack], int]:
    """One page of packs, the newest first, and how many there are."""
    rows, total = queries.listed(session, skipped, limit)
    return [_listed(*row) for row in rows], total


def listed_pack(session: Session, pack_id: uuid.UUID) -> ListedPack:
    """A pack as the list has it.

    Raises:
        PackNotFound: there is none of that id.
    """
    row = queries.listed_pack(session, pack_id)
    if row is None:
        raise PackNotFound
    return _listed(*row)


def _listed(row: InspectionPack, code: str | None, name: str | None, by: str) -> ListedPack:
    client = PackClient(row.client_id, code or "", name or "") if row.client_id else None
    return ListedPack(row, client, by)


def pack_file(session: Session, settings: Settings, pack_id: uuid.UUID) -> tuple[ListedPack, Path]:
    """A pack that is ready, and its file.

    Raises:
        PackNotFound: there is none of that id.
        PackNotReady: it is being made, or failed.
        PackFileGone: its file was removed, or is on another server.
    """
    pack = listed_pack(session, pack_id)
    if pack.row.state in {PackState.MAKING, PackState.FAILED}:
        raise PackNotReady
    path = path_of(settings, pack_id)
    if pack.row.state is PackState.REMOVED or not path.is_file():
        raise PackFileGone
    return pack, path


def path_of(settings: Settings, pack_id: uuid.UUID) -> Path:
    """Where the file of a pack is."""
    return settings.packs_dir / f"{pack_id}.zip"


def _refuse_unfit(new: NewPack, today: dt.date) -> None:
    first, last = new.first_on, new.last_on
    if last < first:
        raise UnfitPack("to", "The last day is before the first.")
    if first > today:
        raise UnfitPack("from", "The first day is in the future.")
    if new.kind is PackKind.AUDIT:
        is_year = (first.month, first.day) == (4, 1) and fiscal_year_end(first) == last
        if not is_year:
            raise UnfitPack("from", "An audit pack is of a fiscal year, 1 April to 31 March.")
        if new.client is not None:
            raise UnfitPack("client", "An audit pack is of the whole firm.")
    elif last > today:
        raise UnfitPack("to", "The last day is in the future.")
    if last >= _years_after(first):
        raise UnfitPack("to", f"A pack has at most {YEARS} years. Choose fewer days.")


def _years_after(day: dt.date) -> dt.date:
    try:
        return day.replace(year=day.year + YEARS)
    except ValueError:
        return dt.date(day.year + YEARS, 3, 1)  # of 29 February
