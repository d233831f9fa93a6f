"""Remarks of staff about clients."""

import datetime as dt
import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy.orm import Session

from tarazu.clients import queries
from tarazu.clients.tables import Remark
from tarazu.kit import audit_log
from tarazu.kit.audit_log import Actor
from tarazu.kit.db import new_id
from tarazu.kit.errors import NotThere, StaleVersion
from tarazu.people import service as people
from tarazu.teams.service import ALL_CLIENTS, VisibleClients


@dataclass(frozen=True, slots=True)
class RemarkView:
    """A remark and the name of its author; "" for the system."""

    remark: Remark
    author: str


def remarks_of(session: Session, client_id: uuid.UUID) -> list[RemarkView]:
    """The remarks about a client, newest first.

    Raises:
        ClientNotFound: there is no such client.
    """
    people.client(session, client_id)
    return _with_authors(session, queries.remarks_of(session, client_id))


def add_remark(
    session: Session, actor: Actor, now: dt.datetime, client_id: uuid.UUID, text: str
) -> RemarkView:
    """Add a remark about a client.

    Raises:
        ClientNotFound: there is no such client.
    """
    people.client(session, client_id)
    remark = Remark(
        id=new_id(),
        client_id=client_id,
        text=text,
        created_at=now,
        created_by=actor.account_id,
        version=1,
    )
    session.add(remark)
    session.flush()
    changes = {"clientId": client_id, "remark": text}
    audit_log.record(session, actor, now, "remark_added", ("remark", remark.id), changes)
    return _with_authors(session, [remark])[0]


def edit_remark(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    remark_id: uuid.UUID,
    text: str,
    version: int | None,
    visible: VisibleClients = ALL_CLIENTS,
) -> RemarkView:
    """Replace the text of a remark; the earlier one stays in the audit trail.

    Args:
        version: the version that was edited; None overwrites any version.

    Raises:
        NotThere: there is no such remark.
        ClientNotFound: its client was deleted.
        StaleVersion: it has changed since this version.
    """
    remark = queries.remark_to_edit(session, remark_id)
    if remark is None or not visible.includes(remark.client_id):
        raise NotThere
    people.client(session, remark.client_id)
    if version is not None and version != remark.version:
        raise StaleVersion
    if text != remark.text:
        changes = {"clientId": remark.client_id, "remark": [remark.text, text]}
        remark.text, remark.updated_at, remark.version = text, now, remark.version + 1
        session.flush()
        audit_log.record(session, actor, now, "remark_edited", ("remark", remark.id), changes)
    return _with_authors(session, [remark])[0]


def _with_authors(session: Session, remarks: Sequence[Remark]) -> list[RemarkView]:
    names = people.names_of(session, {remark.created_by for remark in remarks if remark.created_by})
    return [
        RemarkView(remark, names.get(remark.created_by, "") if remark.created_by else "")
        for remark in remarks
    ]
