"""Failed attempts, counted in the database so that a restart keeps them.

Keys hold digests of e-mail addresses, whether such an account exists or not.
"""

import datetime as dt
import hashlib

from sqlalchemy.orm import Session

from tarazu.auth import queries
from tarazu.auth.visits import Visit
from tarazu.kit.rate_limit import Limit, TooManyAttempts

FREE = 5
LONGEST_WAIT = 900
FORGOTTEN_AFTER = dt.timedelta(days=1)
HOUR = dt.timedelta(hours=1)

FAILED_LOGINS = Limit(30, 15 * 60)
WRONG_LINKS = Limit(10, 15 * 60)
PASSKEYS = Limit(60, 15 * 60)
AN_HOUR = Limit(20, 3600)
MAILS_AN_HOUR = 3


def login_key(email: str, device_digest: str | None) -> str:
    """The key that counts log-ins to one account; a browser it knows has its own."""
    return ":".join(filter(None, ("login", digest_of(email), device_digest)))


def digest_of(email: str) -> str:
    """The digest of an e-mail address, for keys."""
    return hashlib.sha256(email.encode()).hexdigest()


def refuse_waiting(session: Session, key: str, now: dt.datetime, *, lock: bool = False) -> None:
    """Refuse an attempt while the key must wait; `lock` if the attempt is counted afterwards.

    Raises:
        TooManyAttempts: it must wait.
    """
    until = queries.blocked_until(session, key, lock=lock)
    if until is not None and until > now:
        raise TooManyAttempts((until - now).total_seconds())


def count_failure(session: Session, visit: Visit, key: str) -> None:
    """Count a failure; from the fifth on the next attempt waits 1, 2, 4 … 900 seconds."""
    count = queries.count_attempt(session, key, visit.now, FORGOTTEN_AFTER)
    over = count - visit.limits.scaled(FREE)
    if over >= 0:
        # After ten doublings the longest wait is reached.
        wait = min(LONGEST_WAIT, 2 ** min(over, 10))
        queries.block(session, key, visit.now + dt.timedelta(seconds=wait))


def forget(session: Session, key: str) -> None:
    """Reset the count after a success."""
    queries.forget_attempts(session, key)


def forget_account(session: Session, email: str) -> None:
    """Reset the counts of every device: the password has changed."""
    queries.forget_attempts_like(session, login_key(email, None))


def is_one_too_many(session: Session, visit: Visit, key: str, most: int) -> bool:
    """Count one; returns whether there were more than `most` within the hour."""
    count = queries.count_attempt(session, key, visit.now, HOUR)
    return count > visit.limits.scaled(most)
