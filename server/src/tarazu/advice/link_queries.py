"""Every SQL statement on the links with which clients open their advice."""

import datetime as dt
import uuid
from collections.abc import Collection

from sqlalchemy import ColumnElement, exists, select, update
from sqlalchemy.orm import Session, aliased

from tarazu.advice.tables import Advice, AdviceLink, AdviceStock


def link_of_digest(session: Session, digest: str, now: dt.datetime) -> AdviceLink | None:
    """The link with this digest, if it works now."""
    statement = select(AdviceLink).where(AdviceLink.digest == digest, *_works(now))
    return session.execute(statement).scalar_one_or_none()


def link_by_id(session: Session, link_id: uuid.UUID, now: dt.datetime) -> AdviceLink | None:
    """The link with this id, if it works now."""
    statement = select(AdviceLink).where(AdviceLink.id == link_id, *_works(now))
    return session.execute(statement).scalar_one_or_none()


def end_links(session: Session, advice_ids: Collection[uuid.UUID], now: dt.datetime) -> bool:
    """End every link of these advices that works; whether there was one."""
    statement = (
        update(AdviceLink)
        .where(AdviceLink.advice_id.in_(advice_ids), *_works(now))
        .values(revoked_at=now)
        .returning(AdviceLink.id)
    )
    return bool(session.execute(statement).all())


def end_link(session: Session, link_id: uuid.UUID, now: dt.datetime) -> None:
    """End one link."""
    statement = update(AdviceLink).where(AdviceLink.id == link_id, AdviceLink.revoked_at.is_(None))
    session.execute(statement.values(revoked_at=now))


def note_opened(session: Session, link_id: uuid.UUID, now: dt.datetime) -> None:
    """Note when the content was first shown; later times change nothing."""
    statement = update(AdviceLink).where(AdviceLink.id == link_id, AdviceLink.opened_at.is_(None))
    session.execute(statement.values(opened_at=now))


def isins_advised_later(session: Session, advice_id: uuid.UUID) -> set[str]:
    """Of the stocks of an advice, those that later advice to the same client names too."""
    sent, later = aliased(Advice), aliased(Advice)
    named_again = aliased(AdviceStock)
    statement = (
        select(AdviceStock.isin)
        .join(sent, sent.id == AdviceStock.advice_id)
        .where(
            sent.id == advice_id,
            exists()
            .where(
                later.client_id == sent.client_id,
                later.created_at > sent.created_at,
                named_again.advice_id == later.id,
                named_again.isin == AdviceStock.isin,
            )
            .correlate(AdviceStock, sent),
        )
    )
    return set(session.execute(statement).scalars())


def _works(now: dt.datetime) -> tuple[ColumnElement[bool], ...]:
    return AdviceLink.expires_at > now, AdviceLink.revoked_at.is_(None)
