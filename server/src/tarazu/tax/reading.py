"""A client's lots and disposals, from stored trades, corporate actions and entries."""

import datetime as dt
import uuid
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from fractions import Fraction

from sqlalchemy.orm import Session

from tarazu.domain.corporate_actions.values import CorporateAction
from tarazu.domain.tax.gains import Highs, WhyUnknown
from tarazu.domain.tax.lots import Entries, Ledger, ledger_of
from tarazu.domain.tax.rates import RateTable
from tarazu.domain.tax.values import Arrival, Departure, Trade
from tarazu.firm import service as firm
from tarazu.instruments import service as instruments
from tarazu.orders import service as orders
from tarazu.orders.service import LotTrade
from tarazu.portfolio import service as portfolio
from tarazu.portfolio.service import HeldStock
from tarazu.tax import dated_rates, entries
from tarazu.tax.tables import EntryKind, LotEntry


@dataclass(frozen=True, slots=True)
class Account:
    """The lots of a client and what they are compared with.

    Attributes:
        held: the holdings at the broker by ISIN of the day of the question, as they are owned: with
            the shares of a corporate action that are not credited yet.
        unmatched: why the lots of a share are not known as a whole, by its ISIN.
        left_out: trades that could not be used: without an ISIN.
    """

    ledger: Ledger
    held: Mapping[str, list[HeldStock]]
    highs: Highs
    unmatched: Mapping[str, WhyUnknown]
    entered: list[LotEntry]
    left_out: int
    rates: RateTable

    def why(self, isin: str, day: dt.date, today: dt.date) -> WhyUnknown | None:
        """Why a share is not known, by the ISIN that it had on a day."""
        shares = self.ledger.shares
        return self.unmatched.get(shares.isin_on(shares.chain(isin, day), today))


def account_of(session: Session, client_id: uuid.UUID, now: dt.datetime, today: dt.date) -> Account:
    """The lots of a client as of now."""
    trades = orders.lot_trades_of(session, client_id)
    usable = [trade for trade in trades if trade.isin and _is_usable(trade)]
    entered = entries.entries_of(session, client_id)
    stocks = portfolio.stocks_of(session, client_id, now)
    isins = {trade.isin for trade in usable} | {entry.isin for entry in entered}
    isins |= {stock.instrument.isin for stock in stocks} - {""}
    rates = dated_rates.table_of(session)
    ledger = ledger_of(
        Entries(
            [_trade(trade) for trade in usable],
            [_arrival(row) for row in entered if row.kind is EntryKind.BOUGHT],
            [_departure(row) for row in entered if row.kind is not EntryKind.BOUGHT],
        ),
        _actions_of(session, isins),
        today,
        frozenset(firm.holidays(session)),
    )
    held = _held(stocks, ledger, today)
    is_read = portfolio.account_summary(session, client_id).synced_at is not None
    return Account(
        ledger,
        held,
        _highs(session, ledger, isins, rates.on(today).grandfathered_until),
        _unmatched(ledger, held, today, is_read=is_read),
        entered,
        sum(1 for trade in trades if not trade.isin),
        rates,
    )


def _is_usable(trade: LotTrade) -> bool:
    """An inferred trade only with its price: without one it is not known when and how it was made."""
    return trade.price is not None or not trade.is_inferred


def _trade(trade: LotTrade) -> Trade:
    return Trade(
        trade.isin,
        trade.day,
        trade.is_purchase,
        trade.quantity,
        trade.price,
        trade[-3:],
        is_inferred=trade.is_inferred,
    )


def _arrival(row: LotEntry) -> Arrival:
    bought_on = row.bought_on or row.moved_on
    return Arrival(
        row.isin, row.quantity, bought_on, row.amount, row.moved_on, row.demat, (str(row.id),)
    )


def _departure(row: LotEntry) -> Departure:
    is_buyback = row.kind is EntryKind.BUYBACK
    return Departure(
        row.isin, row.quantity, row.moved_on, row.amount, is_buyback, row.demat, (str(row.id),)
    )


def _actions_of(session: Session, isins: Collection[str]) -> list[CorporateAction]:
    """The actions on these shares; ISINs that changed without a known action change one for one."""
    actions = instruments.corporate_actions_of(session, isins)
    named = {name for action in actions for name in (action.isin, action.new_isin)} - {""}
    joined = {
        frozenset((action.isin, action.new_isin)) for action in actions if action.changes_units
    }
    renames = instruments.renamed_isins(session, {*isins, *named})
    return actions + [
        each for each in renames if frozenset((each.isin, each.new_isin)) not in joined
    ]


def _held(
    stocks: Collection[HeldStock], ledger: Ledger, today: dt.date
) -> dict[str, list[HeldStock]]:
    held: dict[str, list[HeldStock]] = {}
    for stock in stocks:
        isin = stock.instrument.isin
        if isin:
            name = ledger.shares.isin_on(ledger.shares.chain(isin, today), today)
            held.setdefault(name, []).append(stock)
    return held


def _highs(session: Session, ledger: Ledger, isins: Collection[str], on: dt.date) -> Highs:
    named = {name for action in ledger.shares.actions for name in (action.isin, action.new_isin)}
    known = entries.highs_of_2018(session, {*isins, *named} - {""})
    highs = {isin: Fraction(high) for isin, high in known.items()}
    return Highs(highs, ledger.shares, on)


def _unmatched(
    ledger: Ledger, held: Mapping[str, list[HeldStock]], today: dt.date, *, is_read: bool
) -> dict[str, WhyUnknown]:
    """The shares whose lots do not add up to the holdings at the broker, or cannot be compared."""
    own = {
        isin: sum(lot.quantity for lot in lots if not lot.demat)
        for isin, lots in ledger.lots.items()
    }
    if not is_read:
        shares = ledger.shares
        sold = {
            shares.isin_on(shares.chain(part.isin, part.sold_on), today)
            for part in ledger.disposals
        }
        return dict.fromkeys({*own, *sold}, WhyUnknown.NO_HOLDINGS)
    return {
        isin: WhyUnknown.NOT_MATCHED
        for isin in {*own, *held}
        if own.get(isin, 0) != sum(stock.quantity for stock in held.get(isin, ()))
    }
