"""Fills an empty installation with a believable firm, the same for the same day."""

import datetime as dt
import random
import uuid
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal

import numpy as np
from sqlalchemy.orm import Session

from tarazu.clients import service as clients
from tarazu.demo import advised, charged, histories, modelled, names, remarks
from tarazu.demo.entry import ADMIN, USER, is_made
from tarazu.demo.histories import History
from tarazu.demo.market import Market, simulate
from tarazu.domain.calendar import previous_business_day
from tarazu.domain.money import ZERO, Rupees, rounded
from tarazu.firm import service as firm
from tarazu.instruments import service as instruments
from tarazu.kit import clock, security
from tarazu.kit.audit_log import SYSTEM, Actor
from tarazu.orders import service as orders
from tarazu.orders.service import NewOrder
from tarazu.orders.tables import OrderSide, OrderStatus
from tarazu.people import service as people
from tarazu.people.service import Login, NewPerson
from tarazu.people.tables import Role
from tarazu.portfolio import service as portfolio
from tarazu.portfolio.service import Funds, NewFlow, NewHolding
from tarazu.portfolio.tables import FlowType

SEED = 1_402_2024
CLIENTS = 46
UNIVERSE = 96
ORDER_DAYS = 365
CLOSE = dt.time(15, 30, tzinfo=clock.INDIA)


class NotEmpty(Exception):
    """The installation has records that are not the demo's; the text says so."""


def fill(session: Session, say: Callable[[str], None], today: dt.date | None = None) -> bool:
    """Make the demo firm; False when it is there already.

    Args:
        say: called with a line about each step.
        today: the day that the two years end before; the clock's when left out.

    Raises:
        NotEmpty: a client or an account of somebody else exists.
    """
    if is_made(session):
        return False
    if people.has_clients(session) or people.has_staff(session):
        raise NotEmpty("this data directory is in use; the demo needs an empty one")
    today = today or clock.today()
    now = dt.datetime.combine(previous_business_day(today, firm.holidays(session)), CLOSE)
    analyst = _open_the_firm(session, now)
    say("Simulating two years of prices …")
    market = _market(session, today)
    say(f"Adding {CLIENTS} clients with their books …")
    chance = random.Random(SEED)  # noqa: S311 - a story, not a secret
    favoured = list(range(len(market.stocks)))
    lives = [histories.live_through(chance, market, favoured) for _ in range(CLIENTS)]
    ids = _add_clients(session, chance, now, lives)
    say("Sending some advice …")
    advised.send(session, analyst, market, dict(zip(ids, lives, strict=True)), chance)
    for client_id, life in zip(ids, lives, strict=True):
        _keep_books(session, now, market, client_id, life)
        charged.charge(session, now, market, client_id, life, chance)
        _place_orders(session, market, client_id, life, chance)
    charged.join_a_family(session, now, ids)
    remarks.note(session, _desk(session), now, ids)
    modelled.publish(session, analyst, now, market, ids)
    _close_days(session, market, dict(zip(ids, lives, strict=True)))
    closed_at = dt.datetime.combine(market.days[-1], CLOSE)
    advised.record_prices(session, market, len(market.days) - 1, closed_at)
    return True


def _open_the_firm(session: Session, now: dt.datetime) -> Actor:
    firm.become_demo(session, now)
    charged.agree_on_fees(session, now)
    admin, _ = (
        people.add_staff(
            session,
            SYSTEM,
            now,
            NewPerson(name, email),
            Login(role, security.hash_password(password)),
        )
        for (name, email, password), role in ((ADMIN, Role.ADMIN), (USER, Role.USER))
    )
    return Actor(admin.id, admin.role, admin.name)


def _desk(session: Session) -> list[Actor]:
    found = (people.staff_by_email(session, email) for _, email, _ in (ADMIN, USER))
    return [Actor(one.id, one.role, one.name) for one in found if one]


def _market(session: Session, today: dt.date) -> Market:
    listed = [
        one for one in instruments.all_listed(session) if one.sector != "Exchange Traded Fund"
    ]
    # Stocks that a small account can buy several shares of, spread over the whole list.
    fit = [stock for stock in listed if 80 <= stock.reference_close <= 6_000]  # noqa: PLR2004
    chosen = random.Random(SEED).sample(fit, UNIVERSE)  # noqa: S311 - a story, not a secret
    large = ("HDFCBANK", "RELIANCE", "ICICIBANK", "INFY", "TCS", "BHARTIARTL", "LT", "ITC", "SBIN",
             "HINDUNILVR", "SUNPHARMA", "TITAN", "AXISBANK", "KOTAKBANK", "NTPC", "TATASTEEL")  # fmt: skip
    by_symbol = {stock.symbol: stock for stock in listed}
    favourites = [by_symbol[symbol] for symbol in large if symbol in by_symbol]
    stocks = favourites + [one for one in chosen if one.symbol not in large]
    reference_on = max(day for _, _, day in instruments.reference_closes(session))
    generator = np.random.default_rng(SEED)
    return simulate(stocks, today, firm.holidays(session), reference_on, generator)


def _add_clients(
    session: Session, chance: random.Random, now: dt.datetime, lives: Sequence[History]
) -> list[uuid.UUID]:
    new = [
        NewPerson(
            person.name,
            person.email,
            person.contact_number,
            "+91",
            person.address,
            dt.date(person.birth_year, chance.randrange(1, 13), chance.randrange(1, 28)),
        )
        for person in names.people(chance, len(lives))
    ]
    added = clients.add_clients(session, SYSTEM, now, new)
    for client in added:
        letters = "".join(chance.choice("ABCDEFGHJKLMNPQRSTUVWXYZ") for _ in range(2))
        is_zerodha = chance.random() < 0.7  # noqa: PLR2004
        broker = "ZERODHA" if is_zerodha else "ANGEL_ONE"
        number = f"{letters}{chance.randrange(10_000):04d}"
        portfolio.set_broker(session, client.id, broker, number if is_zerodha else f"A{number}")
    return [client.id for client in added]


def _keep_books(
    session: Session, now: dt.datetime, market: Market, client_id: uuid.UUID, life: History
) -> None:
    for day, amount in life.flows:
        kind = FlowType.FUNDS_ADDED if amount > 0 else FlowType.FUNDS_WITHDRAWN
        flow = NewFlow(market.days[day], abs(amount), kind)
        portfolio.record_cash_flow(session, SYSTEM, now, client_id, flow)
    start = market.days[life.start]
    portfolio.set_start(session, SYSTEM, now, client_id, capital=life.capital, started_on=start)
    advised.keep_account(session, SYSTEM, now, market, client_id, life)


def _place_orders(
    session: Session,
    market: Market,
    client_id: uuid.UUID,
    life: History,
    chance: random.Random,
) -> None:
    since = len(market.days) - ORDER_DAYS
    recent = [trade for trade in life.trades if trade.day >= since]
    new = []
    for trade in recent:
        status = OrderStatus.COMPLETE
        new.append(_order(market, trade, status, chance))
        if chance.random() < 0.08:  # noqa: PLR2004
            other = chance.choice([OrderStatus.REJECTED, OrderStatus.CANCELLED])
            new.append(_order(market, trade, other, chance))
    if recent and chance.random() < 0.3:  # noqa: PLR2004 - an order that waits for its price
        today = histories.Trade(len(market.days) - 1, recent[-1].stock, 10, ZERO)
        new.append(_order(market, today, OrderStatus.OPEN, chance))
    orders.record_orders(session, client_id, new)


def _order(
    market: Market, trade: histories.Trade, status: OrderStatus, chance: random.Random
) -> NewOrder:
    at = dt.datetime.combine(market.days[trade.day], dt.time(9, 15, tzinfo=clock.INDIA))
    at += dt.timedelta(seconds=chance.randrange(6 * 3600))
    stock = market.stocks[trade.stock]
    return NewOrder(
        broker_order_id=f"{at:%y%m%d}{chance.randrange(10**9):09d}",
        ordered_at=at,
        symbol=stock.symbol,
        exchange=stock.exchange,
        side=OrderSide.BUY if trade.is_purchase else OrderSide.SELL,
        quantity=abs(trade.quantity),
        average_price=trade.price if status == OrderStatus.COMPLETE else ZERO,
        status=status,
        filled_quantity=abs(trade.quantity) if status == OrderStatus.COMPLETE else 0,
    )


def _close_days(session: Session, market: Market, lives: Mapping[uuid.UUID, History]) -> None:
    firm_worth: dict[dt.date, tuple[Rupees, int]] = {}
    rows: list[tuple[uuid.UUID, dt.date, Rupees, Rupees]] = []
    for client_id, life in lives.items():
        for day, value, cash in histories.worth_by_day(market, life):
            rows.append((client_id, day, value, cash))
            total, count = firm_worth.get(day, (Decimal(0), 0))
            firm_worth[day] = (total + value + cash, count + 1)
    totals = [(day, total, count) for day, (total, count) in sorted(firm_worth.items())]
    portfolio.record_closes(session, rows, totals)
