"""The facts that obligations are computed from; the one place that gathers them."""

import datetime as dt
import uuid
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from sqlalchemy.orm import Session

from tarazu.advice import service as advice
from tarazu.domain.obligations.values import EventDay, Expiry, ObligationFacts, Trigger
from tarazu.fees import service as fees
from tarazu.firm import service as firm
from tarazu.firm.tables import PastPerformanceSettings
from tarazu.invoices import service as invoices
from tarazu.kit import audit_log
from tarazu.kit.clock import day_in_india
from tarazu.obligations import queries
from tarazu.papers import service as papers
from tarazu.papers.service import BEFORE_SERVICE
from tarazu.people import service as people
from tarazu.people.service import RecordSpan
from tarazu.registers import service as registers

LONGEST_ADVANCE = dt.timedelta(days=366)
"""A year, the leap day included."""


def facts_of(session: Session, today: dt.date) -> ObligationFacts:
    """What the product knows of the firm today; None where nothing records it yet."""
    began_at = audit_log.began_at(session)
    began_on = day_in_india(began_at) if began_at else today
    record = firm.firm_record(session)
    performance = firm.past_performance_settings(session)
    clients, staff = people.client_spans(session), people.staff_spans(session)
    settings = queries.settings(session)
    unsaid = EventDay(began_on, "The firm has not said how far it uses AI")
    return ObligationFacts(
        began_on=began_on,
        events={
            Trigger.CLIENT_ADDED: _days((one.added_on for one in clients), "client added"),
            Trigger.CLIENT_REMOVED: _days(_removals(clients), "client removed"),
            Trigger.STAFF_CHANGED: _days(
                [one.added_on for one in staff] + _removals(staff), "change of staff"
            ),
            Trigger.FEE_OVER_CAP: tuple(
                EventDay(day, _counted(count, "fee") + " above the yearly limit")
                for day, count in fees.days_over_limit(session)
            ),
            **_paid(session, clients),
            Trigger.AI_USE: () if record.ai_use else (unsaid,),
            # The product sends no advice whose disclosures are missing.
            Trigger.ADVICE: (),
            Trigger.FIRST_PAID_SERVICE: _days(
                _unpapered(session, clients, today),
                "client",
                " with a paid fee, without KYC or consent",
            ),
            Trigger.BANK_ACCOUNT: _accounts_without_upi(session),
            Trigger.STAFF_TRADE: _days(_breach_days(session), "trade", " of staff to explain"),
            **_registered(session),
        },
        expiries={
            Trigger.REGISTRATION: _renewal(record.renewal_on),
            Trigger.PAST_PERFORMANCE: _certificate(performance),
            Trigger.CERTIFICATE: _staff_certificates(session),
        },
        clients=sum(one.removed_on is None for one in clients),
        is_part_time=settings.is_part_time if settings else None,
        shows_performance=any(
            (performance.enrolled_on, performance.certified_last, performance.verified_last)
        ),
    )


def _renewal(day: dt.date | None) -> tuple[Expiry, ...] | None:
    if day is None:
        return None
    return (Expiry(day.isoformat(), day, f"Expires on {day:%d/%m/%Y}"),)


def _certificate(settings: PastPerformanceSettings) -> tuple[Expiry, ...]:
    """Until when certified figures may be shown, where the firm has no verified ones."""
    if settings.certified_last is None or settings.verified_last is not None:
        return ()
    day = settings.certified_until
    return (Expiry(day.isoformat(), day, f"Certified figures until {day:%d/%m/%Y}"),)


def _paid(
    session: Session, clients: Iterable[RecordSpan]
) -> Mapping[Trigger, tuple[EventDay, ...]]:
    """Fees paid for more than a year ahead, and fees of days after the client had gone."""
    removed: dict[uuid.UUID, dt.date] = {
        one.id: one.removed_on for one in clients if one.removed_on is not None
    }
    ahead, unserved = [], set()
    for client_id, paid_on, last in fees.paid_periods(session):
        if last - paid_on > LONGEST_ADVANCE:
            ahead.append(paid_on)
        gone_on = removed.get(client_id)
        if gone_on is not None and last > gone_on:
            unserved.add((client_id, gone_on))
    return {
        Trigger.FEE_IN_ADVANCE: _days(ahead, "fee", " paid for more than a year ahead"),
        Trigger.SERVICE_ENDED: _days((day for _, day in unserved), "client", " with unserved fees"),
    }


def _registered(session: Session) -> Mapping[Trigger, tuple[EventDay, ...]]:
    """What the registers hold that is to be reported or approved."""
    return {
        Trigger.HANDLE: _days(registers.handle_changes(session), "change", " of handles and sites"),
        Trigger.ADVERTISEMENT: _days(
            registers.unapproved_advertisements(session), "advertisement", " without approval"
        ),
        Trigger.DATA_BREACH: _days(
            registers.unreported_incidents(session), "incident", " not reported"
        ),
        Trigger.COMPLAINT: _days(registers.complaints_received(session), "complaint", " received"),
    }


def _staff_certificates(session: Session) -> tuple[Expiry, ...] | None:
    certificates = registers.expiring_certificates(session)
    if certificates is None:
        return None
    return tuple(
        Expiry(
            one.key,
            one.valid_until,
            f"NISM {one.series} of {one.staff_name} expires on {one.valid_until:%d/%m/%Y}",
        )
        for one in certificates
    )


def _breach_days(session: Session) -> list[dt.date]:
    """Of each declared trade against the rules: the day from which it was, its own or the advice's."""
    breaches = [declared.breach for declared in advice.own_trading_breaches(session)]
    found = {(one.trade.key, max(one.trade.traded_on, one.advised_on)) for one in breaches}
    return [day for _, day in found]


def _unpapered(
    session: Session, clients: Iterable[RecordSpan], today: dt.date
) -> Iterator[dt.date]:
    """Of each client who paid a fee without a paper that a paid service needs: since when.

    That is the first payment, or the day the client was added if that is later; for a consent, not
    before the first day of the text in force.
    """
    first_paid, held = fees.first_payments(session), papers.held_papers(session, today)
    for client in clients:
        paid_on = first_paid.get(client.id)
        if paid_on is None or client.removed_on is not None:
            continue
        since = max(paid_on, client.added_on)
        missing = [] if held.has_kyc(client.id) else [since]
        missing += [
            max(since, held.in_force[kind][1]) if kind in held.in_force else since
            for kind in BEFORE_SERVICE
            if not held.has_agreed(client.id, kind)
        ]
        if missing:
            yield min(missing)


def _accounts_without_upi(session: Session) -> tuple[EventDay, ...]:
    since = invoices.invoice_settings(session).without_upi_since
    return (EventDay(since, "A bank account without a UPI ID"),) if since else ()


def _removals(spans: Iterable[RecordSpan]) -> list[dt.date]:
    return [one.removed_on for one in spans if one.removed_on is not None]


def _days(days: Iterable[dt.date], noun: str, tail: str = "") -> tuple[EventDay, ...]:
    counts = Counter(days)
    return tuple(EventDay(day, _counted(counts[day], noun) + tail) for day in sorted(counts))


def _counted(count: int, noun: str) -> str:
    if count == 1:
        return f"1 {noun}"
    first, _, rest = noun.partition(" ")
    return f"{count} {first}s {rest}".rstrip()
