"""Links with which clients open their advice: made, mailed, ended.

A link is a random token in an address and opens one advice. It works until the advice's window is
over, and for fourteen days after it was made at least. Its content is shown only after a code that
is mailed to the client (`client_page`). A link that a person makes ends those before it. One that a
mail carries ends none: the letter does not end the link that was just handed over, nor a reminder
the letter's.

A link belongs to the client's mail address of its making. When the client's address changes, the
link ends: whoever reads the former mailbox has the link, and no code is ever mailed there.
"""

import datetime as dt
import uuid
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum

from sqlalchemy.orm import Session

from tarazu.advice import link_queries, queries
from tarazu.advice.errors import AdviceNotFound, AdviceNotSealed
from tarazu.advice.tables import Advice, AdviceLink
from tarazu.domain.calendar import next_business_day
from tarazu.firm import service as firm
from tarazu.kit import audit_log, security
from tarazu.kit.audit_log import SYSTEM, Actor
from tarazu.kit.clock import day_in_india, start_of
from tarazu.kit.db import new_id
from tarazu.kit.settings import Settings
from tarazu.people import service as people
from tarazu.people.errors import ClientNotFound
from tarazu.people.service import Client

READABLE_FOR = dt.timedelta(days=14)
"""How long a link works at least."""


class Messenger(StrEnum):
    """The analyst's own app, in which a link is handed over."""

    WHATSAPP = "WHATSAPP"
    TELEGRAM = "TELEGRAM"


@dataclass(frozen=True, slots=True)
class NewAdviceLink:
    """A link that was just made; its token is known here alone, and stored as a digest."""

    advice_id: uuid.UUID
    token: str
    url: str
    expires_at: dt.datetime


@dataclass(frozen=True, slots=True)
class OpenAdviceLink:
    """A link that works, and whose it is."""

    id: uuid.UUID
    advice_id: uuid.UUID
    client: Client
    expires_at: dt.datetime


def make_link(
    session: Session,
    settings: Settings,
    actor: Actor | None,
    advice_id: uuid.UUID,
    now: dt.datetime,
) -> NewAdviceLink:
    """A link to one advice; earlier links of it end where a person makes it.

    Args:
        settings: say where the product is found.
        actor: who makes it; None for the product, as for a mail.

    Raises:
        AdviceNotFound, ClientNotFound: there is no such advice, or its client was deleted.
        AdviceNotSealed: it was not sent by this product.
    """
    advice = queries.advice_by_id(session, advice_id)
    if advice is None:
        raise AdviceNotFound
    if queries.seal_of(session, advice_id) is None:
        raise AdviceNotSealed
    clients = {advice.client_id: people.client(session, advice.client_id)}
    return _make(session, settings.address, actor, [advice], clients, now)[advice_id]


def mail_links(
    session: Session, address: str, advice_ids: Collection[uuid.UUID], now: dt.datetime
) -> Mapping[uuid.UUID, NewAdviceLink]:
    """Links for the mails of those of these advices that are sealed.

    None where the firm mails none, or the product has no address.
    """
    if not address or not firm.follow_up_settings(session).mails_links:
        return {}
    advices, clients = [], {}
    for advice in queries.advices_by_ids(session, queries.sealed_among(session, advice_ids)):
        try:
            clients[advice.client_id] = people.client(session, advice.client_id)
        except ClientNotFound:
            continue
        advices.append(advice)
    return _make(session, address, None, advices, clients, now)


def revoke_link(session: Session, actor: Actor, advice_id: uuid.UUID, now: dt.datetime) -> None:
    """End the links of an advice.

    Raises:
        AdviceNotFound: there is no such advice.
    """
    if queries.advice_by_id(session, advice_id) is None:
        raise AdviceNotFound
    link_queries.end_links(session, [advice_id], now)
    audit_log.record(session, actor, now, "advice_link_ended", ("advice", advice_id), {})


def note_handed_over(
    session: Session, actor: Actor, advice_id: uuid.UUID, messenger: Messenger, now: dt.datetime
) -> None:
    """Note that a person opened a messenger with the link of an advice; what was sent is not known.

    Raises:
        AdviceNotFound: there is no such advice.
    """
    if queries.advice_by_id(session, advice_id) is None:
        raise AdviceNotFound
    about, changes = ("advice", advice_id), {"by": messenger.value}
    audit_log.record(session, actor, now, "advice_link_handed_over", about, changes)


def open_link(session: Session, token: str, now: dt.datetime) -> OpenAdviceLink | None:
    """The link of a token; None if it is unknown, over, ended or of a former address."""
    return _opened(session, link_queries.link_of_digest(session, security.token_digest(token), now))


def open_link_by_id(
    session: Session, link_id: uuid.UUID, now: dt.datetime
) -> OpenAdviceLink | None:
    """The link with this id; None as for `open_link`."""
    return _opened(session, link_queries.link_by_id(session, link_id, now))


def lock_link(session: Session, actor: Actor, link: OpenAdviceLink, now: dt.datetime) -> None:
    """End a link at which too many wrong codes were entered."""
    link_queries.end_link(session, link.id, now)
    about = ("advice", link.advice_id)
    audit_log.record(session, actor, now, "advice_link_locked", about, {})


def note_opened(session: Session, actor: Actor, link: OpenAdviceLink, now: dt.datetime) -> None:
    """Note that the content was shown after a right code."""
    link_queries.note_opened(session, link.id, now)
    about = ("advice", link.advice_id)
    audit_log.record(session, actor, now, "advice_page_opened", about, {})


def isins_advised_later(session: Session, advice_id: uuid.UUID) -> set[str]:
    """Of the stocks of an advice, those that later advice to the same client names too."""
    return link_queries.isins_advised_later(session, advice_id)


def window_end(session: Session, sent_at: dt.datetime) -> dt.date:
    """The last day on which orders count for an advice that was sent then."""
    day, holidays = day_in_india(sent_at), firm.holidays(session)
    for _ in range(firm.follow_up_settings(session).window_days):
        day = next_business_day(day, holidays)
    return day


def _opened(session: Session, link: AdviceLink | None) -> OpenAdviceLink | None:
    if link is None:
        return None
    advice = queries.advice_by_id(session, link.advice_id)
    if advice is None:
        return None
    try:
        client = people.client(session, advice.client_id)
    except ClientNotFound:
        return None
    if client.email.casefold() != link.email.casefold():
        return None
    return OpenAdviceLink(link.id, link.advice_id, client, link.expires_at)


def _make(
    session: Session,
    address: str,
    actor: Actor | None,
    advices: Collection[Advice],
    clients: Mapping[uuid.UUID, Client],
    now: dt.datetime,
) -> dict[uuid.UUID, NewAdviceLink]:
    if actor is not None:
        link_queries.end_links(session, [advice.id for advice in advices], now)
    made = {}
    for advice in advices:
        token, over_on = security.new_token(), window_end(session, advice.created_at)
        until = max(start_of(over_on + dt.timedelta(days=1)), now + READABLE_FOR)
        session.add(
            AdviceLink(
                id=new_id(),
                digest=security.token_digest(token),
                advice_id=advice.id,
                email=clients[advice.client_id].email,
                made_by=actor.account_id if actor else None,
                made_at=now,
                expires_at=until,
                revoked_at=None,
                opened_at=None,
            )
        )
        made[advice.id] = NewAdviceLink(advice.id, token, f"{address}/a/{token}", until)
    session.flush()
    rows = [(("advice", link.advice_id), {"until": link.expires_at}) for link in made.values()]
    if rows:
        audit_log.record_many(session, actor or SYSTEM, now, "advice_link_made", rows)
    return made
