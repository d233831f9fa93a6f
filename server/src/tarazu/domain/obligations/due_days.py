"""Due days: the small set of forms by which they follow from a period, an event or a date."""

import calendar
import datetime as dt
import re
from collections.abc import Iterator
from typing import Final

from tarazu.domain.obligations.values import EVENTS, EXPIRING, Form, Obligation, Trigger

MOST_DAYS: Final = 366
_DAY_OF_YEAR: Final = re.compile(r"(\d{2})-(\d{2})")
_NUMBER: Final = re.compile(r"\d{1,3}")
_MARCH: Final = 3
_SEPTEMBER: Final = 9


def month_end(day: dt.date) -> dt.date:
    """The last day of the month of `day`."""
    return day.replace(day=calendar.monthrange(day.year, day.month)[1])


def day_in_month(year: int, month: int, day: int) -> dt.date:
    """A day of a month, or its last day where the month is shorter."""
    return dt.date(year, month, min(day, calendar.monthrange(year, month)[1]))


def fiscal_year_end(day: dt.date) -> dt.date:
    """31 March that ends the fiscal year of `day`."""
    return dt.date(day.year + (day.month > _MARCH), _MARCH, 31)


def period_ends(form: Form, since: dt.date, until: dt.date) -> Iterator[dt.date]:
    """The ends of the form's periods from `since` to `until`, both included, in order."""
    months = {
        Form.MONTH_END: range(1, 13),
        Form.HALF_YEAR_END: (_MARCH, _SEPTEMBER),
        Form.FISCAL_YEAR_END: (_MARCH,),
    }[form]
    end = month_end(since)
    while end <= until:
        if end.month in months:
            yield end
        end = month_end(end + dt.timedelta(days=1))


def due_after(form: Form, rule: str, end: dt.date) -> dt.date | None:
    """The due day of what a period's end starts; None where the rule names no day."""
    if not rule:
        return None
    on_day = _DAY_OF_YEAR.fullmatch(rule)
    if on_day:
        month, day = int(on_day[1]), int(on_day[2])
        this_year = day_in_month(end.year, month, day)
        return this_year if this_year > end else day_in_month(end.year + 1, month, day)
    if form is Form.FISCAL_YEAR_END:
        return end + dt.timedelta(days=int(rule))
    following = end + dt.timedelta(days=1)
    return day_in_month(following.year, following.month, int(rule))


def steps_of(rule: str) -> tuple[int, ...]:
    """The days before an expiry: "90/30/0" is 90, 30, 0."""
    return tuple(int(part) for part in rule.split("/"))


def fault_of(obligation: Obligation) -> str:
    """What is wrong with the rule of an obligation; "" where nothing is."""
    form, rule, trigger = obligation.form, obligation.rule, obligation.trigger
    expected = {Form.EXPIRY: EXPIRING, Form.EVENT: EVENTS}.get(form, {Trigger.DATE})
    if trigger not in expected:
        return "This event does not go with this form of due day."
    fits = {
        Form.MONTH_END: _is_day,
        Form.HALF_YEAR_END: _is_day,
        Form.FISCAL_YEAR_END: lambda text: text == "" or _is_day_of_year(text) or _is_number(text),
        Form.EVENT: lambda text: text == "" or _is_number(text),
        Form.EXPIRY: lambda text: all(_is_number(part) for part in text.split("/")),
        Form.FIXED_DAY: _is_date,
    }[form]
    return "" if fits(rule) else _EXAMPLES[form]


_EXAMPLES: Final = {
    Form.MONTH_END: "Enter a day of the month from 1 to 31.",
    Form.HALF_YEAR_END: "Enter a day of the month from 1 to 31.",
    Form.FISCAL_YEAR_END: "Enter a number of days, or month and day such as 09-30.",
    Form.EVENT: "Enter a number of days, or leave it empty.",
    Form.EXPIRY: "Enter days before expiry such as 90/30/0.",
    Form.FIXED_DAY: "Please select a valid date",
}


def _is_number(text: str) -> bool:
    return _NUMBER.fullmatch(text) is not None and text.isascii() and int(text) <= MOST_DAYS


def _is_day(text: str) -> bool:
    return _is_number(text) and 1 <= int(text) <= 31  # noqa: PLR2004 - days of a month


def _is_day_of_year(text: str) -> bool:
    return _DAY_OF_YEAR.fullmatch(text) is not None and _is_date(f"2024-{text}")


def _is_date(text: str) -> bool:
    try:
        dt.date.fromisoformat(text)
    except ValueError:
        return False
    return text.isascii() and len(text) == len("2026-10-31")


def rule_in_words(obligation: Obligation) -> str:
    """When it is due, as a sentence."""
    rule = obligation.rule
    on_day = _DAY_OF_YEAR.fullmatch(rule)
    match obligation.form:
        case Form.MONTH_END:
            return f"On day {rule} of the month after each month's end"
        case Form.HALF_YEAR_END:
            return f"On day {rule} of the month after 31 March and 30 September"
        case Form.FISCAL_YEAR_END if on_day:
            return (
                f"Each year on {on_day[2]}/{on_day[1]}, for the fiscal year that ended on 31 March"
            )
        case Form.FISCAL_YEAR_END:
            return f"{rule} days after 31 March" if rule else "After 31 March; the day is not known"
        case Form.EVENT:
            return f"{rule} days after the event" if rule else "At once, each time"
        case Form.EXPIRY:
            days = ", ".join(rule.split("/"))
            return f"{days} days before expiry"
        case Form.FIXED_DAY:
            return f"On {dt.date.fromisoformat(rule):%d/%m/%Y}"
