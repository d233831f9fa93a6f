"""Rates, limits and sections of the tax on gains from listed shares, dated, each with its source.

They are in `tax_rates.csv`; a firm may add lines of its own. A tax year begins on 1 April.
"""

import bisect
import csv
import datetime as dt
import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from functools import cache
from importlib import resources
from typing import Final, NamedTuple

from tarazu.domain.fees import financial_year_of
from tarazu.domain.money import HUNDRED, Percent, Rupees


class Term(StrEnum):
    SHORT = "SHORT"
    LONG = "LONG"


class SurchargeClass(StrEnum):
    """By the income of a year, and so by the surcharge on these gains."""

    UP_TO_50_LAKH = "UP_TO_50_LAKH"
    UP_TO_1_CRORE = "UP_TO_1_CRORE"
    ABOVE_1_CRORE = "ABOVE_1_CRORE"


class NoTaxRates(ValueError):
    """The table has no rates for that day."""


class Line(NamedTuple):
    """One value of the table and the day from which it holds; `unit` says how it is written."""

    effective_on: dt.date
    item: str
    value: str
    unit: str
    source: str


Lines = tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class TaxRates:
    """What holds on a day.

    Attributes:
        short_term, long_term: percent of a gain, before surcharge and cess.
        exemption: rupees of long-term gains of a year, after set-off, that are not taxed.
        holding_months: a share held for longer is long-term.
        grandfathered_until: shares bought up to this day may take that day's high as their cost.
        buyback_proceeds, buyback_cost: the percent of what a company pays for shares that it buys
            back, and of their cost, that count as capital gain and loss.
        buyback_dividend: the percent of what it pays that is a dividend.
        sections: the law's sections by subject: `short_term`, `long_term`, `set_off`.
    """

    short_term: Percent
    long_term: Percent
    exemption: Rupees
    holding_months: int
    cess: Percent
    surcharge: Mapping[SurchargeClass, Percent]
    grandfathered_until: dt.date
    buyback_proceeds: Percent
    buyback_cost: Percent
    buyback_dividend: Percent
    sections: Mapping[str, str]

    def rate(self, term: Term, income: SurchargeClass | None = None) -> Fraction:
        """Rupees of tax on one rupee of gain, with surcharge and cess.

        Without surcharge if the class of income is not known.
        """
        base = self.long_term if term is Term.LONG else self.short_term
        surcharge = self.surcharge[income] if income is not None else Decimal(0)
        factors = (base / HUNDRED, 1 + surcharge / HUNDRED, 1 + self.cess / HUNDRED)
        return Fraction(factors[0]) * Fraction(factors[1]) * Fraction(factors[2])


class TaxYear(NamedTuple):
    """A tax year, from 1 April to 31 March."""

    first: dt.date

    @property
    def last(self) -> dt.date:
        return self.first.replace(year=self.first.year + 1) - dt.timedelta(days=1)

    @property
    def name(self) -> str:
        """As in "2026-27"."""
        return f"{self.first.year}-{(self.first.year + 1) % 100:02}"

    def __contains__(self, day: object) -> bool:
        return isinstance(day, dt.date) and self.first <= day <= self.last


def tax_year_of(day: dt.date) -> TaxYear:
    """The tax year of a day."""
    return TaxYear(financial_year_of(day))


def read_lines(text: str) -> Lines:
    """The lines of a table written as `tax_rates.csv` is."""
    return tuple(
        Line(
            dt.date.fromisoformat(line["effective_on"]),
            line["item"],
            line["value"],
            line["unit"],
            line["source"],
        )
        for line in csv.DictReader(text.splitlines())
    )


def text_of(lines: Iterable[Line]) -> str:
    """The lines as a table in the form of `tax_rates.csv`."""
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    writer.writerow(Line._fields)
    writer.writerows((line.effective_on.isoformat(), *line[1:]) for line in lines)
    return written.getvalue()


SHIPPED: Final = read_lines(
    resources.files(__package__).joinpath("tax_rates.csv").read_text(encoding="utf-8")
)
"""The table that comes with the product."""


def lines_in_force(lines: Lines, on: dt.date) -> Lines:
    """Of each item the newest line that holds on a day, in the order of the table."""
    newest: dict[str, Line] = {}
    for line in lines:
        known = newest.get(line.item)
        if line.effective_on <= on and (known is None or known.effective_on <= line.effective_on):
            newest[line.item] = line
    return tuple(newest.values())


@cache
def rates_on(day: dt.date, lines: Lines = SHIPPED) -> TaxRates:
    """What holds on a day.

    Raises:
        NoTaxRates: the table does not go back that far.
    """
    values = {line.item: line.value for line in lines_in_force(lines, day)}
    try:
        return TaxRates(
            short_term=Decimal(values["short_term"]),
            long_term=Decimal(values["long_term"]),
            exemption=Decimal(values["exemption"]),
            holding_months=int(values["holding_period"]),
            cess=Decimal(values["cess"]),
            surcharge={
                income: Decimal(values[f"surcharge_{income.lower()}"]) for income in SurchargeClass
            },
            grandfathered_until=dt.date.fromisoformat(values["grandfathered_until"]),
            buyback_proceeds=Decimal(values["buyback_proceeds"]),
            buyback_cost=Decimal(values["buyback_cost"]),
            buyback_dividend=Decimal(values["buyback_dividend"]),
            sections={
                name: values[f"section_{name}"] for name in ("short_term", "long_term", "set_off")
            },
        )
    except KeyError as error:
        raise NoTaxRates(f"{error.args[0]} {day}") from error


class RateTable:
    """The rates of every day, from lines that hold until the next line of their item."""

    __slots__ = ("_days", "_found", "lines")

    def __init__(self, lines: Lines = SHIPPED) -> None:
        self.lines = lines
        self._days = sorted({line.effective_on for line in lines})
        self._found: dict[dt.date, TaxRates] = {}

    def on(self, day: dt.date) -> TaxRates:
        """What holds on a day.

        Raises:
            NoTaxRates: the table does not go back that far.
        """
        place = bisect.bisect_right(self._days, day)
        since = self._days[place - 1] if place else day
        if since not in self._found:
            self._found[since] = rates_on(since, self.lines)
        return self._found[since]

    def held_between(self, first: dt.date, last: dt.date) -> Lines:
        """The lines that hold on any of these days, by item in the order of the table, then by day."""
        items = dict.fromkeys(line.item for line in self.lines)
        at_first = {line.item: line for line in lines_in_force(self.lines, first)}
        held: list[Line] = []
        for item in items:
            later = [
                line
                for line in self.lines
                if line.item == item and first < line.effective_on <= last
            ]
            of_item = {line.effective_on: line for line in later}
            held += [at_first[item]] if item in at_first else []
            held += [of_item[day] for day in sorted(of_item)]
        return tuple(held)
