"""KYC of clients: the PAN, and what the KYC Registration Agency says of it."""

import datetime as dt
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from sqlalchemy.orm import Session

from tarazu.domain.pan import is_valid_pan
from tarazu.kit import audit_log
from tarazu.kit.audit_log import Actor
from tarazu.kit.clock import day_in_india
from tarazu.kit.db import acquire_lock
from tarazu.kit.errors import StaleVersion
from tarazu.kit.locks import AdvisoryLock
from tarazu.papers import queries
from tarazu.papers.errors import UnfitPaper
from tarazu.papers.tables import ClientKyc, KycStatus
from tarazu.people import service as people

KNOWN: Final = frozenset({KycStatus.REGISTERED, KycStatus.VALIDATED})
"""The statuses with which the KYC of a client is done."""


@dataclass(frozen=True, slots=True)
class Kyc:
    """The KYC of a client; `updated_at` is None, and the version 0, while none was entered."""

    pan: str = ""
    status: KycStatus = KycStatus.NOT_DONE
    status_on: dt.date | None = None
    note: str = ""
    updated_at: dt.datetime | None = None
    version: int = 0

    @property
    def is_done(self) -> bool:
        """Whether the client may be given a paid service as far as KYC goes."""
        return bool(self.pan) and self.status in KNOWN


def kyc_of(session: Session, client_id: uuid.UUID) -> Kyc:
    """The KYC of a client.

    Raises:
        ClientNotFound: there is no such client.
    """
    people.client(session, client_id)
    row = queries.kyc_of(session, client_id)
    return _kyc(row) if row else Kyc()


def set_kyc(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    client_id: uuid.UUID,
    entered: Kyc,
    version: int | None,
) -> Kyc:
    """Enter what is known of a client's KYC; what was known before stays in the audit trail.

    Args:
        entered: its version and time are not used.
        version: the version that was edited; None overwrites any version.

    Raises:
        ClientNotFound: there is no such client.
        StaleVersion: it has changed since this version.
        UnfitPaper: the PAN or the day does not fit.
    """
    people.client(session, client_id)
    acquire_lock(session, AdvisoryLock.PAPERS)
    row = queries.kyc_of(session, client_id)
    if version is not None and version != (row.version if row else 0):
        raise StaleVersion
    _refuse_unfit(entered, day_in_india(now))
    _refuse_pan_of_another(session, client_id, entered.pan)
    before = _kyc(row) if row else Kyc()
    changes = {
        name: [getattr(before, column), getattr(entered, column)]
        for column, name in _COLUMNS.items()
        if getattr(before, column) != getattr(entered, column)
    }
    if not changes:
        return before
    if row is None:
        row = ClientKyc(client_id=client_id, version=0)
        session.add(row)
    for column in _COLUMNS:
        setattr(row, column, getattr(entered, column))
    row.version, row.updated_at = row.version + 1, now
    session.flush()
    audit_log.record(session, actor, now, "kyc_edited", ("client", client_id), changes)
    return _kyc(row)


_COLUMNS: Final[Mapping[str, str]] = {
    "pan": "pan",
    "status": "kycStatus",
    "status_on": "kycStatusOn",
    "note": "kycNote",
}


def _kyc(row: ClientKyc) -> Kyc:
    return Kyc(row.pan, row.status, row.status_on, row.note, row.updated_at, row.version)


def _refuse_unfit(entered: Kyc, today: dt.date) -> None:
    if entered.pan and not is_valid_pan(entered.pan):
        raise UnfitPaper(
            "pan", "A PAN is five letters, four digits and a letter, such as ABCPK1234F."
        )
    if entered.status is KycStatus.NOT_DONE:
        if entered.status_on is not None:
            raise UnfitPaper("statusOn", "KYC that is not done has no day. Choose the status.")
        return
    if not entered.pan:
        raise UnfitPaper("pan", "Enter the PAN: the KRA keeps its record by it.")
    if entered.status_on is None:
        raise UnfitPaper("statusOn", "Enter the day of this status.")
    if entered.status_on > today:
        raise UnfitPaper("statusOn", "This day is in the future.")


def refuse_shared_pan(session: Session, client_id: uuid.UUID) -> None:
    """Refuse a change after which a client of another family has the same PAN.

    Raises:
        UnfitPaper: one has.
    """
    acquire_lock(session, AdvisoryLock.PAPERS)
    row = queries.kyc_of(session, client_id)
    first = _stranger_with_pan(session, client_id, row.pan if row else "")
    if first is not None:
        raise UnfitPaper(
            "family",
            f"{first} has the same PAN. Only clients of one family may share a PAN: correct it on "
            "one of the records first.",
        )


def _refuse_pan_of_another(session: Session, client_id: uuid.UUID, pan: str) -> None:
    first = _stranger_with_pan(session, client_id, pan)
    if first is not None:
        raise UnfitPaper(
            "pan",
            f"{first} has this PAN. Only clients of one family may share a PAN: check it, or enter "
            "the family on both records.",
        )


def _stranger_with_pan(session: Session, client_id: uuid.UUID, pan: str) -> str | None:
    """The code of a client of another family with this PAN; None where there is none.

    A PAN belongs to one client, or to several of one family: a minor has that of a parent.
    """
    others = queries.clients_with_pan(session, pan) if pan else set()
    strangers = people.clients_of(session, others - people.family_of(session, client_id))
    return min((client.code for client in strangers.values()), default=None)
