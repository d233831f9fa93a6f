"""The door to approvals: what was asked for is done when a second administrator approves it."""

import datetime as dt
import json
import uuid
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy.orm import Session

from tarazu.advice.service import SealedApproval, Sender
from tarazu.approvals import letters, queries
from tarazu.approvals.actions import Content, Effect, checked, content_of, perform
from tarazu.approvals.errors import (
    AlreadyDecided,
    ApprovalNotFound,
    ApprovalNotNeeded,
    AskerGone,
    NobodyToApprove,
    OwnApproval,
    TooFewAdministrators,
)
from tarazu.approvals.requests import (
    Asked,
    AskedSetting,
    StoredRequest,
    digest_of,
    request_of_download,
)
from tarazu.approvals.tables import Approval, ApprovalState
from tarazu.firm import service as firm
from tarazu.firm.errors import ApprovalRequired
from tarazu.firm.service import ApprovedAction
from tarazu.kit import audit_log, mail
from tarazu.kit.audit_log import Actor
from tarazu.kit.auth_route import NotAllowed
from tarazu.kit.db import acquire_lock, new_id
from tarazu.kit.encryption import cipher_of
from tarazu.kit.errors import ApiError
from tarazu.kit.locks import AdvisoryLock
from tarazu.kit.settings import Settings
from tarazu.people import service as people
from tarazu.people.tables import Role

WAITS_FOR: Final = dt.timedelta(hours=24)
"""How long a request waits for a decision."""
GOOD_FOR: Final = dt.timedelta(hours=24)
"""How long an approved download may be made."""
LEAST_ADMINISTRATORS: Final = 2

_WORDS: Final = {
    ApprovalState.APPROVED: "approved",
    ApprovalState.REFUSED: "refused",
    ApprovalState.WITHDRAWN: "withdrawn",
}


@dataclass(frozen=True, slots=True)
class ListedApproval:
    """An approval with its state now and the names of who asked and who decided ("" for nobody)."""

    row: Approval
    state: ApprovalState
    asked_by: str
    decided_by: str


def choose_approved_actions(
    session: Session, actor: Actor, now: dt.datetime, wanted: Collection[ApprovedAction]
) -> None:
    """Set which actions need a second administrator; one alone may not make it fewer.

    An administrator who is the only active one may, since nobody else could approve anything.

    Raises:
        TooFewAdministrators: it is more actions, and nobody else could approve it.
        ApprovalRequired: it is fewer actions, and another administrator is active.
    """
    acquire_lock(session, AdvisoryLock.SETTINGS)
    before = firm.approved_actions(session)
    is_alone = len(people.administrators_emails(session)) < LEAST_ADMINISTRATORS
    if set(wanted) - before and is_alone:
        raise TooFewAdministrators
    if before - set(wanted) and not is_alone:
        raise ApprovalRequired(details={"action": ApprovedAction.SETTING})
    firm.choose_approved_actions(session, actor, now, wanted)


def ask(
    session: Session, settings: Settings, actor: Actor, now: dt.datetime, asked: Asked, note: str
) -> ListedApproval:
    """Ask for an approval, and mail the other administrators; the same request waits once.

    Raises:
        NotAllowed: the caller may not do it even with an approval.
        ApprovalNotNeeded, NobodyToApprove: it can be done without one; nobody could give it.
        ApiError: it could not be done even with an approval; the message says why.
    """
    action = asked.action
    if actor.role != Role.ADMIN and action is not ApprovedAction.EXPORT:
        raise NotAllowed
    if not _is_needed(session, asked):
        raise ApprovalNotNeeded
    asker = people.staff_by_id(session, _account(actor))
    own = {asker.email} if asker else set()
    others = [email for email in people.administrators_emails(session) if email not in own]
    if not others:
        raise NobodyToApprove
    asked, about = checked(session, settings, actor, now, asked)
    text = StoredRequest(asked=asked).text()
    acquire_lock(session, AdvisoryLock.APPROVALS)
    twin = queries.waiting_twin(session, _account(actor), digest_of(text), now)
    if twin is not None:
        return listed_approval(session, actor, now, twin.id)
    row = _add(session, actor, now, action, about, text, note)
    for recipient in others:
        draft = letters.asked(recipient, about, actor.name, note, settings.public_url)
        mail.queue(session, draft, now)
    changes = {"action": action, "about": about, "note": note}
    audit_log.record(session, actor, now, "approval_asked", ("approval", row.id), changes)
    return listed_approval(session, actor, now, row.id)


def approve(
    session: Session,
    settings: Settings,
    actor: Actor,
    now: dt.datetime,
    approval_id: uuid.UUID,
    answer: str,
) -> tuple[ListedApproval, Effect]:
    """Approve a request, and do what was asked for in the same transaction, as the one who asked.

    Raises:
        ApprovalNotFound: there is none.
        OwnApproval, AlreadyDecided, AskerGone: the caller, its state or the one who asked does not
            allow it; the audit trail says so.
        ApiError: it cannot be done any more; the request still waits.
    """
    row = _to_decide(session, actor, now, approval_id)
    asker = _asker_of(session, row)
    if asker is None:
        raise _refused(session, actor, now, row, AskerGone())
    approver = Sender(
        actor.account_id, actor.name, actor.role, actor.ip, actor.session_id, actor.request_id
    )
    sealed = SealedApproval(row.id, row.asked_at, now, approver)
    effect = perform(session, settings, asker, now, _asked(session, row), sealed)
    row.result = effect.result
    return _decide(session, settings, actor, now, row, ApprovalState.APPROVED, answer), effect


def refuse(
    session: Session,
    settings: Settings,
    actor: Actor,
    now: dt.datetime,
    approval_id: uuid.UUID,
    answer: str,
) -> ListedApproval:
    """Refuse a request.

    Raises:
        ApprovalNotFound, OwnApproval, AlreadyDecided: as for `approve`.
    """
    row = _to_decide(session, actor, now, approval_id)
    return _decide(session, settings, actor, now, row, ApprovalState.REFUSED, answer)


def withdraw(
    session: Session, actor: Actor, now: dt.datetime, approval_id: uuid.UUID
) -> ListedApproval:
    """Withdraw an own request.

    Raises:
        ApprovalNotFound: there is none, or somebody else asked for it.
        AlreadyDecided: it does not wait any more.
    """
    row = queries.approval(session, approval_id)
    if row is None or row.asked_by != actor.account_id:
        raise ApprovalNotFound
    _refuse_decided(session, actor, now, row)
    row.state, row.decided_by, row.decided_at = ApprovalState.WITHDRAWN, actor.account_id, now
    session.flush()
    about = ("approval", row.id)
    audit_log.record(session, actor, now, "approval_withdrawn", about, {"about": row.about})
    return listed_approval(session, actor, now, row.id)


def list_approvals(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    state: ApprovalState | None,
    page: tuple[int, int],
) -> tuple[list[ListedApproval], int]:
    """One page, the newest first, and how many there are; a USER's are the own ones.

    Args:
        page: rows before it, and the most on it.
    """
    asked_by = None if actor.role == Role.ADMIN else actor.account_id
    rows, total = queries.listed(session, now, state, asked_by, page)
    return [_listed(now, *row) for row in rows], total


def listed_approval(
    session: Session, actor: Actor, now: dt.datetime, approval_id: uuid.UUID
) -> ListedApproval:
    """One of `list_approvals`.

    Raises:
        ApprovalNotFound: there is none, or the caller may not see it.
    """
    row = queries.listed_approval(session, approval_id)
    if row is None or (actor.role != Role.ADMIN and row[0].asked_by != actor.account_id):
        raise ApprovalNotFound
    return _listed(now, *row)


def content(
    session: Session, settings: Settings, now: dt.datetime, listed: ListedApproval
) -> Content:
    """What was asked for, with the checks of an advice as they are now."""
    row = listed.row
    asker = _actor_of(row, listed.asked_by)
    is_waiting = listed.state is ApprovalState.WAITING
    asked = _asked(session, row)
    return content_of(session, settings, asker, now, asked, is_waiting=is_waiting)


def recorded_approvals(
    session: Session, since: dt.datetime, until: dt.datetime
) -> Iterator[ListedApproval]:
    """What was asked for from one instant until before another, the oldest first.

    One that still waits is WAITING, also after its day: a record does not change with the clock.
    """
    for row, asked_by, decided_by in queries.asked_between(session, since, until):
        yield ListedApproval(row, row.state, asked_by, decided_by or "")


def count_waiting_for(session: Session, actor: Actor, now: dt.datetime) -> int:
    """Requests that wait for this administrator; 0 for others."""
    if actor.role != Role.ADMIN:
        return 0
    return queries.count_waiting_for(session, _account(actor), now)


def find_approval(
    session: Session, actor: Actor, now: dt.datetime, what: str, filters: Mapping[str, Any]
) -> uuid.UUID | None:
    """The approval of a download by its caller; None where the firm asks for none.

    Raises:
        ApprovalRequired: a second administrator must approve it, and did not within the last day.
    """
    if ApprovedAction.EXPORT not in firm.approved_actions(session):
        return None
    request = request_of_download(what, dict(filters))
    digest = digest_of(request.text())
    found = queries.approved_download(session, _account(actor), digest, now - GOOD_FOR)
    if found is None:
        details = {"action": ApprovedAction.EXPORT, "what": what, "filters": dict(filters)}
        raise ApprovalRequired(details=details)
    return found


def _is_needed(session: Session, asked: Asked) -> bool:
    needed = firm.approved_actions(session)
    if isinstance(asked, AskedSetting):
        return bool(needed - set(asked.actions))
    return asked.action in needed


def _add(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    action: ApprovedAction,
    about: str,
    text: str,
    note: str,
) -> Approval:
    asked_from = {
        "role": actor.role,
        "ip": actor.ip,
        "session": str(actor.session_id or ""),
        "request": actor.request_id,
    }
    approval_id = new_id()
    row = Approval(
        id=approval_id,
        action=action,
        state=ApprovalState.WAITING,
        about=about,
        request=cipher_of(session).seal(text, Approval.request, approval_id),
        digest=digest_of(text),
        note=note,
        asked_by=_account(actor),
        asked_at=now,
        asked_from=json.dumps(asked_from),
        expires_at=now + WAITS_FOR,
        decided_by=None,
        decided_at=None,
        answer="",
        result="",
    )
    session.add(row)
    session.flush()
    return row


def _to_decide(
    session: Session, actor: Actor, now: dt.datetime, approval_id: uuid.UUID
) -> Approval:
    row = queries.approval(session, approval_id)
    if row is None:
        raise ApprovalNotFound
    # Read in this transaction: the role may have changed just before.
    decider = people.staff_by_id(session, _account(actor))
    if decider is None or not decider.is_active or decider.role is not Role.ADMIN:
        raise NotAllowed
    if row.asked_by == actor.account_id:
        raise _refused(session, actor, now, row, OwnApproval())
    _refuse_decided(session, actor, now, row)
    return row


def _refuse_decided(session: Session, actor: Actor, now: dt.datetime, row: Approval) -> None:
    state = row.state_at(now)
    if state is ApprovalState.EXPIRED:
        hours = int(WAITS_FOR.total_seconds()) // 3600
        sentence = f"Nobody decided within {hours} hours. It must be asked for again."
        raise _refused(session, actor, now, row, AlreadyDecided(sentence))
    if state is not ApprovalState.WAITING:
        ids = [row.decided_by] if row.decided_by else []
        by = people.names_of(session, ids).get(row.decided_by or uuid.UUID(int=0), "somebody")
        sentence = f"This was already {_WORDS[state]} by {by}."
        raise _refused(session, actor, now, row, AlreadyDecided(sentence))


def _refused(
    session: Session, actor: Actor, now: dt.datetime, row: Approval, refusal: ApiError
) -> ApiError:
    """Write to the audit trail that a decision was refused; returns the refusal."""
    changes = {"about": row.about, "reason": refusal.message}
    audit_log.record(
        session, actor, now, "approval_decision_refused", ("approval", row.id), changes
    )
    return refusal


def _decide(
    session: Session,
    settings: Settings,
    actor: Actor,
    now: dt.datetime,
    row: Approval,
    state: ApprovalState,
    answer: str,
) -> ListedApproval:
    row.state, row.decided_by, row.decided_at = state, actor.account_id, now
    row.answer = answer
    session.flush()
    asker = people.staff_by_id(session, row.asked_by)
    if asker is not None:
        draft = letters.decided(
            asker.email, row.about, state, actor.name, answer, settings.public_url
        )
        mail.queue(session, draft, now)
    changes = {"action": row.action, "about": row.about, "answer": answer, "askedBy": row.asked_by}
    about = ("approval", row.id)
    audit_log.record(session, actor, now, f"approval_{_WORDS[state]}", about, changes)
    return listed_approval(session, actor, now, row.id)


def _asker_of(session: Session, row: Approval) -> Actor | None:
    """Who asked, if still active in the same role."""
    asker = people.staff_by_id(session, row.asked_by)
    if asker is None or not asker.is_active:
        return None
    actor = _actor_of(row, asker.name)
    return actor if asker.role == actor.role else None


def _actor_of(row: Approval, name: str) -> Actor:
    asked_from = json.loads(row.asked_from)
    session_id = uuid.UUID(asked_from["session"]) if asked_from["session"] else None
    return Actor(
        row.asked_by,
        asked_from["role"],
        name,
        session_id,
        asked_from["ip"],
        asked_from["request"],
    )


def _asked(session: Session, row: Approval) -> Asked:
    text = cipher_of(session).unseal(row.request, Approval.request, row.id)
    return StoredRequest.model_validate_json(text).asked


def _listed(
    now: dt.datetime, row: Approval, asked_by: str, decided_by: str | None
) -> ListedApproval:
    return ListedApproval(row, row.state_at(now), asked_by, decided_by or "")


def _account(actor: Actor) -> uuid.UUID:
    if actor.account_id is None:
        raise NotAllowed
    return actor.account_id
