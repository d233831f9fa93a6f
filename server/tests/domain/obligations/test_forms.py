"""Due days, slabs and counts: the sums of the obligations table."""

import datetime as dt
from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tarazu.domain.obligations.deposit import (
    UnfitSlabs,
    daily_counts,
    deposit_for,
    peak_of,
    slabs_of,
)
from tarazu.domain.obligations.due_days import due_after, fault_of, fiscal_year_end
from tarazu.domain.obligations.shipped import shipped
from tarazu.domain.obligations.states import states_on
from tarazu.domain.obligations.values import Form, ObligationFacts, ObligationStatus, Trigger

SLABS = slabs_of("150=100000 300=200000 1000=500000 more=1000000")
DAY = dt.date(2026, 11, 25)


def test_all_21_obligations_are_shipped_and_each_rule_can_be_computed_with() -> None:
    assert {row.number for row in shipped()} == set(range(1, 22))
    assert [fault_of(row) for row in shipped()] == [""] * len(shipped())
    assert all(row.source for row in shipped())


@pytest.mark.parametrize(
    ("form", "rule", "end", "due_on"),
    [
        (Form.MONTH_END, "7", dt.date(2026, 12, 31), dt.date(2027, 1, 7)),
        (Form.MONTH_END, "31", dt.date(2027, 1, 31), dt.date(2027, 2, 28)),
        (Form.HALF_YEAR_END, "30", dt.date(2026, 9, 30), dt.date(2026, 10, 30)),
        (Form.FISCAL_YEAR_END, "09-30", dt.date(2026, 3, 31), dt.date(2026, 9, 30)),
        (Form.FISCAL_YEAR_END, "01-15", dt.date(2026, 3, 31), dt.date(2027, 1, 15)),
        (Form.FISCAL_YEAR_END, "30", dt.date(2026, 3, 31), dt.date(2026, 4, 30)),
        (Form.FISCAL_YEAR_END, "", dt.date(2026, 3, 31), None),
    ],
)
def test_a_due_day_follows_from_the_end_of_its_period(
    form: Form, rule: str, end: dt.date, due_on: dt.date | None
) -> None:
    assert due_after(form, rule, end) == due_on


@pytest.mark.parametrize(
    ("clients", "lakh"), [(0, 1), (150, 1), (151, 2), (300, 2), (301, 5), (1000, 5), (1001, 10)]
)
def test_the_deposit_is_that_of_the_slab(clients: int, lakh: int) -> None:
    assert deposit_for(SLABS, clients) == Decimal(lakh * 100_000)


@pytest.mark.parametrize("terms", ["", "150=1", "more=1 150=2", "300=1 150=2 more=3", "a=1 more=2"])
def test_slabs_that_make_no_sense_are_refused(terms: str) -> None:
    with pytest.raises(UnfitSlabs):
        slabs_of(terms)


def test_the_peak_is_the_first_day_with_the_most_and_counts_the_day_of_leaving() -> None:
    first = dt.date(2026, 4, 1)
    spans = [(first, dt.date(2026, 4, 3)), (dt.date(2026, 4, 3), None), (dt.date(2026, 4, 5), None)]

    counts = daily_counts(spans, first, dt.date(2026, 4, 6))

    assert list(counts.values()) == [1, 1, 2, 1, 2, 2]
    assert peak_of(counts) == peak_of({dt.date(2026, 4, 3): 2})


@given(
    st.lists(st.tuples(st.integers(-40, 60), st.one_of(st.none(), st.integers(0, 60))), max_size=30)
)
def test_a_count_is_that_of_who_was_there(given_spans: list[tuple[int, int | None]]) -> None:
    def day(place: int) -> dt.date:
        return dt.date(2026, 4, 1) + dt.timedelta(days=place)

    spans = [
        (day(begins), None if lasts is None else day(begins + lasts))
        for begins, lasts in given_spans
    ]

    counts = daily_counts(spans, day(0), day(30))

    for one, count in counts.items():
        assert count == sum(
            begins <= one and (ends is None or one <= ends) for begins, ends in spans
        )


def test_a_fiscal_year_ends_on_31_march() -> None:
    assert fiscal_year_end(dt.date(2026, 3, 31)) == dt.date(2026, 3, 31)
    assert fiscal_year_end(dt.date(2026, 4, 1)) == dt.date(2027, 3, 31)


@pytest.mark.parametrize(
    ("clients", "is_part_time", "status"),
    [
        (69, True, ObligationStatus.NOT_DUE),
        (70, True, ObligationStatus.DUE_SOON),
        (75, True, ObligationStatus.DUE_SOON),
        (76, True, ObligationStatus.DUE),
        (76, False, ObligationStatus.NOT_APPLICABLE),
        (76, None, ObligationStatus.NOT_DUE),
    ],
)
def test_a_part_time_analyst_is_warned_from_70_clients(
    clients: int, is_part_time: bool | None, status: ObligationStatus
) -> None:
    rows = {row.id: [row] for row in shipped() if row.id == "part_time"}
    facts = ObligationFacts(DAY, clients=clients, is_part_time=is_part_time)

    (state,) = states_on(DAY, rows, facts, {})

    assert state.status is status


def test_what_nothing_records_yet_says_so_and_is_not_due() -> None:
    rows = {row.id: [row] for row in shipped() if row.trigger is Trigger.ADVERTISEMENT}

    (state,) = states_on(DAY, rows, ObligationFacts(DAY), {})

    assert (state.status, state.note) == (ObligationStatus.NOT_DUE, "Not recorded yet")


def test_a_new_version_holds_from_its_day_and_leaves_what_was_due_before() -> None:
    old = next(row for row in shipped() if row.id == "complaint_table")
    new = replace(old, rule="10", effective_on=dt.date(2026, 11, 1))
    facts = ObligationFacts(dt.date(2026, 10, 1))

    (state,) = states_on(DAY, {old.id: [old, new]}, facts, {})

    due = [one.instance.due_on for one in state.instances[:4]]
    assert due == [dt.date(2026, month, day) for month, day in ((10, 7), (11, 7), (12, 10))] + [
        dt.date(2027, 1, 10)
    ]


def test_an_obligation_that_was_ended_is_due_no_more() -> None:
    old = next(row for row in shipped() if row.id == "complaint_table")
    ended = replace(old, effective_on=dt.date(2026, 11, 1), is_ended=True)

    (state,) = states_on(DAY, {old.id: [old, ended]}, ObligationFacts(dt.date(2026, 11, 20)), {})

    assert (state.status, state.instances) == (ObligationStatus.NOT_APPLICABLE, ())
