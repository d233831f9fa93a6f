"""A client's open lots by stock, at the newest prices, and the staircases for a rebalance."""

import datetime as dt
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from sqlalchemy.orm import Session

from tarazu.domain.money import Rupees
from tarazu.domain.tax.gains import WhyUnknown, long_term_from
from tarazu.domain.tax.rates import SurchargeClass, TaxRates, Term
from tarazu.domain.tax.set_off import YearGains, sum_of
from tarazu.domain.tax.staircase import SaleDay, Step, sold, staircase
from tarazu.domain.tax.values import Lot
from tarazu.instruments import service as instruments
from tarazu.kit.clock import day_in_india
from tarazu.people import service as people
from tarazu.tax import entries
from tarazu.tax.reading import Account, account_of
from tarazu.tax.tables import LotEntry


@dataclass(frozen=True, slots=True)
class StockLots:
    """The open lots of one stock.

    Attributes:
        quantity: shares at the broker.
        in_lots: shares of the lots in the account at the broker.
        price: the newest, rupees a share; None where there is none.
        why: why the lots are not known; None where they are.
        steps: the lots as they would be sold at the price; None if anything of them is not known.
    """

    isin: str
    symbol: str
    name: str
    quantity: int
    in_lots: int
    price: Rupees | None
    why: WhyUnknown | None
    lots: Sequence[Lot]
    steps: tuple[Step, ...] | None

    def gain(self, term: Term) -> Fraction | None:
        """The unrealised gain of a term, a loss below 0; None if it is not known."""
        if self.steps is None:
            return None
        is_long = term is Term.LONG
        return sum(
            (step.shares * step.gain for step in self.steps if step.is_long_term is is_long),
            Fraction(0),
        )

    @property
    def harvest(self) -> tuple[Step, ...]:
        """The first lots whose sale makes the largest loss; empty where no sale makes one."""
        loss = lowest = Fraction(0)
        count = 0
        for place, step in enumerate(self.steps or ()):
            loss += step.shares * step.gain
            if loss < lowest:
                lowest, count = loss, place + 1
        return (self.steps or ())[:count]


@dataclass(frozen=True, slots=True)
class ClientLots:
    """All of a client's open lots; `left_out` are trades without an ISIN."""

    today: dt.date
    stocks: Sequence[StockLots]
    entered: Sequence[LotEntry]
    income: entries.StatedClass
    left_out: int
    rates: TaxRates


def lots_of(session: Session, client_id: uuid.UUID, now: dt.datetime) -> ClientLots:
    """A client's lots.

    Raises:
        ClientNotFound: there is no such client.
    """
    people.client(session, client_id)
    today = day_in_india(now)
    account = account_of(session, client_id, now, today)
    income = entries.tax_class_of(session, client_id)
    stocks = stocks_of(session, account, today, income.income)
    rates = account.rates.on(today)
    return ClientLots(today, stocks, account.entered, income, account.left_out, rates)


def stocks_of(
    session: Session, account: Account, today: dt.date, income: SurchargeClass | None
) -> list[StockLots]:
    """The lots of an account by symbol, also of shares that are held without any lot."""
    isins = {*account.ledger.lots, *account.held}
    listed = instruments.by_isins(session, isins)
    on = SaleDay(today, account.rates.on(today), income)
    stocks = []
    for isin in isins:
        held = account.held.get(isin, [])
        lots = account.ledger.lots.get(isin, ())
        own = [lot for lot in lots if not lot.demat]
        price = next((stock.quote.price for stock in held if stock.quote is not None), None)
        why, steps = _steps(account, isin, own, price, on)
        stock = listed.get(isin)
        stocks.append(
            StockLots(
                isin,
                stock.symbol if stock is not None else isin,
                stock.name if stock is not None else "",
                sum(stock.quantity for stock in held),
                sum(lot.quantity for lot in own),
                price,
                why,
                lots,
                steps,
            )
        )
    return sorted(stocks, key=lambda each: (each.symbol, each.isin))


def _steps(
    account: Account, isin: str, lots: Sequence[Lot], price: Rupees | None, on: SaleDay
) -> tuple[WhyUnknown | None, tuple[Step, ...] | None]:
    """Why lots are not known, and their steps at a price; both None without a price."""
    why = account.unmatched.get(isin)
    if why is None and any(stock.is_action_suspected for stock in account.held.get(isin, ())):
        why = WhyUnknown.SUSPECTED
    if why is not None:
        return why, None
    if price is None:
        return (None if all(lot.is_known for lot in lots) else WhyUnknown.NO_COST), None
    steps = staircase(lots, price, on, account.highs.high_of(isin, on.day))
    return (steps, None) if isinstance(steps, WhyUnknown) else (None, steps)


def staircases(
    session: Session,
    client_id: uuid.UUID,
    prices: Mapping[str, Rupees],
    now: dt.datetime,
) -> dict[str, tuple[Step, ...] | None]:
    """The steps of each of these stocks at its price, by the ISIN that was asked; None if not known.

    Args:
        prices: rupees a share by ISIN.
    """
    today = day_in_india(now)
    account = account_of(session, client_id, now, today)
    income = entries.tax_class_of(session, client_id).income
    on = SaleDay(today, account.rates.on(today), income)
    shares = account.ledger.shares
    found: dict[str, tuple[Step, ...] | None] = {}
    for isin, price in prices.items():
        name = shares.isin_on(shares.chain(isin, today), today)
        lots = [lot for lot in account.ledger.lots.get(name, ()) if not lot.demat]
        found[isin] = _steps(account, name, lots, price, on)[1] if lots else None
    return found


def steps_of_sale(
    account: Account, isin: str, shares: int, price: Rupees, on: SaleDay
) -> tuple[Step, ...] | WhyUnknown:
    """The steps of selling so many shares at a price, or why they are not known."""
    chains = account.ledger.shares
    name = chains.isin_on(chains.chain(isin, on.day), on.day)
    lots = [lot for lot in account.ledger.lots.get(name, ()) if not lot.demat]
    why, steps = _steps(account, name, lots, price, on)
    if steps is None or why is not None:
        return why or WhyUnknown.NO_COST
    part = sold(steps, shares)
    return part if sum(step.shares for step in part) == shares else WhyUnknown.NOT_MATCHED


def gains_of_sales(
    steps: Mapping[str, tuple[Step, ...] | None], sales: Mapping[str, int]
) -> tuple[YearGains, list[str]]:
    """The gains of selling so many shares by ISIN, and the ISINs whose gain is not known."""
    unknown = [isin for isin, count in sales.items() if count and not steps.get(isin)]
    parts = [
        (Term.LONG if step.is_long_term else Term.SHORT, step.shares * step.gain)
        for isin, count in sales.items()
        for step in sold(steps.get(isin) or (), count)
    ]
    return sum_of(parts), unknown


def long_term_on(lot: Lot, rates: TaxRates) -> dt.date:
    """The first day on which a sale of the lot is long-term."""
    return long_term_from(lot.bought_on, rates.holding_months)
