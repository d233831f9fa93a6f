"""Drafts the follow-up of an advice when its window ended and a part of it was traded.

It is drafted for the person who sent the advice, at the prices of now, where what is left exceeds
one of the firm's limits: the tracking error of now less the best possible, or idle cash. Once for
each advice; nothing is ever sent. Where holdings, trades or prices are not those of now, it is
tried again every hour for some days.

Later advice to the client replaces the lines of the stocks that it names, and no others: it
prevents the draft only where it names all stocks that are left.
"""

import datetime as dt
import uuid
from collections.abc import Callable
from typing import Final

import structlog
from sqlalchemy.orm import Session

from tarazu.advice import service as advice
from tarazu.advice.service import Package
from tarazu.domain.execution.values import LineStatus
from tarazu.domain.money import HUNDRED, ZERO, Percent
from tarazu.domain.rebalancing.plan import CannotPlan
from tarazu.firm import service as firm
from tarazu.follow_up import drafting_queries, queries
from tarazu.follow_up.residual import rebalance_left
from tarazu.follow_up.tables import DraftOutcome, FollowUpDraft
from tarazu.follow_up.windows import PROGRESS_ID
from tarazu.kit.clock import day_in_india
from tarazu.kit.db import Database
from tarazu.kit.errors import ApiError
from tarazu.kit.formatting import percent
from tarazu.kit.sockets import Progress
from tarazu.people import service as people
from tarazu.people.tables import Role, Status

log = structlog.get_logger(__name__)

TRIED_FOR: Final = dt.timedelta(days=7)
"""After the end of a window: what was not drafted until then is not drafted any more."""
TRIED_EVERY: Final = dt.timedelta(hours=1)
AT_A_TIME: Final = 50
_UNREAD: Final = frozenset({LineStatus.UNKNOWN, LineStatus.PARTIAL})
"""Of a window that is over: the trades were not read up to its end."""
_FAULTS: Final = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)

Decision = tuple[DraftOutcome, str]
Planned = tuple[Package, uuid.UUID, uuid.UUID, dt.datetime]
"""A rebalance, its client, who gets it as a draft, and when the advice was sent."""


def has_drafts_due(session: Session, now: dt.datetime) -> bool:
    """Whether any follow-up is to be decided on."""
    return _is_on(session) and drafting_queries.has_due_advice(session, *_times(now))


def draft_due(
    database: Database,
    now: dt.datetime,
    tell: Callable[[Progress], object] = lambda _: None,
) -> int:
    """Decide on all follow-ups that are due; how many were drafted.

    It may be killed at any point and run in several processes: a draft is stored together with the
    decision, and there is one decision for each advice.

    Args:
        tell: called once something was decided, for browsers that show it.
    """
    drafted = 0
    while True:
        with database.reading() as session:
            due = (
                drafting_queries.due_advice(session, *_times(now), AT_A_TIME)
                if _is_on(session)
                else []
            )
        for advice_id in due:
            drafted += _draft(database, advice_id, now)
        if due:
            tell(Progress(PROGRESS_ID, "Follow-up", drafted, drafted, "CHANGED"))
        if len(due) < AT_A_TIME:
            return drafted


def _is_on(session: Session) -> bool:
    settings = firm.follow_up_settings(session)
    return settings.tracking_limit is not None or settings.idle_cash_limit is not None


def _times(now: dt.datetime) -> tuple[dt.date, dt.datetime]:
    return day_in_india(now - TRIED_FOR), now - TRIED_EVERY


def _draft(database: Database, advice_id: uuid.UUID, now: dt.datetime) -> bool:
    """Decide on one follow-up and store its draft; whether there is one."""
    planned: Planned | None = None
    with database.reading() as session:
        try:
            (outcome, text), planned = _decided(session, advice_id, now)
        except ApiError as error:
            outcome, text = DraftOutcome.LEFT_OUT, error.message
        except _FAULTS as error:
            # It does not hold up the others, and is tried again.
            log.exception("follow_up_not_drafted", advice=advice_id, error=type(error).__name__)
            outcome, text = DraftOutcome.WAITING, "The follow-up could not be computed."
    is_drafted = outcome is DraftOutcome.DRAFTED and planned is not None
    with database.transaction() as session:
        account_id = planned[2] if planned and is_drafted else None
        row = FollowUpDraft(
            advice_id=advice_id, account_id=account_id, outcome=outcome, text=text, decided_at=now
        )
        if not drafting_queries.put_decision(session, row) or not planned or not is_drafted:
            return False
        computed, client_id, account_id, sent_at = planned
        if advice.add_follow_up_draft(session, account_id, client_id, computed, (now, sent_at)):
            return True
        text = "There was a draft for this client already: it was not overwritten."
        drafting_queries.leave_out(session, advice_id, text)
        return False


def _decided(
    session: Session, advice_id: uuid.UUID, now: dt.datetime
) -> tuple[Decision, Planned | None]:
    """What to do about one follow-up; with the rebalance, if there is one to draft.

    Raises:
        ApiError: nothing is left, or nothing can be planned; the message says why.
    """
    sent, client = advice.recipient(session, advice_id)
    sender = people.staff_by_id(session, sent.account_id)
    if client.status is not Status.ACTIVE:
        return (DraftOutcome.LEFT_OUT, "The client is not active."), None
    if sender is None or not sender.is_active or sender.role is not Role.ADMIN:
        return (DraftOutcome.LEFT_OUT, "Who sent the advice can no longer send any."), None
    lines = queries.lines_of(session, [advice_id])[advice_id]
    if any(line.status in _UNREAD for line in lines):
        text = "The client's trades were not read up to the end of the window."
        return (DraftOutcome.WAITING, text), None
    _, computed = rebalance_left(session, advice_id, now)
    unfit = advice.unfit_facts(session, client, computed, now)
    if unfit:
        return (DraftOutcome.WAITING, " ".join(unfit)), None
    decision = _of_limits(session, computed)
    return decision, (computed, client.id, sender.id, sent.created_at)


def _of_limits(session: Session, computed: Package) -> Decision:
    """Whether what is left exceeds one of the firm's limits."""
    settings = firm.follow_up_settings(session)
    if not computed.summary.trades:
        return DraftOutcome.NOT_NEEDED, "Nothing is to be traded at the prices of now."
    try:
        before = advice.summary_without_orders(computed)
    except CannotPlan as error:
        return DraftOutcome.LEFT_OUT, f"{error}."
    gap = (before.tracking_error_bps - computed.summary.tracking_error_bps) / HUNDRED
    idle = idle_cash(computed)
    text = (
        f"Tracking error {percent(gap)} above the best possible, idle cash {percent(idle)} of the "
        "Investment Value."
    )
    limits = (settings.tracking_limit, gap), (settings.idle_cash_limit, idle)
    if any(limit is not None and figure > limit for limit, figure in limits):
        return DraftOutcome.DRAFTED, text
    return DraftOutcome.NOT_NEEDED, text


def idle_cash(computed: Package) -> Percent:
    """Cash that a follow-up would invest and that is above the cash target, of the investment.

    0 where it buys nothing. Only as much counts as the holdings leave of the Investment Value.
    """
    if not computed.summary.buy_value:
        return ZERO
    held = sum((row.current_value or ZERO for row in computed.rows), ZERO)
    cash = min(computed.cash, computed.investment - held)
    return max(ZERO, cash * HUNDRED / computed.investment - computed.cash_target)
