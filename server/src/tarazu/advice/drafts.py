"""Drafts of advice: one for each client and person, so that another device can go on with it.

A draft is no record: it is private to its author and not in the audit trail, and it goes when the
advice is sent.
"""

import datetime as dt
import json
import uuid

from sqlalchemy.orm import Session

from tarazu.advice import draft_queries as queries
from tarazu.advice.draft_queries import UnsentDraft
from tarazu.advice.requests import DraftToSave
from tarazu.advice.tables import AdviceDraft
from tarazu.kit.audit_log import Actor
from tarazu.kit.errors import StaleVersion
from tarazu.people import service as people


def draft_of(session: Session, actor: Actor, client_id: uuid.UUID) -> AdviceDraft | None:
    """The caller's own draft for a client; None where there is none.

    Raises:
        ClientNotFound: there is no such client, or it was deleted meanwhile.
    """
    people.client(session, client_id)
    return queries.draft_of(session, client_id, actor.account_id)


def save_draft(
    session: Session, actor: Actor, now: dt.datetime, client_id: uuid.UUID, draft: DraftToSave
) -> int:
    """Store the caller's draft for a client in place of the version it names; its new version.

    Raises:
        ClientNotFound: there is no such client, or it was deleted meanwhile.
        StaleVersion: the draft was changed, sent or dropped since that version.
    """
    people.client(session, client_id)
    values = {
        "content": json.dumps(draft.content, ensure_ascii=False),
        "schema_version": draft.schema_version,
        "is_follow_up": False,
        "version": (draft.version or 0) + 1,
        "changed_at": now,
    }
    if not queries.put_draft(session, client_id, actor.account_id, draft.version, values):
        raise StaleVersion
    return (draft.version or 0) + 1


def drop_draft(session: Session, actor: Actor, client_id: uuid.UUID) -> None:
    """Delete the caller's draft for a client, if there is one."""
    queries.delete_draft(session, client_id, actor.account_id)


def list_drafts(
    session: Session, actor: Actor, skipped: int, limit: int
) -> tuple[list[UnsentDraft], int]:
    """One page of the caller's drafts, the last changed first; how many there are."""
    drafts = queries.unsent_drafts(session, actor.account_id, skipped, limit)
    return drafts, queries.count_unsent_drafts(session, actor.account_id)


def count_drafts(session: Session, actor: Actor) -> int:
    """How many advices the caller has begun and not sent, to live clients."""
    return queries.count_unsent_drafts(session, actor.account_id)
