"""The gains of a client's tax year: realised, unrealised, and what is not known."""

import datetime as dt
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from sqlalchemy.orm import Session

from tarazu.domain.tax.gains import Gain, WhyUnknown, gain_of
from tarazu.domain.tax.rates import (
    Lines,
    NoTaxRates,
    RateTable,
    TaxRates,
    TaxYear,
    Term,
    tax_year_of,
)
from tarazu.domain.tax.set_off import YearGains, YearTax, sum_of, tax_of_year, year_gains
from tarazu.domain.tax.values import Disposal, Speculation
from tarazu.instruments import service as instruments
from tarazu.kit.clock import day_in_india
from tarazu.people import service as people
from tarazu.people.service import Client
from tarazu.tax import entries
from tarazu.tax.errors import UnknownTaxYear
from tarazu.tax.reading import Account, account_of
from tarazu.tax.realised import NamedGain, ScheduleRow, schedule_of
from tarazu.tax.stocks import StockLots, stocks_of

FIRST_YEAR = 2018


@dataclass(frozen=True, slots=True)
class ClientYear:
    """A client's tax year.

    Attributes:
        tax: None where the rates changed within the year.
        unused_exemption: what is left of it after set-off.
        dividends: from buybacks.
        speculation: the gain of speculation, and whether some of it is not known.
        unrealised: of all lots that are known, at the newest prices.
        lines: of the rates that held in the year.
    """

    client: Client
    year: TaxYear
    rates: TaxRates
    income: entries.StatedClass
    gains: Sequence[NamedGain]
    schedule: Sequence[ScheduleRow]
    realised: YearGains
    tax: YearTax | None
    dividends: Fraction
    speculations: Sequence[Speculation]
    unrealised: YearGains
    stocks: Sequence[StockLots]
    left_out: int
    lines: Lines

    @property
    def unknown(self) -> list[NamedGain]:
        """Disposals whose gain is not known."""
        return [each for each in self.gains if each.gain.amount is None]

    @property
    def speculation(self) -> Fraction:
        """The known gains of speculation, less its losses."""
        return sum((each.gain or Fraction(0) for each in self.speculations), Fraction(0))


def tax_year_named(name: str | None, today: dt.date) -> TaxYear:
    """The year of a name such as "2026-27"; the present one for None.

    Raises:
        UnknownTaxYear: there is no such year, or it is before 2018-19 or in the future.
    """
    present = tax_year_of(today)
    if name is None:
        return present
    years = (TaxYear(dt.date(first, 4, 1)) for first in range(FIRST_YEAR, present.first.year + 1))
    year = next((each for each in years if each.name == name), None)
    if year is None:
        raise UnknownTaxYear
    return year


def year_of(
    session: Session, client_id: uuid.UUID, name: str | None, now: dt.datetime
) -> ClientYear:
    """A client's tax year.

    Raises:
        ClientNotFound: there is no such client.
        UnknownTaxYear: see `tax_year_named`.
    """
    client = people.client(session, client_id)
    today = day_in_india(now)
    year = tax_year_named(name, today)
    account = account_of(session, client_id, now, today)
    income = entries.tax_class_of(session, client_id)
    gains = gains_of_year(session, account, year, today)
    until = min(year.last, today)
    rates = account.rates.on(until)
    realised = year_gains(each.gain for each in gains)
    stocks = stocks_of(session, account, today, income.income)
    has_one_rate = is_one_rate(year, rates, account.rates)
    return ClientYear(
        client=client,
        year=year,
        rates=rates,
        income=income,
        gains=gains,
        schedule=schedule_of(gains),
        realised=realised,
        tax=tax_of_year(realised, rates, income.income) if has_one_rate else None,
        dividends=sum((each.gain.dividend or Fraction(0) for each in gains), Fraction(0)),
        speculations=[each for each in account.ledger.speculations if each.day in year],
        unrealised=_unrealised(stocks),
        stocks=stocks,
        left_out=account.left_out,
        lines=account.rates.held_between(year.first, until),
    )


def gains_of_year(
    session: Session, account: Account, year: TaxYear, today: dt.date
) -> list[NamedGain]:
    """The gain of each disposal of a tax year."""
    parts = [part for part in account.ledger.disposals if part.sold_on in year]
    listed = instruments.by_isins(session, {part.isin for part in parts})
    return [
        NamedGain(
            listed[part.isin].symbol if part.isin in listed else part.isin,
            _gain(account, part, today),
        )
        for part in parts
    ]


def _gain(account: Account, part: Disposal, today: dt.date) -> Gain:
    high = account.highs.high_of(part.isin, part.sold_on)
    gain = gain_of(part, account.rates.on(part.sold_on), high)
    unmatched = None if part.demat else account.why(part.isin, part.sold_on, today)
    is_whole = unmatched is None or gain.why is WhyUnknown.FRACTION
    return gain if is_whole else replace(gain, why=unmatched)


def _unrealised(stocks: Sequence[StockLots]) -> YearGains:
    return sum_of(
        (Term.LONG if step.is_long_term else Term.SHORT, step.shares * step.gain)
        for stock in stocks
        for step in stock.steps or ()
    )


def is_one_rate(year: TaxYear, rates: TaxRates, table: RateTable) -> bool:
    """Whether the rates of gains held for the whole year."""
    try:
        first = table.on(year.first)
    except NoTaxRates:
        return False
    fields = ("short_term", "long_term", "cess", "surcharge")
    return all(getattr(first, name) == getattr(rates, name) for name in fields)
