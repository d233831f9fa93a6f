"""The capital gain of a disposal: short or long-term, with the cost of 31 January 2018.

A figure that is not known is None and names why; no gain is ever made of the proceeds alone.
"""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache

from tarazu.domain.calendar import months_later
from tarazu.domain.money import HUNDRED
from tarazu.domain.tax.rates import TaxRates, Term
from tarazu.domain.tax.shares import Shares
from tarazu.domain.tax.values import Disposal, DisposalKind, Lot

_MONTHS = 12


class WhyUnknown(StrEnum):
    """Why a figure is not known.

    NO_PURCHASE: the shares were bought before the first known purchase, or it is not known which
    lots were sold. NO_PRICE: a sale without a price. NO_COST: a lot whose cost is not known.
    NO_HIGH: bought before February 2018, and the high of 31 January 2018 is not known. FRACTION: less
    than one share, paid out in cash for an amount that is not known. NOT_MATCHED: the lots do not
    add up to the shares in the demat account. NO_HOLDINGS: the holdings were never read, so the lots
    cannot be compared with them. SUSPECTED: shares or price moved as in a split or a bonus that is
    not recorded, or it is not known whether its shares are credited, so price and shares may be of
    two different times.
    """

    NO_PURCHASE = "NO_PURCHASE"
    NO_PRICE = "NO_PRICE"
    NO_COST = "NO_COST"
    NO_HIGH = "NO_HIGH"
    FRACTION = "FRACTION"
    NOT_MATCHED = "NOT_MATCHED"
    NO_HOLDINGS = "NO_HOLDINGS"
    SUSPECTED = "SUSPECTED"


@dataclass(frozen=True, slots=True)
class Gain:
    """The gain of one disposal, in rupees.

    Attributes:
        proceeds, cost: as they count; the cost at least the value of 31 January 2018 where that
            applies.
        dividend: of a buyback, the part of the amount that is a dividend; 0 for all others.
        why: None where everything is known.
    """

    disposal: Disposal
    term: Term | None
    proceeds: Fraction | None
    cost: Fraction | None
    dividend: Fraction | None
    why: WhyUnknown | None = None

    @property
    def amount(self) -> Fraction | None:
        """Below 0 for a loss; None if it is not known."""
        if self.why is not None or self.proceeds is None or self.cost is None:
            return None
        return self.proceeds - self.cost


class Highs:
    """The highest prices of 31 January 2018 by ISIN, in rupees a share of that day."""

    def __init__(self, highs: Mapping[str, Fraction], shares: Shares, on: dt.date) -> None:
        self._shares, self._on = shares, on
        self._highs = {shares.chain_before(isin): high for isin, high in highs.items()}

    def high_of(self, isin: str, day: dt.date) -> Fraction | None:
        """Rupees for one share in the units of a day; None if it is not known."""
        chain = self._shares.chain(isin, day)
        high = self._highs.get(chain)
        return None if high is None else high / self._shares.split_between(chain, self._on, day)


@lru_cache(maxsize=4096)
def long_term_from(bought_on: dt.date, months: int = _MONTHS) -> dt.date:
    """The first day on which a sale of these shares is long-term.

    A share is short-term if it was held for not more than 12 months immediately before the date of
    its transfer (section 2(42A) of the Act of 1961), so one bought on 15 March 2025 is short-term on
    15 March 2026 and long-term from 16 March 2026 on.
    """
    return months_later(bought_on, months) + dt.timedelta(days=1)


def term_of(bought_on: dt.date, sold_on: dt.date, rates: TaxRates) -> Term:
    """Whether shares are short or long-term on the day of their sale."""
    is_long = sold_on >= long_term_from(bought_on, rates.holding_months)
    return Term.LONG if is_long else Term.SHORT


def grandfathered_cost(cost: Fraction, high: Fraction, proceeds: Fraction) -> Fraction:
    """What counts as the cost of long-term shares bought before 1 February 2018.

    The actual cost, or if that is more, the lower of the value of 31 January 2018 and the sale price
    (section 55(2)(ac) of the Act of 1961). All three of the same shares.
    """
    return max(cost, min(high, proceeds))


def cost_counted(
    lot: Lot | Disposal, term: Term, proceeds: Fraction, high: Fraction | None, until: dt.date
) -> tuple[Fraction | None, WhyUnknown | None]:
    """The cost that counts for shares sold for `proceeds`, or why it is not known.

    Args:
        high: the value of one share on 31 January 2018, in the units of the sale.
        until: shares bought up to this day are grandfathered.
    """
    if lot.cost is None or lot.bought_on is None:
        return None, WhyUnknown.NO_PURCHASE if lot.bought_on is None else WhyUnknown.NO_COST
    if term is Term.SHORT or lot.bought_on > until or proceeds <= lot.cost:
        return lot.cost, None
    if high is None:
        return None, WhyUnknown.NO_HIGH
    return grandfathered_cost(lot.cost, high * lot.quantity, proceeds), None


def gain_of(disposal: Disposal, rates: TaxRates, high: Fraction | None) -> Gain:
    """The gain of a disposal by the rates of its day.

    Args:
        high: the value of one share on 31 January 2018, in the units of the day of the sale.
    """
    if disposal.kind is DisposalKind.FRACTION:
        return Gain(disposal, None, None, disposal.cost, None, WhyUnknown.FRACTION)
    term = None
    if disposal.bought_on is not None:
        term = term_of(disposal.bought_on, disposal.sold_on, rates)
    counted = disposal.proceeds
    dividend: Fraction | None = Fraction(0)
    share_of_cost = Fraction(1)
    if disposal.kind is DisposalKind.BUYBACK:
        counted = _part(disposal.proceeds, Fraction(rates.buyback_proceeds / HUNDRED))
        dividend = _part(disposal.proceeds, Fraction(rates.buyback_dividend / HUNDRED))
        share_of_cost = Fraction(rates.buyback_cost / HUNDRED)
    if not share_of_cost:
        return Gain(disposal, term, counted, Fraction(0), dividend)
    if counted is None:
        return Gain(disposal, term, None, disposal.cost, dividend, WhyUnknown.NO_PRICE)
    cost, why = cost_counted(disposal, term or Term.SHORT, counted, high, rates.grandfathered_until)
    return Gain(disposal, term, counted, _part(cost, share_of_cost), dividend, why)


def _part(amount: Fraction | None, share: Fraction) -> Fraction | None:
    """This share of an amount; nothing of an unknown one is nothing."""
    if not share:
        return Fraction(0)
    return None if amount is None else amount * share
