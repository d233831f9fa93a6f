"""A client with an advice, the client's trades as a broker reports them, and the matching."""

import datetime as dt
import uuid
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import pytest
from httpx2 import Response

from tarazu.follow_up import jobs
from tarazu.instruments import service as instruments
from tarazu.kit import clock
from tarazu.kit.db import Database
from tarazu.kit.sockets import Progress
from tarazu.orders import service as orders
from tarazu.orders.service import NewOrder, NewTrade
from tarazu.orders.tables import OrderSide, OrderStatus, TradeSource
from tarazu.prices import service as prices
from tests.advice.conftest import AdviceDesk, advice
from tests.models_of import bench
from tests.people_of import data_of, new_key

__all__ = ["advice", "bench"]

MINUTE = dt.timedelta(minutes=1)


@dataclass
class FollowUpDesk:
    """An ADMIN's desk with an advice to C0001: sell INFY, buy TCS and RELIANCE."""

    advice: AdviceDesk
    told: list[Progress] = field(default_factory=list)
    numbers: int = 0

    @property
    def database(self) -> Database:
        return self.advice.database

    @property
    def client_id(self) -> uuid.UUID:
        return uuid.UUID(self.advice.client_id)

    def match(self, now: dt.datetime | None = None) -> int:
        """What the job does; how many advices changed."""
        return jobs.match_due(self.database, now or clock.now(), self.told.append)

    def read(self, at: dt.datetime, client_id: uuid.UUID | None = None) -> None:
        """The broker's trades were read until then."""
        with self.database.transaction() as session:
            orders.record_trades_read(session, {client_id or self.client_id: at}, clock.now())

    def trade(
        self,
        symbol: str,
        shares: int,
        price: str | None,
        at: dt.datetime,
        *,
        source: TradeSource = TradeSource.BROKER,
        client_id: uuid.UUID | None = None,
        **more: Any,
    ) -> int:
        """Record a trade: bought, or sold where `shares` is below zero."""
        self.numbers += 1
        with self.database.transaction() as session:
            isin = instruments.by_symbol(session, "NSE", symbol).isin
            trade = NewTrade(
                exchange="NSE",
                trade_id=more.pop("trade_id", f"T{self.numbers}"),
                order_id=f"O{self.numbers}",
                traded_at=at,
                symbol=symbol,
                isin=isin,
                side=OrderSide.BUY if shares > 0 else OrderSide.SELL,
                quantity=abs(shares),
                price=None if price is None else Decimal(price),
                **more,
            )
            return orders.record_trades(
                session, client_id or self.client_id, [trade], source, clock.now()
            )

    def order(self, symbol: str, at: dt.datetime, status: OrderStatus, reason: str = "") -> None:
        """Record an order to buy."""
        self.numbers += 1
        order = NewOrder(
            f"O{self.numbers}", at, symbol, "NSE", OrderSide.BUY, 10, Decimal(0), status,
            reason=reason,
        )  # fmt: skip
        with self.database.transaction() as session:
            orders.take_order_book(session, self.client_id, at, [order], None)
            orders.mark_matching_due(session, [self.client_id], at)

    def isin(self, symbol: str) -> str:
        with self.database.reading() as session:
            return instruments.by_symbol(session, "NSE", symbol).isin

    def close(
        self, day: dt.date, closes: dict[str, str], volumes: dict[str, int] | None = None
    ) -> None:
        """Record the closes of a day, and shares traded."""
        with self.database.transaction() as session:
            tokens = {
                symbol: instruments.by_symbol(session, "NSE", symbol).instrument_token
                for symbol in {**closes, **(volumes or {})}
            }
            prices.record_day_closes(
                session,
                day,
                {tokens[symbol]: Decimal(price) for symbol, price in closes.items()},
                {tokens[symbol]: shares for symbol, shares in (volumes or {}).items()},
            )

    def execution(self, advice_id: str) -> dict[str, Any]:
        return dict(data_of(self.advice.desk.get(f"/admin/advice/{advice_id}/execution")))

    def line(self, advice_id: str, symbol: str) -> dict[str, Any]:
        lines = self.execution(advice_id)["lines"]
        return next(line for line in lines if line["tradingSymbol"] == symbol)

    def statuses(self, advice_id: str) -> dict[str, str]:
        lines = self.execution(advice_id)["lines"]
        return {line["tradingSymbol"]: line["status"] for line in lines}

    def board(self, **params: Any) -> dict[str, Any]:
        answer = self.advice.desk.get("/admin/follow-up", **params)
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    def carry_out(self, advice_id: str, at: dt.datetime, *symbols: str) -> None:
        """Trade lines of an advice, all without `symbols`, at the advised prices."""
        for line in self.execution(advice_id)["lines"]:
            if not symbols or line["tradingSymbol"] in symbols:
                sign = 1 if line["side"] == "BUY" else -1
                shares = sign * line["advisedQuantity"]
                self.trade(line["tradingSymbol"], shares, str(line["advisedPrice"]), at)
        self.read(at + MINUTE)

    def post(self, path: str, body: Any = None) -> Response:
        return self.advice.desk.post(path, body, **new_key())


@pytest.fixture
def desk(advice: AdviceDesk) -> FollowUpDesk:
    return FollowUpDesk(advice)
