"""The firm's settings of how staff sign in."""

import datetime as dt
from collections.abc import Mapping

from sqlalchemy.orm import Session

from tarazu.auth import queries
from tarazu.auth.errors import SsoNeeded
from tarazu.auth.tables import SignInSettings
from tarazu.kit import audit_log
from tarazu.kit.audit_log import Actor
from tarazu.kit.errors import StaleVersion
from tarazu.kit.settings import Settings
from tarazu.people.tables import Role


def sign_in_settings(session: Session) -> SignInSettings:
    """The settings in force."""
    return queries.sign_in_settings(session)


def admits_password(session: Session, settings: Settings, role: Role) -> bool:
    """Whether accounts of this role may sign in with a password; an ADMIN always may."""
    if role is Role.ADMIN or not settings.has_sso:
        return True
    return queries.sign_in_settings(session).user_passwords


def edit_sign_in_settings(
    session: Session,
    settings: Settings,
    actor: Actor,
    now: dt.datetime,
    entered: Mapping[str, object],
    version: int | None,
) -> SignInSettings:
    """Change settings by name; what is not given stays.

    Raises:
        SsoNeeded: passwords of USERs cannot be turned off without single sign-on.
        StaleVersion: somebody changed them since `version`.
    """
    row = queries.sign_in_settings(session, for_update=True)
    if version not in {None, row.version}:
        raise StaleVersion
    if entered.get("user_passwords") is False and not settings.has_sso:
        raise SsoNeeded
    changes = {
        name: [getattr(row, name), value]
        for name, value in entered.items()
        if getattr(row, name) != value
    }
    for name, (_, value) in changes.items():
        setattr(row, name, value)
    row.version += 1
    row.updated_at = now
    session.flush()
    about = ("sign_in_settings", "firm")
    audit_log.record(session, actor, now, "sign_in_settings_edited", about, changes)
    return row
