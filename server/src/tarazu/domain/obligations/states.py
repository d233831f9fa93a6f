"""The state of every obligation on a day, from dates, facts and evidence alone."""

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from tarazu.domain.obligations.due_days import due_after, period_ends, steps_of
from tarazu.domain.obligations.values import (
    DatedInstance,
    Form,
    Instance,
    Obligation,
    ObligationFacts,
    ObligationState,
    ObligationStatus,
    Trigger,
)

STEPS: Final = (30, 7, 1)
"""Days before the due day on which administrators are reminded; due soon begins with the first."""
DUE_WITHIN: Final = 7
"""Days before the due day from which it counts as due."""
LATE_STEP: Final = -1
"""The reminder of the first day after the due day."""
AHEAD: Final = dt.timedelta(days=550)
"""How far ahead instances are listed: what is done as soon as a year has ended is due next in 18 months."""

Versions = Mapping[str, Sequence[Obligation]]
"""By id, the versions of an obligation in the order of their days."""
Done = Mapping[tuple[str, str], dt.date]
"""By obligation and instance, the day on which the first evidence was recorded."""


def in_force(versions: Sequence[Obligation], day: dt.date) -> Obligation | None:
    """The version of a day; of two with the same day, the later one in the sequence."""
    return next((row for row in reversed(versions) if row.effective_on <= day), None)


def states_on(
    day: dt.date, versions: Versions, facts: ObligationFacts, done: Done
) -> list[ObligationState]:
    """Every obligation on `day`: what is open first, by due day; then the others by number."""
    states = [_state(day, rows, facts, done) for rows in versions.values()]
    return sorted(states, key=_order)


def reminders_on(
    day: dt.date, states: Sequence[ObligationState]
) -> list[tuple[DatedInstance, int]]:
    """The newest step that each open instance has reached by `day`; `LATE_STEP` once it is late.

    A step that was missed is not made up once a later one has come.
    """
    found: list[tuple[DatedInstance, int]] = []
    for state in states:
        for dated in state.instances:
            due_on = dated.instance.due_on
            if due_on is None or dated.status in {
                ObligationStatus.DONE,
                ObligationStatus.NOT_APPLICABLE,
            }:
                continue
            left = (due_on - day).days
            reached = [step for step in dated.instance.steps if left <= step]
            if left < 0:
                found.append((dated, LATE_STEP))
            elif reached:
                found.append((dated, min(reached)))
    return found


def _state(
    day: dt.date, versions: Sequence[Obligation], facts: ObligationFacts, done: Done
) -> ObligationState:
    obligation = in_force(versions, day) or versions[0]
    dated = [
        _dated(day, instance, done.get((obligation.id, instance.key)))
        for instance in _instances(day, versions, facts)
    ]
    dated.sort(key=lambda one: (one.instance.due_on or one.instance.opens_on, one.instance.key))
    is_open = [one for one in dated if one.status is not ObligationStatus.DONE]
    why_not = _why_not_applicable(obligation, facts)
    if why_not or (obligation.is_ended and not is_open):
        note = why_not or "Ended"
        return ObligationState(
            obligation, ObligationStatus.NOT_APPLICABLE, note, None, tuple(dated)
        )
    current = is_open[0] if is_open else None
    status, note = _status_of(day, obligation, facts, current, dated)
    return ObligationState(obligation, status, note, current, tuple(dated))


def _status_of(
    day: dt.date,
    obligation: Obligation,
    facts: ObligationFacts,
    current: DatedInstance | None,
    dated: Sequence[DatedInstance],
) -> tuple[ObligationStatus, str]:
    if obligation.trigger is Trigger.PART_TIME:
        return _part_time(obligation, facts)
    if current is not None:
        return current.status, current.instance.text
    if obligation.effective_on > day:
        return ObligationStatus.NOT_DUE, f"Holds from {obligation.effective_on:%d/%m/%Y}"
    if dated:
        return ObligationStatus.DONE, ""
    if obligation.form is Form.EXPIRY and facts.expiries.get(obligation.trigger) is None:
        return ObligationStatus.NOT_DUE, "Not recorded yet"
    if obligation.form is Form.EVENT and facts.events.get(obligation.trigger) is None:
        return ObligationStatus.NOT_DUE, "Not recorded yet"
    return ObligationStatus.NOT_DUE, "Nothing is open"


def part_time_limits(terms: str) -> tuple[int, int]:
    """The clients from which a part-time analyst is warned, and the most there may be: "70/75"."""
    warned, most = terms.split("/")
    return int(warned), int(most)


def _part_time(obligation: Obligation, facts: ObligationFacts) -> tuple[ObligationStatus, str]:
    if facts.is_part_time is None or facts.clients is None:
        return ObligationStatus.NOT_DUE, "Not recorded yet"
    warned, most = part_time_limits(obligation.terms)
    note = f"{facts.clients} of at most {most} clients"
    if facts.clients > most:
        return ObligationStatus.DUE, note
    return (
        ObligationStatus.DUE_SOON if facts.clients >= warned else ObligationStatus.NOT_DUE
    ), note


def _why_not_applicable(obligation: Obligation, facts: ObligationFacts) -> str:
    if obligation.trigger is Trigger.PART_TIME and facts.is_part_time is False:
        return "The analyst works full-time"
    if obligation.trigger is Trigger.PAST_PERFORMANCE and facts.shows_performance is False:
        return "No past performance is shown to others"
    return ""


def _instances(
    day: dt.date, versions: Sequence[Obligation], facts: ObligationFacts
) -> Iterator[Instance]:
    """Those that are due from the firm's first day to a year ahead, of the version of their day."""
    for place, obligation in enumerate(versions):
        later = versions[place + 1 :]
        until = min((row.effective_on for row in later), default=dt.date.max)
        if obligation.is_ended or until <= obligation.effective_on:
            continue
        for instance in _instances_of(day, obligation, facts, until):
            # Events and expiries are facts of today: what is open still is, however old.
            is_fact = obligation.form in {Form.EVENT, Form.EXPIRY}
            if is_fact or (instance.due_on or instance.opens_on) >= facts.began_on:
                yield instance


def _instances_of(
    day: dt.date, obligation: Obligation, facts: ObligationFacts, until: dt.date
) -> Iterator[Instance]:
    """Those of one version that start before `until`."""
    form, rule = obligation.form, obligation.rule
    if form is Form.FIXED_DAY:
        due_on = dt.date.fromisoformat(rule)
        # Moved to another day before it came: the newer version has it.
        if due_on < until and due_on <= day + AHEAD:
            yield Instance(obligation, rule, "", obligation.effective_on, due_on, STEPS)
    elif form is Form.EVENT:
        for event in facts.events.get(obligation.trigger) or ():
            if obligation.effective_on <= event.day < until and event.day <= day:
                until_day = event.day + dt.timedelta(days=int(rule)) if rule else None
                key = event.day.isoformat()
                yield Instance(obligation, key, event.text, event.day, until_day, STEPS)
    elif form is Form.EXPIRY:
        steps = steps_of(rule)
        for expiry in facts.expiries.get(obligation.trigger) or ():
            due_on = expiry.day - dt.timedelta(days=min(steps))
            is_own = obligation.effective_on <= expiry.day < until
            if is_own and due_on <= day + AHEAD:
                before = {step - min(steps) for step in steps} | set(STEPS)
                ordered = tuple(sorted(before, reverse=True))
                yield Instance(
                    obligation, expiry.key, expiry.text, obligation.effective_on, due_on, ordered
                )
    else:
        yield from _periodic(day, obligation, facts.began_on, until)


def _periodic(
    day: dt.date, obligation: Obligation, began_on: dt.date, until: dt.date
) -> Iterator[Instance]:
    # A period that ended long before the firm's first day may be due after it.
    since = max(obligation.effective_on, began_on - AHEAD)
    last = min(until - dt.timedelta(days=1), day + AHEAD)
    for end in period_ends(obligation.form, since, last):
        due_on = due_after(obligation.form, obligation.rule, end)
        opens_on = end + dt.timedelta(days=1)
        if (due_on or opens_on) <= day + AHEAD:
            text = _PERIODS[obligation.form].format(end=end)
            yield Instance(obligation, end.isoformat(), text, opens_on, due_on, STEPS)


_PERIODS: Final = {
    Form.MONTH_END: "Month to {end:%d/%m/%Y}",
    Form.HALF_YEAR_END: "Half-year to {end:%d/%m/%Y}",
    Form.FISCAL_YEAR_END: "Year to {end:%d/%m/%Y}",
}


def _dated(day: dt.date, instance: Instance, done_on: dt.date | None) -> DatedInstance:
    # Evidence of a later day does not count yet: a past day is shown as it was.
    if done_on is not None and done_on <= day:
        return DatedInstance(instance, ObligationStatus.DONE, done_on)
    return DatedInstance(instance, _open_status(day, instance))


def _open_status(day: dt.date, instance: Instance) -> ObligationStatus:
    if instance.due_on is None:
        return ObligationStatus.DUE if day >= instance.opens_on else ObligationStatus.NOT_DUE
    left = (instance.due_on - day).days
    if left < 0:
        return ObligationStatus.LATE
    if left <= DUE_WITHIN:
        return ObligationStatus.DUE
    return ObligationStatus.DUE_SOON if left <= max(instance.steps) else ObligationStatus.NOT_DUE


def _order(state: ObligationState) -> tuple[bool, dt.date, int, str]:
    current = state.current
    day = (current.instance.due_on or current.instance.opens_on) if current else dt.date.max
    return current is None, day, state.obligation.number or MOST, state.obligation.id


MOST: Final = 1_000
