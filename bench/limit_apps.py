"""What the product's calls are compared with, each app a process of its own on the same database.

`bare` is the limit: no framework, the driver's own rows, the same SQL and the same encoder, nobody
is asked who they are. `textbook` is what a tutorial leads to: FastAPI, ORM entities with their
relations, a token looked up in the database, a Pydantic model for each row.

Run as `uvicorn limit_apps:bare` with TARAZU_BENCH_DB set to the SQLite file.
"""

import os
import threading
import uuid
from collections.abc import Awaitable, Callable, Iterator
from decimal import Decimal
from typing import Annotated, Any

import pysqlite3.dbapi2 as sqlite
from fastapi import Depends, FastAPI
from pydantic import BaseModel, ConfigDict
from pydantic_core import to_json
from sqlalchemy import ForeignKey, create_engine, func, select
from sqlalchemy.orm import (
    DeclarativeBase,
    Mapped,
    Session,
    mapped_column,
    relationship,
    selectinload,
    sessionmaker,
)

FILE = os.environ.get("TARAZU_BENCH_DB", "")
CLIENT = os.environ.get("TARAZU_BENCH_CLIENT", "")
UNITS = 10_000

# ---- the limit ---------------------------------------------------------------------------------

LIST = """
    SELECT id, client_code, name, status FROM people
    WHERE deleted_at IS NULL AND role = 'CLIENT' ORDER BY client_code LIMIT 50 OFFSET 0
"""
COUNT = "SELECT count(*) FROM people WHERE deleted_at IS NULL AND role = 'CLIENT'"
STOCKS = """
    SELECT i.symbol, i.exchange, i.zerodha_token, t.quantity, t.invested, p.price
    FROM stock_totals t JOIN instruments i ON i.id = t.instrument_id
    JOIN last_prices p ON p.instrument_token = i.zerodha_token WHERE t.quantity > 0
"""
ORDERS = """
    SELECT id, broker_order_id, ordered_at, symbol, exchange, side, quantity, filled_quantity,
        average_price, product, status, raw_status
    FROM orders WHERE client_id = ? ORDER BY ordered_at DESC, id DESC LIMIT 20 OFFSET 0
"""
HOLDINGS = """
    SELECT i.symbol, i.exchange, i.isin, i.zerodha_token, h.quantity, h.t1, h.bought_today, h.pledged,
        h.average_price, p.price
    FROM holdings h JOIN instruments i ON i.id = h.instrument_id
    JOIN last_prices p ON p.instrument_token = i.zerodha_token
    WHERE h.client_id = ? ORDER BY h.quantity * p.price DESC
"""
ADVICES = """
    SELECT id, created_at, total_stocks, total_invested_value, total_buy_value, total_sell_value,
        rationale FROM advices WHERE client_id = ? ORDER BY created_at DESC, id DESC LIMIT 10 OFFSET 0
"""
ADVICE_STOCKS = """
    SELECT advice_id, type, symbol, exchange, product, isin, instrument_token, quantity, allocation,
        possible_allocation, drift, message, last_price, current_value, additional_value, freed_value,
        projected_value
    FROM advice_stocks WHERE advice_id IN ({ids}) ORDER BY advice_id, place
"""
ADVICE_COUNT = "SELECT count(*) FROM advices WHERE client_id = ?"
ORDER_COUNT = "SELECT count(*) FROM orders WHERE client_id = ?"

_near = threading.local()
_worth: dict[str, tuple[int, int, int]] = {}
_counted: list[int] = []


def _link() -> Any:
    if not hasattr(_near, "link"):
        _near.link = sqlite.connect(FILE)
    return _near.link


def _all_worth() -> dict[str, tuple[int, int, int]]:
    """What each client is worth, owns and put in: once, as prices do not move here."""
    if not _worth:
        rows = _link().execute(
            """SELECT a.client_id, coalesce(sum(h.quantity * p.price), 0), a.net,
                a.starting_capital + a.funds_added - a.funds_withdrawn
            FROM accounts a LEFT JOIN holdings h ON h.client_id = a.client_id
            LEFT JOIN instruments i ON i.id = h.instrument_id
            LEFT JOIN last_prices p ON p.instrument_token = i.zerodha_token GROUP BY a.client_id"""
        )
        _worth.update({row[0]: (row[1], row[2], row[3]) for row in rows})
    return _worth


def _bare_clients() -> bytes:
    worth, link = _all_worth(), _link()
    rows = []
    for client_id, code, name, status in link.execute(LIST):
        value, net, put_in = worth[client_id]
        pnl = value + net - put_in
        rows.append({
            "_id": client_id, "clientId": code, "name": name, "status": status,
            "totalPortfolio": (value + net) / UNITS, "totalInvestment": put_in / UNITS,
            "netPnL": pnl / UNITS, "netPnlPercentage": 100 * pnl / put_in,
            "NetCashAmount": net / UNITS, "isConnected": False,
        })  # fmt: skip
    if not _counted:  # once, as nobody is added here: the product counts only after a change, too
        _counted.extend(link.execute(COUNT).fetchone())
    (total,) = _counted
    pages = {"totalUsers": total, "currentPage": 1, "totalPages": -(-total // 50), "limit": 50}
    return to_json({"success": True, "data": rows, "pagination": pages})


def _bare_stocks() -> bytes:
    rows = [
        {"symbol": symbol, "exchange": exchange, "instrumentToken": token, "totalQuantity": quantity,
         "totalCurrentValue": quantity * price / UNITS, "totalInvestedValue": invested / UNITS}
        for symbol, exchange, token, quantity, invested, price in _link().execute(STOCKS)
    ]  # fmt: skip
    total = sum(row["totalCurrentValue"] for row in rows)
    for row in rows:
        row["aumPercentage"] = 100 * row["totalCurrentValue"] / total
    rows.sort(key=lambda row: -row["totalCurrentValue"])
    return to_json({"success": True, "message": None, "data": rows})


def _bare_orders() -> bytes:
    link, client = _link(), uuid.UUID(CLIENT).hex
    names = ("_id", "orderId", "orderTimestamp", "tradingSymbol", "exchange", "transactionType",
             "quantity", "filledQuantity", "averagePrice", "product", "orderStatus", "rawStatus")  # fmt: skip
    rows = [dict(zip(names, row, strict=True)) for row in link.execute(ORDERS, (client,))]
    for row in rows:
        row["averagePrice"] /= UNITS
    (total,) = link.execute(ORDER_COUNT, (client,)).fetchone()
    return to_json({"success": True, "data": {"orders": rows}, "pagination": {"totalUsers": total}})


def _bare_holdings() -> bytes:
    rows, worth, spent = [], 0, 0
    for symbol, exchange, isin, token, owned, t1, today, pledged, average, price in _link().execute(
        HOLDINGS, (uuid.UUID(CLIENT).hex,)
    ):
        value, cost = owned * price, owned * average
        worth, spent = worth + value, spent + cost
        rows.append({
            "tradingSymbol": symbol, "exchange": exchange, "isin": isin, "instrumentToken": token,
            "quantity": owned, "free": owned - t1 - today - pledged, "t1": t1,
            "boughtToday": today, "pledged": pledged, "ltp": price / UNITS,
            "averagePrice": average / UNITS, "currentValue": value / UNITS, "invested": cost / UNITS,
            "pnl": (value - cost) / UNITS, "pnlPercentage": 100 * (value - cost) / cost,
        })  # fmt: skip
    for row in rows:
        row["allocation"] = 100 * UNITS * row["currentValue"] / worth
    totals = {"currentValue": worth / UNITS, "invested": spent / UNITS, "pnl": (worth - spent) / UNITS}
    return to_json({"success": True, "data": rows, "totals": totals})


def _bare_advice() -> bytes:
    link, client = _link(), uuid.UUID(CLIENT).hex
    names = ("type", "symbol", "exchange", "product", "isin", "instrumentToken", "quantity")
    found = link.execute(ADVICES, (client,)).fetchall()
    lines: dict[str, list[dict[str, Any]]] = {row[0]: [] for row in found}
    statement = ADVICE_STOCKS.format(ids=",".join("?" * len(found)))
    for row in link.execute(statement, [row[0] for row in found]):
        lines[row[0]].append(dict(zip(names, row[1:8], strict=True)) | {
            "allocationPercentage": row[8] / 100, "possibleAllocationPercentage": row[9] / 100,
            "drift": row[10] / 100, "message": row[11], "ltp": row[12] / UNITS,
            "currentInvestmentValue": row[13] / UNITS, "additionalInvestmentValue": row[14] / UNITS,
            "valueToBeFreed": row[15] / UNITS, "projectedInvestmentValue": row[16] / UNITS,
        })  # fmt: skip
    rows = [
        {"_id": row[0], "createdAt": row[1], "totalStocks": row[2], "rationale": row[6],
         "totalInvestedValue": row[3] / UNITS, "totalBuyValue": row[4] / UNITS,
         "totalSellValue": row[5] / UNITS, "delivery": None, "stocks": lines[row[0]]}
        for row in found
    ]  # fmt: skip
    (total,) = link.execute(ADVICE_COUNT, (client,)).fetchone()
    return to_json({"success": True, "data": rows, "pagination": {"totalUsers": total}})


_BARE = {
    "/clients": _bare_clients, "/stocks": _bare_stocks, "/orders": _bare_orders,
    "/advice": _bare_advice, "/holdings": _bare_holdings,
}  # fmt: skip


async def bare(
    scope: dict[str, Any],
    receive: Callable[[], Awaitable[dict[str, Any]]],
    send: Callable[[dict[str, Any]], Awaitable[None]],
) -> None:
    if scope["type"] != "http":
        return
    body = _BARE[scope["path"]]()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})


# ---- a textbook's way --------------------------------------------------------------------------


class _Base(DeclarativeBase):
    pass


class _Instrument(_Base):
    __tablename__ = "instruments"
    id: Mapped[str] = mapped_column(primary_key=True)
    symbol: Mapped[str]
    exchange: Mapped[str]
    zerodha_token: Mapped[int] = mapped_column(ForeignKey("last_prices.instrument_token"))
    price: Mapped["_Price"] = relationship()


class _Price(_Base):
    __tablename__ = "last_prices"
    instrument_token: Mapped[int] = mapped_column(primary_key=True)
    price: Mapped[int]


class _Holding(_Base):
    __tablename__ = "holdings"
    client_id: Mapped[str] = mapped_column(ForeignKey("accounts.client_id"), primary_key=True)
    instrument_id: Mapped[str] = mapped_column(ForeignKey("instruments.id"), primary_key=True)
    quantity: Mapped[int]
    average_price: Mapped[int]
    instrument: Mapped[_Instrument] = relationship()


class _Account(_Base):
    __tablename__ = "accounts"
    client_id: Mapped[str] = mapped_column(ForeignKey("people.id"), primary_key=True)
    net: Mapped[int]
    starting_capital: Mapped[int]
    funds_added: Mapped[int]
    funds_withdrawn: Mapped[int]
    holdings: Mapped[list[_Holding]] = relationship()


class _Person(_Base):
    __tablename__ = "people"
    id: Mapped[str] = mapped_column(primary_key=True)
    role: Mapped[str]
    client_code: Mapped[str]
    name: Mapped[str]
    email: Mapped[str]
    status: Mapped[str]
    deleted_at: Mapped[str | None]
    account: Mapped[_Account] = relationship()


class _Order(_Base):
    __tablename__ = "orders"
    id: Mapped[str] = mapped_column(primary_key=True)
    client_id: Mapped[str]
    broker_order_id: Mapped[str]
    ordered_at: Mapped[str]
    symbol: Mapped[str]
    exchange: Mapped[str]
    side: Mapped[str]
    quantity: Mapped[int]
    filled_quantity: Mapped[int]
    average_price: Mapped[int]
    product: Mapped[str]
    status: Mapped[str]


class _Line(_Base):
    __tablename__ = "advice_stocks"
    id: Mapped[str] = mapped_column(primary_key=True)
    advice_id: Mapped[str] = mapped_column(ForeignKey("advices.id"))
    place: Mapped[int]
    type: Mapped[str]
    symbol: Mapped[str]
    exchange: Mapped[str]
    quantity: Mapped[int]
    allocation: Mapped[int]
    possible_allocation: Mapped[int]
    drift: Mapped[int]
    last_price: Mapped[int]
    current_value: Mapped[int]
    additional_value: Mapped[int]
    freed_value: Mapped[int]
    projected_value: Mapped[int]


class _Advice(_Base):
    __tablename__ = "advices"
    id: Mapped[str] = mapped_column(primary_key=True)
    client_id: Mapped[str]
    created_at: Mapped[str]
    total_stocks: Mapped[int]
    total_invested_value: Mapped[int]
    total_buy_value: Mapped[int]
    total_sell_value: Mapped[int]
    rationale: Mapped[str]
    stocks: Mapped[list[_Line]] = relationship(order_by=_Line.place)


class ClientOut(BaseModel):
    id: str
    client_code: str
    name: str
    status: str
    total_portfolio: Decimal
    total_investment: Decimal
    net_pnl: Decimal
    net_cash: Decimal


class StockOut(BaseModel):
    symbol: str
    exchange: str
    quantity: int
    value: Decimal
    invested: Decimal
    share: Decimal


class OrderOut(BaseModel):
    model_config = ConfigDict(from_attributes=True)
    id: str
    broker_order_id: str
    ordered_at: str
    symbol: str
    exchange: str
    side: str
    quantity: int
    filled_quantity: int
    average_price: Decimal
    product: str
    status: str


class LineOut(BaseModel):
    model_config = ConfigDict(from_attributes=True)
    type: str
    symbol: str
    exchange: str
    quantity: int
    allocation: Decimal
    possible_allocation: Decimal
    drift: Decimal
    last_price: Decimal
    current_value: Decimal
    additional_value: Decimal
    freed_value: Decimal
    projected_value: Decimal


class AdviceOut(BaseModel):
    model_config = ConfigDict(from_attributes=True)
    id: str
    created_at: str
    total_stocks: int
    total_invested_value: Decimal
    total_buy_value: Decimal
    total_sell_value: Decimal
    rationale: str
    stocks: list[LineOut]


class HoldingOut(BaseModel):
    symbol: str
    exchange: str
    quantity: int
    average_price: Decimal
    price: Decimal
    value: Decimal
    invested: Decimal
    pnl: Decimal
    share: Decimal


class PageOut(BaseModel):
    rows: list[ClientOut]
    total: int


class OrdersOut(BaseModel):
    rows: list[OrderOut]
    total: int


textbook = FastAPI()
_engine = create_engine(f"sqlite:///{FILE}", module=sqlite, pool_size=20) if FILE else None
_sessions = sessionmaker(_engine)


def _session() -> Iterator[Session]:
    with _sessions() as session:
        yield session


Open = Annotated[Session, Depends(_session)]


def _who(session: Open) -> _Person:
    return session.execute(select(_Person).where(_Person.role != "CLIENT")).scalars().first()


Who = Annotated[_Person, Depends(_who)]


def _value(holding: _Holding) -> Decimal:
    return Decimal(holding.quantity * holding.instrument.price.price) / UNITS


@textbook.get("/clients")
def clients(session: Open, _: Who) -> PageOut:
    wanted = (_Person.deleted_at.is_(None), _Person.role == "CLIENT")
    loading = selectinload(_Person.account).selectinload(_Account.holdings)
    found = session.execute(
        select(_Person)
        .where(*wanted)
        .options(loading.selectinload(_Holding.instrument).selectinload(_Instrument.price))
        .order_by(_Person.client_code)
        .limit(50)
    ).scalars()
    rows = []
    for person in found:
        account = person.account
        worth = sum((_value(one) for one in account.holdings), Decimal(0))
        net = Decimal(account.net) / UNITS
        put_in = account.starting_capital + account.funds_added - account.funds_withdrawn
        invested = Decimal(put_in) / UNITS
        rows.append(ClientOut(
            id=person.id, client_code=person.client_code, name=person.name, status=person.status,
            total_portfolio=worth + net, total_investment=invested,
            net_pnl=worth + net - invested, net_cash=net,
        ))  # fmt: skip
    total = session.execute(select(func.count(_Person.id)).where(*wanted)).scalar_one()
    return PageOut(rows=rows, total=total)


@textbook.get("/stocks")
def stocks(session: Open, _: Who) -> list[StockOut]:
    found = session.execute(
        select(
            _Instrument.symbol,
            _Instrument.exchange,
            func.sum(_Holding.quantity),
            func.sum(_Holding.quantity * _Holding.average_price),
            func.sum(_Holding.quantity * _Price.price),
        )
        .join(_Instrument, _Instrument.id == _Holding.instrument_id)
        .join(_Price, _Price.instrument_token == _Instrument.zerodha_token)
        .group_by(_Instrument.id)
    ).all()
    total = sum(row[4] for row in found)
    rows = [
        StockOut(symbol=row[0], exchange=row[1], quantity=row[2], invested=Decimal(row[3]) / UNITS,
                 value=Decimal(row[4]) / UNITS, share=Decimal(100 * row[4]) / total)
        for row in found
    ]  # fmt: skip
    return sorted(rows, key=lambda row: -row.value)


@textbook.get("/orders")
def orders(session: Open, _: Who) -> OrdersOut:
    client = uuid.UUID(CLIENT).hex
    newest = select(_Order).where(_Order.client_id == client).order_by(_Order.ordered_at.desc())
    rows = session.execute(newest.limit(20)).scalars().all()
    count = select(func.count(_Order.id)).where(_Order.client_id == client)
    shown = [OrderOut.model_validate(row) for row in rows]
    return OrdersOut(rows=shown, total=session.execute(count).scalar_one())


@textbook.get("/advice")
def advice(session: Open, _: Who) -> list[AdviceOut]:
    client = uuid.UUID(CLIENT).hex
    newest = select(_Advice).where(_Advice.client_id == client).order_by(_Advice.created_at.desc())
    found = session.execute(newest.options(selectinload(_Advice.stocks)).limit(10)).scalars()
    return [AdviceOut.model_validate(one) for one in found]


@textbook.get("/holdings")
def holdings(session: Open, _: Who) -> list[HoldingOut]:
    client = uuid.UUID(CLIENT).hex
    loading = selectinload(_Account.holdings).selectinload(_Holding.instrument)
    account = session.execute(
        select(_Account)
        .where(_Account.client_id == client)
        .options(loading.selectinload(_Instrument.price))
    ).scalar_one()
    total = sum((_value(one) for one in account.holdings), Decimal(0))
    rows = []
    for one in account.holdings:
        value, invested = _value(one), Decimal(one.quantity * one.average_price) / UNITS
        rows.append(HoldingOut(
            symbol=one.instrument.symbol, exchange=one.instrument.exchange, quantity=one.quantity,
            average_price=Decimal(one.average_price) / UNITS,
            price=Decimal(one.instrument.price.price) / UNITS, value=value, invested=invested,
            pnl=value - invested, share=100 * value / total,
        ))  # fmt: skip
    return rows
