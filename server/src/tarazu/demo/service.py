"""Fills an empty installation with a believable firm, the same for the same day."""

import datetime as dt
import random
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

import numpy as np
from sqlalchemy.orm import Session

from tarazu.brokers.service import BrokerOrder
from tarazu.clients import service as clients
from tarazu.demo import (
    actions,
    advised,
    book_run,
    charged,
    complied,
    followed,
    histories,
    indexed,
    invoiced,
    modelled,
    names,
    papered,
    registered,
    remarks,
    synced,
    volumes,
)
from tarazu.demo.entry import ADMIN, USER, is_made
from tarazu.demo.histories import History
from tarazu.demo.market import Market, simulate
from tarazu.domain.calendar import previous_business_day
from tarazu.domain.money import ZERO, Rupees, rounded
from tarazu.firm import service as firm
from tarazu.instruments import service as instruments
from tarazu.kit import clock, security
from tarazu.kit.audit_log import SYSTEM, Actor
from tarazu.kit.clock import day_in_india
from tarazu.kit.db import Database
from tarazu.orders import service as orders
from tarazu.orders.service import NewOrder
from tarazu.orders.tables import OrderSide, OrderStatus
from tarazu.people import service as people
from tarazu.people.service import Login, NewPerson
from tarazu.people.tables import Role
from tarazu.portfolio import service as portfolio
from tarazu.portfolio.service import NewFlow
from tarazu.portfolio.tables import FlowType
from tarazu.track_record import service as track_record

SEED = 1_402_2024
CLIENTS = 46
UNIVERSE = 96
ORDER_DAYS = 365
CLOSE = dt.time(15, 30, tzinfo=clock.INDIA)
JOINED = dt.time(10, tzinfo=clock.INDIA)
RESTRICTED = dt.timedelta(days=60)
NEW_MONEY = 5
"""Clients who added money lately."""


class NotEmpty(Exception):
    """The installation has records that are not the demo's; the text says so."""


@dataclass(frozen=True, slots=True)
class _DemoFirm:
    """The firm as made so far: its clients by what they follow, and what each did.

    `closed_at` is the last close; `large_model` the model that is revised. The clients are in the
    order they joined.
    """

    analyst: Actor
    market: Market
    closed_at: dt.datetime
    large_model: uuid.UUID
    history_of: Mapping[uuid.UUID, History]
    large: Sequence[uuid.UUID]
    mid: Sequence[uuid.UUID]
    own: Sequence[uuid.UUID]

    def histories_of(self, ids: Sequence[uuid.UUID]) -> dict[uuid.UUID, History]:
        return {client_id: self.history_of[client_id] for client_id in ids}

    def joined_on(self, ids: Iterable[uuid.UUID]) -> dict[uuid.UUID, dt.date]:
        return {client_id: self.market.days[self.history_of[client_id].start] for client_id in ids}

    def advise(self, session: Session, chance: random.Random, *, is_after_run: bool) -> None:
        """Send advice to clients with a portfolio of their own, before or after the book's run."""
        days = [
            len(self.market.days) - days_ago
            for days_ago in advised.DAYS_AGO
            if (days_ago <= book_run.DAYS_AGO) is is_after_run
        ]
        own = self.histories_of(self.own)
        advised.send(session, self.analyst, self.market, own, days, chance)

    def advise_lately(self, session: Session, chance: random.Random) -> uuid.UUID:
        """Send the advice of the last week; the client who has not logged in since."""
        ids = list(self.history_of)
        elsewhere = {ids[place] for place in synced.STORIES}
        own = [client_id for client_id in self.own if client_id not in elsewhere]
        away = [ids[place] for place in synced.AWAY]
        unread = next((client_id for client_id in away if client_id not in self.large), away[0])
        chosen = [*own[: len(advised.RECENT[1]) - 1], unread]
        history_of = self.histories_of(chosen)
        advised.send_lately(session, self.analyst, self.market, history_of, chance)
        return unread


def fill(database: Database, say: Callable[[str], None], now: dt.datetime | None = None) -> bool:
    """Make the demo firm, in a few transactions; False when it is there already.

    Args:
        say: called with a line about each step.
        now: the two years end before its day; the clock's when left out.

    Raises:
        NotEmpty: a client or an account exists that is not of a finished demo firm.
    """
    now = now or clock.now()
    chance = random.Random(SEED)  # noqa: S311 - a story, not a secret
    with database.transaction() as session:
        if is_made(session):
            return False
        if people.has_clients(session) or people.has_staff(session):
            raise NotEmpty("this data directory is in use; the demo needs an empty one")
        made = _begin(session, now, chance, say)
        say("Sending some advice …")
        made.advise(session, chance, is_after_run=False)
    book_run.rebalance(
        database,
        made.analyst,
        made.market,
        made.large_model,
        made.histories_of(made.large),
        chance,
    )
    with database.transaction() as session:
        made.advise(session, chance, is_after_run=True)
        unread = made.advise_lately(session, chance)
        _finish(session, made, now, chance, unread)
    track_record.keep_records(database, now, at_once=True)
    return True


def _begin(
    session: Session, now: dt.datetime, chance: random.Random, say: Callable[[str], None]
) -> _DemoFirm:
    """The firm, its models, and its clients with what they did of themselves."""
    today = day_in_india(now)
    closed_at = dt.datetime.combine(previous_business_day(today, firm.holidays(session)), CLOSE)
    analyst = _open_the_firm(session, closed_at)
    say("Simulating two years of prices …")
    market = _market(session, today)
    indexed.keep_index(session, closed_at, market)
    large_id, mid_id = modelled.publish(session, analyst, market)
    say(f"Adding {CLIENTS} clients with their books …")
    history_of, by_model = _make_clients(session, chance, market)
    large, mid, own = (by_model[name] for name in ("LARGE", "MID", "OWN"))
    made = _DemoFirm(analyst, market, closed_at, large_id, history_of, large, mid, own)
    for model_id, ids in ((large_id, large), (mid_id, mid)):
        modelled.subscribe(session, analyst, model_id, made.joined_on(ids))
    modelled.certify(session, analyst, closed_at, market)
    modelled.restrict(session, analyst, closed_at - RESTRICTED, market.stocks, large)
    papered.keep(session, analyst, closed_at, made.joined_on(history_of))
    return made


def _finish(
    session: Session,
    made: _DemoFirm,
    now: dt.datetime,
    chance: random.Random,
    unread: uuid.UUID,
) -> None:
    """The books as they are at the last close, and what happened today.

    Args:
        unread: the client whose trades of the last day are not known.
    """
    market, closed_at = made.market, made.closed_at
    _add_money(made, chance)
    for client_id, history in made.history_of.items():
        _keep_books(session, closed_at, market, client_id, history)
        charged.charge(session, closed_at, market, client_id, history, chance)
        _place_orders(session, market, client_id, history, chance)
    charged.join_a_family(session, closed_at, list(made.history_of))
    invoiced.issue(session, closed_at, list(made.history_of))
    remarks.note(session, _staff(session), closed_at, made.joined_on(made.history_of))
    advised.record_prices(session, market, len(market.days) - 1, closed_at)
    split = actions.enter(session, made.analyst, market, made.history_of, now)
    synced.begin(session, now, _orders_of_today(made, now, chance))
    stories = followed.Stories(made.analyst, unread, market.days[-book_run.DAYS_AGO])
    followed.record(session, market, made.history_of, stories, now)
    volumes.record(session, market, split)
    registered.keep(session, _staff(session), now, list(made.history_of))
    complied.comply(session, made.analyst, closed_at)
    # Last: with its closes the demo firm is whole.
    _close_days(session, market, made.history_of)


def _make_clients(
    session: Session, chance: random.Random, market: Market
) -> tuple[dict[uuid.UUID, History], dict[str, list[uuid.UUID]]]:
    """Add the clients, each on the day they came: what each did, and who follows which model."""
    models = ["LARGE"] * modelled.LARGE_FOLLOWERS + ["MID"] * modelled.MID_FOLLOWERS
    models += ["OWN"] * (CLIENTS - len(models))
    chance.shuffle(models)
    starts = histories.start_days(chance, market, CLIENTS)
    all_histories = [
        _history_of(chance, market, start, model)
        for start, model in zip(starts, models, strict=True)
    ]
    ids = _add_clients(session, chance, market, all_histories)
    by_model: dict[str, list[uuid.UUID]] = {}
    for client_id, model in zip(ids, models, strict=True):
        by_model.setdefault(model, []).append(client_id)
    return dict(zip(ids, all_histories, strict=True)), by_model


def _history_of(chance: random.Random, market: Market, start: int, model: str) -> History:
    end = len(market.days)
    if model == "LARGE":
        reviewed = end - book_run.DAYS_AGO - chance.randrange(10, 40)
        return histories.follow_model(chance, market, modelled.large_weights(), start, reviewed)
    if model == "MID":
        reviewed = end - chance.randrange(7, 60)
        return histories.follow_model(chance, market, modelled.mid_weights(), start, reviewed)
    return histories.trade_freely(chance, market, list(range(len(market.stocks))), start)


def _add_money(made: _DemoFirm, chance: random.Random) -> None:
    """A few followers of a model added money lately, which is not invested yet."""
    for client_id in chance.sample([*made.large, *made.mid], NEW_MONEY):
        history = made.history_of[client_id]
        part = Decimal(chance.randrange(2, 6)) / 100
        day = len(made.market.days) - chance.randrange(2, 6)
        history.move_cash(day, rounded(history.capital * part, -3))


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


def _staff(session: Session) -> list[Actor]:
    staff = (people.staff_by_email(session, email) for _, email, _ in (ADMIN, USER))
    return [Actor(person.id, person.role, person.name) for person in staff if person]


def _market(session: Session, today: dt.date) -> Market:
    listed = [
        stock for stock in instruments.all_listed(session) if stock.sector != "Exchange Traded Fund"
    ]
    # Stocks that a small account can buy several shares of, spread over the whole list.
    fit = [stock for stock in listed if 80 <= stock.reference_close <= 6_000]  # noqa: PLR2004
    chosen = random.Random(SEED).sample(fit, UNIVERSE)  # noqa: S311 - a story, not a secret
    large = ("HDFCBANK", "RELIANCE", "ICICIBANK", "INFY", "TCS", "BHARTIARTL", "LT", "ITC", "SBIN",
             "HINDUNILVR", "SUNPHARMA", "TITAN", "AXISBANK", "KOTAKBANK", "NTPC", "TATASTEEL")  # fmt: skip
    by_symbol = {stock.symbol: stock for stock in listed}
    favourites = [by_symbol[symbol] for symbol in large if symbol in by_symbol]
    stocks = favourites + [stock for stock in chosen if stock.symbol not in large]
    reference_on = max(day for _, _, day in instruments.reference_closes(session))
    generator = np.random.default_rng(SEED)
    return simulate(stocks, today, firm.holidays(session), reference_on, generator)


def _add_clients(
    session: Session, chance: random.Random, market: Market, all_histories: Sequence[History]
) -> list[uuid.UUID]:
    ids = []
    for person, history in zip(
        names.people(chance, len(all_histories)), all_histories, strict=True
    ):
        new = NewPerson(
            person.name,
            person.email,
            person.contact_number,
            "+91",
            person.address,
            dt.date(person.birth_year, chance.randrange(1, 13), chance.randrange(1, 28)),
        )
        joined_at = dt.datetime.combine(market.days[history.start], JOINED)
        (client,) = clients.add_clients(session, SYSTEM, joined_at, [new])
        letters = "".join(chance.choice("ABCDEFGHJKLMNPQRSTUVWXYZ") for _ in range(2))
        is_zerodha = chance.random() < 0.7  # noqa: PLR2004
        broker = "ZERODHA" if is_zerodha else "ANGEL_ONE"
        number = f"{letters}{chance.randrange(10_000):04d}"
        portfolio.set_broker(session, client.id, broker, number if is_zerodha else f"A{number}")
        ids.append(client.id)
    return ids


def _keep_books(
    session: Session, now: dt.datetime, market: Market, client_id: uuid.UUID, history: History
) -> None:
    for day, amount in history.flows:
        kind = FlowType.FUNDS_ADDED if amount > 0 else FlowType.FUNDS_WITHDRAWN
        flow = NewFlow(market.days[day], abs(amount), kind)
        portfolio.record_cash_flow(session, SYSTEM, now, client_id, flow)
    start = market.days[history.start]
    portfolio.set_start(session, SYSTEM, now, client_id, capital=history.capital, started_on=start)
    advised.keep_account(session, SYSTEM, now, market, client_id, history)


def _place_orders(
    session: Session,
    market: Market,
    client_id: uuid.UUID,
    history: History,
    chance: random.Random,
) -> None:
    since = len(market.days) - ORDER_DAYS
    recent = [trade for trade in history.trades if trade.day >= since]
    new = []
    for trade in recent:
        status = OrderStatus.COMPLETE
        new.append(_order(market, trade, status, chance))
        if chance.random() < 0.08:  # noqa: PLR2004
            other = chance.choice([OrderStatus.REJECTED, OrderStatus.CANCELLED])
            new.append(_order(market, trade, other, chance))
    orders.record_orders(session, client_id, new)


def _orders_of_today(
    made: _DemoFirm, now: dt.datetime, chance: random.Random
) -> dict[uuid.UUID, list[BrokerOrder]]:
    """Orders that wait for their price, of every third client or so."""
    placed: dict[uuid.UUID, list[BrokerOrder]] = {}
    at = min(dt.datetime.combine(day_in_india(now), synced.SYNCED_AT), now)
    for client_id, history in made.history_of.items():
        if chance.random() < 0.7:  # noqa: PLR2004
            continue
        stock = made.market.stocks[chance.choice(sorted(history.lots))]
        placed[client_id] = [
            BrokerOrder(
                order_id=f"{at:%y%m%d}{chance.randrange(10**9):09d}",
                placed_at=at - dt.timedelta(seconds=chance.randrange(300, 1500)),
                executed_at=None,
                exchange=stock.exchange,
                symbol=stock.symbol,
                token=stock.instrument_token,
                side="BUY",
                product="DELIVERY",
                quantity=10,
                filled=0,
                average_price=ZERO,
                status="OPEN",
                raw_status="OPEN",
                reason="",
            )
        ]
    return placed


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


def _close_days(session: Session, market: Market, history_of: Mapping[uuid.UUID, History]) -> None:
    firm_worth: dict[dt.date, tuple[Rupees, int]] = {}
    rows: list[tuple[uuid.UUID, dt.date, Rupees, Rupees]] = []
    for client_id, history in history_of.items():
        for day, value, cash in histories.worth_by_day(market, history):
            rows.append((client_id, day, value, cash))
            total, count = firm_worth.get(day, (Decimal(0), 0))
            firm_worth[day] = (total + value + cash, count + 1)
    totals = [(day, total, count) for day, (total, count) in sorted(firm_worth.items())]
    portfolio.record_closes(session, rows, totals)
