"""Firms of any size, made from a seed: what the benchmarks run on.

The rows are those that the product itself would have written, kept totals included, but put in
through the driver, so that 9,999 clients with 300 holdings each take minutes and not hours.

`python bench/firms.py FOLDER --clients 9999 --holdings 30` leaves a data directory that
`tarazu serve --data-dir FOLDER` runs; the administrator is `ADMIN` below.
"""

import argparse
import datetime as dt
import random
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
from sqlalchemy import insert, select, update
from sqlalchemy.orm import Session

from tarazu.advice.tables import Advice, AdviceStock
from tarazu.app import open_database
from tarazu.domain import codes
from tarazu.domain.money import from_units, to_units
from tarazu.firm import service as firm
from tarazu.firm.disclosures import QUESTIONS, Answer
from tarazu.fees.tables import ClientFeeSum, Fee, FeeStatus, FeeTotal
from tarazu.instruments.tables import Instrument
from tarazu.kit import clock
from tarazu.kit.db import Database, Table
from tarazu.kit.security import hash_password
from tarazu.kit.settings import Settings
from tarazu.kit.audit_log import SYSTEM
from tarazu.orders.tables import Order, OrderSide, OrderStatus
from tarazu.people import service as people
from tarazu.people.service import Login, NewPerson
from tarazu.people.tables import ClientCodeCounter, Person, Role, Status
from tarazu.portfolio.tables import (
    Account,
    CashFlow,
    ClientClose,
    FirmClose,
    FirmTotal,
    FlowType,
    Holding,
    StockTotal,
)
from tarazu.prices.tables import LastPrice

ADMIN = ("Bench", "bench@tarazu.example", "seven oaks 7")
MOST_CLIENTS = codes.client_number("C9999")
AT_ONCE = 20_000
ADVISED, LINES = 20, 15
"""Clients who have past advice, and stocks of one."""
FIRST_TOKEN = 900_000_001
"""Of invented instruments; the shipped list's are smaller."""

FIRST = "Aarav Aditi Anand Bhavna Chetan Devika Farhan Gauri Harish Ishita Kabir Lakshmi".split()
LAST = "Agarwal Bhat Deshpande Fernandes Gupta Iyer Joshi Khan Menon Nair Patel Rao Shah".split()


@dataclass(frozen=True, slots=True)
class Size:
    """How much of everything; `holdings`, `flows`, `orders`, `fees` and `closes` are a client's.

    `advices` are those of each of the first few clients.
    """

    clients: int = 1_000
    holdings: int = 30
    instruments: int = 500
    flows: int = 4
    orders: int = 10
    fees: int = 2
    closes: int = 0
    advices: int = 0
    firm_closes: int = 500
    seed: int = 1


def make_firm(database: Database, size: Size) -> list[uuid.UUID]:
    """Fill an empty installation; the clients' ids in the order of their codes.

    Raises:
        ValueError: more clients than there are codes, or more holdings than instruments.
    """
    if size.clients > MOST_CLIENTS or size.holdings > size.instruments:
        raise ValueError("more clients than codes, or more holdings than instruments")
    chance, numbers = random.Random(size.seed), np.random.default_rng(size.seed)
    now = clock.now()
    with database.transaction() as session:
        login = Login(Role.ADMIN, hash_password(ADMIN[2]))
        people.add_staff(session, SYSTEM, now, NewPerson(ADMIN[0], ADMIN[1]), login)
        # Without these no advice can be sent.
        entered = {"name": "Sahyadri Research", "registration_number": "INH000012345"}
        answers = {one.id: Answer(is_yes=False) for one in QUESTIONS}
        firm.edit_firm(session, SYSTEM, now, entered, None, answers)
        stocks = _stocks(session, size.instruments, now)
        ids = [uuid.UUID(int=chance.getrandbits(128), version=4) for _ in range(size.clients)]
        _put(session, Person, _people(ids, chance, now))
        session.execute(update(ClientCodeCounter).values(last_number=size.clients))
        held = _Held(ids, stocks, size.holdings, numbers)
        cash = numbers.integers(5_000, 200_000, size.clients)
        _put(session, Account, _accounts(ids, cash, size, now))
        _put(session, Holding, held.rows())
        _put(session, StockTotal, held.totals())
        totals = {"clients": size.clients, "net": Decimal(int(cash.sum())), "changed_at": now}
        session.execute(update(FirmTotal).values(**totals, revision=size.clients))
        _histories(session, ids, stocks, chance, size)
        _advices(session, ids[:ADVISED], stocks, chance, size)
        _close_days(session, ids, held.worth_of(), size)
    return ids


def _stocks(session: Session, count: int, now: dt.datetime) -> list[tuple[uuid.UUID, str, int]]:
    """Id, symbol and price in units of `count` instruments, priced now; invented past the list's end."""
    columns = (Instrument.id, Instrument.symbol, Instrument.reference_close, Instrument.zerodha_token)
    listed = session.execute(select(*columns).order_by(Instrument.symbol)).all()[:count]
    found = [(one.id, one.symbol, to_units(one.reference_close)) for one in listed]
    prices = [(one.zerodha_token, one.reference_close) for one in listed]
    invented = []
    for number in range(count - len(listed)):
        price = Decimal(50 + number % 4_000)
        row = {
            "id": uuid.uuid5(uuid.NAMESPACE_OID, f"invented {number}"),
            "exchange": "NSE", "symbol": f"INVENTED{number}", "name": f"Invented {number}",
            "isin": f"INZ{number:07d}00"[:12], "series": "EQ", "sector": "",
            "tick_size": Decimal("0.05"), "lot_size": 1, "zerodha_token": FIRST_TOKEN + number * 256,
            "angel_token": None, "reference_close": price, "reference_on": now.date(),
            "is_active": True,
        }  # fmt: skip
        invented.append(row)
        found.append((row["id"], row["symbol"], to_units(price)))
        prices.append((row["zerodha_token"], price))
    _put(session, Instrument, iter(invented))
    _put(session, LastPrice, (
        {"instrument_token": token, "price": price, "at": now, "source": "ZERODHA"}
        for token, price in prices
    ))  # fmt: skip
    return found


def _people(
    ids: Sequence[uuid.UUID], chance: random.Random, now: dt.datetime
) -> Iterator[Mapping[str, Any]]:
    for place, client_id in enumerate(ids, 1):
        name = f"{chance.choice(FIRST)} {chance.choice(LAST)}"
        code = codes.client_code(place)
        email = f"client{place}@clients.example"
        yield {
            "id": client_id, "role": Role.CLIENT, "name": name,
            "search_text": f"{name} {email} {code}".lower(), "email": email, "country_code": "+91",
            "contact_number": f"9{place:09d}", "status": Status.ACTIVE, "awaits_approval": False,
            "client_code": code, "address": "", "born_on": None, "password_hash": None,
            "must_change_password": False, "password_changed_at": None, "temporary_until": None,
            "sessions_void_at": None, "family": "", "created_at": now, "version": 1,
            "deleted_at": None, "deleted_by": None,
        }  # fmt: skip


def _accounts(
    ids: Sequence[uuid.UUID], cash: "np.ndarray[Any, Any]", size: Size, now: dt.datetime
) -> Iterator[Mapping[str, Any]]:
    for place, (client_id, money) in enumerate(zip(ids, cash.tolist(), strict=True), 1):
        yield {
            "client_id": client_id, "is_counted": True, "net": Decimal(money),
            "available_cash": Decimal(money), "intraday_payin": Decimal(0),
            "starting_capital": Decimal(100_000), "started_on": dt.date(2024, 4, 1),
            "funds_added": Decimal(10_000 * size.flows), "funds_withdrawn": Decimal(0),
            "broker": "ZERODHA", "broker_user_id": f"BN{place:04d}",
            # Where nothing is held, nothing came in yet: a first import leaves no changes.
            "synced_at": now if size.holdings else None, "holdings_source": "FILE",
            "revision": place, "version": 1,
        }  # fmt: skip


class _Held:
    """Who holds how many of what: arrays (clients, holdings) of stock, quantity and average."""

    def __init__(
        self,
        ids: Sequence[uuid.UUID],
        stocks: Sequence[tuple[uuid.UUID, str, int]],
        holdings: int,
        numbers: np.random.Generator,
    ) -> None:
        self.ids, self.stocks = ids, stocks
        order = numbers.random((len(ids), len(stocks))).argsort(axis=1)
        self.stock = order[:, :holdings]
        self.quantity = numbers.integers(1, 200, self.stock.shape)
        price = np.array([units for _, _, units in stocks], dtype=np.int64)
        part = numbers.integers(70, 120, self.stock.shape)
        # Whole paise: what an average price of a broker is.
        self.average = price[self.stock] * part // 10_000 * 100
        self.average[self.average < 100] = 100
        self.price = price

    def rows(self) -> Iterator[Mapping[str, Any]]:
        for place, client_id in enumerate(self.ids):
            for stock, quantity, average in zip(
                self.stock[place].tolist(), self.quantity[place].tolist(),
                self.average[place].tolist(), strict=True,
            ):  # fmt: skip
                yield {
                    "client_id": client_id, "instrument_id": self.stocks[stock][0],
                    "quantity": quantity, "pledged": 0, "t1": 0, "bought_today": 0,
                    "average_price": from_units(average),
                }  # fmt: skip

    def totals(self) -> Iterator[Mapping[str, Any]]:
        many = len(self.stocks)
        quantity = np.bincount(self.stock.ravel(), self.quantity.ravel(), many).astype(np.int64)
        invested = np.zeros(many, dtype=np.int64)
        np.add.at(invested, self.stock.ravel(), (self.quantity * self.average).ravel())
        for place, (stock_id, _, _) in enumerate(self.stocks):
            if quantity[place]:
                yield {
                    "instrument_id": stock_id, "quantity": int(quantity[place]),
                    "invested": from_units(int(invested[place])),
                }  # fmt: skip

    def worth_of(self) -> list[int]:
        """Each client's holdings at the instruments' prices, in units."""
        return (self.quantity * self.price[self.stock]).sum(axis=1).tolist()


def _histories(
    session: Session,
    ids: Sequence[uuid.UUID],
    stocks: Sequence[tuple[uuid.UUID, str, int]],
    chance: random.Random,
    size: Size,
) -> None:
    began = dt.datetime(2024, 4, 1, 4, 30, tzinfo=dt.UTC)

    def new_id() -> uuid.UUID:
        return uuid.UUID(int=chance.getrandbits(128), version=4)

    def flows() -> Iterator[Mapping[str, Any]]:
        for client_id in ids:
            for turn in range(size.flows):
                day = began.date() + dt.timedelta(days=1 + turn * 900 // max(1, size.flows))
                yield {
                    "id": new_id(), "client_id": client_id, "date": day, "amount": Decimal(10_000),
                    "type": FlowType.FUNDS_ADDED, "created_at": began, "version": 1,
                    "deleted_at": None, "deleted_by": None,
                }  # fmt: skip

    def orders() -> Iterator[Mapping[str, Any]]:
        for place, client_id in enumerate(ids):
            for turn in range(size.orders):
                _, symbol, units = stocks[(place + turn * 7) % len(stocks)]
                yield {
                    "id": new_id(), "client_id": client_id, "broker_order_id": f"{place}-{turn}",
                    "ordered_at": began + dt.timedelta(days=turn), "symbol": symbol,
                    "exchange": "NSE", "side": OrderSide.BUY, "quantity": 10, "filled_quantity": 10,
                    "average_price": from_units(units), "product": "DELIVERY",
                    "status": OrderStatus.COMPLETE, "raw_status": "COMPLETE", "synced_at": None,
                    "lapsed_at": None,
                }  # fmt: skip

    def fees() -> Iterator[Mapping[str, Any]]:
        for client_id in ids:
            for turn in range(size.fees):
                start = began.date() + dt.timedelta(days=180 * turn)
                yield {
                    "id": new_id(), "client_id": client_id, "starting_on": start,
                    "due_on": start + dt.timedelta(days=190),
                    "final_on": start + dt.timedelta(days=180),
                    "starting_value": Decimal(100_000), "final_value": Decimal(110_000),
                    "net_gain": Decimal(10_000), "applicable_percentage": Decimal(10),
                    "amount": Decimal(1_000), "status": FeeStatus.PAID, "paid_on": start,
                    "schedule_id": None, "over_limit": Decimal(0), "created_at": began,
                    "version": 1, "deleted_at": None, "deleted_by": None,
                }  # fmt: skip

    def fee_sums() -> Iterator[Mapping[str, Any]]:
        last = began.date() + dt.timedelta(days=180 * (size.fees - 1))
        for place, client_id in enumerate(ids if size.fees else [], 1):
            yield {
                "client_id": client_id, "client_code": codes.client_code(place), "is_listed": True,
                "fees": size.fees, "paid": Decimal(1_000 * size.fees), "due": Decimal(0),
                "due_on": None, "next_due_on": dt.date.max, "paid_on": last,
            }  # fmt: skip

    _put(session, CashFlow, flows())
    _put(session, Order, orders())
    _put(session, Fee, fees())
    _put(session, ClientFeeSum, fee_sums())
    paid = Decimal(1_000 * size.fees * len(ids))
    session.execute(update(FeeTotal).values(paid=paid, listed_paid=paid))


def _advices(
    session: Session,
    ids: Sequence[uuid.UUID],
    stocks: Sequence[tuple[uuid.UUID, str, int]],
    chance: random.Random,
    size: Size,
) -> None:
    """Old advice, without seals and letters."""
    began = dt.datetime(2024, 4, 1, 4, 30, tzinfo=dt.UTC)
    sender = session.execute(select(Person.id).where(Person.role == Role.ADMIN)).scalars().first()
    heads: list[Mapping[str, Any]] = []
    lines: list[Mapping[str, Any]] = []
    for client_id in ids:
        for turn in range(size.advices):
            advice_id = uuid.UUID(int=chance.getrandbits(128), version=4)
            heads.append({
                "id": advice_id, "client_id": client_id, "account_id": sender, "rebalance_id": None,
                "created_at": began + dt.timedelta(days=turn), "total_stocks": LINES,
                "total_invested_value": Decimal(300_000), "total_buy_value": Decimal(90_000),
                "total_sell_value": Decimal(60_000), "rationale": "Quarterly review. " * 8,
                "mail_id": None,
            })  # fmt: skip
            for place, (_, symbol, units) in enumerate(chance.sample(stocks, LINES)):
                price = from_units(units)
                lines.append({
                    "id": uuid.UUID(int=chance.getrandbits(128), version=4), "advice_id": advice_id,
                    "place": place, "type": "BUY", "symbol": symbol, "exchange": "NSE",
                    "product": "DELIVERY", "isin": f"INE{place:09d}",
                    "instrument_token": FIRST_TOKEN + place, "quantity": 10 + turn,
                    "allocation": Decimal("6.67"), "possible_allocation": Decimal("6.54"),
                    "drift": Decimal("-0.13"), "message": "", "note": "", "last_price": price,
                    "current_value": price * 10, "additional_value": price * turn,
                    "freed_value": Decimal(0), "projected_value": price * (10 + turn),
                })  # fmt: skip
    _put(session, Advice, iter(heads))
    _put(session, AdviceStock, iter(lines))


def _close_days(
    session: Session, ids: Sequence[uuid.UUID], worth: Sequence[int], size: Size
) -> None:
    last = clock.today()
    days = [last - dt.timedelta(days=back) for back in range(max(size.closes, size.firm_closes), 0, -1)]
    total = from_units(sum(worth))

    def closes() -> Iterator[Mapping[str, Any]]:
        for client_id, units in zip(ids, worth, strict=True):
            for turn, day in enumerate(days[-size.closes :] if size.closes else []):
                value = from_units(units * (800 + turn % 400) // 1_000)
                yield {
                    "client_id": client_id, "date": day, "holdings_value": value,
                    "net": Decimal(10_000),
                }  # fmt: skip

    _put(session, ClientClose, closes())
    _put(session, FirmClose, (
        {"date": day, "value": total * (800 + turn % 400) // 1_000, "clients": len(ids)}
        for turn, day in enumerate(days[-size.firm_closes :] if size.firm_closes else [])
    ))  # fmt: skip


def _put(session: Session, table: type[Table], rows: Iterator[Mapping[str, Any]]) -> None:
    some: list[Mapping[str, Any]] = []
    for row in rows:
        some.append(row)
        if len(some) == AT_ONCE:
            session.execute(insert(table), some)
            some = []
    if some:
        session.execute(insert(table), some)


def make_folder(folder: Path, size: Size) -> list[uuid.UUID]:
    """A data directory with such a firm on SQLite."""
    database = open_database(Settings(data_dir=folder))
    try:
        return make_firm(database, size)
    finally:
        database.dispose()


if __name__ == "__main__":
    reader = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    reader.add_argument("folder", type=Path)
    for name, usual in Size.__dataclass_fields__.items():
        reader.add_argument(f"--{name.replace('_', '-')}", type=int, default=usual.default)
    asked = vars(reader.parse_args())
    began = time.perf_counter()
    make_folder(asked.pop("folder"), Size(**asked))
    print(f"made in {time.perf_counter() - began:.1f} s")
