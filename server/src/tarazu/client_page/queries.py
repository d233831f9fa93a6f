"""Every SQL statement on codes, sessions and baskets of the client's page."""

import datetime as dt
import uuid

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from tarazu.advice.tables import AdviceLink
from tarazu.client_page.tables import BasketState, PageCode, PageSession

KEPT = dt.timedelta(days=1)
"""How long sessions and baskets that are over stay in the database."""


def lock(session: Session, link_id: uuid.UUID) -> None:
    """Let nobody else make or try a code of this link until the transaction ends."""
    statement = select(AdviceLink.id).where(AdviceLink.id == link_id)
    session.execute(statement.with_for_update())


def count_codes_since(session: Session, link_id: uuid.UUID, since: dt.datetime) -> int:
    statement = (
        select(func.count())
        .select_from(PageCode)
        .where(PageCode.link_id == link_id, PageCode.made_at > since)
    )
    return session.execute(statement).scalar_one()


def count_wrong_tries(session: Session, link_id: uuid.UUID) -> int:
    """Wrong codes that were ever entered at this link."""
    statement = select(func.coalesce(func.sum(PageCode.tries), 0)).where(
        PageCode.link_id == link_id
    )
    return int(session.execute(statement).scalar_one())


def end_codes(session: Session, link_id: uuid.UUID, now: dt.datetime) -> None:
    """Let no earlier code of this link open anything."""
    statement = update(PageCode).where(PageCode.link_id == link_id, PageCode.used_at.is_(None))
    session.execute(statement.values(used_at=now))


def open_code(
    session: Session, link_id: uuid.UUID, most_tries: int, now: dt.datetime
) -> PageCode | None:
    """The code that opens the page now."""
    statement = select(PageCode).where(
        PageCode.link_id == link_id,
        PageCode.used_at.is_(None),
        PageCode.expires_at > now,
        PageCode.tries < most_tries,
    )
    return session.execute(statement).scalar_one_or_none()


def page_session(
    session: Session, link_id: uuid.UUID, digest: str, now: dt.datetime
) -> PageSession | None:
    """The session with this digest on this link, if it is not over."""
    statement = select(PageSession).where(
        PageSession.digest == digest,
        PageSession.link_id == link_id,
        PageSession.expires_at > now,
    )
    return session.execute(statement).scalar_one_or_none()


def use_basket(session: Session, digest: str, now: dt.datetime) -> BasketState | None:
    """The basket with this digest, and mark it as returned from; None the second time."""
    statement = (
        update(BasketState)
        .where(
            BasketState.digest == digest,
            BasketState.expires_at > now,
            BasketState.used_at.is_(None),
        )
        .values(used_at=now)
        .returning(BasketState)
    )
    return session.execute(statement).scalar_one_or_none()


def steps_returned(session: Session, link_id: uuid.UUID) -> set[int]:
    """The baskets of a link with which the client came back."""
    statement = select(BasketState.step).where(
        BasketState.link_id == link_id, BasketState.used_at.is_not(None)
    )
    return set(session.execute(statement).scalars())


def forget_old(session: Session, now: dt.datetime) -> None:
    """Delete sessions that were over a day ago."""
    session.execute(delete(PageSession).where(PageSession.expires_at < now - KEPT))
