"""A year of a firm, day by day, against tables that were written apart from the engine."""

import csv
import datetime as dt
from collections.abc import Iterator
from pathlib import Path

from tarazu.domain.obligations.shipped import shipped
from tarazu.domain.obligations.states import reminders_on, states_on
from tarazu.domain.obligations.values import (
    EventDay,
    Expiry,
    Obligation,
    ObligationFacts,
    ObligationState,
    Trigger,
)

FIRST, LAST = dt.date(2026, 4, 1), dt.date(2027, 3, 31)
FACTS = ObligationFacts(
    began_on=FIRST,
    events={
        Trigger.FEE_OVER_CAP: (EventDay(dt.date(2026, 8, 10), "1 fee above the yearly limit"),),
        Trigger.AI_USE: (),
    },
    expiries={
        Trigger.CERTIFICATE: (Expiry("NISM-XV", dt.date(2026, 9, 15), "Of Meera"),),
        Trigger.REGISTRATION: (Expiry("2027-03-31", dt.date(2027, 3, 31), ""),),
        Trigger.PAST_PERFORMANCE: (),
    },
    clients=72,
    is_part_time=False,
    shows_performance=False,
)


def _table(name: str) -> list[dict[str, str]]:
    with (Path(__file__).parent / f"{name}.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def _versions() -> dict[str, list[Obligation]]:
    by_id: dict[str, list[Obligation]] = {}
    for row in shipped():
        by_id.setdefault(row.id, []).append(row)
    return by_id


DONE = {
    (row["obligation"], row["instance"]): dt.date.fromisoformat(row["done_on"])
    for row in _table("year_due")
    if row["done_on"]
}


def _on(day: dt.date) -> list[ObligationState]:
    return states_on(day, _versions(), FACTS, DONE)


def _days() -> Iterator[dt.date]:
    yield from (FIRST + dt.timedelta(days=place) for place in range((LAST - FIRST).days + 1))


def test_every_due_day_of_the_year_is_that_of_the_table() -> None:
    found = {
        (state.obligation.id, dated.instance.key, str(dated.instance.due_on or ""))
        for state in _on(LAST)
        for dated in state.instances
        if (dated.instance.due_on or dated.instance.opens_on) <= LAST
    }

    expected = {(row["obligation"], row["instance"], row["due_on"]) for row in _table("year_due")}
    assert found == expected


def test_every_status_on_the_chosen_days_is_that_of_the_table() -> None:
    for row in _table("year_status"):
        statuses = {one.obligation.id: one.status for one in _on(dt.date.fromisoformat(row["day"]))}

        expected = {name: status for name, status in row.items() if name != "day"}
        assert {name: statuses[name] for name in expected} == expected, row["day"]


def test_every_reminder_of_the_year_is_that_of_the_table_and_comes_once() -> None:
    sent: list[tuple[str, str, str, str]] = []
    seen = set()
    for day in _days():
        for dated, step in reminders_on(day, _on(day)):
            key = (dated.instance.obligation.id, dated.instance.key, str(step))
            if key not in seen:
                seen.add(key)
                sent.append((str(day), *key))

    expected = [tuple(row.values()) for row in _table("year_mails")]
    assert sorted(sent) == sorted(expected)


def test_what_was_recorded_after_its_due_day_is_done_late() -> None:
    late = {
        (state.obligation.id, dated.instance.key)
        for state in _on(LAST)
        for dated in state.instances
        if dated.is_done_late
    }

    assert late == {("complaint_table", "2026-08-31"), ("valid_upi", "2026-10-06")}
