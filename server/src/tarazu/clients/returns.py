"""Returns of clients: XIRR, time-weighted returns, and the daily values."""

import datetime as dt
import uuid
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from itertools import pairwise

from sqlalchemy.orm import Session

from tarazu.domain.calendar import days_after_gaps
from tarazu.domain.money import HUNDRED, ZERO, Percent, Rupees
from tarazu.domain.returns import (
    CashFlow,
    Close,
    Drawdown,
    flows_of_client,
    growth_since,
    max_drawdown,
    net_investment,
    wealth_index,
    years_of,
)
from tarazu.domain.xirr import WORDS_OF, Xirr, XirrCode, xirr
from tarazu.fees import service as fees
from tarazu.firm import service as firm
from tarazu.kit.clock import day_in_india
from tarazu.kit.fields import DayRange
from tarazu.people import service as people
from tarazu.portfolio import service as portfolio

_ONE_DAY = dt.timedelta(days=1)
LONGEST_WAIT = dt.timedelta(days=10)
"""A value further from the first day of a period is not used for that day."""

NO_BASIS = "Enter the starting capital or the cash flows first."
NO_VALUES = "No daily values are known yet."
TOO_SHORT = "Values are not known that far back."
NOT_MEASURABLE = (
    "On some day money came or went that is not entered under Accounting, "
    "or the portfolio was worth less than nothing."
)


class FlowKind(StrEnum):
    STARTING_CAPITAL = "STARTING_CAPITAL"
    FUNDS_ADDED = "FUNDS_ADDED"
    FUNDS_WITHDRAWN = "FUNDS_WITHDRAWN"
    FEE_PAID = "FEE_PAID"
    PORTFOLIO_VALUE = "PORTFOLIO_VALUE"


class Span(StrEnum):
    SINCE_START = "SINCE_START"
    ONE_YEAR = "1Y"
    THREE_YEARS = "3Y"


@dataclass(frozen=True, slots=True)
class ReturnFlow:
    """A flow of the XIRR as the client sees it: `amount` is negative when it was paid in.

    `fees` is the part of it that was fees, negative for a refund.
    """

    date: dt.date
    amount: Rupees
    fees: Rupees
    kind: FlowKind


@dataclass(frozen=True, slots=True)
class SpanFigures:
    """The time-weighted return over a span up to now; percentages are None with a `reason`.

    Attributes:
        since: the day of the first value.
        gross, net: before and after paid fees, for the whole span.
        gross_yearly, net_yearly: annualised; None under 365 days.
        is_estimated: cash moved while daily values are missing (Modified Dietz there).
    """

    span: Span
    since: dt.date | None
    days: int | None
    gross: Percent | None
    net: Percent | None
    gross_yearly: Percent | None
    net_yearly: Percent | None
    is_estimated: bool
    reason: str | None


@dataclass(frozen=True, slots=True)
class Returns:
    """All returns of a client at one reading of the prices; `rows` newest first."""

    rows: Sequence[ReturnFlow]
    xirr: Xirr
    spans: Sequence[SpanFigures]
    drawdown: Drawdown | None
    years: Decimal | None
    """Years of 365 days from the start to today; None without a start."""

    @property
    def twr_percentage(self) -> Percent | None:
        """The time-weighted return since the start, before fees."""
        return self.spans[0].gross

    @property
    def xirr_message(self) -> str | None:
        """Why there is no XIRR, or several; None for a plain one."""
        return WORDS_OF.get(self.xirr.code)


@dataclass(frozen=True, slots=True)
class DayFigures:
    """The value of a portfolio and the net investment on a day; `index` is 100 at the start.

    `net_investment` is None before the first known cash flow, `index` if there is none at all.
    """

    date: dt.date
    value: Rupees
    net_investment: Rupees | None
    index: Percent | None


@dataclass(frozen=True, slots=True)
class ReturnLedger:
    """All that a client's returns are calculated from.

    `closes` end with today's value, if known. They start with the starting capital, if entered, on
    the evening before the start, because flows of the first day come after it. `worth` is None
    until holdings or funds were read or entered.
    """

    today: dt.date
    worth: Rupees | None
    started_on: dt.date | None
    capital: Rupees
    flows: Sequence[CashFlow]
    fees_paid: Sequence[CashFlow]
    closes: Sequence[Close]
    after_gaps: frozenset[dt.date]

    @property
    def has_opening(self) -> bool:
        """Whether `closes` start with the starting capital."""
        return self.started_on is not None and self.capital > 0

    @property
    def has_basis(self) -> bool:
        """Whether a starting capital or a cash flow is known."""
        return net_investment(self.capital, self.started_on, self.flows) is not None


def returns_of(session: Session, client_id: uuid.UUID, now: dt.datetime) -> Returns:
    """A client's returns up to now.

    Raises:
        ClientNotFound: there is no such client.
    """
    return returns_at(ledger_of(session, client_id, now))


def performance_of(
    session: Session,
    client_id: uuid.UUID,
    now: dt.datetime,
    days: DayRange,
) -> list[DayFigures]:
    """The value of a portfolio at each close and now, oldest first.

    Raises:
        ClientNotFound: there is no such client.
    """
    ledger = ledger_of(session, client_id, now)
    return days_of(ledger, index_of(ledger), days)


def ledger_of(session: Session, client_id: uuid.UUID, now: dt.datetime) -> ReturnLedger:
    """The ledger of a client up to now.

    Raises:
        ClientNotFound: there is no such client.
    """
    people.client(session, client_id)
    held = portfolio.valued(portfolio.stocks_of(session, client_id)).totals.value
    return read_ledger(session, client_id, held, day_in_india(now))


def index_of(ledger: ReturnLedger) -> list[Close]:
    """What one rupee of the first close grew to, before fees; none without a known investment."""
    if not ledger.has_basis:
        return []
    return wealth_index(ledger.closes, ledger.flows, (), ledger.after_gaps)


def days_of(ledger: ReturnLedger, index: Sequence[Close], days: DayRange) -> list[DayFigures]:
    """The values of a ledger on these days, with an index as by `index_of`."""
    levels = dict(index)
    invested = _invested_by_day(ledger)
    shown = ledger.closes[1:] if ledger.has_opening else ledger.closes
    return [
        DayFigures(day, value, invested[day], levels[day] * HUNDRED if day in levels else None)
        for day, value in shown
        if (days.since or day) <= day <= (days.until or day)
    ]


def read_ledger(
    session: Session, client_id: uuid.UUID, held: Rupees, today: dt.date
) -> ReturnLedger:
    """The ledger of a client whose holdings are worth `held` now."""
    account = portfolio.account_summary(session, client_id)
    worth = held + account.funds.net if account.is_valued else None
    start = account.started_on
    closes = [
        (day, value + net)
        for day, value, net in portfolio.client_closes(session, client_id, start)
        if day < today
    ]
    if worth is not None:
        closes.append((today, worth))
    if start is not None and account.starting_capital > 0:
        closes.insert(0, (start - _ONE_DAY, account.starting_capital))
    flows = portfolio.signed_flows_of(session, client_id)
    paid = [
        CashFlow.added(day, amount)
        for day, amount in fees.paid_by(session, client_id)
        if amount != 0
    ]
    gaps = days_after_gaps([day for day, _ in closes], firm.holidays(session))
    return ReturnLedger(
        today,
        worth,
        start,
        account.starting_capital,
        [flow for flow in flows if start is None or flow.date >= start],
        [fee for fee in paid if start is None or fee.date >= start],
        closes,
        frozenset(gaps),
    )


def returns_at(ledger: ReturnLedger) -> Returns:
    """The returns of a ledger; none without a known investment and value."""
    start = ledger.started_on
    years = None if start is None else years_of((ledger.today - start).days)
    reason = NO_BASIS if not ledger.has_basis else WORDS_OF[XirrCode.NOT_VALUED]
    if ledger.worth is None or not ledger.has_basis:
        spans = [_no_return(span, reason) for span in Span]
        return Returns(_rows(ledger), _xirr(ledger), spans, None, years)
    gross = wealth_index(ledger.closes, ledger.flows, (), ledger.after_gaps)
    net = wealth_index(ledger.closes, ledger.flows, ledger.fees_paid, ledger.after_gaps)
    starts = {
        Span.SINCE_START: ledger.closes[0][0],
        Span.ONE_YEAR: _years_before(ledger.today, 1),
        Span.THREE_YEARS: _years_before(ledger.today, 3),
    }
    spans = [_span(ledger, span, since, gross, net) for span, since in starts.items()]
    is_whole = len(gross) == len(ledger.closes)
    return Returns(
        _rows(ledger),
        _xirr(ledger),
        spans,
        max_drawdown(gross) if is_whole else None,
        years,
    )


def _xirr(ledger: ReturnLedger) -> Xirr:
    """The XIRR; none without a start, a known investment and a value."""
    if ledger.started_on is None or not ledger.has_basis:
        return xirr([])
    if ledger.worth is None:
        return Xirr(None, XirrCode.NOT_VALUED)
    return xirr(
        flows_of_client(
            CashFlow.added(ledger.started_on, ledger.capital),
            ledger.flows,
            ledger.fees_paid,
            CashFlow.withdrawn(ledger.today, ledger.worth),
        )
    )


def _rows(ledger: ReturnLedger) -> list[ReturnFlow]:
    if ledger.started_on is None or not ledger.has_basis:
        return []
    between = [
        ReturnFlow(
            date,
            amount,
            ZERO,
            FlowKind.FUNDS_ADDED if amount <= 0 else FlowKind.FUNDS_WITHDRAWN,
        )
        for date, amount in ledger.flows
    ]
    between += [ReturnFlow(day, fee, -fee, FlowKind.FEE_PAID) for day, fee in ledger.fees_paid]
    first = ReturnFlow(ledger.started_on, -ledger.capital, ZERO, FlowKind.STARTING_CAPITAL)
    last = (
        [ReturnFlow(ledger.today, ledger.worth, ZERO, FlowKind.PORTFOLIO_VALUE)]
        if ledger.worth is not None
        else []
    )
    between.sort(key=lambda row: row.date, reverse=True)
    return [*last, *between, first]


def _span(
    ledger: ReturnLedger, span: Span, since: dt.date, gross: Sequence[Close], net: Sequence[Close]
) -> SpanFigures:
    days = [day for day, _ in ledger.closes]
    place = bisect_right(days, since) - 1
    reason = None
    if len(days) < 2:  # noqa: PLR2004 - two values make a span
        reason = NO_VALUES
    elif place < 0 or since - days[place] > LONGEST_WAIT:
        reason = TOO_SHORT
    elif min(len(gross), len(net)) < len(days):
        reason = NOT_MEASURABLE
    # The capital is the value of the evening before the first day.
    began_on = ledger.started_on if place == 0 and ledger.has_opening else days[place]
    before = growth_since(gross, since, began_on)
    after = growth_since(net, since, began_on)
    if reason or before is None or after is None:
        return _no_return(span, reason or NOT_MEASURABLE)
    return SpanFigures(
        span,
        began_on,
        before.days,
        before.percentage,
        after.percentage,
        before.yearly,
        after.yearly,
        is_estimated(ledger, days[place]),
        None,
    )


def _no_return(span: Span, reason: str) -> SpanFigures:
    return SpanFigures(span, None, None, None, None, None, None, False, reason)


def is_estimated(ledger: ReturnLedger, since: dt.date) -> bool:
    """Whether money moved in a gap of the daily values after `since`."""
    days = [day for day, _ in ledger.closes]
    for earlier, day in pairwise(days):
        is_in = earlier >= since and day in ledger.after_gaps
        if is_in and any(earlier < flow.date <= day for flow in ledger.flows):
            return True
    return False


def _invested_by_day(ledger: ReturnLedger) -> dict[dt.date, Rupees | None]:
    """The net investment at each close; None before the first flow if there is no capital."""
    rising = sorted(ledger.flows, key=lambda flow: flow.date)
    invested, place = ledger.capital, 0
    by_day: dict[dt.date, Rupees | None] = {}
    for day, _ in ledger.closes:
        while place < len(rising) and rising[place].date <= day:
            invested -= rising[place].amount
            place += 1
        by_day[day] = invested if ledger.capital or place else None
    return by_day


def _years_before(day: dt.date, years: int) -> dt.date:
    """The same day years earlier; 28 February for the 29th."""
    is_leap_day = (day.month, day.day) == (2, 29)
    return day.replace(year=day.year - years, day=28 if is_leap_day else day.day)
