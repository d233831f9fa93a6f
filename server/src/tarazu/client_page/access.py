"""Who may read an advice on the client's page: the holder of its link, after a mailed code.

A code has six digits, works once and for ten minutes, and is mailed to the client's address; three
are mailed in an hour. It ends with the fifth wrong try, and the link ends with the fiftieth: without
that, somebody who has the link alone could try for weeks.
"""

import datetime as dt
import hmac
import secrets
from dataclasses import dataclass

from sqlalchemy.orm import Session

from tarazu.advice import service as advising
from tarazu.advice.service import OpenAdviceLink
from tarazu.client_page import mails, queries
from tarazu.client_page.errors import PageNotFound, PageSessionOver
from tarazu.client_page.tables import PageCode, PageSession
from tarazu.firm import service as firm
from tarazu.kit import audit_log, mail, security
from tarazu.kit.audit_log import Actor
from tarazu.kit.db import new_id
from tarazu.kit.encryption import cipher_of

DIGITS = 6
CODE_MINUTES = 10
CODES_AN_HOUR = 3
MOST_TRIES = 5
MOST_WRONG = 50
SESSION_LASTS = dt.timedelta(minutes=30)
HOUR = dt.timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class NewPageSession:
    """A client who may read now; the token is known to the page alone."""

    token: str
    expires_at: dt.datetime


def link_of(session: Session, token: str, now: dt.datetime) -> OpenAdviceLink:
    """The link of a token.

    Raises:
        PageNotFound: it is unknown, over or ended.
    """
    link = advising.open_link(session, token, now)
    if link is None:
        raise PageNotFound
    return link


def send_code(session: Session, actor: Actor, link: OpenAdviceLink, now: dt.datetime) -> bool:
    """Mail a code to the link's client, instead of those before; False if it is one too many."""
    queries.lock(session, link.id)
    if queries.count_codes_since(session, link.id, now - HOUR) >= CODES_AN_HOUR:
        return False
    queries.end_codes(session, link.id, now)
    code, code_id = f"{secrets.randbelow(10**DIGITS):0{DIGITS}d}", new_id()
    session.add(
        PageCode(
            id=code_id,
            link_id=link.id,
            digest=cipher_of(session).digest_of(code, code_id),
            made_at=now,
            expires_at=now + dt.timedelta(minutes=CODE_MINUTES),
            tries=0,
            used_at=None,
        )
    )
    language = link.client.language
    registration = firm.registration(session, language)
    draft = mails.code_mail(registration, language, link.client.email, code, CODE_MINUTES)
    mail.queue(session, draft, now)
    about = ("advice", link.advice_id)
    audit_log.record(session, actor, now, "advice_code_sent", about, {})
    return True


def enter_code(
    session: Session, actor: Actor, link: OpenAdviceLink, code: str, now: dt.datetime
) -> NewPageSession | None:
    """A session for the right code; None for a wrong one, which is counted."""
    queries.lock(session, link.id)
    stored = queries.open_code(session, link.id, MOST_TRIES, now)
    if stored is None:
        return None
    given = cipher_of(session).digest_of("".join(code.split()), stored.id)
    if not hmac.compare_digest(given, stored.digest):
        stored.tries += 1
        session.flush()
        if queries.count_wrong_tries(session, link.id) >= MOST_WRONG:
            advising.lock_link(session, actor, link, now)
        return None
    stored.used_at = now
    queries.forget_old(session, now)
    token = security.new_token()
    opened = PageSession(
        id=new_id(),
        link_id=link.id,
        digest=security.token_digest(token),
        made_at=now,
        expires_at=min(now + SESSION_LASTS, link.expires_at),
    )
    session.add(opened)
    session.flush()
    advising.note_opened(session, actor, link, now)
    return NewPageSession(token, opened.expires_at)


def check_session(
    session: Session, link: OpenAdviceLink, page_token: str, now: dt.datetime
) -> None:
    """Check that a token is that of an open page session of this link.

    Raises:
        PageSessionOver: it is over, or was never one of this link.
    """
    if queries.page_session(session, link.id, security.token_digest(page_token), now) is None:
        raise PageSessionOver
