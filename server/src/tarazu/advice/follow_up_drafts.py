"""Drafts of advice that the product writes: the targets of a rebalance, as the advice form stores them.

Nothing but targets and the Investment Value is taken over: who opens the draft computes the orders
again at the prices of that moment.
"""

import datetime as dt
import uuid
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from pydantic import Field
from sqlalchemy.orm import Session

from tarazu.advice import draft_queries as queries
from tarazu.advice import package
from tarazu.advice.check_results import Level
from tarazu.advice.package import Package
from tarazu.advice.rebalancing import price_in
from tarazu.advice.requests import CASH
from tarazu.advice.send_check_facts import SendOptions, Subject, facts_of
from tarazu.advice.send_checks import Rationale, checks_before_send
from tarazu.domain.charges import Side
from tarazu.domain.money import HUNDRED
from tarazu.domain.rebalancing.plan import Summary
from tarazu.kit.schemas import Number, Price, Schema
from tarazu.people.service import Client
from tarazu.portfolio import service as portfolio

FORM: Final = 1
"""The form of the content, as the advice form names it (`draft-saving.ts`)."""
_UNFIT: Final = {
    ("holdings_age", Level.BLOCK): "The holdings are too old: update them.",
    ("holdings_age", Level.WARN): "Orders were placed today after the holdings were read.",
    ("price_age", Level.BLOCK): "A price is too old.",
    ("corporate_action", Level.BLOCK): "Shares of a corporate action are not credited yet.",
    ("corporate_action", Level.WARN): "A split or bonus is suspected in a stock to be traded.",
}
"""The checks before a send after which nothing is to be planned, by their level."""


class DraftedRow(Schema):
    """A row of the advice form: `target` in basis points, `amount` the rupees of CASH."""

    trading_symbol: str
    exchange: str = ""
    isin: str = ""
    instrument_token: int | None = None
    quantity: int = 0
    ltp: Price | None = None
    product: str = package.PRODUCT
    amount: Number | None = None
    target: int | None = None
    prev_target: int | None = None
    copied: bool = False


class DraftContent(Schema):
    """A draft as the advice form stores it. `followUpSentAt` is of the advice that it follows up."""

    investment: Number
    follows_value: bool = False
    form_rows: list[DraftedRow] = Field(alias="rows")
    held: list[DraftedRow]
    mode: str = "FULL"
    raise_amount: str = ""
    options: dict[str, str] = Field(default_factory=dict)
    rationale: str = ""
    notes: dict[str, str] = Field(default_factory=dict)
    stop: int = 0
    edited_at: dt.datetime
    follow_up_sent_at: dt.datetime


def add_follow_up_draft(
    session: Session,
    account_id: uuid.UUID,
    client_id: uuid.UUID,
    planned: Package,
    times: tuple[dt.datetime, dt.datetime],
) -> bool:
    """Store a rebalance as a person's draft for a client; False where that person has one already.

    Args:
        times: now, and when the advice was sent that it follows up.
    """
    now, sent_at = times
    held = _held_rows(session, client_id, planned)
    rows = _rows(held, planned)
    content = DraftContent(
        investment=planned.investment,
        form_rows=rows,
        held=held,
        edited_at=now,
        follow_up_sent_at=sent_at,
    )
    values = {
        "content": content.model_dump_json(by_alias=True),
        "schema_version": FORM,
        "version": 1,
        "changed_at": now,
        "is_follow_up": True,
    }
    return queries.put_draft(session, client_id, account_id, None, values)


def has_draft(session: Session, account_id: uuid.UUID, client_id: uuid.UUID) -> bool:
    """Whether a person has a draft for a client, whoever wrote it."""
    return queries.draft_of(session, client_id, account_id) is not None


def unfit_facts(
    session: Session, client: Client, planned: Package, now: dt.datetime
) -> Sequence[str]:
    """Why a rebalance was planned with figures that are not those of now, in sentences."""
    traded = {row.stock.isin for row in planned.rows if row.side is not Side.HOLD}
    subject = Subject(
        client.id,
        client.code,
        planned.cash,
        bool(planned.positions),
        planned.holdings_source,
        planned.synced_at,
        lambda: planned.rows,
    )
    used = [price for price in planned.prices if price.stock.isin in traded]
    # Of the rationale, the disclosures and the mail nothing is known yet, and nothing is read.
    options = SendOptions(Rationale.GIVEN, says_holdings=True, has_mail_server=False, place="")
    checks = checks_before_send(facts_of(session, [subject], used, options, now))
    unpriced = [
        row.stock.symbol
        for row in planned.rows
        if row.last_price is None and row.allocation is not None
    ]
    return [
        *(_UNFIT[check.id, check.level] for check in checks if (check.id, check.level) in _UNFIT),
        *([f"No price is known of {', '.join(unpriced)}."] if unpriced else []),
    ]


def summary_without_orders(planned: Package) -> Summary:
    """The totals of a rebalance if none of its orders is carried out.

    Raises:
        CannotPlan: a figure is beyond what can be computed exactly.
    """
    held = package.held_by_isin(planned.positions)
    targets = package.rows_to_plan(planned.targets, planned.positions)
    given = tuple(held.get(target.stock.isin, 0) for target in targets)
    return package.computed(replace(planned, columns=None, given=given)).summary


def _held_rows(session: Session, client_id: uuid.UUID, planned: Package) -> list[DraftedRow]:
    """What the client holds, as the form lists it: stocks by symbol, then CASH."""
    stocks = [
        DraftedRow(
            trading_symbol=held.instrument.symbol,
            exchange=held.instrument.exchange,
            isin=held.instrument.isin,
            instrument_token=held.instrument.instrument_token,
            quantity=held.quantity,
            ltp=price_in(held.quote),
        )
        for held in portfolio.stocks_of(session, client_id)
    ]
    return [*stocks, DraftedRow(trading_symbol=CASH, amount=planned.cash)]


def _rows(held: Sequence[DraftedRow], planned: Package) -> list[DraftedRow]:
    """The rows with their targets; stocks that are not held come before CASH.

    CASH has a target where there is as much cash: the form takes no larger one.
    """
    targets = {
        target.stock.isin: int(target.allocation * HUNDRED)
        for target in planned.targets
        if target.allocation is not None
    }
    prices = {price.stock.isin: price.price for price in planned.prices}
    rows = [row.model_copy(update={"target": targets.pop(row.isin, None)}) for row in held[:-1]]
    rows += [
        DraftedRow(
            trading_symbol=target.stock.symbol,
            exchange=target.stock.exchange,
            isin=target.stock.isin,
            instrument_token=target.stock.instrument_token,
            ltp=prices.get(target.stock.isin),
            target=targets[target.stock.isin],
        )
        for target in planned.targets
        if targets.get(target.stock.isin)
    ]
    has_cash = planned.cash * HUNDRED >= planned.cash_target * planned.investment
    target = int(planned.cash_target * HUNDRED) if has_cash and planned.cash_target else None
    return [*rows, held[-1].model_copy(update={"target": target})]
