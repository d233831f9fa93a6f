"""What selling shares of one stock adds to the tax, share by share: a staircase of its lots.

The first lots are sold first, so the steps need neither rise nor fall. All figures are at full rates:
set-off and the exemption of the year are of all stocks together, see `set_off`.
"""

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from tarazu.domain.money import Rupees
from tarazu.domain.tax.gains import WhyUnknown, cost_counted, long_term_from, term_of
from tarazu.domain.tax.rates import SurchargeClass, TaxRates, Term
from tarazu.domain.tax.values import Lot


@dataclass(frozen=True, slots=True)
class SaleDay:
    """A day on which shares may be sold, and by which rates: with the surcharge of this income."""

    day: dt.date
    rates: TaxRates
    income: SurchargeClass | None = None


class Step(NamedTuple):
    """Shares of one lot, sold before those of the next step.

    Attributes:
        gain: rupees a share, below 0 for a loss.
        tax: rupees a share at the full rate; below 0 for a loss, which saves as much where it is set
            off against a gain of the same term.
        days: until a sale is long-term; 0 if it is.
    """

    shares: int
    gain: Fraction
    tax: Fraction
    is_long_term: bool
    days: int


class Wait(NamedTuple):
    """What a sale saves if it waits until more of its shares are long-term."""

    days: int
    saving: Fraction


def staircase(
    lots: Iterable[Lot], price: Rupees, on: SaleDay, high: Fraction | None = None
) -> tuple[Step, ...] | WhyUnknown:
    """The steps of one stock's lots at a price, in the order of sale; or why they are not known.

    Args:
        lots: of one demat account.
        high: the value of one share on 31 January 2018, in the units of the day.
    """
    steps: list[Step] = []
    rates = {term: on.rates.rate(term, on.income) for term in Term}
    for lot in lots:
        proceeds = lot.quantity * Fraction(price)
        term = term_of(lot.bought_on, on.day, on.rates)
        cost, why = cost_counted(lot, term, proceeds, high, on.rates.grandfathered_until)
        if cost is None:
            return why or WhyUnknown.NO_COST
        gain = (proceeds - cost) / lot.quantity
        from_day = long_term_from(lot.bought_on, on.rates.holding_months)
        days = max(0, (from_day - on.day).days)
        steps.append(Step(lot.quantity, gain, gain * rates[term], term is Term.LONG, days))
    return tuple(steps)


def sold(steps: Sequence[Step], shares: int) -> tuple[Step, ...]:
    """The steps of the first `shares` shares; fewer if there are not that many."""
    parts: list[Step] = []
    for step in steps:
        if shares <= 0:
            break
        parts.append(step._replace(shares=min(shares, step.shares)))
        shares -= step.shares
    return tuple(parts)


def waits(steps: Sequence[Step], rates: TaxRates, income: SurchargeClass | None) -> list[Wait]:
    """What the sale of these shares saves by waiting, at this price, the shortest wait first.

    Each wait ends when one more lot is long-term, and saves more than all shorter ones. A loss that
    becomes long-term saves less tax, which is taken off.
    """
    difference = rates.rate(Term.SHORT, income) - rates.rate(Term.LONG, income)
    saving = Fraction(0)
    found: list[Wait] = []
    for days in sorted({step.days for step in steps if step.days}):
        saving += sum(
            (step.shares * step.gain * difference for step in steps if step.days == days),
            Fraction(0),
        )
        if saving > (found[-1].saving if found else 0):
            found.append(Wait(days, saving))
    return found
