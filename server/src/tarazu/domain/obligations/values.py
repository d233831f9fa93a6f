"""What a firm owes: the rows of the obligations table, their instances and their state."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Form(StrEnum):
    """How the due day follows from what an obligation is about."""

    MONTH_END = "MONTH_END"
    """A day of the month after a month's end."""
    HALF_YEAR_END = "HALF_YEAR_END"
    """A day of the month after 31 March and 30 September."""
    FISCAL_YEAR_END = "FISCAL_YEAR_END"
    """Days after 31 March, or a day of the calendar after it."""
    EVENT = "EVENT"
    """Days after an event; without a number it is due at once and never late."""
    EXPIRY = "EXPIRY"
    """Days before something expires."""
    FIXED_DAY = "FIXED_DAY"
    """One day of the calendar."""


class Trigger(StrEnum):
    """What starts an obligation; the product knows of the events of some of them."""

    DATE = "DATE"
    CLIENT_ADDED = "CLIENT_ADDED"
    CLIENT_REMOVED = "CLIENT_REMOVED"
    STAFF_CHANGED = "STAFF_CHANGED"
    FEE_OVER_CAP = "FEE_OVER_CAP"
    FEE_IN_ADVANCE = "FEE_IN_ADVANCE"
    SERVICE_ENDED = "SERVICE_ENDED"
    FIRST_PAID_SERVICE = "FIRST_PAID_SERVICE"
    AI_USE = "AI_USE"
    BANK_ACCOUNT = "BANK_ACCOUNT"
    HANDLE = "HANDLE"
    CERTIFICATE = "CERTIFICATE"
    REGISTRATION = "REGISTRATION"
    STAFF_TRADE = "STAFF_TRADE"
    ADVICE = "ADVICE"
    ADVERTISEMENT = "ADVERTISEMENT"
    PAST_PERFORMANCE = "PAST_PERFORMANCE"
    DATA_BREACH = "DATA_BREACH"
    COMPLAINT = "COMPLAINT"
    PART_TIME = "PART_TIME"


EXPIRING = frozenset({Trigger.CERTIFICATE, Trigger.REGISTRATION, Trigger.PAST_PERFORMANCE})
"""Triggers of which the facts have days of expiry, and not events."""
EVENTS = frozenset(Trigger) - EXPIRING - {Trigger.DATE}


class ObligationStatus(StrEnum):
    """Computed from dates, facts and evidence; nobody enters it."""

    NOT_DUE = "NOT_DUE"
    DUE_SOON = "DUE_SOON"
    DUE = "DUE"
    DONE = "DONE"
    LATE = "LATE"
    NOT_APPLICABLE = "NOT_APPLICABLE"


@dataclass(frozen=True, slots=True)
class Obligation:
    """One dated version of an obligation; it holds from `effective_on` until the next one's day.

    `rule` is the number or the day of the form: "7" of MONTH_END, "09-30" or "30" of
    FISCAL_YEAR_END, "3" or "" of EVENT, "90/30/0" of EXPIRY, "2026-10-31" of FIXED_DAY.
    `terms` are figures that the obligation applies: the slabs of the deposit, the limit of clients.
    """

    id: str
    number: int | None
    title: str
    form: Form
    trigger: Trigger
    rule: str
    duty: str
    evidence: str
    source: str
    effective_on: dt.date
    terms: str = ""
    is_ended: bool = False


@dataclass(frozen=True, slots=True)
class EventDay:
    """What happened on one day; `text` says it in words: "2 fees above the yearly limit"."""

    day: dt.date
    text: str


@dataclass(frozen=True, slots=True)
class Expiry:
    """Something that expires; `key` names it among those of its trigger."""

    key: str
    day: dt.date
    text: str


@dataclass(frozen=True, slots=True)
class ObligationFacts:
    """What the product knows of a firm. None, or a trigger that is missing: not recorded yet.

    Attributes:
        began_on: the firm's first day in the product; periods that were due before it are not listed.
        events: by trigger, what is open: oldest first, a day once.
        expiries: by trigger, what expires.
        clients: how many there are now.
        is_part_time: whether the analyst works part-time; None until somebody said it.
        shows_performance: whether the firm has papers for past performance.
    """

    began_on: dt.date
    events: Mapping[Trigger, tuple[EventDay, ...] | None] = field(default_factory=dict)
    expiries: Mapping[Trigger, tuple[Expiry, ...] | None] = field(default_factory=dict)
    clients: int | None = None
    is_part_time: bool | None = None
    shows_performance: bool | None = None


@dataclass(frozen=True, slots=True)
class Instance:
    """One time that an obligation is due.

    Attributes:
        key: names it among those of its obligation, for good: "2026-10-31" of a month's end.
        opens_on: the first day on which evidence may be recorded.
        due_on: None where it is due at once, without a day after which it is late.
        steps: days before the due day on which administrators are reminded, most first.
    """

    obligation: Obligation
    key: str
    text: str
    opens_on: dt.date
    due_on: dt.date | None
    steps: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DatedInstance:
    """An instance with its state on a day; `done_on` is the day its first evidence was recorded."""

    instance: Instance
    status: ObligationStatus
    done_on: dt.date | None = None

    @property
    def is_done_late(self) -> bool:
        """Whether it was done after its due day."""
        due_on = self.instance.due_on
        return self.done_on is not None and due_on is not None and self.done_on > due_on


@dataclass(frozen=True, slots=True)
class ObligationState:
    """An obligation on a day: the version in force, and its instances by due day.

    `current` is what is to be done next: the first instance that is not done; None for none.
    """

    obligation: Obligation
    status: ObligationStatus
    note: str
    current: DatedInstance | None
    instances: tuple[DatedInstance, ...]
