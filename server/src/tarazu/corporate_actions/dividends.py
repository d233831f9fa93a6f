"""Dividends that a client has a right to and that are not paid yet."""

import datetime as dt
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy.orm import Session

from tarazu.domain.corporate_actions.checks import PAID_WITHIN
from tarazu.domain.corporate_actions.values import ActionKind, CorporateAction
from tarazu.domain.execution.trading_time import sessions_of
from tarazu.domain.money import Rupees
from tarazu.instruments import service as instruments
from tarazu.kit.clock import day_in_india, start_of
from tarazu.portfolio import service as portfolio

SHOWN_WITHOUT_DAY: Final = dt.timedelta(days=60)
"""How long after the ex-date a dividend is expected whose payment date is not known."""


@dataclass(frozen=True, slots=True)
class ExpectedDividend:
    """A dividend of one stock, in rupees before tax.

    Attributes:
        shares: those that were held before the ex-date; None where that is not known.
        per_share, pay_on: None where not known.
    """

    symbol: str
    name: str
    isin: str
    ex_on: dt.date
    pay_on: dt.date | None
    shares: int | None
    per_share: Rupees | None

    @property
    def amount(self) -> Rupees | None:
        """What is paid for all shares; None where it is not known."""
        if self.shares is None or self.per_share is None:
            return None
        return self.shares * self.per_share


def expected_dividends(
    session: Session, client_id: uuid.UUID, now: dt.datetime
) -> list[ExpectedDividend]:
    """What a client is to be paid, by payment date; those without one come last.

    From the ex-date until the payment date, which a person enters.
    """
    today = day_in_india(now)
    past = portfolio.PastShares(session, client_id, start_of(today - PAID_WITHIN))
    history = instruments.isin_history(session)
    stocks = instruments.by_ids(session, past.stocks)
    actions = instruments.corporate_actions_of(session, {stock.isin for stock in stocks.values()})
    found = []
    for action in actions:
        if action.kind is not ActionKind.DIVIDEND or not _is_expected(action, today):
            continue
        isin = history.on(action.isin, dt.date.max)
        held = {
            key: stock
            for key, stock in stocks.items()
            if history.on(stock.isin, dt.date.max) == isin
        }
        instant = _right_decided_at(action, actions)
        shares = _sum(past.at(key, instant) for key in held)
        if held and shares != 0:
            stock = next(iter(held.values()))
            found.append(_dividend(action, stock, shares))
    return sorted(found, key=lambda one: (one.pay_on or dt.date.max, one.ex_on, one.symbol))


def _is_expected(action: CorporateAction, today: dt.date) -> bool:
    last = action.pay_on or action.ex_on + SHOWN_WITHOUT_DAY
    return action.ex_on <= today <= last


def _right_decided_at(action: CorporateAction, actions: Sequence[CorporateAction]) -> dt.datetime:
    """The instant before which a holder has a right to a dividend.

    A reading before the opening of the ex-date still shows who held the share the evening before,
    unless the number of shares changes on that day too.
    """
    has_new_units = any(
        other.changes_units and (other.isin, other.ex_on) == (action.isin, action.ex_on)
        for other in actions
    )
    return start_of(action.ex_on) if has_new_units else sessions_of(action.ex_on)[0][0]


def _sum(shares: Iterable[int | None]) -> int | None:
    """The sum; None where a part is not known."""
    total = 0
    for part in shares:
        if part is None:
            return None
        total += part
    return total


def _dividend(
    action: CorporateAction, stock: instruments.Listed, shares: int | None
) -> ExpectedDividend:
    return ExpectedDividend(
        stock.symbol, stock.name, stock.isin, action.ex_on, action.pay_on, shares, action.amount
    )
