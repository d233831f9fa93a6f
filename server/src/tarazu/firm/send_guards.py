"""Checks before a send that the firm may let block or only warn."""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from sqlalchemy.orm import Session

from tarazu.firm import queries
from tarazu.firm.tables import SendGuard
from tarazu.kit import audit_log
from tarazu.kit.audit_log import Actor
from tarazu.kit.db import acquire_lock
from tarazu.kit.locks import AdvisoryLock


class GuardLevel(StrEnum):
    OFF = "OFF"
    WARN = "WARN"
    BLOCK = "BLOCK"


ALL_LEVELS: Final = (GuardLevel.OFF, GuardLevel.WARN, GuardLevel.BLOCK)


@dataclass(frozen=True, slots=True)
class Guard:
    """A check whose level is a setting; `id` is that of the check."""

    id: str
    title: str
    hint: str
    default: GuardLevel
    levels: Sequence[GuardLevel] = (GuardLevel.WARN, GuardLevel.BLOCK)


@dataclass(frozen=True, slots=True)
class GuardSetting:
    guard: Guard
    level: GuardLevel


GUARDS: Final[Sequence[Guard]] = (
    Guard(
        "certificate",
        "The sender's certificate has expired",
        "Staff for whom no certificate was ever recorded are only warned.",
        GuardLevel.BLOCK,
    ),
    Guard(
        "restricted",
        "Staff traded a stock shortly before the advice, or hold it undisclosed",
        "The days are those of the rule in the registers.",
        GuardLevel.WARN,
    ),
    Guard(
        "kyc",
        "KYC of the client is missing",
        "It is done with a PAN and a KRA status of Registered or Validated: the client's Papers tab.",
        GuardLevel.WARN,
        ALL_LEVELS,
    ),
    Guard(
        "terms",
        "The client has not agreed to the newest terms and MITC",
        "The texts and their versions: Settings, Consent texts.",
        GuardLevel.WARN,
        ALL_LEVELS,
    ),
    Guard(
        "holdings_consent",
        "The client has not agreed that holdings are read",
        "Off at first: whether a Research Analyst needs this consent is a question for counsel.",
        GuardLevel.OFF,
        ALL_LEVELS,
    ),
    Guard(
        "client_specific",
        "The advice is for one client alone, not scaled from a model",
        "Off at first: every advice from the Advice screen is of this kind. It is marked in any case.",
        GuardLevel.OFF,
        ALL_LEVELS,
    ),
)
"""In the order of the screen; a new one is an entry here."""


def guard_settings(session: Session) -> list[GuardSetting]:
    """Every guard with its level: the firm's choice, or else the default."""
    levels = queries.guard_levels(session)
    return [
        GuardSetting(guard, GuardLevel(levels.get(guard.id, guard.default))) for guard in GUARDS
    ]


def guard_levels(session: Session) -> Mapping[str, GuardLevel]:
    """The level of every guard by its id."""
    return {setting.guard.id: setting.level for setting in guard_settings(session)}


def edit_guards(
    session: Session, actor: Actor, now: dt.datetime, levels: Mapping[str, GuardLevel]
) -> list[GuardSetting]:
    """Set the levels of these guards; the others stay."""
    acquire_lock(session, AdvisoryLock.SETTINGS)
    changes = {}
    for setting in guard_settings(session):
        key, level = setting.guard.id, levels.get(setting.guard.id, setting.level)
        if level is not setting.level:
            session.merge(SendGuard(id=key, level=level, updated_at=now))
            changes[key] = [setting.level, level]
    session.flush()
    if changes:
        audit_log.record(
            session, actor, now, "send_guards_edited", ("send_guards", "firm"), changes
        )
    return guard_settings(session)
