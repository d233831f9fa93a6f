"""Corporate actions: a split that 10,000 clients hold, and one client with a long history of them.

The split is entered a month late, and no broker has credited it: every close since the ex-date is
adjusted for every client. The five years of closes before stay as they are, in the units of their
day. The client has 5,000 trades and 20 bonuses and splits in five years; all figures are computed
from them at each call.
"""

import argparse
import datetime as dt
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction

from databases import both
from firms import Size, make_firm
from sqlalchemy import select, update
from sqlalchemy.orm import Session

from tarazu.app import open_database
from tarazu.clients import portfolios
from tarazu.corporate_actions import service as actions
from tarazu.corporate_actions.service import NewAction
from tarazu.domain.calendar import is_business_day, previous_business_day
from tarazu.domain.corporate_actions.values import ActionKind, CorporateAction
from tarazu.firm import service as firm
from tarazu.instruments import service as instruments
from tarazu.instruments.service import Listed
from tarazu.kit import clock
from tarazu.kit.audit_log import SYSTEM
from tarazu.kit.db import Database
from tarazu.kit.gc_tuning import tune_gc
from tarazu.kit.settings import Settings
from tarazu.orders import service as orders
from tarazu.orders.service import NewTrade
from tarazu.orders.tables import OrderSide, TradeSource
from tarazu.people.tables import Person, Role
from tarazu.portfolio import service as portfolio
from tarazu.portfolio.service import NewHolding, Statement
from tarazu.portfolio.tables import Account, FirmClose
from tarazu.prices import service as prices
from tarazu.tax import service as tax

CLIENTS, FIRM_CLOSES, DAYS_LATE = 9_999, 1_240, 22
TRADES, ACTIONS, STOCKS, ROUNDS = 5_000, 20, 30, 20
GOALS = {"split": 5.0, "client": 100.0}
BROKER_CREDITS = dt.timedelta(days=60)


def table(clients: int = CLIENTS) -> str:
    """Seconds of the split and milliseconds of the client, on each database."""
    tune_gc()  # as the product does
    parts: list[str] = []
    for name, settings in both():
        parts += ["", name, "", *_split(settings, clients)]
    for name, settings in both():
        parts += ["", name, "", *_client(settings)]
    return "\n".join(parts)


def _split(settings: Settings, clients: int) -> list[str]:
    size = Size(
        clients=clients, holdings=1, instruments=1, flows=0, orders=0, fees=0, firm_closes=FIRM_CLOSES
    )  # fmt: skip
    database = open_database(settings)
    try:
        make_firm(database, size)
        days = _days(database, DAYS_LATE)
        stock, action = _followed(database, days)
        now = clock.now()

        def enter() -> None:
            with database.transaction() as session:
                actions.enter_action(session, SYSTEM, now, NewAction(action, stock.symbol))

        def credit() -> None:
            with database.transaction() as session:
                _credit(session, stock, action.factor)

        def undo() -> None:
            with database.transaction() as session:
                (row,), _ = actions.list_actions(session, actions.ActionFilter(), clock.today())
                actions.remove_action(session, SYSTEM, now, row.id)

        steps = {"entered a month late": enter, "credited": credit, "undone": undo}
        found = {what: _timed(step) for what, step in steps.items()}
    finally:
        database.dispose()
    head = f"| a split, {clients:,} clients | seconds | of the processor | goal |"
    lines = [head, "|---|---|---|---|"]
    for what, (seconds, processor) in found.items():
        goal = GOALS["split"] if what == "entered a month late" else "-"
        lines.append(f"| {what} | {seconds:.2f} | {processor:.2f} | {goal} |")
        print(lines[-1], file=sys.stderr, flush=True)
    return lines


def _days(database: Database, count: int) -> list[dt.date]:
    """The last business days before today, the latest first."""
    with database.reading() as session:
        holidays = firm.holidays(session)
    days, day = [], clock.today()
    while len(days) < count:
        day = previous_business_day(day, holidays)
        assert is_business_day(day, holidays)
        days.append(day)
    return days


def _followed(database: Database, days: list[dt.date]) -> tuple[Listed, CorporateAction]:
    """The one stock, whose closes of these days were made here, and its split on the first of them."""
    with database.transaction() as session:
        session.execute(update(Account).values(first_synced_at=clock.now() - BROKER_CREDITS))
        (key,) = portfolio.held_instruments(session)
        stock = instruments.by_ids(session, [key])[key]
        for day in days:
            made_at = dt.datetime.combine(day, dt.time(15, 50, tzinfo=clock.INDIA))
            session.execute(
                update(FirmClose).where(FirmClose.date == day).values(closed_at=made_at)
            )
            prices.record_day_closes(
                session, day, {stock.instrument_token: stock.reference_close / 5}
            )
    return stock, CorporateAction(ActionKind.SPLIT, stock.isin, "", days[-1], Fraction(5))


def _credit(session: Session, stock: Listed, factor: Fraction) -> None:
    """One file credits the shares of all clients."""
    ids = list(portfolio.synced_accounts(session))
    present = portfolio.present_of(session, ids)
    new = {}
    for client_id, known in present.items():
        held = known.holdings[stock.id]
        quantity = int(held.quantity * factor)
        average = round(held.average_price / Decimal(int(factor)), 4)
        new[client_id] = Statement({stock.id: NewHolding(quantity, average)})
    portfolio.take_statements(session, clock.now(), new, "FILE", present)


def _client(settings: Settings) -> list[str]:
    size = Size(clients=1, holdings=STOCKS, instruments=STOCKS, flows=4, orders=0, fees=2)
    database = open_database(settings)
    try:
        make_firm(database, size)
        with database.transaction() as session:
            client_id = session.execute(
                select(Person.id).where(Person.role == Role.CLIENT)
            ).scalar_one()
            listed = instruments.by_ids(session, portfolio.held_instruments(session))
            stocks = sorted(listed.values(), key=lambda stock: stock.symbol)
            for place in range(ACTIONS):
                _enter_old(session, stocks[place % len(stocks)], place)
            trades = list(_trades(stocks))
            orders.record_trades(session, client_id, trades, TradeSource.BROKER, clock.now())

        def figures() -> None:
            with database.reading() as session:
                portfolios.portfolio_of(session, client_id, clock.now())

        def lots() -> None:
            with database.reading() as session:
                tax.lots_of(session, client_id, clock.now())

        found = {
            what: [_timed(step) for _ in range(ROUNDS + 2)][2:]
            for what, step in {"portfolio": figures, "lots": lots}.items()
        }
    finally:
        database.dispose()
    name = f"one client, {TRADES:,} trades, {ACTIONS} actions"
    lines = [f"| {name} | median, ms | of the processor, ms | goal |", "|---|---|---|---|"]
    for what, times in found.items():
        clock_ms, processor_ms = (statistics.median(part) * 1000 for part in zip(*times, strict=True))
        lines.append(f"| {what} | {clock_ms:.1f} | {processor_ms:.1f} | {GOALS['client']:.0f} |")
        print(lines[-1], file=sys.stderr, flush=True)
    return lines


def _enter_old(session: Session, stock: Listed, place: int) -> None:
    """A bonus or a split of some year."""
    kind = ActionKind.SPLIT if place % 2 else ActionKind.BONUS
    ex_on = clock.today() - dt.timedelta(days=60 + place * 80)
    action = CorporateAction(kind, stock.isin, "", ex_on, Fraction(11, 10) if place % 2 else Fraction(2))
    actions.enter_action(session, SYSTEM, clock.now(), NewAction(action, stock.symbol))


def _trades(stocks: list[Listed]) -> Iterator[NewTrade]:
    """Two purchases, then a sale of half as much, spread over five years."""
    began = clock.now() - dt.timedelta(days=1_825)
    for number in range(TRADES):
        stock = stocks[number % len(stocks)]
        is_sale = number // len(stocks) % 3 == 2
        at = began + dt.timedelta(days=1_800 * number / TRADES)
        yield NewTrade(
            stock.exchange, f"7{number}", f"9{number}", at, stock.symbol, stock.isin,
            OrderSide.SELL if is_sale else OrderSide.BUY, 10, stock.reference_close,
        )  # fmt: skip


def _timed(act: Callable[[], None]) -> tuple[float, float]:
    """Seconds on the clock, and on the processor of this process."""
    began, processor = time.perf_counter(), time.process_time()
    act()
    return time.perf_counter() - began, time.process_time() - processor


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clients", type=int, default=CLIENTS)
    print(table(parser.parse_args().clients))
