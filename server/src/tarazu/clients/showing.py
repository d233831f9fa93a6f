"""Passes what clients' accounts returned through the firm's gate for past performance."""

import datetime as dt

from sqlalchemy.orm import Session

from tarazu.domain.past_performance import Audience, Request, Span
from tarazu.firm import service as firm
from tarazu.kit.clock import day_in_india


def own_account_words(session: Session, now: dt.datetime) -> str:
    """What is said with figures of a client's own account, which are always shown."""
    return _words(session, Audience.OWN_CLIENT, now)


def internal_words(session: Session, now: dt.datetime) -> str:
    """What is said with a list of several clients' accounts, which is the firm's own."""
    return _words(session, Audience.FIRM, now)


def _words(session: Session, audience: Audience, now: dt.datetime) -> str:
    today = day_in_india(now)
    return firm.decide_on_performance(session, Request(audience, Span(today, today), today)).words
