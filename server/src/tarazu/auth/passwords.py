"""Passwords: which ones are refused, and what a new one brings with it."""

from functools import cache
from pathlib import Path

from sqlalchemy.orm import Session

from tarazu.auth import letters, queries, throttle
from tarazu.auth.errors import (
    CurrentPasswordWrong,
    PasswordTooCommon,
    PasswordUnchanged,
    PasswordWrong,
)
from tarazu.auth.visits import Visit
from tarazu.kit import audit_log, mail, security
from tarazu.kit.audit_log import Actor
from tarazu.people import service as people
from tarazu.people.service import Staff

_COMMON = Path(__file__).with_name("common_passwords.txt")


def refuse_guessable(password: str, email: str, name: str) -> None:
    """Refuse what anybody would try first: a common password, or the account's own words.

    Raises:
        PasswordTooCommon: it is one of the 3,000 most common, or the account's e-mail or name.
    """
    typed = password.casefold()
    if typed in {email.casefold(), email.rpartition("@")[0].casefold(), name.casefold()}:
        raise PasswordTooCommon
    if typed in _common_passwords():
        raise PasswordTooCommon


def refuse_unfit(password: str, account: Staff) -> None:
    """Refuse a new password that is guessable or the old one.

    Raises:
        PasswordTooCommon, PasswordUnchanged: it is.
    """
    refuse_guessable(password, account.email, account.name)
    if security.is_password(password, account.password_hash):
        raise PasswordUnchanged


def confirm(
    session: Session,
    visit: Visit,
    account: Staff,
    password: str,
    wrong: type[CurrentPasswordWrong | PasswordWrong],
) -> None:
    """Make sure that it is the account's owner who sits at the live session.

    Raises:
        TooManyAttempts: there were wrong ones just before.
        CurrentPasswordWrong, PasswordWrong: as `wrong` says; it is counted.
    """
    key = f"password:{account.id}"
    throttle.refuse_waiting(session, key, visit.now, lock=True)
    if not security.is_password(password, account.password_hash):
        throttle.count_failure(session, visit, key)
        raise wrong
    throttle.forget(session, key)


def replace(
    session: Session, visit: Visit, account: Staff, password: str, actor: Actor, action: str
) -> None:
    """Set a new password: every session ends, every way to reset is void, a notice is mailed."""
    now = visit.now
    people.set_password(session, account.id, security.hash_password(password), now)
    queries.end_all_of(session, account.id, now)
    queries.void_reset_links(session, account.id, now)
    queries.void_challenges(session, account.id, now)
    throttle.forget_account(session, account.email)
    audit_log.record(session, actor, now, action, ("user", account.id), {"password": "changed"})
    mail.queue(session, letters.password_changed(account.email, visit.settings.address), now)


@cache
def _common_passwords() -> frozenset[str]:
    return frozenset(_COMMON.read_text(encoding="utf-8").split())
