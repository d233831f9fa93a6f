"""Whatever happens to fees, the kept earnings, the sums and the flags equal the rows."""

import datetime as dt
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from tarazu.clients import service as clients_of
from tarazu.domain.calendar import months_later
from tarazu.fees import service as fees
from tarazu.fees.errors import PeriodOverlaps
from tarazu.fees.service import ClientFeeFilter, FeeEdit, NewPeriod
from tarazu.fees.tables import Fee, FeeStatus
from tarazu.kit import clock
from tarazu.kit.audit_log import SYSTEM
from tarazu.kit.db import Database
from tarazu.kit.downloads import whole
from tarazu.kit.errors import ApiError
from tarazu.people import service as people
from tarazu.people.errors import ClientNotFound
from tests.people_of import Desk

pytestmark = pytest.mark.on_both

LIMIT = Decimal(151_000)

who = st.integers(0, 2)
which = st.integers(0, 5)
days = st.dates(dt.date(2025, 1, 1), dt.date(2026, 10, 31))
acts = st.lists(
    st.one_of(
        st.tuples(st.just("add"), who, days, st.decimals("0", "900000", places=2)),
        st.tuples(st.just("pay"), which, days, st.none()),
        st.tuples(st.just("owe"), which, days, st.none()),
        st.tuples(st.just("move"), which, days, st.none()),
        st.tuples(st.just("delete"), which, days, st.none()),
        st.tuples(st.just("restore"), which, days, st.none()),
        st.tuples(st.just("hide"), who, days, st.none()),
        st.tuples(st.just("show"), who, days, st.none()),
    ),
    max_size=20,
)


@settings(
    max_examples=15,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(steps=acts)
def test_sums_and_flags_equal_the_rows(
    admin: Desk, database: Database, steps: list[tuple[str, int, dt.date, Any]]
) -> None:
    mark = clock.now().timestamp()
    clients = [UUID(admin.add_client(f"C {n}", f"{n}-{mark}@home.example")) for n in range(3)]
    made: list[tuple[UUID, UUID]] = []
    for client_id in clients[:2]:
        with database.transaction() as session:
            word = {"family": f"family {mark}"}
            clients_of.edit_client(session, SYSTEM, clock.now(), client_id, word, None)

    for act, number, day, gain in steps:
        with database.transaction() as session:
            if act == "add":
                client_id = clients[number]
                start = day - dt.timedelta(days=90)
                new = NewPeriod(start, None, day, Decimal(100), Decimal(100) + gain)
                try:
                    added = fees.add_fee(session, SYSTEM, clock.now(), client_id, new)
                except (ClientNotFound, PeriodOverlaps):
                    session.rollback()
                    continue
                made.append((client_id, added.fee.id))
            elif act in {"hide", "show"}:
                _hide(session, clients[number], is_hidden=act == "hide")
            elif number < len(made):
                _try(session, act, *made[number], day)

    _compare(database, clients)


def _hide(session: Any, client_id: UUID, *, is_hidden: bool) -> None:
    if not is_hidden:
        clients_of.restore_client(session, SYSTEM, clock.now(), client_id)
    elif client_id not in people.client_index(session).gone:
        clients_of.delete_client(session, SYSTEM, clock.now(), client_id, None)


def _try(session: Any, act: str, client_id: UUID, fee_id: UUID, day: dt.date) -> None:
    now = clock.now()
    changes: dict[str, Any] = {
        "pay": {"status": FeeStatus.PAID, "paid_on": day},
        "owe": {"status": FeeStatus.DUE},
        "move": {"final_on": day},
        "delete": {},
    }
    try:
        if act == "restore":
            fees.restore_fee(session, SYSTEM, now, fee_id)
        elif act == "delete":
            fees.delete_fee(session, SYSTEM, now, client_id, FeeEdit(fee_id, {}))
        else:
            fees.change_fee(session, SYSTEM, now, client_id, FeeEdit(fee_id, changes[act]))
    except ApiError:
        # What is deleted, paid or before its start stays as it is: `expire` drops a half change.
        session.rollback()


def _compare(database: Database, clients: list[UUID]) -> None:
    with database.reading() as session:
        live = session.execute(select(Fee).where(Fee.deleted_at.is_(None)).order_by(Fee.id))
        rows = list(live.scalars())
        sums = fees.sums(session)
        assert fees.earnings(session) == _total(rows, FeeStatus.PAID)
        gone = people.client_index(session).gone
        shown = [row for row in rows if row.client_id not in gone]
        assert sums.total_paid == _total(shown, FeeStatus.PAID)
        assert sums.total_due == _total(shown, FeeStatus.DUE)
        assert sums.total_fees == sums.total_paid + sums.total_due
        listed, total = fees.list_client_fees(session, whole(ClientFeeFilter()), clock.today())
        assert total == len(listed) == len({row.client_id for row in shown})
        for each in listed:
            own = [row for row in shown if row.client_id == each.id]
            assert each.total_paid == _total(own, FeeStatus.PAID)
            assert each.total_due == _total(own, FeeStatus.DUE)
            owed = [row.due_on for row in own if row.status == FeeStatus.DUE and row.amount]
            assert each.due_date == min(filter(None, owed), default=None)
            assert each.paid_date == max(
                (row.paid_on for row in own if row.paid_on is not None), default=None
            )
        for family in ({*clients[:2]}, {clients[2]}):
            charged: list[tuple[dt.date, Decimal]] = []
            for row in rows:
                if row.client_id in family and row.final_on and row.amount is not None:
                    charged.append((row.final_on, row.amount))
                    over = _most_in_a_year(charged, row.final_on) - LIMIT if row.amount else 0
                    assert row.over_limit == max(Decimal(0), Decimal(over))


def _most_in_a_year(charged: list[tuple[dt.date, Decimal]], day: dt.date) -> Decimal:
    """The most that was charged in twelve months which have this day, tried day by day."""
    firsts = [day - dt.timedelta(days=back) for back in range(366)]
    years = [(first, months_later(first, 12)) for first in firsts]
    return max(
        sum((amount for each, amount in charged if first <= each < after), Decimal(0))
        for first, after in years
        if first <= day < after
    )


def _total(rows: list[Fee], status: FeeStatus) -> Decimal:
    return sum((row.amount or Decimal(0) for row in rows if row.status == status), Decimal(0))
