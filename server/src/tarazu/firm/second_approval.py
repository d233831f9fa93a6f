"""Actions that a second administrator must approve, where the firm has asked for that."""

import datetime as dt
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from sqlalchemy.orm import Session

from tarazu.firm import queries
from tarazu.firm.errors import ApprovalRequired
from tarazu.firm.tables import SecondApproval
from tarazu.kit import audit_log
from tarazu.kit.audit_log import Actor
from tarazu.kit.db import acquire_lock
from tarazu.kit.locks import AdvisoryLock


class ApprovedAction(StrEnum):
    """What can be asked for. SETTING, to ask for less approval than before, always needs it."""

    ADVICE = "ADVICE"
    RUN = "RUN"
    BROKER_KEY = "BROKER_KEY"
    EXPORT = "EXPORT"
    SETTING = "SETTING"


@dataclass(frozen=True, slots=True)
class ApprovalChoice:
    """An action that the firm may have approved by a second administrator."""

    action: ApprovedAction
    title: str
    hint: str


CHOICES: Final[Sequence[ApprovalChoice]] = (
    ApprovalChoice(
        ApprovedAction.ADVICE,
        "Advice to one client",
        "It is sent at the moment of the approval, if all checks still pass.",
    ),
    ApprovalChoice(
        ApprovedAction.RUN,
        "The sending of a run",
        "The run and the chosen clients must stay as they were when the approval was asked for.",
    ),
    ApprovalChoice(
        ApprovedAction.BROKER_KEY,
        "A broker's API key, secret or address",
        "Other changes of a broker need no approval.",
    ),
    ApprovalChoice(
        ApprovedAction.EXPORT,
        "The download of a list or pack of many clients",
        "The approval holds for 24 hours, for the same list with the same filters.",
    ),
)
"""In the order of the screen."""


def approved_actions(session: Session) -> set[ApprovedAction]:
    """The actions that need a second administrator."""
    return {ApprovedAction(action) for action in queries.approved_actions(session)}


def refuse_alone(session: Session, action: ApprovedAction) -> None:
    """Refuse an action that nobody else approved, where the firm asks for that.

    Raises:
        ApprovalRequired: it does.
    """
    if action in approved_actions(session):
        raise ApprovalRequired(details={"action": action})


def choose_approved_actions(
    session: Session, actor: Actor, now: dt.datetime, wanted: Collection[ApprovedAction]
) -> None:
    """Have these actions approved by a second administrator from now on, and no others."""
    acquire_lock(session, AdvisoryLock.SETTINGS)
    before = approved_actions(session)
    for action in sorted(before - set(wanted)):
        session.delete(session.get_one(SecondApproval, action))
    for action in sorted(set(wanted) - before):
        session.add(SecondApproval(action=action, updated_at=now))
    session.flush()
    if before != set(wanted):
        changes = {"actions": [sorted(before), sorted(wanted)]}
        about = ("second_approval", "firm")
        audit_log.record(session, actor, now, "second_approval_edited", about, changes)
