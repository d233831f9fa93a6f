"""The portfolio report as a PDF: value, return, holdings, money in and out, fees, disclosures."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

from tarazu.clients.adapters.report_benchmark import benchmark_part
from tarazu.clients.benchmarking import Comparison, SeriesPoint
from tarazu.domain.holdings import HoldingTotals, PortfolioFigures, ValuedHolding
from tarazu.domain.money import HUNDRED, ZERO, Percent, Rupees
from tarazu.domain.xirr import WORDS_OF, Xirr
from tarazu.fees.service import ClientFee
from tarazu.fees.tables import FeeStatus
from tarazu.firm.service import FirmRegistration, letterhead_of
from tarazu.kit import formatting
from tarazu.kit.clock import day_in_india
from tarazu.kit.pdf import pdf_of
from tarazu.kit.pdf_chart import chart_of
from tarazu.people.service import Client
from tarazu.portfolio.service import AccountSummary, HeldStock, Transaction
from tarazu.portfolio.tables import FlowType
from tarazu.prices.service import PriceSource

TEMPLATE: Final = Path(__file__).parent / "report.typ"

NO_ADVICE: Final = (
    "This report shows the account at the time named above; holdings and funds are as "
    "the broker reported them, or as they were entered. It is no recommendation to buy, sell or hold."
)
_HOW: Final = (
    "Portfolio value: holdings at their last known prices, and the net funds at the broker. Net "
    "investment: starting capital and funds added, less funds withdrawn. P&L: portfolio value less "
    "net investment; while no starting capital and no cash flow is entered, that of the holdings "
    "since purchase. Net profit: P&L less all fees charged. XIRR: the money-weighted yearly return "
    "of these flows, actual/365, after fees paid. Time-weighted return: of the daily values, money "
    "in and out taken out; a span under a year is not annualised."
)
_SPANS: Final = {"SINCE_START": "Since the start", "1Y": "One year", "3Y": "Three years"}


class View(Protocol):
    """A portfolio's account and figures, as `clients.portfolios` reads them."""

    @property
    def account(self) -> AccountSummary: ...
    @property
    def figures(self) -> PortfolioFigures: ...


class SpanReturns(Protocol):
    """Time-weighted returns over a span, before and after fees, as `clients.returns` calculates them."""

    @property
    def span(self) -> str: ...
    @property
    def since(self) -> dt.date | None: ...
    @property
    def gross(self) -> Percent | None: ...
    @property
    def net(self) -> Percent | None: ...
    @property
    def gross_yearly(self) -> Percent | None: ...
    @property
    def net_yearly(self) -> Percent | None: ...
    @property
    def is_estimated(self) -> bool: ...


class Returned(Protocol):
    """What the money returned, as `clients.returns` works it out."""

    @property
    def xirr(self) -> Xirr: ...
    @property
    def twr_percentage(self) -> Percent | None: ...
    @property
    def spans(self) -> Sequence[SpanReturns]: ...


class Day(Protocol):
    """What the portfolio was worth on a day, and what had been put in by then."""

    @property
    def date(self) -> dt.date: ...
    @property
    def value(self) -> Rupees: ...
    @property
    def net_investment(self) -> Rupees | None: ...


@dataclass(frozen=True, slots=True)
class ReportContents:
    """Everything that a report says; flows and fees newest first, days oldest first."""

    firm: FirmRegistration
    client: Client
    author: str
    made_at: dt.datetime
    view: View
    stocks: tuple[tuple[HeldStock, ValuedHolding], ...]
    totals: HoldingTotals
    flows: tuple[Transaction, ...]
    fees: tuple[ClientFee, ...]
    returned: Returned
    days: Sequence[Day]
    benchmark: Comparison | None
    series: Sequence[SeriesPoint]
    words: str
    """What the firm's rules for past performance have said with a client's own account."""

    @property
    def file_name(self) -> str:
        """The report's name as a file: `portfolio-C1042-2026-11-21.pdf`."""
        return f"portfolio-{self.client.code}-{day_in_india(self.made_at).isoformat()}.pdf"


def report_of(contents: ReportContents) -> bytes:
    """The report as PDF/A-2b; the same contents give the same bytes."""
    return pdf_of(TEMPLATE, _fields(contents), contents.made_at)


def _fields(contents: ReportContents) -> dict[str, Any]:
    firm, client = contents.firm, contents.client
    figures, account = contents.view.figures, contents.view.account
    facts = [
        ["Portfolio value", formatting.rupees(figures.portfolio_value), ""],
        ["Net investment", formatting.rupees(figures.net_investment), ""],
        [
            "P&L since purchase" if figures.is_since_purchase else "P&L",
            _signed(figures.total_pnl),
            _signed_percent(figures.pnl_percentage),
        ],
        ["Net profit after fees", _signed(figures.net_profit), ""],
        [
            "XIRR (annualised)",
            _signed_percent(contents.returned.xirr.percentage),
            "" if figures.years is None else f"over {figures.years} years",
        ],
        ["Time-weighted return", _signed_percent(contents.returned.twr_percentage), "before fees"],
        ["Holdings", formatting.rupees(figures.holdings_value), ""],
        _funds(account),
    ]
    xirr = contents.returned.xirr
    notes = [f"XIRR: {WORDS_OF[xirr.code]}"] if xirr.code in WORDS_OF else []
    if xirr.period_percentage is not None:
        plain = _signed_percent(xirr.period_percentage)
        notes.append(f"The period is under a year: the absolute return is {plain}.")
    return {
        "firm": letterhead_of(firm),
        "client": {"name": client.name, "code": client.code},
        "day": formatting.day_of(contents.made_at),
        "time": formatting.time_of(contents.made_at),
        "author": contents.author,
        "period": _period(contents),
        "facts": facts,
        "notes": notes,
        "spans": _spans(contents.returned.spans),
        "chart": chart_of(
            [(day.date, day.value, day.net_investment) for day in contents.days],
            formatting.short_rupees,
        ),
        "benchmark": benchmark_part(contents.benchmark, contents.series),
        "holdings": _holdings(contents),
        "flows": _flows(contents),
        "fees": _fees(contents.fees),
        "prices": _prices(contents),
        "practice": formatting.PRACTICE if _is_practice(contents) else "",
        "how": _HOW,
        "notVerified": contents.words,
        "disclosures": firm.disclosures.split("\n"),
        "warning": firm.standard_warning,
        "noAssurance": firm.no_assurance,
        "noAdvice": NO_ADVICE,
    }


def _period(contents: ReportContents) -> str:
    started_on, until = contents.view.account.started_on, formatting.day_of(contents.made_at)
    if started_on is None:
        return f"to {until}; the start is not recorded"
    days = contents.view.figures.total_days or 0
    return f"{formatting.day_of(started_on)} to {until}, {formatting.shares(days)} days"


def _funds(account: AccountSummary) -> list[str]:
    """The cash, and where it comes from."""
    net = formatting.rupees(account.funds.net if account.is_valued else None)
    by_hand = account.hand_cash
    if by_hand is None:
        return ["Net funds at the broker", net, ""]
    return ["Cash, entered by hand", net, f"as of {formatting.day_of(by_hand.as_of)}"]


def _spans(spans: Sequence[SpanReturns]) -> list[dict[str, Any]]:
    """Those that can be measured."""
    return [
        {
            "name": _SPANS[span.span] + ("*" if span.is_estimated else ""),
            "since": formatting.day_of(span.since),
            "cells": [
                _signed_percent(share)
                for share in (span.gross, span.net, span.gross_yearly, span.net_yearly)
            ],
        }
        for span in spans
        if span.since is not None
    ]


def _signed(amount: Rupees | None) -> str:
    shown = formatting.rupees(amount)
    return f"+{shown}" if amount is not None and amount > ZERO else shown


def _signed_percent(share: Percent | None) -> str:
    shown = formatting.percent(share)
    return f"+{shown}" if share is not None and share > ZERO else shown


def _holdings(contents: ReportContents) -> dict[str, Any]:
    ranked = sorted(contents.stocks, key=lambda pair: (-pair[1].value, pair[0].instrument.symbol))
    totals = contents.totals
    return {
        "rows": [
            {
                "symbol": stock.instrument.symbol,
                "name": stock.instrument.name,
                "exchange": stock.instrument.exchange,
                "isStale": row.is_stale,
                "priceOf": _price_day(stock),
                "isSuspected": stock.is_action_suspected,
                "cells": [
                    formatting.shares(row.quantity),
                    formatting.rupees(row.average_price),
                    formatting.rupees(row.last_price),
                    formatting.rupees(row.invested),
                    formatting.rupees(row.value),
                    _signed(row.pnl),
                    _signed_percent(row.pnl_percentage),
                    formatting.percent(row.allocation),
                ],
            }
            for stock, row in ranked
        ],
        "totals": [
            formatting.rupees(totals.invested),
            formatting.rupees(totals.value),
            _signed(totals.pnl),
            _signed_percent(totals.pnl_percentage),
            formatting.percent(HUNDRED if totals.value else ZERO),
        ],
    }


def _price_day(stock: HeldStock) -> str:
    """The day of a price that is stale; "" of others."""
    return formatting.day_of(stock.quote.at) if stock.is_price_stale and stock.quote else ""


def _flows(contents: ReportContents) -> dict[str, Any]:
    account = contents.view.account
    names = {FlowType.FUNDS_ADDED: "Fund Added", FlowType.FUNDS_WITHDRAWN: "Fund Withdrawl"}
    rows = [
        [
            formatting.day_of(flow.date),
            names[flow.type],
            _signed(flow.amount if flow.type == FlowType.FUNDS_ADDED else -flow.amount),
        ]
        for flow in contents.flows
    ]
    if account.starting_capital or account.started_on:
        day = formatting.day_of(account.started_on) if account.started_on else formatting.NO_FIGURE
        rows.append([day, "Starting Capital", _signed(account.starting_capital)])
    return {"rows": rows, "total": formatting.rupees(contents.view.figures.net_investment)}


def _fees(charged: Sequence[ClientFee]) -> dict[str, Any]:
    def total(status: FeeStatus) -> Rupees:
        amounts = (fee.fee.amount or ZERO for fee in charged if fee.fee.status == status)
        return sum(amounts, ZERO)

    paid, due = total(FeeStatus.PAID), total(FeeStatus.DUE)
    return {
        "rows": [_fee(fee) for fee in charged],
        "total": formatting.rupees(paid + due),
        "paid": formatting.rupees(paid),
        "due": formatting.rupees(due),
    }


def _fee(charged: ClientFee) -> list[str]:
    fee = charged.fee
    until = formatting.day_of(fee.final_on) if fee.final_on else "open"
    settled = fee.paid_on if fee.status == FeeStatus.PAID else fee.due_on
    return [
        f"{formatting.day_of(fee.starting_on)} – {until}",
        formatting.rupees(fee.starting_value),
        formatting.rupees(fee.final_value),
        formatting.NO_FIGURE if fee.net_gain is None else _signed(fee.net_gain),
        formatting.percent(fee.applicable_percentage),
        formatting.rupees(fee.amount),
        f"{fee.status} {formatting.day_of(settled)}" if settled else str(fee.status),
    ]


def _is_practice(contents: ReportContents) -> bool:
    sources = {stock.quote.source for stock, _ in contents.stocks if stock.quote}
    return contents.firm.is_demo or PriceSource.SIMULATED in sources


def _prices(contents: ReportContents) -> str:
    quotes = [stock.quote for stock, _ in contents.stocks if stock.quote]
    if not quotes:
        return ""
    return f"Prices: {formatting.prices_of((quote.source, quote.at) for quote in quotes)}."
