"""What sales of today would add to the tax of a client: by stock, and together for the year."""

import datetime as dt
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from sqlalchemy.orm import Session

from tarazu.domain.money import Rupees
from tarazu.domain.tax.added import LotStep, TaxLine, added_tax_lines, rounded_to
from tarazu.domain.tax.gains import WhyUnknown
from tarazu.domain.tax.rates import tax_year_of
from tarazu.domain.tax.set_off import YearGains, tax_of_year, year_gains
from tarazu.domain.tax.staircase import SaleDay, Step, Wait, waits
from tarazu.kit.clock import day_in_india
from tarazu.orders import service as orders
from tarazu.tax import entries, queries
from tarazu.tax.reading import Account, account_of
from tarazu.tax.stocks import gains_of_sales, steps_of_sale
from tarazu.tax.wording import CHANGED_RATES, ODD_RATES, REASONS, UNKNOWN_SALE
from tarazu.tax.years import gains_of_year, is_one_rate


class Sale(NamedTuple):
    """Whole shares that would be sold, and rupees a share."""

    shares: int
    price: Rupees


@dataclass(frozen=True, slots=True)
class SaleTax:
    """The gains and the tax of one sale at full rates, before set-off and exemption.

    Attributes:
        why: why they are not known; the figures are None then.
        tax: below 0 for a loss, which saves as much where it is set off.
        days: until the next lot of the sale is long-term; None where none is short-term.
        waits: what the sale saves by waiting, the shortest first.
    """

    why: WhyUnknown | None
    short: Fraction | None = None
    long: Fraction | None = None
    tax: Fraction | None = None
    days: int | None = None
    waits: Sequence[Wait] = ()

    @property
    def reason(self) -> str:
        """Why the tax is not known, in words; "" where it is."""
        return REASONS[self.why] if self.why else ""


@dataclass(frozen=True, slots=True)
class SalesTax:
    """The sales of one day.

    Attributes:
        by_isin: by the ISIN that was asked.
        added: what they add to the tax of the year after set-off and exemption; None if a sale, or
            one of the year before it, is not known, or the rates changed within the year.
    """

    by_isin: Mapping[str, SaleTax]
    added: Fraction | None


@dataclass(frozen=True, slots=True)
class SolverFacts:
    """What a rebalance has to know of a client's tax.

    Attributes:
        lots: by the ISIN that was asked, in the order of sale; None where they are not known.
        lines: what gains of the day add to the tax of the year; None where that is not known.
        reason: why the tax of the year is not known, in words; "" where it is.
    """

    lots: Mapping[str, tuple[LotStep, ...] | None]
    lines: tuple[TaxLine, ...] | None
    reason: str


class SalesOfDay:
    """What sales of one day would add to a client's tax; the client's lots are read once."""

    def __init__(self, session: Session, client_id: uuid.UUID, now: dt.datetime) -> None:
        self._session = session
        today = day_in_india(now)
        self._account = account_of(session, client_id, now, today)
        income = entries.tax_class_of(session, client_id).income
        self._on = SaleDay(today, self._account.rates.on(today), income)

    def tax_of(self, sales: Mapping[str, Sale]) -> SalesTax:
        """The tax of selling these shares by ISIN."""
        found = {
            isin: steps_of_sale(self._account, isin, sale.shares, sale.price, self._on)
            for isin, sale in sales.items()
        }
        known = {
            isin: None if isinstance(each, WhyUnknown) else each for isin, each in found.items()
        }
        shares = {isin: sale.shares for isin, sale in sales.items()}
        gains, unknown = gains_of_sales(known, shares)
        by_isin = {isin: _sale(each, self._on) for isin, each in found.items()}
        added = None if unknown else _added(self._session, self._account, gains, self._on)
        return SalesTax(by_isin, added if sales else Fraction(0))

    def facts_of(self, holdings: Mapping[str, Sale]) -> SolverFacts:
        """The lots of these holdings, at their prices, and the lines of the tax of the year."""
        lots: dict[str, tuple[LotStep, ...] | None] = {}
        for isin, held in holdings.items():
            steps = steps_of_sale(self._account, isin, held.shares, held.price, self._on)
            lots[isin] = None if isinstance(steps, WhyUnknown) else tuple(map(_lot_step, steps))
        before, reason = _gains_before(self._session, self._account, self._on)
        if before is None:
            return SolverFacts(lots, None, reason)
        lines = added_tax_lines(before, self._on.rates, self._on.income)
        return SolverFacts(lots, lines, "" if lines is not None else ODD_RATES)


def _lot_step(step: Step) -> LotStep:
    return LotStep(step.shares, rounded_to(step.gain), step.is_long_term)


def clients_with_lots(session: Session) -> set[uuid.UUID]:
    """The clients who may have lots: those with a trade or with an entry by hand."""
    return orders.clients_with_any_trade(session) | queries.clients_with_entries(session)


def _sale(steps: Sequence[Step] | WhyUnknown, on: SaleDay) -> SaleTax:
    if isinstance(steps, WhyUnknown):
        return SaleTax(steps)
    return SaleTax(
        None,
        _gain(steps, is_long=False),
        _gain(steps, is_long=True),
        sum((step.shares * step.tax for step in steps), Fraction(0)),
        min((step.days for step in steps if step.days), default=None),
        waits(steps, on.rates, on.income),
    )


def _gain(steps: Sequence[Step], *, is_long: bool) -> Fraction:
    return sum(
        (step.shares * step.gain for step in steps if step.is_long_term is is_long), Fraction(0)
    )


def _gains_before(session: Session, account: Account, on: SaleDay) -> tuple[YearGains | None, str]:
    """The gains of the year before the sales of a day; or None, and why they are not known."""
    year = tax_year_of(on.day)
    before = gains_of_year(session, account, year, on.day)
    if any(each.gain.amount is None for each in before):
        return None, UNKNOWN_SALE
    if not is_one_rate(year, on.rates, account.rates):
        return None, CHANGED_RATES
    return year_gains(each.gain for each in before), ""


def _added(session: Session, account: Account, sold_now: YearGains, on: SaleDay) -> Fraction | None:
    known, _ = _gains_before(session, account, on)
    if known is None:
        return None
    both = YearGains(
        known.short_gain + sold_now.short_gain,
        known.short_loss + sold_now.short_loss,
        known.long_gain + sold_now.long_gain,
        known.long_loss + sold_now.long_loss,
    )
    tax = [tax_of_year(gains, on.rates, on.income).better.tax for gains in (both, known)]
    return tax[0] - tax[1]
