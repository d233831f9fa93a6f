"""What the law says of fees and their invoices, by the day from which it holds."""

import datetime as dt
from dataclasses import dataclass
from decimal import Decimal

from sqlalchemy.orm import Session

from tarazu.invoices import queries
from tarazu.invoices.errors import RuleInUse
from tarazu.invoices.tables import InvoiceRule
from tarazu.kit import audit_log
from tarazu.kit.audit_log import Actor
from tarazu.kit.clock import day_in_india
from tarazu.kit.db import acquire_lock, new_id
from tarazu.kit.locks import AdvisoryLock


@dataclass(frozen=True, slots=True)
class NewRule:
    """Rules from a day on; see `InvoiceRule`."""

    effective_on: dt.date
    advance_months: int | None
    gst_rate: Decimal
    sac: str
    upi_pattern: str
    source: str


@dataclass(frozen=True, slots=True)
class DatedRule:
    """A rule, and whether it is the one of today."""

    rule: InvoiceRule
    is_in_force: bool


def rule_on(session: Session, day: dt.date) -> InvoiceRule:
    """The rule in force on a day; before the first one's day it is the first."""
    rules = queries.rules(session)
    return next((rule for rule in rules if rule.effective_on <= day), rules[-1])


def dated_rules(session: Session, today: dt.date) -> list[DatedRule]:
    """All rules, newest first."""
    in_force = rule_on(session, today).id
    return [DatedRule(rule, rule.id == in_force) for rule in queries.rules(session)]


def set_rule(session: Session, actor: Actor, now: dt.datetime, new: NewRule) -> None:
    """Add a rule, or change the one that will hold from the same day.

    Raises:
        RuleInUse: the rule of that day holds already.
    """
    acquire_lock(session, AdvisoryLock.SETTINGS)
    rows = {rule.effective_on: rule for rule in queries.rules(session)}
    rule = rows.get(new.effective_on)
    if rule is not None and rule.effective_on <= day_in_india(now):
        raise RuleInUse
    if rule is None:
        rule = InvoiceRule(id=new_id(), effective_on=new.effective_on)
        session.add(rule)
    rule.advance_months, rule.gst_rate, rule.sac = new.advance_months, new.gst_rate, new.sac
    rule.upi_pattern, rule.source = new.upi_pattern, new.source
    rule.created_at, rule.created_by = now, actor.account_id
    session.flush()
    changes = {
        "effectiveOn": rule.effective_on,
        "advanceMonths": rule.advance_months,
        "gstRate": rule.gst_rate,
        "sac": rule.sac,
        "upiPattern": rule.upi_pattern,
        "source": rule.source,
    }
    audit_log.record(session, actor, now, "invoice_rule_set", ("invoice_rule", rule.id), changes)
