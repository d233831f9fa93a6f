"""Sums of a year's gains, set-off of losses, the yearly exemption and the tax, in rupees.

A short-term loss is set off against short-term or long-term gains, a long-term loss against
long-term gains only (section 108 of the Income-tax Act 2025, 70 of the Act of 1961). Both ways of
the short-term loss are worked out. The exemption comes after set-off. What is left of a loss could
be carried forward for eight years; losses of earlier years are not recorded here and not counted.
Rebates and the basic exemption of an income below the taxable limit are left out too.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple

from tarazu.domain.tax.gains import Gain
from tarazu.domain.tax.rates import SurchargeClass, TaxRates, Term

NOTHING = Fraction(0)


@dataclass(frozen=True, slots=True)
class YearGains:
    """The known gains and losses of a year; all 0 or above."""

    short_gain: Fraction = NOTHING
    short_loss: Fraction = NOTHING
    long_gain: Fraction = NOTHING
    long_loss: Fraction = NOTHING


def sum_of(amounts: Iterable[tuple[Term, Fraction]]) -> YearGains:
    """Gains and losses (below 0) by term."""
    sums = {(term, is_loss): NOTHING for term in Term for is_loss in (False, True)}
    for term, amount in amounts:
        sums[term, amount < 0] += abs(amount)
    return YearGains(
        sums[Term.SHORT, False],
        sums[Term.SHORT, True],
        sums[Term.LONG, False],
        sums[Term.LONG, True],
    )


def year_gains(gains: Iterable[Gain]) -> YearGains:
    """The sums of the gains that are known; the others are in no sum."""
    return sum_of(
        (gain.term, gain.amount)
        for gain in gains
        if gain.term is not None and gain.amount is not None
    )


class Way(StrEnum):
    """Against which gains a short-term loss is set off first."""

    SHORT_FIRST = "SHORT_FIRST"
    LONG_FIRST = "LONG_FIRST"


class SetOff(NamedTuple):
    """What is left of gains and losses after set-off, and of the exemption after that.

    Attributes:
        short, long: gains that are left, before the exemption.
        short_loss, long_loss: losses that found no gain.
        taxed_long: long-term gains above the exemption.
        exemption_left: what is left of the exemption.
        tax: with surcharge and cess, unrounded.
    """

    way: Way
    short: Fraction
    long: Fraction
    short_loss: Fraction
    long_loss: Fraction
    taxed_long: Fraction
    exemption_left: Fraction
    tax: Fraction


class YearTax(NamedTuple):
    """Both ways of set-off; `better` is the one with less tax, the first if they are equal."""

    short_first: SetOff
    long_first: SetOff

    @property
    def better(self) -> SetOff:
        return min(self, key=lambda way: way.tax)


def tax_of_year(gains: YearGains, rates: TaxRates, income: SurchargeClass | None = None) -> YearTax:
    """The tax on a year's gains in both ways.

    Args:
        income: the class that the surcharge goes by; None for no surcharge.
    """
    return YearTax(
        _set_off(gains, rates, income, Way.SHORT_FIRST),
        _set_off(gains, rates, income, Way.LONG_FIRST),
    )


def _set_off(gains: YearGains, rates: TaxRates, income: SurchargeClass | None, way: Way) -> SetOff:
    long, long_loss = _less(gains.long_gain, gains.long_loss)
    short, short_loss = gains.short_gain, gains.short_loss
    if way is Way.SHORT_FIRST:
        short, short_loss = _less(short, short_loss)
        long, short_loss = _less(long, short_loss)
    else:
        long, short_loss = _less(long, short_loss)
        short, short_loss = _less(short, short_loss)
    taxed_long, exemption_left = _less(long, Fraction(rates.exemption))
    tax = short * rates.rate(Term.SHORT, income) + taxed_long * rates.rate(Term.LONG, income)
    return SetOff(way, short, long, short_loss, long_loss, taxed_long, exemption_left, tax)


def _less(gain: Fraction, loss: Fraction) -> tuple[Fraction, Fraction]:
    """What is left of a gain and of a loss that is set off against it."""
    taken = min(gain, loss)
    return gain - taken, loss - taken
