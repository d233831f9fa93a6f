"""Fees: the charge on a period's net gain, whether it is paid, and what the firm earned by it."""

import datetime as dt
import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TypedDict

from sqlalchemy.orm import Session

from tarazu.domain.fees import (
    Charge,
    FeePeriod,
    fee_of,
    financial_year_of,
    net_added_between,
    passed_limits,
    starting_value_of_next,
)
from tarazu.domain.money import ZERO, Percent, Rupees, share_of
from tarazu.domain.returns import CashFlow
from tarazu.fees import queries
from tarazu.fees.errors import (
    FeeIsPaid,
    FinalBeforeStart,
    FinalValueKept,
    NothingToPay,
    NothingToStartFrom,
    PaidAhead,
    PaidBeforeStart,
    PeriodOverlaps,
    ScheduleInUse,
)
from tarazu.fees.queries import FeeFilter, Listing
from tarazu.fees.tables import ClientFeeSum, Fee, FeeStatus
from tarazu.firm import service as firm
from tarazu.firm.service import FeeScheduleVersion, FeeTerms
from tarazu.kit import audit_log, clock
from tarazu.kit.audit_log import Actor
from tarazu.kit.db import new_id, take_turns
from tarazu.kit.errors import NotThere, StaleVersion
from tarazu.kit.locks import AdvisoryLock
from tarazu.people import service as people
from tarazu.people.service import Client
from tarazu.portfolio import service as portfolio

_ONE_DAY = dt.timedelta(days=1)


@dataclass(frozen=True, slots=True)
class NewPeriod:
    """A fee period as it is recorded; open while `final_value` is None."""

    starting_on: dt.date
    due_on: dt.date | None
    final_on: dt.date | None
    starting_value: Rupees
    final_value: Rupees | None


class FeeChanges(TypedDict, total=False):
    """What may change of a fee; what is left out stays as it is."""

    due_on: dt.date | None
    final_on: dt.date | None
    final_value: Rupees | None
    status: FeeStatus
    paid_on: dt.date | None


@dataclass(frozen=True, slots=True)
class FeeEdit:
    """Changes of one fee, and the version that whoever changes it has seen, if they say so."""

    fee_id: uuid.UUID
    changes: FeeChanges
    version: int | None = None


@dataclass(frozen=True, slots=True)
class PassedLimit:
    """How a family's fees of one financial year stand to the yearly limit, in rupees."""

    year_from: dt.date
    family_fees: Rupees
    yearly_limit: Rupees
    excess: Rupees


@dataclass(frozen=True, slots=True)
class FlowsChanged:
    """What a fee would be now: cash flows of its period changed after it was computed."""

    starting_on: dt.date
    fees: Rupees
    net_funds_added_now: Rupees
    net_gain_now: Rupees
    fees_now: Rupees


@dataclass(frozen=True, slots=True)
class ClientFee:
    """A fee, with the terms that it was computed by; `flows_changed` is None where none did."""

    fee: Fee
    terms: FeeTerms | None
    flows_changed: FlowsChanged | None = None

    @property
    def net_funds_added(self) -> Rupees | None:
        """What came in less what went out inside the period; None while it is open."""
        if self.fee.final_value is None or self.fee.net_gain is None:
            return None
        return self.fee.final_value - self.fee.starting_value - self.fee.net_gain

    @property
    def net_gain_percentage(self) -> Percent | None:
        """The gain in percent of the starting value, unrounded; None while the period is open."""
        gain = self.fee.net_gain
        return None if gain is None else share_of(gain, self.fee.starting_value)

    @property
    def net_gain_after_fee(self) -> Rupees | None:
        """What is left of the gain; None while the period is open."""
        if self.fee.net_gain is None or self.fee.amount is None:
            return None
        return self.fee.net_gain - self.fee.amount

    @property
    def passed_limit(self) -> PassedLimit | None:
        """The arithmetic of a fee with which its family passed the limit; None for the others."""
        limit = self.terms.yearly_limit if self.terms else None
        if limit is None or self.fee.over_limit <= ZERO:
            return None
        excess = self.fee.over_limit
        return PassedLimit(financial_year_of(_day_of(self.fee)), limit + excess, limit, excess)


@dataclass(frozen=True, slots=True)
class ClientFees:
    """All fees of one client together, as the Fees screen lists them."""

    id: uuid.UUID
    client_id: str
    user_name: str
    total_fees: Rupees
    total_due: Rupees
    due_date: dt.date | None
    total_paid: Rupees
    paid_date: dt.date | None
    passed_limit: PassedLimit | None
    flows_changed: Sequence[FlowsChanged]

    @property
    def status(self) -> FeeStatus:
        """DUE while anything is."""
        return FeeStatus.DUE if self.total_due > ZERO else FeeStatus.PAID


@dataclass(frozen=True, slots=True)
class FeeSums:
    """What all clients were charged, in rupees."""

    total_fees: Rupees
    total_paid: Rupees
    total_due: Rupees


@dataclass(frozen=True, slots=True)
class Overview:
    """What the Fees screen asks for: clients by text, those who paid in these days, an order."""

    query: str = ""
    since: dt.date | None = None
    until: dt.date | None = None
    sort: str = ""


@dataclass(frozen=True, slots=True)
class KeptSchedule:
    """A version of the fee schedule, whether it holds today, and whether a fee is bound to it."""

    version: FeeScheduleVersion
    is_in_force: bool
    is_in_use: bool


@dataclass(frozen=True, slots=True)
class SeenSchedule:
    """What somebody who sets the terms of a day saw of it."""

    kept_at: dt.datetime | None
    """When the version of that day was last set; None when there was none."""


def list_fees(
    session: Session, client_id: uuid.UUID, wanted: FeeFilter | None = None
) -> list[ClientFee]:
    """A client's fees, newest period first.

    Raises:
        ClientNotFound: there is no such client.
    """
    people.client(session, client_id)
    terms = _terms_by_id(session)
    flows = portfolio.signed_flows_of(session, client_id)
    return [_client_fee(fee, terms, flows) for fee in queries.fees_of(session, client_id, wanted)]


def starting_value(session: Session, client_id: uuid.UUID, starts_on: dt.date) -> Rupees:
    """What a fee period of a client that starts on this day starts from.

    Raises:
        ClientNotFound: there is no such client.
    """
    people.client(session, client_id)
    standing = portfolio.standing_of(session, client_id)
    began_on = standing.started_on or portfolio.EARLIEST_DAY
    ends = [
        (_last_day_of(fee), fee.final_value)
        for fee in queries.fees_of(session, client_id)
        if fee.final_value is not None
    ]
    return starting_value_of_next(
        starts_on,
        (began_on - _ONE_DAY, standing.starting_capital),
        ends,
        portfolio.signed_flows_of(session, client_id),
        is_above_mark=firm.fee_schedule_on(session, starts_on).terms.is_above_high_water_mark,
    )


def add_fee(
    session: Session, actor: Actor, now: dt.datetime, client_id: uuid.UUID, new: NewPeriod
) -> ClientFee:
    """Record a fee period, by the schedule in force on its first day; it is DUE.

    Raises:
        ClientNotFound: there is no such client.
        NothingToStartFrom: the starting value is zero or less.
        FinalBeforeStart: the period ends before it begins.
        PeriodOverlaps: another fee covers some of the same days.
    """
    people.client(session, client_id)
    await_turn(session)
    if new.starting_value <= ZERO:
        raise NothingToStartFrom
    schedule = firm.fee_schedule_on(session, new.starting_on)
    fee = Fee(
        id=new_id(),
        client_id=client_id,
        starting_on=new.starting_on,
        due_on=new.due_on,
        final_on=new.final_on,
        starting_value=new.starting_value,
        final_value=new.final_value,
        status=FeeStatus.DUE,
        schedule_id=schedule.id,
        over_limit=ZERO,
        created_at=now,
        version=1,
    )
    _compute(session, fee, schedule.terms, clock.day_in_india(now))
    _check_period(session, fee)
    session.add(fee)
    renew_limits(session, [client_id])
    _keep_sums(session, people.client(session, client_id))
    audit_log.record(session, actor, now, "fee_added", ("fee", fee.id), _fields_of(fee))
    return ClientFee(fee, schedule.terms)


def change_fee(
    session: Session, actor: Actor, now: dt.datetime, client_id: uuid.UUID, edit: FeeEdit
) -> ClientFee:
    """Change the days of a fee, close its period, or settle it.

    A new final date or value computes the fee anew, by the schedule that the row keeps.

    Raises:
        ClientNotFound, NotThere: there is no such client, or no such fee of this client.
        StaleVersion: somebody changed it since.
        FinalValueKept: the period is closed already, at another value.
        FeeIsPaid: the fee is paid, so its period stays.
        FinalBeforeStart, NothingToPay, PaidBeforeStart, PaidAhead: the change cannot be.
        PeriodOverlaps: another fee covers some of the same days.
    """
    fee = _fee_to_change(session, client_id, edit.fee_id, edit.version)
    terms, flows = _terms_by_id(session), portfolio.signed_flows_of(session, client_id)
    before, paid_before, today = _fields_of(fee), _paid_part(fee), clock.day_in_india(now)
    changes = edit.changes
    status = changes.get("status", fee.status)
    final_on = changes.get("final_on", fee.final_on)
    final_value = changes.get("final_value", fee.final_value)
    if fee.final_value not in (None, final_value):
        raise FinalValueKept
    if (final_on, final_value) != (fee.final_on, fee.final_value):
        if fee.status == status == FeeStatus.PAID:
            raise FeeIsPaid
        fee.final_on, fee.final_value = final_on, final_value
        _compute(session, fee, terms.get(fee.schedule_id), today)
    fee.due_on = changes.get("due_on", fee.due_on)
    _check_period(session, fee)
    _settle(fee, status, changes.get("paid_on", fee.paid_on), today)
    fee.version += 1
    queries.add_to_paid_total(session, _paid_part(fee) - paid_before)
    renew_limits(session, [client_id])
    _keep_sums(session, people.client(session, client_id))
    after = _fields_of(fee)
    changed = {name: [before[name], after[name]] for name in after if before[name] != after[name]}
    audit_log.record(session, actor, now, "fee_changed", ("fee", fee.id), changed)
    return _client_fee(fee, terms, flows)


def delete_fee(
    session: Session, actor: Actor, now: dt.datetime, client_id: uuid.UUID, edit: FeeEdit
) -> None:
    """Hide a fee; what was paid of it leaves the earnings.

    Raises:
        ClientNotFound, NotThere: there is no such client, or no such fee of this client.
        StaleVersion: somebody changed it since.
    """
    fee = _fee_to_change(session, client_id, edit.fee_id, edit.version)
    fee.deleted_at, fee.deleted_by = now, actor.account_id
    fee.over_limit = ZERO
    fee.version += 1
    queries.add_to_paid_total(session, -_paid_part(fee))
    renew_limits(session, [client_id])
    _keep_sums(session, people.client(session, client_id))
    audit_log.record(session, actor, now, "fee_deleted", ("fee", fee.id), _fields_of(fee))


def restore_fee(session: Session, actor: Actor, now: dt.datetime, fee_id: uuid.UUID) -> None:
    """Take the deletion of a fee back.

    Raises:
        NotThere: no such fee is deleted.
        ClientNotFound: its client is deleted too, and must be restored first.
        PeriodOverlaps: a fee that was added meanwhile covers some of the same days.
    """
    await_turn(session)
    fee = queries.fee_by_id(session, fee_id)
    if fee is None or fee.deleted_at is None:
        raise NotThere
    client = people.client(session, fee.client_id)
    _refuse_overlap(session, fee)
    fee.deleted_at, fee.deleted_by = None, None
    fee.version += 1
    queries.add_to_paid_total(session, _paid_part(fee))
    renew_limits(session, [fee.client_id])
    _keep_sums(session, client)
    audit_log.record(session, actor, now, "fee_restored", ("fee", fee.id), _fields_of(fee))


def overview(
    session: Session, asked: Overview, skipped: int, limit: int
) -> tuple[list[ClientFees], int]:
    """One page of clients with their fees, and how many match.

    What is due first stands first unless sorted; rows that tie stand by client code, and rows
    that lack the sorted figure last. With a range of days, those who paid a fee in it, with the
    last such day.
    """
    searched = people.clients_matching(session, asked.query) if asked.query.strip() else None
    page = Listing(searched, asked.since, asked.until, asked.sort, skipped, limit)
    rows, total = queries.listed_sums(session, page)
    client_ids = [row.client_id for row in rows]
    passed, changed = _passed_limits(session, client_ids), _flows_changed(session, client_ids)
    found = [
        ClientFees(
            row.client_id,
            row.client_code,
            row.name,
            row.paid + row.due,
            row.due,
            row.due_on,
            row.paid,
            row.paid_on,
            passed.get(row.client_id),
            changed.get(row.client_id, ()),
        )
        for row in rows
    ]
    return found, total


def sums(session: Session) -> FeeSums:
    """The sums of all rows of the overview."""
    paid, due = queries.listed_totals(session)
    return FeeSums(paid + due, paid, due)


def list_client(session: Session, client_id: uuid.UUID, *, is_listed: bool) -> None:
    """Take a client's fees into the overview and its sums, or out of them."""
    await_turn(session)
    kept = queries.kept_sum(session, client_id)
    if kept is None or kept.is_listed == is_listed:
        return
    kept.is_listed = is_listed
    sign = 1 if is_listed else -1
    queries.add_to_listed_totals(session, sign * kept.paid, sign * kept.due)
    session.flush()


def schedules(session: Session, today: dt.date) -> list[KeptSchedule]:
    """All versions of the firm's fee schedule, newest first."""
    used, in_force = queries.used_schedules(session), firm.fee_schedule_on(session, today).id
    return [
        KeptSchedule(one, one.id == in_force, one.id in used) for one in firm.fee_schedules(session)
    ]


def set_schedule(
    session: Session,
    actor: Actor,
    now: dt.datetime,
    terms: FeeTerms,
    seen: SeenSchedule | None = None,
) -> None:
    """Add a version of the fee schedule, or change one that no fee was computed with.

    Raises:
        ScheduleInUse: a fee keeps the version of that day.
        StaleVersion: that day has other terms by now than were seen.
    """
    await_turn(session)
    used = queries.used_schedules(session)
    versions = {each.terms.effective_on: each for each in firm.fee_schedules(session)}
    kept = versions.get(terms.effective_on)
    if kept is not None and kept.id in used:
        raise ScheduleInUse
    if seen is not None and seen.kept_at != (kept.created_at if kept is not None else None):
        raise StaleVersion
    firm.keep_fee_schedule(session, actor, now, terms)


def await_turn(session: Session) -> None:
    """Keep others from changing any fee until this transaction ends.

    Periods are compared with each other, and a family's limit looks over all its fees.
    Every writer of fees calls it before the trail, so that no two can wait crosswise.
    """
    take_turns(session, AdvisoryLock.FEES)


def renew_limits(session: Session, client_ids: Collection[uuid.UUID]) -> None:
    """Flag anew the fees with which the families of these clients passed the yearly limit."""
    session.flush()
    terms = _terms_by_id(session)
    renewed: set[uuid.UUID] = set()
    for client_id in client_ids:
        if client_id in renewed:
            continue
        family = people.family_of(session, client_id)
        renewed |= family
        charged = queries.charged_to(session, family)
        charges = [_charge(fee, terms.get(fee.schedule_id)) for fee in charged]
        for fee, passed in zip(charged, passed_limits(charges), strict=True):
            fee.over_limit = passed
    session.flush()


def earnings(session: Session) -> Rupees:
    """All fees ever paid, of all clients."""
    return queries.paid_total(session)


def charged_to(session: Session, client_id: uuid.UUID) -> Rupees:
    """All fees charged to a client, paid and due."""
    amounts = [fee.amount for fee in queries.fees_of(session, client_id) if fee.amount is not None]
    return sum(amounts, Rupees(0))


def paid_by(session: Session, client_id: uuid.UUID) -> list[tuple[dt.date, Rupees]]:
    """The fees a client paid, with their paid dates."""
    return [
        (fee.paid_on, fee.amount)
        for fee in queries.fees_of(session, client_id)
        if fee.paid_on is not None and fee.amount is not None
    ]


def found_installation(session: Session) -> None:
    """Make the row of totals; once, on an empty database."""
    queries.make_total(session)


def _fee_to_change(
    session: Session, client_id: uuid.UUID, fee_id: uuid.UUID, version: int | None
) -> Fee:
    people.client(session, client_id)
    await_turn(session)
    fee = queries.fee_by_id(session, fee_id)
    if fee is None or fee.client_id != client_id or fee.deleted_at is not None:
        raise NotThere
    if version not in (None, fee.version):
        raise StaleVersion
    return fee


def _check_period(session: Session, fee: Fee) -> None:
    """Refuse a period that ends before it begins or overlaps another; fill in its due date."""
    if fee.final_on is not None and fee.final_on < fee.starting_on:
        raise FinalBeforeStart
    if fee.due_on is None:
        fee.due_on = fee.final_on
    _refuse_overlap(session, fee)


def _refuse_overlap(session: Session, fee: Fee) -> None:
    """Refuse a period that shares a day with another one; an open one has no last day."""
    with session.no_autoflush:
        others = [one for one in queries.fees_of(session, fee.client_id) if one.id != fee.id]
    last = _last_day_of(fee)
    for one in others:
        if fee.starting_on <= _last_day_of(one) and one.starting_on <= last:
            until = one.final_on or one.counted_until
            ending = f"to {until:%d-%m-%Y}" if until else "and still open"
            raise PeriodOverlaps(
                f"This period overlaps the fee from {one.starting_on:%d-%m-%Y} {ending}. "
                "Choose other dates, or delete that fee first."
            )


def _last_day_of(fee: Fee) -> dt.date:
    """The last day that a fee covers; the last day there is while it is open without one."""
    known = fee.final_on or fee.counted_until
    if known is None and fee.final_value is not None:
        # Closed by an earlier version, which counted up to the day of recording.
        return max(fee.starting_on, clock.day_in_india(fee.created_at))
    return known or dt.date.max


def _compute(session: Session, fee: Fee, terms: FeeTerms | None, today: dt.date) -> None:
    """The figures of a fee; a period whose final date is not told runs to today."""
    if terms is None:
        raise NotThere
    final_on = fee.final_on or max(today, fee.starting_on)
    flows = portfolio.signed_flows_of(session, fee.client_id)
    found = fee_of(_period_of(fee, final_on, flows), terms.schedule)
    fee.net_gain = found.net_gain
    fee.applicable_percentage = found.applicable_percentage
    fee.amount = found.amount
    fee.counted_until = None if fee.final_value is None else final_on


def _period_of(fee: Fee, final_on: dt.date, flows: Sequence[CashFlow]) -> FeePeriod:
    # What came in on the first day is part of the starting value already.
    added = net_added_between(flows, fee.starting_on, final_on)
    return FeePeriod(fee.starting_on, final_on, fee.starting_value, fee.final_value, added)


def _changed_by(fee: Fee, terms: FeeTerms | None, flows: Sequence[CashFlow]) -> FlowsChanged | None:
    """What a fee would be with the flows of now; None where they are those it was computed with.

    None also for a row whose last counted day is not known.
    """
    until = fee.final_on or fee.counted_until
    if terms is None or until is None or fee.net_gain is None or fee.amount is None:
        return None
    period = _period_of(fee, until, flows)
    found = fee_of(period, terms.schedule)
    if found.net_gain is None or found.amount is None or found.net_gain == fee.net_gain:
        return None
    return FlowsChanged(
        fee.starting_on, fee.amount, period.net_funds_added, found.net_gain, found.amount
    )


def _settle(fee: Fee, status: FeeStatus, paid_on: dt.date | None, today: dt.date) -> None:
    fee.status = status
    fee.paid_on = None
    if status == FeeStatus.PAID:
        if fee.amount is None:
            raise NothingToPay
        fee.paid_on = paid_on or today
        if fee.paid_on > today:
            raise PaidAhead
        if fee.paid_on < fee.starting_on:
            raise PaidBeforeStart


def _charge(fee: Fee, terms: FeeTerms | None) -> Charge:
    return Charge(_day_of(fee), fee.amount or ZERO, terms.yearly_limit if terms else None)


def _day_of(fee: Fee) -> dt.date:
    """The day by which a fee counts in a financial year: when its period ends, as far as known."""
    return fee.final_on or fee.due_on or fee.starting_on


def _paid_part(fee: Fee) -> Rupees:
    return (fee.amount or ZERO) if fee.status == FeeStatus.PAID else ZERO


def _fields_of(fee: Fee) -> dict[str, object]:
    return {
        "startingDate": fee.starting_on,
        "dueDate": fee.due_on,
        "finalDate": fee.final_on,
        "startingValue": fee.starting_value,
        "finalValue": fee.final_value,
        "netGain": fee.net_gain,
        "applicablePercentage": fee.applicable_percentage,
        "fees": fee.amount,
        "status": fee.status,
        "paidDate": fee.paid_on,
    }


def _terms_by_id(session: Session) -> Mapping[uuid.UUID | None, FeeTerms]:
    return {one.id: one.terms for one in firm.fee_schedules(session)}


def _client_fee(
    fee: Fee, terms: Mapping[uuid.UUID | None, FeeTerms], flows: Sequence[CashFlow]
) -> ClientFee:
    mine = terms.get(fee.schedule_id)
    return ClientFee(fee, mine, _changed_by(fee, mine, flows))


def _passed_limits(
    session: Session, client_ids: Collection[uuid.UUID]
) -> dict[uuid.UUID, PassedLimit | None]:
    """The newest passing of the yearly limit, by client."""
    past = queries.past_limit(session, client_ids)
    terms = _terms_by_id(session) if past else {}
    return {fee.client_id: ClientFee(fee, terms.get(fee.schedule_id)).passed_limit for fee in past}


def _flows_changed(
    session: Session, client_ids: Collection[uuid.UUID]
) -> dict[uuid.UUID, list[FlowsChanged]]:
    """The fees whose cash flows changed after them, oldest first, by client."""
    charged = queries.charged_to(session, client_ids)
    if not charged:
        return {}
    terms, flows = _terms_by_id(session), portfolio.signed_flows_of_all(session, client_ids)
    found: dict[uuid.UUID, list[FlowsChanged]] = {}
    for fee in sorted(charged, key=lambda one: one.starting_on):
        changed = _changed_by(fee, terms.get(fee.schedule_id), flows.get(fee.client_id, ()))
        if changed is not None:
            found.setdefault(fee.client_id, []).append(changed)
    return found


def _keep_sums(session: Session, client: Client) -> None:
    """Make the kept sums of a client those of its fees."""
    session.flush()
    found = queries.sums_of(session, client.id)
    kept = queries.kept_sum(session, client.id)
    before = (kept.paid, kept.due) if kept else (ZERO, ZERO)
    paid, due = found.paid or ZERO, found.due or ZERO
    if kept is None:
        kept = ClientFeeSum(client_id=client.id, client_code=client.code, is_listed=True)
        session.add(kept)
    kept.fees, kept.paid, kept.due, kept.paid_on = found.fees, paid, due, found.paid_on
    kept.due_on, kept.next_due_on = found.due_on, found.due_on or dt.date.max
    if not found.fees:
        session.delete(kept)
    session.flush()
    queries.add_to_listed_totals(session, paid - before[0], due - before[1])
