"""What sales of today add to the tax of a year, as the largest of a few straight lines.

With a short-term rate that is not below the long-term one, a short-term loss is best set off against
short-term gains first. The tax of a year is then a convex function of its two net gains s and l:
the largest of 0, a s, a s + b (l - e) and b (s + l - e), where a and b are the rates and e is the
exemption.
"""

from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

from tarazu.domain.money import Rupees
from tarazu.domain.tax.rates import SurchargeClass, TaxRates, Term
from tarazu.domain.tax.set_off import YearGains, tax_of_year

DECIMALS = 8


class LotStep(NamedTuple):
    """Shares of one lot, sold before those of the next step; `gain` is rupees a share."""

    shares: int
    gain: Rupees
    is_long_term: bool


class TaxLine(NamedTuple):
    """Rupees of tax: `short` and `long` for each rupee of net gain of today's sales, and `base`."""

    short: Decimal
    long: Decimal
    base: Rupees


def added_tax_lines(
    before: YearGains, rates: TaxRates, income: SurchargeClass | None = None
) -> tuple[TaxLine, ...] | None:
    """The lines whose largest, if above 0, is what sales of today add to the tax of the year.

    None where the short-term rate is below the long-term one: the tax is not convex then.

    Args:
        before: the gains of the year without today's sales.
    """
    short, long = rates.rate(Term.SHORT, income), rates.rate(Term.LONG, income)
    if short < long:
        return None
    tax = tax_of_year(before, rates, income).better.tax
    net_short = before.short_gain - before.short_loss
    net_long = before.long_gain - before.long_loss - Fraction(rates.exemption)
    pairs = ((short, Fraction(0)), (short, long), (long, long))
    return tuple(
        TaxLine(rounded_to(a), rounded_to(b), rounded_to(a * net_short + b * net_long - tax))
        for a, b in pairs
    )


def rounded_to(value: Fraction, decimals: int = DECIMALS) -> Decimal:
    """A fraction as a decimal."""
    return Decimal(round(value * 10**decimals)).scaleb(-decimals)


def added_tax(lines: tuple[TaxLine, ...], short: Fraction, long: Fraction) -> Fraction:
    """What net gains of today's sales add to the tax of the year; 0 where they save tax."""
    return max(
        Fraction(0),
        *(
            Fraction(line.short) * short + Fraction(line.long) * long + Fraction(line.base)
            for line in lines
        ),
    )
