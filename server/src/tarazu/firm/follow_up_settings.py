"""How long advice is followed, when clients are reminded, and what their page offers."""

import datetime as dt
from collections.abc import Mapping
from typing import Any

from sqlalchemy.orm import Session

from tarazu.firm import queries
from tarazu.firm.tables import FollowUpSettings
from tarazu.kit import audit_log
from tarazu.kit.audit_log import Actor
from tarazu.kit.errors import StaleVersion


def follow_up_settings(session: Session) -> FollowUpSettings:
    """The firm's settings of the follow-up and of the client's page."""
    return queries.follow_up_settings(session)


def edit_follow_up_settings(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    entered: Mapping[str, object],
    version: int | None,
) -> FollowUpSettings:
    """Change settings by name; what is not given stays.

    Raises:
        StaleVersion: somebody changed them since `version`.
    """
    settings = queries.follow_up_settings(session, for_update=True)
    if version not in {None, settings.version}:
        raise StaleVersion
    changes: dict[str, Any] = {}
    for name, value in entered.items():
        before = getattr(settings, name)
        if before != value:
            setattr(settings, name, value)
            changes[name] = [before, value]
    settings.version += 1
    settings.updated_at = now
    session.flush()
    about = ("follow_up_settings", settings.id)
    audit_log.record(session, actor, now, "follow_up_settings_edited", about, changes)
    return settings
