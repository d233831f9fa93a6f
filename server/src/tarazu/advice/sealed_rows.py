"""Narrow reads of sealed advice: the rows that clients were to trade, and what became of the link."""

import datetime as dt
import json
import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sqlalchemy.orm import Session

from tarazu.advice import queries, row_queries
from tarazu.advice.row_queries import SealedRow, SentAdviceHead


@dataclass(frozen=True, slots=True)
class SentRows:
    """One sealed advice with all its rows, those to hold included, in the order of the letter."""

    id: uuid.UUID
    client_id: uuid.UUID
    sent_at: dt.datetime
    rows: Sequence[SealedRow]


def sent_rows(
    session: Session, client_ids: Collection[uuid.UUID], since: dt.datetime
) -> dict[uuid.UUID, list[SentRows]]:
    """By client, the advice sent since then, in order of time; every client has an entry."""
    heads = row_queries.sent_since(session, client_ids, since)
    rows = row_queries.rows_of(session, [head.id for head in heads])
    sent: dict[uuid.UUID, list[SentRows]] = {client_id: [] for client_id in client_ids}
    for head in heads:
        sent[head.client_id].append(_with_rows(head, rows.get(head.id, [])))
    return sent


def sealed_rows(
    session: Session, advice_ids: Collection[uuid.UUID]
) -> dict[uuid.UUID, list[SealedRow]]:
    """The rows to be traded of each of these advices, in the order of the letter."""
    rows = row_queries.rows_of(session, advice_ids)
    return {
        advice_id: [row for row in rows.get(advice_id, ()) if row.is_traded]
        for advice_id in advice_ids
    }


def model_names_of(session: Session, advice_ids: Collection[uuid.UUID]) -> dict[uuid.UUID, str]:
    """The model portfolio that each of these advices follows, as sealed; "" for none."""
    return {
        advice_id: (json.loads(text).get("model") or {}).get("name", "")
        for advice_id, text in row_queries.packages_of(session, advice_ids)
    }


def package_hash_of(session: Session, advice_id: uuid.UUID) -> str:
    """The hash of the sealed text of an advice; "" where it is not sealed."""
    seal = queries.seal_of(session, advice_id)
    return seal.package_hash if seal else ""


def opened_at(session: Session, advice_ids: Collection[uuid.UUID]) -> dict[uuid.UUID, dt.datetime]:
    """When each of these advices was first opened on the client's page; others are left out."""
    return row_queries.opened_at(session, advice_ids)


def _with_rows(head: SentAdviceHead, rows: Sequence[SealedRow]) -> SentRows:
    return SentRows(head.id, head.client_id, head.sent_at, rows)
