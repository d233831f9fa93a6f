"""The figures of a fee: what it charges, what is left of the gain, what changed since."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from tarazu.domain.fee_limits import Charge, first_of_twelve_months
from tarazu.domain.fees import FeePeriod, fee_of, net_added_between
from tarazu.domain.money import ZERO, Percent, Rupees, share_of
from tarazu.domain.returns import CashFlow
from tarazu.fees.errors import NothingToPay, PaidAhead, PaidBeforeStart
from tarazu.fees.tables import Fee, FeeStatus
from tarazu.firm.service import FeeTerms
from tarazu.invoices.service import FeeDocuments
from tarazu.kit import clock
from tarazu.kit.errors import NotThere


@dataclass(frozen=True, slots=True)
class PassedLimit:
    """A family's fees in twelve months, in rupees, when they exceed the yearly limit with a fee."""

    year_from: dt.date
    until: dt.date
    fee: Rupees
    family_fees: Rupees
    yearly_limit: Rupees
    excess: Rupees


@dataclass(frozen=True, slots=True)
class FeeAfterFlows:
    """What a fee would be now that the cash flows of its period have changed."""

    starting_on: dt.date
    fees: Rupees
    net_funds_added_now: Rupees
    net_gain_now: Rupees
    fees_now: Rupees


@dataclass(frozen=True, slots=True)
class ClientFee:
    """A fee with the terms used for it; `flows_changed` is None if no cash flow has changed.

    `documents` is None while it has no invoice.
    """

    fee: Fee
    terms: FeeTerms | None
    flows_changed: FeeAfterFlows | None = None
    documents: FeeDocuments | None = None

    @property
    def net_funds_added(self) -> Rupees | None:
        """Funds added less funds withdrawn in the period; None while it is open."""
        if self.fee.final_value is None or self.fee.net_gain is None:
            return None
        return self.fee.final_value - self.fee.starting_value - self.fee.net_gain

    @property
    def net_gain_percentage(self) -> Percent | None:
        """The gain in percent of the starting value, unrounded; None while the period is open."""
        gain = self.fee.net_gain
        return None if gain is None else share_of(gain, self.fee.starting_value)

    @property
    def net_gain_after_fees(self) -> Rupees | None:
        """What is left of the gain; None while the period is open."""
        if self.fee.net_gain is None or self.fee.amount is None:
            return None
        return self.fee.net_gain - self.fee.amount

    @property
    def passed_limit(self) -> PassedLimit | None:
        """The figures of a fee that takes its family over the limit; None for other fees."""
        limit = self.terms.yearly_limit if self.terms else None
        fee, until, excess = self.fee, self.fee.limit_until, self.fee.over_limit
        if limit is None or until is None or fee.amount is None:
            return None
        first = first_of_twelve_months(until)
        return PassedLimit(first, until, fee.amount - fee.refunded, limit + excess, limit, excess)

    @property
    def is_over_limit(self) -> bool:
        """Whether the family is over the yearly limit with this fee."""
        return self.passed_limit is not None

    @property
    def schedule_from(self) -> dt.date | None:
        """The day from which the terms are in force."""
        return self.terms.effective_on if self.terms else None


def last_day_of(fee: Fee) -> dt.date:
    """The last day that a fee covers; `date.max` for an open period without a final date."""
    known = fee.final_on or fee.counted_until
    if known is None and fee.final_value is not None:
        # A row without the last counted day was counted up to the day it was recorded.
        return max(fee.starting_on, clock.day_in_india(fee.created_at))
    return known or dt.date.max


def compute(fee: Fee, terms: FeeTerms | None, flows: Sequence[CashFlow], today: dt.date) -> None:
    """Set the figures of a fee; a period without a final date runs to today."""
    if terms is None:
        raise NotThere
    final_on = fee.final_on or max(today, fee.starting_on)
    charged = fee_of(_period_of(fee, final_on, flows), terms.schedule)
    fee.net_gain = charged.net_gain
    fee.applicable_percentage = charged.applicable_percentage
    fee.amount = charged.amount
    fee.counted_until = None if fee.final_value is None else final_on


def _period_of(fee: Fee, final_on: dt.date, flows: Sequence[CashFlow]) -> FeePeriod:
    # Funds added on the first day are already part of the starting value.
    added = net_added_between(flows, fee.starting_on, final_on)
    return FeePeriod(fee.starting_on, final_on, fee.starting_value, fee.final_value, added)


def changes_by_flows(
    fee: Fee, terms: FeeTerms | None, flows: Sequence[CashFlow]
) -> FeeAfterFlows | None:
    """What a fee would be with the cash flows of now; None if its figures stay the same.

    None also for a row whose last counted day is unknown.
    """
    until = fee.final_on or fee.counted_until
    if terms is None or until is None or fee.net_gain is None or fee.amount is None:
        return None
    period = _period_of(fee, until, flows)
    charged = fee_of(period, terms.schedule)
    if charged.net_gain is None or charged.amount is None or charged.net_gain == fee.net_gain:
        return None
    return FeeAfterFlows(
        fee.starting_on, fee.amount, period.net_funds_added, charged.net_gain, charged.amount
    )


def settle(fee: Fee, status: FeeStatus, paid_on: dt.date | None, today: dt.date) -> None:
    """Set whether a fee is paid, and when.

    Raises:
        NothingToPay, PaidAhead, PaidBeforeStart: it cannot be paid, or not on that day.
    """
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


def charge_of(fee: Fee, terms: FeeTerms | None) -> Charge:
    """The fee as the yearly limit counts it: without what was refunded."""
    amount = (fee.amount or ZERO) - fee.refunded
    return Charge(charged_on(fee), amount, terms.yearly_limit if terms else None)


def charged_on(fee: Fee) -> dt.date:
    """The day that decides the financial year of a fee: the end of its period, as far as known."""
    return fee.final_on or fee.due_on or fee.starting_on


def paid_amount(fee: Fee) -> Rupees:
    """The amount that was paid less what was refunded; 0 while the fee is due."""
    return (fee.amount or ZERO) - fee.refunded if fee.status == FeeStatus.PAID else ZERO


def audit_fields(fee: Fee) -> dict[str, object]:
    """The fields of a fee by their names on the wire."""
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
        "modeOfPayment": fee.payment_mode,
        "reference": fee.payment_reference,
    }
