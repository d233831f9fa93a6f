"""Ten days of one client at a broker's simulator, through the real sync, with the statuses of each day.

What is to come out was written down before anything was run: `STATUSES`.
"""

import datetime as dt
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

import pytest
from sqlalchemy import func, select, update

from tarazu.brokers.tables import ClientSession
from tarazu.domain.calendar import next_business_day
from tarazu.domain.codes import order_tag
from tarazu.domain.corporate_actions.values import ActionKind
from tarazu.firm import service as firm
from tarazu.follow_up import jobs
from tarazu.follow_up import service as follow_up
from tarazu.follow_up.service import NewResponse
from tarazu.follow_up.tables import AdviceExecution, Answer, LineExecution, LineFill
from tarazu.instruments import service as instruments
from tarazu.instruments.shipped import ShippedInstrument
from tarazu.instruments.tables import CorporateAction, Instrument
from tarazu.kit import clock
from tarazu.kit.audit_log import SYSTEM, AuditRow
from tarazu.kit.db import Database, new_id
from tarazu.kit.settings import Settings
from tarazu.orders import service as orders
from tarazu.orders.tables import MatchingDue, Order, Trade, TradesRead
from tarazu.prices import service as prices
from tarazu.sync import service as syncing
from tests.advice.conftest import AdviceDesk
from tests.brokers.simulator import Simulator
from tests.brokers.simulator.world import ANGEL, KITE, Lot, Placed
from tests.imports.files import angel_trades
from tests.imports.test_records import TRADES
from tests.people_of import ADMIN, data_of
from tests.rows_of import run, scalar
from tests.sync.conftest import USERS, SyncDesk, running_simulator, simulator
from tests.sync.conftest import desk as sync_desk

__all__ = ["running_simulator", "simulator", "sync_desk"]

pytestmark = [pytest.mark.long, pytest.mark.on_both]

# The readings: of the evening (16:06), "2n" at noon of the second day, "8i" after a tradebook of
# the fifth day, which was never read. A dot: the same as before.
READINGS = ["1", "2n", "2", "3", "4", "6", "7", "8", "8i", "9", "10"]
STATUSES = """
1 TCS        PARTIAL   .       DONE    .        .          .        .        .    .    .     .
1 RELIANCE   PARTIAL   WORKING DONE    .        .          .        .        .    .    .     .
1 INFY       PENDING   .       DONE    .        .          .        .        .    .    .     .
1 ITC        PENDING   .       PARTIAL .        DONE       .        .        .    .    .     .
1 SBIN       PENDING   .       .       OPPOSITE .          .        .        .    .    .     .
1 WIPRO      PENDING   .       .       .        SUPERSEDED .        .        .    .    .     .
1 HDFCBANK   PENDING   .       .       .        .          DONE     .        .    .    .     .
1 LT         PENDING   .       .       .        .          MISSED   .        .    DONE .     .
1 BHARTIARTL PENDING   .       .       .        .          MISSED   .        .    .    .     .
2 WIPRO      -         -       -       -        PENDING    .        .        OVER .    .     .
2 MARUTI     -         -       -       -        PENDING    .        PARTIAL  .    .    SHORT .
2 TITAN      -         -       -       -        PENDING    .        REJECTED .    .    MISSED .
2 AXISBANK   -         -       -       -        PENDING    DECLINED .        .    .    .     .
3 INFY       -         -       -       -        -          -        -        -    -    PENDING DONE
3 ASIANPAINT -         -       -       -        -          -        -        -    -    PENDING PARTIAL
3 NESTLEIND  -         -       -       -        -          -        -        -    -    PENDING .
"""
STATES = {"1": "OPPOSITE", "2": "PART", "3": "PART"}
HELD = {"INFY": 100, "SBIN": 50, "LT": 100}
# Shares of ₹1,000 each in a portfolio of ₹50,00,000: 2 % is 100 shares.
INVESTED = 5_000_000
TARGETS = {
    "1": {
        "TCS": 2, "RELIANCE": 2, "INFY": 1, "ITC": 2, "SBIN": 3, "WIPRO": 2, "HDFCBANK": 2, "LT": 4,
        "BHARTIARTL": 2,
    },
    "2": {"WIPRO": 2, "MARUTI": 2, "TITAN": 2, "AXISBANK": 2},
    "3": {"INFY": 0, "ASIANPAINT": 2, "NESTLEIND": 2},
}  # fmt: skip
SYMBOLS = {symbol for targets in TARGETS.values() for symbol in targets}
SHARES = {("1", "INFY"): 50, ("3", "INFY"): 50, ("1", "ITC"): 500}
SPLIT_ISIN = "INE154A01033"
AVERAGE = 100_000


@dataclass
class TenDays:
    """A client at a broker, and what the client does day by day."""

    sync: SyncDesk
    advice: AdviceDesk
    broker: str
    days: list[dt.date]
    set_clock: Callable[[dt.datetime], None]
    client_id: str = ""
    advices: dict[str, str] = field(default_factory=dict)
    seen: dict[str, dict[tuple[str, str], str]] = field(default_factory=dict)
    numbers: int = 0

    @property
    def user_id(self) -> str:
        return USERS[self.broker]

    def stock(self, symbol: str) -> ShippedInstrument:
        held = [lot.stock for lot in self.sync.person(self.user_id).lots]
        listed = [*held, *self.sync.world.stocks.values()]
        return next(each for each in listed if each.symbol == symbol)

    def at(self, day: int, hour: int, minute: int = 0) -> None:
        """Go to an hour of a day; its first one begins with what settled of the day before."""
        on = self.days[day - 1]
        if on != clock.today():
            self._settle()
        self.set_clock(dt.datetime.combine(on, dt.time(hour, minute), clock.INDIA))

    def _settle(self) -> None:
        lots = {lot.stock.symbol: lot for lot in self.sync.person(self.user_id).lots}
        for order in self.sync.person(self.user_id).orders:
            if order.filled and order.product == "CNC":
                signed = order.filled if order.side == "BUY" else -order.filled
                symbol = order.stock.symbol
                lot = lots.get(symbol, Lot(order.stock, 0, 0, 0, AVERAGE))
                lots[symbol] = replace(lot, free=lot.free + signed)
        kept = tuple(lot for lot in lots.values() if lot.free)
        self.sync.change(self.user_id, lots=kept, orders=())

    def order(self, symbol: str, shares: int, **more: Any) -> None:
        """An order of today, at the client's own broker; sold where `shares` is below zero."""
        self.numbers += 1
        number = f"26{self.numbers:06d}"
        side, size = ("BUY", shares) if shares > 0 else ("SELL", -shares)
        now = clock.now().astimezone(clock.INDIA)
        minute = (now.hour - 9) * 60 + now.minute - 15
        placed = Placed(
            number, self.stock(symbol), side, "CNC", size, size, AVERAGE, "COMPLETE", minute
        )
        before = self.sync.person(self.user_id).orders
        self.sync.change(self.user_id, orders=(*before, replace(placed, **more)))

    def change_last(self, **more: Any) -> None:
        *before, last = self.sync.person(self.user_id).orders
        self.sync.change(self.user_id, orders=(*before, replace(last, **more)))

    def split(self, symbol: str, factor: int) -> None:
        """From today one share is several, under a new ISIN, at the broker and in our list."""
        old = self.stock(symbol)
        new = replace(old, isin=SPLIT_ISIN)
        lots = tuple(
            replace(lot, stock=new, free=lot.free * factor, average_paise=AVERAGE // factor)
            if lot.stock.symbol == symbol
            else lot
            for lot in self.sync.person(self.user_id).lots
        )
        self.sync.change(self.user_id, lots=lots)
        self.sync.world.paise[old.zerodha_token] = AVERAGE // factor
        action = CorporateAction(
            id=new_id(), isin=old.isin, new_isin=SPLIT_ISIN, kind=ActionKind.SPLIT,
            ex_on=clock.today(), new=factor, old=1, source="TEST", created_at=clock.now(),
        )  # fmt: skip
        with self.sync.database.transaction() as session:
            session.add(action)
        statement = update(Instrument).where(Instrument.symbol == symbol)
        run(self.sync.database, statement.values(isin=SPLIT_ISIN))

    def buy_unseen(self, symbol: str, shares: int, average_paise: int) -> None:
        """Shares in the holdings whose day was never read."""
        person = self.sync.person(self.user_id)
        lots = {lot.stock.symbol: lot for lot in person.lots}
        lot = lots.get(symbol, Lot(self.stock(symbol), 0, 0, 0, 0))
        lots[symbol] = replace(lot, free=lot.free + shares, average_paise=average_paise)
        self.sync.change(self.user_id, lots=tuple(lots.values()))

    def price_of(self, symbol: str) -> str:
        return str(self.sync.world.paise[self.stock(symbol).zerodha_token] // 100)

    def sign_in(self) -> None:
        desk = self.advice.desk
        login = {"email": ADMIN["email"], "password": ADMIN["password"]}
        desk.token = desk.web.post("/api/v1/auth/login", json=login).json()["accessToken"]
        desk.__post_init__()

    def send(self, number: str) -> None:
        """Rebalance and send, as staff do."""
        self.sign_in()
        targets = TARGETS[number]
        self.advice.priced({symbol: self.price_of(symbol) for symbol in SYMBOLS})
        rebalanced = self.advice.rebalanced(targets=targets | {"CASH": 50}, investment=INVESTED)
        body = self.advice.advice_of(rebalanced, totalInvestedValue=INVESTED)
        sent = self.advice.send(body)
        self.advices[number] = str(data_of(sent, 201)["_id"])

    def read(self) -> None:
        """Sync now, as the job does."""
        now = clock.now()
        for login in self.sync.world.logins.values():
            login.expires_at = now + dt.timedelta(days=1)
        run(self.sync.database, update(ClientSession).values(expires_at=now + dt.timedelta(days=1)))
        context = syncing.SyncContext(self.sync.database, self.sync.gateway, SYSTEM)
        assert syncing.sync_client(context, uuid.UUID(self.client_id), now).outcome == "DONE"

    def match(self) -> int:
        return jobs.match_due(self.sync.database, clock.now(), lambda _: None)

    def note(self, reading: str) -> None:
        """Match, and keep the statuses under the name of the reading."""
        self.match()
        self.sign_in()
        self.seen[reading] = {
            (number, line["tradingSymbol"]): line["status"]
            for number in self.advices
            for line in self.execution(number)["lines"]
        }

    def evening(self, day: int) -> None:
        self.at(day, 16, 6)
        self.read()
        self.note(str(day))

    def execution(self, number: str) -> dict[str, Any]:
        path = f"/admin/advice/{self.advices[number]}/execution"
        return dict(data_of(self.advice.desk.get(path)))

    def line(self, number: str, symbol: str) -> dict[str, Any]:
        lines = self.execution(number)["lines"]
        return dict(next(line for line in lines if line["tradingSymbol"] == symbol))

    def decline(self, number: str, symbol: str) -> None:
        self.sign_in()
        place = int(self.line(number, symbol)["place"])
        response = NewResponse(Answer.DECLINED, "Not for me", (place,))
        with self.sync.database.transaction() as session:
            follow_up.record_response(
                session, uuid.UUID(self.advices[number]), response, clock.now()
            )

    def import_tradebook(self) -> dict[str, Any]:
        """What the client traded on the fifth day, from the broker's own file."""
        day, trades = self.days[4], (("HDFCBANK", 60), ("HDFCBANK", 40), ("LT", 100))
        if self.broker == KITE:
            rows = [
                f"{symbol},{self.stock(symbol).isin},{day},NSE,EQ,EQ,buy,false,{shares},995,"
                f"9{place},11000000{place},{day}T12:00:0{place}\n"
                for place, (symbol, shares) in enumerate(trades)
            ]
            name, content = "tradebook.csv", (TRADES + "".join(rows)).encode()
        else:
            on = f"{day.month}/{day.day}/{day:%y}"
            name, content = (
                "tradebook.xlsx",
                angel_trades(
                    *(
                        (
                            f"{symbol}-EQ", "BUY", 995, shares, "DELIVERY", "CAPITAL",
                            f"11000000{place}", f"9{place}", on,
                        )
                        for place, (symbol, shares) in enumerate(trades)
                    )
                ),
            )  # fmt: skip
        fields = {"clientId": self.client_id, "dryRun": "false"}
        answer = self.advice.desk.upload("/admin/imports/tradebook", name, content, **fields)
        return dict(data_of(answer))

    def counts(self) -> dict[str, Any]:
        """Rows of everything that a second time could change, and when it was computed."""
        kinds = (Trade, Order, TradesRead, AdviceExecution, LineExecution, LineFill, AuditRow)
        counted: dict[str, Any] = {
            kind.__tablename__: scalar(self.sync.database, select(func.count()).select_from(kind))
            for kind in kinds
        }
        newest = scalar(self.sync.database, select(func.max(AdviceExecution.computed_at)))
        trades = scalar(self.sync.database, select(func.max(Trade.recorded_at)))
        return counted | {"computed": newest, "recorded": trades}


def expected() -> dict[str, dict[tuple[str, str], str]]:
    """The table, by reading, without the dots."""
    by_reading: dict[str, dict[tuple[str, str], str]] = {reading: {} for reading in READINGS}
    for row in STATUSES.strip().splitlines():
        number, symbol, *statuses = row.split()
        status = "-"
        for reading, written in zip(READINGS, statuses, strict=True):
            status = status if written == "." else written
            if status != "-":
                by_reading[reading][number, symbol] = status
    return by_reading


@pytest.fixture
def priced(database: Database) -> Callable[[dict[str, str]], None]:
    """Sets last prices by symbol, as a broker's feed would."""

    def record(by_symbol: dict[str, str]) -> None:
        with database.reading() as opened:
            new = {
                instruments.by_symbol(opened, "NSE", symbol).instrument_token: Decimal(price)
                for symbol, price in by_symbol.items()
            }
            prices.record_prices(opened, new, clock.now(), "ZERODHA")

    return record


@pytest.fixture(params=[KITE, ANGEL])
def story(
    request: pytest.FixtureRequest,
    settings: Settings,
    database: Database,
    sync_desk: SyncDesk,
    simulator: Simulator,
    priced: Callable[[dict[str, str]], None],
    monkeypatch: pytest.MonkeyPatch,
) -> TenDays:
    with database.reading() as session:
        holidays = firm.holidays(session)
    days = [next_business_day(clock.today(), holidays)]
    while len(days) < 10:
        days.append(next_business_day(days[-1], holidays))

    def set_clock(at: dt.datetime) -> None:
        monkeypatch.setattr(clock, "now", lambda: at.astimezone(dt.UTC))

    broker = request.param
    told = TenDays(
        sync_desk, AdviceDesk(sync_desk.firm.desk, database, priced), broker, days, set_clock
    )
    lots = tuple(Lot(told.stock(symbol), count, 0, 0, AVERAGE) for symbol, count in HELD.items())
    cash = (INVESTED - sum(HELD.values()) * 1_000) * 100
    sync_desk.change(
        told.user_id, lots=lots, orders=(), cash_paise=cash, payin_paise=0, collateral_paise=0
    )
    for symbol in SYMBOLS:
        sync_desk.world.paise[told.stock(symbol).zerodha_token] = AVERAGE
    told.at(1, 10)
    told.sign_in()
    told.client_id = told.advice.client_id = sync_desk.client(told.user_id, broker)
    told.read()
    return told


def tell(story: TenDays) -> None:
    """What happens on the ten days."""
    story.at(1, 11)
    story.send("1")
    tag = order_tag(uuid.UUID(story.advices["1"]))
    story.at(1, 12)
    story.order("TCS", 100, filled=40, fills=(15, 25), status="CANCELLED", tag=tag)
    story.order("RELIANCE", 100, filled=0, status="CANCELLED")
    story.order("RELIANCE", 100, filled=30, status="CANCELLED")
    story.evening(1)

    story.at(2, 12)
    story.order("TCS", 60, fills=(20, 40))
    story.order("WIPRO", 100, product="MIS")
    story.order("WIPRO", -100, product="MIS")
    story.order("RELIANCE", 70, filled=0, status="OPEN")
    story.at(2, 12, 30)
    # The order of TCS fills in the afternoon.
    afternoon = story.sync.person(story.user_id).orders
    story.sync.change(story.user_id, orders=afternoon[1:])
    story.read()
    story.note("2n")
    story.sync.change(story.user_id, orders=afternoon)
    story.change_last(filled=70, status="COMPLETE")
    story.order("INFY", -50)
    story.order("ITC", 40)
    story.evening(2)

    story.at(3, 9, 30)
    story.split("ITC", 5)
    story.at(3, 12)
    story.order("SBIN", -20)
    story.order("WIPRO", 25)
    story.order("WIPRO", -25)
    story.evening(3)

    story.at(4, 11)
    story.send("2")
    story.at(4, 12)
    story.order("ITC", 300, price_paise=20_000)
    story.evening(4)

    # Nobody reads the fifth day.
    story.at(5, 12)
    story.buy_unseen("HDFCBANK", 100, 99_000)
    story.buy_unseen("LT", 100, AVERAGE)

    story.at(6, 12)
    story.decline("2", "AXISBANK")
    story.evening(6)

    story.at(7, 12)
    story.order("MARUTI", 60)
    story.order("TITAN", 100, filled=0, status="REJECTED", reason="Insufficient funds.")
    story.evening(7)

    story.at(8, 12)
    story.order("WIPRO", 150)
    story.evening(8)
    assert [fill["source"] for fill in story.line("1", "HDFCBANK")["fills"]] == ["INFERRED"]
    assert story.line("1", "HDFCBANK")["averagePrice"] == 990
    assert story.import_tradebook()["refused"] == []
    story.note("8i")

    story.at(9, 11)
    story.send("3")
    story.evening(9)

    story.at(10, 12)
    story.order("INFY", -50)
    story.order("ASIANPAINT", 40)
    story.evening(10)


def test_ten_days_give_the_statuses_that_were_written_down(story: TenDays) -> None:
    tell(story)

    table = expected()
    for reading in READINGS:
        assert story.seen[reading] == table[reading], f"reading {reading}"
    assert {number: story.execution(number)["state"] for number in story.advices} == STATES
    for number in story.advices:
        for line in story.execution(number)["lines"]:
            shares = SHARES.get((number, line["tradingSymbol"]), 100)
            assert line["advisedQuantity"] == shares, line
    assert story.line("1", "ITC")["filledQuantity"] == 500
    assert (story.line("1", "ITC")["advisedPrice"], story.line("1", "ITC")["averagePrice"]) == (
        200,
        200,
    )
    assert story.line("2", "WIPRO")["beyondAdvice"] == 50
    assert story.line("2", "TITAN")["statusText"] == "Insufficient funds."
    file = story.line("1", "HDFCBANK")
    assert {fill["source"] for fill in file["fills"]} == {"FILE"}
    assert file["averagePrice"] == 995
    for advice_id in story.advices.values():
        verified = data_of(story.advice.desk.get(f"/admin/advice/{advice_id}/verify"))
        assert verified["holds"] is True
    assert data_of(story.advice.desk.get("/admin/audit/verify"))["fault"] is None


def test_everything_a_second_time_changes_nothing(story: TenDays) -> None:
    tell(story)
    before, executions = story.counts(), [story.execution(number) for number in story.advices]

    story.read()
    report = story.import_tradebook()
    with story.sync.database.transaction() as session:
        orders.mark_matching_due(session, [uuid.UUID(story.client_id)], clock.now())
    changed = story.match()

    assert changed == 0
    assert report["message"] == "3 unchanged."
    assert story.counts() == before
    assert [story.execution(number) for number in story.advices] == executions
    assert scalar(story.sync.database, select(func.count()).select_from(MatchingDue)) == 0
