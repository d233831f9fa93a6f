"""The work list: what staff have to do today, each with the screen that shows just these rows."""

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from sqlalchemy.orm import Session

from tarazu.advice import service as advice
from tarazu.approvals import service as approvals
from tarazu.fees import service as fees
from tarazu.fees.service import Due
from tarazu.kit.audit_log import Actor
from tarazu.kit.clock import day_in_india
from tarazu.model_portfolios import service as models
from tarazu.sync import service as sync
from tarazu.sync.service import Problem
from tarazu.teams.service import ALL_CLIENTS, VisibleClients


class Work(StrEnum):
    """What a line of the work list counts, the most urgent first."""

    BLOCKED = "BLOCKED"
    APPROVALS = "APPROVALS"
    UNDELIVERED = "UNDELIVERED"
    DRAFTS = "DRAFTS"
    SESSION = "SESSION"
    SYNC = "SYNC"
    LEFT_OUT = "LEFT_OUT"
    UNMAPPED = "UNMAPPED"
    CHANGES = "CHANGES"
    ACTIONS = "ACTIONS"
    MONEY = "MONEY"
    PRICES = "PRICES"
    DRIFT = "DRIFT"
    OVERDUE = "OVERDUE"
    DUE = "DUE"


@dataclass(frozen=True, slots=True)
class WorkLine:
    """`text` follows the count: "clients have overdue fees"; `to` is the screen's address."""

    kind: Work
    count: int
    text: str
    label: str
    to: str


@dataclass(frozen=True, slots=True)
class _Screen:
    """The sentence for a count, in singular and plural, and the screen that lists the rows."""

    singular: str
    plural: str
    label: str
    to: str


def _readiness(problem: Problem, singular: str, plural: str) -> _Screen:
    return _Screen(singular, plural, "See Readiness", f"/home/readiness?show={problem}")


_SCREENS = {
    Work.APPROVALS: _Screen(
        "request waits for your approval",
        "requests wait for your approval",
        "See Approvals",
        "/home/approvals",
    ),
    Work.UNDELIVERED: _Screen(
        "letter could not be delivered",
        "letters could not be delivered",
        "See letters",
        "/home/dashboard?undelivered=true",
    ),
    Work.DRAFTS: _Screen(
        "advice draft is not sent",
        "advice drafts are not sent",
        "See drafts",
        "/home/dashboard?drafts=true",
    ),
    Work.SESSION: _readiness(
        Problem.SESSION,
        "client is not logged in to the broker",
        "clients are not logged in to the broker",
    ),
    Work.SYNC: _readiness(Problem.SYNC, "client has stale holdings", "clients have stale holdings"),
    Work.LEFT_OUT: _readiness(
        Problem.LEFT_OUT,
        "client has holdings that could not be read",
        "clients have holdings that could not be read",
    ),
    Work.UNMAPPED: _readiness(
        Problem.UNMAPPED, "client has unknown stocks", "clients have unknown stocks"
    ),
    Work.CHANGES: _readiness(
        Problem.CHANGES,
        "client has unexplained changes in holdings",
        "clients have unexplained changes in holdings",
    ),
    Work.ACTIONS: _readiness(
        Problem.ACTIONS,
        "client waits too long for shares of a corporate action",
        "clients wait too long for shares of a corporate action",
    ),
    Work.MONEY: _readiness(
        Problem.MONEY,
        "client has a cash mismatch with the broker",
        "clients have a cash mismatch with the broker",
    ),
    Work.PRICES: _readiness(Problem.PRICES, "client has stale prices", "clients have stale prices"),
    Work.DRIFT: _Screen(
        "client has drifted outside the tolerance",
        "clients have drifted outside the tolerance",
        "See Drift",
        "/home/models/drift?outside=true",
    ),
    Work.OVERDUE: _Screen(
        "client has overdue fees", "clients have overdue fees", "See Fees", "/home/fees?due=OVERDUE"
    ),
    Work.DUE: _Screen(
        "client has fees due", "clients have fees due", "See Fees", "/home/fees?due=DUE"
    ),
}


def work_list(
    session: Session, actor: Actor, now: dt.datetime, visible: VisibleClients = ALL_CLIENTS
) -> list[WorkLine]:
    """The lines with a count above zero, the most urgent first. For sessions that read.

    Drafts of advice are the caller's own, and requests for approval those of others; all else is
    of the clients that the caller sees.
    """
    lines = [
        WorkLine(
            Work.BLOCKED, 1, f"check blocks every send: {check.text}", check.fix.label, check.fix.to
        )
        for check in advice.blocking_checks(session, now)
    ]
    counts = dict(_counts(session, actor, now, visible))
    for kind, screen in _SCREENS.items():
        count = counts[kind]
        if count:
            text = screen.singular if count == 1 else screen.plural
            lines.append(WorkLine(kind, count, text, screen.label, screen.to))
    return lines


def _counts(
    session: Session, actor: Actor, now: dt.datetime, visible: VisibleClients
) -> Iterator[tuple[Work, int]]:
    yield Work.APPROVALS, approvals.count_waiting_for(session, actor, now)
    yield Work.UNDELIVERED, advice.count_undelivered(session, visible)
    yield Work.DRAFTS, advice.count_drafts(session, actor)
    problems = sync.problem_counts(session, now, visible)
    yield from ((Work(problem), problems[problem]) for problem in Problem)
    yield Work.DRIFT, models.count_outside_tolerance(session, visible)
    due = fees.due_counts(session, day_in_india(now), visible)
    yield from ((Work(kind), due[kind]) for kind in Due)
