"""What the demo firm charged: its own fee schedule, a fee a year, a family past its limit."""

import datetime as dt
import random
import uuid
from collections import Counter, defaultdict
from collections.abc import Sequence
from decimal import Decimal

from sqlalchemy.orm import Session

from tarazu.clients import service as clients
from tarazu.demo import histories
from tarazu.demo.histories import History
from tarazu.demo.market import Market
from tarazu.domain.fees import Slab, SlabSchedule, financial_year_of
from tarazu.domain.money import ZERO, Rupees, rounded
from tarazu.fees import service as fees
from tarazu.fees.service import FeeChanges, FeeEdit, NewPeriod
from tarazu.fees.tables import FeeStatus
from tarazu.firm.service import FeeTerms
from tarazu.kit.audit_log import SYSTEM

DAYS = 365
LONGEST_OVERDUE = dt.timedelta(days=180)
"""Fees that were due earlier are paid."""
YEARLY_LIMIT = Rupees(151_000)
TERMS = FeeTerms(
    dt.date(2024, 4, 1),
    SlabSchedule((Slab(ZERO, Decimal(8)), Slab(Decimal(10), Decimal(10)))),
    is_above_high_water_mark=True,
    yearly_limit=YEARLY_LIMIT,
    source="Client agreement, clause 7",
)


def agree_on_fees(session: Session, now: dt.datetime) -> None:
    """Give the firm a fee schedule of its own."""
    fees.set_schedule(session, SYSTEM, now, TERMS)


def charge(
    session: Session,
    now: dt.datetime,
    market: Market,
    client_id: uuid.UUID,
    history: History,
    chance: random.Random,
) -> None:
    """A fee for each year that is over, most of them paid, and the year that still runs."""
    worth = {day: value + cash for day, value, cash in histories.worth_by_day(market, history)}
    start = market.days[history.start]
    while (final := start + dt.timedelta(days=DAYS)) <= market.days[-1]:
        closing_day = market.days[market.day_on_or_before(final)]
        ended = rounded(worth[closing_day])
        due = closing_day + dt.timedelta(days=30)
        value = fees.starting_value(session, client_id, start)
        period = NewPeriod(start, due, closing_day, value, ended)
        added = fees.add_fee(session, SYSTEM, now, client_id, period)
        paid = min(due, market.days[-1]) - dt.timedelta(days=chance.randrange(1, 25))
        is_old = due < market.days[-1] - LONGEST_OVERDUE
        if due < market.days[-1] and (chance.random() < 0.7 or is_old):  # noqa: PLR2004
            settled: FeeChanges = {"status": FeeStatus.PAID, "paid_on": paid}
            fees.change_fee(session, SYSTEM, now, client_id, FeeEdit(added.fee.id, settled))
        start = closing_day + dt.timedelta(days=1)
    if start != market.days[history.start]:
        value = fees.starting_value(session, client_id, start)
        running = NewPeriod(start, None, None, value, None)
        fees.add_fee(session, SYSTEM, now, client_id, running)


def join_a_family(session: Session, now: dt.datetime, client_ids: Sequence[uuid.UUID]) -> None:
    """Make one family of the fewest clients whose fees of one year pass the limit together."""
    charged: dict[dt.date, Counter[uuid.UUID]] = defaultdict(Counter)
    for client_id in client_ids:
        for client_fee in fees.list_fees(session, client_id):
            if client_fee.fee.final_on and client_fee.fee.amount and not client_fee.passed_limit:
                year = financial_year_of(client_fee.fee.final_on)
                charged[year][client_id] += client_fee.fee.amount  # type: ignore[assignment]
    families = [_past_limit(charged[year]) for year in sorted(charged, reverse=True)]
    for client_id in min(filter(None, families), key=len, default=[]):
        family = {"family": "Family 1"}
        clients.edit_client(session, SYSTEM, now, client_id, family, None)


def _past_limit(charged: Counter[uuid.UUID]) -> list[uuid.UUID]:
    """The clients with the largest fees until these pass the limit; none where all do not."""
    members: list[uuid.UUID] = []
    total = ZERO
    for client_id, amount in charged.most_common():
        members.append(client_id)
        total += amount
        if total > YEARLY_LIMIT:
            return members
    return []
